"""From evidence to the one legal move, to a question, or to the rule that is broken."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK, IllegalMove, Message, Setup
from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, OTHER, dice_kind
from pi_app.engine.log import Play
from pi_app.engine.propose import Is, Verdict, propose
from pi_app.games.tag_city.rules.model import ShapePainted, State
from pi_app.games.tag_city.rules.sight import HQ, city_board
from tests.games.tag_city.helpers import GAME, RED, drafting, paint, social, squares
from tests.playing import TAG_CITY, seeded_play
from tests.sighting import after, evidence_of, seen_as

PLAYS = st.builds(seeded_play, st.integers(0, 10**9), st.integers(1, 150))


def verdicts(state: Any, evidence: Any, before: Any = None) -> dict[str, Verdict]:
    return propose(GAME, GAME.surfaces(Setup({}, {}, state.players)), state, evidence, before)


# --- whatever is played -----------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(PLAYS, st.integers(0, 10**9))
def test_every_legal_move_that_is_plainly_seen_is_that_move(play: Play[State], seed: int) -> None:
    rng = random.Random(seed)
    for seat in set(TAG_CITY.to_act(play.state).must) - {LUCK}:
        move = rng.choice(TAG_CITY.legal_moves(play.state, seat))
        trace = TAG_CITY.trace(play.state, move)
        if city_board(seat) not in trace:
            continue  # dice on sections, and free checks, are told in other ways
        evidence = after(play.state, move, noise=rng)
        found = verdicts(play.state, evidence)[city_board(seat)]
        assert found.what is Is.MOVE
        assert TAG_CITY.trace(play.state, found.moves[0]) == trace
        TAG_CITY.decide(play.state, found.moves[0])


@settings(max_examples=80, deadline=None)
@given(PLAYS, st.integers(0, 10**9))
def test_nothing_new_is_no_move(play: Play[State], seed: int) -> None:
    evidence = evidence_of(play.state, noise=random.Random(seed))
    found = verdicts(play.state, evidence)
    assert {verdict.what for verdict in found.values()} <= {Is.WAITING}


@settings(max_examples=80, deadline=None)
@given(PLAYS, st.integers(0, 10**9))
def test_any_ink_at_all_is_never_taken_for_an_illegal_move(play: Play[State], seed: int) -> None:
    """Scribbles anywhere, dice gone or not: what is accepted is legal and explains every new mark of that board."""
    rng = random.Random(seed)
    boards = [city_board(seat) for seat in range(len(play.setup.players))]
    drawn: dict[str, dict[str, str]] = {}
    for board in rng.sample(boards, rng.randint(1, len(boards))):
        free = [r for r, k in TAG_CITY.expected_sight(play.state, board).items() if k == "empty" and r[1].isdigit()]
        start = rng.randrange(len(free)) if free else 0
        drawn[board] = dict.fromkeys(free[start : start + rng.randint(1, 5)], "marked")
    drawn[HQ] = {
        section: "empty"
        for section, kind in TAG_CITY.expected_sight(play.state, HQ).items()
        if kind != "empty" and rng.random() < 0.4
    }
    evidence = evidence_of(play.state, drawn)
    for board, verdict in verdicts(play.state, evidence).items():
        if verdict.what is Is.MOVE and board != HQ:
            TAG_CITY.decide(play.state, verdict.moves[0])
            assert TAG_CITY.trace(play.state, verdict.moves[0])[board].keys() == drawn[board].keys()


# --- cases ------------------------------------------------------------------------------------


@pytest.fixture
def state() -> State:
    """Two taggers, three dice (1, 2 and 3) on the bar, the block and the ell; Bob begins."""
    return drafting(1, 2, 3)


def drawn(state: State, names: str, *others: str, die: str | None = "section.2", seat: int = 1) -> Any:
    """Squares that a seat marked, other regions that it circled, and the die that it took."""
    marks = {f"r{row + 1}c{col + 1}": "marked" for row, col in squares(names)} | dict.fromkeys(others, "circled")
    return evidence_of(state, {city_board(seat): marks, HQ: {} if die is None else {die: "empty"}})


def told(state: State, evidence: Any, board: str = "city-2") -> tuple[Is, str]:
    verdict = verdicts(state, evidence)[board]
    return verdict.what, "" if verdict.message is None else verdict.message.id


def test_the_shape_of_the_die_is_accepted(state: State) -> None:
    assert verdicts(state, drawn(state, RED))["city-2"] == Verdict(Is.MOVE, (paint(1, 1, "block", RED),))


def test_part_of_a_shape_is_still_being_drawn(state: State) -> None:
    assert told(state, drawn(state, "A1 B1 A2")) == (Is.DRAWING, "doing.drawing")


def test_a_shape_before_its_die_is_taken_waits_for_the_die(state: State) -> None:
    assert told(state, drawn(state, RED, die=None)) == (Is.WAITING, "doing.take_die")


def test_a_die_without_ink_waits_for_ink(state: State) -> None:
    assert told(state, drawn(state, "")) == (Is.WAITING, "doing.draw_now")


@pytest.mark.parametrize(
    ("names", "others", "reason"),
    [
        ("A1 B1 C1 D1", [], "rule.wrong_shape"),
        ("A1 B1 A2 B2 C1", [], "rule.too_many_squares"),
        ("A1 B1 C3 D3", [], "rule.not_this_shape"),
        (RED, ["drone.1", "drone.2"], "sight.no_move_fits"),
        (RED, ["bubble.1"], "sight.no_move_fits"),
        ("", ["bubble.1", "bubble.2"], "sight.no_move_fits"),
        (RED, ["drone.2"], "rule.drone_order"),
    ],
)
def test_what_no_rule_allows_names_the_rule(state: State, names: str, others: list[str], reason: str) -> None:
    assert told(state, drawn(state, names, *others)) == (Is.WRONG, reason)


def test_a_small_shape_without_a_circled_drone_may_still_grow_or_get_its_circle(state: State) -> None:
    assert told(state, drawn(state, "A1 B1")) == (Is.DRAWING, "doing.drawing")


def test_a_drone_move_that_could_still_grow_says_so(state: State) -> None:
    found = verdicts(state, drawn(state, "A1 B1", "drone.1"))["city-2"]
    assert (found.what, found.moves, found.extendable) == (Is.MOVE, (paint(1, 1, "dash", "A1 B1", 1),), True)
    assert not verdicts(state, drawn(state, RED))["city-2"].extendable


def test_a_circled_bubble_is_a_check(state: State) -> None:
    assert verdicts(state, drawn(state, "", "bubble.2"))["city-2"].moves == (social(1, 1, 2),)


def test_ink_out_of_turn_is_pointed_out(state: State) -> None:
    assert told(state, drawn(state, RED, seat=0), "city-1") == (Is.WRONG, "rule.not_your_turn")
    assert told(state, drawn(state, RED, seat=0, die=None), "city-1") == (Is.WRONG, "sight.not_your_turn")


def test_a_wiped_mark_is_an_alarm(state: State) -> None:
    play: Event = paint(1, 1, "block", RED)
    for event in GAME.decide(state, play):
        state = GAME.apply(state, event)
    evidence = evidence_of(state, {"city-2": {"r1c1": "empty"}})
    verdict = verdicts(state, evidence)["city-2"]
    wiped = Message("sight.mark_wiped", {"board": "city-2", "regions": ["r1c1"]})
    assert (verdict.what, verdict.message) == (Is.WRONG, wiped)


def test_one_doubtful_square_is_asked_about_and_two_possible_shapes_too(state: State) -> None:
    evidence = drawn(state, RED)
    evidence["city-2"]["r2c2"] = {"empty": 0.0, "marked": 0.0}
    assert verdicts(state, evidence)["city-2"].what is Is.UNCLEAR
    evidence = drawn(state, "B1 B2")
    for region in ("r1c1", "r2c1", "r1c3", "r2c3"):
        evidence["city-2"][region] = {"empty": -1.5, "marked": 0.0}
    found = verdicts(state, evidence)["city-2"]
    assert found.what is Is.UNCLEAR
    assert set(found.moves) == {paint(1, 1, "block", RED), paint(1, 1, "block", "B1 C1 B2 C2")}


def test_what_cannot_be_seen_is_never_accepted(state: State) -> None:
    """Under a hand every kind is as likely as any other."""
    evidence = drawn(state, RED)
    evidence["city-2"]["r2c2"] = {"empty": 0.0, "marked": 0.0}
    assert verdicts(state, evidence)["city-2"].what is not Is.MOVE
    evidence["city-2"] = {region: dict.fromkeys(look, 0.0) for region, look in evidence["city-2"].items()}
    assert "city-2" not in verdicts(state, evidence) or told(state, evidence)[0] is Is.WAITING


# --- dice -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sections", "reason"),
    [
        ({"section.1": "empty", "section.2": "empty"}, "mismatch.two_dice_taken"),
        ({"section.1": "4"}, "mismatch.die_turned"),
        ({"section.1": "empty", "section.2": "1 2"}, "mismatch.die_moved"),
        ({"section.4": "6"}, "mismatch.die_back"),
    ],
)
def test_what_should_not_happen_to_dice_is_noticed(state: State, sections: dict[str, str], reason: str) -> None:
    assert told(state, evidence_of(state, {HQ: sections}), HQ) == (Is.WRONG, reason)


def test_an_overlooked_die_leads_to_a_question_not_to_a_guess(state: State) -> None:
    evidence = drawn(state, RED)
    evidence[HQ]["section.3"] = {"empty": 0.0, OTHER: -5.0}
    found = verdicts(state, evidence)["city-2"]
    assert (found.what, found.moves[0]) == (Is.UNCLEAR, paint(1, 1, "block", RED))


def test_without_a_sight_of_the_hq_nothing_is_said_about_boards(state: State) -> None:
    evidence = drawn(state, RED)
    del evidence[HQ]
    assert verdicts(state, evidence) == {}


def test_a_roll_is_a_move_when_all_dice_lie_there_and_asked_about_when_one_is_doubtful() -> None:
    state = seeded_play(3, 1).state
    values = range(1, len(state.players) + 2)

    def told(beside: Iterable[int], on_section_2: str = "empty", perhaps: str = "") -> tuple[Is, str] | None:
        evidence = evidence_of(state, {HQ: {BESIDE: dice_kind(beside), "section.2": on_section_2}})
        if perhaps:
            evidence[HQ][BESIDE][perhaps] = -0.5
        verdict = verdicts(state, evidence).get(HQ)
        return None if verdict is None else (verdict.what, verdict.message.id if verdict.message else "")

    assert told(values) == (Is.MOVE, "")
    assert told(values[1:]) == (Is.WAITING, "rule.dice_count")
    assert told(values, perhaps=dice_kind([1, *values[:-1]])) == (Is.UNCLEAR, "sight.pieces_unsure")
    assert told(values[1:], on_section_2="1") is None, "a die of the last round"


def test_ink_before_the_dice_are_rolled_is_too_early() -> None:
    state = seeded_play(3, 1).state
    evidence = evidence_of(state, {"city-1": {"r1c1": "marked"}})
    assert told(state, evidence, "city-1") == (Is.WRONG, "sight.too_early")


def test_marks_that_only_follow_from_moves_neither_help_nor_hinder(state: State) -> None:
    evidence = drawn(state, RED)
    evidence["city-2"]["row.1.high"] = seen_as("row.1.high", "crossed")
    found = verdicts(state, evidence)["city-2"]
    assert isinstance(found.moves[0], ShapePainted)
    with pytest.raises(IllegalMove):
        GAME.decide(state, paint(0, 1, "block", RED))


def test_what_looked_empty_before_and_does_not_now_was_drawn(state: State) -> None:
    """A faint square alone is asked about; one that was seen to change is not, and a stain stays a stain."""
    evidence, before = drawn(state, RED), evidence_of(state)
    evidence["city-2"]["r2c2"] = {"empty": -0.5, "marked": 0.0}
    assert verdicts(state, evidence)["city-2"].what is Is.UNCLEAR
    assert verdicts(state, evidence, before)["city-2"].what is Is.MOVE
    before["city-2"]["r2c2"] = {"empty": -0.5, "marked": 0.0}
    assert verdicts(state, evidence, before)["city-2"].what is Is.UNCLEAR
