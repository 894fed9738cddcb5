"""The codes of pieces, read where a piece is known to lie.

A detector that searches whole pictures wants four or five pixels for each cell of a code. Here a few codes are
possible, at about one place: each is compared cell by cell, and half as many pixels are enough.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

import cv2
import numpy as np

from vision.catalogue import PieceKind
from vision.faces import CodePlace, Faces
from vision.markers import CODE_CELLS, Floats, code_cells
from vision.patterns import Patch, correlations, posed, poses_around
from vision.regions import Grid

CLEAR = 0.8
"""A code that is seen follows its print at least as well as this."""
_SURELY = 0.88  # a code that is seen so well is no other one of another size
_CELL_BLUR = 0.25  # in cells: what a lens does anyway
_QUARTERS = 4
_BORDER_PX = 24.0  # wide a code is when its border is looked for
_TURNS_DEG = tuple(range(0, 90, 12))


@dataclass(frozen=True)
class CodeReading:
    """How well each kind's code follows what is seen (1 is perfectly), and where the best of them lies."""

    likeness: Mapping[str, float]
    centre_mm: tuple[float, float]
    turn_deg: float

    @property
    def best(self) -> str:
        return max(self.likeness, key=lambda kind: self.likeness[kind])


def read_code(
    patch: Patch, kinds: Sequence[PieceKind], faces: Faces, middle_mm: Floats, reach_mm: float, scale: float = 1.0
) -> CodeReading | None:
    """Which of some kinds lies within `reach_mm` of a place; what is high is seen larger by `scale`."""
    best: CodeReading | None = None
    likeness: dict[str, float] = {}
    for place, group in _by_place(kinds, faces).items():
        if best is not None and best.likeness[best.best] >= _SURELY:
            likeness.update({kind.id: 0.0 for kind in group})
            continue
        seen = _read_group(patch, group, place, middle_mm, reach_mm, scale)
        likeness.update(seen.likeness)
        if best is None or seen.likeness[seen.best] > best.likeness[best.best]:
            best = seen
    return None if best is None else CodeReading(likeness, best.centre_mm, best.turn_deg)


def _by_place(kinds: Sequence[PieceKind], faces: Faces) -> dict[CodePlace, list[PieceKind]]:
    groups: dict[CodePlace, list[PieceKind]] = {}
    for kind in kinds:
        if kind.code is not None:
            place = faces.code(kind)
            x, y = (round(off, 1) for off in place.off_mm)
            groups.setdefault(CodePlace((x, y), round(place.side_mm, 1)), []).append(kind)
    return groups


def _read_group(
    patch: Patch, kinds: Sequence[PieceKind], place: CodePlace, middle_mm: Floats, reach_mm: float, scale: float
) -> CodeReading:
    side, off = place.side_mm * scale, hypot(*place.off_mm) * scale
    cell = side / CODE_CELLS
    soft = patch.grey().softened(_CELL_BLUR * cell)
    steps = (np.arange(CODE_CELLS) - (CODE_CELLS - 1) / 2) * cell
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    known = np.stack([np.rot90(code_cells(kind.code or 0), -turn) for kind in kinds for turn in range(_QUARTERS)])

    def tried(poses: Floats) -> Floats:
        return correlations(soft.at(posed(points, poses)), known.reshape(len(known), -1, 1))

    def best_of(poses: Floats) -> tuple[Floats, Floats]:
        likeness = tried(poses)
        return poses[likeness.max(axis=1).argmax()], likeness.max(axis=0)

    start, _ = best_of(_bordered(patch.grey().coarser(_BORDER_PX / side), side, middle_mm, reach_mm + off))
    start, finer = best_of(poses_around(start[:2], 0.5 * cell, 0.25 * cell, start[2] + np.array([-6, -3, 0, 3, 6])))
    start, finest = best_of(poses_around(start[:2], 0.2 * cell, 0.1 * cell, start[2] + np.array([-1.5, 0, 1.5])))
    likeness = np.maximum(finer, finest)
    turn = float(start[2]) + 90.0 * (int(likeness.argmax()) % _QUARTERS)
    middle = posed(-scale * np.array([place.off_mm]), np.array([[*start[:2], turn]]))[0, 0]
    by_kind = likeness.reshape(len(kinds), _QUARTERS).max(axis=1)
    told = {kind.id: float(value) for kind, value in zip(kinds, by_kind, strict=True)}
    return CodeReading(told, (float(middle[0]), float(middle[1])), turn % 360)


def _bordered(grey: Patch, side_mm: float, middle_mm: Floats, reach_mm: float) -> Floats:
    """The likeliest pose at each turn: all codes have the same black border and white around it."""
    seen = grey.pixels
    poses = []
    for turn in _TURNS_DEG:
        border = _border(round(side_mm * grey.px_per_mm, 1), turn)
        half = len(border) // 2
        around = cv2.copyMakeBorder(seen, half, half, half, half, cv2.BORDER_REPLICATE)
        like = np.asarray(cv2.matchTemplate(np.asarray(around), border, cv2.TM_CCOEFF_NORMED))
        low = np.maximum(((middle_mm - reach_mm - grey.origin_mm) * grey.px_per_mm).astype(int), 0)
        high = ((middle_mm + reach_mm - grey.origin_mm) * grey.px_per_mm).astype(int) + 1
        part = like[low[1] : high[1], low[0] : high[0]]
        y, x = np.unravel_index(int(part.argmax()), part.shape) if part.size else (0, 0)
        place = (np.array([x, y]) + low + 0.5) / grey.px_per_mm + grey.origin_mm
        poses.append([*place, turn])
    return np.array(poses)


@lru_cache(maxsize=512)
def _border(side_px: float, turn_deg: float) -> Grid:
    """The border of a code and the white around it; what may be inside is grey."""
    cell, turn = side_px / CODE_CELLS, np.radians(turn_deg)
    half = int(np.ceil(0.5 * (CODE_CELLS + 2) * cell * (abs(np.cos(turn)) + abs(np.sin(turn)))))
    steps = np.arange(-half, half + 1)
    x, y = np.meshgrid(steps, steps)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    cells = np.maximum(np.abs(along), np.abs(across)) / cell
    inner, outer = CODE_CELLS / 2 - 1, CODE_CELLS / 2
    values = np.select([cells < inner, cells < outer, cells < outer + 1], [0.4, 0.0, 1.0], 0.6)
    return np.asarray(values, np.float32)
