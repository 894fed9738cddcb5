"""What somebody evidently meant, what is still missing, and what is wrong: told from what is seen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pi_app.engine.contract import Message, Repair, Seen
from pi_app.engine.events import Event, Record
from pi_app.engine.kinds import EMPTY, dice_values, pieces_of
from pi_app.games.spree.edition.words import JOKER_KIND, MALL, SEATS, TILL, cart_strip
from pi_app.games.spree.rules.cards import JOKER, NAMES, NUMBER, RANK, STEPS
from pi_app.games.spree.rules.judging import stoppers
from pi_app.games.spree.rules.mall import NOWHERE
from pi_app.games.spree.rules.model import (
    CarParked,
    GoodsTaken,
    HouseDecided,
    Robbed,
    State,
    StepCardPlayed,
    StopPlayed,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.rules.sight import card_of, expected_sight
from pi_app.games.spree.rules.walks import FAR


def attempt(state: State, seen: Seen) -> Event | None:
    """A card on the till, a car or a thief who stands elsewhere, dice."""
    if state.phase == "park":
        return _parking(state, seen)
    if state.phase != "turn":
        return None
    till = seen.get(TILL, {})
    cards = [card_of(kind) for kind in pieces_of(till.get("played", EMPTY))]
    if cards and None not in cards and state.pending is None:
        return _played(state, [card for card in cards if card is not None])
    stop = _stop(state, till)
    if stop is not None:
        return stop
    for seat, pieces in _moved(state, seen.get(MALL, {})):
        if "car" in pieces:
            return CarParked(seat, pieces["car"])
        if "thief" in pieces:
            return _walk_to(state, seat, pieces["thief"])
    return _rolled(state, till)


def _stop(state: State, till: Mapping[str, str]) -> Event | None:
    """A card over the others that is no stop, or that nobody may play."""
    if state.pending is None:
        return None
    card = card_of(till.get(f"stop.{len(state.pending.stops) + 1}", EMPTY))
    others = (seat for seat in range(len(state.seats)) if seat != state.turn)
    return None if card is None else StopPlayed(next(iter(stoppers(state)), next(others)), NAMES[card])


def _rolled(state: State, till: Mapping[str, str]) -> Event | None:
    values = tuple(dice_values(till.get("dice", EMPTY)))
    return WalkRolled(values) if len(values) == 2 and values != state.dice else None


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


def _played(state: State, cards: Sequence[int]) -> Event:
    """For the shop, if it sells that; else for a robbery, for steps, or for any shop that sells it."""
    seat, own, mall, card = state.turn, state.seats[state.turn], state.printed.mall, cards[0]
    taken = GoodsTaken(seat, mall.names[own.square], tuple(NAMES[card] for card in cards))
    if mall.goods[own.square] == card or len(cards) > 1:
        return taken if mall.goods[own.square] == card else _elsewhere(state, taken)
    for victim, other in enumerate(state.seats):
        ranks = [RANK[there] for there in other.cart if card in (there, JOKER) or RANK[there] == RANK[card]]
        if victim != seat and other.square == own.square and ranks:
            return Robbed(seat, victim, NAMES[card], ranks[0])
    return StepCardPlayed(seat, NAMES[card], STEPS[card][0]) if card in STEPS else _elsewhere(state, taken)


def _elsewhere(state: State, taken: GoodsTaken) -> GoodsTaken:
    """The same from the shop that sells it, if there is one."""
    mall, card = state.printed.mall, NUMBER[taken.cards[0]]
    return replace(taken, square=mall.names[mall.goods.index(card)]) if card in mall.goods else taken


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
    if not missing:
        return Message("throw_die", {"player": seat})
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
