// What a seat may do besides walking: first what, then with which card. Nobody's hand is known, so every card is offered
// that could be in it.

import { make } from "/static/js/dom.js";
import { playerName, say } from "/static/js/text.js";
import { rankOf } from "./carts.js";
import { playingCard, token } from "./pieces.js";
import { move } from "./saying.js";

export function offers({ game, seat, options, picked, pick, send }) {
  const by = (...types) => options.filter(({ type }) => types.includes(type));
  const open = (key) => pick({ thing: picked.thing === key ? null : key });

  const offer = (title, moves, keyOf, drawn, wayOf = move) => {
    if (!moves.length) return null;
    const things = new Map();
    for (const event of moves) things.set(keyOf(event), [...(things.get(keyOf(event)) ?? []), event]);
    const chosen = [...things].find(([key]) => picked.thing === key);
    return make("section", { class: "offer" }, make("h3", {}, say(title)),
      make("div", { class: "things" }, [...things].map(([key, ways]) => make("button", { class: "thing", "aria-pressed": String(picked.thing === key), "aria-expanded": String(picked.thing === key), "data-focus": key, onclick: () => open(key) }, drawn(ways[0])))),
      chosen ? make("div", { class: "ways" }, chosen[1].map((event, n) => make("button", { class: chosen[1].length === 1 ? "main" : null, "data-focus": `way-${n}`, onclick: () => send(event) }, wayOf(event)))) : null);
  };

  const ending = by("turn_ended")[0];
  return [
    offer("seat.take", by("goods_taken"), () => "take", ({ cards }) => [playingCard(cards[0])]),
    offer("seat.rob", by("robbed"), ({ victim, rank }) => `rob ${victim} ${rank}`, ({ victim, rank }) => [token(game, victim), loot(game, victim, rank)], ({ card }) => [say("seat.with"), " ", playingCard(card)]),
    offer("seat.step", by("step_card_played"), ({ steps }) => `step ${steps}`, ({ steps }) => say("seat.steps", { count: steps }), ({ card }) => [say("seat.with"), " ", playingCard(card)]),
    offer("seat.shoot", by("shot_fired"), ({ victim }) => `shoot ${victim}`, ({ victim }) => [token(game, victim), playerName(victim), chance(game, victim)]),
    offer("seat.bank", by("banked"), () => "bank", () => say("seat.unload", { count: game.seats[seat].cart_points })),
    offer("seat.park", by("car_parked"), ({ place }) => `park ${place}`, ({ place }) => place),
    offer("seat.leave_car", by("car_left"), () => "leave", () => say("move.car_left")),
    ending ? finish(ending, { picked, open, send }) : null,
  ].filter(Boolean);
}

/** What a rank would bring from somebody's cart. */
function loot({ seats }, victim, rank) {
  const cards = seats[victim].cart.filter((card) => rankOf(card) === rank);
  return make("span", { class: "loot" }, make("span", { class: "small" }, playerName(victim)), make("span", {}, cards.map((card) => playingCard(card))));
}

function chance({ fire }, victim) {
  const line = fire.find((one) => one.victim === victim);
  if (!line) return null;
  return make("span", { class: "small soft" }, line.needed > 6 ? say("seat.too_far") : say("seat.needed", { value: Math.max(1, line.needed) }));
}

/** It is final, so it takes a second tap. */
function finish(event, { picked, open, send }) {
  if (picked.thing !== "end") return make("p", { class: "row finish" }, make("button", { "data-focus": "end", onclick: () => open("end") }, say("move.turn_ended")));
  return make("div", { class: "note warn" }, make("p", {}, say("seat.end_sure")),
    make("div", { class: "row" }, make("button", { class: "main", "data-focus": "end", onclick: () => send(event) }, say("seat.end_yes")), make("button", { "data-focus": "end-no", onclick: () => open("end") }, say("seat.end_no"))));
}

