"""Layouts: the contracted file, and clear words for any other."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.layout import INK, VALUE, BadLayout, BoardLayout, layout_json, load_layout, parse_layout

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]
GOOD: dict[str, Any] = {
    "profile": "tiny",
    "boards": [
        {
            "id": "city-1",
            "kind": "city",
            "width_mm": 200,
            "height_mm": 150.5,
            "image": "city-1.png",
            "regions": {"r1c1": SQUARE, "row.1.high": [[1.25, 2], [3, 2], [3, 4], [1.25, 4]]},
            "markers": {"0": SQUARE, "1": SQUARE, "2": SQUARE, "3": SQUARE},
        }
    ],
}


def test_a_layout_is_read_from_the_kits_folder(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(GOOD))
    layout = load_layout(tmp_path)
    board = layout.board("city-1")
    assert (layout.profile, board.width_mm, board.height_mm) == ("tiny", 200.0, 150.5)
    assert board.regions["row.1.high"][0] == (1.25, 2.0)
    assert list(board.markers) == [0, 1, 2, 3]


def test_a_layout_written_out_is_the_same_layout() -> None:
    layout = parse_layout(GOOD, Path())
    assert parse_layout(json.loads(json.dumps(layout_json(layout))), Path()) == layout


def with_readers(**board: Any) -> BoardLayout:
    [read] = parse_layout({**GOOD, "boards": [{**GOOD["boards"][0], **board}]}, Path()).boards
    return read


def test_where_a_board_does_not_say_how_it_is_read_ids_decide() -> None:
    city = with_readers(regions={"r1c1": SQUARE, "r10c2": SQUARE, "row.1.high": SQUARE, "drone.1": SQUARE})
    assert (city.read_by(INK), city.read_by(VALUE)) == (("r1c1", "r10c2"), ("row.1.high", "drone.1"))
    hq = with_readers(regions={"section.1": SQUARE, "value.1": SQUARE})
    assert (hq.dice_regions, hq.drawn_regions) == (("section.1",), ())


def test_what_a_board_says_goes_before_its_ids() -> None:
    board = with_readers(kind="street", readers={"r1c1": "dice"})
    assert (board.kind, board.dice_regions, board.drawn_regions) == ("street", ("r1c1",), ())


def test_a_reader_that_we_do_not_have_is_no_hindrance() -> None:
    board = with_readers(readers={"r1c1": "smell", "row.1.high": "value"})
    assert (board.readers["r1c1"], board.drawn_regions) == ("smell", ("row.1.high",))


def put(*path_and_value: Any) -> Callable[[Any], None]:
    *path, last, value = path_and_value

    def change(data: Any) -> None:
        for key in path:
            data = data[key]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("boards", {}), "'boards' is missing"),
        (put("boards", GOOD["boards"] * 21), "more than 20 boards"),
        (put("boards", 0, "regions", {f"r{n}": SQUARE for n in range(1001)}), "more than 1000 regions"),
        (put("boards", 0, "markers", "9" * 5_000, SQUARE), "is not a marker number"),
        (put("profile", 3), "'profile' is missing"),
        (put("boards", 0, []), "board 1: must be an object"),
        (put("boards", 0, "kind", 3), "'kind' is missing"),
        (put("game", 3), "'game' is missing"),
        (put("pieces", []), "'pieces' is missing"),
        (put("boards", 0, "readers", []), "'readers' is missing"),
        (put("boards", 0, "readers", {"r1c1": 3}), "readers must name a reader .* not for r1c1"),
        (put("boards", 0, "readers", {"r9c9": "ink"}), "readers must name a reader .* not for r9c9"),
        (put("boards", 0, "width_mm", 0), "width_mm: must be between 1"),
        (put("boards", 0, "width_mm", True), "'width_mm' is missing"),
        (put("boards", 0, "image", "../secret.png"), "image must be a file name"),
        (put("boards", 0, "regions", "r1c1", [[0, 0]]), "region r1c1: must be four points"),
        (put("boards", 0, "regions", "r1c1", [[0, 0], [1, 0], [1, 1], ["0", 1]]), "two numbers in mm"),
        (put("boards", 0, "regions", "r1c1", [[0, 0], [1, 0], [1, 1], [float("nan"), 1]]), "two numbers in mm"),
        (put("boards", 0, "markers", {"0": SQUARE}), "at least three markers"),
        (put("boards", 0, "markers", "x", SQUARE), "'x' is not a marker number"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change: Callable[[Any], None], told: str) -> None:
    data = copy.deepcopy(GOOD)
    change(data)
    with pytest.raises(BadLayout, match=told):
        parse_layout(data, Path())


def test_two_boards_cannot_share_a_marker_or_an_id() -> None:
    twice = {**GOOD, "boards": GOOD["boards"] * 2}
    with pytest.raises(BadLayout, match="marker 0 stands on city-1 and on city-1"):
        parse_layout(twice, Path())
    other = copy.deepcopy(GOOD["boards"][0])
    other["markers"] = {str(4 + n): SQUARE for n in range(4)}
    with pytest.raises(BadLayout, match="the same id"):
        parse_layout({**GOOD, "boards": [*GOOD["boards"], other]}, Path())


@pytest.mark.parametrize("content", ["", "[]", "null", "[" * 50_000, '{"profile": 3'])
def test_files_that_are_no_layouts_are_refused_in_words(tmp_path: Path, content: str) -> None:
    (tmp_path / "layout.json").write_text(content)
    with pytest.raises(BadLayout, match=r"layout\.json"):
        load_layout(tmp_path)


def test_a_folder_without_a_layout_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadLayout, match="cannot be read"):
        load_layout(tmp_path)


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["id", "kind", "width_mm", "image", "regions", "markers", "readers"]), any_json)
def test_no_content_crashes_the_reader(key: str, value: Any) -> None:
    data = copy.deepcopy(GOOD)
    data["boards"][0][key] = value
    try:
        parse_layout(data, Path())
    except BadLayout as refused:
        print(refused)


# --- loose pieces ---------------------------------------------------------------------------------

PAWN: dict[str, Any] = {
    "set": "pawn",
    "shape": "cylinder",
    "size_mm": [16, 16, 28],
    "colour": "#d7263d",
    "code": None,
    "faces": {"up": [0, 0, 16, 16]},
}
CARD: dict[str, Any] = {**PAWN, "set": "card", "shape": "tile", "size_mm": [22, 22, 2], "code": 7}
LOOSE: dict[str, Any] = {
    "profile": "tiny",
    "boards": [{**GOOD["boards"][0], "readers": {"r1c1": "pieces", "row.1.high": "tile"}}],
    "pieces": {
        "image": "pieces.png",
        "kinds": {"pawn.red": PAWN, "card.7": CARD},
        "places": {"city-1": {"r1c1": {"holds": ["pawn"], "most": 2}, "row.1.high": {"holds": ["card"]}}},
    },
}


def test_pieces_are_read_with_the_places_where_they_may_lie() -> None:
    layout = parse_layout(LOOSE, Path())
    [pawn], [card] = (layout.catalogue.held("city-1", region) for region in ("r1c1", "row.1.high"))
    assert (pawn.id, pawn.colour_bgr, pawn.lies, pawn.code) == ("pawn.red", (61.0, 38.0, 215.0), False, None)
    assert (card.id, card.lies, card.code, card.told("up")) == ("card.7", True, 7, "card.7")
    assert (layout.catalogue.most("city-1", "r1c1"), layout.catalogue.most("city-1", "row.1.high")) == (2, 1)
    assert layout.board("city-1").piece_regions == ("r1c1", "row.1.high")
    assert parse_layout(json.loads(json.dumps(layout_json(layout))), Path()) == layout


def test_a_piece_with_other_faces_is_told_by_its_face() -> None:
    data = copy.deepcopy(LOOSE)
    data["pieces"]["kinds"]["card.7"]["faces"] = {"open": [0, 0, 22, 22], "finished": [0, 30, 22, 22]}
    [card] = parse_layout(data, Path()).catalogue.held("city-1", "row.1.high")
    assert (card.told_by_face, card.told("finished")) == (True, "finished")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("pieces", {}), "nothing is said of city-1 r1c1"),
        (put("pieces", "places", {}), "nothing is said of city-1 r1c1"),
        (put("pieces", "image", "../pieces.png"), "pieces: image must be a file name"),
        (put("pieces", "kinds", {f"k{n}": PAWN for n in range(401)}), "more than 400 kinds"),
        (put("pieces", "kinds", "two words", PAWN), "piece two words: an id has no spaces"),
        (put("pieces", "kinds", "pawn.red", 3), "piece pawn.red: must be an object"),
        (put("pieces", "kinds", "pawn.red", "shape", "ball"), "shape must be one of cylinder"),
        (put("pieces", "kinds", "pawn.red", "size_mm", [16, 16]), "size_mm: must be 3 numbers"),
        (put("pieces", "kinds", "pawn.red", "size_mm", [0, 16, 2]), "at least 1 mm wide"),
        (put("pieces", "kinds", "pawn.red", "colour", "red"), "written as #rrggbb"),
        (put("pieces", "kinds", "card.7", "code", 100), "from 0 to 99"),
        (put("pieces", "kinds", "card.7", "faces", "up", [0, 0, 0, 1]), "face up: must lie within"),
        (put("pieces", "kinds", "card.7", "faces", {f"f{n}": [0, 0, 1, 1] for n in range(5)}), "more than 4 faces"),
        (put("pieces", "kinds", "pawn.red", "look", {"mean": [0, 0, 0], "covariance": [[0] * 3] * 3}), "is none"),
        (put("pieces", "places", "city-1", []), "places city-1: must be an object"),
        (put("pieces", "places", "city-1", "r1c1", "holds", ["ship"]), "no piece is of the set ship"),
        (put("pieces", "places", "city-1", "r1c1", "most", 99), "most must be 1 to 12"),
    ],
)
def test_a_bad_catalogue_says_what_is_wrong(change: Callable[[Any], None], told: str) -> None:
    data = copy.deepcopy(LOOSE)
    change(data)
    with pytest.raises(BadLayout, match=told):
        parse_layout(data, Path())
