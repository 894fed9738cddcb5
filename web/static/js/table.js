// What several pages say about the table: names, colours, whose turn it is, how the table sees it.

import { game } from "./game.js";
import { callPlayers, clock, playerName, say } from "./text.js";

const { game: shown, colours: known, fixedColours: fixed } = document.documentElement.dataset;
const COLOURS = known.split(" ");
const URGENT = ["camera_lost", "mismatch", "asking"];

/** Colour of every seat: that of its pieces, else chosen by who sits there, the usual one, or the next that nobody has. */
export function colours(state) {
  if (fixed !== undefined) return COLOURS;
  const chosen = Object.fromEntries(state.people.seats.map((seat) => [seat.seat, seat.colour]));
  const taken = new Set(Object.values(chosen));
  const free = COLOURS.filter((colour) => !taken.has(colour));
  return COLOURS.map((usual, seat) => {
    const colour = chosen[seat] ?? (free.includes(usual) ? usual : free[0]);
    if (free.includes(colour)) free.splice(free.indexOf(colour), 1);
    return colour;
  });
}

/** Has to be called with every new state before anything is said. */
export function learnNames(state) {
  if (state.table?.name && state.table.name !== shown) location.reload(); // another game has other sentences and drawings
  const sitting = Object.fromEntries(state.people.seats.map((seat) => [seat.seat, seat.name]));
  const recorded = state.table?.players ?? [];
  callPlayers(COLOURS.map((_, seat) => recorded[seat] ?? sitting[seat]));
}

/** The surfaces of a seat. */
export const surfacesOf = (table, seat) => table.surfaces.filter(({ owner }) => owner === seat).map(({ id }) => id);

/** Whether a surface is this seat's or everybody's. */
export const concerns = (table, seat, board) => table.surfaces.some(({ id, owner }) => id === board && (owner === null || owner === seat));

/** The game that waits to be continued: whose it is, and how far it has come. */
export const offerLine = ({ players, last_at: at, events }) => say("screen.stopped", { players: players.join(", "), time: clock(at), count: events });

/** Who has to do what, in one line. */
export function turnLine(table) {
  if (!table.game) return say(table.continue ? "turn.continue" : "turn.no_game");
  if (table.paused) return say("turn.paused");
  if (table.result) return say(table.result.winners.length === 1 ? "show.winner" : "show.tie", { names: table.result.winners.map(playerName) });
  return game.turn(table).said;
}

/** The same said to somebody who has to act now, or null to others. */
export const ownTurnLine = (table, seat) => (!table.game || table.result ? null : game.ownTurn(table, seat));

/** The seats whose turn it is. */
export const turnSeats = (table) => (!table.game || table.result ? [] : game.turn(table).seats);

/** Whose colour the turn line has, or null. */
export function turnSeat(table) {
  if (table.result) return table.result.winners[0];
  const seats = turnSeats(table);
  return seats.length === 1 ? seats[0] : null;
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
  return { state: "wait", said: table.result ? "" : say("turn.watching") };
}

/** What the table says about the surfaces of a seat. */
export function seatSays(table, seat) {
  const told = surfacesOf(table, seat).map((id) => table.boards?.[id]).find((one) => one?.reason);
  return told ? { state: told.state, said: say(told.reason, told.facts) } : { state: "wait", said: "" };
}

/** The regions of a board that the table complains about, to point at. */
export function wrongRegions(table, board) {
  const told = table.boards?.[board];
  return told?.state === "mismatch" ? game.wrong(told.facts) : [];
}

/** Marks that the camera has not seen yet, and those that do not belong there; of one seat or of all. */
export function dueMarks(table, seat = null) {
  if (!table.game) return [];
  const owners = Object.fromEntries(table.surfaces.map(({ id, owner }) => [id, owner]));
  const marks = (table.marks ?? []).map((mark) => ({ ...mark, seat: owners[mark.board] }));
  return seat === null ? marks : marks.filter((mark) => mark.seat === seat);
}

/** Such a mark as a sentence. */
export const markLine = (table, mark) => game.mark(table, mark);
