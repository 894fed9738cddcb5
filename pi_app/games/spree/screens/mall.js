// The mall from above, as it is printed: squares, walls, fountain, shops; the pieces on it; and what may come of a turn.

import { svg } from "/static/js/dom.js";
import { nameOf, number, playerName, say } from "/static/js/text.js";
import { carAt, printed, spoken, suitOf, thiefAt } from "./pieces.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const CLOSE = 50; // a line of fire with no room for words
const FACES = 6; // of a die
const EDGE = 8; // for the letters and numbers around
const read = new Map(); // drawings that were read before

/** What a drawing says: kind, goods and walls of every square. */
export function squaresOf({ drawing, columns, rows }) {
  const key = drawing.join("\n");
  if (!read.has(key)) {
    const at = (y, x) => drawing[y][x] !== " ";
    const kinds = { " . ": "lot", " P ": "parking", "   ": "hall", " F ": "fountain" };
    read.set(key, Array.from({ length: rows * columns }, (_, n) => {
      const [row, column] = [Math.floor(n / columns), n % columns];
      const sign = drawing[2 * row + 1].slice(4 * column + 1, 4 * column + 4);
      return {
        name: `${LETTERS[column]}${row + 1}`, row, column, kind: kinds[sign] ?? "shop", sells: sign in kinds ? null : sign.trim(),
        top: at(2 * row, 4 * column + 2), left: at(2 * row + 1, 4 * column), right: at(2 * row + 1, 4 * column + 4), bottom: at(2 * row + 2, 4 * column + 2),
      };
    }));
  }
  return read.get(key);
}

export const placeOf = (name) => ({ column: LETTERS.indexOf(name[0]), row: Number(name.slice(1)) - 1 });

/**
 * The whole mall. `trail` are the squares of this turn's way; `over` draws something on a square, `alarm` are squares to
 * point at. Without a `label` it is not read aloud as one picture, since what is in it can be used.
 */
export function mall(game, { trail = [], over = () => null, alarm = [], label = described(game), reach = game.reach } = {}) {
  const { columns, rows, print } = game.mall;
  const side = print.square_mm;
  const squares = squaresOf(game.mall);
  const middle = (name) => { const { row, column } = placeOf(name); return [(column + 0.5) * side, (row + 0.5) * side]; };
  const [wide, high] = [columns * side + EDGE + 3, rows * side + EDGE + 3];
  const pieces = laidOut(game, side);
  return svg("svg", { class: "mall", viewBox: `${-EDGE - 1} ${-EDGE - 1} ${wide} ${high}`, ...(label === null ? { role: "group", "aria-label": say("surface.mall") } : spoken(label)) },
    names(columns, rows, side),
    svg("rect", { class: "rim", x: -1.5, y: -1.5, width: columns * side + 3, height: rows * side + 3, rx: 2 }),
    ground(game.mall, squares),
    Object.entries(reach).map(([name, steps]) => inReach(game, name, steps, side)),
    squares.map((square) => cardSold(square, side, game.left)),
    squares.flatMap((square) => walls(square, print)),
    trail.length > 1 ? svg("polyline", { class: "trail", points: trail.map((name) => middle(name).join(",")).join(" "), stroke: game.looks[game.turn].colour }) : null,
    pieces.map(({ seat, car, x, y, size }) => (car ? carAt(game, seat, x, y) : thiefAt(game, seat, x, y, size))),
    game.fire.map((line) => aim(line, ...[game.turn, line.victim].map((seat) => pieces.find((piece) => piece.seat === seat && !piece.car)))),
    squares.map((square) => over(square, side)),
    alarm.map((name) => { const { row, column } = placeOf(name); return svg("rect", { class: "alarm", x: column * side + 1, y: row * side + 1, width: side - 2, height: side - 2, rx: 3 }); }));
}

function names(columns, rows, side) {
  const word = (text, x, y) => svg("text", { class: "line-name", x, y, "aria-hidden": "true" }, text);
  return [...Array.from({ length: columns }, (_, n) => word(LETTERS[n], (n + 0.5) * side, -EDGE / 2 - 1)),
    ...Array.from({ length: rows }, (_, n) => word(String(n + 1), -EDGE / 2 - 1, (n + 0.5) * side))];
}

const grounds = new Map(); // by drawing: what is printed and never changes is drawn once

function ground({ drawing, rows, print }, squares) {
  const key = drawing.join("\n");
  if (!grounds.has(key)) grounds.set(key, svg("g", { "aria-hidden": "true" }, squares.flatMap((square) => floor(square, print, rows)), fountain(squares, print)));
  return grounds.get(key).cloneNode(true);
}

function floor({ kind, sells, row, column }, print, rows) {
  const { colours, square_mm: side } = print;
  const [x, y] = [column * side, row * side];
  const floored = (fill, stroke) => svg("rect", { x, y, width: side, height: side, fill, stroke, "stroke-width": 0.5 });
  if (kind === "lot") return [floored(colours.lot, colours.kerb)];
  if (kind === "parking") return [floored(colours.lot, colours.kerb), parking(row === 0 || row === rows - 1, x, y, print)];
  if (kind !== "shop") return [floored(colours.hall, colours.joint)];
  const suit = sells.at(-1);
  const { awning, goods } = print;
  const stripe = side / awning.stripes;
  return [floored(colours.floors[suit], colours.joint), svg("rect", { x, y, width: side, height: awning.mm, fill: colours.paint }),
    Array.from({ length: Math.ceil(awning.stripes / 2) }, (_, n) => svg("rect", { x: x + 2 * n * stripe, y, width: stripe, height: awning.mm, fill: colours.awnings[suit] })),
    printed(`goods-${sells.slice(0, -1)}`, x + side / 2, y + goods.top + goods.mm[1] / 2, ...goods.mm)].flat();
}

function parking(isUpright, x, y, { colours, square_mm: side }) {
  const [low, high] = [2.2, side - 2.2];
  const line = (at) => svg("line", { ...(isUpright ? { x1: x + at, y1: y + low, x2: x + at, y2: y + high } : { x1: x + low, y1: y + at, x2: x + high, y2: y + at }), stroke: colours.paint, "stroke-width": 1.1 });
  return svg("g", {}, line(low), line(high), svg("text", { class: "parking-sign", x: x + side / 2, y: y + side / 2, fill: colours.paint }, "P"));
}

/** What a shop sells; pale where all of these cards lie openly. */
function cardSold({ sells, row, column }, side, left) {
  if (!sells) return null;
  const [x, y] = [(column + 0.5) * side, (row + 1) * side - 5.6];
  return svg("g", { class: `sells ${suitOf(sells)}${left && left[sells] === 0 ? " gone" : ""}` }, svg("rect", { x: x - 9.5, y: y - 4.7, width: 19, height: 9.4, rx: 1.6 }), svg("text", { x, y: y + 0.3 }, nameOf("card", sells)));
}

function inReach(game, name, steps, side) {
  const { row, column } = placeOf(name);
  return svg("g", { class: "reach", "data-reach": name },
    svg("rect", { x: column * side + 1.2, y: row * side + 1.2, width: side - 2.4, height: side - 2.4, rx: 4, fill: game.looks[game.turn].colour, stroke: game.looks[game.turn].colour }),
    svg("circle", { cx: column * side + 6.2, cy: row * side + 6.4, r: 4.7 }), svg("text", { x: column * side + 6.2, y: row * side + 6.7 }, number(steps)));
}

function walls({ row, column, top, left, right, bottom }, { square_mm: side, wall_mm: wide, colours }) {
  const [x, y] = [column * side, row * side];
  const wall = (x1, y1, x2, y2) => [[colours.wall, wide], [colours.wall_light, wide / 4]].map(([stroke, width]) => svg("line", { x1, y1, x2, y2, stroke, "stroke-width": width, "stroke-linecap": "round" }));
  return [top ? wall(x, y, x + side, y) : [], left ? wall(x, y, x, y + side) : [],
    right ? wall(x + side, y, x + side, y + side) : [], bottom ? wall(x, y + side, x + side, y + side) : []].flat();
}

function fountain(squares, { square_mm: side, colours }) {
  const wet = squares.filter(({ kind }) => kind === "fountain");
  if (!wet.length) return null;
  const span = (key) => [Math.min(...wet.map((one) => one[key])), Math.max(...wet.map((one) => one[key])) + 1];
  const [[left, right], [top, bottom]] = [span("column"), span("row")];
  const basin = (inside, attributes) => svg("rect", { x: left * side + inside, y: top * side + inside, width: (right - left) * side - 2 * inside, height: (bottom - top) * side - 2 * inside, rx: Math.max(3, 9 - inside / 2), ...attributes });
  const foam = { fill: "none", stroke: colours.foam, "stroke-width": 0.8, "stroke-dasharray": "4 3" };
  return svg("g", {}, basin(1.2, { fill: colours.stone, stroke: colours.wall, "stroke-width": 0.5 }), basin(3.4, { fill: colours.water, stroke: colours.deep, "stroke-width": 0.6 }), basin(7, foam), basin(10.5, foam),
    svg("circle", { cx: ((left + right) / 2) * side, cy: ((top + bottom) / 2) * side, r: 4.4, fill: colours.stone, stroke: colours.deep, "stroke-width": 1.4 }));
}

// --- pieces -------------------------------------------------------------------------------------

/** Where every piece is drawn: cars below, thieves above them and above what a shop sells; several on one square side by side. */
function laidOut({ mall: printedMall, seats }, side) {
  const shops = new Set(squaresOf(printedMall).filter(({ sells }) => sells).map(({ name }) => name));
  const on = new Map();
  const put = (square, kind, seat) => { if (square !== null) on.set(square, { cars: [], thieves: [], ...on.get(square), [kind]: [...(on.get(square)?.[kind] ?? []), seat] }); };
  seats.forEach(({ square, car }, seat) => { put(car, "cars", seat); put(square, "thieves", seat); });
  return [...on].flatMap(([square, { cars, thieves }]) => {
    const { row, column } = placeOf(square);
    const [x, y] = [(column + 0.5) * side, (row + 0.5) * side];
    const [across, size] = thieves.length > 4 ? [3, 9] : [2, thieves.length > 2 ? 11 : printedMall.print.thief_mm[0]];
    const lines = Math.ceil(thieves.length / across);
    const high = cars.length || shops.has(square) ? y - 6 : y;
    return [
      ...cars.map((seat, n) => ({ seat, car: true, x, y: thieves.length ? y + 8 - n * 5 : y - n * 5 })),
      ...thieves.map((seat, n) => {
        const line = Math.floor(n / across);
        const inLine = Math.min(across, thieves.length - line * across);
        return { seat, car: false, size, x: x + ((n % across) - (inLine - 1) / 2) * (size + 0.8), y: high + (line - (lines - 1) / 2) * (1.25 * size + 0.8) };
      }),
    ];
  });
}

/** A line of fire, with what the die has to show. */
function aim({ victim, needed }, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along = (share, less) => [from.x + (to.x - from.x) * share * (1 - less / length), from.y + (to.y - from.y) * share * (1 - less / length)];
  const [[x1, y1], [x2, y2], [x, y]] = [along(9 / length, 0), along(1, 10), along(0.55, 0)];
  const aside = length < CLOSE ? [(12 * (to.y - from.y)) / length, (-12 * (to.x - from.x)) / length] : [0, 0]; // so that it hides nobody
  const told = needed > FACES ? "–" : needed === FACES ? number(needed) : `${number(Math.max(needed, 1))}+`;
  return svg("g", { class: needed > FACES ? "aim far" : "aim", "data-victim": victim },
    svg("line", { x1, y1, x2, y2 }), svg("circle", { cx: to.x, cy: to.y, r: 10 }),
    svg("g", { transform: `translate(${x + aside[0]} ${y + aside[1]})` }, svg("rect", { x: -7, y: -5, width: 14, height: 10, rx: 3 }), svg("text", {}, told)));
}

// --- in words -----------------------------------------------------------------------------------

/** Where everybody is, for those who do not see it. */
export function described(game) {
  const told = game.seats.map(({ square, car, lying, in_car: inCar }, seat) => (square === null ? null : say(inCar ? "a11y.in_car" : lying ? "a11y.lies" : "a11y.stands", { player: seat, square, car }))).filter(Boolean);
  const reach = Object.keys(game.reach).length;
  return [say("surface.mall"), ...told, reach ? say("a11y.reach", { player: game.turn, count: reach }) : "", ...game.fire.map(({ victim, needed }) => (needed > FACES ? "" : say("a11y.fire", { player: game.turn, victim, count: needed })))].filter(Boolean).join("; ");
}

/** A square with what is there, in words. */
export function squareNamed(game, name) {
  const { sells, kind } = squaresOf(game.mall).find((one) => one.name === name);
  const people = game.seats.flatMap(({ square }, seat) => (square === name ? [playerName(seat)] : []));
  return [sells ? say("square.shop", { square: name, card: sells }) : say(`square.${kind}`, { square: name }), people.join(", ")].filter(Boolean).join("; ");
}
