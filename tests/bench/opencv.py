"""What costs are told in parts of: OpenCV's own search for markers."""

from typing import Any

import cv2

from vision.markers import SMALLEST_SIDE_PX, Image


def search_markers(grey: Image, smallest_px: float | None = SMALLEST_SIDE_PX) -> None:
    """Looks for markers as small as ours may be; with None as OpenCV does when nobody says anything."""
    aruco: Any = cv2.aruco
    codes = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    modern = hasattr(aruco, "ArucoDetector")
    settings = aruco.DetectorParameters() if modern else aruco.DetectorParameters_create()
    if smallest_px is not None:
        settings.minMarkerPerimeterRate = 4 * smallest_px / max(grey.shape)
    if modern:
        aruco.ArucoDetector(codes, settings).detectMarkers(grey)
    else:
        aruco.detectMarkers(grey, codes, parameters=settings)
