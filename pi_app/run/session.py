"""A table with its devices, picture by picture: from the first look at clean boards to the end of a game."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from hardware.build import build
from hardware.ports import Picture
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.contract import Message
from pi_app.engine.events import to_json
from pi_app.engine.kinds import EMPTY
from pi_app.files import write_whole
from pi_app.perception.eyes import Eyes
from pi_app.perception.faces import face_picture
from pi_app.perception.masked import MaskedCamera
from pi_app.perception.sight import Sees
from pi_app.recording.recorder import Recorder, manifest
from pi_app.run.preparation import Preparation
from pi_app.run.watch import Watch
from pi_app.setup.workbench import Workbench
from pi_app.simulation.bots import Bots
from pi_app.simulation.habits import Habits
from pi_app.simulation.hands import Hands
from pi_app.simulation.renderer import SimRenderer
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from vision.catalogue import Look
from vision.learn import with_looks
from vision.pictures import png_of
from vision.rectify import Lens
from web.text import Text

PICTURE_S = 0.1
LEAP_S = 0.25  # with nobody watching, time may leap from picture to picture
CLOSING_S = 20.0  # nobody has drawn or wiped anything for so long: what is missing on the boards stays missing
BOTS_THINK = 8  # pictures
SPEEDS_MARK_S = {"calm": 0.8, "normal": 0.3, "max": 0.05}


class Clock:
    """Seconds that pass by themselves, or only when they are told to."""

    def __init__(self, leaps: bool) -> None:
        self._leaps, self._at_s = leaps, 0.0

    def __call__(self) -> float:
        return self._at_s if self._leaps else time.monotonic()

    def picture(self) -> None:
        """Until the next picture."""
        if self._leaps:
            self._at_s += LEAP_S
        else:
            time.sleep(PICTURE_S)


@dataclass(frozen=True)
class Simulation:
    """That the table is a simulated one: with which seed, how fast bots draw, and where people can take part."""

    seed: int | None
    speed: str
    room: SimRoom | None = None


@dataclass(frozen=True)
class Recording:
    """Who records, and what others may know of the configuration."""

    recorder: Recorder
    config: Mapping[str, Any]


class Session:
    """The game on the table with everything around it, or a table without one. Belongs to one thread."""

    def __init__(
        self,
        table: Table,
        settings: HardwareSettings,
        console: Console,
        text: Text,
        clean: Path,
        simulation: Simulation | None = None,
        recording: Recording | None = None,
        bench: Workbench | None = None,
        measured: Mapping[str, Any] | None = None,
        lens: Lens | None = None,
        looks: Mapping[str, Look] | None = None,
    ) -> None:
        """`clean` keeps the picture of a real table's clean boards. `bench` is where people set the table up meanwhile.

        `measured` are boards that somebody owns, `lens` is the camera's, if it was measured, `looks` are
        those of somebody's own pieces, if they were learned.
        """
        self._table, self._setup, self._settings = table, table.setup, settings
        self._console, self._text, self._show = console, text, table.game.show(console, text)
        self._clean, self._simulation, self._recording, self._bench = clean, simulation, recording, bench
        kit = table.game.edition.kit(self._setup.profile, measured)
        self._layout = with_looks(kit.layout, looks or {})
        self._lens, self._surfaces = lens, table.game.surfaces(self._setup)
        self._eyes = Eyes(self._layout, self._surfaces, lens, face_picture(kit))
        self.pictures = self._eyes.pictures
        rng = random.Random(None if simulation is None else simulation.seed)
        self._clock = Clock(leaps=simulation is not None and simulation.speed == "max" and table.game_id is not None)
        self._renderer = SimRenderer.of(table.game.edition.kit(self._setup.profile))
        self._sim = SimTable(rng.getrandbits(30), self._clock, self._renderer.boards(self._surfaces))
        if simulation is not None:
            think, mark_s = 0 if simulation.speed == "max" else BOTS_THINK, SPEEDS_MARK_S[simulation.speed]
            habits = Habits(mark_s, slip=0.03, forget=0.1, lamp=0.02, lean=0.05, clutter=0.05)
            self._bots = Bots(self._sim, table, self._renderer.layout, rng, habits, think=think)
        self._shown, self._warned = len(table.records), ""
        self._due: list[dict[str, str]] | None = None
        self._due_last: list[dict[str, str]] | None = None
        self._due_since_s = 0.0
        self.finished = False
        """The game is over, and people had the time to draw what is due."""

    @contextmanager
    def open(self) -> Iterator[None]:
        """Takes the devices."""
        game = self._table.game_id is not None
        room = None if self._simulation is None or not game else self._simulation.room
        with (
            closing(build(self._settings, self._clock, self._sim, self._renderer.draw)) as devices,
            ExitStack() as stack,
        ):
            hardware = devices
            if self._table.game.screens:
                # What nobody has would be looked for in every picture; before a game any board may lie there.
                layout = self._layout.only({surface.id for surface in self._surfaces}) if game else self._layout
                hardware = replace(devices, camera=MaskedCamera(devices.camera, layout, self._lens))
            if self._bench is not None:
                stack.enter_context(self._bench.using(hardware))
            if room is not None:
                room.open(SimGame(self._sim, self._table, self._renderer, self.pictures))
                stack.callback(room.close)
            recorder = None if self._recording is None else self._recording.recorder
            self._watch = Watch(self._table, hardware, self._eyes, recorder, self._bench)
            clean = None if self._simulation is not None else self._clean
            parts = hardware.camera, self._eyes, self._surfaces, self._clock, clean
            self._preparation = Preparation(*parts, self._is_inked()) if game else None
            yield

    @property
    def preparing(self) -> bool:
        """The clean boards are still to be learned."""
        return self._preparation is not None

    @property
    def people_play(self) -> bool:
        """Somebody has taken a seat, a die or a pen of the simulated table into their own hands."""
        if self._simulation is None:
            return False
        touched = self._simulation.room is not None and self._simulation.room.touched
        return touched or len(self._table.bots) < len(self._setup.players)

    def turn(self) -> None:
        """One picture later: devices in, table works, bots take their next step, light, sound and terminal out."""
        self._clock.picture()
        if self._preparation is not None:
            self._watch.idle()
            if self._watch.is_current:
                self._prepare(self._preparation)
        elif self._table.game_id is None or (self.finished and self._simulation is None and self._table.is_over):
            self._watch.idle()
        else:
            self._watch.once()
            if not self._watch.is_current:
                return
            if self._simulation is not None:
                if self.people_play:
                    self._choose_first()
                self._bots.step(careful=self.people_play)
            self._print()
            self._close()

    def _is_inked(self) -> bool:
        """Whether the record says that anything is drawn on the boards by now."""
        game, state = self._table.game, self._table.state
        return any(
            kind != EMPTY
            for surface in self._surfaces
            if not surface.pieces
            for kind in game.expected_sight(state, surface.id).values()
        )

    def _prepare(self, preparation: Preparation) -> None:
        """Tells everywhere what is missing before the game can be watched."""
        found = preparation.step()
        if isinstance(found, Message):
            self._warn(self._text(found.id, found.facts))
            self._table.wait_for(found)
        elif found is not None:
            self._preparation = None
            self._table.wait_for(None)
            if self._simulation is None and preparation.recalled is None:
                self._keep(found)
            self._start(found)

    def _keep(self, clean_bgr: Picture) -> None:
        """Without it the game can be played, but not be continued after a restart once something is drawn."""
        try:
            write_whole(self._clean, png_of(clean_bgr))
        except OSError as error:
            self._warn(self._text("sight.clean_unsaved", {"why": error.strerror or str(error)}))

    def _start(self, clean_bgr: Picture) -> None:
        """The game is watched from now on, and recorded if that is wanted."""
        table = self._table
        if self._simulation is None:
            self._choose_first()
        else:
            hands = Hands(self._sim, self._renderer.layout, self._surfaces)
            hands.lay_out(table.game, self._setup, table.records)
        if self._recording is not None:
            recorder, config = self._recording.recorder, self._recording.config
            recorder.begin(
                manifest(table.game, self._setup, table.history, self._layout, self._lens, config), clean_bgr
            )
            table.listen(recorder.heard)

    def _choose_first(self) -> None:
        """By lot, where nobody was named when the game began."""
        if not self._table.records:
            first = random.SystemRandom().randrange(len(self._setup.players))
            self._table.put(Command("do", {"event": to_json(self._table.game.opening(first))}))

    # --- what the terminal shows --------------------------------------------------------------

    def _print(self) -> None:
        """What was accepted since, and what people should know about the boards."""
        records, view = self._table.known_to(None), self._table.view()
        if self._table.game_id is None:
            return  # put away a moment ago
        for record in records[self._shown :]:
            self._show.event(record.event, view["game"])
        self._shown = len(records)
        if self._recording is not None and self._recording.recorder.trouble is not None:
            self._console.print(self._text(*self._recording.recorder.trouble), style="yellow", markup=False)
            self._recording = None  # told once
        told = [at for at in view["boards"].values() if at["state"] in (Sees.MISMATCH, Sees.ASKING, Sees.CAMERA_LOST)]
        self._warn(self._text(told[0]["reason"], told[0]["facts"]) if told else "")

    def _close(self) -> None:
        """At the end: tells which marks the boards lack although people had the time to draw them."""
        if not self._table.is_over:
            self._due, self._due_last, self.finished = None, None, False
        if self.finished or not self._table.is_over:
            return
        last = self._table.marks_due()
        if last != self._due_last:
            self._due_last, self._due_since_s = last, self._clock()
        # Boards that are being wiped already lack everything.
        self._due = last if self._due is None else min(self._due, last, key=len)
        if self._due and self._clock() - self._due_since_s < CLOSING_S:
            return
        for mark in self._due:
            self._console.print(self._text("sight.mark_due", mark), style="yellow", markup=False)
        self.finished = True

    def _warn(self, line: str) -> None:
        if line and line != self._warned:
            self._console.print(f"     {line}", style="yellow", markup=False)
        self._warned = line
