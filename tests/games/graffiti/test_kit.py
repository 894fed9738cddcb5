"""The kit: every region and piece that the game names, apart from each other, and readable where the layout says."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from pi_app.games import profile_files
from pi_app.games.graffiti.edition.kit import kit_layout, kit_of
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, TAG_LOOKS
from pi_app.games.graffiti.edition.pieces import CAN_MM
from pi_app.games.graffiti.edition.profile import HOUSE, GraffitiEdition
from tests.games.graffiti.test_profile import changed
from tests.vision.printed import detect_codes, pages_of
from vision.kit.kit import PAPERS_MM
from vision.kit.pages import write_pages
from vision.kit.png import PX_PER_MM
from vision.kit.sheet import middle_of
from vision.kit.write import write_kit
from vision.layout import BoardLayout, Layout, layout_json, load_layout, parse_layout
from vision.markers import Image, detect_markers

PROFILE = profile_files.load_profile(GraffitiEdition(), HOUSE)
LAYOUT = kit_layout(PROFILE)
SEATS = ("red", "blue", "green", "yellow")


def other_profile() -> dict[str, Any]:
    """Legal and as different as can be: six sections, more parts, more spaces, fewer slots."""
    part = {"cost": "RYBGKR", "points": 30}
    profile = changed(
        "tunnel", {"sections": [[a, b] for a, b in zip("ACEGIK", "BDFHJL", strict=True)], "spaces": [2] * 4}
    )
    profile["graffiti"] = {letter: [part] * (n % 6 + 1) for n, letter in enumerate("ABCDEFGHIJKL")}
    profile["permits"] = {
        "faces": {str(n): 5 for n in range(1, 7)},
        "slots": 10,
        "spaces": [
            {"id": "token", "slots": [], "pile": 1, "first": True},
            *({"id": f"s{n}", "slots": [n, n + 1], "pile": 0, "first": False} for n in range(1, 6)),
        ],
    }
    profile["bonus"] |= {"slots": 8, "police_space": False}
    kinds = list(profile["paint"]["tiles"])
    profile["paint"]["spaces"] = [
        {"id": "reds", "kinds": ["R"], "cans": 1, "unlimited": True},
        *({"id": f"all.{n}", "kinds": kinds, "cans": 2, "unlimited": False} for n in range(4)),
    ]
    return profile


def cans(name: str) -> set[str]:
    return {f"can.{name}.{n}" for n in (1, 2)}


def test_the_boards_are_the_tunnel_the_actions_and_a_sheet_for_every_seat() -> None:
    assert LAYOUT.game == "graffiti"
    assert [(board.id, board.kind, board.width_mm, board.height_mm) for board in LAYOUT.boards] == [
        ("tunnel", "tunnel", 594, 420),
        ("actions", "actions", 420, 297),
        *((f"seat-{n}", "seat", 210, 99) for n in (1, 2, 3, 4)),
    ]
    assert [marker for board in LAYOUT.boards for marker in board.markers] == list(range(24))


def test_the_tunnel_has_every_part_tag_space_block_and_field() -> None:
    parts = {f"{letter}{n + 1}" for letter, parts in PROFILE["graffiti"].items() for n in range(len(parts))}
    assert len(parts) == 31
    wanted = {f"{kind}.{part}" for kind in ("part", "tag") for part in parts}
    wanted |= {f"block.{n}" for n in range(1, 6)} | {f"track.{n}" for n in range(50)}
    wanted |= {name for section in range(1, 6) for name in cans(str(section))}
    assert set(LAYOUT.board("tunnel").regions) == wanted
    assert set(LAYOUT.board("tunnel").read_by("tile")) == {name for name in wanted if name[:5] in ("part.", "block")}
    assert set(LAYOUT.board("tunnel").read_by("tile", "pieces")) == wanted


def test_the_actions_have_every_slot_space_and_well() -> None:
    tiles = {f"permit.{n}" for n in range(1, 7)} | {f"bonus.{n}" for n in range(1, 5)}
    tiles |= {"permit.discard", "bonus.police"}
    spaces = {f"can.permit.{name}" for name in ("first", "left", "right", "draw")}
    spaces |= {f"can.bonus.{name}" for name in (1, 2, 3, 4, "police")}
    spaces |= {f"can.paint.primary.{kind}" for kind in "RYB"}
    for name in ("green", "black", "red-yellow", "red-blue", "yellow-blue"):
        spaces |= cans(f"paint.{name}")
    unread = {"permit.pile", "bonus.used", *(f"paint.{kind}" for kind in PROFILE["paint"]["tiles"])}
    board = LAYOUT.board("actions")
    assert set(board.regions) == tiles | spaces | unread
    assert set(board.read_by("tile")) == tiles
    assert set(board.read_by("pieces")) == spaces


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_seat_has_its_cans_what_it_spends_and_uses_and_a_place_to_pass(seat: int) -> None:
    board = LAYOUT.board(f"seat-{seat}")
    pieces = {*(f"stock.{n}" for n in range(1, 6)), "pass", "marker"}
    tiles = {*(f"spent.{n}" for n in range(1, 7)), "used.1", "used.2", "police", "token"}
    assert set(board.regions) == pieces | tiles
    assert (set(board.read_by("pieces")), set(board.read_by("tile"))) == (pieces, tiles)


@pytest.mark.parametrize("layout", [LAYOUT, kit_layout(other_profile())], ids=["house", "other"])
def test_regions_and_markers_lie_apart_inside_the_board(layout: Layout) -> None:
    for board in layout.boards:
        areas = {**board.regions, **{f"marker {n}": polygon for n, polygon in board.markers.items()}}
        for name, polygon in areas.items():
            assert len(polygon) == 4
            assert all(0 < x < board.width_mm and 0 < y < board.height_mm for x, y in polygon), name
        for (name, one), (other, two) in combinations(areas.items(), 2):
            a, b = (np.array(polygon, np.float32) for polygon in (one, two))
            overlap, _ = cv2.intersectConvexConvex(a, b)
            assert overlap < 0.1, (board.id, name, other)


def test_the_other_profile_is_legal() -> None:
    assert [problem for problem in GraffitiEdition().check(other_profile()) if not problem.warning] == []


def test_a_profile_without_a_space_for_the_policeman_has_none() -> None:
    regions = kit_layout(changed("bonus", "police_space", False)).board("actions").regions
    assert "can.bonus.police" not in regions
    assert "bonus.police" in regions


def test_an_unlimited_space_of_one_kind_is_not_divided() -> None:
    regions = kit_layout(other_profile()).board("actions").regions
    assert "can.paint.reds" in regions
    assert kit_layout(other_profile()).pieces["places"]["actions"]["can.paint.reds"]["most"] == 6


def size(board: BoardLayout, region: str) -> tuple[float, float]:
    (left, top), _, (right, bottom), _ = board.regions[region]
    return right - left, bottom - top


def test_every_place_has_room_for_what_it_holds() -> None:
    kinds = LAYOUT.pieces["kinds"]
    for board in LAYOUT.boards:
        for region, place in LAYOUT.pieces["places"][board.id].items():
            width, height = size(board, region)
            for kind in (kind for kind in kinds.values() if kind["set"] in place["holds"]):
                if not kind["set"].startswith("part."):  # a part lies under its tag too
                    wide, deep, _ = kind["size_mm"]
                    assert (width // wide) * (height // deep) >= place["most"], region


def test_spaces_for_cans_leave_room_between_them() -> None:
    board = LAYOUT.board("actions")
    assert all(size(board, name)[0] >= 2 * CAN_MM[0] + 12 for name in board.regions if name.startswith("can."))


# --- pieces -----------------------------------------------------------------------------------


def test_every_piece_of_the_game_is_there() -> None:
    kinds = LAYOUT.pieces["kinds"]
    sets = [kind["set"] for kind in kinds.values()]
    counts = {name: sets.count(name) for name in sets if not name.startswith("part.")}
    assert counts == {
        "paint": 8, "permit": 5, "bonus": 8, "tag": 5, "marker": 4, "police": 1, "token": 1, "block": 1,
        "can": 4, "score": 4,
    }  # fmt: skip
    assert sum(name.startswith("part.") for name in sets) == 31 + 9
    assert set(SEATS) | {f"tag.{seat}" for seat in (*SEATS, "neutral")} <= set(kinds)
    assert set(kinds["part.B4"]["faces"]) == {"open", "finished"} == set(kinds["special.G4"]["faces"])
    assert set(kinds["permit.3"]["faces"]) == {"up", "back"}


def test_codes_are_unique_and_stay_what_they_are() -> None:
    codes = {name: kind["code"] for name, kind in LAYOUT.pieces["kinds"].items() if kind["code"] is not None}
    assert sorted(codes.values()) == list(range(33))
    assert (codes["paint.R"], codes["permit.3"], codes["bonus.points"], codes["tag.red"]) == (0, 10, 13, 21)
    assert (codes["marker.red"], codes["police"], codes["token"], codes["block"]) == (26, 30, 31, 32)


def test_every_region_that_is_read_says_what_may_lie_there() -> None:
    sets = {kind["set"] for kind in LAYOUT.pieces["kinds"].values()}
    for board in LAYOUT.boards:
        places = LAYOUT.pieces["places"][board.id]
        assert set(places) == set(board.readers)
        assert all(set(place["holds"]) <= sets for place in places.values())
    tunnel, actions = (LAYOUT.pieces["places"][name] for name in ("tunnel", "actions"))
    assert tunnel["can.1.1"] == {"holds": ["can"], "most": 2}
    assert tunnel["tag.B4"] == {"holds": ["tag", "marker"], "most": 1}
    assert tunnel["part.B4"] == {"holds": ["part.B4"], "most": 1}
    assert tunnel["track.7"] == {"holds": ["score"], "most": 4}
    assert actions["can.paint.primary.R"] == {"holds": ["can"], "most": 6}
    assert actions["bonus.police"] == {"holds": ["police"], "most": 1}
    assert LAYOUT.pieces["places"]["seat-2"]["pass"] == {"holds": ["marker"], "most": 1}


def test_faces_lie_apart_in_the_picture_of_all_pieces() -> None:
    atlas = kit_of(PROFILE).atlas
    assert atlas is not None
    boxes = [face for kind in LAYOUT.pieces["kinds"].values() for face in kind["faces"].values()]
    assert all(x > 0 and y > 0 and x + w < atlas.size_mm[0] and y + h < atlas.size_mm[1] for x, y, w, h in boxes)
    for (x, y, w, h), (u, v, ww, hh) in combinations(boxes, 2):
        assert x + w < u or u + ww < x or y + h < v or v + hh < y


def test_the_layout_comes_back_from_its_file() -> None:
    written = json.loads(json.dumps(layout_json(LAYOUT)))
    assert parse_layout(written, LAYOUT.folder).pieces == LAYOUT.pieces


# --- what is printed --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder = tmp_path_factory.mktemp("kit")
    write_kit(kit_of(PROFILE), folder)
    return load_layout(folder)


def grey_picture(kit: Layout, name: str) -> Image:
    return cast(Image, cv2.imread(str(kit.folder / name), cv2.IMREAD_GRAYSCALE))


def test_a_kit_is_complete(kit: Layout) -> None:
    assert {path.name for path in kit.folder.iterdir()} == set(kit_of(PROFILE).files)
    assert "pieces.png" in kit_of(PROFILE).files


def test_the_printed_markers_are_where_the_layout_says(kit: Layout) -> None:
    for board in kit.boards:
        picture = grey_picture(kit, board.image)
        assert picture.shape == (round(board.height_mm * PX_PER_MM), round(board.width_mm * PX_PER_MM))
        found = detect_markers(picture, 49)
        assert sorted(marker.id for marker in found) == sorted(board.markers)
        for marker in found:
            assert np.abs(marker.quad_px - np.array(board.markers[marker.id]) * PX_PER_MM).max() < 2.0


def test_every_code_is_found_on_its_piece(kit: Layout) -> None:
    picture = grey_picture(kit, "pieces.png")
    for name, kind in kit.pieces["kinds"].items():
        x, y, width, height = (round(length * PX_PER_MM) for length in next(iter(kind["faces"].values())))
        face = np.pad(picture[y : y + height, x : x + width], 20, constant_values=255)
        assert detect_codes(face) == ([] if kind["code"] is None else [kind["code"]]), name


def test_pieces_stand_out_from_where_they_lie(kit: Layout) -> None:
    """Rings, spots and places are white or nearly so."""
    for board in kit.boards:
        picture = grey_picture(kit, board.image)
        for region in board.readers:
            if not region.startswith(("part.", "track.")):
                x, y = middle_of(board.regions[region])
                half = 4.0
                inner = [round(v * PX_PER_MM) for v in (y - half, y + half, x - half, x + half)]
                assert np.median(picture[inner[0] : inner[1], inner[2] : inner[3]]) > 200, region


def test_a_part_looks_different_when_it_is_finished(kit: Layout) -> None:
    picture = cv2.imread(str(kit.folder / "pieces.png"))
    assert picture is not None
    for name, kind in kit.pieces["kinds"].items():
        if kind["set"].startswith("part."):
            one, two = (
                picture[round(y * PX_PER_MM) :, round(x * PX_PER_MM) :][:259, :307].astype(float)
                for x, y, _, _ in kind["faces"].values()
            )
            assert np.abs(one - two).mean() > 40, name


def test_the_tunnel_shows_the_open_faces(kit: Layout) -> None:
    tunnel, pieces = grey_picture(kit, "tunnel.png"), grey_picture(kit, "pieces.png")
    for region, polygon in kit.board("tunnel").regions.items():
        if region.startswith("part."):
            x, y, _, _ = kit.pieces["kinds"][region]["faces"]["open"]
            (left, top), (u, v) = polygon[0], (x, y)
            one, two = (
                cv2.GaussianBlur(picture[round(b * PX_PER_MM) :, round(a * PX_PER_MM) :][:255, :305], (0, 0), 4)
                for picture, (a, b) in ((tunnel, (left, top)), (pieces, (u, v)))
            )
            assert np.corrcoef(one.ravel(), two.ravel())[0, 1] > 0.97, region


def test_colours_are_told_apart_by_their_signs_alone() -> None:
    paints, seats = ({look.sign for look in looks.values()} for looks in (PAINT_LOOKS, TAG_LOOKS))
    assert (len(paints), len(seats)) == (len(PAINT_LOOKS), len(TAG_LOOKS))


@pytest.mark.parametrize("name", PAPERS_MM)
def test_pages_hold_every_piece_and_are_small(kit: Layout, name: str) -> None:
    assert (kit.folder / name).stat().st_size < 2_000_000
    pages = pages_of(kit.folder / name)
    by_title = {
        title: [page for page in pages if title in page.words] for title in ("Paint:", "Permits:", "Bonus:", "Tags")
    }
    counts = {
        title: Counter(code for page in found for code in detect_codes(page.grey)) for title, found in by_title.items()
    }
    codes = {piece: kind["code"] for piece, kind in kit.pieces["kinds"].items()}
    assert counts["Paint:"] == {codes[f"paint.{kind}"]: count for kind, count in PROFILE["paint"]["tiles"].items()}
    assert counts["Permits:"] == {codes[f"permit.{face}"]: 6 for face in range(1, 6)}
    assert counts["Bonus:"] == {codes[f"bonus.{kind}"]: 5 for kind in PROFILE["bonus"]["tiles"]}
    assert [counts["Tags"][codes[f"tag.{seat}"]] for seat in (*SEATS, "neutral")] == [16, 16, 16, 16, 12]
    assert sum(page.words.count("+50") for page in pages) == 4
    parts = [page for page in pages if "Graffiti: fold" in page.words]
    labels = [f"{letter}{n + 1}" for letter, of in PROFILE["graffiti"].items() for n in range(len(of))]
    assert all(sum(page.words.count(label) for page in parts) >= 2 for label in labels)
    for number, page in enumerate(pages, 1):
        left, top, right, bottom = page.bounds_mm
        assert min(left, top, page.size_mm[0] - right, page.size_mm[1] - bottom) >= 4.8, number


def test_the_kit_of_another_profile_can_be_drawn(tmp_path: Path) -> None:
    kit = kit_of(other_profile())
    write_pages(kit, tmp_path / "kit.pdf", PAPERS_MM["kit.pdf"])
    assert kit.layout.board("tunnel").width_mm > 594
    labels = {f"{letter}{n}" for letter in "FL" for n in range(1, 7)}
    words = " ".join(page.words for page in pages_of(tmp_path / "kit.pdf"))
    assert all(label in words for label in labels)
