"""Whole games of Spree! for transcripts, and how they are told."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pi_app.engine.contract import LUCK
from pi_app.engine.events import Event, to_json
from pi_app.engine.log import Play
from pi_app.games.spree.bots import greedy_bot, planner_bot, random_bot
from pi_app.games.spree.rules.cards import names_of
from pi_app.games.spree.rules.model import CardsDrawn, State
from tests.games.spree.helpers import GAME, a_setup
from tests.playing import ticking

BOTS = (planner_bot, greedy_bot, random_bot)


def a_game(players: int, seed: int, untold: bool = False, **options: Any) -> Play[State]:
    """One of every kind of bot in turn; with `untold` the cards of the first seat are not known, and it is not played
    by a bot: it ends every turn."""
    play, rng = Play(GAME, a_setup(players, **options), now=ticking()), random.Random(seed)
    while (turn := GAME.to_act(play.state)).must:
        for seat in (*turn.may, turn.must[0]):
            move = _move(play.state, seat, rng, untold)
            if move is not None:
                play.do(move)
                break
    return play


def _move(state: State, seat: int, rng: random.Random, untold: bool) -> Event | None:
    if seat == LUCK:
        drawn = GAME.chances(state).draw(rng)
        is_untold = untold and isinstance(drawn, CardsDrawn) and drawn.player == 0
        return CardsDrawn(drawn.player, drawn.count, None) if is_untold and isinstance(drawn, CardsDrawn) else drawn
    if untold and seat == 0:
        moves = GAME.legal_moves(state, seat)
        return moves[0] if state.phase == "park" or state.pending else None if not state.dice else moves[-1]
    return BOTS[seat % len(BOTS)](state, seat, rng)


GAMES: dict[str, Callable[[], Play[State]]] = {
    "three": partial(a_game, 3, 1, target=100),
    "eight": partial(a_game, 8, 2),
    "hong-kong": partial(a_game, 4, 3, target=60, power_shots=True, splash=True, driving=True, driving_dice=2),
    "untold": partial(a_game, 4, 4, untold=True, target=60, court="10"),
}


def line(event: Event, players: Sequence[str]) -> str:
    """The event as its file has it, with names for seats."""
    told = to_json(event)
    for key in ("player", "victim", "first_to_park"):
        if key in told:
            told[key] = players[told[key]]
    return " ".join([told.pop("type"), *(f"{key}={_said(value)}" for key, value in told.items())])


def _said(value: Any) -> str:
    return ",".join(map(_said, value)) or "none" if isinstance(value, list) else str(value)


def boards(state: State) -> list[str]:
    """Where everybody is, and what they have."""
    names = state.printed.mall.names
    return [
        f"{name}: {names[seat.square]}{' lying' if seat.lying else ''}{' in the car' if seat.in_car else ''}, "
        f"car {names[seat.car]}, hand {' '.join(names_of(seat.hand))}{f' +{seat.unknown}' if seat.unknown else ''}, "
        f"cart {' '.join(names_of(seat.cart)) or 'empty'}, {seat.banked} points"
        for name, seat in zip(state.players, state.seats, strict=True)
    ]
