"""A process of its own for tests that need one to kill, to starve or to lock out.

    python -m tests.store_writer play FILE SEED    plays random moves for ever, telling every record that is safe
    python -m tests.store_writer fill FILE SEED    plays until files may not grow, and once more when they may again
    python -m tests.store_writer cramp FILE        opens the file where there is hardly any room, and where there is
    python -m tests.store_writer open FILE         opens the file as somebody without special rights

Everything is told in lines of JSON.
"""

import json
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Setup
from pi_app.engine.events import Event, Record, to_json
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from pi_app.storage.store import Store, StoreError
from tests.profiles import load_profile

GAME = GAMES["tag_city"]
NOBODY = 65534

Step = Callable[[], list[Record]]


def house_setup(*players: str) -> Setup:
    return Setup(resolve(load_profile(HOUSE)), {"drone_order": "free"}, players or ("Ana", "Zoé", "李"))


def now() -> str:
    return "2026-05-01T20:15:00Z"


def saved_play(store: Store, game_id: int) -> Play[Any]:
    """The stored game, resumed; whatever is played from here on is saved."""
    records = store.records(game_id, GAME.events)
    return Play(GAME, store.setup(game_id), now, records, save=lambda new: store.append(game_id, new))


def random_move(play: Play[Any], rng: random.Random) -> Event:
    moves = GAME.legal_moves(play.state, rng.choice(GAME.to_act(play.state).must))
    return moves[rng.randrange(len(moves))]


def plan_step(play: Play[Any], rng: random.Random) -> Step:
    """A random move; an undo now and then, and when the game is over."""
    if len(play.in_force) > 1 and (rng.random() < 0.08 or not GAME.to_act(play.state).must):
        return play.undo
    return partial(play.do, random_move(play, rng))


def random_step(play: Play[Any], rng: random.Random) -> list[Record]:
    return plan_step(play, rng)()


def play_for_ever(path: Path, seed: int) -> None:
    _tell("opening")
    rng = random.Random(seed)
    with Store(path) as store:
        while True:
            interrupted = store.unfinished()
            game_id = interrupted.id if interrupted else store.new_game(GAME.name, house_setup(), now())
            play = saved_play(store, game_id)
            while GAME.outcome(play.state) is None:
                for record in random_step(play, rng):
                    _tell([game_id, record.seq, record.at, to_json(record.event)])


def fill(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with Store(path) as store:
        play = saved_play(store, store.new_game(GAME.name, house_setup(), now()))
        for _ in range(20):
            random_step(play, rng)
        step, state, records = plan_step(play, rng), play.state, list(play.records)
        with _largest_file(path.with_name(path.name + "-wal").stat().st_size):
            for _ in range(3):
                _tell(_outcome(step))
            _tell(play.state is state and play.records == records == store.records(1, GAME.events))
        _tell(_outcome(step))
        _tell(play.state is not state and play.records == store.records(1, GAME.events))


def cramp(path: Path) -> None:
    for size in (1_000, 20_000):
        with _largest_file(size):
            _tell(_outcome(lambda: Store(path).close()))
    _tell(_outcome(lambda: Store(path).close()))


@contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """The system lets no file grow beyond `size` bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that writing more fails instead of killing
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def open_without_rights(path: Path) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    _tell(_outcome(lambda: Store(path).close()))


def _outcome(action: Callable[[], object]) -> list[str]:
    """The code and the line of the StoreError that came out, or nothing."""
    try:
        action()
    except StoreError as error:
        return [error.code, str(error)]
    return []


def _tell(value: Any) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    command, file, *seeds = sys.argv[1:]
    if command == "play":
        play_for_ever(Path(file), int(seeds[0]))
    elif command == "fill":
        fill(Path(file), int(seeds[0]))
    elif command == "cramp":
        cramp(Path(file))
    else:
        open_without_rights(Path(file))
