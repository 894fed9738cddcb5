// Thieves, cars and playing cards as they lie on the table. Every seat has its colour and its sign.

import { make, svg } from "/static/js/dom.js";
import { nameOf, say } from "/static/js/text.js";

const KIT = "/game/spree/kit.svg";
const SIGN_SHARE = 0.4; // of the white where the printed piece has its code

export const spoken = (called) => (called === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": called });

/** A drawing of the kit around a place. */
export const printed = (name, x, y, width, height) => svg("use", { href: `${KIT}#${name}`, x: x - width / 2, y: y - height / 2, width, height });

/** The sign of a seat; where the printed piece has its code pages show it large. */
const signAt = ({ sign, colour }, x, y, radius) => svg("path", { class: "seat-sign", d: sign, transform: `translate(${x} ${y}) scale(${radius})`, fill: colour });

/** A thief as wide as `size`, upright or fallen over. */
export function thiefAt({ looks, seats, mall: { print } }, seat, x, y, size) {
  const { lying } = seats[seat];
  const scale = size / print.thief_mm[0];
  const height = print.thief_mm[1] * scale;
  return svg("g", { class: lying ? "thief fallen" : "thief", "data-thief": seat, transform: lying ? `rotate(90 ${x} ${y})` : null },
    printed(`${lying ? "lying" : "thief"}-${looks[seat].name}`, x, y, size, height),
    signAt(looks[seat], x, y - height / 2 + print.code.thief * scale, SIGN_SHARE * print.code.mm * scale),
    svg("rect", { class: "edge", x: x - size / 2, y: y - height / 2, width: size, height, rx: 1 }));
}

/** A car from above. */
export function carAt({ looks, mall: { print } }, seat, x, y) {
  const [width, height] = print.car_mm;
  return svg("g", { class: "car", "data-car": seat }, printed(`car-${looks[seat].name}`, x, y, width, height), signAt(looks[seat], x, y - height / 2 + print.code.car, SIGN_SHARE * print.code.mm));
}

/** The token of a seat as a picture of its own. */
export const token = (game, seat, called = null) => svg("svg", { class: "icon token", viewBox: "-11 -11 22 22", ...spoken(called) }, thiefAt(game, seat, 0, 0, game.mall.print.thief_mm[0]));

const suitOf = (card) => ({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" })[card.at(-1)] ?? "joker";

/** A playing card; its words are its name. */
export const playingCard = (card, kind = "") => make("span", { class: `playing-card ${suitOf(card)} ${kind}` }, nameOf("card", card));

/** A card that nobody sees. */
export const back = () => make("span", { class: "playing-card back", "aria-hidden": "true" });

/** How many cards somebody holds. */
export const handOf = (count) => make("span", { class: "hand-of", role: "img", "aria-label": say("a11y.hand", { count }) }, Array.from({ length: count }, back));

export { suitOf };
