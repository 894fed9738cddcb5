// What happened, in sentences that a latecomer understands.

import { make } from "./dom.js";
import { game } from "./game.js";
import { clock } from "./text.js";

/** The last move that counts, in words; "" where there is none. */
export function lastMove(table) {
  const record = [...table.feed].reverse().find(({ event }) => !game.consequences.includes(event.type));
  return record ? game.sentence(record.event) ?? "" : "";
}

/** Newest first. `colours` by seat. */
export function feed(records, colours, most = 30) {
  const shown = [...records].reverse().filter(({ event }) => !game.isMinor(event)).map((record) => ({ ...record, said: game.sentence(record.event) })).filter((record) => record.said).slice(0, most);
  return shown.map(({ at, event, said }) => make("li", { class: `${colours[event.player] ? `c-${colours[event.player]}` : ""} ${importance(event)}` },
    make("time", { class: "small soft", datetime: at }, clock(at)),
    make("span", { dir: "auto" }, said)));
}

/** The class of what stands out. */
export const importance = (event) => (game.announced.includes(event.type) ? "announced" : "");
