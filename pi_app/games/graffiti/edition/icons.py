"""Small drawings that say without words what a place or a tile is about. All stand around a middle, `size` mm high."""

from collections.abc import Mapping
from typing import Protocol

from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, Look
from vision.kit.curves import Outline, oval, path, ribbon, rounded, smooth, star
from vision.kit.sheet import DARK, PAPER, Colour, Sheet, polar, rectangle
from vision.layout import Point


class Icon(Protocol):
    """Draws in one colour, so that it can stand white on a tile and pale on a board; `hole` is the colour around it."""

    def __call__(self, sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None: ...


def draw_sign(sheet: Sheet, look: Look, at: Point, size: float, fill: Colour, line: Colour | None = DARK) -> None:
    """The sign of a colour, about `size` mm wide."""
    sheet.polygon(sign_outline(look.sign, at, size), fill=fill, line=line, width_mm=0.09 * size)


def sign_outline(sign: str, at: Point, size: float) -> Outline:
    (x, y), half = at, size / 2
    match sign:
        case "triangle":
            return ((x, y - 0.95 * half), (x + half, y + 0.8 * half), (x - half, y + 0.8 * half))
        case "square":
            return rectangle(x - 0.84 * half, y - 0.84 * half, 1.68 * half, 1.68 * half)
        case "diamond":
            return ((x, y - 1.1 * half), (x + 0.86 * half, y), (x, y + 1.1 * half), (x - 0.86 * half, y))
        case "cross":
            return tuple(point for turn in (0, 90, 180, 270) for point in _arm(at, half, turn))
        case "ring":
            return star(at, half, 0.72 * half, 8)
    return oval(at, half)


def _arm(at: Point, half: float, turn: float) -> Outline:
    return (polar(at, 1.1 * half, turn + 25), polar(at, 1.1 * half, turn + 65), polar(at, 0.42 * half, turn + 90))


def draw_can(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """A spray can."""
    x, y = at
    unit = size / 10
    sheet.polygon(rounded(x - 1.3 * unit, y - 5 * unit, 2.6 * unit, 2 * unit, 0.5 * unit), fill=colour, line=None)
    shoulder = ((x - 2.7 * unit, y - 1.2 * unit), (x - 1.7 * unit, y - 3 * unit))
    top = (*shoulder, *((2 * x - px, py) for px, py in reversed(shoulder)))
    sheet.polygon(top, fill=colour, line=None)
    sheet.polygon(rounded(x - 2.7 * unit, y - 1.3 * unit, 5.4 * unit, 6.3 * unit, 0.6 * unit), fill=colour, line=None)
    sheet.polygon(rectangle(x - 2.7 * unit, y - 0.7 * unit, 5.4 * unit, 0.5 * unit), fill=hole, line=None)


def draw_drop(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    x, y = at
    unit = size / 10
    drop = ((x, y - 5 * unit), (x + 2.2 * unit, y - 1 * unit), (x + 3.3 * unit, y + 1.8 * unit), (x, y + 5 * unit))
    left = ((x - 3.3 * unit, y + 1.8 * unit), (x - 2.2 * unit, y - 1 * unit))
    sheet.polygon((drop[0], *smooth((*drop, *left))[3:-3]), fill=colour, line=None)


def draw_star(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    sheet.polygon(star(at, size / 2, size / 4.6), fill=colour, line=None)


def draw_permit(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """A sheet of paper with a seal."""
    x, y = at
    unit = size / 10
    sheet.polygon(rounded(x - 3.8 * unit, y - 5 * unit, 7.6 * unit, 10 * unit, unit), fill=colour, line=None)
    for row in range(3):
        wide = 5 if row < 2 else 2.4
        bar = rectangle(x - 2.5 * unit, y + (-3.4 + 2 * row) * unit, wide * unit, 0.8 * unit)
        sheet.polygon(bar, fill=hole, line=None)
    sheet.polygon(star((x + 1.7 * unit, y + 2.6 * unit), 1.8 * unit, 1.2 * unit, 8), fill=hole, line=None)


def draw_token(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """Who begins: an arrow head with a 1."""
    x, y = at
    unit = size / 10
    head = ((-5, -3.4), (1.4, -3.4), (5, 0), (1.4, 3.4), (-5, 3.4))
    sheet.polygon([(x + px * unit, y + py * unit) for px, py in head], fill=colour, line=None)
    sheet.text((x - 1.2 * unit, y + 0.1 * unit), "1", 5.6 * unit, hole)


def draw_police(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """A badge."""
    x, y = at
    unit = size / 10
    shield = ((-3.8, -4), (-1.6, -3.8), (0, -5), (1.6, -3.8), (3.8, -4), (3.8, 0.6), (2.4, 3.2), (0, 5))
    left = ((-2.4, 3.2), (-3.8, 0.6))
    sheet.polygon([(x + px * unit, y + py * unit) for px, py in (*shield, *left)], fill=colour, line=None)
    sheet.polygon(star((x, y - 0.2 * unit), 2.6 * unit, 1.15 * unit), fill=hole, line=None)


def draw_block(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """A barrier."""
    x, y = at
    unit = size / 10
    for dx in (-3.4, 2.4):
        sheet.polygon(rectangle(x + dx * unit, y - 1 * unit, unit, 5.4 * unit), fill=colour, line=None)
    sheet.polygon(rectangle(x - 5 * unit, y - 4 * unit, 10 * unit, 4 * unit), fill=colour, line=None)
    for n in range(3):
        left = x + (-4.2 + 3.2 * n) * unit
        stripe = ((left, y - 0.5 * unit), (left + 1.4 * unit, y - 0.5 * unit))
        upper = ((left + 2.8 * unit, y - 3.5 * unit), (left + 1.4 * unit, y - 3.5 * unit))
        sheet.polygon((*stripe, *upper), fill=hole, line=None)


def draw_pin(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """Reserved: a pin on a map."""
    x, y = at
    unit = size / 10
    round_top = [polar((x, y - 1.6 * unit), 3.4 * unit, 150 + 24 * n) for n in range(11)]
    sheet.polygon((*round_top, (x, y + 5 * unit)), fill=colour, line=None)
    sheet.circle((x, y - 1.6 * unit), 1.3 * unit, fill=hole, line=None)


def draw_again(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """One more turn: an arrow that comes back."""
    unit = size / 10
    way = [polar(at, 3.4 * unit, -40 + 280 * n / 18) for n in range(19)]
    sheet.polygon(ribbon(way, 1.7 * unit), fill=colour, line=None)
    tip_x, tip_y = way[0]
    head = ((-3, -0.2), (1.6, -3.2), (2.2, 1.6))
    sheet.polygon([(tip_x + px * unit, tip_y + py * unit) for px, py in head], fill=colour, line=None)


def draw_pass(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """On to the next."""
    x, y = at
    unit = size / 10
    for dx in (-5, -1):
        arrow = ((dx, -4.2), (dx + 4, 0), (dx, 4.2))
        sheet.polygon([(x + px * unit, y + py * unit) for px, py in arrow], fill=colour, line=None)
    sheet.polygon(rectangle(x + 3.4 * unit, y - 4.2 * unit, 1.5 * unit, 8.4 * unit), fill=colour, line=None)


def draw_colours(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """Any paint: a drop with the signs of all colours beside it."""
    x, y = at
    draw_drop(sheet, (x - 1.6 * size, y), size, colour)
    for n, look in enumerate(PAINT_LOOKS.values()):
        draw_sign(sheet, look, (x + (-0.75 + 0.62 * n) * size, y), 0.55 * size, colour, None)


def draw_points(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    sheet.text((at[0] - 0.5 * size, at[1]), "+2", 1.15 * size, colour)
    draw_star(sheet, (at[0] + 0.8 * size, at[1]), 1.1 * size, colour)


def draw_free(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """Any section without a permit."""
    draw_permit(sheet, (at[0] - 0.6 * size, at[1]), size, colour, hole)
    sheet.text((at[0] + 0.6 * size, at[1]), "?", 1.2 * size, colour)


def draw_reserve(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    draw_pin(sheet, (at[0] - 0.5 * size, at[1]), size, colour, hole)
    x, y = at[0] + 0.55 * size, at[1]
    sheet.polygon(rectangle(x - 0.3 * size, y - 0.5 * size, 0.6 * size, size), line=colour, width_mm=0.08 * size)


def draw_add(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """A can where one stands."""
    draw_can(sheet, (at[0] - 0.75 * size, at[1]), size, colour, hole)
    sheet.text(at, "+", 1.1 * size, colour)
    draw_can(sheet, (at[0] + 0.75 * size, at[1]), size, colour, hole)


def draw_reduce(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    sheet.text((at[0] - 0.55 * size, at[1]), "\N{MINUS SIGN}1", 1.05 * size, colour)
    draw_can(sheet, (at[0] + 0.7 * size, at[1]), size, colour, hole)


def draw_save(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    """Three paints kept."""
    for n in (-1, 0, 1):
        draw_drop(sheet, (at[0] + 0.8 * n * size, at[1]), size, colour)


def draw_extra(sheet: Sheet, at: Point, size: float, colour: Colour, hole: Colour = PAPER) -> None:
    draw_again(sheet, (at[0] - 0.6 * size, at[1]), size, colour)
    sheet.text((at[0] + 0.6 * size, at[1]), "+1", 1.05 * size, colour)


BONUS_ICONS: Mapping[str, Icon] = {
    "points": draw_points,
    "paint": draw_colours,
    "permit": draw_free,
    "extra": draw_extra,
    "reserve": draw_reserve,
    "add": draw_add,
    "reduce": draw_reduce,
    "save": draw_save,
}
FIGURES: Mapping[str, Icon] = {"police": draw_police, "token": draw_token, "block": draw_block}


def dashed(sheet: Sheet, at: Point, radius: float, width_mm: float, colour: Colour, dashes: int = 14) -> None:
    """A ring of strokes."""
    for n in range(dashes):
        way = path([polar(at, radius, 360 * (n + share) / dashes) for share in (0.0, 0.3, 0.6)], 3)
        sheet.polygon(ribbon(way, width_mm), fill=colour, line=None)
