"""Tag City's words: events, what is printed, and the state of a table."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, TypeAlias

from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.games.tag_city.rules.shapes import Cell, Cells, Fitter, Shape, bits, column_letter, compile_shape

Phase: TypeAlias = Literal["leader", "roll", "place", "draft", "last", "over"]

FACES = range(1, 7)
SECTIONS = range(1, 7)


# --- events -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    type: ClassVar[str] = "game_started"
    leader: int


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    type: ClassVar[str] = "dice_rolled"
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiePlaced(Event):
    type: ClassVar[str] = "die_placed"
    die: int
    section: int


@dataclass(frozen=True, slots=True)
class ShapePainted(Event):
    """`drone` is the number of the square circled on the remote, None without a drone."""

    type: ClassVar[str] = "shape_painted"
    player: int
    die: int
    shape: str
    cells: tuple[tuple[int, int], ...]
    drone: int | None = None


@dataclass(frozen=True, slots=True)
class SocialChecked(Event):
    """`bubble` is None once no bubble is left and checking costs nothing."""

    type: ClassVar[str] = "social_checked"
    player: int
    die: int
    bubble: int | None


@dataclass(frozen=True, slots=True)
class HouseDecided(Event):
    """What people let stand although no rule allows it: what was drawn with a die, whatever shape it has."""

    type: ClassVar[str] = "house_decided"
    player: int
    die: int
    cells: tuple[tuple[int, int], ...]
    drone: int | None
    bubble: int | None


@dataclass(frozen=True, slots=True)
class FeatureCompleted(Event):
    type: ClassVar[str] = "feature_completed"
    player: int
    feature: str
    rank: str
    value: int


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    type: ClassVar[str] = "round_ended"
    round: int
    next_leader: int


Action: TypeAlias = ShapePainted | SocialChecked | HouseDecided
MOVES = (GameStarted, DiceRolled, DiePlaced, ShapePainted, SocialChecked, HouseDecided)
CONSEQUENCES = (FeatureCompleted, RoundEnded, GameEnded)
EVENTS: Mapping[str, type[Event]] = {e.type: e for e in (*MOVES, *CONSEQUENCES, Undone)}


# --- printed facts, made ready for play -------------------------------------------------------


@dataclass(frozen=True)
class Feature:
    """A row, a column or a district."""

    id: str
    mask: int
    high: int
    low: int


@dataclass(frozen=True, eq=False)
class Printed:
    """The profile and the options of one game, compiled once and shared by all its states."""

    key: tuple[str, str]
    """Profile and options as JSON: what two of these are compared by."""
    name: str
    source: str
    rows: int
    cols: int
    city: int
    districts: tuple[str, ...]
    """One string per row: the district letter of every square, "." for none."""
    district_names: Mapping[str, str]
    """By letter, in printed order."""
    features: tuple[Feature, ...]
    feature_index: Mapping[str, int]
    drone: tuple[int, ...]
    bubbles: tuple[int, ...]
    shapes: Mapping[str, Shape]
    sections: tuple[str, ...]
    small: tuple[str, ...]
    in_play: tuple[str, ...]
    """The shapes lying on the HQ: six outer ones, then the small ones."""
    fitter: Fitter
    """Finds where they fit, in the same order."""
    values: Mapping[int, tuple[int, int]]
    equal_dice: bool
    drone_order: str

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Printed) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def mask(self, cells: Sequence[Cell]) -> int:
        """The mask of squares that all lie inside the city."""
        mask = 0
        for row, col in cells:
            mask |= 1 << (row * self.cols + col)
        return mask

    def cells(self, mask: int) -> Cells:
        return tuple(divmod(bit, self.cols) for bit in bits(mask))

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols


def compile_printed(profile: Mapping[str, Any], options: Mapping[str, Any]) -> Printed:
    """Compiles a checked profile with complete options; the same pair is compiled once.

    Keys are sorted: the order of features, and so of events, must not hang on how a file was written. Districts are
    shown in the order in which they are printed: that of the file.
    """
    order = tuple(profile["city"]["districts"])
    return _compile(json.dumps(profile, sort_keys=True), json.dumps(options, sort_keys=True), order)


@lru_cache(maxsize=16)
def _compile(profile_json: str, options_json: str, printed_order: tuple[str, ...]) -> Printed:
    profile, options = json.loads(profile_json), json.loads(options_json)
    city, hq = profile["city"], profile["hq"]
    districts = {letter: city["districts"][letter] for letter in printed_order}
    rows, cols = city["rows"], city["cols"]
    features = _features(city)
    shapes = {
        shape_id: compile_shape(shape_id, [(r, c) for r, c in shape["cells"]], shape["small"], rows, cols)
        for shape_id, shape in profile["shapes"].items()
    }
    in_play = (*hq["sections"], *hq["small"])
    return Printed(
        key=(profile_json, options_json),
        name=profile["name"],
        source=profile["source"],
        rows=rows,
        cols=cols,
        city=(1 << rows * cols) - 1,
        districts=tuple(city["cells"]),
        district_names={letter: entry["name"] for letter, entry in districts.items()},
        features=features,
        feature_index={feature.id: i for i, feature in enumerate(features)},
        drone=tuple(city["drone"]),
        bubbles=tuple(city["bubbles"]),
        shapes=shapes,
        sections=tuple(hq["sections"]),
        small=tuple(hq["small"]),
        in_play=in_play,
        fitter=Fitter([shapes[shape] for shape in in_play], rows * cols),
        values={int(face): (touching[0], touching[1]) for face, touching in hq["values"].items()},
        equal_dice=options["equal_dice"],
        drone_order=options["drone_order"],
    )


def _features(city: Mapping[str, Any]) -> tuple[Feature, ...]:
    rows, cols = city["rows"], city["cols"]

    def mask(belongs: Any) -> int:
        return sum(1 << (r * cols + c) for r in range(rows) for c in range(cols) if belongs(r, c))

    features = []
    for row, (high, low) in enumerate(city["row_values"]):
        features.append(Feature(f"row.{row + 1}", mask(lambda r, c, row=row: r == row), high, low))
    for col, (high, low) in enumerate(city["col_values"]):
        features.append(Feature(f"col.{column_letter(col)}", mask(lambda r, c, col=col: c == col), high, low))
    for letter, entry in city["districts"].items():
        squares = mask(lambda r, c, letter=letter: city["cells"][r][c] == letter)
        features.append(Feature(f"district.{entry['name']}", squares, entry["high"], entry["low"]))
    return tuple(features)


# --- state ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """One tagger's city board. All but `score` are masks: squares, features, slots, bubbles."""

    painted: int = 0
    high: int = 0
    low: int = 0
    drone: int = 0
    bubbles: int = 0
    score: int = 0


@dataclass(frozen=True)
class Die:
    """`section` is 0 until the leader has placed it; `taken_by` is None while it lies on the HQ."""

    value: int
    section: int = 0
    taken_by: int | None = None


@dataclass(frozen=True)
class State:
    printed: Printed
    players: tuple[str, ...]
    boards: tuple[Board, ...]
    phase: Phase = "leader"
    round: int = 1
    leader: int = 0
    dice: tuple[Die, ...] = ()
    acted: int = 0
    """Seats that have acted in this draft or with this last die, as a mask."""
    closed: int = 0
    """Features whose high value is gone. During the last die: as it was before that die."""
    bubbles_gone: int = 0
    """Bubbles that somebody circled. During the last die: as it was before that die."""
    last_bubble: int | None = None
    """The bubble that the first to check with this last die chose for all."""
    result: GameEnded | None = None
