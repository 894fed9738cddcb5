"""The score sheet as rows: every part painted, every tile for points, what was left and what tags are worth."""

from collections.abc import Iterable, Iterator
from typing import Final

from pi_app.engine.contract import ScoreRow, Setup
from pi_app.engine.events import Record
from pi_app.games.graffiti.rules.model import HouseDecided, PartPainted, PointsScored, RoundEnded

CATEGORIES: Final = {"part": "parts", "bonus": "bonuses", "tiles": "tiles", "tags": "tags"}


def sheet(setup: Setup, records: Iterable[Record]) -> Iterator[ScoreRow]:
    """A part that people let stand is told as such: several may score with one decision."""
    number, ended, part = 1, False, ""
    for record in records:
        event = record.event
        if isinstance(event, RoundEnded):
            number, ended = event.round, True
        elif isinstance(event, PartPainted):
            part = f"part.{event.part}"
        elif isinstance(event, HouseDecided):
            part = "house"
        if isinstance(event, PointsScored):
            item = part if event.reason == "part" else event.reason
            now = number + (ended and event.reason in ("part", "bonus"))
            yield ScoreRow(record.seq, record.at, now, event.player, event.reason, item, "", event.points)
