// A board to draw on: with mouse or finger, or place by place with the keyboard.

import { $, fill, svg } from "../dom.js";
import { nameOf, say } from "../text.js";
import { beside, box, middle, WAYS, within } from "./places.js";

const SEND_MS = 120;
const MOST_POINTS = 400;
const TAP_MM = 2; // less than this is no line

/**
 * `send(action, args)` does something at the table, `regionsOf(board)` tells where everything is on a board.
 * Gives `show(board, edition, may)`, where another `edition` has other boards, and `choose(tool)`.
 */
export function paper(place, { send, regionsOf }) {
  let tool = "stroke";
  let shown = null; // {key, board, sheet, ink, cursor, regions, arrived}
  let drawing = null;
  const cursors = {}; // where the keyboard is, by board

  function show(board, edition, may) {
    if (drawing) return; // not under somebody's pen
    const key = JSON.stringify([board.board, edition]);
    if (shown?.key !== key || !place.contains(shown.sheet)) lay(board, key);
    shown.may = may;
    shown.sheet.classList.toggle("idle", !may);
    if (may && !board.places.length) shown.sheet.setAttribute("tabindex", "0");
    else shown.sheet.removeAttribute("tabindex");
    fill(shown.ink, [board.inks, board.strokes], () => [...board.inks.map(inkOf), ...board.strokes.map((stroke) => line(stroke.points, stroke.pen))]);
  }

  /** Another board. */
  function lay({ board, places, width_mm: width, height_mm: height }, key) {
    const picture = svg("image", { href: `/api/sim/boards/${board}.png?${encodeURIComponent(key)}`, width, height, preserveAspectRatio: "none" });
    const [ink, cursor] = [svg("g", {}), svg("polygon", { class: "cursor" })];
    const sheet = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "application", "aria-label": nameOf("surface", board), "aria-describedby": "draw-hint" }, picture, ink, cursor);
    const lying = { key, board, places, sheet, ink, cursor, regions: {} };
    for (const [event, heard] of [["pointerdown", begin], ["pointermove", go], ["pointerup", finish], ["pointercancel", finish], ["keydown", press], ["focus", point]]) sheet.addEventListener(event, heard);
    place.replaceChildren(sheet);
    shown = lying;
    lying.arrived = regionsOf(board).then((regions) => { lying.regions = regions; }, () => {});
  }

  // --- by hand --------------------------------------------------------------------------------

  function at(event) {
    const found = new DOMPoint(event.clientX, event.clientY).matrixTransform(shown.sheet.getScreenCTM().inverse());
    return [Math.round(found.x * 10) / 10, Math.round(found.y * 10) / 10];
  }

  function begin(event) {
    if (!shown.may || event.button !== 0) return;
    event.preventDefault();
    shown.sheet.setPointerCapture(event.pointerId);
    const first = at(event);
    drawing = { first, points: [first], isLine: false, line: line([first], tool === "stroke" ? "black" : "red"), timer: setInterval(sendOn, SEND_MS) };
    shown.sheet.append(drawing.line);
  }

  function go(event) {
    if (!drawing) return;
    const point = at(event);
    drawing.points.push(point);
    drawing.isLine ||= Math.hypot(point[0] - drawing.first[0], point[1] - drawing.first[1]) >= TAP_MM;
    drawing.line.setAttribute("points", `${drawing.line.getAttribute("points")} ${point.join()}`);
  }

  /** What was drawn since the last time; the next part begins where this one ends. */
  function sendOn() {
    const { points, isLine } = drawing;
    if (!isLine || points.length < 2) return;
    const sent = points.splice(0, points.length - 1);
    sent.push(points[0]);
    send(tool, { board: shown.board, points: sent.slice(-MOST_POINTS) });
  }

  async function finish() {
    if (!drawing) return;
    clearInterval(drawing.timer);
    sendOn();
    const { first, isLine, line: drawn } = drawing;
    drawing = null; // the next tap may come before the table has answered
    if (!isLine) await tap(first);
    setTimeout(() => drawn.remove(), 2 * SEND_MS); // by then it has come back from the table
  }

  /** A tap does what is usual there; beside everything it is a dot. */
  async function tap(point) {
    const [lying, held] = [shown, tool];
    await lying.arrived;
    const region = Object.keys(lying.regions).find((id) => within(lying.regions[id].outline, point));
    if (held === "erase" || lying.places.includes(region) || region === undefined) await send(held, { board: lying.board, points: [point] });
    else await mark(lying, region, lying.regions[region].mark);
  }

  // --- by keyboard ----------------------------------------------------------------------------

  function press(event) {
    if (!shown.may || event.ctrlKey || event.metaKey || event.altKey) return;
    const region = cursor();
    const usual = tool === "erase" ? "wipe" : shown.regions[region]?.mark;
    const act = { Enter: usual, " ": usual, x: "cross", o: "ring", Delete: "wipe", Backspace: "wipe" }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.key in WAYS) cursors[shown.board] = beside(shown.regions, region, WAYS[event.key]);
    else if (act && region) mark(shown, region, act);
    else return;
    event.preventDefault();
    point();
  }

  const cursor = () => (cursors[shown.board] in shown.regions ? cursors[shown.board] : Object.keys(shown.regions)[0]);

  function point() {
    const region = cursor();
    if (!region) return;
    cursors[shown.board] = region;
    shown.cursor.setAttribute("points", shown.regions[region].outline.map((corner) => corner.join()).join(" "));
    $("place").textContent = say("sim.at", { region });
  }

  async function mark({ board, regions }, region, how) {
    const lines = { cross: crossLines, ring: ringLines, wipe: wipeLines }[how](regions[region].outline);
    for (const points of lines) await send(how === "wipe" ? "erase" : "stroke", { board, points });
  }

  return { show, choose: (chosen) => { tool = chosen; } };
}

const line = (points, pen) => svg("polyline", { class: `line pen-${pen}`, points: points.map((point) => point.join()).join(" ") });

/** What bots have drawn: a cross through a square, a ring around a value. */
function inkOf({ outline, kind, pen }) {
  const lines = (kind === "circle" ? ringLines : crossLines)(outline);
  return svg("g", {}, lines.map((points) => line(points, pen)));
}

// --- lines --------------------------------------------------------------------------------------

function crossLines(outline) {
  const [x, y] = middle(outline);
  const { left, right, top, bottom } = box(outline);
  const [across, down] = [0.4 * (right - left), 0.4 * (bottom - top)];
  return [[[x - across, y - down], [x, y], [x + across, y + down]], [[x - across, y + down], [x, y], [x + across, y - down]]];
}

function ringLines(outline) {
  const [x, y] = middle(outline);
  const { left, right, top, bottom } = box(outline);
  const turns = Array.from({ length: 25 }, (_, n) => (2 * Math.PI * n) / 24);
  return [turns.map((turn) => [x + 0.48 * (right - left) * Math.cos(turn), y + 0.48 * (bottom - top) * Math.sin(turn)])];
}

const wipeLines = (outline) => [[middle(outline)]];
