// A picture with areas on it whose points are dragged with mouse or finger, or moved with the arrow keys.

import { svg } from "../dom.js";
import { say } from "../text.js";

const CORNERS = { 4: ["top_left", "top_right", "bottom_right", "bottom_left"], 2: ["top_left", "bottom_right"] };
const SVG_UNITS_ACROSS = 100; // handles are sized in hundredths of the picture's width

/** Whether this is an area: a straight box by two of its corners, or four corners. */
export const isArea = (points) => Array.isArray(points) && (points.length === 2 || points.length === 4) && points.every((point) => Array.isArray(point) && point.length === 2 && point.every((n) => typeof n === "number"));

/** All four corners of an area that may be given by two. */
export function outline(points) {
  if (points.length !== 2) return points;
  const [[left, top], [right, bottom]] = points;
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/**
 * `areas` are {id, name, points, chosen}; `lines` are outlines only to be seen.
 * onMove(id, points) is called while something moves, onChoose(id) when another area is pressed.
 */
export function stage({ width, height, picture, label, areas, lines = [], zoom = 1, step = 0.5, onMove, onChoose = () => {} }) {
  const size = width / SVG_UNITS_ACROSS / zoom;
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "stage", role: "group", "aria-label": label });
  if (picture) root.append(svg("image", { href: picture, x: 0, y: 0, width, height, preserveAspectRatio: "none" }));
  else root.append(svg("rect", { x: 0, y: 0, width, height, class: "stage-empty" }));
  for (const line of lines) root.append(svg("polygon", { points: line.join(" "), class: "stage-line", "stroke-width": size * 0.25 }));

  const inside = ([x, y]) => [Math.round(Math.min(width, Math.max(0, x)) * 10) / 10, Math.round(Math.min(height, Math.max(0, y)) * 10) / 10];
  const place = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  /** Follows the pointer from here on; `move` gets how far it went. */
  const follow = (element, begin, move) => element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    element.setPointerCapture(event.pointerId);
    const start = place(event);
    const points = begin();
    const onPointer = (moved) => {
      const [x, y] = place(moved);
      move(points, x - start[0], y - start[1]);
    };
    element.addEventListener("pointermove", onPointer);
    const end = () => element.removeEventListener("pointermove", onPointer);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
  });

  function draw(area) {
    const shape = svg("polygon", { class: `stage-area${area.chosen ? " chosen" : ""}`, "stroke-width": size * (area.chosen ? 0.5 : 0.3) });
    const refresh = () => shape.setAttribute("points", outline(area.points).join(" "));
    refresh();
    root.append(shape);
    if (!area.chosen) {
      shape.addEventListener("pointerdown", () => onChoose(area.id));
      return;
    }
    const handles = area.points.map((_, n) => handle(area, n, () => { refresh(); handles.forEach((one) => one.refresh()); }));
    const moved = (points) => {
      area.points = points.map(inside);
      refresh();
      handles.forEach((one) => one.refresh());
      onMove(area.id, area.points);
    };
    follow(shape, () => area.points.map((point) => [...point]), (points, dx, dy) => moved(points.map(([x, y]) => [x + dx, y + dy])));
    root.append(...handles.map((one) => one.element));
  }

  function handle(area, n, refreshAll) {
    const reach = svg("circle", { class: "stage-reach", r: size * 3.2 });
    const dot = svg("circle", { class: "stage-dot", r: size * 1.1, "stroke-width": size * 0.35 });
    const element = svg("g", { tabindex: 0, role: "button", class: "stage-handle", "data-focus": `${area.id} ${n}` }, reach, dot);
    const refresh = () => {
      const [x, y] = area.points[n];
      for (const circle of [reach, dot]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
      }
      const corner = say(`place.${CORNERS[area.points.length]?.[n] ?? "top_left"}`);
      element.setAttribute("aria-label", `${say("editor.point", { name: area.name, corner })}: ${x}, ${y}`);
    };
    const move = (point) => {
      area.points = area.points.map((old, index) => (index === n ? inside(point) : old));
      refreshAll();
      onMove(area.id, area.points);
    };
    refresh();
    follow(element, () => [...area.points[n]], ([x, y], dx, dy) => move([x + dx, y + dy]));
    element.addEventListener("keydown", (event) => {
      const by = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
      if (!by) return;
      event.preventDefault();
      const far = step * (event.shiftKey ? 10 : 1);
      move([area.points[n][0] + by[0] * far, area.points[n][1] + by[1] * far]);
    });
    return { element, refresh };
  }

  // What is chosen lies on top.
  for (const area of [...areas].sort((a, b) => Number(a.chosen) - Number(b.chosen))) draw(area);
  return root;
}
