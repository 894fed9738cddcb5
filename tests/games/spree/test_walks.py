"""Walks against a brute force that shares no line with the program, and walks told anew."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import Undone
from pi_app.engine.log import Play
from pi_app.engine.values import changed
from pi_app.games.spree.rules.mall import FOUNTAIN, NOWHERE, mall_of
from pi_app.games.spree.rules.model import Drove, State, Walked
from pi_app.games.spree.rules.walks import FAR
from tests.games.spree import brute
from tests.games.spree.helpers import (
    ADA,
    BOB,
    EDITION,
    GAME,
    SETTLED,
    at,
    begun,
    cart,
    having,
    legal,
    played,
    playing,
    roll,
    stepping,
    take,
    walk,
)

DRAWING = EDITION["map"]
MALL = mall_of(tuple(DRAWING))
NEAR = brute.steps_map(DRAWING)
SQUARES = sorted(NEAR)
SEEDS = st.integers(0, 10**9)


def number(square: brute.Square) -> int:
    return MALL.number[brute.name(square)]


def a_start(rng: random.Random) -> tuple[brute.Square, brute.Square | None]:
    start = rng.choice(SQUARES)
    return start, rng.choice([None, *NEAR[start]])


@settings(max_examples=60)
@given(seed=SEEDS, steps=st.integers(1, 7))
def test_the_listed_walks_are_the_shortest_of_all_that_end_alike(seed: int, steps: int) -> None:
    start, before = a_start(random.Random(seed))
    shortest: dict[tuple[str, str], int] = {}
    for path in brute.walks(NEAR, start, before, steps):
        last = [start, *path][-2]
        key = brute.name(path[-1]), brute.name(last)
        shortest[key] = min(len(path), shortest.get(key, 99))
    if before is not None:
        shortest.pop((brute.name(start), brute.name(before)), None)  # that is where he stands already
    state = stepping(having(begun(), ADA, at=brute.name(start)), steps)
    state = changed(state, before=NOWHERE if before is None else number(before))
    listed = {}
    for move in legal(state, ADA, Walked):
        key = move.path[-1], [brute.name(start), *move.path][-2]
        assert key not in listed
        listed[key] = len(move.path)
        GAME.decide(state, move)
    assert listed == shortest


@settings(max_examples=60)
@given(seed=SEEDS, steps=st.integers(1, 7))
def test_exactly_the_walks_of_the_brute_force_are_accepted(seed: int, steps: int) -> None:
    """Also those with detours, which are not listed; and no random way that is none."""
    rng = random.Random(seed)
    start, _ = a_start(rng)
    state = stepping(having(begun(), ADA, at=brute.name(start)), steps)
    possible = [tuple(map(brute.name, path)) for path in brute.walks(NEAR, start, None, steps)]
    for path in rng.sample(possible, min(15, len(possible))):
        GAME.decide(state, Walked(ADA, path))
    allowed = set(possible)
    for _ in range(15):
        row, column = start
        stray = []
        for _ in range(rng.randint(1, steps + 1)):
            down, across = rng.choice(((-1, 0), (1, 0), (0, -1), (0, 1)))
            row, column = max(0, min(9, row + down)), max(0, min(14, column + across))
            stray.append(brute.name((row, column)))
        if tuple(stray) not in allowed:
            with pytest.raises(IllegalMove):
                GAME.decide(state, Walked(ADA, tuple(stray)))


@settings(max_examples=80)
@given(seed=SEEDS, steps=st.integers(1, 8), count=st.integers(1, 3))
def test_a_walk_past_several_squares_is_the_shortest_there_is(seed: int, steps: int, count: int) -> None:
    rng = random.Random(seed)
    start, before = a_start(rng)
    everywhere = list(brute.walks(NEAR, start, before, steps))
    far = rng.choice(everywhere) if everywhere else [start]
    stops = sorted(rng.sample(range(len(far)), min(count, len(far))))
    wanted = [far[n] for n in stops]
    if wanted[0] == start:
        return
    fitting = [len(path) for path in everywhere if brute.comes_past(path, wanted)]
    stand = MALL.walks.stand[NOWHERE if before is None else number(before), number(start)]
    legs = MALL.walks.through(stand, list(map(number, wanted)), [steps] * len(wanted))
    assert not isinstance(legs, int)
    assert [leg[-1] for leg in legs if leg][-1] == number(wanted[-1])
    path = [square for leg in legs for square in leg]
    assert len(path) == min(fitting)
    names = tuple(MALL.names[square] for square in path)
    assert names in {tuple(map(brute.name, way)) for way in everywhere}


def test_if_it_is_too_far_the_steps_that_it_needs_are_told() -> None:
    start, goal = MALL.walks.stand[NOWHERE, MALL.number["C1"]], MALL.number["J2"]
    needed = MALL.walks.through(start, [goal], [6])
    assert isinstance(needed, int)
    assert 6 < needed < FAR
    assert not isinstance(MALL.walks.through(start, [goal], [needed]), int)


def test_lines_of_fire_are_those_of_the_brute_force() -> None:
    for square in brute.squares(DRAWING):
        seen = dict(brute.in_sight(DRAWING, square))
        aims = MALL.aims[MALL.number[brute.name(square)]]
        assert {MALL.names[to]: aim.away for to, aim in aims.items()} == {brute.name(to): n for to, n in seen.items()}


def test_the_fountain_is_entered_by_nobody() -> None:
    fountain = {square for square, kind in enumerate(MALL.kinds) if kind == FOUNTAIN}
    assert not fountain & {to for near in MALL.neighbours for to in near}


@settings(max_examples=30)
@given(seed=SEEDS, steps=st.integers(1, 6))
def test_drives_end_wherever_the_brute_force_ends_and_run_over_the_same_people(seed: int, steps: int) -> None:
    rng = random.Random(seed)
    roads = {a: [b for b in near if _drivable(b)] for a, near in NEAR.items() if _drivable(a)}
    start = rng.choice(sorted(roads))
    victim = rng.choice(sorted(roads))
    state = having(begun(driving=True), ADA, at=brute.name(start), car=brute.name(start), in_car=True)
    state = stepping(having(state, BOB, at=brute.name(victim)), steps)
    others = {MALL.names[seat.car] for seat in state.seats[1:]}
    expected = {
        (brute.name(path[-1]), brute.name([start, *path][-2]), victim in path)
        for path in brute.walks(roads, start, None, steps)
        if brute.name(path[-1]) not in others
    }
    found = [
        (move.path[-1], [brute.name(start), *move.path][-2], brute.name(victim) in move.path)
        for move in legal(state, ADA, Drove)
    ]
    assert set(found) == expected
    assert len(found) == len(expected)


def _drivable(square: brute.Square) -> bool:
    return brute.squares(DRAWING)[square] in (" . ", " P ", "   ")


# --- told anew --------------------------------------------------------------------------------


def at_e5() -> Play[State]:
    """Ada's turn begins in the hall, where ways lead round the corner."""
    play = playing()
    play.state = changed(having(play.state, ADA, at="E5"), origin=MALL.number["E5"])
    return play


def test_a_walk_is_explained_anew_if_a_later_step_needs_another_one() -> None:
    """E5, F5, E5 is straight back; round the corner it takes four steps, whichever leg makes the detour."""
    play = at_e5()
    start = play.state
    play.do(roll(2, 2))
    [first] = play.do(walk(ADA, "F5"))
    repair = GAME.retold(play.state, play.in_force, walk(ADA, "E5"))
    assert repair is not None
    assert repair.move is not None
    again = played(start, roll(2, 2), repair.corrections.get(first.seq, first.event), repair.move)
    assert (at(again, ADA), again.steps) == ("E5", 0)


def test_no_walk_is_told_anew_with_more_steps_than_there_were() -> None:
    play = at_e5()
    play.do(roll(1, 1))
    play.do(walk(ADA, "F5"))
    assert GAME.retold(play.state, play.in_force, walk(ADA, "E5")) is None
    assert GAME.retold(play.state, play.in_force, walk(BOB, "E5")) is None


def test_a_correction_and_the_move_make_one_walk() -> None:
    """Who takes something on C4 and goes on upwards has come from below: the leg before is corrected."""
    play = playing()
    for move in (roll(6, 6), walk(ADA, "D1", "D2", "D3", "C3", "C4"), take(ADA, "C4", "5S"), SETTLED):
        play.do(move)
    repair = GAME.retold(play.state, play.in_force, walk(ADA, "C3"))
    assert repair is not None
    assert repair.move is not None
    play.correct(repair.corrections)
    play.do(repair.move)
    assert (at(play.state, ADA), cart(play.state, ADA)) == ("C3", "5S")
    assert play.state.steps >= 0
    assert any(isinstance(record.event, Undone) for record in play.records)
