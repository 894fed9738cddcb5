"""Pins: stated, never guessed; a pin that fails stops nobody."""

import os
import threading
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.errors import DeviceError
from hardware.ports import CUES, Condition, Status
from hardware.presses import STUCK_S
from hardware.real.gpio import TUNES, GpioButtons, GpioSound, GpioStatusLight, lgpio_factory
from hardware.settings import ButtonsSettings, SoundSettings, StatusLightSettings
from tests.hardware.clock import Clock

SETTINGS = ButtonsSettings(kind="gpio")


class HeldDown(MockPin):  # type: ignore[misc]
    """The pin of the undo button does not come up, whatever pulls it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == f"GPIO{SETTINGS.undo_pin}":
            self.drive_low()


def test_a_button_that_is_down_from_the_start_is_stuck_and_presses_nothing() -> None:
    clock = Clock()
    buttons = GpioButtons(SETTINGS, MockFactory(pin_class=HeldDown), clock)
    clock.go(STUCK_S)
    assert buttons.poll() == ()
    assert buttons.status() == Status("buttons", Condition.STUCK, {"button": "undo"})


def test_a_pin_that_is_in_use_already_is_told_and_not_taken() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    light = GpioStatusLight(StatusLightSettings(kind="gpio"), factory)
    with pytest.raises(DeviceError, match="already in use"):
        GpioSound(SoundSettings(kind="gpio", pin=StatusLightSettings().red_pin), factory)
    assert light.status().ok


def test_a_status_light_whose_pins_fail_is_lost_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    light = GpioStatusLight(StatusLightSettings(kind="gpio"), MockFactory(pin_class=MockPWMPin))
    with monkeypatch.context() as broken:
        broken.setattr(MockPWMPin, "_set_state", fails)
        light.show({"status": (255, 0, 0)})
        assert light.status() == Status("lights", Condition.LOST, {"why": "no pin"})
        assert not light.hold(dark=True)
        light.release()
    light.show({"status": (255, 0, 0)})
    assert light.status() == Status("lights")


def fails(*args: Any) -> None:
    raise OSError("no pin")


class Listening(MockPWMPin):  # type: ignore[misc]
    """A pin that tells when the first tone sounds, and when silence follows."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.tones: list[float] = []
        self.sounded, self.silent = threading.Event(), threading.Event()

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        if value and threading.current_thread().name == "sound":
            self.tones.append(value)
            self.sounded.set()
        elif self.tones:
            self.silent.set()


def test_a_cue_sounds_and_falls_silent_while_nobody_waits() -> None:
    factory = MockFactory(pin_class=Listening)
    sound = GpioSound(SoundSettings(kind="gpio"), factory)
    pin = factory.pin(SoundSettings().pin)
    sound.play("accepted")
    assert pin.sounded.wait(10.0)
    assert pin.silent.wait(10.0)
    assert [round(tone) for tone in pin.tones[-2:]] == [659, 880]  # E5, A5
    sound.close()


def test_a_new_cue_takes_the_place_of_the_old_one() -> None:
    factory = MockFactory(pin_class=Listening)
    sound = GpioSound(SoundSettings(kind="gpio"), factory)
    pin = factory.pin(SoundSettings().pin)
    for _ in range(50):
        sound.play("ended")
    sound.play("accepted")
    assert pin.silent.wait(10.0)
    assert [round(tone) for tone in pin.tones[-2:]] == [659, 880]
    assert len(pin.tones) < 50 + 10  # no tune was played to its end
    sound.close()


def test_a_buzzer_whose_pin_fails_is_lost_and_play_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()

    class Failing(MockPWMPin):  # type: ignore[misc]
        def _set_frequency(self, value: float | None) -> None:
            if value and threading.current_thread().name == "sound":
                failed.set()
                raise OSError("no pin")
            super()._set_frequency(value)

    sound = GpioSound(SoundSettings(kind="gpio"), MockFactory(pin_class=Failing))
    sound.play("refused")
    assert failed.wait(10.0)
    sound.play("refused")
    sound.close()


def test_every_cue_has_a_tune_of_its_own() -> None:
    assert set(TUNES) == set(CUES)
    assert len(set(TUNES.values())) == len(CUES)
    assert all(sum(lasts_s for _, lasts_s in tune) < 1.0 for tune in TUNES.values())


def test_where_there_are_no_pins_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    with pytest.raises(DeviceError, match=r"lgpio is not installed|pins cannot be used"):
        lgpio_factory()
    # lgpio leaves a file where it runs: somewhere that may be written, wherever the program was started.
    assert os.access(os.environ["LG_WD"], os.W_OK)


def test_pins_are_made_by_the_factory_that_is_given_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "there-is-no-such-factory")
    factory = MockFactory()
    GpioButtons(SETTINGS, factory, Clock())
    assert sorted(info.name for info in factory.pins) == sorted(f"GPIO{pin}" for pin in SETTINGS.pins.values()) or all(
        isinstance(pin, MockPin) for pin in factory.pins.values()
    )
