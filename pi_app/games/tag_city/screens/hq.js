// The HQ: six sections with their shapes, and the dice that lie there.

import { die } from "/static/js/dice.js";
import { make, svg } from "/static/js/dom.js";

/** A shape lying down, so that it stays low. */
export function shape(cells, name) {
  const tall = Math.max(...cells.map(([row]) => row)) > Math.max(...cells.map(([, col]) => col));
  const squares = tall ? cells.map(([row, col]) => [col, row]) : cells;
  const width = Math.max(...squares.map(([, col]) => col)) + 1;
  const height = Math.max(...squares.map(([row]) => row)) + 1;
  return svg("svg", { class: "shape", viewBox: `0 0 ${5 * width} ${5 * Math.max(height, 2)}`, role: "img", "aria-label": name },
    squares.map(([row, col]) => svg("rect", { x: 5 * col, y: 5 * row, width: 5, height: 5, rx: 0.8 })));
}

export function hq(game) {
  const values = Object.fromEntries(game.dice.map((one) => [one.die, one.value]));
  return make("ol", { class: "hq" }, game.sections.map((section) =>
    make("li", { class: section.dice.length ? "open" : null },
      make("span", { class: "small soft" }, `${section.section} · ${section.shape}`),
      shape(game.shapes[section.shape].cells, section.shape),
      make("span", { class: "dice" }, section.dice.map((number) => die(values[number])),
        section.dice.length ? null : make("span", { class: "small soft" }, section.faces.join(" "))))));
}

/** Dice that were rolled and lie on no section yet. */
export function looseDice(game) {
  return game.dice.filter((one) => one.section === null && one.taken_by === null).map((one) => die(one.value));
}
