"""The score sheet as rows: every feature scored and every penalty paid."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pi_app.engine.events import Record
from pi_app.games.tag_city.model import FeatureCompleted, HouseDecided, RoundEnded, ShapePainted, SocialChecked


@dataclass(frozen=True)
class ScoreRow:
    seq: int
    at: str
    round: int
    seat: int
    kind: str
    """row, col, district, drone or bubble."""
    item: str
    rank: str
    """high or low; empty for penalties."""
    value: int


def score_rows(profile: Mapping[str, Any], records: Iterable[Record]) -> Iterator[ScoreRow]:
    """The rows of the records that are in force, in the order in which they happened."""
    city, number = profile["city"], 1
    for record in records:
        event = record.event
        if isinstance(event, RoundEnded):
            number = event.round + 1
        elif isinstance(event, FeatureCompleted):
            kind = event.feature.partition(".")[0]
            yield ScoreRow(record.seq, record.at, number, event.player, kind, event.feature, event.rank, event.value)
        if isinstance(event, ShapePainted | HouseDecided) and event.drone is not None:
            value = city["drone"][event.drone - 1]
            yield ScoreRow(record.seq, record.at, number, event.player, "drone", f"drone.{event.drone}", "", value)
        if isinstance(event, SocialChecked | HouseDecided) and event.bubble is not None:
            value = city["bubbles"][event.bubble - 1]
            yield ScoreRow(record.seq, record.at, number, event.player, "bubble", f"bubble.{event.bubble}", "", value)
