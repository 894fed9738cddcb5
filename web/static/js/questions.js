// What the table asks, and how a board that no rule explains is put right.

import { make } from "./dom.js";
import { say } from "./text.js";

/** Up to three pictures, one tap; and a no. */
export function candidates(question, onAnswer, onNo) {
  const stamp = Date.now(); // pictures of an earlier question must not be shown again
  return [make("h2", {}, say(question.reason, { board: question.board })),
    make("div", { class: "candidates" }, question.moves.map((move, n) => make("button", { class: n === question.chosen ? "chosen" : null, "data-focus": `answer-${n}`, onclick: () => onAnswer(n) },
      make("img", { src: `/api/question/${n}.jpg?${stamp}`, alt: "", onerror: (event) => event.target.remove() }),
      make("span", {}, moveLine(move))))),
    make("p", {}, make("button", { "data-focus": "answer-no", onclick: onNo }, say("question.none")))];
}

/** A move in few words: its shape and squares, the dice, or the bubble. */
export function moveLine(move) {
  const square = ([row, col]) => String.fromCharCode(65 + col) + (row + 1);
  switch (move.type) {
    case "shape_painted": return say(move.drone === null ? "move.shape" : "move.drone", { shape: move.shape, squares: move.cells.map(square).join(" ") });
    case "social_checked": return move.bubble === null ? say("move.social_free") : say("move.social", { number: move.bubble });
    case "dice_rolled": return say("feed.rolled", { values: move.values.join(", ") });
    case "die_placed": return say("move.placed", { section: move.section });
    default: return move.type;
  }
}

/** Both repairs of a board; `adopt` is offered to the host alone. */
export function repairs(table, board, { reread, restore, adopt }) {
  const told = table.boards[board];
  const parts = [make("h2", {}, say("repair.title")), make("p", {}, say(told.reason, told.facts)), crop(board, told)];
  if (table.restoring === board) {
    parts.push(table.restore.length
      ? make("div", {}, make("p", {}, say(board === "hq" ? "repair.fix_dice" : "repair.fix")), make("ul", { class: "fixes" }, table.restore.map((one) => make("li", {}, fixLine(one)))))
      : make("p", {}, say("repair.nothing")));
  }
  const buttons = [make("button", { onclick: restore, "data-focus": "restore" }, say("repair.record_right")), make("button", { class: "main", onclick: reread, "data-focus": "reread" }, say("repair.reread"))];
  if (adopt) buttons.push(make("button", { onclick: adopt, "data-focus": "adopt" }, say("repair.table_right")));
  return [...parts, make("div", { class: "row" }, buttons)];
}

/** Where it is wrong, as the camera sees it. */
function crop(board, told) {
  const where = told.facts.squares ?? told.facts.regions;
  return where ? make("img", { class: "crop", src: `/api/boards/${board}/wrong.jpg?${Date.now()}`, alt: "", onerror: (event) => event.target.remove() }) : null;
}

function fixLine({ region, seen, expected }) {
  if (region.startsWith("section.")) return say(expected === "empty" ? "repair.take_off" : seen === "empty" ? "repair.put_there" : "repair.dice", { region, expected, seen });
  const key = expected === "empty" ? "repair.wipe" : seen === "empty" ? "repair.draw" : "repair.change";
  return say(key, { region, expected, seen });
}
