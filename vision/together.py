"""The regions of one board judged together: one player draws on it, with one pen, in one light.

Looked at alone, a faint stroke and a wiped one are alike. Beside all else on the board they are not: the player's
other marks tell how strong the pen is and of which colour, and the empty regions how much noise there is.
A tiny network (made by `tools/marks`) weighs what each region looked like alone against that.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.markers import Floats
from vision.regions import PATCH_PX, Grid, Mask
from vision.samples import DARK

ANSWERS = 5
"""The log-likelihoods of a region's look: as each of the kinds of `vision.marks`, and last as hidden."""
TRAITS = 12
"""Beside them: how its light changed, how that of its darkest part did, and its print (three colours each), how rough
and how blotchy that is, and how much of it can be seen."""
FEATURES = ANSWERS + 1 + 5 * TRAITS + 15
_MEAN, _DARK, _PRINT = slice(0, 3), slice(3, 6), slice(6, 9)

_HEART = slice(PATCH_PX // 8, 3 * PATCH_PX // 8)  # of a glance: what lies well within the region
_SIDE = _HEART.stop - _HEART.start
_DARKEST = 8  # of the 64 pixels there
_STAIN = 0.01  # how much (of the print's light, squared) the ink has to be seen on to be told from a stain
_LEAST = -12.0  # log-likelihoods below this tell no more


def traits(glances: Grid) -> Grid:
    """What is remembered of regions beside the answers, from what a glance shows of them."""
    heart = np.ascontiguousarray(glances[:, :, _HEART, _HEART])
    flat = heart.reshape(len(heart), heart.shape[1], _SIDE**2)
    means = flat.mean(axis=2)
    grey = (flat[:, 0] + flat[:, 1] + flat[:, 2]) / 3
    darkest = np.argpartition(grey, _DARKEST, axis=1)[:, :_DARKEST]
    dark = flat[np.arange(len(flat))[:, None], :3, darkest].mean(axis=1)
    square = grey.reshape(-1, _SIDE, _SIDE)
    rough = sum(np.abs(np.diff(square, axis=axis)).mean(axis=(1, 2)) for axis in (1, 2))
    quarters = square.reshape(-1, 2, _SIDE // 2, 2, _SIDE // 2).mean(axis=4).mean(axis=2).reshape(-1, 4)
    return np.column_stack([means[:, :3], dark, means[:, 4:], rough, quarters.std(axis=1), means[:, 3]])


def features(rows: Grid, square: Mask, near: Floats) -> Grid:
    """All that is known of every region of a board and of its company.

    A row has a region's answers, then its traits; `near` tells how near each region is to each other.
    """
    answers, own = rows[:, :ANSWERS], rows[:, ANSWERS:]
    answers = np.clip(answers - answers.max(axis=1, keepdims=True, initial=_LEAST), _LEAST, 0)
    shares = np.exp(answers)
    shares /= shares.sum(axis=1, keepdims=True)
    ink, empty = shares[:, 1 : ANSWERS - 1].sum(axis=1) ** 2, shares[:, 0] ** 2
    by_ink, by_empty = _told_by_others(ink), _told_by_others(empty)
    drawn, blank = _Company.of(own, by_ink), _Company.of(own, by_empty)
    beside = _Company.of(own, lambda told: near @ (empty[:, None] * told))
    # The light differs from place to place: what is empty beside a region says most about it, if there is such.
    paper = (beside.mean * beside.count + blank.mean) / (beside.count + 1)
    changes = [own[:, part] - paper[:, part] for part in (_MEAN, _DARK)]
    print_light = own[:, _PRINT].astype(np.float64) ** 2
    told = [_told_by_pen(change, _usual_ink(change, print_light, by_ink)) for change in changes]
    noise = np.column_stack(changes) / (blank.spread[:, : _DARK.stop] + 0.02)
    counts = np.log1p(np.column_stack([drawn.count, blank.count, beside.count]))
    company = [drawn.mean, drawn.spread, blank.mean, blank.spread]
    ratios = np.clip(np.column_stack([*told, noise]), -4, 4)
    return np.column_stack([answers / 4, square, own, *company, counts, ratios]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Company:
    """By region, the mean traits of others, how much they differ, and how many they are."""

    mean: Floats
    spread: Floats
    count: Floats

    @classmethod
    def of(cls, own: Grid, told_by: Callable[[Grid | Floats], Floats]) -> "_Company":
        """`told_by` adds up what the others tell, each as much as it counts."""
        told = told_by(np.concatenate([np.ones((len(own), 1)), own, own**2], axis=1))
        count = told[:, :1]
        mean, mean_square = np.split(told[:, 1:] / (count + 1e-3), 2, axis=1)
        return cls(mean, np.sqrt(np.maximum(mean_square - mean**2, 0)), count)


def _told_by_others(weights: Floats | Grid) -> Callable[[Grid | Floats], Floats]:
    """Adds up, for every region, what all others tell."""

    def told(values: Grid | Floats) -> Floats:
        parts = weights[:, None].astype(np.float64) * values
        return np.asarray(parts.sum(axis=0) - parts)

    return told


def _usual_ink(change: Floats, print_light: Floats, drawn: Callable[[Grid | Floats], Floats]) -> Floats:
    """By region, the change that ink like that of the others would make there.

    Ink swallows light of the print and sends back some of its own: over the print's light that is a straight line.
    """
    lost = (print_light + DARK) * np.expm1(change)
    columns = np.ones((len(change), 1)), print_light, lost, print_light**2, print_light * lost
    told = drawn(np.concatenate(columns, axis=1))
    mean_light, mean_lost, mean_square, mean_product = np.split(told[:, 1:] / (told[:, :1] + 1e-3), 4, axis=1)
    varies = np.maximum(mean_square - mean_light**2, 0)
    together = mean_product - mean_light * mean_lost
    # Where all that was drawn is on the same print, ink is taken for a stain, which has no light of its own.
    slope = (together + _STAIN * mean_lost / (mean_light + DARK)) / (varies + _STAIN)
    share = (mean_lost + slope * (print_light - mean_light)) / (print_light + DARK)
    return np.asarray(np.log1p(np.clip(share, -0.97, 4)))


def _told_by_pen(change: Floats, pen: Floats) -> Floats:
    """How much of the usual ink would explain a change, how much of the change it leaves unexplained, and how well
    such ink would be seen at all."""
    much = (change * pen).sum(axis=1, keepdims=True) / ((pen**2).sum(axis=1, keepdims=True) + 0.01)
    return np.column_stack([much, 4 * np.linalg.norm(change - much * pen, axis=1), 4 * np.linalg.norm(pen, axis=1)])
