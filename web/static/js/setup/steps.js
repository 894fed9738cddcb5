// What each step of the set-up shows. Every function fills `place` and may give a function to call when it is left.

import { ask, askPicture } from "../api.js";
import { make } from "../dom.js";
import { language, nameOf, say } from "../text.js";

const LOOK_MS = 900;
const KIT_MS = 1500;

export const button = (name, onclick, kind = "") => make("button", { type: "button", class: kind, onclick }, name);

/** A list of findings, what is wrong first. */
export function findingsList(found) {
  const order = ["bad", "warn", "good"];
  const sorted = [...found].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return sorted.map(({ severity, text, means, do: remedy }) =>
    make("li", { class: severity },
      make("span", { class: "finding-mark", "aria-hidden": "true" }, { good: "✓", warn: "!", bad: "✕" }[severity]),
      make("span", {}, make("span", { class: "hidden" }, `${say(`severity.${severity}`)}: `), text,
        ...[means, remedy].filter(Boolean).map((more) => make("span", { class: "finding-more" }, more)))));
}

/** Runs something that may be refused, and says why. */
export async function attempt(note, action) {
  note.hidden = true;
  try {
    await action();
  } catch (refused) {
    tell(note, refused.message, "bad");
    return refused.key ?? "web.failed";
  }
  return null;
}

export function tell(note, message, kind) {
  note.className = `note ${kind}`;
  note.textContent = message;
  note.hidden = false;
}

export const newNote = () => make("p", { class: "note", role: "status", hidden: true });
export const when = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** The boards on the table: their title, and the side where they have two. */
function boardsOf({ profiles, profile, side, sided }) {
  const title = profiles.find((entry) => entry.name === profile)?.title ?? profile;
  return sided ? `${title} · ${say("setup.side", { side })}` : title;
}

export function boards(place, { state, refresh }) {
  const note = newNote();
  const list = make("ul", { class: "profiles" });
  const choose = (name, side) => attempt(note, async () => {
    await ask("/api/setup/boards", { send: { name, side }, as: "host" });
    await refresh();
    show();
  });
  const card = (entry) => {
    const chosen = entry.name === state().profile;
    const sides = entry.problems === 0 ? entry.sides : [];
    const pressed = (side) => String(chosen && side === state().side);
    const ways = sides.map((side) => make("button", { type: "button", "aria-pressed": pressed(side), onclick: () => choose(entry.name, side) }, state().sided ? say("setup.side", { side }) : say("setup.use")));
    const told = entry.problems > 0 ? say("setup.unfinished", { count: entry.problems }) : chosen ? say("setup.used") : say(entry.own ? "editor.own" : "editor.supplied");
    const edit = entry.own ? make("a", { class: "button", href: `/setup/profiles/${entry.name}` }, say("editor.edit")) : null;
    const group = make("div", { class: "row", role: "group", "aria-label": state().sided ? say("setup.board_side") : entry.title }, ways, edit);
    return make("li", { class: `card${chosen ? " chosen" : ""}` }, make("h3", {}, entry.title), make("p", { class: "soft small" }, told), group);
  };
  const show = () => list.replaceChildren(...state().profiles.filter((entry) => !entry.template).map(card));
  show();
  const own = make("a", { class: "button", href: "/setup/profiles" }, say("setup.own_copy"));
  place.append(note, list, make("div", { class: "row" }, own));
}

export function kit(place, { state, set }) {
  const note = newNote();
  const ways = make("div", { class: "row" });
  const entry = state().profiles.find((profile) => profile.name === state().profile);
  let timer = 0;
  const link = (file, name, kind = "") => make("a", { class: `button ${kind}`, href: `/setup/kit/${file}`, download: true }, name);
  const show = () => {
    const kitState = state().kit;
    if (kitState === "making") tell(note, say("setup.kit_making"), "");
    else if (kitState === "failed") tell(note, say("setup.kit_failed"), "bad");
    else note.hidden = true;
    const ready = [link("kit.pdf", say("setup.kit_a4"), "main"), link("kit-letter.pdf", say("setup.kit_letter")), link("kit.zip", say("setup.kit_zip"))];
    ways.replaceChildren(...(kitState === "ready" ? ready : [make("button", { type: "button", class: "main", disabled: kitState === "making", onclick: begin }, say("setup.kit_make"))]));
    if (kitState === "making") timer = setTimeout(again, KIT_MS);
  };
  const again = () => attempt(note, async () => {
    set({ kit: (await ask("/api/setup/kit", { as: "host" })).state });
    show();
  });
  const begin = () => attempt(note, async () => {
    set({ kit: (await ask("/api/setup/kit", { send: {}, as: "host" })).state });
    show();
  });
  place.append(make("p", {}, make("strong", {}, boardsOf(state()))));
  if (entry?.measured) place.append(make("p", { class: "note" }, say("setup.kit_own")));
  place.append(note, ways);
  show();
  return () => clearTimeout(timer);
}

/** The camera's picture, again and again, while somebody looks at it. Gives what to call to end it. */
export function liveView(place, { onFindings = () => {}, note }) {
  const img = make("img", { class: "live", alt: say("setup.camera_alt"), hidden: true });
  const wait = make("p", { class: "live-wait" }, say("setup.waiting"));
  const pause = make("button", { type: "button", "aria-pressed": "false", onclick: () => toggle() }, say("setup.pause"));
  let paused = false;
  let ended = false;
  let timer = 0;
  const toggle = () => {
    paused = !paused;
    pause.textContent = say(paused ? "setup.resume" : "setup.pause");
    pause.setAttribute("aria-pressed", String(paused));
    if (!paused) look();
  };
  async function look() {
    clearTimeout(timer);
    if (ended || paused) return;
    if (!document.hidden) {
      try {
        const address = await askPicture("/api/setup/camera.jpg", { as: "host" });
        const found = await ask("/api/setup/camera", { as: "host" });
        if (ended) return;
        URL.revokeObjectURL(img.src);
        img.src = address;
        img.hidden = false;
        wait.remove();
        note.hidden = true;
        onFindings(found);
      } catch (refused) {
        if (ended) return;
        tell(note, refused.message, "bad");
      }
    }
    timer = setTimeout(look, LOOK_MS);
  }
  place.append(make("figure", { class: "live-frame" }, wait, img, make("figcaption", { class: "soft small" }, say("setup.legend"))), make("div", { class: "row" }, pause));
  look();
  return () => { ended = true; clearTimeout(timer); };
}

export function camera(place, { set }) {
  const note = newNote();
  const sum = make("p", { class: "note", role: "status", hidden: true });
  const list = make("ul", { class: "findings" });
  let told = "";
  const onFindings = (found) => {
    const worst = ["bad", "warn", "good"].find((severity) => found.some((finding) => finding.severity === severity)) ?? "good";
    const key = JSON.stringify([worst, found]);
    if (key === told) return; // a screen reader need not hear the same again
    told = key;
    tell(sum, say({ good: "setup.all_fine", warn: "setup.some_warn", bad: "setup.some_bad" }[worst]), worst);
    list.replaceChildren(...findingsList(found));
    set({ cameraFine: worst !== "bad" });
  };
  const left = make("div", { class: "stack" });
  place.append(note, make("div", { class: "camera-step" }, left, make("div", { class: "stack" }, sum, list)));
  return liveView(left, { onFindings, note });
}

export function lens(place, { state, set }) {
  const note = newNote();
  const looking = newNote();
  const known = make("p", {});
  const progress = make("p", { role: "status" });
  const covered = make("div", { class: "covered", role: "img" });
  const show = () => {
    const now = state().lens;
    known.textContent = say(now.known ? "setup.lens_known" : "setup.lens_unknown");
    progress.textContent = say("setup.lens_progress", now);
    covered.replaceChildren(...now.covered.map((seen) => make("span", { class: seen ? "seen" : "" })));
    covered.setAttribute("aria-label", `${say("setup.lens_covered")}: ${now.covered.filter(Boolean).length} / 9`);
    measure.disabled = now.boards < now.wanted;
  };
  const act = (action) => attempt(note, async () => {
    set({ lens: await ask("/api/setup/lens", { send: { action }, as: "host" }) });
    show();
    if (action === "measure") tell(note, say("setup.lens_known"), "good");
  });
  const measure = button(say("setup.lens_measure"), () => act("measure"), "main");
  const left = make("div", { class: "stack" });
  const ways = make("div", { class: "row" }, button(say("setup.lens_take"), () => act("take")), measure, button(say("setup.lens_forget"), () => act("forget")));
  place.append(make("div", { class: "camera-step" }, left, make("div", { class: "stack" }, known, progress, covered, note, ways)), looking);
  show();
  return liveView(left, { note: looking });
}

export function clean(place, { state, refresh }) {
  const note = newNote();
  const looking = newNote();
  const now = state().clean.taken_at;
  const before = make("p", {}, now ? say("setup.clean_at", { when: when(now) }) : say("setup.clean_none"));
  const ways = make("div", { class: "row" });
  const take = async (anyway) => {
    const why = await attempt(note, async () => {
      const taken = await ask("/api/setup/clean", { send: { anyway }, as: "host" });
      await refresh();
      const missing = taken.missing.length ? ` ${taken.missing.map((board) => say("check.absent.warn", { board })).join(" ")}` : "";
      tell(note, say("setup.clean_taken", { when: when(taken.taken_at), count: taken.boards.length }) + missing, missing ? "warn" : "good");
      before.hidden = true;
    });
    insist.hidden = !["setup.clean_ink", "setup.clean_dice"].includes(why);
  };
  const insist = button(say("setup.clean_anyway"), () => take(true));
  insist.hidden = true;
  ways.append(button(say("setup.clean_take"), () => take(false), "main"), insist);
  const left = make("div", { class: "stack" });
  place.append(make("div", { class: "camera-step" }, left, make("div", { class: "stack" }, before, note, ways)), looking);
  return liveView(left, { note: looking });
}

export function lights(place, { state, set }) {
  const note = newNote();
  const status = state().lights;
  let timer = 0;
  const test = (zone) => attempt(note, async () => {
    const { seconds } = await ask("/api/setup/lights", { send: { zone }, as: "host" });
    set({ lightsTried: true });
    tell(note, say("setup.lights_now"), "good");
    clearTimeout(timer);
    timer = setTimeout(() => { note.hidden = true; }, 1000 * seconds);
  });
  const zones = Object.entries(state().zones).map(([zone, colour]) => {
    const way = button(nameOf("zone", zone), () => test(zone), "zone");
    way.style.setProperty("--zone", colour);
    return way;
  });
  place.append(
    make("p", { class: `note ${status.severity}` }, status.text),
    make("div", { class: "row" }, button(say("setup.lights_all"), () => test(null), "main")),
    make("div", { class: "zones", role: "group", "aria-label": say("setup.lights") }, zones),
    note,
  );
  return () => clearTimeout(timer);
}

/** Whether a game can begin: a real camera needs the picture of the clean boards, everything else only helps. */
export const isReady = (state) => state.simulated || state.clean.taken_at !== null;

export function done(place, { state }) {
  const now = state();
  const seen = [
    say(now.lens.known ? "setup.lens_known" : "setup.lens_unknown"),
    now.clean.taken_at ? say("setup.clean_at", { when: when(now.clean.taken_at) }) : say("setup.clean_none"),
  ];
  const facts = [
    boardsOf(now),
    ...(now.simulated ? [say("setup.done_simulated")] : seen),
    now.lights.text,
  ];
  const play = make("a", { class: `button${isReady(now) ? " main" : ""}`, href: "/host" }, say("setup.to_host"));
  const mend = isReady(now) ? null : make("a", { class: "button main", href: "#clean" }, say("setup.clean_take"));
  place.append(
    make("ul", {}, facts.map((fact) => make("li", {}, fact))),
    make("div", { class: "row" }, mend, play, make("a", { class: "button", href: "/doctor" }, say("setup.to_doctor"))),
  );
}
