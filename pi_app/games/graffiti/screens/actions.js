// The action boards: permits, bonus tiles and paint, each with its spaces for cans.

import { make } from "/static/js/dom.js";
import { nameOf, number, say } from "/static/js/text.js";
import { bonusTile, can, cansOn, icon, paintTile, permitTile, spoken } from "./pieces.js";

export const actions = ({ game }) => make("div", { class: "actions" }, permits(game), bonus(game), paint(game));

const board = (key, kind, ...inside) => make("section", { class: `action ${kind}` }, make("h3", {}, say(key)), make("div", { class: "groups" }, inside.flat()));
const group = (...inside) => make("div", { class: "group" }, inside);
const tiles = (...inside) => make("div", { class: "tiles" }, inside.flat());
const nothing = () => make("span", { class: "tile nothing", ...spoken(say("a11y.empty")) });

function permits(game) {
  const { slots, spaces, pile, discard } = game.permits;
  const open = (slot) => (slots[slot - 1] ? permitTile(slots[slot - 1]) : nothing());
  return board("screen.permits", "permits",
    spaces.map((space) => group(tiles(space.slots.map(open), space.pile ? pileOf(pile) : null, space.first ? icon("token", say("kind.token"), "icon token") : null), cansOn(game, space))),
    group(tiles(discard ? permitTile(discard) : nothing()), make("span", { class: "small" }, say("screen.discard"))));
}

const pileOf = (count) => make("span", { class: "pile" }, permitTile(0), make("span", { class: "count" }, `×${number(count)}`));

function bonus(game) {
  const { slots, spaces, police } = game.bonus;
  return board("screen.bonus", "bonus",
    slots.map((tile, n) => group(tiles(tile ? bonusTile(tile) : nothing()), cansOn(game, spaces[n], say("a11y.bonus_space", { number: n + 1 })))),
    group(tiles(game.police === null ? policeman() : nothing()), police ? cansOn(game, police) : null));
}

const policeman = () => make("span", { class: "bonus-tile" }, icon("police"), make("span", {}, say("screen.police")));

/** The spaces of a kind stand under its tile; the large one has a well for each of its kinds. */
function paint(game) {
  const { spaces, gone } = game.paint;
  const tile = (kind) => paintTile(game, kind, gone.includes(kind));
  const wells = spaces.filter(({ wells: divided }) => divided).flatMap((space) => space.kinds.map((kind) =>
    group(tiles(tile(kind)), well(game, kind, space.wells[kind]))));
  const single = new Map();
  for (const space of spaces.filter(({ wells: divided }) => !divided)) {
    const kinds = space.kinds.join(" ");
    single.set(kinds, [...(single.get(kinds) ?? []), space]);
  }
  return board("screen.paint", "paint", wells,
    [...single].map(([kinds, own]) => group(tiles(kinds.split(" ").map(tile)), make("div", { class: "spaces" }, own.map((space) => cansOn(game, space))))));
}

const well = (game, kind, cans) => make("span", { class: "space well", role: "img", "aria-label": say("a11y.well", { kind, count: cans.length }) }, make("span", { class: "endless" }, "∞"), cans.map((seat) => can(game, seat)));

