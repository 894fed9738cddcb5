// Dice as they lie on a table, whatever the game.

import { svg } from "./dom.js";
import { say } from "./text.js";

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]] };

export function die(value) {
  return svg("svg", { class: "die", viewBox: "-26 -26 52 52", role: "img", "aria-label": say("a11y.die", { value }) },
    svg("rect", { x: -24, y: -24, width: 48, height: 48, rx: 10 }),
    PIPS[value].map(([x, y]) => svg("circle", { cx: 13 * x, cy: 13 * y, r: 5 })));
}
