"""What a camera should see, and what a move leaves to be seen. How surfaces and regions are called: edition/kit.py."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from pi_app.engine.contract import Seen, Setup, Surface, within
from pi_app.engine.events import Event
from pi_app.engine.kinds import EMPTY, OTHER, dice_kind, kind_of, pieces_of
from pi_app.games.spree.edition.words import CART, JOKER_KIND, MALL, SEATS, STOPS, TILL, cart_strip
from pi_app.games.spree.rules.cards import JOKER, NAMES, NUMBER
from pi_app.games.spree.rules.deciding import decide
from pi_app.games.spree.rules.folding import apply
from pi_app.games.spree.rules.judging import cards_of
from pi_app.games.spree.rules.mall import FOUNTAIN, NOWHERE
from pi_app.games.spree.rules.model import (
    ActStood,
    Banked,
    DriveRolled,
    Drove,
    Fell,
    Pushed,
    RunOver,
    Seat,
    Settled,
    ShotFired,
    State,
    TurnEnded,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.rules.moves import SeatMoves, legal_moves

LOADED = "loaded"
"""Any cart with something in it."""
SAME_SIGHT = (Walked, Drove, WalkRolled, DriveRolled)
"""Of such moves that leave the same to be seen the first is meant: the shortest way, the dice in any order."""


def surfaces(setup: Setup) -> tuple[Surface, ...]:
    pools = {"cart": tuple(f"place.{n}" for n in range(1, CART + 1))}
    carts = (Surface(cart_strip(seat), seat, pieces=True, pools=pools) for seat in range(len(setup.players)))
    return (Surface(MALL, pieces=True), Surface(TILL, pieces=True), *carts)


def expected_sight(state: State, surface: str) -> dict[str, str]:
    if surface == MALL:
        return _mall(state)
    if surface == TILL:
        return _till(state)
    return {"cart": cart_kind(state.seats[int(surface.removeprefix("cart-")) - 1])}


def _mall(state: State) -> dict[str, str]:
    mall = state.printed.mall
    seen = {name: EMPTY for name, kind in zip(mall.names, mall.kinds, strict=True) if kind != FOUNTAIN}
    for seat in state.seats:
        for square in (seat.square, seat.car):
            if square != NOWHERE:
                seen[mall.names[square]] = square_kind(state, square)
    return seen


def square_kind(state: State, square: int) -> str:
    pieces = []
    for colour, seat in zip(SEATS, state.seats, strict=False):
        # Who is in the car has taken the thief off the mall.
        if seat.square == square and not seat.in_car:
            pieces.append(f"{'lying' if seat.lying else 'thief'}.{colour}")
        if seat.car == square:
            pieces.append(f"car.{colour}")
    return kind_of(pieces)


def _till(state: State) -> dict[str, str]:
    pending = state.pending
    played, stops = ((), ()) if pending is None else (cards_of(pending.act), pending.stops)
    top = EMPTY if not state.discards else OTHER if state.top is None else card_kind(state.top)
    stop_kinds = [card_kind(card) for card in stops] + [EMPTY] * STOPS
    return {
        "played": cards_kind(played),
        **{f"stop.{n}": kind for n, kind in enumerate(stop_kinds[:STOPS], 1)},
        "discards": top,
        "dice": _dice(state),
    }


def _dice(state: State) -> str:
    """Before the first turn they decide who parks first; a shot that is fired waits for one."""
    if state.shot is not None or state.phase in ("start", "deal", "park", "over"):
        return OTHER
    return dice_kind(state.dice)


def card_kind(card: int) -> str:
    return JOKER_KIND if card == JOKER else NAMES[card]


def cards_kind(cards: Iterable[int]) -> str:
    return kind_of(map(card_kind, cards))


def card_of(kind: str) -> int | None:
    """The card that a kind tells."""
    return JOKER if kind == JOKER_KIND else NUMBER.get(kind)


def cart_kind(seat: Seat) -> str:
    """With more cards than places nobody can tell what lies there."""
    return OTHER if len(seat.cart) > CART else cards_kind(seat.cart)


# --- what moves change ------------------------------------------------------------------------


def act(region: str, kind: str) -> str:
    """Carts and discards are a check: that a cart is emptied is all of them that tells a move."""
    if region == "discards":
        return EMPTY
    return kind if region != "cart" or kind in (EMPTY, OTHER) else LOADED


def trace(state: State, move: Event) -> Seen:
    """What is expected after the move, and was not before, on the mall and on the till; what follows for carts is due.

    Of unloading, that the cart is empty. Who falls by a shot has to be turned over, and that settles it.
    """
    after = _after(state, move)
    mall, squares = state.printed.mall, set[int]()
    seen: dict[str, dict[str, str]] = {MALL: {}}
    for before, then in zip(state.seats, after.seats, strict=True):
        if before is not then:
            squares |= {before.square, then.square, before.car, then.car} - {NOWHERE}
    for square in sorted(squares):
        name = mall.names[square]
        seen[MALL] |= _changes({name: square_kind(state, square)}, {name: square_kind(after, square)})
    seen[TILL] = _changes(_till(state), {region: kind for region, kind in _till(after).items() if region != "discards"})
    if isinstance(move, Banked) and state.seats[move.player].cart:
        seen[cart_strip(move.player)] = {"cart": EMPTY}
    return {surface: changes for surface, changes in seen.items() if changes}


def _after(state: State, move: Event) -> State:
    """After what of a move people do with their hands at once."""
    events: Sequence[Event] = (move,)
    if isinstance(move, Settled) and state.pending is not None and isinstance(state.pending.act, ShotFired):
        events = [event for event in decide(state, move) if isinstance(event, Settled | ActStood | Fell | Pushed)]
    elif isinstance(move, Drove):
        events = [event for event in decide(state, move) if isinstance(event, Drove | RunOver)]
    for event in events:
        state = apply(state, event)
    return state


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {region: kind for region, kind in after.items() if before[region] != kind}


def moves_within(state: State, seat: int, regions: Mapping[str, Collection[str]]) -> list[Event]:
    """The legal moves that change nothing but these regions, without looking at every walk there is."""
    moves = legal_moves(state, seat)
    if not isinstance(moves, SeatMoves):
        return [move for move in moves if within(trace(state, move), regions)]
    names, open_ = state.printed.mall.names, regions.get(MALL, ())
    found: list[Event] = []
    if moves.walks and names[state.seats[seat].square] in open_:
        found += (moves[n] for n, end in enumerate(moves.ends) if names[end] in open_)
    others = (moves[n] for n in range(moves.walks, len(moves)))
    return found + [move for move in others if within(trace(state, move), regions)]


def meant(state: State, moves: Sequence[Event]) -> Event | None:
    """What a card on the till is for has to be told where it may be for several things, and who has stopped.

    One die where two are due may be a shot, or a throw of which the other die fell off the tray.
    """
    if not state.dice and any(isinstance(move, ShotFired) for move in moves):
        return None
    victims = {
        tuple(e.victim for e in decide(state, m) if isinstance(e, RunOver)) for m in moves if isinstance(m, Drove)
    }
    alike = len(moves) == 1 or (all(isinstance(move, SAME_SIGHT) for move in moves) and len(victims) < 2)
    return moves[0] if alike else None


def implied(state: State, move: Event) -> bool:
    """Who has rolled and sees the next one go on has ended the turn; and what nobody objects to stands."""
    return isinstance(move, Settled) or (isinstance(move, TurnEnded) and bool(state.dice))


def ahead(state: State, seen: Seen) -> dict[str, list[str]]:
    """A thief walks on while a card still lies on the till: that counts when the card is settled."""
    pending, own = state.pending, state.seats[state.turn]
    if pending is None or isinstance(pending.act, ShotFired) or own.in_car:
        return {}
    piece, here, there = f"thief.{SEATS[state.turn]}", state.printed.mall.names[own.square], seen.get(MALL, {})
    other = [name for name, kind in there.items() if name != here and piece in pieces_of(kind)]
    return {MALL: [here, *other]} if len(other) == 1 and piece not in pieces_of(there.get(here, piece)) else {}
