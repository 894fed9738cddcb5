// What the profile editor shows of Spree!: the mall, the packs with what is sold where, and the points to win.

import { make } from "/static/js/dom.js";
import { isTable, numberField } from "/static/js/setup/fields.js";
import { nameOf, say } from "/static/js/text.js";
import { playingCard } from "../pieces.js";
import { normalDrawing } from "./drawing.js";
import { mapPanel, RANKS, soldWhere, SUITS } from "./map.js";

const PLAYERS = ["3", "4", "5", "6", "7", "8"];

export function normalised(profile) {
  profile.map = normalDrawing(profile.map);
  profile.targets = { ...Object.fromEntries(PLAYERS.map((count) => [count, ""])), ...(isTable(profile.targets) ? profile.targets : {}) };
  profile.packs ??= "";
  return profile;
}

export const sections = { map: mapPanel, packs: packsPanel, targets: targetsPanel };

/** Lines of the drawing are rows of squares and what is between them: people see squares. */
export function place(where) {
  const [first, part] = where.split(/[. ]/);
  return [nameOf("field", first), first === "targets" && part ? say("editor.players", { count: Number(part) }) : ""].filter(Boolean).join(" · ");
}

function packsPanel(panel, work) {
  const sold = soldWhere(work.profile.map);
  const cell = (card) => make("td", { class: sold.get(card)?.length === 1 ? null : "note warn" }, playingCard(card), make("span", { class: "small" }, (sold.get(card) ?? ["–"]).join(" ")));
  panel.append(make("h2", {}, say("editor.tab_packs")),
    make("label", { class: "field" }, make("span", {}, nameOf("field", "packs")), numberField({ label: null, where: "packs", value: work.profile.packs, set: (now) => work.change((profile) => { profile.packs = now; }, "packs") })),
    make("h3", {}, say("editor.sold_where")), make("p", { class: "soft small" }, say("editor.sold_how")),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("editor.sold_where") }, make("table", { class: "sold" }, make("tbody", {}, SUITS.map((suit) => make("tr", {}, RANKS.map((rank) => cell(`${rank}${suit}`))))))));
}

function targetsPanel(panel, work) {
  const field = (count) => make("label", { class: "field" }, make("span", {}, say("editor.players", { count: Number(count) })), numberField({
    label: null, where: `targets.${count}`, value: work.profile.targets[count], set: (now) => work.change((profile) => { profile.targets[count] = now; }, `targets ${count}`),
  }));
  panel.append(make("h2", {}, say("editor.tab_targets")), make("p", { class: "soft small" }, say("editor.targets_how")),
    make("div", { class: "counts", "data-where": "targets" }, PLAYERS.map(field)));
}
