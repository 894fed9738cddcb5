"""What reading a photograph takes in parts of OpenCV's marker detection on it, both measured in the same run."""

import time
from collections.abc import Callable

import cv2
import numpy as np

from tests.bench.opencv import search_markers
from vision.markers import Image

PIXELS = 12_000_000
"""The size that the aims speak of."""


def enlarged(picture: Image) -> Image:
    scale = (PIXELS / (picture.shape[0] * picture.shape[1])) ** 0.5
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def share_of_markers(picture: Image, read: Callable[[Image], object]) -> float:
    """What reading a picture takes in parts of marker detection: processor time."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return _spent(lambda: read(picture)) / _spent(lambda: search_markers(grey))


def told(shares: list[float]) -> str:
    over = sum(share > 2 for share in shares)
    return (
        f"in parts of marker detection, {len(shares)} photographs: median {np.median(shares):.2f}, "
        f"19 of 20 below {np.quantile(shares, 0.95):.2f}, most {max(shares):.2f}, above 2: {over}"
    )


def _spent(work: Callable[[], object]) -> float:
    """The least processor time of three runs: what else the machine does is no part of it."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
