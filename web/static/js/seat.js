// My seat: my board, what I may do, what the table wants to know from me.

import { act, button } from "./acting.js";
import { ask, command, Refused, tokens } from "./api.js";
import { $, fill, make } from "./dom.js";
import { showEnding } from "./ending.js";
import { lastMove } from "./feed.js";
import { game } from "./game.js";
import { watch } from "./live.js";
import { candidates, repairs } from "./questions.js";
import { signalTurn } from "./signal.js";
import { ruleLink } from "./rules.js";
import { colours, concerns, dueMarks, learnNames, markLine, offerLine, ownTurnLine, seatSays, sight, surfacesOf, turnLine, wrongRegions } from "./table.js";
import { language, number, playerName, say } from "./text.js";

const BOTS_MS = 2_000;
const hasOwnColour = document.documentElement.dataset.fixedColours !== undefined; // every seat, by its pieces
let state = null;
let seat = null;
let changing = false;
let line = null;
let entered = null;
const showPanel = game.panel({ can: $("can"), board: $("board"), enter });

start();

async function start() {
  await recall();
  showBot();
  line = watch({ onState: (next) => { state = next; show(); } });
}

/** Which seat this device's token stands for. */
async function recall() {
  if (!tokens.get("seat")) return;
  try {
    seat = (await ask("/api/me")).seat;
    if (seat === null) tokens.drop("seat");
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused; // no line yet: the stream will tell
    setTimeout(() => recall().then(show), 2000);
  }
}

function show() {
  if (!state) return;
  learnNames(state);
  const joined = seat !== null && !changing && state.people.seats.some((one) => one.seat === seat);
  $("join").hidden = joined;
  $("mine").hidden = !joined;
  signalTurn(joined && isMyTurn());
  if (joined) showMine();
  else showJoin();
}

const isMyTurn = () => !state.table.paused && ownTurnLine(state.table, seat) !== null;

// --- joining ---------------------------------------------------------------------------------

function showJoin() {
  const { people, table } = state;
  const taken = Object.fromEntries(people.seats.map((one) => [one.seat, one]));
  const names = table?.players ?? Array.from({ length: Number($("seats").dataset.most) }, (_, n) => say("table.seat", { seat: n + 1 }));
  const key = [names, people.seats.map((one) => [one.seat, one.name]), seat];
  const chosen = document.querySelector("[name=seat]:checked")?.value; // others may sit down while somebody chooses
  fill($("seats"), key, () => names.map((name, n) => {
    const mine = n === seat;
    const input = make("input", { type: "radio", name: "seat", value: n, required: true, disabled: taken[n] && !mine, checked: mine || (String(n) === chosen && !taken[n]), "data-focus": `seat-${n}` });
    const label = taken[n] && !mine ? say("seat.taken", { name: taken[n].name }) : `${n + 1} · ${name}`;
    const swatch = hasOwnColour ? make("span", { class: "swatch" }) : null;
    return make("label", { class: hasOwnColour ? `c-${colours(state)[n]}` : null, dir: "auto" }, input, swatch, label);
  }));
  for (const input of document.querySelectorAll("[name=colour]")) {
    input.disabled = people.seats.some((one) => one.colour === input.value && one.seat !== seat);
    if (input.disabled) input.checked = false;
  }
  if (!document.querySelector("[name=colour]:checked")) document.querySelector("[name=colour]:not(:disabled)").checked = true;
}

$("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData($("join"));
  const send = { seat: Number(form.get("seat")), name: form.get("name"), colour: form.get("colour"), language };
  try {
    const joined = await ask("/api/join", { send });
    tokens.set("seat", joined.token);
    seat = joined.seat;
    changing = false;
    localStorage.setItem("allcity.name", joined.name);
    line.restart(); // so that the others see who is here
    showBot();
  } catch (refused) {
    $("join-problem").textContent = refused.message;
    $("join-problem").hidden = false;
    return;
  }
  $("join-problem").hidden = true;
  show();
});
$("name").value = localStorage.getItem("allcity.name") ?? "";

// --- playing ---------------------------------------------------------------------------------

function showMine() {
  const { table } = state;
  const painted = colours(state);
  const plays = Boolean(table?.players?.[seat]);
  for (const part of ["status", "board", "can"]) {
    for (const name of [...$(part).classList]) if (name.startsWith("c-")) $(part).classList.remove(name);
    $(part).classList.add(`c-${painted[seat]}`);
  }
  showStatus(table, plays);
  showAsked(table, plays);
  showEntered(table);
  showEnding(table, painted, seat);
  for (const part of ["board", "can"]) $(part).hidden = !plays;
  $("wrong").hidden = !table.game;
  if (plays) showPanel(table, seat, { options: table.game.options ?? null, due: dueMarks(table, seat), alarm: surfacesOf(table, seat).flatMap((id) => wrongRegions(table, id)) });
  showTodo(table);
  showOthers(table, painted);
}

function showStatus(table, plays) {
  const mine = isMyTurn() ? ownTurnLine(table, seat) : null;
  const line = mine ?? turnLine(table);
  const told = plays && seatSays(table, seat).said ? seatSays(table, seat) : sight(table);
  $("status").classList.toggle("mine-now", mine !== null);
  fill($("status"), [line, told, table.scores?.[seat]], () => [
    make("div", { class: "row" }, make("p", { class: "what grow" }, line),
      plays ? make("span", { class: "score", title: say("show.total") }, number(table.scores[seat])) : null),
    make("p", { class: `state ${told.state}` }, told.said),
    ruleLink(table),
  ]);
}

function showAsked(table, plays) {
  const { question } = table;
  const mismatch = plays ? surfacesOf(table, seat).find((id) => table.boards?.[id]?.state === "mismatch") ?? null : null;
  const undo = state.people.undo_asked;
  const mine = question && plays && (question.alone === null ? concerns(table, seat, question.board) : question.alone === seat);
  $("asked").hidden = !(mine || mismatch || table.continue || undo);
  $("asked").classList.toggle("bad", Boolean(mismatch) && !mine);
  fill($("asked"), [mine && question, mismatch, table.boards?.[mismatch], table.restore, undo, table.continue], () => {
    if (table.continue) return [make("h2", {}, say("screen.interrupted")), make("p", {}, offerLine(table.continue)), button("seat.continue", () => command("continue"), "main")];
    if (mine) return candidates(question, (n) => act(() => command("answer", { number: n })), () => act(() => command("deny")));
    if (mismatch) return repairs(table, mismatch, { reread: () => act(() => command("reread")), restore: () => act(() => command("restore", { board: mismatch })) });
    if (!undo) return [];
    if (undo.seat === seat) return [make("h2", {}, say("seat.undo_sent")), make("p", {}, lastMove(table))];
    return [make("h2", {}, say("seat.undo_asked", { player: undo.seat })), make("p", {}, lastMove(table)),
      make("div", { class: "row" }, button("seat.agree", () => command("grant_undo"), "main"), button("seat.disagree", () => command("refuse_undo")))];
  });
}

/** Makes a move by hand. Throws what the table says against it. */
async function enter(move) {
  const { game_id: at, last_seq: after } = state.table;
  await command("do", { event: move });
  const left = game.toDo(move);
  if (left === null) return;
  entered = { ...left, at, after, seq: null };
  show();
  $("entered").focus();
}

/** What was entered by hand is not on the real board yet: that is said until it is seen there, somebody says so, or this seat moves on. */
function showEntered(table) {
  const newest = [...table.feed].reverse().find(({ event }) => event.player === seat && !game.consequences.includes(event.type))?.seq ?? 0;
  if (entered && !entered.seq && newest > entered.after) entered.seq = newest;
  if (entered && ((entered.seq && entered.seq !== newest) || entered.at !== table.game_id || table.result || isSeenDrawn(table))) entered = null;
  $("entered").hidden = entered === null;
  fill($("entered"), entered?.said, () => (entered ? [make("h2", {}, say("seat.entered")), make("p", {}, entered.said),
    make("p", { class: "row" }, make("button", { onclick: () => { entered = null; show(); } }, say("seat.drawn")))] : []));
}

/** Whether the camera has seen all of it; what leaves nothing to draw is never seen. */
function isSeenDrawn(table) {
  const missing = surfacesOf(table, seat).map((id) => table.undrawn?.[id]);
  if (!entered.seq || missing.includes(undefined)) return false;
  return entered.regions.length > 0 && !entered.regions.some((region) => missing.flat().includes(region));
}

function showTodo(table) {
  const marks = dueMarks(table, seat);
  $("todo").hidden = marks.length === 0;
  fill($("todo"), marks, () => [make("h2", {}, say("screen.marks")), make("ul", {}, marks.map((mark) => make("li", {}, markLine(table, mark))))]);
}

function showOthers({ players, scores }, painted) {
  $("others").hidden = !players;
  if (!players) return;
  fill($("others"), [scores, state.people, painted], () => [make("h2", {}, say("seat.others")),
    make("ul", { class: "people" }, players.map((_, other) => other).sort((a, b) => scores[b] - scores[a]).map((other) => {
      const person = state.people.seats.find((one) => one.seat === other);
      return make("li", { class: `c-${painted[other]}` }, make("span", { class: "name", dir: "auto" }, playerName(other)),
        person && !person.here ? make("span", { class: "small soft" }, say("screen.away")) : null, make("span", { class: "number" }, number(scores[other])));
    }))]);
}

// --- at the simulated table: who draws for me ---

/** Asked from time to time, as bots take and leave seats without any move. */
async function showBot() {
  if (!$("simulated") || seat === null || document.visibilityState !== "visible") return;
  const { bots } = await ask("/api/sim").catch(() => ({ bots: [] })); // no game lies there
  $("simulated").hidden = !bots.includes(seat) || Boolean(state?.table?.result);
}

setInterval(showBot, BOTS_MS);
document.addEventListener("visibilitychange", showBot);

// --- help ------------------------------------------------------------------------------------

$("undo").addEventListener("click", () => act(() => command("ask_undo")));
$("reread").addEventListener("click", () => act(() => command("reread"), say("seat.reread_sent")));
$("report").addEventListener("click", () => {
  $("reports").hidden = !$("reports").hidden;
  $("report").setAttribute("aria-expanded", String(!$("reports").hidden));
});
for (const one of document.querySelectorAll("[data-report]")) {
  one.addEventListener("click", () => act(() => command("report", { what: one.dataset.report }), say("seat.report_sent")));
}
$("change").addEventListener("click", () => { changing = true; show(); });
$("leave").addEventListener("click", () => act(async () => {
  await ask("/api/leave", { send: {} });
  tokens.drop("seat");
  seat = null;
  show();
}));
