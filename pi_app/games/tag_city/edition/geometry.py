"""Measured geometry: where things are on the boards of a copy that somebody owns.

The optional `[geometry]` part of a profile. Short forms (grid, evenly spaced boxes) become one area per region here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pi_app.engine.checks import check_areas
from pi_app.engine.contract import Problem
from pi_app.games.tag_city.rules.model import FACES, SECTIONS
from pi_app.games.tag_city.rules.shapes import column_letter
from vision.kit.measured import Measured, flat, point_within

SERIES = ("row.high", "row.low", "col.high", "col.low", "drone", "bubble")
"""Families of boxes that may be given by the first and the last one."""


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
    for family, ends in flat(part.get("series")):
        members = [region for region in wanted if _family(region) == family]
        if family in SERIES and members:
            board.read_series(family, ends, members)
        else:
            board.unknown.append(f"series {family}")
    board.read_singles(part, wanted)
    return board


def measured_board(part: Mapping[str, Any], city: Mapping[str, Any] | None) -> dict[str, Any]:
    """A checked board as the kit takes it."""
    return read_board(part, city).board(part, region_ids(city))


def area_problems(
    where: str, part: Mapping[str, Any], city: Mapping[str, Any] | None, size_mm: tuple[float, float] | None
) -> Iterator[Problem]:
    """Everything wrong with the areas of a board, one line for each kind. Without a size, not what lies outside."""
    board = read_board(part, city)
    yield from check_areas(where, board.faults(region_ids(city), size_mm, _may_share), board.markers_in_order)


def _may_share(region: str, other: str) -> bool:
    """On the HQ, a die face may be printed across the border of two sections."""
    return {_family(region), _family(other)} == {"section", "value"}


def _read_grid(board: Measured, raw: Any, rows: int, cols: int) -> None:
    grid = board.area("grid", raw, upright=True)
    for row in range(rows):
        for col in range(cols):
            corners = ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))
            square = grid and tuple(point_within(grid, x / cols, y / rows) for x, y in corners)
            board.regions[f"r{row + 1}c{col + 1}"] = square


def _family(region: str) -> str:
    """`row.high` for `row.3.high`, `drone` for `drone.2`."""
    name, *rest = region.split(".")
    return ".".join([name, *rest[1:]])
