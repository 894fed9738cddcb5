// What happened, what may be done and whose turn it is, in words.

import { nameOf, say } from "/static/js/text.js";

/** Who has to do what, and the seats whose turn it is. */
export function turn({ game: { phase, turn: player, first, neutral }, to_act: { must } }) {
  const seats = must.filter((seat) => seat >= 0);
  switch (phase) {
    case "play": return { said: say("turn.play", { player }), seats };
    case "permits": return { said: say("turn.permits", { player }), seats: [player] };
    case "keep": return { said: say("turn.keep", { players: seats }), seats };
    case "neutral_paint": return { said: say("turn.neutral", { player: first, section: neutral }), seats };
    case "setup": return { said: say(first === null ? "turn.start" : "turn.setup"), seats: [] };
    default: return { said: say(`turn.${phase}`, { player: first }), seats: [] };
  }
}

/** The same said to a seat that has to act now; null to others. */
export function ownTurn({ game: { phase, neutral }, to_act: { must } }, seat) {
  if (!must.includes(seat)) return null;
  return phase === "neutral_paint" ? say("turn.you_neutral", { section: neutral }) : say(`turn.you_${phase}`);
}

const CHAPTERS = { setup: "table", block: "variants", play: "round", permits: "permits", keep: "keep", refill: "ending", neutral: "neutral", neutral_paint: "neutral", over: "end" };
export const chapter = ({ game }) => CHAPTERS[game.phase] ?? "round";

/** What happened; null for what nobody needs to read, and for what is no longer told: who took what in earlier rounds. */
export function sentence(event) {
  switch (event.type) {
    case "paint_taken": return event.kind ? withTiles(say("event.paint_taken", event), event) : null;
    case "permits_taken": return event.space ? withTiles(say("event.permits_taken", event), event) : null;
    case "bonus_taken": return event.slot ? withTiles(say("event.bonus_taken", event), event) : null;
    case "police_taken": return withTiles(say("event.police_taken", event), event);
    case "part_painted": return [say("event.part_painted", event), spent(event)].filter(Boolean).join(": ");
    case "bonus_used": return event.bonus ? say(event.part ? "show.reserved" : "event.bonus_used", event) : null;
    case "permit_drawn": return event.face ? say("show.drawn", event) : say("event.permit_drawn", event);
    case "paint_kept": return event.kinds?.length ? say("show.kept", event) : say("event.paint_kept", event);
    case "points_scored": return event.reason === "part" ? null : say("event.points_scored", event);
    case "game_ended": return say("show.ended", { reasons: event.reasons.map((reason) => say(`end.${reason}`)).join("; ") });
    case "out_of_cans": case "paint_returned": case "block_drawn": return null;
    default: return say(`event.${event.type}`, event);
  }
}

/** Tiles that are turned over one after the other are for the slider. */
export const isMinor = ({ type }) => ["bonus_revealed", "permit_revealed", "permit_drawn"].includes(type);

export const consequences = ["points_scored", "graffiti_finished", "block_placed", "out_of_cans", "paint_returned", "round_ended", "permits_shuffled", "game_ended"];
export const announced = ["graffiti_finished", "game_ended"];

const quoted = (bonus) => say("way.bonus", { bonus });
const withTiles = (said, { bonuses }) => (bonuses?.length ? `${said} (${bonuses.map(quoted).join(", ")})` : said);

/** What a painting cost besides cans. */
function spent({ permits, paints, bonuses, police }) {
  return [
    permits.length === 2 ? say("way.permits", { face: permits[0] }) : permits.length ? say("way.permit", { face: permits[0] }) : "",
    paints.map((kind) => nameOf("paint", kind)).join(" + "),
    ...bonuses.map(quoted),
    police ? say("way.police") : "",
  ].filter(Boolean).join(", ");
}

/** A move on a button. */
export function move(event) {
  switch (event.type) {
    case "part_painted": return say("move.painting", { part: event.part, how: way(event) });
    case "paint_taken": case "permits_taken": case "bonus_taken": case "police_taken": return `${say(`move.${event.type}`, event)}: ${way(event)}`;
    case "bonus_used": return say(event.part ? "move.reserve" : "move.bonus_used", event);
    default: return say(`move.${event.type}`, event);
  }
}

/** Where the cans go and what is used with them. */
export function way(event) {
  const cans = event.cans ? say("way.cans", { count: event.cans, space: event.space ?? event.slot ?? "police" }) : say("way.no_can");
  return [cans, event.type === "part_painted" ? spent(event) : (event.bonuses ?? []).map(quoted).join(", ")].filter(Boolean).join(" · ");
}

/** What an entered move leaves to be done by hands. */
export function toDo(event) {
  const said = { paint_taken: "todo.paint", permits_taken: "todo.permits", part_painted: "todo.paint_part", bonus_taken: "todo.bonus", police_taken: "todo.police", bonus_used: "todo.use", neutral_painted: "todo.neutral", paint_kept: "todo.keep" }[event.type];
  if (said === undefined) return null;
  const key = event.type === "bonus_used" && event.part ? "todo.reserve" : said;
  return { said: say(key, { ...event, way: way(event) }), regions: [] };
}
