"""The edge of the table: brings pictures and presses in, and light and sound out."""

from hardware.build import Hardware
from hardware.ports import CUES, Picture
from pi_app.engine.contract import Message
from pi_app.perception.eyes import Eyes
from pi_app.recording.recorder import Recorder
from pi_app.setup.workbench import Workbench
from pi_app.table.inputs import CameraLost, Glanced, Looked, Pressed
from pi_app.table.table import Table


class Watch:
    """Owns the devices. `once` is one turn of the loop, in the thread that owns the table."""

    def __init__(
        self,
        table: Table,
        hardware: Hardware,
        eyes: Eyes,
        recorder: Recorder | None = None,
        bench: Workbench | None = None,
    ) -> None:
        """`bench` is where people set the table up meanwhile."""
        self._table, self._hardware, self._eyes, self._recorder = table, hardware, eyes, recorder
        self._bench = bench
        self._seq = -1
        self._shown: object = None
        self._game = table.games_opened

    @property
    def is_current(self) -> bool:
        """Whether the game is still on the table that was there when this turn began: any input may bring another."""
        return self._table.games_opened == self._game

    def once(self) -> bool:
        """Takes in what is new, lets the table work, shows the result. Tells whether there was a new picture."""
        self._game = self._table.games_opened
        self._take_presses()
        new = self._glance()
        self._table.work()
        if new and self.is_current and self._table.wants_look:
            full = self._hardware.camera.full()
            if self._bench is not None and self._bench.window.waiting and full is not None:
                self._bench.window.show(full)
            if full is not None:
                self._look(full.bgr)
        self._show()
        return new

    def idle(self) -> None:
        """Instead, while no game is watched: buttons work, and a lost camera is looked for."""
        self._game = self._table.games_opened
        self._take_presses()
        self._hardware.camera.small()
        self._table.work()

    def _take_presses(self) -> None:
        for press in self._hardware.buttons.poll():
            self._table.put(Pressed(press.button, press.long))

    def _glance(self) -> bool:
        small = self._hardware.camera.small()
        if small is None:
            status = self._hardware.camera.status()
            self._table.put(CameraLost(Message(status.message, status.facts)))
            return False
        if small.seq == self._seq:
            return False
        self._seq = small.seq
        self._table.put(Glanced(self._eyes.glance(small.bgr)))
        return True

    def _look(self, bgr: Picture) -> None:
        if self._recorder is not None:
            afresh = self._recorder.wants_fresh_eyes and self._eyes.start_afresh()
            self._recorder.picture(bgr, afresh)
        look = self._eyes.look(bgr)
        self._table.work()  # what came meanwhile may want other boards, or have begun another game
        if self.is_current:
            self._table.step(Looked(look.only(self._table.wanted)))

    def _show(self) -> None:
        lights = self._table.lights()
        if self._bench is not None:
            self._bench.light(lights)
        elif lights != self._shown:
            self._shown = lights
            self._hardware.lights.show(lights)
        due = self._table.take_cues()
        for cue in CUES:
            if cue in due:
                self._hardware.sound.play(cue)
