"""The one place where real or simulated devices are chosen, each for itself, as the settings say."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hardware.errors import CameraError, DeviceError
from hardware.lightsafe import LightSafeCamera
from hardware.nothing import NoButtons, NoCamera, NoLights, NoSound
from hardware.ports import Buttons, Camera, Condition, Lights, Sound, Status
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.camera import SimCamera
from hardware.sim.devices import SimButtons, SimLights, SimSound
from hardware.sim.state import Draw
from hardware.sim.table import SimTable
from hardware.steady import SteadyCamera
from hardware.together import LightsTogether
from hardware.watched import WatchedCamera

if TYPE_CHECKING:
    from hardware.real.pico import Pico

Device = TypeVar("Device")


class Closable(Protocol):
    def close(self) -> None: ...


@dataclass(frozen=True)
class Hardware:
    """All devices of a table."""

    camera: Camera
    lights: Lights
    buttons: Buttons
    sound: Sound
    pico: Closable | None = None
    """Who owns the cable that lights and buttons may share."""

    def statuses(self) -> tuple[Status, ...]:
        return tuple(device.status() for device in (self.camera, self.lights, self.buttons, self.sound))

    def close(self) -> None:
        for device in (self.camera, self.lights, self.buttons, self.sound):
            device.close()
        if self.pico is not None:
            self.pico.close()


def _picamera_attached() -> bool:
    try:
        from hardware.real.picam import picamera_attached  # noqa: PLC0415 - only who looks for one needs OpenCV
    except ImportError:
        return False
    return picamera_attached()


def found_camera(settings: CameraSettings, attached: Callable[[], bool] = _picamera_attached) -> CameraSettings:
    """The settings with `auto` decided: the Pi's own camera if one is attached, otherwise the simulated one."""
    if settings.kind != "auto":
        return settings
    return replace(settings, kind="picamera2" if attached() else "sim")


def build(
    settings: HardwareSettings,
    now: Callable[[], float],
    table: SimTable,
    draw: Draw,
    pin_factory: Callable[[], Any] | None = None,
) -> Hardware:
    """The devices that the settings ask for; what cannot be had says so in its status, and play goes on.

    Simulated ones share `table`, and the simulated camera draws it with `draw`. `pin_factory` gives gpiozero's
    pins; without one they are the Pi's own.
    """
    return _Builder(settings, now, table, draw, pin_factory).build()


class _Builder:
    def __init__(
        self,
        settings: HardwareSettings,
        now: Callable[[], float],
        table: SimTable,
        draw: Draw,
        pin_factory: Callable[[], Any] | None,
    ) -> None:
        self._settings = replace(settings, camera=found_camera(settings.camera))
        self._now, self._table, self._draw = now, table, draw
        self._make_pins = pin_factory
        self._pins: Any = None
        self._pico: Pico | None = None

    def build(self) -> Hardware:
        lights = self._lights()
        camera = LightSafeCamera(self._camera(), lights)
        return Hardware(camera, lights, self._buttons(), self._sound(), self._pico)

    def _camera(self) -> Camera:
        if self._settings.camera.kind == "none":
            return NoCamera()
        return SteadyCamera(WatchedCamera(self._open_camera, self._now))

    def _open_camera(self) -> Camera:
        settings, now = self._settings.camera, self._now
        if settings.kind == "sim":
            return SimCamera(settings, self._table, self._draw, now)
        try:
            if settings.kind == "picamera2":
                from hardware.real.picam import PiCamera  # noqa: PLC0415 - only who has one needs OpenCV for it

                return PiCamera(settings)
            if settings.kind == "webcam":
                from hardware.real.webcam import Webcam  # noqa: PLC0415

                return Webcam(settings, now)
            from hardware.real.recorded import RecordedCamera  # noqa: PLC0415

            return RecordedCamera(settings, now)
        except ImportError as error:
            raise CameraError(f"{error.name} is not installed") from error

    def _lights(self) -> Lights:
        if self._settings.status_light.kind == "none":
            return self._strip()
        light = _or(self._status_light, lambda why: NoLights(Condition.ABSENT, why))
        return light if self._settings.lights.kind == "none" else LightsTogether(self._strip(), light)

    def _strip(self) -> Lights:
        kind = self._settings.lights.kind
        if kind == "sim":
            return SimLights(self._table)
        if kind == "none":
            return NoLights()
        return _or(self._pico_lights, lambda why: NoLights(Condition.ABSENT, why))

    def _pico_lights(self) -> Lights:
        return self._linked_pico().lights

    def _status_light(self) -> Lights:
        from hardware.real.gpio import GpioStatusLight  # noqa: PLC0415

        return GpioStatusLight(self._settings.status_light, self._pin_factory())

    def _buttons(self) -> Buttons:
        kind = self._settings.buttons.kind
        if kind == "sim":
            return SimButtons(self._table, self._now)
        if kind == "none":
            return NoButtons()
        make = self._gpio_buttons if kind == "gpio" else self._pico_buttons
        return _or(make, lambda why: NoButtons(Condition.ABSENT, why))

    def _pico_buttons(self) -> Buttons:
        return self._linked_pico().buttons

    def _gpio_buttons(self) -> Buttons:
        from hardware.real.gpio import GpioButtons  # noqa: PLC0415

        return GpioButtons(self._settings.buttons, self._pin_factory(), self._now)

    def _sound(self) -> Sound:
        kind = self._settings.sound.kind
        if kind == "sim":
            return SimSound(self._table)
        return NoSound() if kind == "none" else _or(self._gpio_sound, lambda why: NoSound(Condition.ABSENT, why))

    def _gpio_sound(self) -> Sound:
        from hardware.real.gpio import GpioSound  # noqa: PLC0415

        return GpioSound(self._settings.sound, self._pin_factory())

    def _linked_pico(self) -> "Pico":
        """One Pico for lights and buttons. It may be absent: its link finds it when it comes."""
        if self._pico is None:
            from hardware.real.pico import Pico  # noqa: PLC0415

            self._pico = Pico(self._settings.lights)
        return self._pico

    def _pin_factory(self) -> Any:
        """One factory for all pins. Raises DeviceError."""
        if self._pins is None:
            from hardware.real.gpio import lgpio_factory  # noqa: PLC0415

            self._pins = (self._make_pins or lgpio_factory)()
        return self._pins


def _or(make: Callable[[], Device], instead: Callable[[str], Device]) -> Device:
    """The device, or its stand-in that tells why it is missing."""
    try:
        return make()
    except DeviceError as error:
        return instead(str(error))
    except ImportError as error:
        return instead(f"{error.name} is not installed")
