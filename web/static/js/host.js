// The host: starts, stops and mends games.

import { act, button } from "./acting.js";
import { ask, command, tokens } from "./api.js";
import { $, fill, make } from "./dom.js";
import { showCorrection, startCorrection } from "./correcting.js";
import { lastMove } from "./feed.js";
import { game } from "./game.js";
import { watch } from "./live.js";
import { candidates, repairs } from "./questions.js";
import { ruleLink } from "./rules.js";
import { colours, learnNames, offerLine, sight, turnLine } from "./table.js";
import { clock, playerName, say } from "./text.js";

const { game: shownGame } = document.documentElement.dataset;
let state = null;
let isHost = false;
let written = null; // the names of the next players, where the host has changed them

const host = (name, args = {}) => command(name, args, "host");

start();

async function start() {
  await recall();
  watch({ as: "seat", onState: (next) => { state = next; show(); } });
}

async function recall() {
  if (tokens.get("host")) {
    const me = await ask("/api/me", { as: "host" }).catch(() => null);
    if (me === null) return void setTimeout(() => recall().then(show), 2000);
    isHost = me.host;
    if (!isHost) tokens.drop("host");
    $("my-pin").textContent = me.pin ?? "";
  }
  $("login").hidden = isHost;
  $("host").hidden = !isHost;
  if (isHost) offerProfiles();
  if (isHost) offerNames();
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    tokens.set("host", (await ask("/api/host", { send: { pin: $("pin").value.trim() } })).token);
    $("login-problem").hidden = true;
    $("pin").value = "";
    await recall();
    show();
  } catch (refused) {
    $("login-problem").textContent = refused.message;
    $("login-problem").hidden = false;
  }
});

function show() {
  if (!state?.table || !isHost) return;
  learnNames(state);
  const { table } = state;
  const told = sight(table);
  fill($("now"), [turnLine(table), told, table.continue], () => [make("p", { class: "now-line" }, turnLine(table)), make("p", { class: "soft" }, table.continue ? offerLine(table.continue) : told.said), ruleLink(table)]);
  showAsked(table);
  showWishes();
  $("pause").hidden = !table.game || table.paused || Boolean(table.result);
  $("resume").hidden = !table.paused;
  $("continue").hidden = !table.continue;
  for (const id of ["undo", "redo", "reread", "away"]) $(id).hidden = !table.game;
  if (!table.game && !table.continue) $("new").open = true;
  $("this-game").hidden = !table.game && !table.continue;
  $("recorded").hidden = !table.game;
  showRecord(table);
  showPeople();
  showPlayers();
  showCorrection(state);
}

function showAsked(table) {
  const wrong = Object.keys(table.boards ?? {}).filter((board) => table.boards[board].state === "mismatch");
  $("asked").hidden = !table.question && wrong.length === 0;
  $("asked").classList.toggle("bad", !table.question);
  fill($("asked"), [table.question, wrong.map((board) => table.boards[board]), table.restore], () => {
    if (table.question) return candidates(table.question, (n) => act(() => host("answer", { number: n })), () => act(() => host("deny")));
    return wrong.flatMap((board) => repairs(table, board, {
      reread: () => act(() => host("reread")),
      restore: () => act(() => host("restore", { board })),
      adopt: () => act(() => host("adopt", { board })),
    }));
  });
}

/** What people at the table ask for. */
function showWishes() {
  const { undo_asked: undo, reports } = state.people;
  $("wishes").hidden = !undo && reports.length === 0;
  fill($("wishes"), [undo, reports], () => [
    undo ? make("p", { class: "row" }, make("strong", { class: "grow" }, `${say("seat.undo_asked", { player: undo.seat })} ${lastMove(state.table)}`), button("seat.agree", () => host("grant_undo"), "main"), button("seat.disagree", () => host("refuse_undo"))) : null,
    ...reports.map((report) => make("p", {}, say("host.report", { player: report.seat, what: say(`report.${report.what}`) }))),
    reports.length ? button("host.clear_reports", () => host("clear_reports")) : null,
  ]);
}

function showRecord(table) {
  const painted = colours(state);
  fill($("record"), [table.feed, painted], () => table.feed.map((record, n) => {
    const next = table.feed[n + 1]?.event.type;
    const mends = game.canCorrect(record.event) ? make("button", { onclick: () => { startCorrection(record); show(); } }, say("host.correct")) : null;
    // One can go back to the end of a move, not into the middle of what followed from it.
    const goes = next && !game.consequences.includes(next) ? make("button", { onclick: () => sure(say("host.sure_undo"), () => host("undo", { upto: record.seq })) }, say("host.undo_to")) : null;
    return make("li", { class: painted[record.event.player] ? `c-${painted[record.event.player]}` : null },
      make("time", { class: "small soft", datetime: record.at }, clock(record.at)), make("span", { dir: "auto" }, game.sentence(record.event)), mends, goes);
  }).reverse());
}

function showPeople() {
  const { seats, open } = state.people;
  $("open").checked = open;
  const painted = colours(state);
  fill($("people"), [seats, painted], () => (seats.length ? seats.map((seat) => make("li", { class: `c-${painted[seat.seat]}` },
    make("span", { class: "soft" }, `${seat.seat + 1}`), make("span", { class: "name", dir: "auto" }, seat.name), make("span", { class: "small soft" }, seat.here ? say("host.here") : say("screen.away")),
    make("button", { "data-focus": `free-${seat.seat}`, onclick: () => act(() => host("free_seat", { seat: seat.seat })) }, say("host.free")))) : make("li", { class: "soft" }, say("host.nobody"))));
}

// --- a new game ------------------------------------------------------------------------------

/** How many may play the game that is chosen. */
function limits() {
  const { fewest, most } = $("which").selectedOptions[0].dataset;
  return { fewest: Number(fewest), most: Number(most) };
}

/** Whoever sits there now; the host may write other names. */
const players = () => written ?? sitting();

function sitting() {
  const count = state.table.players?.length ?? Math.max(limits().fewest, ...state.people.seats.map((seat) => seat.seat + 1));
  const names = Object.fromEntries(state.people.seats.map((seat) => [seat.seat, seat.name]));
  return Array.from({ length: count }, (_, n) => names[n] ?? playerName(n));
}

function showPlayers() {
  const names = players();
  const { fewest, most } = limits();
  for (const one of document.querySelectorAll("[data-of]")) one.hidden = one.dataset.of !== $("which").value;
  $("profile").parentElement.hidden = $("which").value !== shownGame; // only its own editions are known here
  // What the host is writing stays under the pen.
  if (written === null || written.length !== $("players").children.length) {
    fill($("players"), names, () => names.map((name, n) => make("label", {}, `${n + 1}`,
      make("input", { value: name, list: "known", autocomplete: "off", maxlength: 24, required: true, dir: "auto", "data-focus": `player-${n}`, "aria-label": say("host.player_name", { number: n + 1 }), oninput: (event) => { write(players().map((one, m) => (m === n ? event.target.value : one))); } }))));
  }
  $("more").hidden = names.length >= most;
  $("fewer").hidden = names.length <= fewest;
  const was = $("leader").value;
  fill($("leader"), names, () => [make("option", { value: "" }, say("host.by_lot")), ...names.map((name, n) => make("option", { value: n }, name))]);
  $("leader").value = was && Number(was) < names.length ? was : "";
}

function write(names) {
  written = names;
  showPlayers();
}

$("which").addEventListener("change", () => {
  const { fewest, most } = limits();
  write(Array.from({ length: Math.min(most, Math.max(fewest, players().length)) }, (_, n) => players()[n] ?? playerName(n)));
});
$("more").addEventListener("click", () => write([...players(), playerName(players().length)]));
$("fewer").addEventListener("click", () => write(players().slice(0, -1)));
$("new-game").addEventListener("submit", (event) => {
  event.preventDefault();
  const which = $("which").value;
  const fields = [...document.querySelectorAll(`[data-of="${CSS.escape(which)}"] [name]`)];
  const told = fields.map((field) => [field.name, field.type === "checkbox" ? field.checked : JSON.parse(field.value)]);
  const options = Object.fromEntries(told.filter(([, value]) => value !== null));
  const args = { game: which, players: players(), options };
  if (which === shownGame) args.profile = $("profile").value;
  if ($("leader").value !== "") args.leader = Number($("leader").value);
  const begin = async () => {
    try {
      await host("new_game", args);
      $("new").open = false;
      $("new-problem").hidden = true;
      written = null;
    } catch (refused) {
      $("new-problem").textContent = refused.message;
      $("new-problem").hidden = false;
    }
  };
  if (state.table.game && !state.table.result) sure(say("host.sure_new"), begin);
  else begin();
});

/** The editions that can be played with; the one that was set up comes first. */
async function offerProfiles() {
  const { profiles, profile, side } = await ask("/api/profiles", { as: "host" }).catch(() => ({ profiles: [] }));
  const complete = profiles.filter((one) => one.problems === 0 && !one.template);
  if (complete.length === 0) return;
  $("profile").replaceChildren(...complete.map((one) => make("option", { value: one.name, selected: one.name === profile }, one.title)));
  const sides = document.querySelector(`[data-of="${CSS.escape(shownGame)}"] [data-side]`);
  if (sides) sides.value = JSON.stringify(side);
}

/** Whoever has played here before. */
async function offerNames() {
  const players = await ask("/api/players", { as: "host" }).catch(() => []);
  $("known").replaceChildren(...players.map((one) => make("option", { value: one.name })));
}

// --- small things ----------------------------------------------------------------------------

function sure(question, what) {
  if (window.confirm(question)) act(what);
}

const simple = { pause: "pause", resume: "resume", continue: "continue", undo: "undo", redo: "redo", reread: "reread" };
for (const [id, name] of Object.entries(simple)) $(id).addEventListener("click", () => act(() => host(name)));
$("away").addEventListener("click", () => sure(say("host.sure_away"), () => host("put_away")));
$("open").addEventListener("change", () => act(() => host("open_joining", { open: $("open").checked })));
$("logout").addEventListener("click", () => act(async () => {
  await ask("/api/host/leave", { send: {}, as: "host" });
  tokens.drop("host");
  location.reload();
}));
