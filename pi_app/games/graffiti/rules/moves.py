"""Every legal move of a seat or of luck, counted and indexed without being listed.

Painting is a product: where the cans are put, which permits are discarded and how a part is paid do not hang on each
other. Everything else is a short list, and what can be done on a board is remembered.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple

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
    MOST_CANS,
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
from pi_app.games.graffiti.rules.paying import KINDS, NUMBER, Hand, Payment, colours_of, kinds_of, packed, payments

ADD, PAINT, PERMIT, REDUCE, SAVE = (BONUS[name] for name in ("add", "paint", "permit", "reduce", "save"))


class Way(NamedTuple):
    """How the cans of an action may be put on a space: how many, with which bonus tiles, and the policeman."""

    cans: int
    bonuses: tuple[str, ...]
    police: bool = False


class _Listed(NamedTuple):
    """Moves that are told one by one."""

    size: int
    moves: Sequence[Event]

    def at(self, index: int) -> Event:
        return self.moves[index]


class _Choices(NamedTuple):
    """Moves of one type that differ in what they tell last."""

    size: int
    kind: type[Event]
    told: tuple[Any, ...]
    choices: Sequence[tuple[Any, ...]]

    def at(self, index: int) -> Event:
        return self.kind(*self.told, *self.choices[index])


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
        self._blocks: list[_Listed | _Choices | _Paintings] = []
        if state.phase == "play" and seat == state.turn:
            self._blocks += _actions(state, seat)
            self._blocks += _paintings(state, seat)
            self._blocks += _bonus_uses(state, seat)
        else:
            must, may = to_act(state)
            if seat in must and state.phase == "keep":
                self._blocks += _keepings(state, seat)
            elif seat in must:
                self._blocks.append(_neutrals(state, seat))
            if seat in must or seat in may:
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


def _ways_onto(
    space: Space, cans: int, reduces: int, may_add: bool, occupied: int, closed: int, police: bool = False
) -> tuple[Way, ...]:
    """How somebody with so many cans and bonus tiles may put cans on a space; spaces are masks."""
    taken = occupied >> space.number & 1 and not space.unlimited
    if closed >> space.number & 1 or (taken and not (may_add and space.cans == 1)):
        return ()
    return _ways(space.cans, cans, reduces, bool(taken), police)


def ways_onto(state: State, own: Seat, space: Space, police: bool) -> tuple[Way, ...]:
    """How a seat may put cans on a space now."""
    able = own.cans, own.bonuses[REDUCE], own.bonuses[ADD] > 0
    return _ways_onto(space, *able, state.occupied, state.closed, police)


class _Taking(NamedTuple):
    """An action that takes something, for whoever can put cans on its space."""

    space: Space
    thing: int
    """What is taken, as a bit of `_things_there`."""
    kind: Callable[..., Event]
    told: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class _Board:
    """The actions on one board, and all that it hangs on which of them are possible."""

    spaces: int
    """Those that fill up, as a mask."""
    things: int
    takings: tuple[_Taking, ...]


@lru_cache(maxsize=16)
def _boards(printed: Printed) -> tuple[_Board, ...]:
    """Paint of one colour and of two, permits, bonus tiles: the smaller a board, the sooner the same comes again."""
    plain, mixed = (
        [
            _Taking(space, 1 << NUMBER[kind], PaintTaken, (space.id, kind))
            for space in printed.paint_spaces
            for kind in space.kinds
            if len(kind) == colours
        ]
        for colours in (1, 2)
    )
    first = len(KINDS)
    permits = [
        _Taking(space, 1 << first + number, PermitsTaken, (space.id,))
        for number, space in enumerate(printed.permit_spaces)
    ]
    first += len(permits)
    police = 1 << first + len(printed.bonus_spaces)
    bonuses = []
    for number, space in enumerate(printed.bonus_spaces):
        bonuses.append(_Taking(space, 1 << first + number, BonusTaken, (number + 1,)))
        if printed.police_space is None:
            bonuses.append(_Taking(space, police, PoliceTaken, (number + 1,)))
    if printed.police_space is not None:
        bonuses.append(_Taking(printed.police_space, police, PoliceTaken, (None,)))
    return tuple(_board(takings) for takings in (plain, mixed, permits, bonuses))


def _board(takings: Sequence[_Taking]) -> _Board:
    spaces = {1 << taking.space.number for taking in takings if not taking.space.unlimited}
    return _Board(sum(spaces), sum({taking.thing for taking in takings}), tuple(takings))


def _actions(state: State, seat: int) -> list[_Listed]:
    """All but paintings."""
    own, there, occupied, closed = state.seats[seat], _things_there(state), state.occupied, state.closed
    able = seat, min(own.cans, MOST_CANS), min(own.bonuses[REDUCE], MOST_CANS), own.bonuses[ADD] > 0
    return [
        _passing(seat),
        *(
            _takings(board, able, there & board.things, occupied & board.spaces, closed & board.spaces)
            for board in _boards(state.printed)
        ),
    ]


@cache
def _passing(seat: int) -> _Listed:
    return _Listed(1, (Passed(seat),))


@lru_cache(maxsize=16_384)
def _takings(board: _Board, able: tuple[int, int, int, bool], there: int, occupied: int, closed: int) -> _Listed:
    """What a seat with so many cans and bonus tiles can do on a board. The same comes again and again."""
    seat, cans, reduces, may_add = able
    moves = [
        _move(kind, seat, told, way)
        for space, thing, kind, told in board.takings
        if there & thing
        for way in _ways_onto(space, cans, reduces, may_add, occupied, closed)
    ]
    return _Listed(len(moves), moves)


@lru_cache(maxsize=4096)
def _move(kind: Callable[..., Event], seat: int, told: tuple[Any, ...], way: Way) -> Event:
    """One event for all lists that it is in."""
    return kind(seat, *told, way.cans, way.bonuses)


def _things_there(state: State) -> int:
    """What can be taken, as bits: kinds of paint, permits by space, bonus tiles by slot, the policeman."""
    permit_spaces = state.printed.permit_spaces
    if 0 in state.reserve:
        things = sum(1 << number for number, left in enumerate(state.reserve) if left)
    else:
        things = (1 << len(KINDS)) - 1
    shift = len(KINDS)
    if 0 in state.slots:
        for number, space in enumerate(permit_spaces, shift):
            there = any(state.slots[slot - 1] for slot in space.slots) or (space.pile and can_draw(state))
            things |= bool(there) << number
    else:
        things |= ((1 << len(permit_spaces)) - 1) << shift
    shift += len(permit_spaces)
    for number, tile in enumerate(state.bonus_slots, shift):
        if tile:
            things |= 1 << number
    return things | (state.police is None) << shift + len(state.bonus_slots)


def _paintings(state: State, seat: int) -> Iterator[_Paintings]:
    printed, own = state.printed, state.seats[seat]
    held = own.permits if not own.unknown else _may_hold(state, seat)
    anywhere: list[tuple[int, ...] | None] = [(face, face) for face, count in enumerate(held, 1) if count > 1]
    if own.bonuses[PERMIT]:
        anywhere.append(None)
    police, jokers = state.police == seat, own.bonuses[PAINT]
    able = own.cans, own.bonuses[REDUCE], own.bonuses[ADD] > 0
    hands, most = [packed(hand) for hand in own.hands], max(map(colours_of, own.hands)) + jokers
    reserved = {other.reserved for other in state.seats if other is not own}
    for section, spaces in enumerate(printed.tunnel, 1):
        if not (held[section - 1] or anywhere) or section == state.pawn:
            continue
        paid: list[tuple[str, Payment]] = []
        for number in printed.sections[section - 1]:
            part = printed.parts[number]
            if len(part.cost) <= most and state.parts[number] == OPEN and number not in reserved:
                paid += _paid(part.id, part.cost, hands[0], jokers, police)
                if len(hands) > 1:
                    others = (_paid(part.id, part.cost, other, jokers, police) for other in hands[1:])
                    paid = list(dict.fromkeys(chain(paid, *others)))
        if not paid:
            continue
        ways = [
            (space.id, way)
            for space in spaces
            for way in _ways_onto(space, *able, state.occupied, state.closed, police)
        ]
        if ways:
            permits = [(section,), *anywhere] if held[section - 1] else anywhere
            yield _Paintings(len(ways) * len(permits) * len(paid), seat, ways, permits, paid)


def payments_of(own: Seat, cost: str, police: bool) -> list[Payment]:
    """Every way in which a seat may pay a cost."""
    ways = (payments(cost, packed(hand), own.bonuses[PAINT], police) for hand in own.hands)
    return list(dict.fromkeys(chain.from_iterable(ways)))


@lru_cache(maxsize=100_000)
def _paid(part: str, cost: str, hand: int, jokers: int, police: bool) -> list[tuple[str, Payment]]:
    return [(part, payment) for payment in payments(cost, hand, jokers, police)]


def _may_hold(state: State, seat: int) -> tuple[int, ...]:
    """By section, how many permits a seat may have; two are as good as more."""
    faces = range(1, len(state.pool) + 1)
    return tuple(sum(can_discard(state, seat, face, count) for count in (1, 2)) for face in faces)


# --- beside the actions -----------------------------------------------------------------------


def _choose(kind: type[Event], told: tuple[Any, ...], choices: Sequence[tuple[Any, ...]]) -> _Choices:
    """Moves without cans."""
    return _Choices(len(choices), kind, told, choices)


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
    found = (combinations(kinds_of(hand), size) for hand in hands for size in range(most + 1))
    return tuple(dict.fromkeys(chain.from_iterable(found)))


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
