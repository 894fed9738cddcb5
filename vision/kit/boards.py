"""Boards as pictures, drawn from their layout."""

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from vision.kit.artwork import OTHER_TINTS, PATTERN_DOT_MM, PATTERN_LINE_MM, TINTS, DistrictLook, district_looks
from vision.kit.places import EDGE_MM, LABEL_MM, MARKER_MM, polar, rectangle, section_angle
from vision.kit.sheet import PAPER, SOFT, Sheet, marker_image, middle_of
from vision.layout import BoardLayout, Point, Polygon

SECTION_TINTS = (*TINTS.values(), OTHER_TINTS[2])


def draw_board(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    return draw_city(board, profile) if board.kind == "city" else draw_hq(board, profile)


def draw_city(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    city, regions = profile["city"], board.regions
    sheet = Sheet.blank(board.width_mm, board.height_mm)
    _draw_skyline(sheet, board)
    looks = district_looks({letter: entry["name"] for letter, entry in city["districts"].items()})
    for row, letters in enumerate(city["cells"]):
        for col, letter in enumerate(letters):
            square = regions[f"r{row + 1}c{col + 1}"]
            if letter in looks:
                _fill_pattern(sheet, square, looks[letter])
            sheet.polygon(square, line=SOFT, width_mm=0.25)
    _draw_borders(sheet, city["cells"], regions)
    for n, (high, low) in enumerate(city["row_values"], 1):
        _draw_pair(sheet, regions, f"row.{n}", high, low)
        left = regions[f"r{n}c1"]
        sheet.text((left[0][0] - LABEL_MM["row"], (left[0][1] + left[3][1]) / 2), str(n), 5.0, SOFT)
    for n, (high, low) in enumerate(city["col_values"]):
        letter = chr(ord("A") + n)
        _draw_pair(sheet, regions, f"col.{letter}", high, low)
        top = regions[f"r1c{n + 1}"]
        sheet.text(((top[0][0] + top[1][0]) / 2, top[0][1] - LABEL_MM["col"]), letter, 5.0, SOFT)
    for letter, entry in city["districts"].items():
        _draw_pair(sheet, regions, f"district.{entry['name']}", entry["high"], entry["low"], looks[letter])
        box = regions[f"district.{entry['name']}.high"]
        sheet.text((box[1][0] + 0.75, box[0][1] - LABEL_MM["district"]), entry["name"], 4.6, SOFT)
    for n, cost in enumerate(city["drone"], 1):
        sheet.polygon(regions[f"drone.{n}"], fill=PAPER, width_mm=0.5)
        sheet.text(middle_of(regions[f"drone.{n}"]), str(cost), 6.5)
    for n, cost in enumerate(city["bubbles"], 1):
        box = regions[f"bubble.{n}"]
        sheet.circle(middle_of(box), (box[1][0] - box[0][0]) / 2, fill=PAPER)
        sheet.text(middle_of(box), str(cost), 6.0)
    first_drone, first_bubble = regions["drone.1"], regions["bubble.1"]
    sheet.text((middle_of(first_drone)[0], first_drone[0][1] - LABEL_MM["slots"]), "drone", 5.0, SOFT)
    sheet.text((middle_of(first_bubble)[0], first_bubble[0][1] - LABEL_MM["slots"]), "social", 5.0, SOFT)
    _draw_name(sheet, board, f"CITY {board.id.removeprefix('city-')}")
    _draw_markers(sheet, board)
    return sheet.image


def _draw_pair(
    sheet: Sheet, regions: Mapping[str, Polygon], feature: str, high: int, low: int, look: DistrictLook | None = None
) -> None:
    for rank, value, size in (("high", high, 7.0), ("low", low, 5.6)):
        box = regions[f"{feature}.{rank}"]
        if look is None:
            sheet.polygon(box, fill=PAPER if rank == "high" else (240, 240, 240), width_mm=0.4)
        else:
            sheet.polygon(box, fill=look.tint, line=None)
            sheet.polygon(box, width_mm=0.4)
        sheet.text(middle_of(box), str(value), size)


def _draw_borders(sheet: Sheet, cells: Sequence[str], regions: Mapping[str, Polygon]) -> None:
    """A strong line wherever two districts meet, and around the city."""
    rows, cols = len(cells), len(cells[0])
    for row in range(rows):
        for col in range(cols):
            a, b, c, d = regions[f"r{row + 1}c{col + 1}"]
            here = cells[row][col]
            sides = (((a, b), row - 1, col), ((b, c), row, col + 1), ((c, d), row + 1, col), ((d, a), row, col - 1))
            for (start, end), y, x in sides:
                if not (0 <= y < rows and 0 <= x < cols) or cells[y][x] != here:
                    sheet.line(start, end, 0.8)


def _draw_skyline(sheet: Sheet, board: BoardLayout) -> None:
    """Roofs along the lower edge, the same on every board, too pale to be taken for ink."""
    x, end, foot = EDGE_MM + MARKER_MM + 6, board.width_mm - EDGE_MM - MARKER_MM - 6, board.height_mm - 1.5
    heights = (7, 12, 9, 15, 6, 10, 17, 8, 13, 7, 11, 16, 9, 6, 14)
    for n in range(int((end - x) / 6)):
        roof = foot - heights[n * 7 % len(heights)] * 0.8
        sheet.polygon(rectangle(x + 6 * n, roof, 6, foot - roof), fill=(238, 238, 242), line=None)
        for window in range(int((foot - roof - 2) / 3)):
            sheet.polygon(
                rectangle(x + 6 * n + 1.6 + 1.6 * (window % 2), roof + 1.5 + 3 * window, 1.2, 1.2),
                fill=PAPER,
                line=None,
            )


def draw_hq(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    sheet = Sheet.blank(board.width_mm, board.height_mm)
    middle, shapes = (board.width_mm / 2, board.height_mm / 2), profile["shapes"]
    sheet.circle(middle, 36, fill=(246, 246, 250), line=SOFT)
    for number, shape in enumerate(profile["hq"]["sections"], 1):
        light, strong = SECTION_TINTS[number - 1]
        sheet.polygon(board.regions[f"section.{number}"], fill=light, width_mm=0.7)
        x, y = polar(middle, 63, section_angle(number))
        _draw_shape(sheet, shapes[shape]["cells"], (x, y - 3), 6.0, strong)
        sheet.text((x, y + 10), f"{number} {shape}", 4.6, SOFT)
    for n, shape in enumerate(profile["hq"]["small"]):
        _draw_shape(sheet, shapes[shape]["cells"], polar(middle, 20, -90 + 120 * n), 6.0, (206, 206, 214))
    for face in range(1, 7):
        _draw_face(sheet, board.regions[f"value.{face}"], face)
    _draw_name(sheet, board, "HQ")
    _draw_markers(sheet, board)
    return sheet.image


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def _draw_face(sheet: Sheet, box: Polygon, face: int) -> None:
    """A printed die face: open rings instead of pips, so that nothing takes it for a die."""
    sheet.polygon(box, fill=PAPER, width_mm=0.4)
    x, y = middle_of(box)
    for across, down in PIPS[face]:
        sheet.circle((x + 3.4 * across, y + 3.4 * down), 1.3, width_mm=0.35)


def _draw_shape(sheet: Sheet, cells: Sequence[Sequence[int]], at: Point, size: float, fill: Any) -> None:
    """A shape around a point, lying down so that it stays low."""
    squares = [(row, col) for row, col in cells]
    if max(row for row, _ in squares) > max(col for _, col in squares):
        squares = [(col, row) for row, col in squares]
    height, width = max(row for row, _ in squares) + 1, max(col for _, col in squares) + 1
    for row, col in squares:
        box = rectangle(at[0] + (col - width / 2) * size, at[1] + (row - height / 2) * size, size, size)
        sheet.polygon(box, fill=fill, line=SOFT, width_mm=0.25)


def _draw_name(sheet: Sheet, board: BoardLayout, name: str) -> None:
    if board.kind == "city":
        sheet.text((board.width_mm / 2, board.height_mm - 6), name, 7.0, SOFT)
    else:
        sheet.text((board.width_mm / 2, board.height_mm / 2), name, 8.0, SOFT)


def _draw_markers(sheet: Sheet, board: BoardLayout) -> None:
    for marker, polygon in board.markers.items():
        sheet.paste(marker_image(marker), polygon[0])


def _fill_pattern(sheet: Sheet, square: Polygon, look: DistrictLook) -> None:
    sheet.polygon(square, fill=look.tint, line=None)
    (left, top), (right, _), *_ = square
    size = right - left
    for ax, ay, bx, by in look.lines:
        sheet.line(
            (left + ax * size, top + ay * size), (left + bx * size, top + by * size), PATTERN_LINE_MM, look.strong
        )
    for x, y in look.dots:
        sheet.circle((left + x * size, top + y * size), PATTERN_DOT_MM, fill=look.strong, line=None)
