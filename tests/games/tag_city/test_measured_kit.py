"""The kit of boards that somebody owns and measured: same layout file, same reading, sheets to check by."""

import json
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from pi_app.__main__ import main
from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.profile import HOUSE, measured_boards, resolve
from tests.games.tag_city.measured import measured_house
from tests.profiles import read_profile
from tests.vision.printed import PrintedPage, pages_of
from vision.kit.kit import PAPERS_MM, Kit
from vision.kit.pages import write_pages
from vision.kit.png import PX_PER_MM
from vision.layout import Layout, load_layout
from vision.locate import find_boards
from vision.markers import Image, detect_markers
from vision.render import Camera, PlacedBoard, Renderer, Scene, load_pictures

GRID = [[50, 40], [230.5, 43], [228, 163], [47.5, 160]]
ASKEW = [[6, 5.5], [30.9, 7.5], [28.9, 32.4], [4, 30.4]]


def owned() -> dict[str, Any]:
    """Printed a little askew, with one sticker that was stuck askew."""
    edition = measured_house("city", "grid", GRID)
    edition["geometry"]["city"]["markers"][0] = ASKEW
    return edition


def measured_kit(edition: dict[str, Any]) -> Kit:
    return kit_of(resolve(edition), measured_boards(edition))


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder = tmp_path_factory.mktemp("measured")
    profile = folder / "mine.json"
    profile.write_text(json.dumps(owned()), encoding="utf-8")
    assert main(["kit", str(folder / "kit"), "--profile", str(profile)]) == 0
    return load_layout(folder / "kit")


def test_a_measured_kit_has_the_same_files_as_any_other(kit: Layout) -> None:
    assert {path.name for path in kit.folder.iterdir()} == set(kit_of(resolve(read_profile(HOUSE))).files)


def test_the_layout_has_the_measured_places_under_each_boards_own_markers(kit: Layout) -> None:
    assert [(board.id, board.kind, list(board.markers)) for board in kit.boards] == [
        ("city-1", "city", [0, 1, 2, 3]), ("city-2", "city", [4, 5, 6, 7]), ("city-3", "city", [8, 9, 10, 11]),
        ("city-4", "city", [12, 13, 14, 15]), ("hq", "hq", [16, 17, 18, 19]),
    ]  # fmt: skip
    first, *others = kit.boards[:4]
    assert (first.width_mm, first.height_mm) == (280, 200)
    assert first.regions["r1c1"][0] == (50, 40)
    assert first.regions["r8c12"][2] == (228, 163)
    assert first.markers[0] == tuple((x, y) for x, y in ASKEW)
    for board in others:
        assert board.regions == first.regions
        assert list(board.markers.values()) == list(first.markers.values())


def test_a_measured_layout_has_the_regions_of_our_own(kit: Layout) -> None:
    ours = kit_of(resolve(read_profile(HOUSE))).layout
    for board in kit.boards:
        assert set(board.regions) == set(ours.board(board.id).regions)
        assert board.readers == ours.board(board.id).readers


def test_the_sheet_shows_outlines_and_stickers_where_they_were_measured(kit: Layout) -> None:
    board = kit.board("city-1")
    picture = cast(Image, cv2.imread(str(kit.folder / board.image), cv2.IMREAD_GRAYSCALE))
    assert picture.shape == (round(board.height_mm * PX_PER_MM), round(board.width_mm * PX_PER_MM))
    for region, polygon in board.regions.items():
        begin, end = (np.array(corner) for corner in polygon[:2])
        x, y = np.round((0.7 * begin + 0.3 * end) * PX_PER_MM).astype(int)
        assert picture[y - 3 : y + 4, x].min() < 100, region
    found = detect_markers(picture, 49)
    assert sorted(marker.id for marker in found) == sorted(board.markers)
    for marker in found:
        assert np.abs(marker.quad_px - np.array(board.markers[marker.id]) * PX_PER_MM).max() < 3.0


def test_a_skewed_measured_board_is_found_and_its_regions_land_where_they_are(kit: Layout) -> None:
    camera = Camera(size_px=(1280, 720), distance_mm=600, tilt_deg=20, turn_deg=30, focal_px=1200)
    placed = PlacedBoard("city-2", (15, -10), 25)
    shot = Renderer(kit, load_pictures(kit)).render(Scene((placed,), camera=camera))
    found = find_boards(shot.frame_bgr, kit)
    assert list(found.boards) == ["city-2"]
    for region, polygon in kit.board("city-2").regions.items():
        truth = np.array(shot.truth.boards["city-2"].regions[region].polygon_px)
        assert np.linalg.norm(found.boards["city-2"].to_frame(polygon) - truth, axis=1).max() < 1.0, region


# --- paper ------------------------------------------------------------------------------------


def page_of(edition: dict[str, Any], folder: Path, paper: str, number: int) -> PrintedPage:
    write_pages(measured_kit(edition), folder / paper, PAPERS_MM[paper])
    pages = pages_of(folder / paper)
    assert len(pages) == 7, "cover, five boards, stickers"
    return pages[number]


def size_mm(page: PrintedPage) -> tuple[float, float]:
    left, top, right, bottom = page.bounds_mm
    return right - left, bottom - top


def test_a_board_that_fits_is_printed_at_true_scale(tmp_path: Path) -> None:
    assert size_mm(page_of(owned(), tmp_path, "kit.pdf", 1)) == pytest.approx((280, 200), abs=0.5)


def test_a_tall_board_is_turned_to_fit(tmp_path: Path) -> None:
    edition = measured_house()
    edition["geometry"]["hq"]["height_mm"] = 280
    page = page_of(edition, tmp_path, "kit.pdf", 5)
    assert size_mm(page) == pytest.approx((280, 200), abs=0.5)
    # Its top is on the left: the first sticker is at the bottom there.
    first = next(marker for marker in detect_markers(page.grey, 49) if marker.id == 16)
    x, y = first.quad_px[0] / page.grey.shape[::-1]
    assert x < 0.2
    assert y > 0.8


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_a_board_larger_than_the_paper_is_made_smaller_and_the_page_says_so(tmp_path: Path, paper: str) -> None:
    page = page_of(measured_house("city", "width_mm", 420), tmp_path, paper, 1)
    left, top, right, bottom = page.bounds_mm
    # The outline lies half within the margin.
    assert min(left, top) > 4.7
    assert max(right - PAPERS_MM[paper][0], bottom - PAPERS_MM[paper][1]) < -4.7
    assert "larger than this paper" in page.words


# --- the command ------------------------------------------------------------------------------


@pytest.fixture
def quick_kit(monkeypatch: pytest.MonkeyPatch) -> list[Kit]:
    """Instead of writing a kit, notes it."""
    given: list[Kit] = []
    monkeypatch.setattr("vision.kit.write.write_kit", lambda kit, *rest: given.append(kit))
    return given


def test_the_closing_line_asks_for_a_clean_picture_of_measured_boards_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quick_kit: list[Kit]
) -> None:
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps(owned()), encoding="utf-8")
    assert main(["kit", str(tmp_path), "--profile", str(profile)]) == 0
    assert "clean picture (--reference)" in capsys.readouterr().out
    assert main(["kit", str(tmp_path)]) == 0
    assert "clean picture" not in capsys.readouterr().out
    assert [kit.owned for kit in quick_kit] == [True, False]


def test_a_side_that_was_not_measured_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quick_kit: list[Kit]
) -> None:
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps(owned()), encoding="utf-8")
    assert main(["kit", str(tmp_path), "--profile", str(profile), "--side", "B"]) == 2
    assert capsys.readouterr().err.startswith("allcity: geometry.city_b: this side of the city board has not been")
    assert quick_kit == []


def test_every_board_that_the_check_lets_pass_can_be_drawn() -> None:
    """Small boxes, long names, a city of another size."""
    edition = measured_house("hq", "regions", "value", "1", [[130, 32], [133, 35]])
    edition["shapes"]["a-very-long-name-for-one-shape"] = edition["shapes"].pop("key")
    edition["hq"] = {**edition["hq"], "sections": ["a-very-long-name-for-one-shape", *edition["hq"]["sections"][1:]]}
    kit = measured_kit(edition)
    assert kit.draw(kit.layout.board("hq")).size == (round(200 * PX_PER_MM), round(200 * PX_PER_MM))
