"""A whole evening for tests: simulated hardware, real pictures, real reading, a clock that is told the time."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from hardware.build import build
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.state import SimBoard
from hardware.sim.table import SimTable
from pi_app.engine.contract import Setup
from pi_app.engine.events import Record
from pi_app.engine.kinds import EMPTY
from pi_app.engine.log import Play
from pi_app.games import DEFAULT, GAMES
from pi_app.games.profile_files import load_profile
from pi_app.perception.eyes import Eyes
from pi_app.perception.faces import face_picture
from pi_app.perception.masked import MaskedCamera
from pi_app.run.watch import Watch
from pi_app.simulation.bots import Bots
from pi_app.simulation.habits import Habits
from pi_app.simulation.hands import Hands
from pi_app.simulation.renderer import SimRenderer
from pi_app.simulation.simulate import moves
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from tests.hardware.cameras import Lending
from tests.hardware.clock import Clock
from vision.faces import FacePicture
from vision.kit.kit import Kit

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Ivy")
FRAME_S = 0.25
QUICK = Habits(mark_s=0.05, care=0.8)
CAMERA = CameraSettings(width_px=1920, height_px=1080, small_width_px=320)


@cache
def kit(game: str = DEFAULT) -> Kit:
    made: Kit = GAMES[game].edition.kit(_profile(game))
    return made


@cache
def _profile(game: str) -> Mapping[str, Any]:
    edition = GAMES[game].edition
    return edition.resolve(load_profile(edition, edition.supplied["house"]), {}, random.Random(0))


@cache
def renderer(game: str = DEFAULT) -> SimRenderer:
    return SimRenderer.of(kit(game))


@cache
def faces(game: str = DEFAULT) -> FacePicture | None:
    return face_picture(kit(game))


def setup(players: int, game: str = DEFAULT, options: Mapping[str, Any] | None = None) -> Setup:
    return Setup(_profile(game), options or {}, NAMES[:players])


def laid(players: int = 4, game: str = DEFAULT) -> list[SimBoard]:
    """What so many players have on the table."""
    return renderer(game).boards(GAMES[game].surfaces(setup(players, game)))


def now() -> str:
    return "2001-01-01T00:00:00Z"


class Night:
    """Everything at one table. What lies on it outlives the program: `restart` is a pulled plug."""

    def __init__(
        self,
        folder: Path,
        players: int,
        seed: int,
        habits: Habits,
        camera: CameraSettings,
        bots: Sequence[str],
        game: str = DEFAULT,
        begun: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """With `begun`, so many moves have been played on another evening, and the game is continued."""
        self.clock, self.game = Clock(), game
        self.sim = SimTable(seed, self.clock, laid(players, game))
        settings = replace(HardwareSettings(), camera=camera)
        self.setup = setup(players, game, options)
        built = build(settings, self.clock, self.sim, renderer(game).draw)
        self.hardware = replace(built, camera=Lending(built.camera))
        if GAMES[game].screens:
            layout = renderer(game).layout.only({board.id for board in self.sim.state.boards})
            self.hardware = replace(self.hardware, camera=MaskedCamera(self.hardware.camera, layout))
        clean = self.hardware.camera.full()
        assert clean is not None
        self._clean, self._folder = clean.bgr.copy(), folder
        self.pictures = 0
        records = self._play_before(begun, bots, random.Random(seed)) if begun else []
        self.begun = sum(GAMES[game].is_move(record.event) for record in records)
        self._start()
        layout = renderer(game).layout
        Hands(self.sim, layout, self.table.game.surfaces(self.setup)).lay_out(self.table.game, self.setup, records)
        self.bots = Bots(self.sim, self.table, layout, random.Random(seed), habits, bots)

    def stored(self) -> list[Record]:
        """Ends the program and gives the records that count."""
        self.store.close()
        return self.table.records

    def _play_before(self, wanted: int, bots: Sequence[str], rng: random.Random) -> list[Record]:
        """Bots play at no table, as it were on another evening; the game is left unfinished."""
        play = Play(GAMES[self.game], self.setup, now)
        seats = [bots[seat % len(bots)] for seat in range(len(self.setup.players))]
        for _ in islice(moves(play, seats, rng), wanted):
            pass
        with Store(self._folder / "games.db") as store:
            store.new_game(self.game, self.setup, now(), play.records, range(len(seats)))
        return list(play.records)

    def _start(self) -> None:
        self.store = Store(self._folder / "games.db")
        bots = range(len(self.setup.players))
        self.table = Table(GAMES[self.game], self.store, self.setup, now, bots=bots)
        if self.table.view()["continue"] is not None:
            self.table.step(Command("continue"))
        surfaces = self.table.game.surfaces(self.setup)
        self.eyes = Eyes(renderer(self.game).layout, surfaces, faces=faces(self.game))
        assert self.eyes.learn(self._clean) == []
        self.watch = Watch(self.table, self.hardware, self.eyes)

    def restart(self) -> None:
        """The program is gone without a word, starts anew and is told to continue."""
        self._start()
        self.bots.table = self.table

    def play(self, moves: int = 10_000) -> None:
        """Bots make so many moves, or play to the end."""
        wanted = self.bots.tally.moves + moves
        while self.bots.busy or (self.bots.tally.moves < wanted and not self.over):
            self.bots.step()
            self.turn()

    @property
    def over(self) -> bool:
        return self.table.game.outcome(self.table.state) is not None

    def turn(self, pictures: int = 1) -> None:
        """So many pictures later."""
        for _ in range(pictures):
            self.pictures += 1
            self.clock.go(FRAME_S)
            self.watch.once()


def night(
    folder: Path,
    players: int = 2,
    seed: int = 1,
    habits: Habits = QUICK,
    camera: CameraSettings = CAMERA,
    bots: Sequence[str] = ("greedy",),
    game: str = DEFAULT,
    begun: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Night:
    """A new table with a clean picture taken; nobody has done anything yet this evening."""
    return Night(folder, players, seed, habits, camera, bots, game, begun, options)


def faithful(at: Night, records: list[Record]) -> None:
    """The record is what was played: every move as it was meant, none more, and what is drawn is what it says."""
    game, tally = GAMES[at.game], at.bots.tally
    assert tally.wrong == 0, tally.notes
    assert sum(game.is_move(record.event) for record in records) == at.begun + tally.moves
    state = game.start(at.setup)
    for record in records:
        state = game.apply(state, record.event)
    for surface in game.surfaces(at.setup):
        if not surface.pieces:
            expected = game.expected_sight(state, surface.id)
            drawn = {ink.region for ink in at.sim.state.inks if ink.board == surface.id}
            made = {region for region in drawn if game.act(region, expected[region]) != EMPTY}
            assert made == {region for region, kind in expected.items() if game.act(region, kind) != EMPTY}
            assert drawn - made <= {region for region, kind in expected.items() if kind != EMPTY}
