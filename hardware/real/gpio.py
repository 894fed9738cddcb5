"""Buttons, status light and buzzer on the Pi's own pins, through gpiozero. Its pin factory is always stated."""

import os
import queue
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from gpiozero import RGBLED, TonalBuzzer
from gpiozero import Button as Switch

from hardware.errors import DeviceError, told_as
from hardware.ports import BUTTONS, Condition, Cue, LightFrame, Press, Status
from hardware.presses import PressReader
from hardware.settings import ButtonsSettings, SoundSettings, StatusLightSettings

BOUNCE_S = 0.02

Tune = tuple[tuple[str, float], ...]
TUNES: dict[Cue, Tune] = {
    "accepted": (("E5", 0.07), ("A5", 0.10)),
    "refused": (("D4", 0.14), ("A3", 0.24)),
    "question": (("A4", 0.10), ("E5", 0.16)),
    "completed": (("C5", 0.08), ("E5", 0.08), ("G5", 0.18)),
    "ended": (("C5", 0.12), ("E5", 0.12), ("G5", 0.12), ("E5", 0.12), ("G5", 0.36)),
}


def lgpio_factory() -> Any:
    """The one pin factory that works on every Pi. Raises DeviceError where there are no pins."""
    # lgpio leaves a small file where it runs, and fails where it may not; this is read when it is imported.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - there on a Pi only

        return LGPIOFactory()
    except ImportError as error:
        raise DeviceError("python3-lgpio is not installed") from error
    except Exception as error:  # lgpio's errors share no type with gpiozero's
        raise DeviceError(f"the pins cannot be used ({error})") from error


class GpioButtons:
    """Three buttons between a pin and ground. Raises DeviceError when made."""

    def __init__(self, settings: ButtonsSettings, pin_factory: Any, now: Callable[[], float]) -> None:
        self._presses = PressReader(now)
        self._switches: list[Any] = []
        with told_as(DeviceError):
            for name in BUTTONS:
                switch = Switch(settings.pins[name], pull_up=True, bounce_time=BOUNCE_S, pin_factory=pin_factory)
                self._switches.append(switch)
                if switch.is_pressed:
                    self._presses.down_already(name)
                switch.when_pressed = partial(self._presses.change, name, True)
                switch.when_released = partial(self._presses.change, name, False)

    def poll(self) -> tuple[Press, ...]:
        return self._presses.poll()

    def status(self) -> Status:
        return self._presses.status()

    def close(self) -> None:
        for switch in self._switches:
            switch.close()


class GpioStatusLight:
    """An RGB LED that shows the zone `status` and nothing else. Raises DeviceError when made."""

    def __init__(self, settings: StatusLightSettings, pin_factory: Any) -> None:
        self._held = False
        self._frame: LightFrame = {}
        with told_as(DeviceError):
            self._led = RGBLED(settings.red_pin, settings.green_pin, settings.blue_pin, pin_factory=pin_factory)
        self._status = Status("lights")

    def show(self, frame: LightFrame) -> None:
        self._frame = frame
        if not self._held:
            self._light(frame)

    def hold(self, dark: bool = False) -> bool:
        self._held = True
        if dark:
            self._light({})
        return self._status.ok

    def release(self) -> None:
        self._held = False
        self._light(self._frame)

    def status(self) -> Status:
        return self._status

    def close(self) -> None:
        self._led.close()

    def _light(self, frame: LightFrame) -> None:
        try:
            with told_as(DeviceError):
                self._led.value = tuple(part / 255 for part in frame.get("status", (0, 0, 0)))
        except DeviceError as error:
            self._status = Status("lights", Condition.LOST, {"why": str(error)})
        else:
            self._status = Status("lights")


class GpioSound:
    """Short tunes on a passive buzzer, played on a thread of their own. Raises DeviceError when made."""

    def __init__(self, settings: SoundSettings, pin_factory: Any) -> None:
        with told_as(DeviceError):
            self._buzzer = TonalBuzzer(settings.pin, octaves=2, pin_factory=pin_factory)
        self._status = Status("sound")
        self._cues: queue.SimpleQueue[Cue | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def play(self, cue: Cue) -> None:
        self._cues.put(cue)

    def status(self) -> Status:
        return self._status

    def close(self) -> None:
        self._cues.put(None)
        self._thread.join(timeout=1.0)
        self._buzzer.close()

    def _run(self) -> None:
        tune: list[tuple[str, float]] = []
        while True:
            note, lasts_s = tune.pop(0) if tune else (None, None)
            self._sound(note)
            try:
                cue = self._cues.get(timeout=lasts_s)
            except queue.Empty:
                continue
            if cue is None:
                return
            tune = list(TUNES[cue])

    def _sound(self, note: str | None) -> None:
        try:
            with told_as(DeviceError):
                self._buzzer.play(note)
        except DeviceError as error:
            self._status = Status("sound", Condition.LOST, {"why": str(error)})
        else:
            self._status = Status("sound")
