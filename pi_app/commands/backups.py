"""`allcity backup` and `allcity restore`: everything that a table cannot make again, in one file."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.commands.console import CommandError, Commands, alone, note, now, printable, steps
from pi_app.config import Config, ConfigError, config_file, config_of_another
from pi_app.files import write_whole
from pi_app.setup.backup import BackupError, Place, finish, make_backup, stage
from web.text import LANGUAGES, Text


def declare(commands: Commands) -> None:
    about = "Write games, profiles, calibration, learned pieces and configuration into one file, and check it."
    sub = commands.add("backup", backup, about, "allcity backup my-table.zip")
    sub.add_argument("file", type=Path, metavar="FILE", help="where to write it")

    about = "Put everything back from a file of 'allcity backup'. What is here now is backed up first."
    sub = commands.add("restore", restore, about, "allcity restore my-table.zip")
    sub.add_argument("file", type=Path, metavar="FILE", help="a file of 'allcity backup'")


def place_of(args: argparse.Namespace, config: Config) -> Place:
    file = config_file(args.config)
    return Place(config.store, file if file.is_file() else None)


def backup(args: argparse.Namespace, config: Config) -> None:
    """Everything in one file, also while a game is played."""
    with _told(config), steps(["collecting", "writing", "reading it again"]) as done:
        made = make_backup(place_of(args, config), args.file, now(), done)
    size = args.file.stat().st_size / 1_000_000
    print(printable(f"{args.file}: {made.games} games, {made.files} files, {size:.1f} MB; written and checked"))


def restore(args: argparse.Namespace, config: Config) -> None:
    """Everything from one file, or nothing."""
    place = place_of(args, config)
    names = ["checking", "backing up what is here", "putting everything in place"]
    with _told(config), alone(config), steps(names) as done:
        finish(place)  # of a restore that was interrupted
        found = stage(place, args.file, config.backups, now(), done)
        finish(place)
    if found.config is not None:
        restore_config(config_file(args.config), found.config)
    print(printable(f"{args.file}: {found.games} games and {found.files} files of {found.made_at} are back"))
    if found.kept is not None:
        print(printable(f"what was here before is in {found.kept}"))


def restore_config(path: Path, data: bytes) -> None:
    """Puts a backup's configuration in place; what this program or machine cannot use is told, and left out."""
    try:
        write_whole(path, config_of_another(path, data, LANGUAGES))
    except ConfigError as error:
        note(f"the configuration of the backup was left out: {error}")
    except OSError as error:
        note(f"the configuration of the backup was left out: {path} cannot be written ({error.strerror})")


@contextmanager
def _told(config: Config) -> Iterator[None]:
    try:
        yield
    except BackupError as error:
        raise CommandError(Text(config.language)(f"backup.{error.code}", error.facts)) from error
