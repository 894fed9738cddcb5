"""The city board, drawn from its layout."""

from collections.abc import Mapping, Sequence
from typing import Any

from pi_app.games.tag_city.edition.artwork import PATTERN_DOT_MM, PATTERN_LINE_MM, DistrictLook, district_looks
from pi_app.games.tag_city.edition.places import LABEL_MM
from pi_app.games.tag_city.rules.shapes import column_letter
from vision.kit.corners import EDGE_MM, MARKER_MM
from vision.kit.sheet import PAPER, SOFT, Sheet, middle_of, rectangle
from vision.layout import BoardLayout, Polygon


def draw_city(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    city, regions = profile["city"], board.regions
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
        letter = column_letter(n)
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
    sheet.text((board.width_mm / 2, board.height_mm - 6), f"CITY {board.id.removeprefix('city-')}", 7.0, SOFT)


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
