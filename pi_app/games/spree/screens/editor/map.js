// The mall of a profile: squares are painted by dragging, walls are drawn along their sides, all of it with keys, too.

import { make } from "/static/js/dom.js";
import { nameOf, say } from "/static/js/text.js";
import { squareGrid } from "/static/js/setup/fields.js";
import { playingCard } from "../pieces.js";
import { columnsOf, hasWall, resized, rowsOf, setSquare, setWall, SIDES, SIGNS, squareAt } from "./drawing.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALL_SIDES = ["top", "right", "bottom", "left"];
const ARROWS = { ArrowUp: "top", ArrowRight: "right", ArrowDown: "bottom", ArrowLeft: "left" };
const NEAR = 0.32; // so much of a square counts as its side
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUITS = ["S", "H", "D", "C"];
const brush = { kind: "hall", card: "AS" }; // kept while one goes from tab to tab

export const squareName = (row, column) => `${LETTERS[column]}${row + 1}`;

/** By card, the squares that sell it. */
export function soldWhere(drawing) {
  const found = new Map();
  for (let row = 0; row < rowsOf(drawing); row += 1) for (let column = 0; column < columnsOf(drawing); column += 1) {
    const { sells } = squareAt(drawing, row, column);
    if (sells) found.set(sells, [...(found.get(sells) ?? []), squareName(row, column)]);
  }
  return found;
}

export function mapPanel(place, work) {
  const drawing = () => work.profile.map;
  const size = (key, now, other) => {
    const input = make("input", { type: "number", min: SIDES.least, max: SIDES.most, value: now, "data-focus": `map ${key}`, class: "value-field" });
    input.addEventListener("change", () => {
      input.value = Math.min(SIDES.most, Math.max(SIDES.least, Math.round(Number(input.value)) || SIDES.least));
      work.change((profile) => { profile.map = other(Number(input.value)); });
      show();
    });
    return make("label", { class: "row" }, make("span", {}, say(`editor.${key}`)), input);
  };
  const tools = make("div", { class: "stack" });
  const board = make("div", { class: "map-editor" });
  const choose = (kind, card = brush.card) => { Object.assign(brush, { kind, card }); showTools(); };

  function showTools() {
    const sold = soldWhere(drawing());
    const focused = tools.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const tool = (kind, ...inside) => make("button", { type: "button", class: `map-tool ${kind}`, "aria-pressed": String(brush.kind === kind), "data-focus": `tool ${kind}`, onclick: () => choose(kind) }, ...inside, say(`editor.tool_${kind}`));
    const face = (card) => make("button", { type: "button", class: `map-card${sold.has(card) ? " sold" : ""}`, "aria-pressed": String(brush.kind === "shop" && brush.card === card), "aria-label": say(sold.has(card) ? "editor.card_sold" : "editor.card_free", { card, squares: sold.get(card) ?? [] }), "data-focus": `card ${card}`, onclick: () => choose("shop", card) }, playingCard(card));
    tools.replaceChildren(
      make("div", { class: "row map-tools", role: "group", "aria-label": say("editor.tools") }, [...Object.keys(SIGNS), "wall"].map((kind) => tool(kind)), tool("shop", playingCard(brush.card), " ")),
      make("p", { class: "soft small" }, say(brush.kind === "wall" ? "editor.wall_how" : brush.kind === "shop" ? "editor.shop_how" : "editor.paint_how")),
      ...(brush.kind === "shop" ? SUITS.map((suit) => make("div", { class: "map-cards", role: "group", "aria-label": nameOf("suit", suit) }, RANKS.map((rank) => face(`${rank}${suit}`)))) : []));
    if (focused) tools.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  function show() {
    board.replaceChildren(grid(work, drawing, showTools));
    showTools();
  }

  place.append(make("h2", {}, say("editor.tab_map")), make("p", { class: "soft small" }, say("editor.map_how")),
    make("div", { class: "row" }, size("columns", columnsOf(drawing()), (count) => resized(drawing(), rowsOf(drawing()), count)), size("rows", rowsOf(drawing()), (count) => resized(drawing(), count, columnsOf(drawing())))),
    tools, make("div", { class: "scroll" }, board));
  show();
}

function grid(work, drawing, changed) {
  const [rows, cols] = [rowsOf(drawing()), columnsOf(drawing())];
  let stroke = 0;
  const edit = (change) => { work.change((profile) => change(profile.map), `map ${stroke}`); changed(); };
  const named = (row, column) => {
    const { kind, sells } = squareAt(drawing(), row, column);
    const walls = ALL_SIDES.filter((side) => hasWall(drawing(), row, column, side)).map((side) => say(`editor.side_${side}`));
    return [say(`square.${kind}`, { square: squareName(row, column), card: sells }), walls.length ? say("editor.walled", { walls: walls.join(", ") }) : ""].filter(Boolean).join("; ");
  };
  const squares = squareGrid({
    rows, cols, label: nameOf("field", "map"), where: "map", focus: "map", nameOf: named,
    lookOf: (row, column) => `${squareAt(drawing(), row, column).kind} ${suitOf(drawing(), row, column)} ${ALL_SIDES.filter((side) => hasWall(drawing(), row, column, side)).map((side) => `walled-${side}`).join(" ")}`,
    textOf: (row, column) => { const { kind, sells } = squareAt(drawing(), row, column); return sells ? nameOf("card", sells) : kind === "parking" ? "P" : ""; },
    paint: (row, column, begins) => {
      if (brush.kind === "wall") return false;
      if (begins) stroke += 1;
      edit((map) => setSquare(map, row, column, brush.kind, brush.card));
      return true;
    },
  });
  const turnWall = (row, column, side, isThere) => { edit((map) => setWall(map, row, column, side, isThere)); squares.refresh(); };
  drawWalls(squares.grid, { begin: () => { stroke += 1; }, isThere: (...at) => hasWall(drawing(), ...at), turn: turnWall });
  squares.grid.addEventListener("keydown", (event) => {
    const square = event.target.closest(".square");
    if (!square || !event.shiftKey || !(event.key in ARROWS)) return;
    event.preventDefault();
    event.stopPropagation();
    stroke += 1;
    const at = [Number(square.dataset.row), Number(square.dataset.col), ARROWS[event.key]];
    turnWall(...at, !hasWall(drawing(), ...at));
  }, { capture: true });
  return squares.grid;
}

const suitOf = (drawing, row, column) => ("HD".includes(squareAt(drawing, row, column).sells?.at(-1) ?? "-") ? "red-suit" : "");

/**
 * Walls are drawn along the sides of squares: the first one that is touched tells whether they are put up or taken away,
 * and in which direction, so that no wall is touched across where corners are passed.
 */
function drawWalls(grid, { begin, isThere, turn }) {
  let stroke = null;
  const isAcross = ([, , side]) => side === "top" || side === "bottom";
  const sideAt = (event) => {
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest(".square");
    if (!square || !grid.contains(square)) return null;
    const { left, top, width, height } = square.getBoundingClientRect();
    const x = (event.clientX - left) / width, y = (event.clientY - top) / height;
    const [side, far] = [["top", y], ["bottom", 1 - y], ["left", x], ["right", 1 - x]].sort((a, b) => a[1] - b[1])[0];
    return far < NEAR ? [Number(square.dataset.row), Number(square.dataset.col), side] : null;
  };
  grid.addEventListener("pointerdown", (event) => {
    if (brush.kind !== "wall" || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = sideAt(event);
    if (!at) return;
    begin();
    stroke = { puts: !isThere(...at), across: isAcross(at) };
    grid.setPointerCapture(event.pointerId);
    turn(...at, stroke.puts);
  }, { capture: true });
  grid.addEventListener("pointermove", (event) => {
    const at = stroke && sideAt(event);
    if (at && isAcross(at) === stroke.across && isThere(...at) !== stroke.puts) turn(...at, stroke.puts);
  });
  for (const end of ["pointerup", "pointercancel"]) grid.addEventListener(end, () => { stroke = null; });
}
