"""The kit of a stranger's game: its own boards, kinds and readers, printed as lines and letters at true scale."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.vision.printed import PX_PER_MM, PrintedPage, pages_of
from vision.kit.corners import EDGE_MM, MARKER_MM, MOST_BOARDS, corner_markers
from vision.kit.kit import MARGIN_MM, PAPERS_MM, Kit
from vision.kit.sheet import Sheet, SizeMm, rectangle
from vision.kit.write import write_kit
from vision.layout import BoardLayout, Layout, load_layout
from vision.markers import detect_markers

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
    readers = {"trail.1": "dice", "purse": "cards"}
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
    assert first["readers"] == {"trail.1": "dice", "purse": "cards"}


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
