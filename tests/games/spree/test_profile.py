"""Profiles: the house edition is whole, every slip is named, and an owner's own mall is drawn in the same way."""

from typing import Any

import pytest
from hypothesis import given

from pi_app.games import profile_files
from pi_app.games.spree.edition.check import check_profile
from pi_app.games.spree.edition.profile import HOUSE, TEMPLATE, SpreeEdition
from pi_app.games.spree.rules.cards import RANK
from pi_app.games.spree.rules.mall import mall_of
from tests.games.spree import brute
from tests.profiles import any_json

GOOD = profile_files.read_profile(SpreeEdition(), HOUSE)
MALL = mall_of(tuple(GOOD["map"]))


def redrawn(*changes: tuple[int, str, str]) -> dict[str, Any]:
    """The house edition with words of its drawing changed, by line from 1."""
    drawing = list(GOOD["map"])
    for line, old, new in changes:
        assert old in drawing[line - 1]
        drawing[line - 1] = drawing[line - 1].replace(old, new, 1)
    return {**GOOD, "map": drawing}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != key}


def targets(**changes: Any) -> dict[str, Any]:
    return {**GOOD, "targets": {**GOOD["targets"], **{key.removeprefix("p"): value for key, value in changes.items()}}}


SLIPS: list[tuple[Any, str, str]] = [
    (without("name"), "name", "missing"),
    (without("map"), "map", "missing"),
    ({**GOOD, "colour": 1}, "colour", "unknown_key"),
    ({**GOOD, "source": "bought"}, "source", "not_allowed"),
    ({**GOOD, "packs": 5}, "packs", "out_of_range"),
    ({**GOOD, "packs": "2"}, "packs", "not_a_number"),
    ({**GOOD, "targets": []}, "targets", "not_a_table"),
    (targets(p9=50), "targets.9", "unknown_key"),
    (targets(p8=85), "targets.8", "targets_not_falling"),
    (targets(p3=1001), "targets.3", "out_of_range"),
    ({**GOOD, "map": []}, "map", "blank"),
    ({**GOOD, "map": "mall"}, "map", "not_a_drawing"),
    ({**GOOD, "map": GOOD["map"][:-1]}, "map", "map_lines"),
    ({**GOOD, "map": [line[:17] for line in GOOD["map"]]}, "map 1", "map_characters"),
    ({**GOOD, "map": [*GOOD["map"][:-1], GOOD["map"][-1][:-4]]}, "map 21", "map_not_even"),
    (redrawn((1, "+---+", "----+")), "map 1", "map_corner"),
    (redrawn((1, "+---+", "+   +")), "map 1", "map_rim"),
    (redrawn((2, "| .", "  .")), "map 2", "map_rim"),
    (redrawn((3, "+---+", "+- -+")), "map 3", "map_wall"),
    (redrawn((4, "| KS|", "! KS|")), "map 4", "map_wall"),
    (redrawn((4, " KS", "KS ")), "map 4", "map_square"),
    (redrawn((4, " KS", "  *")), "map 4", "map_square"),
    (redrawn((10, " F ", "   ")), "map", "fountain_squares"),
    (redrawn((10, " F ", "   "), (6, " 7S    ", " 7S  F ")), "map", "fountain_apart"),
    (redrawn(*[(2, " P ", " . ")] * 4, (8, " P ", " . ")), "map", "too_few_places"),
    (redrawn((6, " 7S    ", " 7S  P ")), "map", "places_inside"),
    (redrawn((5, "+   +   +", "+   +---+")), "map", "shop_without_door"),
    (redrawn((6, "| 7S  ", "| 7S| ")), "map", "out_of_reach"),
]
WARNINGS: list[tuple[Any, str, str]] = [
    (redrawn((4, " KS", "   ")), "map", "not_sold"),
    (redrawn((4, " KS", " 9S")), "map", "sold_twice"),
    (redrawn((4, " KS", "   ")), "map", "no_cars"),
]


def told(data: Any, warning: bool = False) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in check_profile(data) if problem.warning is warning]


@pytest.mark.parametrize(("data", "where", "code"), SLIPS)
def test_every_slip_is_named_with_its_place(data: Any, where: str, code: str) -> None:
    assert (where, code) in told(data)


@pytest.mark.parametrize(("data", "where", "code"), WARNINGS)
def test_what_an_owner_should_know_is_a_warning(data: Any, where: str, code: str) -> None:
    assert told(data) == []
    assert (where, code) in told(data, warning=True)


def test_several_slips_are_told_at_once() -> None:
    assert len(told({**redrawn((4, " KS", "KS ")), "packs": 9, "name": ""})) == 3


@given(any_json)
def test_anything_that_claims_to_be_a_profile_is_checked(data: Any) -> None:
    for problem in check_profile(data):
        assert problem.code


# --- the house edition ------------------------------------------------------------------------


def test_the_house_edition_has_no_problem_and_says_that_it_is_invented() -> None:
    assert check_profile(GOOD) == []
    assert (GOOD["name"], GOOD["source"], GOOD["packs"]) == ("House edition", "invented", 2)


def test_the_house_mall_has_its_squares() -> None:
    kinds = [MALL.kinds.count(kind) for kind in ("shop", "hall", "fountain", "parking", "lot")]
    assert kinds == [52, 50, 2, 12, 34]
    places = ["C1", "F1", "J1", "M1", "A4", "O4", "A7", "O7", "C10", "F10", "J10", "M10"]
    assert [MALL.names[place] for place in MALL.places] == places


def test_all_aces_and_kings_sit_in_dead_ends() -> None:
    dead_ends = {
        RANK[MALL.goods[s]] for s, near in enumerate(MALL.neighbours) if MALL.kinds[s] == "shop" and len(near) == 1
    }
    doors = [len(MALL.neighbours[s]) for s, kind in enumerate(MALL.kinds) if kind == "shop"]
    assert {"A", "K"} <= dead_ends
    assert (doors.count(1), len(doors) - doors.count(1)) == (20, 32)
    assert not dead_ends & {"10", "2", "5", "8"}


def test_turned_by_half_a_turn_it_repeats_itself_with_the_other_colour_of_suit() -> None:
    last = len(MALL.names) - 1
    for square, kind in enumerate(MALL.kinds):
        assert MALL.kinds[last - square] == kind
        assert {last - to for to in MALL.neighbours[square]} == set(MALL.neighbours[last - square])
        if kind == "shop":
            here, there = MALL.goods[square], MALL.goods[last - square]
            assert RANK[here] == RANK[there]
            assert (here % 4, there % 4) in {(0, 2), (2, 0), (1, 3), (3, 1)}


def test_its_entrances_are_twelve() -> None:
    lot = {s for s, kind in enumerate(MALL.kinds) if kind in ("lot", "parking")}
    doors = {MALL.names[s] for s in lot for to in MALL.neighbours[s] if to not in lot}
    assert doors == {"H1", "K1", "E10", "H10", "A5", "A6", "O5", "O6", "D1", "O3", "A8", "L10"}


def test_distances_between_shops_are_those_of_the_brute_force() -> None:
    near = brute.steps_map(GOOD["map"])
    shops = [square for square, sign in brute.squares(GOOD["map"]).items() if sign not in (" . ", " P ", "   ", " F ")]
    distances = []
    for start in shops:
        reached, latest, steps = {start: 0}, [start], 0
        while latest:
            steps += 1
            latest = [to for square in latest for to in near[square] if to not in reached]
            reached |= dict.fromkeys(latest, steps)
        distances += [reached[shop] for shop in shops if shop != start]
        tree = MALL.walks.tree(MALL.number[brute.name(start)])
        assert all(tree.nearest[MALL.number[brute.name(square)]] == away for square, away in reached.items())
    assert (round(sum(distances) / len(distances), 1), max(distances)) == (8.9, 19)


# --- an owner's own mall ----------------------------------------------------------------------


def test_the_template_asks_for_name_and_map() -> None:
    assert told(profile_files.read_profile(SpreeEdition(), TEMPLATE)) == [("name", "blank"), ("map", "blank")]


def test_a_mall_of_another_size_can_be_played_in() -> None:
    """Six by five squares with a face twice, most faces missing."""
    drawing = [
        "+---+---+---+---+---+---+",
        "| P   P   P   P   P   P |",
        "+   +   +---+---+   +   +",
        "| .       7S|10H      . |",
        "+   +   +   +   +   +   +",
        "| .       F   F       . |",
        "+   +   +   +   +   +   +",
        "| .       7S          . |",
        "+   +   +---+---+   +   +",
        "| P   P   .   .   P   P |",
        "+---+---+---+---+---+---+",
    ]
    profile = {**GOOD, "name": "Corner shop", "source": "measured", "map": drawing}
    assert told(profile) == []
    assert [code for _, code in told(profile, warning=True)] == ["not_sold", "sold_twice"]
    mall = mall_of(tuple(drawing))
    assert (mall.columns, mall.rows, len(mall.places)) == (6, 5, 10)
