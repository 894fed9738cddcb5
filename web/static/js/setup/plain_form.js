// A form for any profile, made of what is in it: texts, numbers, ticks, lists and tables.

import { make } from "../dom.js";
import { nameOf, say } from "../text.js";
import { isTable } from "./fields.js";

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Fields for everything in the profile but for what is `shown` elsewhere. */
export function plainForm(place, work, shown) {
  for (const key of Object.keys(work.profile)) if (!shown.includes(key)) place.append(named(work, { parent: null, key }, nameOf("field", key)));
}

// A place in the profile is {parent, key}; its key changes when somebody renames it.
const holder = (profile, { parent }) => (parent === null ? profile : read(profile, parent));
const read = (profile, at) => holder(profile, at)[at.key];
const whereOf = ({ parent, key }) => (parent === null ? key : typeof key === "number" ? `${whereOf(parent)} ${key + 1}` : `${whereOf(parent)}.${key}`);

const put = (work, at, value) => work.change((profile) => { holder(profile, at)[at.key] = value; }, whereOf(at));

/** Puts there what `edit` makes of it, and shows the form anew. */
function reshape(work, at, edit) {
  work.change((profile) => { holder(profile, at)[at.key] = edit(read(profile, at)); });
  work.show();
}

function named(work, at, label) {
  const value = read(work.profile, at);
  if (isTable(value)) return group(work, at, label, Object.keys(value).map((key) => keyedLine(work, { parent: at, key })));
  if (Array.isArray(value)) return group(work, at, label, value.map((_, key) => line(work, { parent: at, key }, make("span", { class: "soft" }, String(key + 1)))));
  return make("label", { class: typeof value === "boolean" ? "tick" : "field" }, make("span", {}, label), single(work, at, null));
}

/** A text, a number or a tick. What was blank or a number becomes one as soon as it looks like one. */
function single(work, at, label) {
  const value = read(work.profile, at);
  const common = { "aria-label": label, "data-where": whereOf(at), "data-focus": whereOf(at) };
  if (typeof value === "boolean") return make("input", { ...common, type: "checkbox", checked: value, onchange: ({ target }) => put(work, at, target.checked) });
  const isText = typeof value === "string" && value !== "";
  return make("input", { ...common, value, inputmode: typeof value === "number" ? "decimal" : null, oninput: ({ target }) =>
    put(work, at, !isText && NUMBER.test(target.value) ? Number(target.value) : target.value) });
}

function group(work, at, label, lines) {
  const where = whereOf(at);
  const add = make("button", { type: "button", "data-focus": `${where} add`, onclick: () => reshape(work, at, grown) }, say("editor.more"));
  return make("fieldset", { class: "plain", "data-where": where }, make("legend", {}, label), make("ul", {}, lines), add);
}

/** What stands in a list or a table behind its number or key: one thing, or a group of its own. */
function line(work, at, head) {
  const name = String(typeof at.key === "number" ? at.key + 1 : at.key);
  const content = typeof read(work.profile, at) === "object" ? named(work, at, name) : single(work, at, name);
  const drop = make("button", { type: "button", class: "icon", "aria-label": say("editor.remove", { name }), "data-focus": `${whereOf(at)} drop`, onclick: () =>
    reshape(work, at.parent, (held) => (Array.isArray(held) ? held.filter((_, n) => n !== at.key) : Object.fromEntries(Object.entries(held).filter(([key]) => key !== at.key)))) }, "✕");
  return make("li", {}, head, content, drop);
}

/** Whoever renames a key is on the way to the next field: all fields stay, only what they are called after is new. */
function keyedLine(work, at) {
  const name = make("input", { value: at.key, maxlength: 40, "aria-label": say("editor.key", { name: at.key }), "data-focus": `${whereOf(at)} key`, class: "key-field" });
  const all = line(work, at, name);
  name.addEventListener("change", () => {
    const [from, before] = [at.key, whereOf(at)];
    const held = read(work.profile, at.parent);
    if (name.value === "" || name.value in held) name.value = from;
    else {
      at.key = name.value;
      put(work, at.parent, Object.fromEntries(Object.entries(held).map(([key, value]) => [key === from ? at.key : key, value])));
      for (const { dataset } of all.querySelectorAll("[data-focus]")) for (const told of ["where", "focus"]) if (told in dataset) dataset[told] = dataset[told].replace(before, whereOf(at));
    }
  });
  return all;
}

/** One more of the same kind, with nothing filled in. */
function grown(held) {
  if (Array.isArray(held)) return [...held, blank(held.at(-1) ?? "")];
  const free = 1 + Math.max(0, ...Object.keys(held).map(Number).filter(Number.isInteger));
  return { ...held, [free]: blank(Object.values(held).at(-1) ?? "") };
}

function blank(value) {
  if (typeof value === "boolean") return false;
  if (Array.isArray(value)) return [];
  return isTable(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blank(inner)])) : "";
}
