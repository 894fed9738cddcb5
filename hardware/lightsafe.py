"""Camera and lights under one owner: no light effect ever spoils a reading."""

from hardware.ports import Camera, Exposure, Frame, Lights, Status, held


class LightSafeCamera:
    """Takes full pictures while the lights hold still. Lights that do not confirm it stop no picture."""

    def __init__(self, camera: Camera, lights: Lights) -> None:
        self._camera, self._lights = camera, lights

    def small(self) -> Frame | None:
        return self._camera.small()

    def full(self) -> Frame | None:
        with held(self._lights):
            return self._camera.full()

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        with held(self._lights):
            return self._camera.lock(known)

    def unlock(self) -> None:
        self._camera.unlock()

    def status(self) -> Status:
        return self._camera.status()

    def close(self) -> None:
        self._camera.close()
