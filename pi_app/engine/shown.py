"""What screens show of a game, whatever its rules, as plain JSON values."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pi_app.engine.contract import Game, Setup, State
from pi_app.engine.events import Record


def shown(game: Game[State], setup: Setup, state: State, viewer: int | None) -> dict[str, Any]:
    """The table in this state, as that seat may know it (None: as all may); `game` is what its own drawing needs."""
    outcome, turn = game.outcome(state), game.to_act(state)
    # That somebody may come in between can tell what they hold.
    may = [seat for seat in turn.may if seat == viewer or not game.hidden_choices]
    return {
        "name": game.name,
        "players": list(setup.players),
        "surfaces": [asdict(surface) for surface in game.surfaces(setup)],
        "to_act": {"must": list(turn.must), "may": may},
        "round": game.round(state),
        "scores": list(game.scores(state)),
        "result": None if outcome is None else asdict(outcome),
        "game": game.view(state, viewer),
    }


def score_parts(game: Game[State], setup: Setup, records: Iterable[Record]) -> list[dict[str, int]]:
    """By seat, the points of each category."""
    parts = [dict.fromkeys(game.categories.values(), 0) for _ in setup.players]
    for row in game.sheet(setup, records):
        parts[row.seat][game.categories[row.kind]] += row.value
    return parts
