"""A measured board as a plain picture: outlines where the profile says, to be compared with the board itself."""

import math
from collections.abc import Mapping
from typing import Any

from PIL import Image

from vision.kit.artwork import district_looks
from vision.kit.places import EDGE_MM, MARKER_MM
from vision.kit.sheet import PAPER, SOFT, Sheet, middle_of
from vision.layout import BoardLayout, Point, Polygon
from vision.markers import CELLS, draw_marker

LETTER_WIDTH = 0.6
"""Of the font's size, on average."""
SMALLEST_TEXT_MM = 1.2
RANKS = ("high", "low")


def draw_schematic(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    sheet = Sheet.blank(board.width_mm, board.height_mm)
    _draw_ticks(sheet, board)
    sheet.text((board.width_mm / 2, board.height_mm - 4), f"{board.id}, to check the measurements by", 3.6, SOFT)
    values = _city_values(profile["city"]) if board.kind == "city" else _hq_values(profile["hq"])
    tints = _tints(profile["city"]) if board.kind == "city" else {}
    for region, polygon in board.regions.items():
        sheet.polygon(polygon, fill=tints.get(region, PAPER), width_mm=0.25)
        _draw_words(sheet, polygon, values[region], region.removeprefix("district."))
    for marker, polygon in board.markers.items():
        _draw_sticker(sheet, marker, polygon)
    return sheet.image


def _city_values(city: Mapping[str, Any]) -> dict[str, str]:
    """What is printed in every region; a square has nothing printed and says what people call it."""
    letters = [chr(ord("A") + col) for col in range(city["cols"])]
    values = {
        f"r{row}c{col}": f"{letter}{row}" for row in range(1, city["rows"] + 1) for col, letter in enumerate(letters, 1)
    }
    pairs = {f"row.{n}": pair for n, pair in enumerate(city["row_values"], 1)}
    pairs |= {f"col.{letter}": pair for letter, pair in zip(letters, city["col_values"], strict=True)}
    pairs |= {f"district.{entry['name']}": (entry["high"], entry["low"]) for entry in city["districts"].values()}
    for feature, (high, low) in pairs.items():
        values |= dict(zip((f"{feature}.{rank}" for rank in RANKS), (str(high), str(low)), strict=True))
    for name, costs in (("drone", city["drone"]), ("bubble", city["bubbles"])):
        values |= {f"{name}.{n}": str(cost) for n, cost in enumerate(costs, 1)}
    return values


def _hq_values(hq: Mapping[str, Any]) -> dict[str, str]:
    values = {f"section.{n}": shape for n, shape in enumerate(hq["sections"], 1)}
    return values | {f"value.{face}": face for face in hq["values"]}


def _tints(city: Mapping[str, Any]) -> dict[str, Any]:
    """What belongs to a district has its colour, so that a slip in the map shows too."""
    names = {letter: entry["name"] for letter, entry in city["districts"].items()}
    tints = {letter: look.tint for letter, look in district_looks(names).items()}
    squares = {
        f"r{row}c{col}": tints.get(letter, PAPER)
        for row, letters in enumerate(city["cells"], 1)
        for col, letter in enumerate(letters, 1)
    }
    return squares | {f"district.{name}.{rank}": tints[letter] for letter, name in names.items() for rank in RANKS}


def _draw_words(sheet: Sheet, polygon: Polygon, value: str, name: str) -> None:
    """The value in the middle of a region, and its name below: two boxes may have the same value."""
    width, height = math.dist(polygon[0], polygon[1]), math.dist(polygon[1], polygon[2])
    x, y = middle_of(polygon)
    sheet.text((x, y - 0.12 * height), value, min(0.45 * height, 0.85 * width / (LETTER_WIDTH * len(value)), 7.0))
    name_mm = min(0.2 * height, 0.9 * width / (LETTER_WIDTH * len(name)), 3.0)
    if name_mm >= SMALLEST_TEXT_MM:
        sheet.text((x, y + 0.3 * height), name, name_mm, SOFT)


def _draw_sticker(sheet: Sheet, marker: int, outline: Polygon) -> None:
    """A marker cell by cell, as a sticker that was stuck a little askew is no upright picture."""
    edge = EDGE_MM / MARKER_MM
    corners = ((-edge, -edge), (1 + edge, -edge), (1 + edge, 1 + edge), (-edge, 1 + edge))
    sheet.polygon([_within(outline, x, y) for x, y in corners], fill=PAPER, line=SOFT, width_mm=0.15)
    for row, cells in enumerate(draw_marker(marker, CELLS).tolist()):
        for col, light in enumerate(cells):
            corners = ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))
            cell = [_within(outline, x / CELLS, y / CELLS) for x, y in corners]
            sheet.polygon(cell, fill=PAPER if light else (0, 0, 0), line=None)


def _within(outline: Polygon, across: float, down: float) -> Point:
    a, b, c, d = outline
    shares = ((1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down)
    corners = tuple(zip((a, b, c, d), shares, strict=True))
    return sum(share * x for (x, _), share in corners), sum(share * y for (_, y), share in corners)


def _draw_ticks(sheet: Sheet, board: BoardLayout) -> None:
    """Centimetres along the top and the left edge, with a number every five."""
    for mm in range(10, int(board.width_mm), 10):
        sheet.line((mm, 0), (mm, 2), 0.2, SOFT)
        if mm % 50 == 0:
            sheet.text((mm, 4), str(mm), 2.6, SOFT)
    for mm in range(10, int(board.height_mm), 10):
        sheet.line((0, mm), (2, mm), 0.2, SOFT)
        if mm % 50 == 0:
            sheet.text((5, mm), str(mm), 2.6, SOFT)
