"""A store with games in it, for tests of what looks back on them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from pi_app.engine.contract import LUCK, Game, Setup
from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.profile_files import load_profile
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
    game: Game[Any] = TAG_CITY,
    until: Callable[[Play[Any]], bool] = lambda play: False,
) -> Play[Any]:
    """A game of bots in the store, played to its end, for `most` moves or `until` it is like that; with one move
    taken back on the way."""
    setup = replace(_setup(game, len(players)), players=tuple(players))
    now = clock(at)
    game_id = store.new_game(game.name, setup, now())
    play = Play(game, setup, now, save=lambda records: store.append(game_id, records))
    # Deciding what bots do takes far longer than writing it down again.
    events = _moves(game.name, len(players), seed)
    for number, move in enumerate(events[:most]):
        if until(play):
            break
        play.do(move)
        if number == 20:
            play.undo()
            play.do(move)
    return play


@cache
def _moves(name: str, players: int, seed: int) -> tuple[Event, ...]:
    game = GAMES[name]
    play, rng = Play(game, _setup(game, players), clock(FIRST_EVENING)), random.Random(seed)
    if game is TAG_CITY:
        play_on(play, rng)
    else:
        _play_by_bots(play, rng)
    return tuple(record.event for record in play.in_force if game.is_move(record.event))


def _setup(game: Game[Any], players: int) -> Setup:
    if game is TAG_CITY:
        return house_setup(players)
    return Setup(load_profile(game.edition, game.edition.supplied["house"]), {}, house_setup(players).players)


def _play_by_bots(play: Play[Any], rng: random.Random) -> None:
    """By the first bot that the game names; whoever may come in between is asked first."""
    game = play.game
    bot = next(iter(game.bots.values()))
    while (turn := game.to_act(play.state)).must:
        moves = (bot(play.state, seat, rng) for seat in (*turn.may, *turn.must) if seat != LUCK)
        move = next((move for move in moves if move is not None), None)
        play.do(game.chances(play.state).draw(rng) if move is None else move)
