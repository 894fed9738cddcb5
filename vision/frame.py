"""A picture and smaller ones of it, and working on several parts of it at once."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from typing import TypeVar, cast

import cv2

from vision.markers import Image

T = TypeVar("T")
S = TypeVar("S")

_workers = ThreadPoolExecutor(4, "boards")


def side_by_side(work: Callable[[T], S], items: Iterable[T]) -> list[S]:
    """The same work for several boards at once: numpy and OpenCV let go of Python's lock while they compute."""
    return list(_workers.map(work, items))


class Frame:
    """A picture and smaller ones of it, each made once, when first asked for."""

    def __init__(self, bgr: Image) -> None:
        self.bgr, self._smaller = bgr, {1: bgr}
        self._making = RLock()

    def shrunk(self, times: int) -> Image:
        with self._making:
            if times not in self._smaller:
                larger = self.shrunk(times // 2)
                height, width = larger.shape[0] // 2, larger.shape[1] // 2
                whole = larger[: 2 * height, : 2 * width]
                self._smaller[times] = cast(Image, cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
            return self._smaller[times]
