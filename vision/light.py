"""How the light on a board differs from the light of its clean picture.

In the logarithm of light a dimmer lamp, a shadow or a colour cast is a sum that can be taken away.
"""

from dataclasses import dataclass
from functools import cache
from typing import cast

import cv2
import numpy as np

from vision.markers import Floats
from vision.regions import LOW_MM, Grid
from vision.samples import Samples

_GAIN_GRID = 24


@dataclass(frozen=True, eq=False)
class Gain:
    """How the light on a board differs from the clean picture's, as logarithm: a smooth surface per colour."""

    factors: Floats
    size_mm: tuple[float, float]

    @classmethod
    def between(cls, now: Samples, clean: Samples) -> "Gain":
        """Between two small pictures of the board."""
        rows, columns = now.says.shape
        step = max(1, min(rows, columns) // _GAIN_GRID)
        grid = slice(None, None, step), slice(None, None, step)
        change = (now.light[grid] - clean.light[grid]).reshape(-1, 3)
        usable = (now.says[grid] * clean.says[grid]).reshape(-1) > 0
        size_mm = (columns * LOW_MM, rows * LOW_MM)
        if usable.sum() < 50:
            return cls(np.zeros((6, 3)), size_mm)
        return cls(_through_paper(_terms_on_grid(rows, columns, step)[usable], change[usable]), size_mm)

    def at(self, points_mm: Floats) -> Grid:
        return (_terms(points_mm, self.size_mm) @ self.factors).astype(np.float32)

    def over(self, shape: tuple[int, int]) -> Grid:
        """At every pixel of the small picture."""
        rows, columns = shape
        coarse = 24
        x, y = np.meshgrid((np.arange(coarse) + 0.5) / coarse, (np.arange(coarse) + 0.5) / coarse)
        surface = self.at(np.stack([x * self.size_mm[0], y * self.size_mm[1]], axis=-1))
        return cast(Grid, cv2.resize(surface, (columns, rows), interpolation=cv2.INTER_LINEAR))


def _through_paper(terms: Floats, change: Grid) -> Floats:
    """The surface through clean paper: what is darker than it is ink or shadow and counts less and less."""
    level, brighter = np.quantile(change, (0.5, 0.6), axis=0)
    factors = np.zeros((terms.shape[1], 3))
    factors[0] = brighter
    ridge = np.diag([0.0, *[0.01 * len(terms)] * (terms.shape[1] - 1)])
    for scale in (0.5, 0.3, 0.2, 0.12, 0.12):
        off = (change - terms @ factors).mean(axis=1)
        weight = 1 / (1 + (off / np.where(off < 0, scale, 1.5 * scale)) ** 2) ** 2
        weighted = terms * weight[:, None]
        factors = np.linalg.solve(weighted.T @ terms + ridge * weight.mean(), weighted.T @ (change - level))
        factors[0] += level
    return cast(Floats, factors)


@cache
def _terms_on_grid(rows: int, columns: int, step: int) -> Floats:
    """The terms at every so many pixels of the small picture."""
    y, x = np.mgrid[0:rows:step, 0:columns:step]
    return _terms(np.stack([x + 0.5, y + 0.5], axis=-1).reshape(-1, 2) * LOW_MM, (columns * LOW_MM, rows * LOW_MM))


def _terms(points_mm: Floats, size_mm: tuple[float, float]) -> Floats:
    x, y = (points_mm[..., i] / size_mm[i] * 2 - 1 for i in range(2))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
