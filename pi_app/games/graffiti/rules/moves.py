"""Every legal move of a seat or of luck, counted and indexed without being listed.

Painting is a product: where the cans are put, which permits are discarded and how a part is paid do not hang on each
other. Everything else is a short list.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from pi_app.engine.contract import LUCK, Chances, IllegalMove
from pi_app.engine.events import Event
from pi_app.engine.moves import Lazy
from pi_app.games.graffiti.rules.judging import (
    USED_ALONE,
    bonus_gap,
    can_discard,
    can_draw,
    due_of_luck,
    judge,
    keepable,
    permit_gap,
    reservable,
    seat_to_draw,
    to_act,
    usable,
)
from pi_app.games.graffiti.rules.model import (
    BONUS,
    BONUSES,
    KEPT,
    KEPT_WITH_SAVE,
    OPEN,
    BlockDrawn,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    GameStarted,
    NeutralDrawn,
    NeutralPainted,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsTaken,
    PoliceTaken,
    Printed,
    Seat,
    Space,
    State,
)
from pi_app.games.graffiti.rules.paying import KINDS, NUMBER, Hand, Payment, kinds_of, payments

ADD, PAINT, PERMIT, REDUCE, SAVE = (BONUS[name] for name in ("add", "paint", "permit", "reduce", "save"))


class Way(NamedTuple):
    """How the cans of an action may be put on a space: how many, with which bonus tiles, and the policeman."""

    cans: int
    bonuses: tuple[str, ...]
    police: bool = False


NO_CANS: Final[Sequence[tuple[Any, ...]]] = ((),)
ONE_CHOICE: Final[Sequence[tuple[Any, ...]]] = ((),)


class _Choices(NamedTuple):
    """Moves of one type that differ in one thing, and in how cans are put down where they need any."""

    size: int
    kind: type[Event]
    told: tuple[Any, ...]
    """What they tell first, all alike."""
    choices: Sequence[tuple[Any, ...]]
    ways: Sequence[tuple[Any, ...]]

    def at(self, index: int) -> Event:
        choice, way = divmod(index, len(self.ways))
        return self.kind(*self.told, *self.choices[choice], *self.ways[way][:2])


class _Paintings(NamedTuple):
    """All paintings of one section."""

    size: int
    seat: int
    ways: Sequence[tuple[str, Way]]
    """With the space's id."""
    permits: Sequence[tuple[int, ...] | None]
    """What is discarded; None for the bonus tile."""
    paid: Sequence[tuple[str, Payment]]
    """With the part's id."""

    def of(self, parts: Collection[str]) -> "_Paintings":
        """Only those of these parts."""
        paid = [one for one in self.paid if one[0] in parts]
        return self._replace(size=self.size // len(self.paid) * len(paid), paid=paid)

    def at(self, index: int) -> Event:
        index, number = divmod(index, len(self.paid))
        way, discarded = divmod(index, len(self.permits))
        (space, (cans, bonuses, saves_can)), (part, payment) = self.ways[way], self.paid[number]
        permits = self.permits[discarded]
        used = (*("paint",) * payment.jokers, *(("permit",) if permits is None else ()), *bonuses)
        police = ("both" if payment.police else "can") if saves_can else "paint" if payment.police else ""
        return PartPainted(self.seat, space, cans, part, permits or (), payment.paints, used, police)


class SeatMoves(Lazy):
    """What a seat may do."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self._seat = state, seat
        self._blocks: list[_Choices | _Paintings] = []
        turn = to_act(state)
        if seat in turn.must:
            if state.phase == "keep":
                self._blocks += _keepings(state, seat)
            elif state.phase == "neutral_paint":
                self._blocks.append(_neutrals(state, seat))
            else:
                self._blocks += _actions(state, seat)
                self._blocks += _paintings(state, seat)
        if seat in turn.must or seat in turn.may:
            self._blocks += _bonus_uses(state, seat)
        self._count = sum([block.size for block in self._blocks])

    def __len__(self) -> int:
        return self._count

    def at(self, index: int) -> Event:
        for block in self._blocks:
            if index < block.size:
                return block.at(index)
            index -= block.size
        raise IndexError(index)

    def __iter__(self) -> Iterator[Event]:
        for block in self._blocks:
            yield from map(block.at, range(block.size))

    def painting_only(self, parts: Collection[str]) -> Iterator[Event]:
        """All moves but the paintings of other parts."""
        for block in self._blocks:
            chosen = block.of(parts) if isinstance(block, _Paintings) else block
            yield from map(chosen.at, range(chosen.size))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Event) or getattr(move, "player", None) != self._seat or not self._count:
            return False
        try:
            judge(self._state, move)
        except IllegalMove:
            return False
        return True


def legal_moves(state: State, seat: int) -> Sequence[Event]:
    return chances(state).moves if seat == LUCK else SeatMoves(state, seat)


# --- actions ----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _ways(asked: int, cans: int, reduces: int, added: bool, police: bool) -> tuple[Way, ...]:
    """`asked` is what the space asks for; with the policeman also one can fewer where it asks for two."""
    base = ("add",) if added else ()
    return tuple(
        Way(asked - saved - used, (*base, *("reduce",) * used), saved == 1)
        for saved in ((0, 1) if police and asked > 1 else (0,))
        for used in range(min(reduces, asked - saved) + 1)
        if asked - saved - used <= cans
    )


def ways_onto(state: State, own: Seat, space: Space, police: bool = False) -> tuple[Way, ...]:
    """How a seat may put cans on a space."""
    occupied = bool(state.spaces[space.number]) and not space.unlimited
    closed = state.closed >> space.number & 1
    if closed or (occupied and (space.cans != 1 or not own.bonuses[ADD])):
        return ()
    return _ways(space.cans, own.cans, own.bonuses[REDUCE], occupied, police)


class _OnSpace(NamedTuple):
    """Moves of a seat with cans on one space that take one thing."""

    space: int
    thing: int
    """What is taken. Both are bits."""
    free: _Choices | None
    """While no can stands there."""
    added: _Choices | None
    """After that, with the bonus tile `add`."""


def _actions(state: State, seat: int) -> list[_Choices]:
    """All but paintings."""
    own, memo = state.seats[seat], state.printed.memo
    able = seat, own.cans, own.bonuses[REDUCE]
    table = memo.get(able)
    if table is None:
        table = memo[able] = _table(state.printed, *able)
    there, occupied, closed = _things_there(state), state.occupied, state.closed
    may_add = own.bonuses[ADD] > 0
    blocks = [_Choices(1, Passed, (seat,), ONE_CHOICE, NO_CANS)]
    for space, thing, if_free, if_added in table:
        if there & thing and not closed & space:
            if not occupied & space:
                if if_free is not None:
                    blocks.append(if_free)
            elif may_add and if_added is not None:
                blocks.append(if_added)
    return blocks


def _things_there(state: State) -> int:
    """What can be taken, as bits: kinds of paint, permits by space, bonus tiles by slot, the policeman."""
    things = 0
    for number, left in enumerate(state.reserve):
        things |= (left > 0) << number
    shift, drawable = len(KINDS), can_draw(state)
    for space in state.printed.permit_spaces:
        things |= ((space.pile and drawable) or any(state.slots[slot - 1] for slot in space.slots)) << shift
        shift += 1
    for tile in state.bonus_slots:
        things |= (tile != "") << shift
        shift += 1
    return things | (state.police is None) << shift


def _table(printed: Printed, seat: int, cans: int, reduces: int) -> list[_OnSpace]:
    """Every action of a seat with so many cans and bonus tiles, if what it takes is there."""
    actions: list[tuple[Space, int, type[Event], tuple[Any, ...]]] = [
        (space, NUMBER[kind], PaintTaken, (seat, space.id, kind))
        for space in printed.paint_spaces
        for kind in space.kinds
    ]
    first = len(KINDS)
    for number, space in enumerate(printed.permit_spaces):
        actions.append((space, first + number, PermitsTaken, (seat, space.id)))
    first += len(printed.permit_spaces)
    police = first + len(printed.bonus_spaces)
    for number, space in enumerate(printed.bonus_spaces):
        actions.append((space, first + number, BonusTaken, (seat, number + 1)))
        if printed.police_space is None:
            actions.append((space, police, PoliceTaken, (seat, number + 1)))
    if printed.police_space is not None:
        actions.append((printed.police_space, police, PoliceTaken, (seat, None)))
    table = []
    for space, thing, kind, told in actions:
        free, added = (_ways(space.cans, cans, reduces, used, police=False) for used in (False, True))
        table.append(
            _OnSpace(
                0 if space.unlimited else 1 << space.number,
                1 << thing,
                _Choices(len(free), kind, told, ONE_CHOICE, free) if free else None,
                _Choices(len(added), kind, told, ONE_CHOICE, added) if added and space.cans == 1 else None,
            )
        )
    return table


def _paintings(state: State, seat: int) -> Iterator[_Paintings]:
    printed, own = state.printed, state.seats[seat]
    held = own.permits if not own.unknown else _may_hold(state, seat)
    anywhere: list[tuple[int, ...] | None] = [(face, face) for face, count in enumerate(held, 1) if count > 1]
    if own.bonuses[PERMIT]:
        anywhere.append(None)
    police, jokers = state.police == seat, own.bonuses[PAINT]
    hand, known = own.hands[0], len(own.hands) == 1
    reserved = {other.reserved for other in state.seats if other is not own}
    for section, spaces in enumerate(printed.tunnel, 1):
        if not (held[section - 1] or anywhere) or section == state.pawn:
            continue
        ways = [(space.id, way) for space in spaces for way in ways_onto(state, own, space, police)]
        if not ways:
            continue
        paid: list[tuple[str, Payment]] = []
        for number in printed.sections[section - 1]:
            if state.parts[number] == OPEN and number not in reserved:
                part = printed.parts[number]
                found = payments(part.cost, hand, jokers, police) if known else payments_of(own, part.cost, police)
                if found:
                    paid += [(part.id, payment) for payment in found]
        if paid:
            permits = [(section,), *anywhere] if held[section - 1] else anywhere
            yield _Paintings(len(ways) * len(permits) * len(paid), seat, ways, permits, paid)


def _may_hold(state: State, seat: int) -> tuple[int, ...]:
    """By section, how many permits a seat may have; two are as good as more."""
    faces = range(1, len(state.pool) + 1)
    return tuple(sum(can_discard(state, seat, face, count) for count in (1, 2)) for face in faces)


def payments_of(own: Seat, cost: str, police: bool) -> Sequence[Payment]:
    """Every way in which a seat may pay a cost."""
    hands = (payments(cost, hand, own.bonuses[PAINT], police) for hand in own.hands)
    return list(dict.fromkeys(way for ways in hands for way in ways))


# --- beside the actions -----------------------------------------------------------------------


def _choose(kind: type[Event], told: tuple[Any, ...], choices: Sequence[tuple[Any, ...]]) -> _Choices:
    """Moves without cans."""
    return _Choices(len(choices), kind, told, choices, NO_CANS)


def _bonus_uses(state: State, seat: int) -> Iterator[_Choices]:
    if not any(state.seats[seat].bonuses) or state.phase == "neutral_paint":
        return
    for bonus in ("points",) if state.phase == "keep" else USED_ALONE:
        if usable(state, seat, bonus):
            reserves = bonus == "reserve"
            parts = [(state.printed.parts[part].id,) for part in reservable(state)] if reserves else [(None,)]
            yield _choose(BonusUsed, (seat, bonus), parts)


def _neutrals(state: State, seat: int) -> _Choices:
    parts = state.printed.sections[state.neutral_section - 1]
    open_ones = [(state.printed.parts[part].id,) for part in parts if state.parts[part] == OPEN]
    return _choose(NeutralPainted, (seat,), open_ones)


def _keepings(state: State, seat: int) -> Iterator[_Choices]:
    hands = keepable(state, seat)
    yield _choose(PaintKept, (seat,), [(kinds, ()) for kinds in _subsets_up_to(hands, KEPT)])
    if state.seats[seat].bonuses[SAVE]:
        three = [kinds for kinds in _subsets_up_to(hands, KEPT_WITH_SAVE) if len(kinds) > KEPT]
        yield _choose(PaintKept, (seat,), [(kinds, ("save",)) for kinds in three])


@lru_cache(maxsize=4096)
def _subsets_up_to(hands: tuple[Hand, ...], most: int) -> tuple[tuple[str, ...], ...]:
    """Everything of at most so many tiles that one of these hands holds."""
    found = {
        counts: None
        for hand in hands
        for counts in product(*(range(min(count, most) + 1) for count in hand))
        if sum(counts) <= most
    }
    return tuple(kinds_of(counts) for counts in found)


# --- luck -------------------------------------------------------------------------------------


def chances(state: State) -> Chances:
    """What luck may bring: each tile of a pile with equal chance, so a face counts as often as it may be there."""
    if LUCK not in to_act(state).must:
        return Chances(())
    due = due_of_luck(state)
    if due is GameStarted:
        return Chances([GameStarted(seat) for seat in range(len(state.seats))])
    if due is BonusRevealed:
        slot = bonus_gap(state)
        assert slot is not None
        weighted = [(BonusRevealed(slot, bonus), n) for bonus, n in zip(BONUSES, state.bonus_pool, strict=True) if n]
        return Chances([move for move, _ in weighted], [weight for _, weight in weighted])
    faces = [face for face, count in enumerate(state.pool, 1) if count]
    weights = [count for count in state.pool if count]
    if due is PermitRevealed:
        slot = permit_gap(state)
        assert slot is not None
        return Chances([PermitRevealed(slot, face) for face in faces], weights)
    if due is PermitDrawn:
        seat = seat_to_draw(state)
        assert seat is not None
        return Chances([PermitDrawn(seat, face) for face in faces], weights)
    drawn = BlockDrawn if due is BlockDrawn else NeutralDrawn
    return Chances([drawn(face) for face in faces], weights)
