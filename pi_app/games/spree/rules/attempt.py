"""What somebody evidently meant, what is still missing, and what is wrong: told from what is seen."""

from collections.abc import Iterator, Mapping, Sequence

from pi_app.engine.contract import Message, Repair, Seen
from pi_app.engine.events import Event, Record
from pi_app.engine.kinds import EMPTY, pieces_of
from pi_app.games.spree.edition.words import MALL, SEATS, TILL, cart_strip
from pi_app.games.spree.rules.cards import JOKER, NAMES, RANK, STEPS
from pi_app.games.spree.rules.mall import NOWHERE
from pi_app.games.spree.rules.model import (
    CarParked,
    GoodsTaken,
    HouseDecided,
    Robbed,
    State,
    StepCardPlayed,
    Walked,
)
from pi_app.games.spree.rules.sight import JOKER_KIND, card_of, expected_sight
from pi_app.games.spree.rules.walks import FAR


def attempt(state: State, seen: Seen) -> Event | None:
    """A card on the till, or a thief who stands elsewhere."""
    if state.phase == "park":
        return _parking(state, seen)
    if state.phase != "turn":
        return None
    card = card_of(seen.get(TILL, {}).get("played", EMPTY))
    if card is not None and state.pending is None:
        return _played(state, card)
    for seat, pieces in _moved(state, seen.get(MALL, {})):
        square = pieces.get("thief", pieces.get("lying"))
        if square is not None:
            return _walk_to(state, seat, square)
    return None


def _parking(state: State, seen: Seen) -> Event | None:
    places = (CarParked(seat, pieces["car"]) for seat, pieces in _moved(state, seen.get(MALL, {})) if "car" in pieces)
    return next(places, None)


def _walk_to(state: State, seat: int, name: str) -> Event | None:
    """The shortest walk there, however long it is."""
    mall, own = state.printed.mall, state.seats[seat]
    start = mall.walks.stand[state.before if seat == state.turn else NOWHERE, own.square]
    legs = mall.walks.through(start, [mall.number[name]], [FAR - 1])
    if isinstance(legs, int) or not legs[0]:
        return None
    return Walked(seat, tuple(mall.names[square] for square in legs[0]))


def _played(state: State, card: int) -> Event:
    """For the shop, if it sells that; else for a robbery; else for steps."""
    seat, own, mall = state.turn, state.seats[state.turn], state.printed.mall
    taken = GoodsTaken(seat, mall.names[own.square], (NAMES[card],))
    if mall.goods[own.square] == card:
        return taken
    for victim, other in enumerate(state.seats):
        ranks = [RANK[there] for there in other.cart if card in (there, JOKER) or RANK[there] == RANK[card]]
        if victim != seat and other.square == own.square and ranks:
            return Robbed(seat, victim, NAMES[card], ranks[0])
    return StepCardPlayed(seat, NAMES[card], STEPS[card][0]) if card in STEPS else taken


def _moved(state: State, seen: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The pieces of each seat that lie where the record does not have them, by their name: where."""
    expected = expected_sight(state, MALL)
    new = [
        (piece, name)
        for name, kind in seen.items()
        if name in expected and expected[name] != kind
        for piece in pieces_of(kind)
        if piece not in pieces_of(expected[name])
    ]
    for seat, colour in enumerate(SEATS[: len(state.seats)]):
        pieces = {piece.removesuffix(f".{colour}"): at for piece, at in new if piece.endswith(f".{colour}")}
        if pieces:
            yield seat, pieces


def unfinished(state: State, seat: int, done: Seen, missing: Seen) -> Message:
    if TILL in missing:
        return Message("lay_card", {"player": seat})
    return Message("move_pieces" if MALL in missing else "load_cart", {"player": seat})


def mismatch(state: State, surface: str, seen: Seen) -> Message | None:
    """The first thing that is not where the record has it."""
    expected = expected_sight(state, surface)
    for region, kind in seen.get(surface, {}).items():
        if expected.get(region, kind) != kind:
            facts = {"board": surface, "region": region, "seen": kind, "expected": expected[region]}
            return Message("piece_gone" if kind == EMPTY else "piece_wrong", facts)
    return None


def adopt(state: State, records: Sequence[Record], surface: str, seen: Seen) -> Repair | None:
    """Where pieces and cards of one player lie stands as a decision of the house."""
    if state.phase != "turn" or state.pending is not None or state.shot is not None:
        return None
    if surface == MALL:
        moved = list(_moved(state, seen.get(MALL, {})))
        if len(moved) != 1:
            return None
        seat, pieces = moved[0]
        return Repair(HouseDecided(seat, tuple(_decided(state, seat, pieces))))
    for seat in range(len(state.seats)):
        if surface == cart_strip(seat) and "cart" in seen.get(surface, {}):
            cards = " ".join("*" if card == JOKER_KIND else card for card in pieces_of(seen[surface]["cart"]))
            return Repair(HouseDecided(seat, (("cart", cards),)))
    return None


def _decided(state: State, seat: int, pieces: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    own, names = state.seats[seat], state.printed.mall.names
    for piece, pose in (("thief", "standing"), ("lying", "lying")):
        if piece in pieces:
            if pieces[piece] != names[own.square]:
                yield "thief", pieces[piece]
            if own.lying != (pose == "lying"):
                yield "pose", pose
    if "car" in pieces:
        yield "car", pieces["car"]
