"""Light: how much of it reaches each place of the table, and each side of a thing.

All sums are in linear light, where 1 is a white sheet in good light.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.render.camera import Camera, project_flat, px_per_mm
from vision.render.noise import Array, chance, smooth_noise
from vision.render.scene import Colour, Glare, Lamp, Lights, Shade

GAMMA = 2.2
# Light changes slowly over the picture: it is computed for every second pixel.
LIGHT_STEP = 2
SUBPIXEL_BITS = 4
# How much of the light from all sides a thing takes away from the table right under it.
CONTACT = 0.6
# Beside the lamp's mirror image itself, gloss brightens only a little beyond white.
GLARE_PEAK = 1.8
SHEEN_PEAK = 0.12
# The sizes of ripples in a film, and how much each bends what it mirrors.
RIPPLES_MM = ((45.0, 1.0), (14.0, 0.45), (5.0, 0.2))


@dataclass(frozen=True)
class Blocker:
    """Something convex that throws a shadow, as its outermost points (n × 3, mm)."""

    points_mm: Array


def linear(bgr: Colour) -> Array:
    """A colour as shown on a screen, in linear light."""
    return np.asarray((np.array(bgr, np.float32) / 255) ** GAMMA, np.float32)


def surface_light(lights: Lights, point_mm: Array, normals: Array) -> Array:
    """The light (… × 3, BGR) that falls on surfaces with these normals (… × 3) around a point."""
    total = lights.ambient * (0.65 + 0.35 * normals[..., 2:]) * np.ones(3, np.float32)
    for lamp in lights.lamps:
        way = np.array(lamp.position_mm, np.float32) - np.asarray(point_mm, np.float32)
        way = way / np.linalg.norm(way)
        strength = np.clip(normals @ way, 0, None) / max(float(way[2]), 0.35)
        near = _falloff(lamp, np.asarray(point_mm, np.float32)[:2])
        total = total + lamp.power * near * strength[..., None] * linear(lamp.bgr)
    return np.asarray(total, np.float32)


def light_map(lights: Lights, camera: Camera, points_mm: Array, blockers: list[Blocker]) -> Array:
    """The light on the table top for every second pixel; `points_mm` is where those pixels look."""
    shape: tuple[int, int] = points_mm.shape[:2]
    contact = _soft_hulls(shape, camera, [(_straight_down(b), 0.35 * _height(b)) for b in blockers])
    total: Array = np.asarray(cv2.merge([lights.ambient * (1 - CONTACT * contact)] * 3))
    for lamp in lights.lamps:
        shadows = [(_thrown(b, lamp), _penumbra_mm(b, lamp)) for b in blockers] if lamp.shadows else []
        shadow = _soft_hulls(shape, camera, shadows)
        total += (lamp.power * _falloff(lamp, points_mm) * (1 - lamp.shadows * shadow))[..., None] * linear(lamp.bgr)
    return np.asarray(total, np.float32)


def shade_map(shades: tuple[Shade, ...], camera: Camera, shape: tuple[int, int]) -> Array:
    """What is left of the light in the shadows from outside, for every second pixel."""
    left = np.ones(shape, np.float32)
    for shade in shades:
        outline = np.array(shade.outline_mm, float)
        left *= 1 - shade.strength * _soft_shape(shape, camera, [outline], shade.softness_mm / 2)
    return left


def glare_map(lights: Lights, points_mm: Array, seed: int) -> Array:
    """The light that a fully glossy board would mirror, for every second pixel."""
    shape: tuple[int, int] = points_mm.shape[:2]
    total = np.zeros((*shape, 3), np.float32)
    for number, glare in enumerate(lights.glares):
        uneven = 1 + 0.25 * smooth_noise(shape, (60, 60), chance("glare", seed, number))
        bent_mm = points_mm + _ripples_mm(glare.ripple_mm, points_mm, chance("ripples", seed, lights.film, number))
        total += (_spot(glare, bent_mm) ** uneven)[..., None] * linear(glare.bgr) * (GLARE_PEAK * glare.strength)
    if lights.sheen:
        rng = chance("sheen", seed, lights.film)
        for channel in range(3):
            total[..., channel] += lights.sheen * SHEEN_PEAK * np.abs(smooth_noise(shape, (90, 90), rng))
    return total


def _ripples_mm(strength_mm: float, points_mm: Array, rng: np.random.Generator) -> Array:
    """How far a film that is not quite flat shifts what it mirrors, at every point."""
    shape: tuple[int, int] = points_mm.shape[:2]
    if not strength_mm:
        return np.zeros((*shape, 2), np.float32)
    mm_per_px = float(np.ptp(points_mm[shape[0] // 2, :, :], axis=0).max()) / shape[1]
    shifts = []
    for _ in "xy":
        waves = [smooth_noise(shape, (size_mm / mm_per_px,) * 2, rng) * share for size_mm, share in RIPPLES_MM]
        shifts.append(strength_mm * sum(waves))
    return np.stack(shifts, axis=-1)


def _spot(glare: Glare, points_mm: Array) -> Array:
    squared = ((points_mm - np.array(glare.centre_mm, np.float32)) ** 2).sum(axis=-1)
    faded = np.exp(-1.5 * squared / glare.radius_mm**2)
    if glare.softness >= 1:
        return np.asarray(faded)
    # The image of a lamp has an edge, however it is bent.
    outside = (np.sqrt(squared) / glare.radius_mm - 1) / max(0.5 * glare.softness, 0.01)
    return np.asarray(1 / (1 + np.exp(np.clip(4 * outside, -30, 30))))


def _falloff(lamp: Lamp, points_mm: Array) -> Array:
    """A bulb's light gets weaker with distance and slant; `uneven` tells how much of that is seen."""
    x, y, z = lamp.position_mm
    squared = (points_mm[..., 0] - np.float32(x)) ** 2 + (points_mm[..., 1] - np.float32(y)) ** 2
    return np.asarray(1 - lamp.uneven + lamp.uneven * (z * z / (z * z + squared)) ** 1.5)


def _height(blocker: Blocker) -> float:
    return float(blocker.points_mm[:, 2].mean())


def _straight_down(blocker: Blocker) -> Array:
    return blocker.points_mm[:, :2]


def _thrown(blocker: Blocker, lamp: Lamp) -> Array:
    """Where a lamp throws the blocker's points on the table."""
    source, points = np.array(lamp.position_mm), blocker.points_mm
    reach = source[2] / np.maximum(source[2] - points[:, 2:], 1.0)
    return np.asarray(source[:2] + (points[:, :2] - source[:2]) * reach)


def _penumbra_mm(blocker: Blocker, lamp: Lamp) -> float:
    """How soft the edge of the shadow is, as a standard deviation."""
    height = _height(blocker)
    return 0.3 * lamp.size_mm * height / max(lamp.position_mm[2] - height, 1.0)


def _soft_hulls(shape: tuple[int, int], camera: Camera, shadows: list[tuple[Array, float]]) -> Array:
    """All shadows in one map, 0..1; those of like softness are blurred together."""
    groups: dict[int, list[Array]] = {}
    for points, softness in shadows:
        hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
        groups.setdefault(round(2 * np.log2(max(softness, 0.5))), []).append(hull)
    dark = np.zeros(shape, np.float32)
    for octave, hulls in groups.items():
        dark = np.maximum(dark, _soft_shape(shape, camera, hulls, 2.0 ** (octave / 2)))
    return dark


def _soft_shape(shape: tuple[int, int], camera: Camera, outlines_mm: list[Array], softness_mm: float) -> Array:
    """Outlines on the table filled with 1, with soft edges."""
    sigma = softness_mm * px_per_mm(camera, np.array([*camera.aim_mm, 0.0])) / LIGHT_STEP
    # A wide blur is done on a smaller picture, where it is cheap and looks the same.
    shrink = int(np.clip(2 ** np.floor(np.log2(max(sigma / 2, 1.0))), 1, 8))
    small = -(-shape[0] // shrink), -(-shape[1] // shrink)
    mask, step = np.zeros(small, np.uint8), LIGHT_STEP * shrink
    for outline in outlines_mm:
        outline_px = (project_flat(camera, outline) - (step - 1) / 2) / step
        points = np.round(np.clip(outline_px, -4000, 8000) * (1 << SUBPIXEL_BITS)).astype(np.int32)
        cv2.fillPoly(mask, [points.reshape(-1, 1, 2)], (255,), cv2.LINE_AA, SUBPIXEL_BITS)
    soft = mask.astype(np.float32) / 255
    if sigma / shrink > 0.3:
        soft = np.asarray(cv2.GaussianBlur(soft, (0, 0), sigma / shrink))
    if shrink == 1:
        return soft
    whole = cv2.resize(soft, (small[1] * shrink, small[0] * shrink), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole[: shape[0], : shape[1]])
