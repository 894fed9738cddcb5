// My seat: my board, what I may do, what the table wants to know from me.

import { act, button } from "./acting.js";
import { ask, command, Refused, tokens } from "./api.js";
import { lastMove } from "./feed.js";
import { cityBoard } from "./board.js";
import { $, fill, make } from "./dom.js";
import { showEnding } from "./ending.js";
import { die, shape } from "./hq.js";
import { watch } from "./live.js";
import { listenToPiece, showMoving } from "./moving.js";
import { chosenMove, forget, keepFor, picking, takeBubble, takeShape, takeUp } from "./picking.js";
import { squareName } from "./piece.js";
import { candidates, repairs } from "./questions.js";
import { signalTurn } from "./signal.js";
import { ruleLink } from "./rules.js";
import { boardSays, colours, dueMarks, learnNames, markLine, offerLine, ownTurnLine, sight, turnLine, wrongRegions } from "./table.js";
import { language, number, playerName, say } from "./text.js";

const MOVES = ["shape_painted", "social_checked"];
const BOTS_MS = 2_000;
let state = null;
let seat = null;
let changing = false;
let line = null;
let entered = null;

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

const isMyTurn = () => !state.table.paused && ownTurnLine(state.table.game, seat) !== null;

// --- joining ---------------------------------------------------------------------------------

function showJoin() {
  const { people, table } = state;
  const taken = Object.fromEntries(people.seats.map((one) => [one.seat, one]));
  const names = table?.game ? table.game.boards.map((board) => board.player) : [0, 1, 2, 3].map((n) => say("table.seat", { seat: n + 1 }));
  const key = [names, people.seats.map((one) => [one.seat, one.name]), seat];
  const chosen = document.querySelector("[name=seat]:checked")?.value; // others may sit down while somebody chooses
  fill($("seats"), key, () => names.map((name, n) => {
    const mine = n === seat;
    const input = make("input", { type: "radio", name: "seat", value: n, required: true, disabled: taken[n] && !mine, checked: mine || (String(n) === chosen && !taken[n]), "data-focus": `seat-${n}` });
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
  const game = table?.game;
  const painted = colours(state);
  const own = game?.boards[seat];
  for (const part of ["status", "board", "can"]) $(part).classList.add(`c-${painted[seat]}`);
  for (const part of ["status", "board", "can"]) {
    for (const name of [...$(part).classList]) if (name.startsWith("c-") && name !== `c-${painted[seat]}`) $(part).classList.remove(name);
  }
  showStatus(table, game, own);
  showAsked(table, own);
  showEntered(table);
  showEnding(table, painted, seat);
  showCan(table, game);
  $("board").hidden = !own;
  $("wrong").hidden = !game;
  if (own) showBoard(table, game, own);
  showTodo(table);
  showOthers(game, painted);
}

function showStatus(table, game, own) {
  const mine = isMyTurn() ? ownTurnLine(game, seat) : null;
  const line = mine ?? turnLine(table);
  const told = own && boardSays(table, own.board).said ? boardSays(table, own.board) : sight(table);
  $("status").classList.toggle("mine-now", mine !== null);
  fill($("status"), [line, told, own?.score.total, game?.phase], () => [
    make("div", { class: "row" }, make("p", { class: "what grow" }, line),
      own ? make("span", { class: "score", title: say("show.total") }, number(own.score.total)) : null),
    make("p", { class: `state ${told.state}` }, told.said),
    ruleLink(game),
  ]);
}

function showAsked(table, own) {
  const { question } = table;
  const mismatch = own && table.boards?.[own.board]?.state === "mismatch" ? own.board : null;
  const undo = state.people.undo_asked;
  const mine = question && own && [own.board, "hq"].includes(question.board);
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

function showBoard(table, game, own) {
  const { bubble } = picking();
  const due = dueMarks(table, seat);
  const fresh = [...table.feed].reverse().find((record) => record.event.cells && record.event.player === seat)?.event.cells ?? [];
  const chosen = bubble ? `bubble.${bubble}` : null;
  const alarm = wrongRegions(table, own.board);
  fill($("city"), [own, chosen, due, fresh, alarm], () => cityBoard(game, seat, { due, fresh, chosen, alarm }));
  showMoving(game, seat);
}

/** What a choice was made for: it holds as long as this is the same. */
function turnOf(table) {
  const { painted, drone } = table.game.boards[seat];
  return [table.game_id, table.game.round, table.game.phase, painted, drone];
}

function showCan(table, game) {
  const options = table.options?.[seat];
  $("can").hidden = !options;
  if (options?.dice) keepFor(turnOf(table), options);
  else forget();
  if (!options) return;
  const { die: taken, group, bubble } = picking();
  fill($("can"), [options, game.phase, game.dice, taken, group?.shape, group?.drone, bubble], () => (options.place ? placing(game, options.place) : drafting(game, options)));
}

/** As the leader: where each die may go. */
function placing(game, place) {
  return [make("h2", {}, say("seat.place")),
    make("ul", { class: "people" }, place.map(({ die: n, sections }) => make("li", {}, die(game.dice[n].value),
      make("span", {}, say("seat.place_on", { sections: sections.map((s) => `${s} (${game.sections[s - 1].shape})`).join(", ") })))))];
}

/** As a tagger: my dice; with the chosen one its shape, what a drone could paint instead, and bubbles. */
function drafting(game, options) {
  const pick = picking();
  const again = (what) => () => { what(); show(); };
  const shapeOf = (n) => game.sections[game.dice[n].section - 1].shape;
  const last = game.phase === "last";
  const parts = [make("h2", {}, say(last ? "seat.last" : "seat.can")),
    make("p", { class: "small soft" }, say(last ? "seat.last_hint" : "seat.can_hint")),
    make("div", { class: "dice-row" }, options.dice.map((n) => make("button", { "aria-pressed": String(pick.die === n), "data-focus": `die-${n}`, onclick: () => act(() => chooseDie(n)) },
      die(game.dice[n].value), make("span", { class: "small" }, shapeOf(n)))))];
  if (pick.die === null) return parts;

  const own = pick.groups.find((group) => group.drone === null);
  const slot = pick.group?.drone ?? options.drone[0]?.slot;
  const flown = pick.groups.filter((group) => group.drone === slot && group.shape !== own?.shape);
  const choice = (group) => make("button", { "aria-pressed": String(pick.group === group), "data-focus": `way-${group.shape}-${group.drone}`, onclick: again(() => takeShape(group, game)) },
    shape(game.shapes[group.shape].cells, group.shape), make("span", { class: "small" }, group.shape));
  parts.push(own ? make("div", { class: "ways" }, choice(own)) : make("p", { class: "problem" }, say("seat.no_room", { shape: shapeOf(pick.die) })));
  if (flown.length) {
    parts.push(make("details", { open: Boolean(pick.group?.drone) || !own }, make("summary", { "data-focus": "drone" }, say("seat.with_drone", { value: valueOf(options.drone, slot) })),
      options.drone.length > 1 ? slots(game, options.drone, slot) : null,
      make("div", { class: "ways" }, flown.map(choice))));
  }
  const check = ({ bubble, value }) => make("button", { class: "bubble", "aria-pressed": String(pick.bubble === bubble), "data-focus": `bubble-${bubble}`, onclick: again(() => takeBubble(bubble)) },
    spoken(say("region.bubble", { number: bubble })), number(value));
  if (options.social.some(({ bubble }) => bubble === null)) {
    parts.push(make("p", {}, make("button", { "aria-pressed": String(pick.bubble === null), "data-focus": "bubble-null", onclick: again(() => takeBubble(null)) }, say("seat.free_check"))));
  } else if (options.social.length) parts.push(make("h3", {}, say("seat.check")), make("div", { class: "bubbles" }, options.social.map(check)));
  return parts;
}

/** Words before a value for those who do not see which of them it is. */
const spoken = (text) => make("span", { class: "hidden" }, `${text}, `);
const valueOf = (drone, slot) => number(drone.find((one) => one.slot === slot).value);

/** Where the remote may be circled in any order: which of its squares. */
function slots(game, drone, chosen) {
  const { group } = picking();
  const use = (slot) => {
    const by = picking().groups.filter((one) => one.drone === slot);
    takeShape(by.find((one) => one.shape === group?.shape) ?? by[0], game);
    show();
  };
  return make("div", { class: "ways" }, drone.map(({ slot, value }) => make("button", { class: "slot", "aria-pressed": String(slot === chosen), "data-focus": `slot-${slot}`, onclick: () => use(slot) },
    spoken(say("region.drone", { number: slot })), number(value))));
}

async function chooseDie(n) {
  await takeUp(turnOf(state.table), seat, n, state.table.game);
  show();
  if (picking().die !== null) $("board").scrollIntoView({ block: "nearest" });
}

listenToPiece({
  onMoved: () => showMoving(state.table.game, seat),
  onPutBack: () => {
    const was = picking().die;
    forget();
    show();
    document.querySelector(`[data-focus="die-${was}"]`)?.focus();
  },
});

$("enter").addEventListener("click", () => act(async () => {
  const move = chosenMove(seat);
  const { game_id: game, last_seq: after } = state.table;
  await command("do", { event: move });
  forget();
  entered = { move, game, after, seq: null };
  show();
  $("entered").focus();
}));

/** What was entered by hand is not on the real board yet: that is said until it is seen there, somebody says so, or this seat moves on. */
function showEntered(table) {
  const newest = [...table.feed].reverse().find(({ event }) => event.player === seat && MOVES.includes(event.type))?.seq ?? 0;
  if (entered && !entered.seq && newest > entered.after) entered.seq = newest;
  if (entered && ((entered.seq && entered.seq !== newest) || entered.game !== table.game_id || table.game?.result || isSeenDrawn(table))) entered = null;
  $("entered").hidden = entered === null;
  fill($("entered"), entered?.move, () => (entered ? [make("h2", {}, say("seat.entered")), make("p", {}, drawLine(entered.move)),
    make("p", { class: "row" }, make("button", { onclick: () => { entered = null; show(); } }, say("seat.drawn")))] : []));
}

/** Whether the camera has seen all of it; what leaves nothing to draw is never seen. */
function isSeenDrawn(table) {
  const missing = entered.seq ? table.undrawn?.[table.game?.boards[seat].board] : undefined;
  const regions = regionsOf(entered.move);
  return missing !== undefined && regions.length > 0 && !regions.some((region) => missing.includes(region));
}

function regionsOf({ type, cells, drone, bubble }) {
  if (type === "social_checked") return bubble === null ? [] : [`bubble.${bubble}`];
  return [...cells.map(([row, col]) => `r${row + 1}c${col + 1}`), ...(drone === null ? [] : [`drone.${drone}`])];
}

function drawLine(move) {
  if (move.type === "shape_painted") return say(move.drone === null ? "seat.draw" : "seat.draw_drone", { squares: move.cells.map(squareName).join(" "), number: move.drone });
  return move.bubble === null ? say("seat.draw_nothing") : say("seat.draw_bubble", { number: move.bubble });
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

// --- at the simulated table: who draws for me ---

/** Asked from time to time, as bots take and leave seats without any move. */
async function showBot() {
  if (!$("simulated") || seat === null || document.visibilityState !== "visible") return;
  const { bots } = await ask("/api/sim").catch(() => ({ bots: [] })); // no game lies there
  $("simulated").hidden = !bots.includes(seat) || Boolean(state?.table?.game?.result);
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
