"""Parts of a board's small picture: what lies within an outline, without looking at all the rest."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Floats
from vision.regions import LOW_MM, Mask


@dataclass(frozen=True, eq=False)
class Spot:
    """The pixels within an outline: their window in the picture, and which of that window."""

    window: tuple[slice, slice]
    inside: Mask

    @classmethod
    def within(cls, outline_mm: Floats, shape: tuple[int, ...], grown_mm: int = 0) -> "Spot":
        """Of a convex outline on a board whose small picture has that shape, with some more around."""
        points = (outline_mm / LOW_MM - 0.5).round().astype(np.int32)
        low = (points.min(axis=0) - grown_mm).clip(0, (shape[1], shape[0]))
        high = (points.max(axis=0) + grown_mm + 1).clip(0, (shape[1], shape[0]))
        mask = np.zeros((max(int(high[1] - low[1]), 0), max(int(high[0] - low[0]), 0)), np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, points - low, (1,))
        if grown_mm and mask.size:
            mask = np.asarray(cv2.dilate(mask, np.ones((2 * grown_mm + 1,) * 2, np.uint8)), np.uint8)
        return cls((slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))), mask > 0)

    def of(self, picture: NDArray[Any]) -> NDArray[Any]:
        """Its pixels in a picture of the board."""
        return cast(NDArray[Any], picture[self.window][self.inside])

    @cached_property
    def size(self) -> int:
        return int(np.count_nonzero(self.inside))
