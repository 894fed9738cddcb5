"""From frame to board and back: the lens, a board's pose, and the flat picture of a board.

Pixel coordinates are OpenCV's: (0, 0) is the centre of the top left pixel. Millimetres count from
the board's top left corner.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.markers import Floats, Image, Marker

LARGEST_PICTURE_PX = 8_000
NOMINAL_FOCAL = 0.8  # in longer sides of the picture
_LARGEST_NUMBER = 1_000_000  # that a lens may have: pixels, and distortion far beyond any real one
_UNDISTORT_STEPS = 25
_AROUND = 0.05  # of a board is seen around it, too
_NET = 8  # px between the points of a picture whose place in the frame is computed


@dataclass(frozen=True)
class Lens:
    """A camera's focal length, centre and distortion (OpenCV's k1, k2, p1, p2, k3) for one picture size."""

    width_px: int
    height_px: int
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    def fits(self, width_px: int, height_px: int) -> bool:
        """Whether pictures of this size have the shape of those that it was measured on."""
        return abs(width_px * self.height_px / (height_px * self.width_px) - 1) <= 0.01

    def for_size(self, width_px: int, height_px: int) -> "Lens":
        """The same lens on pictures of another size. Raises ValueError when their shape differs."""
        x, y = width_px / self.width_px, height_px / self.height_px
        if not self.fits(width_px, height_px):
            raise ValueError(
                f"the lens was measured on {self.width_px}x{self.height_px} pictures and does not fit "
                f"{width_px}x{height_px}: calibrate it again"
            )
        centre = {"cx": (self.cx + 0.5) * x - 0.5, "cy": (self.cy + 0.5) * y - 0.5}
        return replace(self, width_px=width_px, height_px=height_px, fx=self.fx * x, fy=self.fy * y, **centre)

    def distort(self, points_px: ArrayLike) -> Floats:
        """Where points (n, 2) of a picture without distortion lie in the real one."""
        x, y = self._normal(points_px)
        x, y = self._bent(x, y)
        return np.stack([x * self.fx + self.cx, y * self.fy + self.cy], axis=-1)

    def undistort(self, points_px: ArrayLike) -> Floats:
        """Where points (n, 2) of the real picture would lie without distortion."""
        seen_x, seen_y = self._normal(points_px)
        x, y = seen_x, seen_y
        for _ in range(_UNDISTORT_STEPS):
            bent_x, bent_y = self._bent(x, y)
            off_x, off_y = seen_x - bent_x, seen_y - bent_y
            x, y = x + off_x, y + off_y
            if max(np.abs(off_x).max(initial=0), np.abs(off_y).max(initial=0)) < 1e-8:
                break
        return np.stack([x * self.fx + self.cx, y * self.fy + self.cy], axis=-1)

    def _normal(self, points_px: ArrayLike) -> tuple[Floats, Floats]:
        points = np.asarray(points_px, np.float64)
        return (points[..., 0] - self.cx) / self.fx, (points[..., 1] - self.cy) / self.fy

    def _bent(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        # Far outside the picture the polynomial turns around and would fold points back into it.
        r2 = np.minimum(x * x + y * y, self._reach())
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        bent_x = x * radial + 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        bent_y = y * radial + self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return bent_x, bent_y

    def _reach(self) -> float:
        half_x = max(self.cx, self.width_px - self.cx) / self.fx
        half_y = max(self.cy, self.height_px - self.cy) / self.fy
        return 2.0 * (half_x * half_x + half_y * half_y)


def nominal_lens(width_px: int, height_px: int) -> Lens:
    """What to take for the lens of an unknown camera: straight, and as wide as most are."""
    focal = NOMINAL_FOCAL * max(width_px, height_px)
    return Lens(width_px, height_px, focal, focal, (width_px - 1) / 2, (height_px - 1) / 2)


def lens_json(lens: Lens) -> dict[str, Any]:
    """A lens as JSON values."""
    return asdict(lens)


def parse_lens(data: Any) -> Lens:
    """The lens that JSON values tell. Raises ValueError."""
    if not isinstance(data, Mapping) or set(data) != set(Lens.__dataclass_fields__):
        raise ValueError(f"a lens needs exactly the keys {', '.join(Lens.__dataclass_fields__)}")
    for key, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST_NUMBER:
            raise ValueError(f"lens: '{key}' must be a number, at most {_LARGEST_NUMBER:,}")
    if min(data[key] for key in ("width_px", "height_px", "fx", "fy")) < 1:
        raise ValueError("lens: sizes and focal lengths must be at least 1")
    return Lens(**{**data, "width_px": int(data["width_px"]), "height_px": int(data["height_px"])})


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Where a board lies in a frame.

    `homography` takes millimetres to pixels of a picture without distortion; `lens`, when there is
    one, takes those to the frame. `markers` are those it was fitted to, with their corners in the frame,
    and `error_px` is how far these are off (rms). `used` are the ids seen in the latest frame. `certainty`
    was the chance, when it was fitted, that every corner of the board is within a millimetre of the truth.
    `age` counts the frames since the board was last seen: 0 is now, more is a remembered pose.
    """

    board_id: str
    width_mm: float
    height_mm: float
    homography: Floats
    lens: Lens | None
    markers: tuple[Marker, ...]
    used: tuple[int, ...]
    error_px: float
    certainty: float
    age: int = 0

    @property
    def confidence(self) -> float:
        """The chance that every corner of the board is within a millimetre of the truth now."""
        return self.certainty if self.age == 0 else self.certainty / 2  # unseen, it may lie elsewhere by now

    def to_frame(self, points_mm: ArrayLike) -> Floats:
        """Where points of the board (n, 2) lie in the frame."""
        flat = project(self.homography, points_mm)
        return flat if self.lens is None else self.lens.distort(flat)

    def to_board(self, points_px: ArrayLike) -> Floats:
        """Where points of the frame (n, 2) lie on the board's plane."""
        points = np.asarray(points_px, np.float64)
        flat = points if self.lens is None else self.lens.undistort(points)
        return project(inverse(self.homography), flat)

    @property
    def corners_mm(self) -> Floats:
        """Top left, top right, bottom right, bottom left in the board's own frame."""
        return board_corners_mm(self.width_mm, self.height_mm)

    @property
    def corners_px(self) -> Floats:
        return self.to_frame(self.corners_mm)

    @cached_property
    def px_per_mm(self) -> float:
        """How finely the frame shows the board, on average."""
        corners = self.corners_px
        area = abs(cross(corners[2] - corners[0], corners[3] - corners[1])) / 2
        return float(np.sqrt(area / (self.width_mm * self.height_mm)))


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A board seen flat from above, `px_per_mm` fine. `inside` is 255 where the frame really shows it."""

    board_id: str
    bgr: Image
    inside: Image
    px_per_mm: float

    def to_picture(self, points_mm: ArrayLike) -> Floats:
        """Where points of the board (n, 2) lie in this picture."""
        return np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5


def rectify(frame_bgr: Image, pose: BoardPose, px_per_mm: float) -> BoardPicture:
    """The flat picture of one board. Raises ValueError when it would be empty or huge.

    Sampling is bilinear: choose `px_per_mm` no smaller than about half the pose's own.
    """
    width, height = round(pose.width_mm * px_per_mm), round(pose.height_mm * px_per_mm)
    if not (1 <= width <= LARGEST_PICTURE_PX and 1 <= height <= LARGEST_PICTURE_PX):
        raise ValueError(f"a board of {width}x{height} px cannot be drawn")
    # A picture's pixel k covers [k, k + 1] / px_per_mm, so its centre is half a pixel further in.
    to_mm = np.array([[1 / px_per_mm, 0, 0.5 / px_per_mm], [0, 1 / px_per_mm, 0.5 / px_per_mm], [0, 0, 1]])
    to_flat = pose.homography @ to_mm
    bgr = _warp(frame_bgr, to_flat, pose.lens, (width, height))
    return BoardPicture(pose.board_id, bgr, _inside(frame_bgr, to_flat, pose.lens, (width, height)), px_per_mm)


def cut_out(frame_bgr: Image, pose: BoardPose) -> tuple[Image, BoardPose]:
    """A copy of the part of a frame that shows a board, and where the board lies in that."""
    height, width = frame_bgr.shape[:2]
    corners = pose.corners_px
    around = _AROUND * np.ptp(corners, axis=0).max()  # a lens bends the edges
    left, top = np.clip(np.floor(corners.min(axis=0) - around), 0, [width - 1, height - 1]).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0) + around), [left, top], [width - 1, height - 1]).astype(int)
    lens = pose.lens
    if lens is not None:
        lens = replace(lens, cx=lens.cx - left, cy=lens.cy - top)
    to_part = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top], [0.0, 0.0, 1.0]])
    part = frame_bgr[top : bottom + 1, left : right + 1].copy()
    return part, replace(pose, homography=to_part @ pose.homography, lens=lens, markers=())


def project(homography: Floats, points: ArrayLike) -> Floats:
    """Points (n, 2) through a homography."""
    mapped = np.asarray(points, np.float64) @ homography[:, :2].T + homography[:, 2]
    w = mapped[..., 2:]
    return mapped[..., :2] / np.where(np.abs(w) < 1e-12, 1e-12, w)


def inverse(homography: Floats) -> Floats:
    """The homography back."""
    return np.linalg.inv(homography).astype(np.float64)


def board_corners_mm(width_mm: float, height_mm: float) -> Floats:
    """A board's corners, clockwise from its top left."""
    return np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)


def cross(a: Floats, b: Floats) -> float:
    """The z of the cross product of two plane vectors."""
    return float(a[0] * b[1] - a[1] * b[0])


def _warp(frame: Image, to_flat: Floats, lens: Lens | None, size: tuple[int, int]) -> Image:
    border = cv2.BORDER_REPLICATE
    if lens is None:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cast(Image, cv2.warpPerspective(frame, to_flat, size, flags=flags, borderMode=border))
    maps = frame_points(to_flat, lens, size)
    return cast(Image, cv2.remap(frame, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=border))


def frame_points(to_flat: Floats, lens: Lens | None, size: tuple[int, int]) -> NDArray[np.float32]:
    """Where each pixel of the picture lies in the frame.

    Computed on a coarse net and stretched: perspective and lens bend so smoothly that a bilinear net is
    right to a few hundredths of a pixel, at a fraction of the time.
    """
    width, height = size
    # `resize` puts node k of the net at pixel (k + 0.5) * _NET - 0.5; one more node on each side, cut off below.
    across, down = ((np.arange(-1, -(-length // _NET) + 1) + 0.5) * _NET - 0.5 for length in size)
    nodes = np.stack(np.meshgrid(across, down), axis=-1)
    points = project(to_flat, nodes)
    if lens is not None:
        points = lens.distort(points)
    stretched = cv2.resize(points.astype(np.float32), (len(across) * _NET, len(down) * _NET))
    return cast(NDArray[np.float32], stretched[_NET : _NET + height, _NET : _NET + width])


def _inside(frame: Image, to_flat: Floats, lens: Lens | None, size: tuple[int, int]) -> Image:
    height, width = frame.shape[:2]
    columns, rows = size
    edge = np.array([[0, 0], [columns - 1, 0], [columns - 1, rows - 1], [0, rows - 1]], np.float64)
    outline = project(to_flat, np.concatenate([np.linspace(edge[i - 1], edge[i], 9) for i in range(4)]))
    if lens is not None:
        outline = lens.distort(outline)
    if (outline >= 0).all() and (outline <= [width - 1, height - 1]).all():
        return np.full((rows, columns), 255, np.uint8)  # by far the most common case, and free
    points = frame_points(to_flat, lens, size)
    within = (points >= -0.5).all(axis=-1) & (points <= [width - 0.5, height - 0.5]).all(axis=-1)
    return cast(Image, within.astype(np.uint8) * np.uint8(255))
