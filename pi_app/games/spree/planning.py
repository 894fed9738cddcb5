"""Where to go with the steps that are left: through which shops, past whom, and where to end.

A plan is worth what lies in the cart then, the less the further the car is; what the cards in hand promise from there;
and another turn, if a shot from there is likely to hit.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pi_app.games.spree.rules.cards import JOKER, OF_RANK, RANK, STEPS, Cards
from pi_app.games.spree.rules.mall import NO_GOODS, Mall
from pi_app.games.spree.rules.model import FACES, Seat, State
from pi_app.games.spree.rules.shooting import aim_at, can_shoot
from pi_app.games.spree.rules.walks import Path

CARRIED: Final = 0.965
"""What is left of the worth of a cart with every step to the car: on the way it may be robbed."""
WANTED: Final = 0.94
"""The same for a card in hand and its shop."""
PROMISE: Final = 0.45
"""What a card in hand is worth at the door of its shop, of what it brings there."""
ANOTHER_TURN: Final = 11.0
"""In points."""
FALLING: Final = 0.12
"""What of a cart is lost by lying on the ground."""
VICTORY: Final = 1000.0
KEPT_CARD: Final = 4.0
"""What it costs to play a card that would be good for something else."""
SPARED_JOKER: Final = 8.0
MOST_ENDS: Final = 4
"""So many of the best routes are thought through to where they end."""


class Plan(NamedTuple):
    value: float
    path: Path
    """The way to the first thing to do, or to where the turn ends."""


class _Goal(NamedTuple):
    square: int
    points: float
    card: int
    """What is played for it."""


class _Route(NamedTuple):
    promising: float
    """A first guess of its worth."""
    first: int
    """The stand where its first leg ends; the start, if it has none."""
    stand: int
    steps: int
    cart: float
    hand: Cards


def points_in(state: State, seat: Seat) -> int:
    points = state.printed.points
    return sum([points[card] for card in seat.cart])


def best_plan(state: State, seat: int, steps: int, hand: Cards) -> Plan:
    """With so many steps, and these cards in hand."""
    own, walks = state.seats[seat], state.printed.mall.walks
    start = walks.stand[state.before, own.square]
    routes = sorted(_routes(state, seat, start, steps, hand), key=lambda route: -route.promising)
    best = Plan(-VICTORY, ())
    shots = shot_values(state, seat, points_in(state, own))
    for route in routes[:MOST_ENDS]:
        value, end = _best_end(state, own, route, shots)
        if value > best.value:
            best = Plan(value, walks.path(start, end if route.first == start else route.first))
    return best


def _goals(state: State, seat: int, hand: Cards) -> list[_Goal]:
    own, printed, shops = state.seats[seat], state.printed, shops_of(state.printed.mall)
    goals = [
        _Goal(shops[card], float(printed.points[card] * min(hand.count(card), 2)), card)
        for card in dict.fromkeys(hand)
        if card in shops
    ]
    for victim, other in enumerate(state.seats):
        if victim != seat and other.cart and other.square != own.square:
            goals += [_Goal(other.square, gain, card) for gain, card, _ in robberies(state, hand, victim)]
    return goals


def robberies(state: State, hand: Cards, victim: int) -> list[tuple[float, int, str]]:
    """What is gained by robbing somebody, with which card, of which rank; the best first, each card once."""
    points, found = state.printed.points, []
    cart = state.seats[victim].cart
    for rank in dict.fromkeys([RANK[card] for card in cart if card != JOKER]):
        loot = sum([points[card] for card in cart if RANK[card] == rank])
        cards = [card for card in hand if card in OF_RANK[rank]][:1] or [card for card in hand if card == JOKER][:1]
        found += [(loot - (SPARED_JOKER if card == JOKER else KEPT_CARD), card, rank) for card in cards]
    best: dict[int, tuple[float, int, str]] = {}
    for one in sorted(found, reverse=True):
        best.setdefault(one[1], one)
    return [one for one in best.values() if one[0] > 0]


@lru_cache(maxsize=16)
def shops_of(mall: Mall) -> dict[int, int]:
    return {card: square for square, card in enumerate(mall.goods) if card != NO_GOODS}


def _routes(state: State, seat: int, start: int, steps: int, hand: Cards) -> Iterator[_Route]:
    """Every order of goals that is not too far."""
    walks, own = state.printed.mall.walks, state.seats[seat]
    goals = _goals(state, seat, hand)
    carried = _carried(state.printed.mall, own.car)
    todo: list[tuple[_Route, Sequence[_Goal]]] = [
        (_Route(0.0, start, start, steps, float(points_in(state, own)), hand), goals)
    ]
    while todo:
        route, left = todo.pop()
        yield route._replace(promising=route.cart * carried[walks.squares[route.stand]])
        tree = walks.tree(route.stand)
        for number, goal in enumerate(left):
            away = tree.nearest[goal.square]
            if away <= route.steps:
                arrival = tree.arrivals[goal.square]
                first = arrival if route.first == start else route.first
                rest = [*left[:number], *(other for other in left[number + 1 :] if other.card != goal.card)]
                cards = tuple([card for card in route.hand if card != goal.card])
                gone = _Route(0.0, first, arrival, route.steps - away, route.cart + goal.points, cards)
                todo.append((gone, rest))


def _best_end(state: State, own: Seat, route: _Route, shots: dict[int, float]) -> tuple[float, int]:
    """Where to go with the steps that are left after the last goal: to the car, to shoot, or towards the next goals."""
    mall = state.printed.mall
    walks, shops = mall.walks, shops_of(mall)
    carried = _carried(mall, own.car)
    promises = [_promise(mall, shops[card], state.printed.points[card]) for card in route.hand if card in shops]
    best, end = -VICTORY, route.stand
    tree = walks.tree(route.stand)
    reach = walks.reached(route.stand, route.steps)
    for stand in (route.stand, *tree.order[:reach]):
        square = walks.squares[stand]
        if square == own.car and not route.cart and state.printed.driving and stand != route.stand:
            continue  # to get in would cost a turn
        value = route.cart * carried[square] + shots.get(square, 0.0)
        for promise in promises:
            value += promise[square]
        if square == own.car and route.cart and own.banked + route.cart >= state.printed.target:
            value += VICTORY
        if value > best:
            best, end = value, stand
    return best, end


@lru_cache(maxsize=1024)
def _carried(mall: Mall, car: int) -> tuple[float, ...]:
    return tuple(CARRIED**steps for steps in mall.walks.tree(car).nearest)


@lru_cache(maxsize=1024)
def _promise(mall: Mall, shop: int, points: int) -> tuple[float, ...]:
    return tuple(PROMISE * points * WANTED**steps for steps in mall.walks.tree(shop).nearest)


def chance_to_hit(state: State, away: int) -> float:
    return min(1.0, max(0, len(FACES) + state.printed.power - away) / len(FACES))


def shot_values(state: State, seat: int, cart: int) -> dict[int, float]:
    """By square, what the best shot from there is worth; no squares from which none is worth anything."""
    printed, own = state.printed, state.seats[seat]
    values: dict[int, float] = {}
    for number, other in enumerate(state.seats):
        if number == seat or other.lying or (other.at_car and not printed.driving):
            continue
        for line in printed.mall.lines[other.square]:
            for away, square in enumerate(line[: len(FACES)], 1):
                hit = chance_to_hit(state, away)
                value = hit * ANOTHER_TURN - (1 - hit) * FALLING * cart
                if value > values.get(square, 0.0) and (square != own.car or printed.driving):
                    values[square] = value
    return values


def best_shot(state: State, seat: int, cart: int) -> int | None:
    """Whom to shoot at; None if it is better not to."""
    best, target = 0.0, None
    for victim, other in enumerate(state.seats):
        aim = aim_at(state, seat, victim)
        if victim != seat and aim is not None and can_shoot(state, seat, victim):
            hit = chance_to_hit(state, aim.away)
            value = hit * (ANOTHER_TURN + FALLING * points_in(state, other)) - (1 - hit) * FALLING * cart
            if value > best:
                best, target = value, victim
    return target


def promised(state: State, square: int, hand: Cards) -> float:
    """What the cards in hand promise from a square."""
    mall, shops = state.printed.mall, shops_of(state.printed.mall)
    return sum(_promise(mall, shops[card], state.printed.points[card])[square] for card in hand if card in shops)


def step_plans(state: State, seat: int, hand: Cards) -> Iterator[tuple[Plan, int, int]]:
    """What further steps would be good for: the plan, the card and its steps; what the card is worth is taken off."""
    for card in dict.fromkeys(hand):
        for steps in STEPS.get(card, ())[-1:]:
            left = list(hand)
            left.remove(card)
            plan = best_plan(state, seat, state.steps + steps, tuple(left))
            yield plan._replace(value=plan.value - (SPARED_JOKER if card == JOKER else KEPT_CARD)), card, steps
