"""Pieces told by their colour: where they stand, and what of a board they hide.

The top of what stands is seen shifted away from the camera; two tops of the same height never hide each other, but
a top may look like the side of the piece behind it. So pieces are looked for from the outermost inwards, and what each
explains is not looked at again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import dist
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.catalogue import PieceKind
from vision.faces import PROFILE_MM, Faces
from vision.labels import BARE, SHADOW, UNSEEN, Labels
from vision.markers import Floats, Image
from vision.palette import STRANGE, Palette
from vision.regions import LOW_MM, Grid, Mask
from vision.spots import Spot

THERE = 0.6
"""A piece whose top is seen in its colour to this share is there."""
_EDGE_MM = 1.0  # where a piece ends, its colour mixes with what is around it
_GROWN_MM = 2.0
_OVERHANG = 0.3  # a piece may stand this near to the edge of its region, in its widths
_APART = 0.85  # two pieces are at least so many widths apart
_OUTER = 0.01  # of two places that look alike, the outer one (by mm)
_CENTRED = 0.004  # and in a place for one piece the one nearer to its middle (by mm²)
_BODY = 0.35  # to so much more a top may be seen than the body below it
_ROUND: Floats = np.column_stack([f(np.arange(16) * (np.pi / 8)) for f in (np.cos, np.sin)])
_ENOUGH = 0.45  # of a top has to be seen
_FAINT = 0.25  # a piece that shows its colour to a smaller share is none


Indices = NDArray[np.int_]


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
        rim = (max(width, depth) / 2 + _GROWN_MM) * _ROUND + piece.at_mm
        both = np.concatenate([rim, self.lifted(rim, height)]).astype(np.float32)
        return np.asarray(cv2.convexHull(both).reshape(-1, 2), np.float64)


class Explained:
    """Which pixels of a board's small picture are explained by the pieces found so far."""

    def __init__(self, labels: Labels, view: View, palette: Palette) -> None:
        self.labels, self.view, self.palette = labels, view, palette
        self.covered: Image = np.zeros(labels.shown.shape, np.uint8)
        self.taken: Image = np.zeros(labels.shown.shape, np.uint8)
        self.pieces: list[Stood] = []

    def add(self, piece: Stood) -> None:
        self.pieces.append(piece)
        spot = Spot.within(self.view.outline(piece), self.covered.shape)
        self.covered[spot.window][spot.inside] = 1
        shown, own = self.labels.shown[spot.window], self.palette.number[piece.kind.id]
        # Another colour in there is no part of it: something stands in front.
        foreign = (shown > 0) & (shown < SHADOW) & (self.labels.likely[spot.window][..., own] <= STRANGE)
        self.taken[spot.window][spot.inside & ~foreign] = 1


def find_standing(
    corners_mm: Floats, kinds: Iterable[PieceKind], most: int, explained: Explained, faces: Faces
) -> tuple[list[Stood], dict[str, float]]:
    """The pieces in a region, and by kind the share of the likeliest one more."""
    found: list[Stood] = []
    alike: dict[tuple[float, ...], list[PieceKind]] = {}
    kinds = list(kinds)
    shown = explained.labels.among(frozenset(explained.palette.number[kind.id] for kind in kinds))
    for kind in kinds:
        alike.setdefault(kind.size_mm, []).append(kind)
    searches = [_Search(same, faces, corners_mm, explained, shown, most == 1) for same in alike.values()]
    largest = max((width * depth for width, depth, _ in alike), default=1.0)
    while len(found) < most:
        tried = [piece for search in searches for piece in search.best()]
        best = max(tried, key=lambda piece: _gain(piece, largest), default=None)
        if best is None or best.share < THERE:
            return found, {piece.kind.id: piece.share for piece in tried}
        number = explained.palette.number
        rivals = {
            piece.kind.id: _gain(best, largest) - _gain(piece, largest)
            for piece in tried
            if piece is not best and number[piece.kind.id] == number[best.kind.id]
        }
        found.append(replace(best, rivals=rivals))
        explained.add(best)
    return found, {}


def mean_likelihoods(piece: Stood, explained: Explained) -> Grid:
    """How well each colour of the palette explains the top of a piece, on average."""
    top = explained.view.lifted(np.array([piece.at_mm]), piece.kind.size_mm[2])[0]
    reach = max(piece.kind.size_mm[0] / 2 * explained.view.larger(piece.kind.size_mm[2]) - _EDGE_MM, LOW_MM)
    spot = Spot.within(top + reach * _ROUND, explained.labels.shown.shape)
    shown = explained.labels.shown[spot.window]
    # Print on the top, a glint, the code: only what shows a colour at all counts.
    pixels = explained.labels.likely[spot.window][spot.inside & (shown > 0) & (shown < SHADOW)]
    return cast(Grid, pixels.mean(axis=0) if len(pixels) else np.zeros(len(explained.palette), np.float32))


def _gain(piece: Stood, largest_mm2: float) -> float:
    """Of two pieces that fit, the larger one explains more."""
    return (piece.share - 0.5) * piece.kind.size_mm[0] * piece.kind.size_mm[1] / largest_mm2


class _Search:
    """Looks in one region for kinds of pieces that differ in their colour only."""

    def __init__(
        self, kinds: list[PieceKind], faces: Faces, corners_mm: Floats, explained: Explained, shown: Image, alone: bool
    ) -> None:
        self._kinds, self._explained, self._shown = kinds, explained, shown
        self._width_mm, self._depth_mm, height = kinds[0].size_mm
        view, width = explained.view, float(np.sqrt(self._width_mm * self._depth_mm))
        larger = view.larger(height)
        self._inner = _disc(larger * width, larger, faces.common_profile(kinds))
        # A foot shows no print.
        self._solid = _disc(larger * width, larger, (1.0,))
        # With its edge, to tell where exactly it stands: a little to the side, and some of it is missing.
        self._whole = _disc(larger * width + 2 * _EDGE_MM, larger, (1.0,))
        self._feet = feet(corners_mm, kinds[0])
        tops, waists = (view.lifted(self._feet.at_mm, above) for above in (height, height / 2))
        self._tops, self._waists, self._bases = _pixels(tops), _pixels(waists), _pixels(self._feet.at_mm)
        x, y = (tops - view.eye_mm[:2]).T
        self._usual = _OUTER * np.sqrt(x * x + y * y)
        if alone:
            self._usual = self._usual - _CENTRED * self._feet.off_mm**2
        # Fewer pixels of a colour make no piece, even where only part of it is seen.
        self._least_px = _FAINT * _ENOUGH * self._inner.whole / float(self._inner.weights.max())
        ends = np.concatenate([_pixels(self._feet.box_mm), _pixels(view.lifted(self._feet.box_mm, height))])
        half = len(self._whole.weights) // 2
        self._low, self._high = ends.min(axis=0) - half, ends.max(axis=0) + half + 1
        self._fits: dict[str, tuple[int, Grid]] = {}

    def best(self) -> list[Stood]:
        """For each kind the place where it fits best, among those that are free."""
        shown, taken = self._windows()
        free, open_ = taken == 0, self._open()
        if not open_.any():
            return [self._nowhere(kind) for kind in self._kinds]
        coloured, seen = (shown != BARE) & (shown < SHADOW), shown != UNSEEN
        numbers = self._explained.palette.number
        looks = [(kind, shown == numbers[kind.id] + 1) for kind in self._kinds]
        return [self._stood(kind, _Look(own, coloured & ~own, free, seen), open_) for kind, own in looks]

    def _open(self) -> Mask:
        """Where no other piece stands."""
        open_ = np.ones(len(self._feet.at_mm), bool)
        for other in self._explained.pieces:
            apart = _APART * (self._width_mm + other.kind.size_mm[0]) / 2
            if dist(other.at_mm, self._feet.middle_mm) < apart + self._feet.reach_mm:
                open_ &= np.linalg.norm(self._feet.at_mm - other.at_mm, axis=1) >= apart
        return open_

    def _nowhere(self, kind: PieceKind) -> Stood:
        x, y = self._feet.at_mm[0]
        return Stood(kind, (float(x), float(y)), 0.0)

    def _stood(self, kind: PieceKind, look: "_Look", open_: Mask) -> Stood:
        number = int(np.count_nonzero(look.own_free))
        if number < self._least_px:
            return self._nowhere(kind)
        place = int(np.where(open_, self._fit(kind, look, number) + self._usual, -np.inf).argmax())
        top, waist, base = (at[place] - self._low for at in (self._tops, self._waists, self._bases))
        # A top that leans over the edge of the board is not seen: then its body has to do. A body may be hidden by what
        # stands before it, but not wholly: a top without a body is something flat that lies behind.
        seen_top = look.top(self._inner, top)
        body = np.fmin(look.body(self._solid, base), look.body(self._solid, waist))
        share = body if np.isnan(seen_top) else np.fmin(seen_top, body + _BODY)
        x, y = self._feet.at_mm[place]
        return Stood(kind, (float(x), float(y)), 0.0 if np.isnan(share) else float(share))

    def _fit(self, kind: PieceKind, look: "_Look", free_px: int) -> Grid:
        """How well it fits at each place: as well as before, as long as no other piece has taken any of its colour."""
        known = self._fits.get(kind.id)
        if known is not None and known[0] == free_px:
            return known[1]
        shares = look.fit(self._whole)
        fit = self._at(shares, self._tops) + self._at(shares, self._bases)
        self._fits[kind.id] = free_px, fit
        return fit

    def _at(self, picture: Grid, places: Indices) -> Grid:
        column, row = (places - self._low).T
        return cast(Grid, picture[row, column])

    def _windows(self) -> tuple[Image, Image]:
        """What is shown, and what is taken already, where tops may be seen; beyond the board nothing is seen."""
        shown, taken = self._shown, self._explained.taken
        size = np.array(shown.shape[1::-1])
        low, high = self._low.clip(0, size), self._high.clip(0, size)
        window = np.s_[low[1] : high[1], low[0] : high[0]]
        (left, top), (right, bottom) = low - self._low, self._high - high
        around = int(top), int(bottom), int(left), int(right)
        if not any(around):
            return shown[window], taken[window]
        return (
            np.pad(shown[window], (around[:2], around[2:]), constant_values=UNSEEN),
            np.pad(taken[window], (around[:2], around[2:])),
        )


@dataclass(frozen=True, eq=False)
class _Disc:
    """How often each pixel of a top, from its middle, shows its colour."""

    weights: Grid

    @cached_property
    def squares(self) -> Grid:
        return cast(Grid, self.weights**2)

    @cached_property
    def whole(self) -> float:
        return float(self.squares.sum())

    def share(self, own: Mask, telling: Mask, at: Indices) -> float:
        """To which share it shows a colour around a pixel, of what says something; nan where too little does."""
        (x, y), half = at, len(self.weights) // 2
        around = np.s_[y - half : y + half + 1, x - half : x + half + 1]
        told = float(self.squares[telling[around]].sum())
        if told < _ENOUGH * self.whole:
            return float("nan")
        return min(float(self.weights[own[around]].sum()) / told, 1.0)


@dataclass(frozen=True, eq=False)
class _Look:
    """Where a colour is seen, where another one, what belongs to no other piece yet, and what is seen at all."""

    own: Mask
    foreign: Mask
    free: Mask
    seen: Mask

    def top(self, disc: _Disc, at: Indices) -> float:
        """To which share a disc shows the colour, where what belongs to another piece of the same colour already says
        nothing."""
        return disc.share(self.own_free, self._telling, at)

    def body(self, disc: _Disc, at: Indices) -> float:
        """The same for what may be hidden by another piece before it."""
        return disc.share(self.own_free, self._telling & ~self.foreign, at)

    def fit(self, disc: _Disc) -> Grid:
        """How much of a disc around each pixel shows the colour, and how much of that belongs to no other piece."""
        anywhere = _filtered(self.own, disc.weights) / disc.whole
        if not self.seen.all():
            told = _filtered(self.seen, disc.squares) / disc.whole
            # What is not seen may be either way.
            anywhere = np.where(told >= _ENOUGH, anywhere / np.maximum(told, _ENOUGH), np.float32(0.5))
        anywhere = anywhere.clip(0, 1)
        if np.count_nonzero(self.own_free) == np.count_nonzero(self.own):
            return cast(Grid, 2 * anywhere)
        return cast(Grid, anywhere + _filtered(self.own_free, disc.weights) / disc.whole)

    @cached_property
    def own_free(self) -> Mask:
        return self.own & self.free

    @cached_property
    def _telling(self) -> Mask:
        return self.seen & (self.free | ~self.own)


def _filtered(mask: Mask, weights: Grid) -> Grid:
    return cast(Grid, cv2.filter2D(mask.astype(np.float32), -1, weights, borderType=cv2.BORDER_CONSTANT))


def _pixels(points_mm: Floats) -> Indices:
    return np.round(points_mm / LOW_MM - 0.5).astype(int)


@dataclass(frozen=True, eq=False)
class Feet:
    """Where in a region a piece may stand, millimetre by millimetre."""

    at_mm: Floats
    middle_mm: Floats

    @cached_property
    def off_mm(self) -> Floats:
        """How far from the middle of the region."""
        return cast(Floats, np.linalg.norm(self.at_mm - self.middle_mm, axis=1))

    @cached_property
    def reach_mm(self) -> float:
        return float(self.off_mm.max())

    @cached_property
    def box_mm(self) -> Floats:
        """Two corners of all of them."""
        return np.stack([self.at_mm.min(axis=0), self.at_mm.max(axis=0)])


def feet(corners_mm: Floats, kind: PieceKind) -> Feet:
    return _feet(tuple(map(tuple, corners_mm.tolist())), _OVERHANG * min(kind.size_mm[:2]))


@lru_cache(maxsize=4096)
def _feet(corners: tuple[tuple[float, ...], ...], inset_mm: float) -> Feet:
    corners_mm = np.array(corners)
    middle = corners_mm.mean(axis=0)
    sides = np.linalg.norm(corners_mm - np.roll(corners_mm, 1, axis=0), axis=1)
    shrunk = middle + (corners_mm - middle) * max(1 - 2 * inset_mm / float(sides.min()), 0.15)
    low, high = np.floor(shrunk.min(axis=0)), np.ceil(shrunk.max(axis=0))
    x, y = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    along, out = np.roll(shrunk, -1, axis=0) - shrunk, points[:, None] - shrunk
    side = along[:, 0] * out[..., 1] - along[:, 1] * out[..., 0]
    inside = (side >= -1e-6).all(axis=1) | (side <= 1e-6).all(axis=1)
    return Feet(points[inside] if inside.any() else middle[None], middle)


@lru_cache(maxsize=256)
def _disc(width_mm: float, larger: float, profile: tuple[float, ...]) -> _Disc:
    half = int(np.ceil(width_mm / 2 / LOW_MM))
    steps = np.arange(-half, half + 1) * LOW_MM
    away = np.hypot(*np.meshgrid(steps, steps))
    inside = away <= max(width_mm / 2 - _EDGE_MM, LOW_MM / 2)
    known = np.array(profile)[(away / larger / PROFILE_MM).astype(int).clip(0, len(profile) - 1)]
    # A pixel sees a little around itself.
    return _Disc(np.asarray(cv2.blur(known, (3, 3)) * inside, np.float32))
