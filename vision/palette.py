"""The colours of pieces: how well each explains the light that a place sends back, against white paper.

Light and shade, a slight gloss and the haze of a lens change a colour along lines that physics knows; all
that is asked of a pixel is how far it is from such a line.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import cast

import numpy as np

from vision.catalogue import Bgr, Look, PieceKind
from vision.markers import GAMMA, Floats
from vision.regions import Grid

FLOOR = 0.04  # of white paper: less light than that is more noise than colour
STRANGE = -4.5
"""How well (logarithm) a colour explains what is three standard deviations off: worse is some other thing."""
GREY, BLACK = 40.0, 50.0  # how much the channels of a colour differ at most that is none; and the brightest black
_SHADES = (0.28, 0.4, 0.58, 0.82, 1.15)  # how much light falls on a side or top, against the board
_HAZES = (0.0, 0.03, 0.07, 0.16, 0.26)  # what gloss, lens and room add to that
_GLOSSY, _RARE = 0.1, 2.5  # more haze than that is rarer; skin would look like it
_SPREAD = 0.22  # standard deviation of the logarithm: pieces of one colour differ, and so do cameras
LEARNED_SPREAD = 0.1  # at least, for what was learned from a picture: light is never quite the same
_PAPER = 0.82  # of all light comes back from white paper
_STEPS = 30
_LOWEST, _STEP = float(np.log(FLOOR)), 0.12


class Palette:
    """The distinct colours of a kit's pieces, by number; `number` tells that of a kind."""

    def __init__(self, kinds: Iterable[PieceKind]) -> None:
        looks: dict[Bgr | Look, int] = {}
        self.number: dict[str, int] = {}
        for kind in kinds:
            look = kind.look or kind.colour_bgr
            if look is not None and (isinstance(look, Look) or _has_colour(look)):
                self.number[kind.id] = looks.setdefault(look, len(looks))
        self._looks = tuple(looks)
        _table(self._looks)  # ahead of the first picture

    def __len__(self) -> int:
        return len(self._looks)

    def likelihoods(self, reflected: Grid) -> Grid:
        """By pixel (n × 3: the share of white paper's light, BGR) the logarithm for every colour (n × colours)."""
        steps = ((np.log(reflected + np.float32(FLOOR)) - _LOWEST) / _STEP).clip(0, _STEPS - 1).astype(np.int32)
        return cast(Grid, _table(self._looks)[(steps[:, 0] * _STEPS + steps[:, 1]) * _STEPS + steps[:, 2]])


def coloured(kinds: Iterable[PieceKind], palette: Palette) -> list[PieceKind]:
    """Those that can be told by their colour."""
    return [kind for kind in kinds if kind.id in palette.number]


@lru_cache(maxsize=8)
def _table(looks: tuple[Bgr | Look, ...]) -> Grid:
    """The answers for all colours of pixels, in steps: looking up is much quicker than working out."""
    axis = _LOWEST + (np.arange(_STEPS) + 0.5) * _STEP
    pixels = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    # One pixel that is quite another thing (a glint, a sign) says no more than that.
    rows = [np.maximum(_fit(pixels, look), 2 * STRANGE) for look in looks]
    return np.stack(rows, axis=1).astype(np.float32) if rows else np.zeros((len(pixels), 0), np.float32)


def _has_colour(bgr: Bgr) -> bool:
    """Grey and white look like paper in some shadow; nothing that is black does."""
    return max(bgr) - min(bgr) > GREY or max(bgr) < BLACK


def _fit(pixels: Floats, look: Bgr | Look) -> Floats:
    if isinstance(look, Look):
        off = pixels - np.array(look.mean)
        spread = np.array(look.covariance) + LEARNED_SPREAD**2 * np.eye(3)
        # What may look like many things says less about each; as wide as a nominal colour it says as much.
        wide = 0.5 * np.log(np.linalg.det(spread) / _SPREAD**6)
        return np.asarray(-0.5 * np.einsum("ni,ij,nj->n", off, np.linalg.inv(spread), off) - max(wide, 0.0))
    albedo = (np.array(look) / 255) ** GAMMA / _PAPER
    best = np.full(len(pixels), -np.inf)
    for shade in _SHADES:
        for haze in _HAZES:
            off = pixels - np.log(shade * (albedo + haze) + FLOOR)
            best = np.maximum(best, -0.5 * (off**2).sum(axis=1) / _SPREAD**2 - _RARE * (haze > _GLOSSY))
    return best
