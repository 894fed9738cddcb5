"""Turns down and up into short and long presses, and notices a button that never comes up."""

from collections import deque
from collections.abc import Callable

from hardware.ports import Button, Condition, Press, Status

LONG_S = 0.8
STUCK_S = 10.0
MOST_WAITING = 32  # presses that nobody polls; the oldest are forgotten


class PressReader:
    """Fed by an adapter (from any thread) with debounced changes, polled by the program.

    A long press is told while the button is still down, so that a person feels it; a stuck button gives
    that one long press and is then reported by `status` until it comes up.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._changes: deque[tuple[Button, bool, float]] = deque(maxlen=2 * MOST_WAITING)
        self._down_since: dict[Button, float] = {}
        self._told: set[Button] = set()

    def change(self, button: Button, down: bool, at_s: float | None = None) -> None:
        """A button went down or came up, now or at a known time."""
        self._changes.append((button, down, self._now() if at_s is None else at_s))

    def down_already(self, button: Button) -> None:
        """A button that was down when the program began: no press of ours, but it may be stuck."""
        self._down_since[button] = self._now()
        self._told.add(button)

    def all_up(self) -> None:
        """Forgets what was held down, without a press: the buttons' own board went away."""
        self._changes.clear()
        self._down_since.clear()
        self._told.clear()

    def poll(self) -> tuple[Press, ...]:
        presses: list[Press] = []
        while self._changes:
            button, down, at_s = self._changes.popleft()
            presses += self._long(at_s)
            if down:
                self._down_since.setdefault(button, at_s)
            elif button in self._down_since:
                del self._down_since[button]
                if button in self._told:
                    self._told.remove(button)
                else:
                    presses.append(Press(button, long=False, at_s=at_s))
        presses += self._long(self._now())
        return tuple(presses[-MOST_WAITING:])

    def _long(self, at_s: float) -> list[Press]:
        due = [name for name, since in self._down_since.items() if name not in self._told and at_s >= since + LONG_S]
        self._told.update(due)
        return [Press(button, long=True, at_s=self._down_since[button] + LONG_S) for button in due]

    def status(self) -> Status:
        """STUCK, naming the button, or OK."""
        for button, since in self._down_since.items():
            if self._now() >= since + STUCK_S:
                return Status("buttons", Condition.STUCK, {"button": button})
        return Status("buttons")
