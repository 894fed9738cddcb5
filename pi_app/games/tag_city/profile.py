"""Profiles: the printed facts of an edition as data.

A profile file (TOML) holds the JSON form that game files carry, plus what only an edition needs:
`city_b`, the other side of the city boards, and `geometry`, where things are on the boards of a copy that
somebody measured. Shapes may be drawn instead of listed. `resolve` picks the sides for one game and gives
the JSON form, `measured_boards` the geometry.
"""

import json
import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from pi_app.engine.contract import BadData, Problem
from pi_app.engine.setup import Options
from pi_app.games.tag_city.model import SECTIONS
from pi_app.games.tag_city.profile_check import check_profile, is_cells
from pi_app.games.tag_city.profile_geometry import measured_board
from vision.files import TooLarge, read_bounded

HOUSE = Path(__file__).parent / "profiles" / "house.toml"
TEMPLATE = HOUSE.with_name("retail-template.toml")
"""Everything that an owner of the retail game has to enter, left blank."""

LARGEST_FILE = 1_000_000

OPTIONS: Options = {
    "city_side": ("A", "B"),
    "hq_side": ("A", "B"),
    "equal_dice": (True, False),
    "drone_order": ("printed", "free"),
}


def load_profile(path: Path) -> dict[str, Any]:
    """Reads a profile file. Raises BadData with every problem that is not a mere warning."""
    data = read_profile(path)
    problems = [problem for problem in check_profile(data) if not problem.warning]
    if problems:
        raise BadData(problems)
    return data


def read_profile(path: Path) -> dict[str, Any]:
    """A profile file as JSON values, unchecked. Raises BadData if it cannot be read at all."""
    try:
        return parse_profile(read_bounded(path, LARGEST_FILE), str(path), as_json=path.suffix == ".json")
    except TooLarge as error:
        raise BadData([Problem(str(path), "file_too_large", {"most": LARGEST_FILE})]) from error
    except OSError as error:
        raise BadData([Problem(str(path), "file_unreadable", {"why": error.strerror})]) from error


def parse_profile(raw: bytes, where: str, as_json: bool = False) -> dict[str, Any]:
    """The same for what stands in a file, which may come from a stranger. Raises BadData."""
    try:
        data = json.loads(raw) if as_json else tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise BadData([Problem(where, "file_not_toml", {"why": str(error)[:120]})]) from error
    if not isinstance(data, dict):
        raise BadData([Problem(where, "file_not_toml", {"why": "not a table"})])
    shapes = data.get("shapes")
    for shape in shapes.values() if isinstance(shapes, dict) else ():
        if isinstance(shape, dict) and "cells" not in shape and "drawing" in shape:
            drawing = shape.pop("drawing")
            shape["cells"] = _drawn_cells(drawing) if _is_drawing(drawing) else drawing
    return data


def profile_file(profile: Mapping[str, Any]) -> bytes:
    """A profile as a TOML file that people can read: shapes are drawn. Raises ValueError for what no file can hold."""
    shapes = profile.get("shapes")
    if isinstance(shapes, Mapping):
        profile = {**profile, "shapes": {name: _with_drawing(shape) for name, shape in shapes.items()}}
    return tomli_w.dumps(profile).encode()


def resolve(edition: Mapping[str, Any], city_side: str = "A", sections: Sequence[str] | None = None) -> dict[str, Any]:
    """The profile of one game: the city side in use, and on HQ side B the six chosen shapes."""
    if city_side == "B" and "city_b" not in edition:
        raise BadData([Problem("city_b", "no_side_b")])
    profile = {key: value for key, value in edition.items() if key not in ("city_b", "geometry")}
    profile["city"] = edition["city_b" if city_side == "B" else "city"]
    if sections is not None:
        profile["hq"] = {**edition["hq"], "sections": list(sections)}
    return profile


def measured_boards(edition: Mapping[str, Any], city_side: str = "A") -> dict[str, dict[str, Any]] | None:
    """The measured city board and HQ of a checked edition; None when nobody measured it, so that we print our own.

    Raises BadData for a side that was not measured.
    """
    geometry, side = edition.get("geometry"), "city_b" if city_side == "B" else "city"
    if geometry is None:
        return None
    if side not in geometry:
        raise BadData([Problem(f"geometry.{side}", "side_not_measured")])
    return {"city": measured_board(geometry[side], edition[side]), "hq": measured_board(geometry["hq"], None)}


def draw_sections(edition: Mapping[str, Any], rng: random.Random) -> list[str]:
    """HQ side B: six different large shapes by lot (T17)."""
    large = [shape_id for shape_id, shape in edition["shapes"].items() if not shape["small"]]
    return rng.sample(large, len(SECTIONS))


def _is_drawing(drawing: Any) -> bool:
    return isinstance(drawing, list) and all(isinstance(row, str) and set(row) <= set("#.") for row in drawing)


def _with_drawing(shape: Any) -> Any:
    if not isinstance(shape, Mapping) or not is_cells(shape.get("cells")):
        return shape
    cells = [list(cell) for cell in shape["cells"]]
    rows, cols = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    drawing = ["".join("#" if [row, col] in cells else "." for col in range(cols)) for row in range(rows)]
    return {**{key: value for key, value in shape.items() if key != "cells"}, "drawing": drawing}


def _drawn_cells(drawing: Sequence[str]) -> list[list[int]]:
    return [[r, c] for r, row in enumerate(drawing) for c, mark in enumerate(row) if mark == "#"]
