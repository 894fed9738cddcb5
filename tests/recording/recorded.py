"""Recorded evenings for tests: one with real pictures, and plain ones without any."""

import random
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.build import build
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.contract import Setup
from pi_app.engine.events import Record
from pi_app.perception.eyes import Eyes
from pi_app.perception.sight import Glance
from pi_app.recording.recorder import Pictures, Recorder, manifest
from pi_app.recording.ring import Ring
from pi_app.run.watch import Watch
from pi_app.simulation.bots import Bots
from pi_app.storage.store import Store
from pi_app.table.inputs import Glanced, Step
from pi_app.table.table import Table
from tests.e2e.night import FRAME_S, QUICK, laid, renderer, setup
from tests.hardware.cameras import Lending
from tests.hardware.clock import Clock
from tests.playing import TAG_CITY, ticking
from vision.rectify import Lens

CAMERA = CameraSettings(width_px=1536, height_px=864, small_width_px=320)
TINY = np.zeros((4, 4, 3), np.uint8)
PLENTY = 10**12

Change = Callable[[bytes], bytes | None]


def plenty(folder: Path) -> int:
    """A disk with room."""
    return PLENTY


def told(begun: Setup, records: list[Record] | None = None, lens: Lens | None = None) -> dict[str, object]:
    return manifest(TAG_CITY, begun, records or [], renderer().layout, lens, {"language": "en"})


def some_step() -> Step:
    return Step(Glanced(Glance(moving=frozenset({"hq"}))))


def changed_zip(source: Path, target: Path, changes: Mapping[str, Change]) -> Path:
    """A copy of a ZIP with some files changed, or left out where there is None."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data: bytes | None = old.read(name)
            if name in changes and data is not None:
                data = changes[name](data)
            if data is not None:
                new.writestr(name, data)
    return target


def recorded_evening(
    folder: Path, limit: int, moves: int, pictures: Pictures = "all", lens: Lens | None = None
) -> Path:
    """Two players play so many moves at the simulated table, then somebody scribbles where nothing belongs.

    Gives the folder of the ring.
    """
    clock, begun = Clock(), setup(2)
    sim = SimTable(4, clock, laid(2))
    built = build(replace(HardwareSettings(), camera=CAMERA), clock, sim, renderer().draw)
    hardware = replace(built, camera=Lending(built.camera))
    clean = hardware.camera.full()
    assert clean is not None
    eyes = Eyes(renderer().layout, TAG_CITY.surfaces(begun), lens)
    assert eyes.learn(clean.bgr) == []
    recorder = Recorder(Ring(folder / "ring", limit, plenty), pictures, clock=clock)
    with Store(folder / "games.db") as store:
        table = Table(TAG_CITY, store, begun, ticking(), bots=(0, 1))
        recorder.begin(told(begun, lens=lens), clean.bgr)
        table.listen(recorder.heard)
        watch = Watch(table, hardware, eyes, recorder)

        def turn() -> None:
            clock.go(FRAME_S)
            watch.once()
            recorder.work()

        bots = Bots(sim, table, renderer().layout, random.Random(4), QUICK)
        while bots.tally.moves < moves or bots.busy:
            bots.step()
            turn()
        sim.draw("city-1", [("r2c2", "fill"), ("r6c7", "fill")], 0.0)
        for _ in range(12):
            turn()
        assert table.view()["boards"]["city-1"]["state"] == "mismatch"
    recorder.close()
    return folder / "ring"
