"""Picos for tests, on a real MicroPython or on CPython: bare boards (`board.py`), and whole ones."""

import os
import shutil
import subprocess
import sys
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware import pins, protocol

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FIRMWARE, STAND_INS = ROOT / "firmware", HERE / "stand_ins"
WASM = ROOT / ".venv/micropython/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"

INTERPRETERS = ("wasm", "cpython", *(["unix"] if shutil.which("micropython") else []))
"""MicroPython under node, always; Debian's own MicroPython where there is one; CPython."""
MICROPYTHONS = tuple(name for name in INTERPRETERS if name != "cpython")


def node_command(script: str, *arguments: str | Path) -> list[str]:
    """Runs one of our scripts with the WebAssembly build. Without it these tests must not pass."""
    node = shutil.which("node")
    assert node, "node is missing: ./setup.sh test installs it"
    assert WASM.is_file(), "MicroPython is missing: ./setup.sh test installs it"
    return [node, str(HERE / script), str(WASM), str(FIRMWARE), str(STAND_INS), *map(str, arguments)]


def _command(interpreter: str) -> list[str]:
    if interpreter == "wasm":
        return node_command("run_board.mjs", HERE / "board.py")
    return ["micropython" if interpreter == "unix" else sys.executable, str(HERE / "board.py")]


class BoardDied(Exception):
    """The interpreter ended; tells what it said."""


class Board:
    """One Pico without a cable: give it bytes and the time, get bytes and what the strip shows."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.writes: list[bytes] = []
        """Every frame that went out to the strip, as the wire has it."""

    def boot(self, now_ms: int) -> bytes:
        return self._ask(f"boot {now_ms}")

    def step(self, now_ms: int, data: bytes = b"") -> bytes:
        return self._ask(f"step {now_ms} {data.hex() or '-'}")

    def press(self, *buttons: str) -> None:
        """These buttons are down from now on, all others up."""
        numbers = [str(pins.BUTTON_PINS[protocol.BUTTON_NAMES.index(button)]) for button in buttons]
        self._ask(f"pins {','.join(numbers) or '-'}")

    def _ask(self, line: str) -> bytes:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if len(answer) != 2:
            raise BoardDied(f"after {line[:80]!r}: {answer}")
        sent, shown = answer
        if shown != "-":
            self.writes += [bytes.fromhex(frame) for frame in shown.split(",")]
        return b"" if sent == "-" else bytes.fromhex(sent)

    @property
    def rgb(self) -> bytes:
        """What the strip shows now: red, green, blue of each pixel. The strip itself takes green first."""
        wire = self.writes[-1]
        return bytes(level for i in range(0, len(wire), 3) for level in (wire[i + 1], wire[i], wire[i + 2]))


def _environment() -> dict[str, str]:
    path = os.pathsep.join((str(ROOT), str(STAND_INS)))
    return {**os.environ, "PYTHONPATH": path, "MICROPYPATH": path, "PYTHONUNBUFFERED": "1"}


@contextmanager
def running_board(interpreter: str) -> Iterator[Board]:
    """A board that has not booted yet."""
    with subprocess.Popen(
        _command(interpreter), env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Board(process)
        finally:
            process.kill()


@contextmanager
def whole_pico(interpreter: str = "wasm", state: str = "installed") -> Iterator[str]:
    """A Pico that runs main.py as the real one does; gives the name of its port. State `empty`: no firmware on it."""
    if interpreter == "wasm":
        command = node_command("run_pico.mjs", state)
    else:
        command = ["micropython", "-c", "from firmware.main import run; run()"]
    pico, port = os.openpty()
    tty.setraw(port)
    os.set_blocking(pico, interpreter != "wasm")
    with subprocess.Popen(command, env=_environment(), stdin=pico, stdout=pico) as process:
        try:
            yield os.ttyname(port)
        finally:
            process.kill()
            os.close(pico)
            os.close(port)
