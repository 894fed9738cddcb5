// What a profile is made of, brought into the one form that the editor works with.

import { isTable } from "/static/js/setup/fields.js";

export const COLOURS = ["R", "Y", "B", "G", "K"];
export const PAINTS = [...COLOURS, "RY", "RB", "YB"];
export const BONUSES = ["points", "paint", "permit", "extra", "reserve", "add", "reduce", "save"];
export const MOST = { sections: 6, parts: 6, spaces: 20 };

const tableOf = (value) => (isTable(value) ? value : {});
const listOf = (value) => (Array.isArray(value) ? value : []);

export function normalised(profile) {
  const told = Object.fromEntries(["tunnel", "graffiti", "special", "permits", "bonus", "paint", "start", "track"].map((key) => [key, tableOf(profile[key])]));
  Object.assign(profile, told);
  told.tunnel.sections = listOf(told.tunnel.sections).map((walls) => [listOf(walls)[0] ?? "", listOf(walls)[1] ?? ""]);
  told.tunnel.spaces = listOf(told.tunnel.spaces);
  for (const table of [told.graffiti, told.special]) for (const letter of Object.keys(table)) table[letter] = listOf(table[letter]).map((part) => ({ cost: "", points: "", ...tableOf(part) }));
  told.permits.faces = { ...Object.fromEntries(told.tunnel.sections.map((_, n) => [n + 1, ""])), ...tableOf(told.permits.faces) };
  told.permits.spaces = listOf(told.permits.spaces).map((space) => ({ id: "", pile: 0, first: false, ...tableOf(space), slots: listOf(space?.slots) }));
  told.bonus.tiles = counts(BONUSES, told.bonus.tiles);
  told.paint.tiles = counts(PAINTS, told.paint.tiles);
  told.paint.spaces = listOf(told.paint.spaces).map((space) => ({ id: "", cans: "", unlimited: false, ...tableOf(space), kinds: listOf(space?.kinds) }));
  told.start.paint = listOf(told.start.paint);
  for (const [table, key] of [["permits", "slots"], ["bonus", "slots"], ["bonus", "police_space"], ["start", "permits"], ["track", "length"]]) told[table][key] ??= "";
  for (const part of Object.values(tableOf(profile.geometry)).filter(isTable)) for (const key of ["regions", "series"]) if (isTable(part[key])) part[key] = flat(part[key]);
  return profile;
}

const counts = (names, held) => ({ ...Object.fromEntries(names.map((name) => [name, ""])), ...tableOf(held) });

/** Region ids have dots, and files may hold tables in tables for them. */
function flat(table) {
  const pairs = Object.entries(table).flatMap(([key, value]) => (isTable(value) ? Object.entries(flat(value)).map(([rest, inner]) => [`${key}.${rest}`, inner]) : [[key, value]]));
  return Object.fromEntries(pairs);
}
