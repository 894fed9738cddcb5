"""What a table can be told: pictures, presses and commands, all as plain values that can be recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pi_app.engine.contract import Message
from pi_app.engine.events import Record
from pi_app.perception.sight import Glance, Look


@dataclass(frozen=True)
class Glanced:
    glance: Glance


@dataclass(frozen=True)
class Looked:
    look: Look


@dataclass(frozen=True)
class CameraLost:
    """There are no pictures."""

    why: Message


@dataclass(frozen=True)
class Pressed:
    button: str
    long: bool = False


@dataclass(frozen=True)
class Command:
    """Something that was tapped: its name, and what it needs as plain JSON values."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


Input = Glanced | Looked | CameraLost | Pressed | Command


@dataclass(frozen=True)
class Step:
    """One input and what came of it. Steps tell a whole evening: the same inputs lead to the same steps."""

    input: Input
    records: tuple[Record, ...] = ()
    """What was accepted."""
    failure: Message | None = None
    """How the store failed."""
    wrong: tuple[str, ...] = ()
    """The boards that no legal move explains."""
    asked: str | None = None
    """The board that people are asked about."""
