// What several pages say about the table: names, colours, whose turn it is, how the table sees it.

import { callPlayers, clock, playerName, say } from "./text.js";

const USUAL = ["cyan", "pink", "orange", "lime"];
const URGENT = ["camera_lost", "mismatch", "asking"];

/** Colour of every seat: chosen by who sits there, else the usual one that nobody else has. */
export function colours(state) {
  const chosen = Object.fromEntries(state.people.seats.map((seat) => [seat.seat, seat.colour]));
  const taken = new Set(Object.values(chosen));
  const free = [...USUAL, "violet", "blue", "red", "yellow"].filter((colour) => !taken.has(colour));
  return USUAL.map((usual, seat) => {
    if (chosen[seat]) return chosen[seat];
    const colour = free.includes(usual) ? usual : free[0];
    free.splice(free.indexOf(colour), 1);
    return colour;
  });
}

/** Has to be called with every new state before anything is said. */
export function learnNames(state) {
  const sitting = Object.fromEntries(state.people.seats.map((seat) => [seat.seat, seat.name]));
  const recorded = state.table?.game?.boards.map((board) => board.player) ?? [];
  callPlayers([0, 1, 2, 3].map((seat) => recorded[seat] ?? sitting[seat]));
}

/** The game that waits to be continued: whose it is, and how far it has come. */
export const offerLine = ({ players, last_at: at, events }) => say("screen.stopped", { players: players.join(", "), time: clock(at), count: events });

/** Who has to do what, in one line. */
export function turnLine(table) {
  const game = table.game;
  if (!game) return say(table.continue ? "turn.continue" : "turn.no_game");
  if (table.paused) return say("turn.paused");
  if (game.result) {
    const names = game.result.winners.map(playerName).join(", ");
    return say(game.result.winners.length === 1 ? "show.winner" : "show.tie", { names });
  }
  if (game.phase === "leader") return say("turn.start");
  if (game.phase === "roll") return say("turn.roll", { player: game.leader });
  if (game.phase === "place") return say("turn.place", { player: game.leader });
  if (game.phase === "last") return say("turn.last", { players: game.to_act.map(playerName).join(", ") });
  return say("turn.draft", { player: game.to_act[0] });
}

/** The same said to somebody who has to act now, or null to others. */
export function ownTurnLine(game, seat) {
  if (!game || game.result) return null;
  if (["roll", "place"].includes(game.phase)) return game.leader === seat ? say(`turn.you_${game.phase}`) : null;
  if (!game.to_act.includes(seat)) return null;
  return say(game.phase === "last" ? "turn.you_last" : "turn.you_draft");
}

/** Whose colour that line has, or null. */
export function turnSeat(game) {
  if (!game) return null;
  if (game.result) return game.result.winners[0];
  if (game.phase === "roll" || game.phase === "place") return game.leader;
  return game.to_act.length === 1 && game.to_act[0] >= 0 ? game.to_act[0] : null;
}

/** The most urgent thing the table has to say: {state, said}. */
export function sight(table) {
  if (table.trouble) return { state: "mismatch", said: say(table.trouble.reason, table.trouble.facts) };
  if (table.preparing) return { state: "wait", said: say(table.preparing.reason, table.preparing.facts) };
  if (table.paused) return { state: "wait", said: say("turn.paused_long") };
  if (!table.game) return { state: "wait", said: "" };
  const told = Object.values(table.boards ?? {});
  const first = told.find((one) => URGENT.includes(one.state)) ?? told.find((one) => one.reason);
  if (first?.reason) return { state: first.state, said: say(first.reason, first.facts) };
  return { state: "wait", said: table.game.result ? "" : say("turn.watching") };
}

/** What the table says about one board, or "". */
export function boardSays(table, board) {
  const told = table.boards?.[board];
  return told?.reason ? { state: told.state, said: say(told.reason, told.facts) } : { state: "wait", said: "" };
}

/** The regions of a board that the table complains about, to point at. */
export function wrongRegions(table, board) {
  const told = table.boards?.[board];
  if (told?.state !== "mismatch") return [];
  const square = (name) => `r${name.slice(1)}c${name.charCodeAt(0) - 64}`;
  return [...(told.facts.squares ?? []).map(square), ...(told.facts.regions ?? [])];
}

/** Circles and crosses that the camera has not seen yet, and those that do not belong there. */
export function dueMarks(table, seat = null) {
  if (!table.game) return [];
  const marks = (table.marks ?? []).map((mark) => ({ ...mark, seat: table.game.boards.findIndex((board) => board.board === mark.board) }));
  return seat === null ? marks : marks.filter((mark) => mark.seat === seat);
}

/** Such a mark as a sentence. */
export function markLine(game, mark) {
  const key = { circled: "marks.circle", crossed: "marks.cross" }[mark.expected] ?? "marks.wipe";
  return say(key, { player: mark.seat, value: valueOf(game.boards[mark.seat], mark.region), region: mark.region });
}

function valueOf(board, region) {
  const [kind, name, rank] = region.split(".");
  if (kind === "drone") return board.drone[name - 1].value;
  if (kind === "bubble") return board.bubbles[name - 1].value;
  return board.features.find((feature) => feature.feature === `${kind}.${name}`)[rank];
}
