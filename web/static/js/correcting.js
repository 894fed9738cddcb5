// An earlier move was another one: the host tells what it really was.

import { command } from "./api.js";
import { cityBoard } from "./board.js";
import { $, fill, make } from "./dom.js";
import { sentence } from "./feed.js";
import { say } from "./text.js";

const FACES = 6;
const TITLES = { dice_rolled: "correct.title_dice", die_placed: "correct.title_placed" };
let record = null;
let event = null;
let problem = "";
let begun = 0; // how many corrections

/** Which moves can be told anew here. */
export const canCorrect = ({ type }) => ["shape_painted", "house_decided", "social_checked", "dice_rolled", "die_placed"].includes(type);

export function startCorrection(chosen) {
  record = chosen;
  event = structuredClone(chosen.event);
  problem = "";
  begun += 1;
}

/** Draws the correction that is under way, or hides it. */
export function showCorrection(state) {
  const game = state.table.game;
  $("correction").hidden = !record || !game;
  if ($("correction").hidden) return;
  const again = () => showCorrection(state);
  // Whoever types or is about to click keeps the fields: they are made anew only for what is drawn anew.
  fill($("correction"), [begun, event.cells, problem, game.boards[event.player]], () => [
    make("h2", {}, say(TITLES[event.type] ?? "correct.title", { player: event.player })),
    make("p", {}, sentence(record.event)),
    ...fields(game, again),
    problem ? make("p", { class: "problem", role: "alert" }, problem) : null,
    make("div", { class: "row" },
      make("button", { class: "main", onclick: () => send(again) }, say("correct.send")),
      make("button", { onclick: () => { record = null; again(); } }, say("correct.cancel"))),
  ]);
}

/** What can be changed about such a move. */
function fields(game, again) {
  const choice = (part, name, values, told) => make("label", { class: "field" }, told, make("select", { "data-focus": `correct-${name}`,
    onchange: ({ target }) => { part[name] = values[target.selectedIndex]; } },
  values.map((value) => make("option", { selected: value === part[name] }, String(value)))));
  const numbers = (count) => Array.from({ length: count }, (_, n) => n + 1);
  switch (event.type) {
    case "dice_rolled": return [make("div", { class: "row" }, event.values.map((_, n) => choice(event.values, n, numbers(FACES), say("correct.die", { die: n }))))];
    case "die_placed": return [choice(event, "section", numbers(game.sections.length), say("correct.section"))];
    case "social_checked": return [choice(event, "bubble", numbers(game.boards[event.player].bubbles.length), say("correct.bubble"))];
    default: return [make("p", {}, say("correct.text")),
      event.shape === undefined ? null : choice(event, "shape", Object.keys(game.shapes), say("correct.shape")),
      make("p", { class: "soft", "aria-live": "polite" }, say("correct.squares", { squares: event.cells.map(square).join(" ") || "–" })),
      cityBoard(game, event.player, { picked: event.cells, onSquare: (row, col) => { toggle(row, col); again(); } })];
  }
}

const square = ([row, col]) => String.fromCharCode(65 + col) + (row + 1);

function toggle(row, col) {
  const at = event.cells.findIndex(([r, c]) => r === row && c === col);
  if (at >= 0) event.cells.splice(at, 1);
  else event.cells.push([row, col]);
  event.cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

async function send(again) {
  try {
    const answer = await command("correct", { corrections: { [record.seq]: event } }, "host");
    if (answer !== null) record = null; // after a no it can be told otherwise
  } catch (refused) {
    problem = refused.message;
  }
  again();
}
