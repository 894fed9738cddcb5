// Places in a profile, such as "city.row_values 3 high", in words.

import { nameOf, say } from "/static/js/text.js";

const PARTS = ["city", "city_b", "shapes", "hq", "geometry"];
// What follows the part; $1 and $2 fill the sentence and what comes after it.
const PLACES = [
  [/^districts\.(.)[. ]?(.*)$/, (letter, rest) => [say("editor.district", { number: letter }), rest]],
  [/^districts$/, () => [say("editor.districts"), ""]],
  [/^cells(?: row (\d+))?$/, (row) => [row ? say("editor.row", { name: row }) : say("editor.grid"), ""]],
  [/^row_values ?(\S*) ?(.*)$/, (row, rest) => [row ? say("editor.row", { name: row }) : say("editor.row_values"), rest]],
  [/^col_values ?(\S*) ?(.*)$/, (col, rest) => [col ? say("editor.col", { name: col }) : say("editor.col_values"), rest]],
  [/^drone ?(\d*)$/, (number) => [number ? say("editor.drone_slot", { number }) : say("editor.series_drone"), ""]],
  [/^bubbles ?(\d*)$/, (number) => [number ? say("editor.bubble_slot", { number }) : say("editor.series_bubble"), ""]],
  [/^sections ?(\d*)$/, (number) => [number ? say("editor.area_section", { number }) : say("editor.ring"), ""]],
  [/^values\.?(\d*)$/, (number) => [number ? say("editor.area_value", { number }) : say("editor.ring"), ""]],
  [/^small ?(\d*)$/, (number) => [number ? say("editor.small_shape", { number }) : say("editor.small_shapes"), ""]],
  [/^(city|city_b|hq)\.?(.*)$/, (board, rest) => [nameOf("measurable", board), rest]],
];
const WORDS = { name: "field.name", source: "field.source", rows: "editor.rows", cols: "editor.cols", high: "editor.high", low: "editor.low", width_mm: "field.width_mm", height_mm: "field.height_mm", cells: "editor.grid" };

export function place(where) {
  const [, first, rest] = /^([^. ]+)[. ]?(.*)$/.exec(where) ?? [null, where, ""];
  if (!PARTS.includes(first)) return word(where);
  const said = [say(`editor.tab_${first}`)];
  if (first === "shapes") said.push(...rest.split(".").filter(Boolean).map(word));
  else if (rest) said.push(...inside(rest));
  return said.join(" · ");
}

function inside(place) {
  for (const [pattern, tell] of PLACES) {
    const found = pattern.exec(place);
    if (!found) continue;
    const [said, rest] = tell(...found.slice(1));
    return rest ? [said, word(rest)] : [said];
  }
  return [word(place)];
}

const word = (text) => (text in WORDS ? say(WORDS[text]) : text);
