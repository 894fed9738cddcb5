// Taking a game up again, and putting it out of sight or out of statistics.

import { act } from "./acting.js";
import { ask, command, tokens } from "./api.js";
import { $ } from "./dom.js";

const game = Number($("manage").dataset.game);
const as = () => (tokens.get("host") ? "host" : "seat");

$("continue")?.addEventListener("click", () => act(async () => {
  await command("continue", { game }, as());
  location.assign("/");
}));
for (const one of document.querySelectorAll("[data-mark]")) {
  one.addEventListener("click", () => act(async () => {
    await ask(`/api/games/${game}/mark`, { send: { mark: one.dataset.mark }, as: "host" });
    location.reload();
  }));
}
