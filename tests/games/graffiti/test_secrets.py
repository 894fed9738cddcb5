"""What lies behind a screen is nobody else's: neither people nor bots learn it from the program."""

import random
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK
from pi_app.engine.events import Event
from pi_app.engine.values import changed, with_item
from pi_app.games.graffiti.rules.model import BONUSES, PaintKept, PermitDrawn, State
from pi_app.games.graffiti.rules.paying import KINDS, NOTHING, hand_of, kinds_of
from tests.games.graffiti.helpers import GAME, any_play

SEEDS = st.integers(0, 10**9)
FACE, KEPT = PermitDrawn(2, 4), PaintKept(2, ("R", "G"), ())


@pytest.mark.parametrize("viewer", [None, 0, 1, 3])
def test_others_are_not_told_a_drawn_face_nor_which_paint_is_kept(viewer: int | None) -> None:
    assert GAME.event_for(FACE, viewer) == PermitDrawn(2, None)
    assert GAME.event_for(KEPT, viewer) == PaintKept(2, None, ())


def test_the_owner_is_told() -> None:
    assert GAME.event_for(FACE, 2) == FACE
    assert GAME.event_for(KEPT, 2) == KEPT


@settings(max_examples=15)
@given(SEEDS)
def test_all_else_happens_in_front_of_everybody(seed: int) -> None:
    for record in any_play(seed).records:
        if not isinstance(record.event, PermitDrawn | PaintKept):
            assert GAME.event_for(record.event, None) is record.event


# --- bots -------------------------------------------------------------------------------------


def shuffled_hands(state: State, viewer: int, rng: random.Random) -> State:
    """Another table that looks the same to a seat: others hold as many tiles, but others."""
    others = [seat for seat in range(len(state.seats)) if seat != viewer]
    paint = [kind for seat in others for kind in kinds_of(state.seats[seat].hands[0])]
    bonuses = [bonus for seat in others for bonus in _held(state.seats[seat].bonuses, BONUSES)]
    faces = range(1, len(state.discards) + 1)
    permits = [face for seat in others for face in _held(state.seats[seat].permits, faces)]
    unseen = [*permits, *_held(state.pool, faces)]
    for tiles in (paint, bonuses, unseen):
        rng.shuffle(tiles)
    for seat in others:
        own = state.seats[seat]
        hand = [paint.pop() for _ in range(own.paint_count)]
        held = [bonuses.pop() for _ in range(sum(own.bonuses))]
        mine = [unseen.pop() for _ in range(own.permit_count)]
        seen = changed(
            own,
            hands=(hand_of(hand),),
            bonuses=tuple(held.count(bonus) for bonus in BONUSES),
            permits=tuple(mine.count(face) for face in faces),
        )
        state = changed(state, seats=with_item(state.seats, seat, seen))
    (story,) = state.unseen
    left = tuple(unseen.count(face) for face in faces)
    return changed(state, unseen=(story._replace(piles=(left,)),))


def emptied_hands(state: State, viewer: int) -> State:
    """Another table of which a seat sees the same: not even how much others hold is theirs to know."""
    seats = tuple(
        own if seat == viewer else changed(own, hands=(NOTHING,), bonuses=(0,) * len(BONUSES), permits=(0,) * 5)
        for seat, own in enumerate(state.seats)
    )
    return changed(state, seats=seats)


def _held(counts: tuple[int, ...], names: Any) -> list[Any]:
    return [name for name, count in zip(names, counts, strict=True) for _ in range(count)]


def chosen(bot: str, state: State, seat: int, seed: int) -> Event | None:
    return GAME.bots[bot](state, seat, random.Random(seed))


@pytest.mark.parametrize("bot", sorted(GAME.bots))
@settings(max_examples=40)
@given(SEEDS, st.integers(15, 250))
def test_a_bots_choice_does_not_hang_on_what_others_hide(bot: str, seed: int, moves: int) -> None:
    state = any_play(seed, moves).state
    for seat in set(GAME.to_act(state).seats) - {LUCK}:
        for other in (shuffled_hands(state, seat, random.Random(seed)), emptied_hands(state, seat)):
            assert chosen(bot, other, seat, seed) == chosen(bot, state, seat, seed)


def test_the_shuffled_tables_differ_and_have_all_that_there_was() -> None:
    state = any_play(5, 80).state
    assert len(state.seats) == 4
    other = shuffled_hands(state, 0, random.Random(1))
    assert other != state
    assert [field.name for field in fields(state) if getattr(state, field.name) != getattr(other, field.name)] == [
        *("seats", "unseen"),
    ]
    for number in range(len(KINDS)):
        assert sum(s.hands[0][number] for s in state.seats) == sum(s.hands[0][number] for s in other.seats)


@pytest.mark.parametrize("bot", sorted(GAME.bots))
@settings(max_examples=30)
@given(SEEDS, st.integers(15, 250))
def test_bots_choose_what_is_legal_and_always_something_where_they_must(bot: str, seed: int, moves: int) -> None:
    state = any_play(seed, moves).state
    turn = GAME.to_act(state)
    for seat in set(turn.seats) - {LUCK}:
        move = chosen(bot, state, seat, seed)
        assert move is not None or seat in turn.may
        assert move is None or move in GAME.legal_moves(state, seat)
