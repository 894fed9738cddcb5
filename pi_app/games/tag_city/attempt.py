"""From what was seen to the move that somebody evidently meant, legal or not.

Nothing is judged here: a shape drawn in the wrong place comes out as that very move, so that
`decide` can say which rule it breaks. Where the picture tells no single story, the answer is None.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pi_app.engine.events import Event, Record
from pi_app.engine.observation import Observation
from pi_app.games.tag_city.judging import dice_left, to_act
from pi_app.games.tag_city.model import DiceRolled, DiePlaced, HouseDecided, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.shapes import Cells
from pi_app.games.tag_city.view import CIRCLED, CROSSED, EMPTY, MARKED, city_board, expected_sight


def attempt(state: State, observation: Observation) -> Event | None:
    if state.phase == "roll":
        return _roll(state, observation)
    if state.phase == "place":
        return _placed_die(state, observation)
    if state.phase in ("draft", "last"):
        return _action(state, observation)
    return None


def adopt(state: State, observation: Observation) -> Event | None:
    """What was drawn with a die, to be let stand as it is; None while die or board cannot be told."""
    if state.phase not in ("draft", "last"):
        return None
    die, seat = _die_meant(state, observation), _seat_meant(state, observation)
    if die is None or seat is None:
        return None
    cells, slots, bubbles = _sorted_marks(state, _new_marks(state, seat, observation))
    if len(slots) > 1 or len(bubbles) > 1:
        return None
    return HouseDecided(seat, die, cells, slots[0] if slots else None, bubbles[0] if bubbles else None)


def dice_as_seen(state: State, records: Sequence[Record], observation: Observation) -> dict[int, Event]:
    """What roll and placing must have been, by record number, if the dice on the HQ are right as they lie.

    Empty where that cannot be told: one is missing, or one came from nowhere.
    """
    lying = [i for i, die in enumerate(state.dice) if die.section and die.taken_by is None]
    seen = Counter((die.value, die.section) for die in observation.dice if die.section)
    off = [i for i in lying if not _take(seen, (state.dice[i].value, state.dice[i].section))]
    strange = sorted((+seen).elements())
    if not off or len(off) != len(strange):
        return {}
    values = [die.value for die in state.dice]
    roll = max(record.seq for record in records if isinstance(record.event, DiceRolled))
    placed = {r.event.die: r.seq for r in records if r.seq > roll and isinstance(r.event, DiePlaced)}
    changed: dict[int, Event] = {}
    for i in off:
        was = state.dice[i]
        now = min(strange, key=lambda die: (die[1] != was.section, die[0] != was.value))
        strange.remove(now)
        values[i] = now[0]
        if now[1] != was.section:
            changed[placed[i]] = DiePlaced(i, now[1])
    return changed if values == [die.value for die in state.dice] else {**changed, roll: DiceRolled(tuple(values))}


def _roll(state: State, observation: Observation) -> Event | None:
    """All dice lie beside the HQ; whether they are too many or too few is for `decide` to say.

    A die that still lies on a section is one of the last round: nobody has rolled yet.
    """
    if not observation.dice or any(die.section is not None for die in observation.dice):
        return None
    return DiceRolled(tuple(die.value for die in observation.dice))


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
    die, seat = _die_meant(state, observation), _seat_meant(state, observation)
    if die is None or seat is None:
        return None
    cells, slots, bubbles = _sorted_marks(state, _new_marks(state, seat, observation))
    if cells and len(slots) <= 1 and not bubbles:
        shape, cells = _shape_meant(state, seat, die, cells, by_drone=bool(slots))
        return ShapePainted(seat, die, shape, cells, slots[0] if slots else None)
    if len(bubbles) == 1 and not cells and not slots:
        return SocialChecked(seat, die, bubbles[0])
    return None


def _sorted_marks(state: State, new: set[str]) -> tuple[Cells, list[int], list[int]]:
    """New marks as squares of the city, squares of the remote, and bubbles."""
    cells: Cells = tuple(
        (row, col)
        for row in range(state.printed.rows)
        for col in range(state.printed.cols)
        if f"r{row + 1}c{col + 1}" in new
    )
    slots = [int(region.partition(".")[2]) for region in new if region.startswith("drone.")]
    bubbles = [int(region.partition(".")[2]) for region in new if region.startswith("bubble.")]
    return cells, slots, bubbles


def _seat_meant(state: State, observation: Observation) -> int | None:
    """Whose board has changed. With the last die many may: those still to act come one by one."""
    changed = [seat for seat in range(len(state.players)) if _new_marks(state, seat, observation)]
    if state.phase == "last":
        changed = [seat for seat in changed if seat in to_act(state)][:1] or changed
    return changed[0] if len(changed) == 1 else None


def _die_meant(state: State, observation: Observation) -> int | None:
    """The die that has left the HQ; with the last die there is no other."""
    left = dice_left(state)
    if state.phase == "last":
        return left[0]
    seen = Counter((die.value, die.section) for die in observation.dice)
    gone = [i for i in left if not _take(seen, (state.dice[i].value, state.dice[i].section))]
    return gone[0] if len(gone) == 1 else None


def _take(seen: Counter[Any], die: tuple[int, int]) -> bool:
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


def _shape_meant(state: State, seat: int, die: int, cells: Cells, by_drone: bool) -> tuple[str, Cells]:
    """The shape that was drawn and where, if it is one; otherwise the one that should have been.

    Ink over ink is not seen as new. So if the new squares are the asked shape but for squares that
    were painted before, that shape was drawn over them.
    """
    printed = state.printed
    asked = printed.sections[state.dice[die].section - 1]
    mask, painted = printed.mask(cells), state.boards[seat].painted
    if not by_drone:
        for whole, squares in printed.shapes[asked].placements.items():
            if whole & ~painted == mask:
                return asked, squares
    drawn = next((shape for shape in printed.in_play if mask in printed.shapes[shape].placements), asked)
    return drawn, cells
