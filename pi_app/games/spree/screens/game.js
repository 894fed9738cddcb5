// Spree! on pages: what web/static/js/game.js asks of a game.

import { make } from "/static/js/dom.js";
import { cart } from "./carts.js";
import { mall } from "./mall.js";
import { isMinor, sentence } from "./saying.js";
import { till } from "./till.js";
import { trailOf } from "./trail.js";

export { panel } from "./panel.js";
export { announced, chapter, consequences, isMinor, move, ownTurn, sentence, toDo, turn, whose } from "./saying.js";

/** The mall and the till are what everybody looks at. */
export const middle = true;

export function surface(table, id, { alarm = [] } = {}) {
  if (id === "mall") return mall(table.game, { alarm });
  return id === "till" ? till(table.game) : cart(table, Number(id.split("-")[1]) - 1);
}

export const shared = (table) => [make("div", { class: "spree" }, mall(table.game, { trail: trailOf(table) }), till(table.game, news(table)))];

const NEWS = 2;

/** The last things that happened. */
const news = ({ feed = [] }) => feed.filter(({ event }) => !isMinor(event)).slice(-NEWS).reverse().map(({ event }) => sentence(event)).filter(Boolean);
