"""The cards on the places of a board, read by their indices: which lie where, and how sure that is.

A place is what stays open of a card that lies there upright when others overlap it: its left, with the upper index. So
a card belongs to the place in which its upright index is; where only the lower one, which stands on its head, is seen,
that tells where the other must be. What has changed on the board and no card explains is something else (a back, a
hand), and then nothing is told of that place.

`cards.py` reads cards wherever they lie. Here it is known how they lie, so that two equal ones side by side are two.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil, log
from typing import cast

import cv2
import numpy as np

from vision.cards import UNSURE, SeenCard
from vision.catalogue import Catalogue
from vision.indices import CARDS as KINDS
from vision.indices import JOKER, SeenIndex, find_indices
from vision.layout import CARDS, BoardLayout
from vision.markers import Floats, Image
from vision.marks import RegionReading
from vision.pyramid import Pyramid
from vision.rectify import BoardPose
from vision.regions import LOW_MM, Mask
from vision.samples import Samples
from vision.settle import ANYTHING, UNLIKELY, settled
from vision.spots import Spot
from vision.tiles import EMPTY, UNCHANGED, unchanged

JOKER_KIND = "joker"
INDEX_MM = (7.0, 40.0)
"""How high indices are, from the smallest packs to the largest."""
_FROM_CORNER_MM = (7.0, 13.0)  # the middle of an index, from the corner of its card
_ABOUT_MM = 6.0  # packs differ by so much
_UPRIGHT = 0.5  # cosine between the ways up of an index and of the board
_NEAR_MM = 5.0  # an index so little outside of a place belongs to it
_CORNER_MM = (9.0, 18.0)  # so far (across, down) from where another index of a card should be, it is still of that card
_AGREED = 0.1  # probability that two indices say the same, from which on they may be of one card
_FELLOWSHIP = 0.6  # exponent by which the evidence of several indices of one card grows: they share light and blur
_THERE, _MAYBE = 0.5, 0.05  # probability that it is an index at all: to be one, and to make its place doubtful
_TOLD = 0.5  # probability below which it is not told which card it is
_BRIGHTER, _DARKER, _OTHER_COLOUR = 0.45, -1.3, 0.4  # in logarithm of light: more than any shadow and its edge
_HAZE = 0.25  # of the light of white paper: a lamp's image adds no more to dark print, else it bleaches
_STEP, _STEP_MM = 0.07, 5  # the same over so far: more is an edge of something, which a lamp's image has not
_SHIFT_MM = 3  # print that is seen a millimetre off is no change
_BARE = 0.06  # a place that changed over less than this share of it is as it was
_STRANGE, _DOUBTED = 0.2, 40.0  # what is left unexplained of a place: from this share on something else lies there
_MISSED = -5.0  # the logarithm of how often the index of a card that lies beside another is overlooked
_LEAST, _OTHERS = 1e-5, 2  # probability of any card that is told; so many beside the likeliest
_MASK_PX = 8  # of the frame to one of a mask


@dataclass(frozen=True)
class _Change:
    """What is not as it was on a board, by millimetre."""

    where: Mask
    hazy: Mask
    """Where no more is told than that a little light was added."""
    added: Floats
    """So much light, in parts of what white paper gives; not a number where print is too uneven to tell."""


@dataclass(frozen=True)
class RegionCards:
    """A place as it was read, with the cards that were seen there."""

    reading: RegionReading
    cards: tuple[SeenCard, ...] = ()


class CardReader:
    """Reads the cards on one board."""

    def __init__(self, board: BoardLayout, catalogue: Catalogue) -> None:
        self.names = board.read_by(CARDS)
        self._board = board
        self._corners = {name: np.array(board.regions[name], np.float64) for name in self.names}
        held = [kind for name in self.names for kind in catalogue.held(board.id, name)]
        self._card_mm: Floats = np.max([kind.size_mm[:2] for kind in held], axis=0)
        self._shape = round(board.height_mm / LOW_MM), round(board.width_mm / LOW_MM)
        self._spots = {name: Spot.within(corners, self._shape) for name, corners in self._corners.items()}
        self._heaps = self._joined()

    def read(
        self,
        frame: Pyramid,
        pose: BoardPose,
        now: Samples,
        clean: Samples,
        touched: Collection[str],
        before: Mapping[str, RegionCards],
    ) -> dict[str, RegionCards]:
        """The places near those that were touched afresh, the others as they were.

        `now` and `clean` are small pictures of the whole board.
        """
        heaps = [heap for heap in self._heaps if not before or any(name in touched for name in heap)]
        if not heaps:
            return dict(before)
        told, changed = dict(before), self._changed(now, clean)
        for heap in heaps:
            told |= self._heap(frame, pose, changed, heap)
        return {name: told[name] for name in self.names}

    def _changed(self, now: Samples, clean: Samples) -> _Change:
        """How its light has changed is told by what cards leave open: many of them may lie there."""
        square = np.ones((_SHIFT_MM, _SHIFT_MM), np.uint8)
        low, high = cv2.erode(clean.light, square), cv2.dilate(clean.light, square)
        telling = self._margin & (now.says * clean.says > 0)
        lamp = np.median((now.light - clean.light)[telling], axis=0) if telling.any() else np.zeros(3)
        light = now.light - lamp.astype(np.float32)
        off = light - np.clip(light, low, high)
        level = off.mean(axis=2)
        coloured = np.abs(off - level[..., None]).max(axis=2) > _OTHER_COLOUR
        strange = (level < _DARKER) | coloured | (now.says == 0)
        changed = cv2.morphologyEx((strange | (level > _BRIGHTER)).astype(np.uint8), cv2.MORPH_OPEN, square) > 0
        paper = np.median(clean.light[telling], axis=0) if telling.any() else np.zeros(3)
        added = (np.exp(light - paper) - np.exp(clean.light - paper)).mean(axis=2)
        uneven = (np.exp(high - paper) - np.exp(low - paper)).mean(axis=2) > _STEP
        return _Change(changed, changed & ~strange & (uneven | (added <= _HAZE)), np.where(uneven, np.nan, added))

    @cached_property
    def _margin(self) -> Mask:
        """What no card covers."""
        free = np.ones(self._shape, bool)
        for heap in self._heaps:
            low, high = self._extent(heap)
            (left, top), (right, bottom) = (low / LOW_MM).astype(int).clip(0), (high / LOW_MM).astype(int).clip(0)
            free[top:bottom, left:right] = False
        return free

    def _joined(self) -> list[tuple[str, ...]]:
        """Places whose cards may overlap, together."""
        heaps: list[list[str]] = []
        for name in self.names:
            left = self._corners[name][:, 0].min()
            near = next((heap for heap in heaps if left <= self._corners[heap[-1]][:, 0].max() + 1), None)
            if near is None:
                heaps.append([name])
            else:
                near.append(name)
        return [tuple(heap) for heap in heaps]

    def _heap(self, frame: Pyramid, pose: BoardPose, changed: _Change, heap: Sequence[str]) -> dict[str, RegionCards]:
        shares = {name: float(np.mean(self._spots[name].of(changed.where))) for name in heap}
        trust = 1.0 if pose.age == 0 else pose.confidence
        if max(shares.values()) <= _BARE:
            return {name: RegionCards(settled({EMPTY: UNCHANGED}, 0.0, trust)) for name in heap}
        told: dict[str, list[_Laid]] = {name: [] for name in heap}
        explained = np.zeros(self._shape, np.uint8)
        doubtful: set[str] = set()
        for card in self._laid(frame, pose, heap):
            name = self._place_of(card.index_mm, heap)
            if name is None:
                continue
            if card.shares[0] > 1 - _THERE:
                doubtful.add(name)
                continue
            told[name].append(card)
            self._explain(explained, card.index_mm - _FROM_CORNER_MM)
        unexplained = changed.where & (explained == 0) & ~_lamps_image(changed, explained)
        return {name: self._told(name, told[name], name in doubtful, shares[name], unexplained, trust) for name in heap}

    # --- cards ------------------------------------------------------------------------------------

    def _laid(self, frame: Pyramid, pose: BoardPose, heap: Sequence[str]) -> "list[_Laid]":
        """The cards on some places, from left to right; also what may be one."""
        index_px = INDEX_MM[0] * pose.px_per_mm, INDEX_MM[1] * pose.px_per_mm
        height, width = frame.bgr.shape[:2]
        mask = np.zeros((ceil(height / _MASK_PX), ceil(width / _MASK_PX)), np.uint8)
        cv2.fillPoly(mask, [np.round(self._reach(pose, heap) / _MASK_PX).astype(np.int32)], (1,))
        seen = [_Index(*_on_board(index, pose), index) for index in find_indices(frame, index_px, mask)]
        seen = [one for one in seen if one.index.shares[0] < 1 - _MAYBE]
        upright = sorted((one for one in seen if one.up > _UPRIGHT), key=lambda one: one.at_mm[0])
        laid: list[_Laid] = []
        for one in upright:
            # The right upper index of a pack with four is seen beyond what other cards leave open.
            last = laid[-1] if laid else None
            if last is not None and self._is_of(last, one, down=False):
                last.indices.append(one.index)
            else:
                laid.append(_Laid(one.at_mm, [one.index]))
        for one in (one for one in seen if one.up < -_UPRIGHT):
            owner = next((card for card in laid if self._is_of(card, one, down=True)), None)
            if owner is not None:
                owner.indices.append(one.index)
            elif one.index.shares[0] <= 1 - _THERE:
                # The other one is covered, or was not seen.
                laid.append(_Laid(one.at_mm - self._across, [one.index]))
        return laid

    def _is_of(self, card: "_Laid", one: "_Index", down: bool) -> bool:
        """Whether an index is another one of a card, in one of its other corners."""
        ways = ((1, 1), (0, 1)) if down else ((1, 0),)
        away = one.at_mm - card.index_mm
        there = any((np.abs(away - self._across * way) < _CORNER_MM).all() for way in ways)
        return there and float(card.shares[1:] @ one.index.shares[1:]) > _AGREED

    @cached_property
    def _across(self) -> Floats:
        """From the left upper index of a card to the right lower one."""
        return cast(Floats, self._card_mm - 2 * np.array(_FROM_CORNER_MM))

    def _place_of(self, index_mm: Floats, heap: Sequence[str]) -> str | None:
        """The place that an upper index is in, or hardly beside."""
        at = float(index_mm[0]), float(index_mm[1])
        depths = {
            name: cv2.pointPolygonTest(self._corners[name].astype(np.float32), at, measureDist=True) for name in heap
        }
        best = max(depths, key=lambda name: depths[name])
        return best if depths[best] >= -_NEAR_MM else None

    def _reach(self, pose: BoardPose, heap: Sequence[str]) -> Floats:
        """What the cards of some places may cover, in the frame."""
        low, high = self._extent(heap)
        return pose.to_frame(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))

    def _extent(self, heap: Sequence[str]) -> tuple[Floats, Floats]:
        """What the cards on some places may cover of the board, from corner to corner."""
        corners = np.concatenate([self._corners[name] for name in heap])
        low, high = corners.min(axis=0), corners.max(axis=0)
        high[0] = max(high[0], self._corners[heap[-1]][:, 0].min() + self._card_mm[0])
        return low - _ABOUT_MM, high + _ABOUT_MM

    def _explain(self, explained: Image, corner: Floats) -> None:
        left, top = (corner - _ABOUT_MM) / LOW_MM
        right, bottom = (corner + self._card_mm + _ABOUT_MM) / LOW_MM
        rows, columns = (slice(max(0, round(low)), max(0, round(high))) for low, high in ((top, bottom), (left, right)))
        explained[rows, columns] = 1

    def _told(
        self,
        name: str,
        laid: Sequence["_Laid"],
        doubtful: bool,
        share: float,
        unexplained: Mask,
        trust: float,
    ) -> RegionCards:
        left = float(np.mean(self._spots[name].of(unexplained)))
        strange = UNLIKELY if left <= _BARE else _DOUBTED * (left - _STRANGE)
        if laid:
            scores, other = _scores(laid)
            cards = tuple(card.seen(self._board.id, name) for card in laid)
            return RegionCards(settled(scores, 0.0 if doubtful else max(other, strange), trust), cards)
        if share <= _BARE:
            return RegionCards(settled({EMPTY: unchanged(share)}, 0.0, trust))
        return RegionCards(settled({EMPTY: 0.0}, 0.0 if doubtful else max(strange, _MISSED), trust))


@dataclass(frozen=True)
class _Index:
    """An index, where it is on the board, and how far its way up is the board's."""

    at_mm: Floats
    up: float
    index: SeenIndex


@dataclass
class _Laid:
    """A card by where its left upper index is, and those that were seen."""

    index_mm: Floats
    indices: list[SeenIndex]

    @property
    def shares(self) -> Floats:
        """What they say together: their evidence adds up, though less than that of strangers would."""
        count = len(self.indices)
        evidence = np.log(np.array([index.shares for index in self.indices]).clip(1e-9)).mean(axis=0)
        raised = np.exp((evidence - evidence.max()) * count**_FELLOWSHIP)
        return np.asarray(raised / raised.sum(), np.float64)

    def seen(self, board: str, region: str) -> SeenCard:
        shares = self.shares
        best = int(shares[1:].argmax())
        card = KINDS[best] if shares[1 + best] >= _TOLD else UNSURE
        x, y = np.mean([index.centre_px for index in self.indices], axis=0).tolist()
        return SeenCard(card, float(shares[1 + best]), (x, y), tuple(self.indices), board, region)

    def likely(self) -> list[tuple[str, float]]:
        """What it may be, with probabilities; the rest is anything."""
        shares = self.shares[1:]
        best = np.argsort(-shares)[: 1 + _OTHERS].tolist()
        likely = [(kind_of(KINDS[n]), float(shares[n])) for n in best]
        return [*likely, (ANYTHING, max(1.0 - sum(share for _, share in likely), 0.0))]


def _lamps_image(changed: _Change, explained: Image) -> Mask:
    """Where a lamp is mirrored in dark print: a little light that fades, without an edge that no card explains."""
    hazy = changed.hazy & (explained == 0)
    about = np.ones((_STEP_MM, _STEP_MM), np.uint8)
    told = (explained == 0) & ~np.isnan(changed.added)
    soft = _mean_of(changed.added, told)
    most, least = cv2.dilate(np.where(told, soft, -9.0), about), cv2.erode(np.where(told, soft, 9.0), about)
    _, patches = cv2.connectedComponents(hazy.astype(np.uint8))
    return cast(Mask, hazy & ~np.isin(patches, patches[hazy & (most - least > _STEP)]))


def _mean_of(values: Floats, told: Mask) -> Floats:
    """The mean of what is told about every point."""
    count = cv2.blur(told.astype(np.float64), (_SHIFT_MM, _SHIFT_MM))
    return np.asarray(cv2.blur(np.where(told, values, 0.0), (_SHIFT_MM, _SHIFT_MM)) / np.maximum(count, 1e-6))


def _on_board(index: SeenIndex, pose: BoardPose) -> tuple[Floats, float]:
    middle = np.array(index.centre_px)
    at, above = pose.to_board(np.array([middle, middle + np.array(index.up) * (index.height_px / 2)]))
    way = above - at
    return at, float(-way[1] / max(float(np.hypot(*way)), 1e-6))


def _scores(laid: Sequence[_Laid]) -> tuple[dict[str, float], float]:
    """The logarithms of how likely the likeliest cards are together, and of that it is something else."""
    stories: dict[str, float] = {}
    for told in product(*(card.likely() for card in laid)):
        kind = " ".join(sorted(name for name, _ in told))
        stories[kind] = stories.get(kind, 0.0) + float(np.prod([share for _, share in told]))
    known = {kind: log(max(share, _LEAST)) for kind, share in stories.items() if ANYTHING not in kind.split()}
    nothing = min(float(np.prod([index.shares[0] for index in card.indices])) for card in laid)
    other = log(max(1.0 - sum(stories[kind] for kind in known), _LEAST))
    return {**known, EMPTY: log(max(nothing, _LEAST))}, other


def kind_of(card: str) -> str:
    """How a card is told as a kind, where "*" is anything."""
    return JOKER_KIND if card == JOKER else card
