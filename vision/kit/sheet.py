"""A sheet of paper to draw on, in millimetres: the same drawing becomes a picture or part of a page."""

import math
from collections.abc import Sequence
from typing import Protocol

from vision.layout import Point, Polygon

Colour = tuple[int, int, int]
"""Red, green, blue."""
SizeMm = tuple[float, float]

DARK, SOFT, PAPER = (35, 35, 45), (120, 120, 130), (255, 255, 255)


class Sheet(Protocol):
    """From its top left corner x goes to the right, y down."""

    def polygon(
        self, points: Sequence[Point], fill: Colour | None = None, line: Colour | None = DARK, width_mm: float = 0.3
    ) -> None: ...

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Colour = DARK) -> None: ...

    def circle(
        self,
        at: Point,
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = DARK,
        width_mm: float = 0.4,
    ) -> None: ...

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = DARK, centred: bool = True) -> None:
        """A line whose middle, or the middle of whose left end, is there."""

    def marker(self, marker: int, outline: Polygon) -> None:
        """A marker of this number; its outline is clockwise from its own top left."""


def rectangle(x: float, y: float, width: float, height: float) -> Polygon:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def polar(middle: Point, radius: float, degrees: float) -> Point:
    return (
        middle[0] + radius * math.cos(math.radians(degrees)),
        middle[1] + radius * math.sin(math.radians(degrees)),
    )


def middle_of(polygon: Polygon) -> Point:
    return sum(x for x, _ in polygon) / 4, sum(y for _, y in polygon) / 4


def within(outline: Polygon, across: float, down: float) -> Point:
    """The point at these shares of an outline's width and height, which may be askew."""
    shares = ((1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down)
    corners = tuple(zip(outline, shares, strict=True))
    return sum(share * x for (x, _), share in corners), sum(share * y for (_, y), share in corners)
