// Tag City on pages: what web/static/js/game.js asks of a game.

import { die } from "/static/js/dice.js";
import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { boardSize, cityBoard } from "./board.js";
import { hq, looseDice } from "./hq.js";
import { squareName } from "./piece.js";

export { canCorrect, correction } from "./correcting.js";
export { panel } from "./panel.js";
export { sheet } from "./sheet.js";

const CHAPTERS = { leader: "table", roll: "roll", place: "place", draft: "draft", last: "last", over: "end" }; // by phase

// --- what it looks like ---

export function surface(table, id, { due, alarm, event = null } = {}) {
  const { seat } = table.game.boards.find(({ board }) => board === id);
  return cityBoard(table.game, seat, { due, alarm, fresh: event ? freshBy(table.game, event, seat) : freshOn(table, seat) });
}

/** The squares of the newest move, if it was made here. */
function freshOn({ feed }, seat) {
  const last = [...feed].reverse().find(({ event }) => event.cells)?.event;
  return last?.player === seat ? last.cells : [];
}

/** The squares that an event is about: those painted, or those of a row, a column or a district. */
function freshBy({ city }, event, seat) {
  if (event.player !== seat) return [];
  if (event.cells) return event.cells;
  const [kind, name] = event.feature?.split(".") ?? [];
  const belongs = (row, col) =>
    (kind === "row" && row + 1 === Number(name)) || (kind === "col" && String.fromCharCode(65 + col) === name) ||
    (kind === "district" && city.districts[city.cells[row][col]] === name);
  return city.cells.flatMap((letters, row) => [...letters].map((_, col) => [row, col])).filter(([row, col]) => belongs(row, col));
}

export function shared({ game }) {
  const loose = looseDice(game);
  return [make("header", { class: "row" }, make("h2", {}, say("screen.hq")),
    make("span", { class: "row loose" }, loose.length ? [make("span", { class: "small soft" }, say("screen.loose")), ...loose] : [])), hq(game)];
}

/** The die that somebody took this round. */
export const held = ({ game }, seat) => game.dice.filter((one) => one.taken_by === seat).map((one) => die(one.value));

export const size = ({ game }) => boardSize(game.city);

// --- what is said ---

export function turn({ game: { phase, leader, to_act: acting } }) {
  switch (phase) {
    case "leader": return { said: say("turn.start"), seats: [] };
    case "roll":
    case "place": return { said: say(`turn.${phase}`, { player: leader }), seats: [leader] };
    case "last": return { said: say("turn.last", { players: acting }), seats: acting };
    default: return { said: say("turn.draft", { player: acting[0] }), seats: acting };
  }
}

export function ownTurn(table, seat) {
  const { phase } = table.game;
  return phase !== "leader" && turn(table).seats.includes(seat) ? say(`turn.you_${phase}`) : null;
}

export const chapter = ({ game }) => CHAPTERS[game.phase];

export function sentence(event) {
  switch (event.type) {
    case "game_started": return say("feed.started", { player: event.leader });
    case "dice_rolled": return say("feed.rolled", event);
    case "die_placed": return say("feed.placed", event);
    case "shape_painted": return say(event.drone === null ? "show.paints" : "show.flies", event);
    case "social_checked": return say(event.bubble === null ? "show.checks_free" : "show.checks", event);
    case "house_decided": return say("show.house", event);
    case "feature_completed": return say(`show.${event.rank}`, event);
    case "round_ended": return say("feed.round_ended", { round: event.round, player: event.next_leader });
    case "game_ended": return say("feed.ended", { reasons: event.reasons.map((reason) => say(`end.${reason}`)).join("; ") });
    default: return null;
  }
}

/** Where single dice were laid is for the slider; a reader wants to know what came of it. */
export const isMinor = ({ type }) => type === "die_placed";

export const consequences = ["feature_completed", "round_ended", "game_ended"];
export const announced = ["feature_completed", "game_ended"];

/** Its shape and squares, the dice, or the bubble. */
export function move(event) {
  switch (event.type) {
    case "shape_painted": return say(event.drone === null ? "move.shape" : "move.drone", { shape: event.shape, squares: squareNames(event) });
    case "social_checked": return event.bubble === null ? say("move.social_free") : say("move.social", { number: event.bubble });
    case "die_placed": return say("move.placed", event);
    default: return sentence(event);
  }
}

const squareNames = ({ cells }) => cells.map(squareName).join(" ");

/** Circles, crosses, and what is to be wiped. */
export function mark({ game }, { seat, region, expected }) {
  const key = { circled: "marks.circle", crossed: "marks.cross" }[expected] ?? "marks.wipe";
  return say(key, { player: seat, value: valueOf(game.boards[seat], region), region });
}

function valueOf(board, region) {
  const [kind, name, rank] = region.split(".");
  if (kind === "drone") return board.drone[name - 1].value;
  if (kind === "bubble") return board.bubbles[name - 1].value;
  return board.features.find((feature) => feature.feature === `${kind}.${name}`)[rank];
}

/** A broken rule names squares as people do. */
export const wrong = ({ squares = [], regions = [] }) => [...squares.map((name) => `r${name.slice(1)}c${name.charCodeAt(0) - 64}`), ...regions];

export function toDo(event) {
  const { drone, bubble } = event;
  if (event.type === "social_checked") {
    return bubble === null ? { said: say("seat.draw_nothing"), regions: [] } : { said: say("seat.draw_bubble", { number: bubble }), regions: [`bubble.${bubble}`] };
  }
  const squares = event.cells.map(([row, col]) => `r${row + 1}c${col + 1}`);
  if (drone === null) return { said: say("seat.draw", { squares: squareNames(event) }), regions: squares };
  return { said: say("seat.draw_drone", { squares: squareNames(event), number: drone }), regions: [...squares, `drone.${drone}`] };
}
