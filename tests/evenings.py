"""A store with games in it, for tests of what looks back on them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.storage.store import Store
from tests.playing import TAG_CITY, house_setup, play_on

FIRST_EVENING = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)


def clock(start: datetime, pause_s: int = 20) -> Callable[[], str]:
    """A clock that goes on by `pause_s` whenever it is read."""
    ticks = iter(range(10**9))
    return lambda: (start + timedelta(seconds=pause_s * next(ticks))).strftime("%Y-%m-%dT%H:%M:%SZ")


def store_game(
    store: Store,
    players: Sequence[str] = ("Ana", "Bo"),
    at: datetime = FIRST_EVENING,
    seed: int = 1,
    most: int = 10_000,
) -> Play[Any]:
    """A game of bots in the store, played to its end or for `most` moves; with one move taken back on the way."""
    setup = replace(house_setup(len(players)), players=tuple(players))
    now = clock(at)
    game_id = store.new_game(TAG_CITY.name, setup, now())
    play = Play(TAG_CITY, setup, now, save=lambda records: store.append(game_id, records))
    # Deciding what bots do takes far longer than writing it down again.
    events = _moves(len(players), seed)
    for number, move in enumerate(events[:most]):
        play.do(move)
        if number == 20:
            play.undo()
            play.do(move)
    return play


@cache
def _moves(players: int, seed: int) -> tuple[Event, ...]:
    play = play_on(Play(TAG_CITY, house_setup(players), clock(FIRST_EVENING)), random.Random(seed))
    return tuple(record.event for record in play.in_force if TAG_CITY.is_move(record.event))
