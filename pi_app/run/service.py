"""What the program tells systemd: that it is ready, that its loop turns, that it ends. Without systemd it tells nobody.

systemd starts a program again that has not said for a while (`WatchdogSec`) that it is alive.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress


class Service:
    """Belongs to the thread of the table's loop: nobody else may say that it turns."""

    def __init__(self, environment: Mapping[str, str] = os.environ, now: Callable[[], float] = time.monotonic) -> None:
        self._address, self._now = environment.get("NOTIFY_SOCKET", ""), now
        told = environment.get("WATCHDOG_USEC", "")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._every_s = int(told) / 1e6 / 4 if told.isdecimal() and mine else float("inf")
        self._told_s = now()

    @property
    def is_one(self) -> bool:
        """Nobody looks at a terminal: systemd has started this."""
        return bool(self._address)

    def ready(self) -> None:
        self._tell("READY=1")

    def turning(self) -> None:
        """Once a turn of the loop; told some four times as often as it must be."""
        if self._now() - self._told_s >= self._every_s:
            self._told_s = self._now()
            self._tell("WATCHDOG=1")

    def ending(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        # A leading @ is systemd's way to write a name outside the file system.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.sendto(message.encode(), address)
