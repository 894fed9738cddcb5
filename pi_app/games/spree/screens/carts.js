// What lies in front of everybody: the cart, what it is worth, and how many cards are in the hand.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { handOf, playingCard, token } from "./pieces.js";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const rankOf = (card) => (card === "*" ? "*" : card.slice(0, -1));

/** The cart strip of a seat, for all to see. */
export function cart({ game }, seat) {
  const own = game.seats[seat];
  return make("div", { class: "cart-strip" },
    make("div", { class: "row state-row" }, token(game, seat), pose(own), handOf(own.cards)),
    progress(game, own),
    own.cart.length
      ? make("div", { class: "cart", role: "list", "aria-label": say("a11y.cart") }, own.cart.map((card) => make("span", { role: "listitem" }, playingCard(card))))
      : make("p", { class: "cart small soft" }, say("cart.empty")));
}

/** How somebody stands. */
export function pose({ square, car, lying, in_car: inCar }) {
  if (square === null) return make("span", { class: "small soft" }, say("pose.waiting"));
  const where = inCar ? "in_car" : lying ? "lying" : square === car ? "at_car" : "standing";
  return make("span", { class: where === "lying" ? "pose fallen" : "pose" }, say(`pose.${where}`, { square }));
}

/** How far it is to the target: what is safe in the car, and what the cart would add. */
export function progress({ target }, { banked, cart_points: carried }) {
  const share = (points) => `${Math.min(100, (100 * points) / target)}%`;
  const bar = make("div", { class: "progress", role: "img", "aria-label": say("a11y.progress", { count: banked, carried, target }) },
    make("span", { class: "banked" }), make("span", { class: "carried" }), make("span", { class: "in-cart" }, carried ? say("cart.worth", { count: carried }) : ""));
  bar.style.setProperty("--banked", share(banked));
  bar.style.setProperty("--carried", share(banked + carried));
  return bar;
}

/** A cart by rank, the dearest first: [rank, cards]. */
export function byRank(cards) {
  const ranks = new Map();
  for (const card of cards) ranks.set(rankOf(card), [...(ranks.get(rankOf(card)) ?? []), card]);
  return [...ranks].sort(([a], [b]) => RANKS.indexOf(b) - RANKS.indexOf(a));
}

