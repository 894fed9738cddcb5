"""The pages to print, at true scale: cover, boards, what else a game has, and stickers."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, product
from pathlib import Path

from vision.kit.corners import CORNERS, EDGE_MM, MARKER_MM
from vision.kit.kit import MARGIN_MM, Kit
from vision.kit.pdf import Pdf
from vision.kit.sheet import DARK, PAPER, SOFT, Sheet, SizeMm, rectangle
from vision.kit.tiling import Tiling, draw_tile, draw_tile_map, tiling_of
from vision.layout import BoardLayout, Point

TOO_LARGE_MM = 10.0
"""Room for the words over a board that is larger than the paper."""
STACK_GAP_MM = 2.0
"""Between boards on the same page."""
STICKERED_BOARDS = 5
"""So many have room on a page of stickers."""
PRINTING = (
    "Print all pages at 100 % (\u201cactual size\u201d), in colour or grey, on heavy paper.",
    "Measure the ruler: if it is not 100 mm long, the printer has scaled the page.",
    "Leave the white edge around the black markers: the camera finds the boards by them.",
)
RETAIL = "You own the retail game? The last page has markers to stick on the corners of its boards."
OWNED = (
    "Print all pages at 100 % (\u201cactual size\u201d), in colour or grey.",
    "Measure the ruler: if it is not 100 mm long, the printer has scaled the page.",
    "The last page has the stickers. Each must lie on your board where the profile says.",
    "The pages between show what the profile says. Lay each beside its board, or over it.",
    "An outline does not meet its print? Correct [geometry] in the profile and print again.",
    "To play, use your own boards, and first let the camera take a picture of them clean.",
)
TILES = (
    "Cut along the outlines.",
    "Lay each sheet over the",
    "strip of its neighbour, up",
    "to the dashed line, and",
    "tape them from behind.",
)
STICKING = (
    "Clockwise from the top left,",
    "upright, cut edges along the",
    "edges of the board, over",
    "nothing that you write on.",
    "Measured places go into your",
    "profile, part [geometry].",
)


def write_pages(kit: Kit, path: Path, paper_mm: SizeMm, scale: float = 1.0) -> None:
    """One file with everything that is printed; boards and pieces may be smaller than they are. Raises OSError."""
    pdf = Pdf(path, paper_mm, f"All City: {kit.layout.profile}")
    last = (
        RETAIL
        if scale == 1
        else f"Everything else in this file is printed at {100 * scale:.0f} %. Cans are smaller too."
    )
    with pdf.page() as sheet:
        _draw_cover(sheet, kit.title, OWNED if kit.owned else (*PRINTING, *kit.notes, last), paper_mm[0] / 2)
    # A larger sheet is drawn on, and then made smaller with all that is on it, but for the margin.
    edge = MARGIN_MM * (1 - scale)
    drawn_mm = ((paper_mm[0] - 2 * edge) / scale, (paper_mm[1] - 2 * edge) / scale)
    for draw_board in _board_pages(kit, drawn_mm):
        with pdf.page() as page, page.inset((edge, edge), drawn_mm, scale) as inset:
            draw_board(inset)
    for draw in kit.pages:
        with pdf.page() as page, page.inset((edge, edge), drawn_mm, scale) as inset:
            draw(inset, drawn_mm)
    boards = kit.layout.boards if scale == 1 else ()
    for first in range(0, len(boards), STICKERED_BOARDS):
        with pdf.page() as sheet:
            _draw_stickers(sheet, boards[first : first + STICKERED_BOARDS], paper_mm)
    pdf.save()


def _board_pages(kit: Kit, paper_mm: SizeMm) -> Iterator[Callable[[Sheet], None]]:
    """Boards at true scale, turned if they only fit so, small ones below each other. A larger one is printed in tiles;
    a measured one only smaller, as it is to be compared and not played on."""
    room = (paper_mm[0] - 2 * MARGIN_MM, paper_mm[1] - 2 * MARGIN_MM)
    for size, alike in groupby(kit.layout.boards, lambda board: (board.width_mm, board.height_mm)):
        boards = list(alike)
        if _fits(size, room) and not kit.owned:
            count = int((room[1] + STACK_GAP_MM) / (size[1] + STACK_GAP_MM))
            for first in range(0, len(boards), count):
                yield partial(_draw_stack, kit=kit, boards=boards[first : first + count], paper_mm=paper_mm)
        elif kit.owned or _fits(size[::-1], room):
            for board in boards:
                yield partial(_draw_board_page, kit=kit, board=board, paper_mm=paper_mm)
        else:
            tiling = tiling_of(size, room)
            for board, number in product(boards, range(tiling.count)):
                yield partial(_draw_tile_page, kit=kit, board=board, tiling=tiling, number=number)


def _draw_stack(sheet: Sheet, kit: Kit, boards: Sequence[BoardLayout], paper_mm: SizeMm) -> None:
    """Boards of the same size below each other."""
    width, height = boards[0].width_mm, boards[0].height_mm
    whole = len(boards) * (height + STACK_GAP_MM) - STACK_GAP_MM
    for n, board in enumerate(boards):
        at = (paper_mm[0] - width) / 2, (paper_mm[1] - whole) / 2 + n * (height + STACK_GAP_MM)
        with sheet.inset(at, (width, height)) as inset:
            kit.draw_on(inset, board)
        sheet.polygon(rectangle(*at, width, height), line=SOFT, width_mm=0.2)


def _draw_tile_page(sheet: Sheet, kit: Kit, board: BoardLayout, tiling: Tiling, number: int) -> None:
    at = (MARGIN_MM, MARGIN_MM)
    draw_tile(sheet, at, tiling, number, board.id, lambda whole: kit.draw_on(whole, board))
    x, y = at[0] + tiling.shown_mm[0] + 8, 30.0
    sheet.text((x, y), board.id, 7.0, centred=False)
    sheet.text((x, y + 9), f"sheet {number + 1} of {tiling.count}", 4.6, SOFT, centred=False)
    draw_tile_map(sheet, (x, y + 18), tiling, number)
    for n, line in enumerate(TILES):
        sheet.text((x, y + 64 + 6 * n), line, 3.8, centred=False)


def _draw_board_page(sheet: Sheet, kit: Kit, board: BoardLayout, paper_mm: SizeMm) -> None:
    """A board alone, turned or smaller if need be."""
    size, room = (board.width_mm, board.height_mm), (paper_mm[0] - 2 * MARGIN_MM, paper_mm[1] - 2 * MARGIN_MM)
    turned = not _fits(size, room) and _fits(size[::-1], room)
    shown, scale, top = size[::-1] if turned else size, 1.0, 0.0
    if not _fits(shown, room):
        top = TOO_LARGE_MM
        scale = min(room[0] / size[0], (room[1] - top) / size[1])
        shown = (size[0] * scale, size[1] * scale)
        words = f"{board.id}: larger than this paper, shown at {100 * scale:.0f} %. Do not lay it over the board."
        sheet.text((paper_mm[0] / 2, MARGIN_MM + top / 2), words, 5.0)
    at = (paper_mm[0] - shown[0]) / 2, (paper_mm[1] - shown[1] + top) / 2
    with sheet.inset(at, size, scale, turned) as inset:
        kit.draw_on(inset, board)
    sheet.polygon(rectangle(*at, *shown), line=SOFT, width_mm=0.2)


def _fits(size: SizeMm, room: SizeMm) -> bool:
    return size[0] <= room[0] and size[1] <= room[1]


def _draw_cover(sheet: Sheet, title: str, lines: Sequence[str], middle: float) -> None:
    sheet.text((middle, 34), "ALL CITY", 26.0)
    sheet.text((middle, 58), title, 8.0, SOFT)
    for n, line in enumerate(lines):
        sheet.text((middle - 112, 84 + 11 * n), f"{n + 1}.  {line}", 5.0, centred=False)
    _draw_ruler(sheet, (middle - 50, 172))


def _draw_ruler(sheet: Sheet, at: Point) -> None:
    """100 mm between the outer ends of the first and the last stroke."""
    for mm in range(101):
        x = at[0] + mm
        sheet.line((x, at[1]), (x, at[1] + (7 if mm % 10 == 0 else 5 if mm % 5 == 0 else 3)), 0.2)
        if mm % 10 == 0:
            sheet.text((x, at[1] + 10.5), str(mm), 3.6)
    sheet.line(at, (at[0] + 100, at[1]), 0.3)
    sheet.text((at[0] + 50, at[1] - 5), "measure me: 100 mm", 5.6)


def _draw_stickers(sheet: Sheet, boards: Sequence[BoardLayout], paper_mm: SizeMm) -> None:
    """All markers, a column of four for each board, and a drawing of where to stick them."""
    step = MARKER_MM + 2 * EDGE_MM
    left = (paper_mm[0] - STICKERED_BOARDS * (step + 3) - 66) / 2
    sheet.text((paper_mm[0] / 2, 10), "Corner stickers for a board that you own: cut along the grey lines", 6.0, SOFT)
    for col, board in enumerate(boards):
        for row, (marker, corner) in enumerate(zip(board.markers, CORNERS, strict=True)):
            x, y = left + col * (step + 3), 20 + row * (step + 9)
            sheet.polygon(rectangle(x, y, step, step), line=(190, 190, 190), width_mm=0.2)
            sheet.marker(marker, rectangle(x + EDGE_MM, y + EDGE_MM, MARKER_MM, MARKER_MM))
            words = f"{board.id}, {corner}"
            sheet.text((x + step / 2, y + step + 3.2), words, min(3.8, 76 / len(words)), SOFT)
    _draw_sticking(sheet, (left + STICKERED_BOARDS * (step + 3) + 6, 46.0))


def _draw_sticking(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.polygon(rectangle(x, y, 56, 42), fill=(244, 244, 240), width_mm=0.5)
    for n, (dx, dy) in enumerate(((0, 0), (46, 0), (46, 32), (0, 32)), 1):
        sheet.polygon(rectangle(x + dx, y + dy, 10, 10), fill=PAPER, line=SOFT)
        sheet.polygon(rectangle(x + dx + 1.5, y + dy + 1.5, 7, 7), fill=DARK, line=None)
        sheet.text((x + dx + 5, y + dy + 5), str(n), 4.0, PAPER)
    sheet.text((x + 28, y + 21), "board", 5.0, SOFT)
    for n, line in enumerate(STICKING):
        sheet.text((x, y + 52 + 7 * n), line, 4.2, centred=False)
