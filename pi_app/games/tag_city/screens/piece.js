// A shape as a piece to be turned, flipped and moved about the city. Squares are [row, col].

/** The squares of a shape after `turns` quarter turns clockwise, flipped before if so, from the top left corner of its box. */
function oriented(cells, { turns, flipped }) {
  let squares = flipped ? cells.map(([row, col]) => [row, -col]) : cells;
  for (let n = 0; n < turns; n += 1) squares = squares.map(([row, col]) => [col, -row]);
  return fromCorner(squares);
}

function fromCorner(cells) {
  const top = Math.min(...cells.map(([row]) => row));
  const left = Math.min(...cells.map(([, col]) => col));
  return inOrder(cells.map(([row, col]) => [row - top, col - left]));
}

const inOrder = (cells) => [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
const key = (cells) => cells.join(" ");
const heightOf = (cells) => Math.max(...cells.map(([row]) => row)) + 1;
const widthOf = (cells) => Math.max(...cells.map(([, col]) => col)) + 1;

export const squareName = ([row, col]) => String.fromCharCode(65 + col) + (row + 1);

export class Piece {
  /** `placements` are all that is legal; it starts on the one nearest the middle, unturned if it fits so. */
  constructor(cells, placements, { rows, cols }) {
    Object.assign(this, { shape: cells, rows, cols, turns: 0, flipped: false, row: 0, col: 0 });
    this.legal = new Map(placements.map((one) => [key(inOrder(one)), one]));
    const unturned = placements.filter((one) => key(fromCorner(one)) === key(oriented(cells, this)));
    const off = (one) => Math.hypot(middle(one, 0) - (rows - 1) / 2, middle(one, 1) - (cols - 1) / 2);
    this.#lieOn((unturned.length ? unturned : placements).reduce((best, one) => (off(one) < off(best) ? one : best)));
  }

  /** The squares it covers. */
  get cells() {
    return this.squares.map(([row, col]) => [row + this.row, col + this.col]);
  }

  /** Its squares within its own box. */
  get squares() {
    return oriented(this.shape, this);
  }

  get height() {
    return heightOf(this.squares);
  }

  get width() {
    return widthOf(this.squares);
  }

  /** These squares as the table lists them, or undefined where it cannot be placed. */
  get placement() {
    return this.legal.get(key(this.cells));
  }

  /** A box around it as the names of two squares. */
  get corners() {
    return [squareName([this.row, this.col]), squareName([this.row + this.height - 1, this.col + this.width - 1])];
  }

  turn() {
    this.#reshape({ turns: (this.turns + 1) % 4 });
  }

  /** As a mirror beside it would show it, however it is turned. */
  flip() {
    this.#reshape({ flipped: !this.flipped, turns: (4 - this.turns) % 4 });
  }

  moveTo(row, col) {
    this.row = Math.max(0, Math.min(this.rows - this.height, row));
    this.col = Math.max(0, Math.min(this.cols - this.width, col));
  }

  moveBy(rows, cols) {
    this.moveTo(this.row + rows, this.col + cols);
  }

  /** Brings its middle over this square. */
  centreOn(row, col) {
    this.moveTo(row - Math.floor((this.height - 1) / 2), col - Math.floor((this.width - 1) / 2));
  }

  /** Its middle stays where it is, as far as squares allow and the city reaches. */
  #reshape(change) {
    const { height, width } = this;
    Object.assign(this, change);
    this.moveBy(Math.trunc((height - this.height) / 2), Math.trunc((width - this.width) / 2));
  }

  #lieOn(placement) {
    for (const flipped of [false, true]) {
      for (const turns of [0, 1, 2, 3]) {
        if (key(oriented(this.shape, { turns, flipped })) !== key(fromCorner(placement))) continue;
        Object.assign(this, { turns, flipped });
        this.moveTo(Math.min(...placement.map(([row]) => row)), Math.min(...placement.map(([, col]) => col)));
        return;
      }
    }
  }
}

const middle = (cells, axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length;
