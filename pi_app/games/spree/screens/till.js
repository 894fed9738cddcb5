// The till: dice, the card that is played, the stops on it, and who may still object.

import { die } from "/static/js/dice.js";
import { make, svg } from "/static/js/dom.js";
import { playerName, say } from "/static/js/text.js";
import { playingCard, token } from "./pieces.js";
import { actInWords } from "./saying.js";

/** The same for everybody, whoever holds what. `news` is said while nothing lies there. */
export function till(game, news = []) {
  const { pending, dice } = game;
  return make("section", { class: `till${pending ? " busy" : ""}`, "aria-label": say("surface.till") },
    make("div", { class: "till-dice" }, dice.length ? [...dice.map(die), isShot(pending) ? null : stepsLeft(game)] : make("span", { class: "small soft" }, say("till.not_rolled"))),
    pending ? onTill(game) : make("div", { class: "news" }, news.length ? news.map((said) => make("p", {}, said)) : make("p", { class: "soft" }, say("till.empty"))),
    make("div", { class: "piles small" }, make("strong", {}, say("till.target", { count: game.target })), make("span", {}, say("till.pile", { count: game.pile })), make("span", {}, say("till.discards", { count: game.discards }))));
}

const isShot = (pending) => pending?.act.type === "shot_fired";

const stepsLeft = ({ steps, phase }) => (phase === "turn" ? make("span", { class: "steps" }, say("till.steps", { count: steps })) : null);

function onTill(game) {
  const { pending } = game;
  return make("div", { class: "act" },
    make("div", { class: "laid", role: "img", "aria-label": stackInWords(pending) }, pending.cards.map((card) => playingCard(card)), isShot(pending) ? aimSign() : null,
      pending.stops.map((card) => playingCard(card, "stop"))),
    make("div", { class: "act-words" }, make("strong", {}, actInWords(pending.act)), verdict(game, pending)));
}

const aimSign = () => svg("svg", { class: "aim-sign", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, svg("circle", { r: 6.5 }), svg("path", { d: "M0-9.5V-3M0 9.5V3M-9.5 0H-3M9.5 0H3" }));

const stackInWords = ({ cards, stops }) => [...cards, ...stops].map((card) => playingCard(card).textContent).join(", ");

function verdict(game, pending) {
  if (isShot(pending) && pending.value === null) return make("p", { class: "verdict" }, say("till.to_roll"));
  return [make("p", { class: `verdict ${pending.stands ? "stands" : "stopped"}` }, say(pending.stands ? "till.stands" : "till.stopped")),
    make("p", { class: "objectors small" }, pending.may_stop.length
      ? [say("till.may_stop"), " ", pending.may_stop.map((seat) => make("span", { class: "objector" }, token(game, seat), make("bdi", {}, playerName(seat))))].flat()
      : say("till.nobody_may"))];
}

