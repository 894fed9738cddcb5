"""Where things are on a board: the kit's `layout.json`, read and checked.

Everything that vision knows about a board comes from this file: any kit that keeps the contract can
be read. Lengths are millimetres from the board's top left corner, x to the right, y down.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.files import read_bounded

Point = tuple[float, float]
Polygon = tuple[Point, ...]

KINDS = ("city", "hq")
LARGEST_FILE = 5_000_000
LARGEST_BOARD_MM = 2_000.0
MOST_BOARDS, MOST_REGIONS = 20, 1_000


class BadLayout(ValueError):
    """A layout that cannot be used; says what is wrong and where."""


@dataclass(frozen=True)
class BoardLayout:
    """One printed board. A marker's polygon is its black outline, clockwise from its own top left."""

    id: str
    kind: str
    width_mm: float
    height_mm: float
    image: str
    regions: Mapping[str, Polygon]
    markers: Mapping[int, Polygon]

    @property
    def dice_regions(self) -> tuple[str, ...]:
        """Where dice are put."""
        return tuple(region for region in self.regions if region.startswith("section."))


@dataclass(frozen=True)
class Layout:
    """A kit: its boards, and where their pictures lie."""

    profile: str
    boards: tuple[BoardLayout, ...]
    folder: Path

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
    return Layout(_get(data, "profile", str, "file"), boards, folder)


def layout_json(layout: Layout) -> dict[str, Any]:
    """The contracted JSON form."""
    return {
        "profile": layout.profile,
        "boards": [
            {
                "id": board.id,
                "kind": board.kind,
                "width_mm": board.width_mm,
                "height_mm": board.height_mm,
                "image": board.image,
                "regions": {region: _rounded(polygon) for region, polygon in board.regions.items()},
                "markers": {str(marker): _rounded(polygon) for marker, polygon in board.markers.items()},
            }
            for board in layout.boards
        ],
    }


def _board(raw: Any, number: int) -> BoardLayout:
    where = f"board {number}"
    board_id = _get(raw, "id", str, where)
    kind, image = _get(raw, "kind", str, where), _get(raw, "image", str, where)
    if kind not in KINDS:
        raise BadLayout(f"{where}: kind must be one of {', '.join(KINDS)}")
    if not image or Path(image).name != image:
        raise BadLayout(f"{where}: image must be a file name in the same folder")
    width, height = (
        _length(_get(raw, key, (int, float), where), f"{where} {key}") for key in ("width_mm", "height_mm")
    )
    raws = _get(raw, "regions", dict, where)
    if len(raws) > MOST_REGIONS:
        raise BadLayout(f"{where}: has more than {MOST_REGIONS} regions")
    regions = {region: _polygon(polygon, f"{where} region {region}") for region, polygon in raws.items()}
    markers = {}
    for marker, polygon in _get(raw, "markers", dict, where).items():
        if not marker.isdecimal() or len(marker) > 3:
            raise BadLayout(f"{where}: '{marker[:20]}' is not a marker number")
        markers[int(marker)] = _polygon(polygon, f"{where} marker {marker}")
    if len(markers) < 3:
        raise BadLayout(f"{where}: needs at least three markers")
    return BoardLayout(board_id, kind, width, height, image, regions, markers)


def _get(raw: Any, key: str, kind: Any, where: str) -> Any:
    if not isinstance(raw, dict):
        raise BadLayout(f"{where}: must be an object")
    value = raw.get(key)
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
