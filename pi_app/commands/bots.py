"""`allcity simulate`: many games between bots."""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pi_app.commands.console import (
    CommandError,
    Commands,
    add_game,
    add_players,
    add_profile,
    between,
    chosen_game,
    chosen_profile,
    progress,
)
from pi_app.config import Config
from pi_app.engine.contract import Game
from pi_app.engine.setup import complete_options, span
from pi_app.simulation.simulate import MOST_GAMES, Plan, simulate, summary


def declare(commands: Commands) -> None:
    about = "Let bots play many games and show what comes out."
    sub = commands.add("simulate", simulate_games, about, "allcity simulate --games 1000 --players 4 --seed 7")
    sub.add_argument("--games", type=between(1, MOST_GAMES), default=100, metavar="N", help="how many (default 100)")
    add_game(sub)
    add_players(sub)
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same games (default 0)")
    sub.add_argument("--bots", metavar="NAMES", help="one, or one per player with commas; an unknown one lists them")
    add_profile(sub)
    sub.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="one of the game's options; an unknown one lists them",
    )
    sub.add_argument("--json", action="store_true", help="print the results as JSON")
    sub.add_argument("--export", type=Path, metavar="DIR", help="write one game file per game into this folder")


def simulate_games(args: argparse.Namespace, config: Config) -> None:
    """Many games between bots, and a table of what came out."""
    game = chosen_game(args)
    bots = _bots(game, args.bots or next(iter(game.bots)), args.players)
    options = game.edition.on_side(args.side) | _options(game, args.option)
    edition = chosen_profile(args, game)
    game.edition.resolve(edition, options, random.Random(args.seed))  # raises BadData before any game is played
    plan = Plan(game.name, edition, bots, args.seed, options, args.export)
    with progress("games", args.games) as done:
        played = simulate(plan, args.games, done)
    result = summary(plan, played)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        _print_summary(Console(), result)


def _options(game: Game[Any], told: Sequence[str]) -> dict[str, Any]:
    options = {}
    for one in told:
        name, _, value = one.partition("=")
        if name not in game.options:
            raise CommandError(f"--option: {game.title} has no option '{name}'; it has {', '.join(game.options)}")
        allowed = {str(choice).lower(): choice for choice in game.options[name]}
        if value.lower() not in allowed:
            raise CommandError(f"--option {name}: '{value}' is none of {_said(game.options[name])}")
        options[name] = allowed[value.lower()]
    return complete_options(options, game.options)


def _said(allowed: Sequence[Any]) -> str:
    numbers = span(allowed)
    return ", ".join(map(str, allowed)) if numbers is None else f"{numbers[0]} to {numbers[-1]}"


def _bots(game: Game[Any], names: str, players: int) -> tuple[str, ...]:
    bots = names.split(",")
    unknown = [name for name in bots if name not in game.bots]
    if unknown:
        raise CommandError(f"--bots: there is no bot '{unknown[0]}'; there are {', '.join(game.bots)}")
    if len(bots) not in (1, players):
        raise CommandError(f"--bots: {len(bots)} bots for {players} players; give one, or one per player")
    return tuple(bots if len(bots) == players else bots * players)


def _print_summary(console: Console, result: dict[str, Any]) -> None:
    table = Table(title=f"{result['games']} games, {result['players']} players, seed {result['seed']}")
    for column in ("", "mean", "sd", "min", "p10", "median", "p90", "max"):
        table.add_column(column, justify="left" if not column else "right")
    spreads = {"rounds": result["rounds"], "score": result["scores"]}
    if len(result["scores_by_bot"]) > 1:
        spreads |= {f"score of {bot}": spread for bot, spread in result["scores_by_bot"].items()}
    for name, spread in spreads.items():
        table.add_row(name, *[f"{spread[key]:g}" for key in ("mean", "sd", "min", "p10", "median", "p90", "max")])
    console.print(table)
    rates = Table()
    rates.add_column("")
    rates.add_column("share of games", justify="right")
    for reason, rate in result["end_reasons"].items():
        rates.add_row(f"ended by {reason}", f"{rate:.1%}")
    rates.add_row("shared wins", f"{result['ties']:.1%}")
    for seat, rate in enumerate(result["wins_by_seat"]):
        rates.add_row(f"won by seat {seat + 1}", f"{rate:.1%}")
    for order, rate in enumerate(result["wins_by_order"]):
        last = " (who began)" if order == result["players"] - 1 else ""
        rates.add_row(f"won by number {order + 1} to act{last}", f"{rate:.1%}")
    for bot, rate in result["wins_by_bot"].items():
        rates.add_row(f"won by {bot} x{result['bots'].count(bot)}", f"{rate:.1%}")
    console.print(rates)
