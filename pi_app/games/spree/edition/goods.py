"""What the shops sell, drawn by code: one picture for every rank, in a box of its own, from back to front."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from vision.kit.curves import Outline, mirrored, oval, ribbon, rounded, smooth, star
from vision.kit.sheet import Colour, Sheet

BOX_MM: Final = (24.0, 18.0)
MIDDLE: Final = BOX_MM[0] / 2

INK, WHITE, CREAM = (34, 32, 44), (255, 255, 255), (255, 245, 222)
RED, ORANGE, SUN, LIME = (214, 48, 62), (243, 130, 44), (255, 202, 58), (138, 196, 72)
TEAL, SKY, BLUE, VIOLET = (0, 148, 150), (124, 200, 240), (34, 100, 186), (118, 78, 168)
PINK, BROWN, SAND, STEEL = (236, 98, 154), (142, 90, 54), (240, 206, 160), (150, 158, 172)


@dataclass(frozen=True)
class Shape:
    points: Outline
    colour: Colour
    line: float = 0.35
    """How wide its edge is, 0 for none."""


def draw_goods(sheet: Sheet, rank: str) -> None:
    """At the top left of a sheet as large as the box."""
    for shape in GOODS[rank]():
        sheet.polygon(shape.points, fill=shape.colour, line=INK if shape.line else None, width_mm=shape.line or 0.1)


def _jewel() -> Iterator[Shape]:
    yield Shape(oval((MIDDLE, 12.2), 5.6), SUN)
    yield Shape(oval((MIDDLE, 12.2), 4.1), WHITE)
    gem = ((7.2, 4.2), (9.4, 1.4), (14.6, 1.4), (16.8, 4.2), (12, 9.6))
    yield Shape(gem, SKY, 0.5)
    yield Shape(((9.6, 4.2), (10.8, 1.6), (13.2, 1.6), (14.4, 4.2)), WHITE, 0.25)
    yield Shape(((9.6, 4.2), (14.4, 4.2), (12, 9.2)), (190, 228, 250), 0.25)
    for x, y, size in ((3.6, 4, 1.6), (20.6, 5.4, 1.9), (19, 1.8, 1.1)):
        yield Shape(star((x, y), size, size / 3, 4), SUN, 0.2)


def _television() -> Iterator[Shape]:
    yield Shape(((8, 17), (16, 17), (14, 14), (10, 14)), STEEL)
    yield Shape(rounded(2.5, 1.2, 19, 13.2, 1.4), INK)
    yield Shape(rounded(3.7, 2.4, 16.6, 10.6, 0.7), SKY, 0)
    yield Shape(((3.7, 10.8), (9, 6), (12.4, 9.2), (15, 7.4), (20.3, 11.4), (20.3, 13), (3.7, 13)), LIME, 0)
    yield Shape(oval((16.8, 5), 1.5), SUN, 0)


def _handbag() -> Iterator[Shape]:
    yield Shape(ribbon(((8, 8), (8.6, 3.4), (12, 1.6), (15.4, 3.4), (16, 8)), 1.2), BROWN)
    yield Shape(((5, 7), (19, 7), (21, 16.6), (3, 16.6)), PINK, 0.5)
    yield Shape(((5, 7), (19, 7), (17.4, 11.4), (6.6, 11.4)), (250, 150, 190), 0.35)
    yield Shape(rounded(10.8, 9.8, 2.4, 3.2, 0.6), SUN, 0.3)


def _sneaker() -> Iterator[Shape]:
    body = ((2, 14), (2.6, 7), (4.6, 3.8), (8.4, 4.4), (10.4, 7), (15.6, 9.6), (20.6, 10.6), (22.4, 13), (22, 14.6))
    yield Shape(body, RED, 0.5)
    yield Shape(rounded(1.6, 13.4, 21, 2.8, 1.3), WHITE, 0.5)
    yield Shape(((16.6, 10), (20.6, 10.8), (22.3, 13.4), (16, 13.4)), WHITE, 0.3)
    for n in range(3):
        yield Shape(ribbon(((8.4 + 2.2 * n, 6.6 + 1.2 * n), (10.8 + 2.2 * n, 5.6 + 1.3 * n)), 0.7), WHITE, 0.15)
    yield Shape(((5, 13.3), (8, 9), (9.4, 9), (7.4, 13.3)), WHITE, 0.2)


def _guitar() -> Iterator[Shape]:
    yield Shape(((13.4, 7.6), (21, 1.2), (22.6, 2.8), (15, 9)), BROWN, 0.3)
    yield Shape(rounded(20.2, 0.2, 3.4, 3, 0.6), INK, 0.2)
    yield Shape(oval((6.6, 12.4), 5.2, 4.8), ORANGE, 0.5)
    yield Shape(oval((12, 8.8), 3.8, 3.5), ORANGE, 0.5)
    yield Shape(oval((7, 12), 4.4, 4), ORANGE, 0)
    yield Shape(oval((11.6, 9.1), 3, 2.7), ORANGE, 0)
    yield Shape(oval((9.4, 10.5), 1.7), INK, 0)
    yield Shape(ribbon(((4.2, 14), (21.4, 1.8)), 0.4), CREAM, 0)


def _camera() -> Iterator[Shape]:
    yield Shape(((8.4, 5.2), (9.8, 2), (14.2, 2), (15.6, 5.2)), STEEL, 0.4)
    yield Shape(rounded(2.6, 4.8, 18.8, 11.8, 1.6), INK)
    yield Shape(rounded(2.6, 7, 18.8, 2, 0.1), TEAL, 0)
    yield Shape(oval((MIDDLE, 11), 4.9), STEEL, 0.4)
    yield Shape(oval((MIDDLE, 11), 3.6), BLUE, 0.3)
    yield Shape(oval((10.9, 9.8), 1.1), WHITE, 0)
    yield Shape(rounded(17.4, 5.6, 2.6, 1.2, 0.3), SUN, 0.2)


def _telephone() -> Iterator[Shape]:
    yield Shape(rounded(7.4, 0.8, 9.2, 16.4, 1.6), INK)
    yield Shape(rounded(8.2, 2.6, 7.6, 12, 0.4), SKY, 0)
    for n, colour in enumerate((RED, SUN, LIME, VIOLET, ORANGE, WHITE)):
        yield Shape(rounded(8.9 + 2.4 * (n % 3), 4 + 2.6 * (n // 3), 1.7, 1.7, 0.4), colour, 0)
    yield Shape(oval((MIDDLE, 15.9), 0.8), STEEL, 0)
    for x in (4.6, 2.6):
        yield Shape(ribbon(((x + 0.8, 5.4), (x, 8.6), (x + 0.8, 11.8)), 0.8), VIOLET, 0)
        yield Shape(mirrored(ribbon(((x + 0.8, 5.4), (x, 8.6), (x + 0.8, 11.8)), 0.8), MIDDLE), VIOLET, 0)


def _scent() -> Iterator[Shape]:
    yield Shape(rounded(10.4, 1, 3.2, 2.6, 0.4), SUN)
    yield Shape(rounded(10.8, 3.4, 2.4, 2.2, 0.2), STEEL)
    yield Shape(smooth(((12, 5), (18.4, 8.2), (19, 13.6), (16.4, 17), (7.6, 17), (5, 13.6), (5.6, 8.2))), VIOLET, 0.5)
    yield Shape(smooth(((9, 8.4), (8, 11), (8.4, 14), (7.2, 13), (7, 10))), (196, 170, 226), 0)
    yield Shape(rounded(9.2, 10, 5.6, 4, 0.5), CREAM, 0.25)
    for n in range(3):
        yield Shape(oval((16.4 + 1.9 * n, 2.6 + (n % 2)), 0.6), VIOLET, 0)


def _books() -> Iterator[Shape]:
    for n, (x, colour) in enumerate(((3.4, TEAL), (2, RED), (4.4, SUN), (3, BLUE))):
        y = 13.4 - 3.9 * n
        yield Shape(rounded(x, y, 16.8, 3.6, 0.5), colour, 0.4)
        yield Shape(rounded(x + 13.4, y + 0.7, 3.4, 2.2, 0.1), CREAM, 0.2)
        yield Shape(rounded(x + 2, y + 1, 5.4, 1.5, 0.2), WHITE, 0)


def _bear() -> Iterator[Shape]:
    for x in (8, 16):
        yield Shape(oval((x, 3.6), 2.4), BROWN, 0.4)
        yield Shape(oval((x, 3.6), 1.1), SAND, 0)
    for arm in (6.6, 17.4):
        yield Shape(oval((arm, 12.4), 1.9, 2.8, 20 if arm < MIDDLE else -20), BROWN, 0.4)
    yield Shape(oval((MIDDLE, 13.6), 5, 4.2), BROWN, 0.4)
    yield Shape(oval((MIDDLE, 14), 2.9, 2.8), SAND, 0)
    yield Shape(oval((MIDDLE, 6.6), 5.2, 4.7), BROWN, 0.4)
    yield Shape(oval((MIDDLE, 8.3), 2.5, 1.9), SAND, 0.2)
    for eye in (9.9, 14.1):
        yield Shape(oval((eye, 5.7), 0.7), INK, 0)
    yield Shape(oval((MIDDLE, 7.5), 0.9, 0.6), INK, 0)


def _hat() -> Iterator[Shape]:
    yield Shape(oval((MIDDLE, 14), 10.6, 2.7), INK)
    yield Shape(((6.4, 13.6), (5.6, 2.6), (18.4, 2.6), (17.6, 13.6)), (58, 54, 74), 0.4)
    yield Shape(((6.2, 13.4), (5.9, 9.6), (18.1, 9.6), (17.8, 13.4)), RED, 0.3)
    yield Shape(oval((MIDDLE, 2.7), 6.4, 1.3), (84, 80, 104), 0.3)


def _doughnut() -> Iterator[Shape]:
    yield Shape(oval((MIDDLE, 10), 8.6, 7.4), SAND, 0.5)
    icing = tuple((MIDDLE + (x - MIDDLE) * 0.9, 9.4 + (y - 10) * 0.84) for x, y in oval((MIDDLE, 10), 8.6, 7.4))
    yield Shape(icing, PINK, 0.35)
    yield Shape(oval((MIDDLE, 9.6), 2.8, 2.3), WHITE, 0.4)
    colours = (WHITE, SUN, SKY, LIME)
    for n, (x, y) in enumerate(
        ((7, 7), (9.6, 4.9), (13.6, 4.8), (17, 7.2), (17.6, 11), (14, 14), (9.4, 13.9), (6.6, 10.8))
    ):
        yield Shape(
            ribbon(((x - 0.7, y - 0.4 * (n % 3 - 1)), (x + 0.7, y + 0.4 * (n % 3 - 1))), 0.6), colours[n % 4], 0
        )


def _sweet() -> Iterator[Shape]:
    for end in (((8, 9), (1.6, 4.4), (3, 9), (1.6, 13.6)),):
        yield Shape(end, SUN, 0.4)
        yield Shape(mirrored(end, MIDDLE), SUN, 0.4)
    yield Shape(oval((MIDDLE, 9), 5.8, 5.2), RED, 0.5)
    for x in (8.8, 12.4):
        yield Shape(
            smooth(((x, 4.8), (x + 2, 4.1), (x + 3.2, 9), (x + 1.4, 14), (x - 0.4, 13.3), (x + 1.2, 9))), WHITE, 0
        )


GOODS: Final[Mapping[str, Callable[[], Iterator[Shape]]]] = {
    "A": _jewel,
    "K": _television,
    "Q": _handbag,
    "J": _sneaker,
    "10": _guitar,
    "9": _camera,
    "8": _telephone,
    "7": _scent,
    "6": _books,
    "5": _bear,
    "4": _hat,
    "3": _doughnut,
    "2": _sweet,
}
"""The dearer, the more a card brings."""
