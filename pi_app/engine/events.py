"""Events, their numbered records, and their JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

# Far beyond any game, so that no number from a file can make a mask of gigabytes.
LARGEST_NUMBER = 1_000_000
LONGEST_TEXT = 200
LONGEST_LIST = 1_000


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
class Record:
    """An accepted event: numbered from 1 without gaps, stamped in UTC (ISO 8601)."""

    seq: int
    at: str
    event: Event


class MalformedEvent(ValueError):
    """JSON that is not an event of this game; says which key is wrong."""


def to_json(event: Event) -> dict[str, Any]:
    event_class: Any = type(event)
    values = {name: getattr(event, name) for name, _ in _hints(event_class)}
    return {"type": event.type, **{name: _plain(value) for name, value in values.items()}}


def from_json(data: Mapping[str, Any], kinds: Mapping[str, type[Event]]) -> Event:
    """Builds the event that `data` tells. Raises MalformedEvent."""
    kind = data.get("type")
    event_class: Any = kinds.get(kind) if isinstance(kind, str) else None
    if event_class is None:
        raise MalformedEvent(f"type {_short(kind)} is unknown")
    hints = _hints(event_class)
    for name in data.keys() - {"type"} - {name for name, _ in hints}:
        raise MalformedEvent(f"{kind} has no key {_short(name)}")
    for name, _ in hints:
        if name not in data:
            raise MalformedEvent(f"{kind} needs the key '{name}'")
    event: Event = event_class(**{name: _typed(data[name], hint, name) for name, hint in hints})
    return event


@cache
def _hints(event_class: type[Any]) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(event_class)
    return tuple((f.name, hints[f.name]) for f in fields(event_class))


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _typed(value: Any, hint: Any, name: str) -> Any:
    """`value` as the type that the event's field asks for; tuples arrive as JSON lists."""
    if get_origin(hint) is UnionType:
        kinds = get_args(hint)
        if value is None and NoneType in kinds:
            return None
        return _typed(value, next(kind for kind in kinds if kind is not NoneType), name)
    if get_origin(hint) is tuple:
        return _tuple(value, get_args(hint), name)
    if hint is int and type(value) is int and abs(value) <= LARGEST_NUMBER:
        return value
    if hint is str and isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return value
    raise MalformedEvent(f"'{name}' cannot be {_short(value)}")


def _tuple(value: Any, items: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or len(value) > LONGEST_LIST:
        raise MalformedEvent(f"'{name}' cannot be {_short(value)}")
    if items[-1] is ...:
        return tuple(_typed(item, items[0], name) for item in value)
    if len(value) != len(items):
        raise MalformedEvent(f"'{name}' cannot be {_short(value)}")
    return tuple(_typed(item, hint, name) for item, hint in zip(value, items, strict=True))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
