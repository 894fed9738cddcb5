"""What has to be done with hands at the simulated table now, from what legal moves would change there."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from hardware.sim.state import Place
from pi_app.engine.contract import LUCK, Game, Seen, Setup
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_values, pieces_of
from vision.catalogue import OPEN

MOST_MOVES = 200
"""So many are looked at to tell where something may be put."""

Act = Literal["roll", "put", "take", "draw"]


@dataclass(frozen=True)
class Turn:
    """Who has to do something, and what."""

    seats: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    rolled: int = 0
    """How many dice are to be rolled."""
    fits: dict[str, list[Place]] = field(default_factory=dict)
    """By what is told of a piece, or by the value of a die, where it may be put."""


def turn_now(game: Game[Any], setup: Setup, state: Any) -> Turn:
    turn = game.to_act(state)
    if not turn.must:
        return Turn()
    luck = turn.must == (LUCK,)
    moves = game.chances(state).moves if luck else game.legal_moves(state, turn.must[0])
    traces = [game.trace(state, move) for move in islice(moves, MOST_MOVES)]
    seats = _for_luck(game, setup, state) if luck else turn.must
    if not traces:
        return Turn(seats)
    rolled = [len(dice_values(part[BESIDE])) for part in traces[0].values() if BESIDE in part]
    if rolled:
        return Turn(seats, ("roll",), rolled[0])
    pieces = {surface.id for surface in game.surfaces(setup) if surface.pieces}
    acts: set[Act] = set()
    if not traces[0].keys() <= pieces:  # where something is drawn, all moves are of one kind
        acts |= {"take" if at in pieces else "draw" for at in traces[0]}
        return Turn(seats, _in_order(acts))
    expected = {at: game.expected_sight(state, at) for at in {at for trace in traces for at in trace}}
    fits: dict[str, list[Place]] = {}
    for trace in traces:
        put, taken = _changes(expected, trace)
        acts |= {"put"} if put else set()
        acts |= {"take"} if taken - Counter(piece for piece, _ in put) else set()
        for piece, place in put:
            if place not in fits.setdefault(piece, []):
                fits[piece].append(place)
    return Turn(seats, _in_order(acts), 0, fits)


def _for_luck(game: Game[Any], setup: Setup, state: Any) -> tuple[int, ...]:
    """Whose hands bring what luck decides: everybody's where no rule says."""
    hand = game.hand(state)
    return tuple(range(len(setup.players))) if hand is None else (hand,)


def _in_order(acts: set[Act]) -> tuple[Act, ...]:
    return tuple(sorted(acts, reverse=True))


def _changes(expected: Seen, trace: Seen) -> tuple[list[tuple[str, Place]], Counter[str]]:
    """Which pieces a move puts where, and which it takes from anywhere."""
    put: list[tuple[str, Place]] = []
    taken: Counter[str] = Counter()
    for at, part in trace.items():
        for region, kind in part.items():
            before, after = (_pieces(told) for told in (expected[at].get(region, EMPTY), kind))
            put += [(piece, (at, region)) for piece in after - before]
            taken += before - after
    return put, taken


def _pieces(kind: str) -> Counter[str]:
    """What its board shows in print need not be there."""
    return Counter(piece for piece in pieces_of(kind) if piece not in (OTHER, OPEN))
