// Graffiti on pages: what web/static/js/game.js asks of a game.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { actions } from "./actions.js";
import { leftOver, seatSheet } from "./sheet.js";
import { track, tunnel } from "./tunnel.js";

export { panel } from "./panel.js";
export { announced, chapter, consequences, isMinor, move, ownTurn, sentence, toDo, turn } from "./saying.js";
export { sheet } from "./sheet.js";

/** The tunnel and the action boards are what everybody looks at. */
export const middle = true;

export function surface(table, id, { event = null } = {}) {
  if (id === "tunnel") return tunnel(table, { fresh: [event?.part].filter(Boolean) });
  return id === "actions" ? actions(table) : seatSheet(table, Number(id.split("-")[1]) - 1);
}

export const shared = (table) => [make("div", { class: "street" }, tunnel(table, { fresh: freshParts(table) }), standing(table), table.game.phase === "over" ? leftOver(table) : actions(table))];

/** How near the end is, and who has how many points. */
const standing = (table) => make("div", { class: "standing" }, make("span", { class: "small" }, say("screen.finished", { count: table.game.finished, of: table.game.finished_at_end })), track(table));

/** The part of the newest move, where there is a feed. */
function freshParts({ feed = [] }) {
  const last = [...feed].reverse().find(({ event }) => ["part_painted", "neutral_painted", "paint_taken", "permits_taken", "bonus_taken", "police_taken", "passed"].includes(event.type));
  return [last?.event.part].filter(Boolean);
}
