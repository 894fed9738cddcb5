"""A board as one picture shows it: pixels at the nets of its regions, and the logarithm of their light."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import cv2
import numpy as np

from vision.markers import GAMMA, Floats, Image
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, frame_points
from vision.regions import LOW_MM, NEAR, NODES, PATCH_PX, THUMBNAIL_MM, Grid, Mask, Regions

BLOWN = 250  # a pixel whose every colour is above this has no colour left to compare
DARK = np.float32(0.012)  # light below this is more noise than signal
_NOT_BLOWN = np.array([1] + [0] * 255, np.float32)
_SHOWN = ((np.arange(256) / 255) ** (GAMMA / 2)).astype(np.float32)
_LOG_LIGHT = np.log((np.arange(256) / 255) ** GAMMA + DARK).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Samples:
    """Pixels of a picture (… × 3, BGR); `inside` is 0 where there was no picture, or None when all are in it."""

    bgr: Image
    inside: Grid | None = None

    @cached_property
    def light(self) -> Grid:
        """Logarithms of light."""
        return _looked_up(self.bgr, _LOG_LIGHT)

    @cached_property
    def says(self) -> Grid:
        """0 where the picture says nothing: outside of it, or where it is bleached."""
        if not self.bgr.size:
            return np.empty(self.bgr.shape[:-1], np.float32)
        blown = cv2.inRange(self.bgr.reshape(1, -1, 3), (BLOWN, BLOWN, BLOWN), (255, 255, 255))
        says = _looked_up(np.asarray(blown, np.uint8).reshape(self.bgr.shape[:-1]), _NOT_BLOWN)
        return says if self.inside is None else says * self.inside

    @cached_property
    def shown(self) -> Grid:
        """About as bright as a screen would show it, 0..1."""
        return _looked_up(self.bgr, _SHOWN)

    @cached_property
    def light_planes(self) -> Grid:
        """The same as `light`, colour by colour (3 × …)."""
        return _looked_up(self._planes, _LOG_LIGHT)

    @cached_property
    def shown_planes(self) -> Grid:
        """The same as `shown`, colour by colour (3 × …)."""
        return _looked_up(self._planes, _SHOWN)

    @property
    def _planes(self) -> Image:
        if not self.bgr.size:
            return np.empty((3, *self.bgr.shape[:-1]), np.uint8)
        planes = cv2.split(self.bgr.reshape(1, -1, 3))
        return np.asarray(np.stack(planes), np.uint8).reshape(3, *self.bgr.shape[:-1])

    def of(self, chosen: Mask) -> "Samples":
        if chosen.all():
            return self
        return Samples(self.bgr[chosen], None if self.inside is None else self.inside[chosen])

    def halved(self) -> "Samples":
        """Patches of a picture that is wholly there, at half the size."""
        count, half = len(self.bgr), PATCH_PX // 2
        tall = self.bgr.reshape(-1, PATCH_PX, 3)
        small = cv2.resize(tall, (half, count * half), interpolation=cv2.INTER_AREA)
        return Samples(np.asarray(small, np.uint8).reshape(count, half, half, 3))


@dataclass(frozen=True, eq=False)
class BoardSamples:
    """A board as one picture shows it: the whole board small, and some regions near by when asked for them."""

    low: Samples
    near: Callable[[Mask], Samples]
    glance: Callable[[Mask], Samples]
    """The same at half the size."""

    def thumbnail(self) -> Image:
        """The board very small: enough to tell, cheaply, whether and where it changed."""
        height, width = self.low.bgr.shape[:2]
        size = max(1, width // THUMBNAIL_MM), max(1, height // THUMBNAIL_MM)
        return cast(Image, cv2.resize(self.low.bgr, size, interpolation=cv2.INTER_AREA))

    def kept(self, regions: Regions) -> "BoardSamples":
        """The same with all regions looked at and worked out, so that the picture need not be kept."""
        every = np.ones(len(regions.names), bool)
        glance = self.glance(every)
        _ = self.low.light, self.low.says, glance.light_planes, glance.says, glance.shown_planes
        _ = regions.wide_low_px, regions.nearness
        return BoardSamples(self.low, self.near(every).of, glance.of)


@dataclass(frozen=True, eq=False)
class Net:
    """Points of a picture that was made smaller by `shrunk`; `inside` is None when all of them are in it."""

    where: tuple[Image, Image]
    inside: Grid | None
    shrunk: int

    @classmethod
    def of(cls, points_px: Grid, extremes_px: Grid | Floats, size_px: tuple[int, int], shrunk: int) -> "Net":
        """`extremes_px` are some of the points, among them the outermost."""
        width, height = size_px[0] // shrunk, size_px[1] // shrunk
        x, y = (np.ascontiguousarray(points_px[..., axis]) for axis in range(2))
        inside = None
        if extremes_px.min() < -0.5 or (extremes_px.max(axis=0) > (width - 0.5, height - 0.5)).any():
            within = (x >= -0.5) & (y >= -0.5) & (x <= width - 0.5) & (y <= height - 0.5)
            inside = within.astype(np.float32)
        first, second = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return cls((cast(Image, first), cast(Image, second)), inside, shrunk)


@dataclass(frozen=True, eq=False)
class Maps:
    """Where in a frame the points of a board's nets lie: worth keeping as long as the board lies still."""

    nodes_px: Grid
    low: Net
    px_per_sample: float
    size_px: tuple[int, int]

    def patches(self, chosen: Mask, side: int) -> Net:
        """Some regions near by, one patch of `side` by `side` points below the other."""
        shrunk = shrinking(self.px_per_sample * PATCH_PX / side)
        nodes = (self.nodes_px[chosen] + np.float32(0.5)) / np.float32(shrunk) - np.float32(0.5)
        points = np.matmul(_between(side), nodes).reshape(-1, side, 2)
        return Net.of(points, nodes.reshape(-1, 2), self.size_px, shrunk)


def maps_to(pose: BoardPose, regions: Regions, frame_size_px: tuple[int, int]) -> Maps:
    """Where a board in this pose shows its regions."""
    low_shrunk = shrinking(pose.px_per_mm * LOW_MM)
    nodes = pose.to_frame(regions.near_nodes_mm.reshape(-1, 2)).reshape(-1, 9, 2).astype(np.float32)
    low = frame_points(pose.homography @ regions.low_to_mm, pose.lens, regions.low_size)
    low = (low + np.float32(0.5)) * np.float32(1 / low_shrunk) - np.float32(0.5)
    corners = (pose.corners_px + 0.5) / low_shrunk - 0.5
    px_per_sample = pose.px_per_mm * regions.side_mm * NEAR / PATCH_PX
    return Maps(nodes, Net.of(low, corners, frame_size_px, low_shrunk), px_per_sample, frame_size_px)


def sample_board(frame: Pyramid, maps: Maps) -> BoardSamples:
    """What a frame shows of a board."""
    low = Samples(remapped(frame.shrunk(maps.low.shrunk), maps.low), maps.low.inside)

    def patches(chosen: Mask, side: int) -> Samples:
        if not chosen.any():
            return Samples(np.empty((0, side, side, 3), np.uint8))
        net = maps.patches(chosen, side)
        inside = None if net.inside is None else net.inside.reshape(-1, side, side)
        return Samples(remapped(frame.shrunk(net.shrunk), net).reshape(-1, side, side, 3), inside)

    return BoardSamples(low, lambda chosen: patches(chosen, PATCH_PX), lambda chosen: patches(chosen, PATCH_PX // 2))


def _looked_up(pixels: Image, table: Grid) -> Grid:
    """Like `table[pixels]`, ten times as fast."""
    if not pixels.size:
        return np.empty(pixels.shape, np.float32)
    return cast(Grid, np.asarray(cv2.LUT(pixels.reshape(1, -1), table)).reshape(pixels.shape))


@cache
def _between(side: int) -> Grid:
    """How much each of the nine nodes counts at each pixel of a patch (Lagrange's polynomials)."""
    x, (a, b, c) = (np.arange(side) + 0.5) * (PATCH_PX / side), NODES
    parts = [(x - q) * (x - r) / ((p - q) * (p - r)) for p, q, r in ((a, b, c), (b, a, c), (c, a, b))]
    one_way = np.stack(parts, axis=1)
    return np.kron(one_way, one_way).astype(np.float32)


def shrinking(px_per_sample: float) -> int:
    """By which power of two a picture can be made smaller until a sample is hardly more than a pixel."""
    times = 1
    while px_per_sample / times > 1.6 and times < 64:
        times *= 2
    return times


def remapped(picture: Image, net: Net) -> Image:
    return cast(Image, cv2.remap(picture, *net.where, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
