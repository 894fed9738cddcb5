"""What a camera should see, what a move leaves to be seen, and which moves could have left what was seen."""

from collections.abc import Collection, Mapping, Sequence

from pi_app.engine.contract import Seen, Setup, Surface, within
from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_kind
from pi_app.games.tag_city.rules.deciding import legal_moves
from pi_app.games.tag_city.rules.judging import acting, bubbles_open, drone_slots, judge
from pi_app.games.tag_city.rules.model import (
    Board,
    DiceRolled,
    DiePlaced,
    HouseDecided,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.games.tag_city.rules.moves import TaggerMoves
from pi_app.games.tag_city.rules.shapes import Cell

MARKED, CIRCLED, CROSSED = "marked", "circled", "crossed"
HQ = "hq"
"""The board in the middle, where dice lie."""


def surfaces(setup: Setup) -> tuple[Surface, ...]:
    return (*(Surface(city_board(seat), seat) for seat in range(len(setup.players))), Surface(HQ, pieces=True))


def city_board(seat: int) -> str:
    """The board of a seat, as kits and cameras call it."""
    return f"city-{seat + 1}"


def expected_sight(state: State, surface: str) -> dict[str, str]:
    """Region to kind; on the HQ a section's kind is "empty" or the values lying there ("2 5").

    Beside the HQ dice matter while they are rolled. While the last die is open, what others must cross because of it
    is not expected yet.
    """
    if surface == HQ:
        return _expected_dice(state)
    seats = {city_board(seat): seat for seat in range(len(state.players))}
    seat = seats[surface]
    printed, own = state.printed, state.boards[seat]
    seen = {
        f"r{row + 1}c{col + 1}": MARKED if own.painted >> (row * printed.cols + col) & 1 else EMPTY
        for row in range(printed.rows)
        for col in range(printed.cols)
    }
    for index, feature in enumerate(printed.features):
        marks = feature_marks(state, own, index)
        seen[f"{feature.id}.high"], seen[f"{feature.id}.low"] = marks["high"], marks["low"]
    for n in range(1, len(printed.drone) + 1):
        seen[f"drone.{n}"] = CIRCLED if own.drone >> (n - 1) & 1 else EMPTY
    for n in range(1, len(printed.bubbles) + 1):
        seen[f"bubble.{n}"] = bubble_mark(state, own, n)
    return seen


def feature_marks(state: State, board: Board, index: int) -> dict[str, str]:
    high = CIRCLED if board.high >> index & 1 else CROSSED if state.closed >> index & 1 else EMPTY
    return {"high": high, "low": CIRCLED if board.low >> index & 1 else EMPTY}


def bubble_mark(state: State, board: Board, n: int) -> str:
    if board.bubbles >> (n - 1) & 1:
        return CIRCLED
    return CROSSED if state.bubbles_gone >> (n - 1) & 1 else EMPTY


def _expected_dice(state: State) -> dict[str, str]:
    lying: dict[int, list[int]] = {section: [] for section in range(1, len(state.printed.sections) + 1)}
    for die in state.dice:
        if die.section and die.taken_by is None:
            lying[die.section].append(die.value)
    around = {BESIDE: OTHER} if state.phase in ("leader", "roll") else {}
    return {f"section.{n}": dice_kind(values) for n, values in lying.items()} | around


def act(region: str, kind: str) -> str:
    """Squares are marked, bubbles and squares of the remote circled as a move; values of features because of one."""
    if region.endswith((".high", ".low")):
        return EMPTY
    if region == BESIDE or region.startswith("section."):
        return kind
    drawn = CIRCLED if region.startswith(("drone.", "bubble.")) else MARKED
    return kind if kind == drawn else EMPTY


def trace(state: State, move: Event) -> Seen:
    """The marks of a move, and the dice that were rolled or moved."""
    if isinstance(move, DiceRolled):
        return {HQ: {BESIDE: dice_kind(move.values)}}
    if isinstance(move, DiePlaced):
        return {HQ: {f"section.{move.section}": _dice_on(state, move.section, also=move.die)}}
    if not isinstance(move, ShapePainted | SocialChecked | HouseDecided):
        return {}
    marks: dict[str, str] = {}
    if not isinstance(move, SocialChecked):
        marks |= {square_region(cell): MARKED for cell in move.cells}
        if move.drone is not None:
            marks[f"drone.{move.drone}"] = CIRCLED
    if not isinstance(move, ShapePainted) and move.bubble is not None:
        marks[f"bubble.{move.bubble}"] = CIRCLED
    seen: dict[str, Mapping[str, str]] = {city_board(move.player): marks} if marks else {}
    if state.phase == "draft":
        section = state.dice[move.die].section
        seen[HQ] = {f"section.{section}": _dice_on(state, section, without=move.die)}
    return seen


def moves_within(state: State, seat: int, regions: Mapping[str, Collection[str]]) -> Sequence[Event]:
    """Shapes are only tried on squares that are asked for: a handful of candidates instead of thousands."""
    if seat not in acting(state) or state.phase not in ("draft", "last"):
        return [move for move in legal_moves(state, seat) if within(trace(state, move), regions)]
    printed, asked, sections = state.printed, regions.get(city_board(seat), ()), regions.get(HQ, ())
    free = printed.mask(
        [(r, c) for r in range(printed.rows) for c in range(printed.cols) if square_region((r, c)) in asked]
    )
    return TaggerMoves(
        printed,
        seat,
        state.boards[seat].painted | printed.city & ~free,
        [
            (i, die.section)
            for i, die in enumerate(state.dice)
            if die.taken_by is None and (state.phase == "last" or f"section.{die.section}" in sections)
        ],
        [slot for slot in drone_slots(state, seat) if f"drone.{slot}" in asked],
        [bubble for bubble in bubbles_open(state) if bubble is None or f"bubble.{bubble}" in asked],
        lambda move: judge(state, move),
    )


def square_region(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _dice_on(state: State, section: int, also: int | None = None, without: int | None = None) -> str:
    lying = [
        die.value
        for i, die in enumerate(state.dice)
        if i == also or (die.section == section and die.taken_by is None and i != without)
    ]
    return dice_kind(lying)
