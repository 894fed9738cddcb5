// The end of a game on a phone: who won, the score sheet, a picture to share, and the way to another game.

import { tokens } from "./api.js";
import { $, fill, make } from "./dom.js";
import { scoreSheet } from "./sheet.js";
import { say } from "./text.js";

const canShare = Boolean(navigator.canShare?.({ files: [new File([], "a.png", { type: "image/png" })] }));

export function showEnding(table, painted, seat) {
  $("end").hidden = !table.result;
  fill($("end"), [table.result, table.parts, painted, table.game_id], () => (table.result ? ending(table, painted, seat) : []));
}

function ending(table, painted, seat) {
  const { result } = table;
  const place = say(`history.place.${placeOf(result, seat)}`);
  return [make("h2", {}, result.winners.includes(seat) ? say("seat.won") : say("seat.placed", { place })),
    scoreSheet(table, painted, seat),
    make("div", { class: "row" },
      ...shareLinks(table.game_id),
      make("a", { class: "button", href: `/games/${table.game_id}` }, say("screen.whole_sheet")),
      tokens.get("host") ? make("a", { class: "button", href: "/host#new-game" }, say("seat.another")) : null),
    tokens.get("host") ? null : make("p", { class: "small soft" }, say("seat.another_hint"), " ", make("a", { href: "/host#new-game" }, say("screen.to_host")))];
}

/** Winners come first, also where a tie was broken; the others by their scores. */
function placeOf({ scores, winners }, seat) {
  return 1 + scores.filter((score, other) => winners.includes(other) || score > scores[seat]).length;
}

/** Devices share files only over https or on themselves; everywhere else the picture can be kept. */
function shareLinks(id) {
  const picture = `/api/games/${id}/square.png`;
  if (canShare) return [make("button", { class: "main", onclick: () => share(id, picture) }, say("history.share"))];
  return [make("a", { class: "button main", href: picture, download: `all-city-${id}.png` }, say("history.picture"))];
}

async function share(id, picture) {
  const answer = await fetch(picture);
  const file = new File([await answer.blob()], `all-city-${id}.png`, { type: "image/png" });
  await navigator.share({ files: [file] }).catch(() => {}); // somebody has thought better of it
}
