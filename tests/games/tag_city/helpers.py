"""A city small enough to finish a feature in one move, and short words for telling a game.

   A B C D
1  R R B B    the bar fills a row or a column, the block fills red or blue;
2  R R B B    D4 is a park and belongs to no district.
3  G G G G
4  G G G .
"""

import copy
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pi_app.engine.contract import LUCK, Seen, Setup
from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, dice_kind
from pi_app.games.tag_city import TagCity
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    Die,
    DiePlaced,
    FeatureCompleted,
    GameStarted,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.games.tag_city.rules.shapes import Cells
from pi_app.games.tag_city.rules.sight import HQ

GAME = TagCity()
NAMES = ("Ada", "Bob", "Cleo", "Dan")

ROW_1, ROW_2, ROW_3 = "A1 B1 C1 D1", "A2 B2 C2 D2", "A3 B3 C3 D3"
COL_A, COL_C = "A1 A2 A3 A4", "C1 C2 C3 C4"
RED, BLUE = "A1 B1 A2 B2", "C1 D1 C2 D2"
EVERYWHERE = " ".join(f"{column}{row}" for row in "1234" for column in "ABCD")

_TINY: dict[str, Any] = {
    "name": "Tiny city",
    "source": "invented",
    "city": {
        "rows": 4,
        "cols": 4,
        "cells": ["RRBB", "RRBB", "GGGG", "GGG."],
        "districts": {
            "R": {"name": "red", "high": 15, "low": 5},
            "B": {"name": "blue", "high": 14, "low": 6},
            "G": {"name": "green", "high": 20, "low": 9},
        },
        "row_values": [[10, 4], [11, 5], [12, 6], [13, 7]],
        "col_values": [[6, 2], [7, 1], [8, 3], [9, 4]],
        "drone": [-1, -2, -4],
        "bubbles": [-2, -3, -5],
    },
    "hq": {
        "sections": ["bar", "block", "ell", "tee", "zig", "stick"],
        "values": {"1": [1, 2], "2": [2, 3], "3": [3, 4], "4": [4, 5], "5": [5, 6], "6": [6, 1]},
        "small": ["dot", "dash", "elbow"],
    },
    "shapes": {
        "bar": {"cells": [[0, 0], [0, 1], [0, 2], [0, 3]], "small": False},
        "block": {"cells": [[0, 0], [0, 1], [1, 0], [1, 1]], "small": False},
        "ell": {"cells": [[0, 0], [1, 0], [2, 0], [2, 1]], "small": False},
        "tee": {"cells": [[0, 0], [0, 1], [0, 2], [1, 1]], "small": False},
        "zig": {"cells": [[0, 0], [0, 1], [1, 1], [1, 2]], "small": False},
        "stick": {"cells": [[0, 0], [0, 1], [0, 2]], "small": False},
        "cup": {"cells": [[0, 0], [0, 2], [1, 0], [1, 1], [1, 2]], "small": False},
        "dot": {"cells": [[0, 0]], "small": True},
        "dash": {"cells": [[0, 0], [0, 1]], "small": True},
        "elbow": {"cells": [[0, 0], [1, 0], [1, 1]], "small": True},
    },
}


# --- printed facts ----------------------------------------------------------------------------


def tiny(**city: Any) -> dict[str, Any]:
    """The tiny profile, with changes to its city: tiny(drone=[-1])."""
    profile = copy.deepcopy(_TINY)
    profile["city"].update(city)
    return profile


def two_sided() -> dict[str, Any]:
    """An edition whose city boards have a side B: one district, other values."""
    edition = tiny()
    edition["city_b"] = {
        **edition["city"],
        "cells": ["KKKK", "KKKK", "....", "...."],
        "districts": {"K": {"name": "black", "high": 30, "low": 3}},
        "row_values": [[21, 1], [22, 2], [23, 3], [24, 4]],
    }
    return edition


# --- squares and moves in short words ---------------------------------------------------------


def squares(names: str) -> Cells:
    """ "A1 B2" as (row, col) counted from 0, row by row."""
    return tuple(sorted((int(name[1:]) - 1, ord(name[0]) - ord("A")) for name in names.split()))


def paint(seat: int, die: int, shape: str, names: str, drone: int | None = None) -> ShapePainted:
    return ShapePainted(seat, die, shape, squares(names), drone)


def social(seat: int, die: int, bubble: int | None) -> SocialChecked:
    return SocialChecked(seat, die, bubble)


# --- getting a state to where a test begins ---------------------------------------------------


def table(players: int = 2, profile: Mapping[str, Any] | None = None, **options: Any) -> State:
    """The table before a first leader is named."""
    return GAME.start(Setup(tiny() if profile is None else profile, options, NAMES[:players]))


def played(state: State, *moves: Event) -> State:
    """The state after these moves and all that follows from them."""
    for move in moves:
        for event in GAME.decide(state, move):
            state = GAME.apply(state, event)
    return state


def follows(state: State, move: Event) -> list[Event]:
    """The consequences of a move."""
    return list(GAME.decide(state, move)[1:])


def claims(state: State, move: Event) -> list[tuple[int, str, str, int]]:
    """What a move scores: seat, feature, rank, value."""
    found = [event for event in GAME.decide(state, move) if isinstance(event, FeatureCompleted)]
    return [(event.player, event.feature, event.rank, event.value) for event in found]


def rolled(
    *values: int, players: int = 2, leader: int = 0, profile: Mapping[str, Any] | None = None, **options: Any
) -> State:
    """The leader has rolled these and places them next."""
    return played(table(players, profile, **options), GameStarted(leader), DiceRolled(values))


def drafting(
    *sections: int, players: int = 2, leader: int = 0, profile: Mapping[str, Any] | None = None, **options: Any
) -> State:
    """Dice 0, 1, … lie on these sections (face n may lie on section n) and the draft begins."""
    state = rolled(*sections, players=players, leader=leader, profile=profile, **options)
    return played(state, *(DiePlaced(die, section) for die, section in enumerate(sections)))


def at_last_die(
    section: int, players: int = 2, leader: int = 0, profile: Mapping[str, Any] | None = None, **options: Any
) -> State:
    """Everybody has taken a die; die 0 on `section` is left for all, and the boards are empty."""
    state = played(table(players, profile, **options), GameStarted(leader))
    taken = tuple(Die(6, 6, taken_by=seat) for seat in range(players))
    return replace(state, phase="last", dice=(Die(section, section), *taken))


def with_painted(state: State, seat: int, names: str) -> State:
    """The same with just these squares painted on one board; nothing is scored for them."""
    return with_board(state, seat, painted=state.printed.mask(squares(names)))


def with_board(state: State, seat: int, **changes: int) -> State:
    boards = list(state.boards)
    boards[seat] = replace(boards[seat], **changes)
    return replace(state, boards=tuple(boards))


def with_closed(state: State, *features: str) -> State:
    """The high values of these features are gone."""
    return replace(state, closed=sum(1 << state.printed.feature_index[feature] for feature in features))


def all_features(state: State) -> list[str]:
    return [feature.id for feature in state.printed.features]


def painted(state: State, seat: int) -> Cells:
    return state.printed.cells(state.boards[seat].painted)


def scores(state: State) -> list[int]:
    return [board.score for board in state.boards]


def drone_moves(moves: Sequence[Event]) -> list[ShapePainted]:
    return [move for move in moves if isinstance(move, ShapePainted) and move.drone is not None]


def random_moves(state: State, rng: random.Random) -> list[Event]:
    """Moves from here to the end of the game, all seats choosing by lot."""
    moves = []
    while GAME.to_act(state).must:
        move = rng.choice(GAME.legal_moves(state, rng.choice(GAME.to_act(state).must)))
        moves.append(move)
        state = played(state, move)
    assert LUCK not in GAME.to_act(state).must
    return moves


# --- what a camera would report ---------------------------------------------------------------


class Lying(NamedTuple):
    """A die face up; `section` is None beside the HQ."""

    value: int
    section: int | None


def observe(
    state: State,
    marks: Mapping[int, Mapping[str, str]] | None = None,
    taken: Sequence[int] = (),
    dice: Sequence[Lying] | None = None,
) -> Seen:
    """Just what the record expects, but for `marks` (seat to region to kind) and `taken` dice."""
    boards = {
        f"city-{seat + 1}": {**GAME.expected_sight(state, f"city-{seat + 1}"), **(marks or {}).get(seat, {})}
        for seat in range(len(state.players))
    }
    if dice is None:
        lying = [die for i, die in enumerate(state.dice) if die.taken_by is None and i not in taken]
        dice = [Lying(die.value, die.section or None) for die in lying]
    places = {BESIDE: None} | {f"section.{n}": n for n in range(1, 7)}
    on_hq = {region: dice_kind(die.value for die in dice if die.section == at) for region, at in places.items()}
    return {**boards, HQ: on_hq}


def ink(names: str, kind: str = "marked") -> dict[str, str]:
    """Regions of these squares, all of one kind."""
    return {f"r{row + 1}c{col + 1}": kind for row, col in squares(names)}
