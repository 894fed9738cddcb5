// The dice of the simulated table: those that lie there, those in hand, and what can be done to each.

import { fill, make } from "../dom.js";
import { die } from "../dice.js";
import { nameOf, say } from "../text.js";

/** `act(action, args)` does something at the table. Gives `show(lying, acts)`; `acts` is what somebody here has to do. */
export function dicePanel(place, act) {
  let chosen = null;
  let told = null;

  const show = (lying, acts) => {
    told = [lying, acts];
    const all = [
      ...lying.dice.map((one) => ({ ...one, id: `die-${one.die}` })),
      ...lying.taken.map((one, n) => ({ ...one, id: `taken-${n}`, isTaken: true })),
    ];
    const now = all.find((one) => one.id === chosen) ?? next(all);
    const boards = lying.boards.filter((one) => one.places.length).map(({ board, places }) => ({ board, places }));
    const fits = (now && acts.includes("put") && lying.turn.fits[now.value]) || [];
    fill(place, [all, now?.id, fits, acts, boards], () => [
      make("div", { class: "dice-row", role: "group", "aria-label": say("sim.choose_die") }, all.map((one) => choice(one, one === now))),
      now ? ways(now, boards, fits, acts) : make("p", { class: "small soft" }, say("sim.no_dice")),
    ]);
  };

  const choice = (one, isChosen) => make("button", { class: one.isTaken ? "taken" : null, "aria-pressed": String(isChosen), "data-focus": one.id, onclick: () => { chosen = one.id; show(...told); } },
    die(one.value), make("span", { class: "small" }, whereOf(one)));

  /** What can be done to one; the places where it may go by the rules are marked. */
  const ways = (one, boards, fits, acts) => {
    const put = (board, region) => {
      chosen = null;
      act(...(one.isTaken ? ["bring", { value: one.value, board, region }] : ["put", { die: one.die, board, region }]));
    };
    const spot = (board, region) => make("button", {
      class: fits.some(([at, fitting]) => at === board && fitting === region) ? "fits" : null,
      "aria-label": say("sim.at", { region }), "aria-pressed": String(one.board === board && one.region === region), "data-focus": `${board} ${region}`, onclick: () => put(board, region),
    }, region.includes(".") ? region.split(".").at(-1) : nameOf("region", region));
    const other = (key, what, isNext = false) => make("button", { class: isNext ? "main" : null, "data-focus": key, onclick: what }, say(key));
    const away = (action) => () => {
      chosen = null;
      act(action, { die: one.die });
    };
    const said = ({ board }) => say(one.isTaken ? "sim.put_back" : "sim.put_on", { board });
    return make("div", { class: "ways" },
      boards.map((on) => make("div", { class: "places", role: "group", "aria-label": said(on) },
        make("span", { class: "small soft" }, said(on)), on.places.map((region) => spot(on.board, region)))),
      make("div", { class: "row" },
        one.isTaken ? null : other("sim.take", away("take"), acts.includes("take") && one.board !== null),
        one.isTaken || one.board !== null ? other("sim.lay_beside", () => put(null, null)) : null,
        one.isTaken ? null : other("sim.knock", away("knock"))));
  };

  return { show };
}

const whereOf = (one) => say(one.isTaken ? "sim.in_hand" : one.board === null ? "sim.beside" : "sim.at", one);

/** The one that is most likely next: rolled, then on a board, then in hand. */
const next = (all) => all.find((one) => !one.isTaken && one.board === null) ?? all.find((one) => !one.isTaken) ?? all[0];
