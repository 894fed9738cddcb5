// What lies in front of everybody: cans, spent paint, used bonus tiles, policeman and token; and all tiles of a hand where they may be seen.

import { make } from "/static/js/dom.js";
import { nameOf, number, playerName, say } from "/static/js/text.js";
import { bonusTile, can, icon, paintTile, permitTile, ring } from "./pieces.js";

const CANS = 5;

/** The sheet of a seat, for all to see. */
export function seatSheet({ game }, seat) {
  const own = game.seats[seat];
  const figures = [
    game.first === seat ? icon("token", say("kind.token"), "icon token") : null,
    game.police === seat ? icon("police", say("kind.police"), "icon police") : null,
    own.passed && game.phase === "play" ? make("span", { class: "passed" }, icon("pass"), say("screen.passed")) : null,
    own.reserved === null ? null : make("span", { class: "small" }, icon("pin"), own.reserved),
  ];
  return make("div", { class: "seat-sheet" },
    make("div", { class: "row stock" }, make("span", { class: "cans", role: "img", "aria-label": say("a11y.cans", { count: own.cans }) },
      Array.from({ length: Math.max(CANS, own.cans) }, (_, n) => (n < own.cans ? can(game, seat) : ring()))), figures),
    own.spent.length + own.used.length ? make("div", { class: "row spent" }, own.spent.map((kind) => paintTile(game, kind)), own.used.map(bonusTile)) : null);
}

/** At the end: what everybody had left behind their screens. */
export const leftOver = ({ game, players }) => make("section", { class: "action left-over" }, make("h3", {}, say("screen.left_over")),
  players.map((_, seat) => make("div", { class: "row" }, can(game, seat), make("bdi", {}, playerName(seat)), tilesOf(game, game.hands[seat]))));

/** All tiles of a hand. */
export const tilesOf = (game, { paint, permits, unknown, bonuses }) => [
  ...paint.map((kind) => paintTile(game, kind)),
  ...permits.map((face) => permitTile(face)), ...Array.from({ length: unknown }, () => permitTile(0)),
  ...bonuses.map(bonusTile)];

/** The whole score sheet: every part with what it brought to whom, and all that came from tiles and tags. */
export function sheet({ game, players, scores }, colours) {
  const seats = players.map((_, seat) => seat);
  const row = (name, cells, kind = null) => make("tr", { class: kind }, make("th", { scope: "row" }, name), cells);
  const cell = (seat, told) => make("td", { class: `number c-${colours[seat]}` }, told);
  const painted = game.sections.flatMap(({ walls }) => walls).flatMap(({ parts }) => parts).filter(({ tag }) => tag !== null);
  const rest = (seat) => painted.filter(({ tag }) => tag === seat).reduce((left, { points }) => left - points, scores[seat]);
  return [make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("show.sheet") }, make("table", { class: "plain sheet" },
    make("thead", {}, make("tr", {}, make("td", {}), seats.map((seat) => make("th", { scope: "col", class: `number c-${colours[seat]}` }, make("bdi", { class: "name" }, playerName(seat)))))),
    make("tbody", {}, painted.map(({ part, points, tag }) => row(nameOf("item", `part.${part}`), seats.map((seat) => cell(seat, tag === seat ? number(points) : "·")))),
      row(say("history.rest"), seats.map((seat) => cell(seat, number(rest(seat))))),
      row(say("show.total"), seats.map((seat) => cell(seat, number(scores[seat]))), "total"))))];
}
