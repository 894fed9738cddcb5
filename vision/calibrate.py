"""Measures a lens from a handful of frames that show printed boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.fit import printed_corners_mm, seen_corners_px
from vision.layout import Layout
from vision.locate import find_boards
from vision.markers import Floats, Image
from vision.rectify import Lens, nominal_lens

FEWEST_VIEWS = 6
LEAST_TILT_DEG = 10.0  # boards that are only seen straight from above leave the focal length wide open


class CannotCalibrate(ValueError):
    """The pictures do not tell the lens; `code` and `facts` become a sentence about what is missing."""

    def __init__(self, code: str, why: str, **facts: int | float) -> None:
        super().__init__(why)
        self.code, self.facts = code, facts


@dataclass(frozen=True, eq=False)
class BoardView:
    """A printed board as one picture shows it: the corners of its markers in millimetres and in pixels."""

    printed_mm: Floats
    seen_px: Floats


def board_views(frame: Image, layout: Layout) -> list[BoardView]:
    """Every board that a frame shows whole."""
    seen = [pose for pose in find_boards(frame, layout).boards.values() if len(pose.markers) >= 3]
    return [
        BoardView(
            printed_corners_mm(layout.board(pose.board_id), pose.markers),
            seen_corners_px(pose.markers, None),
        )
        for pose in seen
    ]


def lens_from(views: Sequence[BoardView], size_px: tuple[int, int]) -> Lens:
    """The lens that views of pictures of one size tell. Raises CannotCalibrate."""
    if len(views) < FEWEST_VIEWS:
        why = f"only {len(views)} boards were seen whole: show at least six, in all corners"
        raise CannotCalibrate("few", why, count=len(views), expected=FEWEST_VIEWS)
    nominal = nominal_lens(*size_px)
    guess = np.array([[nominal.fx, 0, nominal.cx], [0, nominal.fy, nominal.cy], [0, 0, 1]])
    # Boards lying on a table tell the centre and the tangential terms badly: freed, they only soak up noise.
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
    )
    solid = [np.column_stack([view.printed_mm, np.zeros(len(view.printed_mm))]).astype(np.float32) for view in views]
    flat = [view.seen_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    alike = CannotCalibrate("alike", "the boards were seen too much alike: tilt and move them")
    try:
        rms, matrix, terms, turns, _ = cv2.calibrateCamera(solid, flat, size_px, guess, np.zeros(5), flags=flags)
    except cv2.error as error:
        raise alike from error
    k1, k2, p1, p2, k3 = (float(term) for term in np.ravel(terms)[:5])
    fx, fy = float(matrix[0, 0]), float(matrix[1, 1])
    if not np.isfinite([rms, fx, k1, k2]).all() or rms > 0.001 * max(size_px) or not 0.2 < fx / max(size_px) < 5:
        why = f"the boards do not agree on one lens (off by {rms:.1f} px): lay them flat and try again"
        raise CannotCalibrate("disagree", why, off=round(float(rms), 1))
    if _most_tilt_deg(turns) < LEAST_TILT_DEG:
        raise alike
    return Lens(*size_px, fx, fy, float(matrix[0, 2]), float(matrix[1, 2]), k1, k2, p1, p2, k3)


def _most_tilt_deg(turns: Sequence[Any]) -> float:
    """How much the most tilted board leans out of the picture's plane."""
    upright = [abs(float(cv2.Rodrigues(turn)[0][2, 2])) for turn in turns]
    return float(np.degrees(np.arccos(min(1.0, *upright))))
