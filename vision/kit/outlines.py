"""A measured board as a plain drawing: outlines where the profile says, to be compared with the board itself."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from vision.kit.corners import EDGE_MM, MARKER_MM
from vision.kit.sheet import PAPER, SOFT, Colour, Sheet, middle_of, within
from vision.layout import BoardLayout, Polygon

LETTER_WIDTH = 0.6
"""Of the font's size, on average."""
SMALLEST_TEXT_MM = 1.2


@dataclass(frozen=True)
class Printed:
    """What is printed in a region, what people call it, and its ground."""

    value: str
    name: str
    ground: Colour = PAPER


def draw_outlines(sheet: Sheet, board: BoardLayout, printed: Mapping[str, Printed]) -> None:
    """`printed` tells about every region of the board."""
    _draw_ticks(sheet, board)
    sheet.text((board.width_mm / 2, board.height_mm - 4), f"{board.id}, to check the measurements by", 3.6, SOFT)
    for region, polygon in board.regions.items():
        sheet.polygon(polygon, fill=printed[region].ground, width_mm=0.25)
        _draw_words(sheet, polygon, printed[region])
    for polygon in board.markers.values():
        edge = EDGE_MM / MARKER_MM
        corners = ((-edge, -edge), (1 + edge, -edge), (1 + edge, 1 + edge), (-edge, 1 + edge))
        sheet.polygon([within(polygon, x, y) for x, y in corners], fill=PAPER, line=SOFT, width_mm=0.15)


def _draw_words(sheet: Sheet, polygon: Polygon, printed: Printed) -> None:
    """The value in the middle of a region, and its name below: two boxes may have the same value."""
    width, height = math.dist(polygon[0], polygon[1]), math.dist(polygon[1], polygon[2])
    x, y = middle_of(polygon)
    value_mm = min(0.45 * height, 0.85 * width / (LETTER_WIDTH * len(printed.value)), 7.0)
    sheet.text((x, y - 0.12 * height), printed.value, value_mm)
    name_mm = min(0.2 * height, 0.9 * width / (LETTER_WIDTH * len(printed.name)), 3.0)
    if name_mm >= SMALLEST_TEXT_MM:
        sheet.text((x, y + 0.3 * height), printed.name, name_mm, SOFT)


def _draw_ticks(sheet: Sheet, board: BoardLayout) -> None:
    """Centimetres along the top and the left edge, with a number every five."""
    for mm in range(10, int(board.width_mm), 10):
        sheet.line((mm, 0), (mm, 2), 0.2, SOFT)
        if mm % 50 == 0:
            sheet.text((mm, 4), str(mm), 2.6, SOFT)
    for mm in range(10, int(board.height_mm), 10):
        sheet.line((0, mm), (2, mm), 0.2, SOFT)
        if mm % 50 == 0:
            sheet.text((5, mm), str(mm), 2.6, SOFT)
