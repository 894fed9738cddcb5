"""Dice: rounded cubes, traced ray by ray, so that sides, edges and pips look as a camera sees them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.die import PIPS
from vision.render.camera import Camera, position_mm, project, px_per_mm, rays
from vision.render.light import Blocker, linear, surface_light
from vision.render.noise import Array
from vision.render.scene import Die, Lights
from vision.render.solids import Canvas

PIP_SPACING = 0.25  # of the width
PIP_RADIUS = 0.095
# The value on each side of an unturned die; 1, 2 and 3 run counterclockwise around their corner.
SIDES = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, 1, 0), 5: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}
MARCH_STEPS = 26
# Small dice are traced more finely, or their pips would flicker.
SMALL_DIE_PX = 40
# What a translucent body scatters of the light inside it.
INNER_GLOW = 0.35


@dataclass(frozen=True)
class _Traced:
    """A die by itself: its window of the frame, its light, and how much of each pixel it fills."""

    window: tuple[slice, slice]
    linear_bgr: Array
    share: Array


def die_axes(die: Die) -> Array:
    """The die's own three axes as rows, in table directions."""
    turn = np.radians(die.rotation_deg)
    spin = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    return np.asarray(_value_up(die.value) @ spin)


def die_corners(die: Die) -> Array:
    """The eight corners (table mm), the upper four last and around the top face."""
    half = die.size_mm / 2
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    turn = np.radians(die.rotation_deg)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    flat = square @ rotation + die.centre_mm
    return np.vstack([np.column_stack([flat, np.full(4, z)]) for z in (0.0, die.size_mm)])


def die_blocker(die: Die) -> Blocker:
    """What the die takes of the light; its rounded corners let some pass."""
    middle = np.array([*die.centre_mm, die.size_mm / 2])
    return Blocker(middle + (die_corners(die) - middle) * (1 - 0.12 * die.roundness))


def paint_die(canvas: Canvas, camera: Camera, lights: Lights, die: Die) -> None:
    """Paints one die over what is there."""
    traced = _traced(camera, lights, die)
    if traced is None:
        return
    window = canvas.linear_bgr[traced.window]
    through = window * linear(die.body_bgr) if die.opacity < 1 else 0.0
    window *= 1 - traced.share
    window += die.opacity * traced.linear_bgr
    window += (1 - die.opacity) * traced.share * (through + INNER_GLOW * linear(die.body_bgr))
    cover = canvas.covered[traced.window]
    np.maximum(cover, (traced.share[..., 0] * 255).astype(np.uint8), out=cover)


@lru_cache(maxsize=32)
def _traced(camera: Camera, lights: Lights, die: Die) -> _Traced | None:
    corners = project(camera, die_corners(die))
    left, top = np.floor(corners.min(axis=0) - 1).clip(0, camera.size_px).astype(int)
    right, bottom = np.ceil(corners.max(axis=0) + 2).clip(0, camera.size_px).astype(int)
    if right <= left or bottom <= top:
        return None
    per_px = 3 if die.size_mm * px_per_mm(camera, np.array([*die.centre_mm, 0.0])) < SMALL_DIE_PX else 2
    direction = rays(camera, (int(left), int(top), int(right), int(bottom)), per_px)
    direction /= np.sqrt((direction * direction) @ np.ones(3, np.float32))[..., None]
    middle = np.array([*die.centre_mm, die.size_mm / 2])
    turned = die_axes(die)
    way = direction @ turned.T.astype(np.float32)
    point, hit = _march(turned @ (position_mm(camera) - middle), way, die)
    colour = _surface(point, way, die, lights, turned.astype(np.float32), middle) * hit[..., None]
    share = _averaged(hit.astype(np.float32)[..., None], per_px)
    return _Traced((slice(top, bottom), slice(left, right)), _averaged(colour, per_px), share)


def _value_up(value: int) -> Array:
    """A rotation (no mirroring) that brings a value's side to the top; rows are the die's own axes."""
    up = np.array(SIDES[value], float)
    first = np.array((1.0, 0, 0)) if abs(up[0]) < 0.5 else np.array((0, 1.0, 0))
    return np.column_stack([first, np.cross(up, first), up])


def _edge_mm(die: Die) -> float:
    return die.size_mm * (0.02 + 0.36 * die.roundness)


def _march(start: Array, way: Array, die: Die) -> tuple[Array, Array]:
    """Follows the rays to the rounded cube's surface: the points reached, and which rays hit."""
    edge, half = _edge_mm(die), die.size_mm / 2
    near = (-(way @ start) - die.size_mm)[..., None] * way + start
    x, y, z = (np.ascontiguousarray(near[..., axis], np.float32) for axis in range(3))
    dx, dy, dz = (np.ascontiguousarray(way[..., axis], np.float32) for axis in range(3))
    for _ in range(MARCH_STEPS):
        over_x, over_y, over_z = (np.abs(part) - np.float32(half - edge) for part in (x, y, z))
        inner = np.minimum(np.maximum(np.maximum(over_x, over_y), over_z), 0)
        squared = sum(np.square(np.maximum(over, 0)) for over in (over_x, over_y, over_z))
        gap = np.sqrt(squared) + inner - np.float32(edge)
        x, y, z = x + gap * dx, y + gap * dy, z + gap * dz
    return np.dstack([x, y, z]), gap < 0.01 * die.size_mm


def _surface(point: Array, way: Array, die: Die, lights: Lights, turned: Array, middle_mm: Array) -> Array:
    """The light that comes from each point of the die."""
    edge, half = _edge_mm(die), die.size_mm / 2
    normal = np.sign(point) * np.maximum(np.abs(point) - (half - edge), 1e-9)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    pips, dent = _pips(point, die)
    normal = normal + 0.5 * dent
    normal = (normal / np.linalg.norm(normal, axis=2, keepdims=True)) @ turned
    albedo = linear(die.body_bgr) + (linear(die.pip_bgr) - linear(die.body_bgr)) * pips[..., None]
    lit = albedo * surface_light(lights, middle_mm, normal.astype(np.float32))
    return np.asarray((lit + _highlight(normal, way @ turned, die, lights, middle_mm)).astype(np.float32))


def _pips(point: Array, die: Die) -> tuple[Array, Array]:
    """How much of each point is pip, and how the hollow of the pip tilts the surface."""
    share, dent = np.zeros(point.shape[:2]), np.zeros(point.shape)
    side = np.abs(point).argmax(axis=2)
    for value, toward in SIDES.items():
        axis = int(np.abs(toward).argmax())
        here = (side == axis) & (point[..., axis] * toward[axis] > 0)
        first, second = (other for other in range(3) if other != axis)
        for u, v in PIPS[value]:
            across = point[here][:, [first, second]] / die.size_mm - np.array([u, v]) * PIP_SPACING
            distance = np.linalg.norm(across, axis=1)
            inside = np.clip((PIP_RADIUS - distance) / 0.012 + 0.5, 0, 1)
            share[here] += inside
            hollow = np.zeros((len(across), 3))
            hollow[:, [first, second]] = -across * (inside / PIP_RADIUS)[:, None]
            dent[here] += hollow
    return np.minimum(share, 1), dent


def _highlight(normal: Array, way: Array, die: Die, lights: Lights, middle_mm: Array) -> Array:
    """The lamps' mirror images on polished faces and edges."""
    total = np.zeros(normal.shape)
    if not die.gloss:
        return total
    for lamp in lights.lamps:
        toward = np.array(lamp.position_mm) - middle_mm
        half_way = toward / np.linalg.norm(toward) - way
        half_way /= np.linalg.norm(half_way, axis=2, keepdims=True)
        strength = np.clip((normal * half_way).sum(axis=2), 0, 1) ** 60
        total += die.gloss * lamp.power * strength[..., None] * linear(lamp.bgr)
    return total


def _averaged(fine: Array, per_px: int) -> Array:
    height, width, channels = fine.shape
    blocks = fine.reshape(height // per_px, per_px, width // per_px, per_px, channels)
    return np.asarray(blocks.mean(axis=(1, 3)), np.float32)
