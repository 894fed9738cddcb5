"""Measured geometry: where things are on the boards of a copy that somebody owns.

The optional `[geometry]` part of a profile. Lengths are millimetres from the board's top left corner, x to the
right, y down. An area is four corners clockwise from its own top left, or only the top left and bottom right
ones of a straight box. Short forms (the grid, evenly spaced boxes) become one area per region here.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from pi_app.engine.contract import Problem
from pi_app.games.tag_city.rules.model import FACES, SECTIONS
from pi_app.games.tag_city.rules.shapes import column_letter
from vision.kit.corners import MARKER_MM

Point = tuple[float, float]
Area = tuple[Point, ...]

SERIES = ("row.high", "row.low", "col.high", "col.low", "drone", "bubble")
"""Families of boxes that may be given by the first and the last one."""
TINY_REGION_MM, TINY_MARKER_MM = 3.0, 10.0
# Neighbours measured by hand overlap a little; a sticker hides what it lies on.
MOST_SHARED_BY_REGIONS, MOST_SHARED_WITH_MARKER = 0.2, 0.02
LARGEST_NUMBER = 10_000
MOST_NAMES = 6


@dataclass
class Measured:
    """One board as it was entered. An area that was entered wrongly is None, and named in one of the lists."""

    regions: dict[str, Area | None] = field(default_factory=dict)
    markers: list[Area | None] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    turned: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def area(self, place: str, raw: Any, read: Callable[[Any], Area | None], upright: bool = False) -> Area | None:
        area = read(raw)
        if area is None:
            self.unclear.append(place)
        elif not _goes_round(area) or (upright and not _starts_to_the_right(area)):
            self.turned.append(place)
            area = None
        return area

    def known_areas(self) -> dict[str, Area]:
        """Regions and markers by the name that people are told."""
        areas = {**self.regions, **{_marker_name(n): area for n, area in enumerate(self.markers, 1)}}
        return {name: area for name, area in areas.items() if area is not None}


def region_ids(city: Mapping[str, Any] | None) -> list[str]:
    """Every region that a city board has; without a city, those of the HQ."""
    if city is None:
        return [f"section.{n}" for n in SECTIONS] + [f"value.{face}" for face in FACES]
    rows, cols = range(1, city["rows"] + 1), range(city["cols"])
    features = [f"row.{row}" for row in rows] + [f"col.{column_letter(col)}" for col in cols]
    features += [f"district.{district['name']}" for district in city["districts"].values()]
    ids = [f"r{row}c{col + 1}" for row in rows for col in cols]
    ids += [f"{feature}.{rank}" for feature in features for rank in ("high", "low")]
    ids += [f"drone.{n + 1}" for n in range(len(city["drone"]))]
    return ids + [f"bubble.{n + 1}" for n in range(len(city["bubbles"]))]


def read_board(part: Mapping[str, Any], city: Mapping[str, Any] | None) -> Measured:
    """What a board's part of the geometry says, whatever it holds; what is entered singly goes before short forms."""
    board, wanted = Measured(), region_ids(city)
    if city is not None and "grid" in part:
        _read_grid(board, part["grid"], city["rows"], city["cols"])
    for family, ends in _flat(part.get("series")):
        _read_series(board, family, ends, [region for region in wanted if _family(region) == family])
    for region, raw in _flat(part.get("regions")):
        if region in wanted:
            board.regions[region] = board.area(region, raw, _corners)
        else:
            board.unknown.append(region)
    markers = part.get("markers")
    for number, raw in enumerate(markers if isinstance(markers, list) else (), 1):
        board.markers.append(board.area(_marker_name(number), raw, _marker))
    return board


def measured_board(part: Mapping[str, Any], city: Mapping[str, Any] | None) -> dict[str, Any]:
    """A checked board as the kit takes it: its size, one area per region, four markers."""
    board = read_board(part, city)
    return {
        "width_mm": float(part["width_mm"]),
        "height_mm": float(part["height_mm"]),
        "regions": {region: board.regions[region] for region in region_ids(city)},
        "markers": list(board.markers),
    }


def area_problems(
    where: str, part: Mapping[str, Any], city: Mapping[str, Any] | None, size_mm: tuple[float, float] | None
) -> Iterator[Problem]:
    """Everything wrong with the areas of a board, one line for each kind. Without a size, not what lies outside."""
    board = read_board(part, city)
    areas = board.known_areas()
    least = {name: TINY_MARKER_MM if _is_marker(name) else TINY_REGION_MM for name in areas}
    found = {
        "geometry_missing": [region for region in region_ids(city) if region not in board.regions],
        "geometry_unknown": board.unknown,
        "geometry_unclear": board.unclear,
        # Boxes between a first and a last one that are turned against each other may fold over.
        "geometry_turned": board.turned + [name for name, area in areas.items() if not _goes_round(area)],
        "geometry_outside": [name for name, area in areas.items() if size_mm and not _lies_within(area, size_mm)],
        "geometry_tiny": [name for name, area in areas.items() if min(map(math.dist, *_sides(area))) < least[name]],
        "geometry_overlap": list(_overlaps(areas)),
    }
    for code, names in found.items():
        if names:
            yield Problem(where, code, _some(names))
    if len(board.markers) == 4 and None not in board.markers:
        middles = tuple(_middle(area) for area in board.markers if area is not None)
        if not (_goes_round(middles) and _starts_to_the_right(middles)):
            yield Problem(f"{where}.markers", "geometry_marker_order")


# --- what was entered -------------------------------------------------------------------------


def _read_grid(board: Measured, raw: Any, rows: int, cols: int) -> None:
    grid = board.area("grid", raw, _corners, upright=True)
    for row in range(rows):
        for col in range(cols):
            corners = ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))
            square = grid and tuple(_point_within(grid, x / cols, y / rows) for x, y in corners)
            board.regions[f"r{row + 1}c{col + 1}"] = square


def _read_series(board: Measured, family: str, ends: Any, members: Sequence[str]) -> None:
    if family not in SERIES or not members:
        board.unknown.append(f"series {family}")
        return
    pair = ends if isinstance(ends, list) and len(ends) == 2 else (None, None)
    places = (f"series {family} (first)", f"series {family} (last)")
    first, last = (board.area(place, raw, _corners) for place, raw in zip(places, pair, strict=True))
    for number, region in enumerate(members):
        board.regions[region] = first and last and _blend(first, last, number / max(1, len(members) - 1))


def _family(region: str) -> str:
    """`row.high` for `row.3.high`, `drone` for `drone.2`."""
    name, *rest = region.split(".")
    return ".".join([name, *rest[1:]])


def _flat(table: Any, levels: int = 3) -> Iterator[tuple[str, Any]]:
    """Region ids have dots: TOML makes tables of them unless they stand in quotes. Both are understood."""
    for key, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(value, Mapping) and levels > 1:
            yield from ((f"{key}.{rest}", inner) for rest, inner in _flat(value, levels - 1))
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


def _some(names: Sequence[str]) -> dict[str, Any]:
    shown = [name[:60] for name in names[:MOST_NAMES]]
    return {"count": len(names), "names": shown + ["…"] * (len(names) > MOST_NAMES)}


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


def _point_within(area: Area, across: float, down: float) -> Point:
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


def _overlaps(areas: Mapping[str, Area]) -> Iterator[str]:
    boxes = {name: _surrounding_box(area) for name, area in areas.items()}
    for name, other in combinations(areas, 2):
        left, top, right, bottom = boxes[name]
        other_left, other_top, other_right, other_bottom = boxes[other]
        # A quick answer for most of the ten thousand pairs.
        if right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top:
            continue
        # On the HQ, a die face may be printed across the border of two sections.
        if {_family(name), _family(other)} == {"section", "value"}:
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
