"""What pages draw of a table of Graffiti, as plain JSON values, for a seat or for everybody."""

from typing import Any

from pi_app.games.graffiti.rules.model import State


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return {"phase": state.phase}
