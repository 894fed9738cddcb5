// The list of profiles: copy, import, export, delete.

import { ask } from "../api.js";
import { $, make } from "../dom.js";
import { say } from "../text.js";

let template; // what a new profile begins as

async function attempt(action) {
  $("told").hidden = true;
  try {
    await action();
  } catch (refused) {
    tell(refused.message, "bad");
  }
}

function tell(message, kind) {
  $("told").className = `note ${kind}`;
  $("told").textContent = message;
  $("told").hidden = false;
}

const add = (title, from) => attempt(async () => {
  const { name } = await ask("/api/profiles", { send: { title, copy_of: from, profile: null }, as: "host" });
  location.href = `/setup/profiles/${name}`;
});

/** Asks before something is lost; calls `then` with the answer, unless somebody cancels. */
function askFirst(dialog, question, then) {
  $(`${dialog}-text`).textContent = question;
  $(dialog).returnValue = "cancel";
  $(dialog).showModal();
  $(dialog).onclose = () => $(dialog).returnValue !== "cancel" && attempt(() => then($(dialog).returnValue));
}

const remove = (entry) => askFirst("sure", say("editor.delete_sure", { name: entry.title }), async () => {
  await ask(`/api/profiles/${entry.name}/delete`, { send: {}, as: "host" });
  await show();
});

/** Takes a file in; `existing` says what to do where one of its title is here: ask, replace, both. */
async function takeIn(file, existing) {
  try {
    const { name, added } = await ask(`/api/profile-import?existing=${existing}`, { send: file, as: "host" });
    if (added) location.href = `/setup/profiles/${name}`;
    else tell(say("editor.same"), "good");
  } catch (refused) {
    if (refused.key !== "setup.profile_exists") throw refused;
    askFirst("exists", refused.message, (answer) => takeIn(file, answer));
  }
}

function card(entry, chosen) {
  const told = [say(entry.own ? "editor.own" : "editor.supplied")];
  if (entry.measured) told.push(say("editor.measured"));
  const state = entry.problems ? say("setup.unfinished", { count: entry.problems }) : say(chosen ? "setup.used" : "editor.complete");
  const ways = [];
  if (entry.own) ways.push(make("a", { class: "button main", href: `/setup/profiles/${entry.name}` }, say("editor.edit")));
  ways.push(make("button", { type: "button", onclick: () => add(say("editor.copy_of", { name: entry.title }), entry.name) }, say("editor.copy")));
  ways.push(make("a", { class: "button", href: `/setup/profiles/${entry.name}/export.toml`, download: true }, say("editor.export")));
  if (entry.own) ways.push(make("button", { type: "button", class: "danger", onclick: () => remove(entry) }, say("editor.delete")));
  return make("li", { class: `card${chosen ? " chosen" : ""}` },
    make("h2", {}, entry.title), make("p", { class: "soft small" }, told.join(" · ")),
    make("p", { class: entry.problems ? "problem" : "fine" }, state), make("div", { class: "row" }, ways));
}

async function show() {
  const { profiles, profile } = await ask("/api/profiles", { as: "host" });
  template = profiles.find((entry) => entry.template) ?? profiles[0];
  $("profiles").replaceChildren(...profiles.filter((entry) => !entry.template).map((entry) => card(entry, entry.name === profile)));
}

$("new").addEventListener("click", () => add(say("editor.new_title"), template.name));
$("import").addEventListener("change", () => attempt(async () => {
  const [file] = $("import").files;
  $("import").value = "";
  if (file) await takeIn(file, "ask");
}));
attempt(show);
