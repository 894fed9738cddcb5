"""Through which others see the table's pictures: only the table's own thread touches the camera."""

from collections.abc import Callable
from dataclasses import replace
from threading import Condition

from hardware.ports import Frame

FRESH_S = 0.5
"""A picture this young need not be taken again."""
WAIT_S = 4.0


class Window:
    """The newest full picture. The table's thread hands it in, any other may look."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._changed = now, Condition()
        self._frame: Frame | None = None
        self._shown_s = float("-inf")
        self._shows = 0
        self._waiting = 0

    @property
    def waiting(self) -> int:
        """How many wait for a picture."""
        return self._waiting

    def show(self, frame: Frame | None) -> None:
        """Hands a full picture in, whatever it was taken for; None when the camera gave none."""
        kept = None if frame is None else replace(frame, bgr=frame.bgr.copy())  # the camera only lends it
        with self._changed:
            self._frame, self._shown_s = kept, self._now()
            self._shows += 1
            self._changed.notify_all()

    def look(self, fresh_s: float = FRESH_S, wait_s: float = WAIT_S) -> Frame | None:
        """A picture not older than `fresh_s`; waits for the table's thread if there is none. None: no camera."""
        with self._changed:
            if self._now() - self._shown_s <= fresh_s:
                return self._frame
            before, self._waiting = self._shows, self._waiting + 1
            try:
                shown = self._changed.wait_for(lambda: self._shows != before, wait_s)
            finally:
                self._waiting -= 1
            return self._frame if shown else None
