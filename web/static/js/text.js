// Sentences in the reader's language: the same strings and the same blanks as web/text.py.

const BLANK = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;
export const language = document.documentElement.lang;
const answer = await fetch(`/strings/${language}.json`);
const strings = await answer.json();
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
    return count === 1 || (count === 0 && language === "fr") ? one : many;
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

export function featureName(feature) {
  const [kind, name] = feature.split(".");
  return say(`feature.${kind}`, { name: kind === "district" ? districtName(name) : name });
}

export function districtName(name) {
  return knows(`district.${name}`) ? strings[`district.${name}`] : name;
}

export function playerName(seat) {
  return players[seat] ?? strings["table.seat"].replace("{seat}", Number.isInteger(seat) ? seat + 1 : seat);
}

function said(name, value) {
  if (Array.isArray(value)) return value.map((item) => said(name.replace(/s$/, ""), item)).join(", ");
  if (name === "region") return region(String(value));
  if (name === "expected" || name === "seen") return strings[`kind.${value}`] ?? String(value);
  if (name === "player" || name === "owner" || name === "turn") return playerName(value);
  if (name === "die") return String(value + 1);
  if (name === "board") return boardName(String(value));
  if (name === "edge") return strings[`place.${value}`] ?? String(value);
  if (name === "feature" && /^(row|col|district)\./.test(value)) return featureName(value);
  return typeof value === "number" ? number(value) : String(value);
}

function region(id) {
  const square = /^r(\d+)c(\d+)$/.exec(id);
  if (square) return String.fromCharCode(64 + Number(square[2])) + square[1];
  const [kind, name, rank] = id.split(".");
  if (knows(`feature.${kind}`) && (rank === "high" || rank === "low")) {
    return strings[`region.${rank}`].replace("{feature}", featureName(`${kind}.${name}`));
  }
  return knows(`region.${kind}`) ? strings[`region.${kind}`].replace("{number}", name) : id;
}

export function boardName(board) {
  const city = /^city-(\d+)$/.exec(board);
  if (city) return strings["table.board"].replace("{name}", playerName(Number(city[1]) - 1));
  return board === "hq" ? strings["table.hq"] : board;
}
