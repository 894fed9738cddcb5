"""Training samples: pictures with the corner indices of their cards, warped and spoilt in many ways."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

CROP_PX = (48, 64)
CROP_HEIGHTS = 1.6
"""The reader sees an upright box so many times as high as the index in it."""
TYPICAL_PX = 16.0
"""The height of an index at the scale of the finder; it copes with 0.65 to 1.5 of it."""
READABLE_PX = (10.0, 25.0)
SMALLER_PX = (3.0, 10.5)
"""Heights at which the finder tells that a closer look is worth while."""
STRIDE = 4
RANKS = ("none", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*")
SUITS = "SHDC"
NO_SUIT = -100
"""What torch's cross entropy leaves out."""
PLAIN, HIDDEN = 0.85, 0.4
"""An index of which more is seen counts, one of which less is seen is none; between them nobody can tell."""

Array = np.ndarray
Rng = np.random.Generator
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Index:
    card: str
    centre: tuple[float, float]
    up: tuple[float, float]
    right: tuple[float, float]
    """Across the index, in its heights: with the way up it tells the slant."""
    height: float
    seen: float = 1.0

    @property
    def frame(self) -> Array:
        """Columns across and down, as long in pixels as the index is high where it is not slanted."""
        return np.column_stack([self.right, np.negative(self.up)]) * self.height

    @property
    def rank(self) -> int:
        return RANKS.index(self.card if self.card == "*" else self.card[:-1])

    @property
    def suit(self) -> int:
        return NO_SUIT if self.card == "*" else SUITS.index(self.card[-1])


@dataclass(frozen=True)
class Picture:
    bgr: Array
    indices: tuple[Index, ...]
    unknown: tuple[Box, ...] = ()
    """Boxes in which there may be indices that nobody has placed."""
    traps: tuple[Index, ...] = ()
    """What was taken for an index and is none."""

    @cached_property
    def halves(self) -> list[Array]:
        """The picture, and half as wide each time."""
        levels = [self.bgr]
        while min(levels[-1].shape[:2]) > 40:
            levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        return levels

    @cached_property
    def by_rank(self) -> dict[int, list[Index]]:
        ranks: dict[int, list[Index]] = {}
        for index in self.indices:
            if index.seen >= PLAIN:
                ranks.setdefault(index.rank, []).append(index)
        return ranks


class Pool:
    """Where pictures are drawn from: a share of each kind."""

    def __init__(self, rng: Rng, kinds: list[tuple[float, list[Picture]]]) -> None:
        self.rng, self.kinds = rng, [kind for kind in kinds if kind[1]]

    def draw(self) -> Picture:
        shares = np.array([share for share, _ in self.kinds])
        pictures = self.kinds[self.rng.choice(len(shares), p=shares / shares.sum())][1]
        return pictures[self.rng.integers(len(pictures))]


def load_scenes(folder: Path) -> list[Picture]:
    """The pictures of scenes.py, and what mine.py found to fool the reader in them."""
    pictures = []
    for path in sorted(folder.glob("*.json")):
        indices = tuple(_index(entry) for entry in json.loads(path.read_text())["indices"])
        mined = path.with_suffix(".traps")
        traps = json.loads(mined.read_text()) if mined.exists() else []
        pictures.append(Picture(cv2.imread(str(path.with_suffix(".jpg"))), indices, traps=tuple(map(_index, traps))))
    return pictures


def load_photos(folder: Path, aligned: Path, without: str = "") -> list[Picture]:
    """Openly licensed photographs whose indices `align.py` has placed."""
    pictures = []
    for name, entry in json.loads(aligned.read_text()).items():
        if without and without in name:
            continue
        indices, traps = (tuple(_index(each) for each in entry[key]) for key in ("indices", "traps"))
        unknown = tuple(tuple(box) for box in entry["unknown"])
        pictures.append(Picture(cv2.imread(str(folder / name)), indices, unknown, traps))
    return pictures


def _index(entry: dict) -> Index:  # type: ignore[type-arg]
    centre, up, right = (tuple(entry[key]) for key in ("centre_px", "up", "right"))
    return Index(entry["card"], centre, up, right, entry["height_px"], entry.get("seen", 1.0))


# --- the finder -------------------------------------------------------------------------------


def finder_batches(pool: Pool, rng: Rng, batch: int, side: int) -> Iterator[tuple[Array, ...]]:
    """Endless pictures for the finder: input, wanted maps (heat, log height, up x and y), where those count, where heat
    counts, and at half the fineness whether smaller indices are near, and where that counts."""
    while True:
        samples = [_finder_sample(pool.draw(), rng, side) for _ in range(batch)]
        yield tuple(np.stack(part) for part in zip(*samples, strict=True))


def _finder_sample(picture: Picture, rng: Rng, side: int) -> tuple[Array, ...]:
    plain = [index for index in picture.indices if index.seen >= PLAIN]
    wanted = TYPICAL_PX * np.exp(rng.uniform(np.log(0.62), np.log(1.5)))
    if rng.random() < 0.3:
        wanted = TYPICAL_PX * np.exp(rng.uniform(np.log(0.22), np.log(4.0)))
    if plain and rng.random() < 0.85:
        index = plain[rng.integers(len(plain))]
        focus, scale = np.array(index.centre) + rng.normal(0, 2.0 * index.height, 2), wanted / index.height
    else:
        focus = rng.uniform(0, 1, 2) * picture.bgr.shape[1::-1]
        scale = wanted / (plain[0].height if plain else rng.uniform(14, 80))
    if picture.traps and rng.random() < 0.2:
        trap = picture.traps[rng.integers(len(picture.traps))]
        focus, scale = np.array(trap.centre) + rng.normal(0, trap.height, 2), wanted / trap.height
    turn = rng.uniform(0, 2 * np.pi)
    linear = _turned(turn) @ np.array([[np.exp(rng.normal(0, 0.06)), rng.normal(0, 0.06)], [0, 1]]) * min(scale, 2.0)
    warp = np.column_stack([linear, side / 2 - linear @ focus])
    bgr = _warped(picture, warp, (side, side))
    cells = side // STRIDE
    maps, placed = np.zeros((4, cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    counts = np.ones((cells, cells), np.float32)
    near, near_counts = np.zeros((cells // 2, cells // 2), np.float32), np.ones((cells // 2, cells // 2), np.float32)
    y, x = (np.mgrid[:cells, :cells] + 0.5) * STRIDE
    rough_y, rough_x = (np.mgrid[: cells // 2, : cells // 2] + 0.5) * 2 * STRIDE
    for left, top, right, bottom in picture.unknown:
        outline = np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) @ linear.T + warp[:, 2]
        hidden = np.zeros((cells, cells), np.uint8)
        cv2.fillPoly(hidden, [np.round(outline / STRIDE).astype(np.int32)], 1)
        counts[hidden > 0] = 0
        near_counts[hidden[::2, ::2] > 0] = 0
    for index in picture.indices:
        at = linear @ index.centre + warp[:, 2]
        up = linear @ index.up
        height = index.height * np.hypot(*up)
        away, rough = np.hypot(x - at[0], y - at[1]), np.hypot(rough_x - at[0], rough_y - at[1])
        if SMALLER_PX[0] < height < SMALLER_PX[1] and index.seen >= PLAIN:
            near[rough < 2.2 * STRIDE] = 1
            near_counts[rough < 2.2 * STRIDE] = 1
        elif height < 1.4 * SMALLER_PX[1]:
            near_counts[(rough < 4 * STRIDE) & (near < 1)] = 0
        if index.seen < PLAIN or not READABLE_PX[0] < height < READABLE_PX[1]:
            if index.seen > HIDDEN and 0.75 * READABLE_PX[0] < height < 1.35 * READABLE_PX[1]:
                counts[(away < 0.7 * height) & (maps[0] < 0.5)] = 0
            continue
        counts[away < 0.5 * height] = 1
        maps[0] = np.maximum(maps[0], np.exp(-(away**2) / (2 * (0.11 * height) ** 2)))
        beside = away < max(0.25 * height, 0.75 * STRIDE)
        maps[1][beside], placed[beside] = np.log(height / TYPICAL_PX), 1
        maps[2:, beside] = (up / np.hypot(*up))[:, None]
        if 0 < at[0] < side and 0 < at[1] < side:
            # The nearest cell is a full hit wherever in it the middle lies.
            maps[0, min(int(at[1] / STRIDE), cells - 1), min(int(at[0] / STRIDE), cells - 1)] = 1
    return spoil(bgr, rng).transpose(2, 0, 1), maps, placed, counts, near, near_counts


# --- the reader -------------------------------------------------------------------------------


class Traps:
    """Crops without an index that the reader took for one lately: shown again and again."""

    def __init__(self, rng: Rng, most: int = 3000) -> None:
        self.rng, self.most, self.crops = rng, most, list[Array]()

    def remember(self, crops: Array) -> None:
        for crop in crops:
            if len(self.crops) < self.most:
                self.crops.append(crop)
            else:
                self.crops[self.rng.integers(self.most)] = crop

    def some(self, count: int) -> list[tuple[Array, int, int, Array]]:
        chosen = self.rng.integers(len(self.crops), size=min(count, len(self.crops) // 8)) if self.crops else ()
        return [(self.crops[each], 0, NO_SUIT, np.zeros(6, np.float32)) for each in chosen]


def reader_batches(pool: Pool, traps: Traps, rng: Rng, batch: int) -> Iterator[tuple[Array, ...]]:
    """Endless crops for the reader: pixels, rank (0: none), suit, and the way to the true index.

    That is its shift in heights as seen, and what its frame differs from the frame seen: a matrix less the identity.
    """
    while True:
        samples = traps.some(batch // 8)
        while len(samples) < batch:
            picture = pool.draw()
            sample = _index_crop(picture, rng) if picture.by_rank and rng.random() < 0.65 else _other_crop(picture, rng)
            if sample is not None:
                samples.append(sample)
        yield tuple(np.stack(part) for part in zip(*samples, strict=True))


def _index_crop(picture: Picture, rng: Rng) -> tuple[Array, int, int, Array]:
    # Ranks that are rare in a picture must not be rare in training, so a rank is drawn first.
    ranks = sorted(picture.by_rank)
    same = picture.by_rank[ranks[rng.integers(len(ranks))]]
    index = same[rng.integers(len(same))]
    true = index.frame
    if rng.random() < 0.5:
        # The first look knows no slant; further ones see the index nearly straightened.
        turn, grow = rng.normal(0, 0.16), np.clip(rng.normal(0, 0.14), -0.35, 0.35)
        seen, shift = _upright(_turned(turn) @ index.up) * index.height * np.exp(grow), rng.normal(0, 0.08, 2)
    else:
        seen, shift = true @ (np.eye(2) + rng.normal(0, 0.07, (2, 2))), rng.normal(0, 0.04, 2)
    shift = shift.clip(-0.22, 0.22)
    place = np.append(shift, np.linalg.solve(seen, true) - np.eye(2)).astype(np.float32)
    return _crop(picture, rng, np.array(index.centre) - seen @ shift, seen), index.rank, index.suit, place


def _upright(up: Array) -> Array:
    """The frame of an index without slant: columns to its right and down."""
    return np.array([[-up[1], -up[0]], [up[0], -up[1]]])


def _crop(picture: Picture, rng: Rng, centre: Array, frame: Array) -> Array:
    """The box around a place, straight for an index of this frame."""
    linear = np.linalg.inv(frame) * CROP_PX[1] / CROP_HEIGHTS
    warp = np.column_stack([linear, np.array(CROP_PX) / 2 - linear @ centre])
    # Small indices are the hard ones: make more of them.
    return spoil(
        _warped(picture, warp, CROP_PX), rng, coarse=rng.uniform(12, 40) / 40 if rng.random() < 0.4 else 1.0
    ).transpose(2, 0, 1)


def _other_crop(picture: Picture, rng: Rng) -> tuple[Array, int, int, Array] | None:
    """Something that is no index: print, art, an index turned wrongly, too large, too small or half hidden."""
    height_px, width_px = picture.bgr.shape[:2]
    typical = picture.indices[rng.integers(len(picture.indices))] if picture.indices else None
    height = (typical.height if typical else rng.uniform(14, 80)) * np.exp(rng.normal(0, 0.5))
    focus, angle = rng.uniform(0, 1, 2) * (width_px, height_px), rng.uniform(0, 2 * np.pi)
    if typical and rng.random() < 0.75:
        angle = (
            np.arctan2(typical.up[1], typical.up[0])
            + rng.choice([0, 0, 0, 1, 2, 2, 3]) * np.pi / 2
            + rng.normal(0, 0.2)
        )
        focus = np.array(typical.centre) + rng.normal(0, rng.choice([0.1, 0.7, 3.0]), 2) * typical.height
    if picture.traps and rng.random() < 0.5:
        trap = picture.traps[rng.integers(len(picture.traps))]
        focus, height = (
            np.array(trap.centre) + rng.normal(0, 0.06, 2) * trap.height,
            trap.height * np.exp(rng.normal(0, 0.1)),
        )
        angle = np.arctan2(trap.up[1], trap.up[0]) + rng.normal(0, 0.1)
    up = np.array([np.cos(angle), np.sin(angle)])
    if any(left < focus[0] < right and top < focus[1] < bottom for left, top, right, bottom in picture.unknown):
        return None
    for index in picture.indices:
        away = np.hypot(*(focus - index.centre)) / min(index.height, height)
        alike = abs(np.log(height / index.height)) < 0.6 and float(up @ index.up) > 0.5
        if away < 0.45 and alike and index.seen > HIDDEN:
            return None
    seen = _upright(up) * height @ (np.eye(2) + rng.normal(0, 0.1, (2, 2)))
    return _crop(picture, rng, focus, seen), 0, NO_SUIT, np.zeros(6, np.float32)


# --- what both do -----------------------------------------------------------------------------


def _turned(turn: float) -> Array:
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _warped(picture: Picture, warp: Array, size: tuple[int, int]) -> Array:
    # Pixels are averaged before they are thinned out, as the reader does.
    level, scale = 0, np.sqrt(abs(np.linalg.det(warp[:, :2])))
    while scale < 0.6 and level + 1 < len(picture.halves):
        warp, scale, level = np.column_stack([warp[:, :2] * 2, warp[:, 2]]), scale * 2, level + 1
    return cv2.warpAffine(picture.halves[level], warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def spoil(bgr: Array, rng: Rng, coarse: float = 1.0) -> Array:
    """What cameras, light and compression do; as float32 within 0 and 1."""
    height, width = bgr.shape[:2]
    if coarse < 1:
        small = (max(int(width * coarse), 4), max(int(height * coarse), 4))
        bgr = cv2.resize(cv2.resize(bgr, small, interpolation=cv2.INTER_AREA), (width, height))
    chance = rng.random()
    if chance < 0.12:
        hsv = cv2.cvtColor(np.ascontiguousarray(bgr), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + rng.integers(180)) % 180
        bgr = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    elif chance < 0.4:
        grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)[..., None]
        bgr = grey + (bgr.astype(np.float32) - grey) * rng.uniform(0, 1.3)
    picture = np.asarray(bgr, np.float32).clip(0, 255) / 255
    picture = picture ** np.float32(np.exp(rng.normal(0, 0.25)))
    gain = np.exp(rng.normal(0.05, 0.25)) * np.exp(rng.normal(0, 0.09, 3))
    picture = picture * gain.astype(np.float32) + np.float32(rng.normal(0, 0.06))
    if rng.random() < 0.15:
        picture *= _shade(rng, height, width)[..., None]
    if rng.random() < 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.5))
    elif rng.random() < 0.15:
        picture = cv2.filter2D(picture, -1, _streak(rng))
    if rng.random() < 0.4:
        picture = picture + rng.normal(0, abs(rng.normal(0, 0.045)), picture.shape)
    picture = picture.clip(0, 1).astype(np.float32)
    if rng.random() < 0.25:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        code = cv2.imencode(".jpg", (picture * 255).astype(np.uint8), quality)[1]
        picture = cv2.imdecode(code, cv2.IMREAD_COLOR).astype(np.float32) / 255
    return picture


def _shade(rng: Rng, height: int, width: int) -> Array:
    """A shadow with a soft or hard edge across the picture."""
    y, x = np.mgrid[:height, :width].astype(np.float32) / height - 0.5
    turn = rng.uniform(0, 2 * np.pi)
    across = (x * np.cos(turn) + y * np.sin(turn) + rng.uniform(-0.3, 0.3)) / np.exp(rng.uniform(-4, 0))
    return (1 - rng.uniform(0.2, 0.7) / (1 + np.exp(-np.clip(across, -30, 30)))).astype(np.float32)


def _streak(rng: Rng) -> Array:
    """The kernel of a camera or card in motion."""
    kernel = np.zeros((7, 7), np.float32)
    turn, length = rng.uniform(0, np.pi), rng.uniform(1, 3)
    way = np.array([np.cos(turn), np.sin(turn)]) * length
    first, last = (3 - way).round().astype(int), (3 + way).round().astype(int)
    cv2.line(kernel, first.tolist(), last.tolist(), 1.0)
    return kernel / kernel.sum()
