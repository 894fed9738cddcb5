"""What is special about each real camera: its controls, its colours, its clock."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.errors import CameraError
from hardware.ports import Exposure
from hardware.real.picam import PiCamera
from hardware.real.recorded import RecordedCamera
from hardware.real.webcam import AUTOMATIC, MANUAL, Webcam
from hardware.settings import CameraSettings
from tests.hardware.cameras import SETTINGS, Capture
from tests.hardware.clock import Clock
from tests.hardware.picam_library import SCRIBBLE, MappedArray, Picamera2

# --- picamera2 --------------------------------------------------------------------------------------


def picamera(library: Picamera2, settings: CameraSettings = SETTINGS) -> PiCamera:
    return PiCamera(settings, lambda number: library, MappedArray)


def test_streams_are_asked_for_in_formats_that_every_pi_has() -> None:
    library = Picamera2()
    picamera(library)
    assert library.config["main"] == {"size": (640, 360), "format": "RGB888"}
    assert library.config["lores"] == {"size": (200, 112), "format": "YUV420"}
    assert library.started


def test_colours_arrive_as_blue_green_red_and_padding_is_cut_off() -> None:
    camera = picamera(Picamera2())
    full = camera.full()
    assert full is not None
    assert full.bgr.shape == (360, 640, 3)
    assert (full.bgr == [10, 20, 200]).all()  # what the library calls RGB888 is BGR in memory
    small = camera.small()
    assert small is not None
    assert small.bgr.shape == (112, 200, 3)
    assert np.ptp(small.bgr) <= 1  # grey in YUV is grey in BGR
    assert abs(int(small.bgr[0, 0, 0]) - 130) < 4


def test_no_picture_is_copied_and_a_full_one_is_lent_until_the_camera_is_asked_again() -> None:
    library = Picamera2()
    camera = picamera(library)
    for ask in (camera.small, camera.full, camera.lock):
        full = camera.full()
        assert full is not None
        assert (full.bgr == [10, 20, 200]).all()
        assert library.out == 1
        ask()
        assert (full.bgr == SCRIBBLE).all()
        assert library.out == (ask == camera.full)
    assert library.copied == []


def test_a_small_picture_is_ones_own() -> None:
    library = Picamera2()
    camera = picamera(library)
    small = camera.small()
    assert small is not None
    before = small.bgr.copy()
    camera.small()
    assert (small.bgr == before).all()
    assert library.out == 0


def test_a_camera_that_is_closed_takes_back_what_it_lent() -> None:
    library = Picamera2()
    camera = picamera(library)
    assert camera.full() is not None
    camera.close()
    assert library.out == 0


def test_a_full_picture_that_cannot_be_looked_at_is_given_back() -> None:
    library = Picamera2()

    def broken(request: object, stream: str) -> MappedArray:
        raise RuntimeError("failed to find buffer")

    camera = PiCamera(SETTINGS, lambda number: library, broken)
    for ask in (camera.full, camera.small):
        with pytest.raises(CameraError, match="failed to find buffer"):
            ask()
    assert library.out == 0


def test_locking_freezes_what_the_automatic_had_found_on_whole_flickers() -> None:
    library = Picamera2()
    exposure = picamera(library).lock()
    assert exposure == Exposure(10_000, 2.8, 1.9, 1.4, focus=1.1)
    assert library.set == {
        "AeEnable": False,
        "AwbEnable": False,
        "AfMode": 0,
        "ExposureTime": 10_000,
        "AnalogueGain": 2.8,
        "ColourGains": (1.9, 1.4),
        "LensPosition": 1.1,
    }


def test_at_60_hz_flickers_are_shorter() -> None:
    settings = CameraSettings(width_px=640, height_px=360, small_width_px=200, mains_hz=60)
    exposure = picamera(Picamera2(), settings).lock()
    assert exposure is not None
    assert exposure.time_us == 16_667


def test_unlocking_gives_all_back_to_the_automatic() -> None:
    library = Picamera2()
    camera = picamera(library)
    camera.lock()
    camera.unlock()
    automatic = {"AeEnable": True, "AwbEnable": True, "AfMode": 2, "ExposureTime": 0, "AnalogueGain": 0.0}
    assert {name: library.set[name] for name in automatic} == automatic


def test_a_camera_that_cannot_focus_is_not_asked_to() -> None:
    library = Picamera2()
    for control in ("AfMode", "LensPosition"):
        del library.camera_controls[control]
    del library.metadata["LensPosition"]
    exposure = picamera(library).lock()
    assert exposure is not None
    assert exposure.focus is None
    assert "AfMode" not in library.set


def test_a_camera_that_knows_about_flicker_is_told_the_mains() -> None:
    library = Picamera2()
    library.camera_controls |= {"AeFlickerMode": None, "AeFlickerPeriod": None}
    picamera(library)
    assert (library.set["AeFlickerMode"], library.set["AeFlickerPeriod"]) == (1, 10_000)


def test_a_camera_that_fails_at_its_start_is_closed_again() -> None:
    library = Picamera2()
    library.camera_controls = None  # type: ignore[assignment]
    with pytest.raises(CameraError):
        picamera(library)
    assert not library.started


# --- webcam -----------------------------------------------------------------------------------------


def settled(capture: Capture) -> list[tuple[int, float]]:
    """What was set: wishes are granted between two pictures."""
    for _ in range(2):
        capture.permits.release()
        assert capture.given.acquire(timeout=10.0)
    return capture.was_set


def test_a_webcam_is_locked_to_what_it_tells_on_whole_flickers() -> None:
    capture = Capture(pictures=1)
    camera = Webcam(SETTINGS, Clock(), lambda settings: capture)
    assert capture.given.acquire(timeout=10.0)
    exposure = camera.lock()
    assert exposure == Exposure(10_000)  # of gain, white balance and focus it knows nothing
    assert settled(capture) == [
        (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL),
        (cv2.CAP_PROP_AUTO_WB, 0),
        (cv2.CAP_PROP_AUTOFOCUS, 0),
        (cv2.CAP_PROP_EXPOSURE, 100.0),
    ]
    camera.unlock()
    assert (cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC) in settled(capture)
    camera.close()
    capture.permits.release()
    assert capture.released.wait(10.0)


# --- pictures and recordings --------------------------------------------------------------------------


def recorded(path: Path, clock: Clock) -> RecordedCamera:
    return RecordedCamera(CameraSettings(kind="folder", path=path, small_width_px=200), clock)


def shade(camera: RecordedCamera) -> int:
    return round(float(camera.full().bgr.mean()))


def test_pictures_are_shown_one_per_second_and_the_last_one_stays(tmp_path: Path) -> None:
    clock = Clock()
    for name, grey in (("b.png", 20), ("a.PNG", 10), ("c.jpg", 30), ("notes.txt", 0)):
        if name.endswith("txt"):
            (tmp_path / name).write_text("not a picture")
        else:
            path = tmp_path / name
            path.write_bytes(cv2.imencode(path.suffix.lower(), np.full((90, 160, 3), grey, np.uint8))[1].tobytes())
    camera = recorded(tmp_path, clock)
    seen = []
    for _ in range(5):
        seen.append(shade(camera))
        clock.go(1.0)
    assert seen == [10, 20, 30, 30, 30]


def test_a_picture_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    clock = Clock()
    cv2.imwrite(str(tmp_path / "a.png"), np.full((90, 160, 3), 10, np.uint8))
    (tmp_path / "b.png").write_bytes(b"broken")
    camera = recorded(tmp_path, clock)
    clock.go(1.0)
    assert shade(camera) == 10


def test_a_recording_plays_at_its_own_speed(tmp_path: Path) -> None:
    path, clock = tmp_path / "evening.avi", Clock()
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (160, 90))
    for grey in range(0, 200, 10):
        writer.write(np.full((90, 160, 3), grey, np.uint8))
    writer.release()
    camera = recorded(path, clock)
    seen = []
    for seconds in (0.0, 0.2, 1.0, 1.0, 100.0):
        clock.go(seconds + 0.001)
        seen.append(shade(camera))
    assert seen == pytest.approx([0, 10, 60, 110, 190], abs=2)


@pytest.mark.parametrize("name", ["nowhere", "empty", "text.avi"])
def test_what_is_no_recording_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.avi").write_text("hello")
    with pytest.raises(CameraError):
        recorded(tmp_path / name, Clock())
