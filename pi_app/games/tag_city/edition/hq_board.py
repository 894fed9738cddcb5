"""The HQ, drawn from its layout."""

from collections.abc import Mapping, Sequence
from typing import Any

from pi_app.games.tag_city.edition.artwork import OTHER_TINTS, TINTS
from pi_app.games.tag_city.edition.places import section_angle
from pi_app.games.tag_city.edition.tokens import lying_down
from pi_app.games.tag_city.rules.model import FACES
from vision.die import PIPS
from vision.kit.sheet import PAPER, SOFT, Colour, Sheet, middle_of, polar, rectangle
from vision.layout import BoardLayout, Point, Polygon

SECTION_TINTS = (*TINTS.values(), OTHER_TINTS[2])


def draw_hq(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    middle, shapes = (board.width_mm / 2, board.height_mm / 2), profile["shapes"]
    sheet.circle(middle, 36, fill=(246, 246, 250), line=SOFT)
    for number, shape in enumerate(profile["hq"]["sections"], 1):
        light, strong = SECTION_TINTS[number - 1]
        sheet.polygon(board.regions[f"section.{number}"], fill=light, width_mm=0.7)
        x, y = polar(middle, 63, section_angle(number))
        _draw_shape(sheet, shapes[shape]["cells"], (x, y - 3), 6.0, strong)
        sheet.text((x, y + 10), f"{number} {shape}", 4.6, SOFT)
    for n, shape in enumerate(profile["hq"]["small"]):
        _draw_shape(sheet, shapes[shape]["cells"], polar(middle, 20, -90 + 120 * n), 6.0, (206, 206, 214))
    for face in FACES:
        _draw_face(sheet, board.regions[f"value.{face}"], face)
    sheet.text(middle, "HQ", 8.0, SOFT)


def _draw_face(sheet: Sheet, box: Polygon, face: int) -> None:
    """A printed die face: open rings instead of pips, so that nothing takes it for a die."""
    sheet.polygon(box, fill=PAPER, width_mm=0.4)
    x, y = middle_of(box)
    for across, down in PIPS[face]:
        sheet.circle((x + 3.4 * across, y + 3.4 * down), 1.3, width_mm=0.35)


def _draw_shape(sheet: Sheet, cells: Sequence[Sequence[int]], at: Point, size: float, fill: Colour) -> None:
    """A shape around a point."""
    squares, (height, width) = lying_down(cells)
    for row, col in squares:
        box = rectangle(at[0] + (col - width / 2) * size, at[1] + (row - height / 2) * size, size, size)
        sheet.polygon(box, fill=fill, line=SOFT, width_mm=0.25)
