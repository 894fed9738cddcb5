"""`allcity support`: one file that tells somebody who can help how everything is."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pi_app.commands.checkup import look
from pi_app.commands.console import Commands, add_game, between, now, printable, steps
from pi_app.config import Config, shareable
from pi_app.recording.hidden import game_with_secrets
from pi_app.recording.ring import mismatches
from pi_app.run.logs import log_files
from pi_app.setup.support import Evidence, make_support
from pi_app.storage.store import StoreError
from web.text import Text

ANY = -1
"""Some game, nobody knows which: the file of games cannot be read."""


def declare(commands: Commands) -> None:
    about = "Make one file to send to somebody who can help: the doctor's findings, logs, configuration, recordings."
    sub = commands.add("support", support, about, "allcity support help-me.zip")
    sub.add_argument("file", type=Path, metavar="FILE", help="where to write it")
    which = sub.add_mutually_exclusive_group()
    which.add_argument("--pictures", action="store_true", help="with the last recordings of what did not fit")
    which.add_argument("--no-pictures", action="store_true", help="without; asks if neither is said")
    sub.add_argument("--port", type=between(1, 65_535), metavar="N", help="where the running table's dashboard is")
    add_game(sub)


def support(args: argparse.Namespace, config: Config) -> None:
    """Writes the file and says what is in it."""
    text = Text(config.language)
    is_something_to_show = _hidden_game(config) is None and mismatches(config.recordings)
    with_pictures = bool(is_something_to_show) and _wants_pictures(args, text)
    with steps(["looking at everything", "writing"]) as done:
        findings = look(args, config)
        done()
        names = make_support(args.file, evidence(config, findings), with_pictures, now(), text)
    size = args.file.stat().st_size / 1_000_000
    print(printable(f"{args.file}: {size:.1f} MB; open index.html in it to see what it tells: {', '.join(names)}"))


def evidence(config: Config, findings: Sequence[Mapping[str, Any]]) -> Evidence:
    return Evidence(findings, shareable(config), log_files(config.store), config.recordings, _hidden_game(config))


def _hidden_game(config: Config) -> int | None:
    """A running game that hides something; with games that cannot be read, better say yes."""
    try:
        return game_with_secrets(config.store)
    except StoreError:
        return ANY


def _wants_pictures(args: argparse.Namespace, text: Text) -> bool:
    if args.pictures or args.no_pictures or not sys.stdin.isatty():
        return bool(args.pictures)
    return input(f"{text('support.ask_pictures')} [y/N] ").strip().lower() in ("y", "yes", "o", "oui", "s", "si", "sí")
