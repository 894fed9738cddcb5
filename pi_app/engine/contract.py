"""What a game supplies, and how it says no."""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from pi_app.engine.events import Event, Record, to_json
from pi_app.engine.kinds import OTHER

LUCK: Final = -1
"""The seat that stands for dice and lots: whatever it does is observed, never chosen."""

Seen = Mapping[str, Mapping[str, str]]
"""Surface, region: the kind of what is there."""

NOT_YET: Final = "sight.not_yet"
"""What others are told of a refusal whose reason is a secret of one seat."""

State = TypeVar("State")


class ToAct(NamedTuple):
    """Whose move it is. The game waits for those who `must`; those who `may` can come in between, or let it be."""

    must: tuple[int, ...]
    """One seat, several (in any order), LUCK alone, or nobody when the game is over."""
    may: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody who has moves now."""
        return (*self.must, *self.may)


@dataclass(frozen=True)
class Message:
    """A sentence by its id, which is stable and has words in every language, and the facts that fill it.

    Facts (who, which squares, what was expected) are plain JSON values.
    """

    id: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Refused(Exception):
    """Something that cannot be done now; `message` says why. Nothing has changed."""

    def __init__(self, message_id: str, **facts: Any) -> None:
        told = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{message_id}: {told}" if told else message_id)
        self.message = Message(message_id, facts)


class IllegalMove(Refused):
    """A move that the rules refuse. `rule` is the rule's id."""

    def __init__(self, rule: str, **facts: Any) -> None:
        super().__init__(f"rule.{rule}", **facts)
        self.rule, self.facts = rule, facts


@dataclass(frozen=True)
class Problem:
    """Something wrong with data that people write; `code` and `facts` become a sentence."""

    where: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    warning: bool = False

    @property
    def message(self) -> Message:
        return Message(f"problem.{self.code}", self.facts)


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
class Surface:
    """Something printed that a camera finds by its markers."""

    id: str
    owner: int | None = None
    """The seat that it belongs to; None for one that all share."""
    pieces: bool = False
    """Pieces come and go on it. On any other there is ink, which only grows."""
    pools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Regions that count as one, by its name: on which of them a piece lies does not matter."""


@dataclass(frozen=True)
class Repair:
    """What the record would have to say if the table is right: a move more, or other moves by their record number."""

    move: Event | None = None
    corrections: Mapping[int, Event] = field(default_factory=dict)


@dataclass(frozen=True)
class ScoreRow:
    """One line of the score sheet: what brought or cost points."""

    seq: int
    at: str
    round: int
    seat: int
    kind: str
    """Its category."""
    item: str
    rank: str
    """Which of several values of the item; empty where there is one."""
    value: int


@dataclass(frozen=True)
class Outcome:
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reasons: tuple[str, ...]


class Edition(Protocol):
    """What is printed for a game, as data: profiles, which people may enter for a copy of their own.

    What has an answer here suits boards with one side of which everybody prints the same.
    """

    @property
    def supplied(self) -> Mapping[str, Path]:
        """The profiles that come with the program: "house", and templates to be filled in."""
        ...

    @property
    def side_option(self) -> str:
        """The option that chooses the side of the boards; empty where they have one."""
        return ""

    def on_side(self, side: str) -> dict[str, Any]:
        """The options that choose it."""
        return {self.side_option: side} if self.side_option else {}

    @property
    def measurable(self) -> Sequence[str]:
        """The boards of a copy that its owner photographs and measures, as its profile names them."""
        return ()

    def from_file(self, profile: dict[str, Any]) -> dict[str, Any]:
        """The JSON form of what stands in a profile file."""
        return profile

    def to_file(self, profile: Mapping[str, Any]) -> Mapping[str, Any]:
        """How a profile is written for people to read."""
        return profile

    def check(self, profile: Any) -> list[Problem]:
        """Every problem of anything that claims to be a profile."""
        ...

    def sides(self, profile: Mapping[str, Any]) -> Sequence[str]:
        """The sides that can be played with."""
        return ("A",)

    def resolve(self, profile: Mapping[str, Any], options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        """The profile of one game with these options, lots drawn. Raises BadData."""
        return dict(profile)

    def kit(self, profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Any:
        """What is printed for a resolved profile, or what its owner has and measured: a `vision.kit.Kit`."""
        ...

    def measured(self, profile: Mapping[str, Any], side: str) -> Mapping[str, Any] | None:
        """The boards as their owner measured them; None where ours are printed. Raises BadData."""
        return None

    def same_boards(self, profile: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether two resolved profiles are printed alike."""
        return profile == other


Bot = Callable[[State, int, random.Random], Event | None]
"""Chooses a move for a seat that is to act; None lets a chance to interrupt pass."""


@dataclass(frozen=True)
class Chances:
    """What luck may bring; without weights all is equally likely."""

    moves: Sequence[Event]
    weights: Sequence[int] | None = None

    def draw(self, rng: random.Random) -> Event:
        return rng.choice(self.moves) if self.weights is None else rng.choices(self.moves, self.weights)[0]


class Show(Protocol):
    """Prints a game to a terminal."""

    def event(self, event: Event, view: Mapping[str, Any]) -> None:
        """`view` is the table after the move that the event belongs to."""
        ...

    def boards(self, view: Mapping[str, Any]) -> None: ...


class Lines:
    """Prints every event as its sentence, `event.<type>`."""

    def __init__(self, console: Any, text: Any) -> None:
        self._console, self._text = console, text

    def event(self, event: Event, view: Mapping[str, Any]) -> None:
        self._console.print(self._text(f"event.{event.type}", to_json(event)), markup=False)

    def boards(self, view: Mapping[str, Any]) -> None:
        """There is nothing to draw."""


def within(trace: Seen, regions: Mapping[str, Collection[str]]) -> bool:
    """Whether a trace touches no regions but these, and some where anything may lie."""
    return all(
        kind == OTHER or region in regions.get(at, ()) for at, part in trace.items() for region, kind in part.items()
    )


class Game(Protocol[State]):
    """One board game. Every function is pure: a state is never changed, only followed by another.

    A move is stated as the event that it wants to happen. Events that only follow from moves
    (a feature scored, a round ended) are consequences and come out of `decide` alone.
    A game ends with GameEnded. What has an answer here suits games that have nothing of the kind; a game that has says
    so itself.
    """

    @property
    def name(self) -> str:
        """In files, addresses and on the command line."""
        ...

    @property
    def title(self) -> str:
        """What people call it."""
        ...

    @property
    def folder(self) -> Path:
        """Where its files lie: `screens/` has what its pages draw, its sentences in every language, and its rules."""
        ...

    @property
    def players(self) -> range:
        """How many may play."""
        ...

    @property
    def screens(self) -> bool:
        """Whether people keep things behind screens, where no camera may look."""
        return False

    @property
    def options(self) -> Mapping[str, tuple[Any, ...]]:
        """Every option with what it may be, the default first."""
        ...

    @property
    def categories(self) -> Mapping[str, str]:
        """What a score is made of: the kinds of rows of the sheet, and what their sums are called."""
        ...

    @property
    def colours(self) -> Sequence[str]:
        """The colours of the pieces by seat, as pages call them; none where people choose theirs."""
        return ()

    @property
    def edition(self) -> Edition: ...

    @property
    def bots(self) -> Mapping[str, Bot[State]]:
        """Players for simulations, the usual one first."""
        ...

    @property
    def events(self) -> Mapping[str, type[Event]]:
        """Every event of this game by its type, consequences included."""
        ...

    def start(self, setup: Setup) -> State:
        """The state before the first event. Raises BadData with all problems of the set-up."""
        ...

    def opening(self, first: int) -> Event:
        """The move that starts a game in which this seat is the first."""
        ...

    def first_player(self, event: Event) -> int | None:
        """The seat that an opening names; None for any other event."""
        ...

    def is_move(self, event: Event) -> bool: ...

    def ends_round(self, event: Event) -> bool:
        return False

    def round(self, state: State) -> int:
        """The round that is played, from 1; the last one after the end."""
        return 1

    def mover(self, state: State, move: Event) -> int | None:
        """Whose own choice a move is: a seat's, LUCK's, or None for what no rule gives to anybody to choose.

        Tells nothing about whether it is legal now.
        """
        ...

    def to_act(self, state: State) -> ToAct: ...

    def legal_moves(self, state: State, seat: int) -> Sequence[Event]:
        """Counted, indexed and searched without listing them."""
        ...

    def hand(self, state: State) -> int | None:
        """The seat whose hands do what LUCK brings when it is to act (roll, turn over); None where anybody may."""
        return None

    told_by_hand: bool = False
    """Whether that seat may also tell by taps what luck brought; else only the host may, where no camera reads it."""

    def unseen_luck(self, state: State) -> Event | None:
        """What luck brings now that no camera can see, as the record tells it then; None where there is nothing."""
        return None

    def by_button(self, state: State) -> Event | None:
        """The move of who is to act that needs nothing on the table: told by a button, or asked when others go on."""
        return None

    def implied(self, state: State, move: Event) -> bool:
        """Whether that move needs not be asked about when what lies there is wholly explained by going on after it."""
        return False

    def ahead(self, state: State, seen: Seen) -> Mapping[str, Collection[str]]:
        """By surface, regions where somebody has gone on already with what the record cannot take in yet."""
        return {}

    def chances(self, state: State) -> Chances:
        """What may happen, and how likely it is, when LUCK is to act."""
        ...

    def decide(self, state: State, move: Event) -> tuple[Event, ...]:
        """The move and its consequences. Raises IllegalMove."""
        ...

    def apply(self, state: State, event: Event) -> State:
        """Folds one decided event. Judges nothing."""
        ...

    def surfaces(self, setup: Setup) -> Sequence[Surface]:
        """All that a camera watches in such a game."""
        ...

    def expected_sight(self, state: State, surface: str) -> Mapping[str, str]:
        """What a camera should see on a surface, region by region, if the record is right.

        OTHER is expected where anything may be. A region that does not matter now may be left out; where BESIDE is
        told, what lies around the surface matters.
        """
        ...

    def act(self, region: str, kind: str) -> str:
        """What of a kind only a move can change: EMPTY for a mark that follows from a move, and may come late."""
        return kind

    def trace(self, state: State, move: Event) -> Seen:
        """What a legal move itself changes in what is expected to be seen; what follows, only where that tells it."""
        ...

    def moves_within(self, state: State, seat: int, regions: Mapping[str, Collection[str]]) -> Sequence[Event]:
        """The legal moves whose trace touches no regions but these (by surface), and some where anything may lie."""
        return [move for move in self.legal_moves(state, seat) if within(self.trace(state, move), regions)]

    def meant(self, state: State, moves: Sequence[Event]) -> Event | None:
        """Of legal moves that leave the same to be seen, the one that people mean; None if they have to be asked."""
        return moves[0]

    def attempt(self, state: State, seen: Seen) -> Event | None:
        """The move that somebody evidently meant, or the first of several; legal or not. None where none is told."""
        ...

    def unfinished(self, state: State, seat: int, done: Seen, missing: Seen) -> Message:
        """What to say while this much of a move is done and that is missing."""
        ...

    def mismatch(self, state: State, surface: str, seen: Seen) -> Message | None:
        """What is wrong with pieces on a surface that no part of a move explains; None if nothing is."""
        return None

    def adopt(self, state: State, records: Sequence[Record], surface: str, seen: Seen) -> Repair | None:
        """How people let stand what they see on a surface; None where that cannot be told."""
        return None

    def retold(self, state: State, records: Sequence[Record], move: Event) -> Repair | None:
        """Earlier moves told otherwise, and this one, so that all are legal; for games in which people see where
        something came to and not how. None where nothing helps."""
        return None

    def scores(self, state: State) -> tuple[int, ...]:
        """Everybody's points so far, as far as all may know them."""
        ...

    def sheet(self, setup: Setup, records: Iterable[Record]) -> Iterator[ScoreRow]:
        """Everything that brought or cost points in the records that count, in the order in which it happened."""
        ...

    def outcome(self, state: State) -> Outcome | None: ...

    def view(self, state: State, viewer: int | None) -> dict[str, Any]:
        """What its own drawing on a page needs, as plain JSON values, as that seat may know it (None: as all may).

        What all games have is told beside it: players, whose turn it is, round, scores, result.
        """
        ...

    def event_for(self, event: Event, viewer: int | None) -> Event:
        """The event as that seat may know it (None: as all may). Secrets are left out; that it happened is not."""
        return event

    def recalled(self, event: Event, viewer: int | None) -> Event:
        """The same once its round is over: what all saw then may be for them to remember."""
        return self.event_for(event, viewer)

    def message_for(self, message: Message, viewer: int | None) -> Message:
        """The message as that seat may know it (None: as all may)."""
        return message

    @property
    def hidden_choices(self) -> bool:
        """What a seat may do tells what it hides: the table asks that seat alone which of its moves it was."""
        return False

    def placements(self, state: State, seat: int, piece: int) -> dict[str, Any] | None:
        """What a page needs to let a seat that is to act choose among its moves with a piece; None if there is none."""
        return None

    def show(self, console: Any, text: Any) -> Show:
        """Prints to a console (rich), with sentences in one language and the names of who plays."""
        return Lines(console, text)

    def lights(self, state: State) -> Mapping[str, str]:
        """What each lamp zone should say: zone to role, colours are chosen elsewhere."""
        turn, outcome = self.to_act(state).must, self.outcome(state)
        seats = range(len(self.scores(state)))
        zones = {f"seat.{seat}": "turn" if seat in turn else "calm" for seat in seats}
        if outcome is not None:
            zones |= {f"seat.{seat}": "winner" for seat in outcome.winners}
        return {**zones, "status": "play" if outcome is None else "over"}
