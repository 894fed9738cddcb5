"""Colours and patterns of the districts, as plain values: for the kit, and for whoever else draws the same boards."""

from collections.abc import Mapping
from dataclasses import dataclass

from vision.kit.sheet import Colour

Line = tuple[float, float, float, float]
"""From x, y to x, y."""

# Light enough that ink stands out, apart in hue and in pattern: told apart in grey and by the colour-blind.
TINTS: Mapping[str, tuple[Colour, Colour]] = {
    "red": ((255, 205, 196), (240, 150, 138)),
    "blue": ((200, 222, 250), (140, 178, 232)),
    "green": ((208, 236, 200), (148, 202, 138)),
    "yellow": ((255, 240, 184), (232, 202, 104)),
    "purple": ((230, 212, 244), (190, 156, 220)),
}
OTHER_TINTS: tuple[tuple[Colour, Colour], ...] = (
    ((226, 226, 226), (176, 176, 176)),
    ((248, 220, 190), (224, 176, 128)),
    ((200, 236, 236), (132, 198, 198)),
)
PATTERN_LINE_MM, PATTERN_DOT_MM = 0.35, 0.7
"""How wide lines are; the radius of dots."""
_DOTS = tuple((x, y) for x in (0.25, 0.75) for y in (0.25, 0.75))
_LEVEL: tuple[Line, ...] = tuple((0.0, y, 1.0, y) for y in (0.25, 0.5, 0.75))
_SLANTED: tuple[Line, ...] = tuple(line for t in (0.0, 1 / 3, 2 / 3) for line in ((t, 1.0, 1.0, t), (0.0, t, t, 0.0)))
_UPRIGHT: tuple[Line, ...] = tuple((x, 0.0, x, 1.0) for x in (0.25, 0.5, 0.75))
_DIAMONDS: tuple[Line, ...] = ((0, 0.5, 0.5, 0), (0.5, 0, 1, 0.5), (1, 0.5, 0.5, 1), (0.5, 1, 0, 0.5))
_PATTERNS: tuple[tuple[tuple[Line, ...], tuple[tuple[float, float], ...]], ...] = (
    ((), _DOTS),
    (_LEVEL, ()),
    (_SLANTED, ()),
    (_UPRIGHT, ()),
    (_DIAMONDS, ()),
)


@dataclass(frozen=True)
class DistrictLook:
    """`tint` is the ground; in the `strong` colour are `lines` and `dots` within a square whose sides are 1."""

    tint: Colour
    strong: Colour
    lines: tuple[Line, ...]
    dots: tuple[tuple[float, float], ...]


def district_looks(names: Mapping[str, str]) -> dict[str, DistrictLook]:
    """The looks of districts by letter, given their names in printed order: the colour of the name if we have it."""
    looks = {}
    for index, (letter, name) in enumerate(names.items()):
        tints = TINTS.get(name, OTHER_TINTS[index % len(OTHER_TINTS)])
        looks[letter] = DistrictLook(*tints, *_PATTERNS[index % len(_PATTERNS)])
    return looks
