"""Tag City played at random: what holds in every game of it."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import Event, to_json
from pi_app.engine.log import Play
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
from tests.playing import TAG_CITY, any_setup, new_play, play_on, seeded_play, some_move

SEEDS = st.integers(0, 10**9)
# A position anywhere between the first lot and the last score.
PLAYS = st.builds(seeded_play, SEEDS, st.integers(1, 150))


@settings(max_examples=30)
@given(SEEDS)
def test_the_last_round_stays_the_last(seed: int) -> None:
    play = seeded_play(seed)
    last_round = max(record.event.round for record in play.in_force if isinstance(record.event, RoundEnded))
    assert TAG_CITY.round(play.state) == last_round


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
