"""A no that people can understand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """Why something cannot be done: the key of a sentence, and its facts."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
