"""The pages to print: cover, boards, tokens and stickers, at true scale."""

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from vision.kit.places import CELL_MM, CITY_BOARDS, CITY_MM, EDGE_MM, MARKER_MM, rectangle
from vision.kit.sheet import INK, PAPER, SOFT, Sheet, marker_image, to_px
from vision.layout import BoardLayout, Layout, Point

MARGIN_MM = 5.0
"""What a printer may cut off."""
COVER = (
    "Print all pages at 100 % (\u201cactual size\u201d), in colour or grey, on heavy paper.",
    "Measure the ruler: if it is not 100 mm long, the printer has scaled the page.",
    "Laminate the boards, or slip them into clear sleeves, to write on them with dry-erase pens.",
    "Leave the white edge around the black markers: the camera finds the boards by them.",
    "Cut out the shape tokens and lay them on the HQ; with HQ side B choose six of the large ones.",
    "You own the retail game? The last page has markers to stick on the corners of its boards.",
)
MEASURED_COVER = (
    "Print all pages at 100 % (\u201cactual size\u201d), in colour or grey.",
    "Measure the ruler: if it is not 100 mm long, the printer has scaled the page.",
    "The last page has the stickers. Each must lie on your board where the profile says.",
    "The pages between show what the profile says. Lay each beside its board, or over it.",
    "An outline does not meet its print? Correct [geometry] in the profile and print again.",
    "To play, use your own boards, and first let the camera take a picture of them clean.",
)


def pages(
    layout: Layout, profile: Mapping[str, Any], pictures: Mapping[str, Image.Image], paper_mm: tuple[float, float]
) -> list[Image.Image]:
    """The cover, every board, the tokens and the stickers, each on a sheet of this paper."""
    sheets = [_cover(profile, COVER, paper_mm)]
    for board in layout.boards:
        sheet = Sheet.blank(*paper_mm)
        left, top = (paper_mm[0] - board.width_mm) / 2, (paper_mm[1] - board.height_mm) / 2
        sheet.paste(pictures[board.id], (left, top))
        sheet.polygon(rectangle(left, top, board.width_mm, board.height_mm), line=SOFT, width_mm=0.2)
        sheets.append(sheet)
    sheets += [_tokens(profile, paper_mm), _stickers(paper_mm)]
    return [sheet.image for sheet in sheets]


def measured_pages(
    layout: Layout, profile: Mapping[str, Any], pictures: Mapping[str, Image.Image], paper_mm: tuple[float, float]
) -> list[Image.Image]:
    """For boards that somebody owns: the cover, a sheet to check each board with, and the stickers."""
    checks = [_check_sheet(board, pictures[board.id], paper_mm) for board in layout.boards]
    sheets = [_cover(profile, MEASURED_COVER, paper_mm), *checks, _stickers(paper_mm)]
    return [sheet.image for sheet in sheets]


def _check_sheet(board: BoardLayout, picture: Image.Image, paper_mm: tuple[float, float]) -> Sheet:
    """A board at true scale, turned if it only fits so; a larger one made smaller, which the page then says."""
    sheet = Sheet.blank(*paper_mm)
    size, room = (board.width_mm, board.height_mm), (paper_mm[0] - 2 * MARGIN_MM, paper_mm[1] - 2 * MARGIN_MM)
    if not _fits(size, room) and _fits(size[::-1], room):
        picture, size = picture.transpose(Image.Transpose.ROTATE_90), size[::-1]
    top = 0.0
    if not _fits(size, room):
        top = 10.0
        scale = min(room[0] / size[0], (room[1] - top) / size[1])
        size = (size[0] * scale, size[1] * scale)
        picture = picture.resize((to_px(size[0]), to_px(size[1])), Image.Resampling.LANCZOS)
        words = f"{board.id}: larger than this paper, shown at {100 * scale:.0f} %. Do not lay it over the board."
        sheet.text((paper_mm[0] / 2, MARGIN_MM + top / 2), words, 5.0)
    at = (paper_mm[0] - size[0]) / 2, (paper_mm[1] - size[1] + top) / 2
    sheet.paste(picture, at)
    sheet.polygon(rectangle(*at, *size), line=SOFT, width_mm=0.2)
    return sheet


def _fits(size: tuple[float, float], room: tuple[float, float]) -> bool:
    return size[0] <= room[0] and size[1] <= room[1]


def _cover(profile: Mapping[str, Any], lines: Sequence[str], paper_mm: tuple[float, float]) -> Sheet:
    sheet = Sheet.blank(*paper_mm)
    middle = paper_mm[0] / 2
    sheet.text((middle, 34), "ALL CITY", 26.0)
    sheet.text((middle, 58), f"{profile['name']} (source: {profile['source']})", 8.0, SOFT)
    for n, line in enumerate(lines):
        sheet.text((middle - 112, 84 + 11 * n), f"{n + 1}.  {line}", 5.0, anchor="lm")
    _ruler(sheet, (middle - 50, 172))
    return sheet


def _ruler(sheet: Sheet, at: Point) -> None:
    """100 mm between the outer ends of the first and the last stroke."""
    for mm in range(101):
        x = at[0] + mm
        sheet.line((x, at[1]), (x, at[1] + (7 if mm % 10 == 0 else 5 if mm % 5 == 0 else 3)), 0.2)
        if mm % 10 == 0:
            sheet.text((x, at[1] + 10.5), str(mm), 3.6)
    sheet.line(at, (at[0] + 100, at[1]), 0.3)
    sheet.text((at[0] + 50, at[1] - 5), "measure me: 100 mm", 5.6)


def _tokens(profile: Mapping[str, Any], paper_mm: tuple[float, float]) -> Sheet:
    """Every shape in the size of the squares of the city, to be laid on a board."""
    sheet = Sheet.blank(*paper_mm)
    sheet.text((paper_mm[0] / 2, 11), "Shape tokens: cut out", 6.0, SOFT)
    left, top = (paper_mm[0] - CITY_MM[0]) / 2, 18.0
    x, y, tallest = left, top, 0.0
    size = CELL_MM
    for name, shape in sorted(profile["shapes"].items(), key=lambda item: item[1]["small"]):
        squares = [(row, col) for row, col in shape["cells"]]
        if max(row for row, _ in squares) > max(col for _, col in squares):
            squares = [(col, row) for row, col in squares]
        height, width = (max(row for row, _ in squares) + 1) * size, (max(col for _, col in squares) + 1) * size
        if x + width > left + CITY_MM[0]:
            x, y, tallest = left, y + tallest + 14, 0.0
        for row, col in squares:
            sheet.polygon(rectangle(x + col * size, y + row * size, size, size), fill=(236, 236, 230), width_mm=0.35)
        sheet.text((x + width / 2, y + height + 5), name, 4.6, SOFT)
        x, tallest = x + width + 9, max(tallest, height)
    return sheet


def _stickers(paper_mm: tuple[float, float]) -> Sheet:
    """All markers, four in a group per board, and a picture of where to stick them."""
    sheet = Sheet.blank(*paper_mm)
    left = (paper_mm[0] - CITY_MM[0]) / 2
    sheet.text((paper_mm[0] / 2, 10), "Corner stickers for a board that you own: cut along the grey lines", 6.0, SOFT)
    step = MARKER_MM + 2 * EDGE_MM
    for row in range(4):
        for col in range(5):
            # A column is a board: four city boards, then the HQ.
            x, y = left + 4 + col * (step + 3), 20 + row * (step + 9)
            sheet.polygon(rectangle(x, y, step, step), line=(190, 190, 190), width_mm=0.2)
            sheet.paste(marker_image(4 * col + row), (x + EDGE_MM, y + EDGE_MM))
            board = "HQ" if col == CITY_BOARDS else f"city {col + 1}"
            corner = ("top left", "top right", "bottom right", "bottom left")[row]
            sheet.text((x + step / 2, y + step + 3.2), f"{board}, {corner}", 3.8, SOFT)
    _sticker_guide(sheet, (left + 5 * (step + 3) + 10, 46.0))
    return sheet


def _sticker_guide(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.polygon(rectangle(x, y, 56, 42), fill=(244, 244, 240), width_mm=0.5)
    for n, (dx, dy) in enumerate(((0, 0), (46, 0), (46, 32), (0, 32)), 1):
        sheet.polygon(rectangle(x + dx, y + dy, 10, 10), fill=PAPER, line=SOFT)
        sheet.polygon(rectangle(x + dx + 1.5, y + dy + 1.5, 7, 7), fill=INK, line=None)
        sheet.text((x + dx + 5, y + dy + 5), str(n), 4.0, PAPER)
    sheet.text((x + 28, y + 21), "board", 5.0, SOFT)
    for n, line in enumerate(
        (
            "Clockwise from the top left,",
            "upright, cut edges along the",
            "edges of the board, over",
            "nothing that you write on.",
            "Measured places go into your",
            "profile, part [geometry].",
        )
    ):
        sheet.text((x, y + 52 + 7 * n), line, 4.2, anchor="lm")
