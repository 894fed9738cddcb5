// One side of the city boards: its size, districts painted by dragging, values, drone and bubbles.

import { make } from "/static/js/dom.js";
import { nameOf, say } from "/static/js/text.js";
import { numberField, squareGrid } from "/static/js/setup/fields.js";
import { asId, columnLetter, districtLook, MOST, normalCity, resize, UNKNOWN } from "./profile.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const brushes = { city: null, city_b: null }; // the district that is painted with, per side

export function cityPanel(place, work, side) {
  const city = work.profile[side];
  place.append(make("h2", {}, nameOf("measurable", side)));
  if (!city) {
    place.append(make("p", {}, say("editor.side_b_how")), make("button", { type: "button", class: "main", onclick: () => addSideB(work) }, say("editor.add_side_b")));
    return;
  }
  const change = (edit, field) => work.change((profile) => edit(profile[side]), field && `${side} ${field}`);
  const letters = Object.keys(city.districts);
  if (![...letters, "."].includes(brushes[side])) brushes[side] = letters[0] ?? ".";
  const all = { work, city, side, change };
  // Whoever types a size or a name is on the way to another field: that one has to stay, so only what follows from it is new.
  const sized = make("div", { class: "stack" });
  let showMap = () => {};
  const resized = () => {
    const { grid, refresh } = map(all);
    showMap = refresh;
    sized.replaceChildren(grid, valuesOf(all, "row_values", (n) => String(n + 1), "row"), valuesOf(all, "col_values", columnLetter, "col"));
  };
  resized();
  place.append(
    sizeFields(all, resized),
    make("h3", {}, say("editor.districts")), make("p", { class: "soft small" }, say("editor.districts_how")),
    palette(all, () => showMap()), sized,
    costs(all, "drone"), costs(all, "bubbles"),
  );
  if (side === "city_b") place.append(make("button", { type: "button", class: "danger", onclick: () => { work.change((profile) => { delete profile.city_b; }); work.show(); } }, say("editor.drop_side_b")));
}

/** Side B has the size and the districts of side A, and nothing painted. */
function addSideB(work) {
  work.change((profile) => {
    const { rows, cols, districts, drone, bubbles } = profile.city;
    const named = Object.fromEntries(Object.entries(districts).map(([letter, { name }]) => [letter, { name, high: "", low: "" }]));
    profile.city_b = normalCity({ rows, cols, districts: named, drone: drone.map(() => ""), bubbles: bubbles.map(() => "") });
  });
  work.show();
}

function sizeFields({ city, side, change }, resized) {
  const field = (key) => {
    const input = make("input", { type: "number", min: 1, max: MOST[key], value: city[key], "data-where": `${side}.${key}`, "data-focus": `${side}.${key}`, class: "value-field" });
    input.addEventListener("change", () => {
      const size = Math.min(MOST[key], Math.max(1, Math.round(Number(input.value)) || 1));
      input.value = size;
      change((now) => { now[key] = size; resize(now); });
      resized();
    });
    return make("label", { class: "row" }, make("span", {}, say(`editor.${key}`)), input);
  };
  return make("div", { class: "row" }, field("rows"), field("cols"));
}

function palette({ work, city, side, change }, renamed) {
  const letters = Object.keys(city.districts);
  const pick = (letter) => { brushes[side] = letter; work.show(); };
  const lookOf = (letter) => `brush ${districtLook(city.districts, letter)}`;
  const brush = (letter, name) => make("button", { type: "button", class: lookOf(letter), "aria-pressed": String(brushes[side] === letter), "data-focus": `brush ${letter}`, onclick: () => pick(letter) }, make("strong", {}, letter), ` ${name}`);
  const line = (letter, index) => {
    const entry = city.districts[letter];
    const where = `${side}.districts.${letter}`;
    const number = index + 1;
    const name = make("input", { value: entry.name, maxlength: 30, list: "district-names", "aria-label": say("editor.district_name", { number }), "data-where": `${where}.name`, "data-focus": `${where}.name`, class: "district-name" });
    name.addEventListener("input", () => change((now) => { now.districts[letter].name = asId(name.value); }, `${letter} name`));
    const value = (key) => numberField({ label: null, where: `${where} ${key}`, value: entry[key], set: (to) => change((now) => { now.districts[letter][key] = to; }, `${letter} ${key}`) });
    const [high, low] = [value("high"), value("low")];
    const drop = make("button", { type: "button", class: "icon", "data-focus": `${where} drop`, onclick: () => {
      change((now) => {
        delete now.districts[letter];
        now.cells = now.cells.map((row) => row.replaceAll(letter, UNKNOWN));
      });
      work.show();
    } }, "✕");
    const paints = brush(letter, "");
    const call = () => {
      const { name: known } = work.profile[side].districts[letter];
      const called = known ? nameOf("district", known) : say("editor.district", { number });
      name.value = known;
      paints.className = lookOf(letter);
      high.setAttribute("aria-label", say("editor.value_high", { name: called }));
      low.setAttribute("aria-label", say("editor.value_low", { name: called }));
      drop.setAttribute("aria-label", say("editor.remove", { name: called }));
    };
    call();
    name.addEventListener("change", () => {
      call();
      renamed();
    });
    return make("li", { "data-where": where }, paints, name, make("span", { class: "pair" }, high, low), drop);
  };
  const add = () => {
    const free = [...LETTERS].find((letter) => !(letter in city.districts));
    change((now) => { now.districts[free] = { name: "", high: "", low: "" }; });
    brushes[side] = free;
    work.show();
  };
  return make("div", { class: "stack" },
    make("datalist", { id: "district-names" }, ["red", "blue", "green", "yellow", "purple"].map((value) => make("option", { value }))),
    make("div", { class: "palette-head soft small" }, make("span", {}), make("span", {}, say("field.name")), make("span", { class: "pair" }, make("span", {}, say("editor.high")), make("span", {}, say("editor.low"))), make("span", {})),
    make("ul", { class: "palette", "data-where": `${side}.districts` }, letters.map(line)),
    make("div", { class: "row" }, brush(".", say("editor.no_district")), letters.length < LETTERS.length ? make("button", { type: "button", "data-focus": `${side} add`, onclick: add }, say("editor.add_district")) : null));
}

function map({ work, city, side, change }) {
  let stroke = 0;
  const squareName = (row, col) => {
    const letter = city.cells[row][col];
    const district = letter === "." ? say("editor.no_district") : nameOf("district", city.districts[letter]?.name ?? "") || letter;
    return say("editor.square", { name: `${columnLetter(col)}${row + 1}`, district });
  };
  const paint = (row, col, begins) => {
    if (begins) stroke = Date.now();
    change((now) => {
      const line = now.cells[row];
      now.cells[row] = line.slice(0, col) + brushes[side] + line.slice(col + 1);
    }, `stroke ${stroke}`);
  };
  const squares = squareGrid({
    rows: city.rows, cols: city.cols, label: say("editor.grid"), where: `${side}.cells`, focus: `${side} map`, nameOf: squareName, paint,
    lookOf: (row, col) => districtLook(city.districts, city.cells[row][col]),
    textOf: (row, col) => (city.cells[row][col] === "." ? "·" : city.cells[row][col]),
  });
  squares.grid.addEventListener("keydown", (event) => {
    if (!/^\d$/.test(event.key)) return;
    const letter = event.key === "0" ? "." : Object.keys(city.districts)[Number(event.key) - 1];
    if (!letter) return;
    brushes[side] = letter;
    work.show();
  });
  return squares;
}

function valuesOf({ city, side, change }, key, nameOf, kind) {
  const line = (pair, n) => {
    const name = say(`editor.${kind}`, { name: nameOf(n) });
    const value = (rank, index) => numberField({ label: say(`editor.value_${rank}`, { name }), where: `${side}.${key} ${nameOf(n)} ${rank}`, value: pair[index], set: (to) => change((now) => { now[key][n][index] = to; }, `${key} ${n} ${rank}`) });
    return make("li", { "data-where": `${side}.${key} ${nameOf(n)}` }, make("span", {}, nameOf(n)), value("high", 0), value("low", 1));
  };
  return make("fieldset", { "data-where": `${side}.${key}` },
    make("legend", {}, `${say(`editor.${key}`)} (${say("editor.high")}, ${say("editor.low")})`), make("ul", { class: "values" }, city[key].map(line)));
}

function costs({ work, city, side, change }, key) {
  const name = (number) => say(key === "drone" ? "editor.drone_slot" : "editor.bubble_slot", { number });
  const slot = (cost, n) => numberField({ label: name(n + 1), where: `${side}.${key} ${n + 1}`, value: cost, below: true, set: (to) => change((now) => { now[key][n] = to; }, `${key} ${n}`) });
  const resizeTo = (count) => {
    change((now) => { now[key] = Array.from({ length: count }, (_, n) => now[key][n] ?? ""); });
    work.show();
  };
  const way = (sign, to, label, open) => make("button", { type: "button", class: "icon", "aria-label": say(label), disabled: !open, "data-focus": `${side} ${key} ${label}`, onclick: () => resizeTo(to) }, sign);
  const count = city[key].length;
  return make("fieldset", { "data-where": `${side}.${key}` }, make("legend", {}, say(`editor.${key}`)),
    make("div", { class: "row" }, city[key].map(slot), way("−", count - 1, "editor.fewer", count > 1), way("+", count + 1, "editor.more", count < MOST.slots)));
}
