"""What the lights say: the one place where roles and states become colours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.ports import SEATS, STATUS, Colour
from pi_app.perception.sight import Sees, Told

DARK: Final[Colour] = (0, 0, 0)
TURN: Final[Colour] = (120, 120, 120)
OPEN: Final[Colour] = (40, 60, 90)
ACCEPTED: Final[Colour] = (0, 200, 0)
ASKING: Final[Colour] = (220, 120, 0)
REFUSED: Final[Colour] = (220, 0, 0)
LOST: Final[Colour] = (120, 0, 120)
PLAYING: Final[Colour] = (0, 40, 0)
PLAYERS: Final[Mapping[str, Colour]] = {
    "cyan": (40, 200, 220),
    "pink": (230, 60, 140),
    "orange": (230, 150, 30),
    "lime": (120, 210, 60),
    "violet": (130, 60, 230),
    "blue": (40, 80, 230),
    "red": (230, 40, 30),
    "yellow": (220, 200, 20),
}
"""What people may choose on the dashboard, as a strip shows it."""
SEAT_COLOURS: Final[Sequence[Colour]] = tuple(PLAYERS.values())
"""Whoever has not chosen."""


def seat_colours(chosen: Mapping[int, str]) -> Sequence[Colour]:
    """By seat: the colour its player chose, else the usual one, or the next that nobody has."""
    free = [name for name in PLAYERS if name not in chosen.values()]
    names = []
    for seat, usual in enumerate(PLAYERS):
        name = chosen.get(seat) or (usual if usual in free else free[0])
        if name in free:
            free.remove(name)
        names.append(name)
    return tuple(PLAYERS[name] for name in names)


@dataclass(frozen=True)
class Flash:
    """Something that was just accepted on a seat's board; `completed` when it finished a row, column or district."""

    seat: int
    completed: bool = False


def lamps(
    roles: Mapping[str, str],
    told: Mapping[str, Told],
    owners: Mapping[str, int | None],
    flashes: Sequence[Flash] = (),
    colours: Sequence[Colour] = SEAT_COLOURS,
) -> dict[str, Colour]:
    """Every zone that the game names. `roles` are the game's (seats from 0), `owners` the seats of surfaces."""
    frame: dict[str, Colour] = {}
    for zone, role in roles.items():
        place, _, number = zone.partition(".")
        seat = int(number) if place == "seat" else 0
        name = SEATS[seat] if place == "seat" else zone
        frame[name] = {"turn": TURN, "open": OPEN, "winner": colours[seat], "play": PLAYING}.get(role, DARK)
    shared = [zone for zone in frame if zone not in (*SEATS, STATUS)]
    for flash in flashes:
        frame[SEATS[flash.seat]] = colours[flash.seat] if flash.completed else ACCEPTED
    for surface, owner in owners.items():
        colour = _alarm(told.get(surface))
        if colour is not None:
            zones = _concerned(told[surface], shared) if owner is None else [SEATS[owner]]
            frame |= dict.fromkeys((*zones, STATUS), colour)
    return frame


def _alarm(told: Told | None) -> Colour | None:
    if told is None:
        return None
    return {Sees.ASKING: ASKING, Sees.MISMATCH: REFUSED, Sees.CAMERA_LOST: LOST}.get(told.state)


def _concerned(told: Told, shared: Sequence[str]) -> Sequence[str]:
    """A wrong piece lights its own zone of what is shared; what concerns all of it lights them all."""
    facts = {} if told.message is None else told.message.facts
    named = [zone for name, number in facts.items() if (zone := f"{name}.{number}") in shared]
    return named or shared
