"""Picos for tests: `board.py` on a real MicroPython, or on CPython."""

import os
import shutil
import subprocess
import sys
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


@contextmanager
def running_board(interpreter: str) -> Iterator[Board]:
    """A board that has not booted yet."""
    path = os.pathsep.join((str(ROOT), str(STAND_INS)))
    environment = {**os.environ, "PYTHONPATH": path, "MICROPYPATH": path, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        _command(interpreter), env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Board(process)
        finally:
            process.kill()
