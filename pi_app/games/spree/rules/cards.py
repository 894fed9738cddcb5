"""Playing cards as numbers, and heaps of them as one number.

A card is 4 * rank + suit, the joker comes last. A heap (the discards, what nobody has seen) counts every card in four
bits of a number: to add two heaps is to add two numbers, and that no card is lost is an equation.
"""

from collections.abc import Iterable
from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "D", "C")
NAMES: Final = (*(f"{rank}{suit}" for rank in RANKS for suit in SUITS), "*")
"""As files and people write them."""
NUMBER: Final = {name: card for card, name in enumerate(NAMES)}
JOKER: Final = NUMBER["*"]
RANK: Final = (*(rank for rank in RANKS for _ in SUITS), "*")
"""Of every card."""
OF_RANK: Final = {rank: tuple(range(4 * n, 4 * n + 4)) for n, rank in enumerate(RANKS)}
ACES: Final = OF_RANK["A"]
STOPS: Final = (*ACES, JOKER)
STEPS: Final = {**dict.fromkeys(OF_RANK["2"], (2,)), **dict.fromkeys(OF_RANK["10"], (10,)), JOKER: (2, 10)}
"""What a card is good for as a step card."""

Cards = tuple[int, ...]

BITS: Final = 4
ONE: Final = tuple(1 << BITS * card for card in range(len(NAMES)))
"""Heaps of one card."""
DIGITS: Final = f"0{len(NAMES)}x"


def copies(heap: int, card: int) -> int:
    return heap >> BITS * card & 15


def heap_of(cards: Iterable[int]) -> int:
    return sum([ONE[card] for card in cards])


def counts(heap: int) -> list[int]:
    """How many there are of every card."""
    return [int(digit, 16) for digit in reversed(format(heap, DIGITS))]


def size(heap: int) -> int:
    return sum(counts(heap))


def names_of(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple([NAMES[card] for card in cards])


def points_of(court: str) -> tuple[int, ...]:
    """What every card is worth at the car: face value, fifteen for an ace, nothing for a joker; the court by option."""
    by_rank = {"A": 15, "*": 0, **{str(n): n for n in range(2, 11)}}
    by_rank |= dict.fromkeys("JQK", 10) if court == "10" else {"J": 11, "Q": 12, "K": 13}
    return tuple(by_rank[rank] for rank in RANK)
