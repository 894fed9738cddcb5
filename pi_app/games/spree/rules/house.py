"""What people let stand although no rule allows it: where somebody is, and what lies in a cart."""

from pi_app.games.spree.rules.cards import NUMBER, ONE, Cards, copies, heap_of
from pi_app.games.spree.rules.mall import FOUNTAIN, NOWHERE
from pi_app.games.spree.rules.model import HouseDecided, Seat, State

POSES = {"standing": False, "lying": True}


def can_stand(state: State, move: HouseDecided) -> bool:
    """Whether all of it is possible on this board and with these cards, and each thing is told once."""
    keys = [key for key, _ in move.changes]
    once = len(set(keys)) == len(keys) > 0
    return once and all(_possible(state, move.player, key, value) for key, value in move.changes)


def _possible(state: State, player: int, key: str, value: str) -> bool:
    mall, own = state.printed.mall, state.seats[player]
    square = mall.number.get(value, NOWHERE)
    if key == "thief":
        return square != NOWHERE and mall.kinds[square] != FOUNTAIN
    if key == "car":
        others = {seat.car for number, seat in enumerate(state.seats) if number != player}
        return square != NOWHERE and mall.kinds[square] != FOUNTAIN and square not in others
    if key == "cart":
        cards = cart_of(value)
        return cards is not None and _can_come(state, own, cards)
    return key == "pose" and value in POSES


def cart_of(value: str) -> Cards | None:
    """The cards that a text tells; None if it tells something else."""
    names = value.split()
    return tuple(NUMBER[name] for name in names) if all(name in NUMBER for name in names) else None


def _can_come(state: State, own: Seat, cart: Cards) -> bool:
    """Cards come from the discards, or from that seat's hand."""
    new = missing_from(cart, own.cart)
    from_hand = missing_from(new, cards_in(state.discards, new))
    unknown = missing_from(from_hand, own.hand)
    heap = heap_of(unknown)
    return len(unknown) <= own.unknown and all(copies(heap, card) <= copies(state.unseen, card) for card in unknown)


def missing_from(cards: Cards, there: Cards) -> Cards:
    """The cards that are not among the others."""
    left, missing = list(there), []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return tuple(missing)


def cards_in(heap: int, wanted: Cards) -> Cards:
    """Of these cards, those that a heap holds."""
    found = []
    for card in wanted:
        if copies(heap, card):
            heap -= ONE[card]
            found.append(card)
    return tuple(found)
