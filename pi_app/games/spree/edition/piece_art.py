"""Thieves, standing and lying, and cars: small enough for a square, with the sign of their seat and a code."""

from typing import Final

from pi_app.games.spree.edition.signs import COLOURS, seat_sign
from vision.kit.curves import oval, rounded, smooth
from vision.kit.sheet import PAPER, Colour, Sheet, rectangle
from vision.layout import Point

THIEF_MM, CAR_MM = (16.0, 20.0), (28.0, 16.0)
CODE_MM, WHITE_MM = 12.0, 14.4
"""The code of a piece, and the white around it."""
CODE_AT_MM = THIEF_MM[1] - WHITE_MM / 2 - 0.8
"""How far down the middle of a thief's code is."""
INK, SKIN, MASK, GLASS = (30, 28, 38), (246, 208, 170), (30, 28, 38), (190, 226, 244)
HEAD_MM: Final = (THIEF_MM[0] / 2, 2.9)


def draw_thief(sheet: Sheet, colour: str, code: int, lying: bool) -> None:
    """Who stands is in full colour; who lies is pale with a rim, and the head has dropped to the side."""
    width, height = THIEF_MM
    own = COLOURS[colour]
    sheet.polygon(rectangle(0, 0, width, height), fill=own, line=None)
    if lying:
        sheet.polygon(rectangle(0.8, 0.8, width - 1.6, height - 1.6), fill=_tint(own), line=None)
    _lay_code(sheet, code, (width / 2, CODE_AT_MM))
    for x in (2.4, width - 3.0):
        sheet.polygon(seat_sign(colour, (x + 0.3, 2.9), 3.2), fill=own if lying else PAPER, line=INK, width_mm=0.35)
    _draw_head(sheet, own, lying)


def _tint(colour: Colour) -> Colour:
    """The same, pale."""
    red, green, blue = ((part + 2 * 255) // 3 for part in colour)
    return red, green, blue


def _draw_head(sheet: Sheet, own: Colour, lying: bool) -> None:
    x, y = HEAD_MM

    def turned(px: float, py: float) -> Point:
        return (x - py, y + px) if lying else (x + px, y + py)

    sheet.polygon(oval((x, y), 2.6), fill=SKIN, line=INK, width_mm=0.35)
    cap = tuple(turned(px, py) for px, py in ((-2.6, -0.7), (-1.9, -2.2), (0, -2.75), (1.9, -2.2), (2.6, -0.7)))
    sheet.polygon(cap, fill=own, line=INK, width_mm=0.35)
    band = tuple(turned(px, py) for px, py in ((-2.55, -0.75), (2.55, -0.75), (2.45, 0.75), (-2.45, 0.75)))
    sheet.polygon(band, fill=MASK, line=None)
    for eye in (-1.0, 1.0):
        if lying:
            for slope in (-0.45, 0.45):
                sheet.line(turned(eye - 0.45, -slope), turned(eye + 0.45, slope), 0.28, PAPER)
        else:
            sheet.circle(turned(eye, 0.0), 0.55, fill=PAPER, line=None)
            sheet.circle(turned(eye + 0.15, 0.05), 0.22, fill=INK, line=None)


def draw_car(sheet: Sheet, colour: str, code: int) -> None:
    """From above: bonnet to the right, the code on its roof."""
    width, height = CAR_MM
    own = COLOURS[colour]
    sheet.polygon(rectangle(0, 0, width, height), fill=(92, 96, 108), line=None)
    for x in (3.4, width - 7.4):
        for y in (0.2, height - 1.6):
            sheet.polygon(rounded(x, y, 4.0, 1.4, 0.4), fill=INK, line=None)
    sheet.polygon(rounded(0.4, 0.9, width - 0.8, height - 1.8, 3.0), fill=own, line=INK, width_mm=0.4)
    for x in (width - 1.7,):
        for y in (3.0, height - 3.0):
            sheet.polygon(oval((x, y), 0.7, 1.2), fill=(255, 240, 170), line=INK, width_mm=0.2)
    sheet.polygon(smooth(((1.1, 2.6), (1.9, 2.4), (1.9, 4.2), (1.1, 4.4))), fill=(220, 40, 40), line=None)
    sheet.polygon(smooth(((1.1, 11.6), (1.9, 11.8), (1.9, 13.6), (1.1, 13.4))), fill=(220, 40, 40), line=None)
    roof = (width - WHITE_MM) / 2
    for x, slant in ((roof - 1.0, 1.0), (width - roof + 1.0, -1.0)):
        glass = ((x, 2.2), (x + slant, 3.0), (x + slant, height - 3.0), (x, height - 2.2))
        sheet.polygon(glass, fill=GLASS, line=INK, width_mm=0.2)
    _lay_code(sheet, code, (width / 2, height / 2))
    for x in (3.6, width - 4.2):
        sheet.polygon(seat_sign(colour, (x, height / 2), 4.4), fill=PAPER, line=INK, width_mm=0.35)


def _lay_code(sheet: Sheet, code: int, at: Point) -> None:
    x, y = at
    sheet.polygon(rectangle(x - WHITE_MM / 2, y - WHITE_MM / 2, WHITE_MM, WHITE_MM), fill=PAPER, line=None)
    sheet.code(code, rectangle(x - CODE_MM / 2, y - CODE_MM / 2, CODE_MM, CODE_MM))
