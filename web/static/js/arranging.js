// The big screen without scrolling: boards as large as they can be, the rest beside or below them.

import { $ } from "./dom.js";
import { game } from "./game.js";

const roomy = matchMedia("(min-width: 700px) and (min-height: 700px)");
// All in rem, as letters grow with the screen.
const CARD = { width: 1.75, height: 6.6 }; // what a card needs around its board: name and score, what the table says
const GAP = 1.2;
const SIDE = { width: 20, sheet: 14, column: 4 }; // a score sheet has a column for each player
const STRIP = { height: 10.5, narrow: 15.5, end: 24 };
const NARROW = 70;

export const isRoomy = () => roomy.matches;

/** Arranges the page for this table. */
export function arranged(table) {
  const main = $("main");
  const middle = game.middle && Boolean(table.game);
  main.classList.toggle("middle", middle);
  const place = middle ? main : document.querySelector(".side");
  if ($("shared-card").parentElement !== place) place.prepend($("shared-card"));
  main.classList.toggle("roomy", roomy.matches);
  if (middle) return;
  if (!roomy.matches) {
    main.classList.remove("below");
    return;
  }
  const best = table.game ? bestOf(candidates(table, roomFor(main))) : { below: false, columns: 1, side: SIDE.width, strip: 0 };
  main.classList.toggle("below", best.below);
  $("boards").dataset.columns = best.columns;
  $("boards").style.setProperty("--columns", best.columns);
  main.style.setProperty("--side", `${best.side}rem`);
  main.style.setProperty("--strip", `${best.strip}rem`);
}

/** What is left for boards and side, in rem. */
function roomFor(main) {
  const style = getComputedStyle(main);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const inner = (name, from, to) => main[name] - parseFloat(style[from]) - parseFloat(style[to]);
  return {
    width: inner("clientWidth", "paddingLeft", "paddingRight") / rem,
    height: inner("clientHeight", "paddingTop", "paddingBottom") / rem - $("turn").offsetHeight / rem - GAP,
  };
}

/** Every way to lay this game out, with how large its boards would be. */
function candidates(table, { width, height }) {
  const count = table.players.length;
  const side = table.result ? SIDE.sheet + count * SIDE.column : SIDE.width;
  const strip = table.result ? STRIP.end : width < NARROW ? STRIP.narrow : STRIP.height;
  const board = game.size(table);
  const found = [];
  for (const below of [false, true]) {
    const room = below ? { width, height: height - strip - GAP } : { width: width - side - GAP, height };
    for (let columns = 1; columns <= count; columns += 1) {
      const rows = Math.ceil(count / columns);
      const across = (room.width - (columns - 1) * GAP) / columns - CARD.width;
      const down = (room.height - (rows - 1) * GAP) / rows - CARD.height;
      found.push({ below, columns, side, strip, scale: Math.min(across / board.width, down / board.height) });
    }
  }
  return found;
}

const bestOf = (found) => found.reduce((best, one) => (one.scale > best.scale ? one : best));
