"""Small checks of data that people write, such as profiles: each tells every problem that it finds, with its place."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pi_app.engine.contract import Problem

ID = re.compile(r"[a-z][a-z0-9_-]{0,30}")
LONGEST_TEXT = 80
LEAST_BOARD_MM = 60
"""Four stickers need room."""
MOST_NAMES = 6


def check_keys(
    where: str, table: Mapping[str, Any], needed: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[Problem]:
    dot = f"{where}." if where else ""
    for key in table:
        if key not in needed and key not in optional:
            yield Problem(f"{dot}{str(key)[:40]}", "unknown_key", {"allowed": [*needed, *optional]})
    for key in needed:
        if key not in table:
            yield Problem(f"{dot}{key}", "missing")


def check_text(where: str, value: Any, allowed: Sequence[str] = ()) -> Iterator[Problem]:
    if value == "":
        yield Problem(where, "blank")
    elif not isinstance(value, str) or len(value) > LONGEST_TEXT:
        yield Problem(where, "not_text")
    elif allowed and value not in allowed:
        yield Problem(where, "not_allowed", {"allowed": list(allowed)})


def check_id(where: str, value: Any, pattern: re.Pattern[str] = ID) -> Iterator[Problem]:
    if value == "":
        yield Problem(where, "blank")
    elif not isinstance(value, str) or not pattern.fullmatch(value):
        yield Problem(where, "not_an_id")


def check_number(where: str, value: Any, least: int, most: int) -> Iterator[Problem]:
    if value == "":
        yield Problem(where, "blank")
    elif type(value) is not int:
        yield Problem(where, "not_a_number")
    elif not least <= value <= most:
        yield Problem(where, "out_of_range", {"least": least, "most": most})


def check_length(where: str, value: Any, least: int, most: int) -> Iterator[Problem]:
    """In millimetres."""
    if value == "":
        yield Problem(where, "blank")
    elif type(value) not in (int, float):
        yield Problem(where, "not_a_length")
    elif not least <= value <= most:
        yield Problem(where, "out_of_range", {"least": least, "most": most})


def check_truth(where: str, value: Any) -> Iterator[Problem]:
    if value == "":
        yield Problem(where, "blank")
    elif not isinstance(value, bool):
        yield Problem(where, "not_true_or_false")


def check_list(where: str, value: Any, least: int, most: int) -> Iterator[Problem]:
    """What is in it is not looked at."""
    if not isinstance(value, list | tuple):
        yield Problem(where, "blank" if value == "" else "not_a_list")
    elif not least <= len(value) <= most:
        facts = {"count": len(value), "least": least, "most": most}
        exact = {"count": len(value), "expected": least}
        yield Problem(where, "wrong_count", exact) if least == most else Problem(where, "list_length", facts)


def items_of(value: Any) -> Sequence[Any]:
    """What is in a list; nothing, if it is none."""
    return value if isinstance(value, list | tuple) else ()


def table_in(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A table in a table; an empty one, if there is none."""
    value = table.get(key)
    return value if isinstance(value, Mapping) else {}


def twice_in(values: Any) -> list[str]:
    """The texts that a list holds more than once."""
    times = Counter(value for value in items_of(values) if isinstance(value, str) and value)
    return [value[:40] for value, count in times.items() if count > 1]


# --- boards that somebody measured ------------------------------------------------------------


def check_measured(where: str, part: Mapping[str, Any], short_forms: Sequence[str], most_mm: int) -> Iterator[Problem]:
    """A board's part of the geometry, but for its areas."""
    yield from check_keys(where, part, ["width_mm", "height_mm", "markers"], optional=[*short_forms, "regions"])
    for key in ("width_mm", "height_mm"):
        if key in part:
            yield from check_length(f"{where}.{key}", part[key], LEAST_BOARD_MM, most_mm)
    for key in ("series", "regions"):
        if not isinstance(part.get(key, {}), Mapping):
            yield Problem(f"{where}.{key}", "not_a_table")
    if "markers" in part:
        yield from check_list(f"{where}.markers", part["markers"], 4, 4)


def measured_size(part: Mapping[str, Any], most_mm: int) -> tuple[float, float] | None:
    """How large it is, if that was entered well."""
    sides = [part.get(key) for key in ("width_mm", "height_mm")]
    good = [side for side in sides if side is not None and not list(check_length("", side, LEAST_BOARD_MM, most_mm))]
    return (good[0], good[1]) if len(good) == 2 else None


def check_areas(where: str, faults: Mapping[str, Sequence[str]], markers_in_order: bool) -> Iterator[Problem]:
    """Faults of areas as problems: one line for each kind, with the names of some."""
    for code, names in faults.items():
        shown = [name[:60] for name in names[:MOST_NAMES]] + ["…"] * (len(names) > MOST_NAMES)
        yield Problem(where, code, {"count": len(names), "names": shown})
    if not markers_in_order:
        yield Problem(f"{where}.markers", "geometry_marker_order")
