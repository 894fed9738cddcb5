"""Where the regions of a board are, as nets of points to look at.

A region is looked at twice: near (the region and what overshoots it) and wide (shadows and hands do not
end where a region does).
"""

from functools import cached_property
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import INK, BoardLayout
from vision.markers import Floats, Image

Grid = NDArray[np.float32]
Mask = NDArray[np.bool_]

PATCH_PX = 32
NEAR = 1.6  # how much of its surroundings is looked at, in widths of the region
LOW_MM = 1.0  # a pixel of the board's small picture
THUMBNAIL_MM = 4  # pixels of it that make one of the thumbnail
_WIDE = 4.5
_NEARBY = 1.3  # widths of a region to what counts as its neighbours
_STEPS: Floats = (np.arange(PATCH_PX) + 0.5) / PATCH_PX - 0.5
NODES: Floats = np.array([0.5, PATCH_PX / 2, PATCH_PX - 0.5])


class Regions:
    """Where the regions of a board are that people draw in, as nets of points to look at.

    A board that nobody draws on is compared with its print at all its regions.
    """

    def __init__(self, board: BoardLayout) -> None:
        self.board, self.names = board, board.drawn_regions or tuple(board.regions)
        self._corners = np.array([board.regions[name] for name in self.names], np.float64).reshape(-1, 4, 2)
        self.low_size = round(board.width_mm / LOW_MM), round(board.height_mm / LOW_MM)

    @cached_property
    def side_mm(self) -> float:
        areas = [cv2.contourArea(corners.astype(np.float32)) for corners in self._corners]
        return float(np.sqrt(np.median(areas))) if areas else 1.0

    def outlines_mm(self, grown: Floats) -> Floats:
        """The regions, each made larger about its middle."""
        middles = self._corners.mean(axis=1, keepdims=True)
        return cast(Floats, middles + grown[:, None, None] * (self._corners - middles))

    @cached_property
    def nearness(self) -> Floats:
        """How near regions are to each other: nearly 1 for neighbours, 0 far away and for a region itself."""
        places = self.middles_mm / (_NEARBY * self.side_mm)
        near = np.exp(-((places[:, None] - places[None]) ** 2).sum(axis=2) / 2)
        np.fill_diagonal(near, 0)
        return cast(Floats, near)

    @property
    def low_to_mm(self) -> Floats:
        """From pixels of the board's small picture to millimetres."""
        return np.array([[LOW_MM, 0, LOW_MM / 2], [0, LOW_MM, LOW_MM / 2], [0, 0, 1]])

    @cached_property
    def square(self) -> Mask:
        """Which of them are squares, where any ink is a mark; the others are boxes with a value."""
        return np.array([self.board.readers.get(name) == INK for name in self.names], bool)

    def touched(self, changed: Image) -> Mask:
        """The regions that a mask over the board's thumbnail meets."""
        if changed.all():
            return np.ones(len(self.names), bool)
        boxes = np.concatenate([self._corners.min(axis=1), self._corners.max(axis=1)], axis=1) / THUMBNAIL_MM
        lefts, tops, rights, bottoms = np.add(boxes, (-1, -1, 2, 2)).clip(0).astype(int).T
        places = zip(lefts, tops, rights, bottoms, strict=True)
        return np.array([changed[top:bottom, left:right].any() for left, top, right, bottom in places], bool)

    @cached_property
    def middles_mm(self) -> Floats:
        return cast(Floats, self._corners.mean(axis=1))

    @cached_property
    def near_nodes_mm(self) -> Floats:
        """Three by three points of each near net: the others lie on the smooth surface through them."""
        return self._net(NEAR * (NODES / PATCH_PX - 0.5))

    @cached_property
    def near_mm(self) -> Floats:
        return self._net(NEAR * _STEPS)

    @cached_property
    def wide_low_px(self) -> tuple[Image, Image]:
        """The wide nets in the board's small picture, one patch for each region, as `remap` wants them."""
        points = (self._net(_WIDE * _STEPS) / LOW_MM - 0.5).astype(np.float32).reshape(-1, PATCH_PX, 2)
        x, y = (np.ascontiguousarray(points[..., axis]) for axis in range(2))
        first, second = (cast(Image, part) for part in cv2.convertMaps(x, y, cv2.CV_16SC2))
        return first.reshape(-1, PATCH_PX, PATCH_PX, 2), second.reshape(-1, PATCH_PX, PATCH_PX)

    def _net(self, steps: Floats) -> Floats:
        corners = self._corners
        across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
        down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
        rows = down[:, None, None, :] * steps[None, :, None, None]
        middles = corners.mean(axis=1)[:, None, None, :]
        return cast(Floats, middles + rows + across[:, None, None, :] * steps[:, None])
