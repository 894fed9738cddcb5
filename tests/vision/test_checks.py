"""The camera checks say what is wrong with a picture, and nothing when all is well."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.one_board import house
from vision.checks import CORNERS, Finding, check_picture
from vision.locate import find_boards
from vision.markers import Image
from vision.render import Camera, Glare, Lamp, Lights, PlacedBoard, Scene, Sensor

TABLE = Scene(
    (PlacedBoard("city-1", (-150.0, 0.0)), PlacedBoard("hq", (120.0, 0.0))),
    camera=Camera(size_px=(1280, 720), distance_mm=800.0, focal_px=1500.0),
    sensor=Sensor(noise=1.5, blur_px=0.6),
)
MISSING = ("city-2", "city-3", "city-4")
"""Boards of the kit that do not lie on this table."""


@cache
def frame(scene: Scene) -> Image:
    return np.asarray(house()[1].render(scene).frame_bgr, np.uint8)


def checked(picture: Image) -> dict[str, Finding]:
    """What is told about the boards on the table, the worst of each check."""
    layout = replace(house()[0], boards=tuple(board for board in house()[0].boards if board.id not in MISSING))
    findings: dict[str, Finding] = {}
    for finding in check_picture(picture, layout, find_boards(picture, layout)):
        if finding.check not in findings or finding.severity != "good":
            findings[finding.check] = finding
    return findings


def severities(picture: Image) -> dict[str, str]:
    return {check: finding.severity for check, finding in checked(picture).items()}


def test_a_good_picture_has_nothing_to_complain_about() -> None:
    told = severities(frame(TABLE))
    assert told == dict.fromkeys(["board", "focus", "fineness", "light", "evenness", "glare"], "good")


@pytest.mark.parametrize(("blur_px", "severity"), [(1.0, "good"), (1.7, "warn"), (2.6, "bad")])
def test_blur_is_told_by_what_it_leaves_of_a_pen_line(blur_px: float, severity: str) -> None:
    told = severities(frame(replace(TABLE, sensor=replace(TABLE.sensor, blur_px=blur_px))))
    assert told["focus"] == severity
    assert told["light"] == told["glare"] == "good"


def test_a_camera_that_shakes_is_not_sharp_though_half_of_the_edges_are() -> None:
    told = severities(frame(replace(TABLE, sensor=replace(TABLE.sensor, motion_px=9.0, motion_deg=0.0))))
    assert told["focus"] != "good"


def test_the_same_blur_matters_less_in_a_finer_picture() -> None:
    blurred = replace(TABLE, sensor=replace(TABLE.sensor, blur_px=1.7))
    twice = cv2.resize(frame(TABLE), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    finer = np.asarray(cv2.GaussianBlur(twice, (0, 0), 1.0), np.uint8)
    assert severities(frame(blurred))["focus"] == "warn"
    assert severities(finer)["focus"] == "good"


@pytest.mark.parametrize(("level", "severity"), [(0.25, "good"), (0.09, "warn"), (0.02, "bad")])
def test_dim_light(level: float, severity: str) -> None:
    assert severities(frame(replace(TABLE, lights=Lights(level=level))))["light"] == severity


def test_a_grainy_picture_wants_more_light() -> None:
    assert severities(frame(replace(TABLE, sensor=replace(TABLE.sensor, noise=25.0))))["light"] != "good"


def test_a_lamp_at_one_side_leaves_the_other_in_the_dark() -> None:
    lamp = Lamp(position_mm=(-300.0, 0.0, 180.0), power=1.0, uneven=1.0)
    told = checked(frame(replace(TABLE, lights=Lights(level=1.0, ambient=0.02, lamps=(lamp,)))))
    assert told["evenness"].severity != "good"
    assert told["evenness"].facts["board"] == "hq"


def test_glare_names_the_board_and_the_regions_under_it() -> None:
    glare = Glare((-150.0, 0.0), radius_mm=30.0, softness=0.3)
    found = checked(frame(replace(TABLE, lights=Lights(glares=(glare,)))))["glare"]
    assert found.severity == "bad"
    assert found.facts["board"] == "city-1"
    assert {"r4c6", "r5c6", "r4c7"} & set(found.facts["regions"])  # type: ignore[arg-type]


def test_overexposure_is_not_called_glare() -> None:
    told = checked(np.asarray(np.minimum(frame(TABLE).astype(np.uint16) * 3, 255), np.uint8))
    assert told["bright"].severity == "bad"
    assert "glare" not in told


def test_boards_that_are_nowhere_may_belong_to_nobody() -> None:
    layout, picture = house()[0], frame(TABLE)
    told = check_picture(picture, layout, find_boards(picture, layout))
    assert [finding.facts["board"] for finding in told if finding.message == "check.absent.warn"] == list(MISSING)


def test_an_empty_table_lacks_the_hq_at_least() -> None:
    bare, layout = np.full((720, 1280, 3), 90, np.uint8), house()[0]
    told = check_picture(bare, layout, find_boards(bare, layout))
    assert [finding.message for finding in told] == ["check.absent.warn"] * 4 + ["check.absent.bad"]


def test_a_board_of_which_one_marker_is_seen_lies_there_but_cannot_be_read() -> None:
    picture, layout = frame(TABLE).copy(), house()[0]
    for marker in find_boards(picture, layout).boards["city-1"].markers[1:]:
        x, y = marker.quad_px.mean(axis=0).astype(int)
        cv2.circle(picture, (int(x), int(y)), 40, (120, 140, 180), -1)
    city_1 = replace(layout, boards=(layout.board("city-1"),))
    found = check_picture(picture, layout, find_boards(picture, city_1))[0]
    assert (found.message, found.facts["count"]) == ("check.board.bad", 1)


def test_a_covered_corner_is_named() -> None:
    picture = frame(TABLE).copy()
    marker = find_boards(picture, house()[0]).boards["city-1"].markers[0]
    x, y = marker.quad_px.mean(axis=0).astype(int)
    cv2.circle(picture, (int(x), int(y)), 40, (120, 140, 180), -1)
    found = checked(picture)["board"]
    assert (found.severity, found.facts["corners"]) == ("warn", [CORNERS[marker.id]])


def test_a_board_that_leaves_the_picture_says_on_which_side() -> None:
    picture = frame(TABLE)
    left = int(find_boards(picture, house()[0]).boards["city-1"].corners_px[:, 0].min())
    found = checked(np.ascontiguousarray(picture[:, left + 4 :]))["edge"]
    assert found.facts == {"board": "city-1", "edges": ["left"]}


def test_too_few_pixels_for_dice() -> None:
    small = cv2.resize(frame(TABLE), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    found = checked(np.asarray(small, np.uint8))["fineness"]
    assert found.severity == "warn"
    assert found.facts["pixels"] == pytest.approx(0.6 * 30, abs=2)
