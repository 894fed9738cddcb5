"""Flat boards with markers on a table, seen by a known camera: pictures whose truth is exact."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.kit.corners import MARKER_MM
from vision.layout import BoardLayout, Layout, Polygon
from vision.markers import Floats, Image, draw_marker
from vision.rectify import Lens, board_corners_mm, project

FINENESS = 2  # pixels are the mean of so many squared


@dataclass(frozen=True)
class Camera:
    """A camera above the table's origin that looks at it, tilted away from straight down."""

    width_px: int = 1280
    height_px: int = 720
    focal: float = 0.8  # in picture widths
    distance_mm: float = 900.0
    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0
    k2: float = 0.0

    @property
    def lens(self) -> Lens:
        focal = self.focal * self.width_px
        centre = ((self.width_px - 1) / 2, (self.height_px - 1) / 2)
        return Lens(self.width_px, self.height_px, focal, focal, *centre, self.k1, self.k2)

    @property
    def table_to_px(self) -> Floats:
        """From millimetres on the table to pixels without distortion."""
        lens, tilt = self.lens, np.radians(self.tilt_deg)
        tilted = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        view = tilted @ _turn(self.turn_deg)
        x, y = self.shift_mm
        ground = np.column_stack([view[:, 0], view[:, 1], view @ [-x, -y, 0] + [0, 0, self.distance_mm]])
        return np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]]) @ ground


@dataclass(frozen=True)
class Place:
    """A board on the table: where its middle is, and its turn."""

    board_id: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    angle_deg: float = 0.0


@dataclass(frozen=True)
class Scene:
    """What is on the table, who looks at it, and in which light."""

    layout: Layout
    places: Sequence[Place]
    camera: Camera = field(default_factory=Camera)
    light: float = 1.0
    darker_side: float = 0.0  # how much of the light is gone at the right edge
    noise: float = 2.0
    blur_px: float = 0.6
    seed: int = 1

    def board_to_px(self, place: Place) -> Floats:
        """From a board's millimetres to pixels without distortion."""
        board = self.layout.board(place.board_id)
        turn = _turn(place.angle_deg)
        turn[:2, 2] = np.array([place.x_mm, place.y_mm]) - turn[:2, :2] @ [board.width_mm / 2, board.height_mm / 2]
        return self.camera.table_to_px @ turn

    def to_frame(self, place: Place, points_mm: ArrayLike) -> Floats:
        """Where points of a board lie in the frame."""
        return self.camera.lens.distort(project(self.board_to_px(place), points_mm))

    def corners_px(self, place: Place) -> Floats:
        board = self.layout.board(place.board_id)
        return self.to_frame(place, board_corners_mm(board.width_mm, board.height_mm))

    def frame_bgr(self) -> Image:
        """The picture."""
        camera, random = self.camera, np.random.default_rng(self.seed)
        size = (camera.width_px * FINENESS, camera.height_px * FINENESS)
        light = _table_top(size, random)
        finer = np.array([[FINENESS, 0, (FINENESS - 1) / 2], [0, FINENESS, (FINENESS - 1) / 2], [0, 0, 1]])
        for place in self.places:
            _lay(light, self.layout.board(place.board_id), finer @ self.board_to_px(place))
        small = cv2.resize(light, (camera.width_px, camera.height_px), interpolation=cv2.INTER_AREA)
        seen = cv2.GaussianBlur(_bent(cast(Floats, small), camera.lens), (0, 0), self.blur_px)
        lit = seen * self.light * np.linspace(1, 1 - self.darker_side, camera.width_px, dtype=np.float32)
        grey = 255 * np.clip(lit, 0, 1) ** (1 / 2.2)
        tint = np.array([0.9, 0.97, 1.0])
        noisy = grey[..., None] * tint + random.normal(0, self.noise, (*grey.shape, 3))
        return cast(Image, np.clip(noisy, 0, 255).astype(np.uint8))


def kit() -> Layout:
    """Two city boards and an HQ."""
    boards = [_board("city-1", "city", 290, 206, 0), _board("city-2", "city", 290, 206, 4)]
    return Layout("scenes", (*boards, _board("hq", "hq", 250, 250, 16)), Path())


def draw_board(board: BoardLayout, px_per_mm: int) -> Image:
    """A board's print in grey: markers, and a grid that could be taken for more of them."""
    picture = np.full((round(board.height_mm * px_per_mm), round(board.width_mm * px_per_mm)), 235, np.uint8)
    for polygon in board.regions.values():
        left, top, right, bottom = (round(v * px_per_mm) for v in (*polygon[0], *polygon[2]))
        cv2.rectangle(picture, (left, top), (right, bottom), 70, px_per_mm)
    for marker, polygon in board.markers.items():
        left, top = (round(v * px_per_mm) for v in polygon[0])
        side = round(MARKER_MM * px_per_mm)
        picture[top : top + side, left : left + side] = draw_marker(marker, side)
    return picture


def cover(frame_bgr: Image, outline_px: ArrayLike) -> Image:
    """The frame with something skin-coloured over an outline."""
    covered = frame_bgr.copy()
    cv2.fillPoly(covered, [np.round(np.asarray(outline_px)).astype(np.int32)], (130, 160, 200))
    return covered


def around(points_px: Floats, times: float = 1.4) -> Floats:
    """An outline, larger: what covers a marker with its white border."""
    middle = points_px.mean(axis=0)
    return cast(Floats, middle + times * (points_px - middle))


def _board(board_id: str, kind: str, width_mm: float, height_mm: float, first_marker: int) -> BoardLayout:
    right, bottom = width_mm - 8 - MARKER_MM, height_mm - 8 - MARKER_MM
    corners = [(8.0, 8.0), (right, 8.0), (right, bottom), (8.0, bottom)]
    markers = {first_marker + i: _square(x, y, MARKER_MM) for i, (x, y) in enumerate(corners)}
    cells = {f"r{r}c{c}": _square(50 + 15 * (c - 1), 45 + 15 * (r - 1), 15) for r in range(1, 8) for c in range(1, 11)}
    return BoardLayout(board_id, kind, width_mm, height_mm, f"{board_id}.png", cells, markers)


def _square(x: float, y: float, side: float) -> Polygon:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def _turn(degrees: float) -> Floats:
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def _table_top(size: tuple[int, int], random: np.random.Generator) -> Floats:
    """Streaky wood, as light (not gamma-encoded)."""
    streaks = random.uniform(0.08, 0.3, (size[1] // 8 + 1, 12)).astype(np.float32)
    return cast(Floats, cv2.resize(streaks, size, interpolation=cv2.INTER_CUBIC))


def _lay(light: Floats, board: BoardLayout, to_px: Floats) -> None:
    """Draws a board onto the light that reaches the camera."""
    px_per_mm = 4
    print_ = (draw_board(board, px_per_mm).astype(np.float32) / 255) ** 2.2
    to_mm = np.array([[1 / px_per_mm, 0, 0.5 / px_per_mm], [0, 1 / px_per_mm, 0.5 / px_per_mm], [0, 0, 1]])
    size = (light.shape[1], light.shape[0])
    warped = cv2.warpPerspective(print_, to_px @ to_mm, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.ones_like(print_), to_px @ to_mm, size, flags=cv2.INTER_NEAREST) > 0
    light[inside] = warped[inside]


def _bent(light: Floats, lens: Lens) -> Floats:
    if lens.k1 == lens.k2 == 0:
        return light
    pixels = np.stack(np.meshgrid(np.arange(lens.width_px), np.arange(lens.height_px)), axis=-1)
    source = lens.undistort(pixels.astype(np.float64)).astype(np.float32)
    bent = cv2.remap(light, source[..., 0], source[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return cast(Floats, np.maximum(bent, 0))
