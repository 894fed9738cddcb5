// The mall from above, as it is printed: squares, walls, fountain, shops; the pieces on it; and what may come of a turn.

import { svg } from "/static/js/dom.js";
import { nameOf, number, playerName, say } from "/static/js/text.js";
import { carAt, spoken, suitOf, thiefAt } from "./pieces.js";

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
    squares.map((square) => ground(square, side, print)),
    squares.map((square) => goods(square, side, game.left)),
    Object.entries(reach).map(([name, steps]) => inReach(game, name, steps, side)),
    squares.flatMap((square) => walls(square, side)),
    fountain(squares, side),
    trail.length > 1 ? svg("polyline", { class: "trail", points: trail.map((name) => middle(name).join(",")).join(" "), stroke: game.looks[game.turn].colour }) : null,
    pieces.map(({ seat, car, x, y, size }) => (car ? carAt(game, seat, x, y, print.car_mm) : thiefAt(game, seat, x, y, size))),
    game.fire.map((line) => aim(line, ...[game.turn, line.victim].map((seat) => pieces.find((piece) => piece.seat === seat && !piece.car)))),
    squares.map((square) => over(square, side)),
    alarm.map((name) => { const { row, column } = placeOf(name); return svg("rect", { class: "alarm", x: column * side + 1, y: row * side + 1, width: side - 2, height: side - 2, rx: 3 }); }));
}

function names(columns, rows, side) {
  const word = (text, x, y) => svg("text", { class: "line-name", x, y, "aria-hidden": "true" }, text);
  return [...Array.from({ length: columns }, (_, n) => word(LETTERS[n], (n + 0.5) * side, -EDGE / 2 - 1)),
    ...Array.from({ length: rows }, (_, n) => word(String(n + 1), -EDGE / 2 - 1, (n + 0.5) * side))];
}

const ground = ({ kind, sells, row, column }, side, { grounds, floors }) => svg("rect", { class: `ground ${kind}`, x: column * side, y: row * side, width: side, height: side, fill: kind === "shop" ? floors[sells.at(-1)] : grounds[kind] });

function goods({ kind, sells, row, column }, side, left) {
  if (kind === "parking") return svg("text", { class: "parking-sign", x: (column + 0.5) * side, y: (row + 0.5) * side }, "P");
  if (kind !== "shop") return null;
  return svg("text", { class: `sells ${suitOf(sells)}${left && left[sells] === 0 ? " gone" : ""}`, x: (column + 0.5) * side, y: (row + 0.78) * side }, nameOf("card", sells));
}

function inReach(game, name, steps, side) {
  const { row, column } = placeOf(name);
  return svg("g", { class: "reach", "data-reach": name },
    svg("rect", { x: column * side + 1.2, y: row * side + 1.2, width: side - 2.4, height: side - 2.4, rx: 4, fill: game.looks[game.turn].colour, stroke: game.looks[game.turn].colour }),
    svg("text", { x: column * side + 5.8, y: row * side + 6.6 }, number(steps)));
}

function walls({ row, column, top, left, right, bottom }, side) {
  const [x, y] = [column * side, row * side];
  const wall = (x1, y1, x2, y2) => svg("line", { class: "wall", x1, y1, x2, y2 });
  return [top ? wall(x, y, x + side, y) : null, left ? wall(x, y, x, y + side) : null,
    right ? wall(x + side, y, x + side, y + side) : null, bottom ? wall(x, y + side, x + side, y + side) : null];
}

function fountain(squares, side) {
  const wet = squares.filter(({ kind }) => kind === "fountain");
  if (!wet.length) return null;
  const span = (key) => [Math.min(...wet.map((one) => one[key])), Math.max(...wet.map((one) => one[key])) + 1];
  const [[left, right], [top, bottom]] = [span("column"), span("row")];
  return svg("g", { class: "fountain-rings" }, [0.9, 0.6, 0.3].map((part) => svg("rect", {
    x: ((left + right) / 2 - (part * (right - left)) / 2) * side, y: ((top + bottom) / 2 - (part * (bottom - top)) / 2) * side,
    width: part * (right - left) * side, height: part * (bottom - top) * side, rx: (part * side) / 2 })));
}

// --- pieces -------------------------------------------------------------------------------------

/** Where every piece is drawn: cars below, thieves above them and above what a shop sells; several on one square side by side. */
function laidOut({ mall: printed, seats }, side) {
  const shops = new Set(squaresOf(printed).filter(({ sells }) => sells).map(({ name }) => name));
  const on = new Map();
  const put = (square, kind, seat) => { if (square !== null) on.set(square, { cars: [], thieves: [], ...on.get(square), [kind]: [...(on.get(square)?.[kind] ?? []), seat] }); };
  seats.forEach(({ square, car }, seat) => { put(car, "cars", seat); put(square, "thieves", seat); });
  return [...on].flatMap(([square, { cars, thieves }]) => {
    const { row, column } = placeOf(square);
    const [x, y] = [(column + 0.5) * side, (row + 0.5) * side];
    const [across, size] = thieves.length > 4 ? [3, 10.5] : [2, thieves.length > 2 ? 13.5 : printed.print.thief_mm];
    const lines = Math.ceil(thieves.length / across);
    const high = cars.length || shops.has(square) ? y - 6.5 : y;
    return [
      ...cars.map((seat, n) => ({ seat, car: true, x, y: thieves.length ? y + 8 - n * 5 : y - n * 5 })),
      ...thieves.map((seat, n) => {
        const line = Math.floor(n / across);
        const inLine = Math.min(across, thieves.length - line * across);
        return { seat, car: false, size, x: x + ((n % across) - (inLine - 1) / 2) * (size + 0.8), y: high + (line - (lines - 1) / 2) * (size + 0.8) };
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
