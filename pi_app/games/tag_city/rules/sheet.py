"""The score sheet as rows: every feature scored and every penalty paid."""

from collections.abc import Iterable, Iterator
from typing import Final

from pi_app.engine.contract import ScoreRow, Setup
from pi_app.engine.events import Record
from pi_app.games.tag_city.rules.model import (
    FeatureCompleted,
    HouseDecided,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
)

CATEGORIES: Final = {"row": "rows", "col": "columns", "district": "districts", "drone": "drone", "bubble": "bubbles"}


def sheet(setup: Setup, records: Iterable[Record]) -> Iterator[ScoreRow]:
    """Features have a rank, high or low; penalties have none."""
    city, number = setup.profile["city"], 1
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


def score_breakdown(state: State, seat: int) -> dict[str, int]:
    """The points of a seat by where they come from; `total` is their sum."""
    printed, board = state.printed, state.boards[seat]
    parts = dict.fromkeys(CATEGORIES.values(), 0)
    for index, feature in enumerate(printed.features):
        part = CATEGORIES[feature.id.partition(".")[0]]
        parts[part] += feature.high * (board.high >> index & 1) + feature.low * (board.low >> index & 1)
    parts["drone"] = sum(v for n, v in enumerate(printed.drone) if board.drone >> n & 1)
    parts["bubbles"] = sum(v for n, v in enumerate(printed.bubbles) if board.bubbles >> n & 1)
    return {**parts, "total": sum(parts.values())}
