// The pieces as they are printed: cans, tags, tiles of paint, permits and bonus tiles. Every colour has its sign.

import { die } from "/static/js/dice.js";
import { make, svg } from "/static/js/dom.js";
import { nameOf, playerName, say } from "/static/js/text.js";

const SEATS = ["red", "blue", "green", "yellow"]; // the colour of each seat's pieces

/** A sign or an icon of signs.svg, to be put into a drawing; it takes the colour of what is around it. */
export const sign = (name, place = {}) => svg("use", { href: `/game/graffiti/signs.svg#${name}`, ...place });

/** The same as a picture of its own; without a name nobody needs to hear of it. */
export const icon = (name, called = null, kind = "icon") => svg("svg", { class: kind, viewBox: "0 0 12 12", ...spoken(called) }, sign(name));

export const spoken = (called) => (called === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": called });

/** How the pieces of a seat look, or those that are nobody's. */
export const lookOf = ({ looks }, seat) => looks[SEATS[seat] ?? "neutral"];

/** A can, a tag or a marker from above, around a place in a drawing. */
export function disc(game, seat, x, y, radius, name = "disc") {
  const { colour, ink, sign: shape } = lookOf(game, seat);
  const half = radius * 0.6;
  return svg("g", { class: name, color: ink },
    svg("circle", { cx: x, cy: y, r: radius, fill: colour, class: "edge" }),
    sign(shape, { x: x - half, y: y - half, width: 2 * half, height: 2 * half }));
}

/** A can as a picture of its own. */
export const can = (game, seat, called = null) => svg("svg", { class: "can", viewBox: "-10 -10 20 20", ...spoken(called) }, disc(game, seat, 0, 0, 9));

/** Where a can may stand. */
export const ring = () => svg("svg", { class: "can", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, svg("circle", { class: "ring", r: 8.4 }));

/** A tile of paint: two colours share it, each with its half and its sign. */
export function paintTile({ looks }, kind, isGone = false) {
  const step = 22 / kind.length;
  const size = kind.length === 1 ? 12 : 8.5;
  return svg("svg", { class: `tile${isGone ? " gone" : ""}`, viewBox: "0 0 22 22", ...spoken(nameOf("paint", kind)) },
    [...kind].map((letter, n) => svg("g", { color: looks[letter].ink },
      svg("rect", { x: n * step, width: step, height: 22, fill: looks[letter].colour }),
      sign(looks[letter].sign, { x: (n + 0.5) * step - size / 2, y: 11 - size / 2, width: size, height: size }))),
    isGone ? svg("path", { class: "struck", d: "M2 2L20 20M20 2L2 20" }) : null);
}

/** The colours that a part asks for, as signs in a row. */
export const costSigns = ({ looks }, cost) => make("span", { class: "cost" }, [...cost].map((letter) =>
  svg("svg", { viewBox: "0 0 12 12", color: looks[letter].colour, ...spoken(nameOf("paint", letter)) }, sign(looks[letter].sign))));

/** A permit: its number as a die and as a digit; 0 is one that nobody has seen. */
export function permitTile(face) {
  return svg("svg", { class: "tile permit", viewBox: "0 0 22 22", ...spoken(face ? nameOf("kind", `permit.${face}`) : say("a11y.unknown_permit")) },
    svg("rect", { width: 22, height: 22 }),
    face ? inside(die(face), { x: 2.5, y: 5, width: 12, height: 12 }) : null,
    svg("text", { x: face ? 18 : 11, y: 11.6 }, face ? String(face) : "?"));
}

function inside(drawing, place) {
  for (const [name, value] of Object.entries({ ...place, "aria-hidden": "true" })) drawing.setAttribute(name, value);
  return drawing;
}

/** A bonus tile with its picture and its name. */
export const bonusTile = (bonus) => make("span", { class: "bonus-tile" },
  svg("svg", { viewBox: "0 0 40 12", "aria-hidden": "true" }, sign(bonus)), make("span", {}, nameOf("bonus", bonus)));

/** The cans on a space and how many it asks for; what is not taken is a ring. */
export function cansOn(game, { space, asks, cans, closed }, called = nameOf("space", space)) {
  const free = Math.max(0, asks - cans.length);
  const told = cans.length ? say("a11y.taken", { space: called, players: [...new Set(cans)].map(playerName) }) : say("a11y.free", { space: called, count: asks });
  return make("span", { class: `space${closed ? " closed" : ""}`, role: "img", "aria-label": told },
    cans.map((seat) => can(game, seat)), Array.from({ length: free }, ring));
}
