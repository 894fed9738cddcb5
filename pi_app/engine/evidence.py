"""What readers say about surfaces, as numbers: how likely every region's look is under each kind of thing.

All are logarithms, so that what several regions say together is a sum.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from pi_app.engine.contract import Game, Seen, State, Surface
from pi_app.engine.kinds import EMPTY, OTHER

Looks = Mapping[str, Mapping[str, float]]
"""One surface. Region, kind: log-likelihood; OTHER stands for every kind that is not named."""
Evidence = Mapping[str, Looks]
"""By surface."""
Gains = Mapping[str, Mapping[str, float]]
"""Region, kind: how much likelier that kind is than what the record says."""

LEAST: Final = -14.0
"""No kind is less likely than this: cameras and readers err."""
CLEAR: Final = 1.0
"""A region with less gain than this has not surely changed."""
FRESH: Final = 3.0
"""A reader's errors stay the same from picture to picture: what changed was changed, about 20 to 1."""
UNEXPLAINED: Final = 4.0
"""A move that leaves more than this unexplained is not accepted by itself."""


def gains(game: Game[State], surface: Surface, record: Mapping[str, str], looks: Looks) -> dict[str, dict[str, float]]:
    """For every region, how much likelier each other act is than the record's. Ink that is there stays out of it."""
    found = {}
    for region, kind in record.items():
        look, recorded = looks.get(region), game.act(region, kind)
        if look and (surface.pieces or recorded == EMPTY):
            best: dict[str, float] = {}
            for name, value in look.items():
                act = game.act(region, name)
                best[act] = max(value, best.get(act, LEAST))
            own = best.pop(recorded, best.get(OTHER, LEAST))
            if best:
                found[region] = {act: value - own for act, value in best.items()}
    return found


def fresh(found: Gains, before: Gains) -> dict[str, dict[str, float]]:
    """The same gains, knowing what was there before: what looked empty and no longer does was drawn on since."""
    return {
        region: {
            kind: gain + FRESH if gain > 0 and before.get(region, {}).get(kind, 0.0) <= -FRESH else gain
            for kind, gain in kinds.items()
        }
        for region, kinds in found.items()
    }


def clear(found: Gains) -> set[str]:
    """The regions that have surely changed."""
    return {region for region, kinds in found.items() if max(kinds.values()) >= CLEAR}


def wiped(game: Game[State], record: Mapping[str, str], looks: Looks) -> list[str]:
    """The regions whose act is in the record and clearly no longer there."""
    return [
        region
        for region, kind in record.items()
        if game.act(region, kind) != EMPTY
        and region in looks
        and likelihood(looks[region], EMPTY) - likelihood(looks[region], kind) > UNEXPLAINED
    ]


def likelihood(look: Mapping[str, float], kind: str) -> float:
    return look.get(kind, look.get(OTHER, LEAST))


def best_kind(look: Mapping[str, float]) -> str:
    return max(look, key=lambda kind: look[kind])


def sure(look: Mapping[str, float]) -> bool:
    """Whether one kind is clearly likelier than any other."""
    best, *others = sorted(look.values(), reverse=True)
    return not others or best - others[0] >= CLEAR


def seen(evidence: Evidence, surfaces: Iterable[str]) -> Seen:
    """What is most likely there, on these surfaces alone; what is of no known kind, or cannot be told, is left out."""
    return {
        surface: {
            region: kind
            for region, look in evidence[surface].items()
            if (kind := best_kind(look)) != OTHER and (len(look) == 1 or max(look.values()) > min(look.values()))
        }
        for surface in surfaces
        if surface in evidence
    }
