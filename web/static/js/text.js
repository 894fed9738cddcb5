// Sentences in the reader's language: the same strings and the same rules as web/text.py.

const BLANK = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;
const PART = /\{([a-z]*)(\d)\}/g;
const { lang, dataset } = document.documentElement;
export const language = lang;
const answer = await fetch(`/strings/${language}.json?game=${dataset.game}`);
const strings = await answer.json();
const patterns = new Map(); // by table: [pattern, words]
let players = [];

/** From now on seats are called by these names. */
export function callPlayers(names) {
  players = names;
}

export function say(key, facts = {}) {
  const sentence = strings[key];
  if (sentence === undefined) return key;
  return sentence.replace(BLANK, (blank, name, one, many) => {
    if (!(name in facts)) return blank;
    if (one === undefined) return said(name, facts[name]);
    const count = facts[name];
    return count === 1 || (count === 0 && strings["plural.zero"] === "one") ? one : many;
  });
}

export const knows = (key) => key in strings;

export function number(value, digits = 0) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value).replace("-", "−");
}

/** A time of day, as people here write it. */
export function clock(at) {
  return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }).format(new Date(at));
}

export const playerName = (seat) => players[seat] ?? strings["table.seat"].replace("{seat}", Number.isInteger(seat) ? seat + 1 : seat);

/** What a thing is called: a seat by who sits there, anything else by the table of names, or by itself. */
export function nameOf(table, thing) {
  if (table === "seat") return playerName(thing);
  if (table === "ordinal") return String(thing + 1);
  const words = strings[`${table}.${thing}`];
  if (words !== undefined) return words;
  for (const [pattern, pieces] of patternsOf(table)) {
    const found = pattern.exec(thing);
    if (found) return pieces.replace(PART, (_, kind, n) => part(kind, found[n]));
  }
  return String(thing);
}

function part(kind, text) {
  switch (kind) {
    case "": return text;
    case "letter": return String.fromCharCode(64 + Number(text));
    case "seat": return playerName(Number(text) - 1);
    default: return nameOf(kind, text);
  }
}

/** # stands for a number, * for anything. */
function patternsOf(table) {
  if (!patterns.has(table)) {
    const keys = Object.keys(strings).filter((key) => key.startsWith(`${table}.`) && /[#*]/.test(key));
    const regular = (written) => new RegExp(`^${written.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("#", "(\\d+)").replaceAll("*", "(.+)")}$`);
    patterns.set(table, keys.map((key) => [regular(key.slice(table.length + 1)), strings[key]]));
  }
  return patterns.get(table);
}

function said(name, value) {
  if (Array.isArray(value)) return value.map((item) => said(name.replace(/s$/, ""), item)).join(", ");
  const table = strings[`fact.${name}`];
  if (table !== undefined) return nameOf(table, value);
  return typeof value === "number" ? number(value) : String(value);
}
