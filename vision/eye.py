"""Where the camera is, seen from a board: what stands on a board is seen shifted away from the camera."""

import numpy as np

from vision.markers import Floats
from vision.rectify import BoardPose, Lens, nominal_lens

FOCALS = (0.4, 5.0)  # of cameras, in longer sides of the picture
SLANT = 0.2  # sine of about eleven degrees: from there on a board's own shape tells more than what is usual


def below(
    pose: BoardPose, point_px: tuple[float, float], height_mm: float, size_px: tuple[int, int]
) -> tuple[float, float]:
    """The place on a board (mm) straight below a point that is seen `height_mm` above it."""
    seen, eye = pose.to_board([point_px])[0], eye_mm(pose, size_px)
    if eye[2] > 2 * height_mm:
        seen = seen + (eye[:2] - seen) * (height_mm / eye[2])
    return float(seen[0]), float(seen[1])


def eye_mm(pose: BoardPose, size_px: tuple[int, int]) -> Floats:
    """Where the camera is, seen from the board: x, y, and height."""
    lens = pose.lens or nominal_lens(*size_px)
    middle = np.array([[1, 0, -lens.cx], [0, 1, -lens.cy], [0, 0, 1]])
    axes = np.diag([1, 1, _focal_px(middle @ pose.homography, lens)]) @ middle @ pose.homography
    across, down, shift = axes.T / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    x, y, z = -(np.stack([across, down, np.cross(across, down)]) @ shift)
    return np.array([x, y, abs(z)])


def _focal_px(homography: Floats, lens: Lens) -> float:
    """The focal length that makes the board square. From nearly straight above it cannot be told: the less slanted the
    view, the more what is known of the lens counts."""
    flat, deep = homography[:2, :2], homography[2, :2]
    scale = max(float((flat**2).sum()) / 2, 1e-30)
    seen = np.array([flat[:, 0] @ flat[:, 1], flat[:, 0] @ flat[:, 0] - flat[:, 1] @ flat[:, 1]]) / scale
    bent = np.array([deep[0] * deep[1], deep[0] ** 2 - deep[1] ** 2]) / scale
    squared = -float(seen @ bent) / max(float(bent @ bent), 1e-30)
    low, high = (factor * max(lens.width_px, lens.height_px) for factor in FOCALS)
    if not low**2 < squared < high**2:
        return lens.fx
    slanted = float(np.linalg.norm(bent)) * squared  # the square of the sine of the slant
    told = slanted**2 / (slanted**2 + SLANT**4)
    return float(np.sqrt(squared) ** told * lens.fx ** (1 - told))
