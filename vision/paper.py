"""The kit's own print, as a camera would show it, in place of a clean picture."""

from typing import cast

import cv2
import numpy as np

from vision.light import Gain
from vision.markers import GAMMA, Floats, Image
from vision.pyramid import Pyramid
from vision.rectify import BoardPose
from vision.regions import NEAR, PATCH_PX, Grid, Regions
from vision.samples import BLOWN, DARK, BoardSamples, Net, Samples, remapped, shrinking

_COMPARED = 24  # pixels a side
_BARE_GREY = 4.0  # where print or picture vary less there is nothing to compare
_LIKE_PRINT = 0.8  # how well what is seen has to follow the print
_PRINT_BLURS = (0.4, 0.7, 1.0, 1.4, 2.0)  # how soft a camera may see, in its pixels


def sample_print(picture_bgr: Image, regions: Regions, px_per_mm: float, now: BoardSamples) -> BoardSamples:
    """The kit's own picture of a board as the camera that took `now` would show it, in place of a clean picture."""
    scale = picture_bgr.shape[1] / regions.board.width_mm
    shrunk = shrinking(scale * regions.side_mm * NEAR / PATCH_PX / 2)
    picture = Pyramid(picture_bgr).shrunk(shrunk)
    looks = [
        _as_photographed(_print(picture, regions, scale / shrunk, blur_px / px_per_mm), now, regions)
        for blur_px in _PRINT_BLURS
    ]
    every = np.ones(len(regions.names), bool)
    seen, lights = now.near(every), [look.near(every).light for look in looks]
    # Edges of the print tell how soft the camera sees; what lies between them looks alike in all.
    edges, light = np.abs(lights[0] - lights[-1]) * seen.says[..., None], seen.light
    off = [float((edges * np.abs(light - printed).clip(0, 2)).sum()) for printed in lights]
    return looks[int(np.argmin(off))]


def is_printed(
    frame_bgr: Image, pose: BoardPose, picture_bgr: Image, middle_px: tuple[float, float], px: float
) -> bool:
    """Whether a place in the frame, `px` wide, shows what the kit's own picture of a board has there, in any light."""
    steps_mm = np.linspace(-0.5, 0.5, _COMPARED) * px / pose.px_per_mm
    places_mm = pose.to_board([middle_px])[0] + np.stack(np.meshgrid(steps_mm, steps_mm), axis=-1).reshape(-1, 2)
    fine = pose.px_per_mm * pose.width_mm / picture_bgr.shape[1]
    small = cv2.resize(picture_bgr, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA)
    seen = _grey_at(frame_bgr, pose.to_frame(places_mm))
    printed = _grey_at(cast(Image, small), places_mm * pose.px_per_mm - 0.5)
    if min(seen.std(), printed.std()) < _BARE_GREY:
        return False
    return bool(np.corrcoef(seen, printed)[0, 1] > _LIKE_PRINT)


def _grey_at(picture_bgr: Image, places_px: Floats) -> Floats:
    x, y = places_px.T.astype(np.float32)
    return cast(Floats, np.asarray(cv2.remap(picture_bgr, x, y, cv2.INTER_LINEAR), np.float64).mean(axis=-1).ravel())


def _print(picture: Image, regions: Regions, scale: float, blur_mm: float) -> BoardSamples:
    soft = cast(Image, cv2.GaussianBlur(picture, (0, 0), max(blur_mm * scale, 0.1)))
    where = (regions.near_mm.reshape(-1, PATCH_PX, 2) * scale - 0.5).astype(np.float32)
    near = remapped(soft, Net.of(where, where.reshape(-1, 2), (soft.shape[1], soft.shape[0]), 1))
    low = cast(Image, cv2.resize(soft, regions.low_size, interpolation=cv2.INTER_AREA))
    return _printed(Samples(_unbleached(low)), Samples(_unbleached(near).reshape(-1, PATCH_PX, PATCH_PX, 3)))


def _printed(low: Samples, near: Samples) -> BoardSamples:
    return BoardSamples(low, near.of, near.halved().of)


def _unbleached(printed: Image) -> Image:
    """Print that is white in the file is not bleached on the board."""
    return np.minimum(printed, BLOWN - 1)


def _as_photographed(printed: BoardSamples, now: BoardSamples, regions: Regions) -> BoardSamples:
    """A print in the colours that this camera and light give it."""
    step = max(1, min(now.low.says.shape) // 64)
    grid = slice(None, None, step), slice(None, None, step)
    usable = now.low.says[grid].reshape(-1) > 0
    if usable.sum() < 50:
        return printed
    ink, seen = printed.low.shown[grid].reshape(-1, 3) ** 2, now.low.light[grid]
    factors = np.vstack([np.eye(3), np.zeros(3)])
    for _ in range(3):
        # Light that is uneven over the board is taken out first, by the colours found so far.
        gain = Gain.between(now.low, _mixed(printed.low, factors)).over(now.low.says.shape)[grid]
        factors = _colours(ink[usable], _light(seen - gain).reshape(-1, 3)[usable], factors)
    every = printed.near(np.ones(len(regions.names), bool))
    return _printed(_mixed(printed.low, factors), _mixed(every, factors))


def _mixed(printed: Samples, factors: Floats) -> Samples:
    light = np.clip(printed.shown**2 @ factors[:3] + factors[3], 0, 1)
    return Samples(_unbleached((255 * light ** (1 / GAMMA)).round().astype(np.uint8)))


def _light(logarithm: Grid) -> Grid:
    return cast(Grid, np.maximum(np.exp(logarithm) - DARK, 0))


def _colours(ink: Grid, seen: Grid, factors: Floats) -> Floats:
    """The colour mixture that takes print to what is seen; what does not fit (marks, hands) counts little."""
    known = np.column_stack([ink, np.ones(len(ink))])
    ridge = 1e-3 * len(ink) * np.eye(4)
    start = np.vstack([np.eye(3) * np.median(seen / np.maximum(ink, 0.02)), np.zeros(3)])
    for scale in (0.15, 0.08, 0.05):
        off = np.abs(np.log((np.maximum(known @ factors, 0) + 0.02) / (seen + 0.02))).mean(axis=1)
        weight = 1 / (1 + (off / (2 * scale)) ** 2) ** 2
        weighted = known * weight[:, None]
        factors = np.linalg.solve(weighted.T @ known + ridge, weighted.T @ seen + ridge @ start)
    return cast(Floats, factors)
