"""From scores to a reading: how sure one of several kinds is, when it may also be something else altogether."""

from collections.abc import Mapping
from math import exp, log

from vision.marks import SURE, RegionReading

ANYTHING = "*"
"""Every kind that is not named."""
UNLIKELY = -12.0
"""No kind is less likely than that (logarithm): readers err."""


def settled(scores: Mapping[str, float], strange: float, trust: float = 1.0) -> RegionReading:
    """The reading by logarithmic scores of kinds and of something strange, which may hide any of them.

    `trust` is the chance that the region is where it was looked at.
    """
    top = max(*scores.values(), strange)
    values = {kind: exp(max(score - top, 2 * UNLIKELY)) for kind, score in scores.items()}
    hidden = exp(max(strange - top, 2 * UNLIKELY))
    whole = sum(values.values()) + hidden
    kind = max(values, key=lambda name: values[name])
    sure = trust * values[kind] / whole
    unseen = hidden + (1 - trust) + exp(UNLIKELY)
    best = values[kind] + unseen
    likelihoods = {name: log((value + unseen) / best) for name, value in values.items()}
    likelihoods[ANYTHING] = log(unseen / best)
    return RegionReading(kind if sure >= SURE else "unsure", sure, likelihoods)
