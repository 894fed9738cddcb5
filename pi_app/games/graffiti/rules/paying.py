"""What a part asks for, and every way to pay it: a small matching problem, solved exactly.

Every colour asked is covered once. A tile of paint covers a colour that it shows; a tile of two colours covers one of
them or both. A joker covers any one colour. With the policeman's help one tile covers a colour that it need not show.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from operator import add, ge, sub
from typing import Final, NamedTuple

COLOURS: Final = "RYBGK"
"""Red, yellow, blue, green, black."""
KINDS: Final = ("R", "Y", "B", "G", "K", "RY", "RB", "YB")
"""Kinds of paint tiles: the colours that they show."""
NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}

Hand = tuple[int, ...]
"""How many tiles of each kind, in the order of KINDS."""
NOTHING: Final[Hand] = (0,) * len(KINDS)


class Payment(NamedTuple):
    """Tiles laid down, jokers used, and whether the policeman lets one tile stand for another colour."""

    paints: tuple[str, ...]
    jokers: int
    police: bool


def hand_of(kinds: Iterable[str]) -> Hand:
    """Raises KeyError for a kind that there is not."""
    counts = [0] * len(KINDS)
    for kind in kinds:
        counts[NUMBER[kind]] += 1
    return tuple(counts)


def kinds_of(hand: Hand) -> tuple[str, ...]:
    return tuple(kind for kind, count in zip(KINDS, hand, strict=True) for _ in range(count))


def contains(hand: Hand, part: Hand) -> bool:
    return all(map(ge, hand, part))


def plus(hand: Hand, more: Hand) -> Hand:
    return tuple(map(add, hand, more))


def minus(hand: Hand, part: Hand) -> Hand:
    return tuple(map(sub, hand, part))


@cache
def covers(cost: str, paints: tuple[str, ...], jokers: int = 0) -> bool:
    """Whether these pay the cost, every tile and joker covering something, nothing covered twice."""
    if len(paints) + jokers > len(cost):
        return False
    if not paints:
        return jokers == len(cost)
    tile, rest = paints[0], paints[1:]
    ways = [colour for colour in tile if colour in cost]
    if len(ways) == 2 and covers(cost.replace(tile[0], "", 1).replace(tile[1], "", 1), rest, jokers):
        return True
    return any(covers(cost.replace(colour, "", 1), rest, jokers) for colour in ways)


@cache
def covers_with_police(cost: str, paints: tuple[str, ...], jokers: int = 0) -> bool:
    """The same, when exactly one tile covers one colour that it need not show."""
    return any(
        covers(cost, (*paints[:number], *paints[number + 1 :]), jokers + 1)
        for number in range(len(paints))
        if paints[number] not in paints[:number]
    )


def missing(cost: str, paints: tuple[str, ...], jokers: int) -> str:
    """The colours that are still to be paid, as few as possible; empty also when too much lies there."""
    fewest = cost
    for choice in product(*(_ways(tile) for tile in paints)):
        left = cost
        for colour in "".join(choice):
            left = left.replace(colour, "", 1)
        fewest = min(fewest, left, key=len)
    return fewest[: max(0, len(fewest) - jokers)]


def _ways(tile: str) -> tuple[str, ...]:
    return (tile,) if len(tile) == 1 else (tile, tile[0], tile[1])


def payments(cost: str, hand: int, jokers: int, police: bool) -> list[Payment]:
    """Every way to pay a cost from a packed hand, with at most so many jokers; the policeman helps where he must."""
    guarded = hand + _GUARD
    every = _every_payment(cost, min(jokers, len(cost)), police)
    return [payment for needed, payment in every if (guarded - needed) & _GUARD == _GUARD]


_BITS: Final = 5
_MOST: Final = 2 ** (_BITS - 1) - 1
_GUARD: Final = sum(1 << (_BITS * number + _BITS - 1) for number in range(len(KINDS)))
"""A bit above the count of every kind: it stays when no more is taken than there is."""


@lru_cache(maxsize=10_000)
def packed(hand: Hand) -> int:
    """The counts of a hand in one number, so that two hands are compared in one step. No cost needs more."""
    return sum(min(count, _MOST) << (_BITS * number) for number, count in enumerate(hand))


@lru_cache(maxsize=10_000)
def colours_of(hand: Hand) -> int:
    """How many colours a hand pays at most."""
    return sum(count * len(kind) for kind, count in zip(KINDS, hand, strict=True))


@cache
def _every_payment(cost: str, jokers: int, police: bool) -> tuple[tuple[int, Payment], ...]:
    """Every way to pay a cost, with the tiles that it takes."""
    found = []
    for paints in _choices(cost, police):
        for used in range(min(jokers, len(cost) - len(paints)) + 1):
            if covers(cost, paints, used):
                found.append((packed(hand_of(paints)), Payment(paints, used, police=False)))
            elif police and covers_with_police(cost, paints, used):
                found.append((packed(hand_of(paints)), Payment(paints, used, police=True)))
    return tuple(found)


def _choices(cost: str, police: bool) -> Iterator[tuple[str, ...]]:
    """Tiles that may serve together, no more of them than colours are asked."""
    most = [min(len(cost), sum(cost.count(colour) for colour in kind) + police) for kind in KINDS]
    for size in range(len(cost) + 1):
        for paints in combinations_with_replacement(KINDS, size):
            if all(paints.count(kind) <= most[NUMBER[kind]] for kind in paints):
                yield paints
