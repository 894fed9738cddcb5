"""Pictures made smaller, for motion."""

import cv2
import numpy as np

from hardware.ports import Picture


def shrunk(bgr: Picture, width_px: int) -> Picture:
    """The picture at this width, or as it is if it is no wider."""
    height, width = bgr.shape[:2]
    if width <= width_px:
        return bgr
    size = width_px, max(1, round(height * width_px / width))
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
