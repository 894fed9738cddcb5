"""The mall as it is printed: asphalt and parking places, tiled halls, shops with their goods, walls, a fountain."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from pi_app.games.spree.edition.goods import BOX_MM, draw_goods
from pi_app.games.spree.edition.signs import draw_suit
from pi_app.games.spree.rules.cards import NAMES, RANK
from pi_app.games.spree.rules.mall import FOUNTAIN, HALL, LOT, PARKING, SHOP, Mall
from vision.kit.curves import Outline, oval, rounded, smooth
from vision.kit.sheet import PAPER, Colour, Sheet, SizeMm, rectangle
from vision.layout import Point, Polygon

ASPHALT, KERB, PAINT = (196, 200, 206), (164, 168, 176), (252, 252, 246)
TILE, JOINT, EDGE = (248, 240, 222), (226, 212, 184), (206, 186, 148)
WALL, WALL_LIGHT, MAT = (58, 52, 74), (150, 140, 172), (212, 166, 96)
WATER, DEEP, FOAM, STONE = (126, 200, 232), (78, 162, 210), (232, 248, 255), (204, 198, 188)
LETTER: Colour = (96, 90, 112)
FLOORS: Final = {"S": (218, 222, 240), "H": (248, 218, 222), "D": (250, 226, 204), "C": (214, 234, 214)}
"""Under the goods of a suit: a department has a floor of its own."""
AWNINGS: Final = {"S": (60, 58, 76), "H": (190, 40, 56), "D": (190, 40, 56), "C": (60, 58, 76)}
STRIPES, AWNING_MM, GOODS_TOP_MM = 7, 5.2, 6.6
WALL_MM, DOOR_MM, GOODS_SCALE = 2.0, 1.0, 0.92


def draw_mall(sheet: Sheet, mall: Mall, left_top: Point, square_mm: float, board_mm: SizeMm, name: str) -> None:
    """Everything on the board but its markers."""
    sheet.polygon(rectangle(0, 0, *board_mm), fill=PAPER, line=None)
    boxes = {square: _box(mall, square, left_top, square_mm) for square in range(len(mall.names))}
    for square, box in boxes.items():
        with sheet.inset(box[0], (square_mm, square_mm)) as part:
            _draw_square(part, mall, square, square_mm)
    _draw_fountain(sheet, [box for square, box in boxes.items() if mall.kinds[square] == FOUNTAIN])
    for square, box in boxes.items():
        _draw_sides(sheet, mall, square, box)
    _draw_margin(sheet, mall, left_top, square_mm, board_mm, name)


def _box(mall: Mall, square: int, left_top: Point, size: float) -> Polygon:
    row, column = divmod(square, mall.columns)
    return rectangle(left_top[0] + column * size, left_top[1] + row * size, size, size)


# --- squares ----------------------------------------------------------------------------------


def _draw_square(sheet: Sheet, mall: Mall, square: int, size: float) -> None:
    kind = mall.kinds[square]
    if kind == SHOP:
        card = NAMES[mall.goods[square]]
        sheet.again(f"shop {card}", (size, size), partial(_draw_shop, card=card, size=size))
    elif kind == HALL:
        sheet.again("hall", (size, size), partial(_draw_hall, size=size))
    elif kind in (LOT, PARKING):
        upright = square // mall.columns in (0, mall.rows - 1)
        name = f"{kind} {upright}"
        sheet.again(name, (size, size), partial(_draw_lot, size=size, parking=kind == PARKING, upright=upright))


def _draw_hall(sheet: Sheet, size: float) -> None:
    sheet.polygon(rectangle(0, 0, size, size), fill=TILE, line=None)
    step = size / 4
    frame = rectangle(0, 0, size, size)
    for n in range(4):
        sheet.line((n * step, 0), (n * step, size), 0.2, JOINT)
        sheet.line((0, n * step), (size, n * step), 0.2, JOINT)
    for row in range(4):
        for column in range(4):
            if (row + column) % 4 == 0:
                sheet.polygon(rectangle(column * step, row * step, step, step), fill=(242, 229, 202), line=None)
    sheet.polygon(frame, fill=None, line=EDGE, width_mm=0.45)


def _draw_lot(sheet: Sheet, size: float, parking: bool, upright: bool) -> None:
    sheet.polygon(rectangle(0, 0, size, size), fill=ASPHALT, line=None)
    for n in range(14):
        x, y = (n * 13.7 + 4) % size, (n * 8.9 + 3) % size
        sheet.polygon(oval((x, y), 0.35, steps=8), fill=KERB, line=None)
    sheet.polygon(rectangle(0, 0, size, size), fill=None, line=KERB, width_mm=0.5)
    if not parking:
        return
    low, high = 2.2, size - 2.2
    sides = (((low, low), (low, high)), ((high, low), (high, high)))
    for a, b in sides:
        ends = (a, b) if upright else ((a[1], a[0]), (b[1], b[0]))
        sheet.line(*ends, 1.1, PAINT)
    sheet.polygon(rounded(size - 11.5, size - 11.5, 8, 8, 1.2), fill=(38, 96, 176), line=PAPER, width_mm=0.5)
    sheet.text((size - 7.5, size - 7.4), "P", 6.2, PAPER)


def _draw_shop(sheet: Sheet, card: str, size: float) -> None:
    rank, suit = RANK[NAMES.index(card)], card[-1]
    sheet.polygon(rectangle(0, 0, size, size), fill=FLOORS[suit], line=JOINT, width_mm=0.5)
    awning, stripes = AWNING_MM, STRIPES
    for n in range(stripes):
        left = n * size / stripes
        outline: Outline = (
            (left, 0),
            (left + size / stripes, 0),
            (left + size / stripes, awning - 1.2),
            *(
                (left + size / stripes * (1 - t / 6), awning - 1.2 + 1.3 * (1 - abs(t / 3 - 1) ** 2))
                for t in range(1, 6)
            ),
            (left, awning - 1.2),
        )
        colour = PAPER if n % 2 else AWNINGS[suit]
        sheet.polygon(outline, fill=colour, line=(90, 84, 104), width_mm=0.15)
    with sheet.inset(((size - BOX_MM[0] * GOODS_SCALE) / 2, GOODS_TOP_MM), BOX_MM, GOODS_SCALE) as box:
        draw_goods(box, rank)
    _draw_card(sheet, (size / 2, size - 5.5), rank, suit)


def _draw_card(sheet: Sheet, at: Point, rank: str, suit: str) -> None:
    """The card that a shop sells: large enough to be read from a chair."""
    x, y = at
    wide = 19.5 if rank == "10" else 17.0
    sheet.polygon(rounded(x - wide / 2, y - 4.6, wide, 9.2, 1.4), fill=PAPER, line=(90, 84, 104), width_mm=0.3)
    colour: Colour = (200, 30, 40) if suit in "HD" else (28, 28, 34)
    sheet.text((x - (4.6 if rank == "10" else 4.0), y), rank, 8.0, colour)
    draw_suit(sheet, suit, (x + (5.2 if rank == "10" else 4.0), y), 6.4)


# --- fountain, walls and doors ----------------------------------------------------------------


def _draw_fountain(sheet: Sheet, boxes: list[Polygon]) -> None:
    (left, top), (right, bottom) = boxes[0][0], boxes[-1][2]
    width, height = right - left, bottom - top
    middle = ((left + right) / 2, (top + bottom) / 2)
    sheet.polygon(rectangle(left, top, width, height), fill=TILE, line=None)
    sheet.polygon(rounded(left + 1.2, top + 1.2, width - 2.4, height - 2.4, 9), fill=STONE, line=WALL, width_mm=0.5)
    sheet.polygon(rounded(left + 3.4, top + 3.4, width - 6.8, height - 6.8, 7.5), fill=WATER, line=DEEP, width_mm=0.5)
    for share in (0.78, 0.58, 0.38):
        across, down = (width / 2 - 4) * share, (height / 2 - 4) * share
        outline = oval(middle, across, down, steps=44)
        for n in range(0, len(outline) - 1, 4):
            sheet.line(outline[n], outline[n + 1], 0.6, FOAM)
            sheet.line(outline[n + 1], outline[n + 2], 0.6, FOAM)
    sheet.polygon(oval(middle, 5.2), fill=STONE, line=WALL, width_mm=0.5)
    sheet.polygon(oval(middle, 3.6), fill=DEEP, line=None)
    for n in range(6):
        lean = (n - 2.5) * 1.7
        x, y = middle[0] + lean, middle[1] - 3.6 - (2.2 - abs(n - 2.5) * 0.6)
        drop = smooth(((x, y - 1.6), (x + 0.8, y + 0.3), (x, y + 1.1), (x - 0.8, y + 0.3)))
        sheet.polygon(drop, fill=FOAM, line=DEEP, width_mm=0.25)


def _draw_sides(sheet: Sheet, mall: Mall, square: int, box: Polygon) -> None:
    """Walls, thick enough to be seen from a chair; where a shop is open there is a mat."""
    kind = mall.kinds[square]
    row, column = divmod(square, mall.columns)
    drawn = (True, column == mall.columns - 1, row == mall.rows - 1, True)  # between two squares, once
    for ((a, b), line), here in zip(zip(_sides(box), mall.lines[square], strict=True), drawn, strict=True):
        if not line:
            if here:
                sheet.line(a, b, WALL_MM, WALL)
                sheet.line(a, b, 0.5, WALL_LIGHT)
        elif kind == SHOP and mall.kinds[line[0]] != SHOP:
            sheet.line(*_shortened(a, b, 0.24), DOOR_MM, MAT)
        elif kind == HALL and mall.kinds[line[0]] in (LOT, PARKING):
            _draw_entrance(sheet, a, b)


def _draw_entrance(sheet: Sheet, a: Point, b: Point) -> None:
    """Stripes across the way in."""
    for n in range(6):
        ends = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for share in ((n + 0.2) / 6, (n + 0.8) / 6)
        ]
        sheet.line(ends[0], ends[1], 1.8, MAT if n % 2 else WALL)


def _sides(box: Polygon) -> Iterator[tuple[Point, Point]]:
    """Top, right, bottom, left: as lines of fire are told."""
    corners: list[Point] = [(float(x), float(y)) for x, y in box]
    return pairwise([*corners, corners[0]])


def _shortened(a: Point, b: Point, share: float) -> tuple[Point, Point]:
    (x, y), (u, v) = a, b
    return (x + (u - x) * share, y + (v - y) * share), (u + (x - u) * share, v + (y - v) * share)


def _draw_margin(sheet: Sheet, mall: Mall, left_top: Point, size: float, board_mm: SizeMm, name: str) -> None:
    """Letters and numbers on all four sides: whoever sits there can name a square."""
    left, top = left_top
    right, bottom = left + mall.columns * size, top + mall.rows * size
    for column in range(mall.columns):
        for y in (top - 5, bottom + 5):
            sheet.text((left + (column + 0.5) * size, y), mall.names[column][0], 6.0, LETTER)
    for row in range(mall.rows):
        for x in (left - 5, right + 5):
            sheet.text((x, top + (row + 0.5) * size), str(row + 1), 6.0, LETTER)
    sheet.text((board_mm[0] / 2, (top - 5) / 2 - 2), f"Spree!  ·  {name}", 11.0, WALL)
