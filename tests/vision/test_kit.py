"""The kit of a stranger's game: its own boards, kinds and readers, printed as lines and letters at true scale."""

import json
import re
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.printed import PX_PER_MM, PrintedPage, detect_codes, pages_of
from vision.kit.corners import EDGE_MM, MARKER_MM, MOST_BOARDS, corner_markers
from vision.kit.cutouts import Cutout, cut_out_pages
from vision.kit.kit import MARGIN_MM, PAPERS_MM, Atlas, Kit
from vision.kit.png import PX_PER_MM as PRINT_PX_PER_MM
from vision.kit.png import PngSheet
from vision.kit.sheet import Sheet, SizeMm, rectangle
from vision.kit.tiling import tiling_of
from vision.kit.write import write_kit
from vision.layout import BoardLayout, Layout, load_layout
from vision.markers import code_cells, detect_markers

SIZE_MM = (180.0, 120.0)


def draw(sheet: Sheet, board: BoardLayout) -> None:
    sheet.text((90, 60), board.id.upper(), 12)
    sheet.circle((90, 90), 8)


def draw_tickets(sheet: Sheet, paper_mm: SizeMm) -> None:
    sheet.text((paper_mm[0] / 2, 30), "Tickets", 8)


def strangers_kit() -> Kit:
    """A sheet for each of eight seats, and four boards that all share."""
    kinds = ["sheet"] * 8 + ["street"] * 4
    regions = {"trail.1": rectangle(60, 40, 20, 20), "purse": rectangle(90, 40, 20, 20)}
    readers = {"trail.1": "dice", "purse": "coins"}
    boards = [
        BoardLayout(
            f"{kind}-{n + 1}", kind, *SIZE_MM, f"{kind}-{n + 1}.png", regions, corner_markers(n, SIZE_MM), readers
        )
        for n, kind in enumerate(kinds)
    ]
    layout = Layout("Stranger", tuple(boards), game="strangers_game", pieces={"coin": {"size_mm": 12}})
    return Kit(layout, draw, "A stranger\u2019s edition", ("Shuffle the tickets.",), [draw_tickets])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("kit")
    write_kit(strangers_kit(), made)
    return made


@pytest.fixture(scope="module", params=PAPERS_MM)
def pages(folder: Path, request: pytest.FixtureRequest) -> list[PrintedPage]:
    return pages_of(folder / request.param)


def test_a_kit_is_complete_and_its_layout_comes_back_as_it_was(folder: Path) -> None:
    kit = strangers_kit()
    assert {path.name for path in folder.iterdir()} == set(kit.files)
    written = load_layout(folder)
    assert (written.boards, written.game, written.pieces) == (kit.layout.boards, kit.layout.game, kit.layout.pieces)
    first = json.loads((folder / "layout.json").read_text())["boards"][0]
    assert first["readers"] == {"trail.1": "dice", "purse": "coins"}


def test_twelve_boards_have_markers_of_their_own() -> None:
    markers = [marker for board in strangers_kit().layout.boards for marker in board.markers]
    assert markers == list(range(4 * MOST_BOARDS))


def test_there_is_white_around_every_marker_on_a_corner() -> None:
    for (left, top), _, (right, bottom), _ in corner_markers(0, SIZE_MM).values():
        assert min(left, top, SIZE_MM[0] - right, SIZE_MM[1] - bottom) == EDGE_MM


def test_the_cover_tells_how_to_print_and_what_the_game_adds(pages: list[PrintedPage]) -> None:
    assert "A stranger\u2019s edition" in pages[0].words
    assert re.search(r"4\.\s+Shuffle the tickets", pages[0].words)


def test_the_ruler_is_100_mm_long(pages: list[PrintedPage]) -> None:
    dark = np.flatnonzero(pages[0].grey[round(174 * PX_PER_MM)] < 128)
    assert (dark[-1] - dark[0]) / PX_PER_MM == pytest.approx(100, abs=0.3)


def test_every_board_every_further_page_and_every_sticker_is_printed(pages: list[PrintedPage]) -> None:
    boards, (tickets, *stickers) = pages[1 : 1 + MOST_BOARDS], pages[1 + MOST_BOARDS :]
    for page, board in zip(boards, strangers_kit().layout.boards, strict=True):
        assert board.id.upper() in page.words
        left, top, right, bottom = page.bounds_mm
        assert (right - left, bottom - top) == pytest.approx(SIZE_MM, abs=0.5)
    assert "Tickets" in tickets.words
    found = [marker for page in stickers for marker in detect_markers(page.grey, 49)]
    assert sorted(marker.id for marker in found) == list(range(4 * MOST_BOARDS))
    assert np.mean([marker.side_px for marker in found]) / PX_PER_MM == pytest.approx(MARKER_MM, abs=0.2)
    assert "street-12, bottom left" in stickers[-1].words


def test_nothing_lies_in_the_margin_that_printers_cut(pages: list[PrintedPage]) -> None:
    for number, page in enumerate(pages, 1):
        left, top, right, bottom = page.bounds_mm
        assert min(left, top) >= MARGIN_MM, number
        assert right <= page.size_mm[0] - MARGIN_MM, number
        assert bottom <= page.size_mm[1] - MARGIN_MM, number


def test_pages_are_lines_and_letters_in_a_font_that_is_in_the_file(folder: Path) -> None:
    for name in PAPERS_MM:
        content = (folder / name).read_bytes()
        assert b"/FontFile2" in content
        assert re.findall(rb"/BaseFont /(\S+)", content) == [b"AAAAAA+FredokaOne-Regular"]
        assert b"/Subtype /Image" not in content


def test_the_same_kit_is_the_same_file(folder: Path, tmp_path: Path) -> None:
    write_kit(strangers_kit(), tmp_path)
    assert (tmp_path / "kit.pdf").read_bytes() == (folder / "kit.pdf").read_bytes()


# --- large boards, small boards, loose pieces ------------------------------------------------------

LARGE_MM, SMALL_MM, COIN_MM = (500.0, 300.0), (150.0, 90.0), 20.0
KINDS = {"coin": 7, "note": 3}


def draw_piece(sheet: Sheet, kind: str) -> None:
    sheet.polygon(rectangle(0, 0, COIN_MM, COIN_MM), fill=(255, 255, 255), line=None)
    sheet.code(list(KINDS).index(kind), rectangle(3, 3, 14, 14))


def draw_blank(sheet: Sheet) -> None:
    sheet.text((COIN_MM / 2, COIN_MM / 2), "back", 5)


def draw_atlas(sheet: Sheet) -> None:
    for n, kind in enumerate(KINDS):
        with sheet.inset((5 + 30 * n, 5), (COIN_MM, COIN_MM)) as face:
            draw_piece(face, kind)


def draw_large(sheet: Sheet, board: BoardLayout) -> None:
    sheet.polygon(rectangle(0, 0, board.width_mm, board.height_mm), fill=(240, 240, 240))
    sheet.text((board.width_mm / 2, board.height_mm / 2), board.id, 8)


@pytest.fixture(scope="module")
def kit_of_pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sizes = {"street": LARGE_MM, "till-1": SMALL_MM, "till-2": SMALL_MM, "till-3": SMALL_MM}
    boards = [
        BoardLayout(name, "board", *size, f"{name}.png", {}, corner_markers(n, size))
        for n, (name, size) in enumerate(sizes.items())
    ]
    cutouts = [
        Cutout("coin", (COIN_MM, COIN_MM), partial(draw_piece, kind="coin"), KINDS["coin"], round=True),
        Cutout("note", (COIN_MM, COIN_MM), partial(draw_piece, kind="note"), KINDS["note"], back=draw_blank),
    ]
    atlas = Atlas("pieces.png", (60.0, 30.0), draw_atlas)
    pages = cut_out_pages("Money", cutouts)
    made = tmp_path_factory.mktemp("pieces")
    write_kit(Kit(Layout("Stranger", tuple(boards)), draw_large, pages=pages, atlas=atlas, small=0.5), made)
    return made


def test_a_kit_may_have_a_picture_of_its_pieces(kit_of_pieces: Path) -> None:
    picture = cv2.imread(str(kit_of_pieces / "pieces.png"), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert picture.shape == (round(30 * PRINT_PX_PER_MM), round(60 * PRINT_PX_PER_MM))
    middles = np.round((8 + 2 * (np.arange(7) + 0.5)) * PRINT_PX_PER_MM).astype(int)
    for code in (0, 1):
        cells = picture[middles][:, middles + round(30 * code * PRINT_PX_PER_MM)] / 255
        assert np.array_equal(cells, code_cells(code))


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_a_large_board_is_printed_in_tiles_at_true_scale(kit_of_pieces: Path, paper: str) -> None:
    pages = pages_of(kit_of_pieces / paper)
    tiles = [page for page in pages if re.search("sheet . of", page.words)]
    assert len(tiles) == 4
    found = [marker for page in tiles for marker in detect_markers(page.grey, 49)]
    assert sorted(marker.id for marker in found) == [0, 1, 2, 3]
    assert np.mean([marker.side_px for marker in found]) / PX_PER_MM == pytest.approx(MARKER_MM, abs=0.2)


def test_tiles_cover_the_board_and_overlap() -> None:
    for board, room in (((594.0, 420.0), (287.0, 200.0)), ((594.0, 420.0), (269.4, 205.9)), (LARGE_MM, (287.0, 200.0))):
        tiling = tiling_of(board, room)
        assert all(shown <= side + 1e-6 for shown, side in zip(tiling.shown_mm, room, strict=True))
        reached = [step * (count - 1) + tile for step, count, tile in zip(
            tiling.step_mm, (tiling.across, tiling.down), tiling.tile_mm, strict=True)]  # fmt: skip
        assert reached == pytest.approx(list(board))
    assert tiling_of((594.0, 420.0), (287.0, 200.0)).count == 6


def test_small_boards_share_a_page(kit_of_pieces: Path) -> None:
    pages = pages_of(kit_of_pieces / "kit.pdf")
    together = [[name for name in ("till-1", "till-2", "till-3") if name in page.words] for page in pages[5:7]]
    assert together == [["till-1", "till-2"], ["till-3"]]


def test_every_piece_is_printed_as_often_as_it_is_needed(kit_of_pieces: Path) -> None:
    [page] = [page for page in pages_of(kit_of_pieces / "kit.pdf") if "Money" in page.words]
    assert page.words.count("back") == KINDS["note"]
    seen = detect_codes(page.grey)
    assert {code: seen.count(code) for code in seen} == {0: 7, 1: 3}


def test_more_pieces_than_a_page_holds_go_on_the_next() -> None:
    many = cut_out_pages("Coins", [Cutout("coin", (COIN_MM, COIN_MM), partial(draw_piece, kind="coin"), 200)])
    assert len(many) == 2


def test_nothing_reaches_beyond_an_inset() -> None:
    sheet = PngSheet(40, 40, 10)
    with sheet.inset((10, 10), (10, 20), turned=True) as inset:
        inset.polygon(rectangle(-50, -50, 200, 200), fill=(0, 0, 0))
    black = np.argwhere(np.array(sheet.image.convert("L")) == 0)
    assert black.min(axis=0).tolist() == [100, 100]
    assert black.max(axis=0).tolist() == [199, 299], "turned: as wide as it is high"


@pytest.mark.parametrize("name", ["kit-small.pdf", "kit-small-letter.pdf"])
def test_everything_may_be_printed_smaller(kit_of_pieces: Path, name: str) -> None:
    cover, *others = pages_of(kit_of_pieces / name)
    assert "50 %" in cover.words
    found = [marker for page in others for marker in detect_markers(page.grey, 49)]
    assert sorted(marker.id for marker in found) == list(range(16)), "no stickers"
    assert np.mean([marker.side_px for marker in found]) / PX_PER_MM == pytest.approx(MARKER_MM / 2, abs=0.2)
    assert [code for page in others for code in detect_codes(page.grey)] == [0] * 7 + [1] * 3
    for page in others:
        left, top, right, bottom = page.bounds_mm
        assert min(left, top, page.size_mm[0] - right, page.size_mm[1] - bottom) > MARGIN_MM - 0.2
