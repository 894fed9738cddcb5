"""How memory grows while viewers look on, how many of them there are, and what remains when they have left."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import active_count
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch

from rich.console import Console
from rich.table import Table as Sheet

from tests.bench.memory import memory_mb
from tests.web.house import Table4Web, opened
from web.app import create_app
from web.serve import serve

STATES_PER_S = 48.0
AN_HOUR = 14_400
"""States in an hour of play at most: one in `pi_app.run.dashboard.PUBLISH_S`."""
WARM_STATES = 600
STEPS = 6
"""Lines of the table for each kind of viewers."""


class Play:
    """Whole games, one after the other, shown after every move and in a hurry."""

    def __init__(self, at: Table4Web) -> None:
        self._at, self._seed = at, 0
        self._host = at.host()
        self.published = 0

    def go_on(self, until: float) -> None:
        """Until that moment on the clock."""
        while (begin := monotonic()) < until:
            self._move()
            sleep(max(0.0, begin + 1.0 / STATES_PER_S - monotonic()))

    def warm_up(self) -> None:
        while self.published < WARM_STATES:
            self._move()

    def _move(self) -> None:
        self._seed += 1
        before = self._at.house.hub.version
        if self._at.state["table"]["game"]["result"]:
            assert self._at.command("new_game", {"players": ["Ana", "Bo", "Cy"]}, self._host).status_code == 200
        else:
            self._at.play(1, self._seed)
        self.published += self._at.house.hub.version - before


@contextmanager
def viewers(port: int, count: int, *options: str) -> Iterator[dict[str, Any]]:
    """Tells afterwards what they saw."""
    command = [sys.executable, "-m", "tests.bench.viewers", str(port), str(count), *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    assert int(process.stdout.readline()) == count
    seen: dict[str, Any] = {}
    yield seen
    process.stdin.close()
    seen.update(json.loads(process.stdout.readline()))
    process.wait()


def measure(count: int, minutes: float) -> None:
    """Half of the time with those who read, a quarter each with those who do not, and after they left."""
    sheet = Sheet("viewers", "minutes", "states", "memory", "growth", "threads")
    # As fast as an hour's states come in the time there is.
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as at, patch("web.live.PAUSE_S", 0.01):
        app = create_app(at.house)
        at.client = app.test_client()
        port = serve(lambda _: app, "127.0.0.1", 0)
        play = Play(at)
        play.warm_up()
        begin, states, before = monotonic(), play.published, memory_mb()

        def note(who: str) -> None:
            told = f"{(monotonic() - begin) / 60:.1f}", str(play.published - states)
            sheet.add_row(who, *told, f"{memory_mb():.1f} MB", f"{memory_mb() - before:+.1f} MB", str(active_count()))

        def look_on(who: str, most_minutes: float, steps: int) -> None:
            for _ in range(steps):
                play.go_on(monotonic() + 60 * most_minutes / steps)
                note(who)

        note("none")
        with viewers(port, count) as reading:
            look_on(f"{count} who read", minutes / 2, STEPS)
        look_on("after they left", minutes / 8, 1)
        with viewers(port, count, "--deaf") as deaf:
            look_on(f"{count} who do not read", minutes / 4, STEPS // 2)
        look_on("after they left", minutes / 8, 1)
    Console().print(sheet)
    each = reading["events"] / count
    print(f"every viewer who read: {each:.0f} updates of {reading['received'] / max(1, reading['events']):.0f} bytes")
    print(f"a state has {len(at.house.hub.snapshot().body)} bytes; an hour of play has {AN_HOUR} states at most")
    print(f"cut off: {reading['cut_off']} who read, {deaf['cut_off']} of {count} who did not")
