// The mall on a seat's page: squares in reach are tapped, or found with the arrow keys, then walked to.

import { make, svg } from "/static/js/dom.js";
import { say } from "/static/js/text.js";
import { mall, placeOf, squareNamed } from "./mall.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function walking({ game, seat, options, picked, pick, send }, alarm) {
  const ways = waysTo(options);
  const own = game.seats[seat].square;
  const chosen = ways.has(picked.square) ? picked.square : null;
  const first = chosen ?? [...ways.keys()][0];
  const over = ({ name, row, column, kind }, side) => {
    if (!ways.has(name)) return kind !== "fountain" && name === own ? svg("rect", { class: "own", x: column * side + 1, y: row * side + 1, width: side - 2, height: side - 2, rx: 4, "data-centre": "" }) : null;
    return svg("rect", { class: `target${ways.get(name).place ? " place" : ""}${name === chosen ? " chosen" : ""}`, x: column * side + 0.6, y: row * side + 0.6, width: side - 1.2, height: side - 1.2, rx: 4,
      role: "button", tabindex: name === first ? 0 : -1, "aria-pressed": String(name === chosen), "aria-label": labelOf(game, ways.get(name)), "data-focus": `square-${name}`, "data-square": name,
      "data-centre": name === own ? "" : null, onclick: () => pick({ square: name === chosen ? null : name }) });
  };
  const drawing = mall(game, { over, alarm, label: ways.size ? null : undefined, trail: [] });
  drawing.addEventListener("keydown", (event) => steer(event, drawing));
  const event = chosen && ways.get(chosen);
  return [make("h2", {}, say(ways.size ? "seat.where_to" : "seat.mall")),
    make("div", { class: "mall-frame", ...(ways.size ? {} : { tabindex: "0", role: "region", "aria-label": say("surface.mall") }) }, drawing),
    ways.size ? make("div", { class: "row go" }, event
      ? make("button", { class: "main", "data-focus": "go", onclick: () => send(event) }, say(event.type === "car_parked" ? "seat.park_here" : event.type === "drove" ? "seat.drive_here" : "seat.walk_here", { square: chosen, count: event.path?.length ?? 0 }))
      : make("p", { class: "small soft" }, say([...ways.values()][0].place ? "seat.tap_place" : "seat.tap_square"))) : null];
}

/** The moves that lead to squares, by where they end. */
const waysTo = (options) => new Map(options.filter(({ type }) => ["walked", "drove", "car_parked"].includes(type)).map((event) => [event.place ?? event.path.at(-1), event]));

function labelOf(game, event) {
  const square = event.place ?? event.path.at(-1);
  const where = squareNamed(game, square);
  return event.path ? say("a11y.square_in_reach", { where, count: event.path.length }) : where;
}

/** Arrows go to the next square in that direction; Enter and space choose it. */
function steer(event, drawing) {
  const from = event.target.dataset?.square;
  if (!from) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return;
  }
  const by = ARROWS[event.key];
  if (!by) return;
  event.preventDefault();
  const next = nearest([...drawing.querySelectorAll("[data-square]")], from, by);
  if (!next) return;
  event.target.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
}

function nearest(targets, from, [down, across]) {
  const start = placeOf(from);
  const ranked = targets.map((target) => {
    const { row, column } = placeOf(target.dataset.square);
    const [dy, dx] = [row - start.row, column - start.column];
    const ahead = dy * down + dx * across;
    const aside = Math.abs(dy * across) + Math.abs(dx * down);
    return { target, ahead, cost: ahead + 3 * aside };
  }).filter(({ ahead }) => ahead > 0);
  return ranked.sort((a, b) => a.cost - b.cost)[0]?.target;
}
