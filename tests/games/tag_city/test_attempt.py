"""From what a camera saw to the move that somebody evidently meant."""

import random
from dataclasses import replace

import pytest

from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import Event
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, GameStarted, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules.sight import HQ
from tests.games.tag_city.helpers import (
    COL_A,
    GAME,
    RED,
    ROW_1,
    ROW_2,
    ROW_3,
    Lying,
    at_last_die,
    drafting,
    ink,
    observe,
    paint,
    painted,
    played,
    random_moves,
    rolled,
    social,
    table,
    with_board,
    with_painted,
)

DRAFT = drafting(1, 2, 3)
"""Bar, block and ell lie on offer; Ada (0) leads, Bob (1) chooses first."""


def rule_of(state: State, move: Event | None) -> str:
    """The rule that an attempt breaks."""
    assert move is not None
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.rule


# --- dice -------------------------------------------------------------------------------------


def test_dice_on_the_table_are_the_roll() -> None:
    state = played(table(), GameStarted(0))
    dice = [Lying(4, None), Lying(1, None), Lying(4, None)]
    assert GAME.attempt(state, observe(state, dice=dice)) == DiceRolled((1, 4, 4))


def test_too_few_dice_are_a_roll_that_the_rules_refuse() -> None:
    state = played(table(), GameStarted(0))
    move = GAME.attempt(state, observe(state, dice=[Lying(4, None), Lying(1, None)]))
    assert rule_of(state, move) == "dice_count"


def test_dice_of_the_last_round_that_still_lie_on_sections_are_no_roll() -> None:
    state = played(table(), GameStarted(0))
    assert GAME.attempt(state, observe(state, dice=[Lying(1, 1), Lying(6, None), Lying(6, None)])) is None


def test_no_dice_are_no_roll() -> None:
    state = played(table(), GameStarted(0))
    assert GAME.attempt(state, observe(state, dice=[])) is None


def test_dice_before_a_leader_is_named_are_no_move() -> None:
    assert GAME.attempt(table(), observe(table(), dice=[Lying(1, None)] * 3)) is None


def test_a_die_on_a_section_is_placed_there() -> None:
    state = rolled(1, 2, 3)
    dice = [Lying(1, None), Lying(2, 3), Lying(3, None)]
    assert GAME.attempt(state, observe(state, dice=dice)) == DiePlaced(1, 3)


def test_a_die_on_a_wrong_section_is_told_as_such() -> None:
    state = rolled(1, 2, 3)
    move = GAME.attempt(state, observe(state, dice=[Lying(1, 4), Lying(2, None), Lying(3, None)]))
    assert move == DiePlaced(0, 4)
    assert rule_of(state, move) == "wrong_section"


def test_dice_placed_before_are_not_placed_again() -> None:
    state = played(rolled(1, 1, 3), DiePlaced(0, 1))
    assert GAME.attempt(state, observe(state)) is None
    dice = [Lying(1, 1), Lying(1, 1), Lying(3, None)]
    assert GAME.attempt(state, observe(state, dice=dice)) == DiePlaced(1, 1)


def test_dice_placed_at_once_are_taken_one_after_the_other() -> None:
    state = rolled(1, 2, 3)
    seen = observe(state, dice=[Lying(3, 4), Lying(1, 2), Lying(2, 2)])
    for _ in range(3):
        move = GAME.attempt(state, seen)
        assert move is not None
        state = played(state, move)
    assert [die.section for die in state.dice] == [2, 2, 4]
    assert state.phase == "draft"


def test_a_die_of_a_face_that_was_not_rolled_is_no_move() -> None:
    state = rolled(1, 2, 3)
    assert GAME.attempt(state, observe(state, dice=[Lying(6, 1)])) is None


# --- painting ---------------------------------------------------------------------------------


def test_the_table_as_recorded_is_no_move() -> None:
    for state in (DRAFT, at_last_die(1), rolled(1, 2, 3)):
        assert GAME.attempt(state, observe(state)) is None


def test_new_ink_and_a_missing_die_are_a_shape_painted() -> None:
    seen = observe(DRAFT, {1: ink(ROW_1)}, taken=[0])
    assert GAME.attempt(DRAFT, seen) == paint(1, 0, "bar", ROW_1)


def test_squares_may_be_crossed_or_circled_instead_of_coloured() -> None:
    for kind in ("marked", "crossed", "circled"):
        assert GAME.attempt(DRAFT, observe(DRAFT, {1: ink(ROW_1, kind)}, taken=[0])) == paint(1, 0, "bar", ROW_1)


def test_unsure_readings_are_not_ink() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {1: ink(ROW_1, "unsure")}, taken=[0])) is None


def test_ink_while_all_dice_lie_there_is_no_move_yet() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {1: ink(ROW_1)})) is None


def test_two_missing_dice_are_ambiguous() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {1: ink(ROW_1)}, taken=[0, 1])) is None


def test_a_missing_die_without_ink_is_no_move_yet() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, taken=[0])) is None


def test_ink_on_two_boards_is_ambiguous() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {0: ink(ROW_1), 1: ink(ROW_1)}, taken=[0])) is None


def test_a_die_that_lies_beside_the_hq_has_been_taken() -> None:
    dice = [Lying(1, None), Lying(2, 2), Lying(3, 3)]
    seen = observe(DRAFT, {1: ink(COL_A)}, dice=dice)
    assert GAME.attempt(DRAFT, seen) == paint(1, 0, "bar", COL_A)


def test_one_of_two_equal_dice_may_be_taken() -> None:
    state = drafting(1, 1, 2)
    move = GAME.attempt(state, observe(state, {1: ink(ROW_1)}, taken=[0]))
    assert isinstance(move, ShapePainted)
    assert move.die in (0, 1)
    assert painted(played(state, move), 1) == move.cells


def test_ink_on_top_of_recorded_ink_is_only_what_is_new() -> None:
    state = with_painted(DRAFT, 1, "A1 A2")
    seen = observe(state, {1: ink(ROW_3)}, taken=[0])
    assert GAME.attempt(state, seen) == paint(1, 0, "bar", ROW_3)


def test_a_shape_drawn_over_painted_squares_is_told_as_such() -> None:
    """Only B1 C1 D1 are new ink, which would be a stick; the die asks for a bar, and A1 was painted."""
    state = with_painted(DRAFT, 1, "A1")
    move = GAME.attempt(state, observe(state, {1: ink("B1 C1 D1")}, taken=[0]))
    assert move == paint(1, 0, "bar", ROW_1)
    assert rule_of(state, move) == "overlap"


def test_a_shape_and_a_circle_on_the_remote_are_a_drone() -> None:
    seen = observe(DRAFT, {1: {**ink("D4"), "drone.1": "circled"}}, taken=[2])
    assert GAME.attempt(DRAFT, seen) == paint(1, 2, "dot", "D4", drone=1)


@pytest.mark.parametrize(("shape", "names"), [("bar", ROW_1), ("zig", "A1 B1 B2 C2"), ("elbow", "A1 A2 B2")])
def test_the_shape_of_a_drone_is_read_off_its_squares(shape: str, names: str) -> None:
    seen = observe(DRAFT, {1: {**ink(names), "drone.1": "circled"}}, taken=[0])
    assert GAME.attempt(DRAFT, seen) == paint(1, 0, shape, names, drone=1)


def test_values_circled_for_a_finished_feature_do_not_disturb() -> None:
    marks = {1: {**ink(ROW_1), "row.1.high": "circled"}, 0: {"row.1.high": "crossed"}}
    assert GAME.attempt(DRAFT, observe(DRAFT, marks, taken=[0])) == paint(1, 0, "bar", ROW_1)


def test_boards_that_are_not_seen_are_no_obstacle() -> None:
    seen = observe(DRAFT, {1: ink(ROW_1)}, taken=[0])
    half = {board: seen[board] for board in ("city-2", "hq")}
    assert GAME.attempt(DRAFT, half) == paint(1, 0, "bar", ROW_1)


def test_regions_that_no_board_has_are_no_obstacle() -> None:
    seen = observe(DRAFT, {1: ink(ROW_1)}, taken=[0])
    strange = {**seen, "city-2": {**seen["city-2"], "r9c9": "marked"}}
    assert GAME.attempt(DRAFT, strange) == paint(1, 0, "bar", ROW_1)


# --- social networks --------------------------------------------------------------------------


def test_a_circled_bubble_is_a_social_check() -> None:
    seen = observe(DRAFT, {1: {"bubble.3": "circled"}}, taken=[1])
    assert GAME.attempt(DRAFT, seen) == social(1, 1, 3)


def test_bubbles_that_others_cross_belong_to_the_same_check() -> None:
    seen = observe(DRAFT, {1: {"bubble.3": "circled"}, 0: {"bubble.3": "crossed"}}, taken=[1])
    assert GAME.attempt(DRAFT, seen) == social(1, 1, 3)


def test_a_crossed_bubble_alone_is_no_move() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {1: {"bubble.3": "crossed"}}, taken=[1])) is None


def test_two_new_bubbles_are_ambiguous() -> None:
    seen = observe(DRAFT, {1: {"bubble.1": "circled", "bubble.3": "circled"}}, taken=[1])
    assert GAME.attempt(DRAFT, seen) is None


def test_ink_and_a_bubble_are_ambiguous() -> None:
    seen = observe(DRAFT, {1: {**ink(ROW_1), "bubble.3": "circled"}}, taken=[0])
    assert GAME.attempt(DRAFT, seen) is None


def test_two_new_circles_on_the_remote_are_ambiguous() -> None:
    seen = observe(DRAFT, {1: {**ink("A1"), "drone.1": "circled", "drone.2": "circled"}}, taken=[0])
    assert GAME.attempt(DRAFT, seen) is None


def test_a_circle_on_the_remote_alone_is_no_move_yet() -> None:
    assert GAME.attempt(DRAFT, observe(DRAFT, {1: {"drone.1": "circled"}}, taken=[0])) is None


# --- the last die -----------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_with_the_last_die_ink_alone_tells_the_move_of_any_seat(seat: int) -> None:
    state = at_last_die(1, 3)
    assert GAME.attempt(state, observe(state, {seat: ink(ROW_2)})) == paint(seat, 0, "bar", ROW_2)
    assert GAME.attempt(state, observe(state, {seat: ink(ROW_2)}, taken=[0])) == paint(seat, 0, "bar", ROW_2)


def test_with_the_last_die_boards_that_changed_together_are_taken_one_by_one() -> None:
    state = at_last_die(1, 3)
    seen = observe(state, {0: ink(ROW_1), 2: ink(ROW_2)})
    assert GAME.attempt(state, seen) == paint(0, 0, "bar", ROW_1)
    assert GAME.attempt(played(state, paint(0, 0, "bar", ROW_1)), seen) == paint(2, 0, "bar", ROW_2)


def test_with_the_last_die_a_second_shape_of_the_same_tagger_is_told_as_such() -> None:
    state = played(at_last_die(1), paint(0, 0, "bar", ROW_1))
    move = GAME.attempt(state, observe(state, {0: ink(ROW_3)}))
    assert move == paint(0, 0, "bar", ROW_3)
    assert rule_of(state, move) == "last_die_used"


def test_a_free_check_leaves_nothing_to_see() -> None:
    state = replace(at_last_die(1), bubbles_gone=0b111)
    after = played(state, social(0, 0, None))
    assert observe(after) == observe(state)
    assert GAME.attempt(state, observe(after)) is None


def test_after_the_end_nothing_is_a_move() -> None:
    state = replace(at_last_die(1), bubbles_gone=0b111)
    state = played(state, social(0, 0, None), social(1, 0, None))
    assert GAME.attempt(state, observe(state, {0: ink(ROW_1)}, dice=[Lying(1, None)] * 3)) is None


# --- evidently meant, and wrong ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "seat", "marks"),
    [
        ("not_your_turn", 0, ink(ROW_1)),
        ("wrong_shape", 1, ink(RED)),
        ("incomplete_shape", 1, ink("A1 C3")),
        ("too_many_squares", 1, ink("A1 B1 C1 D1 A2")),
        ("not_this_shape", 1, ink("A1 B1 C1 D2")),
        ("small_needs_drone", 1, ink("A1")),
        ("drone_order", 1, {**ink("A1"), "drone.2": "circled"}),
    ],
)
def test_a_wrong_move_is_told_as_it_was_meant(rule: str, seat: int, marks: dict[str, str]) -> None:
    assert rule_of(DRAFT, GAME.attempt(DRAFT, observe(DRAFT, {seat: marks}, taken=[0]))) == rule


def test_a_drone_beyond_a_full_remote_leaves_a_shape_that_needs_one() -> None:
    state = with_board(DRAFT, 1, drone=0b111)
    assert rule_of(state, GAME.attempt(state, observe(state, {1: ink("A1")}, taken=[0]))) == "small_needs_drone"


def test_another_bubble_than_the_table_chose_is_told_as_such() -> None:
    state = played(at_last_die(1), social(0, 0, 2))
    move = GAME.attempt(state, observe(state, {1: {"bubble.3": "circled"}}))
    assert move == social(1, 0, 3)
    assert rule_of(state, move) == "same_bubble"


def test_a_shape_drawn_over_old_ink_is_never_taken_for_a_legal_one() -> None:
    state = with_painted(DRAFT, 1, "A1")
    move = GAME.attempt(state, observe(state, {1: ink(ROW_1)}, taken=[0]))
    assert move is not None
    assert move not in GAME.legal_moves(state, 1)


# --- every move can be read off the table -----------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_what_the_table_looks_like_after_a_move_tells_that_move(seed: int) -> None:
    state, read = table(2 + seed % 3), 0
    for move in random_moves(state, random.Random(seed)):
        after = played(state, move)
        if isinstance(move, ShapePainted | SocialChecked):
            lying = state if state.phase == "last" else after
            seen = {**observe(after), HQ: observe(lying)[HQ]}
            expected = None if isinstance(move, SocialChecked) and move.bubble is None else move
            assert _told(state, GAME.attempt(state, seen)) == _told(state, expected)
            read += expected is not None
        state = after
    assert read > 5


def _told(state: State, move: Event | None) -> tuple[object, ...] | None:
    """A move but for which of two equal dice was taken."""
    if move is None:
        return None
    assert isinstance(move, ShapePainted | SocialChecked)
    die = state.dice[move.die]
    what = (move.shape, move.cells, move.drone) if isinstance(move, ShapePainted) else (move.bubble,)
    return (move.player, die.value, die.section, *what)
