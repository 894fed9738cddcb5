// What happened, what may be done and whose turn it is, in words.

import { say } from "/static/js/text.js";

/** What lies on the till, or is shot. */
export const actInWords = (act) => say(`till.${act.type}${act.cards?.length === 2 ? "_twice" : ""}`, { ...act, card: act.cards?.[0] ?? act.card });

/** What who has the turn has to do now. */
function due({ phase, turn: player, dice, steps, pending, seats }) {
  if (phase !== "turn") return [phase, { player }];
  if (pending) return [pending.act.type === "shot_fired" && pending.value === null ? "shot" : "pending", { player, what: actInWords(pending.act) }];
  if (seats[player].lying) return ["lying", { player }];
  return dice.length ? ["go", { player, steps }] : ["roll", { player }];
}

/** The turn is somebody's also while dice decide. */
export function turn({ game }) {
  const [what, facts] = due(game);
  return { said: say(`turn.${what}`, facts), seats: ["park", "turn"].includes(game.phase) ? [game.turn] : [] };
}

/** The same said to the seat whose turn it is; null to others, also to those who could stop something. */
export function ownTurn({ game }, seat) {
  if (!["park", "turn"].includes(game.phase) || game.turn !== seat) return null;
  const [what, facts] = due(game);
  return say(`turn.you_${what}`, facts);
}

const CHAPTERS = { start: "table", deal: "table", park: "table", over: "points" };

export function chapter({ game: { phase, pending } }) {
  if (phase !== "turn" || !pending) return CHAPTERS[phase] ?? "turn";
  return pending.act.type === "shot_fired" ? "shooting" : "cards";
}

/** What happened; null for what nobody needs to read. */
export function sentence(event) {
  switch (event.type) {
    case "walked": case "drove": return say(`show.${event.type}`, { ...event, square: event.path.at(-1), count: event.path.length });
    case "goods_taken": return say(event.cards.length > 1 ? "show.taken_twice" : "event.goods_taken", { ...event, card: event.cards[0] });
    case "turn_began": return say(event.extra ? "show.another_turn" : "event.turn_began", event);
    case "run_over": return say(event.cards.length ? "show.run_over_spilt" : "event.run_over", event);
    case "house_decided": return say("show.house_decided", { ...event, changes: event.changes.map(([what, value]) => say(`house.${what}`, { value: value || "–" })) });
    case "game_ended": return say("show.ended", { reasons: event.reasons.map((reason) => say(`end.${reason}`)).join("; ") });
    default: return say(`event.${event.type}`, event);
  }
}

/** Cards that are drawn, and going on, are for the slider. */
export const isMinor = ({ type }) => ["cards_drawn", "settled", "turn_ended", "turn_began", "act_stood", "deck_shuffled"].includes(type);

/** A round is one turn. */
export const whose = (events) => events.find(({ type }) => type === "turn_began")?.player ?? null;

export const consequences = ["turn_began", "got_up", "act_stood", "act_stopped", "fell", "pushed", "points_banked", "run_over", "entered_car", "deck_shuffled", "game_ended"];
export const announced = ["points_banked", "run_over", "act_stopped", "fell", "game_ended"];

/** A move on a button. */
export function move(event) {
  switch (event.type) {
    case "walked": case "drove": return say(`show.to_${event.type}`, { ...event, square: event.path.at(-1), count: event.path.length });
    case "goods_taken": return say(event.cards.length > 1 ? "show.take_twice" : "move.goods_taken", { ...event, card: event.cards[0] });
    default: return say(`move.${event.type}`, event);
  }
}

/** What an entered move leaves to be done by hands. */
export function toDo(event) {
  const key = {
    walked: "walked", drove: "drove", car_parked: "parked", goods_taken: "play", robbed: "play", step_card_played: "play", stop_played: "stop", banked: "banked", car_left: "left",
  }[event.type];
  if (key === undefined) return null;
  const facts = { ...event, square: event.path?.at(-1), card: event.cards?.[0] ?? event.card };
  return { said: say(`todo.${key}`, facts), regions: [] };
}
