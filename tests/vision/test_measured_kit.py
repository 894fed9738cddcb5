"""The kit of boards that somebody owns and measured: same layout file, same reading, sheets to check by."""

import json
import re
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import PIL.Image
import pytest

from pi_app.__main__ import main
from pi_app.games.tag_city.edition.profile import HOUSE, measured_boards, resolve
from tests.games.tag_city.measured import measured_house
from tests.profiles import read_profile
from vision.kit.pages import measured_pages
from vision.kit.places import kit_layout
from vision.kit.schematic import draw_schematic
from vision.kit.sheet import PX_PER_MM
from vision.kit.write import FILES, PAPERS_MM
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


def measured_layout(edition: dict[str, Any]) -> Layout:
    return kit_layout(resolve(edition), Path(), measured_boards(edition))


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder = tmp_path_factory.mktemp("measured")
    profile = folder / "mine.json"
    profile.write_text(json.dumps(owned()), encoding="utf-8")
    assert main(["kit", str(folder / "kit"), "--profile", str(profile)]) == 0
    return load_layout(folder / "kit")


def test_a_measured_kit_has_the_same_files_as_any_other(kit: Layout) -> None:
    assert {path.name for path in kit.folder.iterdir()} == set(FILES)


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
    ours = kit_layout(resolve(read_profile(HOUSE)), Path())
    for board in kit.boards:
        assert set(board.regions) == set(ours.board(board.id).regions)


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


def bounds_mm(page: PIL.Image.Image) -> tuple[float, float]:
    """The size of everything that is printed on a page."""
    rows, cols = np.nonzero(np.asarray(page.convert("L")) < 250)
    return (cols.max() - cols.min()) / PX_PER_MM, (rows.max() - rows.min()) / PX_PER_MM


def city_page(edition: dict[str, Any], paper_mm: tuple[float, float]) -> PIL.Image.Image:
    layout, profile = measured_layout(edition), resolve(edition)
    blank = {
        board.id: PIL.Image.new("RGB", (round(board.width_mm * PX_PER_MM), round(board.height_mm * PX_PER_MM)), "grey")
        for board in layout.boards
    }
    pages = measured_pages(layout, profile, blank, paper_mm)
    assert len(pages) == 7, "cover, five boards, stickers"
    return pages[1]


def test_a_board_that_fits_is_printed_at_true_scale() -> None:
    assert bounds_mm(city_page(owned(), PAPERS_MM["kit.pdf"])) == pytest.approx((280, 200), abs=0.3)


def test_a_tall_board_is_turned_to_fit() -> None:
    edition = measured_house()
    edition["geometry"]["hq"]["height_mm"] = 280
    layout = measured_layout(edition)
    tall = {b.id: PIL.Image.new("RGB", (round(b.width_mm * PX_PER_MM), 9), "white") for b in layout.boards}
    tall["hq"] = PIL.Image.new("RGB", (round(200 * PX_PER_MM), round(280 * PX_PER_MM)), "grey")
    page = measured_pages(layout, resolve(edition), tall, PAPERS_MM["kit.pdf"])[5]
    assert bounds_mm(page) == pytest.approx((280, 200), abs=0.3)


@pytest.mark.parametrize("paper_mm", PAPERS_MM.values(), ids=PAPERS_MM)
def test_a_board_larger_than_the_paper_is_made_smaller_and_the_page_says_so(paper_mm: tuple[float, float]) -> None:
    edition = measured_house("city", "width_mm", 420)
    page = np.asarray(city_page(edition, paper_mm).convert("L"))
    edge = round(4.8 * PX_PER_MM)  # the outline lies half within the margin
    for margin in (page[:, :edge], page[:, -edge:], page[:edge], page[-edge:]):
        assert margin.min() > 250
    said = page[edge : round(14 * PX_PER_MM)]
    assert said.min() < 100


def test_pages_of_measured_boards_are_true_to_scale(kit: Layout) -> None:
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", (kit.folder / "kit.pdf").read_bytes())
    assert [(round(float(w) / 72 * 25.4), round(float(h) / 72 * 25.4)) for w, h in boxes] == [(297, 210)] * 7


# --- the command ------------------------------------------------------------------------------


@pytest.fixture
def quick_kit(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Instead of writing a kit, notes what was measured."""
    given: list[Any] = []
    monkeypatch.setattr("vision.kit.write.write_kit", lambda *told: given.append(told[-1]))
    return given


def test_the_closing_line_asks_for_a_clean_picture_of_measured_boards_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quick_kit: list[Any]
) -> None:
    profile = tmp_path / "mine.json"
    profile.write_text(json.dumps(owned()), encoding="utf-8")
    assert main(["kit", str(tmp_path), "--profile", str(profile)]) == 0
    assert "clean picture (--reference)" in capsys.readouterr().out
    assert main(["kit", str(tmp_path)]) == 0
    assert "clean picture" not in capsys.readouterr().out
    assert quick_kit[0] is not None
    assert quick_kit[1] is None


def test_a_side_that_was_not_measured_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quick_kit: list[Any]
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
    board = measured_layout(edition).board("hq")
    assert draw_schematic(board, resolve(edition)).size == (round(200 * PX_PER_MM), round(200 * PX_PER_MM))
