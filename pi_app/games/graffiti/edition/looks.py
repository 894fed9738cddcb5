"""Colours and signs, as plain values: every colour has a sign of its own, so that nobody has to tell them by hue."""

from collections.abc import Mapping
from dataclasses import dataclass

from vision.kit.sheet import Colour


@dataclass(frozen=True)
class Look:
    """`sign` is one of those that `signs` draws, the same for paint and for seats; `ink` is written on the colour."""

    colour: Colour
    tint: Colour
    sign: str
    ink: Colour = (255, 255, 255)


RED = Look((215, 38, 61), (252, 222, 224), "circle")
YELLOW = Look((244, 194, 13), (255, 242, 196), "triangle", (35, 35, 45))
BLUE = Look((27, 108, 168), (212, 230, 245), "square")
GREEN = Look((46, 147, 60), (215, 238, 216), "diamond")
BLACK = Look((35, 35, 45), (222, 222, 228), "cross")
NEUTRAL = Look((140, 140, 150), (232, 232, 236), "ring")

PAINT_LOOKS: Mapping[str, Look] = {"R": RED, "Y": YELLOW, "B": BLUE, "G": GREEN, "K": BLACK}
SEAT_LOOKS: Mapping[str, Look] = {"red": RED, "blue": BLUE, "green": GREEN, "yellow": YELLOW}
TAG_LOOKS: Mapping[str, Look] = {**SEAT_LOOKS, "neutral": NEUTRAL}
PLAIN: Colour = (246, 244, 238)
"""The ground of parts before anybody paints them."""
TILE_COLOURS: Mapping[str, Colour] = {
    "permit": (27, 108, 168),
    "bonus": (232, 62, 140),
    "police": (40, 44, 92),
    "token": (0, 140, 140),
    "block": (235, 110, 30),
}


def hex_of(colour: Colour) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
