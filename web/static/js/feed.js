// What happened, in sentences that a latecomer understands.

import { make } from "./dom.js";
import { clock, featureName, say } from "./text.js";

/** The sentence of an event, or null for those that nobody needs to read. */
export function sentence(event) {
  const facts = { ...event };
  switch (event.type) {
    case "game_started": return say("feed.started", { player: event.leader });
    case "dice_rolled": return say("feed.rolled", { values: event.values.join(", ") });
    case "die_placed": return say("feed.placed", facts);
    case "shape_painted": return say(event.drone === null ? "show.paints" : "show.flies", facts);
    case "social_checked": return say(event.bubble === null ? "show.checks_free" : "show.checks", facts);
    case "house_decided": return say("show.house", facts);
    case "feature_completed": return say(`show.${event.rank}`, { ...facts, feature: featureName(event.feature) });
    case "round_ended": return say("feed.round_ended", { round: event.round, player: event.next_leader });
    case "game_ended": return say("feed.ended", { reasons: event.reasons.map((reason) => say(`end.${reason}`)).join("; ") });
    default: return null;
  }
}

/** The last move that counts, in words; "" where there is none. */
export function lastMove(table) {
  const record = [...table.feed].reverse().find(({ event }) => !["feature_completed", "round_ended", "game_ended"].includes(event.type));
  return record ? sentence(record.event) ?? "" : "";
}

/** Newest first. `colours` by seat. */
export function feed(records, colours, most = 30) {
  const shown = [...records].reverse().filter((record) => record.event.type !== "die_placed").map((record) => ({ ...record, said: sentence(record.event) })).filter((r) => r.said).slice(0, most);
  return shown.map((record) => make("li", { class: `${colours[record.event.player] ? `c-${colours[record.event.player]}` : ""} e-${record.event.type}` },
    make("time", { class: "small soft", datetime: record.at }, clock(record.at)),
    make("span", { dir: "auto" }, record.said)));
}
