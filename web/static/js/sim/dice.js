// The dice of the simulated table: those that lie there, those in hand, and what can be done to each.

import { fill, make } from "../dom.js";
import { die } from "../dice.js";
import { shape } from "/game/tag_city/hq.js";
import { say } from "../text.js";

const SECTIONS = [1, 2, 3, 4, 5, 6];

/** `act(action, args)` does something at the table. Gives `show({dice, taken}, game, phase)`; `phase` is what somebody here has to do. */
export function dicePanel(place, act) {
  let chosen = null;
  let told = null;

  const show = (lying, game, phase) => {
    told = [lying, game, phase];
    const all = [
      ...lying.dice.map((one) => ({ ...one, id: `die-${one.die}` })),
      ...lying.taken.map((one, n) => ({ ...one, id: `taken-${n}`, isTaken: true })),
    ];
    const now = all.find((one) => one.id === chosen) ?? next(all);
    const open = now && phase === "place" ? game.sections.filter((section) => section.faces.includes(now.value)).map((section) => section.section) : [];
    const shapeOf = (one) => game?.sections[one.section - 1]?.shape;
    fill(place, [all, now?.id, open, phase, all.map(shapeOf)], () => [
      make("div", { class: "dice-row", role: "group", "aria-label": say("sim.choose_die") }, all.map((one) => choice(one, one === now, shapeOf(one) && shape(game.shapes[shapeOf(one)].cells, shapeOf(one))))),
      now ? ways(now, open, phase) : make("p", { class: "small soft" }, say("sim.no_dice")),
    ]);
  };

  const choice = (one, isChosen, paints) => make("button", { class: one.isTaken ? "taken" : null, "aria-pressed": String(isChosen), "data-focus": one.id, onclick: () => { chosen = one.id; show(...told); } },
    die(one.value), make("span", { class: "small" }, whereOf(one)), paints ?? null);

  /** What can be done to one; the sections it may go to by the rules are marked. */
  const ways = (one, open, phase) => {
    const put = (section) => {
      chosen = null;
      act(...(one.isTaken ? ["bring", { value: one.value, section }] : ["put", { die: one.die, section }]));
    };
    const section = (number) => make("button", { class: open.includes(number) ? "fits" : null, "aria-label": say("sim.on_section", { section: number }), "aria-pressed": String(one.section === number), "data-focus": `section-${number}`, onclick: () => put(number) }, String(number));
    const other = (key, what, isNext = false) => make("button", { class: isNext ? "main" : null, "data-focus": key, onclick: what }, say(key));
    const away = (action) => () => {
      chosen = null;
      act(action, { die: one.die });
    };
    return make("div", { class: "ways" },
      make("div", { class: "sections", role: "group", "aria-label": say(one.isTaken ? "sim.put_back" : "sim.put_on") },
        make("span", { class: "small soft" }, say(one.isTaken ? "sim.put_back" : "sim.put_on")), SECTIONS.map(section)),
      make("div", { class: "row" },
        one.isTaken ? null : other("sim.take", away("take"), phase === "draft" && one.section !== null),
        one.isTaken || one.section !== null ? other("sim.lay_beside", () => put(null)) : null,
        one.isTaken ? null : other("sim.knock", away("knock"))));
  };

  return { show };
}

const whereOf = (one) => (one.isTaken ? say("sim.in_hand") : one.section === null ? say("sim.beside") : say("sim.section", { section: one.section }));

/** The one that is most likely next: rolled, then on the HQ, then in hand. */
const next = (all) => all.find((one) => !one.isTaken && one.section === null) ?? all.find((one) => !one.isTaken) ?? all[0];
