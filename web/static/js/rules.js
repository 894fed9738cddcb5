// Where the rules say what is possible now.

import { make } from "./dom.js";
import { say } from "./text.js";

// Chapters of the rules by the phase of a game.
const CHAPTERS = { leader: "table", roll: "roll", place: "place", draft: "draft", last: "last", over: "end" };

/** The address of the rules, at what the players may do now; `game` is the view of the game, or nothing. */
export const ruleAddress = (game) => (game?.phase in CHAPTERS ? `/rules#${CHAPTERS[game.phase]}` : "/rules");

/** A link there. */
export const ruleLink = (game) => make("a", { class: "rule-link", href: ruleAddress(game), "data-focus": "rules" }, say(game ? "rules.link" : "rules.nav"));
