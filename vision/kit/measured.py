"""Boards that somebody owns and measured: areas as they were entered, and what is wrong with them.

Lengths are millimetres from the board's top left corner, x to the right, y down. An area is four corners clockwise from
its own top left, or only the top left and bottom right ones of a straight box.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from vision.kit.corners import MARKER_MM
from vision.layout import Point

Area = tuple[Point, ...]

TINY_REGION_MM, TINY_MARKER_MM = 3.0, 10.0
# Neighbours measured by hand overlap a little; a sticker hides what it lies on.
MOST_SHARED_BY_REGIONS, MOST_SHARED_WITH_MARKER = 0.2, 0.02
LARGEST_NUMBER = 10_000


@dataclass
class Measured:
    """One board as it was entered. An area that was entered wrongly is None, and named in one of the lists."""

    regions: dict[str, Area | None] = field(default_factory=dict)
    markers: list[Area | None] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    turned: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def area(self, place: str, raw: Any, upright: bool = False) -> Area | None:
        return self._sound(place, _corners(raw), upright)

    def read_series(self, family: str, ends: Any, members: Sequence[str]) -> None:
        """Boxes in an even row, by the first and the last."""
        pair = ends if isinstance(ends, list) and len(ends) == 2 else (None, None)
        places = (f"series {family} (first)", f"series {family} (last)")
        first, last = (self.area(place, raw) for place, raw in zip(places, pair, strict=True))
        for number, region in enumerate(members):
            self.regions[region] = first and last and _blend(first, last, number / max(1, len(members) - 1))

    def read_singles(self, part: Mapping[str, Any], wanted: Sequence[str]) -> None:
        """Regions that were entered by their names, and the markers."""
        for region, raw in flat(part.get("regions")):
            if region in wanted:
                self.regions[region] = self.area(region, raw)
            else:
                self.unknown.append(region)
        markers = part.get("markers")
        for number, raw in enumerate(markers if isinstance(markers, list) else (), 1):
            self.markers.append(self._sound(_marker_name(number), _marker(raw)))

    def faults(
        self, wanted: Sequence[str], size_mm: tuple[float, float] | None, may_share: Callable[[str, str], bool]
    ) -> dict[str, list[str]]:
        """What is wrong with which areas. Without a size, not what lies outside."""
        areas = self._known_areas()
        least = {name: TINY_MARKER_MM if _is_marker(name) else TINY_REGION_MM for name in areas}
        found = {
            "geometry_missing": [region for region in wanted if region not in self.regions],
            "geometry_unknown": self.unknown,
            "geometry_unclear": self.unclear,
            # Boxes between a first and a last one that are turned against each other may fold over.
            "geometry_turned": self.turned + [name for name, area in areas.items() if not _goes_round(area)],
            "geometry_outside": [name for name, area in areas.items() if size_mm and not _lies_within(area, size_mm)],
            "geometry_tiny": [name for name, area in areas.items() if min(map(math.dist, *_sides(area))) < least[name]],
            "geometry_overlap": list(_overlaps(areas, may_share)),
        }
        return {code: names for code, names in found.items() if names}

    @property
    def markers_in_order(self) -> bool:
        """Clockwise from the top left; also as long as one of them is unclear."""
        middles = tuple(_middle(area) for area in self.markers if area is not None)
        return len(middles) != 4 or (_goes_round(middles) and _starts_to_the_right(middles))

    def board(self, part: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
        """A board without faults as a kit takes it: its size, one area per region, four markers."""
        return {
            "width_mm": float(part["width_mm"]),
            "height_mm": float(part["height_mm"]),
            "regions": {region: self.regions[region] for region in wanted},
            "markers": list(self.markers),
        }

    def _sound(self, place: str, area: Area | None, upright: bool = False) -> Area | None:
        if area is None:
            self.unclear.append(place)
        elif not _goes_round(area) or (upright and not _starts_to_the_right(area)):
            self.turned.append(place)
            area = None
        return area

    def _known_areas(self) -> dict[str, Area]:
        """Regions and markers by the name that people are told."""
        areas = {**self.regions, **{_marker_name(n): area for n, area in enumerate(self.markers, 1)}}
        return {name: area for name, area in areas.items() if area is not None}


def flat(table: Any, levels: int = 4) -> Iterator[tuple[str, Any]]:
    """Region ids have dots: TOML makes tables of them unless they stand in quotes. Both are understood."""
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(value, Mapping) and levels > 1:
            yield from ((f"{key}.{rest}", inner) for rest, inner in flat(value, levels - 1))
        else:
            yield key, value


def _corners(raw: Any) -> Area | None:
    if not isinstance(raw, list) or len(raw) not in (2, 4) or not all(map(_is_point, raw)):
        return None
    corners = tuple((float(x), float(y)) for x, y in raw)
    if len(corners) == 4:
        return corners
    (left, top), (right, bottom) = corners
    return _box(left, top, right, bottom) if left < right and top < bottom else None


def _marker(raw: Any) -> Area | None:
    if _is_point(raw):
        return _box(float(raw[0]), float(raw[1]), raw[0] + MARKER_MM, raw[1] + MARKER_MM)
    return _corners(raw)


def _is_point(raw: Any) -> bool:
    return isinstance(raw, list) and len(raw) == 2 and all(map(_is_length, raw))


def _is_length(raw: Any) -> bool:
    """A usable number; `nan` is not, as it is never smaller than anything."""
    return type(raw) in (int, float) and abs(raw) <= LARGEST_NUMBER


def _marker_name(number: int) -> str:
    return f"marker {number}"


def _is_marker(name: str) -> bool:
    return name.startswith("marker ")


# --- areas ------------------------------------------------------------------------------------


def _box(left: float, top: float, right: float, bottom: float) -> Area:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _sides(area: Area) -> tuple[Area, Area]:
    """Where the sides begin, and where they end."""
    return area, area[1:] + area[:1]


def _middle(area: Area) -> Point:
    return sum(x for x, _ in area) / len(area), sum(y for _, y in area) / len(area)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _blend(one: Area, other: Area, share: float) -> Area:
    return tuple(_between(a, b, share) for a, b in zip(one, other, strict=True))


def point_within(area: Area, across: float, down: float) -> Point:
    top_left, top_right, bottom_right, bottom_left = area
    return _between(_between(top_left, top_right, across), _between(bottom_left, bottom_right, across), down)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Above zero when the way from a over b to c bends clockwise (y points down)."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _goes_round(area: Area) -> bool:
    """Clockwise, without a dent and without sides that cross."""
    return all(_turn(area[n - 2], area[n - 1], area[n]) > 0 for n in range(4))


def _starts_to_the_right(area: Area) -> bool:
    """As the first side does when the first corner is the top left one."""
    (x, y), (next_x, next_y), *_ = area
    return next_x - x > abs(next_y - y)


def _lies_within(area: Area, size_mm: tuple[float, float], slack_mm: float = 0.01) -> bool:
    return all(-slack_mm <= x <= size_mm[0] + slack_mm and -slack_mm <= y <= size_mm[1] + slack_mm for x, y in area)


def _overlaps(areas: Mapping[str, Area], may_share: Callable[[str, str], bool]) -> Iterator[str]:
    boxes = {name: _surrounding_box(area) for name, area in areas.items()}
    for name, other in combinations(areas, 2):
        left, top, right, bottom = boxes[name]
        other_left, other_top, other_right, other_bottom = boxes[other]
        # A quick answer for most of the ten thousand pairs.
        if right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top:
            continue
        if may_share(name, other):
            continue
        with_marker = _is_marker(name) or _is_marker(other)
        most = MOST_SHARED_WITH_MARKER if with_marker else MOST_SHARED_BY_REGIONS
        if _size(_common(areas[name], areas[other])) > most * min(_size(areas[name]), _size(areas[other])):
            yield f"{name} / {other}"


def _surrounding_box(area: Area) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in area], [y for _, y in area]
    return min(xs), min(ys), max(xs), max(ys)


def _common(area: Area, other: Area) -> Area:
    """What two areas share: one of them, cut along every side of the other."""
    for begin, end in zip(*_sides(other), strict=True):
        kept: list[Point] = []
        for a, b in zip(*_sides(area), strict=True):
            from_side, to_side = _turn(begin, end, a), _turn(begin, end, b)
            if from_side >= 0:
                kept.append(a)
            if from_side * to_side < 0:
                kept.append(_between(a, b, from_side / (from_side - to_side)))
        area = tuple(kept)
    return area


def _size(area: Area) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(*_sides(area), strict=True)) / 2
