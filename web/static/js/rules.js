// Where the rules say what is possible now.

import { make } from "./dom.js";
import { game } from "./game.js";
import { say } from "./text.js";

/** A link there; `table` may have no game yet. */
export function ruleLink(table) {
  const chapter = table?.game ? game.chapter(table) : "";
  return make("a", { class: "rule-link", href: chapter ? `/rules#${chapter}` : "/rules", "data-focus": "rules" }, say(table?.game ? "rules.link" : "rules.nav"));
}
