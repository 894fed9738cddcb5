"""The codes of pieces, read where a piece is known to lie.

A detector that searches whole pictures wants four or five pixels for each cell of a code. Here a few codes are
possible, at about one place: each is compared cell by cell, and half as many pixels are enough.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import cast

import cv2
import numpy as np

from vision.catalogue import PieceKind
from vision.faces import CodePlace, Faces
from vision.markers import CODE_CELLS, Floats, Image, code_cells
from vision.patterns import Patch, correlations, posed, poses_around

CLEAR = 0.8
"""A code that is seen follows its print at least as well as this."""
_SURELY = 0.88  # a code that is seen so well is no other one of another size
_CELL_BLUR = 0.25  # in cells: what a lens does anyway
_SIDES = (0.75, 1.3)  # how large a dark square may be that is tried as the code, in its sides
_QUARTERS = 4
_MOST_SQUARES = 6


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

    quarter = np.arange(0, 90, 9.0)
    squares = _dark_squares(patch, side, middle_mm, reach_mm + off)
    start, likeness = best_of(squares) if len(squares) else (np.zeros(3), np.zeros(len(known)))
    if likeness.max() < CLEAR:
        start, likeness = best_of(poses_around(middle_mm, reach_mm + off, cell / 2, quarter))
    around = poses_around(start[:2], 0.5 * cell, 0.25 * cell, start[2] + np.array([-4.5, 0, 4.5]))
    start, finer = best_of(around)
    start, finest = best_of(poses_around(start[:2], 0.2 * cell, 0.1 * cell, start[2] + np.array([-2.2, 0, 2.2])))
    likeness = np.maximum(finer, finest)
    turn = float(start[2]) + 90.0 * (int(likeness.argmax()) % _QUARTERS)
    middle = posed(-scale * np.array([place.off_mm]), np.array([[*start[:2], turn]]))[0, 0]
    by_kind = likeness.reshape(len(kinds), _QUARTERS).max(axis=1)
    told = {kind.id: float(value) for kind, value in zip(kinds, by_kind, strict=True)}
    return CodeReading(told, (float(middle[0]), float(middle[1])), turn % 360)


def _dark_squares(patch: Patch, side_mm: float, middle_mm: Floats, reach_mm: float) -> Floats:
    """Poses of what is dark, square and about as large as a code: its border holds it together."""
    grey = cast(Image, cv2.cvtColor(patch.pixels.clip(0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY))
    _, dark = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    contours = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    poses = []
    for contour in contours:
        (x, y), (width, height), turn = cv2.minAreaRect(contour)
        sides = np.array([width, height]) / patch.px_per_mm / side_mm
        at = (np.array([x, y]) + 0.5) / patch.px_per_mm + patch.origin_mm
        if sides.min() > _SIDES[0] and sides.max() < _SIDES[1] and np.abs(at - middle_mm).max() <= reach_mm + 1:
            poses.append([*at, turn % 90])
    return np.array(poses[:_MOST_SQUARES]).reshape(-1, 3)
