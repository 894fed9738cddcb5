"""Graffiti's words: events, what is printed, and the state of a table."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.engine.setup import Options
from pi_app.games.graffiti.rules.paying import KINDS, NOTHING, Hand, hand_of

Phase: TypeAlias = Literal[
    "setup", "block", "play", "permits", "keep", "refill", "neutral", "neutral_paint", "round_end", "over"
]

OPTIONS: Final[Options] = {
    "keep_spent": (False, True),
    "bonus_timing": ("own_turn", "any"),
    "block": (False, True),
    "special": (False, True),
    "hands": ("watched", "declared"),
}
PLAYERS: Final = range(2, 5)
CANS: Final = 5
MOST_CANS: Final = 2
"""No space asks for more."""
KEPT, KEPT_WITH_SAVE = 2, 3
"""How many paint tiles a seat may keep when a round ends."""
FINISHED_AT_END: Final = 6
"""With so many finished graffiti the round is the last one."""
NEUTRAL_PARTS: Final = {2: 2, 3: 1}
"""Parts that are turned for nobody at the end of a round, by number of players."""
TILE_POINTS: Final = 2
"""What the bonus tile for points brings."""

BONUSES: Final = ("points", "paint", "permit", "extra", "reserve", "add", "reduce", "save")
BONUS: Final = {bonus: number for number, bonus in enumerate(BONUSES)}
OPEN, NEUTRAL = -2, -1
"""Whose tag is on a part: nobody's, the neutral one's, or a seat's."""


# --- events -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    type: ClassVar[str] = "game_started"
    first: int


@dataclass(frozen=True, slots=True)
class BonusRevealed(Event):
    type: ClassVar[str] = "bonus_revealed"
    slot: int
    bonus: str


@dataclass(frozen=True, slots=True)
class PermitRevealed(Event):
    type: ClassVar[str] = "permit_revealed"
    slot: int
    face: int


@dataclass(frozen=True, slots=True)
class PermitDrawn(Event):
    """From the pile, unseen by all others; `face` is None when nobody but its taker has seen it."""

    type: ClassVar[str] = "permit_drawn"
    player: int
    face: int | None


@dataclass(frozen=True, slots=True)
class BlockDrawn(Event):
    type: ClassVar[str] = "block_drawn"
    face: int


@dataclass(frozen=True, slots=True)
class NeutralDrawn(Event):
    type: ClassVar[str] = "neutral_drawn"
    face: int


@dataclass(frozen=True, slots=True)
class PaintTaken(Event):
    """`cans` is what was really placed, here and in the other actions; `bonuses` are the tiles used with it."""

    type: ClassVar[str] = "paint_taken"
    player: int
    space: str
    kind: str
    cans: int
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PermitsTaken(Event):
    type: ClassVar[str] = "permits_taken"
    player: int
    space: str
    cans: int
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartPainted(Event):
    """`police` tells what the policeman helped with: "", "can", "paint" or "both"."""

    type: ClassVar[str] = "part_painted"
    player: int
    space: str
    cans: int
    part: str
    permits: tuple[int, ...]
    paints: tuple[str, ...]
    bonuses: tuple[str, ...] = ()
    police: str = ""


@dataclass(frozen=True, slots=True)
class BonusTaken(Event):
    type: ClassVar[str] = "bonus_taken"
    player: int
    slot: int
    cans: int
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoliceTaken(Event):
    """`slot` is None where he has a space of his own, else the slot whose space served."""

    type: ClassVar[str] = "police_taken"
    player: int
    slot: int | None
    cans: int
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed(Event):
    type: ClassVar[str] = "passed"
    player: int


@dataclass(frozen=True, slots=True)
class BonusUsed(Event):
    """A tile that needs no action: points, extra, or reserve, which names a part."""

    type: ClassVar[str] = "bonus_used"
    player: int
    bonus: str
    part: str | None = None


@dataclass(frozen=True, slots=True)
class PaintKept(Event):
    """`kinds` is None when it was not seen: then as many as may be, any of those that were there."""

    type: ClassVar[str] = "paint_kept"
    player: int
    kinds: tuple[str, ...] | None
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NeutralPainted(Event):
    type: ClassVar[str] = "neutral_painted"
    player: int
    part: str


@dataclass(frozen=True, slots=True)
class HouseDecided(Event):
    """What people let stand although no rule allows it: whose tags are on parts."""

    type: ClassVar[str] = "house_decided"
    player: int
    changes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PointsScored(Event):
    type: ClassVar[str] = "points_scored"
    player: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class GraffitiFinished(Event):
    type: ClassVar[str] = "graffiti_finished"
    graffiti: str


@dataclass(frozen=True, slots=True)
class BlockPlaced(Event):
    type: ClassVar[str] = "block_placed"
    section: int


@dataclass(frozen=True, slots=True)
class OutOfCans(Event):
    type: ClassVar[str] = "out_of_cans"
    player: int


@dataclass(frozen=True, slots=True)
class PaintReturned(Event):
    type: ClassVar[str] = "paint_returned"
    player: int


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    type: ClassVar[str] = "round_ended"
    round: int
    first: int
    finished: int


@dataclass(frozen=True, slots=True)
class PermitsShuffled(Event):
    type: ClassVar[str] = "permits_shuffled"
    count: int


Action: TypeAlias = PaintTaken | PermitsTaken | PartPainted | BonusTaken | PoliceTaken
LUCK_MOVES = (GameStarted, BonusRevealed, PermitRevealed, PermitDrawn, BlockDrawn, NeutralDrawn)
ACTIONS = (PaintTaken, PermitsTaken, PartPainted, BonusTaken, PoliceTaken)
MOVES = (*LUCK_MOVES, *ACTIONS, Passed, BonusUsed, PaintKept, NeutralPainted, HouseDecided)
CONSEQUENCES = (
    *(PointsScored, GraffitiFinished, BlockPlaced, OutOfCans, PaintReturned, RoundEnded, PermitsShuffled, GameEnded),
)
EVENTS: Mapping[str, type[Event]] = {e.type: e for e in (*MOVES, *CONSEQUENCES, Undone)}


# --- printed facts, made ready for play -------------------------------------------------------


class Part(NamedTuple):
    id: str
    section: int
    graffiti: int
    """Its number among the graffiti, from 0."""
    cost: str
    """Colours in the order of COLOURS."""
    points: int


class Graffito(NamedTuple):
    letter: str
    parts: range
    """Numbers of its parts among all parts, from 0."""

    def tags(self, parts: tuple[int, ...]) -> tuple[int, ...]:
        """Of the tags on all parts, those on its own."""
        return parts[self.parts.start : self.parts.stop]


SpaceKind: TypeAlias = Literal["tunnel", "paint", "permits", "bonus", "police"]


class Space(NamedTuple):
    """Where cans are put. What comes after `unlimited` belongs to some kinds of spaces only."""

    id: str
    kind: SpaceKind
    number: int
    """Among all spaces, from 0."""
    cans: int = 1
    unlimited: bool = False
    section: int = 0
    kinds: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    pile: int = 0
    first: bool = False


@dataclass(frozen=True, eq=False)
class Printed:
    """The profile and the options of one game, compiled once and shared by all its states."""

    key: tuple[str, str]
    """Profile and options as JSON: what two of these are compared by."""
    name: str
    source: str
    parts: tuple[Part, ...]
    part_number: Mapping[str, int]
    graffiti: tuple[Graffito, ...]
    sections: tuple[tuple[int, ...], ...]
    """The parts of every section, by number."""
    spaces: tuple[Space, ...]
    space_at: Mapping[tuple[SpaceKind, str], Space]
    tunnel: tuple[tuple[Space, ...], ...]
    """By section."""
    paint_spaces: tuple[Space, ...]
    permit_spaces: tuple[Space, ...]
    bonus_spaces: tuple[Space, ...]
    """By slot."""
    police_space: Space | None
    permits: tuple[int, ...]
    """How many permits of each face there are, by section."""
    permit_slots: int
    bonuses: tuple[int, ...]
    """In the order of BONUSES."""
    paint: Hand
    start_paint: Hand
    start_permits: int
    track: int
    keep_spent: bool
    any_time: bool
    """Bonus tiles may be used whenever their owner likes."""
    block: bool

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Printed) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


def compile_printed(profile: Mapping[str, Any], options: Mapping[str, Any]) -> Printed:
    """Compiles a checked profile with complete options; the same pair is compiled once."""
    return _compile(json.dumps(profile, sort_keys=True), json.dumps(options, sort_keys=True))


@lru_cache(maxsize=16)
def _compile(profile_json: str, options_json: str) -> Printed:
    profile, options = json.loads(profile_json), json.loads(options_json)
    drawn = {**profile["graffiti"], **(profile["special"] if options["special"] else {})}
    parts: list[Part] = []
    graffiti: list[Graffito] = []
    for section, letters in enumerate(profile["tunnel"]["sections"], 1):
        for letter in letters:
            first = len(parts)
            for number, part in enumerate(drawn[letter], 1):
                cost = "".join(sorted(part["cost"], key="RYBGK".index))
                parts.append(Part(f"{letter}{number}", section, len(graffiti), cost, part["points"]))
            graffiti.append(Graffito(letter, range(first, len(parts))))
    spaces = _spaces(profile)
    sections = len(profile["tunnel"]["sections"])
    return Printed(
        key=(profile_json, options_json),
        name=profile["name"],
        source=profile["source"],
        parts=tuple(parts),
        part_number={part.id: number for number, part in enumerate(parts)},
        graffiti=tuple(graffiti),
        sections=tuple(
            tuple(number for number, part in enumerate(parts) if part.section == section)
            for section in range(1, sections + 1)
        ),
        spaces=spaces,
        space_at={(space.kind, space.id): space for space in spaces},
        tunnel=tuple(
            tuple(space for space in spaces if space.section == section) for section in range(1, sections + 1)
        ),
        paint_spaces=tuple(space for space in spaces if space.kind == "paint"),
        permit_spaces=tuple(space for space in spaces if space.kind == "permits"),
        bonus_spaces=tuple(space for space in spaces if space.kind == "bonus"),
        police_space=next((space for space in spaces if space.kind == "police"), None),
        permits=tuple(profile["permits"]["faces"][str(face)] for face in range(1, sections + 1)),
        permit_slots=profile["permits"]["slots"],
        bonuses=tuple(profile["bonus"]["tiles"][bonus] for bonus in BONUSES),
        paint=tuple(profile["paint"]["tiles"][kind] for kind in KINDS),
        start_paint=hand_of(profile["start"]["paint"]),
        start_permits=profile["start"]["permits"],
        track=profile["track"]["length"],
        keep_spent=options["keep_spent"],
        any_time=options["bonus_timing"] == "any",
        block=options["block"],
    )


def _spaces(profile: Mapping[str, Any]) -> tuple[Space, ...]:
    spaces: list[Space] = []

    def add(space_id: str, kind: SpaceKind, **facts: Any) -> None:
        spaces.append(Space(space_id, kind, len(spaces), **facts))

    for section in range(1, len(profile["tunnel"]["sections"]) + 1):
        for place, cans in enumerate(profile["tunnel"]["spaces"], 1):
            add(f"{section}.{place}", "tunnel", cans=cans, section=section)
    for raw in profile["paint"]["spaces"]:
        add(raw["id"], "paint", cans=raw["cans"], unlimited=raw["unlimited"], kinds=tuple(raw["kinds"]))
    for raw in profile["permits"]["spaces"]:
        add(raw["id"], "permits", slots=tuple(raw["slots"]), pile=raw["pile"], first=raw["first"])
    for slot in range(1, profile["bonus"]["slots"] + 1):
        add(str(slot), "bonus")
    if profile["bonus"]["police_space"]:
        add("police", "police")
    return tuple(spaces)


# --- state ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """What one player has. Paint, permits and bonus tiles are hidden from the others."""

    cans: int = CANS
    hands: tuple[Hand, ...] = (NOTHING,)
    """The paint that may lie behind the screen: one hand where it is known, several where it was not seen."""
    spent: Hand = NOTHING
    permits: tuple[int, ...] = ()
    """Known ones, by section."""
    unknown: int = 0
    """How many permits of unknown face."""
    bonuses: tuple[int, ...] = (0,) * len(BONUSES)
    used: tuple[str, ...] = ()
    """The bonus tiles that it used in this round: they lie in front of the screen until it ends."""
    passed: bool = False
    extra: int = 0
    """Turns that come after this one."""
    reserved: int | None = None
    """The part with its marker, by number."""
    score: int = 0

    @property
    def paint_count(self) -> int:
        return sum(self.hands[0])

    @property
    def permit_count(self) -> int:
        return sum(self.permits) + self.unknown

    def has(self, bonus: str) -> int:
        return self.bonuses[BONUS[bonus]]


class Unseen(NamedTuple):
    """Where permits may be that nobody but their holder has seen: one story that fits all that was seen."""

    piles: tuple[tuple[int, ...], ...]
    """By section, what has not been seen of every pile that was shuffled. All of the last one, the present pile, that
    is in no hand lies there; all of an earlier one is in hands."""
    held: tuple[tuple[int, ...], ...]
    """By seat, how many permits of unknown face are from each of these piles."""


@dataclass(frozen=True)
class State:
    printed: Printed
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    parts: tuple[int, ...]
    """Whose tag is on every part."""
    spaces: tuple[tuple[int, ...], ...]
    """The seats whose cans stand on every space, in the order in which they came."""
    occupied: int
    """Spaces on which cans stand, as a mask."""
    wells: tuple[tuple[int, tuple[int, str]], ...]
    """The cans on paint spaces that never fill up: whose, on which space, and for which kind of paint."""
    slots: tuple[int, ...]
    """The face of every open permit, 0 where there is none."""
    bonus_slots: tuple[str, ...]
    """The open bonus tiles, "" where there is none."""
    unseen: tuple[Unseen, ...]
    """Every story about unseen permits that fits; one as long as all faces are told."""
    pile: int
    """How many permits lie in the pile."""
    discards: tuple[int, ...]
    discard_top: int
    """The face on top of the discards, 0 where there are none."""
    bonus_pool: tuple[int, ...]
    reserve: Hand
    """Paint on the board: at most so many of each kind where some hand was not seen."""
    phase: Phase = "setup"
    started: bool = False
    round: int = 1
    first: int = 0
    """Who holds the first player's token."""
    turn: int = 0
    late: int | None = None
    """Who acted last and may still use bonus tiles."""
    draws: int = 0
    """Permits that the seat whose turn it is still takes from the pile."""
    closed: int = 0
    """Spaces that the bonus tile `add` closed for this round, as a mask."""
    police: int | None = None
    pawn: int = 0
    """The section with the block pawn, 0 while it stands in none."""
    choosing: int = 0
    """Seats that have to tell which paint they keep, as a mask."""
    told: int = 0
    """Seats that have told, or have nothing to tell."""
    neutrals: int = 0
    """Parts that are still to be turned for nobody in this round."""
    neutral_section: int = 0
    result: GameEnded | None = None

    @property
    def pool(self) -> tuple[int, ...]:
        """By section, how many of the permits that were shuffled into the present pile may be unseen."""
        if len(self.unseen) == 1:
            return self.unseen[0].piles[-1]
        return tuple(map(max, zip(*(story.piles[-1] for story in self.unseen), strict=True)))
