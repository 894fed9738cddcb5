// The areas of a board that have to be measured: single ones, and rows by their first and last.

import { isTable } from "/static/js/setup/fields.js";
import { nameOf, say } from "/static/js/text.js";

const SIDE = 20; // mm, to begin with

/** The regions of a board, as the program reads them. */
function regionsOf(board, { tunnel, graffiti, permits, bonus, paint, track }) {
  const count = (n) => Array.from({ length: Number(n) || 0 }, (_, at) => at + 1);
  if (board === "seat") return [...count(5).map((n) => `stock.${n}`), ...count(6).map((n) => `spent.${n}`), ...count(2).map((n) => `used.${n}`), "police", "token", "pass", "marker"];
  if (board === "tunnel") {
    const walls = tunnel.sections.flat().filter((letter) => letter in graffiti);
    const parts = walls.flatMap((letter) => graffiti[letter].map((_, n) => `${letter}${n + 1}`));
    const cans = tunnel.sections.flatMap((_, n) => tunnel.spaces.map((_, at) => `can.${n + 1}.${at + 1}`));
    return [...parts.map((part) => `part.${part}`), ...parts.map((part) => `tag.${part}`), ...cans, ...tunnel.sections.map((_, n) => `block.${n + 1}`), ...count(track.length).map((n) => `track.${n - 1}`)];
  }
  const wells = (space) => (space.unlimited && space.kinds.length > 1 ? space.kinds.map((kind) => `can.paint.${space.id}.${kind}`) : [`can.paint.${space.id}`]);
  const slots = count(bonus.slots);
  return [...count(permits.slots).map((n) => `permit.${n}`), "permit.pile", "permit.discard", ...permits.spaces.map(({ id }) => `can.permit.${id}`),
    ...slots.map((n) => `bonus.${n}`), "bonus.police", "bonus.used", ...slots.map((n) => `can.bonus.${n}`), ...(bonus.police_space === true ? ["can.bonus.police"] : []),
    ...Object.keys(paint.tiles).map((kind) => `paint.${kind}`), ...paint.spaces.flatMap(wells)];
}

/** Which regions may be told as a row: the parts of a graffiti, the spaces of a section, all that is numbered alike. */
function familyOf(region) {
  const [, name, last] = /^(.*)\.([^.]+)$/.exec(region) ?? [null, "", region];
  return name === "part" || name === "tag" ? `${name}.${last[0]}` : name;
}

const isRow = (members) => members.length > 1 && members.every((region) => /\d$/.test(region));

export function areas(board, part, profile) {
  const rows = new Map();
  for (const region of regionsOf(board, profile)) rows.set(familyOf(region), [...(rows.get(familyOf(region)) ?? []), region]);
  const all = [...rows].flatMap(([family, members]) => (isRow(members) ? [end(family, members, 0), end(family, members, 1)] : members.map(single)));
  const step = SIDE + 8;
  const across = Math.max(1, Math.floor((part.width_mm - SIDE) / step));
  const down = Math.max(1, Math.floor((part.height_mm - SIDE) / step));
  return all.map((area, n) => ({ ...area, begin: () => boxAt(8 + (n % across) * step, 8 + (Math.floor(n / across) % down) * step) }));
}

const boxAt = (x, y) => [[x, y], [x + SIDE, y + SIDE]];
const within = (table) => (isTable(table) ? table : {});

const single = (id) => ({ id, name: nameOf("region", id), get: (now) => now.regions?.[id], set: (now, points) => { now.regions = { ...within(now.regions), [id]: points }; } });

const end = (family, members, at) => ({
  id: `${family} ${at}`, name: say(at ? "editor.area_last" : "editor.area_first", { name: nameOf("region", members.at(-at)) }), get: (now) => now.series?.[family]?.[at],
  set: (now, points) => {
    const pair = [...(now.series?.[family] ?? ["", ""])];
    pair[at] = points;
    now.series = { ...within(now.series), [family]: pair };
  },
});
