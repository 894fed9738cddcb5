"""`allcity games` and `allcity export`: what was played here."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pi_app.commands.console import CommandError, Commands, between, complain, now
from pi_app.config import Config
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.history.exports import write_points
from pi_app.storage.gamefile import game_file
from pi_app.storage.store import Store


def declare(commands: Commands) -> None:
    sub = commands.add("games", list_games, "List the games that were played here.", "allcity games")
    sub.add_argument("--json", action="store_true", help="print the list as JSON")

    sub = commands.add("export", export, "Write one game out.", "allcity export 3 --format csv --output game.csv")
    sub.add_argument("game", type=between(1, 2**53), metavar="GAME", help="its number in 'allcity games'")
    sub.add_argument("--format", choices=("json", "csv"), default="json", help="json: the game file; csv: score rows")
    sub.add_argument("--output", type=Path, metavar="FILE", help="write there instead of to the screen")


def list_games(args: argparse.Namespace, config: Config) -> None:
    """The games in the store, newest first."""
    with _open_store(config) as store:
        games = sorted(store.games(), key=lambda game: -game.id)
    if args.json:
        print(json.dumps(list(map(asdict, games)), indent=1))
        return
    if not games:
        print("No games yet: 'allcity run' plays one.")
        return
    table = Table("game", "started", "players", "events", "result")
    for game in games:
        if game.scores is None or game.winners is None:
            result = "unfinished"
        else:
            won = " & ".join(game.players[seat] for seat in game.winners)
            result = f"{won} ({', '.join(map(str, game.scores))})"
        started = game.started_at[:16].replace("T", " ")
        table.add_row(str(game.id), started, escape(", ".join(game.players)), str(game.events), escape(result))
    Console().print(table)


def export(args: argparse.Namespace, config: Config) -> None:
    """One game as JSON, or as rows for a spreadsheet."""
    with _open_store(config) as store:
        stored = next((game for game in store.games() if game.id == args.game), None)
        if stored is None:
            raise CommandError(f"there is no game {args.game}; 'allcity games' lists them")
        game = GAMES[stored.game]
        play = Play(game, store.setup(stored.id), now, store.records(stored.id, game.events))
    if args.output is None:
        _write_export(sys.stdout, args.format, play)
        return
    try:
        with args.output.open("w", encoding="utf-8", newline="") as file:
            _write_export(file, args.format, play)
    except OSError as error:
        raise CommandError(f"{args.output}: cannot be written ({error.strerror})") from error


def _write_export(file: TextIO, form: str, play: Play[Any]) -> None:
    if form == "json":
        data = game_file(play)
        file.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        if left_out := len(play.records) - len(data["events"]):
            complain(f"the last {left_out} events are left out: nobody could check them without what players hide")
        return
    write_points(file, play)


def _open_store(config: Config) -> Store:
    if not config.store.exists():
        raise CommandError(f"there are no games yet at {config.store}; 'allcity run' plays one")
    return Store(config.store)
