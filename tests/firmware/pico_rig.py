"""A table with a Pico: the real host over pyserial, a pseudo-terminal for a cable, the real firmware.

    with pico_rig("wasm") as rig:
        rig.lights.show({"status": (0, 255, 0)})
        rig.settle()
        assert rig.zone("status") == (0, 255, 0)

Nothing runs by itself: `round` lets host and Pico act once, `go` lets time pass, `settle` goes on until both have
said all. Every byte that was sent is waited for, so that each run is the same.
"""

import os
import select
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import serial

from hardware.ports import Button, Colour
from hardware.real.pico import PicoButtons, PicoLights
from hardware.real.pico_link import PicoLink
from hardware.real.serial_ports import SerialPort, open_serial
from hardware.settings import LightsSettings
from tests.firmware.boards import Board, running_board
from tests.hardware.clock import Clock

SETTINGS = LightsSettings(kind="pico", brightness=1.0, budget_ma=5000)
ROUND_S = 0.01
QUIET_ROUNDS = 15  # longer than the host waits before it repeats itself, shorter than its heartbeat
MOST_ROUNDS = 10_000
PATIENCE_S = 20.0  # for the operating system to hand a byte on


class Cable:
    """A pseudo-terminal: the host opens `name`, and counts what it writes so that all of it can be waited for."""

    def __init__(self) -> None:
        self._pico, self._far_end = os.openpty()
        tty.setraw(self._far_end)
        self.name = os.ttyname(self._far_end)
        self._serial: serial.Serial | None = None
        self._on_the_way = 0

    def open(self) -> SerialPort:
        self._serial = open_serial(self.name)
        return self

    def read(self, size: int) -> bytes:
        assert self._serial
        return bytes(self._serial.read(size))

    def write(self, data: bytes, /) -> int | None:
        assert self._serial
        self._on_the_way += len(data)
        return int(self._serial.write(data) or 0)

    def close(self) -> None:
        if self._serial is not None:
            self._serial.close()
            self._serial = None

    def to_pico(self) -> bytes:
        """All that the host has written."""
        data = b""
        while len(data) < self._on_the_way:
            assert select.select([self._pico], [], [], PATIENCE_S)[0]
            data += os.read(self._pico, self._on_the_way - len(data))
        self._on_the_way = 0
        return data

    def to_host(self, data: bytes) -> None:
        """Returns when the host can read all of it. Where nobody has opened the cable, nobody hears."""
        if self._serial is None:
            return
        there = self._serial.in_waiting + len(data)
        os.write(self._pico, data)
        while self._serial.in_waiting < there:
            assert select.select([self._serial], [], [], PATIENCE_S)[0]

    def exchange(self, answer: Callable[[bytes], bytes]) -> None:
        """For a host with a thread of its own: takes what has come, or nothing, and sends the answer."""
        came = os.read(self._pico, 4096) if select.select([self._pico], [], [], ROUND_S)[0] else b""
        os.write(self._pico, answer(came))

    def pull(self) -> None:
        os.close(self._pico)
        os.close(self._far_end)


def unspoilt(data: bytes) -> bytes:
    return data


class PicoRig:
    """Host, cable and Pico. `spoil_to_pico` and `spoil_to_host` may change what goes through the cable."""

    def __init__(self, board: Board, settings: LightsSettings) -> None:
        self.clock, self.board = Clock(), board
        self.cable: Cable | None = None
        self.spoil_to_pico: Callable[[bytes], bytes] = unspoilt
        self.spoil_to_host: Callable[[bytes], bytes] = unspoilt
        self.link = PicoLink(self._names, self._open, self.clock, settings.budget_ma)
        self.lights = PicoLights(self.link, self._wait, settings, self.clock, self.link.close)
        self.buttons = PicoButtons(self.link, self.clock, self.link.close)
        self._zones = settings.zones
        self._down: set[Button] = set()

    # --- what people do -----------------------------------------------------------------------

    def plug(self) -> None:
        """A new cable: the port has another name than before. The Pico gets power and boots."""
        self.cable = Cable()
        self.board.boot(self._now_ms())

    def unplug(self) -> None:
        assert self.cable
        self.cable.pull()
        self.cable = None

    def reset(self) -> None:
        """The Pico starts again, the port stays as it is."""
        assert self.cable
        self.cable.to_host(self.board.boot(self._now_ms()))

    def push(self, button: Button) -> None:
        self._down.add(button)
        self.board.press(*self._down)

    def let_go(self, button: Button) -> None:
        self._down.discard(button)
        self.board.press(*self._down)

    # --- what happens -------------------------------------------------------------------------

    def round(self) -> bool:
        """Host and Pico act once, and a moment passes. Gives whether anything was said."""
        self.link.step()
        said = False
        if self.cable is not None:
            data = self.cable.to_pico()
            answer = self.board.step(self._now_ms(), self.spoil_to_pico(data))
            self.cable.to_host(self.spoil_to_host(answer))
            said = bool(data or answer)
        self.clock.go(ROUND_S)
        return said

    def go(self, seconds: float) -> None:
        for _ in range(round(seconds / ROUND_S)):
            self.round()

    def settle(self) -> None:
        """Until host and Pico have nothing more to say."""
        quiet = 0
        for _ in range(MOST_ROUNDS):
            quiet = 0 if self.round() else quiet + 1
            if quiet == QUIET_ROUNDS:
                return
        raise AssertionError("host and Pico never come to an end")

    def zone(self, name: str) -> Colour:
        """The colour of a zone, all of whose pixels must have it."""
        first, count = self._zones[name]
        pixels = self.board.rgb[3 * first : 3 * (first + count)]
        assert pixels == pixels[:3] * count
        red, green, blue = pixels[:3]
        return red, green, blue

    def _now_ms(self) -> int:
        return round(self.clock() * 1000)

    def _names(self) -> list[str]:
        return [] if self.cable is None else [self.cable.name]

    def _open(self, name: str) -> SerialPort:
        assert self.cable
        return self.cable.open()

    def _wait(self, done: Callable[[], bool], timeout_s: float) -> bool:
        deadline_s = self.clock() + timeout_s
        while not done() and self.clock() < deadline_s:
            self.round()
        return done()


@contextmanager
def pico_rig(interpreter: str = "wasm", settings: LightsSettings = SETTINGS) -> Iterator[PicoRig]:
    """A rig whose Pico is plugged in, with the host greeted. Interpreters: see tests/firmware/boards.py."""
    with running_board(interpreter) as board:
        rig = PicoRig(board, settings)
        rig.plug()
        rig.settle()
        yield rig
        rig.link.close()
        if rig.cable is not None:
            rig.unplug()
