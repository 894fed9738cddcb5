"""A USB webcam through OpenCV."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import cv2

from hardware.errors import CameraError
from hardware.exposure import steady_us
from hardware.ports import Exposure, Frame, Status
from hardware.real.shrinking import shrunk
from hardware.settings import CameraSettings

WAIT_S = 1.0
# What video4linux counts: exposure in steps of 100 microseconds; 1 is manual, 3 lets the camera choose.
EXPOSURE_STEP_US = 100
MANUAL, AUTOMATIC = 1, 3
# One picture may have been on its way when a fresh one was asked for.
ON_THE_WAY = 1


def open_webcam(settings: CameraSettings) -> Any:
    """OpenCV's capture of a webcam. Raises CameraError if there is none."""
    capture = cv2.VideoCapture(settings.device)
    if not capture.isOpened():
        raise CameraError(f"no webcam {settings.device}")
    # Uncompressed video of this size would not fit through USB 2.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width_px)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height_px)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


class Webcam:
    """Reads all the time on a thread of its own: OpenCV may wait long for a webcam, and queues old pictures."""

    def __init__(
        self,
        settings: CameraSettings,
        now: Callable[[], float],
        open_capture: Callable[[CameraSettings], Any] = open_webcam,
    ) -> None:
        self._settings, self._now = settings, now
        self._capture = open_capture(settings)
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._ended, self._seen = False, 0
        self._wishes: deque[tuple[int, float]] = deque()
        self._thread = threading.Thread(target=self._read, name="webcam", daemon=True)
        self._thread.start()

    def small(self) -> Frame | None:
        frame = self._fresh(after=0)
        if frame is None:
            return None
        return Frame(shrunk(frame.bgr, self._settings.small_width_px), frame.at_s, frame.seq)

    def full(self) -> Frame | None:
        with self._news:
            seq = 0 if self._frame is None else self._frame.seq
        return self._fresh(after=seq + ON_THE_WAY)

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        exposure = known or self._current()
        self._set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
        self._set(cv2.CAP_PROP_AUTO_WB, 0)
        self._set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._set(cv2.CAP_PROP_EXPOSURE, None if exposure.time_us is None else exposure.time_us / EXPOSURE_STEP_US)
        self._set(cv2.CAP_PROP_GAIN, exposure.gain)
        self._set(cv2.CAP_PROP_WB_TEMPERATURE, exposure.white_kelvin)
        self._set(cv2.CAP_PROP_FOCUS, exposure.focus)
        return exposure

    def unlock(self) -> None:
        self._set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
        self._set(cv2.CAP_PROP_AUTO_WB, 1)
        self._set(cv2.CAP_PROP_AUTOFOCUS, 1)

    def status(self) -> Status:
        return Status("camera")

    def close(self) -> None:
        """Asks the reading thread to end; it lets the webcam go, since it may be waiting for it just now."""
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read(self) -> None:
        while not self._ended:
            while self._wishes:
                self._capture.set(*self._wishes.popleft())
            good, bgr = self._capture.read()
            with self._news:
                if good:
                    self._seen += 1
                    self._frame = Frame(bgr, self._now(), self._seen)
                else:
                    self._ended = True
                self._news.notify_all()
        self._capture.release()

    def _fresh(self, after: int) -> Frame | None:
        """The newest picture whose number is beyond `after`. Raises CameraError when no more will come."""
        with self._news:
            self._news.wait_for(lambda: self._ended or (self._frame is not None and self._frame.seq > after), WAIT_S)
            if self._ended:
                raise CameraError("the webcam stopped")
            return self._frame if self._frame is not None and self._frame.seq > after else None

    def _current(self) -> Exposure:
        """What the webcam tells; a webcam answers zero or less to what it does not know."""
        time, gain, kelvin, focus = (
            value if (value := self._capture.get(name)) > 0 else None
            for name in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_FOCUS)
        )
        time_us = None if time is None else steady_us(time * EXPOSURE_STEP_US, self._settings.mains_hz)
        return Exposure(time_us, gain, white_kelvin=kelvin, focus=focus)

    def _set(self, name: int, value: float | None) -> None:
        """Left to the reading thread, between two pictures."""
        if value is not None:
            self._wishes.append((name, value))
