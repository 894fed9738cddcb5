"""The rulebook, clause by clause."""

import random
from dataclasses import replace
from itertools import permutations

import pytest

from pi_app.engine.contract import LUCK, IllegalMove
from pi_app.engine.events import Event, GameEnded
from pi_app.games.tag_city.edition.profile import resolve
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    GameStarted,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.games.tag_city.rules.shapes import Cells
from tests.games.tag_city.helpers import (
    BLUE,
    COL_C,
    EVERYWHERE,
    GAME,
    RED,
    ROW_1,
    ROW_2,
    ROW_3,
    all_features,
    at_last_die,
    claims,
    drafting,
    drone_moves,
    follows,
    paint,
    painted,
    played,
    random_moves,
    rolled,
    scores,
    social,
    squares,
    table,
    tiny,
    two_sided,
    with_board,
    with_closed,
    with_painted,
)


def refused(state: State, move: Event) -> str:
    """The rule that refuses a move."""
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.rule


def placements(state: State, seat: int, die: int) -> set[Cells]:
    """Where the shape of a die may be drawn, without a drone."""
    moves = GAME.legal_moves(state, seat)
    return {m.cells for m in moves if isinstance(m, ShapePainted) and m.drone is None and m.die == die}


# --- setting up -------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "dice"), [(2, 3), (3, 4), (4, 5)])
def test_there_is_one_die_more_than_taggers(players: int, dice: int) -> None:
    state = played(table(players), GameStarted(0))
    assert len(played(state, DiceRolled((1,) * dice)).dice) == dice
    assert refused(state, DiceRolled((1,) * (dice - 1))) == "dice_count"
    assert refused(state, DiceRolled((1,) * (dice + 1))) == "dice_count"


@pytest.mark.parametrize("leader", [0, 1, 2])
def test_one_tagger_takes_the_leader_pawn_for_the_first_round(leader: int) -> None:
    state = played(table(3), GameStarted(leader))
    assert (state.leader, state.round, state.phase) == (leader, 1, "roll")


def test_every_tagger_starts_with_a_clean_board() -> None:
    state = table(4)
    for seat in range(4):
        assert set(GAME.expected_sight(state, f"city-{seat + 1}").values()) == {"empty"}
    assert scores(state) == [0, 0, 0, 0]


def test_all_boards_lie_on_the_same_side() -> None:
    state = table(3, resolve(two_sided(), city_side="B"))
    printed = [
        [(f["feature"], f["high"], f["low"]) for f in board["features"]] for board in GAME.view(state, None)["boards"]
    ]
    assert printed[0] == printed[1] == printed[2]
    assert ("district.black", 30, 3) in printed[0]
    assert ("row.4", 24, 4) in printed[0]


def test_six_outer_shapes_and_the_small_ones_lie_on_the_hq() -> None:
    view = GAME.view(table(), None)
    assert [entry["shape"] for entry in view["sections"]] == ["bar", "block", "ell", "tee", "zig", "stick"]
    assert [shape for shape, entry in view["shapes"].items() if entry["small"]] == ["dot", "dash", "elbow"]
    assert "cup" not in view["shapes"]


# --- the round --------------------------------------------------------------------------------


def test_a_round_begins_with_a_roll_of_all_dice() -> None:
    state = played(table(), GameStarted(1))
    assert GAME.to_act(state).must == (LUCK,)
    rolls = {move.values for move in GAME.legal_moves(state, LUCK) if isinstance(move, DiceRolled)}
    assert rolls == {(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)}


def test_the_leader_places_the_dice() -> None:
    state = rolled(1, 2, 3, leader=1)
    assert GAME.to_act(state).must == (1,)
    assert GAME.legal_moves(state, 0) == ()
    assert len(GAME.legal_moves(state, 1)) == 6


@pytest.mark.parametrize(("face", "sections"), [(1, {1, 2}), (2, {2, 3}), (3, {3, 4}), (5, {5, 6}), (6, {6, 1})])
def test_each_die_goes_on_one_of_the_two_sections_beside_its_face(face: int, sections: set[int]) -> None:
    state = rolled(face, 4, 4)
    allowed = {m.section for m in GAME.legal_moves(state, 0) if isinstance(m, DiePlaced) and m.die == 0}
    assert allowed == sections
    for section in {1, 2, 3, 4, 5, 6} - sections:
        assert refused(state, DiePlaced(0, section)) == "wrong_section"


def test_a_section_may_hold_several_dice() -> None:
    state = played(rolled(1, 2, 2), DiePlaced(0, 2), DiePlaced(1, 2), DiePlaced(2, 3))
    assert GAME.expected_sight(state, "hq")["section.2"] == "1 2"


def test_the_leader_places_the_dice_in_any_order() -> None:
    placed = [DiePlaced(0, 1), DiePlaced(1, 3), DiePlaced(2, 4)]
    states = [played(rolled(1, 2, 3), *order) for order in permutations(placed)]
    assert all(state == states[0] for state in states)


def test_nobody_takes_a_die_before_all_are_placed() -> None:
    state = played(rolled(1, 2, 3), DiePlaced(0, 1), DiePlaced(1, 2))
    assert refused(state, paint(1, 0, "bar", ROW_1)) == "place_first"
    assert GAME.to_act(played(state, DiePlaced(2, 3))).must == (1,)


@pytest.mark.parametrize(("players", "leader", "order"), [(2, 0, [1, 0]), (3, 1, [2, 0, 1]), (4, 3, [0, 1, 2, 3])])
def test_taggers_choose_clockwise_from_the_left_of_the_leader(players: int, leader: int, order: list[int]) -> None:
    state = drafting(*range(1, players + 2), players=players, leader=leader)
    seen = []
    for die in range(players):
        [seat] = GAME.to_act(state).must
        seen.append(seat)
        state = played(state, paint(seat, die, state.printed.sections[die], _somewhere(state, seat, die)))
    assert seen == order


def _somewhere(state: State, seat: int, die: int) -> str:
    """The names of the squares of some placement."""
    cells = min(placements(state, seat, die))
    return " ".join(f"{'ABCD'[col]}{row + 1}" for row, col in cells)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_leader_chooses_last(players: int) -> None:
    state = drafting(*range(1, players + 2), players=players, leader=1)
    for die in range(players - 1):
        [seat] = GAME.to_act(state).must
        assert seat != 1
        state = played(state, paint(seat, die, state.printed.sections[die], _somewhere(state, seat, die)))
    assert GAME.to_act(state).must == (1,)
    assert len([die for die in state.dice if die.taken_by is None]) == 2


def test_each_tagger_takes_one_die_in_turn() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "bar", ROW_1))
    assert refused(state, paint(1, 1, "block", "A3 B3 A4 B4")) == "not_your_turn"
    assert refused(state, paint(0, 0, "bar", ROW_1)) == "die_taken"
    assert {m.die for m in GAME.legal_moves(state, 0) if isinstance(m, ShapePainted | SocialChecked)} == {1, 2}


def test_the_die_tells_the_shape_of_its_section() -> None:
    state = drafting(1, 2, 3)
    assert claims(state, paint(1, 1, "block", RED)) == [(1, "district.red", "high", 15)]
    assert refused(state, paint(1, 0, "block", RED)) == "wrong_shape"


def test_a_die_on_the_other_side_of_its_face_tells_the_other_shape() -> None:
    state = played(rolled(1, 1, 1), DiePlaced(0, 1), DiePlaced(1, 2), DiePlaced(2, 2))
    assert refused(state, paint(1, 0, "block", RED)) == "wrong_shape"
    assert painted(played(state, paint(1, 1, "block", RED)), 1) == squares(RED)


def test_a_tagger_may_paint_or_use_the_drone_or_check_social_networks() -> None:
    moves = GAME.legal_moves(drafting(1, 2, 3), 1)
    assert paint(1, 0, "bar", ROW_1) in moves
    assert paint(1, 0, "dot", "A1", drone=1) in moves
    assert social(1, 0, 1) in moves


# --- tagging the city -------------------------------------------------------------------------


def test_the_shape_is_drawn_as_soon_as_the_die_is_taken() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "bar", ROW_2))
    assert state.dice[0].taken_by == 1
    assert painted(state, 1) == squares(ROW_2)
    assert painted(state, 0) == ()


def test_a_shape_may_be_rotated() -> None:
    assert painted(played(drafting(1, 2, 3), paint(1, 0, "bar", COL_C)), 1) == squares(COL_C)


def test_a_shape_may_be_flipped() -> None:
    drawn, mirrored = "A1 A2 A3 B3", "B1 B2 B3 A3"
    found = placements(drafting(1, 2, 3), 1, die=2)
    assert {squares(drawn), squares(mirrored)} <= found


def test_a_shape_has_no_more_ways_to_lie_than_turning_and_flipping_give() -> None:
    state = drafting(1, 2, 3)
    # Two ways to turn the bar, one for the block, eight for the ell: times the room that is left.
    assert [len(placements(state, 1, die)) for die in range(3)] == [8, 9, 8 * 6]


def test_a_shape_must_be_drawn_completely() -> None:
    assert refused(drafting(1, 2, 3), paint(1, 0, "bar", "A1 B1 C1")) == "incomplete_shape"


def test_no_part_of_a_shape_lies_outside_the_city() -> None:
    beyond = ShapePainted(1, 0, "bar", ((0, 1), (0, 2), (0, 3), (0, 4)))
    assert refused(drafting(1, 2, 3), beyond) == "outside_city"


def test_a_shape_does_not_wrap_round_the_edge() -> None:
    wrapped = ((0, 2), (0, 3), (1, 0), (1, 1))
    assert refused(drafting(1, 2, 3), ShapePainted(1, 0, "bar", wrapped)) == "not_this_shape"


def test_no_part_of_a_shape_lies_on_a_painted_square() -> None:
    state = with_painted(drafting(1, 2, 3), 1, "D1")
    assert refused(state, paint(1, 0, "bar", ROW_1)) == "overlap"
    assert squares(ROW_1) not in placements(state, 1, die=0)


def test_what_others_painted_is_no_obstacle() -> None:
    state = with_painted(drafting(1, 2, 3), 0, EVERYWHERE)
    assert squares(ROW_1) in placements(state, 1, die=0)


def test_a_shape_may_lie_across_districts() -> None:
    across_three = "B2 C2 B3 C3"
    assert painted(played(drafting(1, 2, 3), paint(1, 1, "block", across_three)), 1) == squares(across_three)


@pytest.mark.parametrize("seed", range(5))
def test_paint_never_leaves_the_city_again(seed: int) -> None:
    state = table(3)
    for move in random_moves(state, random.Random(seed)):
        before = [board.painted for board in state.boards]
        state = played(state, move)
        assert [old & board.painted for old, board in zip(before, state.boards, strict=True)] == before


# --- the last die -----------------------------------------------------------------------------


def test_one_die_is_left_when_all_have_chosen() -> None:
    state = played(drafting(1, 2, 3), paint(1, 2, "ell", "A1 A2 A3 B3"), paint(0, 0, "bar", ROW_1))
    assert state.phase == "last"
    assert [i for i, die in enumerate(state.dice) if die.taken_by is None] == [1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_uses_the_last_die_once(players: int) -> None:
    state = at_last_die(1, players)
    assert GAME.to_act(state).must == tuple(range(players))
    state = played(state, paint(0, 0, "bar", ROW_1))
    assert GAME.to_act(state).must == tuple(range(1, players))
    assert refused(state, paint(0, 0, "bar", ROW_2)) == "last_die_used"


def test_only_the_last_die_is_used_then() -> None:
    state = at_last_die(2)
    assert refused(state, paint(0, 1, "stick", "A1 B1 C1")) == "die_taken"
    assert {m.die for m in GAME.legal_moves(state, 0) if isinstance(m, ShapePainted | SocialChecked)} == {0}


def test_with_the_last_die_all_three_actions_are_open() -> None:
    moves = GAME.legal_moves(at_last_die(1), 0)
    assert paint(0, 0, "bar", ROW_1) in moves
    assert paint(0, 0, "elbow", "A1 A2 B2", drone=1) in moves
    assert social(0, 0, 3) in moves


def test_the_order_in_which_the_last_die_is_used_does_not_matter() -> None:
    moves = [paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1), social(2, 0, 2), social(3, 0, 2)]
    ends = [played(at_last_die(1, 4), *order) for order in permutations(moves)]
    assert len(ends) == 24
    assert all(end == ends[0] for end in ends)
    assert scores(ends[0]) == [10, 10, -3, -3]


def test_the_leader_pawn_goes_clockwise_after_the_last_die() -> None:
    state = at_last_die(1, players=3, leader=2)
    state = played(state, paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1))
    assert follows(state, paint(2, 0, "bar", ROW_2))[-1] == RoundEnded(round=1, next_leader=0)


def test_the_new_leader_gathers_all_dice_for_the_next_round() -> None:
    state = played(at_last_die(1), paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1))
    assert (state.phase, state.round, state.leader, state.dice) == ("roll", 2, 1, ())
    state = played(state, DiceRolled((4, 5, 6)))
    assert GAME.to_act(state).must == (1,)
    assert len(state.dice) == 3


# --- scoring ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "shape", "names", "feature", "high"),
    [
        (1, "bar", ROW_1, "row.1", 10),
        (1, "bar", COL_C, "col.C", 8),
        (2, "block", BLUE, "district.blue", 14),
    ],
)
def test_the_first_to_fill_a_feature_circles_its_high_value(
    section: int, shape: str, names: str, feature: str, high: int
) -> None:
    state = drafting(section, 3, 4)
    move = paint(1, 0, shape, names)
    assert claims(state, move) == [(1, feature, "high", high)]
    state = played(state, move)
    assert GAME.expected_sight(state, "city-2")[f"{feature}.high"] == "circled"
    assert scores(state) == [0, high]


def test_an_unfinished_feature_scores_nothing() -> None:
    assert claims(drafting(6, 2, 3), paint(1, 0, "stick", "A1 B1 C1")) == []


def test_a_feature_may_be_filled_by_several_shapes() -> None:
    state = with_painted(drafting(6, 2, 3), 1, "D1")
    assert claims(state, paint(1, 0, "stick", "A1 B1 C1")) == [(1, "row.1", "high", 10)]


def test_the_others_cross_the_high_value_out() -> None:
    state = played(drafting(1, 2, 3, 4, players=3), paint(1, 0, "bar", COL_C))
    crossed = [GAME.expected_sight(state, f"city-{n}")["col.C.high"] for n in (1, 2, 3)]
    assert crossed == ["crossed", "circled", "crossed"]


def test_who_fills_it_later_circles_the_low_value() -> None:
    state = played(drafting(1, 1, 2), paint(1, 0, "bar", ROW_1))
    move = paint(0, 1, "bar", ROW_1)
    assert claims(state, move) == [(0, "row.1", "low", 4)]
    sight = GAME.expected_sight(played(state, move), "city-1")
    assert (sight["row.1.high"], sight["row.1.low"]) == ("crossed", "circled")


def test_several_taggers_may_circle_the_low_value() -> None:
    state = played(drafting(1, 1, 1, 2, players=3), paint(1, 0, "bar", ROW_1), paint(2, 1, "bar", ROW_1))
    state = played(state, paint(0, 2, "bar", ROW_1))
    assert scores(state) == [4, 10, 4]


def test_with_the_last_die_several_may_circle_the_high_value() -> None:
    state = at_last_die(1, 3)
    state = played(state, paint(2, 0, "bar", ROW_1), paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_2))
    assert scores(state) == [10, 11, 10]


def test_a_high_value_that_was_crossed_stays_crossed_with_the_last_die() -> None:
    state = with_closed(at_last_die(1), "row.1")
    assert claims(state, paint(0, 0, "bar", ROW_1)) == [(0, "row.1", "low", 4)]


def test_after_the_last_die_its_high_values_are_closed() -> None:
    state = played(at_last_die(1), paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_2))
    sights = [GAME.expected_sight(state, board) for board in ("city-1", "city-2")]
    assert [sight["row.1.high"] for sight in sights] == ["circled", "crossed"]
    assert [sight["row.2.high"] for sight in sights] == ["crossed", "circled"]


# --- the drone --------------------------------------------------------------------------------


def test_a_drone_paints_any_shape_that_lies_on_the_hq() -> None:
    state = drafting(1, 1, 1)
    shapes = {move.shape for move in drone_moves(GAME.legal_moves(state, 1))}
    assert shapes == {"bar", "block", "ell", "tee", "zig", "stick", "dot", "dash", "elbow"}
    assert refused(state, paint(1, 0, "cup", "A1 C1 A2 B2 C2", drone=1)) == "shape_not_on_hq"


def test_small_shapes_are_painted_by_drone_only() -> None:
    state = drafting(1, 2, 3)
    assert refused(state, paint(1, 0, "dot", "A1")) == "small_needs_drone"
    assert painted(played(state, paint(1, 0, "dot", "A1", drone=1)), 1) == squares("A1")


def test_a_drone_costs_the_negative_value_that_is_circled() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "dot", "A1", drone=1))
    assert scores(state) == [0, -1]
    assert GAME.expected_sight(state, "city-2")["drone.1"] == "circled"
    assert GAME.expected_sight(state, "city-1")["drone.1"] == "empty"


def test_a_shape_by_drone_obeys_the_same_rules_and_scores() -> None:
    state = with_painted(drafting(1, 2, 3), 1, "A1")
    assert refused(state, paint(1, 0, "block", RED, drone=1)) == "overlap"
    assert claims(state, paint(1, 0, "stick", "B1 C1 D1", drone=1)) == [(1, "row.1", "high", 10)]


def test_without_a_free_square_on_the_remote_there_is_no_drone() -> None:
    state = with_board(drafting(1, 2, 3), 1, drone=0b111)
    assert refused(state, paint(1, 0, "dot", "A1", drone=3)) == "drone_used_up"
    assert drone_moves(GAME.legal_moves(state, 1)) == []


# --- social networks --------------------------------------------------------------------------


def test_checking_social_networks_paints_nothing_and_costs_a_bubble() -> None:
    state = played(drafting(1, 2, 3), social(1, 0, 3))
    assert painted(state, 1) == ()
    assert scores(state) == [0, -5]
    assert GAME.expected_sight(state, "city-2")["bubble.3"] == "circled"


def test_the_others_cross_the_bubble_out() -> None:
    state = played(drafting(1, 2, 3, 4, players=3), social(1, 0, 2))
    assert [GAME.expected_sight(state, f"city-{n}")["bubble.2"] for n in (1, 2, 3)] == ["crossed", "circled", "crossed"]
    assert scores(state) == [0, -3, 0]


def test_bubbles_are_shared_by_all_taggers() -> None:
    state = played(drafting(1, 2, 3), social(1, 0, 2))
    assert refused(state, social(0, 1, 2)) == "bubble_taken"
    assert {m.bubble for m in GAME.legal_moves(state, 0) if isinstance(m, SocialChecked)} == {1, 3}


def test_with_the_last_die_all_who_check_circle_the_same_bubble() -> None:
    state = played(at_last_die(1, 3), social(1, 0, 2))
    assert {m.bubble for m in GAME.legal_moves(state, 0) if isinstance(m, SocialChecked)} == {2}
    assert refused(state, social(0, 0, 1)) == "same_bubble"
    state = played(state, social(0, 0, 2), paint(2, 0, "bar", ROW_1))
    assert scores(state) == [-3, -3, 10]
    assert [GAME.expected_sight(state, f"city-{n}")["bubble.2"] for n in (1, 2, 3)] == ["circled", "circled", "crossed"]


# --- the end ----------------------------------------------------------------------------------


def ending(state: State, *moves: Event) -> tuple[str, ...]:
    """The reasons for the end that the last of these moves brings."""
    events = follows(played(state, *moves[:-1]), moves[-1])
    return next((event.reasons for event in events if isinstance(event, GameEnded)), ())


def test_the_battle_ends_when_every_high_value_is_gone() -> None:
    state = at_last_die(1)
    state = with_closed(state, *(feature for feature in all_features(state) if feature != "row.1"))
    assert ending(state, paint(0, 0, "bar", ROW_1), social(1, 0, 1)) == ("high_values",)
    assert ending(state, paint(0, 0, "bar", ROW_2), social(1, 0, 1)) == ()


def test_the_battle_ends_when_every_bubble_is_gone() -> None:
    state = replace(at_last_die(1), bubbles_gone=0b101)
    assert ending(state, paint(0, 0, "bar", ROW_1), social(1, 0, 2)) == ("bubbles",)
    assert ending(state, paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1)) == ()


def test_the_battle_ends_when_one_remote_is_full() -> None:
    state = with_board(at_last_die(1), 0, drone=0b011)
    assert ending(state, paint(0, 0, "dot", "A1", drone=3), paint(1, 0, "bar", ROW_1)) == ("drone",)
    assert ending(state, paint(0, 0, "bar", ROW_1), paint(1, 0, "dot", "A1", drone=1)) == ()


def test_remotes_are_not_added_up() -> None:
    state = with_board(with_board(at_last_die(1), 0, drone=0b001), 1, drone=0b001)
    assert ending(state, paint(0, 0, "dot", "A1", drone=2), paint(1, 0, "dot", "A1", drone=2)) == ()


def test_every_reason_that_holds_is_told() -> None:
    state = with_board(replace(at_last_die(1), bubbles_gone=0b011), 0, drone=0b011)
    assert ending(state, paint(0, 0, "dot", "A1", drone=3), social(1, 0, 3)) == ("bubbles", "drone")


def test_the_round_is_finished_after_an_end_condition() -> None:
    state = with_board(drafting(1, 2, 3), 1, drone=0b011)
    state = played(state, paint(1, 0, "dot", "A1", drone=3))
    assert GAME.to_act(state).must == (0,)
    state = played(state, paint(0, 1, "block", RED))
    assert GAME.to_act(state).must == (0, 1)
    state = played(state, paint(0, 2, "ell", "A3 B3 C3 C4"))
    assert GAME.outcome(state) is None
    state = played(state, paint(1, 2, "ell", "A2 A3 A4 B4"))
    assert GAME.outcome(state) is not None
    assert GAME.to_act(state).must == ()


def test_in_the_last_round_a_full_remote_still_lets_its_tagger_paint_or_check() -> None:
    state = with_board(at_last_die(1), 0, drone=0b111)
    moves = GAME.legal_moves(state, 0)
    assert drone_moves(moves) == []
    assert paint(0, 0, "bar", ROW_1) in moves
    assert social(0, 0, 1) in moves


def test_once_all_bubbles_are_gone_checking_is_free() -> None:
    state = replace(drafting(1, 2, 3), bubbles_gone=0b111)
    after = played(state, social(1, 0, None))
    assert scores(after) == [0, 0]
    assert GAME.expected_sight(after, "city-2") == GAME.expected_sight(state, "city-2")
    assert refused(state, social(1, 0, 2)) == "bubbles_gone"


def test_the_score_is_the_sum_of_all_that_is_circled() -> None:
    # Ada fills rows 1 and 3; Bob fills column A with a dot by drone and takes the only bubble.
    state = with_painted(at_last_die(1, profile=tiny(bubbles=[-2])), 1, "A1 A2 A3")
    state = played(state, paint(0, 0, "bar", ROW_1), paint(1, 0, "dot", "A4", drone=1))
    state = played(state, DiceRolled((1, 1, 2)), DiePlaced(0, 1), DiePlaced(1, 1), DiePlaced(2, 2))
    state = played(state, paint(0, 0, "bar", ROW_3), social(1, 1, 1), social(0, 2, None), social(1, 2, None))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (10 + 12, 6 - 1 - 2)
    assert (outcome.winners, outcome.reasons) == ((0,), ("bubbles",))


def _ended(*boards: tuple[int, int]) -> tuple[int, ...]:
    """The winners when taggers come with these (points, circled bubbles) and the last die changes nothing."""
    state = replace(at_last_die(1, len(boards)), bubbles_gone=0b111)
    for seat, (score, bubbles) in enumerate(boards):
        state = with_board(state, seat, score=score, bubbles=bubbles)
    outcome = GAME.outcome(played(state, *(social(seat, 0, None) for seat in range(len(boards)))))
    assert outcome is not None
    assert outcome.scores == tuple(score for score, _ in boards)
    return outcome.winners


def test_most_points_win() -> None:
    assert _ended((10, 0b111), (12, 0), (11, 0b011)) == (1,)


def test_a_tie_goes_to_the_tagger_with_more_circled_bubbles() -> None:
    assert _ended((12, 0b001), (12, 0b110), (7, 0b111)) == (1,)


def test_a_tie_in_bubbles_too_is_shared() -> None:
    assert _ended((12, 0b001), (3, 0b011), (12, 0b100)) == (0, 2)


def test_scores_below_zero_are_compared_as_they_are() -> None:
    assert _ended((-3, 0), (-1, 0)) == (1,)


def test_nothing_more_can_be_done_after_the_end() -> None:
    state = replace(at_last_die(1), bubbles_gone=0b111)
    state = played(state, social(0, 0, None), social(1, 0, None))
    assert refused(state, DiceRolled((1, 2, 3))) == "game_over"
    assert [GAME.legal_moves(state, seat) for seat in (LUCK, 0, 1)] == [(), (), ()]
