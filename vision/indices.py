"""Finds and reads the corner indices of playing cards: rank over suit, wherever they are and however they are turned.

Two small networks that `tools/cards` trains do the looking. The finder sees the picture at scales at which an index is
some 16 pixels high and tells where one is, how high, and which way is up; where it sees cards whose indices are too
small, a finer picture of that place is searched. The reader sees the upright surroundings of one such place and tells
rank and suit, or that it is no index, and where the index really is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Floats, Image
from vision.networks import outputs_of
from vision.pyramid import Pyramid

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
JOKER = "*"
CARDS = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""What an index may say, in the order of `SeenIndex.shares`."""

_TYPICAL_PX, _LARGEST_PX = 16.0, 22.0  # heights of indices at the scale of the finder
_LARGEST_PART = 0.5  # of the picture's longer side that an index may be high
_CELL_PX = 4
_WORTH_READING = 0.3  # heat of the finder
_WORTH_A_LOOK = 0.25  # probability of smaller indices
_WHOLE_PIXELS = 400_000  # a picture that is searched everywhere
_CLOSER_TILES = 24  # of a finer picture that are searched
_BETWEEN = 2**0.5
_COARSEST_PX = 24  # the shorter side of the smallest picture
_TILE_PX, _TILE_RIM_PX = 160, 24  # the rim is what the finder looks at around a place
_FINDER_BATCH = 10
_SAME_PLACE = 0.35  # between two, in heights of the larger
_MOST_PLACES = 80
_READER_BATCH = 16
_CROP_PX, _CROP_HEIGHTS = (48, 64), 1.6
_FINEST_SCALE = 0.6  # of the picture that a crop is taken from
_SAME_DOWN, _SAME_ACROSS = 0.5, 0.33  # between the middles of one index seen twice, in its heights
_ALIKE, _SAME_ALIKE = 0.2, 0.8  # where both say the same: the probability of that, and the distance
_MAYBE_INDEX = 0.01  # probability after the first look
_CLEAR = 0.97  # two looks that are this sure need no third
_ASKEW = (((0.94, -0.08), (0.08, 0.94)), ((1.06, 0.08), (-0.08, 1.06)))  # further looks, turned and larger or smaller
_CERTAINLY = 0.03  # probability of no index, below which one tells how others lie
_HEIGHTS = (0.4, 1.8)  # what the finder may make of an index, in its own height
_MOST_AGAIN = 40  # places
_MOST_CHANGE = 0.6  # of a frame after the first look
_LEAST_BREADTH = 0.3  # of an index as seen to what it is from above
_TEMPERATURE = 1.2  # of the reader's scores, chosen on photographs it had not learned from
_RARITY = 2.0  # logarithm of how much rarer indices are among the places found than in training


_Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class SeenIndex:
    """An index: its middle, the unit vector to its upper end, its height, and what it may say.

    `right` is the vector across it in its heights: as long as `up` and square to it unless the card is seen at a slant.
    `shares` are probabilities: of no index at all, then of each of `CARDS`.
    """

    centre_px: tuple[float, float]
    up: tuple[float, float]
    right: tuple[float, float]
    height_px: float
    shares: Floats

    @property
    def frame(self) -> Floats:
        """A matrix of two columns, across and down, each an index's height as seen there, in pixels."""
        return np.column_stack([self.right, np.negative(self.up)]) * self.height_px


@dataclass(frozen=True)
class _Place:
    """Where an index may be, its frame as that of `SeenIndex`."""

    centre: Floats
    frame: Floats
    heat: float

    @property
    def height(self) -> float:
        return float(np.hypot(*self.frame[:, 1]))


@dataclass(frozen=True)
class _Seen:
    """What the finder tells of one picture: places of indices, and spots near which there are smaller ones."""

    places: list[_Place]
    spots: Floats
    """Rows of x, y and probability."""


def find_indices(
    frame: Pyramid, index_px: tuple[float, float] | None = None, within: Image | None = None
) -> list[SeenIndex]:
    """What may be an index, each once.

    `index_px` is the smallest and the largest height of an index where that is known. `within`, a mask over the picture
    in any resolution, restricts the search to where that is not 0.
    """
    places = _search(frame, index_px) if within is None else _search_within(frame, index_px, within)
    places = _apart(places)[:_MOST_PLACES]
    read = _once(_read(frame, places))
    clear = [index for index in read if index.shares[0] < _CERTAINLY and index.shares.max() > _CLEAR]
    return _once(read + _read(frame, _as_they_lie(places, clear))) if clear else read


# --- where indices may be ---------------------------------------------------------------------


def _search(frame: Pyramid, index_px: tuple[float, float] | None) -> list[_Place]:
    """Coarse pictures everywhere, finer ones only where the coarser showed something small."""
    height, width = frame.bgr.shape[:2]
    smallest, largest = index_px or (0.0, _LARGEST_PART * max(height, width))
    places: list[_Place] = []
    spots = np.zeros((0, 3))
    for times in _scales(min(largest / _LARGEST_PX, min(height, width) / _COARSEST_PX)):
        if times > 1 and times * _LARGEST_PX < smallest:
            break
        if height * width / times**2 <= _WHOLE_PIXELS:
            seen = _looked(_shrunk(frame, times)[None], np.zeros((1, 2)))
        elif times.is_integer():
            seen = _looked_closer(frame.shrunk(int(times)), spots / (times, times, 1))
        else:
            continue
        places += [replace(place, centre=place.centre * times, frame=place.frame * times) for place in seen.places]
        spots = seen.spots * (times, times, 1)
    return places


def _scales(most: float) -> Iterator[float]:
    """How many times smaller the pictures to search are, from the smallest on: half as many pixels each time."""
    for step in range(max(0, ceil(2 * log2(max(most, 1.0)))), -1, -1):
        yield 2.0 ** (step // 2) * (_BETWEEN if step % 2 else 1.0)


def _shrunk(frame: Pyramid, times: float) -> Image:
    whole = 2 ** int(log2(times))
    picture = frame.shrunk(whole)
    if times == whole:
        return picture
    size = (max(1, round(picture.shape[1] * whole / times)), max(1, round(picture.shape[0] * whole / times)))
    return cast(Image, cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR))


def _search_within(frame: Pyramid, index_px: tuple[float, float] | None, mask: Image) -> list[_Place]:
    """The same for parts of the frame, each searched as a picture of its own."""
    height, width = frame.bgr.shape[:2]
    grow = np.array([width / mask.shape[1], height / mask.shape[0]])
    places: list[_Place] = []
    for left, top, across, down, _ in cv2.connectedComponentsWithStats(mask)[2][1:].tolist():
        # With a rim, as the finder wants to see what is around an index.
        rim = _TILE_RIM_PX + max(across * grow[0], down * grow[1]) / 16
        x0, y0 = np.floor(np.array([left, top]) * grow - rim).clip(0).astype(int).tolist()
        x1, y1 = np.ceil(np.array([left + across, top + down]) * grow + rim).astype(int).tolist()
        part = _search(Pyramid(frame.bgr[y0:y1, x0:x1]), index_px)
        places += [replace(place, centre=place.centre + np.array([x0, y0])) for place in part]
    spots = [(place.centre / grow).astype(int).clip(0, np.array(mask.shape[::-1]) - 1) for place in places]
    return [place for place, (x, y) in zip(places, spots, strict=True) if mask[y, x]]


def _looked_closer(picture: Image, spots: Floats) -> _Seen:
    """The most promising tiles of a picture."""
    core = _TILE_PX - 2 * _TILE_RIM_PX
    hope: dict[tuple[int, int], float] = {}
    for x, y, likely in spots.tolist():
        tile = int(x // core), int(y // core)
        hope[tile] = max(hope.get(tile, 0.0), likely)
    best = sorted(hope, key=lambda tile: -hope[tile])[:_CLOSER_TILES]
    corners = np.array(best, float).reshape(-1, 2) * core - _TILE_RIM_PX
    seen = [
        _looked(np.stack([_tile(picture, corner) for corner in batch]), batch)
        for batch in (corners[start : start + _FINDER_BATCH] for start in range(0, len(corners), _FINDER_BATCH))
    ]
    places = [place for part in seen for place in part.places]
    return _Seen(places, np.vstack([np.zeros((0, 3)), *(part.spots for part in seen)]))


def _tile(picture: Image, corner: Floats) -> Image:
    """A tile of the picture; beyond its edge the last pixels go on."""
    left, top = corner.astype(int).tolist()
    inside = picture[max(top, 0) : top + _TILE_PX, max(left, 0) : left + _TILE_PX]
    above, before = max(-top, 0), max(-left, 0)
    below, behind = _TILE_PX - above - inside.shape[0], _TILE_PX - before - inside.shape[1]
    return cast(Image, cv2.copyMakeBorder(inside, above, below, before, behind, cv2.BORDER_REPLICATE))


def _looked(pictures: Image, corners: Floats) -> _Seen:
    """What the finder tells of pictures of one size whose corners lie at these places."""
    height, width = pictures.shape[1:3]
    padded = np.pad(pictures, ((0, 0), (0, -height % 8), (0, -width % 8), (0, 0)), "edge")
    outputs = outputs_of("cards_finder.onnx", padded)
    count, rows, columns = len(outputs), *outputs.shape[2:]
    # Four quarters of each 8 x 8 pixels come as channels.
    maps = outputs[:, :16].reshape(count, 4, 2, 2, rows, columns).transpose(1, 0, 4, 2, 5, 3)
    maps = maps.reshape(4, count, rows * 2, columns * 2)
    heat = 1 / (1 + np.exp(-maps[0]))
    highest = np.stack([cv2.dilate(each, np.ones((3, 3), np.uint8)) for each in heat])
    number, y, x = np.nonzero((heat == highest) & (heat > _WORTH_READING))
    centres = np.column_stack([x, y]) * _CELL_PX + (_CELL_PX - 1) / 2 + corners[number]
    heights = _TYPICAL_PX * np.exp(maps[1, number, y, x].clip(-1.0, 1.0))
    ups = maps[2:, number, y, x].T
    up_x, up_y = (ups / np.hypot(*ups.T)[:, None].clip(1e-6)).T * heights
    frames = np.array([[-up_y, -up_x], [up_x, -up_y]]).transpose(2, 0, 1)
    places = [_Place(*each) for each in zip(centres, frames, heat[number, y, x].tolist(), strict=True)]
    closer = 1 / (1 + np.exp(-outputs[:, 16]))
    number, y, x = np.nonzero(closer > _WORTH_A_LOOK)
    middles = (np.column_stack([x, y]) + 0.5) * 2 * _CELL_PX + corners[number]
    return _Seen(places, np.column_stack([middles, closer[number, y, x]]))


def _apart(places: list[_Place]) -> list[_Place]:
    """The hottest places, each index once although tiles and scales overlap."""
    places = sorted(places, key=lambda place: -place.heat)
    middles, heights = np.array([place.centre for place in places]), np.array([place.height for place in places])
    free = np.ones(len(places), bool)
    kept: list[_Place] = []
    for number, place in enumerate(places):
        if free[number]:
            kept.append(place)
            away = np.hypot(*(middles - place.centre).T)
            free &= away >= _SAME_PLACE * np.maximum(heights, heights[number])
    return kept


# --- what they say ----------------------------------------------------------------------------


def _read(frame: Pyramid, places: list[_Place]) -> list[SeenIndex]:
    """The indices among the places, after two looks at each, the second straight at where the first saw it."""
    first = _scored(frame, places)
    likely = [number for number, each in enumerate(first) if _shares(each)[0] < 1 - _MAYBE_INDEX]
    nearer = [_corrected(places[number], first[number]) for number in likely]
    opinions = [[first[number], again] for number, again in zip(likely, _scored(frame, nearer), strict=True)]
    # Where that is not clear, further looks from a little askew are other opinions about the same print.
    unclear = [number for number, each in enumerate(opinions) if _shares(np.mean(each, axis=0)).max() < _CLEAR]
    for change in _ASKEW:
        askew = [replace(nearer[number], frame=nearer[number].frame @ change) for number in unclear]
        for number, outputs in zip(unclear, _scored(frame, askew), strict=True):
            opinions[number].append(outputs)
    return [_seen(place, np.mean(each, axis=0)) for place, each in zip(nearer, opinions, strict=True)]


def _as_they_lie(places: list[_Place], clear: list[SeenIndex]) -> list[_Place]:
    """The places at which nothing clear was seen, as if there were an index of the same pack on the same table.

    Where a plane is seen from far away, the frames of equal things that lie on it differ by a turn on that plane alone:
    each times its transpose is the same. It changes slowly over the picture.
    """
    middles = np.array([index.centre_px for index in clear])
    planes = np.array([index.frame @ index.frame.T for index in clear])
    heights = np.array([index.height_px for index in clear])
    again = []
    for place in places:
        away = np.hypot(*(middles - place.centre).T)
        plane = np.average(planes, axis=0, weights=1 / (away + heights) ** 2)
        near_size = _HEIGHTS[0] < place.height / np.linalg.det(plane) ** 0.25 < _HEIGHTS[1]
        if near_size and not (away < _SAME_DOWN * heights).any():
            again.append(replace(place, frame=_turned_on(plane, place.frame)))
    return again[:_MOST_AGAIN]


def _turned_on(plane: Floats, frame: Floats) -> Floats:
    """The frame of an index on a plane, turned there so that its way down is that of another frame."""
    values, vectors = np.linalg.eigh(plane)
    root = vectors @ np.diag(np.sqrt(values.clip(1e-6))) @ vectors.T
    down = np.linalg.solve(root, frame[:, 1])
    angle = np.arctan2(-down[0], down[1])
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(root @ np.array([[cos, -sin], [sin, cos]]))


def _seen(place: _Place, outputs: _Scores) -> SeenIndex:
    (right_x, down_x), (right_y, down_y) = (place.frame / place.height).tolist()
    x, y = place.centre.tolist()
    return SeenIndex((x, y), (-down_x, -down_y), (right_x, right_y), place.height, _shares(outputs))


def _once(seen: list[SeenIndex]) -> list[SeenIndex]:
    """The likeliest indices, without others that were seen at nearly the same place."""
    kept: list[SeenIndex] = []
    for index in sorted(seen, key=lambda index: float(index.shares[0])):
        if not any(_covers(other, index) for other in kept):
            kept.append(index)
    return kept


def _covers(index: SeenIndex, other: SeenIndex) -> bool:
    """Whether the middle of another one lies within an index; that of its neighbour in a fan does not."""
    x, y = np.subtract(other.centre_px, index.centre_px) / max(index.height_px, other.height_px)
    up_x, up_y = index.up
    if float(index.shares[1:] @ other.shares[1:]) > _ALIKE:
        return bool(np.hypot(x, y) < _SAME_ALIKE)
    return bool(abs(x * up_x + y * up_y) < _SAME_DOWN and abs(x * up_y - y * up_x) < _SAME_ACROSS)


def _scored(frame: Pyramid, places: list[_Place]) -> list[_Scores]:
    """The reader's outputs for each place."""
    outputs: list[_Scores] = []
    for start in range(0, len(places), _READER_BATCH):
        crops = np.stack([_crop(frame, place) for place in places[start : start + _READER_BATCH]])
        outputs += list(outputs_of("cards_reader.onnx", crops)[:, :, 0, 0])
    return outputs


def _crop(frame: Pyramid, place: _Place) -> Image:
    """The box around a place, straightened, as the reader wants it; beyond the frame its last pixels go on."""
    linear = np.linalg.inv(place.frame) * _CROP_PX[1] / _CROP_HEIGHTS
    times = 1
    while abs(np.linalg.det(linear)) * times**2 < _FINEST_SCALE**2:
        times *= 2
    middle = (np.array(_CROP_PX) - 1) / 2
    warp = np.column_stack([linear * times, middle - linear @ place.centre])
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return cast(Image, cv2.warpAffine(frame.shrunk(times), warp, _CROP_PX, flags=flags, borderMode=border))


def _corrected(place: _Place, outputs: _Scores) -> _Place:
    """The place where the reader says that the index is, and how slanted."""
    shift, change = outputs[-6:-4].clip(-0.5, 0.5), outputs[-4:].reshape(2, 2).clip(-_MOST_CHANGE, _MOST_CHANGE)
    changed = place.frame @ (np.eye(2) + change)
    possible = _LEAST_BREADTH < np.linalg.det(changed) / np.sum(changed[:, 1] ** 2) < 1 / _LEAST_BREADTH
    return replace(place, centre=place.centre + place.frame @ shift, frame=changed if possible else place.frame)


def _shares(outputs: _Scores) -> Floats:
    """Probabilities of no index, and of each of `CARDS`."""
    ranks = outputs[: len(RANKS) + 2] / _TEMPERATURE
    ranks[0] += _RARITY
    ranks, suits = _softmax(ranks), _softmax(outputs[len(RANKS) + 2 :][: len(SUITS)] / _TEMPERATURE)
    return np.concatenate([ranks[:1], np.outer(ranks[1:-1], suits).ravel(), ranks[-1:]])


def _softmax(values: _Scores) -> Floats:
    raised = np.exp(values - values.max())
    return np.asarray(raised / raised.sum(), np.float64)
