"""Players for simulations: one that plans its ways and weighs what others do, a greedy one, one without a thought.

They know what their seat may know: all that lies openly, and their own hand.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pi_app.engine.events import Event
from pi_app.games.spree.planning import best_plan, best_shot, points_in, promised, robberies, shops_of, step_plans
from pi_app.games.spree.rules.cards import JOKER, NAMES, RANK, STOPS
from pi_app.games.spree.rules.judging import can_stop, cards_of, to_act
from pi_app.games.spree.rules.mall import PARKING
from pi_app.games.spree.rules.model import (
    Act,
    Banked,
    CarLeft,
    CarParked,
    Drove,
    GoodsTaken,
    Robbed,
    Seat,
    Settled,
    ShotFired,
    State,
    StepCardPlayed,
    StopPlayed,
    TurnEnded,
    Walked,
)
from pi_app.games.spree.rules.moves import SeatMoves
from pi_app.games.spree.rules.shooting import aim_at, can_shoot

Bot = Callable[[State, int, random.Random], Event | None]

NEAR: Final = 3
"""So far away a greedy thief shoots."""
FULL: Final = 30
"""So many points in its cart it brings to the car."""
STOP_COST: Final = {card: 6.0 if card == JOKER else 9.0 for card in STOPS}
"""In points, what it costs to play a card as a stop."""
FALL: Final = 0.4
"""What of a cart is in danger when its owner is shot, and what it costs besides that the other has another turn."""
TURN: Final = 5.0


# --- without a thought ------------------------------------------------------------------------


def random_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Anything: first what to do, then how. Where it may, it also lets dice decide or others do as they like."""
    moves = SeatMoves(state, seat)
    kinds: dict[str, list[int]] = {"walked": list(range(moves.walks))} if moves.walks else {}
    for index in range(moves.walks, len(moves)):
        kinds.setdefault(moves[index].type, []).append(index)
    may_pass = seat in to_act(state).may
    kind = rng.choice([*kinds, ""] if may_pass else list(kinds))
    return moves[rng.choice(kinds[kind])] if kind else None


# --- greedy -----------------------------------------------------------------------------------


def greedy_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Takes what it can, brings it to the car when the cart is full, shoots at who is near, and stops nobody."""
    own = state.seats[seat]
    if state.phase == "park":
        return _park(state, seat, rng)
    if state.pending is not None:
        return Settled() if seat == state.turn else None
    move = _at_hand(state, seat, own)
    if move is not None or not state.dice:
        return move
    points = points_in(state, own)
    if state.steps and not own.in_car:
        homeward = points >= FULL or own.banked + points >= state.printed.target
        path = _towards(state, own, [own.car] if homeward else _shops_wanted(state, own))
        if path:
            return Walked(seat, path)
    for victim in range(len(state.seats)):
        aim = aim_at(state, seat, victim)
        if victim != seat and aim is not None and aim.away <= NEAR and can_shoot(state, seat, victim):
            return ShotFired(seat, victim)
    return TurnEnded(seat)


def _park(state: State, seat: int, rng: random.Random) -> Event:
    """Where the cards in hand promise most."""
    places = [(promised(state, place, state.seats[seat].hand), rng.random(), place) for place in _free_places(state)]
    return CarParked(seat, state.printed.mall.names[max(places)[2]])


def _free_places(state: State) -> list[int]:
    taken = {seat.car for seat in state.seats}
    return [place for place in state.printed.mall.places if place not in taken]


def _shops_wanted(state: State, own: Seat) -> list[int]:
    shops = shops_of(state.printed.mall)
    return [shops[card] for card in own.hand if card in shops]


def _towards(state: State, own: Seat, goals: Sequence[int]) -> tuple[str, ...]:
    """The way to the nearest of these squares, as far as steps go."""
    mall = state.printed.mall
    start = mall.walks.stand[state.before, own.square]
    tree = mall.walks.tree(start)
    away = [goal for goal in goals if goal != own.square]
    if not away:
        return ()
    nearest = min(away, key=lambda goal: tree.nearest[goal])
    path = mall.walks.path(start, tree.arrivals[nearest])[: state.steps]
    return tuple(mall.names[square] for square in path)


def _at_hand(state: State, seat: int, own: Seat) -> Event | None:
    """What can be done without going anywhere: get out, unload, take, rob."""
    mall = state.printed.mall
    if own.lying:
        return TurnEnded(seat)
    if own.in_car:
        return _in_car(state, seat, own)
    if own.at_car:
        return Banked(seat) if own.cart else None
    goods = mall.goods[own.square]
    if goods in own.hand:
        return GoodsTaken(seat, mall.names[own.square], (NAMES[goods],) * min(2, own.hand.count(goods)))
    for victim, other in enumerate(state.seats):
        if victim != seat and other.square == own.square:
            for _, card, rank in robberies(state, own.hand, victim):
                return Robbed(seat, victim, NAMES[card], rank)
    return None


def _in_car(state: State, seat: int, own: Seat) -> Event | None:
    """Out as soon as the car is parked."""
    mall = state.printed.mall
    if mall.kinds[own.square] == PARKING:
        return CarLeft(seat)
    if not state.dice:
        return None
    drives = [move for move in SeatMoves(state, seat) if isinstance(move, Drove)]
    parking = [move for move in drives if mall.kinds[mall.number[move.path[-1]]] == PARKING]
    return next(iter((*parking, *drives)), TurnEnded(seat))


# --- planning ---------------------------------------------------------------------------------


def planner_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Plans its way through shops, past carts and to where it can shoot, and stops what harms it."""
    own = state.seats[seat]
    if state.phase == "park":
        return _park(state, seat, rng)
    if state.pending is not None:
        stop = _stop(state, seat, own)
        return stop or (Settled() if seat == state.turn else None)
    move = _at_hand(state, seat, own)
    if move is not None or not state.dice:
        return move
    return _go(state, seat, own) or _shoot(state, seat, own) or TurnEnded(seat)


def _go(state: State, seat: int, own: Seat) -> Event | None:
    if own.in_car:
        return None
    mall = state.printed.mall
    plan = best_plan(state, seat, state.steps, own.hand)
    if not own.at_car:
        further = max(step_plans(state, seat, own.hand), key=lambda one: one[0].value, default=None)
        if further is not None and further[0].value > plan.value:
            return StepCardPlayed(seat, NAMES[further[1]], further[2])
    return Walked(seat, tuple(mall.names[square] for square in plan.path)) if plan.path else None


def _shoot(state: State, seat: int, own: Seat) -> Event | None:
    victim = best_shot(state, seat, points_in(state, own))
    return None if victim is None else ShotFired(seat, victim)


def _stop(state: State, seat: int, own: Seat) -> Event | None:
    """A stop, if what it changes is worth a card that may be had."""
    assert state.pending is not None
    act, stands = state.pending.act, state.pending.stands
    if stands == (seat == act.player) or not can_stop(state, seat):
        return None
    worth = _gain(state, act) if seat == act.player else _harm(state, seat, act)
    card = min((card for card in own.hand if card in STOPS), key=lambda one: STOP_COST[one], default=None)
    return StopPlayed(seat, NAMES[card]) if card is not None and STOP_COST[card] < worth else None


def _gain(state: State, act: Act) -> float:
    """What an act brings to who does it, in points."""
    points = state.printed.points
    match act:
        case Robbed():
            return float(sum(points[card] for card in state.seats[act.victim].cart if RANK[card] == act.rank))
        case GoodsTaken():
            return float(sum(points[card] for card in cards_of(act)))
        case ShotFired():
            return TURN + FALL * points_in(state, state.seats[act.player])
    return 0.0


def _harm(state: State, seat: int, act: Act) -> float:
    """What an act costs a seat, in points: dearly, if it brings the victory of another near."""
    other = state.seats[act.player]
    if isinstance(act, Robbed | ShotFired) and act.victim == seat:
        cart = points_in(state, state.seats[seat])
        return _gain(state, act) if isinstance(act, Robbed) else TURN + FALL * cart
    at_hand = other.banked + points_in(state, other)
    if isinstance(act, StepCardPlayed):
        away = state.printed.mall.walks.tree(other.square).nearest[other.car]
        return 2 * TURN if at_hand >= state.printed.target and state.steps < away <= state.steps + act.steps else 0.0
    gain = _gain(state, act) if isinstance(act, Robbed | GoodsTaken) else 0.0
    return 2 * TURN if at_hand < state.printed.target <= at_hand + gain else 0.0


BOTS: Mapping[str, Bot] = {"planner": planner_bot, "greedy": greedy_bot, "random": random_bot}
