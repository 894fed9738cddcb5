// A seat's own part of its page: what may be done by taps, and the mall with what is in reach.

import { act } from "/static/js/acting.js";
import { fill, make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { offers } from "./offers.js";
import { objecting } from "./objecting.js";
import { aroundMe } from "./around.js";
import { playingCard } from "./pieces.js";
import { rolling } from "./rolling.js";
import { walking } from "./walking.js";

let shown = null; // what was last drawn
const fresh = () => ({ thing: null, square: null, dice: [], stopping: false, left: null });
let picked = fresh(); // what was tapped, and is not entered yet

export function panel({ can, board, enter }) {
  const again = () => show(...shown);
  const pick = (change) => { picked = { ...picked, ...change }; again(); };
  const send = (event) => act(async () => {
    await enter(event);
    picked = { ...fresh(), left: picked.left };
    again();
  });

  function show(...now) {
    shown = now;
    const [table, seat, { options, alarm }] = now;
    const { game } = table;
    const mine = options ?? [];
    const at = { game, seat, options: mine, picked, pick, send };
    const key = [mine, game.hands[seat], game.pending, game.dice, game.steps, game.phase, game.turn, game.seats, game.left, picked, table.players];
    const parts = () => [...objecting(at), ...hand(at), ...rolling(at), ...offers(at)];
    can.hidden = game.phase === "over" || parts().length === 0;
    fill(can, key, parts);
    board.hidden = false;
    fill(board, [key, game.odds, alarm, game.reach, game.fire], () => [...walking(at, alarm), ...aroundMe(at)]);
    centre(board);
  }

  return show;
}

/** The cards of this seat as far as the record was told them: people never need to. */
function hand({ game, seat }) {
  const known = game.hands[seat] ?? [];
  if (!known.length) return [];
  return [make("section", { class: "offer hand" }, make("h3", {}, say("seat.hand")), make("p", { class: "small soft" }, say("seat.hand_secret")), make("div", { class: "things" }, known.map((card) => playingCard(card))))];
}

/** On a narrow screen the mall is wider than the page: what was tapped, or the own thief, comes into view once. */
function centre(board) {
  const frame = board.querySelector(".mall-frame");
  const focus = frame?.querySelector("[data-centre]");
  if (!focus || frame.dataset.centred) return;
  frame.dataset.centred = "yes";
  const { left, width } = focus.getBoundingClientRect();
  frame.scrollLeft += left + width / 2 - frame.getBoundingClientRect().left - frame.clientWidth / 2;
}

