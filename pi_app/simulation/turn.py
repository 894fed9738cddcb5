"""What has to be done with hands at the simulated table now, from what legal moves would change there."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from hardware.sim.state import Place
from pi_app.engine.contract import LUCK, Game, Setup
from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_values

MOST_MOVES = 200
"""So many are looked at to tell where a die may be put."""

Act = Literal["roll", "put", "take", "draw"]


@dataclass(frozen=True)
class Turn:
    """Who has to do something, and what."""

    seats: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    rolled: int = 0
    """How many dice are to be rolled."""
    fits: dict[int, list[Place]] = field(default_factory=dict)
    """By value, where a die may be put."""


def turn_now(game: Game[Any], setup: Setup, state: Any) -> Turn:
    turn = game.to_act(state)
    if not turn.must:
        return Turn()
    luck, hand = turn.must == (LUCK,), game.hand(state)
    seats = turn.must if not luck else () if hand is None else (hand,)
    moves = game.chances(state).moves if luck else game.legal_moves(state, turn.must[0])
    trace = game.trace(state, moves[0])  # they are all of one kind
    pieces = {surface.id for surface in game.surfaces(setup) if surface.pieces}
    rolled = [len(dice_values(part[BESIDE])) for part in trace.values() if BESIDE in part]
    if rolled:
        return Turn(seats, ("roll",), rolled[0])
    fits: dict[int, list[Place]] = {}
    if trace.keys() <= pieces:
        for move in islice(moves, MOST_MOVES):
            for value, place in _put(game, state, move):
                fits.setdefault(value, []).append(place)
    acts: set[Act] = {"put" if fits else "take" if at in pieces else "draw" for at in trace}
    return Turn(seats, tuple(sorted(acts, reverse=True)), 0, fits)


def _put(game: Game[Any], state: Any, move: Event) -> list[tuple[int, Place]]:
    """Which dice a move puts where."""
    put = []
    for at, part in game.trace(state, move).items():
        expected = game.expected_sight(state, at)
        for region, kind in part.items():
            before = expected.get(region, EMPTY)
            lying = [] if before == OTHER else dice_values(before)
            put += [(value, (at, region)) for value in Counter(dice_values(kind)) - Counter(lying)]
    return put
