"""Profiles: the printed facts of an edition as data.

A profile file (TOML) holds the JSON form that game files carry, plus what only an edition needs:
`city_b`, the other side of the city boards, and `geometry`, where things are on the boards of a copy that
somebody measured. Shapes may be drawn instead of listed. `resolve` picks the sides for one game and gives
the JSON form, `measured_boards` the geometry.
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pi_app.engine.contract import BadData, Edition, Problem
from pi_app.engine.setup import Options
from pi_app.games.tag_city.edition.check import check_profile, is_cells
from pi_app.games.tag_city.edition.geometry import measured_board
from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.rules.model import SECTIONS

HOUSE = Path(__file__).parent / "profiles" / "house.toml"
TEMPLATE = HOUSE.with_name("retail-template.toml")
"""Everything that an owner of the retail game has to enter, left blank."""

OPTIONS: Options = {
    "city_side": ("A", "B"),
    "hq_side": ("A", "B"),
    "equal_dice": (True, False),
    "drone_order": ("printed", "free"),
}


class TagCityEdition(Edition):
    """Tag City's profiles under the contract of editions."""

    supplied: Mapping[str, Path] = {"house": HOUSE, "retail-template": TEMPLATE}
    side_option = "city_side"
    measurable = ("city", "city_b", "hq")

    def check(self, profile: Any) -> list[Problem]:
        return check_profile(profile)

    kit = staticmethod(kit_of)

    @staticmethod
    def from_file(profile: dict[str, Any]) -> dict[str, Any]:
        """Shapes may be drawn."""
        shapes = profile.get("shapes")
        for shape in shapes.values() if isinstance(shapes, dict) else ():
            if isinstance(shape, dict) and "cells" not in shape and "drawing" in shape:
                drawing = shape.pop("drawing")
                shape["cells"] = _drawn_cells(drawing) if _is_drawing(drawing) else drawing
        return profile

    @staticmethod
    def to_file(profile: Mapping[str, Any]) -> Mapping[str, Any]:
        shapes = profile.get("shapes")
        if not isinstance(shapes, Mapping):
            return profile
        return {**profile, "shapes": {name: _with_drawing(shape) for name, shape in shapes.items()}}

    @staticmethod
    def sides(profile: Mapping[str, Any]) -> Sequence[str]:
        """Of a measured copy, only the measured ones."""
        geometry, both = profile.get("geometry"), OPTIONS["city_side"]
        measured = not isinstance(geometry, Mapping) or "city_b" in geometry
        return both if "city_b" in profile and measured else both[:1]

    @staticmethod
    def resolve(profile: Mapping[str, Any], options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        sections = draw_sections(profile, rng) if options.get("hq_side") == "B" else None
        return resolve(profile, "B" if options.get("city_side") == "B" else "A", sections)

    @staticmethod
    def measured(profile: Mapping[str, Any], side: str) -> dict[str, dict[str, Any]] | None:
        return measured_boards(profile, side)

    @staticmethod
    def same_boards(profile: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return (profile["city"], profile["shapes"]) == (other["city"], other["shapes"])


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
