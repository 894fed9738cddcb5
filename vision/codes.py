"""The codes of pieces, read where a piece is known to lie.

A detector that searches whole pictures wants four or five pixels for each cell of a code. Here a few codes are
possible, at about one place: each is compared cell by cell, and half as many pixels are enough. Where the detector
finds one all the same, there is less to search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, hypot
from typing import cast

import cv2
import numpy as np

from vision.catalogue import PieceKind
from vision.faces import CodePlace, Faces
from vision.markers import CODE_CELLS, Floats, code_cells, detect_codes
from vision.patterns import Patch, correlations, pattern, posed, poses_around
from vision.regions import Grid

CLEAR = 0.8
"""A code that is seen follows its print at least as well as this."""
_SURELY = 0.88  # a code that is seen so well is no other one, of whatever size
_CELL_BLUR = 0.25  # in cells: what a lens does anyway
_QUARTERS = 4
_BORDER_PX = 24.0  # wide a code is when its border is looked for
_TURNS_DEG = tuple(range(0, 90, 12))
_CELL_STEPS = np.arange(CODE_CELLS) - (CODE_CELLS - 1) / 2
_CELL_CENTRES: Floats = np.stack(np.meshgrid(_CELL_STEPS, _CELL_STEPS), axis=-1).reshape(-1, 2)


@dataclass(frozen=True)
class CodeReading:
    """How well each kind's code follows what is seen (1 is perfectly), and where the best of them lies."""

    likeness: Mapping[str, float]
    centre_mm: tuple[float, float]
    turn_deg: float

    @property
    def best(self) -> str:
        return max(self.likeness, key=lambda kind: self.likeness[kind])


@dataclass(frozen=True, eq=False)
class Wanted:
    """A place where the code of one of some kinds is looked for, within `reach_mm` of its middle; what is high is seen
    larger by `scale`."""

    grey: Patch
    kinds: Sequence[PieceKind]
    middle_mm: Floats
    reach_mm: float
    scale: float = 1.0


def read_codes(wanted: Sequence[Wanted], faces: Faces) -> list[CodeReading | None]:
    """What is seen at each of some places."""
    return [_read(one, found, faces) for one, found in zip(wanted, _detected(wanted), strict=True)]


def detected_codes(wanted: Sequence[Wanted], faces: Faces) -> list[list[CodeReading]]:
    """All codes that a detector finds near each of some places, each compared with those that it may be."""
    return [
        [
            _read_group(one, group, place, np.array([pose]))
            for place, group in _by_place(one.kinds, faces).items()
            for kind in group
            if (pose := found.get(kind.code)) is not None
        ]
        for one, found in zip(wanted, _detected(wanted), strict=True)
    ]


def _read(wanted: Wanted, found: Mapping[int | None, Floats], faces: Faces) -> CodeReading | None:
    best: CodeReading | None = None
    likeness: dict[str, float] = {}
    if found and not any(kind.code in found for kind in wanted.kinds):
        return None  # the code of a piece that belongs elsewhere
    groups = _by_place(wanted.kinds, faces).items()
    for place, group in sorted(groups, key=lambda group: all(kind.code not in found for kind in group[1])):
        if best is not None and best.likeness[best.best] >= _SURELY:
            likeness.update({kind.id: 0.0 for kind in group})
            continue
        poses = [found[kind.code] for kind in group if kind.code in found]
        seen = _read_group(wanted, group, place, np.array(poses) if poses else None)
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


def _detected(wanted: Sequence[Wanted]) -> list[dict[int | None, Floats]]:
    """The poses of the codes that a detector finds near each place: in one picture of all of them, which is quicker."""
    found: list[dict[int | None, Floats]] = [{} for _ in wanted]
    if not wanted:
        return found
    pictures = [one.grey.pixels for one in wanted]
    height, width = (max(picture.shape[axis] for picture in pictures) for axis in range(2))
    columns = ceil(len(pictures) ** 0.5)
    together = np.full((-(-len(pictures) // columns) * height, columns * width), 255, np.uint8)
    for number, picture in enumerate(pictures):
        top, left = number // columns * height, number % columns * width
        together[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    for marker in detect_codes(together, quick=True):
        middle = marker.quad_px.mean(axis=0) + 0.5
        across, down = int(middle[0]) // width, int(middle[1]) // height
        if down * columns + across >= len(wanted):
            continue
        one = wanted[down * columns + across]
        x, y = (middle - (across * width, down * height)) / one.grey.px_per_mm + one.grey.origin_mm
        if max(abs(x - one.middle_mm[0]), abs(y - one.middle_mm[1])) <= one.reach_mm:
            along = marker.quad_px[1] - marker.quad_px[0]
            turn = np.degrees(np.arctan2(along[1], along[0])) % 90
            found[down * columns + across][marker.id] = np.array([x, y, turn])
    return found


def _read_group(wanted: Wanted, kinds: Sequence[PieceKind], place: CodePlace, detected: Floats | None) -> CodeReading:
    grey, scale = wanted.grey, wanted.scale
    side, off = place.side_mm * scale, hypot(*place.off_mm) * scale
    cell = side / CODE_CELLS
    soft = grey.softened(_CELL_BLUR * cell)
    points, known = cell * _CELL_CENTRES, _turned_codes(tuple(kind.code or 0 for kind in kinds))

    def best_of(poses: Floats) -> tuple[Floats, Grid]:
        likeness = correlations(soft.at(posed(points, poses)), known)
        return poses[likeness.max(axis=1).argmax()], likeness.max(axis=0)

    def near(pose: Floats, reach: float, step: float, turns_deg: Sequence[float]) -> Floats:
        around = poses_around(np.zeros(2), reach * cell, step * cell, np.array(turns_deg))
        return cast(Floats, around + pose)

    if detected is None:
        start, _ = best_of(_bordered(grey.coarser(_BORDER_PX / side), side, wanted.middle_mm, wanted.reach_mm + off))
        start, finer = best_of(near(start, 0.5, 0.25, (-6, -3, 0, 3, 6)))
    else:
        start, finer = best_of(np.concatenate([near(pose, 0.15, 0.15, (0,)) for pose in detected]))
    finest = finer
    if detected is None or finer.max() < _SURELY:
        start, finest = best_of(near(start, 0.2, 0.1, (-1.5, 0, 1.5)))
    likeness = np.maximum(finer, finest)
    turn = float(start[2]) + 90.0 * (int(likeness.argmax()) % _QUARTERS)
    middle = posed(-scale * np.array([place.off_mm]), np.array([[*start[:2], turn]]))[0, 0]
    by_kind = likeness.reshape(len(kinds), _QUARTERS).max(axis=1)
    told = {kind.id: float(value) for kind, value in zip(kinds, by_kind, strict=True)}
    return CodeReading(told, (float(middle[0]), float(middle[1])), turn % 360)


@lru_cache(maxsize=64)
def _turned_codes(codes: tuple[int, ...]) -> Grid:
    """The patterns of some codes, each in its four turns."""
    turned = [np.rot90(code_cells(code), -turn) for code in codes for turn in range(_QUARTERS)]
    return pattern(np.stack(turned).reshape(len(turned), -1, 1))


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
