"""A camera that stays locked while the light stays, and adapts once when it has really changed."""

import numpy as np

from hardware.ports import Camera, Exposure, Frame, Picture, Status

FAR = 1.8
"""So many times brighter or darker than when it was locked, pictures are of little use."""
PATIENCE = 10
"""Pictures that must be so: a sleeve before the lens is no change of light."""
SETTLING, ADAPTING = 5, 15
"""Pictures until a camera has followed a setting, and until its automatic has found new ones."""


class SteadyCamera:
    """Locked until it is unlocked; when a lamp was switched, it lets the camera adapt and locks it again."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._locked = False
        self._usual: float | None = None
        self._seq, self._off, self._adapting, self._settling = -1, 0, 0, 0

    def small(self) -> Frame | None:
        frame = self._camera.small()
        if self._locked and frame is not None and frame.seq != self._seq:
            self._seq = frame.seq
            self._follow(_level(frame.bgr))
        return frame

    def full(self) -> Frame | None:
        return self._camera.full()

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        self._locked, self._usual, self._off, self._settling = True, None, 0, SETTLING
        exposure = self._camera.lock(known)
        # A camera that is not there now is locked when it has come.
        self._adapting = ADAPTING if exposure is None else 0
        return exposure

    def unlock(self) -> None:
        self._locked = False
        self._camera.unlock()

    def status(self) -> Status:
        return self._camera.status()

    def close(self) -> None:
        self._camera.close()

    def _follow(self, level: float) -> None:
        if self._adapting:
            self._adapting -= 1
            if not self._adapting:
                self.lock()
        elif self._settling:
            self._settling -= 1
        elif self._usual is None:
            self._usual = level
        else:
            self._compare(level, self._usual)

    def _compare(self, level: float, usual: float) -> None:
        self._off = 0 if usual / FAR <= level <= usual * FAR else self._off + 1
        if self._off >= PATIENCE:
            self._camera.unlock()
            self._off, self._adapting = 0, ADAPTING


def _level(bgr: Picture) -> float:
    """How bright a picture is, whatever lies in a part of it."""
    return 1.0 + float(np.median(bgr[::4, ::4, 1]))
