"""Copies the firmware to a Pico on a USB cable, and asks it afterwards which version it runs."""

import errno
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import firmware
from firmware import protocol
from hardware.ports import Condition, Status
from hardware.real.pico_link import PicoLink
from hardware.real.serial_ports import SerialPort, find_ports, open_serial

FOLDER = Path(firmware.__file__).parent
VERSION = ".".join(map(str, protocol.FIRMWARE))
LEAVE_S = 1.0  # for a running program to make room
COPY_S = 120.0
ANSWER_S = 20.0  # for the Pico to start again and greet
TICK_S = 0.01

MAKE_FOLDER = "import os\nif 'firmware' not in os.listdir(): os.mkdir('firmware')"


class InstallError(Exception):
    """The firmware is not installed; says why and what to do, in one line."""


def install(wanted: str = "auto", say: Callable[[str], None] = print) -> None:
    """Raises InstallError."""
    if importlib.util.find_spec("mpremote") is None:
        raise InstallError("mpremote is missing; install the drivers of a real table: pip install 'allcity[pi]'")
    port = choose(wanted, find_ports(wanted))
    make_room(port)
    say(f"Copying firmware {VERSION} to {port} ...")
    copy(port)
    status = greet(wanted)
    if not status.ok:
        raise InstallError(told(port, status))
    say(f"{port}: firmware {VERSION} runs.")


def choose(wanted: str, names: Sequence[str]) -> str:
    """The one port that is meant. Raises InstallError."""
    if len(names) == 1:
        return names[0]
    if names:
        raise InstallError(f"several Picos are plugged in; say which with --port: {', '.join(names)}")
    if wanted != "auto":
        raise InstallError(f"no Pico with the number {wanted} is plugged in")
    raise InstallError(
        "no Pico found; plug it in with a USB data cable (a new one needs MicroPython first, see firmware/README.md)"
    )


def make_room(port: str) -> None:
    """Asks firmware that runs already to end; an empty Pico does not answer, and need not. Raises InstallError."""
    try:
        cable = open_serial(port)
    except OSError as error:
        raise InstallError(f"{port} cannot be opened: {_why(error)}") from error
    try:
        _leave(cable)
    except OSError as error:
        raise InstallError(f"{port} went away ({error}); plug it in again") from error
    finally:
        cable.close()


def _why(error: OSError) -> str:
    if error.errno == errno.EACCES:
        return "this user may not; 'sudo adduser $USER dialout', then log in again"
    if error.errno == errno.ENOENT:
        return "there is no such port"
    return "another program uses it; stop the table first"


def _leave(cable: SerialPort) -> None:
    decoder, until_s = protocol.Decoder(), time.monotonic() + LEAVE_S
    cable.write(protocol.encode(protocol.LEAVE, 1))
    while time.monotonic() < until_s:
        if any(message.kind == protocol.ACK for message in decoder.feed(cable.read(4096))):
            return
        time.sleep(TICK_S)


def copy(port: str) -> None:
    """Main.py goes last: a Pico that loses power in between does not start half of it. Raises InstallError."""
    others = sorted(str(path) for path in FOLDER.glob("*.py") if path.name != "main.py")
    main = str(FOLDER / "main.py")
    steps = (
        ["exec", MAKE_FOLDER],
        ["fs", "cp", *others, ":firmware/"],
        ["fs", "cp", main, ":main.py"],
        ["reset"],
    )
    after_each_other = [word for step in steps for word in ("+", *step)][1:]
    command = [sys.executable, "-m", "mpremote", "connect", port, *after_each_other]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COPY_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"{port} does not answer; is MicroPython on it? See firmware/README.md") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise InstallError(f"{port}: the firmware could not be copied ({last}); unplug it, plug it in, and try again")


def greet(wanted: str) -> Status:
    """What the Pico says once it has started again, or what is known when it says nothing."""
    link = PicoLink(lambda: find_ports(wanted), open_serial, time.monotonic, budget_ma=0)
    until_s = time.monotonic() + ANSWER_S
    while time.monotonic() < until_s and link.status.condition in (Condition.ABSENT, Condition.LOST):
        link.step()
        time.sleep(TICK_S)
    link.close()
    return link.status


def told(port: str, status: Status) -> str:
    if status.condition is Condition.WRONG_VERSION:
        return f"{port} runs firmware {status.facts['found']} and not {VERSION}; unplug it, plug it in, and try again"
    return f"{port} does not answer ({status.facts['why']}); unplug it, plug it in, and try again"
