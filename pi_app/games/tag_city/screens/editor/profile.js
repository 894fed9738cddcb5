// What a profile is made of, brought into the one form that the editor works with.

import { isTable } from "/static/js/setup/fields.js";

export const UNKNOWN = "?"; // a square that nobody has painted yet
export const MOST = { rows: 26, cols: 26, slots: 20, squares: 12 };
export const SERIES = ["row.high", "row.low", "col.high", "col.low", "drone", "bubble"];
const KNOWN_COLOURS = ["red", "blue", "green", "yellow", "purple"];

export const columnLetter = (number) => String.fromCharCode(65 + number);

/** A name as profiles want it: a lower-case letter, then letters, digits and hyphens. */
export function asId(text) {
  const plain = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9_-]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 30);
}

/** The looks of a district: a class for its ground. */
export function districtLook(districts, letter) {
  const index = Object.keys(districts).indexOf(letter);
  if (index < 0) return letter === UNKNOWN ? "g-unknown" : "g-none";
  const name = districts[letter]?.name;
  return KNOWN_COLOURS.includes(name) ? `g-${name}` : `g-${index % 3}`;
}

export function normalised(profile) {
  profile.city = normalCity(profile.city);
  if ("city_b" in profile) profile.city_b = normalCity(profile.city_b);
  profile.shapes = normalShapes(profile.shapes);
  profile.hq = normalHq(profile.hq);
  for (const board of ["city", "city_b", "hq"]) {
    const part = profile.geometry?.[board];
    if (!isTable(part)) continue;
    if (board !== "hq") part.series = flat(part.series, 2);
    part.regions = flat(part.regions, 3);
  }
  return profile;
}

const listOf = (value) => (Array.isArray(value) ? value : []);
const within = (value, most, otherwise) => (Number.isInteger(value) && value >= 1 && value <= most ? value : otherwise);

export function normalCity(city) {
  const told = isTable(city) ? city : {};
  told.rows = within(told.rows, MOST.rows, 8);
  told.cols = within(told.cols, MOST.cols, 12);
  told.districts = isTable(told.districts) ? told.districts : {};
  for (const [letter, entry] of Object.entries(told.districts)) told.districts[letter] = { name: "", high: "", low: "", ...(isTable(entry) ? entry : {}) };
  told.drone = listOf(told.drone);
  told.bubbles = listOf(told.bubbles);
  resize(told);
  return told;
}

/** Makes map and values fit the city's size; what is new is unknown. */
export function resize(city) {
  const rows = listOf(city.cells).map((row) => (typeof row === "string" ? row : ""));
  city.cells = Array.from({ length: city.rows }, (_, row) => (rows[row] ?? "").slice(0, city.cols).padEnd(city.cols, UNKNOWN));
  for (const [key, count] of [["row_values", city.rows], ["col_values", city.cols]]) {
    const pairs = listOf(city[key]);
    city[key] = Array.from({ length: count }, (_, n) => (Array.isArray(pairs[n]) && pairs[n].length === 2 ? pairs[n] : ["", ""]));
  }
}

function normalShapes(shapes) {
  const told = isTable(shapes) ? shapes : {};
  for (const [id, shape] of Object.entries(told)) {
    const cells = listOf(shape?.cells).filter((cell) => Array.isArray(cell) && cell.length === 2 && cell.every((n) => Number.isInteger(n) && n >= 0));
    told[id] = { small: shape?.small === true, cells };
  }
  return told;
}

function normalHq(hq) {
  const told = isTable(hq) ? hq : {};
  for (const [key, count] of [["sections", 6], ["small", 3]]) told[key] = Array.from({ length: count }, (_, n) => listOf(told[key])[n] ?? "");
  const values = isTable(told.values) ? told.values : {};
  told.values = Object.fromEntries([1, 2, 3, 4, 5, 6].map((face) => [face, Array.isArray(values[face]) ? values[face] : ["", ""]]));
  return told;
}

/** Region ids have dots, and files may hold tables in tables for them. */
function flat(table, levels) {
  const found = {};
  for (const [key, value] of Object.entries(isTable(table) ? table : {})) {
    if (isTable(value) && levels > 1) for (const [rest, inner] of Object.entries(flat(value, levels - 1))) found[`${key}.${rest}`] = inner;
    else found[key] = value;
  }
  return found;
}
