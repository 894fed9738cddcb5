"""A camera that may be absent, pulled out or frozen, and comes back by itself."""

from collections.abc import Callable
from dataclasses import replace

from hardware.errors import CameraError
from hardware.ports import Camera, Condition, Exposure, Frame, Status

LOST_AFTER_S = 2.0
FIRST_RETRY_S, LONGEST_RETRY_S = 1.0, 30.0


class WatchedCamera:
    """Opens a camera, and opens it again when it fails or gives no new picture for two seconds.

    `open_camera` and the camera's methods may raise CameraError; nothing here does. Tries are spaced wider
    and wider. A locked exposure is locked again, and pictures go on being numbered upwards.
    """

    def __init__(self, open_camera: Callable[[], Camera], now: Callable[[], float]) -> None:
        self._open_camera, self._now = open_camera, now
        self._camera: Camera | None = None
        self._status = Status("camera", Condition.ABSENT, {"why": "not looked for yet"})
        self._try_at_s, self._retry_s = now(), FIRST_RETRY_S
        self._new_at_s = now()  # when the last new picture came, or when the camera was opened
        self._seq, self._seq_before = 0, 0
        self._exposure: Exposure | None = None

    def small(self) -> Frame | None:
        return self._taken(lambda camera: camera.small())

    def full(self) -> Frame | None:
        return self._taken(lambda camera: camera.full())

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        camera = self._opened()
        try:
            self._exposure = known if camera is None else camera.lock(known)
        except CameraError as error:
            self._let_go(str(error))
            self._exposure = known
            return None
        return None if camera is None else self._exposure

    def unlock(self) -> None:
        self._exposure = None
        if self._camera is None:
            return
        try:
            self._camera.unlock()
        except CameraError as error:
            self._let_go(str(error))

    def status(self) -> Status:
        return self._status

    def close(self) -> None:
        self._try_at_s = float("inf")
        self._close_camera()

    def _taken(self, take: Callable[[Camera], Frame | None]) -> Frame | None:
        camera = self._opened()
        if camera is None:
            return None
        try:
            frame = take(camera)
        except CameraError as error:
            self._let_go(str(error))
            return None
        if frame is not None and self._seq_before + frame.seq > self._seq:
            self._seq = self._seq_before + frame.seq
            self._new_at_s, self._retry_s = self._now(), FIRST_RETRY_S
            self._status = Status("camera")
        elif self._now() - self._new_at_s >= LOST_AFTER_S:
            self._let_go("no picture")
            return None
        return None if frame is None else replace(frame, seq=self._seq_before + frame.seq)

    def _opened(self) -> Camera | None:
        if self._camera is not None or self._now() < self._try_at_s:
            return self._camera
        try:
            camera = self._camera = self._open_camera()
            self._seq_before, self._new_at_s = self._seq, self._now()
            if self._exposure is not None:
                camera.lock(self._exposure)
        except CameraError as error:
            self._let_go(str(error))
        return self._camera

    def _let_go(self, why: str) -> None:
        """The camera is of no use now: try again later, later each time."""
        self._close_camera()
        condition = Condition.LOST if self._seq else Condition.ABSENT
        self._status = Status("camera", condition, {"why": why})
        self._try_at_s = self._now() + self._retry_s
        self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)

    def _close_camera(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
