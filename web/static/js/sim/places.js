// Where things are on a board: corners in millimetres from its top left.

/** The keys that go from place to place. */
export const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function box(outline) {
  const [xs, ys] = [0, 1].map((axis) => outline.map((corner) => corner[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

export function middle(outline) {
  const { left, right, top, bottom } = box(outline);
  return [(left + right) / 2, (top + bottom) / 2];
}

export function within(outline, [x, y]) {
  const { left, right, top, bottom } = box(outline);
  return left <= x && x <= right && top <= y && y <= bottom;
}

/** The nearest region in that direction, or the same where there is none. */
export function beside(regions, from, [dx, dy]) {
  const [x, y] = middle(regions[from].outline);
  const ways = Object.entries(regions).map(([id, { outline }]) => {
    const [toX, toY] = middle(outline).map((at, axis) => at - [x, y][axis]);
    return { id, along: toX * dx + toY * dy, aside: Math.abs(toX * dy) + Math.abs(toY * dx) };
  });
  const ahead = ways.filter(({ along, aside }) => along > 1 && aside <= along);
  return ahead.sort((a, b) => a.along + 3 * a.aside - b.along - 3 * b.aside)[0]?.id ?? from;
}

/** The region whose middle is nearest to a point, if it is at most so far from it. */
export function nearest(regions, [x, y], most) {
  const far = Object.entries(regions).map(([id, { outline }]) => {
    const [toX, toY] = middle(outline);
    return { id, by: Math.hypot(toX - x, toY - y) };
  });
  return far.filter(({ by }) => by <= most).sort((a, b) => a.by - b.by)[0]?.id;
}
