// Doing what somebody tapped, and saying in #said how it went.

import { $, make } from "./dom.js";
import { say } from "./text.js";

/** A button with the sentence of `key` on it. */
export const button = (key, what, name = null) => make("button", { class: name, "data-focus": key, onclick: () => act(what) }, say(key));

/** Does it; what was refused is said in words, and `done` if it worked. */
export async function act(what, done = "") {
  try {
    await what();
    tell(done, "good");
  } catch (refused) {
    tell(refused.message, "bad");
  }
}

export function tell(text, kind) {
  $("said").textContent = text;
  $("said").className = `note ${kind}`;
  $("said").hidden = !text;
  if (text) $("said").scrollIntoView({ block: "nearest" });
}
