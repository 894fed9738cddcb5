"""Squares and shapes, and where shapes fit.

Sets of squares are bit masks (bit `row * cols + col`), because whether and where a shape fits is then a handful
of shifts. People and files see squares as (row, col), counted from 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
Cells: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True)
class Orientation:
    """A shape turned one way, in the top left corner of the city."""

    mask: int
    shifts: tuple[int, ...]
    """The bits of `mask`: it fits with its corner at bit a if every bit a + shift is free."""
    room: int
    """The squares where its corner can lie in an empty city."""


@dataclass(frozen=True)
class Shape:
    id: str
    small: bool
    size: int
    orientations: tuple[Orientation, ...]
    placements: Mapping[int, Cells]
    """Every way it lies in an empty city: mask to squares, row by row."""
    masks: Mapping[Cells, int]
    """The same, the other way round."""


def bits(mask: int) -> list[int]:
    """The positions of the bits that are set, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def column_letter(col: int) -> str:
    return chr(ord("A") + col)


def square_name(cell: Cell) -> str:
    """As people call it: column letter, row number. Far outside the city there are no letters."""
    row, col = cell
    return f"{column_letter(col)}{row + 1}" if 0 <= col < 26 else f"{row + 1}/{col + 1}"


def orientations_of(cells: Sequence[Cell]) -> tuple[Cells, ...]:
    """The distinct rotations and reflections of a shape, each moved to the top left corner."""
    found: dict[Cells, None] = {}
    turned: list[Cell] = list(cells)
    for _ in range(2):
        for _ in range(4):
            turned = [(col, -row) for row, col in turned]
            found[_to_corner(turned)] = None
        turned = [(row, -col) for row, col in turned]
    return tuple(found)


def _to_corner(cells: Sequence[Cell]) -> Cells:
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells))


def compile_shape(shape_id: str, cells: Sequence[Cell], small: bool, rows: int, cols: int) -> Shape:
    orientations, placements = [], {}
    for turned in orientations_of(cells):
        height, width = max(r for r, _ in turned) + 1, max(c for _, c in turned) + 1
        corners = [(r, c) for r in range(rows - height + 1) for c in range(cols - width + 1)]
        shifts = tuple(r * cols + c for r, c in turned)
        mask = sum(1 << shift for shift in shifts)
        orientations.append(Orientation(mask, shifts, sum(1 << (r * cols + c) for r, c in corners)))
        for row, col in corners:
            placements[mask << (row * cols + col)] = tuple((row + r, col + c) for r, c in turned)
    masks = {squares: mask for mask, squares in placements.items()}
    return Shape(shape_id, small, len(cells), tuple(orientations), placements, masks)


class Fits:
    """Where one shape fits on one board: a lane per orientation, a bit where its corner may lie."""

    __slots__ = ("count", "lanes", "shape", "squares")

    def __init__(self, shape: Shape, lanes: int, squares: int) -> None:
        self.shape, self.lanes, self.squares = shape, lanes, squares
        self.count = lanes.bit_count()

    def corners(self) -> Iterator[tuple[Orientation, list[int]]]:
        """Every orientation with the bits where its corner may lie."""
        lane_mask = (1 << self.squares) - 1
        for lane, orientation in enumerate(self.shape.orientations):
            yield orientation, bits(self.lanes >> lane * self.squares & lane_mask)

    def masks(self) -> Iterator[int]:
        for orientation, corners in self.corners():
            for corner in corners:
                yield orientation.mask << corner

    def mask_at(self, index: int) -> int:
        lane_mask = (1 << self.squares) - 1
        for lane, orientation in enumerate(self.shape.orientations):
            corners = self.lanes >> lane * self.squares & lane_mask
            here = corners.bit_count()
            if index < here:
                for _ in range(index):
                    corners &= corners - 1
                return orientation.mask << ((corners & -corners).bit_length() - 1)
            index -= here
        raise IndexError(index)


class Fitter:
    """Finds where shapes fit, all orientations at once.

    They lie side by side in one long number, a lane of one bit per square for each. A corner is
    possible where every square of the orientation is free: one AND per distinct shift, for all
    lanes together. Lanes that do not use a shift let everything pass. A shifted lane takes in bits
    of its neighbour, but only at corners where the shape would leave the city, and those are not
    in `room`.
    """

    def __init__(self, shapes: Sequence[Shape], squares: int) -> None:
        self._squares = squares
        lanes = [orientation for shape in shapes for orientation in shape.orientations]
        self._repeat = sum(1 << lane * squares for lane in range(len(lanes)))
        self._room = sum(o.room << lane * squares for lane, o in enumerate(lanes))
        full = (1 << squares) - 1
        self._steps = [
            (shift, sum(full << lane * squares for lane, o in enumerate(lanes) if shift not in o.shifts))
            for shift in sorted({shift for o in lanes for shift in o.shifts})
        ]
        self._slices = []
        start = 0
        for shape in shapes:
            width = len(shape.orientations) * squares
            self._slices.append((shape, start, (1 << width) - 1))
            start += width

    def fits(self, free: int) -> "Fitted":
        """For each shape, where it fits on these free squares."""
        everywhere, corners = free * self._repeat, self._room
        for shift, pass_all in self._steps:
            corners &= everywhere >> shift | pass_all
        return Fitted(corners, self._slices, self._squares)


class Fitted:
    """Where all shapes of a fitter fit on one board. A shape is cut out of the long number when it is asked for."""

    __slots__ = ("_corners", "_slices", "_squares", "count")

    def __init__(self, corners: int, slices: Sequence[tuple[Shape, int, int]], squares: int) -> None:
        self._corners, self._slices, self._squares = corners, slices, squares
        self.count = corners.bit_count()

    def __getitem__(self, index: int) -> Fits:
        shape, start, mask = self._slices[index]
        return Fits(shape, self._corners >> start & mask, self._squares)

    def __iter__(self) -> Iterator[Fits]:
        return (self[index] for index in range(len(self._slices)))
