"""Training samples: pictures with the top faces of their dice, warped and spoilt in many ways."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

CROP_PX = 64
CROP_EDGES = 2.2
"""The classifier sees a square of so many die edges around the middle of the top face."""
TYPICAL_EDGE_PX = 24.0
"""The die edge at the scale of the finder; it copes with 0.65 to 1.5 of it."""
SMALLER_PX = (3.5, 16.0)
"""Edges at which the finder tells that a closer look is worth while."""
STRIDE = 4
NO_DIE = 0

Array = np.ndarray
Rng = np.random.Generator


@dataclass(frozen=True)
class Die:
    value: int
    centre: tuple[float, float]
    edge: float


@dataclass(frozen=True)
class Picture:
    bgr: Array
    dice: tuple[Die, ...]
    turnable: bool
    """Seen so much from above that it may be turned at will."""
    traps: tuple[Die, ...] = ()
    """What was taken for a die and is none."""

    @cached_property
    def halves(self) -> list[Array]:
        """The picture, and half as wide each time."""
        levels = [self.bgr]
        while min(levels[-1].shape[:2]) > 40:
            levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        return levels


class Pool:
    """Where pictures are drawn from: a share of each kind; sketches are replaced by fresh ones as it goes."""

    def __init__(self, rng: Rng, kinds: list[tuple[float, list[Picture]]], fresh: Callable[[Rng], Picture]) -> None:
        self.rng, self.kinds, self.fresh = rng, [kind for kind in kinds if kind[1]], fresh

    def draw(self) -> Picture:
        shares = np.array([share for share, _ in self.kinds])
        pictures = self.kinds[self.rng.choice(len(shares), p=shares / shares.sum())][1]
        return pictures[self.rng.integers(len(pictures))]

    def renew(self) -> None:
        sketches = self.kinds[0][1]
        sketches[self.rng.integers(len(sketches))] = self.fresh(self.rng)


def load_rendered(folder: Path) -> list[Picture]:
    """The pictures of render.py and tabletop.py that have their truth beside them."""
    pictures = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        dice = tuple(Die(die["value"], tuple(die["centre_px"]), die["edge_px"]) for die in truth["dice"])
        bgr = cv2.imread(str(path.with_suffix(".jpg")))
        mined = path.with_suffix(".traps")
        traps = json.loads(mined.read_text()) if mined.exists() else []
        pictures.append(
            Picture(bgr, dice, truth["slant_deg"] < 14, tuple(Die(0, (x, y), edge) for x, y, edge in traps))
        )
    return pictures


def load_photos(folder: Path, aligned: Path, without: str = "") -> list[Picture]:
    """Openly licensed photographs whose top faces `align.py` has placed."""
    pictures = []
    for name, entry in json.loads(aligned.read_text()).items():
        if without and without in entry["repo"]:
            continue
        dice, traps = (
            tuple(Die(die["value"], tuple(die["centre_px"]), die["edge_px"]) for die in entry[key])
            for key in ("dice", "others")
        )
        pictures.append(Picture(cv2.imread(str(folder / name)), dice, entry["view"] == "top", traps))
    return pictures


def finder_batches(pool: Pool, rng: Rng, batch: int, side: int) -> Iterator[tuple[Array, ...]]:
    """Endless pictures for the finder: input, wanted heat, log edge, where the edge counts, where heat counts, and at
    half the fineness whether smaller dice are near, and where that counts."""
    while True:
        pool.renew()
        samples = [_finder_sample(pool.draw(), rng, side) for _ in range(batch)]
        yield tuple(np.stack(part) for part in zip(*samples, strict=True))


def _finder_sample(picture: Picture, rng: Rng, side: int) -> tuple[Array, ...]:
    wanted = TYPICAL_EDGE_PX * np.exp(rng.uniform(np.log(0.62), np.log(1.6)))
    if rng.random() < 0.35:
        wanted = np.exp(rng.uniform(*np.log(SMALLER_PX)))
    if picture.dice and rng.random() < 0.8:
        die = picture.dice[rng.integers(len(picture.dice))]
        focus, scale = np.array(die.centre) + rng.normal(0, 1.2 * die.edge, 2), wanted / die.edge
    else:
        focus = rng.uniform(0, 1, 2) * picture.bgr.shape[1::-1]
        # The scales at which a picture is searched make most of its dice far too large.
        scale = (
            wanted / (picture.dice[0].edge if picture.dice else rng.uniform(20, 80)) * np.exp(rng.uniform(-0.7, 1.6))
        )
    warp = _warp(rng, focus, scale, side, picture.turnable)
    bgr = _warped(picture, warp, side, scale)
    cells = side // STRIDE
    heat, size = np.zeros((cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    sized, counts = np.zeros((cells, cells), np.float32), np.ones((cells, cells), np.float32)
    smaller, smaller_counts = (
        np.zeros((cells // 2, cells // 2), np.float32),
        np.ones((cells // 2, cells // 2), np.float32),
    )
    y, x = np.mgrid[:cells, :cells]
    rough_y, rough_x = (np.mgrid[: cells // 2, : cells // 2] + 0.5) * 2 * STRIDE
    for die in picture.dice:
        at = warp[:, :2] @ die.centre + warp[:, 2]
        edge = die.edge * np.sqrt(abs(np.linalg.det(warp[:, :2])))
        away = np.hypot((x + 0.5) * STRIDE - at[0], (y + 0.5) * STRIDE - at[1])
        rough = np.hypot(rough_x - at[0], rough_y - at[1])
        if SMALLER_PX[0] < edge < SMALLER_PX[1]:
            smaller[rough < 2 * STRIDE] = 1
            smaller_counts[rough < 2 * STRIDE] = 1
        elif edge < 1.5 * SMALLER_PX[1]:
            smaller_counts[(rough < 4 * STRIDE) & (smaller < 1)] = 0
        if not 0.55 < edge / TYPICAL_EDGE_PX < 1.8:
            if edge / TYPICAL_EDGE_PX < 2.3:
                counts[away < 0.8 * edge] = 0
            continue
        spread = 0.13 * edge
        heat = np.maximum(heat, np.exp(-(away**2) / (2 * spread**2)))
        near = away < max(0.2 * edge, 0.75 * STRIDE)
        size[near], sized[near] = np.log(edge / TYPICAL_EDGE_PX), 1
        if 0 < at[0] < side and 0 < at[1] < side:
            # The nearest cell is a full hit wherever in it the middle lies.
            heat[min(int(at[1] / STRIDE), cells - 1), min(int(at[0] / STRIDE), cells - 1)] = 1
    return spoil(bgr, rng).transpose(2, 0, 1), heat.astype(np.float32), size, sized, counts, smaller, smaller_counts


class Traps:
    """Crops without a die that the reader took for one lately: shown again and again."""

    def __init__(self, rng: Rng, most: int = 3000) -> None:
        self.rng, self.most, self.crops = rng, most, list[Array]()

    def remember(self, crops: Array) -> None:
        for crop in crops:
            if len(self.crops) < self.most:
                self.crops.append(crop)
            else:
                self.crops[self.rng.integers(self.most)] = crop

    def some(self, count: int) -> list[tuple[Array, int, Array]]:
        chosen = self.rng.integers(len(self.crops), size=min(count, len(self.crops) // 8)) if self.crops else ()
        flips = self.rng.choice([-1, 1], len(chosen))
        return [
            (self.crops[index][:, :, ::flip], NO_DIE, np.zeros(3, np.float32))
            for index, flip in zip(chosen, flips, strict=True)
        ]


def reader_batches(pool: Pool, traps: Traps, rng: Rng, batch: int) -> Iterator[tuple[Array, ...]]:
    """Endless crops for the reader: input, class (0: no die), shift and log scale to the true die."""
    while True:
        pool.renew()
        samples = traps.some(batch // 6)
        while len(samples) < batch:
            picture = pool.draw()
            sample = _die_crop(picture, rng) if picture.dice and rng.random() < 0.6 else _other_crop(picture, rng)
            if sample is not None:
                samples.append(sample)
        yield tuple(np.stack(part) for part in zip(*samples, strict=True))


def _die_crop(picture: Picture, rng: Rng) -> tuple[Array, int, Array] | None:
    # Rare values of one picture must not be rare in training, so a value is drawn first.
    values = sorted({die.value for die in picture.dice})
    value = values[rng.integers(len(values))]
    same = [die for die in picture.dice if die.value == value]
    die = same[rng.integers(len(same))]
    height, width = picture.bgr.shape[:2]
    rim = 0.45 * die.edge
    if not (rim < die.centre[0] < width - rim and rim < die.centre[1] < height - rim):
        return None
    shift, grow = rng.normal(0, 0.11, 2).clip(-0.3, 0.3), float(np.clip(rng.normal(0, 0.14), -0.35, 0.35))
    scale = CROP_PX / (CROP_EDGES * die.edge * np.exp(grow))
    warp = _warp(rng, np.array(die.centre), scale, CROP_PX, picture.turnable, stretch=0.08)
    warp[:, 2] += shift * CROP_PX / CROP_EDGES
    crop = spoil(_warped(picture, warp, CROP_PX, scale), rng)
    return crop.transpose(2, 0, 1), die.value, np.array([*shift, -grow], np.float32)


def _other_crop(picture: Picture, rng: Rng) -> tuple[Array, int, Array] | None:
    """Something that is no die, or a die seen at a wrong place or scale: a side face, a single pip, a group."""
    height, width = picture.bgr.shape[:2]
    typical = picture.dice[rng.integers(len(picture.dice))] if picture.dice else None
    edge = (typical.edge if typical else rng.uniform(15, 70)) * np.exp(rng.normal(-0.2, 0.7))
    if rng.random() < 0.4:
        # The finder also looks at the finest grain of a picture.
        edge = float(np.exp(rng.uniform(np.log(16), np.log(70))))
    focus = rng.uniform(0, 1, 2) * (width, height)
    if typical and rng.random() < 0.6:
        focus = np.array(typical.centre) + rng.normal(0, 0.75, 2) * typical.edge
        # Below a top face lies a side face: the most frequent false die of a slanted view.
        if not picture.turnable and rng.random() < 0.6:
            down = np.array([rng.normal(0, 0.35), rng.uniform(0.45, 1.1)])
            focus, edge = np.array(typical.centre) + down * typical.edge, typical.edge * np.exp(rng.normal(0, 0.15))
    if picture.traps and rng.random() < 0.5:
        trap = picture.traps[rng.integers(len(picture.traps))]
        focus, edge = np.array(trap.centre) + rng.normal(0, 0.1, 2) * trap.edge, trap.edge * np.exp(rng.normal(0, 0.15))
    for die in picture.dice:
        away = np.hypot(*(focus - die.centre)) / min(die.edge, edge)
        if away < 0.42 and abs(np.log(edge / die.edge)) < 0.6:
            return None
    scale = CROP_PX / (CROP_EDGES * edge)
    warp = _warp(rng, focus, scale, CROP_PX, picture.turnable)
    crop = spoil(_warped(picture, warp, CROP_PX, scale), rng)
    return crop.transpose(2, 0, 1), NO_DIE, np.zeros(3, np.float32)


def _warp(rng: Rng, focus: Array, scale: float, side: int, turnable: bool, stretch: float = 0.05) -> Array:
    """Brings `focus` to the middle, turned, mirrored, stretched a little."""
    turn = rng.uniform(0, 2 * np.pi) if turnable else rng.normal(0, 0.14)
    cos, sin = np.cos(turn), np.sin(turn)
    flip = rng.choice([-1.0, 1.0])
    shear = np.array([[np.exp(rng.normal(0, stretch)), rng.normal(0, stretch)], [0, 1]])
    linear = shear @ np.array([[cos, -sin], [sin, cos]]) @ np.diag([flip, 1.0]) * scale
    return np.column_stack([linear, side / 2 - linear @ focus])


def _warped(picture: Picture, warp: Array, side: int, scale: float) -> Array:
    # Pixels are averaged before they are thinned out, as the reader does.
    level = 0
    while scale < 0.6 and level + 1 < len(picture.halves):
        warp, scale, level = np.column_stack([warp[:, :2] * 2, warp[:, 2]]), scale * 2, level + 1
    bgr = picture.halves[level]
    return cv2.warpAffine(bgr, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def spoil(bgr: Array, rng: Rng) -> Array:
    """What cameras, light and compression do; as float32 within 0 and 1."""
    side = bgr.shape[0]
    if rng.random() < 0.3:
        small = int(side * rng.uniform(0.55, 1))
        bgr = cv2.resize(cv2.resize(bgr, (small, small), interpolation=cv2.INTER_AREA), (side, side))
    if rng.random() < 0.12:
        bgr = 255 - bgr
    if rng.random() < 0.2:
        bgr = bgr[..., rng.permutation(3)]
    if rng.random() < 0.4:
        hsv = cv2.cvtColor(np.ascontiguousarray(bgr), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + rng.integers(180)) % 180
        hsv[..., 1] = (hsv[..., 1] * rng.uniform(0, 1.2)).clip(0, 255)
        bgr = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    picture = bgr.astype(np.float32) / 255
    picture = picture ** np.float32(np.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.25:
        picture *= _shade(rng, side)[..., None]
    if rng.random() < 0.25:
        picture = _in_little_light(picture, rng)
    gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.1, 3))
    picture = picture * gain.astype(np.float32) + np.float32(rng.normal(0, 0.06))
    if rng.random() < 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.4))
    elif rng.random() < 0.12:
        picture = cv2.filter2D(picture, -1, _streak(rng))
    if rng.random() < 0.4:
        picture = picture + rng.normal(0, abs(rng.normal(0, 0.045)), picture.shape)
    picture = picture.clip(0, 1).astype(np.float32)
    if rng.random() < 0.25:
        code = cv2.imencode(
            ".jpg", (picture * 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        )[1]
        picture = cv2.imdecode(code, cv2.IMREAD_COLOR).astype(np.float32) / 255
    return picture


def _in_little_light(picture: Array, rng: Rng) -> Array:
    """A dim room: few photons, and a camera that smooths their noise and brightens what it gets."""
    light = picture.clip(0, 1) ** 2.2
    photons = np.exp(rng.uniform(np.log(30), np.log(1500)))
    grain = 0.75 * rng.normal(0, 1, (*light.shape[:2], 1)) + 0.9 * cv2.GaussianBlur(
        rng.normal(0, 1, light.shape), (0, 0), rng.uniform(0.4, 1.2)
    )
    light = light + grain * np.sqrt(light / photons + (rng.uniform(0.5, 4) / photons) ** 2)
    if rng.random() < 0.4:
        light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 0.9))
    seen = (light * np.exp(rng.uniform(np.log(0.06), np.log(0.7)))).clip(0, 1) ** (1 / 2.2)
    return np.asarray(seen, np.float32)


def _shade(rng: Rng, side: int) -> Array:
    """A shadow with a soft or hard edge across the picture."""
    y, x = np.mgrid[:side, :side].astype(np.float32) / side - 0.5
    turn = rng.uniform(0, 2 * np.pi)
    across = (x * np.cos(turn) + y * np.sin(turn) + rng.uniform(-0.3, 0.3)) / np.exp(rng.uniform(-4, 0))
    return (1 - rng.uniform(0.2, 0.7) / (1 + np.exp(-np.clip(across, -30, 30)))).astype(np.float32)


def _streak(rng: Rng) -> Array:
    """The kernel of a camera or die in motion."""
    kernel = np.zeros((7, 7), np.float32)
    turn, length = rng.uniform(0, np.pi), rng.uniform(1, 3)
    way = np.array([np.cos(turn), np.sin(turn)]) * length
    first, last = (3 - way).round().astype(int), (3 + way).round().astype(int)
    cv2.line(kernel, tuple(int(v) for v in first), tuple(int(v) for v in last), 1.0)
    return kernel / kernel.sum()
