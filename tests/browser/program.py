"""`allcity run` as a process of its own, which can be killed."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tests.browser.site import Site

ROOT = Path(__file__).parents[2]
STARTING_S = 120.0
CONFIG = """
[store]
path = "allcity.db"
[web]
address = "127.0.0.1"
[camera]
width_px = 1920
height_px = 1080
[recorder]
enabled = false
"""


def waits_for_people(state: Any) -> bool:
    """A game in which people took part is theirs to continue."""
    return (state["table"] or {}).get("continue") is not None


def is_watched(state: Any) -> bool:
    """Some board was read: from now on people can take part."""
    boards = (state["table"] or {}).get("boards", {})
    return any(told["state"] == "wait" for told in boards.values())


class Program:
    """The program as people start it. Its folder outlives it, and it comes back on the same port."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        config: str = CONFIG,
        ready: Callable[[Any], bool] = is_watched,
    ) -> None:
        """`ready` tells from the state that is shown when it can be used."""
        self._folder, self._options, self._ready = folder, options, ready
        (folder / "config.toml").write_text(config, encoding="utf-8")
        self._port = 0
        self.said: list[str] = []
        self.start()

    @contextmanager
    def starting_anew(self) -> Iterator[None]:
        """What is done inside makes the program start anew by itself, on whatever port; waits for that."""
        self._open.clear()
        yield
        assert self._open.wait(STARTING_S), "\n".join(self.said)
        self.site = Site(self._port)
        self.site.until(self._ready, "it is ready again")

    def start(self, ready: Callable[[Any], bool] | None = None) -> None:
        command = [sys.executable, "-m", "pi_app", "run", "--config", str(self._folder / "config.toml")]
        self._process = subprocess.Popen(
            [*command, "--port", str(self._port), *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
        )
        self._open = Event()
        self._listening = Thread(target=self._listen, daemon=True)
        self._listening.start()
        assert self._open.wait(STARTING_S), "\n".join(self.said)
        assert self._port, "\n".join(self.said)
        self.site = Site(self._port)
        self.site.until(ready or self._ready, "the table is watched")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line.rstrip())
            if found := re.search(r"http://[^ ,]+:(\d+)", line):
                self._port = int(found[1])
                self._open.set()
        self._open.set()  # it ended: nobody needs to wait any longer

    @property
    def pin(self) -> str:
        return (self._folder / "pin").read_text(encoding="ascii")

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """As if the plug were pulled."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._listening.join()

    def stop(self) -> int:
        """As systemd stops it; its exit code."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(STARTING_S)
        self._listening.join()
        return code

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
