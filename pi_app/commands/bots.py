"""`allcity simulate`: many games between bots."""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pi_app.commands.console import Commands, Refused, between, progress
from pi_app.config import Config
from pi_app.games.tag_city.bots import BOTS
from pi_app.games.tag_city.profile import HOUSE, OPTIONS, load_profile, resolve
from pi_app.simulate import MOST_GAMES, Plan, simulate, summary


def declare(commands: Commands) -> None:
    about = "Let bots play many games and show what comes out."
    sub = commands.add("simulate", simulate_games, about, "allcity simulate --games 1000 --players 4 --seed 7")
    sub.add_argument("--games", type=between(1, MOST_GAMES), default=100, metavar="N", help="how many (default 100)")
    sub.add_argument("--players", type=between(2, 4), default=4, metavar="K", help="2 to 4 (default 4)")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same games (default 0)")
    sub.add_argument("--bots", default="greedy", help=f"one, or one per player with commas: {', '.join(BOTS)}")
    sub.add_argument("--profile", type=Path, default=HOUSE, metavar="P", help="a profile file (default: house edition)")
    sub.add_argument("--side", choices=OPTIONS["city_side"], default="A", help="side of the city boards")
    sub.add_argument("--hq", choices=OPTIONS["hq_side"], default="A", help="side of the HQ; on B shapes are drawn")
    sub.add_argument("--no-equal-dice", action="store_true", help="keep equal dice in different sections")
    sub.add_argument("--drone-order", choices=OPTIONS["drone_order"], default="printed", help="order of the remote")
    sub.add_argument("--json", action="store_true", help="print the results as JSON")
    sub.add_argument("--export", type=Path, metavar="DIR", help="write one game file per game into this folder")


def simulate_games(args: argparse.Namespace, config: Config) -> None:
    """Many games between bots, and a table of what came out."""
    bots = _bots(args.bots, args.players)
    options = {
        "city_side": args.side,
        "hq_side": args.hq,
        "equal_dice": not args.no_equal_dice,
        "drone_order": args.drone_order,
    }
    edition = load_profile(args.profile)
    resolve(edition, args.side)
    plan = Plan(edition, bots, args.seed, options, args.export)
    with progress("games", args.games) as done:
        played = simulate(plan, args.games, done)
    result = summary(plan, played)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        _print_summary(Console(), result)


def _bots(names: str, players: int) -> tuple[str, ...]:
    bots = names.split(",")
    unknown = [name for name in bots if name not in BOTS]
    if unknown:
        raise Refused(f"--bots: there is no bot '{unknown[0]}'; there are {', '.join(BOTS)}")
    if len(bots) not in (1, players):
        raise Refused(f"--bots: {len(bots)} bots for {players} players; give one, or one per player")
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
        last = " (first leader)" if order == result["players"] - 1 else ""
        rates.add_row(f"won by number {order + 1} to act{last}", f"{rate:.1%}")
    for bot, rate in result["wins_by_bot"].items():
        rates.add_row(f"won by {bot} x{result['bots'].count(bot)}", f"{rate:.1%}")
    console.print(rates)
