"""A sheet of paper to draw on, in millimetres: the same drawing becomes a picture or part of a page."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
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

    def code(self, code: int, outline: Polygon) -> None:
        """The code of a piece, black on what is there already; its outline as a marker's."""

    def inset(
        self, at: Point, size_mm: SizeMm, scale: float = 1.0, turned: bool = False
    ) -> AbstractContextManager["Sheet"]:
        """A sheet on this sheet: what is drawn on it lies there, larger or smaller, and nothing reaches beyond it.

        `turned` by a quarter to the left.
        """

    def again(self, name: str, size_mm: SizeMm, draw: Callable[["Sheet"], None]) -> None:
        """Draws something that is drawn often, always alike under the same name: a page remembers it."""


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


def dark_cells(cells: Sequence[Sequence[float]], outline: Polygon) -> Iterator[list[Point]]:
    """The squares of a marker or a code that are black, where its outline lies."""
    count = len(cells)
    for r, row in enumerate(cells):
        for c, light in enumerate(row):
            if not light:
                corners = ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))
                yield [within(outline, x / count, y / count) for x, y in corners]
