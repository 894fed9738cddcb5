"""Curved outlines as polygons that any sheet can draw. Lengths are millimetres."""

import math
from collections.abc import Sequence

from vision.kit.sheet import polar
from vision.layout import Point

Outline = tuple[Point, ...]


def smooth(points: Sequence[Point], steps: int = 6) -> Outline:
    """A closed curve through these points."""
    count = len(points)
    corners = [[points[(n + k) % count] for k in (-1, 0, 1, 2)] for n in range(count)]
    return tuple(_between(corner, step / steps) for corner in corners for step in range(steps))


def path(points: Sequence[Point], steps: int = 6) -> Outline:
    """An open curve through these points."""
    around = [points[0], *points, points[-1]]
    corners = [around[n : n + 4] for n in range(len(points) - 1)]
    return (*(_between(corner, step / steps) for corner in corners for step in range(steps)), points[-1])


def ribbon(middle: Sequence[Point], width: float, end: float | None = None) -> Outline:
    """A band along a line; it may grow wider or narrower towards its end."""
    last = len(middle) - 1
    left, right = [], []
    for n, (x, y) in enumerate(middle):
        before, after = middle[max(0, n - 1)], middle[min(last, n + 1)]
        along_x, along_y = after[0] - before[0], after[1] - before[1]
        half = (width + ((width if end is None else end) - width) * n / last) / 2 / (math.hypot(along_x, along_y) or 1)
        left.append((x + along_y * half, y - along_x * half))
        right.append((x - along_y * half, y + along_x * half))
    return (*left, *reversed(right))


def oval(middle: Point, across: float, down: float | None = None, turn: float = 0.0, steps: int = 36) -> Outline:
    """Around a middle, with these radii; turned clockwise by degrees."""
    down = across if down is None else down
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    flat = (polar((0.0, 0.0), 1.0, 360 * n / steps) for n in range(steps))
    return tuple(
        (middle[0] + x * across * cos - y * down * sin, middle[1] + x * across * sin + y * down * cos) for x, y in flat
    )


def rounded(x: float, y: float, width: float, height: float, radius: float, steps: int = 5) -> Outline:
    """A rectangle with round corners."""
    left, top, right, bottom = x + radius, y + radius, x + width - radius, y + height - radius
    corners = ((right, top), (right, bottom), (left, bottom), (left, top))
    return tuple(
        polar(corner, radius, 90 * n - 90 + 90 * step / steps)
        for n, corner in enumerate(corners)
        for step in range(steps + 1)
    )


def star(middle: Point, outer: float, inner: float, points: int = 5, turn: float = -90.0) -> Outline:
    """The first point at `turn` degrees."""
    return tuple(polar(middle, inner if n % 2 else outer, turn + 180 * n / points) for n in range(2 * points))


def mirrored(points: Sequence[Point], x: float) -> Outline:
    """To the other side of an upright line."""
    return tuple((2 * x - px, py) for px, py in reversed(points))


def _between(corner: Sequence[Point], share: float) -> Point:
    """Between the middle two of four points, on the curve through all of them (Catmull and Rom's)."""
    a, b, c, d = corner
    return _blend(a[0], b[0], c[0], d[0], share), _blend(a[1], b[1], c[1], d[1], share)


def _blend(a: float, b: float, c: float, d: float, share: float) -> float:
    return 0.5 * (2 * b + (c - a) * share + (2 * a - 5 * b + 4 * c - d) * share**2 + (3 * b - a - 3 * c + d) * share**3)
