"""A copy that somebody owns and measured: its geometry is checked, and its kit has everything where it was measured."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.games.graffiti.edition.check import check_profile
from pi_app.games.graffiti.edition.kit import kit_layout, kit_of
from pi_app.games.graffiti.edition.profile import GraffitiEdition
from tests.games.graffiti.test_profile import GOOD
from tests.profiles import altered, any_json
from tests.vision.printed import pages_of
from vision.kit.kit import PAPERS_MM
from vision.kit.pages import write_pages
from vision.layout import BoardLayout

OURS = kit_layout(GOOD)


def part_of(board: BoardLayout) -> dict[str, Any]:
    """Our own print as if somebody had measured it."""
    corners = {region: [list(polygon[0]), list(polygon[2])] for region, polygon in board.regions.items()}
    markers = [list(polygon[0]) for polygon in board.markers.values()]
    return {"width_mm": board.width_mm, "height_mm": board.height_mm, "markers": markers, "regions": corners}


GEOMETRY = {name: part_of(OURS.board(name)) for name in ("tunnel", "actions")}


def measured(*path_and_value: Any) -> dict[str, Any]:
    """The house edition with its geometry, in which one thing may be changed or taken out."""
    data = copy.deepcopy({**GOOD, "geometry": GEOMETRY})
    return altered(data, "geometry", *path_and_value) if path_and_value else data


def told(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in check_profile(data)]


SLIPS: list[tuple[dict[str, Any], str, str]] = [
    ({**GOOD, "geometry": 3}, "geometry", "not_a_table"),
    (measured("actions", KeyError), "geometry.actions", "missing"),
    (measured("table", {}), "geometry.table", "unknown_key"),
    (measured("tunnel", []), "geometry.tunnel", "not_a_table"),
    (measured("tunnel", "grid", []), "geometry.tunnel.grid", "unknown_key"),
    (measured("tunnel", "width_mm", 5), "geometry.tunnel.width_mm", "out_of_range"),
    (measured("tunnel", "markers", []), "geometry.tunnel.markers", "wrong_count"),
    (measured("tunnel", "regions", "part.B4", KeyError), "geometry.tunnel", "geometry_missing"),
    (measured("tunnel", "regions", "part.B9", [[1, 1], [5, 5]]), "geometry.tunnel", "geometry_unknown"),
    (measured("tunnel", "series", {"rail": []}), "geometry.tunnel", "geometry_unknown"),
    (measured("tunnel", "regions", "part.B4", [[1, 1]]), "geometry.tunnel", "geometry_unclear"),
    (measured("tunnel", "width_mm", 300), "geometry.tunnel", "geometry_outside"),
    (measured("tunnel", "regions", "tag.B4", [[100, 333], [101, 335]]), "geometry.tunnel", "geometry_tiny"),
    (measured("actions", "regions", "permit.1", GEOMETRY["actions"]["regions"]["permit.2"]), "geometry.actions",
     "geometry_overlap"),
]  # fmt: skip


def test_a_measured_copy_without_a_slip_has_no_problem() -> None:
    assert told(measured()) == []
    assert told(measured("seat", part_of(OURS.board("seat-1")))) == []


@pytest.mark.parametrize(("data", "where", "code"), SLIPS, ids=[f"{where}-{code}" for _, where, code in SLIPS])
def test_a_slip_is_an_error_with_its_place(data: dict[str, Any], where: str, code: str) -> None:
    assert (where, code) in told(data)


def test_geometry_waits_until_the_rest_is_right() -> None:
    data = measured("tunnel", "markers", [])
    del data["name"]
    assert told(data) == [("name", "missing")]


def test_a_tag_may_lie_on_its_part_only() -> None:
    whole = measured()
    (left, top), _ = whole["geometry"]["tunnel"]["regions"]["part.B4"]
    whole["geometry"]["tunnel"]["regions"]["part.B4"] = [[left, top], [left + 26, top + 44]]
    assert told(whole) == []
    whole["geometry"]["tunnel"]["regions"]["tag.B3"] = whole["geometry"]["tunnel"]["regions"]["tag.B4"]
    assert ("geometry.tunnel", "geometry_overlap") in told(whole)


def test_rows_may_be_given_by_their_ends() -> None:
    data = measured()
    regions = data["geometry"]["tunnel"]["regions"]
    ends = [regions["part.B1"], regions["part.B4"]]
    for n in range(1, 5):
        del regions[f"part.B{n}"]
    data["geometry"]["tunnel"]["series"] = {"part": {"B": ends}}
    assert told(data) == []
    boards = GraffitiEdition.measured(data, "A")
    assert boards is not None
    between = [pytest.approx(point) for point in OURS.board("tunnel").regions["part.B2"]]
    assert list(boards["tunnel"]["regions"]["part.B2"]) == between


def test_the_kit_of_a_measured_copy_has_its_places_and_our_seats(tmp_path: Path) -> None:
    data = measured("tunnel", "regions", "block.1", [[70, 190], [90, 215]])
    kit = kit_of(GOOD, GraffitiEdition.measured(data, "A"))
    assert kit.owned
    assert kit.layout.board("tunnel").regions["block.1"][2] == (90, 215)
    assert kit.layout.board("tunnel").readers == OURS.board("tunnel").readers
    assert kit.layout.board("seat-2") == OURS.board("seat-2")
    write_pages(kit, tmp_path / "kit.pdf", PAPERS_MM["kit.pdf"])
    words = [page.words for page in pages_of(tmp_path / "kit.pdf")]
    assert any(re.search("tunnel: larger than this paper", page) for page in words)


def test_a_copy_that_nobody_measured_is_printed() -> None:
    assert GraffitiEdition.measured(GOOD, "A") is None


PLACES = [("tunnel",), ("tunnel", "markers"), ("tunnel", "regions"), ("tunnel", "regions", "part.B4"), ("actions",),
          ("tunnel", "series"), ("tunnel", "width_mm"), ("seat",)]  # fmt: skip


@given(st.sampled_from(PLACES), any_json)
def test_no_geometry_crashes_the_check(place: tuple[str, ...], value: Any) -> None:
    check_profile(measured(*place, value))
