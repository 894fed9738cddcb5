"""Pieces and tiles: told by colour, code and face, in whatever light, and never wrongly."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.loose import CAMERA, EMPTY, REGIONS, frame_of, kit, on, read, shot_of, told, turned, with_pieces
from vision.layout import layout_json, parse_layout
from vision.overlay import overlay
from vision.read import Reader, reading_json
from vision.render import Glare, Hand, Piece, Scene, Shade, Thing

PIECES = (
    on("ring.1", "red", off_mm=(-10, 1)),
    on("ring.1", "blue", off_mm=(9, -2), material="glossy"),
    on("ring.2", "yellow", off_mm=(3, 2)),
    on("ring.3", "red", off_mm=(-9, 0), material="wood"),
    on("ring.3", "red", off_mm=(9, 0), material="wood"),
    on("stock.1", "green", off_mm=(2, -3)),
    on("stock.2", "green"),
    on("stock.5", "blue"),
    on("well", "red", off_mm=(-18, 8)),
    on("well", "red", off_mm=(2, -8)),
    on("well", "yellow", off_mm=(20, 9)),
    on("slot.1", "tile.1", turn_deg=7, off_mm=(2, -3)),
    on("slot.2", "tile.4", turn_deg=98),
    on("slot.4", "tile.2", turn_deg=176, off_mm=(-3, 1)),
    turned(2),
    turned(4, off_mm=(1, 11), turn_deg=3),
    on("disc.2", "disc.red", turn_deg=30, base_mm=2),
    on("disc.4", "disc.neutral", turn_deg=200, base_mm=2, off_mm=(1, 2)),
    on("disc.5", "flag.red", turn_deg=-20),
    on("disc.6", "flag.yellow", turn_deg=50),
    on("disc.7", "disc.yellow", turn_deg=140, off_mm=(-2, 1)),
    on("track.1", "score.red", off_mm=(-4, -4)),
    on("track.1", "score.blue", off_mm=(4, 4)),
    on("track.4", "score.green"),
)
TOLD = {
    "ring.1": "blue red",
    "ring.2": "yellow",
    "ring.3": "red red",
    "stock.1": "green",
    "stock.2": "green",
    "stock.5": "blue",
    "well": "red red yellow",
    "slot.1": "tile.1",
    "slot.2": "tile.4",
    "slot.4": "tile.2",
    "face.2": "finished",
    "face.4": "finished",
    "disc.2": "disc.red",
    "disc.4": "disc.neutral",
    "disc.5": "flag.red",
    "disc.6": "flag.yellow",
    "disc.7": "disc.yellow",
    "track.1": "score.blue score.red",
    "track.4": "score.green",
}
PLAYED = with_pieces(*PIECES)


def wrong(scene: Scene) -> dict[str, tuple[str, str]]:
    """What was read for sure and is not so, by region: the truth, and what was read."""
    reading, truth = read(scene), shot_of(scene).truth
    return {
        f"{board} {region}": (truth.boards[board].regions[region].held, mark.kind)
        for board, marks in reading.marks.items()
        for region, mark in marks.items()
        if mark.kind not in {"unsure", truth.boards[board].regions[region].held}
    }


def test_a_sheet_without_pieces_is_empty_and_shows_the_faces_printed_on_it() -> None:
    marks = read(replace(EMPTY, moment=1)).marks["sheet-1"]
    assert set(marks) == set(REGIONS)
    assert {region: mark.kind for region, mark in marks.items()} == {
        region: "open" if region.startswith("face") else "empty" for region in REGIONS
    }
    assert min(mark.confidence for mark in marks.values()) > 0.99


def test_every_piece_is_told_by_its_colour_code_or_face() -> None:
    reading = read(PLAYED)
    assert told(reading) == TOLD
    assert told(reading, "sheet-2") == {}


@pytest.mark.parametrize(
    "changed",
    [
        {"lights": replace(EMPTY.lights, level=0.3), "sensor": replace(EMPTY.sensor, noise=4.0)},
        {"lights": replace(EMPTY.lights, cast_bgr=(150.0, 215.0, 255.0))},
        {"camera": replace(CAMERA, tilt_deg=12.0, turn_deg=70.0, distance_mm=950.0)},
        {"sensor": replace(EMPTY.sensor, blur_px=1.0, jpeg_quality=75)},
    ],
    ids=["dim", "warm", "slanted", "blurred"],
)
def test_light_and_camera_make_no_difference(changed: dict[str, Any]) -> None:
    reading = read(replace(PLAYED, **changed))
    seen = told(reading)
    sure = {region: kind for region, kind in seen.items() if kind != "unsure"}
    assert sure.items() <= TOLD.items()
    assert len(sure) >= len(TOLD) - 3


def test_the_light_may_differ_from_that_of_the_clean_picture() -> None:
    darker = replace(PLAYED, lights=replace(EMPTY.lights, level=0.6, cast_bgr=(200.0, 235.0, 255.0)))
    assert told(read(darker, clean=EMPTY)) == TOLD


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0, 270.0])
def test_what_leans_over_its_neighbours_in_a_slanted_view_stands_where_it_stands(turn_deg: float) -> None:
    camera = replace(CAMERA, tilt_deg=28.0, turn_deg=turn_deg, distance_mm=1100.0)
    assert wrong(replace(PLAYED, camera=camera)) == {}


@pytest.mark.parametrize("tip_mm", [(-180.0, -50.0), (-100.0, -20.0), (-60.0, 50.0), (-230.0, 40.0)])
def test_nothing_is_told_wrongly_under_and_beside_a_hand(tip_mm: tuple[float, float]) -> None:
    for hand in (Hand(tip_mm), Hand(tip_mm, from_deg=30.0, skin_bgr=(70.0, 95.0, 150.0))):
        assert wrong(replace(PLAYED, hands=(hand,))) == {}


@pytest.mark.parametrize("kind", ["phone", "mug", "cube", "disc", "pen"])
def test_other_things_are_no_pieces(kind: str) -> None:
    for region in ("ring.2", "slot.3", "disc.3"):
        x, y = on(region, "red").centre_mm
        marks = read(replace(EMPTY, things=(Thing(kind, (x, y), 20.0, (140.0, 60.0, 160.0)),), moment=1)).marks[
            "sheet-1"
        ]
        assert marks[region].kind == "unsure"


@pytest.mark.parametrize(
    ("kind", "region", "off_mm", "turn_deg"),
    [
        ("pen", "track.4", (-62.0, 0.0), 180.0),
        ("pen", "stock.3", (0.0, -62.0), 90.0),
        ("mug", "stock.2", (-30.0, 8.0), 0.0),
        ("phone", "ring.2", (20.0, 30.0), 10.0),
    ],
)
def test_what_has_the_colour_of_a_piece_and_goes_on_is_none(
    kind: str, region: str, off_mm: tuple[float, float], turn_deg: float
) -> None:
    x, y = on(region, "blue").centre_mm
    blue = kit()[0].catalogue.kinds["blue"].colour_bgr
    assert blue is not None
    thing = Thing(kind, (x - off_mm[0], y - off_mm[1]), turn_deg, (float(blue[0]), float(blue[1]), float(blue[2])))
    assert wrong(replace(EMPTY, things=(thing,), moment=1)) == {}


def test_a_tile_that_lies_on_its_face_is_not_told() -> None:
    marks = read(with_pieces(on("slot.2", "tile.1", face="back"))).marks["sheet-1"]
    assert marks["slot.2"].kind == "unsure"


def test_a_tile_that_belongs_elsewhere_is_not_told() -> None:
    layout = kit()[0]
    data = layout_json(layout)
    del data["pieces"]["kinds"]["tile.4"]
    reader = Reader(parse_layout(data, layout.folder))
    reader.take_reference(frame_of(EMPTY))
    assert reader.read(frame_of(PLAYED)).marks["sheet-1"]["slot.2"].kind == "unsure"


def test_pieces_of_one_colour_one_behind_the_other_are_all_told() -> None:
    """In a slanted view their bodies run together."""
    pieces = [on("ring.1", "green", off_mm=(x, 0)) for x in (-9, 9)] + [
        on("ring.4", "yellow", off_mm=(x, 0)) for x in (-8, 9)
    ]
    for turn_deg in (90.0, 270.0):
        camera = replace(CAMERA, tilt_deg=25.0, turn_deg=turn_deg, distance_mm=1100.0)
        seen = told(read(replace(with_pieces(*pieces), camera=camera)))
        assert seen == {"ring.1": "green green", "ring.4": "yellow yellow"}


def test_nothing_is_told_where_a_lamp_is_mirrored() -> None:
    """What is bleached looks as bleached with a piece as without."""
    glare = Glare(on("disc.4", "disc.red").centre_mm, 30.0, 1.0, softness=0.2)
    scene = replace(PLAYED, lights=replace(EMPTY.lights, glares=(glare,)))
    assert read(scene).marks["sheet-1"]["disc.4"].kind == "unsure"
    assert wrong(scene) == {}


def test_paper_that_comes_out_of_a_shadow_is_paper() -> None:
    """Most of the sheet is shaded, so that the rest is brighter than the light on it tells."""
    x, y = EMPTY.boards[0].centre_mm
    shade = Shade(((x - 200, y - 60), (x + 200, y - 60), (x + 200, y + 200), (x - 200, y + 200)), 0.4, 3.0)
    seen = told(read(replace(PLAYED, lights=replace(EMPTY.lights, shades=(shade,))), clean=EMPTY))
    assert {region for region, kind in seen.items() if kind == "unsure"} <= {*TOLD}


def test_where_code_and_colour_contradict_each_other_nothing_is_told() -> None:
    layout = kit()[0]
    data = layout_json(layout)
    kinds = data["pieces"]["kinds"]
    red, blue = kinds["disc.red"], kinds["disc.blue"]
    red["code"], blue["code"] = blue["code"], red["code"]
    reader = Reader(parse_layout(data, layout.folder))
    reader.take_reference(frame_of(EMPTY))
    assert reader.read(frame_of(PLAYED)).marks["sheet-1"]["disc.2"].kind == "unsure"


def test_without_a_clean_picture_the_print_is_compared_with() -> None:
    sure = {region: kind for region, kind in told(Reader(kit()[0]).read(frame_of(PLAYED))).items() if kind != "unsure"}
    assert sure.items() <= TOLD.items()
    assert len(sure) >= len(TOLD) - 3


def test_likelihoods_tell_what_else_it_might_be() -> None:
    marks = read(PLAYED).marks["sheet-1"]
    look = marks["ring.1"].likelihoods
    assert max(look, key=lambda kind: look[kind]) == "blue red"
    assert {"blue", "red", "red red", "*"} <= set(look)
    assert max(value for kind, value in look.items() if kind != "blue red") < -6
    hidden = read(replace(PLAYED, hands=(Hand((-180.0, -60.0)),))).marks["sheet-1"]
    assert any(max(mark.likelihoods.values()) - min(mark.likelihoods.values()) < 0.5 for mark in hidden.values())


def test_what_did_not_change_is_not_read_again() -> None:
    reader = Reader(kit()[0])
    reader.take_reference(frame_of(EMPTY))
    first = reader.read(frame_of(PLAYED))
    more = replace(PLAYED, pieces=(*PIECES, on("stock.3", "yellow")), moment=2)
    second = reader.read(frame_of(more))
    assert told(second) == {**TOLD, "stock.3": "yellow"}
    assert second.marks["sheet-2"] is first.marks["sheet-2"]
    assert second.marks["sheet-1"]["track.9"] is first.marks["sheet-1"]["track.9"]
    gone = reader.read(frame_of(replace(PLAYED, pieces=PIECES[1:], moment=3)))
    assert told(gone) == {**TOLD, "ring.1": "blue"}


def test_the_json_names_every_piece_and_where_it_is_seen() -> None:
    layout, reading = kit()[0], read(PLAYED)
    told_pieces = reading_json(layout, reading)["pieces"]
    [tile] = [piece for piece in told_pieces if piece["region"] == "slot.1"]
    assert (tile["piece"], tile["face"], tile["board"]) == ("tile.1", "up", "sheet-1")
    assert 0.95 <= tile["confidence"] <= 1
    polygon = np.array(shot_of(PLAYED).truth.boards["sheet-1"].regions["slot.1"].polygon_px)
    assert np.hypot(*(polygon.mean(axis=0) - tile["centre_px"])) < 10
    faces = {piece["region"]: piece["face"] for piece in told_pieces if piece["board"] == "sheet-1"}
    assert (faces["face.1"], faces["face.2"]) == ("open", "finished")
    assert sum(piece["region"] == "well" for piece in told_pieces) == 3


def test_the_overlay_writes_what_lies_where() -> None:
    frame = frame_of(PLAYED)
    drawn = overlay(frame, kit()[0], read(PLAYED))
    assert drawn.shape[1] > frame.shape[1]


def test_the_truth_tells_what_lies_where() -> None:
    regions = shot_of(PLAYED).truth.boards["sheet-1"].regions
    assert {name: truth.held for name, truth in regions.items() if truth.held not in {"empty", "open"}} == TOLD


def test_a_piece_throws_a_shadow_and_has_a_side() -> None:
    post = Piece("red", (0.0, -120.0))
    with_it, without = (np.asarray(shot_of(replace(EMPTY, pieces=p)).frame_bgr, int) for p in ((post,), ()))
    changed = np.abs(with_it - without).max(axis=2) > 12
    red = (with_it[..., 2] - with_it[..., 1] > 60) & changed
    assert 400 < red.sum() < changed.sum()


def test_an_unknown_material_is_refused() -> None:
    with pytest.raises(ValueError, match="'jelly' is none of"):
        Piece("red", (0.0, 0.0), material="jelly")
