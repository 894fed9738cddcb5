"""Boards larger than a sheet of paper, printed in tiles that are joined."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from vision.kit.sheet import DARK, PAPER, SOFT, Sheet, SizeMm, rectangle
from vision.layout import Point

OVERLAP_MM = 3.0
"""What two neighbours both show, so that one can be laid over the other."""
MAP_MM = 34.0
DASH_MM = 4.0


@dataclass(frozen=True)
class Tiling:
    """`turned` are tiles that lie on the paper turned by a quarter to the left."""

    board_mm: SizeMm
    across: int
    down: int
    turned: bool

    @property
    def count(self) -> int:
        return self.across * self.down

    @property
    def step_mm(self) -> SizeMm:
        """From a tile to the next."""
        return (self.board_mm[0] - OVERLAP_MM) / self.across, (self.board_mm[1] - OVERLAP_MM) / self.down

    @property
    def tile_mm(self) -> SizeMm:
        return self.step_mm[0] + OVERLAP_MM, self.step_mm[1] + OVERLAP_MM

    @property
    def shown_mm(self) -> SizeMm:
        """As it lies on the paper."""
        return self.tile_mm[::-1] if self.turned else self.tile_mm

    def place(self, number: int) -> tuple[int, int]:
        """The column and the row of a tile, from the left and from the top."""
        return number % self.across, number // self.across


def tiling_of(board_mm: SizeMm, room_mm: SizeMm) -> Tiling:
    """With as few tiles as can be."""
    ways = []
    for turned, room in ((False, room_mm), (True, room_mm[::-1])):
        across, down = (
            math.ceil((board - OVERLAP_MM) / (side - OVERLAP_MM) - 1e-9)
            for board, side in zip(board_mm, room, strict=True)
        )
        ways.append(Tiling(board_mm, across, down, turned))
    return min(ways, key=lambda way: way.count)


def draw_tile(sheet: Sheet, at: Point, tiling: Tiling, number: int, name: str, draw: Callable[[Sheet], None]) -> None:
    """A tile of what `draw` draws, with a line to cut along, and dashed ones up to which its neighbours reach."""
    (col, row), (step_x, step_y), (width, height) = tiling.place(number), tiling.step_mm, tiling.tile_mm
    with sheet.inset(at, tiling.tile_mm, turned=tiling.turned) as tile:
        with tile.inset((-col * step_x, -row * step_y), tiling.board_mm) as whole:
            whole.again(name, tiling.board_mm, draw)
        if col + 1 < tiling.across:
            _dashed(tile, (step_x, 0), (step_x, height))
        if row + 1 < tiling.down:
            _dashed(tile, (0, step_y), (width, step_y))
    sheet.polygon(rectangle(*at, *tiling.shown_mm), line=SOFT, width_mm=0.2)


def draw_tile_map(sheet: Sheet, at: Point, tiling: Tiling, number: int) -> None:
    """Which of the tiles it is."""
    scale = MAP_MM / max(tiling.board_mm)
    width, height = (scale * side for side in tiling.step_mm)
    for tile in range(tiling.count):
        col, row = tiling.place(tile)
        fill, ink = (DARK, PAPER) if tile == number else (PAPER, SOFT)
        sheet.polygon(rectangle(at[0] + col * width, at[1] + row * height, width, height), fill=fill, line=SOFT)
        sheet.text((at[0] + (col + 0.5) * width, at[1] + (row + 0.5) * height), str(tile + 1), 4.6, ink)


def _dashed(sheet: Sheet, begin: Point, end: Point) -> None:
    count = int(math.dist(begin, end) / DASH_MM)
    along = (end[0] - begin[0]) / count, (end[1] - begin[1]) / count
    for n in range(0, count, 2):
        a = (begin[0] + n * along[0], begin[1] + n * along[1])
        sheet.line(a, (a[0] + along[0], a[1] + along[1]), 0.2, SOFT)
