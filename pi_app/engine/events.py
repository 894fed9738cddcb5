"""Events, their numbered records, and their JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, get_type_hints

from pi_app.engine.typed import Malformed, short, typed


class Event:
    """Something that happened. Subclasses are frozen dataclasses with a `type`."""

    __slots__ = ()
    type: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """Everything after event `upto` no longer counts; `upto` itself still does."""

    type: ClassVar[str] = "undone"
    upto: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The last event of a game of any kind; only undoing may follow."""

    type: ClassVar[str] = "game_ended"
    reasons: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """An accepted event: numbered from 1 without gaps, stamped in UTC (ISO 8601)."""

    seq: int
    at: str
    event: Event


def to_json(event: Event) -> dict[str, Any]:
    event_class: Any = type(event)
    values = {name: getattr(event, name) for name, _ in _hints(event_class)}
    return {"type": event.type, **{name: _plain(value) for name, value in values.items()}}


def from_json(data: Mapping[str, Any], kinds: Mapping[str, type[Event]]) -> Event:
    """Builds the event that `data` tells. Raises Malformed."""
    kind = data.get("type")
    event_class: Any = kinds.get(kind) if isinstance(kind, str) else None
    if event_class is None:
        raise Malformed(f"type {short(kind)} is unknown")
    hints = _hints(event_class)
    for name in data.keys() - {"type"} - {name for name, _ in hints}:
        raise Malformed(f"{kind} has no key {short(name)}")
    for name, _ in hints:
        if name not in data:
            raise Malformed(f"{kind} needs the key '{name}'")
    event: Event = event_class(**{name: typed(data[name], hint, name) for name, hint in hints})
    return event


@cache
def _hints(event_class: type[Any]) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(event_class)
    return tuple((f.name, hints[f.name]) for f in fields(event_class))


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
