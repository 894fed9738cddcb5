"""The shape tokens: every shape in the size of the squares of the city, to be cut out and laid on a board."""

from collections.abc import Mapping, Sequence
from typing import Any

from pi_app.games.tag_city.edition.places import CELL_MM, CITY_MM
from vision.kit.sheet import SOFT, Sheet, SizeMm, rectangle


def draw_tokens(sheet: Sheet, paper_mm: SizeMm, profile: Mapping[str, Any]) -> None:
    sheet.text((paper_mm[0] / 2, 11), "Shape tokens: cut out", 6.0, SOFT)
    left, top = (paper_mm[0] - CITY_MM[0]) / 2, 18.0
    x, y, tallest = left, top, 0.0
    size = CELL_MM
    for name, shape in sorted(profile["shapes"].items(), key=lambda item: item[1]["small"]):
        squares, (rows, cols) = lying_down(shape["cells"])
        height, width = rows * size, cols * size
        if x + width > left + CITY_MM[0]:
            x, y, tallest = left, y + tallest + 14, 0.0
        for row, col in squares:
            sheet.polygon(rectangle(x + col * size, y + row * size, size, size), fill=(236, 236, 230), width_mm=0.35)
        sheet.text((x + width / 2, y + height + 5), name, 4.6, SOFT)
        x, tallest = x + width + 9, max(tallest, height)


def lying_down(cells: Sequence[Sequence[int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The squares of a shape, turned so that it stays low, and how many rows and columns it takes."""
    squares = [(row, col) for row, col in cells]
    if max(row for row, _ in squares) > max(col for _, col in squares):
        squares = [(col, row) for row, col in squares]
    return squares, (max(row for row, _ in squares) + 1, max(col for _, col in squares) + 1)
