"""Games for tests: seeded, and long enough to reach every corner of the rules."""

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from pi_app.engine.contract import LUCK, Setup
from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.tag_city.bots import greedy_bot
from pi_app.games.tag_city.edition.profile import HOUSE, draw_sections, resolve
from pi_app.games.tag_city.rules.model import ShapePainted, State
from tests.profiles import load_profile

TAG_CITY = GAMES["tag_city"]
EDITION = load_profile(HOUSE)
NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Ivy")


def house_setup(players: int = 3, side: str = "A", hq_seed: int | None = None, **options: Any) -> Setup:
    """The house edition; with `hq_seed` the HQ lies on side B with shapes drawn by that seed."""
    sections = None if hq_seed is None else draw_sections(EDITION, random.Random(hq_seed))
    chosen = {"city_side": side, "hq_side": "A" if hq_seed is None else "B", **options}
    return Setup(resolve(EDITION, side, sections), chosen, NAMES[:players])


def any_setup(rng: random.Random) -> Setup:
    return house_setup(
        rng.randint(2, 4),
        rng.choice("AB"),
        rng.choice([None, 1, 2]),
        equal_dice=rng.choice([True, False]),
        drone_order=rng.choice(["printed", "free"]),
    )


def new_play(setup: Setup) -> Play[State]:
    return Play(TAG_CITY, setup, now=ticking())


def ticking() -> Callable[[], str]:
    """A clock that goes on by a second whenever it is read."""
    ticks = count()
    return lambda: f"2001-01-01T{(tick := next(ticks)) // 3600:02}:{tick // 60 % 60:02}:{tick % 60:02}Z"


def some_move(state: State, rng: random.Random) -> Event:
    """A legal move of anybody who may act. Mostly painting: all moves alike would be mostly drones."""
    seat = rng.choice(TAG_CITY.to_act(state).must)
    moves = TAG_CITY.legal_moves(state, seat)
    if seat != LUCK and rng.random() < 0.7:
        return greedy_bot(state, seat, rng)
    move = rng.choice(moves)
    while isinstance(move, ShapePainted) and move.drone is not None and rng.random() < 0.995:
        move = rng.choice(moves)
    return move


def play_on(play: Play[State], rng: random.Random, most: int = 10_000) -> Play[State]:
    """Makes up to `most` moves, or plays to the end."""
    for _ in range(most):
        if not TAG_CITY.to_act(play.state).must:
            break
        play.do(some_move(play.state, rng))
    return play


def seeded_play(seed: int, moves: int = 10_000) -> Play[State]:
    rng = random.Random(seed)
    return play_on(new_play(any_setup(rng)), rng, moves)
