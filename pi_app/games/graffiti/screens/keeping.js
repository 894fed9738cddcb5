// At the end of a round: which tiles of paint are kept. They are tapped one by one.

import { make } from "/static/js/dom.js";
import { nameOf, say } from "/static/js/text.js";
import { paintTile } from "./pieces.js";

/** `kept` are the places of the chosen tiles; with the bonus tile there may be one more. */
export function keeping(game, { tiles, most, with_save: withSave }, kept, { onKept, onDone }) {
  const limit = Math.min(tiles.length, withSave ?? most);
  const uses = kept.length > most;
  const toggle = (place) => onKept(kept.includes(place) ? kept.filter((one) => one !== place) : [...kept, place]);
  return [make("section", { class: "offer keeping" }, make("h2", {}, say("seat.keep", { count: most })),
    make("p", {}, say(withSave ? "seat.keep_with_save" : "seat.keep_hint", { count: limit })),
    make("div", { class: "things" }, tiles.map((kind, place) => make("button", { class: "thing", "aria-pressed": String(kept.includes(place)), disabled: !kept.includes(place) && kept.length >= limit, "data-focus": `keep-${place}`, onclick: () => toggle(place) }, paintTile(game, kind)))),
    make("p", { class: "row" }, make("button", { class: "main", "data-focus": "keep", onclick: () => onDone(kept.map((place) => tiles[place]), uses ? ["save"] : []) },
      kept.length ? say("seat.keep_these", { kinds: kept.map((place) => nameOf("paint", tiles[place])).join(", ") }) : say("seat.keep_none"))),
    uses ? make("p", { class: "small" }, say("seat.keep_uses")) : null)];
}
