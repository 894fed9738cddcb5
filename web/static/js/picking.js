// Looking through all legal placements of a die.

import { ask } from "./api.js";

let pick = empty();

function empty() {
  return { die: null, groups: [], group: 0, ways: [], at: null, social: [] };
}

/** What is looked at now: `ghosts` are all squares that could be covered, `picked` those of one placement. */
export function picking() {
  const cells = new Map(pick.ways.flat().map((cell) => [cell.join(), cell]));
  return {
    ...pick,
    ghosts: pick.at === null ? [...cells.values()] : [],
    picked: pick.at === null ? [] : pick.ways[pick.at],
    key: [pick.die, pick.group, pick.at, pick.groups.length, pick.ways.length],
    step(by) {
      pick.at = ((pick.at ?? (by > 0 ? -1 : 0)) + by + pick.ways.length) % pick.ways.length;
    },
    useGroup(n) {
      Object.assign(pick, { group: n, ways: pick.groups[n].placements, at: null });
    },
  };
}

export function forget() {
  pick = empty();
}

/** Fetches every placement of this die; chosen again, it is put down. */
export async function chosen(seat, die) {
  if (pick.die === die) {
    forget();
    return;
  }
  const found = await ask(`/api/placements?seat=${seat}&die=${die}`);
  pick = { ...empty(), die, groups: found.shapes, ways: found.shapes[0]?.placements ?? [], social: found.social };
}

/** A square was tapped: the next placement that covers it. */
export function choose(row, col) {
  const covering = pick.ways.flatMap((cells, n) => (cells.some(([r, c]) => r === row && c === col) ? [n] : []));
  if (covering.length) pick.at = covering.find((n) => pick.at !== null && n > pick.at) ?? covering[0];
}
