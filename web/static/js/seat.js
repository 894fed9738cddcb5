// My seat: my board, what I may do, what the table wants to know from me.

import { act, button } from "./acting.js";
import { ask, command, Refused, tokens } from "./api.js";
import { cityBoard } from "./board.js";
import { $, fill, make } from "./dom.js";
import { die, shape } from "./hq.js";
import { watch } from "./live.js";
import { choose, chosen, forget, picking } from "./picking.js";
import { candidates, repairs } from "./questions.js";
import { boardSays, colours, dueMarks, learnNames, markLine, ownTurnLine, sight, turnLine } from "./table.js";
import { language, number, playerName, say } from "./text.js";

let state = null;
let seat = null;
let changing = false;
let line = null;

start();

async function start() {
  await recall();
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
  if (joined) showMine();
  else showJoin();
}

// --- joining ---------------------------------------------------------------------------------

function showJoin() {
  const { people, table } = state;
  const taken = Object.fromEntries(people.seats.map((one) => [one.seat, one]));
  const names = table?.game ? table.game.boards.map((board) => board.player) : [0, 1, 2, 3].map((n) => say("table.seat", { seat: n + 1 }));
  const key = [names, people.seats.map((one) => [one.seat, one.name]), seat];
  fill($("seats"), key, () => names.map((name, n) => {
    const mine = n === seat;
    const input = make("input", { type: "radio", name: "seat", value: n, required: true, disabled: taken[n] && !mine, checked: mine, "data-focus": `seat-${n}` });
    const label = taken[n] && !mine ? say("seat.taken", { name: taken[n].name }) : `${n + 1} · ${name}`;
    return make("label", { dir: "auto" }, input, label);
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
  const game = table?.game;
  const painted = colours(state);
  const own = game?.boards[seat];
  for (const part of ["status", "board", "can"]) $(part).classList.add(`c-${painted[seat]}`);
  for (const part of ["status", "board", "can"]) {
    for (const name of [...$(part).classList]) if (name.startsWith("c-") && name !== `c-${painted[seat]}`) $(part).classList.remove(name);
  }
  showStatus(table, game, own);
  showAsked(table, own);
  $("board").hidden = !own;
  if (own) showBoard(table, game, own);
  showCan(table, game);
  showTodo(table);
  showOthers(game, painted);
}

function showStatus(table, game, own) {
  const mine = table.paused ? null : ownTurnLine(game, seat);
  const line = mine ?? turnLine(table);
  const told = own && boardSays(table, own.board).said ? boardSays(table, own.board) : sight(table);
  $("status").classList.toggle("mine-now", mine !== null);
  fill($("status"), [line, told, own?.score.total], () => [
    make("div", { class: "row" }, make("p", { class: "what grow" }, line),
      own ? make("span", { class: "score", title: say("show.total") }, number(own.score.total)) : null),
    make("p", { class: `state ${told.state}` }, told.said),
  ]);
}

function showAsked(table, own) {
  const { question } = table;
  const mismatch = own && table.boards?.[own.board]?.state === "mismatch" ? own.board : null;
  const undo = state.people.undo_asked;
  const mine = question && own && [own.board, "hq"].includes(question.board);
  $("asked").hidden = !(mine || mismatch || table.continue || (undo && undo.seat !== seat));
  $("asked").classList.toggle("bad", Boolean(mismatch) && !mine);
  fill($("asked"), [mine && question, mismatch, table.boards?.[mismatch], table.restore, undo, table.continue], () => {
    if (table.continue) return [make("h2", {}, say("screen.interrupted")), button("seat.continue", () => command("continue"), "main")];
    if (mine) return candidates(question, (n) => act(() => command("answer", { number: n })));
    if (mismatch) return repairs(table, mismatch, { reread: () => act(() => command("reread")), restore: () => act(() => command("restore", { board: mismatch })) });
    if (!undo) return [];
    return [make("h2", {}, say("seat.undo_asked", { player: undo.seat })),
      make("div", { class: "row" }, button("seat.agree", () => command("grant_undo"), "main"), button("seat.disagree", () => command("refuse_undo")))];
  });
}

function showBoard(table, game, own) {
  const pick = picking();
  const due = dueMarks(table, seat);
  const fresh = [...table.feed].reverse().find((record) => record.event.cells && record.event.player === seat)?.event.cells ?? [];
  const options = { due, fresh, ghosts: pick.ghosts, picked: pick.picked, onSquare: pick.ways.length ? (row, col) => { choose(row, col); show(); } : null };
  fill($("board"), [game.boards[seat], options.ghosts, options.picked, due, fresh], () => cityBoard(game, seat, options));
}

function showCan(table, game) {
  const options = table.options?.[seat];
  $("can").hidden = !options;
  if (!options) {
    forget();
    return;
  }
  const pick = picking();
  fill($("can"), [options, pick.key], () => (options.place ? placing(game, options.place) : drafting(game, options, pick)));
}

/** As the leader: where each die may go. */
function placing(game, place) {
  return [make("h2", {}, say("seat.place")),
    make("ul", { class: "people" }, place.map(({ die: n, sections }) => make("li", {}, die(game.dice[n].value),
      make("span", {}, say("seat.place_on", { sections: sections.map((s) => `${s} (${game.sections[s - 1].shape})`).join(", ") })))))];
}

/** As a tagger: my dice, and for the chosen one every legal placement. */
function drafting(game, options, pick) {
  const shapeOf = (n) => game.sections[game.dice[n].section - 1].shape;
  const parts = [make("h2", {}, say("seat.can")),
    make("p", { class: "small soft" }, say("seat.can_hint")),
    make("div", { class: "dice-row" }, options.dice.map((n) => make("button", { "aria-pressed": String(pick.die === n), "data-focus": `die-${n}`,
      onclick: () => act(async () => { await chosen(seat, n); show(); }) }, die(game.dice[n].value), make("span", { class: "small" }, shapeOf(n)))))];
  if (pick.die === null) return parts;
  const way = (group, n) => make("button", { "aria-pressed": String(pick.group === n), "data-focus": `way-${n}`,
    onclick: () => { pick.useGroup(n); show(); } }, shape(game.shapes[group.shape].cells, group.shape),
    say(group.drone === null ? "seat.ways" : "seat.ways_drone", { count: group.placements.length }));
  const ways = pick.groups.map((group, n) => [group, way(group, n)]);
  const flown = ways.filter(([group]) => group.drone !== null).map(([, one]) => one);
  parts.push(make("div", { class: "ways" }, ways.filter(([group]) => group.drone === null).map(([, one]) => one)));
  if (flown.length) parts.push(make("details", { open: pick.groups[pick.group]?.drone !== null }, make("summary", {}, say("seat.with_drone")), make("div", { class: "ways" }, flown)));
  if (pick.ways.length) {
    parts.push(make("div", { class: "step" }, make("button", { "aria-label": say("seat.previous"), "data-focus": "prev", onclick: () => { pick.step(-1); show(); } }, "◀"),
      make("span", { class: "number" }, pick.at === null ? say("seat.ways", { count: pick.ways.length }) : `${pick.at + 1} / ${pick.ways.length}`),
      make("button", { "aria-label": say("seat.following"), "data-focus": "next", onclick: () => { pick.step(1); show(); } }, "▶")));
  }
  if (pick.at !== null) parts.push(make("p", { class: "row" }, button("seat.enter", () => enterShape(pick), "main")));
  if (pick.social.includes(null)) parts.push(make("p", {}, button("seat.free_check", () => command("do", { event: { type: "social_checked", player: seat, die: pick.die, bubble: null } }))));
  return parts;
}

function enterShape(pick) {
  const { shape: name, drone } = pick.groups[pick.group];
  return command("do", { event: { type: "shape_painted", player: seat, die: pick.die, shape: name, cells: pick.picked, drone } });
}

function showTodo(table) {
  const marks = dueMarks(table, seat);
  $("todo").hidden = marks.length === 0;
  fill($("todo"), marks, () => [make("h2", {}, say("screen.marks")), make("ul", {}, marks.map((mark) => make("li", {}, markLine(table.game, mark))))]);
}

function showOthers(game, painted) {
  $("others").hidden = !game;
  if (!game) return;
  fill($("others"), [game.boards.map((board) => board.score.total), state.people, painted], () => [make("h2", {}, say("seat.others")),
    make("ul", { class: "people" }, [...game.boards].sort((a, b) => b.score.total - a.score.total).map((board) => {
      const person = state.people.seats.find((one) => one.seat === board.seat);
      return make("li", { class: `c-${painted[board.seat]}` }, make("span", { class: "name", dir: "auto" }, playerName(board.seat)),
        person && !person.here ? make("span", { class: "small soft" }, say("screen.away")) : null, make("span", { class: "number" }, number(board.score.total)));
    }))]);
}

// --- help ------------------------------------------------------------------------------------

$("undo").addEventListener("click", () => act(() => command("ask_undo"), say("seat.undo_sent")));
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
