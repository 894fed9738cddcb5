"""Several lights that act as one: the strip, and a status light on the Pi itself."""

from hardware.ports import LightFrame, Lights, Status


class LightsTogether:
    """Every frame goes to all of them; the first that is not well speaks for all."""

    def __init__(self, *lights: Lights) -> None:
        self._all = lights

    def show(self, frame: LightFrame) -> None:
        for lights in self._all:
            lights.show(frame)

    def hold(self, dark: bool = False) -> bool:
        answers = [lights.hold(dark) for lights in self._all]
        return all(answers)

    def release(self) -> None:
        for lights in self._all:
            lights.release()

    def status(self) -> Status:
        statuses = [lights.status() for lights in self._all]
        return next((status for status in statuses if not status.ok), statuses[0])

    def close(self) -> None:
        for lights in self._all:
            lights.close()
