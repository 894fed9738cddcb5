// A city board as SVG, drawn from the game's view alone.

import { svg } from "/static/js/dom.js";
import { nameOf, number, say } from "/static/js/text.js";

const HEAVIER = 1.6; // lines of a pattern than in print: a screen has fewer dots
let boards = 0;

/**
 * `game` is the view of the game, `seat` whose board. Options: `fresh` squares [row, col] of the last move, `picked`
 * squares and a `chosen` region to point out, `due` marks to draw, `alarm` regions to
 * point at, `onSquare(row, col)` to have squares chosen (one tab stop, then arrow keys).
 */
export function cityBoard(game, seat, options = {}) {
  const own = game.boards[seat];
  const id = `b${(boards += 1)}`;
  const root = svg("svg", { class: "board", viewBox: game.city.drawing.frame.join(" "), role: "group",
    "aria-label": say("a11y.board", { player: seat, count: own.score.total }) });
  root.append(patterns(game.city.drawing, id));
  drawSquares(root, game, own, id, options);
  drawFeatures(root, game, own);
  drawSlots(root, game, own);
  const point = (region, name) => root.append(box(boxOf(game.city, region), name, -0.9));
  for (const mark of options.due ?? []) point(mark.region, "due");
  for (const region of options.alarm ?? []) point(region, "alarm");
  if (options.chosen) point(options.chosen, "picked");
  if (options.onSquare) addTaps(root, game, own, options);
  return root;
}

/** How large such a board is, and where its squares lie from its corner, in its own units: millimetres of the printed one. */
export function boardSize({ drawing }) {
  const [x, y, width, height] = drawing.frame;
  const [left, top, cell] = drawing.grid;
  return { left: left - x, top: top - y, width, height, cell };
}

/** Where a square or a box lies: [x, y, width, height]. */
function boxOf(city, region) {
  const square = /^r(\d+)c(\d+)$/.exec(region);
  return square ? squareOf(city, square[1] - 1, square[2] - 1) : city.drawing.boxes[region];
}

function squareOf({ drawing }, row, col) {
  const [left, top, cell] = drawing.grid;
  return [left + col * cell, top + row * cell, cell, cell];
}

/** A pattern by letter of a district, that goes on from square to square. */
function patterns({ grid: [x, y, size], looks, line, dot }, id) {
  return svg("defs", {}, Object.entries(looks).map(([letter, { strong, lines, dots }]) =>
    svg("pattern", { id: `${id}-${letter}`, x, y, width: size, height: size, patternUnits: "userSpaceOnUse" },
      svg("g", { class: "strokes", color: strong, "stroke-width": HEAVIER * line },
        lines.map(([x1, y1, x2, y2]) => svg("line", { x1: x1 * size, y1: y1 * size, x2: x2 * size, y2: y2 * size })),
        dots.map(([cx, cy]) => svg("circle", { cx: cx * size, cy: cy * size, r: dot }))))));
}

function drawSquares(root, game, own, id, options) {
  const { city } = game;
  const { grid: [left, top, cell], labels } = city.drawing;
  for (let col = 0; col < city.cols; col += 1) root.append(words("label", left + (col + 0.5) * cell, top - labels.col, String.fromCharCode(65 + col)));
  for (let row = 0; row < city.rows; row += 1) {
    root.append(words("label", left - labels.row, top + (row + 0.5) * cell, row + 1));
    for (let col = 0; col < city.cols; col += 1) root.append(square(city, own, id, row, col));
  }
  root.append(svg("path", { class: "wall", d: walls(city), fill: "none", "aria-hidden": "true" }));
  const layer = (squares, name, inset) => (squares ?? []).forEach(([row, col]) => root.append(box(squareOf(city, row, col), name, inset)));
  layer(options.picked, "picked", 1.3);
  layer(options.fresh, "fresh", 0.6);
}

function square(city, own, id, row, col) {
  const letter = city.cells[row][col];
  const painted = own.painted[row][col] === "#";
  const where = squareOf(city, row, col);
  const parts = [tinted(where, "cell", city.drawing.looks[letter])];
  if (letter in city.drawing.looks) parts.push(box(where, "pattern", 0, { fill: `url(#${id}-${letter})` }));
  if (painted) parts.push(box(where, "paint", 0.9, { rx: 2.3 }), svg("path", { class: "spray", d: cross(where, 0.26) }));
  return svg("g", { role: "img", "data-region": `r${row + 1}c${col + 1}`,
    "aria-label": say(painted ? "a11y.painted" : "a11y.free", squareNames(city, row, col)) }, parts);
}

/** What a square is called aloud. */
function squareNames(city, row, col) {
  const district = city.districts[city.cells[row][col]];
  return { row: row + 1, col: String.fromCharCode(65 + col), district: district === undefined ? "" : nameOf("district", district) };
}

/** Lines where two districts meet, and around the city. */
function walls(city) {
  const { cells } = city;
  const at = (row, col) => cells[row]?.[col] ?? " ";
  let path = "";
  cells.forEach((line, row) => [...line].forEach((letter, col) => {
    const [x, y, size] = squareOf(city, row, col);
    if (at(row - 1, col) !== letter) path += `M${x} ${y}h${size}`;
    if (at(row, col - 1) !== letter) path += `M${x} ${y}v${size}`;
    if (row === cells.length - 1) path += `M${x} ${y + size}h${size}`;
    if (col === line.length - 1) path += `M${x + size} ${y}v${size}`;
  }));
  return path;
}

function drawFeatures(root, game, own) {
  const letters = Object.fromEntries(Object.entries(game.city.districts).map(([letter, name]) => [name, letter]));
  for (const feature of own.features) {
    const [kind, name] = feature.feature.split(".");
    for (const rank of ["high", "low"]) {
      const region = `${feature.feature}.${rank}`;
      const where = boxOf(game.city, region);
      const [x, y, width] = where;
      const marked = feature.marks[rank];
      const facts = { feature: feature.feature, value: feature[rank], mark: marked };
      const ground = kind === "district" ? tinted(where, "box", game.city.drawing.looks[letters[name]]) : box(where, `box ${rank}`);
      if (kind === "district" && rank === "high") root.append(words("caption", x + width + 0.75, y - game.city.drawing.labels.district, nameOf("district", name)));
      root.append(svg("g", { role: "img", "data-region": region, "aria-label": say(`a11y.${rank}`, facts) }, ground, value(where, feature[rank], marked)));
    }
  }
}

function drawSlots(root, game, own) {
  const above = (region, text) => {
    const [x, y, width] = boxOf(game.city, region);
    root.append(words("caption", x + width / 2, y - game.city.drawing.labels.slots, text));
  };
  const slot = (region, round, label, amount, mark) => {
    const where = boxOf(game.city, region);
    root.append(svg("g", { role: "img", "data-region": region, "aria-label": label },
      box(where, "box", 0, round ? { rx: where[2] / 2 } : {}), value(where, amount, mark)));
  };
  if (own.drone.length) above("drone.1", say("category.drone"));
  if (own.bubbles.length) above("bubble.1", say("show.social"));
  for (const { slot: n, value: amount, mark } of own.drone) {
    slot(`drone.${n}`, false, say("a11y.drone", { number: n, value: amount, mark }), amount, mark);
  }
  for (const { bubble: n, value: amount, mark } of own.bubbles) {
    slot(`bubble.${n}`, true, say("a11y.bubble", { number: n, value: amount, mark }), amount, mark);
  }
}

function value(where, amount, mark) {
  const [x, y, width, height] = where;
  const [cx, cy] = [x + width / 2, y + height / 2];
  const parts = [svg("text", { class: `value ${mark}`, x: cx, y: cy, "font-size": Math.min(8.2, 0.7 * height) }, number(amount))];
  if (mark === "circled") parts.push(svg("ellipse", { class: "ring", cx, cy, rx: width / 2 - 0.3, ry: height / 2 - 0.3 }));
  if (mark === "crossed") parts.push(svg("path", { class: "strike", d: cross(where, 0.16) }));
  return svg("g", { "aria-hidden": "true" }, parts);
}

/** Both diagonals of a box, that share of it away from its edges. */
function cross([x, y, width, height], inset) {
  const [left, right] = [x + inset * width, x + (1 - inset) * width];
  const [top, bottom] = [y + inset * height, y + (1 - inset) * height];
  return `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
}

/** Squares as buttons. One of them is a tab stop; arrow keys, Home and End lead to the others. */
function addTaps(root, game, own, { onSquare, picked = [] }) {
  const { rows, cols } = game.city;
  const taps = Array.from({ length: rows }, () => []);
  let current = null;
  const enter = (tap) => {
    current?.setAttribute("tabindex", "-1");
    current = tap;
    tap.setAttribute("tabindex", "0");
  };
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const tap = box(squareOf(game.city, row, col), "tap");
      const attributes = {
        role: "button",
        tabindex: "-1",
        "data-focus": `sq-${row}-${col}`,
        "aria-pressed": String(picked.some(([r, c]) => r === row && c === col)),
        "aria-label": say(own.painted[row][col] === "#" ? "a11y.painted" : "a11y.free", squareNames(game.city, row, col)),
      };
      for (const [name, told] of Object.entries(attributes)) tap.setAttribute(name, told);
      tap.addEventListener("click", () => onSquare(row, col));
      tap.addEventListener("focus", () => enter(tap));
      tap.addEventListener("keydown", (event) => {
        const next = nextSquare(event.key, row, col, cols);
        if (!next && event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (next) taps[next[0]]?.[next[1]]?.focus();
        else onSquare(row, col);
      });
      taps[row].push(tap);
      root.append(tap);
    }
  }
  const [row, col] = picked[0] ?? [0, 0];
  enter(taps[row][col]);
}

function nextSquare(key, row, col, cols) {
  switch (key) {
    case "ArrowLeft": return [row, col - 1];
    case "ArrowRight": return [row, col + 1];
    case "ArrowUp": return [row - 1, col];
    case "ArrowDown": return [row + 1, col];
    case "Home": return [row, 0];
    case "End": return [row, cols - 1];
    default: return null;
  }
}

const words = (name, x, y, text) => svg("text", { class: name, x, y, "aria-hidden": "true" }, String(text));
const box = ([x, y, width, height], name, inset = 0, more = {}) =>
  svg("rect", { class: name, x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, ...more });
/** A box on the ground of a district, if it lies in one; both of its colours, as dark pages take the stronger one. */
const tinted = (where, name, look) => box(where, look ? `${name} tinted` : name, 0, look ? { fill: look.tint, color: look.strong } : {});
