"""Round and flat-topped bodies, painted into a frame: what hands, pens and tokens are made of."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.camera import Camera, axes, position_mm, project, px_per_mm
from vision.render.light import SUBPIXEL_BITS, Blocker, linear, surface_light
from vision.render.noise import Array, smooth_noise
from vision.render.scene import Colour, Lights

Point3 = tuple[float, float, float]


@dataclass(frozen=True)
class Canvas:
    """A frame in linear light that is being painted, and which of its pixels are covered by things."""

    linear_bgr: Array
    covered: Array


@dataclass(frozen=True)
class Capsule:
    """A rounded rod between two points, thick `radius_mm` at each; 3D table mm."""

    begin: Point3
    end: Point3
    radius_mm: tuple[float, float]
    bgr: Colour

    def blocker(self) -> Blocker:
        angle = np.arange(0, 2 * np.pi, np.pi / 5)
        rim = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
        ends = zip((self.begin, self.end), self.radius_mm, strict=True)
        return Blocker(np.vstack([np.array(point) + radius * rim for point, radius in ends]))


@dataclass(frozen=True)
class Prism:
    """A flat-topped body over an outline (clockwise in the picture, table mm)."""

    outline_mm: tuple[tuple[float, float], ...]
    bottom_mm: float
    top_mm: float
    bgr: Colour

    def points(self, z_mm: float) -> Array:
        return np.array([(x, y, z_mm) for x, y in self.outline_mm])

    def blocker(self) -> Blocker:
        return Blocker(np.vstack([self.points(self.bottom_mm), self.points(self.top_mm)]))


@dataclass
class _Relief:
    """The visible surface of some capsules within a window of the frame."""

    height: Array
    normal: Array
    colour: Array
    cover: Array


def paint_prism(canvas: Canvas, camera: Camera, lights: Lights, prism: Prism) -> None:
    """Paints the sides that face the camera, then the top."""
    low, high = prism.points(prism.bottom_mm), prism.points(prism.top_mm)
    eye, base = position_mm(camera), linear(prism.bgr)
    for here in range(len(low)):
        there = (here + 1) % len(low)
        along = low[there] - low[here]
        outward = np.array([along[1], -along[0], 0.0]) / max(float(np.linalg.norm(along)), 1e-6)
        if prism.top_mm > prism.bottom_mm and outward @ (eye - low[here]) > 0:
            side = project(camera, np.array([low[here], low[there], high[there], high[here]]))
            fill(canvas, side, base * surface_light(lights, low[here], outward))
    light = surface_light(lights, high.mean(axis=0), np.array([0.0, 0.0, 1.0]))
    fill(canvas, project(camera, high), base * light)


def paint_capsules(
    canvas: Canvas, camera: Camera, lights: Lights, capsules: list[Capsule], mottle: np.random.Generator | None = None
) -> None:
    """Paints capsules as one body, lit as round; `mottle` gives it the uneven colour of skin or cloth."""
    box = _box(canvas, camera, capsules)
    if box is None:
        return
    left, top, right, bottom = box
    shape = bottom - top, right - left
    relief = _Relief(
        np.full(shape, -np.inf, np.float32),
        np.zeros((*shape, 3), np.float32),
        np.zeros((*shape, 3), np.float32),
        np.zeros(shape, np.float32),
    )
    for capsule in capsules:
        _raise(relief, camera, capsule, (left, top))
    normal = relief.normal
    if mottle is not None:
        # Neighbouring fingers and the palm flow into each other.
        normal = np.asarray(cv2.GaussianBlur(normal, (0, 0), 2.0 * px_per_mm(camera, np.array(capsules[0].begin))))
        relief.colour *= (
            1 + 0.10 * smooth_noise(shape, (7, 7), mottle) + 0.12 * smooth_noise(shape, (40, 40), mottle)
        )[..., None]
    normal = normal / np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-6)
    light = surface_light(lights, np.mean([c.begin for c in capsules], axis=0), normal @ _table_from_view(camera))
    window = canvas.linear_bgr[top:bottom, left:right]
    window += (relief.colour * light - window) * relief.cover[..., None]
    _cover(canvas, box, relief.cover)


def _table_from_view(camera: Camera) -> Array:
    """Turns (right in the picture, down in the picture, towards the camera) into table directions."""
    right, down, forward = axes(camera)
    return np.array([right, down, -forward], np.float32)


def _box(canvas: Canvas, camera: Camera, capsules: list[Capsule]) -> tuple[int, int, int, int] | None:
    ends = np.array([point for c in capsules for point in (c.begin, c.end)])
    radii = np.array([r * px_per_mm(camera, np.array(c.end)) for c in capsules for r in c.radius_mm]) + 2
    centres = project(camera, ends)
    height, width = canvas.covered.shape
    left, top = np.floor((centres - radii[:, None]).min(axis=0)).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil((centres + radii[:, None]).max(axis=0)).clip(0, (width, height)).astype(int)
    return (int(left), int(top), int(right), int(bottom)) if right > left and bottom > top else None


def _raise(relief: _Relief, camera: Camera, capsule: Capsule, corner: tuple[int, int]) -> None:
    """Lifts one capsule out of the relief where it is higher than what is there."""
    ends = np.array([capsule.begin, capsule.end])
    scales = [px_per_mm(camera, end) for end in ends]
    radii = np.array(capsule.radius_mm) * scales
    points = project(camera, ends) - corner
    height, width = relief.cover.shape
    low = np.floor((points - radii[:, None]).min(axis=0) - 1).clip(0, (width, height)).astype(int)
    high = np.ceil((points + radii[:, None]).max(axis=0) + 2).clip(0, (width, height)).astype(int)
    window = np.s_[low[1] : high[1], low[0] : high[0]]
    grid = np.dstack(np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))).astype(np.float32)
    if not grid.size:
        return
    along = (points[1] - points[0]).astype(np.float32)
    share = np.clip((grid - points[0].astype(np.float32)) @ along / max(float(along @ along), 1e-6), 0, 1)
    out = grid - points[0].astype(np.float32) - share[..., None] * along
    radius = radii[0] + (radii[1] - radii[0]) * share
    distance = np.maximum(np.linalg.norm(out, axis=2), 1e-6)
    cover = np.clip(radius - distance + 0.5, 0, 1)
    side = np.minimum(distance / radius, 1)
    upright = np.sqrt(1 - side**2)
    surface = ends[0, 2] + (ends[1, 2] - ends[0, 2]) * share + upright * radius / scales[0]
    wins = (cover > 0) & (surface > relief.height[window])
    relief.height[window][wins] = surface[wins]
    relief.normal[window][wins] = np.dstack([out * (side / distance)[..., None], upright])[wins]
    relief.colour[window][wins] = linear(capsule.bgr)
    relief.cover[window] = np.maximum(relief.cover[window], cover)


def fill(canvas: Canvas, outline_px: Array, bgr: Array) -> None:
    """Paints an outline with one colour, or with a picture of its own bounding box, a pixel wider all around."""
    height, width = canvas.covered.shape
    left, top = np.floor(outline_px.min(axis=0) - 1).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil(outline_px.max(axis=0) + 2).clip(0, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    points = np.round((outline_px - (left, top)) * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(mask, [points.reshape(-1, 1, 2)], (255,), cv2.LINE_AA, SUBPIXEL_BITS)
    share = mask.astype(np.float32) / 255
    window = canvas.linear_bgr[top:bottom, left:right]
    window += (bgr.astype(np.float32) - window) * share[..., None]
    _cover(canvas, (left, top, right, bottom), share)


def _cover(canvas: Canvas, box: tuple[int, int, int, int], share: Array) -> None:
    left, top, right, bottom = box
    window = canvas.covered[top:bottom, left:right]
    np.maximum(window, (share * 255).astype(np.uint8), out=window)
