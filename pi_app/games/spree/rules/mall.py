"""The mall: its drawing read into squares, and all that can be told of them beforehand.

A square is its number, row by row from the top left; people call it by column letter and row number.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from string import ascii_uppercase
from typing import Final, NamedTuple

from pi_app.games.spree.rules.cards import NUMBER
from pi_app.games.spree.rules.walks import Walks

LOT, PARKING, HALL, FOUNTAIN, SHOP = "lot", "parking", "hall", "fountain", "shop"
SIGNS: Final = {" . ": LOT, " P ": PARKING, "   ": HALL, " F ": FOUNTAIN}
"""How squares are drawn that sell nothing."""
LEAST_SIDE, MOST_SIDE = 5, 25
NOWHERE: Final = -1
NO_GOODS: Final = -1
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left, as columns and rows."""


class Aim(NamedTuple):
    """How one square is seen from another."""

    line: tuple[int, ...]
    """All squares in that direction as far as the next wall."""
    away: int
    """How many squares away it is."""


class Mall:
    """Squares, walls and goods, with tables for walking, driving and shooting."""

    def __init__(self, drawing: Sequence[str]) -> None:
        self.drawing = tuple(drawing)
        self.columns, self.rows = (len(drawing[0]) - 1) // 4, (len(drawing) - 1) // 2
        squares = range(self.columns * self.rows)
        self.names = tuple(f"{ascii_uppercase[s % self.columns]}{s // self.columns + 1}" for s in squares)
        self.number = {name: square for square, name in enumerate(self.names)}
        drawn = [self._drawn(square) for square in squares]
        self.kinds = tuple(SIGNS.get(sign, SHOP) for sign in drawn)
        self.goods = tuple(NO_GOODS if sign in SIGNS else NUMBER[sign.strip()] for sign in drawn)
        """The card that is sold there."""
        self.lines = tuple(tuple(self._line(square, step) for step in STEPS) for square in squares)
        """From every square, what lies in each direction as far as the next wall."""
        self.neighbours = tuple(
            tuple(line[0] for line in lines if line and self.kinds[line[0]] != FOUNTAIN) for lines in self.lines
        )
        """Where one may walk from every square."""
        self.roads = tuple(tuple(square for square in near if self.kinds[square] != SHOP) for near in self.neighbours)
        """Where one may drive."""
        self.places = tuple(square for square in squares if self.kinds[square] == PARKING)
        self.aims = tuple(
            {target: Aim(line, away) for line in lines for away, target in enumerate(line, 1)} for lines in self.lines
        )

    def _drawn(self, square: int) -> str:
        row, column = divmod(square, self.columns)
        return self.drawing[2 * row + 1][4 * column + 1 : 4 * column + 4]

    def _line(self, square: int, step: tuple[int, int]) -> tuple[int, ...]:
        line = []
        while not self._walled(square, step):
            square += step[0] + step[1] * self.columns
            line.append(square)
        return tuple(line)

    def _walled(self, square: int, step: tuple[int, int]) -> bool:
        row, column = divmod(square, self.columns)
        across, down = step
        return self.drawing[2 * row + 1 + down][4 * column + 2 + 2 * across] != " "

    def beside(self, square: int, other: int) -> bool:
        """Whether two squares touch, wall or not."""
        (row, column), (to_row, to_column) = divmod(square, self.columns), divmod(other, self.columns)
        return abs(row - to_row) + abs(column - to_column) == 1

    @cached_property
    def walks(self) -> Walks:
        return Walks(self.neighbours)

    @cached_property
    def drives(self) -> Walks:
        return Walks(self.roads)


@lru_cache(maxsize=16)
def mall_of(drawing: tuple[str, ...]) -> Mall:
    """A checked drawing; the same one is read once."""
    return Mall(drawing)


def mistakes_in(drawing: Sequence[str]) -> list[tuple[int, int, str]]:
    """Every place where a drawing of the right shape cannot be read, as line and column from 1, and what is wrong."""
    columns, rows = (len(drawing[0]) - 1) // 4, (len(drawing) - 1) // 2
    found = []
    for y, line in enumerate(drawing):
        for x in range(0, len(line), 4):
            if y % 2 == 0:
                rim = y in (0, 2 * rows)
                if line[x] != "+":
                    found.append((y + 1, x + 1, "corner"))
                if x < 4 * columns and line[x + 1 : x + 4] not in (("---",) if rim else ("---", "   ")):
                    found.append((y + 1, x + 2, "rim" if rim else "wall"))
            else:
                rim = x in (0, 4 * columns)
                if line[x] not in (("|",) if rim else ("|", " ")):
                    found.append((y + 1, x + 1, "rim" if rim else "wall"))
                if x < 4 * columns and not _is_square(line[x + 1 : x + 4]):
                    found.append((y + 1, x + 2, "square"))
    return found


def _is_square(sign: str) -> bool:
    return sign in SIGNS or (sign.strip() in NUMBER and sign.strip() != "*" and sign == f"{sign.strip():>3}")
