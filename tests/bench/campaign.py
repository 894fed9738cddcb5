"""Many evenings at the simulated table, in good light and bad, with clumsy players and pulled plugs.

    .venv/bin/python -m tests.bench.campaign --evenings 100
    .venv/bin/python -m tests.bench.campaign --evenings 14 --moves 30      # a quick look
    .venv/bin/python -m tests.bench.campaign --game graffiti --evenings 60 --moves 25 --begun 120

Every evening is seeded; conditions take turns. With `--keep FILE` every finished evening is kept there, and one that
is there is not played again, so that a campaign that was stopped goes on. With `--begun N` evenings continue games that
were begun before, after any number of moves up to N, so that short ones tell of late rounds, too. The table that it
prints tells how many moves were accepted from sight alone, asked about, refused although right, or wrong in the record
in the end (aim: none).
"""

import argparse
import json
import random
import signal
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.progress import Progress

from pi_app.games import DEFAULT, GAMES
from pi_app.simulation.habits import Habits
from tests.e2e.far import FarNight
from tests.e2e.night import CAMERA, QUICK, Night

CABLE_EVERY, BUMP_EVERY = 30, 30  # pictures, on average, where cables are pulled and things are bumped
# The same for plugs. A question about pieces is asked after nine pictures: a table that lives shorter would never ask.
KILL_EVERY = {"tag_city": 5, "graffiti": 15, "spree": 15}
FIRST_LOOK = 4  # pictures
CABLE_OUT = 2, 8  # pictures, from and to, until somebody puts the camera's cable back


@dataclass(frozen=True)
class Condition:
    name: str
    habits: Habits = QUICK
    lamp: float = 1.0
    daylight: float = 1.0
    kills: bool = False
    bumps: bool = False
    hard: bool = False


CLUMSY = replace(QUICK, slip=0.1, forget=0.2, lamp=0.1, lean=0.2)
ALL_OF_IT = replace(CLUMSY, care=0.5, lamp=0.0, clutter=0.4)
CONDITIONS = (
    Condition("good light"),
    Condition("clumsy players, lamps switched", CLUMSY),
    Condition("things lying about", replace(QUICK, clutter=0.5)),
    Condition("camera and boards bumped", bumps=True),
    Condition("plugs pulled, and the camera's cable", kills=True),
    Condition("dim", lamp=0.35, daylight=0.3, hard=True),
    Condition("lamp alone", lamp=1.0, daylight=0.0, hard=True),
    Condition("pens in a hurry", replace(QUICK, care=0.3), hard=True),
    Condition("dim, pens in a hurry", replace(QUICK, care=0.3), lamp=0.35, daylight=0.3, hard=True),
    Condition("all of it", ALL_OF_IT, lamp=0.5, daylight=0.3, bumps=True, hard=True),
)


# Who plays: long games with full cities, and shorter ones with many drones and bubbles; planners, and anything legal.
BOTS = {
    "tag_city": (("greedy",), ("greedy", "drone"), ("drone", "greedy", "social"), ("greedy", "social")),
    "graffiti": (("planner",), ("planner", "random"), ("greedy", "planner")),
    "spree": (("planner",), ("planner", "greedy"), ("greedy",)),
}
# With other rules every second time.
OPTIONS: Mapping[str, Mapping[str, Any]] = {"spree": {"power_shots": True, "splash": True, "driving": True}}
# Codes on pieces need a finer picture than ink.
FINE = replace(CAMERA, width_px=2304, height_px=1296)
CAMERAS = {"tag_city": CAMERA, "graffiti": FINE, "spree": FINE}


@dataclass
class Count:
    evenings: int = 0
    moves: int = 0
    asked: int = 0
    refused: int = 0
    again: int = 0
    by_hand: int = 0
    wrong: int = 0
    slips: int = 0
    caught: int = 0
    kills: int = 0
    notes: tuple[str, ...] = ()

    def add(self, other: "Count") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def _kept(path: Path | None) -> dict[int, Count]:
    """The evenings that were played before, by number."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("evening"): Count(**{**line, "notes": tuple(line["notes"])}) for line in lines}


def _keep(path: Path | None, number: int, count: Count) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"evening": number, **vars(count)}) + "\n")


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends the pool
    cv2.setNumThreads(1)  # evenings share the cores already


def one_evening(task: tuple[str, int, int, int]) -> tuple[int, Count]:
    """Evening `number` of a game, up to so many moves; gives its number and what came out."""
    game, number, moves, most_begun = task
    condition, rng = CONDITIONS[number % len(CONDITIONS)], random.Random(number)
    with tempfile.TemporaryDirectory() as folder:
        turn = number // len(CONDITIONS)
        kind = FarNight if condition.kills else Night
        bots = BOTS[game][turn % len(BOTS[game])]
        begun = rng.randint(0, most_begun)
        players = GAMES[game].players[turn % len(GAMES[game].players)]
        options = OPTIONS.get(game, {}) if turn % 2 else {}
        at = kind(Path(folder), players, number, condition.habits, CAMERAS[game], bots, game, begun, options)
        at.sim.set_lamp(condition.lamp)
        at.sim.set_daylight(condition.daylight)
        at.turn(FIRST_LOOK)  # people begin when the table has seen what lies there
        _play(at, condition, rng, moves)
        tally = at.bots.tally
        kills = at.far.kills if isinstance(at, FarNight) else 0
        recorded = sum(at.table.game.is_move(record.event) for record in at.stored())
    # What the record tells otherwise, and what it tells too much or has lost.
    wrong = tally.wrong + abs(recorded - at.begun - tally.moves)
    notes = [f"evening {number}: {note}" for note in tally.notes]
    return number, Count(
        evenings=1,
        moves=tally.moves,
        asked=tally.asked,
        refused=tally.mismatches,
        again=tally.again,
        by_hand=tally.by_hand,
        wrong=wrong,
        slips=tally.slips,
        caught=tally.caught,
        kills=kills,
        notes=tuple(notes),
    )


def _play(at: Night, condition: Condition, rng: random.Random, moves: int) -> None:
    """Lets plugs be pulled and things be bumped between pictures."""
    cable_out = 0
    while at.bots.busy or (at.bots.tally.moves < moves and not at.over):
        at.bots.step()
        if isinstance(at, FarNight) and at.pictures > 5 and rng.random() < 1 / KILL_EVERY[at.game]:
            at.far.pull_plug(rng)
        if condition.kills:
            cable_out -= 1
            if rng.random() < 1 / CABLE_EVERY:
                cable_out = rng.randint(*CABLE_OUT)
            (at.sim.unplug if cable_out > 0 else at.sim.plug)("camera")
        if condition.bumps and rng.random() < 1 / BUMP_EVERY:
            at.sim.bump_camera(rng.uniform(-6, 6), rng.uniform(-6, 6), rng.uniform(-0.5, 0.5))
        if condition.bumps and rng.random() < 1 / BUMP_EVERY:
            board = rng.choice(at.sim.state.boards).id
            at.sim.move_board(board, rng.uniform(-8, 8), rng.uniform(-8, 8), rng.uniform(-3, 3))
        at.turn()


COLUMNS = ("condition", "evenings", "moves", "accepted", "asked", "refused though right", "done again", "by hand")


def table(counts: list[Count]) -> str:
    """The result as it stands in the docs."""
    lines = [[*COLUMNS, "wrong", "slips caught"], ["---"] * (len(COLUMNS) + 2)]
    for condition, count in zip(CONDITIONS, counts, strict=True):
        if not count.evenings:
            continue
        name = condition.name + (f" ({count.kills} times)" if count.kills else "")
        shares = [count.moves - count.asked - count.again, count.asked, count.refused]
        numbers = [count.again, count.by_hand, count.wrong, f"{count.caught} of {count.slips}"]
        lines.append(
            [name, str(count.evenings), str(count.moves), *[f"{share / count.moves:.1%}" for share in shares]]
            + [str(number) for number in numbers]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(BOTS), default=DEFAULT)
    parser.add_argument("--evenings", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first evening, which is its seed")
    parser.add_argument("--moves", type=int, default=10_000, help="stop every evening after so many turns")
    parser.add_argument("--begun", type=int, default=0, help="games may have been begun before, up to so many moves")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep every finished evening in this file, and go on from there")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also when started in the background
    counts = [Count() for _ in CONDITIONS]
    console = Console(stderr=True)
    done = _kept(args.keep)
    for number, count in done.items():
        counts[number % len(CONDITIONS)].add(count)
    numbers = range(args.first, args.first + args.evenings)
    tasks = [(args.game, number, args.moves, args.begun) for number in numbers if number not in done]
    # Not a multiprocessing.Pool, whose workers may have no processes of their own: plugs are pulled from one.
    pool = ProcessPoolExecutor(args.processes, get_context("spawn"), _start_worker)
    with Progress(console=console) as bar:
        shown = bar.add_task("evenings", total=len(tasks))
        try:
            for played in as_completed([pool.submit(one_evening, task) for task in tasks]):
                number, count = played.result()
                which = number % len(CONDITIONS)
                counts[which].add(count)
                _keep(args.keep, number, count)
                bar.advance(shown)
                for note in count.notes:
                    bar.console.print(f"{CONDITIONS[which].name}: {note}", markup=False)
        except KeyboardInterrupt:
            print("stopped early", file=sys.stderr)  # what is known so far is worth seeing
            for worker in active_children():
                worker.terminate()  # evenings take minutes
    pool.shutdown(cancel_futures=True)
    print(table(counts))
    return 1 if any(count.wrong for count in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
