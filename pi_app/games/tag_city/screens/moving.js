// The chosen shape over the own board: dragged with a finger or a mouse, moved with arrow keys, turned and flipped.

import { $, fill, make, svg } from "/static/js/dom.js";
import { number, say } from "/static/js/text.js";
import { boardSize } from "./board.js";
import { picking } from "./picking.js";
import { squareName } from "./piece.js";

const STEPS = { ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowRight: [0, 1] };
const SIGNS = { ArrowLeft: ["◀", "seat.left"], ArrowUp: ["▲", "seat.up"], ArrowDown: ["▼", "seat.down"], ArrowRight: ["▶", "seat.right"] };

let game = null;
let own = null;
let held = null;

/** Shows what is chosen over this seat's board, or that nothing is. */
export function showMoving(shownGame, seat) {
  game = shownGame;
  own = game.boards[seat];
  const { piece, bubble } = picking();
  $("moving").hidden = piece === null && bubble === undefined;
  $("tools").hidden = piece === null;
  $("piece").hidden = piece === null;
  $("where").textContent = piece ? whereLine(piece) : bubble === undefined ? "" : bubbleLine(bubble);
  $("where").className = `where ${!piece || piece.placement ? "fine" : "problem"}`;
  $("enter").disabled = piece !== null && !piece.placement;
  if (piece) drawPiece(piece);
}

function drawPiece(piece) {
  const { left, top, width, height, cell } = boardSize(game.city);
  const share = (part, whole) => `${(100 * part) / whole}%`;
  Object.assign($("piece").style, {
    left: share(left + piece.col * cell, width),
    top: share(top + piece.row * cell, height),
    width: share(piece.width * cell, width),
    height: share(piece.height * cell, height),
  });
  $("piece").classList.toggle("fits", Boolean(piece.placement));
  $("piece").setAttribute("aria-label", `${picking().group.shape}: ${whereLine(piece)}`);
  fill($("piece"), piece.squares, () => svg("svg", { viewBox: `0 0 ${10 * piece.width} ${10 * piece.height}`, "aria-hidden": "true" },
    piece.squares.map(([row, col]) => svg("rect", { x: 10 * col + 0.7, y: 10 * row + 0.7, width: 8.6, height: 8.6, rx: 1.4 }))));
}

/** Where the piece lies, and whether it fits there. */
function whereLine(piece) {
  const [from, to] = piece.corners;
  const where = from === to ? from : say("seat.from_to", { from, to });
  if (piece.placement) return say("seat.fits", { where });
  const painted = piece.cells.filter(([row, col]) => own.painted[row][col] === "#").map(squareName);
  return painted.length ? say("seat.painted", { where, squares: painted.join(" ") }) : say("seat.fits_not", { where });
}

function bubbleLine(bubble) {
  if (bubble === null) return say("seat.free_check");
  return say("seat.bubble_chosen", { number: bubble, value: number(own.bubbles[bubble - 1].value) });
}

/** Lays out the place of the own board, with all that moves a piece over it. */
function layOut(board) {
  const tool = (id, sign, key) => make("button", { id }, make("span", { "aria-hidden": "true" }, sign), say(key));
  board.append(
    make("div", { id: "area", class: "area" }, make("div", { id: "city" }),
      make("div", { id: "piece", class: "piece", role: "application", tabindex: "0", "aria-describedby": "piece-keys", hidden: true })),
    make("p", { id: "piece-keys", class: "hidden" }, say("seat.piece_keys")),
    make("div", { id: "moving", class: "moving", hidden: true },
      make("p", { id: "where", class: "where", role: "status" }),
      make("div", { id: "tools", class: "tools" },
        Object.entries(SIGNS).map(([step, [sign, key]]) => make("button", { "data-step": step, "aria-label": say(key) }, sign)),
        tool("turn-piece", "↻", "seat.turn"), tool("flip-piece", "⇆", "seat.flip")),
      make("div", { class: "row" }, make("button", { id: "enter", class: "main grow" }, say("seat.enter")), make("button", { id: "put-back" }, say("seat.put_back")))));
}

/** Makes `board` the place of the own board. Calls these for what people do there: the piece has moved, is put back, or is entered. */
export function listenToPiece(board, { onMoved, onPutBack, onEnter }) {
  layOut(board);
  $("enter").addEventListener("click", onEnter);
  const change = (what) => {
    const { piece } = picking();
    if (!piece) return;
    what(piece);
    onMoved();
  };
  const squarePx = () => $("piece").offsetWidth / picking().piece.width;

  $("piece").addEventListener("pointerdown", (event) => {
    event.preventDefault(); // no text is selected while it is dragged
    $("piece").focus({ preventScroll: true });
    $("piece").setPointerCapture(event.pointerId);
    const { row, col } = picking().piece;
    held = { x: event.clientX, y: event.clientY, row, col };
  });
  $("piece").addEventListener("pointermove", (event) => {
    if (!held || event.buttons === 0) return; // it was let go while there was no piece to see that
    const squares = (px) => Math.round(px / squarePx());
    const { row, col } = held;
    change((piece) => piece.moveTo(row + squares(event.clientY - held.y), col + squares(event.clientX - held.x)));
  });
  for (const end of ["pointerup", "pointercancel"]) $("piece").addEventListener(end, () => { held = null; });

  $("area").addEventListener("click", (event) => {
    if ($("piece").contains(event.target)) return;
    const { left, top, width, cell } = boardSize(game.city);
    const box = $("area").getBoundingClientRect();
    const at = (px, from) => Math.floor(((px * width) / box.width - from) / cell);
    const row = at(event.clientY - box.top, top);
    const col = at(event.clientX - box.left, left);
    if (row >= 0 && row < game.city.rows && col >= 0 && col < game.city.cols) change((piece) => piece.centreOn(row, col));
  });

  for (const one of document.querySelectorAll("[data-step]")) one.addEventListener("click", () => change((piece) => piece.moveBy(...STEPS[one.dataset.step])));
  $("turn-piece").addEventListener("click", () => change((piece) => piece.turn()));
  $("flip-piece").addEventListener("click", () => change((piece) => piece.flip()));
  $("put-back").addEventListener("click", onPutBack);
  board.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !picking().piece) return;
    const step = event.target === $("piece") ? STEPS[event.key] : undefined;
    if (step) change((piece) => piece.moveBy(...step));
    else if (event.key.toLowerCase() === "r") change((piece) => piece.turn());
    else if (event.key.toLowerCase() === "f") change((piece) => piece.flip());
    else if (event.key === "Escape") onPutBack();
    else return;
    event.preventDefault();
  });
}
