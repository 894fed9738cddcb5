"""A picture of a finished game that one likes to post: the winner, the boards, the scores."""

import io
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from PIL import Image, ImageDraw

from pi_app.history.lettering import DIRECTION, fitting

SIZES: Final = {"wide": (1200, 630), "square": (1080, 1080)}
SMOOTH: Final = 2
"""Drawn so many times larger and then made smaller, because Pillow draws no smooth edges."""

NIGHT, DUSK, HOUSES, WINDOW = (18, 16, 40), (74, 30, 92), (11, 10, 26), (255, 214, 110)
CARD, WINNER_CARD, PAPER = (34, 31, 66), (58, 46, 92), (250, 247, 238)
WHITE, SOFT, GOLD, PINK = (255, 255, 255), (186, 182, 214), (255, 209, 71), (255, 95, 168)
INKS: Final = {
    "red": (229, 72, 77),
    "blue": (59, 130, 246),
    "green": (48, 164, 108),
    "yellow": (240, 180, 0),
    "purple": (146, 84, 222),
}
OTHER_INKS: Final = ((110, 110, 120), (226, 120, 40), (20, 160, 160))

Box = tuple[int, int, int, int]
Colour = tuple[int, int, int]


def draw(told: Mapping[str, Any], form: str, words: Mapping[str, str]) -> bytes:
    """A PNG of the story of a finished game.

    `words` are `headline`, `date`, `details`, and `former` for people without a name.
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
        picture.card(box, name, told["scores"][seat], told["view"], seat, told["places"][seat] == 1)
    return picture.png()


def _cards(count: int, form: str, area: Box) -> list[Box]:
    """Where the cards lie: side by side, in the square two in a row."""
    columns = count if form == "wide" else 2
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

    def card(self, box: Box, name: str, score: int, view: Mapping[str, Any], seat: int, won: bool) -> None:
        left, top, right, bottom = box
        edge = [left * SMOOTH, top * SMOOTH, right * SMOOTH, bottom * SMOOTH]
        fill, line = (WINNER_CARD, GOLD) if won else (CARD, CARD)
        self._draw.rounded_rectangle(edge, 22 * SMOOTH, fill=fill, outline=line, width=4 * SMOOTH)
        middle, foot = (left + right) // 2, 96
        board_top = top + (40 if won else 20)
        self._board((left + 20, board_top, right - 20, bottom - foot - 8), view, seat)
        if won:
            self._crown((middle, top + 20))
        self.words(name, (middle, bottom - foot + 20), 30, WHITE, right - left - 32, anchor="mm")
        self.words(str(score), (middle, bottom - 34), 54, GOLD if won else WHITE, right - left - 32, anchor="mm")

    def _board(self, box: Box, view: Mapping[str, Any], seat: int) -> None:
        """The city as it was painted; what stayed free is pale."""
        city, painted = view["city"], view["boards"][seat]["painted"]
        left, top, right, bottom = (edge * SMOOTH for edge in box)
        margin = 6 * SMOOTH
        size = min((right - left - 2 * margin) // city["cols"], (bottom - top - 2 * margin) // city["rows"])
        x, y = (left + right - size * city["cols"]) // 2, (top + bottom - size * city["rows"]) // 2
        sheet = [x - margin, y - margin, x + size * city["cols"] + margin, y + size * city["rows"] + margin]
        self._draw.rounded_rectangle(sheet, 2 * margin, fill=PAPER)
        inks = _inks(city["districts"])
        for row, letters in enumerate(city["cells"]):
            for column, letter in enumerate(letters):
                ink = inks.get(letter, OTHER_INKS[0])
                colour = ink if painted[row][column] == "#" else _mixed(PAPER, ink, 0.22)
                corner = (x + column * size, y + row * size)
                square = [corner[0] + SMOOTH, corner[1] + SMOOTH, corner[0] + size - SMOOTH, corner[1] + size - SMOOTH]
                self._draw.rounded_rectangle(square, size // 6, fill=colour)

    def _crown(self, at: tuple[int, int]) -> None:
        shape = ((-26, 14), (-30, -12), (-13, 2), (0, -18), (13, 2), (30, -12), (26, 14))
        self._draw.polygon([((at[0] + x) * SMOOTH, (at[1] + y) * SMOOTH) for x, y in shape], fill=GOLD)

    def _rectangle(self, box: Box, colour: Colour) -> None:
        left, top, right, bottom = box
        corners = [left * SMOOTH, top * SMOOTH, right * SMOOTH - 1, bottom * SMOOTH - 1]
        self._draw.rectangle(corners, fill=colour)


def _inks(districts: Mapping[str, str]) -> dict[str, Colour]:
    """The colour that a district is named after, or one of the others."""
    return {
        letter: INKS.get(name, OTHER_INKS[index % len(OTHER_INKS)])
        for index, (letter, name) in enumerate(districts.items())
    }


def _mixed(one: Sequence[int], other: Sequence[int], share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
