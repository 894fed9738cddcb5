"""What pages draw of a table of Spree!, as plain JSON values. All is open but the cards in hands."""

from functools import lru_cache
from typing import Any

from pi_app.engine.events import to_json
from pi_app.games.spree.edition.words import MALL, TILL, cart_strip
from pi_app.games.spree.rules.cards import NAMES, names_of, size
from pi_app.games.spree.rules.judging import cards_of
from pi_app.games.spree.rules.mall import NO_GOODS, NOWHERE, Mall
from pi_app.games.spree.rules.model import State, Walked
from pi_app.games.spree.rules.moves import SeatMoves
from pi_app.games.spree.rules.sight import expected_sight


def view(state: State, viewer: int | None) -> dict[str, Any]:
    over, printed = state.phase == "over", state.printed
    surfaces = (MALL, TILL, *(cart_strip(seat) for seat in range(len(state.seats))))
    return {
        "profile": {"name": printed.name, "source": printed.source},
        "mall": _mall(printed.mall),
        "target": printed.target,
        "driving": printed.driving,
        "phase": state.phase,
        "turn": state.turn,
        "dice": list(state.dice),
        "steps": state.steps,
        "before": _name(state, state.before),
        "pile": state.pile,
        "discards": size(state.discards),
        "pending": _pending(state),
        "seats": [_seat(state, seat) for seat in range(len(state.seats))],
        "hands": [
            list(names_of(seat.hand)) if over or number == viewer else None for number, seat in enumerate(state.seats)
        ],
        "options": None if viewer is None or over else options(state, viewer),
        "surfaces": {
            surface: {region: kind for region, kind in expected_sight(state, surface).items() if kind != "empty"}
            for surface in surfaces
        },
    }


@lru_cache(maxsize=16)
def _mall(mall: Mall) -> dict[str, Any]:
    return {
        "drawing": list(mall.drawing),
        "columns": mall.columns,
        "rows": mall.rows,
        "goods": {mall.names[s]: NAMES[card] for s, card in enumerate(mall.goods) if card != NO_GOODS},
        "places": [mall.names[place] for place in mall.places],
    }


def _name(state: State, square: int) -> str | None:
    return None if square == NOWHERE else state.printed.mall.names[square]


def _seat(state: State, number: int) -> dict[str, Any]:
    seat = state.seats[number]
    return {
        "square": _name(state, seat.square),
        "car": _name(state, seat.car),
        "lying": seat.lying,
        "in_car": seat.in_car,
        "cart": list(names_of(seat.cart)),
        "cart_points": sum(state.printed.points[card] for card in seat.cart),
        "banked": seat.banked,
        "cards": seat.cards,
    }


def _pending(state: State) -> dict[str, Any] | None:
    """What lies on the till; for a shot that was not rolled yet its die is missing."""
    if state.pending is None:
        return None if state.shot is None else {"act": to_json(state.shot), "cards": [], "stops": [], "value": None}
    pending = state.pending
    return {
        "act": to_json(pending.act),
        "cards": list(names_of(cards_of(pending.act))),
        "stops": list(names_of(pending.stops)),
        "value": pending.value or None,
    }


def options(state: State, seat: int) -> list[dict[str, Any]]:
    """What a seat may do; of the walks to one square the shortest."""
    found: dict[Any, dict[str, Any]] = {}
    for move in SeatMoves(state, seat):
        key = move.path[-1] if isinstance(move, Walked) else move
        found.setdefault(key, to_json(move))
    return list(found.values())
