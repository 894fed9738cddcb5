"""What pages draw of a table of Graffiti, as plain JSON values, for a seat or for everybody."""

from typing import Any

from pi_app.engine.events import Event
from pi_app.games.graffiti.rules.model import PaintKept, PermitDrawn, State


def event_for(event: Event, viewer: int | None) -> Event:
    """What lies behind a screen is its owner's: the face of a permit from the pile, and which paint was kept."""
    if isinstance(event, PermitDrawn) and event.player != viewer:
        return PermitDrawn(event.player, None)
    if isinstance(event, PaintKept) and event.player != viewer:
        return PaintKept(event.player, None, event.bonuses)
    return event


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return {"phase": state.phase}
