"""Where things are on a board: the kit's `layout.json`, read and checked.

Everything that vision knows about a board comes from this file: any kit that keeps the contract can
be read. Lengths are millimetres from the board's top left corner, x to the right, y down.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from vision.catalogue import Catalogue, parse_catalogue
from vision.checked import (
    LARGEST_BOARD_MM,
    BadLayout,
    Point,
    Polygon,
    file_name,
    length_mm,
    polygon_mm,
    value_of,
)
from vision.files import read_bounded

__all__ = [
    "CARDS",
    "DICE",
    "INK",
    "LARGEST_BOARD_MM",
    "PIECES",
    "TILE",
    "VALUE",
    "BadLayout",
    "BoardLayout",
    "Layout",
    "Point",
    "Polygon",
    "layout_json",
    "load_layout",
    "parse_layout",
    "readers_by_id",
]

INK: Final = "ink"
"""A reader of squares: whatever is drawn there, it is marked."""
VALUE: Final = "value"
"""A reader of boxes with a number: circled, crossed or marked."""
DICE: Final = "dice"
"""A reader of places to put dice."""
PIECES: Final = "pieces"
"""A reader of places where pieces stand or lie, several at once."""
TILE: Final = "tile"
"""A reader of places for one flat piece, told by its code or by its face."""
CARDS: Final = "cards"
"""A reader of places for playing cards: what stays open of a card that lies there upright, when others overlap it."""

LARGEST_FILE = 5_000_000
MOST_BOARDS, MOST_REGIONS = 20, 1_000
_SQUARE = re.compile(r"r\d.*")


@dataclass(frozen=True)
class BoardLayout:
    """One printed board. A marker's polygon is its black outline, clockwise from its own top left.

    `readers` tells by region how it is read, maybe by a reader that we do not have. A region without one is not read.
    """

    id: str
    kind: str
    width_mm: float
    height_mm: float
    image: str
    regions: Mapping[str, Polygon]
    markers: Mapping[int, Polygon]
    readers: Mapping[str, str] = field(default_factory=dict)

    def read_by(self, *readers: str) -> tuple[str, ...]:
        """The regions that one of these readers reads."""
        return tuple(region for region in self.regions if self.readers.get(region) in readers)

    @property
    def drawn_regions(self) -> tuple[str, ...]:
        """Where people draw."""
        return self.read_by(INK, VALUE)

    @property
    def dice_regions(self) -> tuple[str, ...]:
        """Where dice are put."""
        return self.read_by(DICE)

    @property
    def piece_regions(self) -> tuple[str, ...]:
        """Where pieces, tiles and cards are put."""
        return self.read_by(PIECES, TILE, CARDS)


@dataclass(frozen=True)
class Layout:
    """A kit: its boards, and where their pictures lie; `pieces` is what the file says of its loose pieces."""

    profile: str
    boards: tuple[BoardLayout, ...]
    folder: Path = Path()
    game: str = ""
    pieces: Mapping[str, Any] = field(default_factory=dict)

    def board(self, board_id: str) -> BoardLayout:
        return next(board for board in self.boards if board.id == board_id)

    def only(self, boards: Collection[str]) -> "Layout":
        """The same without other boards."""
        return replace(self, boards=tuple(board for board in self.boards if board.id in boards))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The loose pieces, checked. Raises BadLayout."""
        return parse_catalogue(self.pieces)


def load_layout(folder: Path) -> Layout:
    """Reads `layout.json` in a kit's folder. Raises BadLayout."""
    path = folder / "layout.json"
    try:
        data = json.loads(read_bounded(path, LARGEST_FILE))
    except OSError as error:
        raise BadLayout(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise BadLayout(f"{path}: is not a JSON file ({str(error)[:80]})") from error
    try:
        return parse_layout(data, folder)
    except BadLayout as error:
        raise BadLayout(f"{path}: {error}") from error


def parse_layout(data: Any, folder: Path) -> Layout:
    """The layout that JSON values tell. Raises BadLayout."""
    raws = value_of(data, "boards", list, "file")
    if len(raws) > MOST_BOARDS:
        raise BadLayout(f"there are more than {MOST_BOARDS} boards")
    boards = tuple(_board(raw, number) for number, raw in enumerate(raws, 1))
    seen: dict[int, str] = {}
    for board in boards:
        for marker in board.markers:
            if marker in seen:
                raise BadLayout(f"marker {marker} stands on {seen[marker]} and on {board.id}")
            seen[marker] = board.id
    if len({board.id for board in boards}) != len(boards):
        raise BadLayout("two boards have the same id")
    game, pieces = value_of(data, "game", str, "file", ""), value_of(data, "pieces", dict, "file", {})
    layout = Layout(value_of(data, "profile", str, "file"), boards, folder, game, pieces)
    _check_places(layout)
    return layout


def _check_places(layout: Layout) -> None:
    """Every region for pieces has to say which: a reader could not tell."""
    for board in layout.boards:
        for region in board.piece_regions:
            if not layout.catalogue.held(board.id, region):
                raise BadLayout(f"pieces: nothing is said of {board.id[:40]} {region[:40]}, which is read for pieces")


def layout_json(layout: Layout) -> dict[str, Any]:
    """The contracted JSON form."""
    return {
        "profile": layout.profile,
        "game": layout.game,
        "boards": [
            {
                "id": board.id,
                "kind": board.kind,
                "width_mm": board.width_mm,
                "height_mm": board.height_mm,
                "image": board.image,
                "regions": {region: _rounded(polygon) for region, polygon in board.regions.items()},
                "markers": {str(marker): _rounded(polygon) for marker, polygon in board.markers.items()},
                "readers": dict(board.readers),
            }
            for board in layout.boards
        ],
        "pieces": dict(layout.pieces),
    }


def readers_by_id(regions: Iterable[str]) -> dict[str, str]:
    """How regions are read on a board that does not say: r3c7 is a square, section.2 a place for dice.

    Where dice are put nobody draws; elsewhere all that is no square is a box with a value.
    """
    regions = list(regions)
    dice = {region: DICE for region in regions if region.startswith("section.")}
    return dice or {region: INK if _SQUARE.fullmatch(region) else VALUE for region in regions}


def _board(raw: Any, number: int) -> BoardLayout:
    where = f"board {number}"
    board_id = value_of(raw, "id", str, where)
    kind, image = value_of(raw, "kind", str, where), value_of(raw, "image", str, where)
    file_name(image, where)
    width, height = (
        length_mm(value_of(raw, key, (int, float), where), f"{where} {key}") for key in ("width_mm", "height_mm")
    )
    raws = value_of(raw, "regions", dict, where)
    if len(raws) > MOST_REGIONS:
        raise BadLayout(f"{where}: has more than {MOST_REGIONS} regions")
    regions = {region: polygon_mm(polygon, f"{where} region {region}") for region, polygon in raws.items()}
    readers = value_of(raw, "readers", dict, where, readers_by_id(regions))
    for region, reader in readers.items():
        if region not in regions or not isinstance(reader, str):
            raise BadLayout(f"{where}: readers must name a reader for regions of the board, not for {region[:40]}")
    markers = {}
    for marker, polygon in value_of(raw, "markers", dict, where).items():
        if not marker.isdecimal() or len(marker) > 3:
            raise BadLayout(f"{where}: '{marker[:20]}' is not a marker number")
        markers[int(marker)] = polygon_mm(polygon, f"{where} marker {marker}")
    if len(markers) < 3:
        raise BadLayout(f"{where}: needs at least three markers")
    return BoardLayout(board_id, kind, width, height, image, regions, markers, readers)


def _rounded(polygon: Polygon) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in polygon]
