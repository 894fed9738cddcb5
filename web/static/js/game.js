// What the game of this page brings, and what pages do where it brings nothing.
//
// A game's folder may have screens/game.js, a module that exports any of the names below. `table` is the table as
// /api/state has it: players, surfaces, to_act, round, scores, feed and so on are there for every game, `table.game` is
// what this game's `view` tells. It may import dom.js, text.js, dice.js, acting.js and api.js from /static/js/, and no
// other module of these pages. web/README.md tells it as a story.

import { act } from "./acting.js";
import { fill, make } from "./dom.js";
import { knows, nameOf, say } from "./text.js";

const plain = {
  // --- what it looks like ---

  /** One surface, as an element. `due` are marks to be made there, `alarm` regions to point at; `event` is what a replay has come to. */
  surface: (table, id, { due = [], alarm = [] } = {}) => make("ul", { class: "lying" }, lyingOn(table, id).map(([region, kind]) =>
    make("li", { class: alarm.includes(region) ? "alarm" : due.some((mark) => mark.region === region) ? "due" : null, "data-region": region }, `${nameOf("region", region)}: ${nameOf("kind", kind)}`))),

  /** What nobody owns, as elements; none while there is nothing to see. */
  shared: (table) => table.surfaces.filter(({ owner }) => owner === null).flatMap(({ id }) => [make("h2", {}, nameOf("surface", id)), game.surface(table, id)]),

  /** Whether that is the middle of the big screen, with the seats beside it; else it is a card at the side. */
  middle: false,

  /** What somebody has in hand for all to see, as elements beside their name. */
  held: () => [],

  /** How large the surfaces of a seat are, in any unit: the big screen makes them as large as it can. */
  size: () => ({ width: 4, height: 3 }),

  /** The whole score sheet of a table as a row of tables or the like; null for the sums alone. */
  sheet: () => null,

  // --- what is said ---

  /** Who has to do what, and the seats whose turn it is. */
  turn: ({ to_act: { must } }) => {
    const seats = must.filter((seat) => seat >= 0);
    return { said: seats.length ? say("turn.act", { players: seats }) : say("turn.chance"), seats };
  },

  /** The same said to a seat that has to act now; null to others. */
  ownTurn: (table, seat) => (table.to_act.must.includes(seat) ? say("turn.you") : null),

  /** The chapter of the rules that says what may be done now. */
  chapter: () => "",

  /** What happened, for the record; null for what nobody needs to read. */
  sentence: (event) => (knows(`event.${event.type}`) ? say(`event.${event.type}`, event) : null),

  /** Whether it is too small a thing for the feed and the timeline. */
  isMinor: () => false,

  /** The seat that had a round alone, by all events of it; null where rounds are everybody's. */
  whose: () => null,

  /** Types of events that only follow from moves. */
  consequences: [],

  /** Types of events that the big screen shows large. */
  announced: [],

  /** A move in few words, on a button. */
  move: (event) => (knows(`move.${event.type}`) ? say(`move.${event.type}`, event) : game.sentence(event) ?? event.type),

  /** What is still to be drawn or moved: {board, region, expected, seen, seat}. */
  mark: (table, mark) => say("sight.mark_due", mark),

  /** The regions that a complaint with these facts is about. */
  wrong: (facts) => facts.regions ?? [],

  // --- what people do ---

  /**
   * The seat's own part of its page. Gives what draws it: `can` is where a seat is told what it may do, `board` where its
   * surfaces are; `enter(event)` makes a move. `options` are those of the game's view.
   */
  panel: ({ can, board, enter }) => (table, seat, { options, due, alarm }) => {
    const own = table.surfaces.filter(({ owner }) => owner === seat).map(({ id }) => id);
    board.hidden = own.length === 0;
    fill(board, [table.game, due, alarm], () => own.map((id) => game.surface(table, id, { due, alarm })));
    can.hidden = !options?.length;
    fill(can, options, () => [make("h2", {}, say("seat.can")), make("div", { class: "row" }, (options ?? []).map((event, n) =>
      make("button", { "data-focus": `option-${n}`, onclick: () => act(() => enter(event)) }, game.move(event))))]);
  },

  /** What an entered move leaves to be done on the seat's surfaces: the sentence, and the regions where that is seen. */
  toDo: () => null,

  /** Whether the host may tell an event anew. */
  canCorrect: () => false,

  /** A title and the fields that change `event`, a copy of it; `changed` is to be called where they have to be drawn anew. */
  correction: () => null,
};

const lyingOn = (table, id) => Object.entries(table.game.surfaces?.[id] ?? {}).filter(([, kind]) => kind !== "empty");

const { game: name, script } = document.documentElement.dataset;
export const game = { ...plain, ...(script === undefined ? {} : await import(`/game/${name}/game.js`)) };
