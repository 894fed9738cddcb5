"""From what was seen to the move that somebody evidently meant, legal or not.

Nothing is judged here: a shape drawn in the wrong place comes out as that very move, so that
`decide` can say which rule it breaks. Where the picture tells no single story, the answer is None.
"""

from collections import Counter

from pi_app.engine.events import Event
from pi_app.engine.observation import Observation
from pi_app.games.tag_city.model import Cells, DiceRolled, DiePlaced, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules import dice_left
from pi_app.games.tag_city.view import CIRCLED, CROSSED, EMPTY, MARKED, city_board, expected_sight


def attempt(state: State, observation: Observation) -> Event | None:
    if state.phase == "roll":
        return _roll(state, observation)
    if state.phase == "place":
        return _placed_die(state, observation)
    if state.phase in ("draft", "last"):
        return _action(state, observation)
    return None


def _roll(state: State, observation: Observation) -> Event | None:
    """All dice lie there; whether they are too many or too few is for `decide` to say."""
    return DiceRolled(tuple(die.value for die in observation.dice)) if observation.dice else None


def _placed_die(state: State, observation: Observation) -> Event | None:
    """The first die that lies on a section where the record has none such yet."""
    recorded = Counter((die.value, die.section) for die in state.dice if die.section)
    seen = Counter((die.value, die.section) for die in observation.dice if die.section is not None)
    for value, section in sorted((seen - recorded).elements()):
        for index, die in enumerate(state.dice):
            if not die.section and die.value == value:
                return DiePlaced(index, section)
    return None


def _action(state: State, observation: Observation) -> Event | None:
    die = _die_meant(state, observation)
    changed = {}
    for seat in range(len(state.players)):
        new = _new_marks(state, seat, observation)
        if new:
            changed[seat] = new
    if die is None or len(changed) != 1:
        return None
    [(seat, new)] = changed.items()
    cells: Cells = tuple(
        (row, col)
        for row in range(state.printed.rows)
        for col in range(state.printed.cols)
        if f"r{row + 1}c{col + 1}" in new
    )
    slots = [int(region.partition(".")[2]) for region in new if region.startswith("drone.")]
    bubbles = [int(region.partition(".")[2]) for region in new if region.startswith("bubble.")]
    if cells and len(slots) <= 1 and not bubbles:
        shape = _shape_meant(state, die, cells, by_drone=bool(slots))
        return ShapePainted(seat, die, shape, cells, slots[0] if slots else None)
    if len(bubbles) == 1 and not cells and not slots:
        return SocialChecked(seat, die, bubbles[0])
    return None


def _die_meant(state: State, observation: Observation) -> int | None:
    """The die that has left the HQ; with the last die there is no other."""
    left = dice_left(state)
    if state.phase == "last":
        return left[0]
    seen = Counter((die.value, die.section) for die in observation.dice)
    gone = [i for i in left if not _take(seen, (state.dice[i].value, state.dice[i].section))]
    return gone[0] if len(gone) == 1 else None


def _take(seen: Counter[tuple[int, int | None]], die: tuple[int, int]) -> bool:
    seen[die] -= 1
    return seen[die] >= 0


def _new_marks(state: State, seat: int, observation: Observation) -> set[str]:
    """Squares, remote squares and bubbles that are marked although the record has them empty.

    A crossed bubble is a bubble that somebody else circled: no action of this seat.
    """
    expected = expected_sight(state, city_board(seat))
    return {
        reading.region
        for reading in observation.boards.get(city_board(seat), ())
        if expected.get(reading.region) == EMPTY
        and reading.kind in (MARKED, CIRCLED, CROSSED)
        and not reading.region.endswith((".high", ".low"))
        and not (reading.region.startswith("bubble.") and reading.kind != CIRCLED)
    }


def _shape_meant(state: State, die: int, cells: Cells, by_drone: bool) -> str:
    """The shape that was drawn, if it is one; otherwise the one that should have been."""
    printed = state.printed
    asked = printed.sections[state.dice[die].section - 1]
    mask = printed.mask(cells)
    candidates = printed.in_play if by_drone else (asked, *printed.in_play)
    return next((shape for shape in candidates if mask in printed.shapes[shape].placements), asked)
