// What a game brings for its profiles, and what the editor does where it brings nothing.
//
// A game's folder may have screens/editor/editor.js, a module that exports any of the names below, and editor.css. It may
// import dom.js and text.js from /static/js/, fields.js and drag.js from /static/js/setup/, and no other module of these
// pages. `name`, `source` and `geometry` of a profile belong to the editor itself. web/README.md tells it as a story.

import { $ } from "../dom.js";
import { nameOf } from "../text.js";

const plain = {
  /** The one form of a profile that the sections work with, whatever a file says. */
  normalised: (profile) => profile,

  /**
   * The sections of the form by their id, which is the first word of the places of their problems; `editor.tab_<id>` is
   * its name. Each fills an element: (place, work). Without any, a form is made of what is in the profile.
   */
  sections: {},

  /** A place in a profile, such as "stops 3", in words. */
  place: (where) => where.split(/[. ]/).map((part) => nameOf("field", part)).join(" · "),

  /** Those of its measurable boards that this profile has. */
  boards: (profile, measurable) => measurable,

  /**
   * What is placed on a measured board besides its stickers: {id, name, get, set, begin}. `part` is what is known of the
   * board (width_mm, height_mm and what `set` has put there), points are in mm: two corners of a box, or four.
   */
  areas: (board, part, profile) => [],

  /** Outlines that follow from those, only to be seen. */
  lines: (board, part, profile) => [],
};

const { game } = document.documentElement.dataset;
export const brought = { ...plain, ...("script" in $("editor").dataset ? await import(`/game/${game}/editor/editor.js`) : {}) };
