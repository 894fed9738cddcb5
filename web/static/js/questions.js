// What the table asks, and how a board that no rule explains is put right.

import { make } from "./dom.js";
import { game } from "./game.js";
import { say } from "./text.js";

/** Up to three pictures, one tap; and a no. Whoever may not see the candidates is told whom to ask. */
export function candidates(question, onAnswer, onNo) {
  const stamp = Date.now(); // pictures of an earlier question must not be shown again
  const title = make("h2", {}, say(question.reason, question));
  if (question.moves.length === 0) return [title];
  return [title,
    make("div", { class: "candidates" }, question.moves.map((move, n) => make("button", { class: n === question.chosen ? "chosen" : null, "data-focus": `answer-${n}`, onclick: () => onAnswer(n) },
      make("img", { src: `/api/question/${n}.jpg?${stamp}`, alt: "", onerror: (event) => event.target.remove() }),
      make("span", {}, game.move(move))))),
    make("p", {}, make("button", { "data-focus": "answer-no", onclick: onNo }, say("question.none")))];
}

/** Both repairs of a board; `adopt` is offered to the host alone. */
export function repairs(table, board, { reread, restore, adopt }) {
  const told = table.boards[board];
  const parts = [make("h2", {}, say("repair.title")), make("p", {}, say(told.reason, told.facts)), crop(board, told)];
  if (table.restoring === board) {
    parts.push(table.restore.length
      ? make("div", {}, make("p", {}, say("repair.fix", { board })), make("ul", { class: "fixes" }, table.restore.map((one) => make("li", {}, fixLine(table, board, one)))))
      : make("p", {}, say("repair.nothing")));
  }
  const buttons = [make("button", { onclick: restore, "data-focus": "restore" }, say("repair.record_right")), make("button", { class: "main", onclick: reread, "data-focus": "reread" }, say("repair.reread"))];
  if (adopt) buttons.push(make("button", { onclick: adopt, "data-focus": "adopt" }, say("repair.table_right")));
  return [...parts, make("div", { class: "row" }, buttons)];
}

/** Where it is wrong, as the camera sees it. */
function crop(board, told) {
  return game.wrong(told.facts).length ? make("img", { class: "crop", src: `/api/boards/${board}/wrong.jpg?${Date.now()}`, alt: "", onerror: (event) => event.target.remove() }) : null;
}

/** What has to change where: pieces are put and taken, ink is drawn and wiped. */
function fixLine(table, board, { region, seen, expected }) {
  const [off, on, other] = table.surfaces.find(({ id }) => id === board).pieces ? ["take_off", "put_there", "lies"] : ["wipe", "draw", "change"];
  return say(`repair.${expected === "empty" ? off : seen === "empty" ? on : other}`, { region, expected, seen });
}
