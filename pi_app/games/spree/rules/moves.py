"""Every legal move of a seat or of luck, counted and indexed without being listed.

Walks that differ only in detours are one move, told by the shortest: what counts of a walk is where it ends and which
way it came there. Any other legal path is accepted, too (`in`).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from pi_app.engine.contract import LUCK, Chances, IllegalMove
from pi_app.engine.events import Event
from pi_app.engine.moves import Lazy
from pi_app.games.spree.rules.cards import JOKER, NAMES, OF_RANK, RANK, STEPS, STOPS, counts
from pi_app.games.spree.rules.judging import MOST_AT_ONCE, can_stop, draw_due, judge, may_hold
from pi_app.games.spree.rules.mall import NO_GOODS, PARKING
from pi_app.games.spree.rules.model import (
    FACES,
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DriveRolled,
    Drove,
    GameStarted,
    GoodsTaken,
    Robbed,
    Seat,
    Settled,
    ShotFired,
    ShotRolled,
    State,
    StepCardPlayed,
    StopPlayed,
    TurnEnded,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.rules.shooting import can_shoot
from pi_app.games.spree.rules.walks import Path


class SeatMoves(Lazy):
    """What a seat may do: walks by number, all else as a list."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self._seat = state, seat
        self.walks, self._stand = 0, 0
        self._others: list[Event] = []
        if state.phase == "park":
            self._others += _parkings(state, seat) if seat == state.turn else ()
        elif state.phase != "turn" or state.shot is not None or seat not in range(len(state.seats)):
            return
        elif state.pending is not None:
            self._others += _answers(state, seat)
        elif seat == state.turn:
            own = state.seats[seat]
            if state.steps and not own.in_car and not own.lying:
                walks = state.printed.mall.walks
                self._stand = walks.stand[state.before, own.square]
                self.walks = walks.reached(self._stand, state.steps)
            _turn_moves(state, seat, own, self._others)

    def __len__(self) -> int:
        return self.walks + len(self._others)

    def at(self, index: int) -> Event:
        if index >= self.walks:
            return self._others[index - self.walks]
        mall = self._state.printed.mall
        path = mall.walks.path(self._stand, mall.walks.tree(self._stand).order[index])
        return Walked(self._seat, tuple([mall.names[square] for square in path]))

    @property
    def ends(self) -> list[int]:
        """Where each of the walks ends."""
        walks = self._state.printed.mall.walks
        return [walks.squares[stand] for stand in walks.tree(self._stand).order[: self.walks]]

    def __contains__(self, move: object) -> bool:
        player = self._state.turn if isinstance(move, Settled) else getattr(move, "player", None)
        return isinstance(move, Event) and player == self._seat and is_legal(self._state, move)


class Draws(Lazy):
    """Every different hand of cards that may be drawn, each once."""

    def __init__(self, state: State, player: int, count: int) -> None:
        self._state, self._player, self._count = state, player, count
        self._unseen = counts(state.unseen)

    @cached_property
    def _ways(self) -> list[list[int]]:
        """By card and by number of cards: how many hands of so many there are of this card and all after it."""
        ways = [[1] + [0] * self._count]
        for left in reversed(self._unseen):
            last = ways[-1]
            ways.append([sum(last[n - taken] for taken in range(min(left, n) + 1)) for n in range(self._count + 1)])
        return ways[::-1]

    def __len__(self) -> int:
        return self._ways[0][self._count]

    def at(self, index: int) -> Event:
        cards, missing = [], self._count
        for card, left in enumerate(self._unseen):
            for taken in range(min(left, missing) + 1):
                ways = self._ways[card + 1][missing - taken]
                if index < ways:
                    cards += [NAMES[card]] * taken
                    missing -= taken
                    break
                index -= ways
        return CardsDrawn(self._player, self._count, tuple(cards))

    def __contains__(self, move: object) -> bool:
        return isinstance(move, CardsDrawn) and is_legal(self._state, move)

    def draw(self, rng: random.Random) -> Event:
        """Card by card, each as likely as any other."""
        return CardsDrawn(self._player, self._count, tuple(rng.sample(NAMES, self._count, counts=self._unseen)))


@dataclass(frozen=True)
class DrawChances(Chances):
    """Without weighing millions of hands."""

    moves: Draws

    def draw(self, rng: random.Random) -> Event:
        return self.moves.draw(rng)


def is_legal(state: State, move: Event) -> bool:
    try:
        judge(state, move)
    except IllegalMove:
        return False
    return True


def legal_moves(state: State, seat: int) -> Sequence[Event]:
    return chances(state).moves if seat == LUCK else SeatMoves(state, seat)


def _parkings(state: State, seat: int) -> list[Event]:
    mall, taken = state.printed.mall, {other.car for other in state.seats}
    return [CarParked(seat, mall.names[place]) for place in mall.places if place not in taken]


def _answers(state: State, seat: int) -> Iterator[Event]:
    """Going on, and stops."""
    if seat == state.turn:
        yield Settled()
    if can_stop(state, seat):
        own = state.seats[seat]
        yield from (StopPlayed(seat, NAMES[card]) for card in STOPS if may_hold(state, own, card))


def _turn_moves(state: State, seat: int, own: Seat, moves: list[Event]) -> None:
    moves.append(TurnEnded(seat))
    if own.lying:
        return
    printed = state.printed
    if own.square == own.car:
        if own.in_car:
            moves += _driving(state, seat, own)
        elif own.cart or printed.driving:
            moves.append(Banked(seat))
        if state.fresh and not printed.driving:
            moves += _parkings(state, seat)
    elif own.hand or own.unknown:
        moves += _cards(state, seat, own)
    moves += [
        ShotFired(seat, victim)
        for victim in range(len(state.seats))
        if victim != seat and can_shoot(state, seat, victim)
    ]


def _cards(state: State, seat: int, own: Seat) -> Iterator[Event]:
    mall = state.printed.mall
    goods = mall.goods[own.square]
    if goods != NO_GOODS:
        for count in range(1, MOST_AT_ONCE + 1):
            if may_hold(state, own, goods, count):
                yield GoodsTaken(seat, mall.names[own.square], (NAMES[goods],) * count)
    for victim, other in enumerate(state.seats):
        if other.square == own.square and victim != seat and other.cart:
            yield from _robberies(state, seat, own, victim)
    for card, ways in STEPS.items() if own.unknown else _own_step_cards(own):
        if may_hold(state, own, card):
            for steps in ways:
                yield StepCardPlayed(seat, NAMES[card], steps)


def _own_step_cards(own: Seat) -> list[tuple[int, tuple[int, ...]]]:
    return [(card, STEPS[card]) for card in dict.fromkeys(own.hand) if card in STEPS]


def _robberies(state: State, seat: int, own: Seat, victim: int) -> Iterator[Event]:
    for rank in dict.fromkeys([RANK[card] for card in state.seats[victim].cart if card != JOKER]):
        for card in (*OF_RANK[rank], JOKER):
            if may_hold(state, own, card):
                yield Robbed(seat, victim, NAMES[card], rank)


def _driving(state: State, seat: int, own: Seat) -> Iterator[Event]:
    mall = state.printed.mall
    if mall.kinds[own.square] == PARKING:
        yield CarLeft(seat)
    if state.dice:
        for path in drives(state, seat):
            yield Drove(seat, tuple([mall.names[square] for square in path]))


def drives(state: State, seat: int) -> list[Path]:
    """The shortest drives of those that end alike and run the same people over."""
    roads, own = state.printed.mall.drives, state.seats[seat]
    others = {other.car for number, other in enumerate(state.seats) if number != seat}
    victims: dict[int, int] = {}
    for number, other in enumerate(state.seats):
        if number != seat and not other.in_car:
            victims[other.square] = victims.get(other.square, 0) | 1 << number
    found: dict[tuple[int, int], Path] = {(roads.stand[state.before, own.square], 0): ()}
    latest = dict(found)
    for _ in range(state.steps):
        further: dict[tuple[int, int], Path] = {}
        for (stand, hurt), path in latest.items():
            for onward in roads.onward[stand]:
                square = roads.squares[onward]
                key = onward, hurt | victims.get(square, 0)
                if key not in found and key not in further:
                    further[key] = (*path, square)
        found |= further
        latest = further
    return [path for path in found.values() if path and path[-1] not in others]


# --- luck -------------------------------------------------------------------------------------


WALK_ROLLS = Chances([WalkRolled(values) for values in product(FACES, FACES)])
DRIVE_ROLLS = {dice: Chances([DriveRolled(v) for v in product(FACES, repeat=dice)]) for dice in (1, 2)}
SHOTS = Chances([ShotRolled(value) for value in FACES])
NOTHING = Chances(())


def chances(state: State) -> Chances:
    """What luck may bring: dice, and the cards that nobody has seen."""
    if state.phase == "start":
        return Chances([GameStarted(seat) for seat in range(len(state.seats))])
    if state.shot is not None:
        return SHOTS
    due = draw_due(state)
    if due is not None:
        return DrawChances(Draws(state, *due))
    own = state.seats[state.turn]
    if state.phase != "turn" or state.pending is not None or state.dice or own.lying:
        return NOTHING
    return DRIVE_ROLLS[state.printed.driving_dice] if own.in_car else WALK_ROLLS
