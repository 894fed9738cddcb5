"""What viewers cost: 60 screens follow one table through the real web server while bots play by pixels.

    .venv/bin/python -m tests.bench.web [--viewers 60] [--rounds 8] [--minutes 4]

The table's loop runs by turns without and with viewers; its cost is a ratio within one run. Delays are from the
moment a state is published to its arrival, over loopback. Then games are played in a hurry for so many minutes while
viewers look on who read, and such who do not: how memory grows meanwhile, and what remains.
"""

import argparse
import http.client
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table as Sheet

from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.games.tag_city.edition.profile import HOUSE
from pi_app.run.dashboard import Dashboard
from pi_app.table.lights import PLAYERS
from tests.bench import growth
from tests.e2e.night import Night, night
from tests.playing import TAG_CITY
from tests.profiles import load_profile
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate
from web.serve import serve

PICTURES = 30
"""In one round, without and with viewers each."""
ARRIVED_S = 60.0


class TimedHub(Hub):
    """Remembers when each version was published."""

    def __init__(self) -> None:
        super().__init__()
        self.published: dict[int, float] = {}

    def publish(self, part: str, value: Any, seats: Mapping[int, Any] | None = None) -> None:
        before, begin = self.version, perf_counter()
        super().publish(part, value, seats)
        if self.version != before:
            self.published[self.version] = begin


class Viewer(Thread):
    """One screen: reads the stream and notes when each version came."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=ARRIVED_S)
        self.arrived: dict[int, float] = {}
        self.connected = Event()
        self._stopped = False

    def run(self) -> None:
        self._line.request("GET", "/api/stream")
        with closing(self._line), self._line.getresponse() as answer:
            while not self._stopped and (data := answer.readline()):
                if data.startswith(b"id: "):
                    self.arrived[int(data[4:])] = perf_counter()
                    self.connected.set()

    def stop(self) -> None:
        """With the next thing that comes, a heartbeat at the latest."""
        self._stopped = True


class Stand:
    """A table for two with bots and eyes, and its dashboard on a port."""

    def __init__(self, folder: Path) -> None:
        self.hub = TimedHub()
        self.night: Night = night(folder, 2, 3)
        self.dashboard = Dashboard(self.night.table, self.hub, perf_counter, lambda *_: load_profile(HOUSE))
        house = House(self.hub, self.dashboard, folder, PinGate("000000"), write_private, PLAYERS, GAMES, TAG_CITY.name)
        self.port = serve(lambda _: create_app(house), "127.0.0.1", 0)
        self._costs: list[float] = []

    def _timed(self) -> None:
        begin = perf_counter()
        self.night.bots.step()
        self.night.turn()
        self.dashboard.once()
        self._costs.append(perf_counter() - begin)

    def costs(self, pictures: int) -> list[float]:
        """What so many pictures of the game cost, in seconds each; fewer where the game ends."""
        self._costs = []
        while len(self._costs) < pictures and not self.night.over:
            self._timed()
        return self._costs


@contextmanager
def watching(port: int, count: int) -> Iterator[list[Viewer]]:
    viewers = [Viewer(port) for _ in range(count)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        assert viewer.connected.wait(ARRIVED_S)
    try:
        yield viewers
    finally:
        for viewer in viewers:
            viewer.stop()
        for viewer in viewers:
            viewer.join()


def delays(hub: TimedHub, viewers: list[Viewer]) -> list[float]:
    """How long every state took to every viewer; the one it began with was there before."""
    return [
        at - hub.published[version]
        for viewer in viewers
        for version, at in sorted(viewer.arrived.items())[1:]
        if version in hub.published
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="What viewers cost.")
    parser.add_argument("--viewers", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=8, help="0: only how memory grows")
    parser.add_argument("--minutes", type=float, default=4.0, help="0: only what they cost")
    args = parser.parse_args()
    if args.rounds:
        costs(args.viewers, args.rounds)
    if args.minutes:
        growth.measure(args.viewers, args.minutes)


def costs(count: int, rounds: int) -> None:
    alone: list[float] = []
    watched: list[float] = []
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        at = Stand(Path(folder))
        at.costs(PICTURES // 2)  # warm
        for _ in track(range(rounds), f"{count} viewers"):
            if not (more := at.costs(PICTURES)):
                break  # the game is over
            alone += more
            with watching(at.port, count) as viewers:
                watched += at.costs(PICTURES)
            late += delays(at.hub, viewers)
    show(count, alone, watched, late, len(at.hub.snapshot().body))


def show(viewers: int, alone: list[float], watched: list[float], late: list[float], size: int) -> None:
    sheet = Sheet("measured", "value")
    sheet.add_row("pictures without, with viewers", f"{len(alone)}, {len(watched)}")
    sheet.add_row("states delivered", str(len(late)))
    sheet.add_row("size of a state", f"{size / 1000:.0f} kB")
    sheet.add_row("publish to arrival, median", f"{1000 * median(late):.0f} ms")
    sheet.add_row("publish to arrival, 95 %", f"{1000 * quantiles(late, n=20)[-1]:.0f} ms")
    sheet.add_row("a picture without viewers, median", f"{1000 * median(alone):.1f} ms")
    sheet.add_row(f"a picture with {viewers} viewers, median", f"{1000 * median(watched):.1f} ms")
    sheet.add_row(
        "ratio of the medians, of the sums",
        f"{median(watched) / median(alone):.2f}, {_mean(watched) / _mean(alone):.2f}",
    )
    Console().print(sheet)


def _mean(costs: list[float]) -> float:
    return sum(costs) / len(costs)


if __name__ == "__main__":
    main()
