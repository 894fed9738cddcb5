"""Hours at the simulated table: games of every kind in a row, phones that come and go, and things that go wrong.

    .venv/bin/python -m tests.bench.endurance --hours 8
    .venv/bin/python -m tests.bench.endurance --hours 0.005        # a quick look

`allcity run --sim --speed max` plays in a process of its own, with recorder, daily backup and dashboard; everything
comes to it through HTTP, as from people. Hours are those of the table's own clock, which leaps from picture to picture.
Whenever nobody is connected and nothing is wrong, its memory, open files, threads, database and recordings are noted.

The exit code tells whether all of that stayed flat, once every kind of game has been played: see `findings`.
"""

import argparse
import random
import resource
import sqlite3
import sys
import tempfile
import urllib.error
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Any

from rich.console import Console
from rich.table import Table as Sheet

from pi_app.games import GAMES
from tests.bench.attack import odd_command
from tests.bench.growth import viewers
from tests.bench.memory import memory_mb
from tests.browser.program import Program
from tests.e2e.legal import next_move

CONFIG = """
[store]
path = "allcity.db"
[web]
address = "127.0.0.1"
[camera]
width_px = {width}
height_px = {height}
[recorder]
limit_mb = {limit}
"""
PLAYERS = 3
LIMIT_MB = 50
LOOK_S = 0.5
ROUND_S, PHONES_S, FAULT_S = 150.0, 60.0, 8.0
"""Of the table's time: phones come and something goes wrong, it is mended, they leave, and the table is left alone."""
LONGEST_GAME_S = 3600.0
"""Then it is put away, finished or not."""
QUIET_S = 3.0
"""How long lines that were closed may take to be noticed."""
READING, DEAF = 5, 2
GROWTH = 1.10
"""How much more memory the same game may take in the later half; how much more of the database an event, likewise."""
MORE_FILES, MORE_THREADS = 3, 2

Action = dict[str, Any]
FAULTS: tuple[tuple[str, Action | None, Action | None], ...] = (
    ("camera unplugged", {"action": "cable", "device": "camera", "on": False}, {"device": "camera", "on": True}),
    ("lights unplugged", {"action": "cable", "device": "lights", "on": False}, {"device": "lights", "on": True}),
    ("lamp switched off", {"action": "lamp", "level": 0.0}, {"level": 1.0}),
    ("disk full", None, None),
    ("board pushed", {"action": "nudge"}, None),
    ("lens covered", {"action": "cover", "on": True}, {"on": False}),
    ("something laid down", {"action": "lay", "thing": "phone"}, None),
    ("hand over a board", {"action": "hand", "on": True}, {"on": False}),
    ("camera bumped", {"action": "bump"}, None),
    ("buttons unplugged", {"action": "cable", "device": "buttons", "on": False}, {"device": "buttons", "on": True}),
)
"""What begins it at the simulated table, and what is different when it ends."""
ON_A_BOARD = {"nudge", "hand"}


@dataclass(frozen=True)
class Usage:
    """What the program took at one moment when nobody was connected and nothing was wrong."""

    hours: float
    game: str
    games: int
    events: int
    memory_mb: float
    files: int
    threads: int
    database_bytes: int
    log_bytes: int
    """Of the database's write-ahead log."""
    recordings_mb: float


def usage(process: int, folder: Path, hours: float, game: str) -> Usage:
    own = Path(f"/proc/{process}")
    with closing(sqlite3.connect(f"file:{folder / 'allcity.db'}?mode=ro", uri=True)) as db:
        games, events, pages, page = (
            db.execute(asked).fetchone()[0]
            for asked in (
                "SELECT count(*) FROM games",
                "SELECT count(*) FROM events",
                "PRAGMA page_count",
                "PRAGMA page_size",
            )
        )
    log = folder / "allcity.db-wal"
    return Usage(
        hours,
        game,
        games,
        events,
        memory_mb(process),
        len(list((own / "fd").iterdir())),
        len(list((own / "task").iterdir())),
        pages * page,
        log.stat().st_size if log.exists() else 0,
        sum(path.stat().st_size for path in (folder / "recordings").rglob("*") if path.is_file()) / 1e6,
    )


def findings(noted: Sequence[Usage], kinds: int = len(GAMES)) -> list[str] | None:
    """What grew; None if too little was noted to tell.

    What counts is noted after every kind of game was played, and each has to be played again in either half. Games
    differ in what they take, so memory is compared game by game: the median of the later half with the earlier one's.
    """
    seen: set[str] = set()
    warm = next((n for n, one in enumerate(noted) if len(seen := seen | {one.game}) == kinds), len(noted))
    counted = noted[warm:]
    earlier, later = counted[: len(counted) // 2], counted[len(counted) // 2 :]
    both = {one.game for one in earlier} & {one.game for one in later}
    if len(both) < kinds:
        return None
    told = []
    for game in sorted(both):
        before, after = (median(one.memory_mb for one in half if one.game == game) for half in (earlier, later))
        if after > GROWTH * before:
            told.append(f"memory during {game}: {before:.0f} MB, later {after:.0f} MB")
    for what, more in (("files", MORE_FILES), ("threads", MORE_THREADS)):
        before, after = (median(getattr(one, what) for one in half) for half in (earlier, later))
        if after > before + more:
            told.append(f"{what}: {before:.0f}, later {after:.0f}")
    before, after = (_bytes_an_event(half) for half in (counted[: len(earlier) + 1], later))
    if before and after > GROWTH * before:
        told.append(f"database: {before:.0f} bytes an event, later {after:.0f}")
    if (most := max(one.recordings_mb for one in noted)) > LIMIT_MB:
        told.append(f"recordings: {most:.1f} MB, and the limit is {LIMIT_MB} MB")
    return told


def _bytes_an_event(noted: Sequence[Usage]) -> float:
    first, last = noted[0], noted[-1]
    return (last.database_bytes - first.database_bytes) / max(1, last.events - first.events)


class Evenings:
    """Game after game in the program, with its host."""

    def __init__(self, program: Program, rng: random.Random) -> None:
        self.program, self._rng = program, rng
        self._site = program.site
        self._host = self._site.post("/api/host", {"pin": program.pin})["token"]
        self.ask({"command": "open_joining", "args": {"open": True}})
        self.counts: Counter[str] = Counter()
        self.seconds, self._at_s, self._begun_s = 0.0, 0.0, 0.0
        self._sim: dict[str, Any] = {}
        self.game = next(iter(GAMES))

    def look(self) -> None:
        """What time it is at the table; a game that is over, or takes too long, makes way for the next kind."""
        try:
            self._sim = self._site.get("/api/sim")
        except urllib.error.HTTPError:  # between two games
            return
        at_s = self._sim["at_s"]
        self.seconds += at_s - self._at_s if at_s >= self._at_s else at_s
        self._at_s = at_s
        table = self._site.get("/api/state")["table"]
        over = table["result"] is not None
        if over or self.seconds - self._begun_s > LONGEST_GAME_S:
            self._next_game("finished" if over else "put away")

    def _next_game(self, why: str) -> None:
        names = list(GAMES)
        game = names[(names.index(self.game) + 1) % len(names)]
        told = {"game": game, "players": [f"Player {n}" for n in range(1, PLAYERS + 1)], "profile": "house"}
        status, answer = self.ask({"command": "new_game", "args": told})
        self.counts[f"new games answered {status}"] += 1
        if status == 200:
            self.counts[f"{self.game} {why}"] += 1
            self.game, self._begun_s = game, self.seconds
            self.act({"action": "bots", "seats": list(range(PLAYERS))})
        else:
            print(f"no new game: {answer}", file=sys.stderr)

    def ask(self, sent: Any, token: str | None = None) -> tuple[int, Any]:
        return self._site.send(sent, token or self._host)

    def act(self, action: Action) -> None:
        """With hands at the simulated table."""
        if action["action"] in ON_A_BOARD and "board" not in action:
            action["board"] = self._rng.choice(self._sim["boards"])["board"]
        status, _ = self._site.send(action, self._host, "/api/sim")
        self.counts[f"actions answered {status}"] += 1

    def take_seat(self) -> str | None:
        """Somebody takes over the bots' first seat with a phone; the token, if they got it."""
        sent = {"seat": 0, "name": "Somebody", "colour": "cyan", "language": "en"}
        status, told = self._site.send(sent, None, "/api/join")
        self.counts[f"seats answered {status}"] += 1
        return str(told["token"]) if status == 200 else None

    def play(self, seat: str) -> None:
        """What a phone sends: moves, sense and nonsense."""
        table = self._site.get("/api/state", seat)["table"]
        known = (next_move(table, first=True) if self.game == "tag_city" else None) or {}
        status, _ = self.ask(odd_command(self._rng, known), seat)
        self.counts[f"commands answered {status}"] += 1

    def leave_seat(self, seat: str) -> None:
        self._site.send({}, seat, "/api/leave")
        self.act({"action": "bots", "seats": list(range(PLAYERS))})


class Faults:
    """One after the other, each for a while."""

    def __init__(self, at: Evenings) -> None:
        self._at, self._next = at, 0
        self._mend: Action | None = None
        self._full = False

    def begin(self) -> None:
        name, action, end = FAULTS[self._next % len(FAULTS)]
        self._next += 1
        self._at.counts[name] += 1
        if action is None:
            self._let_files_grow(False)
            return
        action = dict(action)
        self._at.act(action)
        self._mend = None if end is None else action | end

    def end(self) -> None:
        if self._full:
            self._let_files_grow(True)
        if self._mend is not None:
            self._at.act(self._mend)
            self._mend = None

    def _let_files_grow(self, may: bool) -> None:
        """Without it every write fails, as on a full disk."""
        process = self._at.program.process_id
        _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most if may else 0, most))
        self._full = not may


def one_round(at: Evenings, faults: Faults, port: int, until_s: float) -> None:
    """Phones and a fault, then quiet; less than a whole round if the time is over."""
    begin_s = at.seconds

    def go_on(for_s: float, seat: str | None = None) -> None:
        while at.seconds < min(begin_s + for_s, until_s) and at.program.is_alive:
            at.look()
            if seat is not None:
                at.play(seat)
            sleep(LOOK_S)

    with ExitStack() as phones:
        phones.enter_context(viewers(port, READING))
        phones.enter_context(viewers(port, DEAF, "--deaf"))
        seat = at.take_seat()
        faults.begin()
        go_on(FAULT_S, seat)
        faults.end()
        go_on(PHONES_S, seat)
        if seat is not None:
            at.leave_seat(seat)
    go_on(ROUND_S)


def quiet(program: Program, folder: Path, at: Evenings) -> Usage:
    """As few files and threads as it comes back to when everybody has left."""
    until = monotonic() + QUIET_S
    best = usage(program.process_id, folder, at.seconds / 3600, at.game)
    while monotonic() < until:
        sleep(LOOK_S)
        now = usage(program.process_id, folder, at.seconds / 3600, at.game)
        best = min(best, now, key=lambda one: (one.files, one.threads))
    return best


def shown(noted: Sequence[Usage]) -> Sheet:
    sheet = Sheet("hours", "game", "games", "events", "memory", "files", "threads", "database", "its log", "recordings")
    for one in noted:
        sheet.add_row(
            f"{one.hours:.2f}",
            one.game,
            str(one.games),
            str(one.events),
            f"{one.memory_mb:.0f} MB",
            str(one.files),
            str(one.threads),
            f"{one.database_bytes / 1000:.0f} kB",
            f"{one.log_bytes / 1000:.0f} kB",
            f"{one.recordings_mb:.1f} MB",
        )
    return sheet


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0, help="of the table's own time (default 8)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="of real time, after which it ends anyway")
    parser.add_argument("--width", type=int, default=1536, help="of the camera's pictures in pixels (default 1536)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="where to write: a disk, not memory")
    args = parser.parse_args()
    noted: list[Usage] = []
    begin = monotonic()
    config = CONFIG.format(width=args.width, height=args.width * 9 // 16, limit=LIMIT_MB)
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        folder = Path(name)
        options = ("--sim", "--speed", "max", "--players", str(PLAYERS), "--seed", str(args.seed))
        with Program(folder, *options, config=config) as program:
            at = Evenings(program, random.Random(args.seed))
            faults = Faults(at)
            while at.seconds < 3600 * args.hours and monotonic() - begin < 60 * args.minutes and program.is_alive:
                one_round(at, faults, program.site.port, 3600 * args.hours)
                noted.append(quiet(program, folder, at))
                print(f"{(monotonic() - begin) / 60:6.1f} min: {noted[-1]}", file=sys.stderr)
            alive = program.is_alive
            failed = [line for line in program.said if "Traceback" in line or "could not handle" in line]
        kept = sum(path.stat().st_size for path in (folder / "backups").glob("*.zip")) / 1e6
    Console(width=120).print(shown(noted))
    print(f"{at.seconds / 3600:.2f} hours of the table's time in {(monotonic() - begin) / 3600:.2f} hours")
    print(f"the daily backup has {kept:.1f} MB")
    print("; ".join(f"{what}: {count}" for what, count in sorted(at.counts.items())))
    told = findings(noted)
    for line in (*failed, *(["the program ended by itself"] if not alive else []), *(told or ())):
        print(line)
    print("too short to tell whether anything grows" if told is None else "nothing grew" if not told else "it grew")
    return 0 if alive and not failed and not told else 1


if __name__ == "__main__":
    sys.exit(main())
