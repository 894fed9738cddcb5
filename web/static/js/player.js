// Renaming and forgetting a player: the host's business.

import { ask, tokens } from "./api.js";
import { $ } from "./dom.js";

const id = $("manage").dataset.player;
$("host-only").hidden = tokens.get("host") !== null;

function send(form, act) {
  $(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    $("answer").hidden = true;
    const button = $(form).querySelector("button");
    button.disabled = true;
    try {
      await act($(form).elements);
    } catch (error) {
      if (error.key === "history.name_taken") $("join").hidden = false;
      $("answer").textContent = error.message;
      $("answer").hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

send("rename", async (fields) => {
  const answer = await ask(`/api/players/${id}/rename`, { send: { name: fields.name.value, join: fields.join.checked }, as: "host" });
  location.assign(`/players/${answer.id}`);
});

send("forget", async () => {
  await ask(`/api/players/${id}/forget`, { send: {}, as: "host" });
  location.assign("/players");
});
