"""A table of Spree! brought to where a test begins, and short words for telling what happens there."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pytest

from pi_app.engine.contract import IllegalMove, Setup
from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.engine.values import changed, with_item
from pi_app.games.profile_files import load_profile
from pi_app.games.spree import Spree
from pi_app.games.spree.edition.profile import HOUSE
from pi_app.games.spree.rules.cards import NUMBER, heap_of, names_of, size
from pi_app.games.spree.rules.judging import till
from pi_app.games.spree.rules.model import (
    CardsDrawn,
    CarParked,
    GameStarted,
    GoodsTaken,
    Robbed,
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
from tests.playing import ticking

GAME = Spree()
Some = TypeVar("Some", bound=Event)
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
EDITION = load_profile(GAME.edition, HOUSE)
PLACES = ("C1", "F1", "J1", "M1", "A4", "O4", "A7", "O7")
"""Where seat 0, 1, ... have parked when a test begins."""
ADA, BOB, CLEO, DAN = range(4)


def house(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(EDITION), **changes}


# --- getting a state to where a test begins ---------------------------------------------------


def a_setup(players: int = 4, profile: Mapping[str, Any] | None = None, **options: Any) -> Setup:
    return Setup(EDITION if profile is None else profile, options, NAMES[:players])


def opening(players: int = 4) -> list[Event]:
    """The last seat parks first, so that seat 0 parks last and begins; nobody tells which cards they draw."""
    return [
        GameStarted(players - 1),
        *(CardsDrawn(seat, 5, None) for seat in range(players)),
        *(CarParked(seat, PLACES[seat]) for seat in reversed(range(players))),
    ]


def begun(players: int = 4, profile: Mapping[str, Any] | None = None, **options: Any) -> State:
    """The first turn, seat 0's; all stand at their cars with five cards that nobody knows."""
    return played(GAME.start(a_setup(players, profile, **options)), *opening(players))


def played(state: State, *moves: Event) -> State:
    """The state after these moves and all that follows from them."""
    for move in moves:
        for event in GAME.decide(state, move):
            state = GAME.apply(state, event)
    return state


def follows(state: State, move: Event) -> list[Event]:
    """The consequences of a move."""
    return list(GAME.decide(state, move)[1:])


def refused(state: State, move: Event) -> str:
    """The rule that refuses a move."""
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.rule


def facts(state: State, move: Event) -> dict[str, Any]:
    """What the refusal of a move tells."""
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.facts


def legal(state: State, seat: int, kind: type[Some]) -> list[Some]:
    """A seat's moves of one type."""
    return [move for move in GAME.legal_moves(state, seat) if isinstance(move, kind)]


def playing(players: int = 4, **options: Any) -> Play[State]:
    """The same as `begun`, with its record."""
    play = Play(GAME, a_setup(players, **options), now=ticking())
    for move in opening(players):
        play.do(move)
    return play


# --- the table edited, for what would take long to play ---------------------------------------


def having(state: State, seat: int, *, at: str | None = None, cart: str | None = None, **changes: Any) -> State:
    """A seat somewhere else, or with other cards: `hand` and `cart` are texts; what is new comes from the pile."""
    own, number = state.seats[seat], state.printed.mall.number
    if at is not None:
        changes["square"] = number[at]
    if "car" in changes:
        changes["car"] = number[changes["car"]]
    if cart is not None:
        changes["cart"] = cards(cart)
        state = changed(state, unseen=state.unseen + heap_of(own.cart), pile=state.pile + len(own.cart))
        state = _from_pile(state, changes["cart"])
    if "hand" in changes:
        changes |= {"hand": cards(changes["hand"]), "unknown": 0}
        state = changed(state, unseen=state.unseen + heap_of(own.hand), pile=state.pile + own.cards)
        state = _from_pile(state, changes["hand"])
    return changed(state, seats=with_item(state.seats, seat, changed(own, **changes)))


def _from_pile(state: State, taken: Sequence[int]) -> State:
    return changed(state, unseen=state.unseen - heap_of(taken), pile=state.pile - len(taken))


def cards(text: str) -> tuple[int, ...]:
    return tuple(NUMBER[name] for name in text.split())


def cart(state: State, seat: int) -> str:
    return " ".join(names_of(state.seats[seat].cart))


def at(state: State, seat: int) -> str:
    return state.printed.mall.names[state.seats[seat].square]


def discarded(state: State) -> list[str]:
    """The discards in the order of cards."""
    counts = [state.discards >> 4 * card & 15 for card in range(53)]
    return [name for name, card in NUMBER.items() for _ in range(counts[card])]


def conserved(state: State) -> bool:
    """No card is lost, none comes twice, and the pile has as many cards as nobody holds."""
    lying = sum(heap_of(seat.cart) + heap_of(seat.hand) for seat in state.seats)
    whole = state.unseen + state.discards + till(state) + lying == state.printed.deck
    return whole and size(state.unseen) == state.pile + sum(seat.unknown for seat in state.seats)


def stepping(state: State, steps: int = 20) -> State:
    """The acting seat has rolled and may go so far."""
    return changed(state, dice=(6, 6), steps=steps, fresh=False)


# --- moves in few words -----------------------------------------------------------------------


def walk(seat: int, *path: str) -> Walked:
    return Walked(seat, path)


def roll(first: int, second: int) -> WalkRolled:
    return WalkRolled((first, second))


def take(seat: int, square: str, *laid: str) -> GoodsTaken:
    return GoodsTaken(seat, square, laid)


def rob(seat: int, victim: int, card: str, rank: str | None = None) -> Robbed:
    return Robbed(seat, victim, card, card[:-1] if rank is None else rank)


def step(seat: int, card: str, steps: int | None = None) -> StepCardPlayed:
    return StepCardPlayed(seat, card, int(card[:-1]) if steps is None else steps)


def stop(seat: int, card: str) -> StopPlayed:
    return StopPlayed(seat, card)


def shot(seat: int, victim: int, value: int) -> tuple[Event, ...]:
    return (ShotFired(seat, victim), ShotRolled(value))


SETTLED = Settled()


def done(seat: int) -> TurnEnded:
    return TurnEnded(seat)


def facing(shooter: str, victim: str, **options: Any) -> State:
    """Ada may shoot at Bob."""
    return having(having(begun(**options), ADA, at=shooter), BOB, at=victim)
