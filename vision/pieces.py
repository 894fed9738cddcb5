"""Reads all pieces and tiles on a board: what stands first, then what lies and may be hidden by it."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np

from vision.catalogue import OPEN, UP, PieceKind
from vision.codes import CLEAR, CodeReading
from vision.faces import Faces
from vision.labels import BARE, UNSEEN, Labels
from vision.layout import TILE, BoardLayout, Layout
from vision.markers import Floats, Image
from vision.marks import RegionReading
from vision.palette import Palette, coloured
from vision.patterns import Patch
from vision.regions import LOW_MM, Mask
from vision.settle import settled
from vision.standing import Explained, Stood, View, find_standing, mean_likelihoods
from vision.tiles import EMPTY, STRANGE, FaceReader, coded_scores

_PER_SHARE = 40.0  # how much more a piece scores that is seen to a larger share
_PER_LIKELIHOOD = 8.0  # and one whose colour fits better
_DOUBTED = -12.0  # the score of something strange in a region that shows nothing but its pieces
_PER_STRANGE, _LITTLE = 60.0, 0.05  # by how much it grows with the share that is strange, from here on
_PER_UNSEEN, _SOME = 40.0, 0.15  # and with what is not seen
_CONTRADICTION = 30.0
_LEAN_MM = 40.0  # how far what stands beside a region may be seen in it
_AROUND_MM = 4  # a hand that holds a piece is seen so near to it
_FINEST_MM = 2  # what is thinner is the edge of something
_COLOUR = 8.0  # what the colour of a flat piece adds to its score
_COLOURED = 0.25  # a flat piece with a code shows its colour over this share at least
_SHADED = 0.6  # how much of what is only darker counts as changed
_DARKER, _SURROUNDINGS_MM = 0.4, 12
_HIDDEN = 0.5  # a place that is hidden to this share is not read


@dataclass(frozen=True)
class RegionPieces:
    """A region as it was read, with the pieces that were found in it, which face is up, and how it is told."""

    reading: RegionReading
    stood: tuple[Stood, ...] = ()
    face: str = UP


@dataclass(frozen=True, eq=False)
class BoardNow:
    """A board in a frame: what its pixels show, small pictures of it now and clean, and closer looks at parts of it."""

    labels: Labels
    now: Patch
    clean: Patch
    near: Callable[[Floats, Floats], Patch]
    view: View
    trust: float


class PieceReader:
    """Reads the pieces on one board; `printed` loads the board's own picture, if there is one."""

    def __init__(
        self, layout: Layout, board: BoardLayout, palette: Palette, faces: Faces, printed: Callable[[], Image | None]
    ) -> None:
        self._board, self._palette, self._faces, self._printed = board, palette, faces, printed
        self._names = board.piece_regions
        self._corners = {name: np.array(board.regions[name], np.float64) for name in self._names}
        self._held = {name: layout.catalogue.held(board.id, name) for name in self._names}
        self._most = {name: layout.catalogue.most(board.id, name) for name in self._names}
        self._face_readers: dict[str, list[FaceReader]] = {}

    def touched(self, changed: Image, mm_per_px: float) -> set[str]:
        """The regions that a mask over the board meets, or a piece that leans over them."""
        if changed.all():
            return set(self._names)
        reach = 2 * int(_LEAN_MM / mm_per_px) + 1
        near = cast(Image, cv2.dilate(changed, np.ones((reach, reach), np.uint8)))
        return {name for name, corners in self._corners.items() if _meets(near, corners / mm_per_px)}

    def read(
        self, board: BoardNow, wanted: Collection[str], before: Mapping[str, RegionPieces]
    ) -> dict[str, RegionPieces]:
        """The wanted regions afresh, the others as they were."""
        kept = {name: pieces for name, pieces in before.items() if name not in wanted}
        explained = Explained(board.labels, board.view, self._palette)
        for stood in (piece for name, pieces in kept.items() if self._stands(name) for piece in pieces.stood):
            explained.add(stood)
        standing = {name: self._find(name, explained) for name in self._outermost_first(wanted, board.view)}
        changed = _without_slivers((board.labels.shown != BARE) & (board.labels.shown != UNSEEN))
        seen = _Seen(board, explained, changed)
        fresh = {name: self._told(name, *found, seen) for name, found in standing.items()}
        for name in wanted:
            if not self._stands(name):
                fresh[name] = self._lying(name, seen)
        both = {**kept, **fresh}
        return {name: both[name] for name in self._names if name in both}

    def _outermost_first(self, wanted: Collection[str], view: View) -> list[str]:
        names = [name for name in wanted if self._stands(name)]
        return sorted(names, key=lambda name: -float(np.hypot(*(self._corners[name].mean(axis=0) - view.eye_mm[:2]))))

    def _stands(self, name: str) -> bool:
        """Whether it is a place for pieces by their colour, not for one flat piece by its code or face."""
        flat = self._most[name] == 1 and all(kind.lies and kind.code is not None for kind in self._held[name])
        return self._board.readers[name] != TILE and not flat

    def _find(self, name: str, explained: Explained) -> tuple[list[Stood], dict[str, float]]:
        shown = explained.labels.shown
        # By far the most regions are empty, and look it.
        if not _meets((shown != BARE).astype(np.uint8), self._corners[name] / LOW_MM, round(_LEAN_MM)):
            return [], {}
        kinds = coloured(self._held[name], self._palette)
        return find_standing(self._corners[name], kinds, self._most[name], explained, self._faces)

    # --- what stands ------------------------------------------------------------------------------

    def _told(self, name: str, found: list[Stood], more: Mapping[str, float], seen: "_Seen") -> RegionPieces:
        scores, corners = self._scores(name, found, more, seen), self._corners[name]
        width, depth, _ = min(self._held[name], key=lambda kind: kind.size_mm[0] * kind.size_mm[1]).size_mm
        odd, unseen = seen.strange(self._others[name], corners, found) / (0.8 * width * depth), seen.unseen(corners)
        strange = _DOUBTED + _PER_STRANGE * max(0.0, odd - _LITTLE) + _PER_UNSEEN * max(0.0, unseen - _SOME)
        return RegionPieces(settled(scores, strange, seen.board.trust), tuple(found))

    def _scores(self, name: str, found: list[Stood], more: Mapping[str, float], seen: "_Seen") -> dict[str, float]:
        """What was found, and how much worse what differs from it by one piece explains the look."""
        there, number = Counter(piece.kind.id for piece in found), self._palette.number
        scores = {_kind_of(there): 0.0}

        def weigh(kinds: Counter[str], score: float) -> None:
            told = _kind_of(kinds)
            scores[told] = max(score, scores.get(told, score))

        for piece in found:
            own = piece.kind.id
            weigh(there - Counter([own]), -_PER_SHARE * (piece.share - 0.5))
            fits = mean_likelihoods(piece, seen.explained)
            for kind in coloured(self._held[name], self._palette):
                if kind.id != own:
                    worse = _PER_LIKELIHOOD * float(fits[number[kind.id]] - fits[number[own]])
                    worse -= _PER_SHARE * max(piece.rivals.get(kind.id, 0.0), 0.0)
                    weigh(there - Counter([own]) + Counter([kind.id]), worse)
        if len(found) < self._most[name]:
            for kind_id, share in more.items():
                weigh(there + Counter([kind_id]), _PER_SHARE * (share - 0.5))
        return scores

    # --- what lies in a place of its own ----------------------------------------------------------

    def _lying(self, name: str, seen: "_Seen") -> RegionPieces:
        """A place for one flat piece."""
        if self._held[name][0].told_by_face:
            return self._by_face(name, seen)
        corners, kinds = self._corners[name], self._held[name]
        where = self._lies_within(name)
        changed, hidden = seen.changed(where)
        if not any(kind.id in self._palette.number for kind in kinds):
            colour, dark = None, 0.0
        else:
            colour, dark = seen.colour(where), _SHADED * max(0.0, seen.darkened(where) - _SOME)
        strange = STRANGE + _PER_UNSEEN * max(0.0, hidden - _SOME)
        if hidden > _HIDDEN:
            scores: dict[str, float] = dict.fromkeys((EMPTY, *(kind.id for kind in kinds)), 0.0)
            return RegionPieces(settled(scores, strange, seen.board.trust))
        view, height = seen.board.view, max(kind.size_mm[2] for kind in kinds)
        lifted = view.lifted(corners, height)
        low, high = lifted.min(axis=0) - _AROUND_MM, lifted.max(axis=0) + _AROUND_MM
        scores, code = coded_scores(
            lambda: seen.board.near(low, high),
            lifted.mean(axis=0),
            kinds,
            self._faces,
            max(changed, dark),
            view.larger(height),
        )
        if colour is not None:
            strange += self._agree(scores, code, kinds, colour)
        reading = settled(scores, strange, seen.board.trust)
        at = corners.mean(axis=0) if code is None else np.array(code.centre_mm)
        stood = [Stood(kind, (float(at[0]), float(at[1])), 1.0) for kind in kinds if kind.id == reading.kind]
        return RegionPieces(reading, tuple(stood))

    def _agree(
        self, scores: dict[str, float], code: CodeReading | None, kinds: Sequence[PieceKind], colour: int
    ) -> float:
        """Adds what the colour says to the scores; where it clearly contradicts the code, something is strange."""
        own = [kind.id for kind in kinds if self._palette.number.get(kind.id) == colour]
        if code is not None and code.likeness[code.best] >= CLEAR and code.best not in own:
            return _CONTRADICTION
        for kind_id in own:
            scores[kind_id] += _COLOUR
        return 0.0

    def _lies_within(self, name: str) -> Floats:
        """Where a flat piece is to be seen: in the whole region, or about its middle where several sorts belong."""
        corners = self._corners[name]
        if not self._stands(name) or not all(kind.lies for kind in self._held[name]):
            return corners
        radius = 0.45 * min(min(kind.size_mm[:2]) for kind in self._held[name])
        angles = np.arange(16) * (np.pi / 8)
        return cast(Floats, corners.mean(axis=0) + radius * np.column_stack([np.cos(angles), np.sin(angles)]))

    def _by_face(self, name: str, seen: "_Seen") -> RegionPieces:
        """A place whose piece shows one of its faces."""
        corners, kinds = self._corners[name], self._held[name]
        changed, hidden = seen.changed(corners)
        scores: dict[str, float] = {}
        best = kinds[0]
        for reader in self._face_reader(name):
            faces = reader.scores(seen.board.now, seen.board.clean, seen.covered, changed)
            if max(faces.values()) > max(scores.values(), default=0.0):
                best = reader.kind
            scores = {face: max(score, scores.get(face, 0.0)) for face, score in faces.items()}
        reading = settled(scores, STRANGE + _PER_UNSEEN * max(0.0, hidden - _SOME), seen.board.trust)
        x, y = self._face_reader(name)[0].middle_mm
        face = OPEN if reading.kind == "unsure" else reading.kind
        return RegionPieces(reading, (Stood(best, (float(x), float(y)), 1.0),), face)

    def _face_reader(self, name: str) -> list[FaceReader]:
        if name not in self._face_readers:
            printed, width_mm, corners = self._printed(), self._board.width_mm, self._corners[name]
            self._face_readers[name] = [
                FaceReader(kind, corners, self._faces, printed, width_mm) for kind in self._held[name]
            ]
        return self._face_readers[name]

    @cached_property
    def _others(self) -> dict[str, Mask]:
        """By region, where on the board others are, which have their own things to be seen."""
        size = round(self._board.width_mm / LOW_MM), round(self._board.height_mm / LOW_MM)
        shape = size[1], size[0]
        owners = np.zeros(shape, np.int32)
        for number, name in enumerate(self._names, 1):
            corners, middle = self._corners[name], self._corners[name].mean(axis=0)
            grown = corners + np.sign(corners - middle) * (_AROUND_MM if self._board.readers[name] == TILE else 1)
            cv2.fillConvexPoly(owners, (grown / LOW_MM - 0.5).round().astype(np.int32), number)
        return {name: (owners != 0) & (owners != number) for number, name in enumerate(self._names, 1)}


@dataclass(frozen=True, eq=False)
class _Seen:
    """A board whose standing pieces are found: what of the rest changed."""

    board: BoardNow
    explained: Explained
    anywhere: Mask

    @property
    def covered(self) -> Image:
        return self.explained.covered

    def strange(self, others: Mask, corners_mm: Floats, found: Collection[Stood]) -> float:
        """How many square millimetres changed in and around a region that no piece explains."""
        mask = _inside(corners_mm, self.covered.shape)
        for piece in found:
            near = _inside(self.board.view.outline(piece), self.covered.shape)
            mask |= np.asarray(cv2.dilate(near, np.ones((2 * _AROUND_MM + 1,) * 2, np.uint8)))
        return float(np.count_nonzero(self.anywhere & (mask > 0) & (self.covered == 0) & ~others)) * LOW_MM**2

    def colour(self, outline_mm: Floats) -> int | None:
        """The number of the colour that most of what changed shows, if it is so much that a piece may lie there."""
        mask = _inside(outline_mm, self.covered.shape) > 0
        labels = self.board.labels.shown[mask]
        counts = np.bincount(labels, minlength=256)[1 : 1 + len(self.explained.palette)]
        most = int(counts.argmax()) if len(counts) else 0
        enough = len(counts) and counts[most] > _COLOURED * len(labels) and counts[most] > 0.8 * counts.sum()
        return most if enough else None

    def darkened(self, outline_mm: Floats) -> float:
        """The share of a place that is darker than the board around it, as by a piece without colour."""
        mask = _inside(outline_mm, self.covered.shape)
        around = np.asarray(cv2.dilate(mask, np.ones((2 * _SURROUNDINGS_MM + 1,) * 2, np.uint8))) - mask
        bare, level = (self.board.labels.shown == BARE) & (self.covered == 0), self.board.labels.level
        outside, inside = level[bare & (around > 0)], level[bare & (mask > 0)]
        if len(outside) < len(inside) / 4 or not len(inside):
            return 0.0
        return float(np.count_nonzero(inside < np.median(outside) - _DARKER)) / float(mask.sum())

    def unseen(self, corners_mm: Floats) -> float:
        """The share of a region that is not seen."""
        mask = _inside(corners_mm, self.covered.shape) > 0
        return float(np.count_nonzero(self.board.labels.shown[mask] == UNSEEN)) / max(int(mask.sum()), 1)

    def changed(self, corners_mm: Floats) -> tuple[float, float]:
        """The share of a place that changed, of what is seen of it, and the share that is hidden or not seen."""
        mask = _inside(corners_mm, self.covered.shape) > 0
        shown, covered, anywhere = self.board.labels.shown[mask], self.covered[mask], self.anywhere[mask]
        open_ = (shown != UNSEEN) & (covered == 0)
        whole = max(int(mask.sum()), 1)
        seen = max(int(open_.sum()), 1)
        return float(np.count_nonzero(anywhere & open_)) / seen, 1 - float(open_.sum()) / whole


def _kind_of(there: Counter[str]) -> str:
    return " ".join(sorted(there.elements())) or EMPTY


def _inside(outline_mm: Floats, shape: tuple[int, ...]) -> Image:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, (outline_mm / LOW_MM - 0.5).round().astype(np.int32), (1,))
    return mask


def _meets(mask: Image, corners_px: Floats, around_px: int = 1) -> bool:
    """Whether a mask meets the surroundings of a region."""
    left, top = np.floor(corners_px.min(axis=0) - around_px).clip(0).astype(int)
    right, bottom = np.ceil(corners_px.max(axis=0) + around_px + 1).astype(int)
    return bool(mask[top:bottom, left:right].any())


def _without_slivers(mask: Mask) -> Mask:
    square = np.ones((_FINEST_MM + 1, _FINEST_MM + 1), np.uint8)
    return cast(Mask, cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, square) > 0)
