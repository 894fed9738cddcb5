// The way of the present turn, square by square, as the record tells it.

const GONE = ["walked", "drove"];

export function trailOf({ game, feed = [] }) {
  if (game.phase !== "turn" || game.origin === null) return [];
  const began = feed.findLastIndex(({ event }) => event.type === "turn_began");
  if (began < 0) return [];
  return [game.origin, ...feed.slice(began).flatMap(({ event }) => (GONE.includes(event.type) ? event.path : []))];
}
