// An earlier move was another one: the host taps the squares that were really painted.

import { command } from "./api.js";
import { cityBoard } from "./board.js";
import { $, fill, make } from "./dom.js";
import { say } from "./text.js";

let record = null;
let cells = [];
let shape = "";
let problem = "";

export function startCorrection(chosen) {
  record = chosen;
  cells = chosen.event.cells.map((cell) => [...cell]);
  shape = chosen.event.shape;
  problem = "";
}

/** Draws the correction that is under way, or hides it. */
export function showCorrection(state) {
  const game = state.table.game;
  $("correction").hidden = !record || !game;
  if ($("correction").hidden) return;
  const again = () => showCorrection(state);
  fill($("correction"), [record.seq, cells, shape, problem, state.version], () => [
    make("h2", {}, say("correct.title", { player: record.event.player })),
    make("p", {}, say("correct.text")),
    make("label", { class: "field" }, say("correct.shape"), make("select", { "data-focus": "shape", onchange: (event) => { shape = event.target.value; again(); } },
      Object.keys(game.shapes).map((name) => make("option", { value: name, selected: name === shape }, name)))),
    cityBoard(game, record.event.player, { picked: cells, onSquare: (row, col) => { toggle(row, col); again(); } }),
    problem ? make("p", { class: "problem", role: "alert" }, problem) : null,
    make("div", { class: "row" },
      make("button", { class: "main", onclick: () => send(again) }, say("correct.send")),
      make("button", { onclick: () => { record = null; again(); } }, say("correct.cancel"))),
  ]);
}

function toggle(row, col) {
  const at = cells.findIndex(([r, c]) => r === row && c === col);
  if (at >= 0) cells.splice(at, 1);
  else cells.push([row, col]);
}

async function send(again) {
  const event = { ...record.event, shape, cells: [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
  try {
    await command("correct", { corrections: { [record.seq]: event } }, "host");
    record = null;
  } catch (refused) {
    problem = refused.message;
  }
  again();
}
