"""Real or simulated, each device for itself; what is missing says so and stops nobody."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.build import Hardware, build, found_camera
from hardware.errors import DeviceError
from hardware.ports import Condition, Status
from hardware.real.gpio import GpioButtons, GpioSound, GpioStatusLight
from hardware.real.picam import picamera_attached
from hardware.settings import (
    ButtonsSettings,
    CameraSettings,
    HardwareSettings,
    LightsSettings,
    SoundSettings,
    StatusLightSettings,
)
from hardware.sim.devices import SimButtons, SimLights, SimSound
from hardware.sim.table import SimTable
from hardware.together import LightsTogether
from tests.hardware.cameras import SETTINGS, draw_plainly
from tests.hardware.clock import Clock
from web.text import LANGUAGES, Text


def no_pins() -> Any:
    raise DeviceError("python3-lgpio is not installed")


def built(settings: HardwareSettings, pins: Any = no_pins) -> Hardware:
    clock = Clock()
    return build(settings, clock, SimTable(1, clock), draw_plainly, pins)


def test_an_attached_camera_is_taken_unless_the_settings_name_one() -> None:
    auto, webcam = CameraSettings(kind="auto", width_px=1920), CameraSettings(kind="webcam")
    assert found_camera(auto, lambda: True) == replace(auto, kind="picamera2")
    assert found_camera(auto, lambda: False) == replace(auto, kind="sim")
    assert found_camera(webcam, lambda: True) == webcam


@pytest.mark.parametrize(
    ("ids", "attached"),
    [
        (["/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a"], True),
        (["/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:0825"], False),
        ([], False),
    ],
)
def test_only_a_camera_on_the_pis_own_connector_counts(
    ids: list[str], attached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = SimpleNamespace(Picamera2=SimpleNamespace(global_camera_info=lambda: [{"Id": name} for name in ids]))
    monkeypatch.setitem(sys.modules, "picamera2", library)
    assert picamera_attached() == attached


ON_PINS = HardwareSettings(
    camera=CameraSettings(kind="none"),
    lights=LightsSettings(kind="none"),
    status_light=StatusLightSettings(kind="gpio"),
    buttons=ButtonsSettings(kind="gpio"),
    sound=SoundSettings(kind="gpio"),
)


def test_without_a_word_all_is_simulated_and_well() -> None:
    hardware = built(HardwareSettings(camera=SETTINGS))
    assert isinstance(hardware.lights, SimLights)
    assert isinstance(hardware.buttons, SimButtons)
    assert isinstance(hardware.sound, SimSound)
    frame = hardware.camera.full()
    assert frame is not None
    assert all(status.ok for status in hardware.statuses())
    hardware.close()


def test_pins_serve_buttons_status_light_and_buzzer_together() -> None:
    factories: list[MockFactory] = []

    def pins() -> MockFactory:
        factories.append(MockFactory(pin_class=MockPWMPin))
        return factories[-1]

    hardware = built(ON_PINS, pins)
    assert isinstance(hardware.lights, GpioStatusLight)
    assert isinstance(hardware.buttons, GpioButtons)
    assert isinstance(hardware.sound, GpioSound)
    assert len(factories) == 1
    hardware.close()


def test_a_real_camera_goes_with_simulated_lights(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((90, 160, 3), 7, np.uint8))
    settings = HardwareSettings(
        camera=CameraSettings(kind="folder", path=tmp_path), status_light=StatusLightSettings(kind="gpio")
    )
    hardware = built(settings, lambda: MockFactory(pin_class=MockPWMPin))
    frame = hardware.camera.full()
    assert frame is not None
    assert int(frame.bgr.max()) == 7
    assert isinstance(hardware.lights, LightsTogether)
    hardware.close()


def test_where_nothing_is_attached_everything_says_so_and_nothing_raises(tmp_path: Path) -> None:
    camera = CameraSettings(kind="folder", path=tmp_path / "nowhere")
    hardware = built(replace(ON_PINS, camera=camera))
    assert hardware.camera.small() is None
    hardware.lights.show({"status": (1, 2, 3)})
    hardware.sound.play("accepted")
    assert hardware.buttons.poll() == ()
    assert [status.condition for status in hardware.statuses()] == [Condition.ABSENT] * 4
    for language in LANGUAGES:
        for status in hardware.statuses():
            assert Text(language)(status.message, status.facts)
    hardware.close()


def test_everything_may_be_switched_off() -> None:
    settings = HardwareSettings(
        camera=CameraSettings(kind="none"),
        lights=LightsSettings(kind="none"),
        buttons=ButtonsSettings(kind="none"),
        sound=SoundSettings(kind="none"),
    )
    hardware = built(settings)
    assert {status.condition for status in hardware.statuses()} == {Condition.OFF}
    hardware.close()


def test_lights_and_buttons_share_one_pico_that_may_be_absent() -> None:
    settings = HardwareSettings(
        camera=SETTINGS,
        lights=LightsSettings(kind="pico", port="/dev/there-is-no-such-port"),
        buttons=ButtonsSettings(kind="pico"),
    )
    hardware = built(settings)
    hardware.lights.show({"seat.1": (255, 0, 0)})
    frame = hardware.camera.full()
    assert frame is not None
    assert hardware.buttons.poll() == ()
    assert not hardware.lights.status().ok
    assert not hardware.buttons.status().ok
    hardware.close()


FACTS = {"why": "x", "found": "1", "wanted": "2", "port": "p", "button": "undo", "unconfirmed": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_condition_of_every_device_has_its_sentence(language: str) -> None:
    only = {Condition.WRONG_VERSION: {"lights", "buttons"}, Condition.STUCK: {"buttons"}}
    for device in ("camera", "lights", "buttons", "sound"):
        for condition in Condition:
            if device in only.get(condition, {device}):
                assert Text(language)(Status(device, condition).message, FACTS)


def test_the_sentence_about_a_wrong_version_names_the_command_that_mends_it() -> None:
    for language in LANGUAGES:
        assert "allcity firmware install" in Text(language)("hardware.lights.wrong_version", FACTS)


def test_without_the_drivers_of_a_real_table_lights_and_buttons_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("serial", "hardware.real.pico", "hardware.real.pico_link", "hardware.real.serial_ports"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "serial", None)  # as where it is not installed
    hardware = built(HardwareSettings(lights=LightsSettings(kind="pico"), buttons=ButtonsSettings(kind="pico")))
    for device in (hardware.lights, hardware.buttons):
        assert device.status().condition is Condition.ABSENT
        assert device.status().facts["why"] == "serial is not installed"
