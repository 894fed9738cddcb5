// Measuring somebody's own boards: a photo, its corners, then every area dragged to its place.

import { ask, askPicture } from "../api.js";
import { make } from "../dom.js";
import { nameOf, number, say } from "../text.js";
import { brought } from "./brought.js";
import { isArea, stage } from "./drag.js";
import { isTable } from "./fields.js";

const PHOTO_TYPES = "image/jpeg,image/png";
const BOARD_MM = { least: 60, most: 450 };
const MARKER_MM = 25;
let board = "";
let chosen = "marker 1";
let zoom = 1;
const flats = {}; // addresses of flat pictures by profile and board
let photo = null; // one whose corners are being pointed at: {photo, width, height, address, corners}

export function geometryPanel(place, work) {
  const { profile } = work;
  place.append(make("h2", {}, say("editor.tab_geometry")), make("p", {}, say("editor.geometry_how")));
  if (!isTable(profile.geometry)) {
    place.append(make("button", { type: "button", class: "main", onclick: () => { work.change((now) => { now.geometry = {}; }); work.show(); } }, say("editor.add_geometry")));
    return;
  }
  const boards = brought.boards(profile, work.measurable);
  if (!boards.includes(board)) [board] = boards;
  const rest = make("div", { class: "stack" });
  const measure = () => rest.replaceChildren(...measuring(work));
  measure();
  place.append(boardChoice(work, boards), sizeFields(work, measure), rest, make("button", { type: "button", class: "danger", onclick: () => { work.change((now) => { delete now.geometry; }); work.show(); } }, say("editor.drop_geometry")));
}

/** What there is to do once the board's size is known. */
function measuring(work) {
  const part = partOf(work);
  if (!isSized(part)) return [make("p", { class: "note" }, say("editor.size_first"))];
  if (!work.own) return [make("p", { class: "note" }, say("editor.save_first"))];
  return [photoField(work), ...(photo?.board === board ? cornersStage(work, part) : areasStage(work, part))];
}

const partOf = (work) => (isTable(work.profile.geometry?.[board]) ? work.profile.geometry[board] : {});
const isSized = ({ width_mm: width, height_mm: height }) => [width, height].every((length) => typeof length === "number" && length >= BOARD_MM.least && length <= BOARD_MM.most);

/** Changes this board's part of the geometry. */
function change(work, edit, field) {
  work.change((profile) => {
    if (!isTable(profile.geometry[board])) profile.geometry[board] = {};
    edit(profile.geometry[board]);
  }, field && `${board} ${field}`);
}

function boardChoice(work, boards) {
  const way = (id) => make("button", { type: "button", "aria-pressed": String(id === board), "data-focus": `board ${id}`, "data-where": `geometry.${id}`, onclick: () => { board = id; chosen = "marker 1"; work.show(); } }, nameOf("measurable", id));
  return make("div", { class: "row", role: "group", "aria-label": say("editor.geometry_board"), "data-where": "geometry" }, boards.map(way));
}

function sizeFields(work, resized) {
  const part = partOf(work);
  const field = (key) => {
    const input = make("input", { type: "number", min: BOARD_MM.least, max: BOARD_MM.most, step: 0.5, value: part[key] ?? null, "data-where": `geometry.${board}.${key}`, "data-focus": `${board} ${key}`, class: "value-field" });
    input.addEventListener("change", () => {
      const length = Number(input.value);
      change(work, (now) => { now[key] = input.value === "" || !Number.isFinite(length) ? "" : length; }, key);
      resized();
    });
    return make("label", { class: "row" }, make("span", {}, nameOf("field", key)), input);
  };
  return make("div", { class: "row" }, field("width_mm"), field("height_mm"));
}

// --- the photo and its corners ----------------------------------------------------------------

function photoField(work) {
  const input = make("input", { type: "file", accept: PHOTO_TYPES, class: "hidden" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    work.tell(null);
    try {
      const taken = await ask("/api/photos", { send: file, as: "host" });
      const address = await askPicture(`/api/photos/${taken.photo}.jpg`, { as: "host" });
      const [x, y] = [0.15 * taken.width, 0.15 * taken.height];
      const corners = [[x, y], [taken.width - x, y], [taken.width - x, taken.height - y], [x, taken.height - y]].map((point) => point.map(Math.round));
      photo = { ...taken, address, corners, board };
      work.show();
    } catch (refused) {
      work.tell(refused.message);
    }
  });
  return make("label", { class: "button file" }, say(flats[`${work.name} ${board}`] ? "editor.another_photo" : "editor.photo"), input);
}

function cornersStage(work, part) {
  const area = { id: "corners", name: say("editor.photo"), points: photo.corners, chosen: true };
  const picture = stage({ width: photo.width, height: photo.height, picture: photo.address, label: say("editor.photo"), areas: [area], step: 2, onMove: (_, points) => { photo.corners = points; } });
  const done = make("button", { type: "button", class: "main", onclick: async () => {
    work.tell(null);
    try {
      const sent = { board, photo: photo.photo, corners: photo.corners, size_mm: [part.width_mm, part.height_mm] };
      const told = await ask(`/api/profiles/${work.name}/flat`, { send: sent, as: "host" });
      delete flats[`${work.name} ${board}`];
      photo = null;
      work.flats.push(board);
      if (told.markers) change(work, (now) => { now.markers = told.markers; });
      chosen = told.markers ? (brought.areas(board, part, work.profile)[0]?.id ?? "marker 1") : "marker 1";
      work.tell(say(told.markers ? "editor.stickers_found" : "editor.stickers_lost"), told.markers ? "good" : "warn");
      work.show();
    } catch (refused) {
      work.tell(refused.message);
    }
  } }, say("editor.flatten"));
  return [make("p", {}, say("editor.photo_how")), make("div", { class: "stage-frame" }, picture), make("div", { class: "row" }, done)];
}

// --- areas ------------------------------------------------------------------------------------

const square = (x, y, side) => [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];

/** A straight sticker may be given in a file by its top left corner alone. */
export function normalStickers(geometry) {
  for (const part of Object.values(geometry).filter(isTable)) {
    part.markers = (Array.isArray(part.markers) ? part.markers : []).map((marker) =>
      (Array.isArray(marker) && marker.length === 2 && marker.every((n) => typeof n === "number") ? square(...marker, MARKER_MM) : marker));
  }
}

const stickers = ({ width_mm: width, height_mm: height }) => [0, 1, 2, 3].map((n) => ({
  id: `marker ${n + 1}`, name: say("editor.area_markers", { number: n + 1 }),
  get: (now) => now.markers?.[n], set: (now, points) => { now.markers = [0, 1, 2, 3].map((k) => (k === n ? points : now.markers?.[k] ?? "")); },
  begin: () => square(n === 0 || n === 3 ? 5 : width - 5 - MARKER_MM, n < 2 ? 5 : height - 5 - MARKER_MM, MARKER_MM),
}));

function areasStage(work, part) {
  const all = [...stickers(part), ...brought.areas(board, part, work.profile)];
  if (!all.some((area) => area.id === chosen)) chosen = all[0].id;
  const frame = make("div", { class: "stage-frame" });
  const list = make("ul", { class: "areas", "data-where": `geometry.${board}` });
  const draw = () => {
    const now = partOf(work);
    const shown = all.map((area) => ({ id: area.id, name: area.name, points: area.get(now), chosen: area.id === chosen })).filter((area) => isArea(area.points));
    const picture = stage({
      width: now.width_mm, height: now.height_mm, picture: flats[`${work.name} ${board}`], label: say("editor.picture"), zoom, areas: shown, lines: brought.lines(board, now, work.profile),
      onMove: (id, points) => change(work, (to) => all.find((area) => area.id === id).set(to, points), `move ${id}`),
      onChoose: (id) => choose(work, all.find((area) => area.id === id)),
    });
    picture.style.width = `${100 * zoom}%`;
    frame.replaceChildren(picture);
    list.replaceChildren(...all.map((area) => make("li", {}, areaButton(work, area))));
  };
  draw();
  frame.addEventListener("pointerup", draw); // what follows from what was moved
  frame.addEventListener("keyup", (event) => {
    if (!event.key.startsWith("Arrow")) return;
    const { focus } = document.activeElement.dataset;
    draw();
    frame.querySelector(`[data-focus="${CSS.escape(focus ?? "")}"]`)?.focus();
  });
  showFlat(work, draw);
  const slider = make("input", { type: "range", min: 1, max: 4, step: 0.5, value: zoom });
  slider.addEventListener("input", () => { zoom = Number(slider.value); draw(); });
  return [
    make("p", {}, say("editor.areas_how")),
    make("div", { class: "measure" },
      make("div", { class: "stack" }, make("label", { class: "row" }, make("span", {}, say("editor.zoom")), slider), frame),
      make("div", {}, make("h3", {}, say("editor.areas")), list)),
  ];
}

function areaButton(work, area) {
  const placed = isArea(area.get(partOf(work)));
  return make("button", { type: "button", class: `area-choice${placed ? " placed" : ""}`, "aria-pressed": String(area.id === chosen), "data-focus": `area ${area.id}`, onclick: () => choose(work, area) },
    make("span", {}, area.name), make("span", { class: "small soft" }, placed ? `✓ ${told(area.get(partOf(work)))}` : say("editor.area_missing")));
}

const told = (points) => points[0].map((length) => number(length, 1)).join(" / ");

/** Picks an area; one that has no place yet gets one to begin with. */
function choose(work, area) {
  chosen = area.id;
  if (!isArea(area.get(partOf(work)))) change(work, (now) => area.set(now, area.begin()));
  work.show();
}

/** Brings the flat picture of this board, once. */
async function showFlat(work, draw) {
  const key = `${work.name} ${board}`;
  if (key in flats || !work.flats.includes(board)) return;
  flats[key] = null;
  try {
    flats[key] = await askPicture(`/api/profiles/${work.name}/flat/${board}.jpg`, { as: "host" });
    draw();
  } catch (refused) {
    work.tell(refused.message);
  }
}
