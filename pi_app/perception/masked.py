"""A camera that shows the printed boards and nothing else: what people keep behind screens is nobody's business."""

from dataclasses import replace

from hardware.ports import Camera, Exposure, Frame, Status
from vision.layout import Layout
from vision.mask import Masker
from vision.rectify import Lens


class MaskedCamera:
    """The first step after the camera: everything else sees its pictures only. Belongs to one thread."""

    def __init__(self, camera: Camera, layout: Layout, lens: Lens | None = None) -> None:
        self._camera, self._masker = camera, Masker(layout, lens)

    def small(self) -> Frame | None:
        frame = self._camera.small()
        return None if frame is None else replace(frame, bgr=self._masker.small(frame.bgr))

    def full(self) -> Frame | None:
        frame = self._camera.full()
        return None if frame is None else replace(frame, bgr=self._masker.full(frame.bgr))

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        return self._camera.lock(known)

    def unlock(self) -> None:
        self._camera.unlock()

    def status(self) -> Status:
        return self._camera.status()

    def close(self) -> None:
        self._camera.close()
