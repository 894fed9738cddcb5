"""Whole games played by bots, many at once, and what they tell about an edition."""

import json
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, pstdev, quantiles
from typing import Any

from pi_app.engine.contract import LUCK, Setup
from pi_app.engine.events import Record
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.storage.gamefile import game_file

MOST_GAMES = 1_000_000
FIRST_SECOND = datetime(2000, 1, 1, tzinfo=UTC)
"""Simulated games have a clock of their own, so that the same seed gives the same bytes."""


@dataclass(frozen=True)
class Plan:
    """What to simulate. Game k is the same whatever the number of games and processes."""

    game: str
    edition: Mapping[str, Any]
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, Any]
    export: Path | None = None

    def seats(self, number: int) -> tuple[str, ...]:
        """The bots of game `number`: they move one seat on with every game, for fairness."""
        shift = number % len(self.bots)
        return self.bots[shift:] + self.bots[:shift]


@dataclass(frozen=True)
class Played:
    """What is kept of one game."""

    bots: tuple[str, ...]
    first: int
    rounds: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reasons: tuple[str, ...]


def play_one(plan: Plan, number: int) -> Play[Any]:
    """Game `number` of the plan, from the first lot to the last score."""
    rng, game = random.Random(f"{plan.seed}/{number}"), GAMES[plan.game]
    profile = game.edition.resolve(plan.edition, plan.options, rng)
    seats = plan.seats(number)
    setup = Setup(profile, plan.options, tuple(f"{bot} {seat + 1}" for seat, bot in enumerate(seats)))
    ticks = count()
    play = Play(game, setup, now=lambda: _stamp(next(ticks)))
    for _ in moves(play, seats, rng):
        pass
    return play


def moves(play: Play[Any], seats: Sequence[str], rng: random.Random) -> Iterator[list[Record]]:
    """Lets bots play to the end; gives the records of every move."""
    game = play.game
    while (turn := game.to_act(play.state)).must:
        for seat in (*turn.may, turn.must[0]):
            luck = seat == LUCK
            move = game.chances(play.state).draw(rng) if luck else game.bots[seats[seat]](play.state, seat, rng)
            if move is not None:
                yield play.do(move)
                break


def _stamp(tick: int) -> str:
    return (FIRST_SECOND + timedelta(seconds=tick)).strftime("%Y-%m-%dT%H:%M:%SZ")


def simulate(plan: Plan, games: int, progress: Callable[[], None] = lambda: None) -> list[Played]:
    """Plays games 0 to `games` - 1 on all cores. `progress` is called after each."""
    played = []
    if plan.export is not None:
        plan.export.mkdir(parents=True, exist_ok=True)
    processes = min(os.cpu_count() or 1, games)
    context = get_context("spawn")
    with context.Pool(processes, _start_worker, (plan,)) as pool:
        for one in pool.imap(_work, range(games), chunksize=max(1, min(16, games // (4 * processes)))):
            played.append(one)
            progress()
    return played


_plan: Plan
"""The plan of a worker process: given once, not with every game."""


def _start_worker(plan: Plan) -> None:
    global _plan  # noqa: PLW0603
    _plan = plan
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends the pool


def _work(number: int) -> Played:
    play = play_one(_plan, number)
    if _plan.export is not None:
        text = json.dumps(game_file(play), ensure_ascii=False, separators=(",", ":"))
        (_plan.export / f"game-{number + 1:05}.json").write_text(text + "\n", encoding="utf-8")
    game = play.game
    first, outcome = game.first_player(play.records[0].event), game.outcome(play.state)
    assert first is not None
    assert outcome is not None
    rounds = game.round(play.state)
    return Played(_plan.seats(number), first, rounds, outcome.scores, outcome.winners, outcome.reasons)


# --- what it tells ----------------------------------------------------------------------------


def summary(plan: Plan, played: Sequence[Played]) -> dict[str, Any]:
    """The results as JSON values. A shared win counts in parts; rates are of all games."""
    seats = len(plan.bots)
    by_seat, by_order = [0.0] * seats, [0.0] * seats
    by_bot = dict.fromkeys(plan.bots, 0.0)
    for game in played:
        for seat in game.winners:
            share = 1 / len(game.winners) / len(played)
            by_seat[seat] += share
            by_order[(seat - game.first - 1) % seats] += share
            by_bot[game.bots[seat]] += share
    rounds = [game.rounds for game in played]
    return {
        "games": len(played),
        "players": seats,
        "seed": plan.seed,
        "profile": plan.edition["name"],
        "options": dict(plan.options),
        "bots": list(plan.bots),
        "rounds": {**_spread(rounds), "histogram": dict(sorted(Counter(rounds).items()))},
        "scores": _spread([score for game in played for score in game.scores]),
        "scores_by_bot": {
            bot: _spread([s for g in played for b, s in zip(g.bots, g.scores, strict=True) if b == bot])
            for bot in sorted(set(plan.bots))
        },
        "end_reasons": {
            reason: round(sum(reason in game.reasons for game in played) / len(played), 4)
            for reason in sorted({reason for game in played for reason in game.reasons})
        },
        "ties": round(sum(len(game.winners) > 1 for game in played) / len(played), 4),
        "wins_by_seat": [round(rate, 4) for rate in by_seat],
        "wins_by_order": [round(rate, 4) for rate in by_order],
        "wins_by_bot": {bot: round(by_bot[bot], 4) for bot in sorted(set(plan.bots))},
    }


def _spread(values: Sequence[int]) -> dict[str, float]:
    tenths = quantiles(values, n=10) if len(values) > 1 else [values[0]] * 9
    return {
        "mean": round(fmean(values), 2),
        "sd": round(pstdev(values), 2),
        "min": min(values),
        "p10": round(tenths[0], 1),
        "median": round(tenths[4], 1),
        "p90": round(tenths[8], 1),
        "max": max(values),
    }
