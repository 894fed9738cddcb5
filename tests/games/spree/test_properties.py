"""What holds in every game of Spree!, whatever happens: tried on whole games by lot."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK
from pi_app.engine.events import Event, GameEnded
from pi_app.games.spree.bots import BOTS
from pi_app.games.spree.rules.cards import counts
from pi_app.games.spree.rules.mall import FOUNTAIN
from pi_app.games.spree.rules.model import (
    SEAT_MOVES,
    CardsDrawn,
    Drove,
    State,
    StopPlayed,
    TurnBegan,
    TurnEnded,
    Walked,
)
from tests.games.spree.helpers import GAME, a_setup, conserved

SEEDS = st.integers(0, 10**9)
MOST_MOVES = 400


def any_options(rng: random.Random) -> dict[str, Any]:
    return {
        "court": rng.choice(["11-12-13", "10"]),
        "jokers": rng.choice([0, 4, 12]),
        "target": rng.choice([20, 60, 120]),
        **{name: rng.random() < 0.5 for name in ("power_shots", "splash", "driving")},
        "splash_end": rng.choice(["beyond", "before"]),
        "driving_dice": rng.choice([1, 2]),
    }


def a_move(state: State, rng: random.Random) -> Event:
    """Of whoever may act: anything that is legal, or what some bot would do; some cards are drawn unseen."""
    turn = GAME.to_act(state)
    seat = rng.choice(turn.may if turn.may and rng.random() < 0.4 else turn.must)
    if seat == LUCK:
        drawn = GAME.chances(state).draw(rng)
        unseen = isinstance(drawn, CardsDrawn) and drawn.player % 3 == 0
        return replace(drawn, cards=None) if unseen and isinstance(drawn, CardsDrawn) else drawn
    move = rng.choice(list(BOTS.values()))(state, seat, rng) if rng.random() < 0.7 else None
    return move or rng.choice(GAME.legal_moves(state, seat))


def a_game(seed: int) -> Iterator[tuple[State, Event, State]]:
    """Every event of a game, with the states before and after it."""
    rng = random.Random(seed)
    state = GAME.start(a_setup(rng.randint(3, 8), None, **any_options(rng)))
    for _ in range(MOST_MOVES):
        if not GAME.to_act(state).must:
            return
        for event in GAME.decide(state, a_move(state, rng)):
            after = GAME.apply(state, event)
            yield state, event, after
            state = after


whole_games = settings(max_examples=25, deadline=None)


@whole_games
@given(seed=SEEDS)
def test_no_card_is_lost_and_none_comes_from_nowhere(seed: int) -> None:
    for _, _, state in a_game(seed):
        assert conserved(state)


@whole_games
@given(seed=SEEDS)
def test_no_third_copy_lies_anywhere(seed: int) -> None:
    for _, _, state in a_game(seed):
        for heap in (state.unseen, state.discards):
            assert all(count <= 2 for count in counts(heap)[:-1])


@whole_games
@given(seed=SEEDS)
def test_nobody_is_in_the_fountain_and_cars_keep_off_shops(seed: int) -> None:
    for _, _, state in a_game(seed):
        kinds = state.printed.mall.kinds
        for seat in state.seats:
            if seat.square >= 0:
                assert kinds[seat.square] != FOUNTAIN
                assert kinds[seat.car] not in (FOUNTAIN, "shop")
                assert not seat.in_car or seat.at_car


@whole_games
@given(seed=SEEDS)
def test_nobody_plays_lying(seed: int) -> None:
    for state, event, _ in a_game(seed):
        if isinstance(event, SEAT_MOVES) and not isinstance(event, TurnEnded):
            assert not state.seats[event.player].lying


@whole_games
@given(seed=SEEDS)
def test_nobody_plays_cards_at_the_own_car(seed: int) -> None:
    for state, event, _ in a_game(seed):
        if isinstance(event, StopPlayed) or event.type in ("goods_taken", "robbed", "step_card_played"):
            assert not state.seats[event.player].at_car  # type: ignore[attr-defined]


@whole_games
@given(seed=SEEDS)
def test_every_accepted_way_is_walked_square_by_square_and_never_straight_back(seed: int) -> None:
    for state, event, _ in a_game(seed):
        if isinstance(event, Walked | Drove):
            mall, own = state.printed.mall, state.seats[event.player]
            squares = [state.before, own.square, *(mall.number[name] for name in event.path)]
            near = mall.neighbours if isinstance(event, Walked) else mall.roads
            assert all(to in near[at] for at, to in pairwise(squares[1:]))
            assert all(last != to for last, to in zip(squares, squares[2:], strict=False))
            assert len(event.path) <= state.steps


@whole_games
@given(seed=SEEDS)
def test_hands_have_at_most_five_cards_and_five_when_a_turn_begins(seed: int) -> None:
    for _, event, state in a_game(seed):
        assert all(0 <= seat.cards <= 5 for seat in state.seats)
        if isinstance(event, TurnBegan) and (state.pile or state.discards):
            assert state.seats[event.player].cards == 5


@whole_games
@given(seed=SEEDS)
def test_points_never_fall_and_nobody_reaches_the_target_before_the_end(seed: int) -> None:
    for before, event, after in a_game(seed):
        assert all(a.banked >= b.banked for a, b in zip(after.seats, before.seats, strict=True))
        if isinstance(event, GameEnded):
            [winner] = event.winners
            assert event.scores[winner] >= after.printed.target
            assert all(points < after.printed.target for seat, points in enumerate(event.scores) if seat != winner)


@whole_games
@given(seed=SEEDS)
def test_cards_move_only_by_cards_and_carts_grow_only_when_an_act_stands(seed: int) -> None:
    for before, event, after in a_game(seed):
        if event.type not in ("settled", "banked", "points_banked", "run_over"):
            assert [seat.cart for seat in before.seats] == [seat.cart for seat in after.seats]


@pytest.mark.parametrize("players", range(3, 9))
def test_bots_finish_games_with_any_number_of_players(players: int) -> None:
    rng = random.Random(players)
    state = GAME.start(a_setup(players))
    while (turn := GAME.to_act(state)).must:
        for seat in (*turn.may, turn.must[0]):
            luck = seat == LUCK
            move = GAME.chances(state).draw(rng) if luck else BOTS["planner"](state, seat, rng)
            if move is not None:
                for event in GAME.decide(state, move):
                    state = GAME.apply(state, event)
                break
    assert GAME.outcome(state) is not None
