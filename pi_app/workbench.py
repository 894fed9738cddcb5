"""Where set-up meets the table's thread: pictures, lights to be tried, and what the devices say of themselves."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from hardware.build import Hardware
from hardware.ports import Status
from pi_app.lamp_test import LampTest
from pi_app.window import Window

ASK_S = 1.0
"""How often devices are asked how they are."""


class Workbench:
    """`using` and `once` belong to the table's thread, everything else to any."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.window, self.lamps = Window(now), LampTest(now)
        self._hardware: Hardware | None = None
        self._asked_s = float("-inf")
        self._statuses: Sequence[Status] = ()

    @contextmanager
    def using(self, hardware: Hardware) -> Iterator[None]:
        """These are the table's devices now."""
        self._hardware, self._asked_s = hardware, float("-inf")
        try:
            yield
        finally:
            self._hardware = None

    def once(self) -> None:
        """Takes a picture if somebody waits for one, and notes how the devices are."""
        hardware = self._hardware
        if hardware is None:
            return
        if self._now() - self._asked_s >= ASK_S:
            self._statuses, self._asked_s = hardware.statuses(), self._now()
        if self.window.waiting:
            self.window.show(hardware.camera.full())

    def statuses(self) -> Sequence[Status]:
        """How the devices were a moment ago; nothing before they were first asked."""
        return self._statuses

    def status(self, device: str) -> Status:
        return next((status for status in self._statuses if status.device == device), Status(device))
