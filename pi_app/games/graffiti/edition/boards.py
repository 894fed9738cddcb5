"""What all boards have: spaces for cans, places for tiles, spots, and white around the markers."""

from pi_app.games.graffiti.edition.icons import Icon, dashed
from pi_app.games.graffiti.edition.places import CANS_MM, CORNER_MM, RING_MM
from vision.kit.curves import rounded
from vision.kit.sheet import DARK, PAPER, SOFT, Colour, Sheet, middle_of, rectangle
from vision.layout import BoardLayout, Polygon

PALE: Colour = (250, 250, 250)
FAINT: Colour = (222, 222, 228)
"""For what is printed where pieces lie: seen by people, hardly by the camera."""
APART_MM = 26.0
"""Between the middles of two rings of a space."""


def draw_corners(sheet: Sheet, board: BoardLayout) -> None:
    """White plates for the markers."""
    for polygon in board.markers.values():
        x, y = middle_of(polygon)
        sheet.polygon(rectangle(x - CORNER_MM / 2, y - CORNER_MM / 2, CORNER_MM, CORNER_MM), fill=PAPER, line=None)


def draw_cans_space(sheet: Sheet, outline: Polygon, cans: int, colour: Colour = DARK) -> None:
    """Two rings; the second of a space for one can is dashed: it is for who uses the space again."""
    x, y = middle_of(outline)
    sheet.polygon(rounded(*outline[0], *CANS_MM, 6), fill=PAPER, line=colour, width_mm=0.6)
    sheet.circle((x - APART_MM / 2, y), RING_MM / 2, fill=PALE, line=colour, width_mm=1.0)
    if cans > 1:
        sheet.circle((x + APART_MM / 2, y), RING_MM / 2, fill=PALE, line=colour, width_mm=1.0)
    else:
        sheet.circle((x + APART_MM / 2, y), RING_MM / 2, fill=PALE, line=None)
        dashed(sheet, (x + APART_MM / 2, y), RING_MM / 2 - 0.3, 0.6, SOFT)


def draw_place(sheet: Sheet, outline: Polygon, icon: Icon | None = None, line: Colour = SOFT) -> None:
    """For a tile."""
    (left, top), _, (right, bottom), _ = outline
    sheet.polygon(rounded(left, top, right - left, bottom - top, 2.4), fill=PALE, line=line, width_mm=0.5)
    if icon is not None:
        icon(sheet, middle_of(outline), 0.5 * (bottom - top), FAINT, PALE)


def draw_spot(sheet: Sheet, outline: Polygon, icon: Icon | None = None, line: Colour = SOFT) -> None:
    """For something round, or for a marker."""
    (left, _), (right, _), *_ = outline
    sheet.circle(middle_of(outline), (right - left) / 2, fill=PALE, line=line, width_mm=0.6)
    if icon is not None:
        icon(sheet, middle_of(outline), 0.5 * (right - left), FAINT, PALE)
