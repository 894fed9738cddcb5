// A board with loose pieces on it: tap a place to see what lies there, a piece and then a place to move it.

import { $, fill, make, svg } from "../dom.js";
import { nameOf, say } from "../text.js";
import { beside, nearest, WAYS, within } from "./places.js";

const NEAR_PX = 24; // a finger that is no farther beside a place means it

/**
 * `act(action, args)` does something at the table, `regionsOf(board)` tells where everything is on a board, `kindsOf()`
 * how each piece looks; `changed` is called when something else was chosen.
 *
 * Gives `show(board, edition, may, fits)`, where another `edition` has other boards and pieces and `fits` tells by piece
 * where it may go by the rules; `panel(element)` fills it with what lies at the chosen place and can be done there;
 * `choose(board, region)`; `fitting(board)`, whether the piece that is picked up may go there by the rules.
 */
export function piecesSheet(place, { act, regionsOf, kindsOf, changed }) {
  let kinds = {};
  let known = null; // the edition whose pieces these are
  let shown = null; // {key, board, sheet, laid, places, cursor, regions, pieces, may, fits}
  let chosen = null; // {board, region, piece}: the place that was tapped, and the piece that is picked up there
  const cursors = {}; // where the keyboard is, by board

  async function learnKinds(edition) {
    known = edition;
    try {
      kinds = await kindsOf();
      changed();
    } catch {
      known = null; // asked again with the next look
    }
  }

  function show(board, edition, may, fits) {
    if (known !== edition) learnKinds(edition);
    const key = JSON.stringify([board.board, edition]);
    if (shown?.key !== key || !place.contains(shown.sheet)) lay(board, key);
    Object.assign(shown, { pieces: board.pieces.map((one, n) => ({ ...one, n })), may, fits });
    if (may) shown.sheet.setAttribute("tabindex", "0");
    else shown.sheet.removeAttribute("tabindex");
    shown.sheet.classList.toggle("idle", !may);
    settle();
    const picked = held();
    const beneathFirst = [...shown.pieces].sort((a, b) => area(b) - area(a));
    fill(shown.laid, [shown.pieces, chosen, Object.keys(kinds).length], () => beneathFirst.map((one) => pictureOn(one, isSame(one, picked) && chosen.board === shown.board)));
    fill(shown.places, [chosen, picked, fits, Object.keys(shown.regions).length], () => Object.entries(shown.regions).filter(([id]) => roleOf(id, picked)).map(([id, { outline }]) =>
      svg("polygon", { class: `spot ${roleOf(id, picked)}`, points: pointsOf(outline) })));
    tellPlace();
  }

  /** Another board. */
  function lay({ board, width_mm: width, height_mm: height }, key) {
    const print = svg("image", { href: `/api/sim/boards/${board}.png?${encodeURIComponent(key)}`, width, height, preserveAspectRatio: "none" });
    const [laid, places, cursor] = [svg("g", {}), svg("g", {}), svg("polygon", { class: "cursor" })];
    const sheet = svg("svg", { class: "with-pieces", viewBox: `0 0 ${width} ${height}`, role: "application", "aria-label": nameOf("surface", board), "aria-describedby": "pieces-hint" }, print, laid, places, cursor);
    const lying = { key, board, sheet, laid, places, cursor, regions: {}, pieces: [] };
    for (const [event, heard] of [["click", tap], ["keydown", press], ["focus", point]]) sheet.addEventListener(event, heard);
    place.replaceChildren(sheet);
    shown = lying;
    regionsOf(board).then((regions) => {
      lying.regions = Object.fromEntries(Object.entries(regions).filter(([, { most }]) => most));
      changed();
    }, () => {});
  }

  function pictureOn({ piece, face, x_mm: x, y_mm: y, turn_deg: turn }, isHeld) {
    const { width_mm: width, height_mm: height } = kinds[piece] ?? { width_mm: 0, height_mm: 0 };
    const box = { x: -width / 2, y: -height / 2, width, height };
    return svg("g", { class: "laid", transform: `translate(${x} ${y}) rotate(${turn})` },
      svg("image", { href: pictureOf(piece, face), preserveAspectRatio: "none", ...box }),
      isHeld ? svg("rect", { class: "picked", ...box }) : null);
  }

  /** What a place is now: the chosen one, where something (or what is picked up) may go by the rules, or where it may lie. */
  function roleOf(region, picked) {
    if (chosen?.board === shown.board && chosen.region === region) return "chosen";
    if (!picked) return Object.keys(shown.fits).some((told) => doesFit(region, told)) ? "hint" : "";
    if (!hasRoom(region, picked.piece)) return "";
    return doesFit(region, toldOf(picked)) ? "fits" : "free";
  }

  // --- what is chosen -------------------------------------------------------------------------

  /** Of places that count as one the first is meant. */
  function settle() {
    if (chosen?.board !== shown.board || chosen.region in shown.regions) return;
    const member = Object.keys(shown.regions).find((id) => shown.regions[id].pool === chosen.region);
    if (member) chosen = { ...chosen, region: member };
  }

  const lyingAt = (region) => shown.pieces.filter((one) => one.region === region);
  const hasRoom = (region, piece) => shown.regions[region].holds.includes(piece) && lyingAt(region).length < shown.regions[region].most;
  const isSame = (one, other) => Boolean(other) && one.piece === other.piece && one.face === other.face && one.region === other.region && one.x_mm === other.x_mm && one.y_mm === other.y_mm;
  const area = ({ piece }) => (kinds[piece] ? kinds[piece].width_mm * kinds[piece].height_mm : 0);

  /** The piece that is picked up, if it still lies there. */
  function held() {
    if (!chosen?.piece) return null;
    if (chosen.board === shown.board && !shown.pieces.some((one) => isSame(one, chosen.piece))) chosen = { ...chosen, piece: null };
    return chosen.piece;
  }

  const toldOf = ({ piece, face }) => kinds[piece]?.faces.find((one) => one.face === face)?.told ?? piece;
  const placesFor = (told, board) => (shown.fits[told] ?? []).filter(([at]) => at === board).map(([, region]) => region);
  const doesFit = (region, told) => placesFor(told, shown.board).some((one) => one === region || one === shown.regions[region].pool);

  function choose(board, region, piece = null) {
    chosen = { board, region, piece };
    cursors[board] = region;
    changed();
  }

  /** A piece that is picked up goes where it was tapped; else that is what is chosen now. */
  async function go(region, piece) {
    const picked = held();
    const isOther = picked && !(chosen.board === shown.board && chosen.region === region);
    if (!shown.may || !isOther || piece || !hasRoom(region, picked.piece)) {
      choose(shown.board, region, piece && !isSame(piece, picked) ? piece : null);
      return;
    }
    const move = { piece: [picked.piece, picked.face], board: chosen.board, region: chosen.region, to_board: shown.board, to_region: region };
    choose(shown.board, region);
    await act("move", move);
  }

  // --- with mouse, finger and keys ------------------------------------------------------------

  function tap(event) {
    const screen = shown.sheet.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
    const hit = shown.pieces.filter((one) => covers(one, [x, y])).sort((a, b) => area(a) - area(b))[0];
    const under = Object.keys(shown.regions).find((id) => within(shown.regions[id].outline, [x, y]));
    const region = under ?? hit?.region ?? nearest(shown.regions, [x, y], NEAR_PX / screen.a);
    if (region !== undefined) go(region, hit?.region === region ? hit : null);
  }

  function covers({ piece, x_mm: x, y_mm: y, turn_deg: turn }, [atX, atY]) {
    const { width_mm: width, height_mm: height } = kinds[piece] ?? { width_mm: 0, height_mm: 0 };
    const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
    const [dx, dy] = [atX - x, atY - y];
    return Math.abs(cos * dx + sin * dy) <= width / 2 && Math.abs(cos * dy - sin * dx) <= height / 2;
  }

  function press(event) {
    const region = cursor();
    if (!region || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAYS) cursors[shown.board] = beside(shown.regions, region, WAYS[event.key]);
    else if (event.key === "Enter" || event.key === " ") {
      const there = lyingAt(region);
      go(region, there.length === 1 && !held() ? there[0] : null);
    } else if (event.key === "Escape") choose(shown.board, region);
    else return;
    event.preventDefault();
    point();
  }

  const cursor = () => (cursors[shown.board] in shown.regions ? cursors[shown.board] : Object.keys(shown.regions)[0]);

  function point() {
    const region = cursor();
    if (!region) return;
    cursors[shown.board] = region;
    shown.cursor.setAttribute("points", pointsOf(shown.regions[region].outline));
    tellPlace();
  }

  /** What lies where the keyboard is or where it was tapped last. */
  function tellPlace() {
    const region = cursors[shown.board];
    const there = region in shown.regions ? lyingAt(region).map(nameOfPiece).join(", ") || say("sim.nothing") : null;
    const told = there === null ? "" : say("sim.lies_at", { place: nameOfPlace(region), pieces: there });
    if ($("place").textContent !== told) $("place").textContent = told; // said aloud once
  }

  // --- what is said and done at the chosen place ----------------------------------------------

  const nameOfPiece = (one) => {
    const name = nameOf("kind", toldOf(one));
    return one.face === "back" ? say("sim.face_down", { piece: name }) : name;
  };

  /** Of places that count as one each has its number. */
  function nameOfPlace(region) {
    const { pool } = shown.regions[region];
    if (!pool) return nameOf("region", region);
    const alike = Object.keys(shown.regions).filter((id) => shown.regions[id].pool === pool);
    return `${nameOf("region", pool)} ${alike.indexOf(region) + 1}`;
  }

  function panel(element) {
    const picked = held();
    const here = chosen?.board === shown.board && chosen.region in shown.regions ? chosen.region : null;
    const there = here === null ? [] : lyingAt(here);
    fill(element, [shown.board, here, there, picked, shown.fits, Object.keys(kinds).length], () => [
      make("h2", {}, here === null ? say("sim.pieces") : nameOfPlace(here)),
      picked ? make("p", { class: "note" }, say("sim.picked_up", { piece: nameOfPiece(picked) })) : null,
      here === null ? (picked ? null : make("p", { class: "small soft" }, say("sim.choose_place"))) : whatIsHere(here, there, picked),
    ]);
  }

  function whatIsHere(region, there, picked) {
    const arrange = (pieces) => {
      choose(shown.board, region);
      act("arrange", { board: shown.board, region, pieces });
    };
    const faceOf = ({ piece, face }) => [piece, face];
    const without = (one) => there.filter((other) => other !== one).map(faceOf);
    const lying = (one, n) => {
      const faces = kinds[one.piece]?.faces ?? [];
      const other = faces[(faces.findIndex(({ face }) => face === one.face) + 1) % faces.length];
      const isPicked = isSame(one, picked);
      return make("li", {},
        make("button", { class: "piece", "aria-pressed": String(isPicked), "data-focus": `piece-${n}`, onclick: () => choose(shown.board, region, isPicked ? null : one) }, picture(one), make("span", {}, nameOfPiece(one))),
        faces.length > 1 ? make("button", { "data-focus": `turn-${n}`, onclick: () => arrange([...without(one), [one.piece, other.face]]) }, say("sim.turn_over")) : null,
        make("button", { "data-focus": `away-${n}`, onclick: () => arrange(without(one)) }, say("sim.take_away")));
    };
    const { holds, most } = shown.regions[region];
    const options = holds.filter((piece) => kinds[piece]).map((piece) => ({ piece, face: kinds[piece].faces[0].face }));
    return make("div", { class: "here" },
      there.length ? make("ul", { class: "there" }, there.map(lying)) : make("p", { class: "small soft" }, say("sim.nothing_here")),
      there.length < most
        ? make("div", { class: "options", role: "group", "aria-label": say("sim.add") }, make("span", { class: "small soft" }, say("sim.add")), options.map((one) =>
          make("button", { class: doesFit(region, toldOf(one)) ? "piece fits" : "piece", "data-focus": `add-${one.piece}`, onclick: () => arrange([...there.map(faceOf), [one.piece, one.face]]) }, picture(one), make("span", {}, nameOfPiece(one)))))
        : make("p", { class: "small soft" }, say("sim.full", { count: most })));
  }

  const picture = ({ piece, face }) => make("img", { src: pictureOf(piece, face), alt: "" });
  const pictureOf = (piece, face) => `/api/sim/pieces/${encodeURIComponent(piece)}/${encodeURIComponent(face)}.png?${encodeURIComponent(known)}`;
  const fitting = (board) => (shown && held() ? placesFor(toldOf(held()), board).length > 0 : false);

  return { show, choose, panel, fitting };
}

const pointsOf = (outline) => outline.map((corner) => corner.join()).join(" ");
