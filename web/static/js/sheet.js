// The score sheet of a game: who has how much, and from where.

import { make } from "./dom.js";
import { number, playerName, say } from "./text.js";

/** Whoever has most comes first. `painted` are the seats' colours; the column of `own` is marked. */
export function scoreSheet({ players, scores, parts }, painted, own = null) {
  const seats = players.map((_, seat) => seat).sort((a, b) => scores[b] - scores[a]);
  const mark = (seat, name) => (seat === own ? `${name} own` : name);
  const names = seats.map((seat) => make("th", { scope: "col", class: mark(seat, `number name c-${painted[seat]}`), dir: "auto", title: playerName(seat) },
    playerName(seat), seat === own ? make("span", { class: "hidden" }, ` ${say("seat.own_column")}`) : null));
  const row = (told, points, name = null) => make("tr", { class: name }, make("th", { scope: "row" }, told),
    seats.map((seat) => make("td", { class: mark(seat, `number c-${painted[seat]}`) }, number(points(seat)))));
  return make("table", { class: "plain score-sheet" }, make("thead", {}, make("tr", {}, make("td", {}), names)),
    make("tbody", {}, Object.keys(parts[0]).map((part) => row(say(`category.${part}`), (seat) => parts[seat][part])), row(say("show.total"), (seat) => scores[seat], "winner")));
}
