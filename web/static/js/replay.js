// A game seen again: the table at any moment, its timeline, and where the race stands.

import { ask } from "./api.js";
import { $, make } from "./dom.js";
import { importance } from "./feed.js";
import { game } from "./game.js";
import { callPlayers, clock, number, say } from "./text.js";

const story = JSON.parse($("story").textContent);
const steps = story.steps;
const seen = new Map();
const rows = new Map();
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
  return game.sentence(step) ?? "";
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

function draw(told, step) {
  const surfaces = (owner) => told.surfaces.filter((one) => one.owner === owner).map(({ id }) => game.surface(told, id, { event: step ?? {} }));
  $("boards").replaceChildren(...told.scores.map((score, seat) => make("figure", { class: `c-${story.colours[seat]}` },
    make("figcaption", {}, make("bdi", { class: "name" }, story.players[seat]), make("span", { class: "in-hand" }, game.held(told, seat)), make("strong", { class: "number" }, number(score))),
    surfaces(seat))));
  $("shared").replaceChildren(...game.shared(told));
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
    if (game.isMinor(step)) continue;
    if (!rounds.has(step.round)) rounds.set(step.round, []);
    rounds.get(step.round).push(step);
  }
  const last = Math.max(...rounds.keys());
  return [...rounds].map(([round, list]) => make("li", {}, make("details", { open: round === last },
    make("summary", {}, say("screen.round", { round }), whose(round), make("span", { class: "gains" }, gains(round))),
    make("ol", {}, list.map(row)))));
}

/** Who had a round, where everybody has rounds of their own. */
function whose(round) {
  const seat = game.whose(steps.filter((step) => step.round === round));
  return seat === null ? null : make("bdi", { class: `name c-${story.colours[seat]}` }, ` ${story.players[seat]}`);
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
  const button = make("button", { type: "button", class: `e-${step.type} ${importance(step)}${step.counts || step.type === "undone" ? "" : " gone"}` },
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

/** The whole sheet as the game stands now. */
async function showSheet() {
  const sheet = game.sheet(await table(steps.length), story.colours);
  $("sheet").hidden = sheet === null;
  $("sheet").append(...(sheet ?? []));
}

$("timeline").replaceChildren(...timeline());
show(steps.length);
showSheet();
