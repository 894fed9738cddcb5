"""Graffiti on the walls: which picture a letter has, and how it looks before and after it is painted."""

from collections.abc import Callable, Mapping
from functools import cache

from pi_app.games.graffiti.edition.motifs import HIGH_MM, Motif, Shape
from pi_app.games.graffiti.edition.motifs_of_four import OF_FOUR, SPECIAL_OF_FOUR
from pi_app.games.graffiti.edition.motifs_of_three import OF_THREE, SPECIAL_OF_THREE
from pi_app.games.graffiti.edition.motifs_of_two import OF_TWO, SPECIAL_OF_TWO
from vision.kit.curves import smooth
from vision.kit.sheet import Colour, Sheet, polar, rectangle

PICTURES: Mapping[str, Callable[[], Motif]] = {**OF_TWO, **OF_THREE, **OF_FOUR}
SPECIAL_PICTURES: Mapping[str, Callable[[], Motif]] = {**SPECIAL_OF_TWO, **SPECIAL_OF_THREE, **SPECIAL_OF_FOUR}

WALL: Colour = (250, 248, 243)
MORTAR: Colour = (236, 232, 224)
SKETCH: Colour = (138, 138, 152)
BRICK_MM = (13.0, 5.5)
HALO_MM = 2.6


def pictured(letter: str, special: bool) -> str:
    """The letter whose picture it is: for one that has none of its own, another."""
    names = sorted(SPECIAL_PICTURES if special else PICTURES)
    return letter if letter in names else names[ord(letter) % len(names)]


def mural(letter: str, special: bool) -> str:
    """What its picture is called on pages."""
    return pictured(letter, special) + ("-special" if special else "")


@cache
def picture(letter: str, special: bool) -> Motif:
    return (SPECIAL_PICTURES if special else PICTURES)[pictured(letter, special)]()


def draw_mural(
    sheet: Sheet, letter: str, width_mm: float, finished: bool, special: bool, shown: tuple[float, float]
) -> None:
    """The picture on a sheet as large as its parts together, or at least what is to be seen from `shown` to `shown`;
    smaller if it was made for more parts."""
    motif = picture(letter, special)
    scale = min(1.0, width_mm / motif.width_mm)
    left, top = (width_mm - motif.width_mm * scale) / 2, (1 - scale) * HIGH_MM / 2
    if finished:
        _draw_ground(sheet, motif, width_mm)
    else:
        draw_bricks(sheet, width_mm, HIGH_MM)
    begin, end = shown
    placed = [
        Shape(tuple((left + scale * x, top + scale * y) for x, y in shape.points), shape.colour, shape.line, shape.halo)
        for shape in motif.shapes
        if left + scale * max(x for x, _ in shape.points) > begin - HALO_MM
        and left + scale * min(x for x, _ in shape.points) < end + HALO_MM
    ]
    if not finished:
        for shape in placed:
            sheet.polygon(shape.points, fill=WALL, line=SKETCH, width_mm=0.45)
        return
    for shape in placed:
        if shape.halo:
            sheet.polygon(shape.points, line=(255, 255, 255), width_mm=HALO_MM)
    for shape in placed:
        line = (30, 28, 40) if shape.line else None
        sheet.polygon(shape.points, fill=shape.colour, line=line, width_mm=shape.line)


def draw_bricks(sheet: Sheet, width_mm: float, height_mm: float) -> None:
    """A bare wall."""
    sheet.polygon(rectangle(0, 0, width_mm, height_mm), fill=WALL, line=None)
    wide, high = BRICK_MM
    for row in range(1, int(height_mm / high) + 1):
        sheet.line((0, row * high), (width_mm, row * high), 0.3, MORTAR)
    for row in range(int(height_mm / high) + 1):
        for col in range(int(width_mm / wide) + 1):
            x = (col + 0.5 * (row % 2)) * wide
            sheet.line((x, row * high), (x, min(height_mm, (row + 1) * high)), 0.3, MORTAR)


def _draw_ground(sheet: Sheet, motif: Motif, width_mm: float) -> None:
    """A sprayed cloud with dots around it."""
    sheet.polygon(rectangle(0, 0, width_mm, HIGH_MM), fill=motif.ground, line=None)
    middle, count = (width_mm / 2, HIGH_MM / 2), 22
    edge = [polar((0, 0), 1 if n % 2 else 0.86, 360 * n / count) for n in range(count)]
    cloud = smooth([(middle[0] + x * width_mm * 0.47, middle[1] + y * HIGH_MM * 0.44) for x, y in edge])
    sheet.polygon(cloud, fill=motif.cloud, line=None)
    for row in range(5):
        for col in range(int(width_mm / 3)):
            x, y = 1.5 + 3 * col, HIGH_MM - 1.2 - 2.6 * row
            sheet.circle((x + 1.5 * (row % 2), y), 0.95 - 0.18 * row, fill=motif.cloud, line=None)
