"""The regions of one board judged together: one player draws on it, with one pen, in one light.

Looked at alone, a faint stroke and a wiped one are alike. Beside all else on the board they are not: the player's
other marks tell how strong the pen is and of which colour, and the empty regions how much noise there is.
A tiny network (made by `tools/marks`) weighs what each region looked like alone against that.
"""

import numpy as np

from vision.markers import Floats
from vision.regions import PATCH_PX, Grid, Mask

ANSWERS = 5
"""The log-likelihoods of a region's look: as each of the kinds of `vision.marks`, and last as hidden."""
TRAITS = 5
"""Beside them: how its light changed (three colours), how its darkest part did, and how much of it can be seen."""

_HEART = slice(PATCH_PX // 8, 3 * PATCH_PX // 8)  # of a glance: what lies well within the region
_DARKEST = 8  # of the 64 pixels there
_LEAST = -12.0  # log-likelihoods below this tell no more


def traits(glances: Grid) -> Grid:
    """What is remembered of regions beside the answers, from what a glance shows of them."""
    heart = glances[:, :4, _HEART, _HEART].reshape(len(glances), 4, (_HEART.stop - _HEART.start) ** 2)
    grey = heart[:, :3].mean(axis=1)
    darkest = np.partition(grey, _DARKEST, axis=1)[:, :_DARKEST].mean(axis=1)
    return np.column_stack([heart[:, :3].mean(axis=2), darkest, heart[:, 3].mean(axis=1)]).astype(np.float32)


def features(rows: Grid, square: Mask, near: Floats) -> Grid:
    """All that is known of every region of a board and of its company.

    A row has a region's answers, then its traits; `near` tells how near each region is to each other.
    """
    answers, own = rows[:, :ANSWERS], rows[:, ANSWERS:]
    answers = np.clip(answers - answers.max(axis=1, keepdims=True, initial=_LEAST), _LEAST, 0)
    shares = np.exp(answers)
    shares /= shares.sum(axis=1, keepdims=True)
    ink, empty = shares[:, 1 : ANSWERS - 1].sum(axis=1) ** 2, shares[:, 0] ** 2
    company = np.column_stack([_told_by(own, weights[None]) for weights in (ink, empty)]).repeat(len(own), axis=0)
    nearby = [_told_by(own, near * weights) for weights in (ink, empty)]
    return np.column_stack([answers / 4, own, square, company, *nearby]).astype(np.float32)


def _told_by(own: Grid, weights: Floats) -> Floats:
    """By region, the mean traits of its company, how much they differ, and how much company there is."""
    total = weights.sum(axis=1, keepdims=True)
    mean = weights @ own / (total + 1e-3)
    spread = np.sqrt(np.maximum(weights @ own**2 / (total + 1e-3) - mean**2, 0))
    return np.column_stack([mean, spread[:, :4], np.log1p(total)])
