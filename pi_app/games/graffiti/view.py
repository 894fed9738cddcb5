"""What pages draw of a table of Graffiti, as plain JSON values, for a seat or for everybody.

What lies behind a screen is told to its owner alone, and to all when the game is over.
"""

import json
from functools import lru_cache
from typing import Any

from pi_app.engine.events import to_json
from pi_app.games.graffiti.edition.looks import NEUTRAL as NEUTRAL_LOOK
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, SEAT_LOOKS, hex_of
from pi_app.games.graffiti.edition.murals import mural
from pi_app.games.graffiti.prospects import odds, options, plans
from pi_app.games.graffiti.rules.judging import finished, keepable
from pi_app.games.graffiti.rules.model import (
    BONUSES,
    FINISHED_AT_END,
    KEPT,
    KEPT_WITH_SAVE,
    NEUTRAL,
    OPEN,
    Printed,
    Space,
    State,
)
from pi_app.games.graffiti.rules.paying import KINDS, kinds_of
from pi_app.games.graffiti.rules.sight import divided

LOOKS = {
    name: {"colour": hex_of(look.colour), "ink": hex_of(look.ink), "sign": look.sign}
    for name, look in {**PAINT_LOOKS, **SEAT_LOOKS, "neutral": NEUTRAL_LOOK}.items()
}


def view(state: State, viewer: int | None) -> dict[str, Any]:
    over = state.phase == "over"
    seats = range(len(state.seats))
    return {
        "profile": {"name": state.printed.name, "source": state.printed.source},
        "looks": LOOKS,
        "phase": state.phase,
        "turn": state.turn,
        "late": state.late,
        "first": state.first if state.started else None,
        "police": state.police,
        "pawn": state.pawn,
        "neutral": state.neutral_section,
        "finished": finished(state),
        "finished_at_end": FINISHED_AT_END,
        "track": state.printed.track,
        "sections": [_section(state, number) for number in range(1, len(state.printed.tunnel) + 1)],
        "permits": _permits(state),
        "bonus": _bonus(state),
        "paint": _paint(state),
        "seats": [_seat(state, seat) for seat in seats],
        "hands": [_hand(state, seat) if over or seat == viewer else None for seat in seats],
        "own": None if viewer is None or over else _own(state, viewer),
        "options": None if viewer is None or over else [to_json(move) for move in options(state, viewer)],
    }


# --- for all to see ---------------------------------------------------------------------------


def _section(state: State, number: int) -> dict[str, Any]:
    graffiti = [g for g in state.printed.graffiti if state.printed.parts[g.parts[0]].section == number]
    return {
        "section": number,
        "spaces": [_space(state, space) for space in state.printed.tunnel[number - 1]],
        "walls": [
            {
                "letter": graffito.letter,
                "picture": mural(graffito.letter, graffito.letter in _specials(state.printed)),
                "parts": [_part(state, part) for part in graffito.parts],
            }
            for graffito in graffiti
        ],
    }


@lru_cache(maxsize=16)
def _specials(printed: Printed) -> frozenset[str]:
    """The letters of the special graffiti that are played with."""
    profile, options = map(json.loads, printed.key)
    return frozenset(profile["special"] if options["special"] else ())


def _part(state: State, number: int) -> dict[str, Any]:
    part, tag = state.printed.parts[number], state.parts[number]
    return {
        "part": part.id,
        "cost": part.cost,
        "points": part.points,
        "tag": None if tag == OPEN else "neutral" if tag == NEUTRAL else tag,
        "reserved": next((seat for seat, own in enumerate(state.seats) if own.reserved == number), None),
    }


def _space(state: State, space: Space) -> dict[str, Any]:
    """`cans` are the seats whose cans stand there, `asks` is how many it takes."""
    return {
        "space": space.id,
        "asks": space.cans,
        "unlimited": space.unlimited,
        "closed": bool(state.closed >> space.number & 1),
        "cans": list(state.spaces[space.number]),
    }


def _permits(state: State) -> dict[str, Any]:
    return {
        "slots": list(state.slots),
        "pile": state.pile,
        "discard": state.discard_top,
        "spaces": [
            {**_space(state, space), "slots": list(space.slots), "pile": bool(space.pile), "first": space.first}
            for space in state.printed.permit_spaces
        ],
    }


def _bonus(state: State) -> dict[str, Any]:
    police = state.printed.police_space
    return {
        "slots": list(state.bonus_slots),
        "spaces": [_space(state, space) for space in state.printed.bonus_spaces],
        "police": None if police is None else _space(state, police),
    }


def _paint(state: State) -> dict[str, Any]:
    """How many tiles are left is not told: with it one could count what others hold. That a kind is gone is seen."""
    return {
        "gone": [kind for kind, left in zip(KINDS, state.reserve, strict=True) if not left],
        "spaces": [
            {
                **_space(state, space),
                "kinds": list(space.kinds),
                "wells": {
                    kind: [seat for seat, taken in state.wells if taken == (space.number, kind)] for kind in space.kinds
                }
                if divided(space)
                else None,
            }
            for space in state.printed.paint_spaces
        ],
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    own = state.seats[seat]
    return {
        "cans": own.cans,
        "spent": list(kinds_of(own.spent)),
        "used": list(own.used),
        "passed": own.passed,
        "reserved": None if own.reserved is None else state.printed.parts[own.reserved].id,
        "tags": state.parts.count(seat),
        "extra": own.extra,
    }


# --- behind a screen --------------------------------------------------------------------------


def _hand(state: State, seat: int) -> dict[str, Any]:
    """`sure` where it was seen which paint was kept."""
    own = state.seats[seat]
    return {
        "paint": list(kinds_of(own.hands[0])),
        "sure": len(own.hands) == 1,
        "permits": [face for face, count in enumerate(own.permits, 1) for _ in range(count)],
        "unknown": own.unknown,
        "bonuses": [bonus for bonus, count in zip(BONUSES, own.bonuses, strict=True) for _ in range(count)],
    }


def _own(state: State, seat: int) -> dict[str, Any]:
    own = state.seats[seat]
    choosing = state.phase == "keep" and not state.told >> seat & 1
    keeping = {
        "tiles": list(kinds_of(keepable(state, seat)[0])),
        "most": KEPT,
        "with_save": KEPT_WITH_SAVE if own.has("save") else None,
    }
    return {
        "odds": odds(state, seat) if own.unknown else None,
        "plans": plans(state, seat) if state.started else [],
        "keep": keeping if choosing else None,
    }
