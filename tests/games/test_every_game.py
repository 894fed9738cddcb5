"""What holds for every registered game, whatever its rules."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK, IllegalMove
from pi_app.engine.events import Event, from_json, to_json
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    GameStarted,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.storage.gamefile import check_game_file, game_file
from tests.playing import TAG_CITY, any_setup, new_play, play_on, seeded_play, some_move

SEEDS = st.integers(0, 10**9)
# A position anywhere between the first lot and the last score.
PLAYS = st.builds(seeded_play, SEEDS, st.integers(1, 150))


def test_there_is_a_player_for_every_registered_game() -> None:
    assert set(GAMES) == {TAG_CITY.name}, "extend tests/playing.py to the new game, and these tests with it"


@settings(max_examples=30)
@given(SEEDS)
def test_legal_moves_never_raise_and_every_game_ends(seed: int) -> None:
    play = seeded_play(seed)
    assert TAG_CITY.to_act(play.state).must == ()
    assert TAG_CITY.outcome(play.state) is not None
    last_round = max(record.event.round for record in play.in_force if isinstance(record.event, RoundEnded))
    assert TAG_CITY.view(play.state, None)["round"] == last_round


@settings(max_examples=60)
@given(PLAYS, SEEDS)
def test_legal_moves_are_counted_indexed_and_found_alike(play: Play[State], seed: int) -> None:
    for seat in TAG_CITY.to_act(play.state).must:
        moves = TAG_CITY.legal_moves(play.state, seat)
        listed = list(moves)
        assert len(moves) == len(listed) == len(set(listed)) > 0
        for index in random.Random(seed).sample(range(len(listed)), min(20, len(listed))):
            assert moves[index] == listed[index] == moves[index - len(listed)]
            assert listed[index] in moves
            TAG_CITY.decide(play.state, listed[index])
        assert moves[1:4] == listed[1:4]
        with pytest.raises(IndexError):
            moves[len(listed)]


@settings(max_examples=60)
@given(PLAYS)
def test_only_those_who_may_act_have_moves(play: Play[State]) -> None:
    acting = TAG_CITY.to_act(play.state).must
    for seat in {LUCK, *range(len(play.setup.players))} - set(acting):
        assert len(TAG_CITY.legal_moves(play.state, seat)) == 0


numbers = st.integers(-3, 14)
any_event = st.one_of(
    st.builds(GameStarted, numbers),
    st.builds(DiceRolled, st.lists(numbers, max_size=6).map(tuple)),
    st.builds(DiePlaced, numbers, numbers),
    st.builds(
        ShapePainted,
        numbers,
        numbers,
        st.sampled_from(["wave", "dot", "hook", "crown", "nonsense"]),
        st.lists(st.tuples(numbers, numbers), max_size=7).map(tuple),
        st.none() | numbers,
    ),
    st.builds(SocialChecked, numbers, numbers, st.none() | numbers),
    st.builds(FeatureCompleted, numbers, st.just("row.1"), st.just("high"), numbers),
)


@settings(max_examples=300)
@given(PLAYS, any_event, SEEDS)
def test_refused_moves_change_nothing(play: Play[State], event: Event, seed: int) -> None:
    """Also moves that are almost right: a legal one with one thing changed."""
    records, state = list(play.records), play.state
    nearly = [event]
    if TAG_CITY.to_act(state).must and isinstance(event, ShapePainted):
        legal = some_move(state, random.Random(seed))
        if isinstance(legal, ShapePainted):
            nearly += [
                replace(legal, cells=event.cells),
                replace(legal, die=event.die),
                replace(legal, drone=event.drone),
            ]
    for move in nearly:
        if any(move in TAG_CITY.legal_moves(state, seat) for seat in TAG_CITY.to_act(state).must):
            TAG_CITY.decide(state, move)
            continue
        with pytest.raises(IllegalMove) as refused:
            play.do(move)
        json.dumps(refused.value.facts)
        assert (play.records, play.state) == (records, state)


@settings(max_examples=60)
@given(PLAYS)
def test_the_score_is_the_fold_of_the_events(play: Play[State]) -> None:
    city = play.setup.profile["city"]
    scores = [0] * len(play.setup.players)
    for record in play.in_force:
        told = to_json(record.event)
        if told["type"] == "feature_completed":
            scores[told["player"]] += told["value"]
        if told.get("drone") is not None:
            scores[told["player"]] += city["drone"][told["drone"] - 1]
        if told.get("bubble") is not None:
            scores[told["player"]] += city["bubbles"][told["bubble"] - 1]
    assert scores == [board.score for board in play.state.boards]
    assert scores == [board["score"]["total"] for board in TAG_CITY.view(play.state, None)["boards"]]


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 20), st.data())
def test_undo_then_redo_is_identity(seed: int, back: int, data: st.DataObject) -> None:
    play = seeded_play(seed, data.draw(st.integers(3, 150)))
    ends = [r.seq - 1 for r in play.in_force if TAG_CITY.is_move(r.event)][2:]
    state = play.state
    play.undo(ends[-min(back, len(ends))])
    play.redo()
    assert play.state == state


@settings(max_examples=25)
@given(SEEDS)
def test_painted_squares_only_grow(seed: int) -> None:
    rng = random.Random(seed)
    play = new_play(any_setup(rng))
    while TAG_CITY.to_act(play.state).must:
        before = play.state.boards
        play_on(play, rng, 1)
        for old, new in zip(before, play.state.boards, strict=True):
            assert old.painted & new.painted == old.painted
            assert old.drone & new.drone == old.drone
            assert old.bubbles & new.bubbles == old.bubbles


@settings(max_examples=40)
@given(PLAYS, st.booleans())
def test_replay_of_an_export_equals_the_state(play: Play[State], undo: bool) -> None:
    if undo and len(play.records) > 3:
        play.undo()
    exported: dict[str, Any] = json.loads(json.dumps(game_file(play)))
    again = check_game_file(exported)
    assert again.state == play.state
    assert again.records == play.records


@settings(max_examples=40)
@given(PLAYS)
def test_views_sights_and_lights_serialise(play: Play[State]) -> None:
    seats = range(len(play.setup.players))
    for seat in (None, *seats):
        view = TAG_CITY.view(play.state, seat)
        assert json.loads(json.dumps(view)) == view
    boards = [board["board"] for board in TAG_CITY.view(play.state, None)["boards"]]
    for board in (*boards, "hq"):
        assert set(map(type, TAG_CITY.expected_sight(play.state, board).values())) == {str}
    assert json.loads(json.dumps(TAG_CITY.lights(play.state)))


@settings(max_examples=40)
@given(PLAYS)
def test_events_survive_json(play: Play[State]) -> None:
    for record in play.records:
        assert from_json(json.loads(json.dumps(to_json(record.event))), TAG_CITY.events) == record.event


@settings(max_examples=60)
@given(PLAYS, SEEDS)
def test_a_trace_is_what_the_move_itself_changes_in_what_is_expected(play: Play[State], seed: int) -> None:
    """Every mark and die of a trace is expected after the move, and was not before."""
    for seat in TAG_CITY.to_act(play.state).must:
        move = random.Random(seed).choice(TAG_CITY.legal_moves(play.state, seat))
        # The move alone: the end of a round clears the HQ, and that is no longer the move.
        after = TAG_CITY.apply(play.state, TAG_CITY.decide(play.state, move)[0])
        for board, marks in TAG_CITY.trace(play.state, move).items():
            before, then = (TAG_CITY.expected_sight(state, board) for state in (play.state, after))
            assert all(then.get(region, kind) == kind for region, kind in marks.items())
            assert all(before[region] != kind for region, kind in marks.items())
            acts = {r for r in then if TAG_CITY.act(r, then[r]) != TAG_CITY.act(r, before[r])}
            assert acts <= {r for r, kind in marks.items() if TAG_CITY.act(r, kind) != TAG_CITY.act(r, before[r])}


@settings(max_examples=60)
@given(PLAYS, SEEDS)
def test_moves_within_regions_are_the_legal_moves_whose_trace_lies_there(play: Play[State], seed: int) -> None:
    rng = random.Random(seed)
    for seat in set(TAG_CITY.to_act(play.state).must) - {LUCK}:
        moves = TAG_CITY.legal_moves(play.state, seat)
        regions: dict[str, set[str]] = {}
        for move in [rng.choice(moves) for _ in range(4)]:
            for board, marks in TAG_CITY.trace(play.state, move).items():
                regions.setdefault(board, set()).update(marks)
        found = list(TAG_CITY.moves_within(play.state, seat, regions))
        inside = [
            move
            for move in moves
            if all(
                marks.keys() <= regions.get(board, set()) for board, marks in TAG_CITY.trace(play.state, move).items()
            )
        ]
        assert sorted(map(str, found)) == sorted(map(str, inside))
        assert not TAG_CITY.moves_within(play.state, (seat + 1) % 8 + 8, regions)
