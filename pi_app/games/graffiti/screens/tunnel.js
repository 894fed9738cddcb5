// The tunnel: five sections side by side, a graffiti on either wall of each, and the spaces for cans between them.

import { die } from "/static/js/dice.js";
import { make, svg } from "/static/js/dom.js";
import { nameOf, number, playerName, say } from "/static/js/text.js";
import { disc, lookOf, sign, spoken } from "./pieces.js";

const PART = { width: 26, height: 44 }; // in mm, as printed
const TAG_DOWN = 33;
const BETWEEN = 30; // the two walls
const SIDE = 3;

export function tunnel(table, { fresh = [] } = {}) {
  const { game } = table;
  const widest = Math.max(...game.sections.flatMap(({ walls }) => walls.map(({ parts }) => parts.length)));
  return make("div", { class: "tunnel" }, game.sections.map((one) => section(game, one, widest * PART.width + 2 * SIDE, fresh)));
}

function section(game, { section: id, walls, spaces }, width, fresh) {
  const isBlocked = game.pawn === id;
  const height = 2 * PART.height + BETWEEN;
  const [upper, lower] = walls;
  return svg("svg", { class: `section${isBlocked ? " blocked" : ""}`, viewBox: `0 0 ${width} ${height}`, ...spoken(described(game, id, walls, spaces)) },
    svg("rect", { class: "rails", width, height, rx: 3 }),
    wall(game, upper, width, 0, fresh), wall(game, lower, width, PART.height + BETWEEN, fresh),
    between(game, id, spaces, width), isBlocked ? pawn(width, height) : null);
}

/** What a section shows, for those who do not see it. */
function described(game, id, walls, spaces) {
  const graffiti = walls.map(({ letter, parts }) => say("a11y.graffiti", { letter, done: parts.filter(({ tag }) => tag !== null).length, count: parts.length }));
  const cans = spaces.map(({ space, cans: there, asks }) => (there.length
    ? say("a11y.taken", { space: nameOf("space", space), players: [...new Set(there)].map(playerName) })
    : say("a11y.free", { space: nameOf("space", space), count: asks })));
  return [say(game.pawn === id ? "a11y.section_blocked" : "a11y.section", { section: id }), ...graffiti, ...cans].join("; ");
}

function wall(game, { picture, parts }, width, top, fresh) {
  const left = (width - parts.length * PART.width) / 2;
  return svg("g", { transform: `translate(${left} ${top})` }, parts.map((part, n) => onWall(game, picture, part, n, parts.length, fresh.includes(part.part))));
}

function onWall(game, picture, part, n, count, isFresh) {
  const x = n * PART.width;
  return svg("g", { transform: `translate(${x} 0)`, "data-part": part.part }, partDrawing(game, picture, part, n, count),
    isFresh ? svg("rect", { class: "fresh", x: 0.8, y: 0.8, width: PART.width - 1.6, height: PART.height - 1.6 }) : null);
}

/** A part as a picture of its own. */
export function partPicture(game, id) {
  const [wallOf, n] = game.sections.flatMap(({ walls }) => walls).flatMap((one) => one.parts.map((part, at) => [one, at])).find(([one, at]) => one.parts[at].part === id);
  return svg("svg", { class: "part", viewBox: `0 0 ${PART.width} ${PART.height}`, "aria-hidden": "true" }, partDrawing(game, wallOf.picture, wallOf.parts[n], n, wallOf.parts.length));
}

/** Its piece of the picture; before it is painted what it asks for and brings, then whose tag is on it. */
function partDrawing(game, picture, { part, cost, points, tag, reserved }, n, count) {
  const file = `/game/graffiti/murals/${picture}${tag === null ? "-open" : ""}.svg`;
  const face = svg("svg", { ...PART, viewBox: `${n * PART.width} 0 ${PART.width} ${PART.height}` }, svg("image", { href: file, width: count * PART.width, height: PART.height }));
  const label = svg("g", { class: "label" }, svg("rect", { x: 1, y: 1, width: 12, height: 9, rx: 1.8 }), svg("text", { x: 7, y: 5.9 }, part));
  if (tag !== null) return [face, label, disc(game, tag === "neutral" ? null : tag, PART.width / 2, TAG_DOWN, 8.5, "tag")];
  return [face, svg("rect", { class: "outline", ...PART }), label,
    svg("g", { class: "worth" }, sign("star", { x: 12, y: -1, width: 14, height: 14 }), svg("text", { x: 19, y: 6.6 }, number(points))),
    asked(game, cost),
    svg("circle", { class: "place", cx: PART.width / 2, cy: TAG_DOWN, r: 8.5 }),
    reserved === null ? null : marker(game, reserved)];
}

/** Signs in one row up to four, else in two. */
function asked({ looks }, cost) {
  const rows = cost.length <= 4 ? [cost] : [cost.slice(0, 3), cost.slice(3)];
  const size = rows.length === 1 ? 6 : 5;
  const wide = (size + 0.2) * Math.max(...rows.map((row) => row.length)) + 1;
  return svg("g", { class: "asked" }, svg("rect", { x: (PART.width - wide) / 2, y: 11.6, width: wide, height: size * rows.length + 1.6, rx: 1.8 }),
    rows.flatMap((row, down) => [...row].map((letter, at) => svg("g", { color: looks[letter].colour },
      sign(looks[letter].sign, { x: PART.width / 2 + (at - row.length / 2) * (size + 0.2), y: 12.4 + down * size, width: size, height: size })))));
}

function marker(game, seat) {
  const { colour, ink } = lookOf(game, seat);
  return svg("g", { color: ink }, svg("rect", { class: "edge", x: 4.5, y: TAG_DOWN - 8.5, width: 17, height: 17, rx: 3, fill: colour }),
    sign("pin", { x: 7, y: TAG_DOWN - 6, width: 12, height: 12 }));
}

/** The number of the section and its spaces: each asks for one can or for two. */
function between(game, id, spaces, width) {
  const y = PART.height + BETWEEN / 2;
  const [radius, gap] = [7.4, 6];
  const wide = spaces.map(({ asks, cans }) => Math.max(asks, cans.length) * 2 * (radius + 0.8));
  const all = 18 + gap + wide.reduce((sum, one) => sum + one + gap, 0) - gap;
  let x = (width - all) / 2;
  const face = die(id);
  for (const [name, value] of Object.entries({ x, y: y - 9, width: 18, height: 18, "aria-hidden": "true" })) face.setAttribute(name, value);
  const drawn = [face];
  x += 18 + gap;
  spaces.forEach(({ asks, cans, closed }, n) => {
    drawn.push(svg("rect", { class: closed ? "board closed" : "board", x: x - 1, y: y - 9.6, width: wide[n] + 2, height: 19.2, rx: 9.6 }));
    for (let at = 0; at < Math.max(asks, cans.length); at += 1) {
      const middle = x + (2 * at + 1) * (radius + 0.8);
      drawn.push(svg("circle", { class: "ring", cx: middle, cy: y, r: radius }), at < cans.length ? disc(game, cans[at], middle, y, radius) : null);
    }
    x += wide[n] + gap;
  });
  return drawn;
}

/** Nobody paints here. */
const pawn = (width, height) => svg("g", { class: "pawn" }, svg("rect", { width, height, rx: 3 }), sign("block", { x: width / 2 - 20, y: height / 2 - 20, width: 40, height: 40 }));

/** The score track: everybody's marker on its field; the second time around it has a 50 on it. */
export function track({ game, scores }) {
  const { track: length } = game;
  const fields = Array.from({ length }, (_, n) => n);
  const told = scores.map((score, seat) => say("a11y.score", { player: seat, count: score })).join("; ");
  return svg("svg", { class: "track", viewBox: `0 0 ${length * 10} 26`, ...spoken(told) },
    fields.map((n) => svg("g", {}, svg("rect", { class: n % 10 === 0 ? "field ten" : n % 5 === 0 ? "field five" : "field", x: n * 10 + 0.3, y: 12, width: 9.4, height: 12, rx: 2 }),
      n % 5 === 0 ? svg("text", { x: n * 10 + 5, y: 18.3 }, number(n)) : null)),
    scores.map((score, seat) => {
      const level = scores.slice(0, seat).filter((other) => other % length === score % length).length;
      const x = (score % length) * 10 + 5;
      return svg("g", {}, disc(game, seat, x, 14 - level * 4.5, 5.2), score >= length ? svg("text", { class: "lap", x, y: 3.4 - level * 4.5 }, `+${number(length)}`) : null);
    }));
}
