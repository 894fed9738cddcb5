// The tunnel and its graffiti: which letters are on which wall, what every part asks for and what it brings.

import { make, svg } from "/static/js/dom.js";
import { numberField } from "/static/js/setup/fields.js";
import { nameOf, say } from "/static/js/text.js";
import { addButton, dropButton, textField } from "./parts.js";
import { COLOURS, MOST } from "./profile.js";

const SIGNS = { R: "circle", Y: "triangle", B: "square", G: "diamond", K: "cross" };
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const capital = (text) => text.toUpperCase().replace(/[^A-Z]/g, "").slice(-1);
const colours = (text) => [...text.toUpperCase()].filter((letter) => COLOURS.includes(letter)).join("");

const signOf = (letter) => svg("svg", { class: `sign paint-${letter}`, viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("use", { href: `/game/graffiti/signs.svg#${SIGNS[letter]}` }));

const headed = (key) => [make("h2", {}, say(`editor.tab_${key}`)), make("p", { class: "soft small" }, say(`editor.${key}_how`))];

export function tunnelPanel(place, work) {
  const { sections, spaces } = work.profile.tunnel;
  const edit = (change) => { work.change(({ tunnel }) => change(tunnel)); work.show(); };
  const wall = (n, side) => textField({
    label: say(`editor.wall_${side}`, { number: n + 1 }), where: `tunnel.sections ${n + 1} ${side}`, value: sections[n][side === "upper" ? 0 : 1], size: 2, clean: capital,
    set: (letter) => work.change(({ tunnel }) => { tunnel.sections[n][side === "upper" ? 0 : 1] = letter; }, `wall ${n} ${side}`),
  });
  place.append(...headed("tunnel"),
    make("fieldset", { "data-where": "tunnel.sections" }, make("legend", {}, say("field.sections")), make("ul", { class: "lines" }, sections.map((_, n) =>
      make("li", { "data-where": `tunnel.sections ${n + 1}` }, make("strong", {}, String(n + 1)), wall(n, "upper"), wall(n, "lower"), dropButton(say("editor.section_number", { number: n + 1 }), `section ${n} drop`, () => edit((tunnel) => tunnel.sections.splice(n, 1)))))),
      sections.length < MOST.sections ? addButton(say("editor.more"), "section add", () => edit((tunnel) => tunnel.sections.push(["", ""]))) : null),
    make("fieldset", { "data-where": "tunnel.spaces" }, make("legend", {}, say("editor.section_spaces")), make("div", { class: "row" }, spaces.map((cans, n) =>
      numberField({ label: say("editor.space_cans", { number: n + 1 }), where: `tunnel.spaces ${n + 1}`, value: cans, set: (value) => work.change(({ tunnel }) => { tunnel.spaces[n] = value; }, `space ${n}`) })),
      addButton(say("editor.more"), "space add", () => edit((tunnel) => tunnel.spaces.push(""))),
      spaces.length > 1 ? addButton(say("editor.fewer"), "space drop", () => edit((tunnel) => tunnel.spaces.pop())) : null)));
}

/** Graffiti, or those that replace three of them. */
export function graffitiPanel(place, work, table) {
  const held = work.profile[table];
  const edit = (change) => { work.change((profile) => change(profile[table])); work.show(); };
  const free = LETTERS.find((letter) => !(letter in held));
  place.append(...headed(table), make("p", { class: "legend" }, COLOURS.map((letter) => make("span", {}, signOf(letter), ` ${letter}: ${nameOf("paint", letter)}`))),
    make("div", { class: "graffiti-cards", "data-where": table }, Object.keys(held).map((letter) => card(work, table, letter, edit))),
    free ? addButton(say("editor.add_graffiti", { letter: free }), `${table} add`, () => edit((all) => { all[free] = [{ cost: "", points: "" }, { cost: "", points: "" }]; })) : null);
}

function card(work, table, letter, edit) {
  const parts = work.profile[table][letter];
  const at = `${table}.${letter}`;
  return make("fieldset", { "data-where": at }, make("legend", {}, letter), make("ul", { class: "lines" }, parts.map((part, n) => {
    const shown = make("span", { class: "signs" }, [...colours(String(part.cost))].map(signOf));
    const cost = textField({
      label: say("editor.cost", { part: `${letter}${n + 1}` }), where: `${at} ${n + 1} cost`, value: part.cost, size: 6, clean: colours,
      set: (now) => { work.change((profile) => { profile[table][letter][n].cost = now; }, `${at} ${n} cost`); shown.replaceChildren(...[...now].map(signOf)); },
    });
    return make("li", { "data-where": `${at} ${n + 1}` }, make("strong", {}, `${letter}${n + 1}`), cost,
      numberField({ label: say("editor.worth", { part: `${letter}${n + 1}` }), where: `${at} ${n + 1} points`, value: part.points, set: (now) => work.change((profile) => { profile[table][letter][n].points = now; }, `${at} ${n} points`) }), shown);
  })), make("div", { class: "row" },
    parts.length < MOST.parts ? addButton(say("editor.more"), `${at} add`, () => edit((all) => all[letter].push({ cost: "", points: "" }))) : null,
    parts.length > 1 ? addButton(say("editor.fewer"), `${at} fewer`, () => edit((all) => all[letter].pop())) : null,
    dropButton(letter, `${at} drop`, () => edit((all) => { delete all[letter]; }))));
}
