"""A board now and the same board clean: what changed, the change of the light taken out. Ink is what remains."""

from functools import cached_property
from typing import cast

import cv2
import numpy as np

from vision.light import Gain
from vision.markers import Floats, Image
from vision.regions import LOW_MM, PATCH_PX, Grid, Mask, Regions
from vision.samples import BoardSamples, Samples

CHANNELS = 11
_CALM, _CALM_MM = 0.2, 5  # print that changed by less, over so many pixels of the small picture, is bare
_ALIKE = 30  # grey levels between white and bleached
_FINE_MM = 5  # finer print than that is no sign of a die
_REACH_MM = 9  # nearly half a die to each side


class Change:
    """What changed on a board between its clean look and now, the change of the light taken out."""

    def __init__(self, now: BoardSamples, clean: BoardSamples, regions: Regions) -> None:
        self._now, self._clean, self.regions = now, clean, regions
        self.gain = Gain.between(now.low, clean.low)

    def glances(self, chosen: Mask) -> Grid:
        """Some regions as the first, quick network wants them: what is near, at half the size."""
        return self._compared(self._now.glance(chosen), self._clean.glance(chosen), chosen)

    def inputs(self, chosen: Mask) -> Grid:
        """Some regions as the network for marks wants them: (regions, CHANNELS, PATCH_PX, PATCH_PX)."""
        near = self._compared(self._now.near(chosen), self._clean.near(chosen), chosen)
        return np.concatenate([near[:, :4], self._wide(chosen).transpose(0, 3, 1, 2), near[:, 4:]], axis=1)

    def _compared(self, now: Samples, clean: Samples, chosen: Mask) -> Grid:
        """By region: how its light changed, where that can be told, and how it looks when clean; channels first."""
        says = now.says * clean.says
        change = now.light_planes - clean.light_planes
        change -= self.gain.at(self.regions.middles_mm[chosen]).T[..., None, None]
        change *= says
        compared = np.empty((len(says), 7, *says.shape[1:]), np.float32)
        compared[:, :3] = np.clip(change, -3, 3, out=change).swapaxes(0, 1)
        compared[:, 3] = says
        compared[:, 4:] = clean.shown_planes.swapaxes(0, 1)
        return compared

    def bare(self, free_mm: Floats) -> Image:
        """Where no die lies on the board, in its small picture: 1 where it shows nothing but its print, not even at
        the edge of a die, and within the outlines (… × 4 × 2) that are known to be free."""
        # Print that is seen a fraction of a millimetre off is darker on one side and brighter on the other.
        even = np.abs(cv2.blur(self._low, (_FINE_MM, _FINE_MM)))
        off = cv2.transform(even, np.full((1, 4), 1 / 3, np.float32) * (1, 1, 1, 0))
        calm = (cv2.blur(off, (_CALM_MM, _CALM_MM)) < _CALM) & self._comparable
        bare = cast(Image, cv2.erode(calm.astype(np.uint8), np.ones((_REACH_MM, _REACH_MM), np.uint8)))
        for outline in (free_mm / LOW_MM - 0.5).round().astype(np.int32):
            cv2.fillConvexPoly(bare, outline, (1,))
        return bare

    @property
    def _comparable(self) -> Mask:
        """Where both small pictures say something, or are both bleached, or nearly so: there they are alike."""
        now, clean = self._now.low, self._clean.low
        alike = now.says == clean.says
        if not alike.all():
            alike |= cv2.absdiff(now.bgr, clean.bgr).max(axis=2) < _ALIKE
        return np.asarray(alike, bool)

    @cached_property
    def _low(self) -> Grid:
        """The change of the whole board, small, and which pixels of it say something."""
        says = self._now.low.says * self._clean.low.says
        change = cv2.subtract(cv2.subtract(self._now.low.light, self._clean.low.light), self.gain.over(says.shape))
        return cast(Grid, cv2.merge([*(cv2.multiply(colour, says) for colour in cv2.split(change)), says]))

    def _wide(self, chosen: Mask) -> Grid:
        if not chosen.any():
            return np.empty((0, PATCH_PX, PATCH_PX, 4), np.float32)
        first, second = (part[chosen].reshape(-1, *part.shape[2:]) for part in self.regions.wide_low_px)
        wide = cv2.remap(self._low, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return cast(Grid, np.clip(np.asarray(wide).reshape(-1, PATCH_PX, PATCH_PX, 4), -3, 3))
