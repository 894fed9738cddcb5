"""What all commands share: refusing in one line, showing progress, declaring arguments."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pi_app.config import Config
from pi_app.engine.contract import BadData, Game, Problem
from pi_app.files import InUse, held
from pi_app.games import GAMES
from pi_app.games.profile_files import load_profile
from web.text import Text

Action = Callable[[argparse.Namespace, Config], int | None]
"""What a command does; gives its exit code if that is not 0."""


class CommandError(Exception):
    """Bad input, told in one line."""


class StartAnew(Exception):
    """The program is to start again, with the same arguments."""


class Unfailing:
    """A stream whose reader may leave and whose disk may be full: what cannot be written is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def add_game(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--game", choices=GAMES, default=next(iter(GAMES)), help="which game (default %(default)s)")


def add_players(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--players", type=int, default=4, metavar="K", help="how many play (default 4)")


def chosen_game(args: argparse.Namespace) -> Game[Any]:
    """The game, if so many may play it. Raises CommandError."""
    game = GAMES[args.game]
    if args.players not in game.players:
        raise CommandError(f"--players: {game.title} is for players from {game.players[0]} to {game.players[-1]}")
    return game


def add_profile(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--profile", type=Path, metavar="P", help="a profile file (default: house edition)")
    sub.add_argument("--side", choices=("A", "B"), default="A", help="side of the boards")


def chosen_profile(args: argparse.Namespace, game: Game[Any]) -> dict[str, Any]:
    """Raises BadData."""
    return load_profile(game.edition, args.profile or game.edition.supplied["house"])


class Parser(argparse.ArgumentParser):
    """Complains in one line, as every command does."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(2)


class Commands:
    """The commands of a parser, or those under a common first word."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._under: Any = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(self, name: str, action: Action, about: str, example: str) -> argparse.ArgumentParser:
        """Declares a command; gives its parser for more arguments."""
        sub: argparse.ArgumentParser = self._under.add_parser(
            name, help=about, description=about, epilog=f"Example: {example}", allow_abbrev=False
        )
        sub.set_defaults(action=action)
        sub.add_argument("--config", type=Path, metavar="FILE", help="the configuration file to use")
        return sub

    def group(self, name: str, about: str) -> "Commands":
        """Commands of two words, the first of which is `name`."""
        return Commands(self._under.add_parser(name, help=about))


def between(least: int, most: int) -> Any:
    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}")
        return value

    return number


@contextmanager
def progress(what: str, total: int) -> Iterator[Any]:
    """A bar on stderr where somebody looks at it; gives the function to call after each step."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal or total == 1) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def steps(names: Sequence[str]) -> Iterator[Callable[[], None]]:
    """Which step is being done, on stderr: one line that changes where somebody looks at it, else a line for each.

    Gives the function to call after each step.
    """
    console, told = Console(stderr=True), [f"{n} of {len(names)}: {name}" for n, name in enumerate(names, 1)]
    with ExitStack() as stack:
        if console.is_terminal:
            show: Callable[[str], object] = stack.enter_context(console.status(told[0])).update
        else:
            show = partial(print, file=sys.stderr, flush=True)
            show(told[0])
        following = iter(told[1:])

        def done() -> None:
            if (line := next(following, None)) is not None:
                show(line)

        yield done


@contextmanager
def alone(config: Config) -> Iterator[None]:
    """Two tables must not write into one file of games."""
    try:
        with held(config.store.with_name(f"{config.store.name}.lock"), f"process {os.getpid()}, since {now()}"):
            yield
    except InUse as error:
        told = {"file": str(config.store), "holder": error.holder or "?"}
        raise CommandError(Text(config.language)("show.in_use", told)) from error


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sentence(language: str, problem: Problem) -> str:
    """In the words of the game that has them: a file that cannot be used need not tell which game it is of."""
    key = problem.code if problem.code.startswith("rule.") else f"problem.{problem.code}"
    for game in GAMES.values():
        with suppress(KeyError):
            return f"{problem.where}: {Text(language, (), game.folder)(key, problem.facts)}"
    raise KeyError(key)


def one_line(language: str, error: BadData) -> str:
    first, *others = [sentence(language, problem) for problem in error.problems]
    return first + (f" (and {len(others)} more problems)" if others else "")


def printable(line: str) -> str:
    """Data from files must not steer the terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


def note(line: str) -> None:
    print(printable(f"note: {line}"), file=sys.stderr)


def complain(line: str) -> None:
    print(printable(f"allcity: {line}"), file=sys.stderr)
