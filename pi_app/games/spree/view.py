"""What pages draw of a table of Spree!, as plain JSON values. All is open but the cards in hands."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from pi_app.engine.events import Event, to_json
from pi_app.games.spree.edition.goods import BOX_MM
from pi_app.games.spree.edition.kit import SQUARE_MM
from pi_app.games.spree.edition.mall_art import (
    ASPHALT,
    AWNING_MM,
    AWNINGS,
    DEEP,
    FLOORS,
    FOAM,
    GOODS_SCALE,
    GOODS_TOP_MM,
    JOINT,
    KERB,
    PAINT,
    STONE,
    STRIPES,
    TILE,
    WALL,
    WALL_LIGHT,
    WALL_MM,
    WATER,
)
from pi_app.games.spree.edition.piece_art import CAR_MM, CODE_AT_MM, THIEF_MM, WHITE_MM
from pi_app.games.spree.edition.signs import COLOURS, seat_sign
from pi_app.games.spree.edition.words import MALL, SEATS, TILL, cart_strip
from pi_app.games.spree.prospects import fire, odds, open_heap, reach
from pi_app.games.spree.rules.cards import NAMES, counts, names_of, size
from pi_app.games.spree.rules.judging import cards_of
from pi_app.games.spree.rules.mall import NO_GOODS, NOWHERE, Mall
from pi_app.games.spree.rules.model import Drove, State, Walked
from pi_app.games.spree.rules.moves import SeatMoves
from pi_app.games.spree.rules.sight import expected_sight


def _hex_of(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _path_of(points: Iterable[Sequence[float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"


LOOKS = [
    {"name": name, "colour": _hex_of(COLOURS[name]), "sign": _path_of(seat_sign(name, (0.0, 0.0), 2.0))}
    for name in SEATS
]
"""By seat; the same as printed. A sign is an outline that reaches one unit to every side."""
PRINT = {
    "square_mm": SQUARE_MM,
    "thief_mm": list(THIEF_MM),
    "car_mm": list(CAR_MM),
    "code": {"mm": WHITE_MM, "thief": CODE_AT_MM, "car": CAR_MM[1] / 2},
    "goods": {"mm": [side * GOODS_SCALE for side in BOX_MM], "top": GOODS_TOP_MM},
    "awning": {"mm": AWNING_MM, "stripes": STRIPES},
    "wall_mm": WALL_MM,
    "colours": {
        "lot": _hex_of(ASPHALT),
        "kerb": _hex_of(KERB),
        "paint": _hex_of(PAINT),
        "hall": _hex_of(TILE),
        "joint": _hex_of(JOINT),
        "wall": _hex_of(WALL),
        "wall_light": _hex_of(WALL_LIGHT),
        "water": _hex_of(WATER),
        "deep": _hex_of(DEEP),
        "foam": _hex_of(FOAM),
        "stone": _hex_of(STONE),
        "floors": {suit: _hex_of(colour) for suit, colour in FLOORS.items()},
        "awnings": {suit: _hex_of(colour) for suit, colour in AWNINGS.items()},
    },
}
"""How large everything is, and its colours."""


def view(state: State, viewer: int | None) -> dict[str, Any]:
    over, printed = state.phase == "over", state.printed
    surfaces = (MALL, TILL, *(cart_strip(seat) for seat in range(len(state.seats))))
    return {
        "profile": {"name": printed.name, "source": printed.source},
        "looks": LOOKS[: len(state.seats)],
        "mall": _mall(printed.mall),
        "target": printed.target,
        "driving": printed.driving,
        "driving_dice": printed.driving_dice,
        "phase": state.phase,
        "turn": state.turn,
        "dice": list(state.dice),
        "steps": state.steps,
        "before": _name(state, state.before),
        "pile": state.pile,
        "discards": size(state.discards),
        "origin": _name(state, state.origin),
        "reach": {printed.mall.names[square]: steps for square, steps in reach(state).items()},
        "fire": list(_fire(state)),
        "left": dict(zip(NAMES, counts(printed.deck - open_heap(state)), strict=True)),
        "pending": _pending(state),
        "seats": [_seat(state, seat) for seat in range(len(state.seats))],
        "hands": [
            list(names_of(seat.hand)) if over or number == viewer else None for number, seat in enumerate(state.seats)
        ],
        "options": None if viewer is None or over else options(state, viewer),
        "odds": None if viewer is None or over else odds(state, viewer),
        "surfaces": {
            surface: {region: kind for region, kind in expected_sight(state, surface).items() if kind != "empty"}
            for surface in surfaces
        },
    }


@lru_cache(maxsize=16)
def _mall(mall: Mall) -> dict[str, Any]:
    return {
        "print": PRINT,
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
        return None if state.shot is None else _on_till(state.shot)
    pending = state.pending
    return _on_till(pending.act) | {
        "stops": list(names_of(pending.stops)),
        "value": pending.value or None,
        "stands": pending.stands,
        "may_stop": [seat for seat in range(len(state.seats)) if _may_object(state, seat)],
    }


def _on_till(act: Event) -> dict[str, Any]:
    return {
        "act": to_json(act),
        "cards": list(names_of(cards_of(act))),
        "stops": [],
        "value": None,
        "stands": True,
        "may_stop": [],
    }


def _may_object(state: State, seat: int) -> bool:
    """As far as all can see: whatever hands hold."""
    own, pending = state.seats[seat], state.pending
    is_own = seat == state.turn and pending is not None and not pending.stops
    return own.cards > 0 and not (own.lying or own.at_car or is_own)


def _fire(state: State) -> Iterator[dict[str, Any]]:
    names = state.printed.mall.names
    for line in fire(state):
        yield {
            "victim": line.victim,
            "squares": [names[square] for square in line.squares],
            "needed": line.needed,
            "pushed": {str(value): names[square] for value, square in line.pushed.items()},
        }


def options(state: State, seat: int) -> list[dict[str, Any]]:
    """What a seat may do; of the ways to one square the shortest."""
    found: dict[Any, dict[str, Any]] = {}
    for move in SeatMoves(state, seat):
        key = (move.type, move.path[-1]) if isinstance(move, Walked | Drove) else move
        found.setdefault(key, to_json(move))
    return list(found.values())
