from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.scenes import Camera, Place, Scene, around, cover, kit
from vision.calibrate import CannotCalibrate, board_views, lens_from
from vision.fit import common_table, consistent_groups, held_on_table, pose_of
from vision.layout import Layout
from vision.locate import Found, find_boards, frame_size_px
from vision.markers import Image, Marker, draw_marker
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, Lens
from vision.track import track_boards

LAYOUT = kit()
CITY_1, CITY_2, HQ = Place("city-1", -170, -90, 4), Place("city-2", 170, -90, 178), Place("hq", 0, 155, 93)
CAMERA = Camera(distance_mm=950)
TABLE = Scene(LAYOUT, (CITY_1, CITY_2, HQ), CAMERA)
LARGE = replace(TABLE, camera=replace(CAMERA, width_px=2304, height_px=1296))


@cache
def _table_frame() -> Image:
    return TABLE.frame_bgr()


@cache
def _table_found() -> Found:
    return find_boards(_table_frame(), LAYOUT)


def _tracked(picture: Image, before: Found) -> Found:
    return track_boards(Pyramid(picture), LAYOUT, before)


def _lens_of(*pictures: Image) -> Lens:
    views = [view for picture in pictures for view in board_views(picture, LAYOUT)]
    return lens_from(views, frame_size_px(pictures[0]))


def _off_px(scene: Scene, boards: Mapping[str, BoardPose], place: Place) -> float:
    return float(np.linalg.norm(boards[place.board_id].corners_px - scene.corners_px(place), axis=1).max())


def _off_mm(scene: Scene, boards: Mapping[str, BoardPose], place: Place) -> float:
    return _off_px(scene, boards, place) / boards[place.board_id].px_per_mm


def _without(frame: Image, scene: Scene, place: Place, *markers: int) -> Image:
    """The frame with hands on some markers of a board."""
    for marker in markers:
        frame = cover(frame, around(scene.to_frame(place, LAYOUT.board(place.board_id).markers[marker])))
    return frame


def _with_marker(frame: Image, marker: int, x: int, y: int, side: int = 30) -> Image:
    """The frame with a loose marker on a white label."""
    labelled = frame.copy()
    labelled[y - 8 : y + side + 8, x - 8 : x + side + 8] = 220
    labelled[y : y + side, x : x + side] = np.maximum(draw_marker(marker, side), 30)[..., None]
    return labelled


@pytest.mark.parametrize(
    "scene",
    [
        TABLE,
        replace(TABLE, camera=replace(CAMERA, tilt_deg=35)),
        replace(TABLE, camera=replace(CAMERA, tilt_deg=33, turn_deg=140)),
        replace(TABLE, camera=replace(CAMERA, turn_deg=90, width_px=960, height_px=1280, focal=1.0)),
        replace(TABLE, camera=replace(CAMERA, distance_mm=1600)),
        LARGE,
        replace(TABLE, light=0.03, noise=4.0),
        replace(TABLE, darker_side=0.95),
        replace(TABLE, blur_px=1.6, noise=4.0),
        replace(TABLE, camera=replace(CAMERA, k1=-0.2)),
    ],
    ids=["above", "tilted", "turned", "upright", "far", "large", "dim", "uneven", "blurred", "bent"],
)
def test_every_board_is_found_to_a_fraction_of_a_pixel(scene: Scene) -> None:
    found = find_boards(scene.frame_bgr(), LAYOUT)
    assert found.boards.keys() == {"city-1", "city-2", "hq"}
    assert not found.duplicates
    assert not found.strays
    for place in scene.places:
        assert _off_px(scene, found.boards, place) < 0.5
        pose = found.boards[place.board_id]
        assert pose.used == tuple(LAYOUT.board(place.board_id).markers)
        assert pose.error_px < 0.6
        assert pose.confidence > 0.9
        assert pose.age == 0


def test_huge_frames_are_searched_small_and_measured_large() -> None:
    times = 4608 / 1280
    frame = np.asarray(cv2.resize(_table_frame(), None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC), np.uint8)
    found = find_boards(frame, LAYOUT)
    for place in TABLE.places:
        truth = (TABLE.corners_px(place) + 0.5) * times - 0.5
        assert np.abs(found.boards[place.board_id].corners_px - truth).max() < 1.0


def test_any_subset_is_found() -> None:
    scene = replace(TABLE, places=(CITY_2,))
    assert find_boards(scene.frame_bgr(), LAYOUT).boards.keys() == {"city-2"}


def test_an_empty_table_has_no_boards() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    for frame in (replace(TABLE, places=()).frame_bgr(), noise):
        found = find_boards(frame, LAYOUT)
        assert not found.boards
        assert not found.duplicates


def test_grey_and_transparent_pictures_are_read() -> None:
    grey = np.asarray(cv2.cvtColor(_table_frame(), cv2.COLOR_BGR2GRAY), np.uint8)
    transparent = np.dstack([_table_frame(), np.full(grey.shape, 255, np.uint8)])
    for frame in (grey, grey[..., None], transparent):
        assert len(find_boards(frame, LAYOUT).boards) == 3


@pytest.mark.parametrize("shape", [(1, 1), (1, 1, 3), (1, 4000, 3), (40, 40, 3), (3000, 2)])
def test_tiny_pictures_have_no_boards(shape: tuple[int, ...]) -> None:
    assert not find_boards(np.zeros(shape, np.uint8), LAYOUT).boards


def test_what_is_no_8_bit_picture_is_refused() -> None:
    for frame in (np.zeros((50, 50, 3), np.uint16), np.zeros((0, 5, 3), np.uint8), np.zeros((5, 5, 2), np.uint8)):
        with pytest.raises(ValueError, match="a frame must be"):
            find_boards(frame, LAYOUT)  # type: ignore[arg-type]


# Few markers


@pytest.mark.parametrize("hidden", [0, 1, 2, 3])
def test_three_markers_are_enough(hidden: int) -> None:
    found = find_boards(_without(_table_frame(), TABLE, CITY_1, hidden), LAYOUT)
    assert set(found.boards["city-1"].used) == {0, 1, 2, 3} - {hidden}
    assert _off_mm(TABLE, found.boards, CITY_1) < 1.0
    assert 0.7 < found.boards["city-1"].confidence < _table_found().boards["city-1"].confidence


def test_three_markers_of_a_lonely_board_are_enough() -> None:
    scene = replace(TABLE, places=(CITY_1,))
    found = find_boards(_without(scene.frame_bgr(), scene, CITY_1, 2), LAYOUT)
    assert _off_mm(scene, found.boards, CITY_1) < 2.0
    assert found.boards["city-1"].confidence < 0.99


@pytest.mark.parametrize("hidden", [(0, 1), (1, 2), (0, 2)])
def test_two_markers_tell_a_board_that_lies_beside_others(hidden: tuple[int, int]) -> None:
    found = find_boards(_without(_table_frame(), TABLE, CITY_1, *hidden), LAYOUT)
    assert _off_mm(TABLE, found.boards, CITY_1) < 1.5
    assert found.boards["city-1"].confidence < 0.97


def test_two_neighbouring_markers_alone_are_not_told() -> None:
    scene = replace(TABLE, places=(CITY_1,))
    assert not find_boards(_without(scene.frame_bgr(), scene, CITY_1, 0, 1), LAYOUT).boards


def test_one_marker_is_not_told() -> None:
    found = find_boards(_without(_table_frame(), TABLE, CITY_1, 0, 1, 2), LAYOUT)
    assert found.boards.keys() == {"city-2", "hq"}


def _held(bent: float) -> BoardPose:
    """City 1 by three markers, one with a corner `bent` (pixels) by what lies on it, beside two boards seen whole."""
    seen = {
        place.board_id: [
            Marker(marker, LARGE.to_frame(place, quad)) for marker, quad in LAYOUT.board(place.board_id).markers.items()
        ]
        for place in LARGE.places
    }
    whole = [consistent_groups(LAYOUT.board(board), seen[board], None)[0] for board in ("city-2", "hq")]
    table = common_table(LARGE.frame_bgr(), whole, None)
    assert table is not None
    seen["city-1"][2].quad_px[0] += bent
    return pose_of(held_on_table(consistent_groups(LAYOUT.board("city-1"), seen["city-1"][:3], None)[0], table))


def test_a_marker_half_under_a_hand_does_not_bend_a_board() -> None:
    pose = _held(bent=1.4)
    assert pose.used == (0, 1)
    assert _off_mm(LARGE, {"city-1": pose}, CITY_1) < 0.5
    assert pose.confidence > 0.9


def test_a_marker_seen_well_is_used() -> None:
    assert _held(bent=0.1).used == (0, 1, 2)


# What must not be mixed


def test_two_boards_with_the_same_id_are_reported() -> None:
    twin = replace(CITY_1, x_mm=180, angle_deg=-8)
    scene = replace(TABLE, places=(CITY_1, twin, HQ))
    found = find_boards(scene.frame_bgr(), LAYOUT)
    assert found.boards.keys() == {"hq"}
    assert found.duplicates.keys() == {"city-1"}
    poses = found.duplicates["city-1"]
    assert len(poses) == 2
    for place in (CITY_1, twin):
        off = [np.linalg.norm(pose.corners_px - scene.corners_px(place), axis=1).max() for pose in poses]
        assert min(off) < 0.5


def test_two_markers_of_a_second_copy_are_enough_to_report_it() -> None:
    twin = replace(CITY_1, x_mm=180, angle_deg=-8)
    scene = replace(TABLE, places=(CITY_1, twin, HQ))
    found = find_boards(_without(scene.frame_bgr(), scene, twin, 0, 3), LAYOUT)
    assert found.duplicates.keys() == {"city-1"}
    assert "city-1" not in found.boards


def test_a_loose_marker_does_not_bend_a_board() -> None:
    found = find_boards(_with_marker(_table_frame(), 2, 60, 600), LAYOUT)
    assert found.strays == (2,)
    assert not found.duplicates
    assert _off_px(TABLE, found.boards, CITY_1) < 0.5


def test_a_loose_marker_does_not_replace_a_covered_one() -> None:
    frame = _with_marker(_without(_table_frame(), TABLE, CITY_1, 2), 2, 60, 600)
    found = find_boards(frame, LAYOUT)
    assert found.boards["city-1"].used == (0, 1, 3)
    assert found.strays == (2,)
    assert _off_mm(TABLE, found.boards, CITY_1) < 1.0


def test_a_shifted_marker_is_left_out() -> None:
    x, y = TABLE.to_frame(CITY_1, LAYOUT.board("city-1").markers[0])[0]
    frame = _with_marker(_table_frame(), 0, round(x) + 5, round(y) - 4, 27)
    found = find_boards(frame, LAYOUT)
    assert found.boards["city-1"].used == (1, 2, 3)
    assert _off_mm(TABLE, found.boards, CITY_1) < 1.0


# The lens


def test_the_lens_is_estimated_only_when_it_shows() -> None:
    bent = replace(TABLE, camera=replace(CAMERA, k1=-0.1))
    lens = find_boards(bent.frame_bgr(), LAYOUT).lens
    assert lens is not None
    assert lens.k1 == pytest.approx(-0.1, abs=0.02)
    assert _table_found().lens is None


def test_a_known_lens_is_used() -> None:
    scene = replace(TABLE, camera=replace(CAMERA, k1=-0.3, k2=0.08))
    found = find_boards(scene.frame_bgr(), LAYOUT, scene.camera.lens)
    assert all(_off_px(scene, found.boards, place) < 0.3 for place in scene.places)
    with pytest.raises(ValueError, match="calibrate it again"):
        find_boards(np.zeros((480, 640, 3), np.uint8), LAYOUT, scene.camera.lens)


def test_a_handful_of_pictures_calibrates_the_lens() -> None:
    camera = replace(CAMERA, k1=-0.2, k2=0.04)
    views = [(0, 0), (25, 0), (25, 90), (30, 180), (25, 270), (15, 45)]
    scenes = [replace(TABLE, camera=replace(camera, tilt_deg=tilt, turn_deg=turn)) for tilt, turn in views]
    lens = _lens_of(*(scene.frame_bgr() for scene in scenes))
    corners = np.array([[200.0, 120.0], [1080.0, 120.0], [640.0, 650.0], [300.0, 360.0]])
    bend = camera.lens.distort(corners) - corners
    measured = lens.distort(corners) - corners
    assert lens.fx == pytest.approx(camera.lens.fx, rel=0.02)
    assert np.abs(measured - bend).max() < 1.0


def test_pictures_without_boards_calibrate_nothing() -> None:
    with pytest.raises(CannotCalibrate, match="only 0 boards"):
        _lens_of(np.zeros((100, 100, 3), np.uint8))


def test_boards_that_only_lie_flat_do_not_tell_a_lens() -> None:
    with pytest.raises(CannotCalibrate, match="too much alike"):
        _lens_of(*[_table_frame()] * 3)


# Following


def test_a_still_board_keeps_its_pose_to_the_last_digit() -> None:
    next_frame = replace(TABLE, seed=2, light=0.8).frame_bgr()
    found = _tracked(next_frame, _table_found())
    assert found.boards.keys() == {"city-1", "city-2", "hq"}
    for board_id, pose in found.boards.items():
        assert (pose.homography == _table_found().boards[board_id].homography).all()
        assert pose.age == 0


def test_a_board_under_a_hand_keeps_its_last_pose() -> None:
    frame = cover(_table_frame(), around(TABLE.corners_px(CITY_1), 1.1))
    once = _tracked(frame, _table_found())
    twice = _tracked(frame, once)
    before = _table_found().boards["city-1"]
    assert [found.boards["city-1"].age for found in (once, twice)] == [1, 2]
    assert (twice.boards["city-1"].homography == before.homography).all()
    assert twice.boards["city-1"].used == ()
    assert twice.boards["city-1"].confidence < before.confidence
    assert twice.boards["hq"].age == 0
    again = _tracked(_table_frame(), twice)
    assert again.boards["city-1"].age == 0
    assert again.boards["city-1"].confidence == before.confidence


def test_one_visible_marker_holds_a_board_in_place() -> None:
    frame = _without(_table_frame(), TABLE, CITY_1, 0, 1, 3)
    pose = _tracked(frame, _table_found()).boards["city-1"]
    assert (pose.age, pose.used) == (0, (2,))


@pytest.mark.parametrize("shift_mm", [2.0, 25.0])
def test_a_moved_board_is_found_again(shift_mm: float) -> None:
    moved = replace(CITY_1, x_mm=CITY_1.x_mm - shift_mm, angle_deg=CITY_1.angle_deg + shift_mm / 5)
    scene = replace(TABLE, places=(moved, CITY_2, HQ))
    found = _tracked(scene.frame_bgr(), _table_found())
    assert _off_px(scene, found.boards, moved) < 0.5


def test_a_board_replaced_by_another_is_forgotten() -> None:
    before = find_boards(replace(TABLE, places=(CITY_1, HQ)).frame_bgr(), LAYOUT)
    scene = replace(TABLE, places=(replace(CITY_1, board_id="city-2"), HQ))
    assert _tracked(scene.frame_bgr(), before).boards.keys() == {"city-2", "hq"}


def test_a_new_board_is_found() -> None:
    before = find_boards(replace(TABLE, places=(CITY_1, HQ)).frame_bgr(), LAYOUT)
    found = _tracked(_table_frame(), before)
    assert found.boards.keys() == {"city-1", "city-2", "hq"}


def test_a_bumped_camera_is_noticed_and_takes_covered_boards_along() -> None:
    bumped = replace(TABLE, camera=replace(CAMERA, shift_mm=(12.0, -7.0), turn_deg=3))
    hand = around(bumped.corners_px(CITY_1), 1.1)
    found = _tracked(cover(bumped.frame_bgr(), hand), _table_found())
    assert found.boards["city-1"].age == 1
    assert _off_px(bumped, found.boards, CITY_1) < 3.0
    assert _off_px(bumped, found.boards, HQ) < 0.5


def test_a_frame_of_another_size_is_searched_afresh() -> None:
    scene = replace(TABLE, camera=replace(CAMERA, width_px=1600, height_px=900))
    found = _tracked(scene.frame_bgr(), _table_found())
    assert all(_off_px(scene, found.boards, place) < 0.5 for place in scene.places)


def test_darkness_keeps_everything() -> None:
    found = _tracked(np.zeros_like(_table_frame()), _table_found())
    assert {pose.age for pose in found.boards.values()} == {1}


def test_a_kit_without_boards_finds_nothing() -> None:
    empty = Layout("none", (), LAYOUT.folder)
    found = find_boards(_table_frame(), empty)
    assert not found.boards
    assert not track_boards(Pyramid(_table_frame()), empty, found).boards
