// The whole score sheet: every row, column and district with what it brought to whom, and what was paid.

import { make } from "/static/js/dom.js";
import { nameOf, number, playerName, say } from "/static/js/text.js";

export function sheet({ game: { boards }, scores }, colours) {
  const cell = (seat, told) => make("td", { class: `number c-${colours[seat]}` }, told);
  const printed = (told) => make("td", { class: "number soft wide" }, told);
  const row = (name, values, cells, kind = null) => make("tr", { class: kind }, make("th", { scope: "row" }, name), printed(values), cells);
  const names = boards.map(({ seat }) => make("th", { scope: "col", class: `number c-${colours[seat]}` }, make("bdi", { class: "name" }, playerName(seat))));
  const features = boards[0].features.map(({ feature, high, low }, n) =>
    row(nameOf("item", feature), `${number(high)} / ${number(low)}`, boards.map(({ seat, features: own }) => cell(seat, scored(own[n])))));
  const paid = ["drone", "bubbles"].map((kind) => row(say(`category.${kind}`), boards[0][kind].map(({ value }) => number(value)).join(" "),
    boards.map((board) => cell(board.seat, [number(board.score[kind]), " ", make("span", { class: "soft small" }, `(${board[kind].filter(({ mark }) => mark === "circled").length}×)`)]))));
  return [make("p", { class: "soft small" }, say("history.sheet_text")),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("show.sheet") }, make("table", { class: "plain sheet" },
      make("thead", {}, make("tr", {}, make("td", {}), make("th", { scope: "col", class: "number wide" }, say("history.values")), names)),
      make("tbody", {}, features, paid, row(say("show.total"), "", scores.map((score, seat) => cell(seat, number(score))), "total"))))];
}

/** What a feature brought: circled for whoever was first, a dot where squares are missing. */
function scored({ scored: rank, high, low, missing }) {
  if (rank === "high") return [make("span", { class: "first" }, number(high)), make("span", { class: "hidden" }, say("history.first"))];
  return rank === "low" ? number(low) : make("span", { class: "soft", "aria-label": say("history.open", { count: missing.length }) }, "·");
}
