"""Chance that repeats: random generators and smooth noise, named by what they are for."""

import zlib
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def chance(*about: object) -> np.random.Generator:
    """A generator that depends on nothing but its name: the same on every machine and Python."""
    return np.random.default_rng(zlib.crc32("\0".join(map(str, about)).encode()))


def sampled(picture: Array, where_px: Array) -> Array:
    """A picture's values at the points (h × w × 2) of another grid."""
    x, y = cv2.split(np.ascontiguousarray(where_px, np.float32))
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def smooth_noise(shape: tuple[int, int], cell_px: tuple[float, float], rng: np.random.Generator) -> Array:
    """Values around 0, mostly within -1..1, that change over about `cell_px` (x, y) pixels."""
    height, width = shape
    rows, columns = (max(2, round(extent / cell)) + 1 for extent, cell in zip(shape, cell_px[::-1], strict=True))
    coarse = rng.standard_normal((rows, columns)).astype(np.float32) * 0.6
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))
