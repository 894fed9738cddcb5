"""Games as rows for a spreadsheet."""

import csv
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TextIO

from pi_app.engine.contract import ScoreRow
from pi_app.engine.log import Play
from pi_app.history.story import Digest, places
from pi_app.storage.store import StoredGame

GAME_COLUMNS = ("game", "started_at", "last_at", "minutes", "rounds", "profile", "finished", "seat", "player")


def write_points(file: TextIO, play: Play[Any]) -> None:
    """One game: a row for everything that brought or cost points."""
    writer = csv.writer(file)
    columns = [field.name for field in fields(ScoreRow)]
    writer.writerow(["player", *columns])
    for row in play.game.sheet(play.setup, play.known_to(None, play.in_force)):
        writer.writerow([cell(play.setup.players[row.seat]), *[getattr(row, column) for column in columns]])


def write_games(file: TextIO, games: Iterable[tuple[StoredGame, Digest]]) -> None:
    """Many games: a row for every seat."""
    writer = csv.writer(file)
    told = list(games)
    names = list(dict.fromkeys(name for _, digest in told for name in digest.categories.values()))
    writer.writerow([*GAME_COLUMNS, "score", "place", "won", *names])
    for game, digest in told:
        made = places(game)
        facts = (game.id, game.started_at, game.last_at, digest.minutes, digest.rounds, cell(game.profile))
        for seat, player in enumerate(game.players):
            parts = digest.parts(seat)
            writer.writerow(
                [*facts, _said(game.finished), seat, cell(player), sum(parts.values())]
                + ([made[seat], _said(made[seat] == 1)] if made else ["", ""])
                + [parts.get(name, "") for name in names]
            )


def _said(truth: bool) -> str:
    return "yes" if truth else "no"


def cell(name: str) -> str:
    """A name that a spreadsheet takes for text, never for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t") else name
