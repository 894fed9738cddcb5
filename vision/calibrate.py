"""Measures a lens from a handful of frames that show printed boards."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.fit import printed_corners_mm, seen_corners_px
from vision.layout import Layout
from vision.locate import checked_frame, find_boards, frame_size_px
from vision.markers import Floats, Image
from vision.rectify import Lens, nominal_lens


class CannotCalibrate(ValueError):
    """The pictures do not tell the lens; says what is missing."""


def calibrate_lens(frames: Iterable[Image], layout: Layout) -> Lens:
    """Measures the lens from about ten pictures of printed boards, tilted differently, out to the corners.

    Raises CannotCalibrate when the pictures do not suffice, ValueError when they differ in size.
    """
    views: list[tuple[Floats, Floats]] = []
    sizes: set[tuple[int, int]] = set()
    for frame in map(checked_frame, frames):
        sizes.add(frame_size_px(frame))
        if len(sizes) > 1:
            raise ValueError("the pictures differ in size")
        poses = find_boards(frame, layout).boards.values()
        seen = [pose for pose in poses if len(pose.markers) >= 3]
        views += [
            (printed_corners_mm(layout.board(pose.board_id), pose.markers), seen_corners_px(pose.markers, None))
            for pose in seen
        ]
    if len(views) < 6:
        raise CannotCalibrate(f"only {len(views)} boards were seen whole: show at least six, in all corners")
    return _calibrated(views, sizes.pop())


def _calibrated(views: Sequence[tuple[Floats, Floats]], size: tuple[int, int]) -> Lens:
    nominal = nominal_lens(*size)
    guess = np.array([[nominal.fx, 0, nominal.cx], [0, nominal.fy, nominal.cy], [0, 0, 1]])
    # Boards lying on a table tell the centre and the tangential terms badly: freed, they only soak up noise.
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
    )
    solid = [np.column_stack([mm, np.zeros(len(mm))]).astype(np.float32) for mm, _ in views]
    flat = [px.astype(np.float32).reshape(-1, 1, 2) for _, px in views]
    try:
        rms, matrix, terms, _, _ = cv2.calibrateCamera(solid, flat, size, guess, np.zeros(5), flags=flags)
    except cv2.error as error:
        raise CannotCalibrate("the boards were seen too much alike: tilt and move them") from error
    k1, k2, p1, p2, k3 = (float(term) for term in np.ravel(terms)[:5])
    fx, fy = float(matrix[0, 0]), float(matrix[1, 1])
    if not np.isfinite([rms, fx, k1, k2]).all() or rms > 0.001 * max(size) or not 0.2 < fx / max(size) < 5:
        raise CannotCalibrate(f"the boards do not agree on one lens (off by {rms:.1f} px): lay them flat and try again")
    return Lens(*size, fx, fy, float(matrix[0, 2]), float(matrix[1, 2]), k1, k2, p1, p2, k3)
