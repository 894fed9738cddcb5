"""Where a point of the table falls in the picture, and which ray a pixel sees.

Table: millimetres, x to the right, y towards the lower edge of the picture, z up from the table top.
Picture: pixels whose centres have whole numbers, as in OpenCV.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.render.noise import Array

# A ray that hardly goes down would meet the table kilometres away.
SHALLOWEST = 0.05
STRIP_PX = 64


@dataclass(frozen=True)
class Camera:
    """A camera that looks at `aim_mm` from `distance_mm`.

    `tilt_deg` leans it away from the vertical, by default towards the lower edge of the picture;
    `turn_deg` leans it to another side, `roll_deg` turns the picture.
    """

    size_px: tuple[int, int] = (2304, 1296)
    aim_mm: tuple[float, float] = (0.0, 0.0)
    distance_mm: float = 1065.0
    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    roll_deg: float = 0.0
    focal_px: float = 1770.0
    k1: float = 0.0
    k2: float = 0.0


@lru_cache(maxsize=32)
def axes(camera: Camera) -> Array:
    """The camera's right, down and forward directions on the table, as rows."""
    tilt, turn, roll = np.radians([camera.tilt_deg, camera.turn_deg, camera.roll_deg])
    side, up = np.array([np.sin(turn), np.cos(turn), 0.0]), np.array([0.0, 0.0, 1.0])
    lean = (
        np.eye(3)
        + np.sin(tilt) * (np.outer(side, up) - np.outer(up, side))
        + (np.cos(tilt) - 1) * (np.outer(side, side) + np.outer(up, up))
    )
    right, down = lean @ [1.0, 0.0, 0.0], lean @ [0.0, 1.0, 0.0]
    return np.array(
        [np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right, -(lean @ up)]
    )


def position_mm(camera: Camera) -> Array:
    """Where the camera hangs."""
    return np.asarray(np.array([*camera.aim_mm, 0.0]) - camera.distance_mm * axes(camera)[2])


def project(camera: Camera, points_mm: Array) -> Array:
    """The pixels (n × 2) where table points (n × 3) are seen."""
    seen = (np.asarray(points_mm, float) - position_mm(camera)) @ axes(camera).T
    plane = seen[:, :2] / seen[:, 2:]
    squared = (plane**2).sum(axis=1, keepdims=True)
    bent = plane * (1 + squared * (camera.k1 + squared * camera.k2))
    return np.asarray(bent * camera.focal_px + middle_px(camera))


def project_flat(camera: Camera, points_mm: Array) -> Array:
    """The pixels of points (n × 2) that lie on the table top."""
    flat = np.asarray(points_mm, float)
    return project(camera, np.column_stack([flat, np.zeros(len(flat))]))


def middle_px(camera: Camera) -> Array:
    """The optical centre of the picture."""
    return np.asarray((np.array(camera.size_px) - 1) / 2)


def px_per_mm(camera: Camera, point_mm: Array) -> float:
    """How large a millimetre looks at a point of the table (x, y, z)."""
    depth = float((np.asarray(point_mm, float) - position_mm(camera)) @ axes(camera)[2])
    return camera.focal_px / max(depth, 1.0)


def rays(camera: Camera, box_px: tuple[int, int, int, int], per_px: int = 1) -> Array:
    """The directions that the pixels of a box (left, top, right, bottom) see, `per_px`² for each pixel."""
    left, top, right, bottom = box_px
    middle_x, middle_y = middle_px(camera)
    offset = 0.5 / per_px - 0.5
    x = (left + offset + np.arange((right - left) * per_px, dtype=np.float64) / per_px - middle_x) / camera.focal_px
    y = (top + offset + np.arange((bottom - top) * per_px, dtype=np.float64) / per_px - middle_y) / camera.focal_px
    plane = np.dstack(np.meshgrid(x.astype(np.float32), y.astype(np.float32)))
    right_way, down_way, forward = axes(camera).astype(np.float32)
    straight = _straightened(camera, plane)
    return np.asarray(straight[..., :1] * right_way + straight[..., 1:] * down_way + forward)


def table_points(camera: Camera) -> Array:
    """The table point in mm (x, y) that each pixel of the frame sees."""
    width, height = camera.size_px
    eye = position_mm(camera).astype(np.float32)
    points = np.empty((height, width, 2), np.float32)
    # In strips, because a frame of a large camera takes much memory many times over.
    for top in range(0, height, STRIP_PX):
        direction = rays(camera, (0, top, width, min(top + STRIP_PX, height)))
        reach = eye[2] / np.maximum(-direction[..., 2], SHALLOWEST)
        for axis in range(2):
            points[top : top + STRIP_PX, :, axis] = eye[axis] + reach * direction[..., axis]
    return points


def _straightened(camera: Camera, bent: Array) -> Array:
    """Undoes the lens distortion; the fixed point is reached quickly for lenses one can buy."""
    if not camera.k1 and not camera.k2:
        return bent
    plane = bent
    for _ in range(6):
        squared = (plane[..., 0] ** 2 + plane[..., 1] ** 2)[..., None]
        plane = bent / (1 + squared * (camera.k1 + squared * camera.k2))
    return plane
