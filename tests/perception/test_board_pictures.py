"""Pictures for people: what was read last, flat, with every region where the layout says."""

import cv2
import numpy as np
import pytest

from hardware.ports import Picture
from pi_app.perception.board_pictures import OUTLINE_BGR, PX_PER_MM
from tests.e2e.night import renderer
from tests.perception.test_eyes import Watcher

BOARD = renderer().layout.board("city-2")


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


def shown(jpeg: bytes | None) -> Picture:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def brightness(picture: Picture, region: str) -> float:
    (left, top), _, (right, bottom), _ = np.round(np.array(BOARD.regions[region]) * PX_PER_MM).astype(int)
    return float(picture[top:bottom, left:right].mean())


def test_a_board_is_shown_flat_with_its_ink_where_the_layout_says(watcher: Watcher) -> None:
    clean = shown(watcher.eyes.pictures.picture("city-2"))
    assert clean.shape[:2] == (round(BOARD.height_mm * PX_PER_MM), round(BOARD.width_mm * PX_PER_MM))
    watcher.sim.draw("city-2", [("r3c4", "fill")], mark_s=0.0)
    watcher.glance()
    watcher.glance()
    watcher.look()
    inked = shown(watcher.eyes.pictures.picture("city-2"))
    assert brightness(inked, "r3c4") < 0.7 * brightness(clean, "r3c4")
    assert brightness(inked, "r3c5") == pytest.approx(brightness(clean, "r3c5"), rel=0.1)


def test_a_board_under_a_hand_is_shown_as_it_was_read_before(watcher: Watcher) -> None:
    before = {board: watcher.eyes.pictures.picture(board) for board in ("city-1", "city-2", "hq")}
    watcher.sim.reach("city-2")
    watcher.glance()
    watcher.look()
    after = {board: watcher.eyes.pictures.picture(board) for board in before}
    assert after["city-2"] == before["city-2"]
    assert after["city-1"] != before["city-1"]  # the same print, other noise


def test_the_camera_shows_what_is_there_now(watcher: Watcher) -> None:
    before = shown(watcher.eyes.pictures.camera())
    watcher.sim.reach("city-2")
    watcher.glance()
    now = shown(watcher.eyes.pictures.camera())
    assert now.shape == (180, 320, 3)
    assert np.count_nonzero(cv2.absdiff(before, now).max(axis=2) > 60) > 300


def test_a_crop_shows_the_regions_with_a_line_around_those_in_question(watcher: Watcher) -> None:
    everything = ("r3c4", "r3c5", "r4c4")
    plain = shown(watcher.eyes.pictures.crop("city-2", (), around=everything))
    asked = shown(watcher.eyes.pictures.crop("city-2", everything[:2], around=everything))
    assert plain.shape == asked.shape
    height, width = plain.shape[:2]
    assert (height, width) < shown(watcher.eyes.pictures.picture("city-2")).shape[:2]
    orange = [np.count_nonzero(np.abs(p.astype(int) - OUTLINE_BGR).max(axis=2) < 40) for p in (plain, asked)]
    assert orange[0] == 0
    assert orange[1] > 200


def test_what_was_never_seen_has_no_picture(watcher: Watcher) -> None:
    pictures = watcher.eyes.pictures
    assert pictures.picture("city-4") is None
    assert pictures.crop("city-4", ["r1c1"]) is None
    assert pictures.crop("city-2", ["nowhere"]) is None
