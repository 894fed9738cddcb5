"""Every way to break a rule: the rule that answers, what it tells, and that nothing changes."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import pi_app.engine.log
import pi_app.games.tag_city.rules.judging
from pi_app.engine.contract import IllegalMove, Setup
from pi_app.engine.events import Event, GameEnded, Record, Undone
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    GameStarted,
    HouseDecided,
    RoundEnded,
    ShapePainted,
    State,
)
from tests.games.tag_city.helpers import (
    GAME,
    RED,
    ROW_1,
    at_last_die,
    drafting,
    paint,
    played,
    rolled,
    social,
    table,
    tiny,
    with_board,
    with_painted,
)

ALL_SHAPES = ["bar", "block", "ell", "tee", "zig", "stick", "dot", "dash", "elbow"]


@dataclass(frozen=True)
class Case:
    """A move that is refused in a state, by a rule that tells these facts."""

    rule: str
    facts: dict[str, Any]
    state: State
    move: Event
    why: str = ""


@dataclass(frozen=True)
class LogCase:
    """Something asked of a running game's record that is refused."""

    rule: str
    facts: dict[str, Any]
    ask: Callable[[Play[State]], object]
    moves: tuple[Event, ...] = ()


BEFORE = table()
ROLL = played(BEFORE, GameStarted(0))
PLACE = rolled(1, 2, 3)
DRAFT = drafting(1, 2, 3)
"""Bar, block and ell lie on offer; Ada (0) leads, Bob (1) chooses first."""
LAST = at_last_die(1)
OVER = played(replace(LAST, bubbles_gone=0b111), social(0, 0, None), social(1, 0, None))
BOB_TOOK_0 = played(DRAFT, paint(1, 0, "bar", ROW_1))
BOB_FLEW = with_board(DRAFT, 1, drone=0b001)

CASES = [
    Case("house_impossible", {"player": 1}, DRAFT, HouseDecided(1, 0, ((0, 4),), None, None), "outside the city"),
    Case("house_impossible", {"player": 1}, DRAFT, HouseDecided(1, 0, ((0, 0), (0, 0)), None, None), "twice"),
    Case("house_impossible", {"player": 1}, BOB_FLEW, HouseDecided(1, 0, (), 1, None), "circled before"),
    Case("house_impossible", {"player": 1}, DRAFT, HouseDecided(1, 0, (), None, 9), "no such bubble"),
    # Out of time.
    Case("game_over", {}, OVER, DiceRolled((1, 2, 3))),
    Case("game_over", {}, OVER, GameStarted(0), "not even a new start"),
    Case("already_started", {}, ROLL, GameStarted(1)),
    Case("already_started", {}, DRAFT, GameStarted(0), "in mid-game"),
    Case("leader_first", {}, BEFORE, DiceRolled((1, 2, 3)), "roll"),
    Case("leader_first", {}, BEFORE, DiePlaced(0, 1), "place"),
    Case("leader_first", {}, BEFORE, paint(0, 0, "bar", ROW_1), "paint"),
    Case("leader_first", {}, BEFORE, social(0, 0, 1), "social"),
    Case("roll_first", {"player": 0}, ROLL, DiePlaced(0, 1), "place"),
    Case("roll_first", {"player": 0}, ROLL, paint(1, 0, "bar", ROW_1), "paint"),
    Case("already_rolled", {}, PLACE, DiceRolled((4, 5, 6)), "placing"),
    Case("already_rolled", {}, LAST, DiceRolled((4, 5, 6)), "last die"),
    Case("place_first", {"player": 0}, PLACE, paint(1, 0, "bar", ROW_1), "paint"),
    Case("place_first", {"player": 0}, PLACE, social(1, 0, 1), "social"),
    Case("dice_all_placed", {}, DRAFT, DiePlaced(0, 2)),
    # Things that only follow from moves.
    Case("not_a_move", {"event": "feature_completed"}, DRAFT, FeatureCompleted(1, "row.1", "high", 10), "feature"),
    Case("not_a_move", {"event": "round_ended"}, LAST, RoundEnded(1, 1), "round"),
    Case("not_a_move", {"event": "game_ended"}, LAST, GameEnded(("drone",), (0, 0), (0,)), "game"),
    Case("not_a_move", {"event": "undone"}, DRAFT, Undone(1), "undone"),
    # The roll.
    Case("dice_count", {"count": 2, "expected": 3}, ROLL, DiceRolled((1, 2)), "too few"),
    Case("dice_count", {"count": 4, "expected": 3}, ROLL, DiceRolled((1, 2, 3, 4)), "too many"),
    Case("die_face", {"value": 7}, ROLL, DiceRolled((1, 7, 3)), "7"),
    Case("die_face", {"value": 0}, ROLL, DiceRolled((0, 6, 3)), "0"),
    # Placing dice.
    Case("unknown_die", {"die": 3}, PLACE, DiePlaced(3, 1), "place"),
    Case("unknown_die", {"die": -1}, PLACE, DiePlaced(-1, 1), "place -1"),
    Case(
        "die_already_placed",
        {"die": 0, "value": 1, "section": 1},
        played(PLACE, DiePlaced(0, 1)),
        DiePlaced(0, 2),
    ),
    Case(
        "wrong_section",
        {"die": 1, "value": 2, "section": 4, "player": 0, "expected": [2, 3]},
        PLACE,
        DiePlaced(1, 4),
    ),
    Case(
        "wrong_section",
        {"die": 1, "value": 2, "section": 7, "player": 0, "expected": [2, 3]},
        PLACE,
        DiePlaced(1, 7),
        "no such section",
    ),
    Case(
        "equal_dice",
        {"die": 1, "value": 4, "section": 5, "player": 0, "expected": [4]},
        played(rolled(4, 4, 1, equal_dice=False), DiePlaced(0, 5)),
        DiePlaced(1, 5),
    ),
    # Whose turn, which die.
    Case("unknown_player", {"player": 2}, BEFORE, GameStarted(2), "leader"),
    Case("unknown_player", {"player": -1}, BEFORE, GameStarted(-1), "leader -1"),
    Case("unknown_player", {"player": 2}, DRAFT, paint(2, 0, "bar", ROW_1), "paint"),
    Case("unknown_player", {"player": -1}, LAST, social(-1, 0, 1), "social"),
    Case("not_your_turn", {"player": 0, "turn": 1}, DRAFT, paint(0, 0, "bar", ROW_1), "too early"),
    Case("not_your_turn", {"player": 1, "turn": 0}, BOB_TOOK_0, social(1, 1, 1), "twice"),
    Case("last_die_used", {"player": 0}, played(LAST, paint(0, 0, "bar", ROW_1)), social(0, 0, 1)),
    Case("unknown_die", {"die": 3}, DRAFT, paint(1, 3, "bar", ROW_1), "paint"),
    Case(
        "die_taken",
        {"player": 0, "die": 0, "value": 1, "owner": 1},
        BOB_TOOK_0,
        paint(0, 0, "bar", ROW_1),
        "draft",
    ),
    Case("die_taken", {"player": 1, "die": 1, "value": 6, "owner": 0}, LAST, social(1, 1, 1), "last die"),
    # Which shape.
    Case("unknown_shape", {"player": 1, "shape": "whale"}, DRAFT, paint(1, 0, "whale", ROW_1)),
    Case(
        "wrong_shape",
        {"player": 1, "shape": "block", "section": 1, "expected": "bar"},
        DRAFT,
        paint(1, 0, "block", RED),
    ),
    Case(
        "small_needs_drone",
        {"player": 1, "shape": "dot", "section": 1, "expected": "bar"},
        DRAFT,
        paint(1, 0, "dot", "A1"),
    ),
    Case(
        "shape_not_on_hq",
        {"player": 1, "shape": "cup", "expected": ALL_SHAPES},
        DRAFT,
        paint(1, 0, "cup", "A1 C1 A2 B2 C2", drone=1),
    ),
    # The remote.
    Case("unknown_drone_slot", {"player": 1, "slot": 4}, DRAFT, paint(1, 0, "dot", "A1", drone=4), "4"),
    Case("unknown_drone_slot", {"player": 1, "slot": 0}, DRAFT, paint(1, 0, "dot", "A1", drone=0), "0"),
    Case("drone_used_up", {"player": 1}, with_board(DRAFT, 1, drone=0b111), paint(1, 0, "dot", "A1", drone=3)),
    Case(
        "drone_slot_used",
        {"player": 1, "slot": 1, "expected": [2]},
        BOB_FLEW,
        paint(1, 0, "dot", "A1", drone=1),
    ),
    Case("drone_order", {"player": 1, "slot": 3, "expected": 2}, BOB_FLEW, paint(1, 0, "dot", "A1", drone=3)),
    # Which squares.
    Case(
        "outside_city",
        {"player": 1, "shape": "bar", "squares": ["E1"]},
        DRAFT,
        ShapePainted(1, 0, "bar", ((0, 1), (0, 2), (0, 3), (0, 4))),
    ),
    Case(
        "square_twice",
        {"player": 1, "shape": "bar"},
        DRAFT,
        ShapePainted(1, 0, "bar", ((0, 0), (0, 1), (0, 2), (0, 2))),
    ),
    Case(
        "overlap",
        {"player": 1, "shape": "bar", "squares": ["B1", "C1"], "count": 2},
        with_painted(DRAFT, 1, "B1 C1 A4"),
        paint(1, 0, "bar", ROW_1),
    ),
    Case(
        "incomplete_shape",
        {"player": 1, "shape": "bar", "squares": ["A1", "B1", "C1"], "count": 3, "expected": 4},
        DRAFT,
        paint(1, 0, "bar", "A1 B1 C1"),
    ),
    Case(
        "incomplete_shape",
        {"player": 1, "shape": "bar", "squares": [], "count": 0, "expected": 4},
        DRAFT,
        ShapePainted(1, 0, "bar", ()),
        "nothing drawn",
    ),
    Case(
        "too_many_squares",
        {"player": 1, "shape": "bar", "squares": ["A1", "B1", "C1", "D1", "A2"], "count": 5, "expected": 4},
        DRAFT,
        paint(1, 0, "bar", ROW_1 + " A2"),
    ),
    Case(
        "not_this_shape",
        {"player": 1, "shape": "bar", "squares": ["A1", "B1", "C1", "C2"]},
        DRAFT,
        paint(1, 0, "bar", "A1 B1 C1 C2"),
    ),
    # Bubbles.
    Case("bubble_needed", {"player": 1, "expected": [1, 2, 3]}, DRAFT, social(1, 0, None)),
    Case("unknown_bubble", {"player": 1, "bubble": 4}, DRAFT, social(1, 0, 4), "4"),
    Case("unknown_bubble", {"player": 1, "bubble": 0}, DRAFT, social(1, 0, 0), "0"),
    Case("bubbles_gone", {"player": 1, "bubble": 2}, replace(DRAFT, bubbles_gone=0b111), social(1, 0, 2)),
    Case(
        "bubble_taken",
        {"player": 1, "bubble": 2, "expected": [1, 3]},
        replace(DRAFT, bubbles_gone=0b010),
        social(1, 0, 2),
    ),
    Case("same_bubble", {"player": 1, "bubble": 3, "expected": 2}, played(LAST, social(0, 0, 2)), social(1, 0, 3)),
]

LOG_CASES = [
    LogCase("undo_nothing", {}, lambda play: play.undo()),
    LogCase("undo_nothing", {}, lambda play: play.undo(), (GameStarted(0),)),
    LogCase("undo_unknown", {"upto": 99}, lambda play: play.undo(99), (GameStarted(0), DiceRolled((1, 2, 3)))),
    LogCase("undo_unknown", {"upto": 0}, lambda play: play.undo(0), (GameStarted(0), DiceRolled((1, 2, 3)))),
    LogCase("redo_nothing", {}, lambda play: play.redo(), (GameStarted(0), DiceRolled((1, 2, 3)))),
    LogCase("correct_unknown", {"seq": 5}, lambda play: play.correct({5: DiceRolled((1, 1, 1))}), (GameStarted(0),)),
    LogCase("correct_unknown", {"seq": 0}, lambda play: play.correct({}), (GameStarted(0),)),
    LogCase("correct_start", {"seq": 1}, lambda play: play.correct({1: GameStarted(1)}), (GameStarted(0),)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.why}".strip())
def test_a_refused_move_names_its_rule_and_changes_nothing(case: Case) -> None:
    before = replace(case.state)
    with pytest.raises(IllegalMove) as error:
        GAME.decide(case.state, case.move)
    assert error.value.rule == case.rule
    assert error.value.facts == case.facts
    assert case.state == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.why}".strip())
def test_a_refused_move_is_not_among_the_legal_ones(case: Case) -> None:
    for seat in (-1, *range(len(case.state.players))):
        assert case.move not in GAME.legal_moves(case.state, seat)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.why}".strip())
def test_the_facts_of_a_refusal_are_plain_json(case: Case) -> None:
    with pytest.raises(IllegalMove) as error:
        GAME.decide(case.state, case.move)
    assert json.loads(json.dumps(error.value.facts)) == error.value.facts


@pytest.mark.parametrize("case", LOG_CASES, ids=lambda case: f"{case.rule} {len(case.moves)}")
def test_a_refused_change_of_the_record_names_its_rule_and_changes_nothing(case: LogCase) -> None:
    saved: list[Record] = []
    play = _play(*case.moves, save=saved)
    before, records, saves = replace(play.state), list(play.records), len(saved)
    with pytest.raises(IllegalMove) as error:
        case.ask(play)
    assert (error.value.rule, error.value.facts) == (case.rule, case.facts)
    assert (play.state, play.records, len(saved)) == (before, records, saves)


def test_a_refused_move_leaves_the_record_as_it_was() -> None:
    play = _play(GameStarted(0), DiceRolled((1, 2, 3)), save=[])
    before, records = replace(play.state), list(play.records)
    with pytest.raises(IllegalMove, match="wrong_section"):
        play.do(DiePlaced(0, 5))
    assert (play.state, play.records) == (before, records)


def test_a_correction_that_breaks_a_later_move_names_that_move() -> None:
    play = _play(GameStarted(0), DiceRolled((1, 2, 3)), DiePlaced(0, 1), save=[])
    before = replace(play.state)
    with pytest.raises(IllegalMove) as error:
        play.correct({2: DiceRolled((4, 2, 3))})
    assert error.value.rule == "wrong_section"
    assert error.value.facts["seq"] == 3
    assert play.state == before


def test_squares_in_any_order_are_the_same_move() -> None:
    move = ShapePainted(1, 0, "bar", ((0, 3), (0, 0), (0, 2), (0, 1)))
    assert GAME.decide(DRAFT, move)[0] == paint(1, 0, "bar", ROW_1)


def test_every_rule_in_the_source_is_tried_here() -> None:
    tried = {case.rule for case in CASES} | {case.rule for case in LOG_CASES}
    assert tried == _rules_in_source()


def _play(*moves: Event, save: list[Record]) -> Play[State]:
    play = Play(GAME, Setup(tiny(), {}, ("Ada", "Bob")), lambda: "2024-01-01T00:00:00Z", save=save.extend)
    for move in moves:
        play.do(move)
    return play


def _rules_in_source() -> set[str]:
    """Rule ids as they are written: IllegalMove("id"…) and rule = "id" if … else "id"."""
    found: set[str] = set()
    for module in (pi_app.games.tag_city.rules.judging, pi_app.engine.log):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        found.update(re.findall(r'IllegalMove\(\s*"(\w+)"', source))
        for line in re.findall(r"^\s*rule = .*$", source, re.MULTILINE):
            found.update(re.findall(r'"(\w+)"', line))
    return found
