"""How a city board looks, for those who draw it on a screen: everything as on the printed one."""

from collections.abc import Mapping
from typing import Any

from pi_app.games.tag_city.edition.artwork import PATTERN_DOT_MM, PATTERN_LINE_MM, district_looks
from pi_app.games.tag_city.edition.places import LABEL_MM, city_layout
from vision.kit.sheet import Colour
from vision.layout import Polygon

MARGIN_MM, LABELS_MM = 1.5, 7.0
"""Around everything; what the numbers of the rows and the letters of the columns take."""


def city_drawing(city: Mapping[str, Any]) -> dict[str, Any]:
    """Places in millimetres on the printed board, and looks, of a city whose districts are in printed order.

    `frame` and `boxes` are [x, y, width, height]; `grid` is where the squares begin and how large they are; `labels`
    are so far from what they belong to. `lines` and `dots` of a district lie within a square whose sides are 1; `line`
    is how wide they are, `dot` their radius.
    """
    places = city_layout(city, 1).regions
    left, top, cell, _ = _box(places["r1c1"])
    boxes = {region: _box(place) for region, place in places.items() if "." in region}
    everything = [*boxes.values(), [left - LABELS_MM, top - LABELS_MM, cell, cell]]
    x, y = (min(box[axis] for box in everything) - MARGIN_MM for axis in (0, 1))
    right, bottom = (max(box[axis] + box[axis + 2] for box in everything) + MARGIN_MM for axis in (0, 1))
    names = {letter: entry["name"] for letter, entry in city["districts"].items()}
    return {
        "frame": [_short(number) for number in (x, y, right - x, bottom - y)],
        "grid": [left, top, cell],
        "boxes": boxes,
        "labels": LABEL_MM,
        "line": PATTERN_LINE_MM,
        "dot": PATTERN_DOT_MM,
        "looks": {
            letter: {
                "tint": _hex(look.tint),
                "strong": _hex(look.strong),
                "lines": [[_short(number) for number in line] for line in look.lines],
                "dots": [list(dot) for dot in look.dots],
            }
            for letter, look in district_looks(names).items()
        },
    }


def _box(place: Polygon) -> list[float]:
    (left, top), _, (right, bottom), _ = place
    return [_short(number) for number in (left, top, right - left, bottom - top)]


def _short(number: float) -> float:
    return round(number, 3)


def _hex(colour: Colour) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
