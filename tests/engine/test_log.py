"""Undo, redo and corrections: events like all others, and never a trace in the state."""

import random
from collections.abc import Sequence

import pytest

from pi_app.engine.contract import LUCK, IllegalMove, Setup
from pi_app.engine.events import Record, Undone
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, FeatureCompleted, GameStarted, ShapePainted, State
from tests.games.tag_city.helpers import ROW_1, ROW_2, paint, tiny
from tests.playing import TAG_CITY, house_setup, new_play, play_on, seeded_play, some_move


def refolded(play: Play[State]) -> State:
    again: Play[State] = Play(TAG_CITY, play.setup, now=str, records=play.records)
    return again.state


def test_undo_takes_back_the_last_move_with_its_consequences() -> None:
    play = seeded_play(4)
    last = next(i for i in reversed(range(len(play.in_force))) if TAG_CITY.is_move(play.in_force[i].event))
    assert last < len(play.in_force) - 1, "the last move of a game has consequences"
    before = play.in_force[:last]
    play.undo()
    assert play.in_force == before
    assert isinstance(play.records[-1].event, Undone)
    assert play.state == refolded(play)
    assert play.state.result is None


@pytest.mark.parametrize("seed", range(6))
def test_undo_reaches_the_end_of_every_earlier_move(seed: int) -> None:
    play = seeded_play(seed, moves=40)
    states = {0: play.state}
    probe = new_play(play.setup)
    for record in play.in_force:
        if TAG_CITY.is_move(record.event):
            probe.do(record.event)
            states[len(probe.records)] = probe.state
    upto = random.Random(seed).choice([seq for seq in states if 0 < seq < len(play.records)])
    play.undo(upto)
    assert play.state == states[upto]


def test_undo_can_go_further_back_across_an_earlier_undo() -> None:
    play = seeded_play(1, moves=12)
    kept = play.state
    at = len(play.records)
    play_on(play, random.Random(2), 9)
    play.undo()
    play_on(play, random.Random(3), 4)
    play.undo(at)
    assert play.state == kept


def test_undo_stops_at_the_start_of_the_game() -> None:
    play = new_play(house_setup())
    with pytest.raises(IllegalMove, match="undo_nothing"):
        play.undo()
    play_on(play, random.Random(1), 1)
    with pytest.raises(IllegalMove, match="undo_nothing"):
        play.undo()


def test_undo_refuses_what_is_not_the_end_of_a_move() -> None:
    play = seeded_play(4)
    middle = next(record.seq for record in play.records if isinstance(record.event, FeatureCompleted)) - 1
    before = (list(play.records), play.state)
    for upto in (middle, 0, -1, len(play.records), len(play.records) + 5):
        with pytest.raises(IllegalMove, match="undo_unknown"):
            play.undo(upto)
    assert (list(play.records), play.state) == before


def test_redo_brings_back_exactly_what_was_undone() -> None:
    play = seeded_play(4)
    state, in_force = play.state, [record.event for record in play.in_force]
    play.undo(play.in_force[20].seq if TAG_CITY.is_move(play.in_force[21].event) else None)
    play.redo()
    assert play.state == state == refolded(play)
    assert [record.event for record in play.in_force] == in_force


def test_redo_needs_an_undo_just_before() -> None:
    play = seeded_play(4, moves=10)
    with pytest.raises(IllegalMove, match="redo_nothing"):
        play.redo()
    play.undo()
    play.do(some_move(play.state, random.Random(0)))
    with pytest.raises(IllegalMove, match="redo_nothing"):
        play.redo()


def elsewhere(play: Play[State], record: Record) -> ShapePainted | None:
    """The same shape somewhere else, so that all later moves still fit."""
    move = record.event
    assert isinstance(move, ShapePainted)
    later = 0
    for other in play.in_force:
        if isinstance(other.event, ShapePainted) and other.event.player == move.player and other.seq != record.seq:
            later |= play.state.printed.mask(other.event.cells)
    for mask, cells in play.state.printed.shapes[move.shape].placements.items():
        if not mask & later and cells != move.cells:
            return ShapePainted(move.player, move.die, move.shape, cells, move.drone)
    return None


@pytest.mark.parametrize("seed", range(12))
def test_a_correction_gives_the_game_that_would_have_been_played(seed: int) -> None:
    play = seeded_play(seed, moves=60)
    painted = [record for record in play.in_force if isinstance(record.event, ShapePainted)]
    random.Random(seed).shuffle(painted)
    wrong, right = next((record, there) for record in painted if (there := elsewhere(play, record)))
    as_it_should_be = new_play(play.setup)
    for record in play.in_force:
        if TAG_CITY.is_move(record.event):
            as_it_should_be.do(right if record.seq == wrong.seq else record.event)
    play.correct({wrong.seq: right})
    assert play.state == as_it_should_be.state == refolded(play)
    assert [record.event for record in play.in_force] == [record.event for record in as_it_should_be.in_force]


def test_a_correction_recomputes_scores_and_claims_that_followed() -> None:
    """Both taggers fill row 1. If the first one really drew elsewhere, the second one was first."""
    play = Play(TAG_CITY, Setup(tiny(), {}, ("Ada", "Bob")), now=str)
    opening = [GameStarted(0), DiceRolled((1, 1, 6)), DiePlaced(0, 1), DiePlaced(1, 1), DiePlaced(2, 6)]
    for move in [*opening, paint(1, 0, "bar", ROW_1), paint(0, 1, "bar", ROW_1)]:
        play.do(move)
    assert [board.score for board in play.state.boards] == [4, 10]
    wrong = next(record.seq for record in play.in_force if record.event == paint(1, 0, "bar", ROW_1))
    play.correct({wrong: paint(1, 0, "bar", ROW_2)})
    assert [board.score for board in play.state.boards] == [10, 11]
    play.correct({play.in_force[-2].seq: paint(0, 1, "bar", ROW_2)})
    assert [board.score for board in play.state.boards] == [5, 11]


def test_a_correction_that_a_later_move_contradicts_changes_nothing_and_names_that_move() -> None:
    play = seeded_play(3, moves=60)
    painted = [r for r in play.in_force if isinstance(r.event, ShapePainted)]
    first = painted[0]
    assert isinstance(first.event, ShapePainted)
    clash = next(
        r
        for r in painted[1:]
        if isinstance(r.event, ShapePainted)
        and r.event.player == first.event.player
        and r.event.shape == first.event.shape
    )
    assert isinstance(clash.event, ShapePainted)
    there = ShapePainted(first.event.player, first.event.die, first.event.shape, clash.event.cells, first.event.drone)
    before = (list(play.records), play.state)
    with pytest.raises(IllegalMove, match="overlap") as refused:
        play.correct({first.seq: there})
    assert refused.value.facts["seq"] == clash.seq
    assert (list(play.records), play.state) == before
    # Both together are fine: the two placements change places.
    here = ShapePainted(clash.event.player, clash.event.die, clash.event.shape, first.event.cells, clash.event.drone)
    play.correct({first.seq: there, clash.seq: here})
    assert play.state.boards[0].painted == before[1].boards[0].painted


def test_only_moves_that_count_can_be_corrected() -> None:
    play = seeded_play(3, moves=30)
    with pytest.raises(IllegalMove, match="correct_start"):
        play.correct({1: play.records[0].event})
    undone = play.in_force[-1]
    play.undo()
    for seq in (undone.seq, len(play.records), 999):
        with pytest.raises(IllegalMove, match="correct_unknown"):
            play.correct({seq: undone.event})
    with pytest.raises(IllegalMove, match="correct_unknown"):
        play.correct({})


def test_what_cannot_be_saved_has_not_happened() -> None:
    def broken(records: Sequence[Record]) -> None:
        raise OSError("no room")

    setup = house_setup()
    done = play_on(new_play(setup), random.Random(5), 20)
    play = Play(TAG_CITY, setup, now=str, records=done.records, save=broken)
    before = (list(play.records), play.state, play.in_force)
    with pytest.raises(OSError, match="no room"):
        play.do(some_move(play.state, random.Random(1)))
    with pytest.raises(OSError, match="no room"):
        play.undo()
    assert (list(play.records), play.state, play.in_force) == before


def test_records_are_saved_whole_before_they_count() -> None:
    saved: list[Record] = []
    play = Play(TAG_CITY, house_setup(), now=lambda: "now", save=saved.extend)
    play_on(play, random.Random(8))
    play.undo()
    assert saved == play.records
    assert [record.seq for record in saved] == list(range(1, len(saved) + 1))
    assert LUCK not in {r.event.player for r in saved if isinstance(r.event, ShapePainted)}
