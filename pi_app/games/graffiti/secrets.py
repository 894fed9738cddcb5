"""What others than its owner are told of what happened and of what was refused."""

from dataclasses import replace
from typing import Final

from pi_app.engine.contract import NOT_YET, Message
from pi_app.engine.events import Event
from pi_app.games.graffiti.rules.model import (
    BonusTaken,
    BonusUsed,
    PaintKept,
    PaintTaken,
    PartPainted,
    PermitDrawn,
    PermitsTaken,
)

TELLING: Final = frozenset(
    f"rule.{rule}"
    for rule in (
        *("bonus_not_held", "bonus_not_needed", "joker_not_held", "keep_not_held", "keep_too_many"),
        *("paint_missing", "paint_not_held", "paint_superfluous", "permit_not_held", "police_one_colour"),
    )
)
"""Refusals that are only reached, or not, by what somebody holds."""


def event_for(event: Event, viewer: int | None) -> Event:
    """What lies behind a screen is its owner's: the face of a permit from the pile, and which paint was kept."""
    if isinstance(event, PermitDrawn) and event.player != viewer:
        return PermitDrawn(event.player, None)
    if isinstance(event, PaintKept) and event.player != viewer:
        return PaintKept(event.player, None, event.bonuses)
    return event


def recalled(event: Event, viewer: int | None) -> Event:
    """What somebody took and paid in earlier rounds went behind a screen openly: others have to remember it."""
    if getattr(event, "player", viewer) == viewer:
        return event
    match event:
        case PaintTaken():
            return replace(event, space="", kind="", bonuses=())
        case PermitsTaken():
            return replace(event, space="", bonuses=())
        case BonusTaken():
            return replace(event, slot=0, bonuses=())
        case PartPainted():
            return replace(event, permits=(), paints=(), bonuses=(), police="")
        case BonusUsed():
            return replace(event, bonus="", part=None)
        case PaintKept():
            return PaintKept(event.player, None)
    return event_for(event, viewer)


def message_for(message: Message, viewer: int | None) -> Message:
    player = message.facts.get("player")
    if message.id in TELLING and player != viewer:
        return Message(NOT_YET, {"player": player})
    return message
