"""Pages of a kit as a printer would see them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pypdfium2

from vision.markers import Image

PX_PER_MM = 8.0


@dataclass(frozen=True, eq=False)
class PrintedPage:
    size_mm: tuple[float, float]
    words: str
    grey: Image

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of everything that is printed on it."""
        rows, cols = np.nonzero(self.grey < 250)
        left, top, right, bottom = np.array([cols.min(), rows.min(), cols.max() + 1, rows.max() + 1]) / PX_PER_MM
        return float(left), float(top), float(right), float(bottom)


def pages_of(path: Path) -> list[PrintedPage]:
    pdf = pypdfium2.PdfDocument(path)
    try:
        return [_page(page) for page in pdf]
    finally:
        pdf.close()


def _page(page: pypdfium2.PdfPage) -> PrintedPage:
    size_mm = page.get_width() / 72 * 25.4, page.get_height() / 72 * 25.4
    grey = page.render(scale=PX_PER_MM * 25.4 / 72, grayscale=True).to_numpy()
    return PrintedPage(size_mm, page.get_textpage().get_text_range(), cast(Image, np.array(grey).squeeze()))


def detect_codes(grey: Image) -> list[int]:
    """Every code of a piece on a clean picture, as often as it is there."""
    aruco: Any = cv2.aruco
    codes = aruco.getPredefinedDictionary(aruco.DICT_5X5_100)
    if hasattr(aruco, "ArucoDetector"):
        _, ids, _ = aruco.ArucoDetector(codes, aruco.DetectorParameters()).detectMarkers(grey)
    else:
        _, ids, _ = aruco.detectMarkers(grey, codes)
    return [] if ids is None else sorted(int(code) for code in ids.ravel())
