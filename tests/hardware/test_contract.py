"""What every camera, every light, every button board and every sound promises, whoever made it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.lightsafe import LightSafeCamera
from hardware.nothing import NoButtons, NoCamera, NoLights, NoSound
from hardware.ports import (
    BUTTONS,
    CUES,
    Button,
    Buttons,
    Camera,
    Colour,
    Condition,
    Lights,
    Sound,
    Status,
    held,
)
from hardware.presses import LONG_S, STUCK_S
from hardware.real.gpio import GpioButtons, GpioSound, GpioStatusLight
from hardware.settings import ZONE_PIXELS, ButtonsSettings, SoundSettings, StatusLightSettings
from hardware.sim.devices import SimButtons, SimLights, SimSound
from hardware.sim.table import SimTable
from hardware.steady import SteadyCamera
from hardware.together import LightsTogether
from hardware.watched import WatchedCamera
from tests.firmware.pico_rig import pico_rig
from tests.hardware.cameras import CAMERAS, Rig
from tests.hardware.clock import Clock

GREEN, RED, DARK = (0, 255, 0), (255, 0, 0), (0, 0, 0)


# --- cameras ------------------------------------------------------------------------------------


def bare(rig: Rig) -> Camera:
    return rig.camera


def as_built(rig: Rig) -> Camera:
    """With the watchdog, the steady and the light-safe exposure around it, as play gets it."""
    return LightSafeCamera(SteadyCamera(WatchedCamera(lambda: rig.camera, rig.clock)), NoLights())


@pytest.fixture(params=CAMERAS)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    made = CAMERAS[request.param](tmp_path)
    yield made
    made.camera.close()


@pytest.mark.parametrize("dressed", [bare, as_built])
def test_a_camera_gives_small_and_full_pictures(rig: Rig, dressed: Callable[[Rig], Camera]) -> None:
    camera = dressed(rig)
    small, full = camera.small(), camera.full()
    assert small is not None
    assert full is not None
    assert {small.bgr.dtype, full.bgr.dtype} == {np.dtype(np.uint8)}
    assert small.bgr.shape in {(112, 200, 3), (113, 200, 3)}  # a stream may want an even height
    assert full.bgr.shape == (360, 640, 3)
    assert camera.status() == Status("camera")


@pytest.mark.parametrize("dressed", [bare, as_built])
def test_pictures_are_numbered_upwards_as_time_goes_on(rig: Rig, dressed: Callable[[Rig], Camera]) -> None:
    camera, seen = dressed(rig), []
    for _ in range(5):
        frame = camera.full()
        assert frame is not None
        seen.append((frame.seq, frame.at_s))
        rig.clock.go(1.0)
    assert all(later[0] > earlier[0] and later[1] > earlier[1] for earlier, later in pairwise(seen))


def test_a_full_picture_is_not_older_than_the_wish_for_it(rig: Rig) -> None:
    rig.camera.small()
    rig.clock.go(3.0)
    frame = rig.camera.full()
    assert frame is not None
    assert frame.at_s == rig.clock()


def test_a_camera_can_be_locked_twice_alike_and_let_go(rig: Rig) -> None:
    rig.camera.small()
    exposure = rig.camera.lock()
    assert exposure is not None
    assert exposure.time_us is None or exposure.time_us % 10_000 == 0  # whole flickers at 50 Hz
    assert rig.camera.lock(exposure) == exposure
    rig.camera.unlock()
    assert rig.camera.full() is not None


# --- lights -------------------------------------------------------------------------------------


@dataclass
class LightRig:
    lights: Lights
    status_colour: Callable[[], Colour]


@contextmanager
def sim_lights() -> Iterator[LightRig]:
    lights = SimLights(SimTable(1, Clock()))
    yield LightRig(lights, lambda: lights.showing.get("status", DARK))


@contextmanager
def gpio_light() -> Iterator[LightRig]:
    factory = MockFactory(pin_class=MockPWMPin)
    settings = StatusLightSettings(kind="gpio")
    pins = (settings.red_pin, settings.green_pin, settings.blue_pin)

    def colour() -> Colour:
        red, green, blue = (round(255 * factory.pin(pin).state) for pin in pins)
        return red, green, blue

    yield LightRig(GpioStatusLight(settings, factory), colour)


@contextmanager
def both_lights() -> Iterator[LightRig]:
    with sim_lights() as strip, gpio_light() as light:
        yield LightRig(LightsTogether(strip.lights, light.lights), light.status_colour)


@contextmanager
def pico_lights() -> Iterator[LightRig]:
    """The real firmware on a real MicroPython, at the other end of a real serial line."""
    with pico_rig() as pico:

        def colour() -> Colour:
            pico.settle()
            return pico.zone("status")

        yield LightRig(pico.lights, colour)


@pytest.fixture(params=[sim_lights, gpio_light, both_lights, pico_lights])
def light_rig(request: pytest.FixtureRequest) -> Iterator[LightRig]:
    with request.param() as made:
        yield made
        made.lights.close()


def test_the_newest_frame_shines(light_rig: LightRig) -> None:
    light_rig.lights.show({"status": RED})
    light_rig.lights.show({"status": GREEN, "seat.1": RED})
    assert light_rig.status_colour() == GREEN
    assert light_rig.lights.status().ok


def test_a_zone_that_is_not_named_is_dark(light_rig: LightRig) -> None:
    light_rig.lights.show(dict.fromkeys(ZONE_PIXELS, GREEN))
    light_rig.lights.show({"seat.1": GREEN})
    assert light_rig.status_colour() == DARK


def test_held_lights_stay_as_they_are_and_catch_up_afterwards(light_rig: LightRig) -> None:
    light_rig.lights.show({"status": GREEN})
    assert light_rig.status_colour() == GREEN
    with held(light_rig.lights) as confirmed:
        assert confirmed
        light_rig.lights.show({"status": RED})
        assert light_rig.status_colour() == GREEN
    assert light_rig.status_colour() == RED


def test_held_dark_is_dark_until_released(light_rig: LightRig) -> None:
    light_rig.lights.show({"status": GREEN})
    assert light_rig.lights.hold(dark=True)
    assert light_rig.status_colour() == DARK
    light_rig.lights.release()
    assert light_rig.status_colour() == GREEN


def test_lights_together_hold_still_only_if_all_of_them_do() -> None:
    table = SimTable(1, Clock())
    strip = SimLights(table)
    with gpio_light() as light:
        lights = LightsTogether(light.lights, strip)
        assert lights.hold()
        table.stall("lights")
        assert not lights.hold()
        table.unplug("lights")
        assert lights.status().condition is Condition.LOST
        assert light.lights.status().ok


# --- buttons ------------------------------------------------------------------------------------


@dataclass
class ButtonRig:
    buttons: Buttons
    push: Callable[[Button], None]
    let_go: Callable[[Button], None]
    go: Callable[[float], None]
    """Lets time pass."""

    def told(self) -> list[tuple[Button, bool]]:
        """Which buttons were pressed, and whether long."""
        return [(press.button, press.long) for press in self.buttons.poll()]


@contextmanager
def sim_buttons() -> Iterator[ButtonRig]:
    clock = Clock()
    buttons = SimButtons(SimTable(1, clock), clock)
    yield ButtonRig(buttons, buttons.push, buttons.let_go, clock.go)


@contextmanager
def gpio_buttons() -> Iterator[ButtonRig]:
    clock, factory, settings = Clock(), MockFactory(), ButtonsSettings(kind="gpio")
    buttons = GpioButtons(settings, factory, clock)
    yield ButtonRig(
        buttons,
        lambda name: factory.pin(settings.pins[name]).drive_low(),
        lambda name: factory.pin(settings.pins[name]).drive_high(),
        clock.go,
    )


@contextmanager
def pico_buttons() -> Iterator[ButtonRig]:
    with pico_rig() as pico:
        yield ButtonRig(pico.buttons, pico.push, pico.let_go, pico.go)


@pytest.fixture(params=[sim_buttons, gpio_buttons, pico_buttons])
def button_rig(request: pytest.FixtureRequest) -> Iterator[ButtonRig]:
    with request.param() as made:
        yield made
        made.buttons.close()


@pytest.mark.parametrize("button", BUTTONS)
def test_a_short_press_is_told_once_when_the_button_comes_up(button_rig: ButtonRig, button: Button) -> None:
    button_rig.push(button)
    button_rig.go(0.3)
    assert button_rig.told() == []
    button_rig.let_go(button)
    button_rig.go(0.1)
    assert button_rig.told() == [(button, False)]
    assert button_rig.told() == []


def test_a_long_press_is_told_while_the_button_is_still_down(button_rig: ButtonRig) -> None:
    button_rig.push("undo")
    button_rig.go(LONG_S - 0.1)
    assert button_rig.told() == []
    button_rig.go(0.2)
    assert button_rig.told() == [("undo", True)]
    button_rig.let_go("undo")
    button_rig.go(0.1)
    assert button_rig.told() == []


def test_presses_come_in_the_order_of_the_fingers(button_rig: ButtonRig) -> None:
    fingers: tuple[Button, ...] = ("next", "confirm", "next")
    for button in fingers:
        button_rig.push(button)
        button_rig.go(0.1)
        button_rig.let_go(button)
        button_rig.go(0.1)
    assert button_rig.told() == [(button, False) for button in fingers]


def test_a_stuck_button_is_named_and_the_others_go_on(button_rig: ButtonRig) -> None:
    button_rig.push("confirm")
    button_rig.go(STUCK_S + 0.2)
    assert button_rig.told() == [("confirm", True)]
    assert button_rig.buttons.status() == Status("buttons", Condition.STUCK, {"button": "confirm"})
    button_rig.push("next")
    button_rig.go(0.1)
    button_rig.let_go("next")
    button_rig.go(0.1)
    assert button_rig.told() == [("next", False)]
    button_rig.let_go("confirm")
    button_rig.go(0.1)
    assert button_rig.told() == []
    assert button_rig.buttons.status() == Status("buttons")


# --- sound --------------------------------------------------------------------------------------


@pytest.fixture(params=["sim", "gpio"])
def sound(request: pytest.FixtureRequest) -> Iterator[Sound]:
    if request.param == "sim":
        made: Sound = SimSound(SimTable(1, Clock()))
    else:
        made = GpioSound(SoundSettings(kind="gpio"), MockFactory(pin_class=MockPWMPin))
    yield made
    made.close()


def test_every_cue_can_be_played_at_any_time(sound: Sound) -> None:
    for cue in (*CUES, *CUES):
        sound.play(cue)
    assert sound.status() == Status("sound")


# --- nothing there ------------------------------------------------------------------------------


def test_devices_that_are_off_take_every_call() -> None:
    camera, lights, buttons, sound = NoCamera(), NoLights(), NoButtons(), NoSound()
    assert (camera.small(), camera.full(), camera.lock()) == (None, None, None)
    camera.unlock()
    lights.show({"status": GREEN})
    sound.play("accepted")
    assert buttons.poll() == ()
    for device in (camera, lights, buttons, sound):
        assert device.status().condition is Condition.OFF
        device.close()


def test_missing_lights_cannot_confirm_that_they_hold_still() -> None:
    with held(NoLights(Condition.ABSENT, "no pins")) as confirmed:
        assert not confirmed
    with held(NoLights()) as confirmed:
        assert confirmed
