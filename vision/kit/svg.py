"""A drawing as SVG, for pages that show what is printed."""

from collections.abc import Mapping, Sequence
from typing import Final

from vision.kit.sheet import DARK, Colour
from vision.layout import Point, Polygon

FONT: Final = '"Fredoka One", system-ui, sans-serif'


class SvgSheet:
    """A sheet whose colours may be left to the page: `named` gives what CSS shall say instead."""

    def __init__(self, named: Mapping[Colour, str] | None = None) -> None:
        self.parts: list[str] = []
        self._named = named or {}

    def polygon(
        self, points: Sequence[Point], fill: Colour | None = None, line: Colour | None = DARK, width_mm: float = 0.3
    ) -> None:
        path = "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points) + "z"
        self.parts.append(f'<path d="{path}"{self._paint(fill, line, width_mm)}/>')

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Colour = DARK) -> None:
        path = f"M{_short(a[0])} {_short(a[1])}L{_short(b[0])} {_short(b[1])}"
        self.parts.append(f'<path d="{path}"{self._paint(None, colour, width_mm)}/>')

    def circle(
        self,
        at: Point,
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = DARK,
        width_mm: float = 0.4,
    ) -> None:
        place = f'cx="{_short(at[0])}" cy="{_short(at[1])}" r="{_short(radius_mm)}"'
        self.parts.append(f"<circle {place}{self._paint(fill, line, width_mm)}/>")

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = DARK, centred: bool = True) -> None:
        place = f'x="{_short(at[0])}" y="{_short(at[1])}" font-size="{_short(size_mm)}" dominant-baseline="central"'
        anchor = "middle" if centred else "start"
        font = f"font-family='{FONT}' text-anchor=\"{anchor}\""
        self.parts.append(f"<text {place} {font}{self._paint(colour, None, 0)}>{words}</text>")

    def marker(self, marker: int, outline: Polygon) -> None:
        """Nothing: no camera looks at a page."""

    def code(self, code: int, outline: Polygon) -> None:
        """Nothing, either."""

    def _paint(self, fill: Colour | None, line: Colour | None, width_mm: float) -> str:
        told = f' fill="{self._colour(fill)}"'
        if line is None or not width_mm:
            return told
        return f'{told} stroke="{self._colour(line)}" stroke-width="{_short(width_mm)}" stroke-linejoin="round"'

    def _colour(self, colour: Colour | None) -> str:
        if colour is None:
            return "none"
        return self._named.get(colour) or "#{:02x}{:02x}{:02x}".format(*colour)


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
