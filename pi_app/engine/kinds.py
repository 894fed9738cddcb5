"""What may lie on a region, told as plain text that people, readers and rules share."""

from collections.abc import Iterable
from typing import Final

EMPTY: Final = "empty"
"""Nothing is there."""
OTHER: Final = "*"
"""Any kind that is not named."""

BESIDE: Final = "beside"
"""The region around a surface, on no printed place: where dice are rolled."""


def dice_kind(values: Iterable[int]) -> str:
    """How dice that lie together are told."""
    return " ".join(map(str, sorted(values))) or EMPTY


def dice_values(kind: str) -> list[int]:
    """The dice that a kind tells, in order of their values."""
    return [] if kind == EMPTY else [int(value) for value in kind.split()]
