"""A table in a process of its own, to be killed as a pulled plug would: without a word, at any moment.

What lies on the simulated table, its camera and its people stay in this process. The child asks for pictures, shows
its lights, and tells after every turn what its screen shows.
"""

import os
import random
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from typing import Any, cast

from hardware.build import Hardware
from hardware.nothing import NoButtons, NoCamera, NoLights, NoSound
from hardware.ports import Condition, Frame, LightFrame, Picture
from pi_app.engine.contract import Setup
from pi_app.engine.events import Record
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.perception.eyes import Eyes
from pi_app.run.watch import Watch
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from tests.e2e.night import FRAME_S, Night, faces, renderer
from vision.faces import FacePicture
from vision.layout import Layout

LONGEST_S = 0.3
"""A turn takes about so long: a plug is pulled at any moment of it."""
IN_WRITE = 0.5
"""How many of the plugs are pulled while the store is writing, or about to."""


# Not forked from this process: its threads would not come along, but what they hold would.
_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.e2e.far"])


class Killed(Exception):
    """The child is gone."""


class FarTable:
    """Stands in for a `Table` before those who sit around it."""

    def __init__(self, folder: Path, setup: Setup, clean: Picture, hardware: Hardware, game: str) -> None:
        self._folder, self.setup, self._clean = folder, setup, clean
        self.game, self.bots, self.paused = GAMES[game], frozenset(range(len(setup.players))), False
        self._hardware = hardware
        self._waiting: list[Command] = []
        self.records: list[Record] = []
        self._views: dict[int | None, dict[str, Any]] = {}
        self._child, self._pipe = cast(BaseProcess, None), cast(Connection, None)
        self.kills = 0
        self.start()

    def put(self, command: Command) -> None:
        self._waiting.append(command)

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        return self._views[viewer]

    def marks_due(self) -> list[dict[str, str]]:
        return list(self._views[None]["marks"])

    @property
    def history(self) -> list[Record]:
        return self.records  # nobody takes anything back here

    @property
    def state(self) -> Any:
        state = self.game.start(self.setup)
        for record in self.records:
            state = self.game.apply(state, record.event)
        return state

    @property
    def cannot_write(self) -> bool:
        trouble = self._views[None]["trouble"]
        return trouble is not None and trouble["reason"].startswith("store.")

    def start(self) -> None:
        """Starts the program; a game that was interrupted is continued."""
        self._pipe, theirs = _PROCESSES.Pipe()
        name = self.game.name
        facts = (theirs, self._folder, self.setup, self._clean, name, renderer(name).layout, faces(name))
        self._child = _PROCESSES.Process(target=_play, args=facts, daemon=True)
        self._child.start()
        theirs.close()
        self._serve(lambda: None)

    def turn(self) -> None:
        """One picture."""
        self._pipe.send(("turn", self._waiting))
        self._waiting = []
        try:
            self._serve(lambda: None)
        except Killed:
            # A plug that was pulled while the store was writing.
            self._restart()

    def pull_plug(self, rng: random.Random) -> None:
        """Kills the program: in the middle of what it does, or the next time that it writes."""
        if rng.random() < IN_WRITE:
            self._pipe.send(("die in write", rng.choice(("INSERT", "COMMIT", "done"))))
            return
        self._pipe.send(("turn", self._waiting))
        self._waiting = []
        at_s = monotonic() + rng.uniform(0.0, LONGEST_S)

        def pull() -> None:
            if monotonic() >= at_s:
                self._child.kill()

        with suppress(Killed):
            self._serve(pull)
            self._child.kill()
        self._restart()

    def fill_disk(self, full: bool = True) -> None:
        """No file of the program can grow any more, until there is room again."""
        self._pipe.send(("let files grow", not full))

    def close(self) -> None:
        self._child.kill()
        self._child.join()
        self._pipe.close()

    def _restart(self) -> None:
        self._child.join()
        assert self._child.exitcode == -signal.SIGKILL, f"the program ended by itself: {self._child.exitcode}"
        self._pipe.close()
        self.kills += 1
        self.start()

    def _serve(self, between: Callable[[], None]) -> None:
        """Gives the child what it asks for, until it is done. Raises Killed."""
        camera = self._hardware.camera
        try:
            while True:
                between()
                if not self._pipe.poll(0.01):
                    continue
                asked, *facts = self._pipe.recv()
                if asked == "done":
                    self.records, self._views = facts
                    return
                if asked == "lights":
                    self._hardware.lights.show(facts[0])
                else:
                    self._pipe.send(camera.small() if asked == "small" else camera.full())
        except (EOFError, ConnectionError) as error:
            raise Killed from error


class _FarCamera(NoCamera):
    """Asks the parent for pictures."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__(Condition.OK)
        self._pipe = pipe

    def small(self) -> Frame | None:
        return self._ask("small")

    def full(self) -> Frame | None:
        return self._ask("full")

    def _ask(self, size: str) -> Frame | None:
        self._pipe.send((size,))
        return cast(Frame | None, self._pipe.recv())


class _FarLights(NoLights):
    def __init__(self, pipe: Connection) -> None:
        super().__init__(Condition.OK)
        self._pipe = pipe

    def show(self, frame: LightFrame) -> None:
        self._pipe.send(("lights", dict(frame)))


def _play(pipe: Connection, folder: Path, setup: Setup, clean: Picture, game: str, *kit: Any) -> None:
    """The child: a whole program around a table, but for its devices. It ends when nobody is there any more."""
    with suppress(EOFError):
        _play_on(pipe, folder, setup, clean, game, *kit)


def _play_on(
    pipe: Connection,
    folder: Path,
    setup: Setup,
    clean: Picture,
    game: str,
    layout: Layout,
    pieces: FacePicture | None,
) -> None:
    store = Store(folder / "games.db")
    bots = range(len(setup.players))
    table = Table(GAMES[game], store, setup, now=lambda: "2001-01-01T00:00:00Z", bots=bots)
    if table.view()["continue"] is not None:
        table.step(Command("continue"))
    eyes = Eyes(layout, table.game.surfaces(setup), faces=pieces)
    assert eyes.learn(clean) == []
    watch = Watch(table, Hardware(_FarCamera(pipe), _FarLights(pipe), NoButtons(), NoSound()), eyes)
    while True:
        views = {viewer: table.view(viewer) for viewer in (None, *range(len(setup.players)))}
        pipe.send(("done", table.records, views))
        asked, what = pipe.recv()
        while asked != "turn":
            _die_in_write(store, what) if asked == "die in write" else _let_files_grow(what)
            asked, what = pipe.recv()
        for command in what:
            table.put(command)
        watch.once()


def _let_files_grow(may: bool) -> None:
    """Whether there is room on the disk: without it, no write succeeds."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that writing fails instead of killing
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most if may else 0, most))


def _die_in_write(store: Store, at: str) -> None:
    """The next time that something is stored: dies before that statement, or when all is on the disk and not shown."""
    append = store.append

    def die(*told: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def last_append(game_id: int, records: Any) -> None:
        if at != "done":
            store._db.set_trace_callback(lambda statement: die() if statement.startswith(at) else None)
        append(game_id, records)
        die()

    store.append = last_append  # type: ignore[method-assign]


class FarNight(Night):
    """An evening whose table is a process of its own."""

    far: FarTable

    def _start(self) -> None:
        self.far = FarTable(self._folder, self.setup, self._clean, self.hardware, self.game)
        self.table = cast(Table, self.far)

    def restart(self) -> None:
        raise NotImplementedError("pull its plug instead")

    def turn(self, pictures: int = 1) -> None:
        for _ in range(pictures):
            self.pictures += 1
            self.clock.go(FRAME_S)
            self.far.turn()

    def stored(self) -> list[Record]:
        """Ends the program and gives the records that count, as the next one would find them."""
        self.far.close()
        game = GAMES[self.game]
        with Store(self._folder / "games.db") as store:
            play: Play[Any] = Play(game, store.setup(1), lambda: "", store.records(1, game.events))
        return list(play.in_force)
