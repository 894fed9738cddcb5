"""The measured geometry of a profile: short forms become areas, every slip is told in one line of its kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from pi_app.__main__ import main
from pi_app.engine.contract import BadData, Setup
from pi_app.games.tag_city import TagCity
from pi_app.games.tag_city.edition.check import check_profile
from pi_app.games.tag_city.edition.geometry import region_ids
from pi_app.games.tag_city.edition.profile import HOUSE, measured_boards, resolve
from pi_app.simulation.simulate import Plan, play_one
from pi_app.storage.gamefile import check_game_file, game_file
from tests.games.tag_city.measured import EXAMPLE, example_text, geometry, measured_house
from tests.playing import TAG_CITY
from tests.profiles import load_profile, read_profile
from web.text import LANGUAGES, Text

SQUARE_HERE = [[50, 40], [65, 40], [65, 55], [50, 55]]


def city(*path_and_value: Any) -> dict[str, Any]:
    boards = measured_boards(measured_house(*path_and_value))
    assert boards is not None
    return boards["city"]


def told(*path_and_value: Any) -> dict[str, list[str]]:
    """The names that each kind of problem lists."""
    problems = check_profile(measured_house(*path_and_value))
    assert len({(problem.where, problem.code) for problem in problems}) == len(problems), "one line for each kind"
    return {problem.code: problem.facts.get("names", []) for problem in problems}


def near(area: Any, corners: Any) -> bool:
    return all(point == pytest.approx(corner, abs=0.01) for point, corner in zip(area, corners, strict=True))


# --- what may be entered ----------------------------------------------------------------------


def test_the_example_of_the_template_is_good_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HOUSE.read_text(encoding="utf-8") + example_text(), encoding="utf-8")
    assert check_profile(load_profile(path)) == []


def test_an_edition_without_geometry_has_no_measured_boards() -> None:
    assert measured_boards(read_profile(HOUSE)) is None


def test_every_region_gets_an_area_and_every_sticker() -> None:
    boards = measured_boards(measured_house())
    assert boards is not None
    assert list(boards["city"]["regions"]) == region_ids(read_profile(HOUSE)["city"])
    assert list(boards["hq"]["regions"]) == [f"{name}.{n}" for name in ("section", "value") for n in range(1, 7)]
    assert len(boards["city"]["markers"]) == len(boards["hq"]["markers"]) == 4


def test_a_skewed_grid_is_divided_evenly() -> None:
    regions = city("city", "grid", [[50, 40], [230, 44], [227, 164], [47, 160]])["regions"]
    assert near(regions["r1c1"], [[50, 40], [65, 40.33], [64.62, 55.33], [49.62, 55]])
    assert near(regions["r8c12"], [[212.38, 148.67], [227.38, 149], [227, 164], [212, 163.67]])


def test_a_single_square_may_lie_elsewhere_than_the_grid_says() -> None:
    regions = city("city", "regions", "r3c7", [[141, 71], [153, 83]])["regions"]
    assert near(regions["r3c7"], [[141, 71], [153, 71], [153, 83], [141, 83]])
    assert near(regions["r3c8"], city()["regions"]["r3c8"])


def test_evenly_spaced_boxes_are_given_by_the_first_and_the_last() -> None:
    regions = city("city", "series", "drone", [[[50, 40], [55, 45]], [[54, 80], [59, 85]]])["regions"]
    assert near(regions["drone.1"], [[50, 40], [55, 40], [55, 45], [50, 45]])
    assert near(regions["drone.3"], [[52, 60], [57, 60], [57, 65], [52, 65]])
    assert near(regions["drone.5"], [[54, 80], [59, 80], [59, 85], [54, 85]])
    assert near(regions["col.B.low"], [[67, 22], [78, 22], [78, 33], [67, 33]])


def test_a_single_box_may_lie_elsewhere_than_its_series_says() -> None:
    regions = city("city", "regions", "drone", {"2": [[10, 66], [25, 81]]})["regions"]
    assert near(regions["drone.2"], [[10, 66], [25, 66], [25, 81], [10, 81]])


def test_names_with_dots_may_stand_in_quotes_or_not() -> None:
    regions = geometry()["city"]["regions"]
    regions["district.red.high"] = regions["district"]["red"].pop("high")
    assert city("city", "regions", regions) == city()


def test_a_straight_sticker_is_its_top_left_corner_and_an_askew_one_its_four() -> None:
    askew = [[6, 5], [31, 6], [30, 31], [5, 30]]
    markers = city("city", "markers", 0, askew)["markers"]
    assert near(markers[0], askew)
    assert near(markers[1], [[250, 5], [275, 5], [275, 30], [250, 30]])


# --- side B -----------------------------------------------------------------------------------


def test_side_b_has_its_own_print_and_stickers() -> None:
    boards = measured_boards(measured_house("city_b", {**EXAMPLE["city"], "width_mm": 282}), "B")
    assert boards is not None
    assert boards["city"]["width_mm"] == 282


def test_side_b_that_was_not_measured_is_refused() -> None:
    assert check_profile(measured_house()) == [], "who plays side A only need not measure side B"
    with pytest.raises(BadData, match="side_not_measured"):
        measured_boards(measured_house(), "B")


# --- slips ------------------------------------------------------------------------------------


def test_missing_regions_are_one_line() -> None:
    names = told("city", "grid", KeyError)["geometry_missing"]
    assert names == ["r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r1c6", "…"]
    assert told("hq", "regions", {}) == {"geometry_missing": [*(f"section.{n}" for n in range(1, 7)), "…"]}


def test_unknown_regions_are_one_line() -> None:
    extra = {**EXAMPLE["city"]["regions"], "r9c1": [[1, 1], [9, 9]], "park": 3}
    assert told("city", "regions", extra) == {"geometry_unknown": ["r9c1", "park"]}


@pytest.mark.parametrize(
    "wrong",
    [3, "", [], [1, 2, 3, 4], [[1, 2]], [[1, 2], [3, 4], [5, 6]], [[1, 2], [3, "4"]], [[1, 2], [3, True]],
     [[9, 9], [1, 1]], [[9, 1], [1, 9]], [[1, 1], [float("nan"), 9]], [[1, 1], [float("inf"), 9]],
     [[1, 1], [10**400, 9]], [[1, 1], [9, 9, 9]]],
    ids=str,
)  # fmt: skip
def test_what_is_no_area_is_told_once_and_not_as_missing(wrong: Any) -> None:
    assert told("city", "regions", "district", "red", "low", wrong) == {"geometry_unclear": ["district.red.low"]}


@pytest.mark.parametrize(
    "order", [(0, 3, 2, 1), (0, 2, 1, 3), (0, 1, 3, 2)], ids=["anticlockwise", "crossed", "crossed below"]
)
def test_corners_out_of_order_are_told(order: tuple[int, ...]) -> None:
    wrong = [SQUARE_HERE[n] for n in order]
    assert told("city", "regions", "r1c1", wrong) == {"geometry_turned": ["r1c1"]}


def test_an_area_with_a_dent_is_told() -> None:
    assert "geometry_turned" in told("city", "regions", "r1c1", [[50, 40], [65, 40], [54, 44], [50, 55]])


def test_a_series_whose_ends_are_turned_against_each_other_is_told() -> None:
    turned = [[27, 155], [12, 155], [12, 140], [27, 140]]
    assert told("city", "series", "drone", [[[12, 45], [27, 60]], turned])["geometry_turned"] == ["drone.3"]


def test_a_grid_that_begins_at_another_corner_is_told() -> None:
    assert told("city", "grid", [[230, 40], [230, 160], [50, 160], [50, 40]]) == {"geometry_turned": ["grid"]}


def test_areas_and_stickers_outside_the_board_are_told() -> None:
    assert told("city", "markers", 2, [260, 170]) == {"geometry_outside": ["marker 3"]}
    assert told("city", "width_mm", 275.5) == {"geometry_outside": [f"bubble.{n}" for n in range(1, 6)]}


def test_an_area_up_to_the_edge_is_inside() -> None:
    assert told("city", "width_mm", 276) == {}


def test_tiny_areas_and_stickers_are_told() -> None:
    assert told("hq", "regions", "value", "1", [[130, 32], [132, 44]]) == {"geometry_tiny": ["value.1"]}
    assert told("hq", "markers", 0, [[5, 5], [13, 13]]) == {"geometry_tiny": ["marker 1"]}


def test_a_sticker_over_print_or_another_sticker_is_told() -> None:
    assert told("city", "markers", 3, [12, 140]) == {"geometry_overlap": ["drone.5 / marker 4"]}
    assert told("hq", "markers", 1, [10, 5])["geometry_overlap"] == ["marker 1 / marker 2"]


def test_a_region_entered_at_the_place_of_another_is_told() -> None:
    assert told("city", "regions", "r2c2", SQUARE_HERE) == {"geometry_overlap": ["r1c1 / r2c2"]}


def test_neighbours_may_overlap_as_much_as_a_ruler_errs() -> None:
    assert told("city", "regions", "r2c2", [[64, 54], [81, 71]]) == {}


def test_a_die_face_may_lie_across_sections() -> None:
    assert told("hq", "regions", "value", "1", [[124, 36], [136, 48]]) == {}


def test_stickers_out_of_order_are_told() -> None:
    assert "geometry_marker_order" in told("hq", "markers", [[170, 5], [170, 170], [5, 170], [5, 5]])


def test_geometry_waits_for_its_city_to_be_right() -> None:
    edition = measured_house()
    edition["city"] = {**edition["city"], "rows": "eight"}
    assert [(p.where, p.code) for p in check_profile(edition)] == [("city.rows", "not_a_number")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_can_be_said(language: str) -> None:
    text = Text(language, (), TAG_CITY.folder)
    for problem in check_profile(measured_house("city", "grid", KeyError)):
        assert "r1c6, …" in text(f"problem.{problem.code}", problem.facts)


def test_the_command_tells_slips_in_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(measured_house("city", "grid", KeyError)), encoding="utf-8")
    assert main(["profile", "check", str(path)]) == 2
    told = capsys.readouterr()
    names = "r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, …"
    assert told.out == f"error: geometry.city: regions that have no place yet (96): {names}\n"
    assert told.err.count("\n") == 1


# --- games never see it -----------------------------------------------------------------------


def test_resolving_leaves_the_geometry_out() -> None:
    assert resolve(measured_house()) == resolve(read_profile(HOUSE))
    assert resolve(measured_house(), "B") == resolve(read_profile(HOUSE), "B")


def test_a_game_file_of_a_measured_edition_has_no_geometry() -> None:
    options = {"city_side": "A", "hq_side": "A", "equal_dice": True, "drone_order": "printed"}
    written = game_file(play_one(Plan("tag_city", measured_house(), ("random", "random"), 1, options), 0))
    assert set(written["profile"]) == {"name", "source", "city", "hq", "shapes"}
    assert written == game_file(play_one(Plan("tag_city", read_profile(HOUSE), ("random", "random"), 1, options), 0))
    assert game_file(check_game_file(json.loads(json.dumps(written)))) == written


def test_a_game_with_geometry_is_refused() -> None:
    edition = measured_house()
    profile = {**resolve(edition), "geometry": edition["geometry"]}
    with pytest.raises(BadData, match="geometry_in_game"):
        TagCity.start(Setup(profile, {}, ("Ada", "Bob")))
