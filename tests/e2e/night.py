"""A whole evening for tests: simulated hardware, real pictures, real reading, a clock that is told the time."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hardware.build import build
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.contract import Setup
from pi_app.engine.events import Event, Record
from pi_app.games import GAMES
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    GameEnded,
    RoundEnded,
    ShapePainted,
    SocialChecked,
)
from pi_app.perception.eyes import Eyes
from pi_app.run.watch import Watch
from pi_app.simulation.evening import Evening
from pi_app.simulation.manners import Manners
from pi_app.simulation.stage import Stage
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from tests.hardware.clock import Clock
from tests.profiles import load_profile

NAMES = ("Ash", "Birch", "Cedar", "Elm")
FRAME_S = 0.25
QUICK = Manners(mark_s=0.05, care=0.8)
CAMERA = CameraSettings(width_px=1920, height_px=1080, small_width_px=320)


@cache
def stage() -> Stage:
    return Stage.of(GAMES["tag_city"].edition.kit(resolve(load_profile(HOUSE))))


def setup(players: int) -> Setup:
    return Setup(resolve(load_profile(HOUSE)), {}, NAMES[:players])


class Night:
    """Everything at one table. What lies on it outlives the program: `restart` is a pulled plug."""

    def __init__(
        self, folder: Path, players: int, seed: int, manners: Manners, camera: CameraSettings, bots: Sequence[str]
    ) -> None:
        self.clock = Clock()
        self.sim = SimTable(seed, self.clock, players)
        settings = replace(HardwareSettings(), camera=camera)
        self._setup = setup(players)
        self.hardware = build(settings, self.clock, self.sim, stage().draw)
        clean = self.hardware.camera.full()
        assert clean is not None
        self._clean, self._folder = clean.bgr, folder
        self.pictures = 0
        self._start()
        self.evening = Evening(self.sim, self.table, self.turn, self._setup, random.Random(seed), manners, bots)

    def stored(self) -> list[Record]:
        """Ends the program and gives the records that count."""
        self.store.close()
        return self.table.records

    def _start(self) -> None:
        self.store = Store(self._folder / "games.db")
        self.table = Table(GAMES["tag_city"], self.store, self._setup, now=lambda: "2001-01-01T00:00:00Z")
        self.eyes = Eyes(stage().layout, self.table.game.surfaces(self._setup))
        assert self.eyes.learn(self._clean) == []
        self.watch = Watch(self.table, self.hardware, self.eyes)

    def restart(self) -> None:
        """The program is gone without a word, starts anew and is told to continue."""
        self._start()
        self.evening.table = self.table
        self.table.put(Command("continue"))
        self.table.work()

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
    manners: Manners = QUICK,
    camera: CameraSettings = CAMERA,
    bots: Sequence[str] = ("greedy",),
) -> Night:
    """A new table with a clean picture taken; nobody has done anything yet."""
    return Night(folder, players, seed, manners, camera, bots)


def story(records: list[Record]) -> list[Any]:
    """What happened, however dice are numbered and in whatever order people finished with the last die."""
    told: list[Any] = []
    values: tuple[int, ...] = ()
    sections: dict[int, int] = {}
    acts: dict[int, list[Any]] = {}
    draft: list[int] = []

    def flush() -> None:
        told.extend(acts[seat] for seat in sorted(acts))
        acts.clear()

    for event in (record.event for record in records):
        if isinstance(event, DiceRolled):
            values, sections = event.values, {}
            draft.clear()
            told.append(("rolled", sorted(values)))
        elif isinstance(event, DiePlaced):
            sections[event.die] = event.section
            if len(sections) == len(values):
                told.append(("placed", sorted((values[die], section) for die, section in sections.items())))
        elif isinstance(event, ShapePainted | SocialChecked):
            if len(draft) < len(values) - 1:
                flush()
                draft.append(event.player)
            elif len(draft) == len(values) - 1:
                flush()
                draft.append(-1)
            acts[event.player] = [_act(event, values, sections)]
        elif isinstance(event, FeatureCompleted):
            acts[event.player].append(event)
        else:
            flush()
            told.append(event)
        assert not isinstance(event, RoundEnded | GameEnded) or not acts
    return told


def _act(event: Event, values: tuple[int, ...], sections: dict[int, int]) -> Any:
    assert isinstance(event, ShapePainted | SocialChecked)
    die = values[event.die], sections[event.die]
    if isinstance(event, ShapePainted):
        return ("painted", event.player, die, event.shape, event.cells, event.drone)
    return ("checked", event.player, die, event.bubble)
