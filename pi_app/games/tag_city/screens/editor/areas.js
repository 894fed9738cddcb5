// The areas of a board that have to be measured, where they are kept in a profile, and where to begin.

import { isArea, outline } from "/static/js/setup/drag.js";
import { isTable } from "/static/js/setup/fields.js";
import { nameOf, say } from "/static/js/text.js";
import { SERIES } from "./profile.js";

const box = (x, y, width, height) => [[x, y], [x + width, y + height]];
const round = (points) => points.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);

export function areas(board, part, profile) {
  const { width_mm: width, height_mm: height } = part;
  return board === "hq" ? hqAreas(width, height) : cityAreas(width, height, profile[board], part);
}

const region = (id, name, begin) => ({
  id, name, begin, get: (now) => now.regions?.[id],
  set: (now, points) => { now.regions = { ...(isTable(now.regions) ? now.regions : {}), [id]: points }; },
});

function hqAreas(width, height) {
  const at = (radius, degrees) => [width / 2 + (radius * width * Math.cos((degrees * Math.PI) / 180)) / 2, height / 2 + (radius * height * Math.sin((degrees * Math.PI) / 180)) / 2];
  const wedge = (number) => {
    const angle = -90 + 60 * (number - 1);
    return round([at(0.86, angle - 22), at(0.86, angle + 22), at(0.4, angle + 17), at(0.4, angle - 17)]);
  };
  const face = (number) => {
    const [x, y] = at(0.72, -60 + 60 * (number - 1));
    return round(box(x - 6, y - 6, 12, 12));
  };
  const numbers = [1, 2, 3, 4, 5, 6];
  return [
    ...numbers.map((number) => region(`section.${number}`, say("editor.area_section", { number }), () => wedge(number))),
    ...numbers.map((number) => region(`value.${number}`, say("editor.area_value", { number }), () => face(number))),
  ];
}

function cityAreas(width, height, city, part) {
  const grid = {
    id: "grid", name: say("editor.area_grid"), get: (now) => now.grid, set: (now, points) => { now.grid = points; },
    begin: () => round([[0.18 * width, 0.2 * height], [0.82 * width, 0.2 * height], [0.82 * width, 0.8 * height], [0.18 * width, 0.8 * height]]),
  };
  const districts = Object.values(city.districts).filter(({ name }) => name).flatMap(({ name }, n, all) => ["high", "low"].map((rank, k) =>
    region(`district.${name}.${rank}`, say(`editor.area_district_${rank}`, { name: nameOf("district", name) }), () => round(box(0.18 * width + ((n + 0.2 + 0.35 * k) * 0.64 * width) / all.length, 0.86 * height, 11, 11)))));
  return [grid, ...SERIES.flatMap((family) => ends(family, width, height, city, part)), ...districts];
}

/** The first and the last box of a row of them; they begin beside the grid. */
function ends(family, width, height, city, part) {
  const called = say(`editor.series_${family.replace(".", "_")}`);
  const corners = Array.isArray(part.grid) && part.grid.length === 4 ? part.grid : cornersOf(width, height);
  const [[left, top], , [right, bottom]] = corners;
  const cell = [(right - left) / city.cols, (bottom - top) / city.rows];
  const places = {
    "row.high": [[right + 3, top], [right + 3, bottom - cell[1]]], "row.low": [[right + 16, top], [right + 16, bottom - cell[1]]],
    "col.high": [[left, top - 28], [right - cell[0], top - 28]], "col.low": [[left, top - 15], [right - cell[0], top - 15]],
    drone: [[left - 34, top + 5], [left - 34, bottom - 18]], bubble: [[right + 32, top + 5], [right + 32, bottom - 18]],
  }[family];
  const side = Math.min(11, ...cell);
  return ["first", "last"].map((which, n) => ({
    id: `${family} ${which}`, name: say(`editor.area_${which}`, { name: called }),
    get: (now) => now.series?.[family]?.[n],
    set: (now, points) => {
      const pair = now.series?.[family] ?? ["", ""];
      now.series = { ...(isTable(now.series) ? now.series : {}), [family]: n === 0 ? [points, pair[1]] : [pair[0], points] };
    },
    begin: () => round(box(Math.max(0, Math.min(width - side, places[n][0])), Math.max(0, Math.min(height - side, places[n][1])), side, side)),
  }));
}

const cornersOf = (width, height) => [[0.18 * width, 0.2 * height], [0.82 * width, 0.2 * height], [0.82 * width, 0.8 * height], [0.18 * width, 0.8 * height]];

// --- what follows from the grid and from rows of boxes ------------------------------------------

const between = (a, b, share) => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];

/** Outlines of every square and of every box between a first and a last one. */
export function lines(board, part, profile) {
  if (board === "hq") return [];
  const city = profile[board];
  const found = [];
  if (isArea(part.grid)) {
    const [tl, tr, br, bl] = outline(part.grid);
    const at = (x, y) => between(between(tl, tr, x / city.cols), between(bl, br, x / city.cols), y / city.rows);
    for (let row = 0; row < city.rows; row += 1) for (let col = 0; col < city.cols; col += 1) found.push([at(col, row), at(col + 1, row), at(col + 1, row + 1), at(col, row + 1)]);
  }
  const counts = { "row.high": city.rows, "row.low": city.rows, "col.high": city.cols, "col.low": city.cols, drone: city.drone.length, bubble: city.bubbles.length };
  for (const family of SERIES) {
    const [first, last] = part.series?.[family] ?? [];
    if (!isArea(first) || !isArea(last) || first.length !== last.length) continue;
    for (let n = 1; n < counts[family] - 1; n += 1) found.push(outline(first.map((point, k) => between(point, last[k], n / (counts[family] - 1)))));
  }
  return found;
}
