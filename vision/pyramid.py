"""A picture and smaller ones of it."""

from typing import cast

import cv2

from vision.markers import Image


class Pyramid:
    """A picture and smaller ones of it, each made once, when first asked for.

    `room` keeps the memory of the smaller pictures for the frame that comes next, which saves time: when that one is
    there, nobody may need this one any more.
    """

    def __init__(self, bgr: Image, room: dict[int, Image] | None = None) -> None:
        self.bgr, self._smaller = bgr, {1: bgr}
        self._room = {} if room is None else room

    def shrunk(self, times: int) -> Image:
        if times not in self._smaller:
            larger = self.shrunk(times // 2)
            height, width = max(1, larger.shape[0] // 2), max(1, larger.shape[1] // 2)
            whole, size = larger[: 2 * height, : 2 * width], (width, height)
            # Exactly two to one, the linear rule is the mean of four pixels, and by far the fastest way to it.
            small = cv2.resize(whole, size, dst=self._room.get(times), interpolation=cv2.INTER_LINEAR)
            self._smaller[times] = self._room[times] = cast(Image, small)
        return self._smaller[times]
