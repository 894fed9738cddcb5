// A seat's own part of its page: its board, what it may do, and a move made by hand.

import { act } from "/static/js/acting.js";
import { die } from "/static/js/dice.js";
import { $, fill, make } from "/static/js/dom.js";
import { nameOf, number, say } from "/static/js/text.js";
import { cityBoard } from "./board.js";
import { shape } from "./hq.js";
import { listenToPiece, showMoving } from "./moving.js";
import { chosenMove, forget, keepFor, picking, takeBubble, takeShape, takeUp } from "./picking.js";

let shown = null; // what was last drawn: the table, the seat, and what there is to say about it

export function panel({ can, board, enter }) {
  const again = () => show(...shown);
  listenToPiece(board, {
    onMoved: () => showMoving(shown[0].game, shown[1]),
    onPutBack: () => {
      const was = picking().die;
      forget();
      again();
      document.querySelector(`[data-focus="die-${was}"]`)?.focus();
    },
    onEnter: () => act(async () => {
      await enter(chosenMove(shown[1]));
      forget();
      again();
    }),
  });

  function show(...now) {
    shown = now;
    const [table, seat, { options, due, alarm }] = now;
    showCan(table, seat, options);
    const { bubble } = picking();
    const fresh = [...table.feed].reverse().find(({ event }) => event.cells && event.player === seat)?.event.cells ?? [];
    const chosen = bubble ? `bubble.${bubble}` : null;
    fill($("city"), [table.game.boards[seat], chosen, due, fresh, alarm], () => cityBoard(table.game, seat, { due, fresh, chosen, alarm }));
    showMoving(table.game, seat);
  }

  function showCan(table, seat, options) {
    const { game } = table;
    can.hidden = !options;
    if (options?.dice) keepFor(turnOf(table, seat), options);
    else forget();
    if (!options) return;
    const { die: taken, group, bubble } = picking();
    fill(can, [options, game.phase, game.dice, taken, group?.shape, group?.drone, bubble], () => (options.place ? placing(game, options.place) : drafting(game, options)));
  }

  /** As a tagger: my dice; with the chosen one its shape, what a drone could paint instead, and bubbles. */
  function drafting(game, options) {
    const pick = picking();
    const doing = (what) => () => { what(); again(); };
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
    const choice = (group) => make("button", { "aria-pressed": String(pick.group === group), "data-focus": `way-${group.shape}-${group.drone}`, onclick: doing(() => takeShape(group, game)) },
      shape(game.shapes[group.shape].cells, group.shape), make("span", { class: "small" }, group.shape));
    parts.push(own ? make("div", { class: "ways" }, choice(own)) : make("p", { class: "problem" }, say("seat.no_room", { shape: shapeOf(pick.die) })));
    if (flown.length) {
      parts.push(make("details", { open: Boolean(pick.group?.drone) || !own }, make("summary", { "data-focus": "drone" }, say("seat.with_drone", { value: valueOf(options.drone, slot) })),
        options.drone.length > 1 ? slots(game, options.drone, slot) : null,
        make("div", { class: "ways" }, flown.map(choice))));
    }
    const check = ({ bubble, value }) => make("button", { class: "bubble", "aria-pressed": String(pick.bubble === bubble), "data-focus": `bubble-${bubble}`, onclick: doing(() => takeBubble(bubble)) },
      spoken(nameOf("region", `bubble.${bubble}`)), number(value));
    if (options.social.some(({ bubble }) => bubble === null)) {
      parts.push(make("p", {}, make("button", { "aria-pressed": String(pick.bubble === null), "data-focus": "bubble-null", onclick: doing(() => takeBubble(null)) }, say("seat.free_check"))));
    } else if (options.social.length) parts.push(make("h3", {}, say("seat.check")), make("div", { class: "bubbles" }, options.social.map(check)));
    return parts;
  }

  /** Where the remote may be circled in any order: which of its squares. */
  function slots(game, drone, chosen) {
    const { group } = picking();
    const use = (slot) => {
      const by = picking().groups.filter((one) => one.drone === slot);
      takeShape(by.find((one) => one.shape === group?.shape) ?? by[0], game);
      again();
    };
    return make("div", { class: "ways" }, drone.map(({ slot, value }) => make("button", { class: "slot", "aria-pressed": String(slot === chosen), "data-focus": `slot-${slot}`, onclick: () => use(slot) },
      spoken(nameOf("region", `drone.${slot}`)), number(value))));
  }

  async function chooseDie(n) {
    const [table, seat] = shown;
    await takeUp(turnOf(table, seat), seat, n, table.game);
    again();
    if (picking().die !== null) board.scrollIntoView({ block: "nearest" });
  }

  return show;
}

/** What a choice was made for: it holds as long as this is the same. */
function turnOf({ game_id: id, game }, seat) {
  const { painted, drone } = game.boards[seat];
  return [id, game.round, game.phase, painted, drone];
}

/** As the leader: where each die may go. */
function placing(game, place) {
  return [make("h2", {}, say("seat.place")),
    make("ul", { class: "people" }, place.map(({ die: n, sections }) => make("li", {}, die(game.dice[n].value),
      make("span", {}, say("seat.place_on", { sections: sections.map((s) => `${s} (${game.sections[s - 1].shape})`).join(", ") })))))];
}

/** Words before a value for those who do not see which of them it is. */
const spoken = (text) => make("span", { class: "hidden" }, `${text}, `);
const valueOf = (drone, slot) => number(drone.find((one) => one.slot === slot).value);
