// Graffiti shapes, each drawn on a small grid.

import { make } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { squareGrid } from "/static/js/setup/fields.js";
import { asId, MOST } from "./profile.js";

const LEAST_SIDE = 5;
const MOST_SIDE = 7;

export function shapesPanel(place, work) {
  const { shapes } = work.profile;
  const add = () => {
    const number = [...Array(100).keys()].find((n) => !(`shape-${n + 1}` in shapes)) + 1;
    work.change((profile) => { profile.shapes[`shape-${number}`] = { small: false, cells: [] }; });
    work.show();
  };
  place.append(
    make("h2", {}, say("editor.tab_shapes")), make("p", { class: "soft small" }, say("editor.shapes_how")),
    make("ul", { class: "shapes", "data-where": "shapes" }, Object.keys(shapes).map((id) => card(work, id))),
    make("button", { type: "button", onclick: add }, say("editor.add_shape")),
  );
}

function card(work, id) {
  const place = make("li", { class: "card" });
  const name = make("input", { value: id, maxlength: 30, "aria-label": say("editor.shape_name") });
  const drop = make("button", { type: "button", class: "icon", onclick: () => {
    work.change((profile) => { delete profile.shapes[id]; });
    work.show();
  } }, "✕");
  const rest = make("div", {});
  const call = () => {
    place.dataset.where = `shapes.${id}`;
    name.value = id;
    name.dataset.focus = `shape ${id}`;
    drop.dataset.focus = `drop ${id}`;
    drop.setAttribute("aria-label", say("editor.remove", { name: id }));
    rest.replaceChildren(drawing(work, id), smallTick(work, id));
  };
  // Whoever renames it is on the way to the next field: name and button stay, what is called after it is new.
  name.addEventListener("change", () => {
    id = renamed(work, id, asId(name.value));
    call();
  });
  call();
  place.append(make("div", { class: "row" }, name, drop), rest);
  return place;
}

function smallTick(work, id) {
  const small = make("input", { type: "checkbox", checked: work.profile.shapes[id].small, "data-focus": `small ${id}` });
  small.addEventListener("change", () => work.change((profile) => { profile.shapes[id].small = small.checked; }));
  return make("label", { class: "tick small" }, small, say("editor.small"));
}

function drawing(work, id) {
  const cells = () => work.profile.shapes[id].cells;
  const side = Math.min(MOST_SIDE, Math.max(LEAST_SIDE, ...cells().map(([row, col]) => 1 + Math.max(row, col))));
  const has = (row, col) => cells().some(([r, c]) => r === row && c === col);
  let stroke = 0;
  let fills = true;
  return squareGrid({
    rows: side, cols: side, label: say("editor.shape", { name: id }), where: `shapes.${id}.cells`, focus: `drawing ${id}`,
    nameOf: (row, col) => `${say("editor.shape_square", { row: row + 1, column: col + 1 })}${has(row, col) ? " ■" : ""}`,
    lookOf: (row, col) => (has(row, col) ? "on" : ""),
    paint: (row, col, begins) => {
      if (begins) {
        stroke = Date.now();
        fills = !has(row, col);
      }
      if (has(row, col) === fills || (fills && cells().length >= MOST.squares)) return false;
      work.change((profile) => {
        const kept = profile.shapes[id].cells.filter(([r, c]) => r !== row || c !== col);
        profile.shapes[id].cells = (fills ? [...kept, [row, col]] : kept).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      }, `stroke ${stroke}`);
      return true;
    },
  }).grid;
}

/** Keeps the order of shapes, and what the HQ says about this one. Gives the name it has then. */
function renamed(work, from, to) {
  if (!to || to === from || to in work.profile.shapes) return from;
  work.change((profile) => {
    profile.shapes = Object.fromEntries(Object.entries(profile.shapes).map(([id, shape]) => [id === from ? to : id, shape]));
    for (const key of ["sections", "small"]) profile.hq[key] = profile.hq[key].map((id) => (id === from ? to : id));
  });
  return to;
}
