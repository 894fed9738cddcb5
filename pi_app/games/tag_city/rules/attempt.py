"""From what was seen to the move that somebody evidently meant, legal or not.

Nothing is judged here: a shape drawn in the wrong place comes out as that very move, so that
`decide` can say which rule it breaks. Where the picture tells no single story, the answer is None.
"""

from collections import Counter
from collections.abc import Sequence

from pi_app.engine.contract import Message, Repair, Seen
from pi_app.engine.events import Event, Record
from pi_app.engine.kinds import BESIDE, EMPTY, dice_values
from pi_app.games.tag_city.rules.judging import acting, dice_left
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, HouseDecided, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules.shapes import Cells
from pi_app.games.tag_city.rules.sight import CIRCLED, CROSSED, HQ, MARKED, city_board, expected_sight

Lying = Counter[tuple[int, int]]
"""Dice on the HQ by value and section."""


def attempt(state: State, seen: Seen) -> Event | None:
    if state.phase == "roll":
        return _roll(seen)
    if state.phase == "place":
        return _placed_die(state, seen)
    if state.phase in ("draft", "last"):
        return _action(state, seen)
    return None


def unfinished(state: State, seat: int, done: Seen, missing: Seen) -> Message:
    """A tagger takes a die and draws, in either order."""
    own = city_board(seat)
    if own not in done:
        return Message("draw_now", {"player": seat})
    if own not in missing:
        return Message("take_die", {"player": seat})
    return Message("drawing", {"player": seat, "count": len(done[own])})


def mismatch(state: State, surface: str, seen: Seen) -> Message | None:
    """More happened to the dice on the HQ than one of them being taken; who places dice may lift any."""
    lying, recorded = _lying(seen), _recorded(state)
    missing, extra = sorted((recorded - lying).elements()), sorted((lying - recorded).elements())
    placing = state.phase == "place"
    if not extra:
        taken = len(missing)
        return Message("two_dice_taken", {"count": taken}) if taken > 1 and not placing else None
    value, section = min(extra, key=lambda die: (die[1], die[0]))
    facts = {"section": section, "value": value}
    same = [was for was, place in missing if place == section]
    if same:
        return Message("die_turned", {**facts, "expected": same[0]})
    moved = [place for was, place in missing if was == value]
    if moved:
        return Message("die_moved", {**facts, "expected": moved[0]})
    return Message("die_unknown", facts) if placing else Message("die_back", facts)


def adopt(state: State, records: Sequence[Record], surface: str, seen: Seen) -> Repair | None:
    """What was drawn stands as a decision of the house; dice that lie otherwise were rolled and placed so."""
    if surface == HQ:
        corrections = _dice_as_seen(state, records, seen)
        return Repair(corrections=corrections) if corrections else None
    if state.phase not in ("draft", "last"):
        return None
    die, seat = _die_meant(state, seen), _seat_meant(state, seen)
    if die is None or seat is None:
        return None
    cells, slots, bubbles = _sorted_marks(state, _new_marks(state, seat, seen))
    if len(slots) > 1 or len(bubbles) > 1:
        return None
    return Repair(HouseDecided(seat, die, cells, slots[0] if slots else None, bubbles[0] if bubbles else None))


def _dice_as_seen(state: State, records: Sequence[Record], seen: Seen) -> dict[int, Event]:
    """What roll and placing must have been, by record number, if the dice on the HQ are right as they lie.

    Empty where that cannot be told: one is missing, or one came from nowhere.
    """
    lying = [i for i, die in enumerate(state.dice) if die.section and die.taken_by is None]
    there = _lying(seen)
    off = [i for i in lying if not _take(there, (state.dice[i].value, state.dice[i].section))]
    strange = sorted((+there).elements())
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


def _roll(seen: Seen) -> Event | None:
    """All dice lie beside the HQ; whether they are too many or too few is for `decide` to say.

    A die that still lies on a section is one of the last round: nobody has rolled yet.
    """
    values = dice_values(seen.get(HQ, {}).get(BESIDE, EMPTY))
    return DiceRolled(tuple(values)) if values and not _lying(seen) else None


def _placed_die(state: State, seen: Seen) -> Event | None:
    """The first die that lies on a section where the record has none such yet."""
    for value, section in sorted((_lying(seen) - _recorded(state)).elements()):
        for index, die in enumerate(state.dice):
            if not die.section and die.value == value:
                return DiePlaced(index, section)
    return None


def _lying(seen: Seen) -> Lying:
    return Counter(
        (value, int(region.rpartition(".")[2]))
        for region, kind in seen.get(HQ, {}).items()
        if region != BESIDE
        for value in dice_values(kind)
    )


def _recorded(state: State) -> Lying:
    return Counter((die.value, die.section) for die in state.dice if die.section and die.taken_by is None)


def _action(state: State, seen: Seen) -> Event | None:
    die, seat = _die_meant(state, seen), _seat_meant(state, seen)
    if die is None or seat is None:
        return None
    cells, slots, bubbles = _sorted_marks(state, _new_marks(state, seat, seen))
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


def _seat_meant(state: State, seen: Seen) -> int | None:
    """Whose board has changed. With the last die many may: those still to act come one by one."""
    changed = [seat for seat in range(len(state.players)) if _new_marks(state, seat, seen)]
    if state.phase == "last":
        changed = [seat for seat in changed if seat in acting(state)][:1] or changed
    return changed[0] if len(changed) == 1 else None


def _die_meant(state: State, seen: Seen) -> int | None:
    """The die that has left the HQ; with the last die there is no other."""
    left = dice_left(state)
    if state.phase == "last":
        return left[0]
    lying = _lying(seen)
    gone = [i for i in left if not _take(lying, (state.dice[i].value, state.dice[i].section))]
    return gone[0] if len(gone) == 1 else None


def _take(lying: Lying, die: tuple[int, int]) -> bool:
    lying[die] -= 1
    return lying[die] >= 0


def _new_marks(state: State, seat: int, seen: Seen) -> set[str]:
    """Squares, remote squares and bubbles that are marked although the record has them empty.

    A crossed bubble is a bubble that somebody else circled: no action of this seat.
    """
    expected = expected_sight(state, city_board(seat))
    return {
        region
        for region, kind in seen.get(city_board(seat), {}).items()
        if expected.get(region) == EMPTY
        and kind in (MARKED, CIRCLED, CROSSED)
        and not region.endswith((".high", ".low"))
        and not (region.startswith("bubble.") and kind != CIRCLED)
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
