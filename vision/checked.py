"""Values of a kit's `layout.json`, taken only if they are what they should be."""

from typing import Any

Point = tuple[float, float]
Polygon = tuple[Point, ...]

LARGEST_BOARD_MM = 2_000.0


class BadLayout(ValueError):
    """A layout that cannot be used; says what is wrong and where."""


def value_of(raw: Any, key: str, kind: Any, where: str, default: Any = None) -> Any:
    """A value of that kind; it may be absent where there is a default."""
    if not isinstance(raw, dict):
        raise BadLayout(f"{where}: must be an object")
    value = raw.get(key, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadLayout(f"{where}: '{key}' is missing or of the wrong kind")
    return value


def file_name(name: str, where: str) -> str:
    """The name of a file in the kit's own folder."""
    if not name or "/" in name or "\\" in name or name in {".", ".."}:
        raise BadLayout(f"{where}: image must be a file name in the same folder")
    return name


def length_mm(value: float, where: str) -> float:
    if not 1 <= value <= LARGEST_BOARD_MM:
        raise BadLayout(f"{where}: must be between 1 and {LARGEST_BOARD_MM:g} mm")
    return float(value)


def numbers(raw: Any, count: int, where: str, most: float = LARGEST_BOARD_MM) -> tuple[float, ...]:
    """A list of so many numbers, none of them beyond `most`."""
    good = isinstance(raw, list) and len(raw) == count
    if not good or not all(is_number(n) and abs(n) <= most for n in raw):
        raise BadLayout(f"{where}: must be {count} numbers")
    return tuple(float(n) for n in raw)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def polygon_mm(raw: Any, where: str) -> Polygon:
    if not isinstance(raw, list) or len(raw) != 4:
        raise BadLayout(f"{where}: must be four points")
    points = []
    for point in raw:
        good = isinstance(point, list) and len(point) == 2
        if not good or not all(isinstance(n, int | float) and abs(n) <= LARGEST_BOARD_MM for n in point):
            raise BadLayout(f"{where}: a point must be two numbers in mm")
        points.append((float(point[0]), float(point[1])))
    return tuple(points)
