"""A locked camera: steady under a hand, and not blind when a lamp was switched."""

import pytest

from hardware.sim.camera import SimCamera
from hardware.sim.table import SimTable
from hardware.steady import ADAPTING, PATIENCE, SETTLING, SteadyCamera
from hardware.watched import WatchedCamera
from tests.hardware.cameras import SETTINGS, draw_plainly
from tests.hardware.clock import Clock

USUAL = 100  # the grey that the automatic aims at


class Rig:
    def __init__(self) -> None:
        self.clock = Clock()
        self.table = SimTable(1, self.clock)
        self.camera = SteadyCamera(WatchedCamera(self._open, self.clock))

    def _open(self) -> SimCamera:
        return SimCamera(SETTINGS, self.table, draw_plainly, self.clock)

    def pictures(self, count: int) -> float:
        """So many pictures later; gives how bright the last one is."""
        level = 0.0
        for _ in range(count):
            self.clock.go(0.1)
            frame = self.camera.small()
            level = 0.0 if frame is None else float(frame.bgr.mean())
        return level


@pytest.fixture
def rig() -> Rig:
    made = Rig()
    made.pictures(3)
    made.camera.lock()
    made.pictures(SETTLING + 2)
    return made


def test_a_locked_camera_shows_a_dimmer_lamp_as_dimmer(rig: Rig) -> None:
    rig.table.set_lamp(0.6)
    assert rig.pictures(3 * PATIENCE) < 0.85 * USUAL


def test_when_the_light_is_nearly_gone_it_adapts_and_is_locked_again(rig: Rig) -> None:
    rig.table.set_lamp(0.1)
    assert rig.pictures(PATIENCE - 1) < 0.6 * USUAL
    assert rig.pictures(1 + ADAPTING + SETTLING + 1) == pytest.approx(USUAL, abs=6)
    rig.table.set_lamp(0.25)
    assert rig.pictures(3) > 1.1 * USUAL


def test_darkness_for_a_moment_is_no_change_of_light(rig: Rig) -> None:
    rig.table.set_lamp(0.1)
    rig.pictures(PATIENCE - 1)
    rig.table.set_lamp(1.0)
    rig.pictures(3)
    rig.table.set_lamp(0.6)
    assert rig.pictures(2 * PATIENCE) < 0.85 * USUAL


def test_a_camera_that_was_absent_is_locked_when_it_has_come() -> None:
    rig = Rig()
    rig.table.unplug("camera")
    rig.pictures(2)
    assert rig.camera.lock() is None
    rig.table.plug("camera")
    assert rig.pictures(20 + ADAPTING + SETTLING) == pytest.approx(USUAL, abs=6)
    rig.table.set_lamp(0.6)
    assert rig.pictures(3) < 0.85 * USUAL


def test_an_unlocked_camera_follows_the_light(rig: Rig) -> None:
    rig.camera.unlock()
    rig.table.set_lamp(0.6)
    assert rig.pictures(1) == pytest.approx(USUAL, abs=6)
