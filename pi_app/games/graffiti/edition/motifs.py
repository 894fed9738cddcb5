"""The pictures on the walls, drawn by code: each is a list of shapes from back to front, in a box of its own width.

Tags cover circles in the lower half of every part, so what a picture is known by stands above or between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.kit.curves import Outline, oval
from vision.kit.sheet import Colour
from vision.layout import Point

HIGH_MM = 44.0

INK, WHITE, CREAM = (30, 28, 40), (255, 255, 255), (255, 246, 224)
PINK, RED, ORANGE, SUN = (232, 62, 140), (215, 38, 61), (245, 124, 32), (255, 200, 40)
LIME, GREEN, TEAL, SKY = (150, 205, 60), (46, 147, 60), (0, 150, 150), (92, 190, 240)
BLUE, NIGHT, VIOLET, LILAC = (27, 108, 188), (40, 44, 92), (112, 72, 160), (190, 150, 225)
SAND, GREY, STEEL = (240, 205, 160), (150, 155, 165), (96, 104, 120)


@dataclass(frozen=True)
class Shape:
    """An outline filled with a colour; `line` is how wide its edge is, 0 for none. `halo` lets a white edge glow
    around it, as sprayers outline their letters."""

    points: Outline
    colour: Colour
    line: float = 0.7
    halo: bool = True


@dataclass(frozen=True)
class Motif:
    width_mm: float
    ground: Colour
    cloud: Colour
    """What is sprayed behind the picture."""
    shapes: tuple[Shape, ...]


def eye(at: Point, size: float, look: Point = (0.0, 0.0), white: Colour = WHITE) -> Iterator[Shape]:
    """Wide open, looking a little to one side."""
    x, y = at
    yield Shape(oval(at, size, size * 1.15), white, 0.6, halo=False)
    yield Shape(oval((x + look[0], y + look[1]), size * 0.55), INK, 0, halo=False)
    yield Shape(oval((x + look[0] + size * 0.18, y + look[1] - size * 0.2), size * 0.18), WHITE, 0, halo=False)
