"""Finds and opens the serial port of a Pico, whatever name it has this time."""

from collections.abc import Iterable
from typing import Protocol

import serial
from serial.tools import list_ports

PICO_USB = (0x2E8A, 0x0005)
"""Vendor and product of a Raspberry Pi Pico that runs MicroPython."""
WRITE_TIMEOUT_S = 0.2


class SerialPort(Protocol):
    """What we use of pyserial. All of it may raise OSError, as pyserial's own errors are."""

    def read(self, size: int) -> bytes:
        """What has arrived, at most so much; waits for nothing."""

    def write(self, data: bytes, /) -> int | None: ...

    def close(self) -> None: ...


class PortInfo(Protocol):
    """What we use of pyserial's description of a port."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None


def port_names(wanted: str, present: Iterable[PortInfo]) -> list[str]:
    """The ports that may be meant by `wanted`: auto, a path like /dev/ttyACM0, or a USB serial number."""
    if wanted == "auto":
        return sorted(port.device for port in present if (port.vid, port.pid) == PICO_USB)
    if "/" in wanted:
        return [wanted]
    return [port.device for port in present if port.serial_number == wanted]


def find_ports(wanted: str) -> list[str]:
    """The same, among the ports that are plugged in now."""
    return port_names(wanted, list_ports.comports())


def open_serial(name: str) -> SerialPort:
    """Opens it for us alone. Raises OSError."""
    port: SerialPort = serial.Serial(name, 115200, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    return port
