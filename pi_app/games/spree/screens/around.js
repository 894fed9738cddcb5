// What is around a seat: shops in reach, what others carry, and the chances of a stop.

import { make } from "/static/js/dom.js";
import { number, playerName, say } from "/static/js/text.js";
import { byRank, pose, rankOf, RANKS } from "./carts.js";
import { squareNamed, squaresOf } from "./mall.js";
import { playingCard, token } from "./pieces.js";

export const aroundMe = ({ game, seat, picked, pick, options }) => [shops(game, { picked, pick, options }), carried(game, seat), odds(game)].filter(Boolean);

/** Shops that this seat can come to, suit by suit as cards are held; one tap shows where. */
function shops(game, { picked, pick, options }) {
  const steps = new Map(options.filter(({ type }) => type === "walked").map(({ path }) => [path.at(-1), path.length]));
  if (!steps.size) return null;
  const near = squaresOf(game.mall).filter(({ sells, name }) => sells && steps.has(name));
  const suits = [..."SHDC"].map((suit) => inOrder(near.filter(({ sells }) => sells.endsWith(suit)))).filter((some) => some.length);
  const line = ({ name, sells }) => make("button", { class: "thing shop-way", "aria-pressed": String(picked.square === name), "data-focus": `shop-${name}`, "aria-label": say("a11y.square_in_reach", { where: squareNamed(game, name), count: steps.get(name) }), onclick: () => pick({ square: picked.square === name ? null : name }) },
    playingCard(sells, game.left[sells] ? "" : "gone"), make("span", { class: "small" }, say("seat.shop_away", { count: steps.get(name) })));
  return make("section", { class: "offer" }, make("h3", {}, say("seat.shops")), suits.length ? suits.map((some) => make("div", { class: "things suit" }, some.map(line))) : make("p", { class: "small soft" }, say("seat.no_shops")));
}

const inOrder = (some) => [...some].sort((a, b) => RANKS.indexOf(rankOf(a.sells)) - RANKS.indexOf(rankOf(b.sells)));

/** What could be robbed: every cart by rank, and how far away it is. */
function carried(game, seat) {
  const others = game.seats.map((_, other) => other).filter((other) => other !== seat && game.seats[other].square !== null);
  if (!others.length) return null;
  return make("section", { class: "offer" }, make("h3", {}, say("seat.carried")), make("ul", { class: "carried-list" }, others.map((other) => {
    const { cart, cart_points: points } = game.seats[other];
    return make("li", {}, make("div", { class: "row" }, token(game, other), make("bdi", { class: "who" }, playerName(other)), pose(game.seats[other]), away(game, seat, other)),
      cart.length ? make("div", { class: "by-rank" }, byRank(cart).map(([rank, cards]) => make("span", { class: "rank-group" }, cards.map((card) => playingCard(card)))), make("span", { class: "small" }, say("cart.worth", { count: points })))
        : make("p", { class: "small soft" }, say("cart.empty")));
  })));
}

/** How far somebody is, where it is this seat's turn and it has rolled. */
function away(game, seat, other) {
  if (game.turn !== seat || game.phase !== "turn" || !game.dice.length) return null;
  const { square } = game.seats[other];
  if (square === game.seats[seat].square) return make("span", { class: "small near" }, say("seat.same_square"));
  const steps = game.reach[square];
  return make("span", { class: steps ? "small near" : "small soft" }, steps ? say("seat.steps_away", { count: steps }) : say("seat.out_of_reach"));
}

/** What may still be in hands, by counting. */
function odds({ odds: told }) {
  if (!told) return null;
  const most = told.stop.flatMap((percent, seat) => (percent === null ? [] : [make("span", {}, make("bdi", {}, playerName(seat)), ` ${say("seat.percent", { percent: number(percent) })}`)]));
  return make("section", { class: "offer" }, make("h3", {}, say("seat.odds")),
    make("p", { class: "small" }, say("seat.aces_left", { count: told.aces, total: told.of_aces }), told.of_jokers ? ` ${say("seat.jokers_left", { count: told.jokers, total: told.of_jokers })}` : ""),
    make("p", { class: "small chances" }, say("seat.may_hold_stop"), " ", most.flatMap((one, n) => (n ? [" · ", one] : [one]))));
}
