// The drawing of a mall, line by line as it is kept in a profile, read and changed square by square.

export const SIDES = { least: 5, most: 25, columns: 15, rows: 10 }; // without a drawing one begins with as many squares
export const SIGNS = { lot: " . ", parking: " P ", hall: "   ", fountain: " F " };
const CARD = /^( [A2-9JQK]|10)[SHDC]$/;
const KINDS = Object.fromEntries(Object.entries(SIGNS).map(([kind, sign]) => [sign, kind]));

export const columnsOf = (drawing) => (drawing[0].length - 1) / 4;
export const rowsOf = (drawing) => (drawing.length - 1) / 2;
const isSquare = (sign) => sign in KINDS || CARD.test(sign);
const written = (line, at, text) => line.slice(0, at) + text + line.slice(at + text.length);

/** Kind and goods of a square. */
export function squareAt(drawing, row, column) {
  const sign = drawing[2 * row + 1].slice(4 * column + 1, 4 * column + 4);
  return sign in KINDS ? { kind: KINDS[sign], sells: null } : { kind: "shop", sells: sign.trim() };
}

/** `card` is what a shop sells. */
export function setSquare(drawing, row, column, kind, card) {
  drawing[2 * row + 1] = written(drawing[2 * row + 1], 4 * column + 1, SIGNS[kind] ?? card.padStart(3));
}

/** Line, column and sign of the wall on one side of a square. */
function wallOf(row, column, side) {
  switch (side) {
    case "top": return [2 * row, 4 * column + 1, "---"];
    case "bottom": return [2 * row + 2, 4 * column + 1, "---"];
    case "left": return [2 * row + 1, 4 * column, "|"];
    default: return [2 * row + 1, 4 * column + 4, "|"];
  }
}

export function hasWall(drawing, row, column, side) {
  const [line, at] = wallOf(row, column, side);
  return drawing[line][at] !== " ";
}

/** The wall around the board stays. */
export function setWall(drawing, row, column, side, isThere) {
  const [line, at, sign] = wallOf(row, column, side);
  if (line === 0 || line === drawing.length - 1 || at === 0 || at === drawing[line].length - 1) return;
  drawing[line] = written(drawing[line], at, isThere ? sign : sign.replaceAll(/./g, " "));
}

/** A mall of this size with what fits of another; what is new is hall, or the lot around a mall that is new as a whole. */
export function resized(old, rows, columns) {
  const drawing = Array.from({ length: 2 * rows + 1 }, (_, y) => (y % 2 === 0 ? "+   ".repeat(columns) + "+" : " ".repeat(4 * columns + 1)));
  for (const y of [0, 2 * rows]) drawing[y] = "+---".repeat(columns) + "+";
  for (let row = 0; row < rows; row += 1) {
    drawing[2 * row + 1] = written(written(drawing[2 * row + 1], 0, "|"), 4 * columns, "|");
    for (let column = 0; column < columns; column += 1) {
      const isRim = row === 0 || column === 0 || row === rows - 1 || column === columns - 1;
      if (old === null) { if (isRim) setSquare(drawing, row, column, "lot"); continue; }
      if (row >= rowsOf(old) || column >= columnsOf(old)) continue;
      const { kind, sells } = squareAt(old, row, column);
      setSquare(drawing, row, column, kind, sells);
      for (const side of ["right", "bottom"]) setWall(drawing, row, column, side, hasWall(old, row, column, side));
    }
  }
  return drawing;
}

/** A drawing that can be worked with, whatever a file says: what cannot be read there becomes hall and no wall. */
export function normalDrawing(map) {
  const lines = Array.isArray(map) ? map.filter((line) => typeof line === "string") : [];
  if (lines.length < 3) return resized(null, SIDES.rows, SIDES.columns);
  const within = (count) => Math.min(SIDES.most, Math.max(SIDES.least, count));
  const rows = within(Math.floor((lines.length - 1) / 2));
  const columns = within(Math.round((Math.max(...lines.map((line) => line.length)) - 1) / 4));
  const read = Array.from({ length: 2 * rows + 1 }, (_, y) => (lines[y] ?? "").padEnd(4 * columns + 1).slice(0, 4 * columns + 1));
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!isSquare(read[2 * row + 1].slice(4 * column + 1, 4 * column + 4))) setSquare(read, row, column, "hall");
    }
  }
  return resized(read, rows, columns);
}
