// Spree! on pages: what web/static/js/game.js asks of a game.

import { say } from "/static/js/text.js";

/** The mall and the till are what everybody looks at. */
export const middle = true;

/** The turn is somebody's also while dice decide. */
export function turn({ game }) {
  const seats = ["park", "turn"].includes(game.phase) ? [game.turn] : [];
  return { said: seats.length ? say("turn.act", { players: seats }) : say("turn.chance"), seats };
}

export const ownTurn = (table, seat) => (turn(table).seats.includes(seat) ? say("turn.you") : null);

export const consequences = ["turn_began", "got_up", "act_stood", "act_stopped", "fell", "pushed", "points_banked", "run_over", "entered_car", "deck_shuffled"];

export const announced = ["points_banked", "run_over"];

export const isMinor = ({ type }) => ["cards_drawn", "settled", "turn_ended", "turn_began"].includes(type);
