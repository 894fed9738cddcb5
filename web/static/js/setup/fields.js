// Small pieces that all panels of the editor use, those of games too.

import { make } from "../dom.js";

export const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** What was typed into a field for a whole number: that, or nothing. */
export const asNumber = (text) => (/^-?\d{1,6}$/.test(text) ? Number(text) : "");

/** A field for a whole number that may stay blank. `set` gets the number or "". */
export function numberField({ label, where, value, set, below = false }) {
  const input = make("input", { type: "number", step: 1, value: value === "" ? null : value, "aria-label": label, "data-where": where, "data-focus": where, class: "value-field" });
  input.addEventListener("input", () => set(asNumber(input.value)));
  if (below) input.addEventListener("change", () => {
    const number = asNumber(input.value);
    if (number === "" || number <= 0) return;
    input.value = -number; // people type 3 for minus 3
    set(-number);
  });
  return input;
}

export function selectField({ label, where, value, options, set, seen = false }) {
  const known = options.some(([id]) => String(id) === String(value));
  const all = known ? options : [[value, String(value) || "–"], ...options];
  const select = make("select", { "aria-label": seen ? null : label, "data-where": where, "data-focus": where, onchange: () => set(select.value) },
    all.map(([id, name]) => make("option", { value: id, selected: String(id) === String(value) }, name)));
  return seen ? make("label", { class: "field" }, make("span", {}, label), select) : select;
}

/** Squares that are chosen by clicking, dragging or keys. One of them takes the focus, arrows go from there. Gives them, and how to show them anew. */
export function squareGrid({ rows, cols, label, nameOf, lookOf, textOf = () => "", paint, where, focus }) {
  const grid = make("div", { class: "squares", role: "group", "aria-label": label, "data-where": where });
  grid.style.gridTemplateColumns = `repeat(${cols}, 1fr)`;
  const squares = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const square = make("button", { type: "button", "data-row": row, "data-col": col, "data-focus": `${focus} ${row} ${col}`, tabindex: squares.length ? -1 : 0 });
      squares.push(square);
    }
  }
  const at = (row, col) => squares[row * cols + col];
  const refresh = (row, col) => {
    const square = at(row, col);
    square.className = `square ${lookOf(row, col)}`;
    square.textContent = textOf(row, col);
    square.setAttribute("aria-label", nameOf(row, col));
  };
  const use = (square, begins) => {
    const row = Number(square.dataset.row);
    const col = Number(square.dataset.col);
    if (paint(row, col, begins) !== false) refresh(row, col);
  };
  let dragging = false;
  const under = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && grid.contains(found) ? found.closest(".square") : null;
  };
  grid.addEventListener("pointerdown", (event) => {
    const square = under(event);
    if (!square || event.button !== 0) return;
    dragging = true;
    event.preventDefault(); // no scrolling and no selection while painting
    square.focus();
    grid.setPointerCapture(event.pointerId);
    use(square, true);
  });
  let last = null;
  grid.addEventListener("pointermove", (event) => {
    if (!dragging) return;
    const square = under(event);
    if (square && square !== last) use(square, false);
    last = square;
  });
  for (const end of ["pointerup", "pointercancel"]) grid.addEventListener(end, () => { dragging = false; last = null; });
  grid.addEventListener("keydown", (event) => {
    const square = event.target.closest(".square");
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!square) return;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      use(square, true);
    } else if (by) {
      event.preventDefault();
      const row = Math.min(rows - 1, Math.max(0, Number(square.dataset.row) + by[0]));
      const col = Math.min(cols - 1, Math.max(0, Number(square.dataset.col) + by[1]));
      square.tabIndex = -1;
      at(row, col).tabIndex = 0;
      at(row, col).focus();
    }
  });
  grid.append(...squares);
  const refreshAll = () => squares.forEach((square) => refresh(Number(square.dataset.row), Number(square.dataset.col)));
  refreshAll();
  return { grid, refresh: refreshAll };
}
