"""Where set-up meets the table's thread: pictures, lights to be tried, and what the devices say of themselves."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from hardware.build import Hardware
from hardware.ports import LightFrame, Status
from hardware.settings import ZONE_PIXELS
from pi_app.setup.light_test import LampTest
from pi_app.setup.window import Window

ASK_S = 1.0
"""How often devices are asked how they are."""


class Workbench:
    """`using`, `light` and `once` belong to the table's thread, everything else to any."""

    def __init__(self, now: Callable[[], float], zones: Collection[str] = ZONE_PIXELS) -> None:
        """`zones` are those of the strip."""
        self._now = now
        self.window, self.lamps = Window(now), LampTest(now, zones)
        self._hardware: Hardware | None = None
        self._asked_s = float("-inf")
        self._statuses: Sequence[Status] = ()
        self._lights: LightFrame = {}
        self._lit: LightFrame | None = None

    @contextmanager
    def using(self, hardware: Hardware) -> Iterator[None]:
        """These are the table's devices now."""
        self._hardware, self._asked_s = hardware, float("-inf")
        self._lights, self._lit = {}, None
        try:
            yield
        finally:
            self._hardware = None

    def light(self, lights: LightFrame) -> None:
        """Shows what the game wants to be lit, unless lights are being tried."""
        self._lights = lights
        wanted = self.lamps.over(lights)
        if self._hardware is not None and wanted != self._lit:
            self._hardware.lights.show(wanted)
            self._lit = wanted

    def once(self) -> None:
        """Goes on with what is tried, takes a picture if somebody waits for one, notes how the devices are."""
        hardware = self._hardware
        if hardware is None:
            return
        self.light(self._lights)
        if self._now() - self._asked_s >= ASK_S:
            self._statuses, self._asked_s = hardware.statuses(), self._now()
        if self.window.waiting:
            self.window.show(hardware.camera.full())

    def statuses(self) -> Sequence[Status]:
        """How the devices were a moment ago; nothing before they were first asked."""
        return self._statuses

    def status(self, device: str) -> Status:
        return next((status for status in self._statuses if status.device == device), Status(device))
