// A roll told by taps: face by face, then all of it at once.

import { die } from "/static/js/dice.js";
import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";

const FACES = [1, 2, 3, 4, 5, 6];

export function rolling({ game, seat, picked, pick, send }) {
  const what = awaited(game, seat);
  if (what === null) return [];
  const { count, title, event } = what;
  const dice = picked.dice.slice(0, count);
  const row = (n) => make("div", { class: "faces", role: "group", "aria-label": count > 1 ? say("seat.die_number", { number: n + 1 }) : say(title) }, FACES.map((face) =>
    make("button", { class: "thing", "aria-pressed": String(dice[n] === face), "data-focus": `die-${n}-${face}`, onclick: () => pick({ dice: Object.assign([...dice], { [n]: face }) }) }, die(face))));
  const isWhole = dice.filter(Boolean).length === count;
  return [make("section", { class: "offer rolling" }, make("h2", {}, say(title)), make("p", { class: "small soft" }, say("seat.roll_hint")),
    Array.from({ length: count }, (_, n) => row(n)),
    make("button", { class: "main", disabled: !isWhole, "data-focus": "rolled", onclick: () => send(event(dice)) }, isWhole ? say("seat.rolled", { value: dice.join(" + ") }) : say("seat.rolled_none")))];
}

/** What this seat's hands have to roll now, or may roll. */
function awaited({ phase, turn, pending, dice, seats, driving_dice: wheels }, seat) {
  if (phase !== "turn" || turn !== seat) return null;
  if (pending) return pending.act.type === "shot_fired" && pending.value === null ? { count: 1, title: "seat.roll_shot", event: ([value]) => ({ type: "shot_rolled", value }) } : null;
  if (dice.length || seats[seat].lying) return null;
  return seats[seat].in_car
    ? { count: wheels, title: "seat.roll_drive", event: (values) => ({ type: "drive_rolled", values }) }
    : { count: 2, title: "seat.roll_walk", event: (values) => ({ type: "walk_rolled", values }) };
}
