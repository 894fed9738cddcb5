"""A board in one picture and the same board clean, brought to the same place and light and compared.

A region is looked at twice: near (the region and what overshoots it) and wide (shadows and hands do not
end where a region does). What is compared is the logarithm of light: there a dimmer lamp, a shadow or a
colour cast is a sum that can be taken away, and ink is what remains.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.layout import BoardLayout
from vision.markers import GAMMA, Floats, Image
from vision.rectify import BoardPose, frame_points

Grid = NDArray[np.float32]
Mask = NDArray[np.bool_]

PATCH_PX = 32
CHANNELS = 11
_NEAR, _WIDE = 1.6, 4.5  # how much of its surroundings is looked at, in widths of the region
_NEARBY = 1.3  # widths of a region to what counts as its neighbours
_LOW_MM = 1.0  # a pixel of the board's small picture
_THUMBNAIL_MM = 4  # pixels of it that make one of the thumbnail
_BLOWN = 250  # a pixel whose every colour is above this has no colour left to compare
_NOT_BLOWN = np.array([1] + [0] * 255, np.float32)
_DARK = np.float32(0.012)  # light below this is more noise than signal
_SHOWN = ((np.arange(256) / 255) ** (GAMMA / 2)).astype(np.float32)
_LOG_LIGHT = np.log((np.arange(256) / 255) ** GAMMA + _DARK).astype(np.float32)
_PRINT_BLURS = (0.4, 0.7, 1.0, 1.4, 2.0)  # how soft a camera may see, in its pixels
_GAIN_GRID = 24
_CALM, _CALM_MM = 0.2, 5  # print that changed by less, over so many pixels of the small picture, is bare
_ALIKE = 30  # grey levels between white and bleached
_FINE_MM = 5  # finer print than that is no sign of a die
_REACH_MM = 9  # nearly half a die to each side


class Regions:
    """Where the regions of a board are, as nets of points to look at."""

    def __init__(self, board: BoardLayout) -> None:
        self.board, self.names = board, tuple(board.regions)
        self._corners = np.array([board.regions[name] for name in self.names], np.float64).reshape(-1, 4, 2)
        self.low_size = round(board.width_mm / _LOW_MM), round(board.height_mm / _LOW_MM)

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
        return np.array([[_LOW_MM, 0, _LOW_MM / 2], [0, _LOW_MM, _LOW_MM / 2], [0, 0, 1]])

    def touched(self, changed: Image) -> Mask:
        """The regions that a mask over the board's thumbnail meets."""
        boxes = np.concatenate([self._corners.min(axis=1), self._corners.max(axis=1)], axis=1) / _THUMBNAIL_MM
        lefts, tops, rights, bottoms = np.add(boxes, (-1, -1, 2, 2)).clip(0).astype(int).T
        places = zip(lefts, tops, rights, bottoms, strict=True)
        return np.array([changed[top:bottom, left:right].any() for left, top, right, bottom in places], bool)

    @cached_property
    def middles_mm(self) -> Floats:
        return cast(Floats, self._corners.mean(axis=1))

    @cached_property
    def near_nodes_mm(self) -> Floats:
        """Three by three points of each near net: the others lie on the smooth surface through them."""
        return self._net(_NEAR * (_NODES / PATCH_PX - 0.5))

    @cached_property
    def near_mm(self) -> Floats:
        return self._net(_NEAR * _STEPS)

    @cached_property
    def wide_low_px(self) -> tuple[Image, Image]:
        """The wide nets in the board's small picture, one patch for each region, as `remap` wants them."""
        points = (self._net(_WIDE * _STEPS) / _LOW_MM - 0.5).astype(np.float32).reshape(-1, PATCH_PX, 2)
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


_STEPS: Floats = (np.arange(PATCH_PX) + 0.5) / PATCH_PX - 0.5
_NODES: Floats = np.array([0.5, PATCH_PX / 2, PATCH_PX - 0.5])


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
        blown = cv2.inRange(self.bgr.reshape(1, -1, 3), (_BLOWN, _BLOWN, _BLOWN), (255, 255, 255))
        says = _looked_up(np.asarray(blown, np.uint8).reshape(self.bgr.shape[:-1]), _NOT_BLOWN)
        return says if self.inside is None else says * self.inside

    @cached_property
    def shown(self) -> Grid:
        """About as bright as a screen would show it, 0..1."""
        return _looked_up(self.bgr, _SHOWN)

    def of(self, chosen: Mask) -> "Samples":
        if chosen.all():
            return self
        return Samples(self.bgr[chosen], None if self.inside is None else self.inside[chosen])

    def worked_out(self) -> "Samples":
        """The same with all of the above computed already: worth it for what is asked for again and again."""
        _ = self.light, self.says, self.shown
        return self

    def halved(self) -> "Samples":
        """Patches of a picture that is wholly there, at half the size."""
        count, half = len(self.bgr), PATCH_PX // 2
        tall = self.bgr.reshape(-1, PATCH_PX, 3)
        small = cv2.resize(tall, (half, count * half), interpolation=cv2.INTER_AREA)
        return Samples(np.asarray(small, np.uint8).reshape(count, half, half, 3))


@dataclass(frozen=True, eq=False)
class Look:
    """A board as one picture shows it: the whole board small, and some regions near by when asked for them."""

    low: Samples
    near: Callable[[Mask], Samples]
    glance: Callable[[Mask], Samples]
    """The same at half the size."""

    def thumbnail(self) -> Image:
        """The board very small: enough to tell, cheaply, whether and where it changed."""
        height, width = self.low.bgr.shape[:2]
        size = max(1, width // _THUMBNAIL_MM), max(1, height // _THUMBNAIL_MM)
        return cast(Image, cv2.resize(self.low.bgr, size, interpolation=cv2.INTER_AREA))

    def kept(self, regions: "Regions") -> "Look":
        """The same with all regions looked at and worked out, so that the picture need not be kept."""
        every = np.ones(len(regions.names), bool)
        _ = regions.wide_low_px, regions.nearness
        return Look(self.low.worked_out(), self.near(every).of, self.glance(every).worked_out().of)


@dataclass(frozen=True, eq=False)
class _Net:
    """Points of a picture that was made smaller by `shrunk`; `inside` is None when all of them are in it."""

    where: tuple[Image, Image]
    inside: Grid | None
    shrunk: int

    @classmethod
    def of(cls, points_px: Grid, extremes_px: Grid | Floats, size_px: tuple[int, int], shrunk: int) -> "_Net":
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
    low: _Net
    px_per_sample: float
    size_px: tuple[int, int]

    def patches(self, chosen: Mask, side: int) -> _Net:
        """Some regions near by, one patch of `side` by `side` points below the other."""
        shrunk = _shrinking(self.px_per_sample * PATCH_PX / side)
        nodes = (self.nodes_px[chosen] + np.float32(0.5)) / np.float32(shrunk) - np.float32(0.5)
        points = np.matmul(_between(side), nodes).reshape(-1, side, 2)
        return _Net.of(points, nodes.reshape(-1, 2), self.size_px, shrunk)


def maps_to(pose: BoardPose, regions: Regions, frame_size_px: tuple[int, int]) -> Maps:
    """Where a board in this pose shows its regions."""
    low_shrunk = _shrinking(pose.px_per_mm * _LOW_MM)
    nodes = pose.to_frame(regions.near_nodes_mm.reshape(-1, 2)).reshape(-1, 9, 2).astype(np.float32)
    low = frame_points(pose.homography @ regions.low_to_mm, pose.lens, regions.low_size)
    low = (low + np.float32(0.5)) * np.float32(1 / low_shrunk) - np.float32(0.5)
    corners = (pose.corners_px + 0.5) / low_shrunk - 0.5
    px_per_sample = pose.px_per_mm * regions.side_mm * _NEAR / PATCH_PX
    return Maps(nodes, _Net.of(low, corners, frame_size_px, low_shrunk), px_per_sample, frame_size_px)


def look_at(frame: Frame, maps: Maps) -> Look:
    """What a frame shows of a board."""
    low = Samples(_remapped(frame.shrunk(maps.low.shrunk), maps.low), maps.low.inside)

    def patches(chosen: Mask, side: int) -> Samples:
        if not chosen.any():
            return Samples(np.empty((0, side, side, 3), np.uint8))
        net = maps.patches(chosen, side)
        inside = None if net.inside is None else net.inside.reshape(-1, side, side)
        return Samples(_remapped(frame.shrunk(net.shrunk), net).reshape(-1, side, side, 3), inside)

    return Look(low, lambda chosen: patches(chosen, PATCH_PX), lambda chosen: patches(chosen, PATCH_PX // 2))


def look_at_print(picture_bgr: Image, regions: Regions, px_per_mm: float, now: Look) -> Look:
    """The kit's own picture of a board as the camera that took `now` would show it, in place of a clean picture."""
    scale = picture_bgr.shape[1] / regions.board.width_mm
    shrunk = _shrinking(scale * regions.side_mm * _NEAR / PATCH_PX / 2)
    picture = Frame(picture_bgr).shrunk(shrunk)
    looks = [
        _as_photographed(_print(picture, regions, scale / shrunk, blur_px / px_per_mm), now, regions)
        for blur_px in _PRINT_BLURS
    ]
    every = np.ones(len(regions.names), bool)
    seen, lights = now.near(every), [look.near(every).light for look in looks]
    # Edges of the print tell how soft the camera sees; what lies between them looks alike in all.
    edges, light = np.abs(lights[0] - lights[-1]) * seen.says[..., None], seen.light
    off = [float((edges * np.abs(light - printed).clip(0, 2)).sum()) for printed in lights]
    return looks[int(np.argmin(off))]


class Change:
    """What changed on a board between its clean look and now, the change of the light taken out."""

    def __init__(self, now: Look, clean: Look, regions: Regions) -> None:
        self._now, self._clean, self.regions = now, clean, regions
        self._gain = _Gain.between(now.low, clean.low)

    def glances(self, chosen: Mask) -> Grid:
        """Some regions as the first, quick network wants them: what is near, at half the size."""
        return self._compared(self._now.glance(chosen), self._clean.glance(chosen), chosen)

    def inputs(self, chosen: Mask) -> Grid:
        """Some regions as the network for marks wants them: (regions, CHANNELS, PATCH_PX, PATCH_PX)."""
        near = self._compared(self._now.near(chosen), self._clean.near(chosen), chosen)
        return np.concatenate([near[:, :4], self._wide(chosen).transpose(0, 3, 1, 2), near[:, 4:]], axis=1)

    def _compared(self, now: Samples, clean: Samples, chosen: Mask) -> Grid:
        """By region: how its light changed, where that can be told, and how it looks when clean; channels first."""
        says = now.says * clean.says
        change = now.light - clean.light
        change -= self._gain.at(self.regions.middles_mm[chosen])[:, None, None, :]
        change *= says[..., None]
        compared = np.empty((len(says), 7, *says.shape[1:]), np.float32)
        compared[:, :3] = np.clip(change, -3, 3, out=change).transpose(0, 3, 1, 2)
        compared[:, 3] = says
        compared[:, 4:] = clean.shown.transpose(0, 3, 1, 2)
        return compared

    def bare(self, free_mm: Floats) -> Image:
        """Where no die lies on the board, in its small picture: 1 where it shows nothing but its print, not even at
        the edge of a die, and within the outlines (… × 4 × 2) that are known to be free."""
        # Print that is seen a fraction of a millimetre off is darker on one side and brighter on the other.
        even = np.abs(cv2.blur(self._low, (_FINE_MM, _FINE_MM)))
        off = cv2.transform(even, np.full((1, 4), 1 / 3, np.float32) * (1, 1, 1, 0))
        calm = (cv2.blur(off, (_CALM_MM, _CALM_MM)) < _CALM) & self._comparable
        bare = cast(Image, cv2.erode(calm.astype(np.uint8), np.ones((_REACH_MM, _REACH_MM), np.uint8)))
        for outline in (free_mm / _LOW_MM - 0.5).round().astype(np.int32):
            cv2.fillConvexPoly(bare, outline, (1,))
        return bare

    @property
    def _comparable(self) -> Mask:
        """Where both small pictures say something, or are both bleached, or nearly so: there they are alike."""
        now, clean = self._now.low, self._clean.low
        alike = now.says == clean.says
        if not alike.all():
            alike |= cv2.absdiff(now.bgr, clean.bgr).max(axis=2) < _ALIKE
        return np.asarray(alike, bool)

    @cached_property
    def _low(self) -> Grid:
        """The change of the whole board, small, and which pixels of it say something."""
        says = self._now.low.says * self._clean.low.says
        change = cv2.subtract(cv2.subtract(self._now.low.light, self._clean.low.light), self._gain.over(says.shape))
        return cast(Grid, cv2.merge([*(cv2.multiply(colour, says) for colour in cv2.split(change)), says]))

    def _wide(self, chosen: Mask) -> Grid:
        if not chosen.any():
            return np.empty((0, PATCH_PX, PATCH_PX, 4), np.float32)
        first, second = (part[chosen].reshape(-1, *part.shape[2:]) for part in self.regions.wide_low_px)
        wide = cv2.remap(self._low, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return cast(Grid, np.clip(np.asarray(wide).reshape(-1, PATCH_PX, PATCH_PX, 4), -3, 3))


@dataclass(frozen=True, eq=False)
class _Gain:
    """How the light on a board differs from the clean picture's, as logarithm: a smooth surface per colour."""

    factors: Floats
    size_mm: tuple[float, float]

    @classmethod
    def between(cls, now: Samples, clean: Samples) -> "_Gain":
        """Between two small pictures of the board."""
        rows, columns = now.says.shape
        step = max(1, min(rows, columns) // _GAIN_GRID)
        grid = slice(None, None, step), slice(None, None, step)
        change = (now.light[grid] - clean.light[grid]).reshape(-1, 3)
        usable = (now.says[grid] * clean.says[grid]).reshape(-1) > 0
        size_mm = (columns * _LOW_MM, rows * _LOW_MM)
        if usable.sum() < 50:
            return cls(np.zeros((6, 3)), size_mm)
        y, x = np.mgrid[0:rows:step, 0:columns:step]
        terms = _terms(np.stack([x + 0.5, y + 0.5], axis=-1).reshape(-1, 2) * _LOW_MM, size_mm)
        return cls(_through_paper(terms[usable], change[usable]), size_mm)

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
    level = np.median(change, axis=0)
    factors = np.zeros((terms.shape[1], 3))
    factors[0] = np.quantile(change, 0.6, axis=0)
    ridge = np.diag([0.0, *[0.01 * len(terms)] * (terms.shape[1] - 1)])
    for scale in (0.5, 0.3, 0.2, 0.12, 0.12):
        off = (change - terms @ factors).mean(axis=1)
        weight = 1 / (1 + (off / np.where(off < 0, scale, 1.5 * scale)) ** 2) ** 2
        weighted = terms * weight[:, None]
        factors = np.linalg.solve(weighted.T @ terms + ridge * weight.mean(), weighted.T @ (change - level))
        factors[0] += level
    return cast(Floats, factors)


def _terms(points_mm: Floats, size_mm: tuple[float, float]) -> Floats:
    x, y = (points_mm[..., i] / size_mm[i] * 2 - 1 for i in range(2))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)


def _print(picture: Image, regions: Regions, scale: float, blur_mm: float) -> Look:
    soft = cast(Image, cv2.GaussianBlur(picture, (0, 0), max(blur_mm * scale, 0.1)))
    where = (regions.near_mm.reshape(-1, PATCH_PX, 2) * scale - 0.5).astype(np.float32)
    near = _remapped(soft, _Net.of(where, where.reshape(-1, 2), (soft.shape[1], soft.shape[0]), 1))
    low = cast(Image, cv2.resize(soft, regions.low_size, interpolation=cv2.INTER_AREA))
    return _printed(Samples(_unbleached(low)), Samples(_unbleached(near).reshape(-1, PATCH_PX, PATCH_PX, 3)))


def _printed(low: Samples, near: Samples) -> Look:
    return Look(low, near.of, near.halved().of)


def _unbleached(printed: Image) -> Image:
    """Print that is white in the file is not bleached on the board."""
    return np.minimum(printed, _BLOWN - 1)


def _as_photographed(printed: Look, now: Look, regions: Regions) -> Look:
    """A print in the colours that this camera and light give it."""
    step = max(1, min(now.low.says.shape) // 64)
    grid = slice(None, None, step), slice(None, None, step)
    usable = now.low.says[grid].reshape(-1) > 0
    if usable.sum() < 50:
        return printed
    ink, seen = printed.low.shown[grid].reshape(-1, 3) ** 2, now.low.light[grid]
    factors = np.vstack([np.eye(3), np.zeros(3)])
    for _ in range(3):
        # Light that is uneven over the board is taken out first, by the colours found so far.
        gain = _Gain.between(now.low, _mixed(printed.low, factors)).over(now.low.says.shape)[grid]
        factors = _colours(ink[usable], _light(seen - gain).reshape(-1, 3)[usable], factors)
    every = printed.near(np.ones(len(regions.names), bool))
    return _printed(_mixed(printed.low, factors), _mixed(every, factors))


def _mixed(printed: Samples, factors: Floats) -> Samples:
    light = np.clip(printed.shown**2 @ factors[:3] + factors[3], 0, 1)
    return Samples(_unbleached((255 * light ** (1 / GAMMA)).round().astype(np.uint8)))


def _light(logarithm: Grid) -> Grid:
    return cast(Grid, np.maximum(np.exp(logarithm) - _DARK, 0))


def _colours(ink: Grid, seen: Grid, factors: Floats) -> Floats:
    """The colour mixture that takes print to what is seen; what does not fit (marks, hands) counts little."""
    known = np.column_stack([ink, np.ones(len(ink))])
    ridge = 1e-3 * len(ink) * np.eye(4)
    start = np.vstack([np.eye(3) * np.median(seen / np.maximum(ink, 0.02)), np.zeros(3)])
    for scale in (0.15, 0.08, 0.05):
        off = np.abs(np.log((np.maximum(known @ factors, 0) + 0.02) / (seen + 0.02))).mean(axis=1)
        weight = 1 / (1 + (off / (2 * scale)) ** 2) ** 2
        weighted = known * weight[:, None]
        factors = np.linalg.solve(weighted.T @ known + ridge, weighted.T @ seen + ridge @ start)
    return cast(Floats, factors)


def _looked_up(pixels: Image, table: Grid) -> Grid:
    """Like `table[pixels]`, ten times as fast."""
    if not pixels.size:
        return np.empty(pixels.shape, np.float32)
    return cast(Grid, np.asarray(cv2.LUT(pixels.reshape(1, -1), table)).reshape(pixels.shape))


@cache
def _between(side: int) -> Grid:
    """How much each of the nine nodes counts at each pixel of a patch (Lagrange's polynomials)."""
    x, (a, b, c) = (np.arange(side) + 0.5) * (PATCH_PX / side), _NODES
    parts = [(x - q) * (x - r) / ((p - q) * (p - r)) for p, q, r in ((a, b, c), (b, a, c), (c, a, b))]
    one_way = np.stack(parts, axis=1)
    return np.kron(one_way, one_way).astype(np.float32)


def _shrinking(px_per_sample: float) -> int:
    """By which power of two a picture can be made smaller until a sample is hardly more than a pixel."""
    times = 1
    while px_per_sample / times > 1.6 and times < 64:
        times *= 2
    return times


def _remapped(picture: Image, net: _Net) -> Image:
    return cast(Image, cv2.remap(picture, *net.where, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
