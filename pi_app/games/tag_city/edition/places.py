"""Where everything is on the boards, as plain values."""

from collections.abc import Mapping
from typing import Any

from pi_app.games.tag_city.rules.model import SECTIONS
from pi_app.games.tag_city.rules.shapes import column_letter
from vision.kit.corners import corner_markers, markers_of
from vision.kit.sheet import polar, rectangle
from vision.layout import BoardLayout, Layout, Polygon, readers_by_id

CITY_MM = (264.0, 196.0)
HQ_MM = (196.0, 196.0)
GRID_MM, CELL_MM = (41.0, 41.0), 14.4
BOX_MM = 11.5
LABEL_MM = {"row": 4.0, "col": 3.6, "district": 3.4, "slots": 5.0}
"""How far before its row, or above its column, boxes or column of slots, the middle of a label stands."""
CITY_BOARDS = 4

Measured = Mapping[str, Mapping[str, Any]]
"""A measured `city` board and `hq`: `width_mm`, `height_mm`, `regions` by id, and four `markers` from the top left."""


def kit_layout(profile: Mapping[str, Any], measured: Measured | None = None) -> Layout:
    """Our own boards of an edition, or those that somebody owns and measured."""
    if measured is None:
        cities = [city_layout(profile["city"], number) for number in range(1, CITY_BOARDS + 1)]
        boards = [*cities, _hq_layout(profile["hq"])]
    else:
        cities = [_measured_layout(f"city-{n + 1}", "city", measured["city"], n) for n in range(CITY_BOARDS)]
        boards = [*cities, _measured_layout("hq", "hq", measured["hq"], CITY_BOARDS)]
    return Layout(profile["name"], tuple(boards), game="tag_city")


def _measured_layout(board_id: str, kind: str, board: Mapping[str, Any], number: int) -> BoardLayout:
    markers = dict(zip(markers_of(number), board["markers"], strict=True))
    return _board(board_id, kind, (board["width_mm"], board["height_mm"]), board["regions"], markers)


def _board(
    board_id: str,
    kind: str,
    size_mm: tuple[float, float],
    regions: Mapping[str, Polygon],
    markers: Mapping[int, Polygon],
) -> BoardLayout:
    return BoardLayout(board_id, kind, *size_mm, f"{board_id}.png", regions, markers, readers_by_id(regions))


def city_layout(city: Mapping[str, Any], number: int) -> BoardLayout:
    """Our own city board of a seat, from 1."""
    rows, cols = city["rows"], city["cols"]
    # A city of another size than 8 x 12 has squares of another size in the same place.
    cell = min(CELL_MM * 12 / cols, CELL_MM * 8 / rows)
    left, top = GRID_MM
    right, bottom = left + cols * cell, top + rows * cell
    box = min(BOX_MM, cell - 1.5)
    regions = {
        f"r{r + 1}c{c + 1}": rectangle(left + c * cell, top + r * cell, cell, cell)
        for r in range(rows)
        for c in range(cols)
    }
    for row in range(rows):
        y = top + row * cell + (cell - box) / 2
        regions[f"row.{row + 1}.high"] = rectangle(right + 2.5, y, box, box)
        regions[f"row.{row + 1}.low"] = rectangle(right + 2.5 + box + 1.5, y, box, box)
    for col in range(cols):
        x, letter = left + col * cell + (cell - box) / 2, column_letter(col)
        regions[f"col.{letter}.low"] = rectangle(x, top - 7 - box, box, box)
        regions[f"col.{letter}.high"] = rectangle(x, top - 7 - 2 * box - 1.5, box, box)
    step = (right - left) / len(city["districts"])
    for index, district in enumerate(city["districts"].values()):
        x = left + index * step + (step - 2 * box - 1.5) / 2
        regions[f"district.{district['name']}.high"] = rectangle(x, bottom + 9, box, box)
        regions[f"district.{district['name']}.low"] = rectangle(x + box + 1.5, bottom + 9, box, box)
    regions |= _column_of("drone", len(city["drone"]), x=11.0, top=top + 6, bottom=bottom, size=15.0)
    regions |= _column_of("bubble", len(city["bubbles"]), x=CITY_MM[0] - 17.5, top=top + 6, bottom=bottom, size=14.5)
    return _board(f"city-{number}", "city", CITY_MM, regions, corner_markers(number - 1, CITY_MM))


def _column_of(name: str, count: int, x: float, top: float, bottom: float, size: float) -> dict[str, Polygon]:
    step = (bottom - top) / count
    size = min(size, step - 2)
    return {f"{name}.{n + 1}": rectangle(x, top + n * step + (step - size) / 2, size, size) for n in range(count)}


def _hq_layout(hq: Mapping[str, Any]) -> BoardLayout:
    """Six sections in a ring, clockwise from the top, and a die face in the gap between two neighbours."""
    middle = (HQ_MM[0] / 2, HQ_MM[1] / 2)
    regions: dict[str, Polygon] = {}
    for section in SECTIONS:
        angle = section_angle(section)
        regions[f"section.{section}"] = tuple(
            polar(middle, radius, angle + turn) for radius, turn in ((90, -22.5), (90, 22.5), (42, 17), (42, -17))
        )
    for face, touching in hq["values"].items():
        before = next(s for s in touching if s % 6 + 1 in touching)
        x, y = polar(middle, 72, section_angle(before) + 30)
        regions[f"value.{face}"] = rectangle(x - 6, y - 6, 12, 12)
    return _board("hq", "hq", HQ_MM, regions, corner_markers(CITY_BOARDS, HQ_MM))


def section_angle(section: int) -> float:
    return -90.0 + 60.0 * (section - 1)
