"""Pieces told by their colour: where they stand, and what of a board they hide.

The top of what stands is seen shifted away from the camera; two tops of the same height never hide each other, but
a top may look like the side of the piece behind it. So pieces are looked for from the outermost inwards, and what each
explains is not looked at again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import cast

import cv2
import numpy as np

from vision.catalogue import PieceKind
from vision.faces import Faces
from vision.labels import STRANGE_LABEL, UNSEEN, Labels
from vision.markers import Floats, Image
from vision.palette import Palette
from vision.regions import LOW_MM, Grid, Mask

THERE = 0.6
"""A piece whose top is seen in its colour to this share is there."""
_EDGE_MM = 1.0  # where a piece ends, its colour mixes with what is around it
_GROWN_MM = 2.0
_OVERHANG = 0.3  # a piece may stand this near to the edge of its region, in its widths
_APART = 0.85  # two pieces are at least so many widths apart
_OUTER = 0.004  # of two places that look alike, the outer one (by mm)
_ENOUGH = 0.45  # of a top has to be seen


@dataclass(frozen=True)
class Stood:
    """A piece found on a board: where, and to which share its top shows its colour.

    `rivals` tell by kind of the same colour how much less that would explain.
    """

    kind: PieceKind
    at_mm: tuple[float, float]
    share: float
    rivals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class View:
    """How a camera sees what stands on a board."""

    eye_mm: Floats

    def lifted(self, points_mm: Floats, height_mm: float) -> Floats:
        """Where points that are so high above the board are seen on it."""
        return cast(Floats, self.eye_mm[:2] + (points_mm - self.eye_mm[:2]) * self.larger(height_mm))

    def larger(self, height_mm: float) -> float:
        """How much larger what is higher looks."""
        return float(self.eye_mm[2] / max(self.eye_mm[2] - height_mm, self.eye_mm[2] / 2))

    def outline(self, piece: Stood) -> Floats:
        """What a piece hides of the board, with a little around."""
        width, depth, height = piece.kind.size_mm
        angles = np.arange(16) * (np.pi / 8)
        reach = max(width, depth) / 2 if piece.kind.lies else np.sqrt(width * depth) / 2
        rim = (reach + _GROWN_MM) * np.column_stack([np.cos(angles), np.sin(angles)]) + piece.at_mm
        both = np.concatenate([rim, self.lifted(rim, height)]).astype(np.float32)
        return np.asarray(cv2.convexHull(both).reshape(-1, 2), np.float64)


class Explained:
    """Which pixels of a board's small picture are explained by the pieces found so far."""

    def __init__(self, labels: Labels, view: View, palette: Palette) -> None:
        self.labels, self.view, self.palette = labels, view, palette
        self.covered: Image = np.zeros(labels.shown.shape, np.uint8)
        self.taken: Image = np.zeros(labels.shown.shape, np.uint8)

    def add(self, piece: Stood) -> None:
        outline = (self.view.outline(piece) / LOW_MM - 0.5).round().astype(np.int32)
        part: Image = np.zeros_like(self.covered)
        cv2.fillConvexPoly(part, outline, (1,))
        self.covered |= part
        own = self.palette.number[piece.kind.id] + 1 if piece.kind.id in self.palette.number else 0
        # Another colour in there is no part of it: something stands in front.
        foreign = (self.labels.shown > 0) & (self.labels.shown < STRANGE_LABEL) & (self.labels.shown != own)
        self.taken |= part & ~foreign.astype(np.uint8) & 1


def find_standing(
    corners_mm: Floats, kinds: Iterable[PieceKind], most: int, explained: Explained, faces: Faces
) -> tuple[list[Stood], dict[str, float]]:
    """The pieces in a region, and by kind the share of the likeliest one more."""
    found: list[Stood] = []
    searches = [_Search(kind, corners_mm, explained, faces) for kind in kinds]
    while True:
        tried = [best for search in searches if (best := search.best(found)) is not None]
        best = max(tried, key=lambda piece: _gain(piece, searches), default=None)
        if best is None or best.share < THERE or len(found) == most:
            return found, {piece.kind.id: piece.share for piece in tried}
        number, gain = explained.palette.number, _gain(best, searches)
        alike = [piece for piece in tried if number[piece.kind.id] == number[best.kind.id]]
        rivals = {piece.kind.id: gain - _gain(piece, searches) for piece in alike if piece is not best}
        found.append(replace(best, rivals=rivals))
        explained.add(best)


def mean_likelihoods(piece: Stood, explained: Explained) -> Grid:
    """How well each colour of the palette explains the top of a piece, on average."""
    top = explained.view.lifted(np.array([piece.at_mm]), piece.kind.size_mm[2])[0]
    reach = max(piece.kind.size_mm[0] / 2 * explained.view.larger(piece.kind.size_mm[2]) - _EDGE_MM, LOW_MM)
    mask = np.zeros(explained.labels.shown.shape, np.uint8)
    cv2.circle(mask, np.round(top / LOW_MM - 0.5).astype(int).tolist(), round(reach / LOW_MM), (1,), -1)
    # Print on the top, a glint, the code: only what shows a colour at all counts.
    shows = (mask > 0) & (explained.labels.shown > 0) & (explained.labels.shown < STRANGE_LABEL)
    pixels = explained.labels.likely[shows]
    return cast(Grid, pixels.mean(axis=0) if len(pixels) else np.zeros(len(explained.palette), np.float32))


def _gain(piece: Stood, searches: "list[_Search]") -> float:
    """Of two pieces that fit, the larger one explains more."""
    largest = max(search.kind.size_mm[0] * search.kind.size_mm[1] for search in searches)
    return (piece.share - 0.5) * piece.kind.size_mm[0] * piece.kind.size_mm[1] / largest


class _Search:
    """Looks for one kind of piece in one region."""

    def __init__(self, kind: PieceKind, corners_mm: Floats, explained: Explained, faces: Faces) -> None:
        self.kind, self._explained, self._corners = kind, explained, corners_mm
        code = faces.code(kind).side_mm if kind.code is not None else 0.0
        larger = explained.view.larger(kind.size_mm[2])
        width = round(float(np.sqrt(kind.size_mm[0] * kind.size_mm[1])) * larger, 1)
        self._weights = _weights(width, round(code * larger, 1))
        # With its edge, to tell where exactly it stands: a little to the side, and some of it is missing.
        self._whole = _weights(width + 2 * _EDGE_MM, round(code * larger, 1))

    @cached_property
    def _places(self) -> tuple[Floats, Floats]:
        """Where its foot may be, and where its top is seen then (mm)."""
        middle = self._corners.mean(axis=0)
        inset = _OVERHANG * min(self.kind.size_mm[:2])
        sides = np.linalg.norm(self._corners - np.roll(self._corners, 1, axis=0), axis=1)
        shrunk = middle + (self._corners - middle) * max(1 - 2 * inset / float(sides.min()), 0.15)
        low, high = np.floor(shrunk.min(axis=0)), np.ceil(shrunk.max(axis=0))
        net = np.stack(np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)), axis=-1)
        points = net.reshape(-1, 2)
        inside = [cv2.pointPolygonTest(shrunk.astype(np.float32), (float(x), float(y)), False) >= 0 for x, y in points]
        feet = points[inside] if any(inside) else middle[None]
        return feet, self._explained.view.lifted(feet, self.kind.size_mm[2])

    def best(self, found: list[Stood]) -> Stood | None:
        """The place where it fits best among those that are free."""
        feet, tops = self._places
        free = np.ones(len(feet), bool)
        for other in found:
            apart = _APART * (self.kind.size_mm[0] + other.kind.size_mm[0]) / 2
            free &= np.linalg.norm(feet - other.at_mm, axis=1) >= apart
        if not free.any():
            return None
        shares = self._shares(tops[free], self._weights)
        outward = np.linalg.norm(tops[free] - self._explained.view.eye_mm[:2], axis=1)
        place = int((self._shares(tops[free], self._whole) + _OUTER * outward).argmax())
        x, y = feet[free][place]
        return Stood(self.kind, (float(x), float(y)), float(shares[place]))

    def _shares(self, tops_mm: Floats, weights: Grid) -> Floats:
        """To which share a top at each place would be seen in its colour."""
        half = len(weights) // 2
        at = np.round(tops_mm / LOW_MM - 0.5).astype(int)
        shown, taken = self._explained.labels.shown, self._explained.taken
        low, high = at.min(axis=0) - half, at.max(axis=0) + half + 1
        left, top, right, bottom = (int(edge) for edge in (*np.maximum(low, 0), *high))
        window = np.s_[top : min(bottom, shown.shape[0]), left : min(right, shown.shape[1])]
        if not shown[window].size:
            return np.zeros(len(at))
        before, after = np.maximum(-low, 0), np.maximum(high - shown.shape[1::-1], 0)
        around = int(before[1]), int(after[1]), int(before[0]), int(after[0])
        part = np.asarray(cv2.copyMakeBorder(shown[window], *around, cv2.BORDER_CONSTANT, value=(UNSEEN,)))
        gone = np.asarray(cv2.copyMakeBorder(taken[window], *around, cv2.BORDER_CONSTANT, value=(0,)))
        free = (gone == 0) & (part != UNSEEN)
        own = (part == self._explained.palette.number[self.kind.id] + 1) & free
        seen = _filtered(own, weights)
        whole = _filtered(free, weights**2)
        rows, columns = (at - low).T[::-1]
        enough = whole[rows, columns] >= _ENOUGH * float((weights**2).sum())
        shares = seen[rows, columns] / np.maximum(whole[rows, columns], 1e-6)
        return np.asarray(np.where(enough, shares, 0.0).clip(0, 1), np.float64)


def _filtered(mask: Mask, weights: Grid) -> Grid:
    return cast(Grid, cv2.filter2D(mask.astype(np.float32), -1, weights, borderType=cv2.BORDER_CONSTANT))


@lru_cache(maxsize=256)
def _weights(width_mm: float, code_mm: float) -> Grid:
    """How often each pixel of a top, from its middle, shows its colour: where its code may lie, more or less."""
    half = int(np.ceil(width_mm / 2 / LOW_MM))
    steps = np.arange(-half, half + 1) * LOW_MM
    x, y = np.meshgrid(steps, steps)
    inside = np.hypot(x, y) <= width_mm / 2 - _EDGE_MM
    if not inside.any():
        inside = np.hypot(x, y) < LOW_MM
    if not code_mm:
        return np.asarray(inside, np.float32)
    turns = np.radians(np.arange(0, 90, 10))
    quiet = 0.58 * code_mm
    outside = [
        np.maximum(np.abs(x * np.cos(turn) + y * np.sin(turn)), np.abs(y * np.cos(turn) - x * np.sin(turn))) > quiet
        for turn in turns
    ]
    return np.asarray(np.mean(outside, axis=0) * inside, np.float32)
