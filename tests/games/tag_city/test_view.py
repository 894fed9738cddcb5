"""What screens, cameras and lamps are told."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, GameStarted, State
from tests.games.tag_city.helpers import (
    BLUE,
    COL_A,
    COL_C,
    EVERYWHERE,
    GAME,
    RED,
    ROW_1,
    ROW_3,
    at_last_die,
    drafting,
    paint,
    played,
    random_moves,
    rolled,
    scores,
    social,
    table,
    with_board,
    with_closed,
    with_painted,
)


def board(state: State, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = GAME.view(state, None)["boards"][seat]
    return found


def feature(state: State, seat: int, name: str) -> dict[str, Any]:
    [found] = [entry for entry in board(state, seat)["features"] if entry["feature"] == name]
    assert isinstance(found, dict)
    return found


def drawn(state: State, seat: int) -> dict[str, str]:
    """What circles and crosses a tagger's board should show."""
    sight = GAME.expected_sight(state, f"city-{seat + 1}")
    return {region: kind for region, kind in sight.items() if kind in ("circled", "crossed")}


# --- the table --------------------------------------------------------------------------------


def test_the_view_says_which_game_and_whose_printed_facts() -> None:
    view = GAME.view(table(), None)
    assert view["game"] == "tag_city"
    assert view["profile"] == {"name": "Tiny city", "source": "invented"}
    city = {key: view["city"][key] for key in ("rows", "cols", "cells", "districts")}
    assert city == {
        "rows": 4,
        "cols": 4,
        "cells": ["RRBB", "RRBB", "GGGG", "GGG."],
        "districts": {"R": "red", "B": "blue", "G": "green"},
    }


def test_the_view_tells_how_a_board_is_printed() -> None:
    view = GAME.view(table(), None)
    drawing, sight = view["city"]["drawing"], GAME.expected_sight(table(), "city-1")
    assert drawing["boxes"].keys() == {region for region in sight if "." in region}
    assert list(drawing["looks"]) == list(view["city"]["districts"]) == ["R", "B", "G"], "in printed order"
    assert len({str(look) for look in drawing["looks"].values()}) == 3
    left, top, width, height = drawing["frame"]
    for x, y, across, down in drawing["boxes"].values():
        assert left < x < x + across < left + width
        assert top < y < y + down < top + height


def test_the_view_says_whose_turn_it_is() -> None:
    start = table(3)
    states = [start, played(start, GameStarted(2)), rolled(1, 2, 3, 4, players=3, leader=2)]
    states += [drafting(1, 2, 3, 4, players=3, leader=2), at_last_die(1, 3)]
    told = [(view["phase"], view["to_act"]) for view in (GAME.view(state, None) for state in states)]
    assert told == [("leader", [-1]), ("roll", [-1]), ("place", [2]), ("draft", [0]), ("last", [0, 1, 2])]
    assert [GAME.view(states[3], seat)["seat"] for seat in (None, 1)] == [None, 1]


def test_the_view_counts_rounds_and_names_the_leader() -> None:
    state = played(at_last_die(1, leader=1), paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1))
    view = GAME.view(state, None)
    assert (view["round"], view["leader"]) == (2, 0)


def test_the_view_shows_dice_in_hand_on_the_hq_and_taken() -> None:
    state = played(rolled(1, 2, 2), DiePlaced(1, 3))
    assert GAME.view(state, None)["dice"] == [
        {"die": 0, "value": 1, "section": None, "taken_by": None},
        {"die": 1, "value": 2, "section": 3, "taken_by": None},
        {"die": 2, "value": 2, "section": None, "taken_by": None},
    ]
    state = played(state, DiePlaced(0, 1), DiePlaced(2, 3), social(1, 1, 1))
    assert GAME.view(state, None)["dice"][1] == {"die": 1, "value": 2, "section": 3, "taken_by": 1}


def test_the_view_shows_what_each_section_offers() -> None:
    state = played(drafting(2, 2, 6), social(1, 0, 1))
    sections = GAME.view(state, None)["sections"]
    assert [entry["section"] for entry in sections] == [1, 2, 3, 4, 5, 6]
    assert sections[0] == {"section": 1, "shape": "bar", "faces": [1, 6], "dice": []}
    assert sections[1] == {"section": 2, "shape": "block", "faces": [1, 2], "dice": [1]}
    assert sections[5] == {"section": 6, "shape": "stick", "faces": [5, 6], "dice": [2]}


def test_the_view_draws_the_shapes_that_lie_on_the_hq() -> None:
    shapes = GAME.view(table(), None)["shapes"]
    assert len(shapes) == 9
    assert shapes["block"] == {"cells": [[0, 0], [0, 1], [1, 0], [1, 1]], "small": False}
    assert shapes["dot"] == {"cells": [[0, 0]], "small": True}
    assert {name: len(shape["cells"]) for name, shape in shapes.items()} == {
        "bar": 4,
        "block": 4,
        "ell": 4,
        "tee": 4,
        "zig": 4,
        "stick": 3,
        "dot": 1,
        "dash": 2,
        "elbow": 3,
    }


# --- boards -----------------------------------------------------------------------------------


def test_a_board_shows_its_owner_and_its_paint() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "bar", COL_C))
    shown = board(state, 1)
    assert (shown["seat"], shown["player"], shown["board"]) == (1, "Bob", "city-2")
    assert shown["painted"] == ["..#.", "..#.", "..#.", "..#."]
    assert board(state, 0)["painted"] == ["....", "....", "....", "...."]


def test_a_feature_shows_its_values_and_the_squares_that_are_missing() -> None:
    state = with_painted(drafting(1, 2, 3), 1, "A1 B1 C3")
    assert feature(state, 1, "row.1")["missing"] == ["C1", "D1"]
    assert feature(state, 1, "district.red")["missing"] == ["A2", "B2"]
    assert feature(state, 1, "col.C")["missing"] == ["C1", "C2", "C4"]
    assert feature(state, 0, "row.1")["missing"] == ["A1", "B1", "C1", "D1"]
    assert (feature(state, 1, "col.C")["high"], feature(state, 1, "col.C")["low"]) == (8, 3)


def test_every_row_column_and_district_is_shown() -> None:
    names = [entry["feature"] for entry in board(table(), 0)["features"]]
    rows_and_columns = [f"row.{n}" for n in range(1, 5)] + [f"col.{letter}" for letter in "ABCD"]
    assert sorted(names) == sorted([*rows_and_columns, "district.red", "district.blue", "district.green"])


def test_a_claim_shows_who_was_first_and_who_came_later() -> None:
    state = played(drafting(1, 1, 2), paint(1, 0, "bar", ROW_1), paint(0, 1, "bar", ROW_1))
    first, later = feature(state, 1, "row.1"), feature(state, 0, "row.1")
    assert (first["scored"], first["marks"]) == ("high", {"high": "circled", "low": "empty"})
    assert (later["scored"], later["marks"]) == ("low", {"high": "crossed", "low": "circled"})
    assert first["first"] == later["first"] == [1]
    untouched = feature(state, 0, "row.2")
    assert (untouched["scored"], untouched["first"]) == (None, [])
    assert untouched["marks"] == {"high": "empty", "low": "empty"}


def test_all_who_were_first_with_the_last_die_are_named() -> None:
    state = played(at_last_die(1, 3), *(paint(seat, 0, "bar", ROW_1) for seat in (0, 2)), social(1, 0, 1))
    assert feature(state, 1, "row.1")["first"] == [0, 2]


def test_a_board_shows_its_remote_and_its_bubbles() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "dot", "A1", drone=1), social(0, 1, 2))
    assert board(state, 1)["drone"] == [
        {"slot": 1, "value": -1, "mark": "circled"},
        {"slot": 2, "value": -2, "mark": "empty"},
        {"slot": 3, "value": -4, "mark": "empty"},
    ]
    assert [entry["mark"] for entry in board(state, 0)["bubbles"]] == ["empty", "circled", "empty"]
    assert board(state, 1)["bubbles"][1] == {"bubble": 2, "value": -3, "mark": "crossed"}


def test_the_score_is_shown_with_its_parts() -> None:
    state = with_painted(at_last_die(1), 0, "B1 A2 B2 C3 D3")
    state = played(state, paint(0, 0, "dot", "A1", drone=1), social(1, 0, 3))
    state = played(state, DiceRolled((1, 1, 2)), DiePlaced(0, 1), DiePlaced(1, 1), DiePlaced(2, 3))
    state = played(state, social(0, 0, 1))
    assert board(state, 0)["score"] == {
        "rows": 0,
        "columns": 0,
        "districts": 15,
        "drone": -1,
        "bubbles": -2,
        "total": 12,
    }
    state = played(with_painted(state, 1, "B1 C1 D1"), paint(1, 1, "bar", COL_A))
    assert board(state, 1)["score"] == {
        "rows": 10,
        "columns": 6,
        "districts": 0,
        "drone": 0,
        "bubbles": -5,
        "total": 11,
    }


@pytest.mark.parametrize("seed", range(4))
def test_the_parts_of_a_score_always_add_up_to_the_score(seed: int) -> None:
    state = table(3)
    for move in random_moves(state, random.Random(seed)):
        state = played(state, move)
        shown = [entry["score"] for entry in GAME.view(state, None)["boards"]]
        assert [score["total"] for score in shown] == scores(state)
        assert all(score["total"] == sum(score.values()) - score["total"] for score in shown)


# --- what a seat may do -----------------------------------------------------------------------


def test_only_a_seat_that_may_act_is_shown_options() -> None:
    state = drafting(1, 2, 3)
    assert [GAME.view(state, seat)["options"] is not None for seat in (None, 0, 1)] == [False, False, True]
    state = played(at_last_die(1), social(0, 0, 1))
    assert [GAME.view(state, seat)["options"] is not None for seat in (None, 0, 1)] == [False, False, True]


def test_the_leader_is_shown_where_each_die_may_go() -> None:
    state = played(rolled(1, 2, 3), DiePlaced(1, 3))
    assert GAME.view(state, 0)["options"] == {
        "place": [{"die": 0, "sections": [1, 2]}, {"die": 2, "sections": [3, 4]}],
    }


def test_options_count_the_placements_of_every_shape() -> None:
    state = with_painted(drafting(1, 1, 3), 1, EVERYWHERE.replace("A1", "").replace("B1", "").replace("C1", ""))
    options = GAME.view(state, 1)["options"]
    shown = {entry["shape"]: (entry["dice"], entry["placements"], entry["drone"]) for entry in options["shapes"]}
    assert shown == {
        "bar": ([0, 1], 0, True),
        "block": ([], 0, True),
        "ell": ([2], 0, True),
        "tee": ([], 0, True),
        "zig": ([], 0, True),
        "stick": ([], 1, True),
        "dot": ([], 3, True),
        "dash": ([], 2, True),
        "elbow": ([], 0, True),
    }
    assert options["dice"] == [0, 1, 2]


def test_options_name_the_drone_square_and_the_bubbles_with_their_cost() -> None:
    state = with_board(replace(drafting(1, 2, 3), bubbles_gone=0b010), 1, drone=0b001)
    options = GAME.view(state, 1)["options"]
    assert options["drone"] == [{"slot": 2, "value": -2}]
    assert options["social"] == [{"bubble": 1, "value": -2}, {"bubble": 3, "value": -5}]


def test_options_without_drone_or_bubbles_say_so() -> None:
    state = with_board(replace(drafting(1, 2, 3), bubbles_gone=0b111), 1, drone=0b111)
    options = GAME.view(state, 1)["options"]
    assert options["drone"] == []
    assert not any(entry["drone"] for entry in options["shapes"])
    assert options["social"] == [{"bubble": None, "value": 0}]


def test_options_of_the_last_die_hold_that_die_and_the_bubble_of_the_table() -> None:
    options = GAME.view(played(at_last_die(2, 3), social(2, 0, 3)), 0)["options"]
    assert options["dice"] == [0]
    assert [entry["dice"] for entry in options["shapes"] if entry["shape"] == "block"] == [[0]]
    assert options["social"] == [{"bubble": 3, "value": -5}]


@pytest.mark.parametrize("seed", range(3))
def test_options_and_legal_moves_tell_the_same_number(seed: int) -> None:
    state = table(3, drone_order="free" if seed % 2 else "printed")
    for move in random_moves(state, random.Random(seed)):
        state = played(state, move)
        for seat in GAME.to_act(state).must if state.phase in ("draft", "last") else ():
            options = GAME.view(state, seat)["options"]
            own = sum(len(entry["dice"]) * entry["placements"] for entry in options["shapes"])
            by_drone = sum(entry["placements"] for entry in options["shapes"]) * len(options["drone"])
            total = own + len(options["dice"]) * (by_drone + len(options["social"]))
            assert total == len(GAME.legal_moves(state, seat))


# --- circles and crosses ----------------------------------------------------------------------


def test_who_was_first_circles_and_the_others_cross() -> None:
    state = played(drafting(1, 2, 3, 4, players=3), paint(1, 0, "bar", COL_C))
    assert drawn(state, 1) == {"col.C.high": "circled"}
    assert drawn(state, 0) == drawn(state, 2) == {"col.C.high": "crossed"}


def test_who_comes_later_circles_low_and_nobody_crosses_again() -> None:
    state = with_closed(drafting(2, 2, 3), "district.blue")
    before = drawn(state, 0)
    state = played(state, paint(1, 0, "block", BLUE))
    assert drawn(state, 1)["district.blue.low"] == "circled"
    assert drawn(state, 0) == before


def test_a_bubble_is_circled_by_one_and_crossed_by_the_others() -> None:
    state = played(drafting(1, 2, 3, 4, players=3), social(1, 0, 3))
    assert drawn(state, 1) == {"bubble.3": "circled"}
    assert drawn(state, 0) == drawn(state, 2) == {"bubble.3": "crossed"}


def test_a_drone_is_circled_by_its_tagger_alone() -> None:
    state = played(with_board(drafting(1, 2, 3), 1, drone=0b001), paint(1, 0, "dot", "A1", drone=2))
    assert (drawn(state, 0), drawn(state, 1)) == ({}, {"drone.1": "circled", "drone.2": "circled"})


def test_the_leaders_draft_is_still_crossed_at_once() -> None:
    state = played(drafting(1, 1, 2), social(1, 0, 1), paint(0, 1, "bar", ROW_1))
    assert state.phase == "last"
    assert drawn(state, 1)["row.1.high"] == "crossed"


def test_with_the_last_die_crosses_come_only_when_all_have_played() -> None:
    state = played(at_last_die(1, 3), paint(0, 0, "bar", COL_C), social(1, 0, 2))
    assert drawn(state, 0) == {"col.C.high": "circled"}
    assert drawn(state, 1) == {"bubble.2": "circled"}
    assert drawn(state, 2) == {}
    state = played(state, paint(2, 0, "bar", COL_C))
    assert drawn(state, 0) == drawn(state, 2) == {"col.C.high": "circled", "bubble.2": "crossed"}
    assert drawn(state, 1) == {"bubble.2": "circled", "col.C.high": "crossed"}


# --- the end ----------------------------------------------------------------------------------


def test_an_end_condition_is_announced_before_the_round_is_over() -> None:
    state = with_board(drafting(1, 2, 3), 1, drone=0b011)
    assert GAME.view(state, None)["end_reasons"] == []
    view = GAME.view(played(state, paint(1, 0, "dot", "A1", drone=3)), None)
    assert (view["end_reasons"], view["result"]) == (["drone"], None)


def test_the_result_is_shown_at_the_end() -> None:
    state = with_board(replace(at_last_die(1), bubbles_gone=0b111), 1, score=7)
    view = GAME.view(played(state, social(0, 0, None), social(1, 0, None)), 0)
    assert (view["phase"], view["to_act"], view["options"]) == ("over", [], None)
    assert view["result"] == {"scores": [0, 7], "winners": [1]}
    assert view["end_reasons"] == ["bubbles"]


@pytest.mark.parametrize("seed", range(4))
def test_a_view_is_plain_json_for_every_seat_at_every_time(seed: int) -> None:
    state = table(2 + seed % 3)
    for move in [None, *random_moves(state, random.Random(seed))]:
        state = state if move is None else played(state, move)
        for seat in (None, *range(len(state.players))):
            view = GAME.view(state, seat)
            assert json.loads(json.dumps(view)) == view


# --- for the camera ---------------------------------------------------------------------------


def test_a_clean_board_has_every_region_of_the_kit_empty() -> None:
    sight = GAME.expected_sight(table(), "city-1")
    regions = {f"r{row}c{col}" for row in range(1, 5) for col in range(1, 5)}
    regions |= {f"drone.{n}" for n in (1, 2, 3)} | {f"bubble.{n}" for n in (1, 2, 3)}
    features = [f"row.{n}" for n in range(1, 5)] + [f"col.{letter}" for letter in "ABCD"]
    features += ["district.red", "district.blue", "district.green"]
    regions |= {f"{name}.{rank}" for name in features for rank in ("high", "low")}
    assert sight == dict.fromkeys(regions, "empty")


def test_the_camera_should_see_paint_circles_and_crosses() -> None:
    state = played(drafting(2, 1, 1), paint(1, 0, "block", RED), paint(0, 1, "dot", "D4", drone=1))
    ada, bob = (
        {region: kind for region, kind in GAME.expected_sight(state, name).items() if kind != "empty"}
        for name in ("city-1", "city-2")
    )
    assert ada == {"r4c4": "marked", "drone.1": "circled", "district.red.high": "crossed"}
    squares = dict.fromkeys(["r1c1", "r1c2", "r2c1", "r2c2"], "marked")
    assert bob == {**squares, "district.red.high": "circled"}


def test_the_camera_should_see_no_crosses_while_the_last_die_is_open() -> None:
    state = played(at_last_die(1), social(0, 0, 2))
    assert GAME.expected_sight(state, "city-2")["bubble.2"] == "empty"
    state = played(state, paint(1, 0, "bar", ROW_3))
    assert GAME.expected_sight(state, "city-2")["bubble.2"] == "crossed"
    assert GAME.expected_sight(state, "city-1")["row.3.high"] == "crossed"


def test_the_camera_should_see_the_dice_that_lie_on_the_hq() -> None:
    state = played(rolled(2, 1, 2), DiePlaced(0, 2), DiePlaced(1, 2))
    sections = dict.fromkeys([f"section.{n}" for n in range(1, 7)], "empty")
    assert GAME.expected_sight(state, "hq") == {**sections, "section.2": "1 2"}
    state = played(state, DiePlaced(2, 3), social(1, 1, 1))
    assert GAME.expected_sight(state, "hq") == {**sections, "section.2": "2", "section.3": "2"}


# --- for lamps --------------------------------------------------------------------------------


def test_lamps_show_whose_turn_it_is() -> None:
    seats = {name: role for name, role in GAME.lights(drafting(1, 2, 3, 4, players=3)).items() if "seat" in name}
    assert seats == {"seat.0": "calm", "seat.1": "turn", "seat.2": "calm"}
    after_one = GAME.lights(played(at_last_die(1, 3), social(1, 0, 1)))
    assert [after_one[f"seat.{n}"] for n in range(3)] == ["turn", "calm", "turn"]


def test_lamps_show_which_sections_offer_a_die() -> None:
    state = played(drafting(1, 3, 3), social(1, 0, 1))
    sections = {name: role for name, role in GAME.lights(state).items() if "section" in name}
    assert sections == {f"section.{n}": "open" if n == 3 else "calm" for n in range(1, 7)}


def test_lamps_offer_no_die_while_the_leader_is_still_placing() -> None:
    lights = GAME.lights(played(rolled(1, 2, 3), DiePlaced(1, 3)))
    assert "open" not in lights.values()


def test_lamps_show_the_winner_at_the_end() -> None:
    state = with_board(replace(at_last_die(1), bubbles_gone=0b111), 1, score=7)
    assert GAME.lights(state)["status"] == "play"
    lights = GAME.lights(played(state, social(0, 0, None), social(1, 0, None)))
    assert (lights["seat.0"], lights["seat.1"], lights["status"]) == ("calm", "winner", "over")
