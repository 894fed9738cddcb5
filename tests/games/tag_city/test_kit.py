"""The kit: what is printed is what the layout says, at true scale on both papers."""

import json
from itertools import combinations
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from pi_app.__main__ import main
from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.places import kit_layout
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.games.tag_city.helpers import tiny
from tests.profiles import load_profile
from tests.vision import printed
from tests.vision.printed import pages_of
from vision.kit.kit import PAPERS_MM
from vision.kit.png import PX_PER_MM
from vision.kit.write import write_kit
from vision.layout import DICE, INK, VALUE, Layout, load_layout
from vision.markers import Image, detect_markers, refine_markers

EDITION = load_profile(HOUSE)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder = tmp_path_factory.mktemp("kit")
    write_kit(kit_of(resolve(EDITION)), folder)
    return load_layout(folder)


def grey_picture(kit: Layout, name: str) -> Image:
    return cast(Image, cv2.imread(str(kit.folder / name), cv2.IMREAD_GRAYSCALE))


def test_a_kit_is_complete(kit: Layout) -> None:
    assert {path.name for path in kit.folder.iterdir()} == set(kit_of(resolve(EDITION)).files)
    assert [(board.id, board.kind) for board in kit.boards] == [
        ("city-1", "city"), ("city-2", "city"), ("city-3", "city"), ("city-4", "city"), ("hq", "hq"),
    ]  # fmt: skip


def test_every_region_of_the_contract_is_there(kit: Layout) -> None:
    cells = {f"r{row}c{col}" for row in range(1, 9) for col in range(1, 13)}
    features = [f"row.{n}" for n in range(1, 9)] + [f"col.{letter}" for letter in "ABCDEFGHIJKL"]
    features += [f"district.{name}" for name in ("red", "blue", "green", "yellow", "purple")]
    values = {f"{feature}.{rank}" for feature in features for rank in ("high", "low")}
    others = {f"{name}.{n}" for name in ("drone", "bubble") for n in range(1, 6)}
    assert set(kit.board("city-3").regions) == cells | values | others
    assert set(kit.board("hq").regions) == {f"{name}.{n}" for name in ("section", "value") for n in range(1, 7)}


def test_markers_are_numbered_clockwise_from_the_top_left(kit: Layout) -> None:
    assert [list(board.markers) for board in kit.boards] == [
        [0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19],
    ]  # fmt: skip
    for board in kit.boards:
        centres = [(sum(x for x, _ in p) / 4, sum(y for _, y in p) / 4) for p in board.markers.values()]
        left, right = board.width_mm / 2, board.height_mm / 2
        assert [(x > left, y > right) for x, y in centres] == [(0, 0), (1, 0), (1, 1), (0, 1)]
        assert all(polygon[1][0] - polygon[0][0] == 25 for polygon in board.markers.values())


@pytest.mark.parametrize("side", ["A", "B"])
def test_regions_and_markers_lie_apart_inside_the_board(side: str) -> None:
    for board in kit_layout(resolve(EDITION, side)).boards:
        areas = {**board.regions, **{f"marker {n}": polygon for n, polygon in board.markers.items()}}
        for name, polygon in areas.items():
            assert all(0 < x < board.width_mm and 0 < y < board.height_mm for x, y in polygon), name
        for (name, one), (other, two) in combinations(areas.items(), 2):
            a, b = (np.array(polygon, np.float32) for polygon in (one, two))
            overlap, _ = cv2.intersectConvexConvex(a, b)
            assert overlap < 0.1, (name, other)


def test_the_printed_markers_are_where_the_layout_says(kit: Layout) -> None:
    for board in kit.boards:
        picture = grey_picture(kit, board.image)
        assert picture.shape == (round(board.height_mm * PX_PER_MM), round(board.width_mm * PX_PER_MM))
        found = detect_markers(picture, 49)
        assert sorted(marker.id for marker in found) == sorted(board.markers)
        for marker in found:
            expected = np.array(board.markers[marker.id]) * PX_PER_MM
            assert np.abs(marker.quad_px - expected).max() < 2.0


def test_the_layout_says_how_every_region_is_read(kit: Layout) -> None:
    city, hq = kit.board("city-2"), kit.board("hq")
    assert kit.game == "tag_city"
    assert set(city.read_by(INK)) == {region for region in city.regions if "." not in region}
    assert set(city.read_by(VALUE)) == {region for region in city.regions if "." in region}
    assert hq.read_by(DICE) == tuple(f"section.{n}" for n in range(1, 7))
    assert hq.drawn_regions == ()


@pytest.mark.parametrize(("name", "paper_mm"), PAPERS_MM.items())
def test_pages_show_the_boards_where_the_layout_says(kit: Layout, name: str, paper_mm: tuple[float, float]) -> None:
    cover, *others = pages_of(kit.folder / name)
    assert "House edition" in cover.words
    for page, board in zip(others, kit.boards, strict=False):
        assert page.size_mm == pytest.approx(paper_mm, abs=0.1)
        corner_mm = np.array([paper_mm[0] - board.width_mm, paper_mm[1] - board.height_mm]) / 2
        found = refine_markers(page.grey, detect_markers(page.grey, 49))
        assert sorted(marker.id for marker in found) == sorted(board.markers)
        for marker in found:
            seen_mm = (marker.quad_px + 0.5) / printed.PX_PER_MM - corner_mm
            assert np.abs(seen_mm - np.array(board.markers[marker.id])).max() < 0.15
    tokens, stickers = others[len(kit.boards) :]
    assert all(shape in tokens.words for shape in EDITION["shapes"])
    assert sorted(marker.id for marker in detect_markers(stickers.grey, 49)) == list(range(20))


def test_a_page_is_drawn_as_the_picture_of_its_board_is(kit: Layout) -> None:
    board, page = kit.board("city-1"), pages_of(kit.folder / "kit.pdf")[1]
    left, top = (297 - board.width_mm) / 2, (210 - board.height_mm) / 2
    size = round(board.width_mm * printed.PX_PER_MM), round(board.height_mm * printed.PX_PER_MM)
    drawn = cv2.resize(grey_picture(kit, board.image), size, interpolation=cv2.INTER_AREA)
    shown = page.grey[round(top * printed.PX_PER_MM) :, round(left * printed.PX_PER_MM) :][: size[1], : size[0]]
    soft = [cv2.GaussianBlur(np.asarray(each, np.float32), (0, 0), 4) for each in (shown, drawn)]
    assert np.corrcoef(soft[0].ravel(), soft[1].ravel())[0, 1] > 0.99


def test_districts_are_told_apart_by_pattern_without_colour(kit: Layout) -> None:
    """In grey, every two districts differ in level or in how their squares are filled."""
    picture = grey_picture(kit, "city-1.png")
    squares = {}
    for row, letters in enumerate(EDITION["city"]["cells"], 1):
        for col, letter in enumerate(letters, 1):
            (x, y), _, (right, bottom), _ = kit.board("city-1").regions[f"r{row}c{col}"]
            inner = [round((v + d) * PX_PER_MM) for v, d in ((y, 1), (bottom, -1), (x, 1), (right, -1))]
            squares[letter] = picture[inner[0] : inner[1], inner[2] : inner[3]][:140, :140].astype(float)
    for one, two in combinations(squares.values(), 2):
        assert np.abs(one - two).mean() > 3


def test_boards_are_light_enough_for_ink(kit: Layout) -> None:
    picture = grey_picture(kit, "city-1.png")
    for region, ((x, y), _, (right, bottom), _) in kit.board("city-1").regions.items():
        inner = [round(v * PX_PER_MM) for v in (y + 1, bottom - 1, x + 1, right - 1)]
        assert np.median(picture[inner[0] : inner[1], inner[2] : inner[3]]) > 190, region


def test_a_city_of_another_size_fits_too(tmp_path: Path) -> None:
    write_kit(kit_of(tiny()), tmp_path)
    layout = load_layout(tmp_path)
    assert {"r4c4", "district.green.low", "drone.3", "bubble.3"} <= set(layout.board("city-1").regions)
    assert json.loads((tmp_path / "layout.json").read_text())["profile"] == "Tiny city"


def test_the_command_writes_a_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", str(tmp_path / "mine"), "--side", "B"]) == 0
    assert "print kit.pdf" in capsys.readouterr().out
    assert load_layout(tmp_path / "mine").profile == "House edition"


def test_a_place_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "/dev/null/kit"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
