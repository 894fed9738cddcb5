// Small fields that several sections use.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";

/** A field for a text; `clean` makes of what was typed what the profile holds, `written` the other way round. */
export function textField({ label, where, value, set, clean = (text) => text, written = String, size = null }) {
  const input = make("input", { value: written(value), size, "aria-label": label, "data-where": where, "data-focus": where, autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => set(clean(input.value)));
  input.addEventListener("change", () => { input.value = written(clean(input.value)); });
  return input;
}

/** A field for a list: its items with blanks between. */
export const listField = ({ item = (text) => text, ...field }) =>
  textField({ ...field, clean: (text) => text.split(/[\s,]+/).filter(Boolean).map(item), written: (value) => value.join(" ") });

export const labelled = (words, field) => make("label", { class: "field" }, make("span", {}, words), field);

export const tick = ({ label, where, value, set }) =>
  make("label", { class: "tick" }, make("input", { type: "checkbox", checked: value === true, "data-where": where, "data-focus": where, onchange: ({ target }) => set(target.checked) }), label);

export const addButton = (words, focus, act) => make("button", { type: "button", "data-focus": focus, onclick: act }, words);

export const dropButton = (name, focus, act) => make("button", { type: "button", class: "icon", "aria-label": say("editor.remove", { name }), "data-focus": focus, onclick: act }, "✕");
