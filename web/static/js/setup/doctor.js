// The doctor: everything that was checked, what is wrong first.

import { ask } from "../api.js";
import { download } from "./download.js";
import { $ } from "../dom.js";
import { say } from "../text.js";
import { findingsList } from "./steps.js";

async function check() {
  $("again").disabled = true;
  try {
    const found = await ask("/api/doctor", { as: "host" });
    const count = found.filter((finding) => finding.severity !== "good").length;
    const worst = ["bad", "warn"].find((severity) => found.some((finding) => finding.severity === severity)) ?? "good";
    $("sum").className = `note ${worst}`;
    $("sum").textContent = count ? say("doctor.to_mend", { count }) : say("doctor.all_good");
    $("findings").replaceChildren(...findingsList(found));
  } catch (refused) {
    $("sum").className = "note bad";
    $("sum").textContent = refused.message;
  } finally {
    $("again").disabled = false;
  }
}

/** For the host alone: the file may show the table. */
async function offerSupport() {
  $("support").hidden = !(await ask("/api/me", { as: "host" })).host;
}

async function makeSupport() {
  $("support-make").disabled = true;
  $("support-told").hidden = true;
  try {
    await download(`/api/setup/support.zip?pictures=${$("pictures").checked ? "yes" : "no"}`, "allcity-support.zip");
  } catch (refused) {
    $("support-told").textContent = refused.message;
    $("support-told").hidden = false;
  } finally {
    $("support-make").disabled = false;
  }
}

$("again").addEventListener("click", check);
$("support-make").addEventListener("click", makeSupport);
check();
offerSupport();
