"""Blacks out everything but the printed boards: what people hold behind their screens is nobody's business.

Done at the first step after the camera, so that nothing else is ever looked at, kept or shown.
"""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.layout import Layout
from vision.locate import Found, find_boards_in
from vision.markers import Floats, Image
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, Lens
from vision.track import track_boards

FORGOTTEN = 30
"""A board that was not seen for so many pictures may lie elsewhere by now, and something else in its place."""
_ALONG = 8  # points on each side of a board: a lens bends them


def masked(frame_bgr: Image, found: Found | None) -> Image:
    """The picture with the boards that were found, and nothing else; all black before any was found.

    It may be another size of the picture that they were found in.
    """
    shown = np.zeros_like(frame_bgr)
    if found is None:
        return shown
    height, width = frame_bgr.shape[:2]
    scale = np.array([width, height]) / found.size_px
    inside = np.zeros((height, width), np.uint8)
    for outline_px in _outlines(found.boards.values()):
        points = ((outline_px + 0.5) * scale - 0.5).round()
        cv2.fillPoly(inside, [points.clip(-32_000, 32_000).astype(np.int32)], (255,))
    if width < found.size_px[0]:  # a pixel at the rim mixes what is on both sides of it
        inside = np.asarray(cv2.erode(inside, np.ones((3, 3), np.uint8)), np.uint8)
    cv2.copyTo(frame_bgr, inside, shown)
    return shown


class Masker:
    """Finds the boards of one camera and shows nothing else. Belongs to one thread."""

    def __init__(self, layout: Layout, lens: Lens | None = None) -> None:
        self._layout, self._lens = layout, lens
        self._found: Found | None = None

    def full(self, frame_bgr: Image) -> Image:
        """A full picture, in which the boards are looked for."""
        frame = Pyramid(frame_bgr)
        if self._found is None:
            self._found = find_boards_in(frame, self._layout, self._lens)
        else:
            self._found = track_boards(frame, self._layout, self._found, self._lens)
        return masked(frame_bgr, self._found)

    def small(self, frame_bgr: Image) -> Image:
        """A small picture, by where the boards lay in the last full one."""
        return masked(frame_bgr, self._found)


def _outlines(poses: Iterable[BoardPose]) -> list[Floats]:
    """The edges of boards that were seen lately, in the frame."""
    steps = np.arange(_ALONG)[:, None] / _ALONG
    outlines = []
    for pose in poses:
        if pose.age <= FORGOTTEN:
            corners = pose.corners_mm
            sides = [a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
            outlines.append(pose.to_frame(np.concatenate(sides)))
    return outlines
