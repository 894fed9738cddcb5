"""The kit: what is printed is what the layout says, at true scale on both papers."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import PIL.Image
import pytest

from pi_app.__main__ import main
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.games.tag_city.helpers import tiny
from tests.profiles import load_profile
from vision.kit.pages import pages
from vision.kit.places import kit_layout
from vision.kit.sheet import PX_PER_MM
from vision.kit.write import FILES, PAPERS_MM, write_kit
from vision.layout import Layout, load_layout
from vision.markers import Image, detect_markers

EDITION = load_profile(HOUSE)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder = tmp_path_factory.mktemp("kit")
    write_kit(resolve(EDITION), folder)
    return load_layout(folder)


def grey_picture(kit: Layout, name: str) -> Image:
    return cast(Image, cv2.imread(str(kit.folder / name), cv2.IMREAD_GRAYSCALE))


def test_a_kit_is_complete(kit: Layout) -> None:
    assert {path.name for path in kit.folder.iterdir()} == set(FILES)
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
    for board in kit_layout(resolve(EDITION, side), Path()).boards:
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


def test_the_papers_are_true_to_scale(kit: Layout) -> None:
    for name, inches in (("kit.pdf", (297 / 25.4, 210 / 25.4)), ("kit-letter.pdf", (11, 8.5))):
        boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", (kit.folder / name).read_bytes())
        assert len(boxes) == 8
        for width, height in boxes:
            assert (float(width) / 72, float(height) / 72) == pytest.approx(inches, abs=0.005)


def test_the_ruler_is_100_mm_long() -> None:
    profile = resolve(EDITION)
    layout = kit_layout(profile, Path())
    blank = {board.id: PIL.Image.new("RGB", (9, 9)) for board in layout.boards}
    cover = np.asarray(pages(layout, profile, blank, (297.0, 210.0))[0].convert("L"))
    dark = np.flatnonzero(cover[round(174 * PX_PER_MM)] < 128)
    assert (dark[-1] - dark[0]) / PX_PER_MM == pytest.approx(100, abs=0.3)


@pytest.mark.parametrize("paper_mm", PAPERS_MM.values(), ids=PAPERS_MM)
def test_nothing_lies_in_the_margin_that_printers_cut(paper_mm: tuple[float, float]) -> None:
    profile = resolve(EDITION)
    layout = kit_layout(profile, Path())
    blank = {board.id: PIL.Image.new("RGB", (9, 9), "white") for board in layout.boards}
    for number, page in enumerate(pages(layout, profile, blank, paper_mm), 1):
        dark = np.asarray(page.convert("L")) < 250
        edge = round(5 * PX_PER_MM)
        assert not dark[:, :edge].any(), number
        assert not dark[:, -edge:].any(), number
        assert not dark[:edge].any(), number
        assert not dark[-edge:].any(), number


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
    layout = write_kit(tiny(), tmp_path)
    assert {"r4c4", "district.green.low", "drone.3", "bubble.3"} <= set(layout.board("city-1").regions)
    assert json.loads((tmp_path / "layout.json").read_text())["profile"] == "Tiny city"


def test_the_command_writes_a_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", str(tmp_path / "mine"), "--side", "B"]) == 0
    assert "print kit.pdf" in capsys.readouterr().out
    assert load_layout(tmp_path / "mine").profile == "House edition"


def test_a_place_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "/dev/null/kit"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
