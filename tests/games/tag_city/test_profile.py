"""Profiles: the house edition is whole, the template asks for everything, every slip is named."""

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.engine.contract import BadData, Problem, Setup
from pi_app.games.tag_city import TagCity
from pi_app.games.tag_city.edition.check import check_profile
from pi_app.games.tag_city.edition.profile import HOUSE, draw_sections, resolve
from pi_app.games.tag_city.rules.shapes import orientations_of
from tests.games.tag_city.measured import geometry
from tests.profiles import altered, any_json, load_profile, read_profile

TEMPLATE = HOUSE.with_name("retail-template.toml")
GOOD = read_profile(HOUSE)


def changed(*path_and_value: Any) -> dict[str, Any]:
    """The house edition with one thing changed, or taken out."""
    return altered(GOOD, *path_and_value)


def told(data: Any, warning: bool = False) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in check_profile(data) if problem.warning is warning]


# --- the house edition ------------------------------------------------------------------------


def test_the_house_edition_has_no_problem_and_departs_nowhere_from_what_is_known() -> None:
    assert check_profile(GOOD) == []


def test_the_house_edition_says_that_it_is_invented() -> None:
    assert GOOD["source"] == "invented"


def test_the_house_edition_has_eleven_large_and_three_small_shapes_all_different() -> None:
    shapes = GOOD["shapes"]
    assert sum(not shape["small"] for shape in shapes.values()) == 11
    assert sum(shape["small"] for shape in shapes.values()) == 3
    assert len({frozenset(orientations_of(shape["cells"])) for shape in shapes.values()}) == 14


def pieces(cells: list[str]) -> int:
    """Into how many connected pieces the districts of a map fall."""
    seen: set[tuple[int, int]] = set()
    count = 0
    for start in ((r, c) for r, row in enumerate(cells) for c, letter in enumerate(row) if letter != "."):
        edge = [start]
        count += start not in seen
        while edge:
            r, c = edge.pop()
            if (r, c) not in seen and cells[r][c] == cells[start[0]][start[1]]:
                seen.add((r, c))
                near = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
                edge += [(y, x) for y, x in near if 0 <= y < len(cells) and 0 <= x < len(cells[0])]
    return count


def test_side_b_is_the_harder_map() -> None:
    assert pieces(GOOD["city"]["cells"]) == 5
    assert pieces(GOOD["city_b"]["cells"]) > 10


def test_resolving_picks_the_side_and_the_shapes() -> None:
    profile = resolve(GOOD, "B", ["wave", "square", "key", "crown", "bolt", "hook"])
    assert "city_b" not in profile
    assert profile["city"] == GOOD["city_b"]
    assert profile["hq"]["sections"][1] == "square"
    assert check_profile(profile) == []
    assert GOOD["hq"]["sections"][1] != "square", "the edition itself is not touched"


def test_a_game_needs_one_side_to_be_chosen() -> None:
    with pytest.raises(BadData, match="side_not_chosen"):
        TagCity.start(Setup(GOOD, {"city_side": "B"}, ("Ada", "Bob")))


def test_an_edition_with_one_side_says_so() -> None:
    with pytest.raises(BadData, match="no_side_b"):
        resolve(changed("city_b", KeyError), "B")


def test_drawn_sections_are_six_different_large_shapes() -> None:
    for seed in range(20):
        sections = draw_sections(GOOD, random.Random(seed))
        assert len(set(sections)) == 6
        assert not any(GOOD["shapes"][shape]["small"] for shape in sections)


# --- the template -----------------------------------------------------------------------------


def blanks(data: Any) -> int:
    if isinstance(data, dict):
        return sum(blanks(value) for value in data.values())
    if isinstance(data, list):
        return sum(blanks(value) for value in data)
    return int(data == "")


def test_every_blank_of_the_template_is_an_error_naming_it() -> None:
    problems = check_profile(read_profile(TEMPLATE))
    assert {problem.code for problem in problems} == {"blank"}
    # The two sections of a die face are reported together.
    assert len(problems) == blanks(tomllib.loads(TEMPLATE.read_text())) - 6
    assert len({problem.where for problem in problems}) == len(problems)


def test_the_template_filled_in_is_a_good_profile(tmp_path: Path) -> None:
    """Fills the blanks one after the other with what the house edition has in their place."""
    city, hq = GOOD["city"], GOOD["hq"]
    pairs = [*city["row_values"], *city["col_values"]]
    values = [
        "Mine",
        "measured",
        *city["cells"],
        *[v for pair in pairs for v in pair],
        *city["drone"],
        *city["bubbles"],
    ]
    values += [d[key] for d in city["districts"].values() for key in ("name", "high", "low")]
    large = [s for s, shape in GOOD["shapes"].items() if not shape["small"]]
    small = [s for s, shape in GOOD["shapes"].items() if shape["small"]]
    names = {shape: f"large-{i}" for i, shape in enumerate(large, 1)}
    names |= {shape: f"small-{i}" for i, shape in enumerate(small, 1)}
    values += [names[s] for s in (*hq["sections"], *hq["small"])]
    values += [section for pair in hq["values"].values() for section in pair]
    text = TEMPLATE.read_text()
    for old, new in zip("VWXYZ", city["districts"], strict=True):
        text = text.replace(f"[city.districts.{old}]", f"[city.districts.{new}]")
    lines = []
    for line in text.splitlines():
        code, sign, comment = line.partition("#")
        while '""' in code and "drawing" not in code:
            value = values.pop(0)
            code = code.replace('""', f'"{value}"' if isinstance(value, str) else str(value), 1)
        lines.append(code + sign + comment)
    text = "\n".join(lines)
    for shape in (*large, *small):
        rows = [["."] * 4 for _ in range(4)]
        for row, col in GOOD["shapes"][shape]["cells"]:
            rows[row][col] = "#"
        drawn = ", ".join(f'"{"".join(row)}"' for row in rows)
        text = text.replace('drawing = [""]', f"drawing = [{drawn}]", 1)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert values == []
    assert check_profile(load_profile(path)) == []


# --- every slip -------------------------------------------------------------------------------

SLIPS: list[tuple[dict[str, Any], str, str]] = [
    (changed("name", KeyError), "name", "missing"),
    (changed("name", ""), "name", "blank"),
    (changed("name", 7), "name", "not_text"),
    (changed("source", "guessed"), "source", "not_allowed"),
    (changed("colour", "red"), "colour", "unknown_key"),
    (changed("city", "parks", 3), "city.parks", "unknown_key"),
    (changed("city", []), "city", "not_a_table"),
    (changed("city", "rows", "8"), "city.rows", "not_a_number"),
    (changed("city", "rows", 99), "city.rows", "out_of_range"),
    (changed("city", "rows", 7), "city.cells", "wrong_count"),
    (changed("city", "cells", 2, "RRRRBBBBBGG"), "city.cells row 3", "row_length"),
    (changed("city", "cells", 2, 5), "city.cells row 3", "not_text"),
    (changed("city", "cells", "R"), "city.cells", "not_a_list"),
    (changed("city", "cells", 0, "RRRRRBBBBBGX"), "city.cells", "letter_without_district"),
    (changed("city", "cells", 0, "RRRRRBBBBBG?"), "city.cells", "squares_unpainted"),
    (
        changed("city", "districts", "Q", {"name": "grey", "high": 3, "low": 1}),
        "city.districts.Q",
        "district_without_squares",
    ),
    (changed("city", "districts", "QQ", {"name": "grey", "high": 3, "low": 1}), "city.districts.QQ", "district_letter"),
    (changed("city", "districts", "R", "name", "blue"), "city.districts", "district_name_twice"),
    (changed("city", "districts", "R", "name", "Hot Pink"), "city.districts.R.name", "not_an_id"),
    (changed("city", "districts", "R", "high", KeyError), "city.districts.R.high", "missing"),
    (changed("city", "districts", "R", 4), "city.districts.R", "not_a_table"),
    (changed("city", "districts", 4), "city.districts", "not_a_table"),
    (changed("city", "row_values", 4, [3, 8]), "city.row_values 5", "high_not_above_low"),
    (changed("city", "row_values", 4, [3]), "city.row_values 5", "not_a_pair"),
    (changed("city", "col_values", 2, [7.5, 3]), "city.col_values C high", "not_a_number"),
    (changed("city", "col_values", [[7, 3]]), "city.col_values", "wrong_count"),
    (changed("city", "drone", 1, 2), "city.drone 2", "cost_not_negative"),
    (changed("city", "drone", 1, 0), "city.drone 2", "cost_not_negative"),
    (changed("city", "drone", []), "city.drone", "wrong_count"),
    (changed("city", "drone", -1), "city.drone", "not_a_list"),
    (changed("city", "bubbles", 4, 1), "city.bubbles 5", "cost_not_negative"),
    (changed("city_b", "bubbles", 4, True), "city_b.bubbles 5", "not_a_number"),
    (changed("shapes", "wave", "cells", [[0, 0], [0, 1], [1, 0], [1, 1]]), "shapes.square", "same_shape"),
    (
        changed("shapes", "hook", "cells", [[3, 0], [0, 1], [1, 1], [2, 1], [3, 1], [0, 0]]),
        "shapes.bridge",
        "same_shape",
    ),
    (changed("shapes", "wave", "cells", [[0, 0], [0, 0]]), "shapes.wave.cells", "square_listed_twice"),
    (changed("shapes", "wave", "cells", [[0]]), "shapes.wave.cells", "not_squares"),
    (changed("shapes", "wave", "cells", [[0, -1]]), "shapes.wave.cells", "not_squares"),
    (changed("shapes", "wave", "cells", [[0, i] for i in range(13)]), "shapes.wave.cells", "shape_too_large"),
    (changed("shapes", "wave", "cells", [[i, i] for i in range(9)]), "shapes.wave", "shape_does_not_fit"),
    (changed("shapes", "wave", "small", "no"), "shapes.wave.small", "not_true_or_false"),
    (changed("shapes", "wave", []), "shapes.wave", "not_a_table"),
    (changed("shapes", "Big One", GOOD["shapes"]["wave"]), "shapes.Big One", "not_an_id"),
    (changed("shapes", 3), "shapes", "not_a_table"),
    (changed("hq", 3), "hq", "not_a_table"),
    (changed("hq", "sections", ["key"] * 6), "hq.sections", "shape_used_twice"),
    (changed("hq", "sections", ["key", "bolt"]), "hq.sections", "wrong_count"),
    (changed("hq", "sections", 0, "dot"), "hq.sections 1", "must_be_large"),
    (changed("hq", "sections", 0, "zigzag"), "hq.sections 1", "no_such_shape"),
    (changed("hq", "sections", "key"), "hq.sections", "not_a_list"),
    (changed("hq", "small", 0, "key"), "hq.small 1", "must_be_small"),
    (changed("hq", "values", "3", [3, 5]), "hq.values.3", "not_neighbours"),
    (changed("hq", "values", "3", [3, 7]), "hq.values.3", "not_two_sections"),
    (changed("hq", "values", "3", [3]), "hq.values.3", "not_two_sections"),
    (changed("hq", "values", "3", KeyError), "hq.values.3", "missing"),
    (changed("hq", "values", "7", [1, 2]), "hq.values.7", "unknown_key"),
    (changed("hq", "values", "3", [1, 2]), "hq.values", "section_touched"),
    (changed("hq", "values", "3", [2, 1]), "hq.values.3", "same_gap"),
    (changed("hq", "values", "3", None), "hq.values.3", "not_two_sections"),
    (changed("hq", "values", 3), "hq.values", "not_a_table"),
    (changed("geometry", 3), "geometry", "not_a_table"),
    (changed("geometry", geometry("hq", KeyError)), "geometry.hq", "missing"),
    (changed("geometry", geometry("table", {})), "geometry.table", "unknown_key"),
    ({**changed("city_b", KeyError), "geometry": geometry("city_b", {})}, "geometry.city_b", "no_side_b"),
    (changed("geometry", geometry("city", 3)), "geometry.city", "not_a_table"),
    (changed("geometry", geometry("city", "squares", [])), "geometry.city.squares", "unknown_key"),
    (changed("geometry", geometry("hq", "grid", [])), "geometry.hq.grid", "unknown_key"),
    (changed("geometry", geometry("city", "width_mm", KeyError)), "geometry.city.width_mm", "missing"),
    (changed("geometry", geometry("city", "width_mm", "")), "geometry.city.width_mm", "blank"),
    (changed("geometry", geometry("city", "width_mm", True)), "geometry.city.width_mm", "not_a_length"),
    (changed("geometry", geometry("city", "width_mm", float("nan"))), "geometry.city.width_mm", "out_of_range"),
    (changed("geometry", geometry("city", "height_mm", 2000)), "geometry.city.height_mm", "out_of_range"),
    (changed("geometry", geometry("city", "series", [])), "geometry.city.series", "not_a_table"),
    (changed("geometry", geometry("hq", "regions", [])), "geometry.hq.regions", "not_a_table"),
    (changed("geometry", geometry("hq", "markers", KeyError)), "geometry.hq.markers", "missing"),
    (changed("geometry", geometry("hq", "markers", 5)), "geometry.hq.markers", "not_a_list"),
    (changed("geometry", geometry("hq", "markers", [[5, 5]])), "geometry.hq.markers", "wrong_count"),
    (changed("geometry", geometry("city", "grid", KeyError)), "geometry.city", "geometry_missing"),
    (changed("geometry", geometry("hq", "regions", "value", "6", KeyError)), "geometry.hq", "geometry_missing"),
    (changed("geometry", geometry("city", "regions", "r9c1", [[1, 1], [9, 9]])), "geometry.city", "geometry_unknown"),
    (changed("geometry", geometry("city", "series", "district", [])), "geometry.city", "geometry_unknown"),
    (changed("geometry", geometry("city", "grid", [[50, 40]])), "geometry.city", "geometry_unclear"),
    (changed("geometry", geometry("city", "markers", 2, [170])), "geometry.city", "geometry_unclear"),
    (
        changed("geometry", geometry("city", "grid", [[50, 40], [50, 160], [230, 40], [230, 160]])),
        "geometry.city",
        "geometry_turned",
    ),
    (changed("geometry", geometry("city", "markers", 1, [270, 5])), "geometry.city", "geometry_outside"),
    (
        changed("geometry", geometry("city", "regions", "r1c1", [[50, 40], [51, 55]])),
        "geometry.city",
        "geometry_tiny",
    ),
    (changed("geometry", geometry("city", "markers", 0, [30, 20])), "geometry.city", "geometry_overlap"),
    (
        changed("geometry", geometry("hq", "markers", [[5, 5], [170, 5], [5, 170], [170, 170]])),
        "geometry.hq.markers",
        "geometry_marker_order",
    ),
]

WARNINGS: list[tuple[dict[str, Any], str, str]] = [
    (changed("city", "rows", 7), "city.rows", "retail_rows"),
    (changed("city", "cols", 11), "city.cols", "retail_cols"),
    (changed("city", "districts", "Q", {"name": "grey", "high": 3, "low": 1}), "city.districts", "retail_districts"),
    (changed("city", "drone", [-1, -2]), "city.drone", "retail_drone"),
    (changed("city", "drone", [-1, -2, -2, -3, -4]), "city.drone", "drone_not_rising"),
    (changed("city", "bubbles", [-1, -2]), "city.bubbles", "retail_bubbles"),
    (changed("shapes", "corner", KeyError), "shapes", "retail_large"),
    (changed("shapes", "corner", "small", True), "shapes", "retail_small"),
    (changed("shapes", "wave", "cells", [[0, 0], [1, 1], [2, 2]]), "shapes.wave", "shape_in_pieces"),
]


@pytest.mark.parametrize(("data", "where", "code"), SLIPS, ids=[f"{where}-{code}" for _, where, code in SLIPS])
def test_a_slip_is_an_error_with_its_place(data: dict[str, Any], where: str, code: str) -> None:
    assert (where, code) in told(data)


@pytest.mark.parametrize(("data", "where", "code"), WARNINGS, ids=[code for _, _, code in WARNINGS])
def test_a_departure_from_the_retail_edition_is_a_warning(data: dict[str, Any], where: str, code: str) -> None:
    assert (where, code) in told(data, warning=True)


def test_every_problem_that_the_check_knows_is_tried_here() -> None:
    folder = Path(check_profile.__code__.co_filename).parent
    source = "".join((folder / name).read_text() for name in ("check.py", "geometry.py"))
    codes = set(re.findall(r'Problem\([^"]*?(?:f?"[^"]*", )?"([a-z_]+)"', source)) | {"must_be_small", "must_be_large"}
    tried = {code for _, _, code in (*SLIPS, *WARNINGS)} | {"blank"}
    assert codes - tried == set()


def test_all_problems_are_reported_at_once() -> None:
    data = changed("city", "drone", [1, -2, 3, -4, -5])
    data["hq"]["sections"][0] = "zigzag"
    del data["name"]
    assert told(data) == [
        ("name", "missing"),
        ("city.drone 1", "cost_not_negative"),
        ("city.drone 3", "cost_not_negative"),
        ("hq.sections 1", "no_such_shape"),
    ]


@pytest.mark.parametrize(
    ("content", "code"), [("= 3", "file_not_toml"), ("\0", "file_not_toml"), ("name = 3", None), ("", None)]
)
def test_a_file_that_is_no_profile_is_refused_in_words(tmp_path: Path, content: str, code: str | None) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(content)
    with pytest.raises(BadData) as refused:
        load_profile(path)
    codes = {problem.code for problem in refused.value.problems}
    assert codes == ({code} if code else codes)


PLACES: list[tuple[Any, ...]] = [
    ("name",), ("city",), ("city", "cells"), ("city", "cells", 0), ("city", "districts"), ("city", "districts", "R"),
    ("city", "row_values"), ("city", "row_values", 0), ("city", "drone"), ("city", "bubbles", 0), ("hq",),
    ("hq", "sections"), ("hq", "sections", 0), ("hq", "values"), ("hq", "values", "1"), ("hq", "small"), ("shapes",),
    ("shapes", "wave"), ("shapes", "wave", "cells"), ("shapes", "wave", "cells", 0), ("city", "rows"), ("city", "cols"),
    ("geometry",),
]  # fmt: skip
GEOMETRY_PLACES: list[tuple[Any, ...]] = [
    ("city",), ("hq",), ("city", "width_mm"), ("city", "grid"), ("city", "grid", 0), ("city", "markers"),
    ("city", "markers", 0), ("city", "series"), ("city", "series", "row"), ("city", "series", "drone"),
    ("city", "regions"), ("city", "regions", "r1c1"), ("hq", "regions", "section"), ("hq", "regions", "section", "1"),
]  # fmt: skip


@given(st.sampled_from(PLACES), any_json)
def test_no_content_crashes_the_check(place: tuple[Any, ...], value: Any) -> None:
    for problem in check_profile(changed(*place, value)):
        assert isinstance(problem, Problem)
    check_profile(value)


@given(st.sampled_from(GEOMETRY_PLACES), any_json)
def test_no_geometry_crashes_the_check(place: tuple[Any, ...], value: Any) -> None:
    for problem in check_profile(changed("geometry", geometry(*place, value))):
        assert isinstance(problem, Problem)
