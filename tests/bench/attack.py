"""An attack on the program: commands of every kind by everybody, and plugs pulled while moves are acknowledged.

    .venv/bin/python -m tests.bench.attack --commands 50000 --kills 40
    .venv/bin/python -m tests.bench.attack --commands 200 --kills 1 --minutes 0      # a quick look

Everything goes through HTTP to `allcity run` in a process of its own. The table that it prints tells how many commands
were answered with an error of the program itself (500), how often the program ended by itself, and how many moves that
had been acknowledged were not in the file after SIGKILL. All three should be 0. Then the benches `web` and `card` tell
how memory grows while 60 viewers look on, and how many bytes are written in an hour.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import local
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Sheet

from pi_app.games import GAMES
from pi_app.storage.store import Store
from tests.browser.program import Program
from tests.e2e.legal import next_move
from web.permits import BUTTONS, COMMANDS

CLIENTS, ADDRESSES = 48, 8
"""At once, from so many addresses: the table serves all that wait between two pictures, and each address has bounds."""
LINE_S = 60.0
NAMES = ("event", "corrections", "board", "number", "upto", "players", "leader", "profile", "options", "seat", "what")
EVENTS = ("game_started", "dice_rolled", "die_placed", "shape_painted", "social_checked", "house_decided", "undone")
FIELDS = ("player", "die", "shape", "cells", "drone", "bubble", "values", "leader", "section", "upto")
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    3,
    10**40,
    1.5,
    "",
    "hq",
    "city-1",
    "city-²",
    "9" * 5000,
    "\x00",
    "house",
    [],
    {},
    [[0, 0]],
)


def odd_value(rng: random.Random, depth: int = 0) -> Any:
    if depth > 3 or rng.random() < 0.6:
        return rng.choice(ODD)
    if rng.random() < 0.5:
        return [odd_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {str(rng.choice((*FIELDS, "7", "²"))): odd_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def odd_command(rng: random.Random, known: Mapping[str, Any]) -> dict[str, Any]:
    """Something between a command that may well be done and nonsense. `known` is a move that was legal lately."""
    name = rng.choice((*COMMANDS, *BUTTONS))
    if name == "put_away" and rng.random() < 0.7:
        name = "do"  # or hardly anything would ever happen
    args: dict[str, Any] = {}
    if name == "do" and rng.random() < 0.5:
        args = {"event": {**known, **({} if rng.random() < 0.5 else {rng.choice(FIELDS): odd_value(rng)})}}
    elif rng.random() < 0.6:
        event = {"type": rng.choice(EVENTS), **{field: odd_value(rng) for field in rng.sample(FIELDS, 3)}}
        args = {n: event if n == "event" else odd_value(rng) for n in rng.sample(NAMES, rng.randrange(3))}
    return {"command": name, "args": args if rng.random() < 0.97 else odd_value(rng)}


class Clients:
    """Many who ask at once, each over a line of its own."""

    def __init__(self, program: Program) -> None:
        self._site, self._line = program.site, local()
        self.host: str = self._site.post("/api/host", {"pin": program.pin})["token"]
        self._seats: dict[int, str] = {}
        self._opened = 0

    def everybody(self) -> list[str | None]:
        """The host, twice as often as others; both seats, taken again if they were freed; and nobody."""
        self.post({"command": "open_joining", "args": {"open": True}}, self.host)
        for seat, colour in enumerate(("cyan", "pink")):
            sent = {"seat": seat, "name": f"Player {seat}", "colour": colour, "language": "en"}
            status, told = self._site.send(sent, self._seats.get(seat), "/api/join")
            if status == 200:
                self._seats[seat] = told["token"]
        return [self.host, self.host, *self._seats.values(), None]

    def _open(self) -> HTTPConnection:
        self._opened += 1
        source = f"127.0.0.{1 + self._opened % ADDRESSES}"
        line = HTTPConnection("127.0.0.1", self._site.port, timeout=LINE_S, source_address=(source, 0))
        self._line.line = line
        return line

    def post(self, sent: Any, token: str | None) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        body = json.dumps(sent).encode()
        for _ in range(2):  # a line that was closed meanwhile is opened again
            line = getattr(self._line, "line", None) or self._open()
            try:
                line.request("POST", "/api/commands", body, headers)
                answer = line.getresponse()
                return answer.status, answer.read()
            except (OSError, HTTPException):
                line.close()
                self._line.line = None
        return 0, b""


def fuzz(commands: int, seed: int, console: Console) -> Counter[str]:
    """So many odd commands; counts what was answered, and how often the program had ended."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, Progress(console=console) as bar:
        shown = bar.add_task("commands", total=commands)
        program = Program(Path(folder), "--sim", "--players", "2")
        clients = Clients(program)
        with ThreadPoolExecutor(CLIENTS) as pool:
            while counts["commands"] < commands:
                known = next_move(program.site.get("/api/state")["table"], rng.random() < 0.5) or {}
                everybody = clients.everybody()
                asked = [(odd_command(rng, known), rng.choice(everybody)) for _ in range(10 * CLIENTS)]
                answers = pool.map(lambda one: clients.post(*one), asked)
                for (sent, _), (status, told) in zip(asked, answers, strict=True):
                    counts["commands"] += 1
                    counts[str(status)] += 1
                    if status == 500 and counts["500"] <= 5:
                        bar.console.print(f"500: {json.dumps(sent)[:300]} {told[:200]!r}", markup=False)
                bar.update(shown, completed=counts["commands"])
                if not program.is_alive:
                    counts["deaths"] += 1
                    bar.console.print("\n".join(program.said[-15:]), markup=False)
                    program.start()
        trouble = program.site.get("/api/state")["table"]["trouble"]
        counts["failures told"] += trouble is not None and trouble["reason"] == "table.failed"
        counts["failures logged"] += sum("could not handle" in line for line in program.said)
        program.kill()
    return counts


def pull_plugs(kills: int, seed: int, console: Console) -> Counter[str]:
    """Moves entered by hand, one after the other, while the program is killed at any moment."""
    counts: Counter[str] = Counter()
    rng, game = random.Random(seed), GAMES["tag_city"]
    with tempfile.TemporaryDirectory() as folder, Progress(console=console) as bar:
        shown = bar.add_task("kills", total=kills)
        program = Program(Path(folder), "--sim", "--players", "2")
        acknowledged: list[tuple[int, dict[str, Any]]] = []
        clients = Clients(program)
        host = clients.host
        for _ in range(kills):
            clients.post({"command": "resume", "args": {}}, host)
            for _ in range(rng.randrange(2, 12)):
                table = program.site.get("/api/state")["table"]
                move = next_move(table, rng.random() < 0.5)
                if move is None:
                    clients.post({"command": "new_game", "args": {"leader": 0}}, host)
                    continue
                status, _ = clients.post({"command": "do", "args": {"event": move}}, host)
                if status == 200:
                    acknowledged.append((table["game_id"], move))
            with ThreadPoolExecutor(1) as pool:
                last = pool.submit(clients.post, {"command": "reread", "args": {}}, host)
                program.kill()
                last.result()
            counts["kills"] += 1
            with Store(Path(folder) / "allcity.db") as store:
                kept = {
                    stored.id: [record.event for record in store.records(stored.id, game.events)]
                    for stored in store.games()
                }
            counts["lost"] = sum(not _is_kept(kept.get(game_id, []), move) for game_id, move in acknowledged)
            bar.advance(shown)
            program.start()
        counts["acknowledged"] = len(acknowledged)
        program.kill()
    return counts


def _is_kept(events: list[Any], move: Mapping[str, Any]) -> bool:
    told = [
        {"type": event.type, **{name: getattr(event, name) for name in move if name != "type"}}
        for event in events
        if event.type == move["type"]
    ]
    return json.loads(json.dumps(dict(move))) in json.loads(json.dumps(told))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=50_000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="with viewers, and then for the memory card; 0: none"
    )
    args = parser.parse_args()
    console = Console(stderr=True)
    fuzzed, pulled = fuzz(args.commands, args.seed, console), pull_plugs(args.kills, args.seed, console)
    sheet = Sheet("measured", "value")
    for name in ("kills", "acknowledged", "lost"):
        sheet.add_row(name, str(pulled[name]))
    sheet.add_row("commands", str(fuzzed["commands"]))
    for status in sorted(status for status in fuzzed if status.isdecimal()):
        sheet.add_row(f"answered {status}" if status != "0" else "not answered", str(fuzzed[status]))
    for name in ("500", "deaths", "failures logged"):
        sheet.add_row(name, str(fuzzed[name]))
    Console().print(sheet)
    if args.minutes:
        for bench in (("web", "--rounds", "0"), ("card",)):
            subprocess.run(
                [sys.executable, "-m", f"tests.bench.{bench[0]}", *bench[1:], "--minutes", str(args.minutes)],
                check=False,
            )
    return 1 if pulled["lost"] or fuzzed["500"] or fuzzed["deaths"] or fuzzed["failures logged"] else 0


if __name__ == "__main__":
    sys.exit(main())
