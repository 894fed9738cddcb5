"""Reads all pieces and tiles on a board: what stands first, then what lies and may be hidden by it."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.catalogue import OPEN, UP, PieceKind
from vision.codes import CLEAR, CodeReading
from vision.faces import Faces
from vision.labels import BARE, SHADOW, UNSEEN, Labels
from vision.layout import TILE, BoardLayout, Layout
from vision.markers import GAMMA, Floats, Image
from vision.marks import RegionReading
from vision.palette import Palette, coloured
from vision.patterns import Patch
from vision.regions import LOW_MM, Mask
from vision.settle import settled
from vision.spots import Spot
from vision.standing import Explained, Stood, View, find_standing, mean_likelihoods
from vision.tiles import EMPTY, STRANGE, FaceReader, coded_scores

_PER_SHARE = 40.0  # how much more a piece scores that is seen to a larger share
_PER_LIKELIHOOD = 8.0  # and one whose colour fits better
_DOUBTED = -12.0  # the score of something strange in a region that shows nothing but its pieces
_PER_STRANGE, _LITTLE = 60.0, 0.05  # by how much it grows with the share that is strange, from here on
_PER_UNSEEN, _SOME = 40.0, 0.15  # and with what is not seen
_PER_DARK, _TOO_DARK = 30.0, 0.06  # and with how dark it is: from there on noise is stronger than colour
_CONTRADICTION = 30.0
_LEAN_MM = 40.0  # how far what stands beside a region may be seen in it
_AROUND_MM = 4  # a hand that holds a piece is seen so near to it
_FINEST_MM = 2  # what is thinner is the edge of something
_COLOUR = 8.0  # what the colour of a flat piece adds to its score
_COLOURED = 0.12  # a flat piece with a code shows its colour over this share at least
_INNER, _WHOLE = 0.4, 0.53  # how far from its middle a piece is looked at, in its widths
_COVERED = 0.3  # and more than this share of the place looks changed
_SHADED = 0.6  # how much of what is only darker counts as changed
_DARKER, _SURROUNDINGS_MM = 0.3, 12
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
    """Reads the pieces on one board."""

    def __init__(self, layout: Layout, board: BoardLayout, palette: Palette, faces: Faces) -> None:
        self._board, self._palette, self._faces = board, palette, faces
        self._names = board.piece_regions
        self._corners = {name: np.array(board.regions[name], np.float64) for name in self._names}
        self._held = {name: layout.catalogue.held(board.id, name) for name in self._names}
        self._most = {name: layout.catalogue.most(board.id, name) for name in self._names}
        self._face_readers: dict[str, list[FaceReader]] = {}

    def learn(self, clean: Patch) -> None:
        """Looks at the board without pieces ahead of the first picture."""
        for name in self._names:
            if self._held[name][0].told_by_face:
                for reader in self._face_reader(name, clean):
                    reader.prepare()

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
        shown = board.labels.shown
        # Slivers of something strange are edges of print; slivers of a colour may be all that is seen of a piece.
        changed = _without_slivers((shown > 0) & (shown != SHADOW) & (shown != UNSEEN)) | (
            (shown > 0) & (shown < SHADOW)
        )
        seen = _Seen(board, explained, changed, self._owners)
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
        corners, kinds = self._corners[name], coloured(self._held[name], self._palette)
        tallest = max(kind.size_mm[2] for kind in kinds)
        both = np.concatenate([corners, explained.view.lifted(corners, tallest)])
        # By far the most regions are empty, and look it.
        if not _meets(explained.labels.shown, both / LOW_MM):
            return [], {}
        return find_standing(corners, kinds, self._most[name], explained, self._faces)

    # --- what stands ------------------------------------------------------------------------------

    def _told(self, name: str, found: list[Stood], more: Mapping[str, float], seen: "_Seen") -> RegionPieces:
        scores, corners = self._scores(name, found, more, seen), self._corners[name]
        width, depth, _ = min(self._held[name], key=lambda kind: kind.size_mm[0] * kind.size_mm[1]).size_mm
        odd, unseen = (
            seen.strange(self._names.index(name) + 1, corners, found) / (0.8 * width * depth),
            seen.unseen(corners),
        )
        strange = _DOUBTED + _PER_STRANGE * max(0.0, odd - _LITTLE) + _PER_UNSEEN * max(0.0, unseen - _SOME)
        strange += _PER_DARK * max(0.0, 1 - seen.light(corners) / _TOO_DARK)
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
                    worse = _PER_LIKELIHOOD * min(float(fits[number[kind.id]] - fits[number[own]]), 0.0)
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
        where = self._lies_within(name, _INNER)
        changed, hidden = seen.changed(where)
        numbers = frozenset(self._palette.number[kind.id] for kind in coloured(kinds, self._palette))
        colour, dark = (
            seen.colour(self._lies_within(name, _WHOLE), numbers),
            _SHADED * max(0.0, seen.darkened(where) - _SOME),
        )
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
        if colour is not None and changed >= _COVERED and self._board.readers[name] != TILE:
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

    def _lies_within(self, name: str, share: float) -> Floats:
        """Where a flat piece is to be seen: in the whole region, or about its middle where something else is around."""
        corners = self._corners[name]
        if self._board.readers[name] == TILE:
            return corners
        radius = share * min(min(kind.size_mm[:2]) for kind in self._held[name])
        angles = np.arange(16) * (np.pi / 8)
        return cast(Floats, corners.mean(axis=0) + radius * np.column_stack([np.cos(angles), np.sin(angles)]))

    def _by_face(self, name: str, seen: "_Seen") -> RegionPieces:
        """A place whose piece shows one of its faces."""
        corners, kinds = self._corners[name], self._held[name]
        changed, hidden = seen.changed(corners)
        scores: dict[str, float] = {}
        best = kinds[0]
        readers = self._face_reader(name, seen.board.clean)
        for reader in readers:
            faces = reader.scores(seen.board.now, seen.covered, changed)
            if max(faces.values()) > max(scores.values(), default=0.0):
                best = reader.kind
            scores = {face: max(score, scores.get(face, 0.0)) for face, score in faces.items()}
        reading = settled(scores, STRANGE + _PER_UNSEEN * max(0.0, hidden - _SOME), seen.board.trust)
        x, y = readers[0].middle_mm
        face = OPEN if reading.kind == "unsure" else reading.kind
        return RegionPieces(reading, (Stood(best, (float(x), float(y)), 1.0),), face)

    def _face_reader(self, name: str, clean: Patch) -> list[FaceReader]:
        """Kept as long as the clean look is the same."""
        kept = self._face_readers.get(name)
        if kept is None or kept[0].clean is not clean:
            kept = [FaceReader(kind, self._corners[name], self._faces, clean) for kind in self._held[name]]
            self._face_readers[name] = kept
        return kept

    @cached_property
    def _owners(self) -> NDArray[np.int16]:
        """By pixel of the small picture the number of the region there, from 1: each has its own things to be seen."""
        shape = round(self._board.height_mm / LOW_MM), round(self._board.width_mm / LOW_MM)
        owners = np.zeros(shape, np.int16)
        for number, name in enumerate(self._names, 1):
            grown = _AROUND_MM if self._board.readers[name] == TILE else 1
            spot = Spot.within(self._corners[name], shape, grown)
            owners[spot.window][spot.inside] = number
        return owners


@dataclass(frozen=True, eq=False)
class _Seen:
    """A board whose standing pieces are found: what of the rest changed, in square millimetres and shares."""

    board: BoardNow
    explained: Explained
    anywhere: Mask
    owners: NDArray[np.int16]

    @property
    def covered(self) -> Image:
        return self.explained.covered

    def spot(self, outline_mm: Floats, grown_mm: int = 0) -> Spot:
        return Spot.within(outline_mm, self.covered.shape, grown_mm)

    def strange(self, owner: int, corners_mm: Floats, found: Collection[Stood]) -> float:
        """How much changed in and around a region that no piece explains, and no other region either."""
        outlines = [(corners_mm, 0), *((self.board.view.outline(piece), _AROUND_MM) for piece in found)]
        spots = [self.spot(*each) for each in outlines]
        odd = [self._odd(spot, owner) for spot in spots]
        if len(spots) == 1 or not any(part.any() for part in odd):
            return float(np.count_nonzero(odd[0]))
        whole = np.zeros(self.covered.shape, bool)
        for spot, part in zip(spots, odd, strict=True):
            whole[spot.window] |= part
        return float(np.count_nonzero(whole))

    def _odd(self, spot: Spot, owner: int) -> Mask:
        owners = self.owners[spot.window]
        elsewhere = (owners != 0) & (owners != owner)
        return cast(Mask, spot.inside & self.anywhere[spot.window] & (self.covered[spot.window] == 0) & ~elsewhere)

    def colour(self, outline_mm: Floats, numbers: frozenset[int]) -> int | None:
        """Which of some colours most of what changed shows, if it is so much that a piece may lie there."""
        labels = self.spot(outline_mm).of(self.board.labels.among(numbers))
        counts = np.bincount(labels, minlength=256)[1 : 1 + len(self.explained.palette)]
        most = int(counts.argmax()) if len(counts) else 0
        enough = len(counts) and counts[most] > _COLOURED * len(labels) and counts[most] > 0.8 * counts.sum()
        return most if enough else None

    def darkened(self, outline_mm: Floats) -> float:
        """The share of a place that is darker than the board around it, as by a piece without colour."""
        spot = self.spot(outline_mm)
        return float(np.count_nonzero(spot.of(self._darker))) / max(spot.size, 1)

    @cached_property
    def _darker(self) -> Mask:
        labels, reach = self.board.labels, 2 * _SURROUNDINGS_MM + 1
        around = cv2.blur(labels.level, (reach, reach))
        return cast(Mask, (labels.shown == BARE) & (labels.level < around - _DARKER) & (self.covered == 0))

    def light(self, corners_mm: Floats) -> float:
        """How bright the board is there, without what stands on it: 1 is all that a camera can tell."""
        spot = self.spot(corners_mm, _AROUND_MM)
        bare = spot.of(self.board.now.pixels)[spot.of(self.board.labels.shown) == BARE]
        return float(np.quantile(bare.max(axis=1), 0.75) / 255) ** GAMMA if len(bare) else 1.0

    def unseen(self, corners_mm: Floats) -> float:
        """The share of a region that is not seen."""
        shown = self.spot(corners_mm).of(self.board.labels.shown)
        return float(np.count_nonzero(shown == UNSEEN)) / max(len(shown), 1)

    def changed(self, corners_mm: Floats) -> tuple[float, float]:
        """The share of a place that changed, of what is seen of it, and the share that is hidden or not seen."""
        spot = self.spot(corners_mm)
        shown = spot.of(self.board.labels.shown)
        open_ = (shown != UNSEEN) & (spot.of(self.covered) == 0)
        seen = int(np.count_nonzero(open_))
        return float(np.count_nonzero((shown != BARE) & open_)) / max(seen, 1), 1 - seen / max(len(open_), 1)


def _kind_of(there: Counter[str]) -> str:
    return " ".join(sorted(there.elements())) or EMPTY


def _meets(mask: Image | Mask, corners_px: Floats, around_px: int = 1) -> bool:
    """Whether a mask meets the surroundings of a region."""
    left, top = np.floor(corners_px.min(axis=0) - around_px).clip(0).astype(int)
    right, bottom = np.ceil(corners_px.max(axis=0) + around_px + 1).astype(int)
    return bool(mask[top:bottom, left:right].any())


def _without_slivers(mask: Mask) -> Mask:
    square = np.ones((_FINEST_MM + 1, _FINEST_MM + 1), np.uint8)
    return cast(Mask, cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, square) > 0)
