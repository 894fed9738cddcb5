"""main.py as the Pico runs it: its own loop and clock, standard input and output for a cable."""

import math
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import serial

from firmware import protocol
from hardware.ports import Status
from hardware.real.pico_link import HoldWish, PicoLink
from hardware.real.serial_ports import SerialPort, open_serial
from tests.firmware.boards import MICROPYTHONS, whole_pico

PATIENCE_S = 60.0  # of a busy machine


class PatientPort:
    """Waits a moment for bytes, where the host's thread would wait between its steps."""

    def __init__(self, name: str) -> None:
        self._serial: serial.Serial = open_serial(name)

    def read(self, size: int) -> bytes:
        select.select([self._serial], [], [], 0.01)
        return bytes(self._serial.read(size))

    def write(self, data: bytes, /) -> int | None:
        return int(self._serial.write(data) or 0)

    def close(self) -> None:
        self._serial.close()


@contextmanager
def linked(name: str) -> Iterator[tuple[PicoLink, Callable[[Callable[[], bool]], None]]]:
    """The host's link to it, and a function that steps it until something is so."""

    def open_port(name: str) -> SerialPort:
        return PatientPort(name)

    link = PicoLink(lambda: [name], open_port, time.monotonic, budget_ma=1500)

    def until(done: Callable[[], bool]) -> None:
        give_up_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < give_up_s, link.status
            link.step()

    yield link, until
    link.close()


@pytest.mark.parametrize("interpreter", MICROPYTHONS)
def test_the_loop_greets_shows_and_holds(interpreter: str) -> None:
    with whole_pico(interpreter) as name, linked(name) as (link, until):
        until(lambda: link.reachable)
        assert link.status == Status("lights", facts={"firmware": ".".join(map(str, protocol.FIRMWARE)), "port": name})
        # Every byte there is, Ctrl-C among them, must pass the cable as data.
        for first in range(256):
            link.frame_wish = bytes((first + i) % 256 for i in range(180))
            until(lambda: link.shown is link.frame_wish)
        link.hold_wish = HoldWish(dark=True, at_s=math.inf)
        until(lambda: link.held is link.hold_wish)


def test_a_pico_that_was_left_at_its_prompt_is_started_again() -> None:
    with whole_pico() as name:
        with linked(name) as (link, until):
            until(lambda: link.reachable)
        cable = PatientPort(name)
        cable.write(protocol.encode(protocol.LEAVE, 1))
        said, give_up_s = b"", time.monotonic() + PATIENCE_S
        while b">>> " not in said:
            assert time.monotonic() < give_up_s, said
            said += cable.read(4096)
        cable.close()
        with linked(name) as (link, until):
            until(lambda: link.reachable)
