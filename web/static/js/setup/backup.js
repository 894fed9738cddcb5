// Backups: saved from here, and brought back onto a fresh card.

import { ask } from "../api.js";
import { $ } from "../dom.js";
import { say } from "../text.js";
import { download } from "./download.js";

const AGAIN_MS = 1500;
const AWAY_MS = 5000; // the table needs a moment to leave before it comes back

function tell(message, kind) {
  $("backup-told").className = `note ${kind}`;
  $("backup-told").textContent = message;
  $("backup-told").hidden = false;
}

async function save() {
  $("backup-save").disabled = true;
  try {
    await download("/api/setup/backup.zip", `allcity-${new Date().toISOString().slice(0, 10)}.zip`);
  } catch (refused) {
    tell(refused.message, "bad");
  } finally {
    $("backup-save").disabled = false;
  }
}

async function restore() {
  const [file] = $("backup-file").files;
  $("backup-file").value = "";
  if (!file || !window.confirm(say("setup.backup_sure", { file: file.name }))) return;
  try {
    const { games } = await ask("/api/setup/restore", { send: file, as: "host" });
    tell(say("setup.backup_back", { games }), "good");
    setTimeout(comeBack, AWAY_MS);
  } catch (refused) {
    tell(refused.message, "bad");
  }
}

async function comeBack() {
  const back = await fetch("/healthz").then((answer) => answer.ok, () => false);
  if (back) location.reload();
  else setTimeout(comeBack, AGAIN_MS);
}

export function backups() {
  $("backup-save").addEventListener("click", save);
  $("backup-file").addEventListener("change", restore);
}
