"""What holds in every game of Graffiti, also where not everything was seen."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import chain, combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK, IllegalMove
from pi_app.engine.events import Event, to_json
from pi_app.engine.log import Play
from pi_app.engine.values import changed
from pi_app.games.graffiti.rules.judging import can_discard
from pi_app.games.graffiti.rules.model import (
    BONUSES,
    NEUTRAL,
    OPEN,
    BonusTaken,
    BonusUsed,
    NeutralDrawn,
    NeutralPainted,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsTaken,
    PoliceTaken,
    RoundEnded,
    State,
    Unseen,
)
from pi_app.games.graffiti.rules.paying import KINDS
from pi_app.storage.gamefile import check_game_file, game_file
from tests.games.graffiti.helpers import (
    EDITION,
    GAME,
    a_setup,
    any_move,
    any_options,
    any_play,
    at_keep,
    begun,
    holding,
    house,
    keep,
    left,
    legal,
    opening,
    paint,
    paint_of,
    part,
    permits,
    played,
    refused,
    table,
)
from tests.playing import ticking

SEEDS = st.integers(0, 10**9)
PLAYS = st.builds(any_play, SEEDS, st.integers(1, 250))
"""A position anywhere between the first lot and the last score, with any options."""


# --- conservation -----------------------------------------------------------------------------


def check_counts(state: State) -> None:
    """Nothing is lost, nothing comes from nowhere."""
    printed = state.printed
    for number in range(len(KINDS)):
        held = sum(seat.hands[0][number] + seat.spent[number] for seat in state.seats)
        assert state.reserve[number] >= 0
        assert state.reserve[number] + held == printed.paint[number]
    for face in range(len(printed.permits)):
        seen = state.slots.count(face + 1) + state.discards[face] + sum(seat.permits[face] for seat in state.seats)
        assert seen + state.pool[face] == printed.permits[face]
    assert sum(state.pool) == state.pile
    for number, bonus in enumerate(BONUSES):
        there = state.bonus_slots.count(bonus) + sum(seat.bonuses[number] for seat in state.seats)
        assert 0 <= there + state.bonus_pool[number] <= printed.bonuses[number]
    for space, there_now in zip(printed.spaces, state.spaces, strict=True):
        assert bool(there_now) == bool(state.occupied >> space.number & 1)
        assert space.unlimited or len(there_now) <= space.cans + 1
    for number, seat in enumerate(state.seats):
        assert seat.cans + sum(there.count(number) for there in state.spaces) == 5
        assert seat.reserved is None or state.parts[seat.reserved] == OPEN


@settings(max_examples=40)
@given(SEEDS)
def test_tiles_and_cans_are_conserved_after_every_event(seed: int) -> None:
    play = any_play(seed)
    state = GAME.start(play.setup)
    used: dict[str, int] = dict.fromkeys(BONUSES, 0)
    for record in play.in_force:
        state = GAME.apply(state, record.event)
        told = to_json(record.event)
        for bonus in told.get("bonuses", [told["bonus"]] if told["type"] == "bonus_used" else []):
            used[bonus] += 1
        check_counts(state)
    for number, bonus in enumerate(BONUSES):
        there = state.bonus_slots.count(bonus) + sum(seat.bonuses[number] for seat in state.seats)
        assert there + state.bonus_pool[number] + used[bonus] == state.printed.bonuses[number]


@settings(max_examples=25)
@given(SEEDS)
def test_rounds_are_numbered_and_the_last_one_stays_the_last(seed: int) -> None:
    play = any_play(seed)
    rounds = [record.event.round for record in play.in_force if isinstance(record.event, RoundEnded)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert GAME.round(play.state) == rounds[-1]


@settings(max_examples=25)
@given(SEEDS)
def test_the_replay_of_an_export_is_the_state(seed: int) -> None:
    play = any_play(seed)
    again = check_game_file(json.loads(json.dumps(game_file(play))))
    assert (again.state, again.records) == (play.state, play.records)


# --- legal moves, found a second time ---------------------------------------------------------


def some_bonuses(state: State, seat: int, kinds: str, most: int) -> list[tuple[str, ...]]:
    """Tiles of these kinds that a seat holds, also more of them than it has."""
    held = [bonus for bonus in kinds.split() if state.seats[seat].has(bonus)]
    return list(chain.from_iterable(combinations_with_replacement(held, size) for size in range(most + 1)))


def candidates(state: State, seat: int) -> Iterator[Event]:
    """Every event that a seat might try, however senseless: all spaces, numbers of cans, tiles and permits."""
    printed = state.printed
    yield Passed(seat)
    for bonus, name in product(BONUSES, [None, *(p.id for p in printed.parts)]):
        yield BonusUsed(seat, bonus, name)
    for p in printed.parts:
        yield NeutralPainted(seat, p.id)
    helps = some_bonuses(state, seat, "add reduce", 3)
    for placed, used in product(range(3), helps):
        for kind in KINDS:
            for space in printed.paint_spaces:
                yield PaintTaken(seat, space.id, kind, placed, used)
        for space in printed.permit_spaces:
            yield PermitsTaken(seat, space.id, placed, used)
        for slot in range(1, len(printed.bonus_spaces) + 1):
            yield BonusTaken(seat, slot, placed, used)
        for served in (None, *range(1, len(printed.bonus_spaces) + 1)):
            yield PoliceTaken(seat, served, placed, used)
    for used in ((), ("save",), ("save", "save")):
        for size in range(5):
            for kinds in combinations_with_replacement(KINDS, size):
                yield PaintKept(seat, kinds, used)


def painting_candidates(state: State, seat: int, rng: random.Random, sections: int) -> Iterator[Event]:
    """Paintings of a few parts, in every way that one might try: there are too many for all."""
    printed, own = state.printed, state.seats[seat]
    held = [kind for kind, count in zip(KINDS, own.hands[0], strict=True) if count]
    faces = range(1, len(printed.permits) + 1)
    discards = [(), *((f,) for f in faces), *combinations_with_replacement(faces, 2)]
    helps = some_bonuses(state, seat, "paint permit add reduce", 3)
    polices = ("", "can", "paint", "both") if state.police == seat else ("",)
    for p in rng.sample(printed.parts, sections):
        paints = chain.from_iterable(combinations_with_replacement(held, n) for n in range(len(p.cost) + 1))
        for paid, space, placed, used, police in product(
            list(paints), printed.tunnel[p.section - 1], range(3), helps, polices
        ):
            for discarded in [(p.section,), rng.choice(discards)]:
                yield PartPainted(seat, space.id, placed, p.id, discarded, paid, used, police)


def accepted(state: State, move: Event) -> bool:
    try:
        GAME.decide(state, move)
    except IllegalMove:
        return False
    return True


def shape(move: Event) -> str:
    """A move with its lists in order, as text."""
    told = {key: sorted(value) if isinstance(value, list) else value for key, value in to_json(move).items()}
    return json.dumps(told)


@settings(max_examples=25)
@given(SEEDS, st.integers(15, 250))
def test_legal_moves_are_all_candidates_that_are_not_refused(seed: int, moves: int) -> None:
    state = any_play(seed, moves).state
    for seat in range(len(state.seats)):
        listed = [shape(move) for move in GAME.legal_moves(state, seat)]
        assert len(set(listed)) == len(listed)
        tried = {shape(move) for move in candidates(state, seat) if accepted(state, move)}
        assert tried == {move for move in listed if '"part_painted"' not in move}


@settings(max_examples=25)
@given(SEEDS, st.integers(15, 250))
def test_paintings_listed_are_those_that_are_not_refused(seed: int, moves: int) -> None:
    state, rng = any_play(seed, moves).state, random.Random(seed)
    assume(state.phase == "play")
    seat = state.turn
    state = holding(state, seat, permits=[rng.randint(1, 5) for _ in range(3)])
    listed = {shape(move) for move in GAME.legal_moves(state, seat) if isinstance(move, PartPainted)}
    for move in painting_candidates(state, seat, rng, 4):
        assert accepted(state, move) == (shape(move) in listed), move
    for text in listed:
        assert json.loads(text)["player"] == seat


def test_the_brute_force_meets_paintings() -> None:
    """The property above is worth nothing if hardly anything can be painted where it looks."""
    found = 0
    for seed in range(20):
        state, rng = any_play(seed, 60).state, random.Random(seed)
        if state.phase == "play":
            state = holding(state, state.turn, permits=[1, 2, 3, 4, 5], paint="R R Y B G K RY YB")
            found += sum(accepted(state, move) for move in painting_candidates(state, state.turn, rng, 2))
    assert found > 100


# --- refused moves ----------------------------------------------------------------------------


@settings(max_examples=60)
@given(PLAYS, SEEDS)
def test_refused_moves_change_nothing(play: Play[State], seed: int) -> None:
    state, records = play.state, list(play.records)
    kept_state = repr(state)
    rng = random.Random(seed)
    for move in rng.sample(list(candidates(state, rng.randrange(len(state.seats)))), 20):
        if not accepted(state, move):
            with pytest.raises(IllegalMove) as error:
                play.do(move)
            json.dumps(error.value.facts)
    assert (play.state, play.records, repr(state)) == (state, records, kept_state)


# --- what was not seen ------------------------------------------------------------------------


def few_permits() -> dict[str, Any]:
    """An edition with so few permits that the discards are shuffled again and again."""
    return house(permits={"faces": {"1": 4, "2": 3, "3": 3, "4": 3, "5": 4}})


def two_records(seed: int, hide: Callable[[Event, random.Random], Event]) -> Iterator[tuple[State, State, Event]]:
    """A game as it was and as it was seen, move by move: both states, and the next move as it is seen.

    Without the block pawn: whoever knows all hands knows earlier that no other number is left for it.
    """
    rng = random.Random(seed)
    setup = a_setup(rng.randint(2, 4), few_permits(), **{**any_options(rng), "block": False})
    real, seen = Play(GAME, setup, now=ticking()), Play(GAME, setup, now=ticking())
    while GAME.to_act(real.state).must:
        move = any_move(real.state, rng)
        told = hide(move, rng)
        yield real.state, seen.state, told
        real.do(move)
        seen.do(told)


def hidden_faces(move: Event, rng: random.Random) -> Event:
    return PermitDrawn(move.player, None) if isinstance(move, PermitDrawn) else move


def hidden_kinds(move: Event, rng: random.Random) -> Event:
    """Not seen, if as many were kept as may be: else people would have told."""
    if isinstance(move, PaintKept) and move.kinds is not None and len(move.kinds) == 2 + len(move.bonuses):
        return PaintKept(move.player, None, move.bonuses)
    return move


def hidden_now_and_then(move: Event, rng: random.Random) -> Event:
    return hidden_kinds(hidden_faces(move, rng), rng) if rng.random() < 0.7 else move


HIDING = st.sampled_from([hidden_faces, hidden_kinds, hidden_now_and_then])


@settings(max_examples=40)
@given(SEEDS, HIDING)
def test_what_really_happened_is_never_refused(seed: int, hide: Callable[[Event, random.Random], Event]) -> None:
    for real, seen, told in two_records(seed, hide):
        GAME.decide(seen, told)
        assert GAME.to_act(seen).must == GAME.to_act(real).must
        assert GAME.scores(seen) == GAME.scores(real)
        for ours, theirs in zip(real.seats, seen.seats, strict=True):
            assert ours.hands[0] in theirs.hands
            assert ours.permit_count == theirs.permit_count
            assert all(0 <= theirs.permits[n] <= ours.permits[n] for n in range(len(ours.permits)))
        assert all(ours <= theirs for ours, theirs in zip(real.reserve, seen.reserve, strict=True))


@settings(max_examples=25)
@given(SEEDS, HIDING)
def test_what_a_seat_can_do_is_listed_also_where_not_all_was_seen(
    seed: int, hide: Callable[[Event, random.Random], Event]
) -> None:
    for number, (real, seen, _) in enumerate(two_records(seed, hide)):
        if number % 16 == seed % 16 and LUCK not in GAME.to_act(real).must:
            seat = GAME.to_act(real).must[0]
            listed = {shape(move) for move in GAME.legal_moves(seen, seat)}
            assert listed >= {shape(move) for move in GAME.legal_moves(real, seat)}
            for move in random.Random(seed).choices(GAME.legal_moves(seen, seat), k=5):
                check_unseen(played(seen, move))


def check_unseen(state: State) -> None:
    """Whatever is accepted leaves a table that can be: no face or kind more often than there is."""
    assert min(state.reserve) >= 0
    assert state.unseen
    for story in state.unseen:
        assert min(chain.from_iterable(story.piles)) >= 0
        held = [sum(of_pile) for of_pile in zip(*story.held, strict=True)]
        assert [sum(pile) for pile in story.piles] == [*held[:-1], held[-1] + state.pile]
        assert [sum(by_pile) for by_pile in story.held] == [seat.unknown for seat in state.seats]
        for face, count in enumerate(state.printed.permits):
            seen = state.slots.count(face + 1) + state.discards[face]
            assert seen + sum(p[face] for p in story.piles) + sum(s.permits[face] for s in state.seats) == count
    assert all(seat.hands for seat in state.seats)


# --- and what is impossible -------------------------------------------------------------------


def test_a_face_of_which_all_were_seen_is_not_discarded_from_an_unknown_permit() -> None:
    state = table(2, house(permits={"faces": {"1": 3, "2": 6, "3": 6, "4": 6, "5": 6}}))
    state = played(state, *opening(state)[:-2], PermitDrawn(0, None), PermitDrawn(1, 1))
    state = holding(state, 0, paint="R K Y")
    assert refused(state, part(0, "B1", "R K", [1])) == "permit_not_held"
    assert (1,) not in {move.permits for move in legal(state, 0, PartPainted)}


def test_an_unknown_permit_is_not_of_a_face_that_came_back_later() -> None:
    """All of face 1 were on the discards while the permit lay behind the screen."""
    state = table(2, house(permits={"faces": {"1": 2, "2": 1, "3": 1, "4": 1, "5": 5}}))
    state = played(state, *opening(state)[:-2], PermitDrawn(0, None), PermitDrawn(1, 5))
    state = holding(state, 0, paint="R K", permits=(1, 1))
    state = changed(state, slots=(0, 2, 3, 4, 5, 0))
    state = played(state, part(0, "B1", "R K", [1, 1]), permits(1, "left"), PermitRevealed(1, 5), PermitRevealed(2, 5))
    assert (state.pile, state.pool) == (2, (2, 0, 0, 0, 0))
    assert not can_discard(state, 0, 1)
    assert can_discard(state, 0, 5)


def test_a_permit_may_be_from_any_pile_that_it_was_drawn_from() -> None:
    """Both seats hold one from the first pile (a 2 and a 5), seat 0 also one from the second (a 2 or a 3)."""
    state = changed(begun(2), unseen=(Unseen(((0, 1, 0, 0, 1), (0, 1, 1, 0, 0)), ((1, 1), (1, 0))),), pile=1)
    state = holding(holding(state, 0, paint="R Y R G", permits=(), unknown=2), 1, permits=(), unknown=1)
    assert [can_discard(state, 0, face) for face in range(1, 6)] == [False, True, True, False, True]
    state = played(state, part(0, "D1", "R Y", [2]), Passed(1))
    assert [can_discard(state, 0, face) for face in range(1, 6)] == [False, True, True, False, True]
    state = played(state, part(0, "I1", "R G", [5]))  # so the 2 was from the second pile, or the 5 from the first
    assert [can_discard(state, 1, face) for face in range(1, 6)] == [False, True, False, False, False]


def kept_unseen(players: int = 2, **tiles: int) -> State:
    """The second round; nobody saw which two of red, yellow and blue anybody kept."""
    state = begun(players, profile=house(paint={"tiles": {**EDITION["paint"]["tiles"], **tiles}}))
    state = played(at_keep(state), *(keep(seat, None) for seat in range(players)))
    while GAME.to_act(state).must == (LUCK,):
        state = played(state, NeutralDrawn(1), NeutralPainted(0, f"B{state.parts.count(NEUTRAL) + 1}"))
    return holding(state, 0, permits=(1, 1, 2, 2))


def test_paint_that_may_have_been_kept_is_paid_and_no_more() -> None:
    state = kept_unseen()
    assert refused(state, part(0, "B4", "R Y B", [1])) == "paint_not_held"
    state = played(state, part(0, "D1", "R Y", [2]))
    assert paint_of(state, 0) == ""
    assert left(state, "B") == 7


def test_paint_that_may_have_gone_back_is_taken_and_then_lies_in_no_hand() -> None:
    state = kept_unseen(R=4)
    assert left(state, "R") == 4
    for seat in (0, 1, 0):
        state = played(state, paint(seat, kind="R"))
    assert len(state.seats[1].hands) == 3
    state = played(state, paint(1, kind="R"))
    assert refused(state, paint(0, kind="R")) == "kind_empty"
    assert paint_of(state, 0) == "R R Y B"
    assert paint_of(state, 1) == "R R Y B"


def test_not_everybody_can_have_kept_the_same_scarce_tile() -> None:
    state = kept_unseen(R=4)
    state = played(state, *(paint(seat, kind="R") for seat in (0, 1, 0)))
    state = played(state, Passed(1))
    state = played(holding(state, 0, permits=(3,)), part(0, "F1", "R B", [3]))
    assert left(state, "R") == 1  # seat 0 had two of four for sure, seat 1 one: the last may be anywhere
    state = played(holding(state, 0, permits=(2,)), paint(0, kind="R"))
    assert all(hand[0] == 1 for hand in state.seats[1].hands)
