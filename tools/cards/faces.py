"""Draws the faces and backs of invented packs of cards, each pack with looks of its own, for training only.

A face is a picture at `PX_PER_MM` and the places of its corner indices. Fonts come from any folders of TrueType
files; pips, courts and jokers are drawn by code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

PX_PER_MM = 7.0
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
JOKER = "*"

Array = np.ndarray
Rng = np.random.Generator
Colour = tuple[float, float, float]

_NO_FACES = (
    *("thin", "light", "hair", "ital", "oblique", "-it.", "boldit", "blackit", "outline", "display", "initial"),
    *("tusj", "capture", "pacifico", "rufscript", "humor", "breip", "tomson", "amatic", "lobster", "chancery", "z003"),
    *("dingbat", "symbol", "math", "d050000l", "keyboard"),
)
"""Parts of the names of fonts that do not stand on cards: hairlines, slanted ones, handwriting, symbols."""
_FRENCH = {"J": "V", "Q": "D", "K": "R", "A": "1"}
_FOUR_COLOURS = (
    {"D": (190, 90, 20), "C": (50, 130, 30)},
    {"D": (220, 120, 30), "C": (90, 160, 60)},
    {"D": (20, 120, 235), "C": (50, 130, 30)},
    {"D": (20, 130, 240), "C": (170, 80, 20)},
    {"D": (160, 60, 30), "C": (40, 90, 20)},
)
# Columns and rows of the pips of 2 to 10, of a card's inner area; those of the lower half stand on their heads.
_L, _M, _R = 0.0, 0.5, 1.0
_PIPS = {
    1: [(_M, 0.5)],
    2: [(_M, 0.0), (_M, 1.0)],
    3: [(_M, 0.0), (_M, 0.5), (_M, 1.0)],
    4: [(_L, 0.0), (_R, 0.0), (_L, 1.0), (_R, 1.0)],
    5: [(_L, 0.0), (_R, 0.0), (_L, 1.0), (_R, 1.0), (_M, 0.5)],
    6: [(x, y) for x in (_L, _R) for y in (0.0, 0.5, 1.0)],
    7: [*((x, y) for x in (_L, _R) for y in (0.0, 0.5, 1.0)), (_M, 0.25)],
    8: [*((x, y) for x in (_L, _R) for y in (0.0, 0.5, 1.0)), (_M, 0.25), (_M, 0.75)],
    9: [*((x, y) for x in (_L, _R) for y in (0.0, 1 / 3, 2 / 3, 1.0)), (_M, 0.5)],
    10: [*((x, y) for x in (_L, _R) for y in (0.0, 1 / 3, 2 / 3, 1.0)), (_M, 1 / 6), (_M, 5 / 6)],
}


@dataclass(frozen=True)
class Index:
    """A corner index in pixels of the face: its middle, which way is up, and its height."""

    centre: tuple[float, float]
    up: tuple[float, float]
    height: float
    width: float


@dataclass(frozen=True)
class Face:
    bgra: Array
    card: str
    indices: tuple[Index, ...]


@dataclass
class Pack:
    """The looks of one pack."""

    rng: Rng
    fonts: list[Path]
    width_mm: float = field(init=False)
    height_mm: float = field(init=False)

    def __post_init__(self) -> None:
        rng = self.rng
        self.width_mm, self.height_mm = [(63.5, 88.9), (57.2, 88.9), (63.0, 88.0), (59.0, 91.0), (56.0, 87.0)][
            rng.choice(5, p=[0.45, 0.15, 0.2, 0.1, 0.1])
        ]
        self.corner_mm = rng.uniform(2.5, 5.0)
        self.stock = (
            np.array([255, 255, 255]) - rng.uniform(0, 14) - np.array([rng.uniform(0, 26), rng.uniform(0, 8), 0])
        )
        self.plain_tens = rng.random() < 0.5
        self.font = self._font()
        self.jumbo = rng.random() < 0.3
        self.rank_mm = rng.uniform(10, 17) if self.jumbo else rng.uniform(6.0, 10.0)
        self.pip_mm = self.rank_mm * rng.uniform(0.45, 0.9)
        self.gap_mm = rng.uniform(0.3, 2.2) + 0.05 * self.rank_mm
        self.glyph_mm = self.rank_mm * rng.uniform(0.42, 0.85)
        # In few packs the pip stands beside the rank, or below it but off its middle.
        self.beside = rng.random() < 0.05
        self.aside = rng.normal(0, 0.2) if rng.random() < 0.12 else 0.0
        self.inset_mm = np.array([self.glyph_mm * 0.55 + rng.uniform(1.2, 3.2), rng.uniform(2.0, 5.5)])
        self.corners = 4 if rng.random() < 0.25 else 2
        self.french = rng.random() < 0.15
        self.french_ace = self.french and rng.random() < 0.5
        self.ink = {"S": _dark(rng), "C": _dark(rng), "H": _red(rng), "D": _red(rng)}
        self.ink["C"], self.ink["D"] = self.ink["S"], self.ink["H"]
        if rng.random() < 0.25:
            self.ink |= {
                suit: tuple(np.clip(np.array(bgr) + rng.normal(0, 12, 3), 0, 255))
                for suit, bgr in _FOUR_COLOURS[rng.integers(len(_FOUR_COLOURS))].items()
            }
        self.shapes = {suit: _pip_shape(suit, rng) for suit in SUITS}
        self.court_seed = int(rng.integers(1 << 30))
        self.big_centre = rng.random() < (0.35 if self.jumbo else 0.08)
        self.framed = rng.random() < 0.7
        self.art_inset = rng.uniform(0.17, 0.24) if self.framed or rng.random() < 0.4 else rng.uniform(0.06, 0.17)
        self.pip_scale = rng.uniform(0.75, 1.15)
        self.joker_style = rng.choice(["word", "monogram", "star", "star word", "picture word", "turned"])
        self.printed_edge = rng.random() < 0.05

    def _font(self) -> Callable[[str, int, float], Array]:
        """A function that draws a text so many pixels high and so many wide (0: its own width), as a mask."""
        rng = self.rng
        bold = rng.normal(0, 0.035)
        if rng.random() < 0.12 or not self.fonts:
            face = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]))
            thick = int(rng.integers(8, 18))
            return lambda text, height, width: _fitted(_strokes(text, face, thick), height, width, 0.0)
        path = _drawn(self.fonts, rng)
        courts = _drawn(self.fonts, rng) if rng.random() < 0.2 else path
        tight = rng.uniform(0.0, 0.12)
        # Many packs have threes with a flat top and tens whose one is a mere bar; hardly any font does.
        own = {figure: _figure_of_strokes(figure, rng.uniform(0.09, 0.2)) for figure in "31" if rng.random() < 0.3}

        def draw(text: str, height: int, width: float) -> Array:
            letters = own if self.plain_tens or text == "3" else {}
            return _fitted(lettering(text, path if text[0].isdigit() else courts, tight, letters), height, width, bold)

        return draw

    def face(self, card: str) -> Face:
        """One card of the pack: a rank and a suit, or a joker."""
        size = (round(self.width_mm * PX_PER_MM), round(self.height_mm * PX_PER_MM))
        canvas = np.empty((size[1], size[0], 3), np.float32)
        canvas[:] = self.stock
        if card == JOKER:
            self._joker_art(canvas)
            stamp, ink, bounds = self._joker_index()
        else:
            rank, suit = card[:-1], card[-1]
            self._middle(canvas, rank, suit)
            stamp, ink, bounds = self._index(rank, suit)
        indices = self._stamp(canvas, stamp, ink, bounds, 2 if card == JOKER else self.corners)
        return Face(cut_out(canvas, self.corner_mm), card, indices)

    def _index(self, rank: str, suit: str) -> tuple[Array, Colour, tuple[float, float]]:
        """The mask of rank over suit, its ink, and height and width in pixels."""
        text = _FRENCH[rank] if self.french and rank in _FRENCH and (rank != "A" or self.french_ace) else rank
        high, broad = self.rank_mm * PX_PER_MM, self.glyph_mm * PX_PER_MM
        # Tens are squeezed into little more than one figure's width, ones keep their slimness.
        width = broad * (1.25 if rank == "10" else 0.4 if text == "1" else 0.8 if text == "J" else 1.0)
        glyph = self.font(text, round(high), width)
        pip = _pip_mask(self.shapes[suit], self.pip_mm * PX_PER_MM)
        if self.beside:
            stamp = _stacked([glyph.T, pip.T], round(0.4 * self.gap_mm * PX_PER_MM)).T
        else:
            stamp = _stacked([glyph, pip], round(self.gap_mm * PX_PER_MM), round(self.aside * broad))
        return stamp, self.ink[suit], stamp.shape

    def _joker_index(self) -> tuple[Array, Colour, tuple[float, float]]:
        rng, style = self.rng, str(self.joker_style)
        ink = self.ink["S"] if rng.random() < 0.5 else self.ink["H"]
        high = self.rank_mm * PX_PER_MM
        parts: list[Array] = []
        if style == "monogram":
            one, other = (self.font(str(letter), round(high * rng.uniform(0.9, 1.4)), 0) for letter in ("J", "S"))
            both = np.zeros(np.maximum(one.shape, other.shape), np.float32)
            for part in (one, other):
                top, left = ((np.array(both.shape) - part.shape) // 2).tolist()
                spot = both[top : top + part.shape[0], left : left + part.shape[1]]
                np.maximum(spot, part, out=spot)
            parts = [both]
        if "star" in style:
            parts.append(_pip_mask([_star(rng)], self.pip_mm * PX_PER_MM * 1.2))
        if style == "turned":
            parts = [np.rot90(self.font("JOKER", round(high * rng.uniform(0.3, 0.55)), 0), int(rng.choice([1, 3])))]
        if "word" in style:
            letter = high * rng.uniform(0.28, 0.5)
            slim = letter * rng.uniform(0.6, 1.0)
            parts += [self.font(each, round(letter), slim) for each in "JOKER"]
        stamp = _stacked(parts, max(1, round(0.05 * high)))
        return stamp, ink, stamp.shape

    def _stamp(
        self, canvas: Array, stamp: Array, ink: Colour, bounds: tuple[float, float], corners: int
    ) -> tuple[Index, ...]:
        """Prints an index into its corners and tells where."""
        height, width = canvas.shape[:2]
        centre = np.array([self.inset_mm[0] * PX_PER_MM, self.inset_mm[1] * PX_PER_MM + stamp.shape[0] / 2])
        centre[0] = max(centre[0], stamp.shape[1] / 2 + PX_PER_MM)
        places = [(centre, False), (np.array([width, height]) - centre, True)]
        if corners == 4:
            places += [
                (np.array([width - centre[0], centre[1]]), False),
                (np.array([centre[0], height - centre[1]]), True),
            ]
        indices = []
        for middle, turned in places:
            _print(canvas, stamp[::-1, ::-1] if turned else stamp, middle, ink)
            way = (0.0, 1.0) if turned else (0.0, -1.0)
            indices.append(Index((float(middle[0]), float(middle[1])), way, float(bounds[0]), float(bounds[1])))
        return tuple(indices)

    def _middle(self, canvas: Array, rank: str, suit: str) -> None:
        rng, ink = self.rng, self.ink[suit]
        height, width = canvas.shape[:2]
        if rank in "JQK":
            self._court(canvas, rank, suit)
            return
        number = 1 if rank == "A" else int(rank)
        if self.big_centre or number == 1:
            high = rng.uniform(14, 42) if self.big_centre or suit == "S" else rng.uniform(12, 18)
            _print(canvas, _pip_mask(self.shapes[suit], high * PX_PER_MM), np.array([width / 2, height / 2]), ink)
            if number == 1 and suit == "S" and rng.random() < 0.5:
                _print(
                    canvas,
                    _pip_mask(self.shapes[suit], 0.45 * high * PX_PER_MM),
                    np.array([width, height]) / 2,
                    self.stock,
                )
            return
        high = (11.0 if number < 9 else 10.0) * self.pip_scale * PX_PER_MM
        pip = _pip_mask(self.shapes[suit], high)
        left, top = width * (0.31 if not self.jumbo else 0.36), height * rng.uniform(0.16, 0.2)
        for x, y in _PIPS[number]:
            at = np.array([left + x * (width - 2 * left), top + y * (height - 2 * top)])
            _print(canvas, pip[::-1] if y > 0.5 else pip, at, ink)

    def _court(self, canvas: Array, rank: str, suit: str) -> None:
        """A framed figure, the same upside down below, as busy as those of real packs."""
        height, width = canvas.shape[:2]
        rng = np.random.default_rng([self.court_seed, "JQK".index(rank), SUITS.index(suit)])
        left, top = round(width * self.art_inset), round(height * rng.uniform(0.03 if not self.framed else 0.07, 0.12))
        if self.jumbo:
            left = round(width * rng.uniform(0.25, 0.33))
        art = canvas[top : height - top, left : width - left]
        half = art[: art.shape[0] // 2]
        _figure(half, rng, self.ink[suit], _pip_mask(self.shapes[suit], 3.5 * PX_PER_MM))
        lower = art[art.shape[0] - half.shape[0] :]
        lower[:] = half[::-1, ::-1]
        if self.framed:
            line = self.ink["S"] if rng.random() < 0.6 else (160, 60, 30)
            cv2.rectangle(canvas, (left, top), (width - left, height - top), line, int(rng.integers(2, 5)))
        pip = _pip_mask(self.shapes[suit], rng.uniform(8, 14) * PX_PER_MM)
        middle = np.array([left + 0.7 * pip.shape[1], top + 0.75 * pip.shape[0]])
        for at, turned in ((middle, False), (np.array([width, height]) - middle, True)):
            if rng.random() < 0.7:
                _print(canvas, cv2.dilate(pip, np.ones((9, 9))), at, self.stock)
            _print(canvas, pip[::-1, ::-1] if turned else pip, at, self.ink[suit])

    def _joker_art(self, canvas: Array) -> None:
        height, width = canvas.shape[:2]
        rng = self.rng
        art = canvas[round(height * 0.15) : round(height * 0.85), round(width * 0.22) : round(width * 0.8)]
        _figure(art, rng, self.ink["S" if rng.random() < 0.5 else "H"], None)
        if rng.random() < 0.5:
            word = self.font("JOKER", round(5 * PX_PER_MM), 0)
            if word.shape[1] < 0.8 * width:
                _print(canvas, word, np.array([width / 2, height * rng.uniform(0.1, 0.2)]), self.ink["S"])

    def back(self, rng: Rng) -> Array:
        """A back: a pattern with or without a white margin."""
        size = (round(self.width_mm * PX_PER_MM), round(self.height_mm * PX_PER_MM))
        canvas = np.empty((size[1], size[0], 3), np.float32)
        canvas[:] = self.stock
        margin = round(rng.uniform(2, 5) * PX_PER_MM) if rng.random() < 0.7 else 0
        inner = canvas[margin : size[1] - margin, margin : size[0] - margin]
        ink = np.array([_red(rng), (150, 60, 30), (30, 30, 30), (60, 110, 40)][rng.integers(4)])
        y, x = np.mgrid[: inner.shape[0], : inner.shape[1]] / PX_PER_MM
        period = rng.uniform(2, 8)
        kind = rng.integers(4)
        waves = [
            np.sin((x + y) * 6.28 / period) * np.sin((x - y) * 6.28 / period),
            np.sin(np.hypot(x - 25, y - 40) * 6.28 / period),
            np.sin(x * 6.28 / period) * np.sin(y * 6.28 / period),
            np.sin(np.hypot(x - 25, y - 40) * 6.28 / period) * np.sin(np.arctan2(x - 25, y - 40) * 12),
        ]
        mask = (waves[kind] > rng.uniform(-0.5, 0.3)).astype(np.float32)[..., None]
        inner[:] = inner * (1 - mask) + ink * mask
        return cut_out(canvas, self.corner_mm)


def cut_out(canvas: Array, corner_mm: float) -> Array:
    """With round corners, as pixels with an alpha channel."""
    height, width = canvas.shape[:2]
    alpha = np.zeros((height, width), np.float32)
    radius = round(corner_mm * PX_PER_MM)
    cv2.rectangle(alpha, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([canvas.clip(0, 255), alpha]).astype(np.uint8)


def load_fonts(folders: list[Path]) -> list[Path]:
    """Fonts that could stand on cards: upright ones with Latin letters, neither hairlines nor handwriting."""
    found: dict[str, Path] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*.[to]tf")):
        if not any(part in path.name.lower() for part in _NO_FACES) and _has_figures(path):
            found.setdefault(path.stem, path)
    return list(found.values())


def _has_figures(path: Path) -> bool:
    """Whether what cards show has shapes of its own: where a font lacks a letter, all that it lacks look alike."""
    try:
        font = ImageFont.truetype(str(path), 24)
    except OSError:
        return False
    masks = [bytes(font.getmask(letter)) for letter in "234567890AJQKVDR"]
    return len(set(masks)) == len(masks)


def _drawn(fonts: list[Path], rng: Rng) -> Path:
    """One of any family, be that of one font or of twenty."""
    families: dict[str, list[Path]] = {}
    for path in fonts:
        families.setdefault(path.stem[:5].lower(), []).append(path)
    family = list(families.values())[rng.integers(len(families))]
    return family[rng.integers(len(family))]


# --- shapes -----------------------------------------------------------------------------------


def _pip_shape(suit: str, rng: Rng) -> list[Array]:
    """Polygons of a pip in a box from -0.5 to 0.5, y down."""
    wide = rng.uniform(0.68 if suit == "S" else 0.78, 1.05)
    if suit == "D":
        bend = rng.uniform(-0.09, 0.05)
        corners = np.array([[0, -0.5], [0.5 * wide * 0.85, 0], [0, 0.5], [-0.5 * wide * 0.85, 0]])
        points = []
        for first, last in zip(corners, np.roll(corners, -1, 0), strict=True):
            out = (first + last) / 2
            control = out * (1 + 4 * bend)
            points += [_quadratic(first, control, last, t) for t in np.linspace(0, 1, 8, endpoint=False)]
        return [np.array(points)]
    if suit == "C":
        radius = rng.uniform(0.18, 0.27)
        away = rng.uniform(0.25, 0.32)
        low = rng.uniform(0.03, 0.15)
        turns = np.linspace(0, 2 * np.pi, 24)
        ring = np.column_stack([np.cos(turns), np.sin(turns)]) * radius
        leaves = [ring + np.array(at) for at in ((0, -0.5 + radius), (-away * wide, low), (away * wide, low))]
        middle = np.array([[0, -0.25], [away * wide * 0.7, low], [0, low + 0.15], [-away * wide * 0.7, low]])
        return [*leaves, middle, _stem(rng)]
    shoulder, notch, lobe = rng.uniform(-0.26, -0.1), rng.uniform(-0.36, -0.2), rng.uniform(0.2, 0.28)
    # The flanks from the tip to the lobes: hollow ones look nearly like the leaves of a club.
    tip = (-rng.uniform(0.0, 0.14), 0.5 - rng.uniform(0.1, 0.42))
    flank = (-rng.uniform(0.3, 0.52), rng.uniform(-0.02, 0.24))
    half = [
        *_cubic((0, 0.5), tip, flank, (-0.5, shoulder)),
        *_cubic((-0.5, shoulder), (-0.5, -0.42), (-lobe - 0.1, -0.5), (-lobe, -0.5)),
        *_cubic((-lobe, -0.5), (-0.1, -0.5), (-0.02, notch - 0.06), (0, notch)),
    ]
    left = np.array(half)
    heart = np.vstack([left, (left * (-1, 1))[::-1]]) * (wide, 1)
    if suit == "H":
        return [heart]
    body = heart * (1, -1)
    body[:, 1] = (body[:, 1] + 0.5) * rng.uniform(0.76, 0.88) - 0.5
    return [body, _stem(rng)]


def _stem(rng: Rng) -> Array:
    foot, neck = rng.uniform(0.12, 0.32), rng.uniform(0.01, 0.07)
    side = np.array([_quadratic((neck, 0.0), (neck, 0.42), (foot, 0.5), t) for t in np.linspace(0, 1, 8)])
    return np.vstack([side, (side * (-1, 1))[::-1]])


def _star(rng: Rng) -> Array:
    points = int(rng.choice([5, 5, 5, 6, 8]))
    turns = np.arange(2 * points) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2 == 0, 0.5, rng.uniform(0.18, 0.28))
    return np.column_stack([np.cos(turns), np.sin(turns)]) * reach[:, None]


def _quadratic(first, control, last, t: float) -> Array:  # type: ignore[no-untyped-def]
    return (1 - t) ** 2 * np.array(first) + 2 * t * (1 - t) * np.array(control) + t**2 * np.array(last)


def _cubic(first, one, other, last) -> list[Array]:  # type: ignore[no-untyped-def]
    a, b, c, d = (np.array(point, float) for point in (first, one, other, last))
    return [
        (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d for t in np.linspace(0, 1, 10)
    ]


def _pip_mask(shape: list[Array], height: float) -> Array:
    """The pip so many pixels high, without margin."""
    side = int(height * 1.1) + 3
    mask = np.zeros((side, side), np.uint8)
    for polygon in shape:
        points = np.round((polygon * height + side / 2 - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    return _trimmed(mask).astype(np.float32) / 255


def _trimmed(mask: Array) -> Array:
    rows, columns = np.flatnonzero(mask.max(1) > 40), np.flatnonzero(mask.max(0) > 40)
    if not len(rows):
        return mask
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _strokes(text: str, face: int, thick: int) -> Array:
    mask = np.zeros((240, 160 * len(text) + 80), np.uint8)
    cv2.putText(mask, text, (30, 190), face, 6.0, 255, thick, cv2.LINE_AA)
    return _trimmed(mask)


def _figure_of_strokes(figure: str, thick: float) -> Array:
    """A three with a flat top, or a one that is a bar, on a picture as fonts are drawn on."""
    mask = np.zeros((260, 260), np.uint8)
    points = np.array([[0.08, 0.0], [0.92, 0.0], [0.42, 0.4]])
    turns = np.linspace(-np.pi / 2, 0.85 * np.pi, 24)
    bowl = np.column_stack([0.45 + 0.45 * np.cos(turns), 0.7 + 0.3 * np.sin(turns)])
    line = np.vstack([points, bowl]) if figure == "3" else np.array([[0.0, 0.0], [0.0, 1.0]])
    pixels = np.round(line * (64, 96) + (80, 70)).astype(np.int32)
    cv2.polylines(mask, [pixels], False, 255, max(3, int(96 * thick)), cv2.LINE_AA)
    return mask


def lettering(text: str, path: Path, tight: float, own: dict[str, Array] | None = None) -> Array:
    """A text in a font, its letters set as tightly as figures of a ten are; some may have a shape of their own."""
    font = ImageFont.truetype(str(path), 120)
    letters = []
    for letter in text:
        if own and letter in own:
            letters.append(own[letter])
            continue
        picture = Image.new("L", (260, 260))
        ImageDraw.Draw(picture).text((60, 40), letter, fill=255, font=font)
        letters.append(np.asarray(picture))
    letters = [_trimmed_rows(letter) for letter in letters] if own else letters
    rows = np.flatnonzero(np.max([letter.max(1) for letter in letters], axis=0) > 40)
    cut = []
    for letter in letters:
        columns = np.flatnonzero(letter.max(0) > 40)
        cut += [
            letter[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1],
            np.zeros((rows[-1] + 1 - rows[0], max(int(14 - 80 * tight), 3)), np.uint8),
        ]
    return np.hstack(cut[:-1])


def _trimmed_rows(letter: Array) -> Array:
    """A letter stretched to the full height, so that those of different origin stand in one line."""
    rows = np.flatnonzero(letter.max(1) > 40)
    return cv2.resize(letter[rows[0] : rows[-1] + 1], (letter.shape[1], 100), interpolation=cv2.INTER_AREA)


def _stacked(parts: list[Array], gap: int, aside: int = 0) -> Array:
    """Masks one above the other, their middles in one line or each so many pixels further aside."""
    wide = max(part.shape[1] for part in parts) + abs(aside)
    rows = []
    for place, part in enumerate(parts):
        left = int(np.clip((wide - part.shape[1]) // 2 + (2 * place - 1) * aside / 2, 0, wide - part.shape[1]))
        rows += [np.pad(part, ((0, 0), (left, wide - part.shape[1] - left))), np.zeros((gap, wide), np.float32)]
    return np.vstack(rows[:-1])


def _fitted(mask: Array, height: int, width: float, bold: float) -> Array:
    """The mask so high and at most so wide, its strokes thicker or thinner by a part of the height."""
    across = width or mask.shape[1] * height / mask.shape[0]
    own = mask.shape[1] * height / mask.shape[0]
    across = max(2, round(min(across, own * 1.15)))
    grown = round(abs(bold) * mask.shape[0] / 2) * 2 + 1
    if grown > 1 and bold > 0:
        mask = cv2.dilate(np.pad(mask, grown // 2), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (grown, grown)))
    small = cv2.resize(mask, (across, max(height, 2)), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def _print(canvas: Array, mask: Array, middle: Array, ink) -> None:  # type: ignore[no-untyped-def]
    """Lays ink through a mask, its middle at a place; what does not fit is cut off."""
    height, width = canvas.shape[:2]
    top, left = round(middle[1] - mask.shape[0] / 2), round(middle[0] - mask.shape[1] / 2)
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + mask.shape[0], height), min(left + mask.shape[1], width)
    if y1 <= y0 or x1 <= x0:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    spot = canvas[y0:y1, x0:x1]
    spot[:] = spot * (1 - part) + np.asarray(ink, np.float32) * part


def _dark(rng: Rng) -> Colour:
    return tuple(rng.uniform(5, 50) + rng.normal(0, 4, 3))


def _red(rng: Rng) -> Colour:
    return (rng.uniform(20, 75), rng.uniform(10, 60), rng.uniform(180, 240))


def _figure(art: Array, rng: Rng, ink: Colour, pip: Array | None) -> None:
    """A half figure of stripes, patches, a face and small patterns."""
    height, width = art.shape[:2]
    colours = [(30, 30, 190), (160, 60, 30), (40, 200, 240), (25, 25, 25), (235, 240, 240), ink, (60, 120, 60)]
    plain = rng.random() < 0.25
    picks = rng.permutation(len(colours))[: int(rng.integers(2, 6))]
    palette = [colours[4], (20, 20, 20)] if plain else [colours[pick] for pick in picks]
    for _ in range(int(rng.integers(14, 44))):
        middle = rng.uniform(0, 1, 2) * (width, height)
        reach = rng.uniform(0.05, 0.35) * width
        colour = palette[rng.integers(len(palette))]
        kind = rng.integers(5)
        if kind == 0:
            turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
            points = middle + np.column_stack([np.cos(turns), np.sin(turns)]) * reach
            cv2.fillPoly(art, [points.astype(np.int32)], colour, cv2.LINE_AA)
            cv2.polylines(art, [points.astype(np.int32)], True, (20, 20, 20), 2, cv2.LINE_AA)
        elif kind == 1:
            axes = (int(reach * 0.6) + 1, int(reach * rng.uniform(0.2, 0.8)) + 1)
            cv2.ellipse(
                art, (int(middle[0]), int(middle[1])), axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA
            )
        elif kind == 2:
            turn = rng.uniform(0, np.pi)
            way, side = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
            for step in range(int(rng.integers(3, 9))):
                first = middle + side * step * rng.uniform(6, 9)
                ends = np.array([first, first + way * reach * 1.6]).astype(int)
                cv2.line(art, ends[0].tolist(), ends[1].tolist(), colour, int(rng.integers(2, 5)), cv2.LINE_AA)
        elif kind == 3:
            for step in range(int(rng.integers(3, 12))):
                spot = middle + np.array([step * 11.0, rng.uniform(-3, 3)])
                cv2.circle(art, (int(spot[0]), int(spot[1])), int(rng.integers(3, 7)), colour, -1, cv2.LINE_AA)
        elif pip is not None:
            _print(art, pip, middle, ink)
    face = (int(width * rng.uniform(0.4, 0.65)), int(height * rng.uniform(0.25, 0.5)))
    cv2.ellipse(art, face, (int(width * 0.13), int(width * 0.17)), 0, 0, 360, (215, 225, 240), -1, cv2.LINE_AA)
    cv2.ellipse(art, face, (int(width * 0.13), int(width * 0.17)), 0, 0, 360, (20, 20, 20), 2, cv2.LINE_AA)
    for step in range(6):
        x = face[0] + int((step - 2.5) * width * 0.05)
        cv2.line(
            art,
            (x, face[1] - int(width * 0.16)),
            (x + 4, face[1] - int(width * 0.3)),
            palette[step % len(palette)],
            5,
            cv2.LINE_AA,
        )
