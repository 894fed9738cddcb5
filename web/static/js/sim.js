// The simulated table by hand.

import { act as attempt } from "./acting.js";
import { ask, tokens } from "./api.js";
import { $, fill, make, svg } from "./dom.js";
import { die } from "./hq.js";
import { watch } from "./live.js";
import { learnNames, sight } from "./table.js";
import { boardName, playerName, say } from "./text.js";

const EVERY_MS = 500;
const SEND_MS = 120;
let shown = null;
let board = "city-1";
let tool = "stroke";
let drawing = null;

const as = () => (tokens.get("host") ? "host" : "seat");

async function act(action, args = {}) {
  await attempt(() => ask("/api/sim", { send: { action, ...args }, as: as() }));
  await look();
}

async function look() {
  try {
    shown = await ask("/api/sim", { as: as() });
  } catch {
    return;
  }
  show();
}

function show() {
  if (!shown) return;
  $("no-token").hidden = Boolean(tokens.get("seat") || tokens.get("host"));
  if (!shown.boards.some((one) => one.board === board)) board = shown.boards[0].board;
  fill($("boards"), [shown.boards.map((one) => boardName(one.board)), board], () => shown.boards.map((one) =>
    make("button", { "aria-pressed": String(one.board === board), "data-focus": one.board, onclick: () => { board = one.board; show(); } }, boardName(one.board))));
  showPaper(shown.boards.find((one) => one.board === board));
  showDice();
  const seats = shown.boards.filter((one) => one.board !== "hq").map((_, seat) => seat);
  fill($("bots"), [shown.bots, seats.map(playerName)], () => seats.map((seat) => make("label", { class: "tick" },
    make("input", { type: "checkbox", checked: shown.bots.includes(seat), "data-focus": `bot-${seat}`, onchange: () => act("bots", { seats: toggled(seat) }) }), playerName(seat))));
  fill($("glow"), shown.glow, () => Object.entries(shown.glow).map(([zone, [red, green, blue]]) =>
    svg("svg", { viewBox: "0 0 22 22" }, svg("title", {}, zone), svg("circle", { cx: 11, cy: 11, r: 9, fill: `rgb(${red} ${green} ${blue})` }))));
  for (const id of ["lamp", "daylight"]) if (document.activeElement !== $(id)) $(id).value = shown[id];
  $("covered").checked = shown.covered;
  for (const input of document.querySelectorAll("[data-device]")) input.checked = shown.unplugged.includes(input.dataset.device);
  $("hand").setAttribute("aria-pressed", String(shown.boards.find((one) => one.board === board).hand));
}

const toggled = (seat) => (shown.bots.includes(seat) ? shown.bots.filter((one) => one !== seat) : [...shown.bots, seat]);

// --- paper and pen ---------------------------------------------------------------------------

function showPaper(one) {
  if (drawing) return; // not under somebody's pen
  fill($("paper"), one, () => {
    const paper = svg("svg", { viewBox: `0 0 ${one.width_mm} ${one.height_mm}`, role: "img", "aria-label": boardName(one.board) },
      svg("image", { href: `/api/sim/boards/${one.board}.png`, width: one.width_mm, height: one.height_mm, preserveAspectRatio: "none" }),
      one.inks.map(inkOf), one.strokes.map((stroke) => line(stroke.points, stroke.pen)));
    paper.addEventListener("pointerdown", begin);
    paper.addEventListener("pointermove", go);
    for (const end of ["pointerup", "pointercancel"]) paper.addEventListener(end, finish);
    return paper;
  });
}

const line = (points, pen) => svg("polyline", { class: `line pen-${pen}`, points: points.map((point) => point.join()).join(" ") });

/** What bots have drawn: a cross through a square, a ring around a value. */
function inkOf({ outline: [[left, top], , [right, bottom]], kind, pen }) {
  const name = `line pen-${pen}`;
  if (kind === "circle") return svg("ellipse", { class: name, cx: (left + right) / 2, cy: (top + bottom) / 2, rx: (right - left) / 2, ry: (bottom - top) / 2 });
  return svg("path", { class: name, d: `M${left + 1} ${top + 1}L${right - 1} ${bottom - 1}M${right - 1} ${top + 1}L${left + 1} ${bottom - 1}` });
}

function place(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(event.currentTarget.getScreenCTM().inverse());
  return [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10];
}

function begin(event) {
  event.preventDefault();
  event.currentTarget.setPointerCapture(event.pointerId);
  const first = place(event);
  drawing = { points: [first], line: line([first], tool === "stroke" ? "black" : "red"), timer: setInterval(send, SEND_MS), board, tool };
  event.currentTarget.append(drawing.line);
}

function go(event) {
  if (!drawing) return;
  drawing.points.push(place(event));
  drawing.line.setAttribute("points", `${drawing.line.getAttribute("points")} ${drawing.points.at(-1).join()}`);
}

/** What was drawn since the last time; the next part begins where this one ends. */
function send() {
  const { points, tool: using, board: on } = drawing;
  if (points.length < 2) return;
  const sent = points.splice(0, points.length - 1);
  sent.push(points[0]);
  attempt(() => ask("/api/sim", { send: { action: using, board: on, points: sent.slice(-400) }, as: as() }));
}

function finish() {
  if (!drawing) return;
  clearInterval(drawing.timer);
  send();
  drawing = null;
  setTimeout(look, SEND_MS);
}

// --- dice and the rest -----------------------------------------------------------------------

function showDice() {
  fill($("dice"), shown.dice, () => shown.dice.map((one) => make("li", {}, die(one.value),
    make("select", { "aria-label": say("sim.section"), "data-focus": `put-${one.die}`, onchange: (event) => act("put", { die: one.die, section: Number(event.target.value) }) },
      make("option", { value: "", selected: one.section === null, disabled: true }, say("sim.beside")),
      [1, 2, 3, 4, 5, 6].map((section) => make("option", { value: section, selected: one.section === section }, say("sim.on_section", { section })))),
    make("button", { "data-focus": `take-${one.die}`, onclick: () => act("take", { die: one.die }) }, say("sim.take")),
    make("button", { "data-focus": `knock-${one.die}`, onclick: () => act("knock", { die: one.die }) }, say("sim.knock")))));
}

function choose(chosen) {
  tool = chosen;
  $("pen").setAttribute("aria-pressed", String(tool === "stroke"));
  $("cloth").setAttribute("aria-pressed", String(tool === "erase"));
}

$("roll").addEventListener("click", () => act("roll"));
$("pen").addEventListener("click", () => choose("stroke"));
$("cloth").addEventListener("click", () => choose("erase"));
$("wipe").addEventListener("click", () => act("wipe", { board }));
$("bump").addEventListener("click", () => act("bump"));
$("nudge").addEventListener("click", () => act("nudge", { board }));
$("hand").addEventListener("click", () => act("hand", { board, on: $("hand").getAttribute("aria-pressed") !== "true" }));
$("covered").addEventListener("change", () => act("cover", { on: $("covered").checked }));
for (const id of ["lamp", "daylight"]) $(id).addEventListener("change", () => act(id, { level: Number($(id).value) }));
for (const one of document.querySelectorAll("[data-device]")) one.addEventListener("change", () => act("cable", { device: one.dataset.device, on: !one.checked }));
for (const one of document.querySelectorAll("[data-thing]")) one.addEventListener("click", () => act("lay", { thing: one.dataset.thing }));
for (const one of document.querySelectorAll("[data-press]")) one.addEventListener("click", () => act("press", { button: one.dataset.press, long: "long" in one.dataset }));

watch({ onState: (state) => { learnNames(state); $("sees").textContent = state.table ? sight(state.table).said : ""; show(); } });
refresh();
setInterval(() => document.visibilityState === "visible" && refresh(), EVERY_MS);

function refresh() {
  look();
  $("camera").src = `/api/sim/camera.jpg?${Date.now()}`;
}
