// The set-up wizard: one step after the other, each saying what to do and whether it is done.

import { ask } from "../api.js";
import { $, make } from "../dom.js";
import { say } from "../text.js";
import { backups } from "./backup.js";
import { pieces } from "./pieces.js";
import { boards, camera, clean, done, isReady, kit, lens, lights } from "./steps.js";

const STEPS = [
  { id: "profile", show: boards, isDone: () => true },
  { id: "kit", show: kit, isDone: (state) => state.kit === "ready" },
  { id: "camera", show: camera, isDone: (state) => state.cameraFine },
  { id: "lens", show: lens, isDone: (state) => state.lens.known },
  { id: "clean", show: clean, isDone: (state) => state.clean.taken_at !== null },
  { id: "pieces", show: pieces, isDone: (state) => state.pieces.taken_at !== null, isThere: (state) => state.pieces.wanted.length > 0 },
  { id: "lights", show: lights, isDone: (state) => state.lightsTried },
  { id: "done", show: done, isDone: () => false, says: (state) => (isReady(state) ? "done" : "almost") },
];

let state = { cameraFine: false, lightsTried: false, simulated: "simulated" in $("wizard").dataset };
let leave = () => {};
let steps = STEPS; // those that this game has

const current = () => Math.max(0, steps.findIndex((step) => `#${step.id}` === location.hash));

/** Asks the table anew how far it is. */
async function refresh() {
  state = { ...state, ...(await ask("/api/setup", { as: "host" })) };
  steps = STEPS.filter(({ isThere = () => true }) => isThere(state));
  showSteps();
}

function showSteps() {
  const at = current();
  $("steps").replaceChildren(
    ...steps.map((step, number) => {
      const isDone = step.isDone(state);
      const mark = make("span", { class: "step-mark", "aria-hidden": "true" }, isDone ? "✓" : String(number + 1));
      const told = isDone ? make("span", { class: "hidden" }, ` (${say("setup.done_mark")})`) : null;
      const here = number === at ? "step" : null;
      const name = make("span", { class: "step-name" }, say(`setup.${step.id}`));
      return make("li", { class: isDone ? "done" : "" }, make("a", { href: `#${step.id}`, "aria-current": here }, mark, name, told));
    }),
  );
  $("steps").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

function showStep(focus) {
  leave();
  const at = current();
  const step = steps[at];
  const told = step.says?.(state) ?? step.id;
  const title = make("h2", { id: "step-title", tabindex: "-1" }, say(`setup.${told}`));
  const counted = make("p", { class: "soft small step-count" }, say("setup.step", { number: at + 1, count: steps.length }));
  const content = make("div", { class: "stack" });
  $("step").replaceChildren(counted, title, make("p", {}, say(`setup.${told}_how`)), content);
  leave = step.show(content, { state: () => state, set: (news) => Object.assign(state, news) && showSteps(), refresh }) ?? (() => {});
  $("back").hidden = at === 0;
  $("next").hidden = at === steps.length - 1;
  showSteps();
  if (focus) title.focus();
}

const go = (by) => { location.hash = steps[Math.min(steps.length - 1, Math.max(0, current() + by))].id; };

async function begin() {
  const me = await ask("/api/me", { as: "host" });
  $("gate").hidden = me.host;
  $("wizard").hidden = !me.host;
  if (!me.host) return;
  await refresh();
  backups();
  showStep(false);
  $("back").addEventListener("click", () => go(-1));
  $("next").addEventListener("click", () => go(1));
  window.addEventListener("hashchange", () => showStep(true));
}

begin();
