// An owner's own pieces: print a sheet, lay one of each on it, take one picture, and see what was learned.

import { ask, askPicture } from "../api.js";
import { make } from "../dom.js";
import { nameOf, number, say } from "../text.js";
import { attempt, button, liveView, newNote, tell, when } from "./steps.js";

export function pieces(place, { state, set }) {
  const [note, looking, known] = [newNote(), newNote(), make("p", {})];
  const list = make("ul", { class: "learned" });
  const alike = make("ul", { class: "findings" });
  const name = (piece) => nameOf("kind", piece);

  const learned = ({ piece, colour, width_mm: width }) => {
    const picture = make("img", { alt: "" });
    askPicture(`/api/setup/pieces/${encodeURIComponent(piece)}.jpg`, { as: "host" }).then((address) => { picture.src = address; }, () => picture.remove());
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.setProperty("--seat", colour);
    return make("li", {}, picture, make("span", {}, make("strong", {}, name(piece)), make("span", { class: "soft small" }, swatch, ` ${colour}, ${say("setup.pieces_width", { width: number(width) })}`)));
  };

  const show = () => {
    const now = state().pieces;
    known.textContent = now.taken_at ? say("setup.pieces_at", { when: when(now.taken_at) }) : say("setup.pieces_none");
    list.replaceChildren(...now.learned.map(learned));
    alike.replaceChildren(...now.alike.map(([one, other]) => make("li", { class: "warn" },
      make("span", { class: "finding-mark", "aria-hidden": "true" }, "!"), make("span", {}, say("setup.pieces_alike", { one: name(one), other: name(other) })))));
    forget.hidden = !now.taken_at;
  };
  const act = (action) => attempt(note, async () => {
    set({ pieces: await ask("/api/setup/pieces", { send: { action }, as: "host" }) });
    show();
    if (action === "learn") tell(note, say("setup.pieces_learned", { count: state().pieces.learned.length }), state().pieces.alike.length ? "warn" : "good");
  });
  const forget = button(say("setup.pieces_forget"), () => act("forget"));
  const print = make("a", { class: "button", href: "/setup/samples.pdf", download: true }, say("setup.pieces_print"));
  const left = make("div", { class: "stack" });
  const ways = make("div", { class: "row" }, print, button(say("setup.pieces_learn"), () => act("learn"), "main"), forget);
  place.append(make("p", { class: "soft" }, say("setup.pieces_wanted", { names: state().pieces.wanted.map(name).join(", ") })),
    make("div", { class: "camera-step" }, left, make("div", { class: "stack" }, known, note, ways, alike, list)), looking);
  show();
  return liveView(left, { note: looking });
}
