"""What others than its owner are told of what happened and of what was refused: hands are hidden, all else is open."""

from typing import Final

from pi_app.engine.contract import NOT_YET, Message
from pi_app.engine.events import Event
from pi_app.games.spree.rules.model import CardsDrawn

TELLING: Final = ("rule.card_not_held",)
"""Refusals that are only reached by what somebody holds."""


def event_for(event: Event, viewer: int | None) -> Event:
    if isinstance(event, CardsDrawn) and event.player != viewer:
        return CardsDrawn(event.player, event.count, None)
    return event


def message_for(message: Message, viewer: int | None) -> Message:
    player = message.facts.get("player")
    return Message(NOT_YET, {"player": player}) if message.id in TELLING and player != viewer else message
