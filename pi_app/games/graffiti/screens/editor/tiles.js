// The action boards and what everybody starts with: how many tiles there are, and what the spaces for cans give.

import { make } from "/static/js/dom.js";
import { asNumber, numberField, selectField } from "/static/js/setup/fields.js";
import { nameOf, say } from "/static/js/text.js";
import { addButton, dropButton, labelled, listField, textField, tick } from "./parts.js";
import { BONUSES, MOST, PAINTS } from "./profile.js";

const headed = (key) => [make("h2", {}, say(`editor.tab_${key}`)), make("p", { class: "soft small" }, say(`editor.${key}_how`))];

/** Numbers of tiles by kind. */
function tiles(work, table, key, kinds, called) {
  const one = (kind) => labelled(called(kind), numberField({
    label: null, where: `${table}.${key}.${kind}`, value: work.profile[table][key][kind] ?? "", set: (now) => work.change((profile) => { profile[table][key][kind] = now; }, `${table} ${key} ${kind}`),
  }));
  return make("fieldset", { "data-where": `${table}.${key}` }, make("legend", {}, say("editor.how_many")), make("div", { class: "counts" }, kinds.map(one)));
}

const amount = (work, table, key) => labelled(say(`editor.${table}_${key}`), numberField({
  label: null, where: `${table}.${key}`, value: work.profile[table][key], set: (now) => work.change((profile) => { profile[table][key] = now; }, `${table} ${key}`),
}));

/** Spaces for cans, each a line of fields; `fresh` is a new one. */
function spaces(work, table, fields, fresh) {
  const held = work.profile[table].spaces;
  const edit = (change) => { work.change((profile) => change(profile[table].spaces)); work.show(); };
  const put = (n, key) => (now) => work.change((profile) => { profile[table].spaces[n][key] = now; }, `${table} space ${n} ${key}`);
  return make("fieldset", { "data-where": `${table}.spaces` }, make("legend", {}, say("field.spaces")), make("ul", { class: "lines" }, held.map((space, n) => {
    const at = `${table}.spaces ${n + 1}`;
    return make("li", { "data-where": at }, labelled(say("field.id"), textField({ label: null, where: `${at} id`, value: space.id, size: 12, set: put(n, "id") })), fields(space, at, (key) => put(n, key)),
      dropButton(String(space.id || n + 1), `${at} drop`, () => edit((all) => all.splice(n, 1))));
  })), held.length < MOST.spaces ? addButton(say("editor.more"), `${table} space add`, () => edit((all) => all.push(structuredClone(fresh)))) : null);
}

export function permitsPanel(place, work) {
  const faces = work.profile.tunnel.sections.map((_, n) => String(n + 1));
  place.append(...headed("permits"), tiles(work, "permits", "faces", faces, (face) => nameOf("kind", `permit.${face}`)), amount(work, "permits", "slots"),
    spaces(work, "permits", (space, at, put) => [
      labelled(say("editor.space_slots"), listField({ label: null, where: `${at} slots`, value: space.slots, size: 5, item: asNumber, set: put("slots") })),
      tick({ label: say("field.pile"), where: `${at} pile`, value: space.pile === 1, set: (now) => put("pile")(now ? 1 : 0) }),
      tick({ label: say("field.first"), where: `${at} first`, value: space.first, set: put("first") }),
    ], { id: "", slots: [], pile: 0, first: false }));
}

export function bonusPanel(place, work) {
  const own = selectField({
    label: say("editor.police_space"), where: "bonus.police_space", value: work.profile.bonus.police_space, seen: true, options: [["", "–"], [true, say("editor.yes")], [false, say("editor.no")]],
    set: (now) => work.change((profile) => { profile.bonus.police_space = now === "" ? "" : now === "true"; }),
  });
  place.append(...headed("bonus"), tiles(work, "bonus", "tiles", BONUSES, (kind) => nameOf("bonus", kind)), amount(work, "bonus", "slots"), own);
}

export function paintPanel(place, work) {
  place.append(...headed("paint"), tiles(work, "paint", "tiles", PAINTS, (kind) => `${kind}: ${nameOf("paint", kind)}`),
    spaces(work, "paint", (space, at, put) => [
      labelled(say("field.kinds"), listField({ label: null, where: `${at} kinds`, value: space.kinds, size: 7, item: (text) => text.toUpperCase(), set: put("kinds") })),
      labelled(say("field.cans"), numberField({ label: null, where: `${at} cans`, value: space.cans, set: put("cans") })),
      tick({ label: say("field.unlimited"), where: `${at} unlimited`, value: space.unlimited, set: put("unlimited") }),
    ], { id: "", kinds: [], cans: "", unlimited: false }));
}

export function startPanel(place, work) {
  place.append(...headed("start"),
    labelled(say("editor.start_paint"), listField({ label: null, where: "start.paint", value: work.profile.start.paint, item: (text) => text.toUpperCase(), set: (now) => work.change(({ start }) => { start.paint = now; }, "start paint") })),
    amount(work, "start", "permits"));
}

export const trackPanel = (place, work) => place.append(...headed("track"), amount(work, "track", "length"));
