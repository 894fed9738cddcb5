"""The till and the strips for carts: dark where cards lie, because cards are white."""

from typing import Final

from pi_app.games.spree.edition.signs import COLOURS, seat_sign
from pi_app.games.spree.edition.words import STOPS
from vision.kit.curves import Outline, oval, ribbon, rounded
from vision.kit.sheet import PAPER, Colour, Sheet, SizeMm, rectangle
from vision.layout import BoardLayout, Point

FELT: Final[Colour] = (38, 62, 70)
EDGE: Final[Colour] = (88, 122, 130)
WOOD, WOOD_LINE = (222, 196, 158), (176, 146, 104)
INK: Colour = (52, 46, 60)
AROUND_MM = 2.0


def draw_till(sheet: Sheet, board: BoardLayout, card_mm: SizeMm) -> None:
    """Wood around, felt under the cards, a tray for dice."""
    sheet.polygon(rectangle(0, 0, board.width_mm, board.height_mm), fill=WOOD, line=None)
    for n in range(1, 9):
        y = n * board.height_mm / 9
        sheet.line((0, y), (board.width_mm, y + (n % 3 - 1) * 2), 0.3, WOOD_LINE)
    _white_around_markers(sheet, board)
    (left, top), *_ = board.regions["played"]
    (last, _), *_ = board.regions[f"stop.{STOPS}"]
    (discards, _), *_ = board.regions["discards"]
    width, height = card_mm
    for x, right in ((left, last + width), (discards, discards + width)):
        felt = rounded(x - AROUND_MM, top - AROUND_MM, right - x + 2 * AROUND_MM, height + 2 * AROUND_MM, 3)
        sheet.polygon(felt, fill=FELT, line=INK, width_mm=0.5)
    for name, region in board.regions.items():
        if name != "dice":
            x, y = region[0]
            sheet.polygon(rounded(x, y, width, height, 3), fill=None, line=EDGE, width_mm=0.5)
    sheet.text((left + 15, top + height / 2), "1", 16.0, EDGE)
    for n in range(1, STOPS + 1):
        x, _ = board.regions[f"stop.{n}"][0]
        _draw_stop(sheet, (x + 8, top + height / 2))
    _draw_bin(sheet, (discards + width / 2, top + height / 2))
    _draw_tray(sheet, board)


def _draw_stop(sheet: Sheet, at: Point) -> None:
    x, y = at
    eight: Outline = tuple((x + 6 * c, y + 6 * s) for c, s in ((0.41, -1), (1, -0.41), (1, 0.41), (0.41, 1)))
    outline = (*eight, *((2 * x - px, 2 * y - py) for px, py in eight))
    sheet.polygon(outline, fill=None, line=EDGE, width_mm=0.7)
    sheet.text((x, y - 1.2), "A", 5.6, EDGE)
    sheet.line((x - 3.4, y + 3), (x + 3.4, y + 3), 0.6, EDGE)


def _draw_bin(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.polygon(
        ((x - 9, y - 8), (x + 9, y - 8), (x + 7, y + 14), (x - 7, y + 14)), fill=None, line=EDGE, width_mm=0.9
    )
    sheet.line((x - 11, y - 11), (x + 11, y - 11), 1.2, EDGE)
    for off in (-4, 0, 4):
        sheet.line((x + off, y - 4), (x + off * 0.85, y + 10), 0.7, EDGE)


def _draw_tray(sheet: Sheet, board: BoardLayout) -> None:
    """Where dice are thrown: two are a walk, one is a shot."""
    (left, top), (right, _), (_, bottom), _ = board.regions["dice"]
    sheet.polygon(rounded(left, top, right - left, bottom - top, 6), fill=(196, 214, 196), line=INK, width_mm=0.8)
    middle = (bottom + top) / 2
    foot = (left + 12, middle)
    for dx, dy in ((-5, 5), (0, -1), (5, -8)):
        sheet.polygon(oval((foot[0] + dx, foot[1] + dy + 1), 1.7, 3, 20), fill=(150, 176, 152), line=None)
        sheet.polygon(oval((foot[0] + dx + 0.8, foot[1] + dy - 3.2), 1.1, 0.9), fill=(150, 176, 152), line=None)
    for n in range(2):
        _draw_die(sheet, (left + 26 + 11 * n, middle), 8)
    aim = (right - 14, middle)
    for radius in (8.5, 4.5):
        sheet.circle(aim, radius, line=(150, 176, 152), width_mm=1.0)
    for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        ends = [(aim[0] + way[0] * reach, aim[1] + way[1] * reach) for reach in (3, 11)]
        sheet.line(ends[0], ends[1], 0.9, (150, 176, 152))
    _draw_die(sheet, (right - 33, middle), 8)


def _draw_die(sheet: Sheet, at: Point, size: float) -> None:
    """An outline alone: what is printed must not look like a die."""
    x, y = at
    outline = rounded(x - size / 2, y - size / 2, size, size, 1.4)
    sheet.polygon(outline, fill=None, line=(150, 176, 152), width_mm=0.8)


def draw_strip(sheet: Sheet, board: BoardLayout, colour: str, card_mm: SizeMm) -> None:
    """A cart's place: felt for ten cards, in the colour and with the sign of its seat."""
    own = COLOURS[colour]
    sheet.polygon(rectangle(0, 0, board.width_mm, board.height_mm), fill=PAPER, line=None)
    regions = list(board.regions.values())
    (left, top), (right, _) = regions[0][0], regions[-1][0]
    width, height = card_mm
    for x in (1.0, board.width_mm - 4.0):
        sheet.polygon(rectangle(x, 32, 3, board.height_mm - 64), fill=own, line=None)
    felt = (left - AROUND_MM, 0.8, right + width - left + 2 * AROUND_MM, board.height_mm - 1.6)
    sheet.polygon(rounded(*felt, 2.5), fill=FELT, line=own, width_mm=1.4)
    for x, _ in (region[0] for region in regions):
        sheet.line((x, top + 2), (x, top + height - 2), 0.35, EDGE)
    for middle in (17.5, board.width_mm - 17.5):
        sheet.polygon(seat_sign(colour, (middle, board.height_mm / 2 - 5), 11), fill=own, line=INK, width_mm=0.5)
        _draw_cart(sheet, (middle, board.height_mm / 2 + 8))


def _draw_cart(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.polygon(((x - 6, y - 5), (x + 8, y - 5), (x + 6, y + 2), (x - 4, y + 2)), fill=None, line=INK, width_mm=0.7)
    sheet.polygon(
        ribbon(((x - 9.5, y - 8), (x - 7, y - 8), (x - 3.6, y + 4), (x + 6.5, y + 4)), 0.8), fill=INK, line=None
    )
    for dx in (-2, 5):
        sheet.circle((x + dx, y + 6.4), 1.3, fill=None, line=INK, width_mm=0.7)


def _white_around_markers(sheet: Sheet, board: BoardLayout) -> None:
    for marker in board.markers.values():
        (left, top), _, (right, bottom), _ = marker
        sheet.polygon(rectangle(left - 5, top - 5, right - left + 10, bottom - top + 10), fill=PAPER, line=None)
