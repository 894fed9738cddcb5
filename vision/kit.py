"""The printable kit of an edition: boards with markers, tokens, stickers, and the layout that tells where all is.

Boards are drawn from the layout, so what is printed and what is read cannot drift apart.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from font_fredoka_one import FredokaOne
from PIL import Image, ImageDraw, ImageFont

from vision.layout import BoardLayout, Layout, Point, Polygon, layout_json
from vision.markers import draw_marker

PX_PER_MM = 300 / 25.4
PAPERS_MM = {"kit.pdf": (297.0, 210.0), "kit-letter.pdf": (279.4, 215.9)}
"""Landscape. Every sheet fits both papers, with room for the margin that printers need."""

MARKER_MM = 25.0
EDGE_MM = 5.0
"""White around a marker, so that it is found on a dark table too."""
CITY_MM = (264.0, 196.0)
HQ_MM = (196.0, 196.0)
GRID_MM, CELL_MM = (41.0, 41.0), 14.4
BOX_MM = 11.5
FIRST_HQ_MARKER = 16
CITY_BOARDS = 4

FILES = (*(f"city-{n + 1}.png" for n in range(CITY_BOARDS)), "hq.png", "layout.json", *PAPERS_MM)
"""Everything that a kit consists of."""

INK, SOFT, PAPER = (35, 35, 45), (120, 120, 130), (255, 255, 255)
# Light enough that ink stands out, apart in hue and in pattern: told apart in grey and by the colour-blind.
TINTS = {
    "red": ((255, 205, 196), (240, 150, 138)),
    "blue": ((200, 222, 250), (140, 178, 232)),
    "green": ((208, 236, 200), (148, 202, 138)),
    "yellow": ((255, 240, 184), (232, 202, 104)),
    "purple": ((230, 212, 244), (190, 156, 220)),
}
OTHER_TINTS = (
    ((226, 226, 226), (176, 176, 176)),
    ((248, 220, 190), (224, 176, 128)),
    ((200, 236, 236), (132, 198, 198)),
)


SECTION_TINTS = (*TINTS.values(), OTHER_TINTS[2])


@dataclass(frozen=True)
class Sheet:
    """A drawing surface in millimetres."""

    image: Image.Image
    draw: ImageDraw.ImageDraw

    @classmethod
    def blank(cls, width_mm: float, height_mm: float) -> "Sheet":
        image = Image.new("RGB", (_px(width_mm), _px(height_mm)), PAPER)
        return cls(image, ImageDraw.Draw(image))

    def polygon(self, points: Sequence[Point], fill: Any = None, line: Any = INK, width_mm: float = 0.3) -> None:
        px = [(_px(x), _px(y)) for x, y in points]
        if fill is not None:
            self.draw.polygon(px, fill=fill)
        if line is not None:
            self.draw.line([*px, px[0], px[1]], fill=line, width=max(1, _px(width_mm)), joint="curve")

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Any = INK) -> None:
        self.draw.line([(_px(a[0]), _px(a[1])), (_px(b[0]), _px(b[1]))], fill=colour, width=max(1, _px(width_mm)))

    def text(self, at: Point, words: str, size_mm: float, colour: Any = INK, anchor: str = "mm") -> None:
        font = ImageFont.truetype(FredokaOne, _px(size_mm))
        self.draw.text((_px(at[0]), _px(at[1])), words, font=font, fill=colour, anchor=anchor)

    def circle(self, at: Point, radius_mm: float, fill: Any = None, line: Any = INK, width_mm: float = 0.4) -> None:
        box = [_px(at[0] - radius_mm), _px(at[1] - radius_mm), _px(at[0] + radius_mm), _px(at[1] + radius_mm)]
        self.draw.ellipse(box, fill=fill, outline=line, width=_px(width_mm))

    def paste(self, other: Image.Image, at: Point) -> None:
        self.image.paste(other, (_px(at[0]), _px(at[1])))


def write_kit(profile: Mapping[str, Any], folder: Path, progress: Callable[[str], None] = lambda name: None) -> Layout:
    """Writes boards, layout and printable pages of a checked profile (one city side) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    layout = kit_layout(profile, folder)
    pictures = {}
    for board in layout.boards:
        picture = draw_city(board, profile) if board.kind == "city" else draw_hq(board, profile)
        picture.save(folder / board.image, dpi=(300, 300), optimize=True)
        pictures[board.id] = picture
        progress(board.image)
    (folder / "layout.json").write_text(json.dumps(layout_json(layout), indent=1) + "\n", encoding="utf-8")
    progress("layout.json")
    for name, paper_mm in PAPERS_MM.items():
        first, *others = pages(layout, profile, pictures, paper_mm)
        first.save(
            folder / name, save_all=True, append_images=others, resolution=300.0, quality=92, subsampling=0,
            title=f"All City: {profile['name']}",
        )  # fmt: skip
        progress(name)
    return layout


# --- where everything is ----------------------------------------------------------------------


def kit_layout(profile: Mapping[str, Any], folder: Path) -> Layout:
    cities = [_city_layout(profile["city"], number) for number in range(1, CITY_BOARDS + 1)]
    return Layout(profile["name"], (*cities, _hq_layout(profile["hq"])), folder)


def _city_layout(city: Mapping[str, Any], number: int) -> BoardLayout:
    rows, cols = city["rows"], city["cols"]
    # A city of another size than 8 x 12 has squares of another size in the same place.
    cell = min(CELL_MM * 12 / cols, CELL_MM * 8 / rows)
    left, top = GRID_MM
    right, bottom = left + cols * cell, top + rows * cell
    box = min(BOX_MM, cell - 1.5)
    regions = {
        f"r{r + 1}c{c + 1}": _box(left + c * cell, top + r * cell, cell, cell) for r in range(rows) for c in range(cols)
    }
    for row in range(rows):
        y = top + row * cell + (cell - box) / 2
        regions[f"row.{row + 1}.high"] = _box(right + 2.5, y, box, box)
        regions[f"row.{row + 1}.low"] = _box(right + 2.5 + box + 1.5, y, box, box)
    for col in range(cols):
        x, letter = left + col * cell + (cell - box) / 2, chr(ord("A") + col)
        regions[f"col.{letter}.low"] = _box(x, top - 7 - box, box, box)
        regions[f"col.{letter}.high"] = _box(x, top - 7 - 2 * box - 1.5, box, box)
    step = (right - left) / len(city["districts"])
    for index, district in enumerate(city["districts"].values()):
        x = left + index * step + (step - 2 * box - 1.5) / 2
        regions[f"district.{district['name']}.high"] = _box(x, bottom + 9, box, box)
        regions[f"district.{district['name']}.low"] = _box(x + box + 1.5, bottom + 9, box, box)
    regions |= _column_of("drone", len(city["drone"]), x=11.0, top=top + 6, bottom=bottom, size=15.0)
    regions |= _column_of("bubble", len(city["bubbles"]), x=CITY_MM[0] - 17.5, top=top + 6, bottom=bottom, size=14.5)
    return BoardLayout(
        f"city-{number}", "city", *CITY_MM, f"city-{number}.png", regions, _corner_markers(CITY_MM, 4 * (number - 1))
    )


def _column_of(name: str, count: int, x: float, top: float, bottom: float, size: float) -> dict[str, Polygon]:
    step = (bottom - top) / count
    size = min(size, step - 2)
    return {f"{name}.{n + 1}": _box(x, top + n * step + (step - size) / 2, size, size) for n in range(count)}


def _hq_layout(hq: Mapping[str, Any]) -> BoardLayout:
    """Six sections in a ring, clockwise from the top, and a die face in the gap between two neighbours."""
    middle = (HQ_MM[0] / 2, HQ_MM[1] / 2)
    regions: dict[str, Polygon] = {}
    for section in range(1, 7):
        angle = _section_angle(section)
        regions[f"section.{section}"] = tuple(
            _polar(middle, radius, angle + turn) for radius, turn in ((90, -22.5), (90, 22.5), (42, 17), (42, -17))
        )
    for face, touching in hq["values"].items():
        before = next(s for s in touching if s % 6 + 1 in touching)
        x, y = _polar(middle, 72, _section_angle(before) + 30)
        regions[f"value.{face}"] = _box(x - 6, y - 6, 12, 12)
    return BoardLayout("hq", "hq", *HQ_MM, "hq.png", regions, _corner_markers(HQ_MM, FIRST_HQ_MARKER))


def _section_angle(section: int) -> float:
    return -90.0 + 60.0 * (section - 1)


def _polar(middle: Point, radius: float, degrees: float) -> Point:
    return (
        middle[0] + radius * math.cos(math.radians(degrees)),
        middle[1] + radius * math.sin(math.radians(degrees)),
    )


def _corner_markers(size_mm: tuple[float, float], first: int) -> dict[int, Polygon]:
    """Four markers, numbered clockwise from the top left."""
    far_x, far_y = size_mm[0] - EDGE_MM - MARKER_MM, size_mm[1] - EDGE_MM - MARKER_MM
    corners = ((EDGE_MM, EDGE_MM), (far_x, EDGE_MM), (far_x, far_y), (EDGE_MM, far_y))
    return {first + n: _box(x, y, MARKER_MM, MARKER_MM) for n, (x, y) in enumerate(corners)}


def _box(x: float, y: float, width: float, height: float) -> Polygon:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


# --- drawing boards ---------------------------------------------------------------------------


def draw_city(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    city, regions = profile["city"], board.regions
    sheet = Sheet.blank(board.width_mm, board.height_mm)
    _draw_skyline(sheet, board)
    looks = {letter: _look(index, entry["name"]) for index, (letter, entry) in enumerate(city["districts"].items())}
    for row, letters in enumerate(city["cells"]):
        for col, letter in enumerate(letters):
            square = regions[f"r{row + 1}c{col + 1}"]
            if letter in looks:
                _fill_pattern(sheet, square, *looks[letter])
            sheet.polygon(square, line=SOFT, width_mm=0.25)
    _draw_borders(sheet, city["cells"], regions)
    for n, (high, low) in enumerate(city["row_values"], 1):
        _draw_pair(sheet, regions, f"row.{n}", high, low)
        left = regions[f"r{n}c1"]
        sheet.text((left[0][0] - 4, (left[0][1] + left[3][1]) / 2), str(n), 5.0, SOFT)
    for n, (high, low) in enumerate(city["col_values"]):
        letter = chr(ord("A") + n)
        _draw_pair(sheet, regions, f"col.{letter}", high, low)
        top = regions[f"r1c{n + 1}"]
        sheet.text(((top[0][0] + top[1][0]) / 2, top[0][1] - 3.6), letter, 5.0, SOFT)
    for letter, entry in city["districts"].items():
        _draw_pair(sheet, regions, f"district.{entry['name']}", entry["high"], entry["low"], looks[letter])
        box = regions[f"district.{entry['name']}.high"]
        sheet.text((box[1][0] + 0.75, box[0][1] - 3.4), entry["name"], 4.6, SOFT)
    for n, cost in enumerate(city["drone"], 1):
        sheet.polygon(regions[f"drone.{n}"], fill=PAPER, width_mm=0.5)
        sheet.text(_middle(regions[f"drone.{n}"]), str(cost), 6.5)
    for n, cost in enumerate(city["bubbles"], 1):
        box = regions[f"bubble.{n}"]
        sheet.circle(_middle(box), (box[1][0] - box[0][0]) / 2, fill=PAPER)
        sheet.text(_middle(box), str(cost), 6.0)
    first_drone, first_bubble = regions["drone.1"], regions["bubble.1"]
    sheet.text((_middle(first_drone)[0], first_drone[0][1] - 5), "drone", 5.0, SOFT)
    sheet.text((_middle(first_bubble)[0], first_bubble[0][1] - 5), "social", 5.0, SOFT)
    _draw_name(sheet, board, f"CITY {board.id.removeprefix('city-')}")
    _draw_markers(sheet, board)
    return sheet.image


def _draw_pair(
    sheet: Sheet, regions: Mapping[str, Polygon], feature: str, high: int, low: int, look: Any = None
) -> None:
    for rank, value, size in (("high", high, 7.0), ("low", low, 5.6)):
        box = regions[f"{feature}.{rank}"]
        if look is None:
            sheet.polygon(box, fill=PAPER if rank == "high" else (240, 240, 240), width_mm=0.4)
        else:
            sheet.polygon(box, fill=look[0][0], line=None)
            sheet.polygon(box, width_mm=0.4)
        sheet.text(_middle(box), str(value), size)


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
        sheet.polygon(_box(x + 6 * n, roof, 6, foot - roof), fill=(238, 238, 242), line=None)
        for window in range(int((foot - roof - 2) / 3)):
            sheet.polygon(
                _box(x + 6 * n + 1.6 + 1.6 * (window % 2), roof + 1.5 + 3 * window, 1.2, 1.2), fill=PAPER, line=None
            )


def draw_hq(board: BoardLayout, profile: Mapping[str, Any]) -> Image.Image:
    sheet = Sheet.blank(board.width_mm, board.height_mm)
    middle, shapes = (board.width_mm / 2, board.height_mm / 2), profile["shapes"]
    sheet.circle(middle, 36, fill=(246, 246, 250), line=SOFT)
    for number, shape in enumerate(profile["hq"]["sections"], 1):
        light, strong = SECTION_TINTS[number - 1]
        sheet.polygon(board.regions[f"section.{number}"], fill=light, width_mm=0.7)
        x, y = _polar(middle, 63, _section_angle(number))
        _draw_shape(sheet, shapes[shape]["cells"], (x, y - 3), 6.0, strong)
        sheet.text((x, y + 10), f"{number} {shape}", 4.6, SOFT)
    for n, shape in enumerate(profile["hq"]["small"]):
        _draw_shape(sheet, shapes[shape]["cells"], _polar(middle, 20, -90 + 120 * n), 6.0, (206, 206, 214))
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
    x, y = _middle(box)
    for across, down in PIPS[face]:
        sheet.circle((x + 3.4 * across, y + 3.4 * down), 1.3, width_mm=0.35)


def _draw_shape(sheet: Sheet, cells: Sequence[Sequence[int]], at: Point, size: float, fill: Any) -> None:
    """A shape around a point, lying down so that it stays low."""
    squares = [(row, col) for row, col in cells]
    if max(row for row, _ in squares) > max(col for _, col in squares):
        squares = [(col, row) for row, col in squares]
    height, width = max(row for row, _ in squares) + 1, max(col for _, col in squares) + 1
    for row, col in squares:
        box = _box(at[0] + (col - width / 2) * size, at[1] + (row - height / 2) * size, size, size)
        sheet.polygon(box, fill=fill, line=SOFT, width_mm=0.25)


def _draw_name(sheet: Sheet, board: BoardLayout, name: str) -> None:
    if board.kind == "city":
        sheet.text((board.width_mm / 2, board.height_mm - 6), name, 7.0, SOFT)
    else:
        sheet.text((board.width_mm / 2, board.height_mm / 2), name, 8.0, SOFT)


def _draw_markers(sheet: Sheet, board: BoardLayout) -> None:
    for marker, polygon in board.markers.items():
        sheet.paste(_marker(marker), polygon[0])


def _marker(marker: int) -> Image.Image:
    return Image.fromarray(draw_marker(marker, _px(MARKER_MM)))


def _middle(polygon: Polygon) -> Point:
    return sum(x for x, _ in polygon) / 4, sum(y for _, y in polygon) / 4


# --- districts: colour and pattern ------------------------------------------------------------


def _look(index: int, name: str) -> tuple[tuple[Any, Any], int]:
    """Tint and pattern of a district: the colour of its name if we have it."""
    return TINTS.get(name, OTHER_TINTS[index % len(OTHER_TINTS)]), index % 5


def _fill_pattern(sheet: Sheet, square: Polygon, tint: tuple[Any, Any], pattern: int) -> None:
    sheet.polygon(square, fill=tint[0], line=None)
    (left, top), (right, _), *_ = square
    size = right - left
    for a, b in _pattern_lines(pattern):
        sheet.line((left + a[0] * size, top + a[1] * size), (left + b[0] * size, top + b[1] * size), 0.35, tint[1])
    if pattern == 0:
        for x in (0.25, 0.75):
            for y in (0.25, 0.75):
                sheet.circle((left + x * size, top + y * size), 0.7, fill=tint[1], line=None)


def _pattern_lines(pattern: int) -> Iterator[tuple[Point, Point]]:
    """Lines within a unit square that go on from square to square; pattern 0 is dots."""
    thirds = (0.0, 1 / 3, 2 / 3)
    if pattern == 1:
        yield from (((0, y), (1, y)) for y in (0.25, 0.5, 0.75))
    elif pattern == 2:
        for t in thirds:
            yield (t, 1), (1, t)
            yield (0, t), (t, 0)
    elif pattern == 3:
        yield from (((x, 0), (x, 1)) for x in (0.25, 0.5, 0.75))
    elif pattern == 4:
        yield (0, 0.5), (0.5, 0)
        yield (0.5, 0), (1, 0.5)
        yield (1, 0.5), (0.5, 1)
        yield (0.5, 1), (0, 0.5)


# --- printable pages --------------------------------------------------------------------------


def pages(
    layout: Layout, profile: Mapping[str, Any], pictures: Mapping[str, Image.Image], paper_mm: tuple[float, float]
) -> list[Image.Image]:
    """The cover, every board, the tokens and the stickers, each on a sheet of this paper."""
    sheets = [_cover(profile, paper_mm)]
    for board in layout.boards:
        sheet = Sheet.blank(*paper_mm)
        left, top = (paper_mm[0] - board.width_mm) / 2, (paper_mm[1] - board.height_mm) / 2
        sheet.paste(pictures[board.id], (left, top))
        sheet.polygon(_box(left, top, board.width_mm, board.height_mm), line=SOFT, width_mm=0.2)
        sheets.append(sheet)
    sheets += [_tokens(profile, paper_mm), _stickers(paper_mm)]
    return [sheet.image for sheet in sheets]


def _cover(profile: Mapping[str, Any], paper_mm: tuple[float, float]) -> Sheet:
    sheet = Sheet.blank(*paper_mm)
    middle = paper_mm[0] / 2
    sheet.text((middle, 34), "ALL CITY", 26.0)
    sheet.text((middle, 58), f"{profile['name']} (source: {profile['source']})", 8.0, SOFT)
    lines = (
        "Print all pages at 100 % (\u201cactual size\u201d), in colour or grey, on heavy paper.",
        "Measure the ruler: if it is not 100 mm long, the printer has scaled the page.",
        "Laminate the boards, or slip them into clear sleeves, to write on them with dry-erase pens.",
        "Leave the white edge around the black markers: the camera finds the boards by them.",
        "Cut out the shape tokens and lay them on the HQ; with HQ side B choose six of the large ones.",
        "You own the retail game? Print the last page only, and stick four markers on each board.",
    )
    for n, line in enumerate(lines):
        sheet.text((middle - 112, 84 + 11 * n), f"{n + 1}.  {line}", 5.6, anchor="lm")
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
            sheet.polygon(_box(x + col * size, y + row * size, size, size), fill=(236, 236, 230), width_mm=0.35)
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
            sheet.polygon(_box(x, y, step, step), line=(190, 190, 190), width_mm=0.2)
            sheet.paste(_marker(4 * col + row), (x + EDGE_MM, y + EDGE_MM))
            board = "HQ" if col == CITY_BOARDS else f"city {col + 1}"
            corner = ("top left", "top right", "bottom right", "bottom left")[row]
            sheet.text((x + step / 2, y + step + 3.2), f"{board}, {corner}", 3.8, SOFT)
    _sticker_guide(sheet, (left + 5 * (step + 3) + 10, 46.0))
    return sheet


def _sticker_guide(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.polygon(_box(x, y, 56, 42), fill=(244, 244, 240), width_mm=0.5)
    for n, (dx, dy) in enumerate(((2, 2), (44, 2), (44, 30), (2, 30)), 1):
        sheet.polygon(_box(x + dx, y + dy, 10, 10), fill=PAPER, line=SOFT)
        sheet.polygon(_box(x + dx + 1.5, y + dy + 1.5, 7, 7), fill=INK, line=None)
        sheet.text((x + dx + 5, y + dy + 5), str(n), 4.0, PAPER)
    sheet.text((x + 28, y + 21), "board", 5.0, SOFT)
    for n, line in enumerate(
        (
            "Clockwise from the top left,",
            "upright, white edge included,",
            "over nothing that you write on.",
            "Then enter where they are in",
            "your profile's geometry.",
        )
    ):
        sheet.text((x, y + 52 + 7 * n), line, 4.2, anchor="lm")


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)
