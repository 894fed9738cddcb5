// The simulated table by hand, on one page: what to do now, dice, boards, pieces and pen, the camera's picture.

import { act as attempt, tell } from "./acting.js";
import { ask } from "./api.js";
import { $, fill, make, svg } from "./dom.js";
import { watch } from "./live.js";
import { ruleLink } from "./rules.js";
import { dicePanel } from "./sim/dice.js";
import { paper } from "./sim/paper.js";
import { piecesSheet } from "./sim/pieces.js";
import { colours, dueMarks, learnNames, markLine, sight, turnLine, turnSeat } from "./table.js";
import { knows, nameOf, playerName, say } from "./text.js";

const EVERY_MS = 500;
const LATE_LOOKS = 8; // so many answers may still be from before a choice
const KINDS = { mismatch: "bad", camera_lost: "bad", asking: "warn" };
let state = null; // what everybody is shown
let shown = null; // what lies on the simulated table
let me = { host: false, seat: null }; // who this device is
let meKnown = false; // the table has answered to that when it was last asked
let chosen = null; // the bots' seats as tapped here until the table shows them, and how many more looks that may take
let sent = Promise.resolve(); // one choice after the other
let board = null;
let turn = ""; // the last turn whose board was laid out by itself

const as = () => (me.host ? "host" : "seat");
const may = () => shown !== null && (me.host || me.seat !== null);
const send = (action, args) => attempt(() => ask("/api/sim", { send: { action, ...args }, as: as() }));

async function act(action, args = {}) {
  await send(action, args);
  await look();
}

async function look() {
  try {
    const found = await ask("/api/sim", { as: as() });
    if (shown === null) tell("", "");
    keepChoice(found);
    shown = found;
  } catch (refused) {
    if (refused.key !== "sim.no_game") return; // the banner says when the line is gone
    shown = null;
    tell(refused.message, "bad");
  }
  show();
}

/** What was looked at before a tap must not undo it: the next tap goes on from what is shown. */
function keepChoice(found) {
  if (chosen === null) return;
  chosen.looks -= 1;
  const isTaken = JSON.stringify(chosen.seats) === JSON.stringify(found.bots);
  if (isTaken || chosen.looks < 0) chosen = null;
  else found.bots = chosen.seats;
}

/** A token may be old: only the table knows who this device is. */
async function askWho() {
  try {
    const [host, seat] = await Promise.all(["host", "seat"].map((kind) => ask("/api/me", { as: kind })));
    me = { host: host.host, seat: seat.seat };
    meKnown = true;
    show();
  } catch {
    meKnown = false; // until it is asked again, who we are is as before
  }
}

// --- what is shown ----------------------------------------------------------------------------

const seats = () => (state?.table?.players ?? []).map((_, seat) => seat);
const byHand = (seat) => !shown.bots.includes(seat);
const boardOf = (seat) => shown.boards.find((one) => one.owner === seat)?.board;
const seatOf = (id) => shown.boards.find((one) => one.board === id)?.owner ?? null;
const laysPieces = () => shown.boards.some((one) => one.lays);
const acts = () => (shown.turn.seats.some(byHand) ? shown.turn.acts : []); // what somebody here has to do

function show() {
  $("no-token").hidden = may() || shown === null || !meKnown;
  $("table").hidden = shown === null;
  for (const controls of document.querySelectorAll("fieldset.acts")) controls.disabled = !may();
  if (state) showNow();
  if (!shown) return;
  layOut();
  showSheet(shown.boards.find((one) => one.board === board));
  const rolls = shown.boards.some((one) => one.places.length) || shown.turn.acts.includes("roll");
  $("dice-card").hidden = !rolls;
  if (rolls) dice.show(shown, acts());
  showBoards();
  showSeats();
  showFaults();
}

/** A board to draw on, or one where pieces lie. */
function showSheet(one) {
  const edition = state?.table?.game_id;
  $("paper").parentElement.classList.toggle("laying", one.lays);
  for (const id of ["pen", "cloth", "wipe", "draw-hint"]) $(id).hidden = one.lays;
  for (const id of ["larger", "pieces-hint", "pieces-card"]) $(id).hidden = !one.lays;
  if (!one.lays) {
    sheet.show(one, edition, may());
    return;
  }
  laid.show(one, edition, may(), acts().includes("put") ? shown.turn.fits : {});
  laid.panel($("here"));
}

/** The turn, how the table sees it, and what that means on this page. */
function showNow() {
  const { table } = state;
  if (!table) return;
  const [seat, seen] = [turnSeat(table), sight(table)];
  $("now").className = `card now${seat === null ? "" : ` c-${colours(state)[seat]}`}`;
  fill($("turn"), turnLine(table), () => turnLine(table));
  fill($("sees"), [seen, seat], () => make("p", { class: `note ${KINDS[seen.state] ?? ""}` }, seen.said, ...answer(seen)));
  $("sees").hidden = !seen.said;
  const hint = shown && !table.paused ? hintFor() : "";
  const toSeats = hint && !seats().some(byHand) ? make("a", { href: "#seats-title" }, say("sim.seats")) : null;
  fill($("how"), [hint, shown?.turn.acts], () => [hint ? make("span", {}, hint, " ", toSeats ?? "") : null, ruleLink(table)]);
  const due = shown && may() ? dueMarks(table).filter((mark) => (mark.seat === null ? seats().some(byHand) : byHand(mark.seat))) : [];
  $("due").hidden = !due.length;
  $("due-title").textContent = say(shown && laysPieces() ? "sim.due_pieces" : "sim.due");
  fill($("marks"), due.map((mark) => markLine(table, mark)), () => due.map((mark) =>
    make("li", {}, make("button", { class: "small", "data-focus": `${mark.board} ${mark.region}`, onclick: () => pointAt(mark) }, markLine(table, mark)))));
}

function pointAt({ board: at, region }) {
  board = at;
  laid.choose(at, region);
}

/** Where a question of the table is answered. */
function answer(seen) {
  if (!["asking", "mismatch"].includes(seen.state)) return [];
  return [" ", make("a", { href: me.host ? "/host" : "/seat" }, say(me.host ? "web.nav_host" : "web.nav_seat"))];
}

function hintFor() {
  if (!state?.table?.game || state.table.result || !may()) return "";
  if (!seats().some(byHand)) return say("sim.now_bots");
  if (!shown.turn.seats.some(byHand)) return say("sim.now_wait");
  if (!acts().length) return say("sim.now_elsewhere");
  const ofPieces = `sim.pieces_${acts().join("_")}`;
  return say(laysPieces() && knows(ofPieces) ? ofPieces : `sim.now_${acts().join("_")}`);
}

/** The board of whose turn it is comes by itself, once; then everybody may look at another. */
function layOut() {
  const own = shown.turn.seats.filter(byHand).sort((a, b) => (b === me.seat) - (a === me.seat))[0];
  const now = own === undefined ? "" : JSON.stringify([state?.table?.round, acts(), own]);
  if (now && now !== turn) board = boardToPut() ?? boardOf(own);
  turn = now || turn;
  if (!shown.boards.some((one) => one.board === board)) board = boardOf(me.seat ?? Math.max(0, seats().findIndex(byHand)));
  if (!shown.boards.some((one) => one.board === board)) board = shown.boards[0].board;
}

/** Where all pieces go that may be put now, if that is one board. */
function boardToPut() {
  const boards = new Set(laysPieces() ? Object.values(shown.turn.fits).flat().map(([at]) => at) : []);
  return boards.size === 1 ? [...boards][0] : undefined;
}

function showBoards() {
  const looks = state ? colours(state) : [];
  const name = (id) => (seatOf(id) === null ? nameOf("surface", id) : playerName(seatOf(id)));
  fill($("boards"), [shown.boards.map((one) => [name(one.board), laid.fitting(one.board)]), board, looks], () => shown.boards.map(({ board: id }) =>
    make("button", { class: `c-${looks[seatOf(id)] ?? ""}${laid.fitting(id) ? " fits" : ""}`, "aria-pressed": String(id === board), "aria-label": nameOf("surface", id), "data-focus": id, onclick: () => { board = id; show(); } },
      seatOf(id) === null ? null : make("span", { class: "swatch" }), make("span", { class: "called" }, name(id)))));
}

/** Who plays each seat: somebody by hand, or a bot. */
function showSeats() {
  const looks = state ? colours(state) : [];
  const hands = seats().filter(byHand);
  const names = hands.map(playerName).join(", ");
  $("who").textContent = !hands.length ? say("sim.all_bots") : shown.bots.length ? say("sim.some_hands", { names }) : say("sim.all_hands");
  const set = (seat, isBot) => {
    const others = shown.bots.filter((one) => one !== seat);
    const seats = isBot ? [...others, seat].sort() : others;
    shown.bots = seats; // the next tap may come before the table has answered
    chosen = { seats, looks: LATE_LOOKS };
    sent = sent.then(() => act("bots", { seats }));
  };
  fill($("seats"), [shown.bots, seats().map(playerName), looks, me.seat], () => seats().map((seat) => {
    const way = (isBot, key) => make("button", { "aria-pressed": String(byHand(seat) !== isBot), "data-focus": `${key}-${seat}`, onclick: () => set(seat, isBot) }, say(key));
    return make("li", { class: `c-${looks[seat] ?? ""}` },
      make("span", {}, make("bdi", { class: "name" }, playerName(seat)), seat === me.seat ? ` (${say("sim.me")})` : ""),
      make("span", { class: "switch", role: "group", "aria-label": playerName(seat) }, way(false, "sim.by_hand"), way(true, "sim.by_bot")));
  }));
}

function showFaults() {
  fill($("glow"), shown.glow, () => Object.entries(shown.glow).map(([zone, [red, green, blue]]) =>
    svg("svg", { viewBox: "0 0 22 22" }, svg("title", {}, zone), svg("circle", { cx: 11, cy: 11, r: 9, fill: `rgb(${red} ${green} ${blue})` }))));
  for (const id of ["lamp", "daylight"]) if (document.activeElement !== $(id)) $(id).value = shown[id];
  $("covered").checked = shown.covered;
  for (const input of document.querySelectorAll("[data-device]")) input.checked = shown.unplugged.includes(input.dataset.device);
  $("hand").setAttribute("aria-pressed", String(shown.boards.find((one) => one.board === board).hand));
  $("roll").classList.toggle("main", acts().includes("roll"));
}

// --- what can be done -------------------------------------------------------------------------

const sheet = paper($("paper"), {
  send: async (action, args) => {
    await send(action, args);
    await look();
  },
  regionsOf: (id) => ask(`/api/sim/boards/${id}.json`),
});
const laid = piecesSheet($("paper"), { act, regionsOf: (id) => ask(`/api/sim/boards/${id}.json`), kindsOf: () => ask("/api/sim/pieces.json"), changed: () => show() });
const dice = dicePanel($("dice"), act);

function choose(tool) {
  sheet.choose(tool);
  $("pen").setAttribute("aria-pressed", String(tool === "stroke"));
  $("cloth").setAttribute("aria-pressed", String(tool === "erase"));
}

const on = (id, event, what) => $(id).addEventListener(event, what);
const every = (selector, event, what) => document.querySelectorAll(selector).forEach((one) => one.addEventListener(event, () => what(one)));
on("roll", "click", () => act("roll"));
on("pen", "click", () => choose("stroke"));
on("cloth", "click", () => choose("erase"));
on("larger", "click", () => {
  const isLarge = $("paper").classList.toggle("large");
  $("larger").setAttribute("aria-pressed", String(isLarge));
});
on("wipe", "click", () => act("wipe", { board }));
on("bump", "click", () => act("bump"));
on("nudge", "click", () => act("nudge", { board }));
on("hand", "click", () => act("hand", { board, on: $("hand").getAttribute("aria-pressed") !== "true" }));
on("covered", "change", () => act("cover", { on: $("covered").checked }));
for (const id of ["lamp", "daylight"]) on(id, "change", () => act(id, { level: Number($(id).value) }));
every("[data-device]", "change", (one) => act("cable", { device: one.dataset.device, on: !one.checked }));
every("[data-thing]", "click", (one) => act("lay", { thing: one.dataset.thing }));
every("[data-press]", "click", (one) => act("press", { button: one.dataset.press, long: "long" in one.dataset }));

watch({ onState: (news) => { state = news; learnNames(state); show(); } });
askWho().then(refresh);
setInterval(() => document.visibilityState === "visible" && refresh(), EVERY_MS);
for (const back of ["focus", "storage"]) window.addEventListener(back, askWho); // somebody took a seat in another tab

function refresh() {
  if (!meKnown) askWho();
  look();
  if ($("camera").complete) $("camera").src = `/api/sim/camera.jpg?${Date.now()}`;
}
