// The big screen.

import { arranged, isRoomy } from "./arranging.js";
import { $, fill, make } from "./dom.js";
import { feed } from "./feed.js";
import { game } from "./game.js";
import { watch } from "./live.js";
import { scoreSheet } from "./sheet.js";
import { ruleLink } from "./rules.js";
import { colours, dueMarks, learnNames, markLine, offerLine, seatSays, sight, surfacesOf, turnLine, turnSeat, turnSeats, wrongRegions } from "./table.js";
import { number, playerName, say } from "./text.js";

const ANNOUNCE_MS = 5000;
const FEWEST_LINES = 3; // of what happened; with room for fewer it is left out
let shown = null;
let heard = null;
let speaking = false;

watch({ onState: (state) => { shown = state; show(state); } });
const again = () => shown && show(shown);
new ResizeObserver(again).observe($("main"));
document.fonts.addEventListener("loadingdone", again);

function show(state) {
  learnNames(state);
  const { table } = state;
  if (!table) return;
  const painted = colours(state);
  showTurn(table, painted);
  arranged(table);
  showWay(state);
  fill($("boards"), [table.game, table.boards, table.marks, table.continue, painted, state.people, table.trend], () => boards(state, painted));
  const isShared = Boolean(table.game) && (game.middle || !table.result);
  fill($("shared-card"), [isShared, table.game, game.middle && table.last_seq], () => (isShared ? game.shared(table) : []));
  $("shared-card").hidden = $("shared-card").children.length === 0;
  $("result-card").hidden = !table.result;
  fill($("result-card"), [table.result, painted, table.game_id], () => (table.result ? result(table, painted) : []));
  showMarks(table, painted);
  showFeed(table, painted);
  announce(table, painted);
}

/** The way in: the table's own Wi-Fi while nobody has found it, and the page where one takes a seat. */
function showWay(state) {
  const { hotspot, addresses } = state.network ?? { hotspot: null };
  $("join-card").hidden = isFull(state);
  $("wifi-card").hidden = !hotspot || state.people.seats.length > 0;
  fill($("wifi-name"), hotspot, () => hotspot?.name ?? "");
  fill($("wifi-password"), hotspot, () => hotspot?.password ?? "");
  if (hotspot) setSource($("wifi-code"), `/wifi.svg?${encodeURIComponent(hotspot.name)}`);
  if (!addresses?.length) return;
  setSource($("join-code"), `/join.svg?${encodeURIComponent(addresses[0])}`);
  fill($("addresses"), addresses, () => [make("h2", {}, say("screen.join")), ...addresses.map(addressLine)]);
}

/** Broken, where it must be, before its port. */
function addressLine(address) {
  const [host, port] = address.replace("http://", "").split(":");
  return make("p", { class: "address" }, host, port ? [make("wbr"), `:${port}`] : null);
}

function setSource(picture, source) {
  if (picture.getAttribute("src") !== source) picture.setAttribute("src", source);
}

/** Everybody of this game has a seat: nobody needs the code any more. */
function isFull({ table, people }) {
  return Boolean(table.players?.every((_, seat) => people.seats.some((one) => one.seat === seat)));
}

function showFeed(table, painted) {
  fill($("feed"), [table.feed, painted], () => feed(table.feed, painted));
  $("feed-card").hidden = $("feed").children.length === 0;
  const { shown: told, left } = keepWhole($("feed"));
  $("feed-card").hidden ||= left > 0 && told < FEWEST_LINES * parseFloat(getComputedStyle($("feed")).lineHeight);
}

/** On a big screen, where nobody scrolls, hides what cannot be read whole. Gives the height that is shown, and how many are left out. */
function keepWhole(list) {
  const lines = [...list.children];
  for (const line of lines) line.hidden = false;
  const { top, bottom } = list.getBoundingClientRect();
  const ends = lines.map((line) => line.getBoundingClientRect().bottom);
  const whole = isRoomy() ? ends.filter((end) => end <= bottom + 1).length : lines.length;
  lines.slice(whole).forEach((line) => { line.hidden = true; });
  return { shown: whole ? ends[whole - 1] - top : 0, left: lines.length - whole };
}

/** At the end: who has how much, from where, and the way to the whole score sheet. */
function result(table, painted) {
  return [make("h2", {}, say("show.sheet")), scoreSheet(table, painted),
    make("p", {}, make("a", { class: "button main", href: `/games/${table.game_id}` }, say("screen.whole_sheet")))];
}

function showTurn(table, painted) {
  const seat = turnSeat(table);
  const told = sight(table);
  const line = turnLine(table);
  $("turn").className = `turn ${seat === null ? "" : `c-${painted[seat]}`}`;
  fill($("turn"), [line, told, table.round], () => [
    make("div", { class: "what" }, line),
    make("div", { class: `state ${told.state}` }, told.said),
    table.game && !table.result ? make("div", { class: "soft" }, say("screen.round", { round: table.round })) : null,
    ruleLink(table),
  ]);
}

function boards(state, painted) {
  const { table, people } = state;
  if (!table.game) return welcome(table);
  const ranks = [...table.scores].sort((a, b) => b - a);
  const acting = turnSeats(table);
  return table.scores.map((score, seat) => {
    const person = people.seats.find((one) => one.seat === seat);
    const told = seatSays(table, seat);
    return make("article", { class: `card of-seat c-${painted[seat]} ${acting.includes(seat) ? "acting" : ""}`, "aria-label": playerName(seat) },
      make("header", {},
        make("span", { class: "name", dir: "auto" }, playerName(seat)),
        person && !person.here ? make("span", { class: "away" }, say("screen.away")) : null,
        make("span", { class: "place" }, `${ranks.indexOf(score) + 1}.`),
        trend(table.trend?.[seat]),
        make("span", { class: "score" }, number(score))),
      surfacesOf(table, seat).map((id) => game.surface(table, id, { due: dueMarks(table, seat), alarm: wrongRegions(table, id) })),
      make("p", { class: `said ${told.state}` }, told.said));
  });
}

/** Points won or lost since this round began. */
function trend(points) {
  if (!points) return null;
  return make("span", { class: `trend ${points < 0 ? "down" : ""}`, title: say("screen.trend") }, `${points > 0 ? "▲ +" : "▼ "}${number(points)}`);
}

function welcome(table) {
  const offer = table.continue;
  return make("section", { class: "card welcome" },
    make("h2", {}, say(offer ? "screen.interrupted" : "screen.welcome")),
    make("p", {}, offer ? offerLine(offer) : say("screen.welcome_text")),
    make("a", { class: "button main", href: "/host" }, say("screen.to_host")));
}

function showMarks(table, painted) {
  const marks = dueMarks(table);
  $("marks-card").hidden = marks.length === 0;
  fill($("marks"), [marks, painted], () => marks.map((mark) => make("li", { class: `c-${painted[mark.seat]}` }, markLine(table, mark))));
  $("feed-card").hidden = true; // it takes what these leave
  $("marks-count").textContent = keepWhole($("marks")).left ? `· ${number(marks.length)}` : "";
}

/** What matters most since the last state, large; and aloud where somebody asked for it. */
function announce(table, painted) {
  const last = table.last_seq;
  const fresh = heard === null ? [] : table.feed.filter((record) => record.seq > heard && game.announced.includes(record.event.type));
  if (speaking && heard !== null) table.feed.filter((record) => record.seq > heard).forEach((record) => speak(game.sentence(record.event)));
  heard = last;
  if (fresh.length === 0) return;
  const { event } = fresh[fresh.length - 1];
  const box = $("announcement");
  box.className = `announcement ${event.player === undefined ? "" : `c-${painted[event.player]}`}`;
  box.textContent = game.sentence(event);
  box.hidden = false;
  clearTimeout(box.timer);
  box.timer = setTimeout(() => { box.hidden = true; }, ANNOUNCE_MS);
}

function speak(text) {
  if (!text) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.speak(words);
}

if ("speechSynthesis" in window) {
  $("voice").hidden = false;
  $("voice").addEventListener("click", () => {
    speaking = !speaking;
    $("voice").setAttribute("aria-pressed", String(speaking));
    if (speaking) speak(say("screen.voice_on"));
  });
}
