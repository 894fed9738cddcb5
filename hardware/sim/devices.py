"""Virtual lights, buttons and sound: to be looked at, pressed and listened to."""

from collections.abc import Callable

from hardware.ports import Button, Colour, Cue, LightFrame, Press, Status
from hardware.presses import LONG_S, PressReader
from hardware.sim.table import SimTable

DARK: LightFrame = {}


class SimLights:
    """Shows frames as the strip would: `showing` is what shines now. Frames can get lost on the way."""

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self._wanted: LightFrame = DARK
        self._held = False
        self.frames: list[dict[str, Colour]] = []
        """Every frame that has arrived."""

    @property
    def showing(self) -> dict[str, Colour]:
        return dict(self._table.state.glow)

    def show(self, frame: LightFrame) -> None:
        self._wanted = dict(frame)
        self.status()

    def hold(self, dark: bool = False) -> bool:
        if not self.status().ok or self._table.stalled("lights"):
            return False
        self._held = True
        if dark:
            self._light(DARK)
        return True

    def release(self) -> None:
        self._held = False
        self.status()

    def status(self) -> Status:
        """How they are. Looking also repeats a frame that lights which came back have missed."""
        status = self._table.status("lights")
        if not status.ok:
            self._table.set_glow(DARK)
        elif not self._held and not self._table.stalled("lights") and self.showing != self._wanted:
            self._light(self._wanted)
        return status

    def close(self) -> None:
        self._table.set_glow(DARK)

    def _light(self, frame: LightFrame) -> None:
        self.frames.append(dict(frame))
        self._table.set_glow(frame)


class SimButtons:
    """Buttons that code can press."""

    def __init__(self, table: SimTable, now: Callable[[], float]) -> None:
        self._table, self._now, self._presses = table, now, PressReader(now)

    def press(self, button: Button, long: bool = False) -> None:
        """Presses and lets go; a long press is over at once, as if it had been begun a while ago."""
        self.push(button, self._now() - (2 * LONG_S if long else 0.0))
        self.let_go(button)

    def push(self, button: Button, at_s: float | None = None) -> None:
        """Pushes a button down, and leaves it there."""
        if self._table.status("buttons").ok:
            self._presses.change(button, True, at_s)

    def let_go(self, button: Button) -> None:
        self._presses.change(button, False)

    def poll(self) -> tuple[Press, ...]:
        return self._presses.poll()

    def status(self) -> Status:
        status = self._table.status("buttons")
        if not status.ok:
            self._presses.all_up()
        return self._presses.status() if status.ok else status

    def close(self) -> None:
        self._presses.all_up()


class SimSound:
    """Remembers what it was asked to play."""

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self.played: list[Cue] = []

    def play(self, cue: Cue) -> None:
        if self.status().ok:
            self.played.append(cue)

    def status(self) -> Status:
        return self._table.status("sound")

    def close(self) -> None:
        pass
