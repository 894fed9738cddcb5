"""Reads pip dice in any picture: where each lies, its value, and how sure that is.

Two small networks that `tools/dice` trains do the looking. The finder sees the picture at scales at which dice are some
24 pixels wide and tells where the middle of a top face may be; where it sees dice that are too small for it, a finer
picture of that place is searched. The reader sees the surroundings of one such place and tells the value, or that it is
no die, and where the die really is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log, log2, sqrt
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Floats, Image
from vision.networks import outputs_of
from vision.pyramid import Pyramid

SMALLEST_DIE_PX = 16.0
"""Below this width the pips of a six run together."""
MOST_FINDER_PIXELS = 13_000_000
"""Larger pictures are made smaller: their dice are large enough."""

_SMALLEST_PX, _TYPICAL_PX, _LARGEST_PX = 15.0, 24.0, 36.0  # widths of dice at the scale of the finder
_SMALLEST_HINTED_PX = 14.5  # a hint is a safe range: dice at its very end are rare, and larger pictures slow
_WORTH_READING = 0.3  # heat of the finder
_WORTH_A_LOOK = 0.25  # probability of smaller dice
_WHOLE_PIXELS = 350_000  # a picture that is searched everywhere, if nobody knows how wide dice are
_FINER = 2.4  # at most, from one picture to the next finer one
_CLOSER_TILES = 10  # of a finer picture that are searched
_CLOSER_PX, _CLOSER_RIM_PX = 160, 24
_HINT_SLACK = 1.3  # the finder's widths are rough
_STEP = 1.7  # from one scale to the next: crowded dice are found best near their typical width
_TILE_PX, _TILE_RIM_PX = 480, 40  # the rim is what the finder looks at around a place; larger tiles leave the cache
_SPOT_PX, _SPOT_RIM_PX = 128, 32  # where only some spots of a picture are searched
_BATCH_PIXELS = 200_000
_CELL_PX = 4
_FLAT = 10  # grey levels between the darkest and the brightest of a tile without dice
_MOST_PLACES = 300
_READER_PX = 64
_READER_EDGES = 2.2
_READER_BATCH = 16
_FINEST_SCALE = 0.6  # of the picture that a crop is taken from
_MAYBE_DIE = 0.1  # probability after the first look
_IS_DIE = 0.5
_RARITY, _USUAL_PLACES = 3.2, 12  # logarithm of how much rarer dice are among so many places than in training
_PATTERN = (
    0.42  # many more places mean a pattern that looks like dice, and as much rarer ones; its places are all alike
)
_SAME_DIE = 0.5  # two middles closer than so many edges of the larger
_SIMILAR = 0.5  # widths within a factor of 1.6
_STRANGER = 0.02  # odds of a die of quite another width than the others
_TOUCHING = 0.62  # touching dice are at least so many edges apart, even at a slant

_Box = tuple[int, int, int, int]  # left, top, right, bottom
_Turn = tuple[float, bool]  # turned by so many degrees, and mirrored
_TURNS: tuple[_Turn, ...] = ((0.0, True), (10.0, False), (-10.0, True))
_CLEAR = 0.9  # two looks that agree on a value this surely need no third
_Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class SeenDie:
    """A die: the value of its top face, the probability that all of this is right, and where that face is.

    `centre_px` is the middle of the top face, `edge_px` the width of the die and `radius_px` half the diagonal of
    its top face as if seen from straight above. `board` and `region` tell the place for dice that it lies on, if any.
    """

    value: int
    confidence: float
    centre_px: tuple[float, float]
    edge_px: float
    board: str | None = None
    region: str | None = None

    @property
    def radius_px(self) -> float:
        return self.edge_px / sqrt(2)


@dataclass(frozen=True)
class _Place:
    """Where a die may be."""

    x: float
    y: float
    edge: float
    heat: float


@dataclass(frozen=True)
class _Found:
    """What the finder tells at one scale: places of top faces, and spots near which there are smaller dice."""

    places: list[_Place]
    spots: Floats
    """Rows of x, y and probability."""


def read_dice(
    frame_bgr: Image, die_px: tuple[float, float] | None = None, within: Image | None = None
) -> tuple[SeenDie, ...]:
    """Every die of a picture, the surest first.

    `die_px` is the smallest and the largest width a die can have in it, where that is known: the search is then
    much faster. `within`, a mask over the picture in any resolution, restricts it to where that is not 0.
    """
    return find_dice(Pyramid(frame_bgr), die_px, within)


def find_dice(
    frame: Pyramid, die_px: tuple[float, float] | None = None, within: Image | None = None
) -> tuple[SeenDie, ...]:
    """The same for a frame whose smaller pictures others need as well."""
    places = _searched(frame, die_px, within) if die_px or within is not None else _coarse_first(frame)
    if die_px:
        smallest, largest = die_px[0] / _HINT_SLACK, die_px[1] * _HINT_SLACK
        places = [place for place in places if smallest < place.edge < largest]
    return _without_doubles(_of_one_size(_judged(frame, _apart(places))))


# --- where dice may be ------------------------------------------------------------------------


def _scales(frame: Image, die_px: tuple[float, float] | None) -> list[float]:
    """The scales at which every die has a width that the finder knows."""
    height, width = frame.shape[:2]
    smallest, largest = die_px or (SMALLEST_DIE_PX, float(max(height, width)))
    wanted = _SMALLEST_HINTED_PX if die_px else _SMALLEST_PX
    first = min(wanted / max(smallest, 1.0), (MOST_FINDER_PIXELS / (height * width)) ** 0.5, 1.5)
    count = 1 + max(0, ceil(log2(max(largest, 1.0) * first / _LARGEST_PX) / log2(_STEP)))
    return [first / _STEP**step for step in range(count)]


def _searched(frame: Pyramid, die_px: tuple[float, float] | None, mask: Image | None) -> list[_Place]:
    """Places of top faces at all scales, all over the frame or where a mask is not 0."""
    places: list[_Place] = []
    for scale in _scales(frame.bgr, die_px):
        places += _find(frame, scale, _boxes(_size_at(frame, scale), mask)).places
    return [place for place in places if mask is None or _covers(mask, place, frame.bgr.shape)]


def _coarse_first(frame: Pyramid) -> list[_Place]:
    """The same: coarse pictures everywhere, finer ones only where the coarser showed something small."""
    height, width = frame.bgr.shape[:2]
    finest = _scales(frame.bgr, None)[0]
    whole = min(finest, (_WHOLE_PIXELS / (height * width)) ** 0.5)
    coarser = ceil(log2(max(height, width) * whole / _LARGEST_PX) / log2(_STEP))
    finer = ceil(log(finest / whole) / log(_FINER))
    places: list[_Place] = []
    for step in range(coarser, -1, -1):
        scale = whole / _STEP**step
        found = _find(frame, scale, list(_tiles(_size_at(frame, scale))))
        places += found.places
    for step in range(1, finer + 1):
        scale = whole * (finest / whole) ** (step / finer)
        found = _find(frame, scale, _promising(found.spots * (scale, scale, 1)))
        places += found.places
    return places


def _size_at(frame: Pyramid, scale: float) -> tuple[int, int]:
    height, width = frame.bgr.shape[:2]
    return max(round(width * scale), 8), max(round(height * scale), 8)


def _promising(spots: Floats) -> list[_Box]:
    """The tiles of a picture in which smaller dice are most likely, given how likely they are at which spots."""
    core = _CLOSER_PX - 2 * _CLOSER_RIM_PX
    hope: dict[tuple[int, int], float] = {}
    for x, y, likely in spots.tolist():
        tile = int(x // core), int(y // core)
        hope[tile] = max(hope.get(tile, 0.0), likely)
    corners = np.array(sorted(hope, key=lambda tile: -hope[tile])[:_CLOSER_TILES], int).reshape(-1, 2) * core
    return [(x, y, x + _CLOSER_PX, y + _CLOSER_PX) for x, y in (corners - _CLOSER_RIM_PX).tolist()]


def _find(frame: Pyramid, scale: float, boxes: list[_Box]) -> _Found:
    """Places of top faces, and spots with smaller dice, in boxes of one size of the frame at one scale."""
    size = _size_at(frame, scale)
    ratio = np.array([frame.bgr.shape[1] / size[0], frame.bgr.shape[0] / size[1]])
    places, spots = list[_Place](), [np.zeros((0, 3))]
    pictures = [_cut(frame, box, ratio) for box in boxes]
    seen = [number for number, picture in enumerate(pictures) if np.ptp(picture[::4, ::4]) > _FLAT]
    count = max(1, _BATCH_PIXELS // ((boxes[0][2] - boxes[0][0]) * (boxes[0][3] - boxes[0][1]))) if boxes else 1
    for start in range(0, len(seen), count):
        batch = seen[start : start + count]
        corners = np.array([boxes[number][:2] for number in batch])
        peaks, smaller = _looked(np.stack([pictures[number] for number in batch]))
        places += [_place(peak, corners[int(peak[0])], ratio) for peak in peaks]
        spots.append(np.column_stack([(smaller[:, 1:3] + corners[smaller[:, 0].astype(int)]) * ratio, smaller[:, 3]]))
    return _Found(places, np.vstack(spots))


def _boxes(size: tuple[int, int], mask: Image | None) -> list[_Box]:
    """The boxes of a picture to search, all of one size."""
    spots = [] if mask is None else list(_spots(size, mask))
    if mask is None or len(spots) * _SPOT_PX**2 > size[0] * size[1] / 2:
        return list(_tiles(size))
    return spots


def _spots(size: tuple[int, int], mask: Image) -> Iterator[_Box]:
    """Small boxes of equal size around all that is asked for; they may reach over the edge of the picture."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    grow = np.array([size[0] / mask.shape[1], size[1] / mask.shape[0]])
    core = _SPOT_PX - 2 * _SPOT_RIM_PX
    for left, top, across, down, _ in stats[1:].tolist():
        first, last = np.array([left, top]) * grow, np.array([left + across, top + down]) * grow
        counts = np.ceil((last - first) / core).astype(int)
        for row in range(counts[1]):
            for column in range(counts[0]):
                middle = first + (last - first) * (np.array([column, row]) + 0.5) / counts
                x, y = (middle - _SPOT_PX / 2).round().astype(int).tolist()
                yield x, y, x + _SPOT_PX, y + _SPOT_PX


def _cut(frame: Pyramid, box: _Box, ratio: Floats) -> Image:
    """A box of the frame at another scale; beyond its edge its last pixels go on.

    Halving as often as possible first takes a tenth of the time of averaging at once.
    """
    times = 1
    while 2 * times <= ratio.min():
        times *= 2
    linear = np.diag(ratio / times)
    # Pixels have their whole numbers at their centres.
    first = (np.array(box[:2]) + 0.5) * ratio / times - 0.5
    warp = np.column_stack([linear, first])
    size = (box[2] - box[0], box[3] - box[1])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cast(Image, cv2.warpAffine(frame.shrunk(times), warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _covers(mask: Image, place: _Place, shape: tuple[int, ...]) -> bool:
    row, column = int(place.y * mask.shape[0] / shape[0]), int(place.x * mask.shape[1] / shape[1])
    return 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1] and bool(mask[row, column])


def _tiles(size: tuple[int, int]) -> Iterator[_Box]:
    """Boxes that cover a picture and overlap by a rim, as equal as can be: networks dislike new sizes."""
    spans = []
    for length in size:
        count = max(1, ceil((length - 2 * _TILE_RIM_PX) / (_TILE_PX - 2 * _TILE_RIM_PX)))
        side = min(length, ceil((length + 2 * _TILE_RIM_PX * (count - 1)) / count))
        starts = np.linspace(0, length - side, count).round().astype(int)
        spans.append([(int(start), int(start) + side) for start in starts])
    for top, bottom in spans[1]:
        for left, right in spans[0]:
            yield left, top, right, bottom


def _looked(tiles: Image) -> tuple[Floats, Floats]:
    """Rows of the tile's number, x, y, edge and heat; and of number, x, y and probability of smaller dice."""
    height, width = tiles.shape[1:3]
    padded = np.pad(tiles, ((0, 0), (0, -height % 8), (0, -width % 8), (0, 0)), "edge")
    scores = outputs_of("dice_finder.onnx", padded)
    count, rows, columns = len(scores), *scores.shape[2:]
    # Four quarters of each 8 x 8 pixels come as channels.
    maps = scores[:, :8].reshape(count, 2, 2, 2, rows, columns).transpose(1, 0, 4, 2, 5, 3)
    maps = maps.reshape(2, count, rows * 2, columns * 2)
    heat, log_edge = 1 / (1 + np.exp(-maps[0])), maps[1]
    highest = np.stack([cv2.dilate(each, np.ones((3, 3), np.uint8)) for each in heat])
    number, y, x = np.nonzero((heat == highest) & (heat > _WORTH_READING))
    edge = _TYPICAL_PX * np.exp(log_edge[number, y, x].clip(-1.0, 1.0))
    where = [(x + 0.5) * _CELL_PX - 0.5, (y + 0.5) * _CELL_PX - 0.5]
    peaks = np.column_stack([number, *where, edge, heat[number, y, x]]).astype(np.float64)
    closer = 1 / (1 + np.exp(-scores[:, 8]))
    number, y, x = np.nonzero(closer > _WORTH_A_LOOK)
    spots = [number, (x + 0.5) * 2 * _CELL_PX, (y + 0.5) * 2 * _CELL_PX, closer[number, y, x]]
    return peaks, np.column_stack(spots).astype(np.float64)


def _place(peak: Floats, corner: Floats, ratio: Floats) -> _Place:
    x, y = (peak[1:3] + corner + 0.5) * ratio - 0.5
    return _Place(float(x), float(y), float(peak[3] * ratio.mean()), float(peak[4]))


def _apart(places: list[_Place]) -> list[_Place]:
    """The hottest places, each die once although tiles and scales overlap."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda place: -place.heat):
        near = (
            other
            for other in kept
            if np.hypot(place.x - other.x, place.y - other.y) < 0.4 * min(place.edge, other.edge)
        )
        if not any(0.6 < place.edge / other.edge < 1.6 for other in near):
            kept.append(place)
    return kept[:_MOST_PLACES]


# --- what lies there --------------------------------------------------------------------------


def _judged(frame: Pyramid, places: list[_Place]) -> list[tuple[float, SeenDie]]:
    """For each place that may be a die how surely it is one, and the die."""
    rarity = _RARITY + _PATTERN * max(0.0, log(max(len(places), 1) / _USUAL_PLACES))
    first = list(_read(frame, places, (0.0, False), rarity))
    known = [scores for scores in first if _may_be_die(scores)]
    nearer = [_corrected(place, scores) for place, scores in zip(places, first, strict=True) if _may_be_die(scores)]
    # Further looks are straight at the die, turned and in a mirror: other opinions about the same pips.
    opinions = [[first, again] for first, again in zip(known, _read(frame, nearer, _TURNS[0], rarity), strict=True)]
    open_places = [number for number, scores in enumerate(opinions) if not _clear(scores)]
    for turn in _TURNS[1:]:
        more = _read(frame, [nearer[number] for number in open_places], turn, rarity)
        for number, scores in zip(open_places, more, strict=True):
            opinions[number].append(scores)
    return [_seen(place, np.mean(scores, axis=0)) for place, scores in zip(nearer, opinions, strict=True)]


def _clear(opinions: list[_Scores]) -> bool:
    shares = [_shares(scores)[1:] for scores in opinions]
    return len({int(share.argmax()) for share in shares}) == 1 and min(float(share.max()) for share in shares) > _CLEAR


def _read(frame: Pyramid, places: list[_Place], turn: _Turn, rarity: float) -> Iterator[_Scores]:
    """The reader's outputs for each place, given how rare dice are."""
    turn_deg, mirrored = turn
    for start in range(0, len(places), _READER_BATCH):
        crops = np.stack([_crop(frame, place, turn_deg) for place in places[start : start + _READER_BATCH]])
        scores = outputs_of("dice_reader.onnx", crops[:, :, ::-1] if mirrored else crops)[:, :, 0, 0]
        scores[:, 0] += rarity
        yield from scores


def _crop(frame: Pyramid, place: _Place, turn_deg: float) -> Image:
    """The square around a place as the reader wants it; beyond the frame its last pixels go on."""
    scale, times = _READER_PX / (_READER_EDGES * place.edge), 1
    while scale * times < _FINEST_SCALE:
        times *= 2
    turn = np.radians(turn_deg)
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale * times
    # Pixels have their whole numbers at their centres: the place goes to the middle of the crop.
    place_px = (np.array([place.x, place.y]) + 0.5) / times - 0.5
    warp = np.column_stack([linear, _READER_PX / 2 - 0.5 - linear @ place_px])
    size, flags, border = (_READER_PX, _READER_PX), cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return cast(Image, cv2.warpAffine(frame.shrunk(times), warp, size, flags=flags, borderMode=border))


def _corrected(place: _Place, scores: _Scores) -> _Place:
    """The place where the reader says that the die is."""
    shift_x, shift_y, grow = (float(part) for part in scores[7:].clip(-0.5, 0.5))
    edge = place.edge * float(np.exp(grow))
    return _Place(place.x + shift_x * place.edge, place.y + shift_y * place.edge, edge, place.heat)


def _shares(scores: _Scores) -> Floats:
    """Probabilities of no die and of the six values."""
    evidence = scores[:7]
    raised = np.exp(evidence - evidence.max())
    return np.asarray(raised / raised.sum(), np.float64)


def _may_be_die(scores: _Scores) -> bool:
    return bool(_shares(scores)[0] < 1 - _MAYBE_DIE)


def _seen(place: _Place, scores: _Scores) -> tuple[float, SeenDie]:
    """How surely it is a die at all, and the die."""
    shares = _shares(scores)
    value = int(shares[1:].argmax()) + 1
    return float(1 - shares[0]), SeenDie(value, float(shares[value]), (place.x, place.y), place.edge)


def _of_one_size(seen: list[tuple[float, SeenDie]]) -> list[tuple[float, SeenDie]]:
    """Dice of one table are of similar width: what is far from the surest ones is less likely to be a die."""
    edges = np.log([die.edge_px for _, die in seen]) if seen else np.zeros(0)
    weights = np.array([sure**4 for sure, _ in seen])
    judged = []
    for number, (sure, die) in enumerate(seen):
        like = np.abs(edges - edges[number]) < _SIMILAR
        support = weights[like].sum() / weights.sum()
        # Bayes: the odds shrink with the share of all evidence that dice here have another width.
        odds = sure / max(1 - sure, 1e-9) * max(float(support), _STRANGER)
        fair = odds / (1 + odds)
        judged.append((fair, replace(die, confidence=die.confidence * fair / sure)))
    return judged


def _without_doubles(seen: list[tuple[float, SeenDie]]) -> tuple[SeenDie, ...]:
    kept: list[SeenDie] = []
    for sure, die in sorted(seen, key=lambda pair: -pair[0]):
        if sure >= _IS_DIE and not any(_same(die, other) for other in kept):
            kept.append(die)
    return tuple(sorted(kept, key=lambda die: -die.confidence))


def _same(die: SeenDie, other: SeenDie) -> bool:
    away = np.hypot(die.centre_px[0] - other.centre_px[0], die.centre_px[1] - other.centre_px[1])
    larger, mean = max(die.edge_px, other.edge_px), (die.edge_px + other.edge_px) / 2
    return bool(away < max(_SAME_DIE * larger, _TOUCHING * mean))
