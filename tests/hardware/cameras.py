"""Every camera that can run without one: each with a way to let the world go on."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.ports import Camera, Exposure, Frame, Picture, Status
from hardware.real.picam import PiCamera
from hardware.real.recorded import RecordedCamera
from hardware.real.webcam import Webcam
from hardware.settings import CameraSettings
from hardware.sim.camera import SimCamera
from hardware.sim.state import SimTableState, View
from hardware.sim.table import SimTable
from tests.hardware.clock import Clock
from tests.hardware.picam_library import SCRIBBLE, MappedArray, Picamera2

PADDING_PX = 16
SETTINGS = CameraSettings(width_px=640, height_px=360, small_width_px=200)


@dataclass
class Rig:
    camera: Camera
    clock: Clock


def draw_plainly(state: SimTableState, view: View) -> Picture:
    """As bright as the camera makes it, and different from moment to moment."""
    width, height = view.size_px
    grey = min(255.0, 100 * state.brightness * view.exposure + view.moment % 5)
    return np.full((height, width, 3), round(grey), np.uint8)


class Capture:
    """Stands in for cv2.VideoCapture: gives a picture for every permit, or for ever."""

    def __init__(self, pictures: int | None = None) -> None:
        self.permits, self.given = threading.Semaphore(pictures or 0), threading.Semaphore(0)
        self.endless = pictures is None
        self.values: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 140.0, cv2.CAP_PROP_GAIN: 0.0}
        self.was_set: list[tuple[int, float]] = []
        self.unplugged, self.released = False, threading.Event()
        self._numbers = itertools.count()

    def read(self) -> tuple[bool, Any]:
        if not self.endless:
            self.permits.acquire()
        self.given.release()
        if self.unplugged:
            return False, None
        return True, np.full((360, 640, 3), next(self._numbers) % 200, np.uint8)

    def get(self, name: int) -> float:
        return self.values.get(name, -1.0)

    def set(self, name: int, value: float) -> bool:
        self.was_set.append((name, value))
        return True

    def release(self) -> None:
        self.released.set()


class Lending:
    """A camera that lends its full pictures, as a Pi's does: asked for anything else, it writes over them.

    Their rows are padded, too.
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._lent: Picture | None = None

    def small(self) -> Frame | None:
        self._take_back()
        return self._camera.small()

    def full(self) -> Frame | None:
        self._take_back()
        frame = self._camera.full()
        if frame is None:
            return None
        height, width = frame.bgr.shape[:2]
        self._lent = np.zeros((height, width + PADDING_PX, 3), np.uint8)
        self._lent[:, :width] = frame.bgr
        return replace(frame, bgr=self._lent[:, :width])

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        self._take_back()
        return self._camera.lock(known)

    def unlock(self) -> None:
        self._camera.unlock()

    def status(self) -> Status:
        return self._camera.status()

    def close(self) -> None:
        self._take_back()
        self._camera.close()

    def _take_back(self) -> None:
        if self._lent is not None:
            self._lent[:] = SCRIBBLE


def sim(folder: Path) -> Rig:
    clock = Clock()
    return Rig(SimCamera(SETTINGS, SimTable(1, clock), draw_plainly, clock), clock)


def pictures(folder: Path) -> Rig:
    for number in range(40):
        cv2.imwrite(str(folder / f"{number:03}.png"), np.full((360, 640, 3), 5 * number, np.uint8))
    clock = Clock()
    settings = CameraSettings(kind="folder", path=folder, small_width_px=200)
    return Rig(RecordedCamera(settings, clock), clock)


def recording(folder: Path) -> Rig:
    path = folder / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 360))
    for number in range(40):
        writer.write(np.full((360, 640, 3), 5 * number, np.uint8))
    writer.release()
    clock = Clock()
    return Rig(RecordedCamera(CameraSettings(kind="folder", path=path, small_width_px=200), clock), clock)


def webcam(folder: Path) -> Rig:
    clock = Clock()
    return Rig(Webcam(SETTINGS, clock, lambda settings: Capture()), clock)


def picamera2(folder: Path) -> Rig:
    clock = Clock()
    return Rig(PiCamera(SETTINGS, lambda number: Picamera2(number, now=clock), MappedArray), clock)


CAMERAS: dict[str, Callable[[Path], Rig]] = {
    "sim": sim,
    "folder": pictures,
    "recording": recording,
    "webcam": webcam,
    "picamera2": picamera2,
}
