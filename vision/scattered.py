"""Flat pieces with codes of which several lie in one place, anyhow: told by their codes alone, whatever their colour.

A detector finds most codes at once. What has changed in a place and is no piece that was found may be one more: there
the code is looked for by comparing, which needs half as many pixels.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.catalogue import PieceKind
from vision.codes import CodeReading, Wanted, detected_codes, read_codes
from vision.faces import Faces
from vision.markers import Floats, Image
from vision.patterns import Patch
from vision.regions import LOW_MM, Mask
from vision.spots import Spot
from vision.tiles import coded_score

_AROUND_MM, _REACH_MM, _CLOSE_MM = 8.0, 6.0, 3.0
_RIM_MM = 2.5  # around a piece: its edge mixes with the board, and it throws a little shadow
_FOLLOWED, _SURELY = 0.7, 6.0  # so well a code is seen at least, and so much better (score) than any other one
_NEARLY = 0.6  # of the code of a piece has to be seen changed, for one more to lie there
_SAME_MM = 7.0  # no two codes are so near to each other


@dataclass(frozen=True)
class Lying:
    """A piece, the middle of it, its turn, and how surely it is none of the others (logarithm)."""

    kind: PieceKind
    at_mm: tuple[float, float]
    turn_deg: float
    score: float
    second: str | None
    """What it would be else."""


class Site(Protocol):
    """A place where they lie."""

    @property
    def corners_mm(self) -> Floats: ...

    @property
    def kinds(self) -> tuple[PieceKind, ...]: ...

    @property
    def most(self) -> int: ...


class Scattered:
    """Finds such pieces in some places of one picture; `changed` tells by millimetre what is not the bare board."""

    def __init__(self, grey: "Near", faces: Faces, changed: Mask, larger: float) -> None:
        self._grey, self._faces, self._changed, self._larger = grey, faces, changed, larger
        self.explained: Image = np.zeros(changed.shape, np.uint8)
        self._known: list[Floats] = []

    def find(self, places: Mapping[str, Site]) -> dict[str, list[Lying]]:
        """By place, what lies there: a piece belongs to the place that has its middle."""
        wanted = {name: self._wanted(place) for name, place in places.items()}
        found: dict[str, list[Lying]] = {name: [] for name in places}
        for name, readings in zip(wanted, detected_codes(list(wanted.values()), self._faces), strict=True):
            for reading in readings:
                self._take(found[name], places[name], reading)
        for name, place in places.items():
            while len(found[name]) < place.most and self._one_more(found[name], place):
                pass
        return found

    def explain(self, piece: Lying) -> None:
        """What a piece covers is no longer unexplained."""
        self._known.append(outline_mm(piece, self._larger))
        outline = np.round(self._known[-1] / LOW_MM - 0.5).astype(np.int32)
        cv2.fillConvexPoly(self.explained, outline, (1,))

    def _without_known(self, grey: Patch) -> Patch:
        """A closer look in which the pieces that were found are blank: their codes are no other one's."""
        pixels = grey.pixels.copy()
        blank = float(np.median(pixels))
        for outline in self._known:
            points = np.round((outline - grey.origin_mm) * grey.px_per_mm - 0.5).astype(np.int32)
            cv2.fillConvexPoly(pixels, points, (blank,))
        return Patch(pixels, grey.origin_mm, grey.px_per_mm)

    def _wanted(self, place: Site) -> Wanted:
        low, high = place.corners_mm.min(axis=0), place.corners_mm.max(axis=0)
        reach = float(max(high - low)) / 2 + _REACH_MM
        grey = self._grey(low - _AROUND_MM, high + _AROUND_MM)
        return Wanted(grey, place.kinds, (low + high) / 2, reach, self._larger)

    def _take(self, found: list[Lying], place: Site, reading: CodeReading) -> bool:
        best = reading.best
        if reading.likeness[best] < _FOLLOWED or not _within(place.corners_mm, reading.centre_mm):
            return False
        if any(np.hypot(*np.subtract(other.at_mm, reading.centre_mm)) < _SAME_MM for other in found):
            return False
        others = sorted((n for n in reading.likeness if n != best), key=lambda n: -reading.likeness[n])
        second = others[0] if others else None
        score = coded_score(reading.likeness[best], 0.0 if second is None else reading.likeness[second])
        if score < _SURELY:
            return False
        kind = next(kind for kind in place.kinds if kind.id == best)
        found.append(Lying(kind, reading.centre_mm, reading.turn_deg, score, second))
        self.explain(found[-1])
        return True

    def _one_more(self, found: list[Lying], place: Site) -> bool:
        """Looks for a code where something lies that was not found; tells whether there is one."""
        spot = Spot.within(place.corners_mm, self._changed.shape)
        free = spot.inside & (self.explained[spot.window] == 0)
        left = (free & self._changed[spot.window]).astype(np.uint8)
        smallest = min(self._faces.code(kind).side_mm for kind in place.kinds)
        # The white of a code may look as the board did: what is on both sides of it belongs together.
        square = np.ones((round(smallest / LOW_MM) | 1,) * 2, np.uint8)
        rim = len(square)
        closed = np.asarray(cv2.morphologyEx(np.pad(left, rim), cv2.MORPH_CLOSE, square))[rim:-rim, rim:-rim]
        whole = (closed > 0) & free
        count, _, stats, _ = cv2.connectedComponentsWithStats(whole.astype(np.uint8), connectivity=8)
        for part in sorted(range(1, count), key=lambda n: -stats[n, cv2.CC_STAT_AREA]):
            if stats[part, cv2.CC_STAT_AREA] * LOW_MM**2 < _NEARLY * smallest**2:
                return False
            box = stats[part, : cv2.CC_STAT_AREA].astype(np.float64) * LOW_MM
            low = box[:2] + np.array([spot.window[1].start, spot.window[0].start]) * LOW_MM
            high = low + box[2:]
            grey = self._without_known(self._grey(low - _AROUND_MM, high + _AROUND_MM))
            away = _REACH_MM + max(0.0, (float(box[2:].max()) - smallest) / 2)
            (reading,) = read_codes([Wanted(grey, place.kinds, (low + high) / 2, away, self._larger)], self._faces)
            if reading is None:
                continue
            # What other codes near by are like says nothing about this one.
            closer = Wanted(grey, place.kinds, np.array(reading.centre_mm), _CLOSE_MM, self._larger)
            (closely,) = read_codes([closer], self._faces)
            if closely is not None and self._take(found, place, closely):
                return True
        return False


class Near(Protocol):
    """A closer look at a part of a board, in grey."""

    def __call__(self, low_mm: Floats, high_mm: Floats) -> Patch: ...


def outline_mm(piece: Lying, larger: float) -> Floats:
    """What a piece hides of its board, with a little around."""
    half = np.array(piece.kind.size_mm[:2]) / 2 * larger + _RIM_MM
    turn = np.radians(piece.turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return np.asarray(corners @ rotation.T + piece.at_mm)


def _within(corners_mm: Floats, point_mm: tuple[float, float]) -> bool:
    low, high = corners_mm.min(axis=0), corners_mm.max(axis=0)
    return bool((low <= point_mm).all() and (point_mm < high).all())


def scores_of(found: Collection[Lying]) -> dict[str, float]:
    """What was found, and how much worse what differs from it in one piece explains the look."""
    there = sorted(piece.kind.id for piece in found)
    scores = {" ".join(there): 0.0}
    for piece in found:
        rest = [*there]
        rest.remove(piece.kind.id)
        if piece.second is not None:
            other = " ".join(sorted([*rest, piece.second]))
            scores[other] = max(-piece.score, scores.get(other, -piece.score))
    return scores
