"""What the configuration says about the hardware. Pins are numbered as gpiozero does (BCM), not along the header."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hardware.ports import Button

MainsHz = Literal[50, 60]

# Where each zone lies on the strip, unless the configuration says otherwise: first pixel and how many. Four seats have
# eight pixels each, six sections in the middle of the table four.
ZONE_PIXELS: dict[str, tuple[int, int]] = {
    **{f"seat.{n}": (8 * (n - 1), 8) for n in range(1, 5)},
    **{f"section.{n}": (32 + 4 * (n - 1), 4) for n in range(1, 7)},
    "status": (56, 4),
}


@dataclass(frozen=True)
class CameraSettings:
    kind: Literal["auto", "sim", "picamera2", "webcam", "folder", "none"] = "sim"
    """auto: the Pi's own camera if one is attached, otherwise the simulated one."""
    device: int = 0
    """Which of several cameras."""
    path: Path | None = None
    """For kind folder: a folder of pictures, or a recording."""
    width_px: int = 2304
    height_px: int = 1296
    small_width_px: int = 640
    mains_hz: MainsHz = 50
    """Lamps flicker at twice this; exposures are multiples of that."""


@dataclass(frozen=True)
class LightsSettings:
    kind: Literal["sim", "pico", "none"] = "sim"
    port: str = "auto"
    """The Pico's serial port, or auto: the first Raspberry Pi Pico that is plugged in."""
    brightness: float = 0.6
    """0 to 1, over all colours."""
    budget_ma: int = 1500
    """The strip never draws more: whole frames are dimmed to this."""
    order: Literal["GRB", "GBR", "RGB", "RBG", "BGR", "BRG"] = "GRB"
    """In which order the strip's pixels take their colours; WS2812 take green first."""
    zones: Mapping[str, tuple[int, int]] = field(default_factory=lambda: dict(ZONE_PIXELS))
    """First pixel and number of pixels of each zone."""


@dataclass(frozen=True)
class StatusLightSettings:
    """An RGB LED straight on the Pi, besides the zone `status` of the strip."""

    kind: Literal["gpio", "none"] = "none"
    red_pin: int = 16
    green_pin: int = 20
    blue_pin: int = 21


@dataclass(frozen=True)
class ButtonsSettings:
    kind: Literal["sim", "gpio", "pico", "none"] = "sim"
    confirm_pin: int = 5
    undo_pin: int = 6
    next_pin: int = 13

    @property
    def pins(self) -> dict[Button, int]:
        return {"confirm": self.confirm_pin, "undo": self.undo_pin, "next": self.next_pin}


@dataclass(frozen=True)
class SoundSettings:
    kind: Literal["sim", "gpio", "none"] = "sim"
    pin: int = 12


@dataclass(frozen=True)
class HardwareSettings:
    camera: CameraSettings = CameraSettings()
    lights: LightsSettings = LightsSettings()
    status_light: StatusLightSettings = StatusLightSettings()
    buttons: ButtonsSettings = ButtonsSettings()
    sound: SoundSettings = SoundSettings()
