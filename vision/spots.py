"""Parts of a board's small picture: what lies within an outline, without looking at all the rest."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Floats
from vision.regions import LOW_MM, Mask

Window = tuple[slice, slice]


def _pixels(outline_mm: Floats) -> NDArray[np.int32]:
    return (outline_mm / LOW_MM - 0.5).round().astype(np.int32)


def window_around(outline_mm: Floats, shape: tuple[int, ...], grown_mm: int) -> Window:
    """The rows and columns of a board's small picture that an outline is in, with some more around."""
    points = _pixels(outline_mm)
    left, top = (max(int(low) - grown_mm, 0) for low in points.min(axis=0))
    right, bottom = (int(high) + grown_mm + 1 for high in points.max(axis=0))
    rows = slice(min(top, shape[0]), min(max(bottom, 0), shape[0]))
    return rows, slice(min(left, shape[1]), min(max(right, 0), shape[1]))


@dataclass(frozen=True, eq=False)
class Spot:
    """The pixels within an outline: their window in the picture, and which of that window."""

    window: Window
    inside: Mask

    @classmethod
    def within(cls, outline_mm: Floats, shape: tuple[int, ...], grown_mm: int = 0) -> "Spot":
        """Of a convex outline on a board whose small picture has that shape, with some more around."""
        points, window = _pixels(outline_mm), window_around(outline_mm, shape, grown_mm)
        rows, columns = window
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, points - (columns.start, rows.start), (1,))
        if grown_mm and mask.size:
            mask = np.asarray(cv2.dilate(mask, np.ones((2 * grown_mm + 1,) * 2, np.uint8)), np.uint8)
        return cls(window, mask > 0)

    def of(self, picture: NDArray[Any]) -> NDArray[Any]:
        """Its pixels in a picture of the board."""
        return cast(NDArray[Any], picture[self.window][self.inside])

    @cached_property
    def size(self) -> int:
        return int(np.count_nonzero(self.inside))
