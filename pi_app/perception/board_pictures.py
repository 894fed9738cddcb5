"""Pictures for people: each board as it was read last, flat and upright, and what the camera sees now.

The table's thread only hands over what it has anyway; a picture is made when somebody asks for it, in their thread.
Kept are each board's part of a full frame, and one small frame.
"""

import threading
from collections.abc import Collection, Mapping
from typing import NamedTuple

import cv2
import numpy as np

from hardware.ports import Picture
from vision.layout import Layout
from vision.rectify import BoardPicture, BoardPose, cut_out, rectify

PX_PER_MM = 3.0
"""How fine the pictures of boards are: a point (x, y) of a board in mm lies at pixel PX_PER_MM * (x, y)."""
JPEG_QUALITY = 85
OUTLINE_BGR, AROUND_BGR = (0, 140, 255), (255, 255, 255)


class _Seen(NamedTuple):
    bgr: Picture
    pose: BoardPose
    """Where the board lies in that picture."""


class Pictures:
    """The newest pictures. One thread fills it, any may ask."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lock = threading.Lock()
        self._seen: dict[str, _Seen] = {}
        self._small_bgr: Picture | None = None

    # --- filled by the table's thread ---------------------------------------------------------

    def glanced(self, small_bgr: Picture) -> None:
        """The camera's newest small picture. It must not be changed afterwards."""
        self._small_bgr = small_bgr

    def looked(self, frame_bgr: Picture, boards: Mapping[str, BoardPose]) -> None:
        """These boards were read from this frame, which may be gone afterwards."""
        seen = {board: _Seen(*cut_out(frame_bgr, pose)) for board, pose in boards.items()}
        with self._lock:
            self._seen.update(seen)

    # --- asked by anybody ---------------------------------------------------------------------

    def camera(self) -> bytes | None:
        """What the camera sees now, small, as JPEG; None before its first picture."""
        small = self._small_bgr
        return None if small is None else _jpeg(small)

    def picture(self, board: str) -> bytes | None:
        """A board as it was read last, as JPEG with PX_PER_MM pixels per millimetre; None if it never was."""
        flat = self._flat(board)
        return None if flat is None else _jpeg(flat.bgr)

    def crop(
        self, board: str, outlined: Collection[str], around: Collection[str] = (), margin_mm: float = 12.0
    ) -> bytes | None:
        """The part of a board that holds these regions, as JPEG: `outlined` get a line around them, `around` does not.

        Crops of one question with all its regions in `around` show the same part. None if nothing of it was seen.
        """
        flat = self._flat(board)
        known = self._layout.board(board).regions if flat is not None else {}
        polygons = {region: known[region] for region in (*outlined, *around) if region in known}
        if flat is None or not polygons:
            return None
        picture = flat.bgr.copy()
        for region in outlined:
            if region in polygons:
                _outline(picture, flat.to_picture(polygons[region]))
        corners = flat.to_picture([corner for polygon in polygons.values() for corner in polygon])
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        margin = margin_mm * PX_PER_MM
        rows = slice(max(0, round(top - margin)), round(bottom + margin))
        columns = slice(max(0, round(left - margin)), round(right + margin))
        return _jpeg(picture[rows, columns])

    def _flat(self, board: str) -> BoardPicture | None:
        with self._lock:
            seen = self._seen.get(board)
        return None if seen is None else rectify(seen.bgr, seen.pose, PX_PER_MM)


def _outline(picture_bgr: Picture, polygon_px: object) -> None:
    points = np.round(np.asarray(polygon_px)).astype(np.int32).reshape(-1, 1, 2)
    for colour, thickness in ((AROUND_BGR, 7), (OUTLINE_BGR, 4)):
        cv2.polylines(picture_bgr, [points], True, colour, thickness, cv2.LINE_AA)


def _jpeg(bgr: Picture) -> bytes:
    _, encoded = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes()
