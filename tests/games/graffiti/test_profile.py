"""Profiles: the house edition is whole, the template asks for everything, every slip is named."""

import random
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.engine.contract import Problem
from pi_app.games import profile_files
from pi_app.games.graffiti.edition.check import check_profile
from pi_app.games.graffiti.edition.profile import HOUSE, TEMPLATE, GraffitiEdition
from tests.profiles import altered, any_json

GOOD = profile_files.read_profile(GraffitiEdition(), HOUSE)


def changed(*path_and_value: Any) -> dict[str, Any]:
    """The house edition with one thing changed, or taken out."""
    return altered(GOOD, *path_and_value)


def told(data: Any, warning: bool = False) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in check_profile(data) if problem.warning is warning]


# --- the house edition ------------------------------------------------------------------------


def test_the_house_edition_has_no_problem_and_departs_nowhere_from_what_is_known() -> None:
    assert check_profile(GOOD) == []
    assert check_profile({**GOOD, "source": "measured"}) == []


def test_the_house_edition_says_that_it_is_invented() -> None:
    assert GOOD["source"] == "invented"


def test_the_parts_of_the_house_edition_are_worth_what_their_colours_say() -> None:
    parts = [(len(parts), part) for parts in GOOD["graffiti"].values() for part in parts]
    worth = {"R": 3, "Y": 3, "B": 3, "G": 4, "K": 4}
    assert [part["points"] for _, part in parts] == [
        sum(worth[colour] for colour in part["cost"]) + (size == 2) for size, part in parts
    ]
    asked = Counter(colour for _, part in parts for colour in part["cost"])
    assert (len(parts), sum(part["points"] for _, part in parts)) == (31, 288)
    assert asked == {"R": 18, "Y": 18, "B": 18, "G": 16, "K": 14}


def test_a_game_is_played_without_geometry() -> None:
    edition = GraffitiEdition()
    assert edition.resolve({**GOOD, "geometry": {}}, {}, random.Random(1)) == GOOD


# --- the template -----------------------------------------------------------------------------


def blanks(data: Any) -> int:
    if isinstance(data, dict):
        return sum(blanks(value) for value in data.values())
    if isinstance(data, list):
        return sum(blanks(value) for value in data)
    return int(data == "")


def test_every_blank_of_the_template_is_an_error_naming_it() -> None:
    problems = check_profile(profile_files.read_profile(GraffitiEdition(), TEMPLATE))
    assert {problem.code for problem in problems} == {"blank"}
    assert len(problems) == blanks(tomllib.loads(TEMPLATE.read_text(encoding="utf-8")))
    assert len({problem.where for problem in problems}) == len(problems)


def filled_in(blank: Any, good: Any) -> Any:
    if isinstance(blank, dict):
        return {key: filled_in(value, good[key]) for key, value in blank.items()}
    if isinstance(blank, list):
        return [filled_in(*pair) for pair in zip(blank, good, strict=True)]
    return good if blank == "" else blank


def test_the_template_filled_in_is_a_good_profile() -> None:
    blank = profile_files.read_profile(GraffitiEdition(), TEMPLATE)
    filled = filled_in(blank, {**GOOD, "name": "Mine", "source": "measured"})
    assert check_profile(filled) == []
    assert filled == {**GOOD, "name": "Mine", "source": "measured"}


# --- every slip -------------------------------------------------------------------------------

SPACE, WELL = GOOD["permits"]["spaces"][1], GOOD["paint"]["spaces"][1]

SLIPS: list[tuple[dict[str, Any], str, str]] = [
    (changed("name", KeyError), "name", "missing"),
    (changed("name", 7), "name", "not_text"),
    (changed("source", "guessed"), "source", "not_allowed"),
    (changed("colour", "red"), "colour", "unknown_key"),
    (changed("tunnel", []), "tunnel", "not_a_table"),
    (changed("tunnel", "sections", "AB"), "tunnel.sections", "not_a_list"),
    (changed("tunnel", "sections", []), "tunnel.sections", "list_length"),
    (changed("tunnel", "sections", 1, ["C"]), "tunnel.sections 2", "not_two_walls"),
    (changed("tunnel", "sections", 1, ["C", "d"]), "tunnel.sections 2 lower", "not_a_letter"),
    (changed("tunnel", "sections", 1, ["C", "A"]), "tunnel.sections", "letter_twice"),
    (changed("tunnel", "sections", 1, ["C", "Z"]), "tunnel.sections 2 lower", "letter_without_graffiti"),
    (changed("tunnel", "sections", 1, ["C", "Z"]), "graffiti.D", "graffiti_without_section"),
    (changed("tunnel", "spaces", []), "tunnel.spaces", "list_length"),
    (changed("tunnel", "spaces", [1, 3]), "tunnel.spaces 2", "out_of_range"),
    (changed("graffiti", "AB", GOOD["graffiti"]["A"]), "graffiti.AB", "not_a_letter"),
    (changed("graffiti", "A", []), "graffiti.A", "list_length"),
    (changed("graffiti", "A", 0, 15), "graffiti.A 1", "not_a_table"),
    (changed("graffiti", "A", 0, "cost", KeyError), "graffiti.A 1.cost", "missing"),
    (changed("graffiti", "A", 0, "cost", "RYX"), "graffiti.A 1 cost", "not_a_cost"),
    (changed("graffiti", "A", 0, "cost", "RRRRRRR"), "graffiti.A 1 cost", "not_a_cost"),
    (changed("graffiti", "A", 0, "points", 31), "graffiti.A 1 points", "out_of_range"),
    (changed("graffiti", "A", 0, "points", "15"), "graffiti.A 1 points", "not_a_number"),
    (changed("special", "E", KeyError), "special", "wrong_count"),
    (changed("special", {"C": [], "E": [], "Z": []}), "special.Z", "letter_without_graffiti"),
    (changed("special", "C", 0, "points", 0), "special.C 1 points", "out_of_range"),
    (changed("permits", "faces", "3", KeyError), "permits.faces.3", "missing"),
    (changed("permits", "faces", "6", 1), "permits.faces.6", "unknown_key"),
    (changed("permits", "faces", "1", 0), "permits.faces.1", "out_of_range"),
    (changed("permits", "faces", []), "permits.faces", "not_a_table"),
    (changed("permits", "slots", 11), "permits.slots", "out_of_range"),
    (changed("permits", "slots", 5), "permits.spaces 4 slots 1", "out_of_range"),
    (changed("permits", "spaces", 1, {**SPACE, "slots": [2]}), "permits.spaces 2", "space_takes"),
    (changed("permits", "spaces", 1, {**SPACE, "first": True}), "permits.spaces 2", "space_takes"),
    (changed("permits", "spaces", 1, {**SPACE, "slots": [2, 2]}), "permits.spaces 2 slots", "slot_twice"),
    (changed("permits", "spaces", 1, {**SPACE, "slots": [2], "first": True}), "permits.spaces", "spaces_first"),
    (changed("permits", "spaces", 1, {**SPACE, "slots": [2], "pile": 1}), "permits.spaces", "spaces_pile"),
    (changed("permits", "spaces", 1, {**SPACE, "id": "draw"}), "permits.spaces", "id_twice"),
    (changed("permits", "spaces", 1, {**SPACE, "id": "The Left"}), "permits.spaces 2 id", "not_an_id"),
    (changed("permits", "spaces", 1, {**SPACE, "first": 0}), "permits.spaces 2 first", "not_true_or_false"),
    (changed("permits", "spaces", 1, 5), "permits.spaces 2", "not_a_table"),
    (changed("permits", "spaces", []), "permits.spaces", "list_length"),
    (changed("bonus", "tiles", "joker", 5), "bonus.tiles.joker", "unknown_key"),
    (changed("bonus", "tiles", "save", KeyError), "bonus.tiles.save", "missing"),
    (changed("bonus", "slots", 9), "bonus.slots", "out_of_range"),
    (changed("bonus", "police_space", "yes"), "bonus.police_space", "not_true_or_false"),
    (changed("paint", "tiles", "RYB", 5), "paint.tiles.RYB", "unknown_key"),
    (changed("paint", "spaces", GOOD["paint"]["spaces"][1:]), "paint.spaces", "no_unlimited"),
    (changed("paint", "spaces", GOOD["paint"]["spaces"][:9]), "paint.spaces", "kind_unreachable"),
    (changed("paint", "spaces", 1, {**WELL, "kinds": []}), "paint.spaces 2 kinds", "list_length"),
    (changed("paint", "spaces", 1, {**WELL, "kinds": ["G", "G"]}), "paint.spaces 2 kinds", "kind_twice"),
    (changed("paint", "spaces", 1, {**WELL, "kinds": ["X"]}), "paint.spaces 2 kinds 1", "not_allowed"),
    (changed("paint", "spaces", 1, {**WELL, "cans": 3}), "paint.spaces 2 cans", "out_of_range"),
    (changed("paint", "spaces", 1, {**WELL, "id": "green.2"}), "paint.spaces", "id_twice"),
    (changed("paint", "spaces", 1, "G"), "paint.spaces 2", "not_a_table"),
    (changed("start", "paint", ["R", "R"]), "start.paint", "too_little_paint"),
    (changed("start", "permits", 7), "start.permits", "too_few_permits"),
    (changed("track", "length", 60), "track.length", "should_be"),
    (changed("track", "length", True), "track.length", "should_be"),
]

WARNINGS: list[tuple[dict[str, Any], str, str]] = [
    (changed("graffiti", "A", GOOD["graffiti"]["C"]), "graffiti", "retail_sizes"),
    ({**changed("graffiti", "B", 3, "points", 10), "source": "measured"}, "graffiti.B", "retail_points"),
    ({**changed("graffiti", "B", 3, KeyError), "source": "photographed"}, "graffiti.B", "retail_parts"),
    (changed("special", "C", 2, KeyError), "special.C", "special_parts"),
    (changed("permits", "faces", "1", 7), "permits.faces", "retail_permits"),
    (changed("bonus", "tiles", "save", 4), "bonus.tiles", "retail_bonus"),
    (changed("paint", "tiles", "K", 9), "paint.tiles", "retail_paint"),
]


@pytest.mark.parametrize(("data", "where", "code"), SLIPS, ids=[f"{where}-{code}" for _, where, code in SLIPS])
def test_a_slip_is_an_error_with_its_place(data: dict[str, Any], where: str, code: str) -> None:
    assert (where, code) in told(data)


@pytest.mark.parametrize(("data", "where", "code"), WARNINGS, ids=[code for _, _, code in WARNINGS])
def test_a_departure_from_the_retail_edition_is_a_warning(data: dict[str, Any], where: str, code: str) -> None:
    assert (where, code) in told(data, warning=True)
    assert told(data) == []


def test_what_an_invented_edition_is_worth_is_its_own_affair() -> None:
    assert check_profile(changed("graffiti", "B", 3, "points", 10)) == []


def test_every_problem_that_the_check_knows_is_tried_here() -> None:
    folder = Path(check_profile.__code__.co_filename).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("check*.py"))
    codes = set(re.findall(r'Problem\((?:f?"[^"]*"|\w+), "([a-z_]+)"', source))
    codes |= set(re.findall(r'"(spaces_[a-z]+)"', source))
    assert codes - {code for _, _, code in (*SLIPS, *WARNINGS)} == {"blank"}


def test_all_problems_are_reported_at_once() -> None:
    data = changed("tunnel", "spaces", [1, 3])
    data["bonus"]["slots"] = 0
    del data["name"]
    assert told(data) == [("name", "missing"), ("tunnel.spaces 2", "out_of_range"), ("bonus.slots", "out_of_range")]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a profile."""
    found = [path] if path else []
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            found += places(value, (*path, key))
    return found


@given(st.sampled_from(places(GOOD)), any_json)
def test_no_content_crashes_the_check(place: tuple[Any, ...], value: Any) -> None:
    for problem in check_profile(changed(*place, value)):
        assert isinstance(problem, Problem)
    check_profile(value)
