"""ArUco markers: draw, detect and measure them with any OpenCV from 4.6 to 5.0.

The only file that touches `cv2.aruco`, whose functions were renamed between these versions. Pixel
coordinates are OpenCV's: (0, 0) is the centre of the top left pixel. A quad is four corners of a
marker's black outline, clockwise from the marker's own top left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

SMALLEST_SIDE_PX = 9.0  # a 4x4 marker is six cells wide: below this a cell is hardly more than a pixel
CELLS = 6
CODE_CELLS = 7  # of a piece's code: five and its border
# How near to each other two outlines may be, in circumferences, and both be looked at: some versions of OpenCV would
# take the edge of the paper around a code for the code otherwise.
_CLOSEST = 0.02
# A picture of noise or of fine texture has millions of outlines. OpenCV 4.10 takes more than a kilobyte for each, and
# every version compares all that have four corners with each other: so there is a limit to both.
_MOST_OUTLINES, _MOST_SQUARES = 60_000, 2_000
_SMALLEST_OUTLINE_PX = 4 * SMALLEST_SIDE_PX
_SMOOTHER_PX = (1.0, 2.0, 4.0, 8.0)
_PATCH_PX, _PATCHES = 64, 5  # how many there are is told from so many patches across and down
_NEARLY_STRAIGHT = 0.03  # in circumferences, as OpenCV has it
GAMMA = 2.2  # cameras encode light v as about v ** (1 / GAMMA)

_LIGHT = (np.arange(256) / 255) ** GAMMA
_DICTIONARIES = {50: "DICT_4X4_50", 100: "DICT_4X4_100", 250: "DICT_4X4_250", 1000: "DICT_4X4_1000"}
_ALONG = np.linspace(0.08, 0.92, 15)  # where a side is probed, in sides; its ends belong to two edges
_ACROSS = np.linspace(-0.15, 0.15, 33)  # how far: just less than the black cell inside and the white one outside
PROFILE_STEP = float(_ACROSS[1] - _ACROSS[0])
_EDGE_HALF_WIDTH = 4  # samples around the steepest one that tell where the edge is


@dataclass(frozen=True, eq=False)
class Marker:
    """A marker seen in a picture. `likeness` is the correlation of its cells with the printed ones (1 is perfect)."""

    id: int
    quad_px: Floats
    likeness: float = 0.0

    @cached_property
    def side_px(self) -> float:
        return float(np.linalg.norm(self.quad_px - np.roll(self.quad_px, 1, axis=0), axis=1).mean())


def draw_marker(marker_id: int, side_px: int) -> Image:
    """A marker's picture, black outline to black outline. Raises ValueError for an id above 999 or a tiny side."""
    if side_px < CELLS or not 0 <= marker_id < max(_DICTIONARIES):
        raise ValueError(f"cannot draw marker {marker_id} {side_px} px wide")
    aruco: Any = cv2.aruco
    draw = aruco.generateImageMarker if hasattr(aruco, "generateImageMarker") else aruco.drawMarker
    return cast(Image, draw(_dictionary(marker_id), marker_id, side_px))


@cache
def code_cells(code: int) -> Floats:
    """The cells of a piece's code (a marker of 5x5_100) with its black border, 7 by 7: 0 is black, 1 white."""
    aruco: Any = cv2.aruco
    draw = aruco.generateImageMarker if hasattr(aruco, "generateImageMarker") else aruco.drawMarker
    codes = aruco.getPredefinedDictionary(aruco.DICT_5X5_100)
    return np.asarray(draw(codes, code, CODE_CELLS), np.float64) / 255


def detect_markers(grey: Image, largest_id: int, quick: bool = False) -> list[Marker]:
    """Every marker with an id up to `largest_id` in a grey picture, corners to about a pixel.

    `quick` takes less than half the time and misses a few of the markers in bad light.
    """
    return [marker for marker in _detected(grey, _dictionary(largest_id), quick) if marker.id <= largest_id]


def detect_codes(grey: Image, quick: bool = False) -> list[Marker]:
    """Every code of a piece in a grey picture, corners to about a pixel; `quick` as for markers.

    A code may be found twice, once with the white around it: the smaller comes last.
    """
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return sorted(_detected(grey, codes, quick, _CLOSEST), key=lambda marker: -marker.side_px)


def _detected(grey: Image, dictionary: Any, quick: bool = False, closest: float | None = None) -> list[Marker]:
    if min(grey.shape) < 2 * SMALLEST_SIDE_PX:
        return []
    aruco: Any = cv2.aruco
    modern = hasattr(aruco, "ArucoDetector")
    settings = aruco.DetectorParameters() if modern else aruco.DetectorParameters_create()
    grey, smallest_px = _calmed(grey)
    settings.minMarkerPerimeterRate = smallest_px / max(grey.shape)
    if quick or smallest_px > _SMALLEST_OUTLINE_PX:
        # One threshold instead of three; of all windows, 11 px misses least.
        settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 11
    if closest is not None:
        settings.minMarkerDistanceRate = closest
    if modern:
        quads, ids, _ = aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    else:
        quads, ids, _ = aruco.detectMarkers(grey, dictionary, parameters=settings)
    if ids is None:
        return []
    found = zip(ids.ravel(), quads, strict=True)
    return [Marker(int(i), quad.reshape(4, 2).astype(np.float64)) for i, quad in found]


def _calmed(grey: Image) -> tuple[Image, float]:
    """The picture as smooth as it must be not to have too many outlines, and how long that of a marker has to be.

    Where there is hardly any noise it is the picture itself. In one full of small squares only markers larger than
    these are looked for.
    """
    smallest_px = _SMALLEST_OUTLINE_PX
    patches = _patches(grey)
    share = patches.size / grey.size
    outlines, smoother_px = _outlines(patches), 0.0
    for smoother_px in _SMOOTHER_PX if len(outlines) > share * _MOST_OUTLINES else ():
        outlines = _outlines(cast(Image, cv2.GaussianBlur(patches, (0, 0), smoother_px)))
        if len(outlines) <= share * _MOST_OUTLINES:
            break
    lengths = (len(outline) for outline in outlines if len(outline) >= smallest_px and _has_four_corners(outline))
    too_many = sorted(lengths, reverse=True)[max(1, round(share * _MOST_SQUARES)) :]
    if smoother_px:
        grey = cast(Image, cv2.GaussianBlur(grey, (0, 0), smoother_px))
    return grey, max([smallest_px, *(length + 1.0 for length in too_many[:1])])


def _patches(grey: Image) -> Image:
    """Parts of a picture from all over it, side by side; a small picture itself."""
    if min(grey.shape) < 2 * _PATCHES * _PATCH_PX:
        return grey
    rows, columns = (np.linspace(0, side - _PATCH_PX, _PATCHES).astype(int) for side in grey.shape)
    return np.vstack([np.hstack([grey[y : y + _PATCH_PX, x : x + _PATCH_PX] for x in columns]) for y in rows])


def _outlines(grey: Image) -> Sequence[Image]:
    """As OpenCV looks for them in the middle one of its three windows."""
    dark = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 13, 7)
    return cast(Sequence[Image], cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0])


def _has_four_corners(outline: Image) -> bool:
    return len(cv2.approxPolyDP(outline, _NEARLY_STRAIGHT * len(outline), True)) == 4


def refine_markers(frame: Image, markers: Sequence[Marker]) -> list[Marker]:
    """The same markers with corners to a fraction of a pixel and their likeness measured.

    Lines are fitted to the four black edges, which must lie within a cell of the given ones; a marker
    that is not really there comes back with a low likeness.
    """
    if not markers:
        return []
    quads = np.stack([marker.quad_px for marker in markers])
    for _ in range(2):  # the second time the probes stand centred on the edge
        quads = _fit_edges(frame, quads)
    likeness = _likeness(frame, quads, [marker.id for marker in markers])
    return [Marker(marker.id, quad, float(like)) for marker, quad, like in zip(markers, quads, likeness, strict=True)]


def edge_profiles(frame: Image, markers: Sequence[Marker]) -> Floats:
    """How light falls across each of the four edges of each marker, (markers, 4, n), white paper first, 0 to 1.

    The steps of a profile are PROFILE_STEP marker sides apart. The markers' corners must be refined.
    """
    quads = np.stack([marker.quad_px for marker in markers])
    return np.asarray(_light_across(frame, _from_unit_square(quads)).mean(axis=2))


@cache
def _dictionary(largest_id: int) -> Any:
    size = next(size for size in _DICTIONARIES if largest_id < size)
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, _DICTIONARIES[size]))


@cache
def _printed_cells(marker_id: int) -> Floats:
    return draw_marker(marker_id, CELLS).ravel() / 255.0


def _fit_edges(frame: Image, quads: Floats) -> Floats:
    to_px = _from_unit_square(quads)
    offset, strength = _steepest_fall(_light_across(frame, to_px))
    lines = _fit_lines(offset, strength)
    corners = np.stack([_meet(lines, side) for side in range(4)], axis=1)
    return _project(to_px, corners)


def _light_across(frame: Image, to_px: Floats) -> Floats:
    """The light at every probe, (markers, sides, along, across).

    Blur mixes light, not the camera's gamma-encoded numbers: in those, black would look half a pixel too small.
    """
    values = _sample(frame, _project(to_px, _edge_probes()))
    return _LIGHT[values].reshape(len(to_px), 4, len(_ALONG), len(_ACROSS))


@cache
def _edge_probes() -> Floats:
    """Points across the unit square's four sides, each row of them from outside to inside."""
    along, across = np.meshgrid(_ALONG, _ACROSS, indexing="ij")
    top = np.stack([along, across], axis=-1)
    sides = [top]
    for _ in range(3):  # a quarter turn clockwise: top, right, bottom, left
        sides.append(np.stack([1 - sides[-1][..., 1], sides[-1][..., 0]], axis=-1))
    return cast(Floats, np.stack(sides).reshape(1, -1, 2))


def _steepest_fall(profiles: Floats) -> tuple[Floats, Floats]:
    """Per profile, where it falls from white to black, and by how much."""
    fall = profiles[..., :-2] - profiles[..., 2:]
    fall = np.maximum(fall[..., :-2] + 2 * fall[..., 1:-1] + fall[..., 2:], 0)
    inner = _ACROSS[2:-2]
    peak = fall.argmax(axis=-1)
    near = np.abs(np.arange(len(inner)) - peak[..., None]) <= _EDGE_HALF_WIDTH
    weight = np.where(near, fall, 0)
    strength = weight.sum(axis=-1)
    return (weight * inner).sum(axis=-1) / np.maximum(strength, 1e-12), strength


def _fit_lines(offset: Floats, strength: Floats) -> Floats:
    """Lines `offset = a + b * along` per marker and side; strays (ink, a finger's edge) lose their weight."""
    weight = strength
    t = _ALONG - 0.5
    for _ in range(4):
        total = np.maximum(weight.sum(axis=-1), 1e-9)
        mean_t = (weight * t).sum(axis=-1) / total
        mean_o = (weight * offset).sum(axis=-1) / total
        dt = t - mean_t[..., None]
        b = (weight * dt * offset).sum(axis=-1) / np.maximum((weight * dt * dt).sum(axis=-1), 1e-9)
        a = mean_o - b * mean_t
        residual = np.abs(offset - a[..., None] - b[..., None] * t)
        spread = np.maximum(np.median(residual, axis=-1, keepdims=True), 0.003)
        weight = strength / (1 + (residual / (2 * spread)) ** 2) ** 2
    return np.stack([a, b], axis=-1)


def _meet(lines: Floats, side: int) -> Floats:
    """The corner where a side begins: it meets the side before it. In the unit square's coordinates."""
    a, b = lines[:, side, 0], lines[:, side, 1]
    before_a, before_b = lines[:, side - 1, 0], lines[:, side - 1, 1]
    # In this side's own frame (u along, v across) the previous side runs down to the corner: there
    # its 'along' is 1 - v and its 'across' is u.
    u = (before_a + before_b * (0.5 - a + 0.5 * b)) / (1 + before_b * b)
    v = a + b * (u - 0.5)
    for _ in range(side):
        u, v = 1 - v, u
    return np.stack([u, v], axis=-1)


def _likeness(frame: Image, quads: Floats, ids: Sequence[int]) -> Floats:
    steps = (np.arange(CELLS)[:, None] + np.array([0.25, 0.5, 0.75])).ravel() / CELLS
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    values = _sample(frame, _project(_from_unit_square(quads), points))
    cells = values.reshape(len(quads), CELLS, 3, CELLS, 3).mean(axis=(2, 4)).reshape(len(quads), -1)
    printed = np.stack([_printed_cells(marker_id) for marker_id in ids])
    cells = cells - cells.mean(axis=1, keepdims=True)
    printed = printed - printed.mean(axis=1, keepdims=True)
    scale = np.linalg.norm(cells, axis=1) * np.linalg.norm(printed, axis=1)
    return cast(Floats, (cells * printed).sum(axis=1) / np.maximum(scale, 1e-9))


def _from_unit_square(quads: Floats) -> Floats:
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.stack([cv2.getPerspectiveTransform(unit, quad.astype(np.float32)) for quad in quads]).astype(np.float64)


def _project(matrices: Floats, points: Floats) -> Floats:
    """Points (k or 1, n, 2) through k homographies."""
    x, y = points[..., 0], points[..., 1]
    rows = [matrices[:, i, 0, None] * x + matrices[:, i, 1, None] * y + matrices[:, i, 2, None] for i in range(3)]
    w = np.where(np.abs(rows[2]) < 1e-9, 1e-9, rows[2])
    return np.stack([rows[0] / w, rows[1] / w], axis=-1)


def _sample(frame: Image, points_px: Floats) -> Image:
    """Grey values at points (k, n, 2); beyond the frame its border goes on."""
    maps = np.clip(points_px, -1e4, 3e4).astype(np.float32)
    values = cv2.remap(frame, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if values.ndim == 3:
        values = cv2.cvtColor(values, cv2.COLOR_BGR2GRAY)
    return cast(Image, values.reshape(points_px.shape[:2]))
