// What a seat has told its own phone of its unknown permits. It is kept on this phone and sent nowhere: it only makes the
// hints of this page exact.

const KEPT = "allcity.own-permits";

/** The faces that were told and are still held; `unknown` is how many permits the record does not know. */
export function toldFaces(table, seat, unknown) {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  const first = table.feed[0]?.seq ?? 0;
  if (!kept || kept.game !== table.game_id || kept.seat !== seat || first > kept.seen + 1) return []; // what happened meanwhile is not known here
  let { faces } = kept;
  for (const { seq, event } of table.feed) {
    if (seq <= kept.seen || event.type !== "part_painted" || event.player !== seat) continue;
    for (const face of event.permits ?? []) if (faces.length > unknown && faces.includes(face)) faces = faces.toSpliced(faces.indexOf(face), 1);
  }
  faces = faces.slice(0, unknown);
  tell(table, seat, faces);
  return faces;
}

export function tell(table, seat, faces) {
  localStorage.setItem(KEPT, JSON.stringify({ game: table.game_id, seat, faces, seen: table.last_seq }));
}

/** How many of each face are held, and how many nobody has told. */
export function heldPermits({ permits, unknown }, told) {
  const held = new Map();
  for (const face of [...permits, ...told]) held.set(face, (held.get(face) ?? 0) + 1);
  return { held, untold: unknown - told.length };
}

/** A plan with what was told: whether there is a permit for it. */
export function exactly(plan, section, { held, untold }) {
  if (!["maybe", "bonus"].includes(plan.permit)) return plan;
  if (held.get(section)) return { ...plan, permit: "one" };
  if ([...held.values()].some((count) => count > 1)) return { ...plan, permit: "two" };
  if (plan.permit === "bonus" || untold > 0) return plan;
  return { ...plan, permit: "none", ready: false };
}

/** Whether these permits can be discarded, by all that is known on this phone. */
export function canDiscard(faces, { held, untold }) {
  const short = [...new Set(faces)].map((face) => Math.max(0, faces.filter((other) => other === face).length - (held.get(face) ?? 0)));
  return short.reduce((sum, one) => sum + one, 0) <= untold;
}
