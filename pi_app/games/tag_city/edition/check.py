"""Checks a profile as a whole: every problem at once, with its place."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pi_app.engine.checks import (
    check_id,
    check_keys,
    check_measured,
    check_number,
    check_text,
    check_truth,
    measured_size,
)
from pi_app.engine.contract import Problem
from pi_app.games.tag_city.edition.geometry import area_problems
from pi_app.games.tag_city.rules.model import FACES, SECTIONS
from pi_app.games.tag_city.rules.shapes import Cells, column_letter, orientations_of

SOURCES = ("invented", "measured", "photographed")
MOST_ROWS, MOST_COLS = 26, 26
MOST_SHAPE_SQUARES = 12
MOST_SLOTS = 20
LARGEST_VALUE = 1_000
UNPAINTED = "?"  # in the place of a district's letter: nobody has said yet which it is
MOST_BOARD_MM = 450  # larger ones need pictures that a small computer has no memory for

# What is known of the retail edition; a profile may differ, but its owner should know.
RETAIL = {"rows": 8, "cols": 12, "districts": 5, "drone": 5, "bubbles": 5, "large": 11, "small": 3}


def check_profile(data: Any) -> list[Problem]:
    """Every problem at once, with its place; warnings where it departs from the retail edition."""
    return list(_check_profile(data))


def _check_profile(data: Any) -> Iterator[Problem]:
    tables = ["city", "hq", "shapes"]
    if not isinstance(data, Mapping):
        yield Problem("profile", "not_a_table")
        return
    yield from check_keys("", data, ["name", "source", *tables], optional=["city_b", "geometry"])
    if "name" in data:
        yield from check_text("name", data["name"])
    if "source" in data:
        yield from check_text("source", data["source"], SOURCES)
    sound = set()
    for side in ("city", "city_b"):
        if side in data:
            problems = list(_check_city(side, data[side]))
            yield from problems
            if all(problem.warning for problem in problems):
                sound.add(side)
    shapes = data.get("shapes")
    if "shapes" in data:
        yield from _check_shapes(shapes, _smallest_city(data))
    if "hq" in data:
        yield from _check_hq(data["hq"], shapes if isinstance(shapes, Mapping) else {})
    if "geometry" in data:
        yield from _check_geometry(data["geometry"], data, sound)


def _check_city(where: str, city: Any) -> Iterator[Problem]:
    if not isinstance(city, Mapping):
        yield Problem(where, "not_a_table")
        return
    wanted = ["rows", "cols", "cells", "districts", "row_values", "col_values", "drone", "bubbles"]
    yield from check_keys(where, city, wanted)
    sizes = {}
    for key, most in (("rows", MOST_ROWS), ("cols", MOST_COLS)):
        if key in city:
            problems = list(check_number(f"{where}.{key}", city[key], 1, most))
            yield from problems
            if not problems:
                sizes[key] = city[key]
                if city[key] != RETAIL[key]:
                    yield _departs(f"{where}.{key}", city[key], key)
    if len(sizes) == 2:
        yield from _check_grid(where, city, sizes["rows"], sizes["cols"])
    for key in ("drone", "bubbles"):
        if key in city:
            yield from _check_costs(f"{where}.{key}", city[key], key)


def _check_grid(where: str, city: Mapping[str, Any], rows: int, cols: int) -> Iterator[Problem]:
    letters: Counter[str] = Counter()
    if "cells" in city:
        yield from _check_cells(f"{where}.cells", city["cells"], rows, cols, letters)
    if "districts" in city:
        yield from _check_districts(where, city["districts"], letters)
    for key, count, name in (("row_values", rows, str), ("col_values", cols, _column)):
        if key in city:
            yield from _check_pairs(f"{where}.{key}", city[key], [name(i + 1) for i in range(count)])


def _column(number: int) -> str:
    return column_letter(number - 1)


def _check_cells(where: str, cells: Any, rows: int, cols: int, letters: Counter[str]) -> Iterator[Problem]:
    """Fills `letters` with the district letters found."""
    if not isinstance(cells, list | tuple):
        yield Problem(where, "not_a_list")
        return
    if len(cells) != rows:
        yield Problem(where, "wrong_count", {"count": len(cells), "expected": rows})
    for number, row in enumerate(cells, 1):
        place = f"{where} row {number}"
        if row == "":
            yield Problem(place, "blank")
        elif not isinstance(row, str):
            yield Problem(place, "not_text")
        else:
            letters.update(row)
            if len(row) != cols:
                yield Problem(place, "row_length", {"count": len(row), "expected": cols})


def _check_districts(where: str, districts: Any, letters: Counter[str]) -> Iterator[Problem]:
    place = f"{where}.districts"
    if not isinstance(districts, Mapping):
        yield Problem(place, "not_a_table")
        return
    if UNPAINTED in letters and UNPAINTED not in districts:
        yield Problem(f"{where}.cells", "squares_unpainted", {"count": letters[UNPAINTED]})
    for letter in sorted(letters.keys() - districts.keys() - {".", UNPAINTED}):
        yield Problem(f"{where}.cells", "letter_without_district", {"letter": letter})
    if len(districts) != RETAIL["districts"]:
        yield _departs(place, len(districts), "districts")
    names: Counter[str] = Counter()
    for letter, entry in districts.items():
        here = f"{place}.{letter}"
        if len(letter) != 1 or letter == ".":
            yield Problem(here, "district_letter")
        elif letters and letter not in letters:
            yield Problem(here, "district_without_squares", {"letter": letter})
        if not isinstance(entry, Mapping):
            yield Problem(here, "not_a_table")
            continue
        yield from check_keys(here, entry, ["name", "high", "low"])
        if "name" in entry:
            yield from check_id(f"{here}.name", entry["name"])
            names[str(entry["name"])] += 1
        if "high" in entry and "low" in entry:
            yield from _pair(here, entry["high"], entry["low"])
    for name, times in names.items():
        if times > 1 and name:
            yield Problem(place, "district_name_twice", {"name": name})


def _check_pairs(where: str, pairs: Any, names: Sequence[str]) -> Iterator[Problem]:
    if not isinstance(pairs, list | tuple):
        yield Problem(where, "not_a_list")
        return
    if len(pairs) != len(names):
        yield Problem(where, "wrong_count", {"count": len(pairs), "expected": len(names)})
    for name, pair in zip(names, pairs, strict=False):
        if isinstance(pair, list | tuple) and len(pair) == 2:
            yield from _pair(f"{where} {name}", pair[0], pair[1])
        else:
            yield Problem(f"{where} {name}", "not_a_pair")


def _pair(where: str, high: Any, low: Any) -> Iterator[Problem]:
    problems = [
        *check_number(f"{where} high", high, 0, LARGEST_VALUE),
        *check_number(f"{where} low", low, 0, LARGEST_VALUE),
    ]
    yield from problems
    if not problems and high <= low:
        yield Problem(where, "high_not_above_low", {"high": high, "low": low})


def _check_costs(where: str, costs: Any, key: str) -> Iterator[Problem]:
    """The drone's remote and the social bubbles: every one of them costs points."""
    if not isinstance(costs, list | tuple):
        yield Problem(where, "not_a_list")
        return
    if not 1 <= len(costs) <= MOST_SLOTS:
        yield Problem(where, "wrong_count", {"count": len(costs), "expected": RETAIL[key]})
        return
    if len(costs) != RETAIL[key]:
        yield _departs(where, len(costs), key)
    bad = False
    for number, cost in enumerate(costs, 1):
        problems = list(check_number(f"{where} {number}", cost, -LARGEST_VALUE, LARGEST_VALUE))
        if not problems and cost >= 0:
            problems = [Problem(f"{where} {number}", "cost_not_negative", {"value": cost})]
        yield from problems
        bad = bad or bool(problems)
    if key == "drone" and not bad and any(later >= earlier for earlier, later in pairwise(costs)):
        yield Problem(where, "drone_not_rising", warning=True)


def _check_shapes(shapes: Any, city: tuple[int, int] | None) -> Iterator[Problem]:
    if not isinstance(shapes, Mapping):
        yield Problem("shapes", "not_a_table")
        return
    seen: dict[Cells, str] = {}
    sizes = {"large": 0, "small": 0}
    for shape_id, shape in shapes.items():
        where = f"shapes.{shape_id}"
        yield from check_id(where, shape_id)
        if not isinstance(shape, Mapping):
            yield Problem(where, "not_a_table")
            continue
        yield from check_keys(where, shape, ["cells", "small"])
        if "small" in shape:
            problems = list(check_truth(f"{where}.small", shape["small"]))
            yield from problems
            if not problems:
                sizes["small" if shape["small"] else "large"] += 1
        if "cells" in shape:
            yield from _check_shape_cells(where, shape["cells"], city, seen, shape_id)
    for kind, count in sizes.items():
        if count != RETAIL[kind]:
            yield _departs("shapes", count, kind)


def _check_shape_cells(
    where: str, cells: Any, city: tuple[int, int] | None, seen: dict[Cells, str], shape_id: str
) -> Iterator[Problem]:
    if not is_cells(cells):
        yield Problem(f"{where}.cells", "blank" if cells in ("", [], [""]) else "not_squares")
        return
    if len(cells) > MOST_SHAPE_SQUARES:
        yield Problem(f"{where}.cells", "shape_too_large", {"most": MOST_SHAPE_SQUARES})
        return
    squares = {(row, col) for row, col in cells}
    if len(squares) != len(cells):
        yield Problem(f"{where}.cells", "square_listed_twice")
        return
    turns = orientations_of(sorted(squares))
    same = next((seen[turn] for turn in turns if turn in seen), None)
    if same is not None:
        yield Problem(where, "same_shape", {"other": same})
    seen.update(dict.fromkeys(turns, shape_id))
    if city and not any(max(r for r, _ in t) < city[0] and max(c for _, c in t) < city[1] for t in turns):
        yield Problem(where, "shape_does_not_fit")
    if not _in_one_piece(squares):
        yield Problem(where, "shape_in_pieces", warning=True)


def _check_hq(hq: Any, shapes: Mapping[str, Any]) -> Iterator[Problem]:
    if not isinstance(hq, Mapping):
        yield Problem("hq", "not_a_table")
        return
    yield from check_keys("hq", hq, ["sections", "values", "small"])
    if "sections" in hq:
        yield from _check_hq_shapes("hq.sections", hq["sections"], shapes, small=False)
    if "small" in hq:
        yield from _check_hq_shapes("hq.small", hq["small"], shapes, small=True)
    if "values" in hq:
        yield from _check_ring(hq["values"])


def _check_hq_shapes(where: str, ids: Any, shapes: Mapping[str, Any], small: bool) -> Iterator[Problem]:
    if not isinstance(ids, list | tuple):
        yield Problem(where, "not_a_list")
        return
    expected = RETAIL["small"] if small else len(SECTIONS)
    if len(ids) != expected:
        yield Problem(where, "wrong_count", {"count": len(ids), "expected": expected})
    names = Counter(i for i in ids if isinstance(i, str))
    for number, shape_id in enumerate(ids, 1):
        place = f"{where} {number}"
        shape = shapes.get(shape_id) if isinstance(shape_id, str) else None
        if shape_id == "":
            yield Problem(place, "blank")
        elif not isinstance(shape, Mapping):
            yield Problem(place, "no_such_shape", {"shape": str(shape_id)[:40]})
        elif isinstance(shape.get("small"), bool) and shape["small"] is not small:
            yield Problem(place, "must_be_small" if small else "must_be_large", {"shape": shape_id})
    for shape_id, times in names.items():
        if times > 1 and shape_id:
            yield Problem(where, "shape_used_twice", {"shape": shape_id})


def _check_ring(values: Any) -> Iterator[Problem]:
    """Six faces printed between six sections: each touches two neighbours, each section two faces."""
    if not isinstance(values, Mapping):
        yield Problem("hq.values", "not_a_table")
        return
    yield from check_keys("hq.values", values, [str(face) for face in FACES])
    gaps: dict[frozenset[int], str] = {}
    touched: Counter[int] = Counter()
    complete = True
    for face in (str(face) for face in FACES if str(face) in values):
        pair, where = values[face], f"hq.values.{face}"
        if not _is_two_sections(pair):
            blank = pair in ("", []) or (isinstance(pair, list | tuple) and "" in pair)
            yield Problem(where, "blank" if blank else "not_two_sections")
            complete = False
            continue
        touched.update(pair)
        if (pair[0] - pair[1]) % len(SECTIONS) not in (1, len(SECTIONS) - 1):
            yield Problem(where, "not_neighbours", {"sections": list(pair)})
        elif frozenset(pair) in gaps:
            yield Problem(where, "same_gap", {"sections": list(pair), "other": gaps[frozenset(pair)]})
        gaps[frozenset(pair)] = face
    for section in SECTIONS if complete else ():
        if touched[section] != 2:
            yield Problem("hq.values", "section_touched", {"section": section, "count": touched[section]})


def _is_two_sections(pair: Any) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(type(s) is int and s in SECTIONS for s in pair)


def _check_geometry(geometry: Any, data: Mapping[str, Any], sound: set[str]) -> Iterator[Problem]:
    """The measured boards; those of a city that is itself wrong wait until that is solved."""
    if not isinstance(geometry, Mapping):
        yield Problem("geometry", "not_a_table")
        return
    yield from check_keys("geometry", geometry, ["city", "hq"], optional=["city_b"])
    if "city_b" in geometry and "city_b" not in data:
        yield Problem("geometry.city_b", "no_side_b")
    for board in ("city", "city_b", "hq"):
        if board in geometry and (board == "hq" or board in sound):
            city = None if board == "hq" else data[board]
            yield from _check_measured(f"geometry.{board}", geometry[board], city)


def _check_measured(where: str, part: Any, city: Mapping[str, Any] | None) -> Iterator[Problem]:
    if not isinstance(part, Mapping):
        yield Problem(where, "not_a_table")
        return
    yield from check_measured(where, part, [] if city is None else ["grid", "series"], MOST_BOARD_MM)
    yield from area_problems(where, part, city, measured_size(part, MOST_BOARD_MM))


def _departs(where: str, count: int, key: str) -> Problem:
    return Problem(where, f"retail_{key}", {"count": count, "expected": RETAIL[key]}, warning=True)


def _smallest_city(data: Mapping[str, Any]) -> tuple[int, int] | None:
    sides = [data[s] for s in ("city", "city_b") if isinstance(data.get(s), Mapping)]
    sizes = [(s.get("rows"), s.get("cols")) for s in sides]
    good = [(r, c) for r, c in sizes if type(r) is int and type(c) is int]
    return (min(r for r, _ in good), min(c for _, c in good)) if good else None


def is_cells(cells: Any) -> bool:
    """Whether these are squares of a shape: pairs of row and column."""
    return (
        isinstance(cells, list | tuple)
        and bool(cells)
        and all(
            isinstance(cell, list | tuple)
            and len(cell) == 2
            and all(type(n) is int and 0 <= n < MOST_COLS for n in cell)
            for cell in cells
        )
    )


def _in_one_piece(squares: set[tuple[int, int]]) -> bool:
    reached, edge = set(), [next(iter(squares))]
    while edge:
        row, col = edge.pop()
        if (row, col) in squares and (row, col) not in reached:
            reached.add((row, col))
            edge += [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return reached == squares
