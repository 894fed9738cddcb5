"""A picture and smaller ones of it."""

from typing import cast

import cv2

from vision.markers import Image


class Frame:
    """A picture and smaller ones of it, each made once, when first asked for."""

    def __init__(self, bgr: Image) -> None:
        self.bgr, self._smaller = bgr, {1: bgr}

    def shrunk(self, times: int) -> Image:
        if times not in self._smaller:
            larger = self.shrunk(times // 2)
            height, width = max(1, larger.shape[0] // 2), max(1, larger.shape[1] // 2)
            whole = larger[: 2 * height, : 2 * width]
            # Exactly two to one, the linear rule is the mean of four pixels, and by far the fastest way to it.
            self._smaller[times] = cast(Image, cv2.resize(whole, (width, height), interpolation=cv2.INTER_LINEAR))
        return self._smaller[times]
