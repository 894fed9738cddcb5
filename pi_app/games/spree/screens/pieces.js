// Thieves, cars and playing cards as they lie on the table. Every seat has its colour and its shape.

import { make, svg } from "/static/js/dom.js";
import { nameOf, say } from "/static/js/text.js";

/** Outlines around the middle, one unit wide to every side. */
const SHAPES = {
  circle: "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0Z",
  square: "M-.88-.88H.88V.88H-.88Z",
  triangle: "M0-1L1 .82H-1Z",
  diamond: "M0-1.05L1.05 0L0 1.05L-1.05 0Z",
  hexagon: "M-.55-.95H.55L1.08 0L.55.95H-.55L-1.08 0Z",
  star: "M0-1.1L.32-.42L1.06-.34L.51.17L.66.9L0 .54L-.66.9L-.51.17L-1.06-.34L-.32-.42Z",
  cross: "M-.42-1H.42V-.42H1V.42H.42V1H-.42V.42H-1V-.42H-.42Z",
  drop: "M0-1.1C.35-.5.85-.1.85.3A.85.85 0 0 1-.85.3C-.85-.1-.35-.5 0-1.1Z",
};
const STANDING = "M0-.62A.2.2 0 1 1 0-.22A.2.2 0 1 1 0-.62ZM-.3-.12H.3L.38.3H.2V.62H.04V.3H-.04V.62H-.2V.3H-.38Z";
const ROOF = 0.36; // of a car's width

export const spoken = (called) => (called === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": called });

export const lookOf = ({ looks }, seat) => looks[seat];

/** The shape of a seat around a place in a drawing. */
const shapeAt = ({ shape }, x, y, radius, attributes) => svg("path", { d: SHAPES[shape], transform: `translate(${x} ${y}) scale(${radius})`, ...attributes });

/** A thief: the shape of the seat with a figure on it, upright or fallen. */
export function thiefAt(game, seat, x, y, size) {
  const look = lookOf(game, seat);
  const { lying } = game.seats[seat];
  return svg("g", { class: lying ? "thief fallen" : "thief", "data-thief": seat },
    svg("circle", { class: "token", cx: x, cy: y, r: size * 0.54, fill: look.colour }),
    shapeAt(look, x, y, size * 0.43, { fill: look.ink, "fill-opacity": 0.28 }),
    svg("path", { d: STANDING, fill: look.ink, transform: `translate(${x} ${y}) rotate(${lying ? 90 : 0}) scale(${size * 0.62})` }));
}

/** A car from above, with the shape of the seat on its roof. */
export function carAt(game, seat, x, y, [width, height]) {
  const look = lookOf(game, seat);
  const wheel = (dx, dy) => svg("rect", { class: "wheel", x: x + dx * width - 2.6, y: y + dy * height - 1.1, width: 5.2, height: 2.2, rx: 1 });
  return svg("g", { class: "car", "data-car": seat },
    [[-0.28, -0.5], [0.28, -0.5], [-0.28, 0.5], [0.28, 0.5]].map(([dx, dy]) => wheel(dx, dy)),
    svg("rect", { class: "body", x: x - width / 2, y: y - height / 2, width, height, rx: height * 0.35, fill: look.colour }),
    svg("rect", { class: "glass", x: x - (ROOF * width) / 2 - 3, y: y - height * 0.34, width: ROOF * width + 6, height: height * 0.68, rx: 3 }),
    shapeAt(look, x, y, height * 0.3, { fill: look.colour }));
}

/** The token of a seat as a picture of its own. */
export const token = (game, seat, called = null) => svg("svg", { class: "icon token", viewBox: "-9 -9 18 18", ...spoken(called) }, thiefAt(game, seat, 0, 0, 16));

const suitOf = (card) => ({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" })[card.at(-1)] ?? "joker";

/** A playing card; its words are its name. */
export const playingCard = (card, kind = "") => make("span", { class: `playing-card ${suitOf(card)} ${kind}` }, nameOf("card", card));

/** A card that nobody sees. */
export const back = () => make("span", { class: "playing-card back", "aria-hidden": "true" });

/** How many cards somebody holds. */
export const handOf = (count) => make("span", { class: "hand-of", role: "img", "aria-label": say("a11y.hand", { count }) }, Array.from({ length: count }, back));

export { suitOf };
