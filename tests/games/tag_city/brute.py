"""Tag City once more, as slowly and plainly as possible, to count legal moves independently.

It knows the profile's JSON form and plays as people do on paper: each board is a set of painted squares,
a dict of circled values and a set of crossed ones; what is still free is read off the boards. Nothing is
taken from the program (a test sees to that). Moves are plain tuples:

    ("start", leader)   ("roll", (faces…))   ("place", die, section)
    ("paint", seat, die, shape, (squares…), drone slot or None)   ("social", seat, die, bubble or None)

Run as a program it writes the table of counts by depth: python -m tests.games.tag_city.brute
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

Square: TypeAlias = tuple[int, int]
Move: TypeAlias = tuple[Any, ...]

COUNTS = Path(__file__).parents[2] / "data" / "perft_tag_city.txt"
LUCK = -1
TURNS_AND_FLIPS: list[Callable[[int, int], Square]] = [
    lambda r, c: (r, c),
    lambda r, c: (c, -r),
    lambda r, c: (-r, -c),
    lambda r, c: (-c, r),
    lambda r, c: (r, -c),
    lambda r, c: (-c, -r),
    lambda r, c: (-r, c),
    lambda r, c: (c, r),
]


class Rules:
    """Printed facts and options, unpacked into sets."""

    def __init__(self, profile: Mapping[str, Any], equal_dice: bool = True, drone_order: str = "printed") -> None:
        city, self.hq = profile["city"], profile["hq"]
        self.equal_dice, self.drone_order = equal_dice, drone_order
        self.drone: list[int] = list(city["drone"])
        self.bubbles: list[int] = list(city["bubbles"])
        self.squares = {(r, c) for r in range(city["rows"]) for c in range(city["cols"])}
        self.features: dict[str, set[Square]] = {}
        self.worth: dict[str, int] = {}
        for r, (high, low) in enumerate(city["row_values"]):
            self._feature(f"row.{r + 1}", {s for s in self.squares if s[0] == r}, high, low)
        for c, (high, low) in enumerate(city["col_values"]):
            self._feature(f"col.{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[c]}", {s for s in self.squares if s[1] == c}, high, low)
        for letter, entry in city["districts"].items():
            inside = {(r, c) for r, c in self.squares if city["cells"][r][c] == letter}
            self._feature(f"district.{entry['name']}", inside, entry["high"], entry["low"])
        on_hq = [*self.hq["sections"], *self.hq["small"]]
        self.ways = {shape: self._ways(profile["shapes"][shape]["cells"]) for shape in on_hq}

    def _feature(self, name: str, squares: set[Square], high: int, low: int) -> None:
        self.features[name] = squares
        self.worth[f"{name}.high"], self.worth[f"{name}.low"] = high, low

    def _ways(self, cells: Sequence[Sequence[int]]) -> list[tuple[Square, ...]]:
        """Every set of squares that the shape can cover, tried by shifting it all over the grid."""
        far = max(max(square) for square in self.squares) + max(max(cell) for cell in cells) + 1
        found = set()
        for turn in TURNS_AND_FLIPS:
            turned = [turn(r, c) for r, c in cells]
            for down, right in product(range(-far, far + 1), repeat=2):
                moved = frozenset((r + down, c + right) for r, c in turned)
                if moved <= self.squares:
                    found.add(moved)
        return [tuple(sorted(way)) for way in found]


@dataclass
class Position:
    """The table as it lies there: dice, pawn, and what is drawn on every board."""

    players: int
    phase: str = "leader"
    leader: int = 0
    round: int = 1
    faces: list[int] = field(default_factory=list)
    section: list[int] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    """Who took a die, -1 for nobody."""
    acted: set[int] = field(default_factory=set)
    painted: list[set[Square]] = field(default_factory=list)
    circled: list[dict[str, int]] = field(default_factory=list)
    crossed: list[set[str]] = field(default_factory=list)
    to_cross: set[str] = field(default_factory=set)
    """Circled with the last die: everybody else crosses it out when all have played."""
    reasons: list[str] = field(default_factory=list)

    def copy(self) -> "Position":
        return Position(
            self.players,
            self.phase,
            self.leader,
            self.round,
            list(self.faces),
            list(self.section),
            list(self.owner),
            set(self.acted),
            [set(squares) for squares in self.painted],
            [dict(values) for values in self.circled],
            [set(values) for values in self.crossed],
            set(self.to_cross),
            list(self.reasons),
        )

    def scores(self) -> list[int]:
        return [sum(values.values()) for values in self.circled]

    def used(self, seat: int, region: str) -> bool:
        return region in self.circled[seat] or region in self.crossed[seat]


def begin(players: int) -> Position:
    seats = range(players)
    return Position(
        players, painted=[set() for _ in seats], circled=[{} for _ in seats], crossed=[set() for _ in seats]
    )


# --- which moves there are --------------------------------------------------------------------


def who(at: Position) -> list[int]:
    """The seats that may move now."""
    clockwise = [(at.leader + step) % at.players for step in range(1, at.players + 1)]
    waiting = [seat for seat in clockwise if seat not in at.acted]
    turn = {"leader": [LUCK], "roll": [LUCK], "place": [at.leader], "draft": waiting[:1], "last": waiting, "over": []}
    return turn[at.phase]


def moves(rules: Rules, at: Position, seat: int, roll: tuple[int, ...] | None = None) -> Iterator[Move]:
    """All moves of a seat that may move; `roll` is the only roll to consider."""
    if at.phase == "leader":
        yield from (("start", leader) for leader in range(at.players))
    elif at.phase == "roll":
        rolls = product(range(1, 7), repeat=at.players + 1) if roll is None else [roll]
        yield from (("roll", faces) for faces in rolls)
    elif at.phase == "place":
        yield from _placings(rules, at)
    else:
        for die in range(len(at.faces)):
            if at.owner[die] < 0:
                yield from _uses(rules, at, seat, die)


def _placings(rules: Rules, at: Position) -> Iterator[Move]:
    for die, face in enumerate(at.faces):
        if at.section[die]:
            continue
        sides = rules.hq["values"][str(face)]
        held = {at.section[other] for other, same in enumerate(at.faces) if same == face}
        good = [side for side in sides if side not in held]
        for side in sides if rules.equal_dice or not good else good:
            yield ("place", die, side)


def _uses(rules: Rules, at: Position, seat: int, die: int) -> Iterator[Move]:
    painted = at.painted[seat]
    own = rules.hq["sections"][at.section[die] - 1]
    for way in rules.ways[own]:
        if painted.isdisjoint(way):
            yield ("paint", seat, die, own, way, None)
    slots = [n + 1 for n in range(len(rules.drone)) if f"drone.{n + 1}" not in at.circled[seat]]
    if rules.drone_order == "printed":
        slots = slots[:1]
    for slot in slots:
        for shape, ways in rules.ways.items():
            for way in ways:
                if painted.isdisjoint(way):
                    yield ("paint", seat, die, shape, way, slot)
    bubbles: list[int | None] = [n + 1 for n in range(len(rules.bubbles)) if not at.used(seat, f"bubble.{n + 1}")]
    chosen: list[int | None] = [n + 1 for n in range(len(rules.bubbles)) if f"bubble.{n + 1}" in at.to_cross]
    for bubble in chosen or bubbles or [None]:
        yield ("social", seat, die, bubble)


# --- what a move does -------------------------------------------------------------------------


def after(rules: Rules, before: Position, move: Move) -> Position:
    at = before.copy()
    match move:
        case ("start", leader):
            at.leader, at.phase = leader, "roll"
        case ("roll", faces):
            at.faces, at.section, at.owner = list(faces), [0] * len(faces), [-1] * len(faces)
            at.phase = "place"
        case ("place", die, side):
            at.section[die] = side
            if 0 not in at.section:
                at.phase = "draft"
        case ("paint", seat, die, _, way, slot):
            if slot is not None:
                at.circled[seat][f"drone.{slot}"] = rules.drone[slot - 1]
            at.painted[seat].update(way)
            for feature, squares in rules.features.items():
                if squares <= at.painted[seat] and not squares <= before.painted[seat]:
                    _claim(rules, at, seat, feature)
            _end_turn(rules, at, seat, die)
        case ("social", seat, die, bubble):
            if bubble is not None:
                _circle(at, seat, f"bubble.{bubble}", rules.bubbles[bubble - 1])
            _end_turn(rules, at, seat, die)
    return at


def _claim(rules: Rules, at: Position, seat: int, feature: str) -> None:
    high, low = f"{feature}.high", f"{feature}.low"
    if high in at.crossed[seat]:
        at.circled[seat][low] = rules.worth[low]
    else:
        _circle(at, seat, high, rules.worth[high])


def _circle(at: Position, seat: int, region: str, value: int) -> None:
    at.circled[seat][region] = value
    at.to_cross.add(region)
    if at.phase == "draft":
        _cross_out(at)


def _cross_out(at: Position) -> None:
    for seat in range(at.players):
        at.crossed[seat] |= at.to_cross - at.circled[seat].keys()
    at.to_cross = set()


def _end_turn(rules: Rules, at: Position, seat: int, die: int) -> None:
    at.acted.add(seat)
    if at.phase == "draft":
        at.owner[die] = seat
    if len(at.acted) < at.players:
        return
    at.acted = set()
    if at.phase == "draft":
        at.phase = "last"
        return
    _cross_out(at)
    at.faces, at.section, at.owner = [], [], []
    at.leader, at.round, at.phase = (at.leader + 1) % at.players, at.round + 1, "roll"
    if all(at.used(0, f"{feature}.high") for feature in rules.features):
        at.reasons.append("high_values")
    if all(at.used(0, f"bubble.{n + 1}") for n in range(len(rules.bubbles))):
        at.reasons.append("bubbles")
    if any(all(f"drone.{n + 1}" in values for n in range(len(rules.drone))) for values in at.circled):
        at.reasons.append("drone")
    if at.reasons:
        at.phase = "over"


def winners(at: Position) -> list[int]:
    points = at.scores()
    best = [seat for seat in range(at.players) if points[seat] == max(points)]
    online = [sum(region.startswith("bubble.") for region in at.circled[seat]) for seat in range(at.players)]
    return [seat for seat in best if online[seat] == max(online[other] for other in best)]


# --- counting by depth ------------------------------------------------------------------------

# Three by three, with shapes that have little choice; beside the shapes, in how many ways each can lie.
CROSSING: dict[str, Any] = {
    "name": "Crossing",
    "source": "invented",
    "city": {
        "rows": 3,
        "cols": 3,
        "cells": ["NNE", "WNE", "WW."],
        "districts": {
            "N": {"name": "north", "high": 9, "low": 3},
            "E": {"name": "east", "high": 7, "low": 2},
            "W": {"name": "west", "high": 8, "low": 4},
        },
        "row_values": [[6, 2], [5, 1], [4, 1]],
        "col_values": [[16, 12], [15, 11], [14, 10]],
        "drone": [-1, -3],
        "bubbles": [-2, -5],
    },
    "hq": {
        "sections": ["bar", "ring", "plus", "ex", "corners", "block"],  # 6 1 1 1 1 4
        "values": {"1": [1, 2], "2": [2, 3], "3": [3, 4], "4": [4, 5], "5": [5, 6], "6": [6, 1]},
        "small": ["dot", "rails", "notch"],  # 9 2 4
    },
    "shapes": {
        "bar": {"cells": [[0, 0], [0, 1], [0, 2]], "small": False},
        "ring": {"cells": [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2]], "small": False},
        "plus": {"cells": [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]], "small": False},
        "ex": {"cells": [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], "small": False},
        "corners": {"cells": [[0, 0], [0, 2], [2, 0], [2, 2]], "small": False},
        "block": {"cells": [[0, 0], [0, 1], [1, 0], [1, 1]], "small": False},
        "dot": {"cells": [[0, 0]], "small": True},
        "rails": {"cells": [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]], "small": True},
        "notch": {"cells": [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1]], "small": True},
    },
}


@dataclass(frozen=True)
class Start:
    """Where a count begins: after `line` is played. Every roll from there on is `roll`."""

    players: int
    roll: tuple[int, ...]
    depth: int
    line: tuple[Move, ...] = ()
    equal_dice: bool = True
    drone_order: str = "printed"

    def rules(self) -> Rules:
        return Rules(CROSSING, self.equal_dice, self.drone_order)


def _placed(leader: int, *dice: tuple[int, int]) -> tuple[Move, ...]:
    """A game up to the first draft: dice as (face, section)."""
    placings = tuple(("place", die, section) for die, (_, section) in enumerate(dice))
    return (("start", leader), ("roll", tuple(face for face, _ in dice)), *placings)


_ROW_1, _ROW_2, _ROW_3 = (tuple((row, col) for col in range(3)) for row in range(3))
_PLUS = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1))

_ROWS_TAKEN: tuple[Move, ...] = (
    *_placed(0, (6, 1), (6, 1), (6, 1)),
    ("paint", 1, 0, "bar", _ROW_1, None),
    ("paint", 0, 1, "bar", _ROW_2, None),
)
"""The last die is a bar: seat 1 has the first row, seat 0 the second."""

_ONE_ROW_LEFT: tuple[Move, ...] = (
    *_ROWS_TAKEN,
    ("paint", 0, 2, "bar", _ROW_1, None),
    ("paint", 1, 2, "bar", _ROW_2, None),
    ("roll", (6, 2, 4)),
    ("place", 0, 1),
    ("place", 1, 3),
    ("place", 2, 5),
)
"""The second draft: both cities are empty in the third row only, and just the bar fits."""

STARTS: dict[str, Start] = {
    "opening": Start(2, (1, 2, 6), 6),
    "opening-equal-dice": Start(2, (4, 4, 4), 5),
    "opening-equal-dice-apart": Start(2, (4, 4, 4), 5, equal_dice=False),
    "opening-four-players": Start(4, (3, 3, 2, 3, 4), 6, equal_dice=False),
    "draft": Start(2, (1, 1, 1), 2, _placed(1, (1, 1), (3, 4), (4, 5))),
    "draft-free-drone": Start(2, (1, 1, 1), 2, _placed(1, (1, 1), (3, 4), (4, 5)), drone_order="free"),
    "last-die": Start(2, (5, 5, 5), 3, _ROWS_TAKEN),
    "last-die-three-players": Start(
        3,
        (5, 5, 5, 5),
        3,
        (
            *_placed(2, (2, 3), (6, 1), (6, 1), (4, 5)),
            ("paint", 0, 0, "plus", _PLUS, None),
            ("social", 1, 1, 2),
            ("paint", 2, 2, "bar", _ROW_3, None),
        ),
    ),
    "second-round": Start(2, (2, 4, 4), 6, _ONE_ROW_LEFT),
    "second-round-free-drone": Start(2, (2, 4, 4), 5, _ONE_ROW_LEFT, drone_order="free"),
}


@dataclass(frozen=True)
class Tally:
    """The positions at one depth: how many, how many of them ended games, all points on all boards."""

    positions: int = 0
    ended: int = 0
    points: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.positions + other.positions, self.ended + other.ended, self.points + other.points)


def count(rules: Rules, at: Position, depth: int, roll: tuple[int, ...]) -> Tally:
    if depth == 0:
        return Tally(1, int(at.phase == "over"), sum(at.scores()))
    tally = Tally()
    for seat in who(at):
        for move in moves(rules, at, seat, roll):
            tally += count(rules, after(rules, at, move), depth - 1, roll)
    return tally


def position_after(rules: Rules, players: int, line: Sequence[Move]) -> Position:
    at = begin(players)
    for move in line:
        assert move in [move for seat in who(at) for move in moves(rules, at, seat)], move
        at = after(rules, at, move)
    return at


def rows(deepest: int = 99) -> Iterator[str]:
    """The table of counts as text."""
    yield "# Tag City on a city of three by three: what is reached after so many moves, from the starts that"
    yield "# brute.py names. Positions, ended games among them, and the sum of all points on all their boards."
    yield "# Counted by brute force; write anew with: python -m tests.games.tag_city.brute"
    yield f"#{'start':<26}{'depth':>6}{'positions':>12}{'ended':>9}{'points':>12}"
    for name, start in STARTS.items():
        rules = start.rules()
        at = position_after(rules, start.players, start.line)
        for depth in range(1, min(deepest, start.depth) + 1):
            tally = count(rules, at, depth, start.roll)
            yield f"{name:<27}{depth:>6}{tally.positions:>12}{tally.ended:>9}{tally.points:>12}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the table of counts anew.")
    parser.add_argument("--depth", type=int, default=99, help="count no deeper than this")
    parser.add_argument("--output", type=Path, default=COUNTS)
    args = parser.parse_args()
    lines = []
    for line in rows(args.depth):
        print(line, flush=True)
        lines.append(line)
    args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
