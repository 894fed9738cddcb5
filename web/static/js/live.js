// The table as it changes: one stream, and asking again and again where streams do not get through.
// A stream begins with the whole state; then it tells what changed, as JSON Patch.

import { headersFor } from "./api.js";
import { $ } from "./dom.js";
import { patched } from "./patch.js";
import { say } from "./text.js";

const SILENCE_MS = 25_000; // longer than two heartbeats: the line is dead
const POLL_MS = 2_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000];

/** Calls onState(state) for every new one; the page's banner says when the connection is gone. */
export function watch({ onState, as = "seat" }) {
  let shown = null;
  let failures = 0;
  let cancel = () => {};

  function show(state) {
    failures = 0;
    showLine(true);
    if (state.version === shown?.version) return;
    shown = state;
    onState(state);
  }

  /** Throws if the changes are those of another state: the next stream begins with the whole. */
  function change({ base, patch }) {
    if (base !== shown?.version) throw new Error("missed something");
    show(patched(shown, patch));
  }

  async function snapshot(signal) {
    const answer = await fetch("/api/state", { headers: headersFor(as), signal });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
  }

  async function follow(controller) {
    let alive = setTimeout(() => controller.abort(), SILENCE_MS);
    const answer = await fetch("/api/stream", { headers: headersFor(as), signal: controller.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (let rest = ""; ; ) {
        const { value, done } = await reader.read();
        if (done) throw new Error("ended");
        clearTimeout(alive);
        alive = setTimeout(() => controller.abort(), SILENCE_MS);
        const messages = (rest + value).split("\n\n");
        rest = messages.pop();
        for (const message of messages) {
          const event = /^event: (.*)$/m.exec(message)?.[1];
          const data = /^data: (.*)$/m.exec(message)?.[1];
          if (event === "state") show(JSON.parse(data));
          if (event === "changes") change(JSON.parse(data));
        }
      }
    } finally {
      clearTimeout(alive);
      reader.cancel().catch(() => {}); // it may have failed already
    }
  }

  async function run() {
    const controller = new AbortController();
    let stopped = false;
    cancel = () => {
      stopped = true;
      controller.abort();
    };
    while (!stopped) {
      try {
        await follow(controller);
      } catch {
        if (stopped) return;
        try {
          await snapshot(AbortSignal.timeout(4_000));
          await pause(POLL_MS);
        } catch {
          failures += 1;
          showLine(false);
          await pause(RETRY_MS[Math.min(failures, RETRY_MS.length) - 1]);
        }
        if (controller.signal.aborted) return restart();
      }
    }
  }

  function restart() {
    cancel();
    run();
  }

  // A phone that was asleep holds a line that died long ago.
  const wake = () => document.visibilityState === "visible" && restart();
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", restart);
  window.addEventListener("pageshow", (event) => event.persisted && restart());
  run();
  return { restart };
}

function showLine(on) {
  $("banner").hidden = on;
  $("banner").textContent = on ? "" : say("web.reconnecting");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
