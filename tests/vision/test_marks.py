"""What is drawn on a board: each thing that a pen, a cloth, a lamp or a hand may do to a region."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.one_board import BOARD, CLEAN, clean_frame, drawn, house, read, shot_of, with_ink
from vision.change import Change
from vision.locate import find_boards
from vision.marks import Seen, read_marks
from vision.pyramid import Pyramid
from vision.regions import Regions
from vision.render import Glare, Hand, Lights, Shade, by_hand
from vision.render.scene import PENS
from vision.samples import maps_to, sample_board

LIGHTS = CLEAN.lights


def marked(*regions: str) -> dict[str, str]:
    return dict.fromkeys(regions, "marked")


def test_a_clean_board_is_empty() -> None:
    assert drawn(read(replace(CLEAN, moment=7))) == {}


@pytest.mark.parametrize("kind", ["cross", "scribble", "fill"])
def test_crossed_scribbled_and_filled_squares_are_marked_alike(kind: str) -> None:
    ink = [by_hand(region, kind, care=0.8, seed=3) for region in ("r1c1", "r4c6", "r8c12")]
    assert drawn(read(with_ink(*ink))) == marked("r1c1", "r4c6", "r8c12")


@pytest.mark.parametrize("pen", PENS)
def test_every_pen_is_read_on_every_district(pen: str) -> None:
    regions = ["r1c1", "r2c9", "r4c6", "r7c2", "r8c11"]
    ink = [by_hand(region, "scribble", pen, care=0.8, seed=5) for region in regions]
    assert drawn(read(with_ink(*ink))) == marked(*regions)


@pytest.mark.parametrize("width_mm", [0.6, 2.2])
def test_thin_and_thick_pens(width_mm: float) -> None:
    ink = [replace(by_hand(region, "cross", care=0.8), width_mm=width_mm) for region in ("r3c3", "r5c9")]
    assert drawn(read(with_ink(*ink))) == marked("r3c3", "r5c9")


def test_circles_and_crosses_on_boxes_differ() -> None:
    ink = [
        by_hand("row.2.high", "circle", care=0.8), by_hand("row.2.low", "cross", care=0.8),
        by_hand("col.D.high", "cross", care=0.8), by_hand("district.red.low", "circle", care=0.8),
        by_hand("bubble.2", "circle", care=0.8), by_hand("bubble.4", "cross", care=0.8),
    ]  # fmt: skip
    assert drawn(read(with_ink(*ink))) == {
        "row.2.high": "circled", "row.2.low": "crossed", "col.D.high": "crossed", "district.red.low": "circled",
        "bubble.2": "circled", "bubble.4": "crossed",
    }  # fmt: skip


def test_what_a_cloth_leaves_is_empty() -> None:
    ghosts = [replace(by_hand(region, "fill", care=0.9), ghost=0.06) for region in ("r2c2", "r5c5", "r7c9")]
    marks = read(with_ink(*ghosts))
    assert {region: kind for region, kind in drawn(marks).items() if kind != "unsure"} == {}


def test_a_stroke_that_overshoots_leaves_the_neighbour_empty() -> None:
    ink = replace(by_hand("r4c5", "cross", care=0.8), overshoot_mm=2.5, width_mm=1.0)
    assert drawn(read(with_ink(ink))) == marked("r4c5")


def test_ink_that_covers_the_print_is_read_as_ink_that_stains_it_is() -> None:
    ink = [
        replace(by_hand(region, kind, pen, care=0.8, seed=5), body=0.9)
        for region, kind, pen in (("r2c3", "fill", "red"), ("r4c8", "scribble", "blue"), ("r7c11", "cross", "green"))
    ]
    assert drawn(read(with_ink(*ink))) == marked("r2c3", "r4c8", "r7c11")


def test_a_nearly_dry_pen_is_seen_or_doubted_but_not_overlooked() -> None:
    ink = [replace(by_hand(region, "fill", care=0.9), dryness=0.6) for region in ("r2c3", "r6c8")]
    marks = read(with_ink(*ink))
    assert {marks[region].kind for region in ("r2c3", "r6c8")} <= {"marked", "unsure"}


def test_faint_ink_is_a_mark_where_all_ink_is_faint_and_a_wiped_one_where_the_pen_is_strong() -> None:
    def ink_in_r6c6(others_pale: float) -> float:
        others = [by_hand(f"r{row}c{column}", "fill", care=0.9) for row in (1, 3, 5, 7) for column in (2, 5, 8, 11)]
        faint = replace(by_hand("r6c6", "fill", care=0.9, seed=4), pale=0.9)
        likely = read(with_ink(*(replace(mark, pale=others_pale) for mark in others), faint))["r6c6"].likelihoods
        return likely["marked"] - likely["empty"]

    assert ink_in_r6c6(others_pale=0.9) > 1
    assert ink_in_r6c6(others_pale=0.0) < -1


@pytest.mark.parametrize("knob", ["pale", "dryness"])
def test_a_pen_that_runs_dry_in_the_middle_of_a_game_still_marks(knob: str) -> None:
    strong = [by_hand(f"r{row}c{column}", "cross", care=0.9) for row in (1, 3, 5, 7) for column in (2, 5, 8, 11)]
    weak = replace(by_hand("r6c6", "cross", care=0.9, seed=4), **{knob: 0.7})  # type: ignore[arg-type]
    assert read(with_ink(*strong, weak))["r6c6"].kind == "marked"


@pytest.mark.parametrize(
    "lights",
    [
        replace(LIGHTS, level=0.5),
        replace(LIGHTS, cast_bgr=(150.0, 215.0, 255.0)),
        replace(LIGHTS, lamps=(replace(LIGHTS.lamps[0], position_mm=(250.0, -200.0, 500.0), uneven=1.0),)),
        replace(LIGHTS, shades=(Shade(((-300.0, -300.0), (10.0, -300.0), (40.0, 300.0), (-300.0, 300.0)), 0.4, 0.5),)),
        replace(LIGHTS, shades=(Shade(((-40.0, -90.0), (90.0, -60.0), (60.0, 80.0), (-60.0, 60.0)), 0.4, 15.0),)),
    ],
    ids=["dimmer", "warmer", "uneven", "hard shadow", "soft shadow"],
)
def test_other_light_than_on_the_clean_picture_is_no_ink(lights: Lights) -> None:
    ink = [by_hand(region, "cross", care=0.8, seed=8) for region in ("r2c2", "r4c11", "r7c6")]
    marks = read(replace(with_ink(*ink), lights=lights))
    assert {region: kind for region, kind in drawn(marks).items() if kind != "unsure"} == marked(
        "r2c2", "r4c11", "r7c6"
    )
    assert sum(mark.kind == "unsure" for mark in marks.values()) <= 6


def test_bleached_regions_are_unsure() -> None:
    glare = replace(LIGHTS, glares=(Glare((0.0, 0.0), 25.0, 1.0),))
    clean = np.asarray(shot_of(replace(CLEAN, lights=glare)).frame_bgr, np.uint8)
    marks = read(replace(with_ink(by_hand("r5c6", "cross")), lights=glare), clean)
    regions = shot_of(replace(CLEAN, lights=glare)).truth.boards[BOARD].regions
    bleached = [region for region, truth in regions.items() if truth.blown > 0.95]
    assert bleached
    assert {marks[region].kind for region in bleached} == {"unsure"}


def test_regions_under_a_hand_are_unsure_and_the_others_are_read() -> None:
    scene = replace(with_ink(by_hand("r1c1", "fill", care=0.9)), hands=(Hand((10.0, -60.0), 90.0),))
    marks = read(scene)
    regions = shot_of(scene).truth.boards[BOARD].regions
    under = [region for region, truth in regions.items() if truth.visible < 0.05]
    assert len(under) > 5
    assert sum(marks[region].kind == "unsure" for region in under) >= 0.8 * len(under)
    assert marks["r1c1"].kind == "marked"


def test_a_board_seen_at_a_slant_is_read() -> None:
    slanted = replace(CLEAN, camera=replace(CLEAN.camera, tilt_deg=30.0, distance_mm=950.0))
    clean = np.asarray(shot_of(slanted).frame_bgr, np.uint8)
    ink = [by_hand(region, "cross", care=0.8) for region in ("r1c2", "r8c11")]
    assert drawn(read(with_ink(*ink, scene=slanted), clean)) == marked("r1c2", "r8c11")


def test_likelihoods_favour_what_is_there_and_never_exclude_what_is_hidden() -> None:
    marks = read(with_ink(by_hand("r3c3", "fill", care=0.9), by_hand("bubble.1", "circle", care=0.9)))
    assert marks["r3c3"].likelihoods["marked"] == pytest.approx(0.0, abs=0.1)
    assert marks["r3c3"].likelihoods["empty"] < -3
    assert set(marks["bubble.1"].likelihoods) == {"empty", "marked", "circled", "crossed"}
    assert max(marks["bubble.1"].likelihoods, key=marks["bubble.1"].likelihoods.__getitem__) == "circled"
    assert all(-20 < value <= 1e-6 for mark in marks.values() for value in mark.likelihoods.values())


def test_confidences_are_probabilities() -> None:
    for mark in read(with_ink(by_hand("r3c3", "fill"))).values():
        assert 0 <= mark.confidence <= 1


def test_a_pose_that_is_not_trusted_makes_everything_unsure() -> None:
    layout, _, _ = house()
    frame = clean_frame()
    regions = Regions(layout.board(BOARD))
    pose = find_boards(frame, layout).boards[BOARD]
    look = sample_board(Pyramid(frame), maps_to(pose, regions, (frame.shape[1], frame.shape[0])))
    marks = read_marks([Seen(Change(look, look, regions), np.ones(len(regions.names), bool), trust=0.4)])[0].marks
    assert {mark.kind for mark in marks.values()} == {"unsure"}
    assert max(mark.confidence for mark in marks.values()) <= 0.4


def test_squares_are_told_from_boxes() -> None:
    regions = Regions(house()[0].board(BOARD))
    squares = dict(zip(regions.names, regions.square.tolist(), strict=True))
    assert squares["r8c12"]
    assert not squares["row.3.high"]


def test_what_the_networks_see_is_numbers_and_the_same_every_time() -> None:
    layout, _, _ = house()
    regions = Regions(layout.board(BOARD))
    looks = []
    for frame in (clean_frame(), np.asarray(shot_of(with_ink(by_hand("r3c3", "fill"))).frame_bgr, np.uint8)):
        pose = find_boards(frame, layout).boards[BOARD]
        looks.append(sample_board(Pyramid(frame), maps_to(pose, regions, (frame.shape[1], frame.shape[0]))))
    change = Change(looks[1], looks[0], regions)
    everything = np.ones(len(regions.names), bool)
    inputs = change.inputs(everything)
    assert np.isfinite(inputs).all()
    assert (inputs == change.inputs(everything)).all()
    marked = regions.names.index("r3c3")
    # Near and wide agree about the middle of the region: both see the ink there.
    assert inputs[marked, :3, 12:20, 12:20].mean() < -0.3
    assert inputs[marked, 4:7, 15:17, 15:17].mean() < -0.3
    halved = inputs[marked, 0].reshape(16, 2, 16, 2).mean(axis=(1, 3))
    assert np.abs(change.glances(everything)[marked, 0] - halved).mean() < 0.05
