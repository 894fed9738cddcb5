"""What may lie on a region, told as plain text that people, readers and rules share."""

from collections.abc import Iterable
from typing import Final

EMPTY: Final = "empty"
"""Nothing is there."""
OTHER: Final = "*"
"""Any kind that is not named."""

BESIDE: Final = "beside"
"""The region around a surface, on no printed place: where dice are rolled."""


def kind_of(pieces: Iterable[str]) -> str:
    """How pieces that lie together are told."""
    return " ".join(sorted(pieces)) or EMPTY


def pieces_of(kind: str) -> list[str]:
    """The pieces that a kind tells."""
    return [] if kind == EMPTY else kind.split()


def dice_kind(values: Iterable[int]) -> str:
    """How dice that lie together are told."""
    return kind_of(map(str, values))


def dice_values(kind: str) -> list[int]:
    """The dice that a kind tells, in order of their values."""
    return [int(value) for value in pieces_of(kind)]
