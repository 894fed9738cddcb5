"""Whether lamps flicker in a camera's pictures: its rows see them one after the other, so they become stripes."""

import cv2
import numpy as np

from vision.markers import Image

ROWS, COLUMNS = 270, 120
"""Enough for the three or so stripes that fit into a picture."""


def stripes(before_bgr: Image, after_bgr: Image) -> float:
    """How much brighter some rows have become against others from one picture to the next, as a share.

    What moves changes a part of a row only, and does not count; nor does light that grows or fades everywhere.
    """
    before, after = (
        cv2.resize(picture[..., 1], (COLUMNS, ROWS), interpolation=cv2.INTER_AREA).astype(np.float32) + 8.0
        for picture in (before_bgr, after_bgr)
    )
    rows = np.median(np.log(after / before), axis=1)
    at = np.arange(ROWS)
    rows = rows - np.polyval(np.polyfit(at, rows, 1), at)
    low, high = np.percentile(rows, (5, 95))
    return float(np.expm1(high - low))
