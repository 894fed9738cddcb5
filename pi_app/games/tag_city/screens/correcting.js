// An earlier move was another one: what the host can tell anew about it.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { cityBoard } from "./board.js";
import { squareName } from "./piece.js";

const FACES = 6;
const TITLES = { dice_rolled: "correct.title_dice", die_placed: "correct.title_placed" };

export const canCorrect = ({ type }) => ["shape_painted", "house_decided", "social_checked", "dice_rolled", "die_placed"].includes(type);

export const correction = ({ game }, event, changed) => ({
  title: say(TITLES[event.type] ?? "correct.title", { player: event.player }),
  fields: fields(game, event, changed),
});

function fields(game, event, changed) {
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
      make("p", { class: "soft", "aria-live": "polite" }, say("correct.squares", { squares: event.cells.map(squareName).join(" ") || "–" })),
      cityBoard(game, event.player, { picked: event.cells, onSquare: (row, col) => { toggle(event, row, col); changed(); } })];
  }
}

function toggle({ cells }, row, col) {
  const at = cells.findIndex(([r, c]) => r === row && c === col);
  if (at >= 0) cells.splice(at, 1);
  else cells.push([row, col]);
  cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
