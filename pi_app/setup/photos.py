"""Photographs of somebody's own boards: taken in, turned flat, and searched for stickers."""

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import cast

import cv2
import numpy as np

from pi_app.files import write_whole
from pi_app.setup.profiles import NAME
from vision.kit.corners import MOST_BOARDS, markers_of
from vision.locate import grey_picture
from vision.markers import Floats, Image, detect_markers, refine_markers
from vision.pictures import BadPicture, decode_picture, jpeg_of
from vision.rectify import BoardPose, board_corners_mm, cross, rectify
from web.people import Refused
from web.workshop import Json

MOST_PIXELS = 60_000_000
KEPT_SIDE_PX = 2_400
"""The longer side of a photograph that is kept; phones take far more than is needed to point at corners."""
FLAT_SIDE_PX = 1_800
MOST_PHOTOS = 6
LIKE_A_STICKER = 0.7
SMALLEST_SHARE = 0.02  # of the photograph: a board smaller than that cannot be measured


class Photos:
    """Photographs are only kept in memory, the newest few; flat boards lie beside their profile."""

    def __init__(self, folder: Path, boards: Sequence[str]) -> None:
        """`boards` are those that an owner measures."""
        self.boards = boards
        self._folder, self._lock = folder / "profiles", Lock()
        self._photos: OrderedDict[str, bytes] = OrderedDict()

    def add(self, data: bytes) -> Json:
        try:
            picture = decode_picture(data, MOST_PIXELS)
        except BadPicture as error:
            raise Refused("setup.bad_photo") from error
        small = _at_most(picture, KEPT_SIDE_PX)
        name = secrets.token_urlsafe(9)
        with self._lock:
            self._photos[name] = jpeg_of(small)  # written anew: where and when it was taken stays with its owner
            while len(self._photos) > MOST_PHOTOS:
                self._photos.popitem(last=False)
        return {"photo": name, "width": small.shape[1], "height": small.shape[0]}

    def photo(self, photo: str) -> bytes:
        with self._lock:
            if photo not in self._photos:
                raise Refused("setup.photo_gone")
            return self._photos[photo]

    def flatten(
        self, profile: str, board: str, photo: str, corners: Sequence[Sequence[float]], size_mm: Sequence[float]
    ) -> Json:
        path = self._flat_path(profile, board)
        picture = decode_picture(self.photo(photo))
        outline = _outline(corners, picture)
        width_mm, height_mm = size_mm
        px_per_mm = FLAT_SIDE_PX / max(width_mm, height_mm)
        to_px = cv2.getPerspectiveTransform(
            board_corners_mm(width_mm, height_mm).astype(np.float32), outline.astype(np.float32)
        )
        pose = BoardPose(board, width_mm, height_mm, np.asarray(to_px, np.float64), None, (), (), 0.0, 1.0)
        flat = rectify(picture, pose, px_per_mm).bgr
        try:
            write_whole(path, jpeg_of(flat))
        except OSError as error:
            raise Refused("setup.cannot_write", why=error.strerror or "") from error
        return {"markers": _stickers(flat, px_per_mm)}

    def flat(self, profile: str, board: str) -> bytes:
        try:
            return self._flat_path(profile, board).read_bytes()
        except OSError as error:
            raise Refused("web.not_found") from error

    def flats(self, profile: str) -> list[str]:
        return [board for board in self.boards if self._flat_path(profile, board).is_file()]

    def _flat_path(self, profile: str, board: str) -> Path:
        if not NAME.fullmatch(profile) or board not in self.boards:
            raise Refused("setup.bad_name")
        return self._folder / f"{profile}.{board}.jpg"


def _outline(corners: Sequence[Sequence[float]], picture: Image) -> Floats:
    """The board's corners in the photograph, clockwise. Raises Refused when they enclose nothing."""
    outline = np.array(corners, np.float64)
    turns = [cross(outline[n - 1] - outline[n - 2], outline[n] - outline[n - 1]) for n in range(len(outline))]
    area = float(cv2.contourArea(outline.astype(np.float32)))
    if min(turns) <= 0 or area < SMALLEST_SHARE * picture.shape[0] * picture.shape[1]:
        raise Refused("setup.bad_corners")
    return outline


def _stickers(flat_bgr: Image, px_per_mm: float) -> list[list[list[float]]] | None:
    """The four stickers of one board, clockwise from the top left, or None."""
    grey = grey_picture(flat_bgr)
    sheets = [markers_of(number) for number in range(MOST_BOARDS)]
    seen = refine_markers(grey, detect_markers(grey, sheets[-1][-1]))
    found = {marker.id: marker for marker in seen if marker.likeness >= LIKE_A_STICKER}
    whole = next((stickers for stickers in sheets if found.keys() >= set(stickers)), None)
    if whole is None:
        return None
    quads = [(found[marker].quad_px + 0.5) / px_per_mm for marker in whole]
    return [np.round(quad, 1).tolist() for quad in quads]


def _at_most(picture: Image, side_px: int) -> Image:
    scale = side_px / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return cast(Image, cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
