"""What readers say about boards, as numbers: how likely every region's look is under each kind of mark.

All are logarithms, so that what several regions say together is a sum.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from pi_app.engine.contract import Game, State
from pi_app.engine.observation import Observation, Reading, SeenDie

Evidence = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Board, region, kind: log-likelihood. On the HQ a kind tells the dice of a section, and OTHER stands for the rest."""

OTHER: Final = "*"
EMPTY: Final = "empty"
LEAST: Final = -14.0
"""No kind is less likely than this: cameras and readers err."""
CLEAR: Final = 1.0
"""A region with less gain than this is not surely drawn."""
FRESH: Final = 3.0
"""A reader's errors stay the same from picture to picture: what changed was changed, about 20 to 1."""
UNEXPLAINED: Final = 4.0
"""A move that leaves more than this unexplained is not accepted by itself."""


def gains(game: Game[State], board: Mapping[str, str], looks: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """For every region without an act in the record, how much likelier an act is than none."""
    found = {}
    for region, kind in board.items():
        look = looks.get(region)
        if look and not game.is_act(region, kind):
            acts = [value for name, value in look.items() if game.is_act(region, name)]
            if acts:
                rest = [value for name, value in look.items() if not game.is_act(region, name)]
                found[region] = max(acts) - max(rest, default=LEAST)
    return found


def fresh(found: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """The same gains, knowing what was there before: what looked empty and no longer does was drawn on since."""
    return {
        region: gain + FRESH if gain > 0 and before.get(region, 0.0) <= -FRESH else gain
        for region, gain in found.items()
    }


def wiped(game: Game[State], board: Mapping[str, str], looks: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The regions whose act is in the record and clearly no longer on the board."""
    return [
        region
        for region, kind in board.items()
        if game.is_act(region, kind)
        and region in looks
        and likelihood(looks[region], EMPTY) - likelihood(looks[region], kind) > UNEXPLAINED
    ]


def likelihood(look: Mapping[str, float], kind: str) -> float:
    return look.get(kind, look.get(OTHER, LEAST))


def best_kind(look: Mapping[str, float]) -> str:
    return max(look, key=lambda kind: look[kind])


def observed(evidence: Evidence, boards: Iterable[str], dice: Iterable[SeenDie]) -> Observation:
    """What is most likely there, on these boards alone."""
    return Observation(
        {
            board: tuple(Reading(region, best_kind(look), 1.0) for region, look in evidence.get(board, {}).items())
            for board in boards
        },
        tuple(dice),
    )
