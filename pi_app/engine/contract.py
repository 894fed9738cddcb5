"""What a game supplies, and how it says no."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from pi_app.engine.events import Event, Record
from pi_app.engine.observation import Observation

LUCK: Final = -1
"""The seat that stands for dice and lots: whatever it does is observed, never chosen."""

State = TypeVar("State")


class IllegalMove(Exception):
    """A move that the rules refuse. Nothing has changed.

    `rule` is a stable id with a sentence in every language; `facts` fill that sentence
    (who, which squares, what was expected) and are plain JSON values.
    """

    def __init__(self, rule: str, **facts: Any) -> None:
        told = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{rule}: {told}" if told else rule)
        self.rule = rule
        self.facts = facts


@dataclass(frozen=True)
class Problem:
    """Something wrong with data that people write; `code` and `facts` become a sentence."""

    where: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    warning: bool = False


class BadData(ValueError):
    """A profile, a set-up or a game file that cannot be used; holds every problem found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{p.where}: {p.code} {dict(p.facts)}" for p in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Setup:
    """All that is fixed before the first event: printed facts, options, who sits where."""

    profile: Mapping[str, Any]
    options: Mapping[str, Any]
    players: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reasons: tuple[str, ...]


class Game(Protocol[State]):
    """One board game. Every function is pure: a state is never changed, only followed by another.

    A move is stated as the event that it wants to happen. Events that only follow from moves
    (a feature scored, a round ended) are consequences and come out of `decide` alone.
    """

    @property
    def name(self) -> str: ...

    @property
    def events(self) -> Mapping[str, type[Event]]:
        """Every event of this game by its type, consequences included."""
        ...

    def start(self, setup: Setup) -> State:
        """The state before the first event. Raises BadData with all problems of the set-up."""
        ...

    def is_move(self, event: Event) -> bool: ...

    def mover(self, state: State, move: Event) -> int | None:
        """Whose own choice a move is: a seat's, LUCK's, or None for what no rule gives to anybody to choose.

        Tells nothing about whether it is legal now.
        """
        ...

    def to_act(self, state: State) -> tuple[int, ...]:
        """One seat, several (in any order), LUCK alone, or nobody when the game is over."""
        ...

    def legal_moves(self, state: State, seat: int) -> Sequence[Event]:
        """Counted, indexed and searched without listing them; LUCK's are equally likely."""
        ...

    def decide(self, state: State, move: Event) -> tuple[Event, ...]:
        """The move and its consequences. Raises IllegalMove."""
        ...

    def apply(self, state: State, event: Event) -> State:
        """Folds one decided event. Judges nothing."""
        ...

    def expected_sight(self, state: State, board: str) -> Mapping[str, str]:
        """What a camera should see on a board, region by region, if the record is right."""
        ...

    def board(self, seat: int) -> str:
        """The board that a seat draws on, as cameras call it."""
        ...

    def is_act(self, region: str, kind: str) -> bool:
        """Whether such a mark is drawn as a move; others are drawn because of one, and may come late."""
        ...

    def trace(self, state: State, move: Event) -> Mapping[str, Mapping[str, str]]:
        """What a legal move itself changes in what is expected to be seen, board by board; not what follows from it."""
        ...

    def moves_within(self, state: State, seat: int, regions: Mapping[str, Collection[str]]) -> Sequence[Event]:
        """The legal moves whose trace touches no regions but these (by board)."""
        ...

    def attempt(self, state: State, observation: Observation) -> Event | None:
        """The move that somebody evidently meant, legal or not, or None."""
        ...

    def adopt(self, state: State, observation: Observation) -> Event | None:
        """The move by which people let stand what was drawn, against the rules; None where that cannot be told."""
        ...

    def dice_as_seen(self, state: State, records: Sequence[Record], observation: Observation) -> Mapping[int, Event]:
        """What recorded moves (by number) must have been if the dice are right as they lie; empty if unclear."""
        ...

    def outcome(self, state: State) -> Outcome | None: ...

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """Everything a screen shows to that seat (None: a spectator), as plain JSON values."""
        ...

    def lights(self, state: State) -> Mapping[str, str]:
        """What each lamp zone should say: zone to role, colours are chosen elsewhere."""
        ...
