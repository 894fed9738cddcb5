"""A picture of a finished game that one likes to post: the winner, the boards, the scores."""

import io
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from PIL import Image, ImageDraw

from pi_app.history.lettering import DIRECTION, fitting

SIZES: Final = {"wide": (1200, 630), "square": (1080, 1080)}
FEW: Final = 4
"""Players who have room side by side."""
SMOOTH: Final = 2
"""Drawn so many times larger and then made smaller, because Pillow draws no smooth edges."""

NIGHT, DUSK, HOUSES, WINDOW = (18, 16, 40), (74, 30, 92), (11, 10, 26), (255, 214, 110)
CARD, WINNER_CARD, PAPER = (34, 31, 66), (58, 46, 92), (250, 247, 238)
WHITE, SOFT, GOLD, PINK = (255, 255, 255), (186, 182, 214), (255, 209, 71), (255, 95, 168)

Box = tuple[int, int, int, int]
Colour = tuple[int, int, int]
Mosaic = Sequence[Sequence[str]]
"""Rows of colours, such as #1d4ed8."""


@runtime_checkable
class Pictured(Protocol):
    """A game that tells what a seat has made as a mosaic. For any other the picture says where points came from."""

    def mosaic(self, state: Any, seat: int) -> Mosaic: ...


def draw(
    told: Mapping[str, Any], form: str, words: Mapping[str, str], mosaics: Sequence[Mosaic] | None = None
) -> bytes:
    """A PNG of the story of a finished game, with what every seat has made.

    `words` are `headline`, `date`, `details`, `former` for people without a name, and those of the parts of a score.
    """
    width, height = SIZES[form]
    picture = _Picture(width, height)
    picture.background(seed=told["id"])
    edge, top = 44, 40
    picture.words("ALL CITY", (edge, top), 34, PINK, width // 2)
    picture.words(words["date"], (width - edge, top), 26, SOFT, width // 2, anchor="rm")
    picture.words(words["headline"], (width // 2, top + 88), 84, GOLD, width - 2 * edge, anchor="mm")
    picture.words(words["details"], (width // 2, height - 34), 24, SOFT, width - 2 * edge, anchor="mm")
    order = sorted(range(len(told["players"])), key=lambda seat: (told["places"][seat], seat))
    for seat, box in zip(order, _cards(len(order), form, (edge, top + 158, width - edge, height - 68)), strict=True):
        name = told["players"][seat]["name"] or words["former"]
        made = picture.card(box, name, told["scores"][seat], told["places"][seat] == 1)
        if mosaics is not None:
            picture.mosaic(made, mosaics[seat])
        else:
            picture.lines(made, [(words[part], str(points)) for part, points in told["parts"][seat].items()])
    return picture.png()


def _cards(count: int, form: str, area: Box) -> list[Box]:
    """Where the cards lie: side by side, in the square two in a row; many in two rows, or three in a row."""
    few = count <= FEW
    columns = (count if few else -(-count // 2)) if form == "wide" else (2 if few else 3)
    rows = -(-count // columns)
    left, top, right, bottom = area
    gap = 22
    # Two cards across the whole width would be clumsy.
    width = min((right - left - gap * (columns - 1)) // columns, 420 if form == "wide" else 480)
    height = (bottom - top - gap * (rows - 1)) // rows
    boxes = []
    for index in range(count):
        row, column = divmod(index, columns)
        in_row = min(columns, count - row * columns)
        start = (left + right - in_row * width - (in_row - 1) * gap) // 2
        x, y = start + column * (width + gap), top + row * (height + gap)
        boxes.append((x, y, x + width, y + height))
    return boxes


class _Picture:
    """A sheet whose places are given in the pixels of the finished picture."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * SMOOTH, height * SMOOTH), NIGHT)
        self._draw = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        file = io.BytesIO()
        small = self._image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        small.save(file, "PNG")
        return file.getvalue()

    def words(self, words: str, at: tuple[int, int], size: int, colour: Colour, width: int, anchor: str = "lm") -> None:
        shown, font = fitting(words, size * SMOOTH, width * SMOOTH, size * SMOOTH // 3)
        place = (at[0] * SMOOTH, at[1] * SMOOTH)
        self._draw.text(place, shown, font=font, fill=colour, anchor=anchor, direction=DIRECTION)

    def background(self, seed: int) -> None:
        """Dusk over a city that is another one for every game."""
        for y in range(0, self.height, 2):
            self._rectangle((0, y, self.width, y + 2), _mixed(NIGHT, DUSK, y / self.height))
        rng, x = random.Random(seed), -20
        while x < self.width:
            width, tall = rng.randrange(50, 120), rng.randrange(self.height // 6, self.height // 2)
            self._rectangle((x, self.height - tall, x + width, self.height), HOUSES)
            for row in range(self.height - tall + 14, self.height - 70, 24):
                for column in range(x + 10, x + width - 12, 20):
                    if rng.random() < 0.25:
                        self._rectangle((column, row, column + 7, row + 10), _mixed(HOUSES, WINDOW, 0.5))
            x += width + rng.randrange(0, 14)
        self._rectangle((0, self.height - 58, self.width, self.height), HOUSES)

    def card(self, box: Box, name: str, score: int, won: bool) -> Box:
        """Gives the place that is left for what this player has made."""
        left, top, right, bottom = box
        edge = [left * SMOOTH, top * SMOOTH, right * SMOOTH, bottom * SMOOTH]
        fill, line = (WINNER_CARD, GOLD) if won else (CARD, CARD)
        self._draw.rounded_rectangle(edge, 22 * SMOOTH, fill=fill, outline=line, width=4 * SMOOTH)
        middle, foot = (left + right) // 2, 96
        if won:
            self._crown((middle, top + 20))
        self.words(name, (middle, bottom - foot + 20), 30, WHITE, right - left - 32, anchor="mm")
        self.words(str(score), (middle, bottom - 34), 54, GOLD if won else WHITE, right - left - 32, anchor="mm")
        return left + 20, top + (40 if won else 20), right - 20, bottom - foot - 8

    def mosaic(self, box: Box, rows: Mosaic) -> None:
        left, top, right, bottom = (edge * SMOOTH for edge in box)
        margin = 6 * SMOOTH
        size = min((right - left - 2 * margin) // len(rows[0]), (bottom - top - 2 * margin) // len(rows))
        x, y = (left + right - size * len(rows[0])) // 2, (top + bottom - size * len(rows)) // 2
        sheet = [x - margin, y - margin, x + size * len(rows[0]) + margin, y + size * len(rows) + margin]
        self._draw.rounded_rectangle(sheet, 2 * margin, fill=PAPER)
        for row, colours in enumerate(rows):
            for column, colour in enumerate(colours):
                corner = (x + column * size, y + row * size)
                square = [corner[0] + SMOOTH, corner[1] + SMOOTH, corner[0] + size - SMOOTH, corner[1] + size - SMOOTH]
                self._draw.rounded_rectangle(square, size // 6, fill=colour)

    def lines(self, box: Box, lines: Sequence[tuple[str, str]]) -> None:
        """Words and a number each, one below the other."""
        left, top, right, bottom = box
        step = min((bottom - top) // max(1, len(lines)), 40)
        for index, (said, number) in enumerate(lines):
            y = top + step * index + step // 2
            self.words(said, (left, y), step * 6 // 10, SOFT, (right - left) * 7 // 10)
            self.words(number, (right, y), step * 6 // 10, WHITE, (right - left) * 3 // 10, anchor="rm")

    def _crown(self, at: tuple[int, int]) -> None:
        shape = ((-26, 14), (-30, -12), (-13, 2), (0, -18), (13, 2), (30, -12), (26, 14))
        self._draw.polygon([((at[0] + x) * SMOOTH, (at[1] + y) * SMOOTH) for x, y in shape], fill=GOLD)

    def _rectangle(self, box: Box, colour: Colour) -> None:
        left, top, right, bottom = box
        corners = [left * SMOOTH, top * SMOOTH, right * SMOOTH - 1, bottom * SMOOTH - 1]
        self._draw.rectangle(corners, fill=colour)


def _mixed(one: Sequence[int], other: Sequence[int], share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
