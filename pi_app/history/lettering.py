"""Words in pictures: in our own font where it has the letters, in one of the system's where it has not."""

from functools import lru_cache
from typing import Final
from unicodedata import bidirectional, category

from font_fredoka_one import FredokaOne
from PIL import ImageFont, features

FALLBACKS: Final = (
    "DejaVuSans-Bold.ttf",
    "NotoSansCJK-Bold.ttc",
    "NotoSansCJK-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "unifont.otf",
    "LiberationSans-Bold.ttf",
)
"""Fonts for names in other writings; whichever of them are installed."""

ABSENT: Final = "\U0010ffff"
"""A character that no font has: how a font draws what it lacks."""

LONGEST: Final = 200
"""Letters; more are in no picture."""

TURNING: Final = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")

UNKNOWN: Final = "?"
"""Stands for a letter that no font has."""

DIRECTION: Final = "ltr" if features.check("raqm") else None
"""Sentences run from left to right, whatever writing the names in them have."""

Font = ImageFont.FreeTypeFont


def fitting(words: str, size: int, width: int, least: int) -> tuple[str, Font]:
    """The words and a font in which they are no wider; smaller first, and cut off when too small."""
    words = "".join(map(_drawable, words[:LONGEST]))
    name = _best(words)
    words = "".join(letter if letter == " " or _has(name, letter) else UNKNOWN for letter in words)
    while size > least and _sized(name, size).getlength(words) > width:
        size = max(least, size * 9 // 10)
    font = _sized(name, size)
    while len(words) > 1 and font.getlength(words) > width:
        words = words.removesuffix("…")[:-1].rstrip() + "…"
    return words, font


def _best(words: str) -> str:
    """Our own font, or the one that has most of these letters."""
    letters = set(words) - {" "}
    known: list[str] = [FredokaOne, *_installed()]
    return max(known, key=lambda name: sum(_has(name, letter) for letter in letters))


def _drawable(letter: str) -> str:
    """Nothing that ends a line or turns the writing around: those are not drawn, and upset whoever lays letters out."""
    return " " if category(letter) in ("Cc", "Cs", "Zl", "Zp") or bidirectional(letter) in TURNING else letter


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    found = []
    for name in FALLBACKS:
        try:
            ImageFont.truetype(name, 20)
        except OSError:
            continue
        found.append(name)
    return tuple(found)


@lru_cache(maxsize=64)
def _sized(name: str, size: int) -> Font:
    return ImageFont.truetype(name, size)


@lru_cache(maxsize=4096)
def _has(name: str, letter: str) -> bool:
    font = _sized(name, 20)
    return bytes(font.getmask(letter)) != bytes(font.getmask(ABSENT))
