"""The table top itself: plain, wood or cloth."""

from collections.abc import Callable

import numpy as np

from vision.render.light import linear
from vision.render.noise import Array, chance, sampled, smooth_noise
from vision.render.scene import TableTop

TEXTURE_PX_PER_MM = 2.0
FARTHEST_MM = 1000.0
PLANK_MM = 140.0
SEAM_MM = 1.2


def table_picture(table: TableTop, points_mm: Array, seed: int) -> Array:
    """The table top in linear light, for the table points that the pixels see."""
    mix = _mix(table, points_mm, seed)
    channels = [first + (second - first) * mix for first, second in zip(*_colours(table), strict=True)]
    if table.roughness:
        speckle = 1 + table.roughness * _textured(points_mm, _speckle, seed)
        channels = [channel * np.maximum(speckle, 0.1) for channel in channels]
    return np.dstack(channels)


def _colours(table: TableTop) -> tuple[list[float], list[float]]:
    return linear(table.bgr).tolist(), linear(table.second_bgr).tolist()


def _mix(table: TableTop, points_mm: Array, seed: int) -> Array:
    """How much of the second colour each place has."""
    if table.kind == "wood":
        return _textured(points_mm, _wood, seed)
    if table.kind == "checked":
        return (_bands(points_mm[..., 0], table.pattern_mm) + _bands(points_mm[..., 1], table.pattern_mm)) / 2
    if table.kind == "striped":
        return _bands(points_mm[..., 0], table.pattern_mm)
    return np.zeros(points_mm.shape[:2], np.float32)


def _textured(points_mm: Array, make: Callable[[tuple[int, int], np.random.Generator], Array], seed: int) -> Array:
    """A texture that lies on the table, as the pixels see it."""
    near = np.clip(points_mm, -FARTHEST_MM, FARTHEST_MM)
    side = int(2 * FARTHEST_MM * TEXTURE_PX_PER_MM)
    texture = make((side, side), chance("table", make.__name__, seed))
    return sampled(texture, (near + np.float32(FARTHEST_MM)) * np.float32(TEXTURE_PX_PER_MM))


def _speckle(shape: tuple[int, int], rng: np.random.Generator) -> Array:
    fine = rng.standard_normal(shape, np.float32)
    return np.asarray(0.5 * fine + 0.5 * smooth_noise(shape, (4, 4), rng))


def _wood(shape: tuple[int, int], rng: np.random.Generator) -> Array:
    """Fine streaks along the planks, each plank a little different, dark seams between them."""
    streaks = 0.5 * smooth_noise(shape, (220, 5), rng) + 0.4 * smooth_noise(shape, (60, 2.2), rng)
    row_mm = np.arange(shape[0]) / TEXTURE_PX_PER_MM
    plank = (row_mm / PLANK_MM).astype(int)
    tone = rng.uniform(-0.25, 0.25, plank.max() + 1).astype(np.float32)[plank]
    wood = np.clip(0.4 + 0.5 * streaks + tone[:, None], -0.1, 1.2)
    wood[row_mm % PLANK_MM < SEAM_MM] = -0.2
    return np.asarray(wood)


def _bands(along: Array, width_mm: float) -> Array:
    """0 and 1 in turn, with the edges of a weave."""
    wave = np.abs((along / (2 * width_mm)) % 1 - 0.5) * 2
    return np.asarray(np.clip((wave - 0.5) * width_mm + 0.5, 0, 1), np.float32)
