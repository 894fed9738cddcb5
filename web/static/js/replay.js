// A game seen again: the table at any moment, its timeline, and where the race stands.

import { cityBoard } from "./board.js";
import { ask } from "./api.js";
import { $, make } from "./dom.js";
import { sentence } from "./feed.js";
import { die, hq, looseDice } from "./hq.js";
import { callPlayers, clock, number, say } from "./text.js";

const story = JSON.parse($("story").textContent);
const steps = story.steps;
const seen = new Map();
const rows = new Map();
const dice = make("section", { class: "replay-hq", "aria-label": say("screen.hq") });
let timer = null;
let wanted = steps.length;

// Isolated, so that a name written from right to left turns nothing around but itself.
callPlayers(story.players.map((name) => `\u2068${name}\u2069`));

/** The table after event `seq`; asked for once. */
function table(seq) {
  if (!seen.has(seq)) {
    const answer = ask(`/api/games/${story.id}/table/${seq}`);
    answer.catch(() => seen.delete(seq));
    seen.set(seq, answer);
  }
  return seen.get(seq);
}

function told(step) {
  if (step.type === "undone") return say("history.undone", { count: steps.filter((s) => s.seq > step.upto && s.seq < step.seq && !s.counts).length });
  if (step.type === "die_placed") return say("history.placed_die", { die: step.die, section: step.section });
  return sentence(step) ?? "";
}

// --- the slider ---

async function show(seq) {
  wanted = seq;
  $("slider").value = seq;
  const step = steps[seq - 1];
  const words = step ? say("history.at_round", { round: step.round, what: told(step) }) : say("history.at_start");
  $("slider").setAttribute("aria-valuetext", words);
  $("now").textContent = step && !step.counts ? `${words} ${say("history.taken_back")}` : words;
  mark(step);
  point(seq);
  const view = await table(seq).catch((error) => {
    if (wanted === seq) $("now").textContent = error.message;
  });
  if (view === undefined || wanted !== seq) return;
  draw(view, step);
  if (seq < steps.length) table(seq + 1).catch(() => {});
}

function draw(view, step) {
  const boards = view.boards.map((board, seat) => {
    const fresh = step?.player === seat ? step.cells ?? featureSquares(view.city, step.feature) : undefined;
    return make("figure", { class: `c-${story.colours[seat]}` },
      make("figcaption", {}, make("bdi", { class: "name" }, story.players[seat]), make("span", { class: "in-hand" }, takenDice(view, seat)), make("strong", { class: "number" }, number(board.score.total))),
      cityBoard(view, seat, { fresh }));
  });
  $("boards").replaceChildren(...boards);
  dice.replaceChildren(make("p", { class: "row" }, make("strong", {}, say("screen.hq")), looseDice(view)), hq(view));
}

/** The die that somebody took this round. */
const takenDice = (view, seat) => view.dice.filter((one) => one.taken_by === seat).map((one) => die(one.value));

/** The squares of a row, a column or a district. */
function featureSquares(city, feature) {
  const [kind, name] = feature?.split(".") ?? [];
  const belongs = (row, col) =>
    (kind === "row" && row + 1 === Number(name)) || (kind === "col" && String.fromCharCode(65 + col) === name) ||
    (kind === "district" && city.districts[city.cells[row][col]] === name);
  return city.cells.flatMap((letters, row) => [...letters].map((_, col) => [row, col])).filter(([row, col]) => belongs(row, col));
}

/** Where the race stands. */
function point(seq) {
  const place = story.places.find((one) => one.seq >= seq) ?? story.places.at(-1);
  for (const name of ["x1", "x2"]) $("race-cursor").setAttribute(name, place.x);
}

function mark(step) {
  document.querySelector("#timeline [aria-current]")?.removeAttribute("aria-current");
  rows.get(step?.seq)?.setAttribute("aria-current", "step");
}

const move = (by) => show(Math.min(steps.length, Math.max(0, wanted + by)));

// --- playing ---

function play() {
  if (wanted >= steps.length) show(0);
  $("play").textContent = say("history.pause");
  $("now").setAttribute("aria-live", "off");
  next();
}

/** The next step once this one is drawn: a slow network slows the film down and skips nothing. */
function next() {
  timer = setTimeout(async () => {
    await move(1);
    if (timer === null) return;
    if (wanted >= steps.length) pause();
    else next();
  }, 1200 / Number($("speed").value));
}

function pause() {
  clearTimeout(timer);
  timer = null;
  $("play").textContent = say("history.play");
  $("now").setAttribute("aria-live", "polite");
}

const stopAnd = (act) => () => {
  pause();
  act();
};

$("play").addEventListener("click", () => (timer === null ? play() : pause()));
$("back").addEventListener("click", stopAnd(() => move(-1)));
$("forward").addEventListener("click", stopAnd(() => move(1)));
$("slider").addEventListener("input", stopAnd(() => show(Number($("slider").value))));

// --- the timeline ---

function timeline() {
  const rounds = new Map();
  for (const step of steps) {
    // Where single dice were laid is for the slider; a reader wants to know what came of it.
    if (step.type === "die_placed") continue;
    if (!rounds.has(step.round)) rounds.set(step.round, []);
    rounds.get(step.round).push(step);
  }
  const last = Math.max(...rounds.keys());
  return [...rounds].map(([round, list]) => make("li", {}, make("details", { open: round === last },
    make("summary", {}, say("screen.round", { round }), make("span", { class: "gains" }, gains(round))),
    make("ol", {}, list.map(row)))));
}

/** Who won how many points in a round. */
function gains(round) {
  const end = (number) => steps.findLast((step) => step.counts && step.round === number)?.scores;
  const after = end(round), before = end(round - 1);
  if (!after) return [];
  return after.map((score, seat) => [seat, score - (before?.[seat] ?? 0)]).filter(([, gained]) => gained !== 0)
    .map(([seat, gained]) => make("span", { class: `c-${story.colours[seat]}` }, make("bdi", { class: "name" }, story.players[seat]), ` ${signed(gained)}`));
}

const signed = (value) => `${value > 0 ? "+" : ""}${number(value)}`;

function row(step) {
  const colour = story.colours[step.player];
  const gained = step.counts && step.player !== undefined ? step.scores[step.player] - (steps[step.seq - 2]?.scores[step.player] ?? 0) : 0;
  const button = make("button", { type: "button", class: `e-${step.type}${step.counts || step.type === "undone" ? "" : " gone"}` },
    make("time", { class: "small soft", datetime: step.at }, clock(step.at)),
    make("span", { class: `said${colour ? ` c-${colour}` : ""}` }, told(step), step.counts || step.type === "undone" ? null : make("span", { class: "hidden" }, ` ${say("history.taken_back")}`)),
    make("span", { class: "gain" }, gained ? signed(gained) : ""));
  button.addEventListener("click", () => {
    pause();
    show(step.seq);
    $("replay").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  });
  rows.set(step.seq, button);
  return make("li", {}, button);
}

// --- sharing, where the device can ---

async function share() {
  const answer = await fetch(`/api/games/${story.id}/wide.png`);
  const file = new File([await answer.blob()], `all-city-${story.id}.png`, { type: "image/png" });
  await navigator.share({ files: [file] }).catch(() => {});
}

if ($("share") && navigator.canShare?.({ files: [new File([], "a.png", { type: "image/png" })] })) {
  $("share").hidden = false;
  $("share").addEventListener("click", share);
}

$("boards").before(dice);
$("timeline").replaceChildren(...timeline());
show(steps.length);
