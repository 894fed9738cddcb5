"""A Pico on a USB cable as lights and buttons. Absent or pulled out, it stops nobody."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware import protocol
from hardware.ports import BUTTONS, LightFrame, Press, Status
from hardware.presses import PressReader
from hardware.real.pico_link import ButtonsSeen, HoldWish, PicoLink
from hardware.real.serial_ports import find_ports, open_serial
from hardware.settings import LightsSettings

HOLD_TIMEOUT_S = 0.3
"""An exposure waits no longer for the lights."""
TICK_S = 0.01

Wait = Callable[[Callable[[], bool], float], bool]
"""Waits until something is so, at most so many seconds; gives whether it is."""

assert protocol.BUTTON_NAMES == BUTTONS


class PicoLights:
    """The strip, by zones."""

    def __init__(
        self,
        link: PicoLink,
        wait: Wait,
        settings: LightsSettings,
        now: Callable[[], float],
        close: Callable[[], None],
    ) -> None:
        self._link, self._wait, self._now, self._close = link, wait, now, close
        self._zones, self._brightness = settings.zones, settings.brightness
        self._unconfirmed = 0

    def show(self, frame: LightFrame) -> None:
        self._link.frame_wish = pixels(frame, self._zones, self._brightness)

    def hold(self, dark: bool = False) -> bool:
        wish = self._link.hold_wish = HoldWish(dark, self._now())
        if not self._link.reachable:
            return False
        confirmed = self._wait(lambda: self._link.held is wish, HOLD_TIMEOUT_S)
        self._unconfirmed += not confirmed
        return confirmed

    def release(self) -> None:
        self._link.hold_wish = None

    def status(self) -> Status:
        """How they are; `unconfirmed` exposures went on although the lights did not say that they hold still."""
        status = self._link.status
        if not self._unconfirmed:
            return status
        return replace(status, facts={**status.facts, "unconfirmed": self._unconfirmed})

    def close(self) -> None:
        self._close()


def pixels(frame: LightFrame, zones: Mapping[str, tuple[int, int]], brightness: float) -> bytes:
    """Red, green and blue of every pixel. Zones that are not named, and pixels between zones, are dark."""
    strip = bytearray(3 * max((first + count for first, count in zones.values()), default=0))
    for zone, colour in frame.items():
        first, count = zones.get(zone, (0, 0))
        strip[3 * first : 3 * (first + count)] = bytes(round(level * brightness) for level in colour) * count
    return bytes(strip)


class PicoButtons:
    """Three buttons on the Pico's pins."""

    def __init__(self, link: PicoLink, now: Callable[[], float], close: Callable[[], None]) -> None:
        self._link, self._reader, self._close = link, PressReader(now), close
        self._down = 0

    def poll(self) -> tuple[Press, ...]:
        while self._link.button_states:
            self._take(self._link.button_states.popleft())
        return self._reader.poll()

    def _take(self, seen: ButtonsSeen) -> None:
        if seen.anew:
            self._reader.all_up()
            self._down = 0
        changed, self._down = self._down ^ (seen.down or 0), seen.down or 0
        for bit, button in enumerate(BUTTONS):
            if changed >> bit & 1 and seen.anew:
                self._reader.down_already(button)
            elif changed >> bit & 1:
                self._reader.change(button, bool(self._down >> bit & 1), seen.at_s)

    def status(self) -> Status:
        return self._reader.status() if self._link.reachable else replace(self._link.status, device="buttons")

    def close(self) -> None:
        self._close()


class Pico:
    """The one owner of a Pico: a thread that steps the link, and the ports over it. Either closes both."""

    def __init__(self, settings: LightsSettings) -> None:
        now = time.monotonic
        self._link = PicoLink(lambda: find_ports(settings.port), open_serial, now, settings.budget_ma, settings.order)
        self.lights = PicoLights(self._link, self._wait, settings, now, self.close)
        self.buttons = PicoButtons(self._link, now, self.close)
        self._stepped = threading.Condition()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._link.close()

    def _run(self) -> None:
        while not self._stopping.wait(TICK_S):
            self._link.step()
            with self._stepped:
                self._stepped.notify_all()

    def _wait(self, done: Callable[[], bool], timeout_s: float) -> bool:
        with self._stepped:
            return self._stepped.wait_for(done, timeout_s)
