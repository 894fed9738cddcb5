"""A camera on the Pi's own connector, through picamera2."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any

import cv2
import numpy as np

from hardware.errors import CameraError, told_as
from hardware.exposure import flicker_us, steady_gain, steady_us
from hardware.ports import Exposure, Frame, Picture, Status
from hardware.settings import CameraSettings

WAIT_S = 1.0
# Ten to fifteen pictures per second: enough for hands, and time to expose in dim light.
FRAME_US = (66_667, 100_000)
AF_MANUAL, AF_CONTINUOUS = 0, 2
FLICKER_MANUAL = 1


def open_picamera(number: int) -> Any:
    """The camera library's camera. Raises CameraError where the library or the camera is missing."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - there on a Pi only
    except ImportError as error:
        raise CameraError("python3-picamera2 is not installed") from error
    with told_as(CameraError):
        return Picamera2(number)


def mapped_array(request: Any, stream: str) -> AbstractContextManager[Any]:
    """The picture of a stream in the camera's own memory."""
    from picamera2 import MappedArray  # noqa: PLC0415 - there on a Pi only

    mapped: AbstractContextManager[Any] = MappedArray(request, stream, write=False)
    return mapped


def picamera_attached() -> bool:
    """Whether a camera hangs on the Pi's own connector. Webcams, which the library lists too, do not count."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - there on a Pi only

        return any("/usb" not in camera["Id"] for camera in Picamera2.global_camera_info())
    except Exception:
        # No library, or one that fails on this machine: either way there is no camera that it could give.
        return False


class PiCamera:
    """Main stream for reading, lores stream for motion. Every method may raise CameraError.

    A full picture is not copied: it lies in the camera's own memory, which is lent until the next picture is wanted.
    """

    def __init__(
        self,
        settings: CameraSettings,
        open_library: Callable[[int], Any] = open_picamera,
        mapped: Callable[[Any, str], AbstractContextManager[Any]] = mapped_array,
    ) -> None:
        self._mains_hz = settings.mains_hz
        self._seq = 0
        self._pending: Any = None
        self._mapped, self._lent = mapped, ExitStack()
        self._picam = open_library(settings.device)
        try:
            self._start(settings)
        except CameraError:
            self.close()
            raise

    def _start(self, settings: CameraSettings) -> None:
        height = round(settings.small_width_px * settings.height_px / settings.width_px / 2) * 2
        self._small_px = settings.small_width_px, height
        with told_as(CameraError):
            config = self._picam.create_video_configuration(
                # What libcamera calls RGB888 lies in memory as blue, green, red: just what OpenCV wants.
                main={"size": (settings.width_px, settings.height_px), "format": "RGB888"},
                # Before the Pi 5 the small stream cannot be anything else than YUV.
                lores={"size": self._small_px, "format": "YUV420"},
                controls={"FrameDurationLimits": FRAME_US},
                buffer_count=4,
                display=None,
                encode=None,
            )
            self._picam.configure(config)
            self._picam.start()
        self.unlock()

    def small(self) -> Frame | None:
        with self._request(None) as request:
            if request is None:
                return None
            with self._mapped(request, "lores") as lores:
                return self._frame(request, self._from_yuv(lores.array))

    def full(self) -> Frame | None:
        self._drop_pending()
        with ExitStack() as lent:
            request = lent.enter_context(self._request(True))
            if request is None:
                return None
            with told_as(CameraError):
                main = lent.enter_context(self._mapped(request, "main"))
                frame = self._frame(request, main.array)
            self._lent = lent.pop_all()
            return frame

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        exposure = known or self._current()
        if exposure is None:
            return None
        self._set({"AeEnable": False, "AwbEnable": False, "AfMode": AF_MANUAL})
        self._set(
            {
                "ExposureTime": exposure.time_us,
                "AnalogueGain": exposure.gain,
                "ColourGains": None if exposure.red_gain is None else (exposure.red_gain, exposure.blue_gain),
                "LensPosition": exposure.focus,
            }
        )
        return exposure

    def unlock(self) -> None:
        flicker = {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": round(flicker_us(self._mains_hz))}
        # Zero gives exposure and gain back to the automatic.
        self._set({"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, **flicker})
        self._set({"AwbEnable": True, "AfMode": AF_CONTINUOUS})

    def status(self) -> Status:
        return Status("camera")

    def close(self) -> None:
        with suppress(Exception):  # as below
            self._take_back()
        try:
            self._picam.stop()
            self._picam.close()
        except Exception:
            # It is gone already, which is all that was wanted.
            return

    def _current(self) -> Exposure | None:
        """What the automatic has found, on an exposure that does not flicker."""
        with self._request(True) as request:
            if request is None:
                return None
            seen = request.get_metadata()
        wanted_us = seen["ExposureTime"]
        time_us = steady_us(wanted_us, self._mains_hz, FRAME_US[1])
        red, blue = seen.get("ColourGains", (None, None))
        gain = steady_gain(seen["AnalogueGain"], wanted_us, time_us)
        return Exposure(time_us, gain, red, blue, focus=seen.get("LensPosition"))

    def _set(self, controls: dict[str, Any]) -> None:
        """Sets what this camera has: not every one can focus."""
        with told_as(CameraError):
            known = self._picam.camera_controls
            self._picam.set_controls({k: v for k, v in controls.items() if k in known and v is not None})

    @contextmanager
    def _request(self, flush: bool | None) -> Iterator[Any]:
        """The next completed request, or one exposed from now on; None if none comes in time."""
        with told_as(CameraError):
            self._take_back()
            job = self._pending or self._picam.capture_request(wait=False, flush=flush)
            # A job that is late stays in the camera's queue: it is waited for again, else its buffer were lost.
            self._pending = job
            try:
                request = self._picam.wait(job, timeout=WAIT_S)
            except TimeoutError:
                request = None
        if request is None:
            yield None
            return
        self._pending = None
        try:
            with told_as(CameraError):
                yield request
        finally:
            request.release()

    def _drop_pending(self) -> None:
        """Uses up a job that began before: its picture may be older than what is asked for now."""
        if self._pending is not None:
            with self._request(None):
                pass

    def _take_back(self) -> None:
        """The full picture that was lent: its memory is the camera's again."""
        lent, self._lent = self._lent, ExitStack()
        lent.close()

    def _frame(self, request: Any, bgr: Picture) -> Frame:
        self._seq += 1
        return Frame(bgr, request.get_metadata()["SensorTimestamp"] / 1e9, self._seq)

    def _from_yuv(self, yuv: Picture) -> Picture:
        width, height = self._small_px
        bgr = cv2.cvtColor(yuv, cv2.COLOR_YUV2BGR_I420)
        # The rows may be padded on the right.
        return np.ascontiguousarray(bgr[:height, :width])
