"""Where things are on a board: the kit's `layout.json`, read and checked.

Everything that vision knows about a board comes from this file: any kit that keeps the contract can
be read. Lengths are millimetres from the board's top left corner, x to the right, y down.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from vision.files import read_bounded

Point = tuple[float, float]
Polygon = tuple[Point, ...]

INK: Final = "ink"
"""A reader of squares: whatever is drawn there, it is marked."""
VALUE: Final = "value"
"""A reader of boxes with a number: circled, crossed or marked."""
DICE: Final = "dice"
"""A reader of places to put dice."""

LARGEST_FILE = 5_000_000
LARGEST_BOARD_MM = 2_000.0
MOST_BOARDS, MOST_REGIONS = 20, 1_000
_SQUARE = re.compile(r"r\d.*")


class BadLayout(ValueError):
    """A layout that cannot be used; says what is wrong and where."""


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


@dataclass(frozen=True)
class Layout:
    """A kit: its boards, and where their pictures lie; `pieces` is what its readers of pieces need to know."""

    profile: str
    boards: tuple[BoardLayout, ...]
    folder: Path = Path()
    game: str = ""
    pieces: Mapping[str, Any] = field(default_factory=dict)

    def board(self, board_id: str) -> BoardLayout:
        return next(board for board in self.boards if board.id == board_id)


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
    raws = _get(data, "boards", list, "file")
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
    game, pieces = _get(data, "game", str, "file", ""), _get(data, "pieces", dict, "file", {})
    return Layout(_get(data, "profile", str, "file"), boards, folder, game, pieces)


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
    board_id = _get(raw, "id", str, where)
    kind, image = _get(raw, "kind", str, where), _get(raw, "image", str, where)
    if not image or Path(image).name != image:
        raise BadLayout(f"{where}: image must be a file name in the same folder")
    width, height = (
        _length(_get(raw, key, (int, float), where), f"{where} {key}") for key in ("width_mm", "height_mm")
    )
    raws = _get(raw, "regions", dict, where)
    if len(raws) > MOST_REGIONS:
        raise BadLayout(f"{where}: has more than {MOST_REGIONS} regions")
    regions = {region: _polygon(polygon, f"{where} region {region}") for region, polygon in raws.items()}
    readers = _get(raw, "readers", dict, where, readers_by_id(regions))
    for region, reader in readers.items():
        if region not in regions or not isinstance(reader, str):
            raise BadLayout(f"{where}: readers must name a reader for regions of the board, not for {region[:40]}")
    markers = {}
    for marker, polygon in _get(raw, "markers", dict, where).items():
        if not marker.isdecimal() or len(marker) > 3:
            raise BadLayout(f"{where}: '{marker[:20]}' is not a marker number")
        markers[int(marker)] = _polygon(polygon, f"{where} marker {marker}")
    if len(markers) < 3:
        raise BadLayout(f"{where}: needs at least three markers")
    return BoardLayout(board_id, kind, width, height, image, regions, markers, readers)


def _get(raw: Any, key: str, kind: Any, where: str, default: Any = None) -> Any:
    """A value of that kind; it may be absent where there is a default."""
    if not isinstance(raw, dict):
        raise BadLayout(f"{where}: must be an object")
    value = raw.get(key, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadLayout(f"{where}: '{key}' is missing or of the wrong kind")
    return value


def _length(value: float, where: str) -> float:
    if not 1 <= value <= LARGEST_BOARD_MM:
        raise BadLayout(f"{where}: must be between 1 and {LARGEST_BOARD_MM:g} mm")
    return float(value)


def _polygon(raw: Any, where: str) -> Polygon:
    if not isinstance(raw, list) or len(raw) != 4:
        raise BadLayout(f"{where}: must be four points")
    points = []
    for point in raw:
        good = isinstance(point, list) and len(point) == 2
        if not good or not all(isinstance(n, int | float) and abs(n) <= LARGEST_BOARD_MM for n in point):
            raise BadLayout(f"{where}: a point must be two numbers in mm")
        points.append((float(point[0]), float(point[1])))
    return tuple(points)


def _rounded(polygon: Polygon) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in polygon]
