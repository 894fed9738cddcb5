"""Lines drawn and wiped free hand: what a pen adds, and what an eraser leaves, in millimetres of a board."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from hardware.sim.state import PointMm, SimInk, SimStroke

MOST_POINTS = 50_000
"""On the whole table: more than any game needs, and no burden yet."""


def check_path(points_mm: Sequence[PointMm]) -> None:
    """Raises ValueError for a path without points, or with far too many."""
    if not 1 <= len(points_mm) <= MOST_POINTS:
        raise ValueError(f"a path has 1 to {MOST_POINTS} points")


def with_stroke(strokes: Collection[SimStroke], new: SimStroke) -> tuple[SimStroke, ...]:
    """One more line; it goes on with the last one on its board if it begins where that ended.

    Raises ValueError if there is too much ink.
    """
    last = next((stroke for stroke in reversed([*strokes]) if stroke.board == new.board), None)
    if last is not None and last.points_mm[-1] == new.points_mm[0] and _alike(last, new):
        new = replace(new, points_mm=last.points_mm + new.points_mm[1:])
        strokes = [stroke for stroke in strokes if stroke is not last]
    drawn = (*strokes, new)
    if sum(len(stroke.points_mm) for stroke in drawn) > MOST_POINTS:
        raise ValueError("too much ink: wipe the boards first")
    return drawn


def runs_into(stroke: SimStroke, outlines: Collection[Sequence[PointMm]]) -> bool:
    """Whether a line has points inside of any of these."""
    return any(_inside(point, outline) for outline in outlines for point in stroke.points_mm)


class Cloth:
    """An eraser that went along a path over a board."""

    def __init__(self, board: str, path_mm: Sequence[PointMm], radius_mm: float) -> None:
        self._board, self._path, self._radius = board, tuple(path_mm), radius_mm

    def wipes(self, ink: SimInk, outlines: Mapping[str, Sequence[PointMm]]) -> bool:
        """Whether it touched a mark."""
        if ink.board != self._board or ink.region not in outlines:
            return False
        outline = outlines[ink.region]
        closed = [*outline, outline[0]]
        return any(
            _inside(point, outline) or _near(point, closed, self._radius) for point in _fine(self._path, self._radius)
        )

    def leaves(self, stroke: SimStroke) -> Iterator[SimStroke]:
        """The parts of a line that it did not touch."""
        if stroke.board != self._board:
            yield stroke
            return
        part: list[PointMm] = []
        for point in (*_fine(stroke.points_mm, self._radius / 2), None):
            if point is not None and not _near(point, self._path, self._radius):
                part.append(point)
                continue
            if len(part) > 1:
                yield replace(stroke, points_mm=tuple(part))
            part = []


def _alike(one: SimStroke, other: SimStroke) -> bool:
    return (one.pen, one.width_mm) == (other.pen, other.width_mm)


def _fine(path: Sequence[PointMm], step_mm: float) -> Iterator[PointMm]:
    """The same path with points so close that nothing passes between them."""
    yield path[0]
    for (x, y), (to_x, to_y) in pairwise(path):
        steps = max(1, int(hypot(to_x - x, to_y - y) / step_mm))
        for step in range(1, steps + 1):
            yield x + (to_x - x) * step / steps, y + (to_y - y) * step / steps


def _near(point: PointMm, path: Sequence[PointMm], radius_mm: float) -> bool:
    sides = list(pairwise(path)) or [(path[0], path[0])]
    return any(_distance(point, begin, end) <= radius_mm for begin, end in sides)


def _inside(point: PointMm, outline: Sequence[PointMm]) -> bool:
    x, y = point
    sides = pairwise([*outline, outline[0]])
    crossed = [x1 + (y - y1) / (y2 - y1) * (x2 - x1) for (x1, y1), (x2, y2) in sides if (y1 > y) != (y2 > y)]
    return sum(x < edge for edge in crossed) % 2 == 1


def _distance(point: PointMm, begin: PointMm, end: PointMm) -> float:
    """From a point to the straight line between two others."""
    (x, y), (x1, y1), (x2, y2) = point, begin, end
    along = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = 0.0 if not along else max(0.0, min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / along))
    return hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))
