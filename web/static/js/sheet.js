// The score sheet of a game: who has how much, and from where.

import { make } from "./dom.js";
import { number, playerName, say } from "./text.js";

const PARTS = ["rows", "columns", "districts", "drone", "bubbles", "total"];

/** Whoever has most comes first. `painted` are the seats' colours; the column of `own` is marked. */
export function scoreSheet(game, painted, own = null) {
  const boards = [...game.boards].sort((a, b) => b.score.total - a.score.total);
  const mark = (board, name) => (board.seat === own ? `${name} own` : name);
  const names = boards.map((board) => make("th", { scope: "col", class: mark(board, `number name c-${painted[board.seat]}`), dir: "auto", title: playerName(board.seat) },
    playerName(board.seat), board.seat === own ? make("span", { class: "hidden" }, ` ${say("seat.own_column")}`) : null));
  const rows = PARTS.map((part) => make("tr", { class: part === "total" ? "winner" : null }, make("th", { scope: "row" }, say(`show.${part}`)),
    boards.map((board) => make("td", { class: mark(board, `number c-${painted[board.seat]}`) }, number(board.score[part])))));
  return make("table", { class: "plain score-sheet" }, make("thead", {}, make("tr", {}, make("td", {}), names)), make("tbody", {}, rows));
}
