// The profile editor: what is being edited, undo, saving, the list of problems, and the tabs.

import { ask } from "../api.js";
import { $, make } from "../dom.js";
import { say } from "../text.js";
import { basicsPanel } from "./basics.js";
import { brought } from "./brought.js";
import { isTable } from "./fields.js";
import { geometryPanel, normalStickers } from "./geometry.js";

const CHECK_MS = 400;
const MOST_STEPS = 200;
const root = $("editor");
const measurable = root.dataset.measurable.split(" ").filter(Boolean);
const TABS = { basics: basicsPanel, ...brought.sections, ...(measurable.length ? { geometry: geometryPanel } : {}) };

let name = root.dataset.name;
let own = root.dataset.own === "yes";
let profile = null;
let saved = "";
let problems = [];
const past = [];
const future = [];
let together = null;
let timer = 0;
let tab = location.hash.slice(1) in TABS ? location.hash.slice(1) : "basics";
let leave = () => {};

/** What panels work with. */
const work = {
  get profile() { return profile; },
  get name() { return name; },
  get own() { return own; },
  /** Changes the profile; changes in a row with the same `field` are undone together. */
  change(edit, field = null) {
    const before = JSON.stringify(profile);
    edit(profile);
    if (JSON.stringify(profile) === before) return;
    if (field === null || field !== together) past.push(before);
    if (past.length > MOST_STEPS) past.shift();
    together = field;
    future.length = 0;
    changed();
  },
  /** The boards that owners measure. */
  measurable,
  /** Those with a flat picture. */
  flats: [],
  show: () => showTab(false),
  tell,
};

function tell(message, kind = "bad") {
  $("told").className = `note ${kind}`;
  $("told").textContent = message ?? "";
  $("told").hidden = !message;
}

function changed() {
  $("title").textContent = profile.name || say("editor.new_title");
  $("undo").disabled = past.length === 0;
  $("redo").disabled = future.length === 0;
  const isSaved = JSON.stringify(profile) === saved;
  $("kept").textContent = say(isSaved ? "editor.saved" : "editor.unsaved");
  $("save").disabled = isSaved && own;
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_MS);
}

function step(from, to) {
  if (!from.length) return;
  to.push(JSON.stringify(profile));
  profile = JSON.parse(from.pop());
  together = null;
  changed();
  showTab(false);
}

async function check() {
  const asked = JSON.stringify(profile);
  try {
    const found = await ask("/api/profile-check", { send: { profile }, as: "host" });
    if (asked === JSON.stringify(profile)) showProblems(found);
  } catch (refused) {
    tell(refused.message);
  }
}

async function save() {
  tell(null);
  const sent = JSON.stringify(profile);
  try {
    if (own) showProblems(await ask(`/api/profiles/${name}`, { send: { profile }, as: "host" }));
    else {
      const title = say("editor.copy_of", { name: profile.name });
      const kept = await ask("/api/profiles", { send: { title, copy_of: null, profile }, as: "host" });
      saved = JSON.stringify(profile); // nothing to warn about on the way there
      location.href = `/setup/profiles/${kept.name}`;
    }
    saved = sent;
    changed();
  } catch (refused) {
    tell(refused.message);
  }
}

// --- problems ---------------------------------------------------------------------------------

const tabOf = (where) => {
  const first = where.split(/[. ]/)[0];
  return first in TABS ? first : "basics";
};

function showProblems(found) {
  problems = found;
  const wrong = found.filter((problem) => !problem.warning);
  const remarks = found.filter((problem) => problem.warning);
  const parts = [wrong.length ? say("editor.problems_count", { count: wrong.length }) : say("editor.problems_none")];
  if (remarks.length) parts.push(say("editor.warnings_count", { count: remarks.length }));
  $("problems-sum").textContent = parts.join(" · ");
  $("problems-sum").className = wrong.length ? "problem" : "fine";
  $("problems-list").replaceChildren(...[...wrong, ...remarks].map(problemLine));
  markTabs();
  markFields();
}

function problemLine(problem) {
  const go = make("button", { type: "button", class: `problem-line ${problem.warning ? "warn" : "bad"}`, onclick: () => goTo(problem.where) },
    make("span", { class: "problem-where" }, brought.place(problem.where)), problem.text);
  return make("li", {}, go);
}

const fields = () => [...$("panel").querySelectorAll("[data-where]")];
const covers = (field, where) => where === field || where.startsWith(`${field} `) || where.startsWith(`${field}.`);

/** The field that a problem is about, or the nearest around it. */
function fieldOf(where) {
  const around = fields().filter((field) => covers(field.dataset.where, where));
  return around.sort((a, b) => b.dataset.where.length - a.dataset.where.length)[0];
}

function goTo(where) {
  tab = tabOf(where);
  showTab(false);
  const field = fieldOf(where);
  const target = field?.matches("input, select, button, a") ? field : field?.querySelector("input, select, button, [tabindex='0']");
  (target ?? $("panel")).focus();
  (target ?? $("panel")).scrollIntoView({ block: "center" });
}

function markFields() {
  for (const field of fields()) {
    const wrong = problems.some((problem) => !problem.warning && covers(field.dataset.where, problem.where));
    if (field.matches("input, select")) field.setAttribute("aria-invalid", String(wrong));
    field.classList.toggle("wrong", wrong);
  }
}

// --- tabs -------------------------------------------------------------------------------------

function showTabs() {
  $("tabs").replaceChildren(...Object.keys(TABS).map((id) => make("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", onclick: () => { tab = id; showTab(true); },
  }, say(`editor.tab_${id}`), make("span", { class: "count" }))));
  $("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const ids = Object.keys(TABS);
    tab = ids[(ids.indexOf(tab) + by + ids.length) % ids.length];
    showTab(true);
    $(`tab-${tab}`).focus();
  });
}

function markTabs() {
  for (const id of Object.keys(TABS)) {
    const count = problems.filter((problem) => !problem.warning && tabOf(problem.where) === id).length;
    $(`tab-${id}`).querySelector(".count").textContent = count ? String(count) : "";
  }
}

function showTab(isNew) {
  leave();
  for (const id of Object.keys(TABS)) {
    const here = id === tab;
    $(`tab-${id}`).setAttribute("aria-selected", String(here));
    $(`tab-${id}`).tabIndex = here ? 0 : -1;
  }
  $(`tab-${tab}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  if (isNew) history.replaceState(null, "", `#${tab}`);
  $("panel").setAttribute("aria-labelledby", `tab-${tab}`);
  const focused = document.activeElement?.dataset?.focus;
  $("panel").replaceChildren();
  leave = TABS[tab]($("panel"), work) ?? (() => {});
  markFields();
  if (!isNew && focused) $("panel").querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

// --- beginning --------------------------------------------------------------------------------

/** The profile in the form that panels work with, whatever a file says. */
function normalised(profile) {
  for (const key of ["name", "source"]) if (typeof profile[key] !== "string") profile[key] = "";
  if (isTable(profile.geometry)) normalStickers(profile.geometry);
  return brought.normalised(profile);
}

async function begin() {
  showTabs();
  try {
    const found = await ask(`/api/profiles/${name}`, { as: "host" });
    profile = normalised(found.profile);
    work.flats = found.flats;
    saved = JSON.stringify(profile);
    showProblems(found.problems);
    showTab(false);
    changed();
  } catch (refused) {
    tell(refused.message);
  }
}

$("undo").addEventListener("click", () => step(past, future));
$("redo").addEventListener("click", () => step(future, past));
$("save").addEventListener("click", save);
window.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key === "s") save();
  else if (event.target.matches("input")) return; // there, undo is the browser's own
  else if (key === "z" && !event.shiftKey) step(past, future);
  else if (key === "y" || (key === "z" && event.shiftKey)) step(future, past);
  else return;
  event.preventDefault();
});
window.addEventListener("beforeunload", (event) => {
  if (profile && JSON.stringify(profile) !== saved) {
    event.preventDefault();
    event.returnValue = say("editor.leave");
  }
});
begin();
