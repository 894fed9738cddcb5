"""An evening from the command line: a table with its devices and eyes, shown in the terminal."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from hardware.build import Hardware, build
from hardware.ports import Picture
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from hardware.steady import ADAPTING, SETTLING
from pi_app.engine.contract import Message, Setup, Surface
from pi_app.engine.events import to_json
from pi_app.engine.kinds import EMPTY
from pi_app.files import write_whole
from pi_app.perception.eyes import Eyes
from pi_app.perception.sight import Look, Sees
from pi_app.recording.recorder import Recorder, manifest
from pi_app.run.watch import Watch
from pi_app.setup.workbench import Workbench
from pi_app.simulation.evening import Evening
from pi_app.simulation.guests import Guests
from pi_app.simulation.manners import Manners
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.simulation.stage import Stage
from pi_app.table.inputs import Command, Pressed
from pi_app.table.table import Table
from vision.pictures import BadPicture, load_picture, png_of
from vision.rectify import Lens
from web.text import Text

PICTURE_S = 0.1
LEAP_S = 0.25  # with nobody watching, time may leap from picture to picture
CLOSING_S = 20.0  # nobody has drawn or wiped anything for so long: what is missing on the boards stays missing
WIPING_S = 90.0  # what is still seen on a board after so long is taken for print
INKED, FEW = 4.0, 1  # how much likelier ink must be than none, and on how many regions it may be an error
GUEST_THINKS = 8  # pictures
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


class Left(Exception):
    """Another game came onto the table, or none."""


class _TakenOver(Exception):
    """Somebody plays along: from here on bots only follow the table."""


class Session:
    """A table with everything around it, until its game is over. Belongs to one thread."""

    def __init__(
        self,
        table: Table,
        setup: Setup,
        settings: HardwareSettings,
        console: Console,
        text: Text,
        between: Callable[[], None] = lambda: None,
        bench: Workbench | None = None,
        measured: Mapping[str, Any] | None = None,
        lens: Lens | None = None,
    ) -> None:
        """`setup` is that of the game on the table. `between` runs after every picture; it may raise Left.

        `bench` is where people set the table up meanwhile; `measured` are boards that somebody owns, `lens` is the
        camera's, if it was measured.
        """
        self._between, self._bench = between, bench
        self._table, self._setup, self._settings = table, setup, settings
        self._console, self._text, self._show = console, text, table.game.show(console, text)
        self._layout = table.game.edition.kit(setup.profile, measured).layout
        self._lens, self._surfaces = lens, table.game.surfaces(setup)
        self._eyes = Eyes(self._layout, self._surfaces, lens)
        self.pictures = self._eyes.pictures
        self._recorder: Recorder | None = None
        self._shown, self._warned = len(table.records), ""

    def record(self, recorder: Recorder, config: Mapping[str, Any]) -> None:
        """Records the evening that comes; `config` is what others may know of the configuration."""
        self._recorder, self._config = recorder, config

    def simulate(self, seed: int | None, speed: str, room: SimRoom | None = None) -> None:
        """Bots play at the simulated table; what the table knows of it comes through its camera alone.

        In a `room` people can take part, and the table stays after the game until `between` ends it; in a hurry only if
        somebody did.
        """
        rng, clock = random.Random(seed), Clock(leaps=speed == "max")
        stage = Stage.of(self._table.game.edition.kit(self._setup.profile))
        sim = SimTable(rng.getrandbits(30), clock, len(self._setup.players), stage.outlines)
        with self._devices(clock, sim, stage) as hardware:
            watch = self._watch(hardware, self._look_at_clean_boards(hardware, clock))
            manners = Manners(SPEEDS_MARK_S[speed], slip=0.03, forget=0.1, lamp=0.02, lean=0.05, clutter=0.05)
            pause = 0 if speed == "max" else GUEST_THINKS
            guests = Guests(sim, self._table, rng, None, manners, pause=pause)
            turn = partial(self._turn, clock, watch)
            evening = Evening(sim, self._table, partial(self._unless_taken_over, turn, room), self._setup, rng, manners)
            if room is not None:
                room.open(SimGame(sim, self._table, guests, stage, self.pictures))
            try:
                evening.go_on()
                if room is not None and not self._bots_alone(room):
                    raise _TakenOver
                evening.play()
            except _TakenOver:
                self._play_along(sim, guests, turn)
            self._print_marks_due(clock, turn)
            while room is not None and (not self._bots_alone(room) or speed != "max"):
                turn()

    def _unless_taken_over(self, turn: Callable[[], None], room: SimRoom | None) -> None:
        turn()
        if room is not None and not self._bots_alone(room):
            raise _TakenOver

    def _bots_alone(self, room: SimRoom) -> bool:
        """Nobody has taken a seat, a die or a pen into their own hands."""
        return not room.touched and len(self._table.bots) == len(self._setup.players)

    def _play_along(self, sim: SimTable, guests: Guests, turn: Callable[[], None]) -> None:
        """People and bots together, to the end."""
        self._choose_leader()
        for board in sim.state.boards:
            sim.withdraw(board.id)
        while not self._table.is_over:
            turn()
            guests.once()

    def attend(self, clean: Path) -> None:
        """People play at a real table. `clean` keeps the picture of its clean boards."""
        clock = Clock(leaps=False)
        with self._devices(clock, SimTable(0, clock, len(self._setup.players))) as hardware:
            clean_bgr = self._recall(hardware, clock, clean) if self._is_inked() else None
            if clean_bgr is None:
                self._wait_until_wiped(hardware, clock, clean)
                self._look_at_clean_boards(hardware, clock)
            self._lock(hardware, clock)
            if clean_bgr is None:
                clean_bgr = self._look_at_clean_boards(hardware, clock)
                self._keep(clean, clean_bgr)
                self._choose_leader()
            turn = partial(self._turn, clock, self._watch(hardware, clean_bgr))
            while not self._table.is_over:
                turn()
            self._print_marks_due(clock, turn)

    def _is_inked(self) -> bool:
        """Whether the record says that anything is drawn on the boards by now."""
        game, state = self._table.game, self._table.state
        return any(
            kind != EMPTY
            for surface in self._surfaces
            if not surface.pieces
            for kind in game.expected_sight(state, surface.id).values()
        )

    def _recall(self, hardware: Hardware, clock: Clock, clean: Path) -> Picture:
        """The boards before anything was drawn. Waits, and says so, while there is no such picture."""
        tried: int | None = -1
        while True:
            if (changed := _changed_at(clean)) != tried:
                tried = changed
                with suppress(BadPicture):
                    clean_bgr = load_picture(clean)
                    if not self._eyes.learn(clean_bgr):
                        self._table.preparing = None
                        return clean_bgr
            clock.picture()
            hardware.camera.small()  # so that a lost camera is looked for
            self._wait_for(hardware, "sight.clean_gone", {})

    def _keep(self, clean: Path, clean_bgr: Picture) -> None:
        """Without it the game can be played, but not be continued after a restart once something is drawn."""
        try:
            write_whole(clean, png_of(clean_bgr))
        except OSError as error:
            self._warn(self._text("sight.clean_unsaved", {"why": error.strerror or str(error)}))

    def _wait_until_wiped(self, hardware: Hardware, clock: Clock, clean: Path) -> None:
        """What was drawn in the game before must not be taken for print; people get some time to wipe it."""
        try:
            known = not self._eyes.learn(load_picture(clean))
        except BadPicture:
            return  # the first game here: nothing to compare with
        since_s = clock()
        while known and clock() - since_s < WIPING_S:
            clock.picture()
            hardware.camera.small()
            frame = hardware.camera.full()
            if frame is None:
                status = hardware.camera.status()
                self._wait_for(hardware, status.message, status.facts)
            elif inked := _inked(self._surfaces, self._eyes.look(frame.bgr)):
                self._wait_for(hardware, "sight.not_wiped", {"board": inked[0]})
            else:
                return

    def _choose_leader(self) -> None:
        """By lot, where nobody was named when the game began."""
        if not self._table.records:
            first = random.SystemRandom().randrange(len(self._setup.players))
            self._table.put(Command("do", {"event": to_json(self._table.game.opening(first))}))

    def rest(self) -> None:
        """No game is watched; the devices only serve those who set the table up. Ends when `between` raises Left."""
        clock = Clock(leaps=False)
        with self._devices(clock, SimTable(0, clock, len(self._setup.players))) as hardware:
            while True:
                clock.picture()
                hardware.camera.small()  # so that a lost camera is looked for
                self._idle(hardware)

    @contextmanager
    def _devices(self, clock: Clock, sim: SimTable, stage: Stage | None = None) -> Iterator[Hardware]:
        draw = (stage or Stage.of(self._table.game.edition.kit(self._setup.profile))).draw
        with closing(build(self._settings, clock, sim, draw)) as hardware:
            if self._bench is None:
                yield hardware
                return
            with self._bench.using(hardware):
                yield hardware

    def _watch(self, hardware: Hardware, clean_bgr: Picture) -> Watch:
        """Starts to look, and to record if that is wanted."""
        if self._recorder is not None:
            table = self._table
            told = manifest(table.game, self._setup, table.history, self._layout, self._lens, self._config)
            self._recorder.begin(told, clean_bgr)
            table.on_step = self._recorder.heard
        return Watch(self._table, hardware, self._eyes, self._recorder, self._bench)

    def _turn(self, clock: Clock, watch: Watch) -> None:
        """One picture later."""
        clock.picture()
        watch.once()
        self._print()
        self._between()

    def _lock(self, hardware: Hardware, clock: Clock) -> None:
        """Keeps exposure, white balance and focus as the camera's automatic has found them."""
        for picture in range(ADAPTING + SETTLING):
            if picture == ADAPTING:
                hardware.camera.lock()
            clock.picture()
            hardware.camera.small()

    def _look_at_clean_boards(self, hardware: Hardware, clock: Clock) -> Picture:
        """Waits for a picture that shows every board, and says what is missing."""
        while True:
            clock.picture()
            hardware.camera.small()
            frame = hardware.camera.full()
            if frame is None:
                status = hardware.camera.status()
                self._wait_for(hardware, status.message, status.facts)
            elif missing := self._eyes.learn(frame.bgr):
                self._wait_for(hardware, "sight.board_missing", {"board": missing[0]})
            else:
                self._table.preparing = None
                return frame.bgr

    def _wait_for(self, hardware: Hardware, reason: str, facts: Mapping[str, Any]) -> None:
        """Tells everywhere what is missing before the game can be watched."""
        self._warn(self._text(reason, facts))
        self._table.preparing = Message(reason, facts)
        self._idle(hardware)

    def _idle(self, hardware: Hardware) -> None:
        """What goes on while no picture is read."""
        for press in hardware.buttons.poll():
            self._table.put(Pressed(press.button, press.long))
        self._table.work()
        self._between()

    def _print(self) -> None:
        """What was accepted since, and what people should know about the boards."""
        records, view = self._table.records, self._table.view()
        if self._table.game_id is None:
            return  # put away a moment ago
        for record in records[self._shown :]:
            self._show.event(record.event, view["game"])
        self._shown = len(records)
        if self._recorder is not None and self._recorder.trouble is not None:
            self._console.print(self._text(*self._recorder.trouble), style="yellow", markup=False)
            self._recorder = None  # told once
        told = [at for at in view["boards"].values() if at["state"] in (Sees.MISMATCH, Sees.ASKING, Sees.CAMERA_LOST)]
        self._warn(self._text(told[0]["reason"], told[0]["facts"]) if told else "")

    def _print_marks_due(self, clock: Clock, turn: Callable[[], None]) -> None:
        """At the end: circles and crosses that the boards lack although people had the time to draw them."""
        due = last = self._table.marks_due()
        since_s = clock()
        while due and clock() - since_s < CLOSING_S:
            turn()
            last, before = self._table.marks_due(), last
            since_s = clock() if last != before else since_s
            due = min(due, last, key=len)  # boards that are being wiped already lack everything
        for mark in due:
            self._console.print(self._text("sight.mark_due", mark), style="yellow", markup=False)

    def _warn(self, line: str) -> None:
        if line and line != self._warned:
            self._console.print(f"     {line}", style="yellow", markup=False)
        self._warned = line


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _inked(surfaces: Iterable[Surface], look: Look) -> list[str]:
    """Boards on which more is drawn than a reader's errors explain."""
    drawn = {
        surface.id: sum(max(kinds.values()) - kinds.get(EMPTY, 0.0) > INKED for kinds in regions.values())
        for surface in surfaces
        if not surface.pieces and (regions := look.boards.get(surface.id)) is not None
    }
    return [board for board, regions in drawn.items() if regions > FEW]
