"""A board in one picture and the same board clean, brought to the same place and light and compared.

A region is looked at twice: near (the region and what overshoots it) and wide (shadows and hands do not
end where a region does). What is compared is the logarithm of light: there a dimmer lamp, a shadow or a
colour cast is a sum that can be taken away, and ink is what remains.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import BoardLayout
from vision.markers import GAMMA, Floats, Image
from vision.rectify import BoardPose, frame_points

Grid = NDArray[np.float32]

PATCH_PX = 32
CHANNELS = 11
_NEAR, _WIDE = 1.6, 4.5  # how much of its surroundings is looked at, in widths of the region
_LOW_MM = 1.0  # a pixel of the board's small picture
_THUMBNAIL_MM = 4  # pixels of it that make one of the thumbnail
_BLOWN = 250  # a pixel whose every colour is above this has no colour left to compare
_NOT_BLOWN = np.array([1] + [0] * 255, np.float32)
_DARK = np.float32(0.012)  # light below this is more noise than signal
_LOG_LIGHT = np.log((np.arange(256) / 255) ** GAMMA + _DARK).astype(np.float32)
_PRINT_BLURS = (0.4, 0.7, 1.0, 1.4, 2.0)  # how soft a camera may see, in its pixels
_GAIN_GRID = 48
_CALM, _CALM_MM = 0.2, 5  # print that changed by less, over so many pixels of the small picture, is bare
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

    @property
    def low_to_mm(self) -> Floats:
        """From pixels of the board's small picture to millimetres."""
        return np.array([[_LOW_MM, 0, _LOW_MM / 2], [0, _LOW_MM, _LOW_MM / 2], [0, 0, 1]])

    def touched(self, changed: Image) -> NDArray[np.bool_]:
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
    def wide_low_px(self) -> tuple[Grid, Grid]:
        """The wide nets in the board's small picture: x and y."""
        points = (self._net(_WIDE * _STEPS) / _LOW_MM - 0.5).astype(np.float32)
        return np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])

    def _net(self, steps: Floats) -> Floats:
        corners = self._corners
        across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
        down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
        rows = down[:, None, None, :] * steps[None, :, None, None]
        return cast(Floats, self.middles_mm[:, None, None, :] + rows + across[:, None, None, :] * steps[:, None])


_STEPS: Floats = (np.arange(PATCH_PX) + 0.5) / PATCH_PX - 0.5
_NODES: Floats = np.array([0.5, PATCH_PX / 2, PATCH_PX - 0.5])


@dataclass(frozen=True, eq=False)
class Look:
    """A board as one picture shows it: each region near by, and the whole board small.

    `near` and `low` are logarithms of light (BGR); `near_says` and `low_says` are 0 where the picture says nothing:
    outside of it, or where it is bleached.
    """

    near: Grid
    near_says: Grid
    low: Grid
    low_says: Grid

    @cached_property
    def near_shown(self) -> Grid:
        """About as bright as a screen would show it, 0..1."""
        return cast(Grid, np.sqrt(np.maximum(np.exp(self.near) - _DARK, 0)))

    @cached_property
    def near_shown_small(self) -> Grid:
        return _halved(self.near_shown)


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

    near: _Net
    low: _Net


def maps_to(pose: BoardPose, regions: Regions, frame_size_px: tuple[int, int]) -> Maps:
    """Where a board in this pose shows its regions."""
    near_shrunk = _shrinking(pose.px_per_mm * regions.side_mm * _NEAR / PATCH_PX)
    low_shrunk = near_shrunk * _shrinking(pose.px_per_mm / near_shrunk * _LOW_MM)
    nodes = (pose.to_frame(regions.near_nodes_mm.reshape(-1, 2)) + 0.5) / near_shrunk - 0.5
    near = np.matmul(_BETWEEN, nodes.reshape(-1, 9, 2).astype(np.float32)).reshape(-1, PATCH_PX, 2)
    low = frame_points(pose.homography @ regions.low_to_mm, pose.lens, regions.low_size)
    low = (low + np.float32(0.5)) * np.float32(1 / low_shrunk) - np.float32(0.5)
    corners = (pose.corners_px + 0.5) / low_shrunk - 0.5
    return Maps(_Net.of(near, nodes, frame_size_px, near_shrunk), _Net.of(low, corners, frame_size_px, low_shrunk))


class Frame:
    """A picture and smaller ones of it, made when first asked for."""

    def __init__(self, bgr: Image) -> None:
        self.bgr, self._smaller = bgr, {1: bgr}

    def shrunk(self, times: int) -> Image:
        if times not in self._smaller:
            larger = self.shrunk(times // 2)
            height, width = larger.shape[0] // 2, larger.shape[1] // 2
            whole = larger[: 2 * height, : 2 * width]
            self._smaller[times] = cast(Image, cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
        return self._smaller[times]


def look_at(frame: Frame, maps: Maps) -> Look:
    """What a frame shows of a board."""
    near, near_says = _sampled(frame.shrunk(maps.near.shrunk), maps.near)
    low, low_says = _sampled(frame.shrunk(maps.low.shrunk), maps.low)
    return Look(near.reshape(-1, PATCH_PX, PATCH_PX, 3), near_says.reshape(-1, PATCH_PX, PATCH_PX), low, low_says)


def thumbnail(frame: Frame, maps: Maps) -> Image:
    """The board very small, as the picture has it: enough to tell, cheaply, whether and where it changed."""
    seen = _remapped(frame.shrunk(maps.low.shrunk), maps.low)
    size = max(1, seen.shape[1] // _THUMBNAIL_MM), max(1, seen.shape[0] // _THUMBNAIL_MM)
    return cast(Image, cv2.resize(seen, size, interpolation=cv2.INTER_AREA))


def look_at_print(picture_bgr: Image, regions: Regions, px_per_mm: float, now: Look) -> Look:
    """The kit's own picture of a board as the camera that took `now` would show it, in place of a clean picture."""
    scale = picture_bgr.shape[1] / regions.board.width_mm
    shrunk = _shrinking(scale * regions.side_mm * _NEAR / PATCH_PX / 2)
    picture = Frame(picture_bgr).shrunk(shrunk)
    looks = [
        _as_photographed(_print(picture, regions, scale / shrunk, blur_px / px_per_mm), now) for blur_px in _PRINT_BLURS
    ]
    # Edges of the print tell how soft the camera sees; what lies between them looks alike in all.
    edges = np.abs(looks[0].near - looks[-1].near) * now.near_says[..., None]
    return min(looks, key=lambda look: float((edges * np.abs(now.near - look.near).clip(0, 2)).sum()))


class Change:
    """What changed on a board between its clean look and now, the change of the light taken out."""

    def __init__(self, now: Look, clean: Look, regions: Regions) -> None:
        self._now, self._clean, self.regions = now, clean, regions
        self._gain = _Gain.between(now, clean)

    @cached_property
    def _says(self) -> Grid:
        return self._now.near_says * self._clean.near_says

    @cached_property
    def _near(self) -> Grid:
        change = self._now.near - self._clean.near
        change -= self._gain.at(self.regions.middles_mm)[:, None, None, :]
        change *= self._says[..., None]
        return cast(Grid, np.clip(change, -3, 3, out=change))

    def glances(self, chosen: NDArray[np.bool_]) -> Grid:
        """Some regions as the first, quick network wants them: what is near, at half the size."""
        near = _halved(np.concatenate([self._near[chosen], self._says[chosen][..., None]], axis=-1))
        return np.concatenate([near, self._clean.near_shown_small[chosen]], axis=1)

    def inputs(self, chosen: NDArray[np.bool_]) -> Grid:
        """Some regions as the network for marks wants them: (regions, CHANNELS, PATCH_PX, PATCH_PX)."""
        count = int(chosen.sum())
        inputs = np.empty((count, CHANNELS, PATCH_PX, PATCH_PX), np.float32)
        inputs[:, 0:3] = self._near[chosen].transpose(0, 3, 1, 2)
        inputs[:, 3] = self._says[chosen]
        inputs[:, 4:8] = self._wide(chosen).transpose(0, 3, 1, 2)
        inputs[:, 8:11] = self._clean.near_shown[chosen].transpose(0, 3, 1, 2)
        return cast(Grid, np.clip(inputs, -3, 3, out=inputs))

    def bare(self) -> Image:
        """Where the board's small picture shows nothing but its print, not even at the edge of a die: 1 there."""
        off = np.abs(self._low[..., :3]).mean(axis=2)
        calm = (cv2.blur(off, (_CALM_MM, _CALM_MM)) < _CALM) & (self._low[..., 3] > 0)
        return cast(Image, cv2.erode(calm.astype(np.uint8), np.ones((_REACH_MM, _REACH_MM), np.uint8)))

    @cached_property
    def _low(self) -> Grid:
        """The change of the whole board, small, and which pixels of it say something."""
        says = self._now.low_says * self._clean.low_says
        change = self._now.low - self._clean.low - self._gain.over(says.shape)
        return np.dstack([change * says[..., None], says])

    def _wide(self, chosen: NDArray[np.bool_]) -> Grid:
        x, y = (part[chosen].reshape(-1, PATCH_PX) for part in self.regions.wide_low_px)
        if not len(x):
            return np.empty((0, PATCH_PX, PATCH_PX, 4), np.float32)
        wide = cv2.remap(self._low, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return cast(Grid, np.asarray(wide).reshape(-1, PATCH_PX, PATCH_PX, 4))


@dataclass(frozen=True, eq=False)
class _Gain:
    """How the light on a board differs from the clean picture's, as logarithm: a smooth surface per colour."""

    factors: Floats
    size_mm: tuple[float, float]

    @classmethod
    def between(cls, now: Look, clean: Look) -> "_Gain":
        rows, columns = now.low.shape[:2]
        step = max(1, min(rows, columns) // _GAIN_GRID)
        grid = slice(None, None, step), slice(None, None, step)
        change = (now.low[grid] - clean.low[grid]).reshape(-1, 3)
        usable = (now.low_says[grid] * clean.low_says[grid]).reshape(-1) > 0
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
    near, _ = _sampled(soft, _Net.of(where, where.reshape(-1, 2), (soft.shape[1], soft.shape[0]), 1))
    # Print that is white in the file is not bleached on the board.
    says = np.ones((len(regions.names), PATCH_PX, PATCH_PX), np.float32)
    low = cast(Grid, cv2.LUT(cv2.resize(soft, regions.low_size, interpolation=cv2.INTER_AREA), _LOG_LIGHT))
    return Look(near.reshape(-1, PATCH_PX, PATCH_PX, 3), says, low, np.ones(low.shape[:2], np.float32))


def _as_photographed(printed: Look, now: Look) -> Look:
    """A print in the colours that this camera and light give it."""
    step = max(1, min(now.low.shape[:2]) // 64)
    grid = slice(None, None, step), slice(None, None, step)
    usable = now.low_says[grid].reshape(-1) > 0
    if usable.sum() < 50:
        return printed
    ink, seen = _light(printed.low[grid]).reshape(-1, 3), now.low[grid]
    factors = np.vstack([np.eye(3), np.zeros(3)])
    for _ in range(3):
        # Light that is uneven over the board is taken out first, by the colours found so far.
        gain = _Gain.between(now, _mixed(printed, factors)).over(now.low.shape[:2])[grid]
        factors = _colours(ink[usable], _light(seen - gain).reshape(-1, 3)[usable], factors)
    return _mixed(printed, factors)


def _mixed(printed: Look, factors: Floats) -> Look:
    near, low = (
        np.log(np.maximum(_light(part) @ factors[:3] + factors[3], 0.004) + _DARK).astype(np.float32)
        for part in (printed.near, printed.low)
    )
    return Look(near, printed.near_says, low, printed.low_says)


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


def _halved(patches: Grid) -> Grid:
    """Patches (n, PATCH_PX, PATCH_PX, channels) at half the size, channels first."""
    half, channels = PATCH_PX // 2, patches.shape[-1]
    if not len(patches):
        return np.empty((0, channels, half, half), np.float32)
    tall = patches.reshape(-1, PATCH_PX, channels)
    small = np.asarray(cv2.resize(tall, (half, len(tall) // 2), interpolation=cv2.INTER_AREA), np.float32)
    return np.ascontiguousarray(small.reshape(-1, half, half, channels).transpose(0, 3, 1, 2))


def _between() -> Grid:
    """How much each of the nine nodes counts at each pixel of a patch (Lagrange's polynomials)."""
    x, (a, b, c) = np.arange(PATCH_PX) + 0.5, _NODES
    parts = [(x - q) * (x - r) / ((p - q) * (p - r)) for p, q, r in ((a, b, c), (b, a, c), (c, a, b))]
    one_way = np.stack(parts, axis=1)
    return np.kron(one_way, one_way).astype(np.float32)


_BETWEEN = _between()


def _shrinking(px_per_sample: float) -> int:
    """By which power of two a picture can be made smaller until a sample is hardly more than a pixel."""
    times = 1
    while px_per_sample / times > 1.6 and times < 64:
        times *= 2
    return times


def _sampled(picture: Image, net: _Net) -> tuple[Grid, Grid]:
    """Logarithms of light at points of a picture, and whether they say something."""
    seen = _remapped(picture, net)
    blown = cv2.inRange(seen, (_BLOWN, _BLOWN, _BLOWN), (255, 255, 255))
    says = cast(Grid, cv2.LUT(blown, _NOT_BLOWN))
    return cast(Grid, cv2.LUT(seen, _LOG_LIGHT)), says if net.inside is None else says * net.inside


def _remapped(picture: Image, net: _Net) -> Image:
    return cast(Image, cv2.remap(picture, *net.where, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
