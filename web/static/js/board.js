// A city board as SVG, drawn from the game's view alone.

import { svg } from "./dom.js";
import { districtName, featureName, number, say } from "./text.js";

const CELL = 10;
const KNOWN = ["red", "blue", "green", "yellow", "purple"];
let boards = 0;

/**
 * `game` is the view of the game, `seat` whose board. Options: `fresh` squares [row, col] of the last move, `picked`
 * squares and a `chosen` region to point out, `due` marks to draw, `alarm` regions to
 * point at, `onSquare(row, col)` to have squares chosen (one tab stop, then arrow keys), `wide` to have districts and slots
 * beside the city instead of below it.
 */
export function cityBoard(game, seat, options = {}) {
  const { rows, cols } = game.city;
  const own = game.boards[seat];
  const place = layout(rows, cols, options.wide);
  const id = `b${(boards += 1)}`;
  const root = svg("svg", { class: "board", viewBox: `0 0 ${place.width} ${place.height}`, role: "group",
    "aria-label": say("a11y.board", { player: seat, count: own.score.total }) });
  root.append(patterns(game.city, id));
  drawSquares(root, game, own, place, id, options);
  drawFeatures(root, game, own, place, id);
  drawSlots(root, game, own, place);
  const point = (region, name) => root.append(box(boxOf(place, region, game.city, own), name, -0.6));
  for (const mark of options.due ?? []) point(mark.region, "due");
  for (const region of options.alarm ?? []) point(region, "alarm");
  if (options.chosen) point(options.chosen, "picked");
  if (options.onSquare) addTaps(root, game, own, place, options);
  return root;
}

/** How large such a board is, and where its squares lie, in its own units. */
export function boardSize({ rows, cols }, wide = false) {
  const { left, top, width, height } = layout(rows, cols, wide);
  return { left, top, width, height, cell: CELL };
}

/** Where everything lies; boxes are [x, y, width, height]. */
function layout(rows, cols, wide) {
  const left = 6, top = 6;
  const right = left + cols * CELL + 2, below = top + rows * CELL + 2;
  const city = {
    left, top,
    square: (row, col) => [left + col * CELL, top + row * CELL, CELL, CELL],
    row: (n, rank) => [right + (rank === "high" ? 0 : 11.5), top + n * CELL + 1, 10.5, CELL - 2],
    col: (n, rank) => [left + n * CELL + 0.5, below + (rank === "high" ? 0 : 8.5), CELL - 1, 7.5],
  };
  if (wide) {
    const x = right + 29;
    const rowsOf = (count) => Math.ceil(count / 2);
    return { ...city, width: x + 48, height: below + 17,
      district: (n, count, rank) => [x + (n % 2) * 24.5 + (rank === "high" ? 0 : 11.5), top + 5 + Math.floor(n / 2) * 16, 10.5, 9],
      drone: (n, districts) => [x + (n - 1) * 9.6, top + 9 + rowsOf(districts) * 16, 8.6, 8.6],
      bubble: (n, count, districts) => [x + (n - 1) * 9.6, top + 27 + rowsOf(districts) * 16, 8.6, 8.6],
    };
  }
  return { ...city, width: right + 23, height: below + 50,
    district: (n, count, rank) => {
      const each = (right + 22 - left) / count;
      return [left + n * each + (rank === "high" ? 1 : each / 2), below + 24, each / 2 - 2, 8.5];
    },
    drone: (n) => [left + 1 + (n - 1) * 9.5, below + 40, 8.5, 8.5],
    bubble: (n, count) => [right + 22 - (count - n + 1) * 9.5, below + 40, 8.5, 8.5],
  };
}

function boxOf(place, region, city, own) {
  const square = /^r(\d+)c(\d+)$/.exec(region);
  if (square) return place.square(square[1] - 1, square[2] - 1);
  const [kind, name, rank] = region.split(".");
  if (kind === "row") return place.row(name - 1, rank);
  if (kind === "col") return place.col(name.charCodeAt(0) - 65, rank);
  const names = Object.values(city.districts);
  if (kind === "drone") return place.drone(Number(name), names.length);
  if (kind === "bubble") return place.bubble(Number(name), own.bubbles.length, names.length);
  return place.district(names.indexOf(name), names.length, rank);
}

/** Colour and pattern of a district: the colour it is named after where we have it. */
export function look(city, letter) {
  const index = Object.keys(city.districts).indexOf(letter);
  if (index < 0) return { colour: "none", pattern: null };
  const name = city.districts[letter];
  return { colour: KNOWN.includes(name) ? name : String(index % 3), pattern: index % 5 };
}

const STROKES = [
  ["circle", { cx: 2.5, cy: 2.5, r: 0.75 }, { cx: 7.5, cy: 7.5, r: 0.75 }, { cx: 7.5, cy: 2.5, r: 0.75 }, { cx: 2.5, cy: 7.5, r: 0.75 }],
  ["path", { d: "M0 2.5H10M0 5H10M0 7.5H10" }],
  ["path", { d: "M0 10L10 0M0 3.3L3.3 0M6.7 10L10 6.7M0 6.7L6.7 0M3.3 10L10 3.3" }],
  ["path", { d: "M2.5 0V10M5 0V10M7.5 0V10" }],
  ["path", { d: "M0 5L5 0L10 5L5 10Z" }],
];

function patterns(city, id) {
  return svg("defs", {}, Object.keys(city.districts).map((letter, index) => {
    const { colour, pattern } = look(city, letter);
    const [name, ...parts] = STROKES[pattern];
    return svg("pattern", { id: `${id}-${index}`, width: CELL, height: CELL, patternUnits: "userSpaceOnUse", x: 6, y: 6 },
      svg("g", { class: `strokes l-${colour}` }, parts.map((part) => svg(name, part))));
  }));
}

function drawSquares(root, game, own, place, id, options) {
  const { rows, cols, cells, districts } = game.city;
  const letters = Object.keys(districts);
  for (let col = 0; col < cols; col += 1) root.append(label(place.left + (col + 0.5) * CELL, 3, String.fromCharCode(65 + col)));
  for (let row = 0; row < rows; row += 1) {
    root.append(label(3, place.top + (row + 0.5) * CELL, row + 1));
    for (let col = 0; col < cols; col += 1) root.append(square(game, own, place, id, letters, row, col));
  }
  root.append(svg("path", { class: "wall", d: walls(cells, place), fill: "none", "aria-hidden": "true" }));
  const layer = (squares, name, inset) => (squares ?? []).forEach(([row, col]) => root.append(box(place.square(row, col), name, inset)));
  layer(options.picked, "picked", 0.9);
  layer(options.fresh, "fresh", 0.4);
}

function square(game, own, place, id, letters, row, col) {
  const letter = game.city.cells[row][col];
  const painted = own.painted[row][col] === "#";
  const [x, y] = place.square(row, col);
  const index = letters.indexOf(letter);
  const names = squareNames(game.city, row, col);
  const parts = [box([x, y, CELL, CELL], `cell d-${look(game.city, letter).colour}`)];
  if (index >= 0) parts.push(svg("rect", { class: "pattern", x, y, width: CELL, height: CELL, fill: `url(#${id}-${index})` }));
  if (painted) {
    parts.push(svg("rect", { class: "paint", x: x + 0.6, y: y + 0.6, width: CELL - 1.2, height: CELL - 1.2, rx: 1.6 }));
    parts.push(svg("path", { class: "spray", d: `M${x + 2.6} ${y + 2.8}L${x + 7.4} ${y + 7.2}M${x + 7.3} ${y + 2.6}L${x + 2.7} ${y + 7.4}` }));
  }
  return svg("g", { role: "img", "aria-label": say(painted ? "a11y.painted" : "a11y.free", names) }, parts);
}

/** What a square is called aloud. */
function squareNames(city, row, col) {
  const district = city.districts[city.cells[row][col]];
  return { row: row + 1, col: String.fromCharCode(65 + col), district: district === undefined ? "" : districtName(district) };
}

/** Lines where two districts meet, and around the city. */
function walls(cells, place) {
  const at = (row, col) => cells[row]?.[col] ?? " ";
  let path = "";
  cells.forEach((line, row) => [...line].forEach((letter, col) => {
    const [x, y] = place.square(row, col);
    if (at(row - 1, col) !== letter) path += `M${x} ${y}h${CELL}`;
    if (at(row, col - 1) !== letter) path += `M${x} ${y}v${CELL}`;
    if (row === cells.length - 1) path += `M${x} ${y + CELL}h${CELL}`;
    if (col === line.length - 1) path += `M${x + CELL} ${y}v${CELL}`;
  }));
  return path;
}

function drawFeatures(root, game, own, place, id) {
  const letters = Object.keys(game.city.districts);
  for (const feature of own.features) {
    const [kind, name] = feature.feature.split(".");
    for (const rank of ["high", "low"]) {
      const where = boxOf(place, `${feature.feature}.${rank}`, game.city, own);
      const marked = feature.marks[rank];
      const facts = { feature: featureName(feature.feature), value: feature[rank], mark: say(`kind.${marked}`) };
      const parts = [];
      if (kind === "district") {
        const index = Object.values(game.city.districts).indexOf(name);
        parts.push(box(where, `box d-${look(game.city, letters[index]).colour}`));
        parts.push(svg("rect", { class: "pattern", x: where[0], y: where[1], width: where[2], height: where[3], fill: `url(#${id}-${index})` }));
        if (rank === "high") parts.push(caption(where[0], where[1] - 2.6, districtName(name)));
      } else parts.push(box(where, `box ${rank}`));
      root.append(svg("g", { role: "img", "aria-label": say(`a11y.${rank}`, facts) }, parts, value(where, feature[rank], marked)));
    }
  }
}

function drawSlots(root, game, own, place) {
  const at = (region) => boxOf(place, region, game.city, own);
  const above = (region, text) => root.append(caption(at(region)[0], at(region)[1] - 2.6, text));
  if (own.drone.length) above("drone.1", say("show.drone"));
  if (own.bubbles.length) above("bubble.1", say("show.bubbles"));
  own.drone.forEach((slot) => {
    const where = at(`drone.${slot.slot}`);
    root.append(svg("g", { role: "img", "aria-label": say("a11y.drone", { number: slot.slot, value: slot.value, mark: say(`kind.${slot.mark}`) }) },
      box(where, "box"), value(where, slot.value, slot.mark)));
  });
  own.bubbles.forEach((bubble) => {
    const where = at(`bubble.${bubble.bubble}`);
    root.append(svg("g", { role: "img", "aria-label": say("a11y.bubble", { number: bubble.bubble, value: bubble.value, mark: say(`kind.${bubble.mark}`) }) },
      svg("circle", { class: "box", cx: where[0] + where[2] / 2, cy: where[1] + where[3] / 2, r: where[2] / 2 }), value(where, bubble.value, bubble.mark)));
  });
}

function value([x, y, width, height], amount, mark) {
  const middle = [x + width / 2, y + height / 2];
  const parts = [svg("text", { class: `value ${mark}`, x: middle[0], y: middle[1] }, number(amount))];
  if (mark === "circled") parts.push(svg("ellipse", { class: "ring", cx: middle[0], cy: middle[1], rx: width / 2 - 0.2, ry: height / 2 - 0.2 }));
  if (mark === "crossed") parts.push(svg("path", { class: "strike", d: `M${x + 1.4} ${y + 1.4}L${x + width - 1.4} ${y + height - 1.4}M${x + width - 1.4} ${y + 1.4}L${x + 1.4} ${y + height - 1.4}` }));
  return svg("g", { "aria-hidden": "true" }, parts);
}

/** Squares as buttons. One of them is a tab stop; arrow keys, Home and End lead to the others. */
function addTaps(root, game, own, place, { onSquare, picked = [] }) {
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
      const tap = box(place.square(row, col), "tap");
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

const caption = (x, y, text) => svg("text", { class: "caption", x, y, "aria-hidden": "true" }, text);
const label = (x, y, text) => svg("text", { class: "label", x, y, "aria-hidden": "true" }, String(text));
const box = ([x, y, width, height], name, inset = 0) =>
  svg("rect", { class: name, x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: 0.8 });
