"""What was seen at one moment, in the words that games understand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

HQ: Final = "hq"
"""The board in the middle, where dice lie."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One region of a board: empty, marked, circled, crossed or unsure."""

    region: str
    kind: str
    confidence: float


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die face up; `section` is None where it does not lie on the HQ."""

    value: int
    section: int | None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Observation:
    boards: Mapping[str, tuple[Reading, ...]]
    dice: tuple[SeenDie, ...]
