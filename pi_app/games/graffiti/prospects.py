"""What a seat could paint now, what it lacks for the rest, and the moves that its page offers: its owner's alone."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from pi_app.engine.events import Event
from pi_app.games.graffiti.rules.judging import can_discard, to_act
from pi_app.games.graffiti.rules.model import OPEN, PaintKept, Part, PartPainted, State
from pi_app.games.graffiti.rules.moves import SeatMoves, Way, payments_of, ways_onto
from pi_app.games.graffiti.rules.paying import Payment, kinds_of, missing

MOST_WAYS: Final = 6
"""To paint one part: those that cost least. Whoever means another does it on the table."""
_CHOICES: Final = 3
"""Of cans, and of permits, that these are put together from."""


def options(state: State, seat: int) -> list[Event]:
    """What a seat may do, but for keeping paint, which is chosen tile by tile."""
    if seat not in to_act(state).seats:
        return []
    moves = [move for move in SeatMoves(state, seat).painting_only(()) if not isinstance(move, PaintKept)]
    if state.phase == "play" and seat == state.turn:
        moves += [move for part in _open_parts(state) for move in _paintings(state, seat, part)]
    return moves


def plans(state: State, seat: int) -> list[dict[str, Any]]:
    """Every part that nobody has painted, with what painting it would take."""
    return [_plan(state, seat, part) for part in _open_parts(state)]


def odds(state: State, seat: int) -> list[int]:
    """By section, how likely in percent a permit of unknown face is for it: of all that are not open now or its own."""
    own = state.seats[seat]
    seen = zip(state.printed.permits, state.discards, own.permits, strict=True)
    unseen = [n - gone - held - state.slots.count(face) for face, (n, gone, held) in enumerate(seen, 1)]
    return [round(100 * count / max(1, sum(unseen))) for count in unseen]


def _open_parts(state: State) -> Iterator[Part]:
    return (part for part, tag in zip(state.printed.parts, state.parts, strict=True) if tag == OPEN)


def _plan(state: State, seat: int, part: Part) -> dict[str, Any]:
    own = state.seats[seat]
    cans = [way.cans for _, way in _ways(state, seat, part.section)]
    permits = _permits(state, seat, part.section)
    lacking = "" if _payments(state, seat, part) else _lacking(state, seat, part)
    barred = part.section == state.pawn or _reserved_for(state, part) not in (None, seat)
    return {
        "part": part.id,
        "ready": bool(cans and permits and own.cans) and not (lacking or barred),
        "cans": min(cans, default=None),
        "permit": _permit_word(state, seat, part.section, permits),
        "missing": list(lacking),
        "blocked": part.section == state.pawn,
        "reserved": _reserved_for(state, part),
    }


def _reserved_for(state: State, part: Part) -> int | None:
    number = state.printed.part_number[part.id]
    return next((seat for seat, own in enumerate(state.seats) if own.reserved == number), None)


def _lacking(state: State, seat: int, part: Part) -> str:
    """The fewest colours that are still needed; the policeman is worth one, if there is any tile to lay down for it."""
    own = state.seats[seat]
    tiles = [kind for kind in kinds_of(own.hands[0]) if set(kind) & set(part.cost)]
    short = missing(part.cost, tuple(tiles), own.has("paint"))
    return short[1:] if state.police == seat and own.paint_count > len(part.cost) - len(short) else short


def _ways(state: State, seat: int, section: int) -> list[tuple[str, Way]]:
    own, police = state.seats[seat], state.police == seat
    spaces = state.printed.tunnel[section - 1]
    ways = [(space.id, way) for space in spaces for way in ways_onto(state, own, space, police)]
    return sorted(ways, key=lambda one: (len(one[1].bonuses), one[1].cans, one[1].police))


def _permits(state: State, seat: int, section: int) -> list[tuple[int, ...] | None]:
    """What may be discarded, the cheapest first; None for the bonus tile."""
    own = state.seats[seat]
    found: list[tuple[int, ...] | None] = [(section,)] if can_discard(state, seat, section) else []
    pairs = [face for face in range(1, len(own.permits) + 1) if can_discard(state, seat, face, 2)]
    found += [(face, face) for face in sorted(pairs, key=lambda face: own.permits[face - 1] < 2)]
    return [*found, None] if own.has("permit") else found


def _permit_word(state: State, seat: int, section: int, permits: Sequence[tuple[int, ...] | None]) -> str:
    """How sure it is that there is a permit."""
    known = state.seats[seat].permits
    if known[section - 1]:
        return "one"
    if any(count > 1 for count in known):
        return "two"
    return "bonus" if None in permits else "maybe" if permits else "none"


def _payments(state: State, seat: int, part: Part) -> list[Payment]:
    found = payments_of(state.seats[seat], part.cost, state.police == seat)
    return sorted(found, key=lambda payment: (payment.jokers, payment.police, len(payment.paints)))


def _paintings(state: State, seat: int, part: Part) -> list[PartPainted]:
    if part.section == state.pawn or _reserved_for(state, part) not in (None, seat):
        return []
    ways = _ways(state, seat, part.section)[:_CHOICES]
    permits = _permits(state, seat, part.section)[:_CHOICES]
    together = product(ways, permits, _payments(state, seat, part)[:MOST_WAYS])
    moves = [_painting(seat, part, *one) for one in together]
    return sorted(moves, key=lambda move: (len(move.bonuses), move.cans, len(move.permits)))[:MOST_WAYS]


def _painting(
    seat: int, part: Part, at: tuple[str, Way], permits: tuple[int, ...] | None, payment: Payment
) -> PartPainted:
    space, (cans, bonuses, saves_can) = at
    used = (*("paint",) * payment.jokers, *(("permit",) if permits is None else ()), *bonuses)
    police = ("both" if payment.police else "can") if saves_can else "paint" if payment.police else ""
    return PartPainted(seat, space, cans, part.id, permits or (), payment.paints, used, police)
