// The HQ: six sections in a ring with their shapes, die faces between them, small shapes in the middle.

import { make, svg } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { selectField } from "/static/js/setup/fields.js";

const SECTIONS = [1, 2, 3, 4, 5, 6];
const after = (section) => (section % 6) + 1;

export function ringPanel(place, work) {
  place.append(
    make("h2", {}, say("editor.tab_hq")), make("p", { class: "soft small" }, say("editor.hq_how")),
    make("div", { class: "hq-editor" }, ring(work.profile), make("div", {}, sections(work), smallShapes(work))),
  );
}

function shapeOptions(profile, small) {
  const ids = Object.keys(profile.shapes).filter((id) => profile.shapes[id].small === small);
  return [["", "–"], ...ids.map((id) => [id, id])];
}

function sections(work) {
  const { hq } = work.profile;
  const shape = (section) => selectField({
    label: say("editor.section", { number: section }), where: `hq.sections ${section}`, value: hq.sections[section - 1], seen: true,
    options: shapeOptions(work.profile, false),
    set: (id) => { work.change((profile) => { profile.hq.sections[section - 1] = id; }); work.show(); },
  });
  const face = (section) => {
    const next = after(section);
    const now = faceBetween(hq, section, next);
    const field = selectField({
      label: say("editor.gap", { first: section, second: next }), where: now ? `hq.values.${now}` : `hq.values gap ${section}`, value: now ?? "", seen: true,
      options: [["", "–"], ...SECTIONS.map((value) => [value, String(value)])],
      set: (value) => { work.change((profile) => print(profile.hq, value, section, next)); work.show(); },
    });
    field.querySelector("select").dataset.focus = `gap ${section}`;
    return field;
  };
  return make("fieldset", { "data-where": "hq" }, make("legend", {}, say("editor.ring")),
    make("div", { class: "ring-fields ring-pairs", "data-where": "hq.values" }, SECTIONS.flatMap((section) => [shape(section), face(section)])));
}

const touches = (pair, first, second) => pair.includes(first) && pair.includes(second);
const faceBetween = (hq, first, second) => SECTIONS.find((face) => touches(hq.values[face], first, second));

/** Prints a face into a gap. What was there goes where the face came from. */
function print(hq, face, first, second) {
  const before = faceBetween(hq, first, second);
  if (before) hq.values[before] = face === "" ? ["", ""] : hq.values[face];
  if (face !== "") hq.values[face] = [first, second];
}

function smallShapes(work) {
  const slot = (number) => selectField({
    label: say("editor.small_shape", { number }), where: `hq.small ${number}`, value: work.profile.hq.small[number - 1], seen: true,
    options: shapeOptions(work.profile, true),
    set: (id) => { work.change((profile) => { profile.hq.small[number - 1] = id; }); work.show(); },
  });
  return make("fieldset", { "data-where": "hq.small" }, make("legend", {}, say("editor.small_shapes")), make("div", { class: "ring-fields" }, [1, 2, 3].map(slot)));
}

// --- the picture ------------------------------------------------------------------------------

const polar = (radius, degrees) => [radius * Math.cos((degrees * Math.PI) / 180), radius * Math.sin((degrees * Math.PI) / 180)];
const angle = (section) => -90 + 60 * (section - 1);

function ring(profile) {
  const { hq, shapes } = profile;
  const wedge = (section) => {
    const corners = [[90, -24], [90, 24], [40, 20], [40, -20]].map(([radius, turn]) => polar(radius, angle(section) + turn));
    const [x, y] = polar(66, angle(section));
    const [nx, ny] = polar(47, angle(section));
    return svg("g", {}, svg("polygon", { points: corners.join(" "), class: "wedge" }), smallDrawing(shapes[hq.sections[section - 1]], x, y, 6),
      svg("text", { x: nx, y: ny, class: "ring-number" }, String(section)));
  };
  const face = (section) => {
    const [x, y] = polar(80, angle(section) + 30);
    return svg("g", {}, svg("rect", { x: x - 8, y: y - 8, width: 16, height: 16, rx: 3, class: "ring-face" }), svg("text", { x, y, class: "ring-face-value" }, String(faceBetween(hq, section, after(section)) ?? "?")));
  };
  const middle = hq.small.map((id, n) => smallDrawing(shapes[id], ...polar(20, -90 + 120 * n), 6));
  return svg("svg", { viewBox: "-100 -100 200 200", class: "ring-picture", "aria-hidden": "true" }, SECTIONS.map(wedge), SECTIONS.map(face), middle);
}

function smallDrawing(shape, x, y, size) {
  const cells = shape?.cells ?? [];
  const height = Math.max(0, ...cells.map(([row]) => row + 1));
  const width = Math.max(0, ...cells.map(([, col]) => col + 1));
  return svg("g", {}, cells.map(([row, col]) => svg("rect", { x: x + (col - width / 2) * size, y: y + (row - height / 2) * size, width: size, height: size, class: "ring-square" })));
}
