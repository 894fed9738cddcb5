"""What a camera should see, and what a move leaves to be seen. How surfaces and regions are called: edition/kit.py."""

from collections.abc import Iterable, Mapping, Sequence

from pi_app.engine.contract import Seen, Setup, Surface
from pi_app.engine.events import Event
from pi_app.engine.kinds import EMPTY, OTHER, dice_kind, kind_of
from pi_app.games.spree.edition.words import CART, MALL, SEATS, STOPS, TILL, cart_strip
from pi_app.games.spree.rules.cards import JOKER, NAMES, NUMBER
from pi_app.games.spree.rules.folding import apply
from pi_app.games.spree.rules.judging import cards_of
from pi_app.games.spree.rules.mall import FOUNTAIN, NOWHERE
from pi_app.games.spree.rules.model import DriveRolled, Drove, Seat, State, Walked, WalkRolled

JOKER_KIND = "joker"
"""In files it is "*", which means anything where things lie."""
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
        if seat.square == square:
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
        "dice": dice_kind(state.dice) if state.dice else OTHER,
    }


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


def trace(state: State, move: Event) -> Seen:
    """What is expected after the move, and was not before: of the seats that it changes, and on the till."""
    after = apply(state, move)
    mall, squares = state.printed.mall, set[int]()
    seen: dict[str, dict[str, str]] = {MALL: {}}
    for number, (before, then) in enumerate(zip(state.seats, after.seats, strict=True)):
        if before is not then:
            squares |= {before.square, then.square, before.car, then.car} - {NOWHERE}
            seen[cart_strip(number)] = _changes({"cart": cart_kind(before)}, {"cart": cart_kind(then)})
    for square in sorted(squares):
        name = mall.names[square]
        seen[MALL] |= _changes({name: square_kind(state, square)}, {name: square_kind(after, square)})
    seen[TILL] = _changes(_till(state), _till(after))
    return {surface: changes for surface, changes in seen.items() if changes}


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {region: kind for region, kind in after.items() if before[region] != kind}


def meant(state: State, moves: Sequence[Event]) -> Event | None:
    """What a card on the till is for has to be told, where it may be for several things."""
    alike = len(moves) == 1 or all(isinstance(move, SAME_SIGHT) for move in moves)
    return moves[0] if alike else None
