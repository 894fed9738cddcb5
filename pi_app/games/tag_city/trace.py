"""What a move itself leaves to be seen, and which moves could have left what was seen."""

from collections.abc import Collection, Mapping, Sequence

from pi_app.engine.contract import Seen
from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, EMPTY, dice_kind
from pi_app.games.tag_city.judging import bubbles_open, drone_slots, judge, to_act
from pi_app.games.tag_city.model import DiceRolled, DiePlaced, HouseDecided, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.moves import TaggerMoves
from pi_app.games.tag_city.rules import legal_moves
from pi_app.games.tag_city.shapes import Cell
from pi_app.games.tag_city.view import CIRCLED, HQ, MARKED, city_board


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
    if seat not in to_act(state) or state.phase not in ("draft", "last"):
        return [move for move in legal_moves(state, seat) if _within(trace(state, move), regions)]
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


def _within(seen: Seen, regions: Mapping[str, Collection[str]]) -> bool:
    return all(region in regions.get(board, ()) for board, marks in seen.items() for region in marks)
