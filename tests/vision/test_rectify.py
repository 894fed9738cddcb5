from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.scenes import Camera, Place, Scene, draw_board, kit
from vision.rectify import BoardPose, Lens, cut_out, lens_json, parse_lens, rectify

LENS = Lens(1280, 720, 1000.0, 1000.0, 639.5, 359.5, -0.2, 0.03, 0.001, -0.001, 0.002)
PLACE = Place("city-1", 0, 0, 12)
STRAIGHT = Scene(kit(), [PLACE], Camera(distance_mm=500, tilt_deg=20))
BENT = replace(STRAIGHT, camera=replace(STRAIGHT.camera, k1=-0.2))
OVER_THE_EDGE = replace(STRAIGHT, places=[replace(PLACE, x_mm=250)])


def _pose(scene: Scene) -> BoardPose:
    lens = scene.camera.lens if scene.camera.k1 else None
    board = scene.layout.board("city-1")
    homography = scene.board_to_px(scene.places[0])
    return BoardPose("city-1", board.width_mm, board.height_mm, homography, lens, (), (), 0.0, 1.0)


@pytest.mark.parametrize("scene", [STRAIGHT, BENT], ids=["straight", "bent"])
def test_the_flat_picture_is_the_print(scene: Scene) -> None:
    picture = rectify(scene.frame_bgr(), _pose(scene), 3.0)
    full = draw_board(scene.layout.board("city-1"), 4)
    printed = cv2.resize(full, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    seen = cv2.cvtColor(picture.bgr, cv2.COLOR_BGR2GRAY)
    assert seen.shape == printed.shape
    assert (picture.inside == 255).all()
    inner = (slice(9, -9), slice(9, -9))
    assert np.corrcoef(seen[inner].ravel(), printed[inner].ravel())[0, 1] > 0.95
    (dx, dy), _ = cv2.phaseCorrelate(seen[inner].astype(np.float64), printed[inner].astype(np.float64))
    assert max(abs(dx), abs(dy)) < 0.1


def test_what_the_frame_does_not_show_is_masked() -> None:
    pose = _pose(OVER_THE_EDGE)
    picture = rectify(OVER_THE_EDGE.frame_bgr(), pose, 2.0)
    mm = (np.stack(np.meshgrid(np.arange(580), np.arange(412)), axis=-1) + 0.5) / 2.0
    shown = pose.to_frame(mm)[..., 0] <= 1279.5
    assert 0.2 < shown.mean() < 0.9
    assert ((picture.inside == 255) == shown).mean() > 0.999


def test_grey_frames_are_rectified_too() -> None:
    grey = cv2.cvtColor(STRAIGHT.frame_bgr(), cv2.COLOR_BGR2GRAY)
    assert rectify(np.asarray(grey, np.uint8), _pose(STRAIGHT), 2.0).bgr.shape == (412, 580)


@pytest.mark.parametrize("px_per_mm", [0.0001, 50.0])
def test_an_absurd_size_is_refused(px_per_mm: float) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        rectify(np.zeros((9, 9, 3), np.uint8), _pose(STRAIGHT), px_per_mm)


@pytest.mark.parametrize("scene", [STRAIGHT, BENT], ids=["straight", "bent"])
def test_board_and_frame_map_both_ways(scene: Scene) -> None:
    pose = _pose(scene)
    points = np.array([[0, 0], [100, 50], [290, 206.0]])
    assert np.allclose(pose.to_frame(points), scene.to_frame(scene.places[0], points))
    assert np.allclose(pose.to_board(pose.to_frame(points)), points, atol=1e-3)


def test_a_pose_tells_its_resolution() -> None:
    above = Scene(kit(), [PLACE], Camera(distance_mm=500))
    assert _pose(above).px_per_mm == pytest.approx(0.8 * 1280 / 500, rel=1e-6)


def test_picture_pixels_are_cells_of_the_board() -> None:
    picture = rectify(STRAIGHT.frame_bgr(), _pose(STRAIGHT), 2.0)
    assert picture.to_picture([[0, 0], [290, 206]]).tolist() == [[-0.5, -0.5], [579.5, 411.5]]


def test_distortion_is_undone() -> None:
    grid = np.stack(np.meshgrid(np.linspace(0, 1279, 9), np.linspace(0, 719, 7)), axis=-1).reshape(-1, 2)
    assert np.abs(LENS.undistort(LENS.distort(grid)) - grid).max() < 1e-3


def test_distortion_is_the_one_of_opencv() -> None:
    points = np.array([[100.0, 50.0], [900.0, 600.0], [1279.0, 719.0]])
    solid = np.column_stack([(points - [LENS.cx, LENS.cy]) / LENS.fx, np.ones(3)])
    matrix = np.array([[LENS.fx, 0, LENS.cx], [0, LENS.fy, LENS.cy], [0, 0, 1]])
    terms = np.array([LENS.k1, LENS.k2, LENS.p1, LENS.p2, LENS.k3])
    expected, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), matrix, terms)
    assert np.allclose(LENS.distort(points), np.asarray(expected).reshape(-1, 2), atol=1e-6)


def test_a_lens_serves_other_sizes_of_the_same_shape() -> None:
    double = LENS.for_size(2560, 1440)
    points = np.array([[100.0, 50.0], [1200.0, 700.0]])
    assert np.allclose((double.distort((points + 0.5) * 2 - 0.5) + 0.5) / 2 - 0.5, LENS.distort(points))
    with pytest.raises(ValueError, match="calibrate it again"):
        LENS.for_size(1024, 768)


def test_a_lens_survives_json() -> None:
    assert parse_lens(lens_json(LENS)) == LENS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k1": "x"}, "'k1' must be a number"),
        ({"k1": float("nan")}, "'k1' must be a number"),
        ({"cx": 10**400}, "'cx' must be a number, at most"),
        ({"fx": 0}, "at least 1"),
        ({"width_px": 0.1}, "at least 1"),
        ({"k9": 1}, "exactly the keys"),
    ],
)
def test_a_bad_lens_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_lens({**lens_json(LENS), **change})
    with pytest.raises(ValueError, match="exactly the keys"):
        parse_lens([])


@pytest.mark.parametrize("scene", [STRAIGHT, BENT, OVER_THE_EDGE], ids=["straight", "bent", "over the edge"])
def test_the_part_of_a_frame_that_shows_a_board_is_enough_for_its_flat_picture(scene: Scene) -> None:
    frame = scene.frame_bgr()
    part, pose = cut_out(frame, _pose(scene))
    whole, again = rectify(frame, _pose(scene), 2.0), rectify(part, pose, 2.0)
    assert part.size < 0.8 * frame.size
    assert not np.shares_memory(part, frame)
    assert (again.inside == whole.inside).mean() > 0.999
    assert np.abs(again.bgr.astype(int) - whole.bgr)[whole.inside == 255].max() <= 2
