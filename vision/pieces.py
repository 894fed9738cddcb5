"""Reads all pieces and tiles on a board: what stands first, then what lies and may be hidden by it."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.catalogue import OPEN, UP, PieceKind
from vision.codes import CLEAR, CodeReading, Wanted, read_codes
from vision.faces import Faces
from vision.labels import BARE, SHADOW, UNSEEN, Labels
from vision.layout import PIECES, TILE, BoardLayout, Layout
from vision.markers import GAMMA, Floats, Image
from vision.marks import RegionReading
from vision.palette import STRANGE as STRANGE_COLOUR
from vision.palette import Palette, coloured
from vision.patterns import Patch
from vision.regions import LOW_MM, Mask
from vision.scattered import Lying, Scattered, scores_of
from vision.settle import settled
from vision.spots import Spot, Window, window_around
from vision.standing import Explained, Stood, View, feet, find_standing, mean_likelihoods
from vision.tiles import EMPTY, STRANGE, FaceReader, coded_scores, is_bare, unchanged

_PER_SHARE = 40.0  # how much more a piece scores that is seen to a larger share
_PER_LIKELIHOOD = 8.0  # and one whose colour fits better
_DOUBTED = -12.0  # the score of something strange in a region that shows nothing but its pieces
_PER_STRANGE, _LITTLE = 60.0, 0.05  # by how much it grows with the share that is strange, from here on
_PER_UNSEEN, _SOME = 40.0, 0.15  # and with what is not seen
_PER_DARK, _TOO_DARK = 30.0, 0.06  # and with how dark it is: from there on noise is stronger than colour
_CONTRADICTION = 30.0
_CODE_REACH_MM, _FARTHEST_MM = 6.0, 9.0  # how far from the middle of its place a code is looked for, and believed
_LEAN_MM = 40.0  # how far what stands beside a region may be seen in it
_AROUND_MM = 4  # a hand that holds a piece is seen so near to it
_BEYOND_MM = 20  # and what only begins like a piece goes on so far
_FINEST_MM = 2  # what is thinner is the edge of something
_COLOUR = 3.0  # what the colour of a flat piece adds to its score: less than something strange has
_COLOURED = 0.12  # a flat piece with a code shows its colour over this share at least
_INNER, _WHOLE = 0.4, 0.53  # how far from its middle a piece is looked at, in its widths
_COVERED = 0.3  # and more than this share of the place looks changed
_SHADED = 0.6  # how much of what is only darker counts as changed
_DARKER, _SURROUNDINGS_MM = 0.3, 12
_LIT = 255 * _TOO_DARK ** (1 / GAMMA)
_HIDDEN = 0.5  # a place that is hidden to this share is not read


@dataclass(frozen=True)
class RegionPieces:
    """A region as it was read, with the pieces that were found in it, which face is up, and how it is told."""

    reading: RegionReading
    stood: tuple[Stood, ...] = ()
    face: str = UP
    lying: tuple[Lying, ...] = ()
    """The same with their turn, of those that lie about with codes."""


@dataclass(frozen=True, eq=False)
class BoardNow:
    """A board in a frame: what its pixels show, small pictures of it now and clean, and closer looks at parts of it."""

    labels: Labels
    now: Patch
    clean: Patch
    near: Callable[[Floats, Floats], Patch]
    view: View
    trust: float


@dataclass(frozen=True, eq=False)
class _Place:
    """A region for pieces, by its number on the board from 1: what may be in it, and its parts of the small picture."""

    number: int
    corners_mm: Floats
    kinds: tuple[PieceKind, ...]
    coloured: tuple[PieceKind, ...]
    most: int
    is_tile: bool
    shape: tuple[int, int]

    @cached_property
    def stands(self) -> bool:
        """Whether it is a place for pieces by their colour, not for one flat piece by its code or face."""
        return not self.is_tile and not self.coded

    @cached_property
    def coded(self) -> bool:
        """Whether all that may be there lies flat and is told by codes, and not by how its owner made it."""
        return all(kind.lies and kind.code is not None and kind.look is None for kind in self.kinds)

    @cached_property
    def spot(self) -> Spot:
        return Spot.within(self.corners_mm, self.shape)

    @cached_property
    def around(self) -> Spot:
        return Spot.within(self.corners_mm, self.shape, _AROUND_MM)

    @cached_property
    def inner(self) -> Spot:
        """Where a flat piece surely is to be seen."""
        return self._lies_within(_INNER)

    @cached_property
    def whole(self) -> Spot:
        """Where a flat piece may be seen."""
        return self._lies_within(_WHOLE)

    def _lies_within(self, share: float) -> Spot:
        """The whole region, or what is about its middle where something else is around."""
        if self.is_tile:
            return self.spot
        radius = share * min(min(kind.size_mm[:2]) for kind in self.kinds)
        angles = np.arange(16) * (np.pi / 8)
        rim = self.corners_mm.mean(axis=0) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return Spot.within(rim, self.shape)

    @cached_property
    def smallest_mm2(self) -> float:
        return min(kind.size_mm[0] * kind.size_mm[1] for kind in self.kinds)

    def prepare(self) -> None:
        """Works out ahead of the first picture what will be asked."""
        _ = self.stands, self.spot, self.around, self.inner, self.whole, self.smallest_mm2
        for kind in self.coloured:
            feet(self.corners_mm, kind)


class PieceReader:
    """Reads the pieces on one board."""

    def __init__(self, layout: Layout, board: BoardLayout, palette: Palette, faces: Faces) -> None:
        self._palette, self._faces = palette, faces
        self._shape = round(board.height_mm / LOW_MM), round(board.width_mm / LOW_MM)
        self._places: dict[str, _Place] = {}
        for number, name in enumerate(board.read_by(PIECES, TILE), 1):
            kinds, most = layout.catalogue.held(board.id, name), layout.catalogue.most(board.id, name)
            corners, is_tile = np.array(board.regions[name], np.float64), board.readers[name] == TILE
            known = tuple(coloured(kinds, palette))
            self._places[name] = _Place(number, corners, kinds, known, most, is_tile, self._shape)
            self._places[name].prepare()
        self._owners = self._by_pixel()
        flat = [place.number for place in self._places.values() if not place.stands]
        self._lying_at = cast(Mask, np.isin(self._owners, flat))
        self._face_readers: dict[str, list[FaceReader]] = {}

    def learn(self, clean: Patch) -> None:
        """Looks at the board without pieces ahead of the first picture."""
        for name, place in self._places.items():
            if place.kinds[0].told_by_face:
                for reader in self._face_reader(name, clean):
                    reader.prepare()

    def touched(self, changed: Image, mm_per_px: float) -> set[str]:
        """The regions that a mask over the board meets, or a piece that leans over them."""
        if changed.all():
            return set(self._places)
        reach = 2 * int(_LEAN_MM / mm_per_px) + 1
        near = cast(Image, cv2.dilate(changed, np.ones((reach, reach), np.uint8)))
        return {name for name, place in self._places.items() if _meets(near, place.corners_mm / mm_per_px)}

    def read(
        self, board: BoardNow, wanted: Collection[str], before: Mapping[str, RegionPieces]
    ) -> dict[str, RegionPieces]:
        """The wanted regions afresh, the others as they were."""
        kept = {name: pieces for name, pieces in before.items() if name not in wanted}
        explained = Explained(board.labels, board.view, self._palette)
        for name, pieces in kept.items():
            if self._places[name].stands:
                for stood in pieces.stood:
                    explained.add(stood)
        outermost_first = self._outermost_first(wanted, board.view)
        standing = {name: self._find(self._places[name], explained) for name in outermost_first}
        shown = board.labels.shown
        # Slivers of something strange are edges of print; slivers of a colour may be all that is seen of a piece.
        changed = _without_slivers((shown > 0) & (shown != SHADOW) & (shown != UNSEEN)) | (
            (shown > 0) & (shown < SHADOW)
        )
        seen = _Seen(board, explained, changed, self._owners, self._lying_at)
        fresh = {name: self._told(self._places[name], *found, seen) for name, found in standing.items()}
        lying = [name for name in wanted if not self._places[name].stands]
        several = {name for name in lying if self._places[name].coded and self._places[name].most > 1}
        fresh |= self._lying([name for name in lying if name not in several], seen)
        fresh |= self._scattered(several, kept, seen)
        both = {**kept, **fresh}
        return {name: both[name] for name in self._places if name in both}

    def _outermost_first(self, wanted: Collection[str], view: View) -> list[str]:
        names = [name for name in wanted if self._places[name].stands]
        eye = view.eye_mm[:2]
        return sorted(names, key=lambda name: -float(np.hypot(*(self._places[name].corners_mm.mean(axis=0) - eye))))

    def _find(self, place: _Place, explained: Explained) -> tuple[list[Stood], dict[str, float]]:
        tallest = max(kind.size_mm[2] for kind in place.coloured)
        both = np.concatenate([place.corners_mm, explained.view.lifted(place.corners_mm, tallest)])
        # By far the most regions are empty, and look it.
        if not _meets(explained.labels.shown, both / LOW_MM):
            return [], {}
        return find_standing(place.corners_mm, place.coloured, place.most, explained, self._faces)

    # --- what stands ------------------------------------------------------------------------------

    def _told(self, place: _Place, found: list[Stood], more: Mapping[str, float], seen: "_Seen") -> RegionPieces:
        scores = self._scores(place, found, more, seen)
        odd, unseen = seen.strange(place, found) / (0.8 * place.smallest_mm2), seen.unseen(place)
        strange = _DOUBTED + _PER_STRANGE * max(0.0, odd - _LITTLE) + _PER_UNSEEN * max(0.0, unseen - _SOME)
        strange += _PER_DARK * max(0.0, 1 - seen.light(place) / _TOO_DARK)
        return RegionPieces(settled(scores, strange, seen.board.trust), tuple(found))

    def _scores(self, place: _Place, found: list[Stood], more: Mapping[str, float], seen: "_Seen") -> dict[str, float]:
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
            for kind in place.coloured:
                if kind.id != own:
                    worse = _PER_LIKELIHOOD * min(float(fits[number[kind.id]] - fits[number[own]]), 0.0)
                    worse -= _PER_SHARE * max(piece.rivals.get(kind.id, 0.0), 0.0)
                    weigh(there - Counter([own]) + Counter([kind.id]), worse)
        if len(found) < place.most:
            for kind_id, share in more.items():
                weigh(there + Counter([kind_id]), _PER_SHARE * (share - 0.5))
        return scores

    # --- what lies in a place of its own ----------------------------------------------------------

    def _lying(self, names: Collection[str], seen: "_Seen") -> dict[str, RegionPieces]:
        """Places for one flat piece each."""
        faces = [name for name in names if self._places[name].kinds[0].told_by_face]
        looks = {name: seen.flat(self._places[name]) for name in names if name not in faces}
        asked = [name for name, look in looks.items() if look.hidden <= _HIDDEN and not is_bare(look.changed_or_dark)]
        wanted = [self._wanted(self._places[name], seen) for name in asked]
        codes = dict(zip(asked, read_codes(wanted, self._faces), strict=True))
        told = {name: self._coded(self._places[name], look, codes.get(name), seen) for name, look in looks.items()}
        return {**told, **{name: self._by_face(name, seen) for name in faces}}

    def _scattered(
        self, names: Collection[str], kept: Mapping[str, RegionPieces], seen: "_Seen"
    ) -> dict[str, RegionPieces]:
        """Places for several flat pieces with codes."""
        changed = {name: seen.changed(self._places[name].spot) for name in names}
        wanted = {name: self._places[name] for name in names if not is_bare(changed[name][0])}
        heights = [kind.size_mm[2] for place in wanted.values() for kind in place.kinds]
        larger = seen.board.view.larger(max(heights, default=0.0))
        shown = seen.board.labels.shown
        unlike = (shown != BARE) & (shown != UNSEEN)  # the black of a code may be taken for a shadow
        search = Scattered(lambda low, high: seen.board.near(low, high).grey(), self._faces, unlike, larger)
        for pieces in kept.values():
            for piece in pieces.lying:
                search.explain(piece)
        found = search.find(wanted)
        told = {}
        for name in names:
            share, hidden = changed[name]
            trust, place = seen.board.trust, self._places[name]
            if name not in found:
                told[name] = RegionPieces(settled({EMPTY: unchanged(share)}, _PER_UNSEEN * hidden, trust))
                continue
            left = seen.left(place.spot, search.explained) / (0.8 * place.smallest_mm2)
            strange = _DOUBTED + _PER_STRANGE * max(0.0, left - _LITTLE) + _PER_UNSEEN * max(0.0, hidden - _SOME)
            scores = scores_of(found[name]) if found[name] else {EMPTY: 0.0}
            stood = tuple(Stood(piece.kind, piece.at_mm, 1.0) for piece in found[name])
            told[name] = RegionPieces(settled(scores, strange, trust), stood, lying=tuple(found[name]))
        return told

    def _wanted(self, place: _Place, seen: "_Seen") -> Wanted:
        view, height = seen.board.view, max(kind.size_mm[2] for kind in place.kinds)
        lifted = view.lifted(place.corners_mm, height)
        patch = seen.board.near(lifted.min(axis=0) - _AROUND_MM, lifted.max(axis=0) + _AROUND_MM)
        return Wanted(patch.grey(), place.kinds, lifted.mean(axis=0), _CODE_REACH_MM, view.larger(height))

    def _coded(self, place: _Place, look: "_FlatLook", code: CodeReading | None, seen: "_Seen") -> RegionPieces:
        """A place for a piece with a code."""
        kinds, middle = place.kinds, place.corners_mm.mean(axis=0)
        strange = STRANGE + _PER_UNSEEN * max(0.0, look.hidden - _SOME)
        if look.hidden > _HIDDEN:
            nothing: dict[str, float] = dict.fromkeys((EMPTY, *(kind.id for kind in kinds)), 0.0)
            return RegionPieces(settled(nothing, strange, seen.board.trust))
        if code is not None and dist(code.centre_mm, middle) > _FARTHEST_MM:
            code = None
        scores = coded_scores(kinds, look.changed_or_dark, code)
        if look.changed >= _COVERED and not place.is_tile:
            colour = seen.colour(place.whole, frozenset(self._palette.number[kind.id] for kind in place.coloured))
            strange += 0.0 if colour is None else self._agree(scores, code, kinds, colour)
        reading = settled(scores, strange, seen.board.trust)
        x, y = middle if code is None else code.centre_mm
        stood = [Stood(kind, (float(x), float(y)), 1.0) for kind in kinds if kind.id == reading.kind]
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

    def _by_face(self, name: str, seen: "_Seen") -> RegionPieces:
        """A place whose piece shows one of its faces."""
        place = self._places[name]
        changed, hidden = seen.changed(place.spot)
        scores: dict[str, float] = {}
        best = place.kinds[0]
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
            place = self._places[name]
            kept = [FaceReader(kind, place.corners_mm, self._faces, clean) for kind in place.kinds]
            self._face_readers[name] = kept
        return kept

    def _by_pixel(self) -> NDArray[np.int16]:
        """By pixel of the small picture the number of the region there, from 1: each has its own things to be seen."""
        owners = np.zeros(self._shape, np.int16)
        for place in self._places.values():
            spot = place.around if place.is_tile else Spot.within(place.corners_mm, self._shape, 1)
            owners[spot.window][spot.inside] = place.number
        return owners


@dataclass(frozen=True)
class _FlatLook:
    """To which shares a place for a flat piece changed, is hidden, and changed or became darker."""

    changed: float
    hidden: float
    changed_or_dark: float


@dataclass(frozen=True, eq=False)
class _Seen:
    """A board whose standing pieces are found: what of the rest changed, in square millimetres and shares."""

    board: BoardNow
    explained: Explained
    anywhere: Mask
    owners: NDArray[np.int16]
    lying: Mask
    """Where tiles and other flat pieces lie, whose print may have any colour."""

    @property
    def covered(self) -> Image:
        return self.explained.covered

    def strange(self, place: _Place, found: Collection[Stood]) -> float:
        """How much changed in and around a region that no piece explains, and no other region either; and how much of
        its pieces' colour goes on where they end."""
        shape = self.covered.shape
        spots = [place.spot, *(Spot.within(self.board.view.outline(piece), shape, _AROUND_MM) for piece in found)]
        odd = [(spot.window, self._odd(spot, place.number)) for spot in spots]
        odd += [self._beyond(piece) for piece in found]
        if not any(part.any() for _, part in odd):
            return 0.0
        whole = np.zeros(shape, bool)
        for window, part in odd:
            whole[window] |= part
        return float(np.count_nonzero(whole))

    def _beyond(self, piece: Stood) -> tuple[Window, Mask]:
        """Where what looks like a piece goes on and is none: then it is the end of a pen, or part of a mug."""
        outline, labels, shape = self.board.view.outline(piece), self.board.labels, self.covered.shape
        window = window_around(outline, shape, _BEYOND_MM)
        shown, own = labels.shown[window], self.explained.palette.number[piece.kind.id]
        alike = (shown > BARE) & (shown < SHADOW) & (labels.likely[window][..., own] > STRANGE_COLOUR)
        more = alike & (self.covered[window] == 0) & ~self.lying[window]
        if not more.any():
            return window, more
        spot, itself = Spot.within(outline, shape), np.zeros(shape, bool)
        itself[spot.window] = spot.inside
        _, parts = cv2.connectedComponents((itself[window] | alike).astype(np.uint8))
        return window, more & (parts == parts[itself[window]][0])

    def _odd(self, spot: Spot, owner: int) -> Mask:
        if not self.anywhere[spot.window].any():
            return np.zeros_like(spot.inside)
        owners = self.owners[spot.window]
        elsewhere = (owners != 0) & (owners != owner)
        return cast(Mask, spot.inside & self.anywhere[spot.window] & (self.covered[spot.window] == 0) & ~elsewhere)

    def left(self, spot: Spot, explained: Image) -> float:
        """How much of a place changed and is not explained."""
        return float(np.count_nonzero(spot.of(self.anywhere) & (spot.of(explained) == 0)))

    def flat(self, place: _Place) -> "_FlatLook":
        changed, hidden = self.changed(place.inner)
        return _FlatLook(changed, hidden, max(changed, _SHADED * max(0.0, self.darkened(place.inner) - _SOME)))

    def colour(self, spot: Spot, numbers: frozenset[int]) -> int | None:
        """Which of some colours most of what changed shows, if it is so much that a piece may lie there."""
        labels = spot.of(self.board.labels.among(numbers))
        counts = np.bincount(labels, minlength=256)[1 : 1 + len(self.explained.palette)]
        most = int(counts.argmax()) if len(counts) else 0
        enough = len(counts) and counts[most] > _COLOURED * len(labels) and counts[most] > 0.8 * counts.sum()
        return most if enough else None

    def darkened(self, spot: Spot) -> float:
        """The share of a place that is darker than the board around it, as by a piece without colour."""
        return float(np.count_nonzero(spot.of(self._darker))) / max(spot.size, 1)

    @cached_property
    def _darker(self) -> Mask:
        labels, reach = self.board.labels, 2 * _SURROUNDINGS_MM + 1
        around = cv2.blur(labels.level, (reach, reach))
        return cast(Mask, self._bare & (labels.level < around - _DARKER) & (self.covered == 0))

    def light(self, place: _Place) -> float:
        """How bright the board is there, without what stands on it: 1 is all that a camera can tell."""
        around = place.around
        bare = around.inside & self._bare[around.window]
        # It only matters where it is dark.
        if 4 * np.count_nonzero(bare & self._lit[around.window]) >= np.count_nonzero(bare):
            return 1.0
        return float((np.quantile(self._brightest[around.window][bare], 0.75) / 255) ** GAMMA)

    @cached_property
    def _bare(self) -> Mask:
        return cast(Mask, self.board.labels.shown == BARE)

    @cached_property
    def _lit(self) -> Mask:
        return cast(Mask, self._brightest > _LIT)

    @cached_property
    def _brightest(self) -> Image:
        """The brightest of the three colours of each pixel."""
        blue, green, red = cv2.split(self.board.now.pixels)
        return cast(Image, cv2.max(cv2.max(blue, green), red))

    def unseen(self, place: _Place) -> float:
        """The share of a region that is not seen."""
        blind = self.board.labels.shown[place.spot.window] == UNSEEN
        return float(np.count_nonzero(blind & place.spot.inside)) / max(place.spot.size, 1)

    def changed(self, spot: Spot) -> tuple[float, float]:
        """The share of a place that changed, of what is seen of it, and the share that is hidden or not seen."""
        if spot.size and self._bare[spot.window].all() and not self.covered[spot.window].any():
            return 0.0, 0.0
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
