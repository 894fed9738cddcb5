"""Suits, and the sign of every seat: who cannot tell the colours apart tells the shapes, also in grey."""

from collections.abc import Mapping
from typing import Final

from pi_app.games.spree.edition.words import SEATS
from vision.kit.curves import Outline, oval, rounded, smooth, star
from vision.kit.sheet import Colour, Sheet, polar
from vision.layout import Point

COLOURS: Final[Mapping[str, Colour]] = {
    "cyan": (30, 170, 190),
    "pink": (222, 70, 150),
    "orange": (240, 130, 30),
    "lime": (110, 190, 50),
    "violet": (120, 70, 200),
    "red": (205, 40, 50),
    "blue": (35, 90, 190),
    "yellow": (240, 200, 30),
}
RED, BLACK = (200, 30, 40), (28, 28, 34)


def suit_parts(suit: str, at: Point, size: float) -> list[Outline]:
    """The outlines of a suit around a point, so high."""
    x, y = at
    half = size / 2
    if suit == "D":
        return [((x, y - half), (x + half * 0.78, y), (x, y + half), (x - half * 0.78, y))]
    if suit == "H":
        right = ((0.0, -0.45), (0.5, -0.95), (0.95, -0.5), (0.6, 0.25))
        return [smooth(_both_sides(right, (0.0, 1.0), at, half))]
    foot: Outline = ((x - half * 0.42, y + half), (x + half * 0.42, y + half), (x, y + half * 0.1))
    if suit == "S":
        right = ((0.0, -1.0), (0.55, -0.3), (0.92, 0.25), (0.5, 0.62))
        return [smooth(_both_sides(right, (0.0, 0.4), at, half)), foot]
    lobes = ((0, -0.52), (-0.52, 0.2), (0.52, 0.2))
    return [*(oval((x + px * half, y + py * half), half * 0.46, steps=20) for px, py in lobes), foot]


def _both_sides(right: Outline, last: Point, at: Point, half: float) -> Outline:
    """A right half from the top, a point at the bottom, and the same to the left."""
    left = tuple((-px, py) for px, py in reversed(right[1:]))
    return tuple((at[0] + px * half, at[1] + py * half) for px, py in (*right, last, *left))


def draw_suit(sheet: Sheet, suit: str, at: Point, size: float) -> None:
    for part in suit_parts(suit, at, size):
        sheet.polygon(part, fill=RED if suit in "HD" else BLACK, line=None)


def seat_sign(colour: str, at: Point, size: float) -> Outline:
    """The shape of a seat around a point, so large."""
    x, y = at
    half = size / 2
    return {
        "cyan": oval(at, half, steps=28),
        "pink": rounded(x - half * 0.88, y - half * 0.88, size * 0.88, size * 0.88, size * 0.05),
        "orange": tuple(polar((x, y + half * 0.2), half * 1.15, n) for n in (-90, 30, 150)),
        "lime": ((x, y - half * 1.1), (x + half * 0.8, y), (x, y + half * 1.1), (x - half * 0.8, y)),
        "violet": star(at, half * 1.15, half * 0.5),
        "red": _cross(at, half),
        "blue": tuple(polar(at, half * 1.05, n) for n in range(0, 360, 60)),
        "yellow": smooth(_both_sides(((0.0, -1.15), (0.8, 0.3)), (0.0, 1.0), at, half)),
    }[colour]


def _cross(at: Point, half: float) -> Outline:
    x, y = at
    arm = half * 0.36
    steps = ((-arm, -half), (arm, -half), (arm, -arm), (half, -arm), (half, arm), (arm, arm))
    turned = (*steps, *((-px, -py) for px, py in steps))
    return tuple((x + px, y + py) for px, py in turned)


assert set(COLOURS) == set(SEATS)
