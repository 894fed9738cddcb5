// An earlier move was another one: the host tells what it really was.

import { command } from "./api.js";
import { $, fill, make } from "./dom.js";
import { game } from "./game.js";
import { say } from "./text.js";

let record = null;
let event = null;
let problem = "";
let drawing = 0; // which one is shown: another correction, or what a field has changed, is another drawing

export function startCorrection(chosen) {
  record = chosen;
  event = structuredClone(chosen.event);
  problem = "";
  drawing += 1;
}

/** Draws the correction that is under way, or hides it. */
export function showCorrection({ table }) {
  $("correction").hidden = !record || !table.game;
  if ($("correction").hidden) return;
  const again = () => showCorrection({ table });
  // Whoever types or is about to click keeps the fields: they are made anew only for what is drawn anew.
  fill($("correction"), [drawing, problem, table.last_seq], () => {
    const { title, fields } = game.correction(table, event, () => { drawing += 1; again(); });
    return [make("h2", {}, title),
      make("p", {}, game.sentence(record.event)),
      ...fields,
      problem ? make("p", { class: "problem", role: "alert" }, problem) : null,
      make("div", { class: "row" },
        make("button", { class: "main", onclick: () => send(again) }, say("correct.send")),
        make("button", { onclick: () => { record = null; again(); } }, say("correct.cancel")))];
  });
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
