// The table's Wi-Fi: which network it is in, those that it hears, and one of its own.

import { ask } from "../api.js";
import { $, fill, make } from "../dom.js";
import { say } from "../text.js";

const LOOK_MS = 3000;
const HIDDEN = ""; // the name of a network that tells none
let now = null;
let chosen = null;

const told = { good: ["network", "hotspot"], warn: ["alone", "joining"], bad: ["off"] };

async function look() {
  try {
    now = await ask("/api/setup/wifi", { as: "host" });
    show();
  } catch (refused) {
    if (refused.status !== 0) tell(refused.message);
    else if (now?.state === "joining") note("warn", say("wifi.gone")); // the network that this phone was in
  }
  setTimeout(look, LOOK_MS);
}

function show() {
  const { state, name, networks, trouble } = now;
  note(Object.keys(told).find((kind) => told[kind].includes(state)), say(`wifi.state_${state}`, { name }));
  tell(trouble);
  $("none").hidden = networks.length > 0;
  fill($("networks"), networks, () => [...networks.map(network), hiddenNetwork()]);
  const isBusy = state === "off" || state === "joining";
  for (const id of ["go", "own"]) $(id).disabled = isBusy;
  $("own").textContent = say(state === "hotspot" ? "wifi.close_own" : "wifi.open_own");
}

function note(kind, message) {
  $("now").className = `note ${kind}`;
  $("now").textContent = message;
}

function tell(message) {
  $("trouble").textContent = message ?? "";
  $("trouble").hidden = !message;
}

function network({ name, signal, security }) {
  const about = security === "unusable" ? say("wifi.not_here") : `${signal} %${security === "open" ? ` · ${say("wifi.open")}` : ""}`;
  return choice(name, name, about, security === "unusable");
}

const hiddenNetwork = () => choice(HIDDEN, say("wifi.hidden"), "", false);

function choice(value, name, about, disabled) {
  const radio = make("input", { type: "radio", name: "network", value, disabled, checked: value === chosen, "data-focus": `network ${value}`, onchange: () => choose(value) });
  return make("li", {}, make("label", { class: "check" }, radio, make("span", { dir: "auto" }, name), about ? make("span", { class: "soft small" }, about) : null));
}

function choose(value) {
  chosen = value;
  const isOpen = now.networks.find(({ name }) => name === value)?.security === "open";
  $("name-field").hidden = value !== HIDDEN;
  for (const id of ["password-field", "show-field"]) $(id).hidden = isOpen;
}

/** Asks for something that takes the network away: what has become of it is told by the next look that gets through. */
async function want(path, send) {
  try {
    await ask(path, { send, as: "host" });
    $("password").value = "";
    now = { ...now, state: "joining", name: send.name ?? "", trouble: null };
    show();
  } catch (refused) {
    tell(refused.message);
  }
}

$("join").addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen === null) return tell(say("wifi.choose_first"));
  const hidden = chosen === HIDDEN;
  const password = $("password-field").hidden ? "" : $("password").value;
  want("/api/setup/wifi", { name: hidden ? $("name").value : chosen, password, hidden });
});
$("show").addEventListener("change", () => { $("password").type = $("show").checked ? "text" : "password"; });
$("own").addEventListener("click", () => want("/api/setup/wifi/own", { open: now.state !== "hotspot" }));

const me = await ask("/api/me", { as: "host" });
$("gate").hidden = me.host;
$("wifi").hidden = !me.host;
if (me.host) look();
