"""A folder of pictures or a recording that plays the part of a camera."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.errors import CameraError
from hardware.ports import Exposure, Frame, Picture, Status
from hardware.real.shrinking import shrunk
from hardware.settings import CameraSettings

PICTURES = {".jpg", ".jpeg", ".png"}
PICTURES_PER_S = 1.0
USUAL_FPS = 25.0


class RecordedCamera:
    """Plays at the speed it was recorded, pictures one per second, and stays on the last one.

    A picture that cannot be read is left out. Raises CameraError if there is nothing to begin with.
    """

    def __init__(self, settings: CameraSettings, now: Callable[[], float]) -> None:
        if settings.path is None or not settings.path.exists():
            raise CameraError(f"{settings.path}: is not there")
        self._small_width_px, self._now, self._start_s = settings.small_width_px, now, now()
        self._reel: _Folder | _Video = _Folder(settings.path) if settings.path.is_dir() else _Video(settings.path)
        first = self._reel.picture(0)
        if first is None:
            raise CameraError(f"{settings.path}: holds no pictures")
        self._bgr, self._shown = first, 0

    def small(self) -> Frame | None:
        frame = self.full()
        return Frame(shrunk(frame.bgr, self._small_width_px), frame.at_s, frame.seq)

    def full(self) -> Frame:
        wanted = min(int((self._now() - self._start_s) * self._reel.per_s), self._reel.last)
        if wanted != self._shown:
            bgr = self._reel.picture(wanted)
            self._bgr, self._shown = self._bgr if bgr is None else bgr, wanted
        # A still picture goes on being seen: its number grows as a camera's would.
        seq = 1 + int((self._now() - self._start_s) * self._reel.per_s)
        return Frame(self._bgr, self._now(), seq)

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        """What is recorded cannot change any more."""
        return known or Exposure()

    def unlock(self) -> None:
        pass

    def status(self) -> Status:
        return Status("camera")

    def close(self) -> None:
        self._reel.close()


class _Folder:
    """Pictures in the order of their names."""

    per_s = PICTURES_PER_S

    def __init__(self, folder: Path) -> None:
        self._files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        self.last = max(0, len(self._files) - 1)

    def picture(self, number: int) -> Picture | None:
        bgr = cv2.imread(str(self._files[number]), cv2.IMREAD_COLOR) if self._files else None
        return None if bgr is None else np.asarray(bgr, np.uint8)

    def close(self) -> None:
        pass


class _Video:
    """A recording; going forward is cheap, and it is never asked to go back."""

    def __init__(self, path: Path) -> None:
        self._capture: Any = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(f"{path}: is not a recording")
        self.per_s = self._capture.get(cv2.CAP_PROP_FPS) or USUAL_FPS
        self.last = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)) - 1)
        self._next = 0

    def picture(self, number: int) -> Picture | None:
        while self._next < number and self._capture.grab():
            self._next += 1
        good, bgr = self._capture.read()
        self._next += 1
        return np.asarray(bgr, np.uint8) if good else None

    def close(self) -> None:
        self._capture.release()
