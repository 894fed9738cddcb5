"""How much is written to the memory card in an hour, by part: while people play, and while nobody touches the table.

    .venv/bin/python -m tests.bench.card
    .venv/bin/python -m tests.bench.card --game spree
    .venv/bin/python -m tests.bench.card --minutes 0.1 --rest 0.05 --hours 0.1      # a quick look

Four bots play for some minutes of the table's own time, ten pictures a second, as `allcity run` lets them, through
pictures of the usual size. What the store and the log wrote then is scaled to an hour. The recorder gets the same
minutes again and again until an hour is full, because it writes less once its budget is spent.

What counts are the pages of 4096 bytes that the kernel has to write (`write_bytes` in /proc/thread-self/io), with the
recorder's files written out every five seconds of play, as a disk does at the latest; the file system's own journal is
not in it. "handed over" are the bytes alone. The exit code tells whether the aim was met.
"""

import argparse
import os
import random
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import cycle, pairwise
from pathlib import Path

from rich.console import Console

from hardware.build import build
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.table import SimTable
from pi_app.config import RecorderSettings
from pi_app.games import DEFAULT, GAMES
from pi_app.perception.eyes import Eyes
from pi_app.perception.masked import MaskedCamera
from pi_app.recording.recorder import Recorder, manifest
from pi_app.recording.ring import Ring
from pi_app.run.session import PICTURE_S, SPEEDS_MARK_S
from pi_app.run.watch import Watch
from pi_app.simulation.bots import Bots
from pi_app.simulation.habits import Habits
from pi_app.simulation.hands import Hands
from pi_app.storage.store import Store
from pi_app.table.inputs import Looked, Step
from pi_app.table.table import Table
from tests.e2e.night import faces, laid, renderer, setup
from tests.hardware.clock import Clock
from tests.playing import ticking
from web.text import Text

PLAYERS = 4
AIM_MB = 120
WRITTEN_OUT_S = 5.0
SETTLED_MIN = 0.05
"""After the last move the table is still read for a moment."""
PICTURES = 8
"""Pictures of the table that the recorder gets in turn; one is as large as another."""
HABITS = Habits(SPEEDS_MARK_S["normal"], slip=0.03, forget=0.1, lamp=0.02, lean=0.05, clutter=0.05)


@dataclass(frozen=True)
class Written:
    """The bytes of pages that had to be written, and the bytes that were handed over."""

    pages: float
    handed: float

    def since(self, before: "Written", hours: float) -> "Written":
        return Written((self.pages - before.pages) / hours, (self.handed - before.handed) / hours)


def written() -> Written:
    """By this thread, so far."""
    said = dict(re.findall(r"(\w+): (\d+)", Path("/proc/thread-self/io").read_text(encoding="ascii")))
    return Written(int(said["write_bytes"]), int(said["wchar"]))


@dataclass(frozen=True)
class Stretch:
    """Some time at the table: what was heard when, and what store and log wrote, scaled to an hour."""

    seconds: float
    steps: Sequence[tuple[float, Step]]
    store: Written
    log: Written


class Scene:
    """A table with bots, its store and its log."""

    def __init__(self, folder: Path, name: str) -> None:
        game, layout = GAMES[name], renderer(name).layout
        self._clock, self._setup = Clock(), setup(PLAYERS, name)
        self._sim = SimTable(4, self._clock, laid(PLAYERS, name))
        hardware = build(HardwareSettings(camera=CameraSettings()), self._clock, self._sim, renderer(name).draw)
        if game.screens:
            there = {board.id for board in self._sim.state.boards}
            seen = replace(layout, boards=tuple(board for board in layout.boards if board.id in there))
            hardware = replace(hardware, camera=MaskedCamera(hardware.camera, seen))
        self.pictures = [frame.bgr for frame in (hardware.camera.full() for _ in range(PICTURES)) if frame is not None]
        self.manifest = manifest(game, self._setup, [], layout, None, {"language": "en"})
        eyes = Eyes(layout, game.surfaces(self._setup), faces=faces(name))
        assert eyes.learn(self.pictures[0]) == []
        self._table = Table(game, Store(folder / "games.db"), self._setup, ticking(), bots=range(PLAYERS))
        Hands(self._sim, layout, game.surfaces(self._setup)).lay_out(game, self._setup, [])
        self._table.listen(lambda step: self._steps.append((self._clock(), step)))
        self._watch = Watch(self._table, hardware, eyes)
        self._log, self._shown = StringIO(), 0
        self._show = game.show(Console(file=self._log, width=100), Text("en", self._setup.players, game.folder))
        self._steps: list[tuple[float, Step]] = []
        self._bots = Bots(self._sim, self._table, layout, random.Random(4), HABITS)

    def stretch(self, minutes: float, play: bool) -> Stretch:
        """Bots play, or nobody touches the table, for so long."""
        self._steps, until_s = [], self._clock() + 60 * minutes
        begin_s, begin, logged = self._clock(), written(), self._log.tell()
        while self._clock() < until_s:
            if play:
                self._bots.step()
            self._turn()
        seconds = self._clock() - begin_s
        hours = seconds / 3600
        lines = (self._log.tell() - logged) / hours
        steps = [(at_s - begin_s, step) for at_s, step in self._steps]
        return Stretch(seconds, steps, written().since(begin, hours), Written(lines, lines))

    def _turn(self) -> None:
        self._clock.go(PICTURE_S)
        self._watch.once()
        records, view = self._table.records, self._table.view()
        for record in records[self._shown :]:
            self._show.event(record.event, view["game"])
        self._shown = len(records)


def recorded(folder: Path, stretch: Stretch, scene: Scene, hours: float) -> Written:
    """What the recorder writes when it hears the same again and again for so long, scaled to an hour."""
    clock, settings = Clock(), RecorderSettings()
    ring = Ring(folder, settings.limit_mb * 1_000_000)
    recorder = Recorder(ring, settings.pictures, settings.hourly_mb * 1_000_000, clock)
    begin, begin_s, shown = written(), clock(), cycle(scene.pictures)
    recorder.begin(scene.manifest, scene.pictures[0])
    written_out_s = begin_s
    while (again_s := clock()) < begin_s + 3600 * hours:
        for at_s, step in stretch.steps:
            clock.go(again_s + at_s - clock())
            if isinstance(step.input, Looked):
                recorder.picture(next(shown), recorder.wants_fresh_eyes)
            recorder.heard(step)
            recorder.work()
            if clock() - written_out_s >= WRITTEN_OUT_S:
                write_out(folder)
                written_out_s = clock()
        clock.go(again_s + stretch.seconds - clock())
    recorder.close()
    assert recorder.trouble is None, recorder.trouble
    for kind in ("*.jpg", "*.gz", "*.zip"):
        files = [path.stat().st_size for path in folder.rglob(kind)]
        print(f"  {len(files):5} x {kind:6} {sum(files) / 1e6:7.1f} MB are there in the end", file=sys.stderr)
    return written().since(begin, hours)


def write_out(folder: Path) -> None:
    """What a disk does by itself after a while; a page that is written to again is written out again."""
    for path in folder.rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.fdatasync(file)
            os.close(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default=DEFAULT, help=f"which one (default {DEFAULT})")
    parser.add_argument("--minutes", type=float, default=3.0, help="of play (default 3; they take about as long)")
    parser.add_argument("--rest", type=float, default=0.5, help="minutes in which nobody touches the table")
    parser.add_argument("--hours", type=float, default=1.0, help="for which the recorder hears them")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="where to write: a disk, not memory")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        scene = Scene(folder, args.game)
        play = scene.stretch(args.minutes, play=True)
        scene.stretch(SETTLED_MIN, play=False)
        rest = scene.stretch(args.rest, play=False)
        recorder = [
            recorded(folder / part, stretch, scene, args.hours) for part, stretch in (("play", play), ("rest", rest))
        ]
    parts = {"recorder": recorder, "store": [play.store, rest.store], "log": [play.log, rest.log]}
    counts = {
        "readings": sum(isinstance(step.input, Looked) for _, step in play.steps),
        "events accepted": sum(len(step.records) for _, step in play.steps),
        "mismatches": sum(bool(step.wrong and not before.wrong) for (_, before), (_, step) in pairwise(play.steps)),
    }
    hours, events = play.seconds / 3600, max(1, counts["events accepted"])
    print(f"{play.seconds / 60:.1f} minutes of play: {', '.join(f'{n} {what}' for what, n in counts.items())}")
    print("| MB an hour | play: pages | handed over | at rest: pages | handed over |\n|---|---|---|---|---|")
    for part, figures in parts.items():
        print(
            f"| {part} | " + " | ".join(f"{n / 1e6:.1f}" for each in figures for n in (each.pages, each.handed)) + " |"
        )
    each = [count * hours / events / 1000 for count in (play.store.pages, play.store.handed)]
    print(f"the store wrote {each[0]:.1f} kB of pages for each event, and was handed over {each[1]:.1f} kB")
    total = sum(figures[0].pages for figures in parts.values()) / 1e6
    print(f"total while people play: {total:.1f} MB an hour (aim: at most {AIM_MB})")
    return 0 if total <= AIM_MB else 1


if __name__ == "__main__":
    sys.exit(main())
