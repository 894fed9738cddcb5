"""Evidence without a camera: what a perfect, or a noisy, reader would say about a state."""

import random
from collections.abc import Mapping
from typing import Any

from pi_app.engine.events import Event
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.sight import HQ, city_board

TAG_CITY = GAMES["tag_city"]
SURE = 9.0


def seen_as(region: str, kind: str, sure: float = SURE) -> dict[str, float]:
    """How likely a region's look is if it plainly shows `kind`."""
    kinds = (
        ("empty", "marked") if region[0] == "r" and region[1].isdigit() else ("empty", "circled", "crossed", "marked")
    )
    return {name: 0.0 if name == kind else -sure for name in kinds}


def evidence_of(
    state: Any, changes: Mapping[str, Mapping[str, str]] | None = None, noise: random.Random | None = None
) -> dict[str, dict[str, dict[str, float]]]:
    """The record as it is seen, with changes by board and region; `noise` makes some regions doubtful."""
    found = {}
    for board in [HQ, *map(city_board, range(len(state.players)))]:
        kinds = {**TAG_CITY.expected_sight(state, board), **(changes or {}).get(board, {})}
        if board == HQ:
            dice = {**kinds, BESIDE: (changes or {}).get(HQ, {}).get(BESIDE, EMPTY)}
            found[board] = {section: {kind: 0.0, OTHER: -5.0} for section, kind in dice.items()}
        else:
            found[board] = {
                region: seen_as(region, kind, noise.uniform(5.0, 13.0) if noise else SURE)
                for region, kind in kinds.items()
            }
    return found


def after(state: Any, move: Event, noise: random.Random | None = None) -> dict[str, dict[str, dict[str, float]]]:
    """What is seen when a move was made at the table, before anything that follows from it is drawn."""
    return evidence_of(state, TAG_CITY.trace(state, move), noise)
