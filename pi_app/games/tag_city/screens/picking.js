// A move by hand: a die, then a shape that becomes a piece over the own board, or a bubble.

import { ask } from "/static/js/api.js";
import { Piece } from "./piece.js";

const NOTHING = { turn: null, die: null, groups: [], group: null, piece: null, bubble: undefined };
let pick = NOTHING;

/** What is being chosen: `group` is one of `groups` (a shape, by drone or not) with its `piece`, or there is a `bubble`. */
export const picking = () => pick;

export function forget() {
  pick = NOTHING;
}

/** What was chosen for another turn, for a die that is gone or a bubble that is taken is put down. */
export function keepFor(turn, options) {
  if (pick.die === null) return;
  if (JSON.stringify(turn) !== pick.turn || !options.dice.includes(pick.die)) forget();
  else if (pick.bubble !== undefined && !options.social.some(({ bubble }) => bubble === pick.bubble)) pick = { ...pick, bubble: undefined };
}

/** Takes up a die of this turn with the shape of its section; taken up again, it is put down. */
export async function takeUp(turn, seat, die, game) {
  if (pick.die === die) {
    forget();
    return;
  }
  const { shapes: groups } = await ask(`/api/placements?piece=${die}`);
  pick = { ...NOTHING, turn: JSON.stringify(turn), die, groups };
  const own = groups.find((group) => group.drone === null);
  if (own) takeShape(own, game);
}

export function takeShape(group, game) {
  pick = { ...pick, group, bubble: undefined, piece: new Piece(game.shapes[group.shape].cells, group.placements, game.city) };
}

/** `bubble` is its number; null checks for free. */
export function takeBubble(bubble) {
  pick = { ...pick, group: null, piece: null, bubble };
}

/** The move as it stands, as an event; null where it is none yet. */
export function chosenMove(player) {
  const { die, group, piece, bubble } = pick;
  if (bubble !== undefined) return { type: "social_checked", player, die, bubble };
  if (!piece?.placement) return null;
  return { type: "shape_painted", player, die, shape: group.shape, cells: piece.placement, drone: group.drone };
}
