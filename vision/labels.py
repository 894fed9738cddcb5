"""What every square millimetre of a board shows: itself, a piece of some colour, or something strange."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import cv2
import numpy as np

from vision.light import Gain
from vision.markers import GAMMA, Image
from vision.palette import STRANGE, Palette
from vision.patterns import Patch
from vision.regions import LOW_MM, Grid, Mask
from vision.samples import Samples

BARE = 0
"""The board itself, in whatever light or shadow. Colours of the palette follow from 1 on."""
SHADOW = 253
"""Very dark and without colour: a deep shadow, or something black."""
STRANGE_LABEL = 254
"""Neither the board nor any of its pieces."""
UNSEEN = 255
"""Outside of the picture, or bleached."""
_SHADED, _DEEPEST_SHADOW, _BRIGHTEST = -1.3, -1.9, 0.35  # of the logarithm of light
_PALE, _LIT = float(np.log(0.5)), 0.7  # nothing is much brighter than pale paper, but paper that is out of a shadow
_SAME_COLOUR = 0.22  # how much the colours of the board may differ from each other in their change
_SAME_CHROMA = 0.28  # and how much more colourful it may be than any print close by: a mixture is not
_SHIFT_MM = 3  # print that is seen a millimetre off is no change
PATTERN_BLUR_MM = 0.7
_WHITE_MM = 60  # white paper is never farther away than that
_COARSE = 4
_BLEACHED = (240 / 255) ** GAMMA
_LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)


def seen_flat(low: Samples) -> Patch:
    """A board's small picture, to look for patterns in: slightly softened, as known patterns are."""
    return Patch(np.asarray(low.bgr, np.float32), np.zeros(2), 1 / LOW_MM).softened(PATTERN_BLUR_MM)


@dataclass(frozen=True, eq=False)
class CleanLook:
    """A board without pieces, as its small picture shows it."""

    low: Samples

    def prepare(self) -> None:
        """Works out all that is to be known of it, ahead of the first picture."""
        _ = self.bounds, self.flat, self.white, self.chroma, self.is_pale, self.overexposed

    @cached_property
    def bounds(self) -> tuple[Grid, Grid]:
        """The darkest and the brightest that each place may be seen as, without anything having changed."""
        square = np.ones((_SHIFT_MM, _SHIFT_MM), np.uint8)
        return cast(Grid, cv2.erode(self.low.light, square)), cast(Grid, cv2.dilate(self.low.light, square))

    @cached_property
    def flat(self) -> Patch:
        return seen_flat(self.low)

    @cached_property
    def white(self) -> Grid:
        """The light of white paper at each place: the brightest around."""
        height, width = self.low.bgr.shape[:2]
        reach = _WHITE_MM // _COARSE | 1
        smooth = cv2.resize(cv2.blur(self._brightest, (reach, reach)), (width, height), interpolation=cv2.INTER_LINEAR)
        return cast(Grid, np.maximum(smooth, np.float32(0.01)))

    @cached_property
    def is_pale(self) -> Mask:
        """Where the board is nearly as bright as white paper."""
        paler = cv2.subtract(self.low.light, self._log_white)
        return cast(Mask, cv2.transform(paler, np.full((1, 3), 1 / 3, np.float32)) > _PALE)

    @cached_property
    def chroma(self) -> Grid:
        """How colourful the most colourful print close to each place is."""
        square = np.ones((_SHIFT_MM, _SHIFT_MM), np.uint8)
        return cast(Grid, cv2.dilate(self.chroma_of(self.low.light), square))

    def chroma_of(self, light: Grid) -> Grid:
        """How much the colours of each place differ from each other, against white paper."""
        blue, green, red = cv2.split(cv2.subtract(light, self._log_white))
        most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
        return cast(Grid, cv2.subtract(most, least))

    @cached_property
    def _log_white(self) -> Grid:
        return cast(Grid, cv2.log(self.white))

    @cached_property
    def overexposed(self) -> bool:
        """Whether white paper is bleached in this light, and not only where a lamp is mirrored."""
        return bool(np.median(self._brightest) >= _BLEACHED)

    @cached_property
    def _brightest(self) -> Grid:
        """The brightest around each place, coarsely."""
        height, width = self.low.bgr.shape[:2]
        size = max(1, width // _COARSE), max(1, height // _COARSE)
        coarse = cv2.LUT(cv2.resize(self.low.bgr, size, interpolation=cv2.INTER_AREA), _LINEAR)
        reach = _WHITE_MM // _COARSE | 1
        return cast(Grid, cv2.dilate(coarse, np.ones((reach, reach), np.uint8)))


@dataclass(frozen=True, eq=False)
class Labels:
    """By pixel of a board's small picture: what it shows, how well (logarithm) each colour explains it (where it shows
    one), and how much brighter or darker it is than the clean board (logarithm)."""

    shown: Image
    likely: Grid
    level: Grid
    _among: dict[frozenset[int], Image] = field(default_factory=dict)

    def among(self, numbers: frozenset[int]) -> Image:
        """The same where only some colours of the palette may be: another one may look just like one of them."""
        if len(numbers) == self.likely.shape[2]:
            return self.shown
        if numbers not in self._among:
            some = sorted(numbers)
            coloured = (self.shown != BARE) & (self.shown < SHADOW)
            fits = self.likely[coloured][:, some]
            shown = self.shown.copy()
            best = np.array(some, np.uint8)[fits.argmax(axis=1)] + 1 if some else np.zeros(len(fits), np.uint8)
            shown[coloured] = np.where(fits.max(axis=1, initial=-np.inf) > STRANGE, best, STRANGE_LABEL)
            self._among[numbers] = shown
        return self._among[numbers]

    @classmethod
    def of(cls, now: Samples, clean: CleanLook, gain: Gain, palette: Palette) -> "Labels":
        shape = now.bgr.shape[:2]
        lamp = gain.over((shape[0], shape[1]))
        light = cast(Grid, cv2.subtract(now.light, lamp))
        level, apart = _change(light, clean)
        brightest = np.where(clean.is_pale, _LIT, _BRIGHTEST)
        same = (level > _DEEPEST_SHADOW) & (level < brightest) & (apart < _SAME_COLOUR)
        same &= clean.chroma_of(light) < clean.chroma + _SAME_CHROMA
        shown = np.where(same, np.where(level > _SHADED, BARE, SHADOW), STRANGE_LABEL).astype(np.uint8)
        likely = np.zeros((*shape, len(palette)), np.float32)
        changed = np.flatnonzero(shown == STRANGE_LABEL)
        if len(palette) and len(changed):
            pixels, white, gains = (picture.reshape(-1, 3)[changed] for picture in (now.bgr, clean.white, lamp))
            reflected = cv2.LUT(pixels, _LINEAR) / (white * cv2.exp(gains))
            likely.reshape(-1, len(palette))[changed] = fits = palette.likelihoods(np.asarray(reflected, np.float32))
            best = fits.argmax(axis=1)
            shown.reshape(-1)[changed] = np.where(fits.max(axis=1) > STRANGE, best + 1, STRANGE_LABEL)
        _mark_unseen(shown, now, clean)
        return cls(shown, likely, level)


def _change(light: Grid, clean: CleanLook) -> tuple[Grid, Grid]:
    """How much brighter a board is than its clean look, and how much its colours differ in that."""
    darkest, brightest = clean.bounds
    off = cv2.split(cv2.subtract(light, cv2.min(cv2.max(light, darkest), brightest)))
    level = (off[0] + off[1] + off[2]) * np.float32(1 / 3)
    most, least = cv2.max(cv2.max(off[0], off[1]), off[2]), cv2.min(cv2.min(off[0], off[1]), off[2])
    return cast(Grid, level), cast(Grid, cv2.max(cv2.subtract(most, level), cv2.subtract(level, least)))


def _mark_unseen(shown: Image, now: Samples, clean: CleanLook) -> None:
    """What is bleached now, or was before, may be anything; unless it is white paper that was as bright before."""
    blind = (now.says * clean.low.says) == 0
    if blind.any():
        paper = (now.says == 0) & (clean.low.says == 0) & (now.inside is None) & clean.overexposed
        shown[blind & ~paper] = UNSEEN
        shown[paper] = BARE
