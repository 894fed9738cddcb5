"""How high a camera must hang to see a whole table, and how much it then makes out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MARGIN = 1.05  # boards are pushed about: a little more than the table
MARKER_BITS = 6  # four and a black border on each side
PX_PER_BIT = 2.0  # fewer, and markers are missed
PX_PER_DIE = 24.0  # fewer, and pips run into each other


@dataclass(frozen=True)
class CameraModel:
    """A camera one can buy, in the mode that it is used in. Fields of view are the makers' own."""

    name: str
    across_deg: float
    along_deg: float
    width_px: int
    height_px: int


CAMERAS = (
    CameraModel("Pi Camera Module 3", 66.0, 41.0, 2304, 1296),
    CameraModel("Pi Camera Module 3, all pixels", 66.0, 41.0, 4608, 2592),
    CameraModel("Pi Camera Module 3 Wide", 102.0, 67.0, 2304, 1296),
    CameraModel("Raspberry Pi High Quality Camera, 6 mm lens", 55.3, 42.9, 2028, 1520),
    CameraModel("USB webcam 1080p (78°)", 70.4, 43.3, 1920, 1080),
    CameraModel("USB webcam 4K (78°)", 70.4, 43.3, 3840, 2160),
)


@dataclass(frozen=True)
class Mounting:
    """A camera over the middle of a table, looking straight down."""

    camera: CameraModel
    height_mm: float
    px_per_mm: float
    marker_mm: float
    die_mm: float

    @property
    def px_per_bit(self) -> float:
        """How large it sees one bit of a board's marker."""
        return self.px_per_mm * self.marker_mm / MARKER_BITS

    @property
    def smallest_die_mm(self) -> float:
        return PX_PER_DIE / self.px_per_mm

    @property
    def good(self) -> bool:
        """Whether it reads such markers and dice."""
        return self.px_per_bit >= PX_PER_BIT and self.smallest_die_mm <= self.die_mm

    def facts(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "camera": self.camera.name,
            "field_of_view_deg": [self.camera.across_deg, self.camera.along_deg],
            "picture_px": [self.camera.width_px, self.camera.height_px],
            "height_mm": round(self.height_mm),
            "px_per_mm": round(self.px_per_mm, 2),
            "px_per_marker_bit": round(self.px_per_bit, 1),
            "smallest_die_mm": round(self.smallest_die_mm, 1),
            "good": self.good,
        }


def mountings(width_mm: float, depth_mm: float, marker_mm: float, die_mm: float) -> Iterator[Mounting]:
    """Every camera over a table of this size, to see markers and dice that large.

    The picture's long side goes along the table's.
    """
    long, short = max(width_mm, depth_mm) * MARGIN, min(width_mm, depth_mm) * MARGIN
    for camera in CAMERAS:
        across, along = (2 * math.tan(math.radians(angle) / 2) for angle in (camera.across_deg, camera.along_deg))
        height = max(long / across, short / along)
        yield Mounting(camera, height, camera.width_px / (height * across), marker_mm, die_mm)
