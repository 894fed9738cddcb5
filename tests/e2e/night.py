"""A whole evening for tests: simulated hardware, real pictures, real reading, a clock that is told the time."""

import random
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from hardware.build import Hardware, build
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.contract import Setup
from pi_app.engine.events import Event, Record
from pi_app.evening import Evening, Manners
from pi_app.eyes import Eyes
from pi_app.games import GAMES
from pi_app.games.tag_city.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    GameEnded,
    RoundEnded,
    ShapePainted,
    SocialChecked,
)
from pi_app.games.tag_city.profile import HOUSE, load_profile, resolve
from pi_app.stage import Stage
from pi_app.store import Store
from pi_app.table import Table
from pi_app.watch import Watch
from tests.hardware.clock import Clock

NAMES = ("Ash", "Birch", "Cedar", "Elm")
FRAME_S = 0.25
QUICK = Manners(mark_s=0.05, care=0.8)
CAMERA = CameraSettings(width_px=1536, height_px=864)


@cache
def stage() -> Stage:
    return Stage.of(resolve(load_profile(HOUSE)))


def setup(players: int) -> Setup:
    return Setup(resolve(load_profile(HOUSE)), {}, NAMES[:players])


@dataclass
class Night:
    """Everything at one table."""

    clock: Clock
    sim: SimTable
    hardware: Hardware
    store: Store
    table: Table
    watch: Watch
    evening: Evening

    def turn(self, pictures: int = 1) -> None:
        for _ in range(pictures):
            self.clock.go(FRAME_S)
            self.watch.once()


def night(
    folder: Path, players: int = 2, seed: int = 1, manners: Manners = QUICK, camera: CameraSettings = CAMERA
) -> Night:
    """A new table with a clean picture taken; nobody has done anything yet."""
    clock = Clock()
    sim = SimTable(seed, clock, players)
    hardware = build(replace(HardwareSettings(), camera=camera), clock, sim, stage().draw)
    return sat_down(folder, clock, sim, hardware, players, seed, manners)


def sat_down(
    folder: Path, clock: Clock, sim: SimTable, hardware: Hardware, players: int, seed: int, manners: Manners
) -> Night:
    """The program at a table that is there already."""
    store = Store(folder / "games.db")
    table = Table(GAMES["tag_city"], store, setup(players), now=lambda: "2001-01-01T00:00:00Z")
    boards = [board.id for board in sim.state.boards]
    clean = hardware.camera.full()
    assert clean is not None
    eyes = Eyes(stage().layout, boards)
    assert eyes.learn(clean.bgr) == []
    watch = Watch(table, hardware, eyes)

    def turn() -> None:
        clock.go(FRAME_S)
        watch.once()

    evening = Evening(sim, table, turn, setup(players), random.Random(seed), manners)
    return Night(clock, sim, hardware, store, table, watch, evening)


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
