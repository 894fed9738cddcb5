"""Games of any kind for tests: played by the contract alone."""

import random
from dataclasses import fields, replace
from typing import Any

from pi_app.engine.contract import LUCK, Game, Setup
from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.profile_files import load_profile
from tests.games.tram import GAME as TRAM
from tests.playing import ticking

EVERY_GAME: tuple[Game[Any], ...] = (*GAMES.values(), TRAM)
USUAL = 7
"""So many values of an option are tried, the first ones: some options are any number."""
NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Ivy", "Juniper")


def any_setup(game: Game[Any], rng: random.Random) -> Setup:
    chosen = {name: rng.choice(allowed[:USUAL]) for name, allowed in game.options.items()}
    options = {name: value for name, value in chosen.items() if value is not None}
    profile = game.edition.resolve(load_profile(game.edition, game.edition.supplied["house"]), options, rng)
    return Setup(profile, options, NAMES[: rng.choice(game.players)])


def any_move(game: Game[Any], state: Any, rng: random.Random) -> Event:
    """Of anybody who may act: mostly what a bot would do, now and then anything."""
    turn = game.to_act(state)
    seat = rng.choice(turn.may if turn.may and rng.random() < 0.2 else turn.must)
    if seat == LUCK:
        return game.chances(state).draw(rng)
    usual = next(iter(game.bots.values())) if rng.random() < 0.7 else lambda *_: None
    return usual(state, seat, rng) or rng.choice(game.legal_moves(state, seat))


def any_play(game: Game[Any], seed: int, most: int = 10_000) -> Play[Any]:
    """So many moves, or to the end."""
    rng = random.Random(seed)
    play = Play(game, any_setup(game, rng), now=ticking())
    for _ in range(most):
        if not game.to_act(play.state).must:
            break
        play.do(any_move(game, play.state, rng))
    return play


def nearly(move: Event, rng: random.Random) -> Event:
    """The same with one thing changed, if it tells anything."""
    told: Any = move
    if not fields(told):
        return move
    field = rng.choice(fields(told)).name
    value = getattr(told, field)
    other = rng.randint(-3, 14)
    if isinstance(value, tuple):
        changed: Any = (*value[1:], *value[:1], *value[:1])
    else:
        changed = other if isinstance(value, int | None) else f"{value}?"
    moved: Event = replace(told, **{field: changed})
    return moved
