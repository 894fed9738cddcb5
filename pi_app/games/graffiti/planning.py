"""Whole paintings planned ahead: what a part needs, what that costs in this round, and which ones together bring most.

Worth is counted in hundredths of a point: whole numbers, so that the same seed gives the same game everywhere.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from pi_app.engine.values import changed, with_item
from pi_app.games.graffiti.rules.judging import can_discard
from pi_app.games.graffiti.rules.model import CANS, OPEN, Space, State
from pi_app.games.graffiti.rules.paying import KINDS, Hand, contains, hand_of, minus, packed, payments, plus

POINT: Final = 100
CAN: Final = 260
"""What a can brings on average."""
TILE: Final = {"R": 150, "Y": 150, "B": 150, "G": 190, "K": 190, "RY": 210, "RB": 210, "YB": 210}
"""What a paint tile is worth that can be kept."""
PERMIT, SPARE_PERMIT = 140, 60
"""A permit for a section that one has none for, and any more."""
BONUS_WORTH: Final = {
    "points": 200,
    "paint": 200,
    "permit": 130,
    "extra": 90,
    "reserve": 70,
    "add": 120,
    "reduce": 250,
    "save": 120,
}
SURE: Final = (100, 80, 62, 52)
"""In percent, how likely a graffiti gets finished of which so many parts are open."""
SHARED: Final = 20
"""In percent, how much more a tag is worth when its graffiti is finished for sure."""
LOOKED_AT: Final = 5
"""How many paintings are followed further at each step of a plan."""
AHEAD: Final = 3
"""How many paintings a plan has at most."""
WAYS: Final = 12
"""How many ways to pay are looked at, those with the fewest tiles to take."""


# --- what may be paid -------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _ways_to_pay(cost: str, jokers: int) -> tuple[tuple[Hand, int], ...]:
    """Tiles that pay a cost, and how many jokers beside them; no way that only adds tiles to another."""
    every = payments(cost, packed((len(cost),) * len(KINDS)), jokers, police=False)
    ways = [(hand_of(way.paints), way.jokers) for way in every]
    return tuple(
        (tiles, used)
        for tiles, used in ways
        if not any((other, more) != (tiles, used) and more <= used and contains(tiles, other) for other, more in ways)
    )


class _Shopping(NamedTuple):
    """A way to pay from a hand."""

    bought: Hand
    """What is to be taken first."""
    kinds: tuple[tuple[int, int], ...]
    """The same: numbers of kinds, and how many."""
    tiles: int
    paid: Hand
    jokers: int
    loss: int
    """What is given away of what one had."""


@lru_cache(maxsize=20_000)
def _shopping(cost: str, hand: Hand, jokers: int) -> tuple[_Shopping, ...]:
    """Ways to pay from a hand, those with the fewest tiles to take."""
    found = []
    for paid, used in _ways_to_pay(cost, jokers):
        bought = tuple(max(0, n - h) for n, h in zip(paid, hand, strict=True))
        kinds = tuple((number, count) for number, count in enumerate(bought) if count)
        loss = used * BONUS_WORTH["paint"] + _worth_of_paint(paid) - _worth_of_paint(bought)
        found.append(_Shopping(bought, kinds, sum(bought), paid, used, loss))
    found.sort(key=lambda way: (way.tiles + way.jokers, sum(way.paid)))
    return tuple(found[:WAYS])


def lacking(cost: str, hand: Hand) -> int:
    """How many tiles more a part needs."""
    return _shopping(cost, hand, 0)[0].tiles


def _worth_of_paint(paint: Hand) -> int:
    return sum(count * TILE[kind] for kind, count in zip(KINDS, paint, strict=True))


# --- what it costs to get there ---------------------------------------------------------------


class Target(NamedTuple):
    """A part that may be painted."""

    number: int
    section: int
    cost: str
    worth: int


class Market(NamedTuple):
    """What can be had in this round, and for how many cans."""

    targets: tuple[Target, ...]
    paint: tuple[tuple[int, ...], ...]
    """By kind, the cans that its free spaces ask for, cheapest first."""
    sections: tuple[tuple[int, ...], ...]
    """The same for the spaces of every section."""
    permits: tuple[tuple[int, tuple[int, ...]], ...]
    """Spaces of the permit board with the faces that lie open there: as bits, and the faces."""


class Purse(NamedTuple):
    """What a plan has left."""

    cans: int
    hand: Hand
    permits: tuple[int, ...]
    jokers: int
    free_entries: int
    """Bonus tiles that stand for a permit."""
    police: bool
    painted: int = 0
    """Parts, as a mask."""
    taken: Hand = (0,) * len(KINDS)
    """Tiles taken, by kind."""
    visited: tuple[int, ...] = ()
    """Sections, once for each painting there."""
    asked: int = 0
    """Permit spaces used, as a mask."""


class Step(NamedTuple):
    """One painting of a plan, with all that has to be taken for it."""

    target: Target
    bought: Hand
    permits: int
    """The permit space to be used first, as a bit; 0 where none is needed."""


def market_now(state: State, seat: int) -> Market:
    printed, own = state.printed, state.seats[seat]
    reserved = {other.reserved for other in state.seats if other is not own}
    targets = tuple(
        Target(number, part.section, part.cost, _worth_of(state, seat, number))
        for number, part in enumerate(printed.parts)
        if state.parts[number] == OPEN and number not in reserved and part.section != state.pawn
    )
    may_add = own.has("add") > 0
    paint: list[tuple[int, ...]] = []
    for number, kind in enumerate(KINDS):
        prices: list[int] = []
        for space in printed.paint_spaces:
            if kind in space.kinds:
                prices += [space.cans] * CANS if space.unlimited else _asked(state, space, may_add)
        paint.append(tuple(sorted(prices)[: state.reserve[number]]))
    permits = tuple(
        (1 << number, tuple(state.slots[slot - 1] for slot in space.slots if state.slots[slot - 1]))
        for number, space in enumerate(printed.permit_spaces)
        if _asked(state, space, may_add)
    )
    sections = tuple(
        tuple(sorted(cans for space in spaces for cans in _asked(state, space, may_add))) for spaces in printed.tunnel
    )
    return Market(targets, tuple(paint), sections, permits)


def _asked(state: State, space: Space, may_add: bool) -> list[int]:
    """The cans that a space asks for, if it can be used."""
    if state.closed >> space.number & 1:
        return []
    if state.occupied >> space.number & 1:
        return [space.cans] if may_add and space.cans == 1 else []
    return [space.cans]


def market_next(state: State, seat: int) -> Market:
    """All spaces are free again, and which permits will lie open is not known."""
    freed = changed(state, occupied=0, closed=0, slots=(0,) * len(state.slots))
    return market_now(freed, seat)


def purse_of(state: State, seat: int, cans: int, hand: Hand) -> Purse:
    own = state.seats[seat]
    faces = range(1, len(own.permits) + 1)
    permits = own.permits if not own.unknown else tuple(int(can_discard(state, seat, face)) for face in faces)
    return Purse(cans, hand, permits, own.has("paint"), own.has("permit"), state.police == seat)


def _worth_of(state: State, seat: int, number: int) -> int:
    """Points now, and what a tag there may be worth in the end."""
    part = state.printed.parts[number]
    parts = state.printed.graffiti[part.graffiti].parts
    left = sum(state.parts[other] == OPEN for other in parts) - 1
    worth = part.points * POINT + len(parts) * SURE[min(left, len(SURE) - 1)]
    if not left:  # others' tags are sure then, too, and so are one's own
        tags = [state.parts[other] for other in parts]
        gains = [tags.count(other) for other in range(len(state.seats))]
        worth += len(parts) * SHARED * (gains[seat] - max(g for other, g in enumerate(gains) if other != seat))
    return worth


# --- plans ------------------------------------------------------------------------------------


def _steps(market: Market, purse: Purse) -> Iterator[tuple[int, Step, Purse]]:
    """Every part that can be painted in this round, each in its best way: gain, how, and what is left then."""
    for target in market.targets:
        spaces, before = market.sections[target.section - 1], purse.visited.count(target.section)
        if purse.painted >> target.number & 1 or before >= len(spaces):
            continue
        cans = spaces[before] - (purse.police and spaces[before] > 1)
        entry = _entry(market, purse, target.section)
        if entry is None:
            continue
        cans += entry.fetched > 0
        payment = _best_payment(market, purse, target.cost, purse.cans - cans)
        if payment is None:
            continue
        cans += payment.cans
        gain = target.worth - entry.loss - payment.loss - cans * CAN
        after = Purse(
            purse.cans - cans,
            minus(plus(purse.hand, payment.bought), payment.paid),
            entry.permits,
            purse.jokers - payment.jokers,
            purse.free_entries - entry.free,
            purse.police,
            purse.painted | 1 << target.number,
            plus(purse.taken, payment.bought),
            (*purse.visited, target.section),
            purse.asked | entry.fetched,
        )
        yield gain, Step(target, payment.bought, entry.fetched), after


class _Entry(NamedTuple):
    """How a section is entered."""

    permits: tuple[int, ...]
    """What is left of them."""
    loss: int
    fetched: int = 0
    """The permit space to be used first, as a bit; 0 where none is needed."""
    free: int = 0
    """Bonus tiles used."""


def _entry(market: Market, purse: Purse, section: int) -> _Entry | None:
    index, held = section - 1, purse.permits
    if held[index]:
        return _Entry(with_more(held, index, -1), PERMIT if held[index] == 1 else SPARE_PERMIT)
    for bit, faces in market.permits:
        if section in faces and not purse.asked & bit:
            for face in faces:
                held = with_more(held, face - 1)
            return _Entry(with_more(held, index, -1), -PERMIT * (len(faces) - 1), bit)
    if purse.free_entries:
        return _Entry(held, BONUS_WORTH["permit"], free=1)
    pair = next((other for other, count in enumerate(held) if count > 1), None)
    return None if pair is None else _Entry(with_more(held, pair, -2), PERMIT + SPARE_PERMIT)


def with_more(counts: tuple[int, ...], index: int, by: int = 1) -> tuple[int, ...]:
    return with_item(counts, index, counts[index] + by)


class _Payment(NamedTuple):
    cans: int
    """For what has to be taken first."""
    bought: Hand
    paid: Hand
    jokers: int
    loss: int
    """What is given away of what one had."""

    @property
    def cost(self) -> int:
        return self.loss + self.cans * CAN


def _best_payment(market: Market, purse: Purse, cost: str, cans: int) -> _Payment | None:
    best: _Payment | None = None
    for bought, kinds, tiles, paid, jokers, loss in _shopping(cost, purse.hand, min(purse.jokers + purse.police, 2)):
        price = _price(market, purse, kinds) if tiles <= cans else None
        if price is None or price > cans:
            continue
        payment = _Payment(price, bought, paid, jokers, loss)
        if purse.police and jokers:
            payment = _with_police(purse, payment)
        if payment.jokers <= purse.jokers and (best is None or payment.cost < best.cost):
            best = payment
    return best


def _with_police(purse: Purse, payment: _Payment) -> _Payment:
    """With him any tile that is left stands for a colour, instead of a joker."""
    spare = [number for number in range(len(KINDS)) if purse.hand[number] > payment.paid[number]]
    if not spare:
        return payment
    number = min(spare, key=lambda number: TILE[KINDS[number]])
    loss = payment.loss - BONUS_WORTH["paint"] + TILE[KINDS[number]]
    return payment._replace(paid=with_more(payment.paid, number), jokers=payment.jokers - 1, loss=loss)


def _price(market: Market, purse: Purse, kinds: tuple[tuple[int, int], ...]) -> int | None:
    """The cans for which so many tiles of these kinds can be taken, if they can."""
    price = 0
    for number, count in kinds:
        taken = purse.taken[number]
        prices = market.paint[number][taken : taken + count]
        if len(prices) < count:
            return None
        price += sum(prices)
    return price


def plan(market: Market, purse: Purse, ahead: int = AHEAD) -> tuple[int, list[Step]]:
    """The paintings that together bring most in this round, and what they bring over idle cans."""
    found = sorted(_steps(market, purse), key=lambda step: -step[0])
    best: tuple[int, list[Step]] = (0, [])
    for gain, step, after in found[: LOOKED_AT if ahead > 1 else 1]:
        later, steps = plan(market, after, ahead - 1) if ahead > 1 else (0, [])
        if gain + later > best[0]:
            best = gain + later, [step, *steps]
    return best
