"""What the doctor looks at besides the table itself: the machine, what is kept on it, and the program."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

from pi_app.config import Config
from pi_app.setup import doctor, machine
from pi_app.setup.daily_backup import last_backup


def checks(
    config: Config,
    recording: Callable[[], doctor.Recording],
    backups: Callable[[], doctor.Backups],
    addresses: Callable[[], Sequence[str]],
) -> tuple[doctor.Check, ...]:
    folder = config.store.parent
    return (
        machine.power(),
        machine.heat(),
        doctor.store(config.store),
        machine.disk(folder),
        machine.card(folder),
        doctor.backups(backups, config.store),
        doctor.recorder(recording),
        machine.access(_devices(config)),
        doctor.addresses(addresses),
        machine.clock(lambda: _last_known(config)),
        machine.programs(),
    )


def _devices(config: Config) -> list[str]:
    """What this configuration opens below /dev, if it is there."""
    hardware = config.hardware
    wanted = {
        "ttyACM*": "pico" in (hardware.lights.kind, hardware.buttons.kind),
        "gpiochip*": "gpio" in (hardware.buttons.kind, hardware.status_light.kind, hardware.sound.kind),
        "video*": hardware.camera.kind in ("picamera2", "webcam"),
        "media*": hardware.camera.kind == "picamera2",
    }
    return [name for name, opened in wanted.items() if opened]


def _last_known(config: Config) -> date | None:
    """A day that has been: something was kept then."""
    days = [last_backup(config.backups)]
    with suppress(OSError):
        days.append(datetime.fromtimestamp(config.store.stat().st_mtime, UTC).date())
    return max(filter(None, days), default=None)
