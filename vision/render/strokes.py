"""Ink as a hand leaves it on a dry-erase board: paths in millimetres, then what they do to the light."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from vision.layout import BoardLayout, Polygon
from vision.render.noise import Array, chance, smooth_noise
from vision.render.scene import Mark, PlacedBoard, Stroke, on_table

# How strongly a full line of each pen swallows blue, green and red light.
ABSORBS_BGR = {
    "black": (2.1, 2.1, 2.0),
    "blue": (0.4, 1.5, 2.2),
    "red": (1.7, 1.9, 0.15),
    "green": (1.4, 0.45, 1.9),
}
STEP_MM = 0.4
# A filled cell has its lines closer than the pen is wide.
FILL_SPACING = 0.75
SUBPIXEL_BITS = 4
MOST_DENSITY = 1.3
# Ink with a body covers what is below it, the more of it lies there the more, and shows its own colour.
COVERS = 2.5
PAINT = 0.9
# What a wiped line loses in sharpness, along the cloth.
SMEAR_MM = 5.0


def lay_ink(picture_bgr: Array, mark: Mark, board: BoardLayout, scale_px: float, seed: int) -> None:
    """Draws one mark on a board's picture (linear BGR, `scale_px` pixels per mm)."""
    whole = _whole_lines(_finished(mark), board.regions[mark.region], board.id, seed)
    # The window does not depend on the progress, so that drawn ink stays as it is while more is added.
    margin = mark.width_mm + (SMEAR_MM if mark.ghost else 1.0)
    window, corner = _window(picture_bgr, np.vstack(whole), margin, scale_px)
    if not window.size:
        return
    rng = chance("ink", mark.region, mark.kind, mark.seed, board.id, seed)
    pressures = 1 - mark.uneven * rng.uniform(0, 0.4, len(whole))
    lines = [line * scale_px - corner for line in _drawn_part(whole, mark.progress)]
    density = (1 - mark.pale) * _density(mark.width_mm, lines, pressures, window.shape[:2], scale_px)
    if mark.uneven or mark.dryness:
        density *= _unevenness(mark, window.shape[:2], scale_px, rng)
    if mark.ghost:
        density = _wiped(density, mark.ghost, scale_px, rng)
    _lay(window, density, mark.pen, mark.body)


def lay_stroke(picture_bgr: Array, stroke: Stroke, scale_px: float) -> None:
    """The same by a line that was drawn free hand; a single point is a dot."""
    line = np.array([*stroke.points_mm, stroke.points_mm[-1]])
    window, corner = _window(picture_bgr, line, stroke.width_mm + 1.0, scale_px)
    if window.size:
        density = _density(stroke.width_mm, [line * scale_px - corner], np.ones(1), window.shape[:2], scale_px)
        _lay(window, density, stroke.pen, body=0.0)


def _lay(window: Array, density: Array, pen: str, body: float) -> None:
    absorbs = np.array(ABSORBS_BGR[pen], np.float32)
    window *= np.exp(density[..., None] * (body - 1) * absorbs)
    if body:
        covered = body * (1 - np.exp(-COVERS * density[..., None]))
        window += covered * (PAINT * np.exp(-MOST_DENSITY * absorbs) - window)


def _window(picture: Array, points_mm: Array, margin_mm: float, scale_px: float) -> tuple[Array, Array]:
    """The part of a board's picture around some points, and the pixel that its own coordinates count from."""
    left, top = np.maximum(np.floor((points_mm.min(axis=0) - margin_mm) * scale_px), 0).astype(int)
    right, bottom = np.maximum(np.ceil((points_mm.max(axis=0) + margin_mm) * scale_px), 0).astype(int)
    return picture[top:bottom, left:right], np.array([left + 0.5, top + 0.5])


def pen_point(mark: Mark, placed: PlacedBoard, board: BoardLayout, seed: int) -> tuple[float, float]:
    """Where on the table (mm) the pen is when the mark is drawn this far, in a scene with this seed."""
    whole = _whole_lines(_finished(mark), board.regions[mark.region], board.id, seed)
    drawn = _drawn_part(whole, mark.progress)
    last = drawn[-1][-1] if drawn else whole[0][0]
    x, y = on_table(placed, board, last[None])[0]
    return float(x), float(y)


def _finished(mark: Mark) -> Mark:
    """The mark without what does not change its lines: a mark keeps its shape when it grows, fades or is wiped."""
    return replace(mark, progress=1.0, pen="black", body=0.0, uneven=0.0, dryness=0.0, pale=0.0, ghost=0.0)


@lru_cache(maxsize=4096)
def _whole_lines(mark: Mark, polygon: Polygon, board_id: str, seed: int) -> tuple[Array, ...]:
    """The pen's lines (each n × 2, in board mm) of a finished mark, in the order of drawing, without its gaps."""
    rng = chance("path", mark.region, mark.kind, mark.seed, board_id, seed)
    corners = np.array(polygon)
    size_mm = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    if mark.kind == "circle":
        lines = [_loop(size_mm, mark.wobble, mark.overshoot_mm, rng)]
    elif mark.kind == "cross":
        lines = _cross(size_mm, mark.overshoot_mm)
    else:
        spacing = mark.width_mm * (FILL_SPACING if mark.kind == "fill" else float(rng.uniform(1.8, 3.2)))
        lines = _hatch(size_mm, spacing, mark.overshoot_mm, mark.wobble, rng)
    placed = [_place(_shaken(line, size_mm, mark.wobble, rng), corners, size_mm) for line in lines]
    return tuple(part for line in placed for part in _with_gaps(line, mark.gaps, rng))


def _place(line: Array, corners: Array, size_mm: float) -> Array:
    """Moves a line drawn around the middle of a square of `size_mm` into the region."""
    across = ((corners[1] - corners[0]) + (corners[2] - corners[3])) / 2
    down = ((corners[3] - corners[0]) + (corners[2] - corners[1])) / 2
    return np.asarray(corners.mean(axis=0) + line @ np.array([across, down]) / size_mm)


def _cross(size_mm: float, overshoot_mm: float) -> list[Array]:
    reach = max(size_mm / 2 - 0.8 + overshoot_mm, size_mm / 5)
    return [_straight((-reach, -reach), (reach, reach)), _straight((reach, -reach), (-reach, reach))]


def _loop(size_mm: float, wobble: float, overshoot_mm: float, rng: np.random.Generator) -> Array:
    """A circle that is not quite round and ends not quite where it began."""
    sweep = 2 * np.pi * (1 + wobble * rng.uniform(-0.08, 0.16))
    turn = np.linspace(0, sweep, max(12, round(3.5 * size_mm / STEP_MM)))
    angle = rng.uniform(0, 2 * np.pi) + turn
    spiral = rng.uniform(-0.12, 0.12) * (turn / np.pi - 1)
    oval = rng.uniform(-0.12, 0.12) * np.cos(2 * angle) + rng.uniform(-0.05, 0.05) * np.cos(3 * angle)
    radius = (size_mm * 0.58 + overshoot_mm / 2) * (1 + wobble * (spiral + oval))
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def _hatch(
    size_mm: float, spacing_mm: float, overshoot_mm: float, wobble: float, rng: np.random.Generator
) -> list[Array]:
    """To and fro; each turn starts a new line because the pen rests there and leaves more ink."""
    reach = max(size_mm / 2 - 0.4 + overshoot_mm, size_mm / 4)
    angle = float(rng.choice([0.0, 25.0, 45.0, 65.0, 90.0, 115.0, 135.0, 155.0]) + rng.normal(0, 12 * wobble))
    way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    normal = np.array([-way[1], way[0]])
    widest = reach * float(np.abs(way).sum())
    ends: list[Array] = []
    for number, offset in enumerate(np.arange(spacing_mm / 2 - widest, widest, spacing_mm)):
        middle = normal * (offset + rng.normal(0, 0.3 * spacing_mm * wobble))
        low, high = _clipped(middle, way, reach)
        if high - low > spacing_mm / 2:
            pair = [
                middle + way * (low + x) for low, x in zip((low, high), rng.normal(0, 0.4 * wobble, 2), strict=True)
            ]
            ends += pair if number % 2 == 0 else pair[::-1]
    if not ends:  # a pen too thick for the region: one stroke through the middle
        ends = [-way * reach, way * reach]
    return [_straight(begin, end) for begin, end in pairwise(ends)]


def _clipped(middle: Array, way: Array, reach: float) -> tuple[float, float]:
    """From where to where the line through `middle` along `way` is inside the square of half width `reach`."""
    low, high = -np.inf, np.inf
    for start, step in zip(middle, way, strict=True):
        if abs(step) > 1e-6:
            first, last = sorted(((-reach - start) / step, (reach - start) / step))
            low, high = max(low, first), min(high, last)
        elif abs(start) > reach:
            return 0.0, 0.0
    return float(low), float(high)


def _straight(begin: Array | Sequence[float], end: Array | Sequence[float]) -> Array:
    steps = max(2, round(float(np.hypot(end[0] - begin[0], end[1] - begin[1])) / STEP_MM))
    return np.linspace(begin, end, steps)


def _shaken(line: Array, size_mm: float, wobble: float, rng: np.random.Generator) -> Array:
    """Bows, tilts and trembles a line as a hand does."""
    if not wobble:
        return line
    along = np.linspace(-1, 1, len(line))
    chord = line[-1] - line[0]
    normal = np.array([-chord[1], chord[0]]) / max(float(np.hypot(*chord)), size_mm)
    bow = rng.normal(0, 0.07 * size_mm * wobble) * (1 - along**2)
    ends = np.outer(along, rng.normal(0, 0.05 * size_mm * wobble, 2)) + rng.normal(0, 0.04 * size_mm * wobble, 2)
    tremble = smooth_noise((len(line), 2), (1, 6), rng) * 0.12 * wobble
    return np.asarray(line + np.outer(bow, normal) + ends + tremble)


def _drawn_part(lines: tuple[Array, ...], progress: float) -> list[Array]:
    left = round(progress * sum(map(len, lines)))
    drawn = []
    for line in lines:
        if left >= 2:
            drawn.append(line[:left])
        left -= len(line)
    return drawn


def _with_gaps(line: Array, gaps: float, rng: np.random.Generator) -> list[Array]:
    if not gaps:
        return [line]
    rough = smooth_noise((1, len(line)), (5, 1), rng)[0]
    touching = rough > np.sort(rough)[min(int(gaps * len(rough)), len(rough) - 2)]
    breaks = np.flatnonzero(np.diff(touching.astype(int))) + 1
    return [part for part, on in zip(np.split(line, breaks), np.split(touching, breaks), strict=True) if on[0]]


def _density(width_mm: float, lines: list[Array], pressures: Array, shape: tuple[int, int], scale_px: float) -> Array:
    """How much ink lies where the lines (in pixels) ran; lines over lines leave more."""
    density = np.zeros(shape, np.float32)
    thickness = max(1, round(width_mm * scale_px))
    for line, pressure in zip(lines, pressures, strict=False):
        one = np.zeros(shape, np.uint8)
        points = np.round(line * (1 << SUBPIXEL_BITS)).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(one, [points], False, (255,), thickness, cv2.LINE_AA, SUBPIXEL_BITS)
        density += one * np.float32(pressure / 255)
    return np.minimum(density, MOST_DENSITY)


def _unevenness(mark: Mark, shape: tuple[int, int], scale_px: float, rng: np.random.Generator) -> Array:
    """Slow changes of density, and the streaks of a dry tip that skips over the board."""
    slow = 1 + 0.5 * mark.uneven * smooth_noise(shape, (3 * scale_px, 3 * scale_px), rng)
    streaks = smooth_noise(shape, (0.5 * scale_px, 0.5 * scale_px), rng)
    skipping = np.clip(1 + mark.dryness * (2.0 * streaks - 0.4), 0, 1)
    return np.asarray(np.clip(slow, 0.2, 1.6) * skipping * (1 - 0.8 * mark.dryness))


def _wiped(density: Array, remains: float, scale_px: float, rng: np.random.Generator) -> Array:
    """Smears a line along the way of the cloth and leaves a share of it."""
    length = max(3, round(SMEAR_MM * scale_px))
    kernel = line_kernel(length, float(rng.uniform(0, 180)))
    smeared = np.asarray(cv2.filter2D(density, -1, kernel, borderType=cv2.BORDER_CONSTANT))
    return remains * (0.5 * density + 0.8 * smeared)


def line_kernel(length_px: float, angle_deg: float) -> Array:
    """A kernel that averages along a line."""
    size = int(np.ceil(length_px)) | 1
    half = size // 2
    way = np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))]) * (length_px - 1) / 2
    ends = np.round((half + np.array([-way, way])) * (1 << SUBPIXEL_BITS)).astype(int)
    begin, end = ((int(x), int(y)) for x, y in ends)
    kernel = np.zeros((size, size), np.uint8)
    cv2.line(kernel, begin, end, (255,), 1, cv2.LINE_AA, SUBPIXEL_BITS)
    return np.asarray(kernel / np.float32(kernel.sum()))
