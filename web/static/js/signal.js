// Telling somebody with a phone in the pocket that it is their turn: the title always, sound and vibration where wanted.

import { $ } from "./dom.js";
import { say } from "./text.js";

const WANTED = "allcity.signal";
const VIBRATION_MS = [180, 90, 180];
const TONES = [[660, 0], [880, 0.16]]; // hertz, and seconds from the beginning
const TONE_S = 0.14;
const usual = document.title;
const isWanted = () => localStorage.getItem(WANTED) === "on";
let wasMine = null;
let audio = null;

/** To be called with every state: signals when it becomes this seat's turn. */
export function signalTurn(isMine) {
  document.title = isMine ? `● ${say("turn.you")} · All City` : usual;
  if (isMine && wasMine === false && isWanted()) signal();
  wasMine = isMine;
}

function signal() {
  navigator.vibrate?.(VIBRATION_MS);
  if (audio?.state === "running") TONES.forEach(([hertz, at]) => tone(hertz, audio.currentTime + at));
}

function tone(hertz, at) {
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(0.25, at + 0.02);
  loudness.gain.linearRampToValueAtTime(0, at + TONE_S);
  const source = new OscillatorNode(audio, { frequency: hertz });
  source.connect(loudness).connect(audio.destination);
  source.start(at);
  source.stop(at + TONE_S);
}

/** Browsers let a page be heard only after somebody has touched it. */
async function wakeAudio() {
  if (!isWanted() || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  await audio.resume();
}

$("signal").checked = isWanted();
$("signal").addEventListener("change", async () => {
  localStorage.setItem(WANTED, $("signal").checked ? "on" : "off");
  await wakeAudio();
  if ($("signal").checked) signal(); // so that one knows it by then
});
document.addEventListener("pointerdown", wakeAudio);
