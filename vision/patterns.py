"""Known patterns looked for on a board: how well each follows what is seen, at every pose that it may lie in."""

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np

from vision.markers import Floats
from vision.pyramid import Pyramid
from vision.rectify import BoardPose
from vision.regions import Grid
from vision.samples import shrinking

_AROUND_MM = 1.0


@dataclass(frozen=True, eq=False)
class Patch:
    """Part of a board seen flat, as float numbers (h × w × channels, BGR or grey)."""

    pixels: Grid
    origin_mm: Floats
    px_per_mm: float

    def at(self, points_mm: Floats) -> Grid:
        """The colours at points of the board (… × 2); beyond the patch its border goes on."""
        where = ((points_mm - self.origin_mm) * self.px_per_mm - 0.5).astype(np.float32)
        flat = where.reshape(-1, 1, 2)
        # In rows that `remap` can count.
        rows = -(-len(flat) // 16_384)
        padded = np.zeros((rows * 16_384 if rows > 1 else len(flat), 2), np.float32)
        padded[: len(flat)] = flat[:, 0]
        grid = padded.reshape(max(rows, 1), -1, 2)
        seen = cv2.remap(self.pixels, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        channels = 1 if self.pixels.ndim == 2 else self.pixels.shape[2]
        values = np.asarray(seen).reshape(-1, channels)[: len(flat)]
        return cast(Grid, values.reshape(*points_mm.shape[:-1], channels))

    def grey(self) -> "Patch":
        return Patch(cast(Grid, cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY)), self.origin_mm, self.px_per_mm)

    def coarser(self, px_per_mm: float) -> "Patch":
        """The same with fewer pixels, if it has more."""
        if px_per_mm >= self.px_per_mm:
            return self
        fine = px_per_mm / self.px_per_mm
        small = np.asarray(cv2.resize(self.pixels, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA), np.float32)
        return Patch(small, self.origin_mm, self.px_per_mm * small.shape[1] / self.pixels.shape[1])

    def softened(self, sigma_mm: float) -> "Patch":
        """The same, as a less sharp lens would see it."""
        soft = cv2.GaussianBlur(self.pixels, (0, 0), max(sigma_mm * self.px_per_mm, 0.3))
        return Patch(cast(Grid, soft), self.origin_mm, self.px_per_mm)


def patch_of(frame: Pyramid, pose: BoardPose, low_mm: Floats, high_mm: Floats, px_per_mm: float) -> Patch:
    """What a frame shows of a board between two corners."""
    low, high = low_mm - _AROUND_MM, high_mm + _AROUND_MM
    width, height = (max(2, round(float(length) * px_per_mm)) for length in high - low)
    shrunk = shrinking(pose.px_per_mm / px_per_mm)
    corners_px = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float32)
    # A lens hardly bends anything as small as this.
    in_frame = (pose.to_frame(low + (corners_px + 0.5) / px_per_mm) + 0.5) / shrunk - 0.5
    seen = cv2.warpPerspective(
        frame.shrunk(shrunk),
        cv2.getPerspectiveTransform(corners_px, in_frame.astype(np.float32)),
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return Patch(np.asarray(seen, np.float32), low, px_per_mm)


def poses_around(middle_mm: Floats, reach_mm: float, step_mm: float, turns_deg: Floats) -> Floats:
    """All poses (n × 3: x, y, turn) on a net around a place."""
    net = _net(round(reach_mm / step_mm), tuple(np.asarray(turns_deg).tolist()))
    return cast(Floats, net * (step_mm, step_mm, 1.0) + (middle_mm[0], middle_mm[1], 0.0))


@lru_cache(maxsize=256)
def _net(reach: int, turns_deg: tuple[float, ...]) -> Floats:
    """The same in steps, around nothing."""
    steps = np.arange(-reach, reach + 1)
    x, y, turn = np.meshgrid(steps, steps, turns_deg, indexing="ij")
    return np.stack([x.ravel(), y.ravel(), turn.ravel()], axis=1)


def posed(points_mm: Floats, poses: Floats) -> Floats:
    """The points (n × 2) of a pattern at each of its poses (m × n × 2)."""
    turn = np.radians(poses[:, 2])
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = points_mm[:, 0], points_mm[:, 1]
    at = np.empty((len(poses), len(points_mm), 2))
    np.add(poses[:, :1], cos * x - sin * y, out=at[..., 0])
    np.add(poses[:, 1:2], sin * x + cos * y, out=at[..., 1])
    return at


def pattern(values: Grid | Floats) -> Grid:
    """Known patterns (k × n × channels) as `correlations` wants them."""
    even = _evened(values)
    return cast(Grid, even / np.maximum(np.linalg.norm(even, axis=1, keepdims=True), np.float32(1e-6)))


def correlations(seen: Grid | Floats, known: Grid) -> Grid:
    """How well what is seen (m × n × channels) follows each of k known patterns: m × k, 1 is perfectly.

    Of each channel only the differences from its mean count: lamp, exposure and white balance do not matter.
    """
    even = _evened(seen)
    scale = np.sqrt(np.einsum("mn,mn->m", even, even))
    return cast(Grid, even @ known.T / np.maximum(scale, np.float32(1e-6))[:, None])


def _evened(values: Grid | Floats) -> Grid:
    even = np.asarray(values, np.float32)
    count = np.float32(1 / even.shape[1])
    return cast(Grid, (even - np.einsum("mnc->mc", even)[:, None] * count).reshape(len(even), -1))
