"""Places for one flat piece: told by its code, or by which of its faces is up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np

from vision.catalogue import OPEN, PieceKind
from vision.codes import CodeReading
from vision.faces import Faces
from vision.labels import PATTERN_BLUR_MM
from vision.markers import Floats, Image
from vision.patterns import Patch, correlations, pattern, posed, poses_around
from vision.regions import Grid, Mask

EMPTY = "empty"
UNCHANGED = 12.0
"""The score of a place that looks as it did; all scores are logarithms."""
STRANGE = 4.0
"""The score of something else than the pieces that belong there, if the place has changed."""
_BARE = 0.04  # a place that changed over less than this share of it is as it was
_PER_SHARE = 80.0
_CODE_CELLS, _FACE_CELLS = 40.0, 14.0  # parts of a code, and of a face, that are as good as independent of each other
_BORDER = 0.45  # any code follows any other so well: the border is the same
_MOST = 15.0
_STEP_MM = 1.5
_KNOWN_PX_PER_MM = 2.0
_REACH_MM, _STRAIGHT_DEG, _TURNS_DEG = 3.0, np.zeros(1), np.array([-8.0, -4.0, 4.0, 8.0])
_PRINTED, _ABOUT_MM = 0.6, 1.0  # how well a board has to show a piece's face to be its place, and how near by


def unchanged(changed: float) -> float:
    """The score of a place as it was, by the share of it that changed."""
    return UNCHANGED - _PER_SHARE * max(0.0, changed - _BARE)


def follows(likeness: float, cells: float = _FACE_CELLS, otherwise: float = 0.0) -> float:
    """The score of a pattern by its correlation with what is seen, against that of anything else."""
    unlike, otherwise = (1 - min(max(value, 0.0), 0.999) ** 2 for value in (likeness, otherwise))
    return float(min(max(cells / 2 * np.log(otherwise / unlike), 0.0), _MOST))


def is_bare(changed: float) -> bool:
    """Whether a place is as it was, by the share of it that changed."""
    return changed <= _BARE


def coded_scores(kinds: Sequence[PieceKind], changed: float, reading: CodeReading | None) -> dict[str, float]:
    """How well an empty place and each kind of piece explain what is seen."""
    scores = {EMPTY: unchanged(changed), **{kind.id: 0.0 for kind in kinds}}
    if reading is not None:
        best, second, *_ = *sorted(reading.likeness.values(), reverse=True), 0.0
        scores[reading.best] = coded_score(best, second)
    return scores


def coded_score(best: float, second: float) -> float:
    """The score of a code by how well it is followed: the better another one fits as well, the less it tells."""
    return follows(best, _CODE_CELLS, max(second, _BORDER))


@dataclass(frozen=True, eq=False)
class FaceReader:
    """Which face of a piece is up that lies in its own place; `clean` is the whole board without any."""

    kind: PieceKind
    corners_mm: Floats
    faces: Faces
    clean: Patch

    def prepare(self) -> None:
        """Works out where the piece lies and how its faces look."""
        _ = self._patterns

    def scores(self, now: Patch, hidden: Image, changed: float) -> dict[str, float]:
        """How well each face explains what is seen; `hidden` tells by pixel of 1 mm what others hide of the board."""
        points = self._points
        at = np.round(points + self.middle_mm).astype(int)
        rows, columns = at[:, 1].clip(0, hidden.shape[0] - 1), at[:, 0].clip(0, hidden.shape[1] - 1)
        points, seen_at = points[hidden[rows, columns] == 0], hidden[rows, columns] == 0
        scores = dict.fromkeys(self.kind.faces, 0.0)
        if len(points) < len(self._points) / 2:
            return scores
        if is_bare(changed):
            return {**scores, OPEN: UNCHANGED}
        before, faces = self._patterns if seen_at.all() else self._patterns_at(seen_at)
        here = now.at(posed(points, poses_around(self.middle_mm, 0.7, 0.7, np.zeros(1))))
        scores[OPEN] = max(follows(float(correlations(here, before).max())), unchanged(changed))
        for turns in (_STRAIGHT_DEG, _TURNS_DEG):
            lying = now.at(posed(points, poses_around(self.middle_mm, _REACH_MM, _STEP_MM, turns)))
            for name, likeness in zip(self._looks, correlations(lying, faces).max(axis=0), strict=True):
                scores[name] = max(scores[name], follows(float(likeness)))
            # Most lie straight, and a score cannot be better than the best.
            if max(scores.values()) >= _MOST:
                break
        return scores

    @cached_property
    def middle_mm(self) -> Floats:
        """The middle of the piece on the board: where the clean board shows its open face."""
        face, middle = self.faces.face(self.kind, OPEN), self.corners_mm.mean(axis=0)
        if face is None:
            return cast(Floats, middle)
        fine, (width, height) = self.clean.px_per_mm, self.kind.size_mm[:2]
        size = round(width * fine), round(height * fine)
        # The region is part of the piece.
        low = self.corners_mm.max(axis=0) - (width, height) - _ABOUT_MM
        high = np.add(self.corners_mm.min(axis=0), (width, height)) + _ABOUT_MM
        left, top, right, bottom = (np.array([*low, *high]) * fine).round().clip(0).astype(int)
        part = self.clean.pixels[top:bottom, left:right]
        if part.shape[0] < size[1] or part.shape[1] < size[0]:
            return cast(Floats, middle)
        known = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.float32)
        _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(part, known, cv2.TM_CCOEFF_NORMED))
        if best < _PRINTED:
            return cast(Floats, middle)
        return np.array([left + x, top + y]) / fine + (width / 2, height / 2)

    @cached_property
    def _points(self) -> Floats:
        """A net over what the region shows of the piece, from the middle of the piece."""
        low = self.corners_mm.min(axis=0) - self.middle_mm + 1
        high = self.corners_mm.max(axis=0) - self.middle_mm - 1
        half = np.array(self.kind.size_mm[:2]) / 2 - 1
        low, high = np.maximum(low, -half), np.minimum(high, half)
        x, y = (np.arange(begin, end + 0.01, _STEP_MM) for begin, end in zip(low, high, strict=True))
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    @cached_property
    def _patterns(self) -> tuple[Grid, Grid]:
        """The clean board, and the faces, as patterns."""
        return self._patterns_at(np.ones(len(self._points), bool))

    def _patterns_at(self, seen: Mask) -> tuple[Grid, Grid]:
        """The same by those points alone that are seen."""
        clean = self.clean.at(self._points[seen] + self.middle_mm)
        looks = np.zeros((0, len(clean), 3)) if not self._looks else np.stack([*self._looks.values()])[:, seen]
        return pattern(clean[None]), pattern(looks)

    @cached_property
    def _looks(self) -> dict[str, Floats]:
        looks = {name: self._look(name) for name in self.kind.faces}
        return {name: look for name, look in looks.items() if look is not None}

    def _look(self, name: str) -> Floats | None:
        """A face at these points, as soft as it is seen."""
        face = self.faces.face(self.kind, name)
        if face is None:
            return None
        width, height = self.kind.size_mm[:2]
        size = round(width * _KNOWN_PX_PER_MM), round(height * _KNOWN_PX_PER_MM)
        small = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.float32)
        soft = Patch(small, -np.array([width, height]) / 2, _KNOWN_PX_PER_MM).softened(PATTERN_BLUR_MM)
        return np.asarray(soft.at(self._points), np.float64)
