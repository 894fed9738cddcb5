// What lies on the till, with the same two buttons for everybody, whether they could stop it or not.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { playingCard } from "./pieces.js";
import { till } from "./till.js";

const STOPS = ["AS", "AH", "AD", "AC", "*"];

export function objecting({ game, seat, picked, pick, send }) {
  const { pending, turn } = game;
  if (game.phase !== "turn" || !pending || (pending.act.type === "shot_fired" && pending.value === null)) return [];
  const key = JSON.stringify([pending.act, pending.stops]);
  const isLeft = picked.left === key;
  return [make("section", { class: "offer objecting" }, till(game),
    isLeft ? make("p", { class: "small soft" }, say("seat.left")) : null,
    make("div", { class: "row both" },
      make("button", { "data-focus": "stop", "aria-expanded": String(picked.stopping), "aria-pressed": String(picked.stopping), onclick: () => pick({ stopping: !picked.stopping, left: null }) }, say("seat.stop")),
      make("button", { "data-focus": "let-be", "aria-pressed": String(isLeft), onclick: () => pick({ left: key, stopping: false }) }, say("seat.let_be"))),
    picked.stopping ? make("div", { class: "ways" }, make("p", { class: "small" }, say("seat.stop_with")), make("div", { class: "things" }, STOPS.map((card) =>
      make("button", { class: "thing", disabled: game.left[card] === 0, "data-focus": `stop-${card}`, onclick: () => send({ type: "stop_played", player: seat, card }) }, playingCard(card))))) : null,
    turn === seat ? make("p", { class: "row" }, make("button", { class: "main grow", "data-focus": "settle", onclick: () => send({ type: "settled" }) }, say(pending.stands ? "seat.go_on" : "seat.go_on_stopped"))) : null)];
}
