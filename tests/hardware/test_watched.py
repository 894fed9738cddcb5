"""A camera that is absent, pulled out, frozen or covered, and comes back by itself."""

import pytest

from hardware.errors import CameraError
from hardware.lightsafe import LightSafeCamera
from hardware.ports import Camera, Condition, Exposure, Frame, LightFrame, Status
from hardware.real.picam import PiCamera
from hardware.real.webcam import Webcam
from hardware.sim.camera import SimCamera
from hardware.sim.devices import SimLights
from hardware.sim.table import SimTable
from hardware.watched import LONGEST_RETRY_S, LOST_AFTER_S, WatchedCamera
from tests.hardware.cameras import SETTINGS, Capture, draw_plainly
from tests.hardware.clock import Clock
from tests.hardware.picam_library import MappedArray, Picamera2


class Table:
    """A simulated camera under watch, and how often it was opened."""

    def __init__(self) -> None:
        self.clock, self.opened_at_s = Clock(), list[float]()
        self.table = SimTable(1, self.clock)
        self.camera = WatchedCamera(self._open, self.clock)

    def _open(self) -> Camera:
        self.opened_at_s.append(self.clock())
        return SimCamera(SETTINGS, self.table, draw_plainly, self.clock)

    def watch(self, seconds: float) -> int:
        """Looks ten times a second, as play does; tells how many pictures there were."""
        seen = 0
        for _ in range(round(10 * seconds)):
            self.clock.go(0.1)
            seen += self.camera.small() is not None
        return seen


def test_a_camera_that_is_pulled_out_is_lost_and_comes_back_without_a_restart() -> None:
    rig = Table()
    assert rig.watch(1.0) == 10
    rig.table.unplug("camera")
    assert rig.watch(5.0) == 0
    assert rig.camera.status() == Status("camera", Condition.LOST, {"why": "unplugged"})
    rig.table.plug("camera")
    assert rig.watch(10.0) > 0
    assert rig.camera.status() == Status("camera")


def test_a_frozen_camera_is_lost_after_two_seconds_not_before() -> None:
    rig = Table()
    rig.watch(1.0)
    rig.table.stall("camera")
    rig.watch(LOST_AFTER_S - 0.2)
    assert rig.camera.status().ok
    rig.watch(0.4)
    assert rig.camera.status() == Status("camera", Condition.LOST, {"why": "no picture"})
    rig.table.plug("camera")
    rig.watch(2.0)
    assert rig.camera.status().ok


def test_tries_are_spaced_wider_and_wider() -> None:
    rig = Table()
    rig.watch(1.0)
    rig.table.unplug("camera")
    rig.watch(200.0)
    waits = [round(b - a) for a, b in zip(rig.opened_at_s[1:], rig.opened_at_s[2:], strict=False)]
    assert waits[:5] == [2, 4, 8, 16, 30]
    assert set(waits[5:]) == {round(LONGEST_RETRY_S)}


def test_after_it_came_back_tries_are_quick_again() -> None:
    rig = Table()
    rig.watch(1.0)
    for _ in range(2):
        rig.table.unplug("camera")
        rig.watch(100.0)
        rig.table.plug("camera")
        rig.watch(LONGEST_RETRY_S + 1)
        assert rig.camera.status().ok
    rig.table.unplug("camera")
    rig.watch(0.1)
    rig.table.plug("camera")
    assert rig.watch(1.2) > 0


def test_a_camera_that_was_never_there_is_absent_and_may_still_come() -> None:
    rig = Table()
    rig.table.unplug("camera")
    rig.watch(5.0)
    assert rig.camera.status().condition is Condition.ABSENT
    rig.table.plug("camera")
    rig.watch(10.0)
    assert rig.camera.status().ok


def test_numbers_go_on_upwards_over_a_loss() -> None:
    rig = Table()
    rig.watch(3.0)
    before = rig.camera.small()
    rig.table.unplug("camera")
    rig.watch(1.0)
    rig.table.plug("camera")
    rig.watch(5.0)
    after = rig.camera.small()
    assert before is not None
    assert after is not None
    assert after.seq > before.seq


def test_a_locked_exposure_is_locked_again_when_the_camera_comes_back() -> None:
    rig = Table()
    rig.watch(1.0)
    assert rig.camera.lock(Exposure(gain=1.5)) is not None
    rig.table.unplug("camera")
    rig.watch(1.0)
    rig.table.set_lamp(0.0)
    rig.table.plug("camera")
    rig.watch(5.0)
    dark = rig.camera.full()
    rig.camera.unlock()
    bright = rig.camera.full()
    assert dark is not None
    assert bright is not None
    assert dark.bgr.mean() == pytest.approx(100 * 0.4 * 1.5, abs=5)  # a locked camera does not brighten up
    assert bright.bgr.mean() == pytest.approx(100, abs=5)


def test_a_lock_asked_for_while_the_camera_is_away_waits_for_it() -> None:
    rig = Table()
    rig.table.unplug("camera")
    rig.watch(0.5)
    assert rig.camera.lock(Exposure(gain=0.5)) is None
    rig.table.plug("camera")
    rig.watch(5.0)
    frame = rig.camera.full()
    assert frame is not None
    assert frame.bgr.mean() == pytest.approx(50, abs=5)


def test_a_covered_lens_is_dark_but_not_lost() -> None:
    rig = Table()
    rig.table.cover_lens()
    assert rig.watch(5.0) == 50
    assert rig.camera.status().ok


def test_closing_ends_all_tries() -> None:
    rig = Table()
    rig.watch(1.0)
    rig.camera.close()
    assert rig.watch(5.0) == 0
    assert len(rig.opened_at_s) == 1


# --- the same with real adapters ------------------------------------------------------------------


def test_a_webcam_that_is_unplugged_is_lost_and_another_capture_is_opened() -> None:
    clock, captures = Clock(), [Capture(pictures=1), Capture()]
    waiting = list(captures)
    camera = WatchedCamera(lambda: Webcam(SETTINGS, clock, lambda settings: waiting.pop(0)), clock)
    assert camera.small() is not None
    captures[0].unplugged = True
    captures[0].permits.release()
    assert captures[0].released.wait(10.0)
    assert camera.small() is None
    assert camera.status() == Status("camera", Condition.LOST, {"why": "the webcam stopped"})
    clock.go(1.0)
    assert camera.small() is not None
    camera.close()
    assert captures[1].released.wait(10.0)


def test_a_picamera2_that_times_out_loses_no_buffer() -> None:
    clock, libraries = Clock(), list[Picamera2]()

    def library(number: int) -> Picamera2:
        libraries.append(Picamera2(number, now=clock))
        return libraries[-1]

    camera = WatchedCamera(lambda: PiCamera(SETTINGS, library, MappedArray), clock)
    assert camera.small() is not None
    libraries[0].frozen = True
    clock.go(1.0)
    assert camera.small() is None
    assert camera.status().ok
    asked = len(libraries[0].flushed)
    libraries[0].frozen = False
    assert camera.small() is not None
    assert len(libraries[0].flushed) == asked  # the late request was waited for, not a second one made
    assert libraries[0].out == 0
    libraries[0].gone = True
    assert camera.small() is None
    assert camera.status().facts == {"why": "Camera frontend has timed out!"}
    clock.go(1.0)
    assert camera.small() is not None
    assert len(libraries) == 2


def test_a_full_picture_never_uses_a_request_from_before() -> None:
    clock = Clock()
    library = Picamera2(now=clock)
    camera = PiCamera(SETTINGS, lambda number: library, MappedArray)
    library.frozen = True
    assert camera.small() is None
    library.frozen = False
    assert camera.full() is not None
    assert library.flushed == [None, True]
    assert library.out == 1  # the one that is lent
    camera.close()
    assert library.out == 0


def test_no_pi_no_library_is_told_in_words() -> None:
    camera = WatchedCamera(lambda: PiCamera(SETTINGS), Clock())
    try:
        import picamera2  # type: ignore[import-not-found, unused-ignore]  # noqa: F401, PLC0415
    except ImportError:
        assert camera.small() is None
        assert camera.status() == Status("camera", Condition.ABSENT, {"why": "python3-picamera2 is not installed"})


def test_a_webcam_that_is_not_there_is_told_in_words() -> None:
    def none_there(settings: object) -> Capture:
        raise CameraError("no webcam 0")

    camera = WatchedCamera(lambda: Webcam(SETTINGS, Clock(), none_there), Clock())
    assert camera.small() is None
    assert camera.status().facts == {"why": "no webcam 0"}


# --- light-safe exposure ---------------------------------------------------------------------------


def test_a_full_picture_is_exposed_while_the_lights_hold_still() -> None:
    rig = Table()
    lights = SimLights(rig.table)
    lights.show({"seat.1": (0, 255, 0)})
    shown: list[LightFrame] = []

    class Effects(SimCamera):
        """Somebody shows an effect in the middle of an exposure."""

        def full(self) -> None:
            lights.show({"seat.1": (255, 0, 0)})
            shown.append(lights.showing)

    camera = LightSafeCamera(Effects(SETTINGS, rig.table, draw_plainly, rig.clock), lights)
    camera.full()
    assert shown == [{"seat.1": (0, 255, 0)}]
    assert lights.showing == {"seat.1": (255, 0, 0)}


@pytest.mark.parametrize("fault", ["unplug", "stall"])
def test_lights_that_do_not_answer_never_stop_a_picture(fault: str) -> None:
    rig = Table()
    lights = SimLights(rig.table)
    camera = LightSafeCamera(rig.camera, lights)
    assert camera.full() is not None
    getattr(rig.table, fault)("lights")
    rig.clock.go(0.5)
    assert not lights.hold()
    assert camera.full() is not None


def test_a_webcam_counts_only_pictures_begun_after_the_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.real.webcam.WAIT_S", 10.0)
    clock, capture, come = Clock(), Capture(pictures=1), 1

    class Wished(Webcam):
        """Some more pictures come, once the wish is noted."""

        def _fresh(self, after: int) -> Frame | None:
            for _ in range(come if after else 0):
                capture.permits.release()
                assert capture.given.acquire(timeout=10.0)
            return super()._fresh(after)

    camera = Wished(SETTINGS, clock, lambda settings: capture)
    assert camera.small() is not None
    assert capture.given.acquire(timeout=10.0)
    with monkeypatch.context() as impatient:
        impatient.setattr("hardware.real.webcam.WAIT_S", 0.05)
        assert camera.full() is None  # the one that came may have been on its way before
    come = 2
    assert camera.full() is not None
    camera.close()
    capture.permits.release()
