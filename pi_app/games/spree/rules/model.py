"""Spree!'s words: events, what is printed, and the state of a table."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.engine.setup import Options
from pi_app.games.spree.rules.cards import JOKER, OF_RANK, ONE, Cards, points_of
from pi_app.games.spree.rules.mall import NOWHERE, Mall, mall_of

Phase: TypeAlias = Literal["start", "deal", "park", "turn", "fill", "over"]

PLAYERS: Final = range(3, 9)
USUAL_TARGETS: Final = (120, 200, 150, 100, 85, 75)
MOST_TARGET, MOST_JOKERS = 1000, 12
OPTIONS: Final[Options] = {
    "target": (None, *USUAL_TARGETS, *(t for t in range(1, MOST_TARGET + 1) if t not in USUAL_TARGETS)),
    "court": ("11-12-13", "10"),
    "jokers": (4, *(n for n in range(MOST_JOKERS + 1) if n != 4)),
    "power_shots": (False, True),
    "splash": (False, True),
    "driving": (False, True),
    "splash_end": ("beyond", "before"),
    "driving_dice": (1, 2),
}
HAND: Final = 5
FACES: Final = range(1, 7)
"""Of a die."""


# --- events -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """`first_to_park` is the seat with the highest roll."""

    type: ClassVar[str] = "game_started"
    first_to_park: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """`cards` is None where nobody but the player saw them."""

    type: ClassVar[str] = "cards_drawn"
    player: int
    count: int
    cards: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class CarParked(Event):
    """At the start, and in the base game instead of a turn."""

    type: ClassVar[str] = "car_parked"
    player: int
    place: str


@dataclass(frozen=True, slots=True)
class WalkRolled(Event):
    type: ClassVar[str] = "walk_rolled"
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked(Event):
    """One leg of a walk: `path` are the squares after the start."""

    type: ClassVar[str] = "walked"
    player: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepCardPlayed(Event):
    type: ClassVar[str] = "step_card_played"
    player: int
    card: str
    steps: int


@dataclass(frozen=True, slots=True)
class GoodsTaken(Event):
    """From the shop where the player stands; `cards` are one or two equal ones."""

    type: ClassVar[str] = "goods_taken"
    player: int
    square: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Robbed(Event):
    """`card` is played, `rank` is what it stands for."""

    type: ClassVar[str] = "robbed"
    player: int
    victim: int
    card: str
    rank: str


@dataclass(frozen=True, slots=True)
class ShotFired(Event):
    type: ClassVar[str] = "shot_fired"
    player: int
    victim: int


@dataclass(frozen=True, slots=True)
class ShotRolled(Event):
    type: ClassVar[str] = "shot_rolled"
    value: int


@dataclass(frozen=True, slots=True)
class StopPlayed(Event):
    type: ClassVar[str] = "stop_played"
    player: int
    card: str


@dataclass(frozen=True, slots=True)
class Settled(Event):
    """The acting player goes on: what is pending takes effect, or not."""

    type: ClassVar[str] = "settled"


@dataclass(frozen=True, slots=True)
class Banked(Event):
    type: ClassVar[str] = "banked"
    player: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    type: ClassVar[str] = "turn_ended"
    player: int


@dataclass(frozen=True, slots=True)
class DriveRolled(Event):
    type: ClassVar[str] = "drive_rolled"
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drove(Event):
    type: ClassVar[str] = "drove"
    player: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CarLeft(Event):
    type: ClassVar[str] = "car_left"
    player: int


@dataclass(frozen=True, slots=True)
class HouseDecided(Event):
    """What people let stand although no rule allows it: `thief`, `pose`, `car` or `cart` of a player, and its value."""

    type: ClassVar[str] = "house_decided"
    player: int
    changes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """`extra` after a hit."""

    type: ClassVar[str] = "turn_began"
    player: int
    extra: bool


@dataclass(frozen=True, slots=True)
class GotUp(Event):
    type: ClassVar[str] = "got_up"
    player: int


@dataclass(frozen=True, slots=True)
class ActStood(Event):
    """`act` is the type of the move."""

    type: ClassVar[str] = "act_stood"
    act: str


@dataclass(frozen=True, slots=True)
class ActStopped(Event):
    type: ClassVar[str] = "act_stopped"
    act: str


@dataclass(frozen=True, slots=True)
class Fell(Event):
    type: ClassVar[str] = "fell"
    player: int


@dataclass(frozen=True, slots=True)
class Pushed(Event):
    type: ClassVar[str] = "pushed"
    player: int
    square: str


@dataclass(frozen=True, slots=True)
class PointsBanked(Event):
    type: ClassVar[str] = "points_banked"
    player: int
    points: int


@dataclass(frozen=True, slots=True)
class RunOver(Event):
    """The victim falls, and all of the cart is spilt."""

    type: ClassVar[str] = "run_over"
    player: int
    victim: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnteredCar(Event):
    type: ClassVar[str] = "entered_car"
    player: int


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The discards, so many cards, become the pile."""

    type: ClassVar[str] = "deck_shuffled"
    count: int


Act: TypeAlias = GoodsTaken | Robbed | StepCardPlayed | ShotFired
"""What can be stopped."""
LUCK_MOVES = (GameStarted, CardsDrawn, WalkRolled, ShotRolled, DriveRolled)
SEAT_MOVES = (
    *(CarParked, Walked, StepCardPlayed, GoodsTaken, Robbed, ShotFired, StopPlayed, Banked, TurnEnded, Drove, CarLeft),
)
MOVES = (*LUCK_MOVES, *SEAT_MOVES, Settled, HouseDecided)
CONSEQUENCES = (
    *(TurnBegan, GotUp, ActStood, ActStopped, Fell, Pushed, PointsBanked, RunOver, EnteredCar, DeckShuffled, GameEnded),
)
EVENTS: Mapping[str, type[Event]] = {e.type: e for e in (*MOVES, *CONSEQUENCES, Undone)}


# --- printed facts and options, made ready for play -------------------------------------------


@dataclass(frozen=True, eq=False)
class Printed:
    """The profile and the options of one game, compiled once and shared by all its states."""

    key: tuple[str, str, int]
    """Profile and options as JSON, and how many play: what two of these are compared by."""
    name: str
    source: str
    mall: Mall
    packs: int
    points: tuple[int, ...]
    """By card."""
    target: int
    jokers: int
    power: int
    """What is added to every shot."""
    splash: bool
    """Nobody who is pushed is stopped by the fountain."""
    beyond: bool
    """Who would lie in the fountain lies behind it, not before it."""
    driving: bool
    driving_dice: int

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Printed) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def deck(self) -> int:
        """All cards, as a heap."""
        return self.packs * sum(ONE[card] for cards in OF_RANK.values() for card in cards) + self.jokers * ONE[JOKER]


def compile_printed(profile: Mapping[str, Any], options: Mapping[str, Any], players: int) -> Printed:
    """Compiles a checked profile with complete options; the same are compiled once."""
    return _compile(json.dumps(profile, sort_keys=True), json.dumps(options, sort_keys=True), players)


@lru_cache(maxsize=16)
def _compile(profile_json: str, options_json: str, players: int) -> Printed:
    profile, options = json.loads(profile_json), json.loads(options_json)
    return Printed(
        key=(profile_json, options_json, players),
        name=profile["name"],
        source=profile["source"],
        mall=mall_of(tuple(profile["map"])),
        packs=profile["packs"],
        points=points_of(options["court"]),
        target=options.get("target") or profile["targets"][str(players)],
        jokers=options["jokers"],
        power=int(options["power_shots"]),
        splash=options["splash"],
        beyond=options["splash_end"] == "beyond",
        driving=options["driving"],
        driving_dice=options["driving_dice"],
    )


# --- state ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """What one player has. Only the cards in the hand are hidden from the others."""

    square: int = NOWHERE
    """Where the thief is, on foot or in the car."""
    car: int = NOWHERE
    lying: bool = False
    in_car: bool = False
    cart: Cards = ()
    """In the order in which they came."""
    banked: int = 0
    hand: Cards = ()
    """The cards that were told, in order."""
    unknown: int = 0
    """How many more there are in the hand."""

    @property
    def cards(self) -> int:
        """How many there are in the hand."""
        return len(self.hand) + self.unknown

    @property
    def at_car(self) -> bool:
        return self.square == self.car


class Pending(NamedTuple):
    """An act on the till that nobody knows yet whether it stands."""

    act: Act
    stops: tuple[int, ...] = ()
    """The stop cards on it, in the order in which they were played."""
    value: int = 0
    """Of a shot: the die."""

    @property
    def stands(self) -> bool:
        return len(self.stops) % 2 == 0


@dataclass(frozen=True)
class State:
    printed: Printed
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    unseen: int
    """The cards that lie in the pile or were drawn untold, as a heap."""
    pile: int
    """How many lie in the pile."""
    discards: int = 0
    """As a heap."""
    top: int | None = None
    """The card on top of the discards; None where there is none, or nobody can tell."""
    phase: Phase = "start"
    first: int = 0
    """Who parks first."""
    turn: int = 0
    """Whose turn it is, or who parks or is dealt cards next."""
    turns: int = 0
    """How many have begun."""
    extra: bool = False
    """Who has just played has another turn."""
    fresh: bool = False
    """The turn began at the own car, and nothing was done in it."""
    dice: tuple[int, ...] = ()
    """What was rolled last in this turn, to walk, to drive or for a shot."""
    steps: int = 0
    """Left to go."""
    origin: int = NOWHERE
    """Where the turn began."""
    before: int = NOWHERE
    """The square that must not be stepped back to."""
    shot: ShotFired | None = None
    """Fired and not rolled yet."""
    pending: Pending | None = None
    result: GameEnded | None = None

    @property
    def next(self) -> int:
        """Whose turn comes after this one."""
        return self.turn if self.extra else (self.turn + 1) % len(self.seats)
