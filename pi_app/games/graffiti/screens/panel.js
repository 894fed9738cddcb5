// A seat's own part of its page: what lies behind its screen, what it may do, and what it could paint.

import { act } from "/static/js/acting.js";
import { fill, make } from "/static/js/dom.js";
import { number, playerName, say } from "/static/js/text.js";
import { keeping } from "./keeping.js";
import { bonusTile, costSigns, icon, paintTile, permitTile } from "./pieces.js";
import { move, way } from "./saying.js";
import { tilesOf } from "./sheet.js";
import { canDiscard, exactly, heldPermits, tell, toldFaces } from "./telling.js";
import { partPicture } from "./tunnel.js";

const NEAR = 3; // a part that lacks one thing: the others are folded up
let shown = null; // what was last drawn
let chosen = null; // what was tapped, and is not entered yet
let kept = []; // the places of the tiles that are to be kept

export function panel({ can, board, enter }) {
  const again = () => show(...shown);
  const choose = (key) => { chosen = chosen === key ? null : key; again(); };

  function show(...now) {
    shown = now;
    const [table, seat, { options }] = now;
    const { game } = table;
    const hand = game.hands[seat];
    can.hidden = hand === null || game.phase === "over";
    if (can.hidden) { board.hidden = true; return; }
    if (!game.own.keep) kept = [];
    const told = toldFaces(table, seat, hand.unknown);
    const permits = heldPermits(hand, told);
    const possible = (options ?? []).filter((event) => canDiscard(event.type === "part_painted" ? event.permits : [], permits));
    const tellFaces = (faces) => { tell(table, seat, faces); again(); };
    fill(can, [hand, told, options, game.own.keep, game.own.odds, chosen, kept, game.seats[seat], table.players], () => [behindScreen(game, hand, told, tellFaces),
      ...(game.own.keep ? keeping(game, game.own.keep, kept, { onKept: (now) => { kept = now; again(); }, onDone: (kinds, bonuses) => send({ type: "paint_kept", player: seat, kinds, bonuses }) }) : []),
      ...offers(table, seat, possible)]);
    board.hidden = game.own.plans.length === 0;
    fill(board, [game.own.plans, told, game.own.odds, game.sections, table.players], () => planned(game, permits));
  }

  const send = (event) => act(async () => {
    await enter(event);
    [chosen, kept] = [null, []];
    again();
  });

  // --- what may be done ---

  /** By what people want to do: each thing once, then the ways to do it. */
  function offers(table, seat, options) {
    const { game } = table;
    const by = (...types) => options.filter(({ type }) => types.includes(type));
    const groups = [
      ["seat.paint_part", by("part_painted"), ({ part }) => part, ({ part }) => [partPicture(game, part), part]],
      ["seat.turn_part", by("neutral_painted"), ({ part }) => part, ({ part }) => [partPicture(game, part), part]],
      ["seat.take_paint", by("paint_taken"), ({ kind }) => kind, ({ kind }) => [paintTile(game, kind)]],
      ["seat.take_permits", by("permits_taken"), ({ space }) => space, ({ space }) => permitsAt(game, space)],
      ["seat.take_bonus", by("bonus_taken", "police_taken"), ({ type, slot }) => `${type} ${slot}`, (event) => bonusAt(game, event)],
      ["seat.use_bonus", by("bonus_used"), ({ bonus }) => bonus, ({ bonus }) => [bonusTile(bonus)]],
    ];
    const parts = groups.filter(([, moves]) => moves.length).map(([title, moves, keyOf, drawn]) => offer(title, moves, keyOf, drawn));
    const passing = options.find(({ type }) => type === "passed");
    return passing ? [...parts, pass(game.seats[seat].cans, passing)] : parts;
  }

  function offer(title, moves, keyOf, drawn) {
    const things = new Map();
    for (const event of moves) things.set(keyOf(event), [...(things.get(keyOf(event)) ?? []), event]);
    const open = [...things].find(([key]) => chosen === `${title} ${key}`);
    return make("section", { class: "offer" }, make("h3", {}, say(title)),
      make("div", { class: "things" }, [...things].map(([key, ways]) => make("button", { class: "thing", "aria-pressed": String(chosen === `${title} ${key}`), "aria-expanded": String(chosen === `${title} ${key}`), "data-focus": `${title} ${key}`, onclick: () => choose(`${title} ${key}`) }, drawn(ways[0])))),
      open ? make("div", { class: "ways" }, open[1].map((event, n) => make("button", { class: n === 0 ? "main" : null, "data-focus": `way-${n}`, onclick: () => send(event) }, event.cans === undefined ? move(event) : say("seat.enter", { way: way(event) })))) : null);
  }

  /** It is final for this round, so it takes a second tap while there are cans. */
  function pass(cans, event) {
    if (chosen !== "pass") return make("p", { class: "row" }, make("button", { "data-focus": "pass", onclick: () => choose("pass") }, icon("pass"), say("move.passed")));
    return make("div", { class: "note warn" }, make("p", {}, say("seat.pass_sure", { count: cans })),
      make("div", { class: "row" }, make("button", { class: "main", "data-focus": "pass", onclick: () => send(event) }, say("seat.pass_yes")), make("button", { "data-focus": "pass-no", onclick: () => choose("pass") }, say("seat.pass_no"))));
  }

  return show;
}

const permitsAt = (game, id) => {
  const space = game.permits.spaces.find((one) => one.space === id);
  return [...space.slots.map((slot) => game.permits.slots[slot - 1]).filter(Boolean).map((face) => permitTile(face)), space.pile ? permitTile(0) : null, space.first ? icon("token", say("kind.token")) : null];
};

const bonusAt = (game, { type, slot }) => [type === "police_taken" ? make("span", { class: "bonus-tile" }, icon("police"), make("span", {}, say("screen.police"))) : bonusTile(game.bonus.slots[slot - 1])];

// --- what is known to this seat alone ---

function behindScreen(game, hand, told, tellFaces) {
  const tiles = tilesOf(game, { ...hand, permits: [...hand.permits, ...told], unknown: hand.unknown - told.length });
  return make("section", { class: "hand" }, make("h2", {}, say("seat.hand")), make("p", { class: "small soft" }, say("seat.hand_secret")),
    tiles.length ? make("div", { class: "row tiles" }, tiles) : make("p", {}, say("seat.hand_empty")),
    hand.sure ? null : make("p", { class: "note warn" }, say("seat.unsure")),
    hand.unknown ? telling(game, hand, told, tellFaces) : null);
}

/** Permits from the pile: their odds, and where their owner may tell this phone what they are. */
function telling(game, { unknown }, told, tellFaces) {
  const left = unknown - told.length;
  return make("div", { class: "telling" },
    left ? [make("p", { class: "small" }, say("seat.odds", { count: left, odds: game.own.odds.map((percent, n) => say("seat.odd", { face: n + 1, percent: number(percent) })).join(" · ") })),
      make("p", { class: "small" }, say("seat.tell")),
      make("div", { class: "things" }, game.own.odds.map((percent, n) => make("button", { class: "thing", disabled: percent === 0, "data-focus": `tell-${n + 1}`, onclick: () => tellFaces([...told, n + 1]) }, permitTile(n + 1))))] : null,
    told.length ? make("p", { class: "row" }, make("span", { class: "small soft grow" }, say("seat.told")), make("button", { class: "small", "data-focus": "untell", onclick: () => tellFaces([]) }, say("seat.untell"))) : null);
}

/** Every part that is still to be painted: those that could be painted now first, then by what is missing. */
function planned(game, permits) {
  const { odds } = game.own;
  const facts = new Map(game.sections.flatMap(({ section, walls }) => walls.flatMap(({ parts }) => parts.map((part) => [part.part, { ...part, section }]))));
  const plans = game.own.plans.map((plan) => exactly(plan, facts.get(plan.part).section, permits));
  const rank = ({ ready, permit, missing }) => (ready ? (permit === "maybe" ? 1 : 0) : 2 + missing.length + (permit === "none" ? 1 : 0));
  const inOrder = [...plans].sort((a, b) => rank(a) - rank(b) || facts.get(b.part).points - facts.get(a.part).points);
  const line = (plan) => {
    const { cost, points, section } = facts.get(plan.part);
    return make("li", { class: plan.ready ? "ready" : null }, make("strong", {}, plan.part), costSigns(game, cost), make("span", { class: "number" }, say("seat.points", { count: points })),
      make("span", { class: "small" }, plan.ready ? say(`seat.ready_${plan.permit}`, { section, count: plan.cans, percent: odds ? odds[section - 1] : 0 }) : lacks(game, plan, section)));
  };
  const near = inOrder.filter((plan) => rank(plan) <= NEAR);
  const far = inOrder.slice(near.length);
  return [make("h2", {}, say("seat.plans")), make("ul", { class: "plans" }, near.map(line)),
    far.length ? make("details", {}, make("summary", { "data-focus": "far" }, say("seat.far", { count: far.length })), make("ul", { class: "plans" }, far.map(line))) : null];
}

/** What is missing to paint a part, in words. */
function lacks(game, { blocked, reserved, missing, permit, cans }, section) {
  if (blocked) return say("seat.lacks_blocked", { section });
  if (reserved !== null && game.seats[reserved] && !missing.length && cans !== null && permit !== "none") return say("seat.lacks_reserved", { name: playerName(reserved) });
  return [
    missing.length ? say("seat.lacks_paint", { colours: missing }) : "",
    permit === "none" ? say("seat.lacks_permit", { section }) : "",
    cans === null ? say("seat.lacks_cans", { section }) : "",
  ].filter(Boolean).join("; ") || say("seat.lacks_cans", { section });
}
