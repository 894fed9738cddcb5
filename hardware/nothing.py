"""Devices that are switched off or not there: they take every call and say how things are."""

from hardware.ports import Condition, Cue, Exposure, Frame, LightFrame, Press, Status


class _Nothing:
    device = ""

    def __init__(self, condition: Condition = Condition.OFF, why: str = "") -> None:
        self._status = Status(self.device, condition, {"why": why} if why else {})

    def status(self) -> Status:
        return self._status

    def close(self) -> None:
        pass


class NoCamera(_Nothing):
    device = "camera"

    def small(self) -> Frame | None:
        return None

    def full(self) -> Frame | None:
        return None

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        return None

    def unlock(self) -> None:
        pass


class NoLights(_Nothing):
    device = "lights"

    def show(self, frame: LightFrame) -> None:
        pass

    def hold(self, dark: bool = False) -> bool:
        """Lights that are switched off do hold still; lights that are missing cannot confirm it."""
        return self.status().condition is Condition.OFF

    def release(self) -> None:
        pass


class NoButtons(_Nothing):
    device = "buttons"

    def poll(self) -> tuple[Press, ...]:
        return ()


class NoSound(_Nothing):
    device = "sound"

    def play(self, cue: Cue) -> None:
        pass
