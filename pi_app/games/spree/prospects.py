"""What may come of a turn as all can see it: squares in reach, lines of fire, and the chances of a stop."""

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any, NamedTuple

from pi_app.games.spree.rules.cards import ACES, JOKER, STOPS, copies, heap_of, size
from pi_app.games.spree.rules.judging import till
from pi_app.games.spree.rules.model import FACES, ShotFired, State
from pi_app.games.spree.rules.moves import drives
from pi_app.games.spree.rules.shooting import aim_at, can_shoot, hits, pushed_to


def reach(state: State) -> Mapping[int, int]:
    """Every square that who has the turn can still come to, with the steps that it takes."""
    own = state.seats[state.turn]
    if state.phase != "turn" or not state.steps or own.lying or _shot(state) is not None:
        return {}
    if own.in_car:
        steps: dict[int, int] = {}
        for path in drives(state, state.turn):
            steps[path[-1]] = min(len(path), steps.get(path[-1], len(path)))
        return steps
    walks = state.printed.mall.walks
    nearest = walks.tree(walks.stand[state.before, own.square]).nearest
    return {square: steps for square, steps in enumerate(nearest) if 0 < steps <= state.steps}


class Line(NamedTuple):
    """A line of fire of who has the turn."""

    victim: int
    squares: tuple[int, ...]
    """As far as the victim."""
    needed: int
    """The least that the die has to show; more than it has where it cannot hit."""
    pushed: Mapping[int, int]
    """Where the victim would lie, by what the die shows."""


def fire(state: State) -> Iterator[Line]:
    """To everybody who could be shot at, or to whom the shot is meant that was fired."""
    if state.phase != "turn":
        return
    fired = _shot(state)
    if fired is not None:
        yield _line(state, fired)
    elif state.pending is None:
        for victim in range(len(state.seats)):
            if victim != state.turn and can_shoot(state, state.turn, victim):
                yield _line(state, ShotFired(state.turn, victim))


def _shot(state: State) -> ShotFired | None:
    """The shot of this turn, once it was fired; nothing but its end comes after it."""
    if state.pending is not None and isinstance(state.pending.act, ShotFired):
        return state.pending.act
    return state.shot


def _line(state: State, shot: ShotFired) -> Line:
    aim = aim_at(state, shot.player, shot.victim)
    assert aim is not None
    hitting = [value for value in FACES if hits(state, shot, value)]
    pushed = {value: pushed_to(state, shot, value) for value in hitting}
    return Line(shot.victim, aim.line[: aim.away], aim.away + 1 - state.printed.power, pushed)


def open_heap(state: State) -> int:
    """All cards that lie openly, as a heap."""
    return state.discards + till(state) + sum(heap_of(seat.cart) for seat in state.seats)


def odds(state: State, viewer: int) -> dict[str, Any]:
    """Aces and jokers that this seat has not seen, and by seat the chance in percent that the hand has one of them.

    What the record was told of the hands of others does not count.
    """
    unseen = state.printed.deck - open_heap(state) - heap_of(state.seats[viewer].hand)
    stops, cards = sum(copies(unseen, card) for card in STOPS), size(unseen)
    return {
        "aces": sum(copies(unseen, card) for card in ACES),
        "of_aces": sum(copies(state.printed.deck, card) for card in ACES),
        "jokers": copies(unseen, JOKER),
        "of_jokers": state.printed.jokers,
        "stop": [
            None if seat == viewer else _percent(cards, stops, other.cards) for seat, other in enumerate(state.seats)
        ],
    }


def _percent(cards: int, wanted: int, drawn: int) -> int:
    """That at least one of those that are wanted is among so many drawn ones."""
    return round(100 * (1 - comb(cards - wanted, drawn) / comb(cards, drawn))) if cards >= drawn else 0
