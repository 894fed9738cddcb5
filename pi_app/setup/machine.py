"""How the machine under the table is, a check for each: power, heat, disk, card, clock, what may be opened, versions.

What is asked of the system lies below a `root`, so that tests can show any machine.
"""

import ctypes
import grp
import os
import platform
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path

import cv2

from web.workshop import Said, Severity

Check = Callable[[], Iterable[Said]]

ROOT = Path("/")
LITTLE_MB, HARDLY_ANY_MB = 1_000, 200
WARM_C, HOT_C = 75.0, 82.0
# Bits of the firmware's answer (vcgencmd get_throttled), now and since the start.
LOW_VOLTAGE, LOW_VOLTAGE_BEFORE = 1 << 0, 1 << 16
TOO_HOT, TOO_HOT_BEFORE = 1 << 1 | 1 << 2 | 1 << 3, 1 << 17 | 1 << 18 | 1 << 19
WORN = 9
"""Of eleven steps of an eMMC's life."""
CLOCK_UNSYNCHRONISED = 5
"""What adjtimex gives while nobody has set the clock by the network."""


def ask_firmware() -> str:
    """What the Pi's firmware tells of power and heat, `throttled=0x0`. Raises OSError on other machines."""
    asked = ["vcgencmd", "get_throttled"]
    return subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False).stdout


def power(ask: Callable[[], str] = ask_firmware) -> Check:
    def check() -> Iterator[Said]:
        bits = _throttled(ask)
        if bits is None:
            yield Said("power", "good", "doctor.power.unknown")
        elif bits & LOW_VOLTAGE:
            yield Said("power", "bad", "doctor.power.low")
        elif bits & LOW_VOLTAGE_BEFORE:
            yield Said("power", "warn", "doctor.power.was_low")
        else:
            yield Said("power", "good", "doctor.power.good")

    return check


def heat(ask: Callable[[], str] = ask_firmware, root: Path = ROOT) -> Check:
    def check() -> Iterator[Said]:
        bits = _throttled(ask) or 0
        told = _text(root / "sys/class/thermal/thermal_zone0/temp")
        degrees = float(told) / 1000 if told.lstrip("-").isdecimal() else None
        if bits & TOO_HOT or (degrees is not None and degrees >= HOT_C):
            yield Said("heat", "bad", "doctor.heat.hot", {"degrees": round(degrees or HOT_C)})
        elif bits & TOO_HOT_BEFORE or (degrees is not None and degrees >= WARM_C):
            yield Said("heat", "warn", "doctor.heat.warm", {"degrees": round(degrees or WARM_C)})
        elif degrees is None:
            yield Said("heat", "good", "doctor.heat.unknown")
        else:
            yield Said("heat", "good", "doctor.heat.good", {"degrees": round(degrees)})

    return check


def _throttled(ask: Callable[[], str]) -> int | None:
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        return int(ask().partition("=")[2].strip(), 16)
    return None


def disk(folder: Path, free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free) -> Check:
    def check() -> Iterator[Said]:
        free_mb = free_bytes(_there(folder)) // 1_000_000
        severity: Severity = "good" if free_mb > LITTLE_MB else "warn" if free_mb > HARDLY_ANY_MB else "bad"
        yield Said("disk", severity, f"doctor.disk.{severity}", {"free": round(free_mb / 1000, 1)})

    return check


def card(folder: Path, root: Path = ROOT, is_read_only: Callable[[Path], bool] | None = None) -> Check:
    """What the system has noticed of the disk on which the games lie."""

    def read_only(path: Path) -> bool:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)

    def check() -> Iterator[Said]:
        there = _there(folder)
        name = _device(there, root)
        errors = _text(root / "sys/fs/ext4" / name / "errors_count")
        worn = _worn(root / "sys/class/block" / name.rstrip("0123456789").removesuffix("p") / "device/life_time")
        if (is_read_only or read_only)(there):
            yield Said("card", "bad", "doctor.card.read_only")
        elif errors.isdecimal() and int(errors):
            yield Said("card", "bad", "doctor.card.errors", {"count": int(errors)})
        elif worn >= WORN:
            yield Said("card", "warn", "doctor.card.worn", {"percent": 10 * min(worn, 10)})
        else:
            yield Said("card", "good", "doctor.card.good")

    return check


def _device(path: Path, root: Path) -> str:
    """The name of the partition that a folder lies on, `mmcblk0p2` for example; nothing if it is none."""
    number = path.stat().st_dev
    wanted = f"{os.major(number)}:{os.minor(number)}"
    for line in _text(root / "proc/self/mountinfo").splitlines():
        words = line.split()
        if words[2] == wanted and "-" in words:
            return words[words.index("-") + 2].rpartition("/")[2]
    return ""


def _worn(life_time: Path) -> int:
    """How far an eMMC is through its life, in tenths; nothing is known of SD cards."""
    steps = [int(word, 16) for word in _text(life_time).split() if word.startswith("0x")]
    return max(steps, default=0)


def access(devices: Iterable[str], root: Path = ROOT, may: Callable[[Path], bool] | None = None) -> Check:
    """Whether what is plugged in may be opened. `devices` are names below /dev, such as `ttyACM*`."""

    def allowed(path: Path) -> bool:
        return os.access(path, os.R_OK | os.W_OK)

    def check() -> Iterator[Said]:
        plugged = sorted(path for pattern in devices for path in (root / "dev").glob(pattern))
        for path in plugged:
            if not (may or allowed)(path):
                facts = {"device": path.name, "group": _group(path), "user": _user()}
                yield Said("access", "bad", "doctor.access.denied", facts)
                return
        yield Said("access", "good", "doctor.access.good")

    return check


def _group(path: Path) -> str:
    number = path.stat().st_gid
    with suppress(KeyError):
        return grp.getgrgid(number).gr_name
    return str(number)


def _user() -> str:
    with suppress(KeyError):
        return pwd.getpwuid(os.getuid()).pw_name
    return str(os.getuid())


def is_synchronised() -> bool:
    """Whether the system's clock was set by the network."""
    told = ctypes.create_string_buffer(1024)  # a struct timex without a wish
    state: int = ctypes.CDLL(None).adjtimex(told)
    return state not in (-1, CLOCK_UNSYNCHRONISED)


def clock(
    last_known: Callable[[], date | None],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    synchronised: Callable[[], bool] = is_synchronised,
) -> Check:
    """`last_known` is a day that has been: the clock cannot be right if it is earlier now."""

    def check() -> Iterator[Said]:
        today, known = now().date(), last_known()
        facts = {"now": now().strftime("%Y-%m-%d %H:%M")}
        if known is not None and today < known:
            yield Said("clock", "bad", "doctor.clock.behind", {**facts, "known": known.isoformat()})
        elif not synchronised():
            yield Said("clock", "warn", "doctor.clock.alone", facts)
        else:
            yield Said("clock", "good", "doctor.clock.good", facts)

    return check


def programs(root: Path = ROOT) -> Check:
    def check() -> Iterator[Said]:
        model = _text(root / "proc/device-tree/model").strip("\0\n ") or platform.machine()
        yield Said("version", "good", "doctor.version.good", {"version": version("allcity")})
        yield Said("system", "good", "doctor.system.good", {"model": model, "system": _system(root)})
        yield Said("python", "good", "doctor.python.good", {"version": platform.python_version()})
        yield Said("opencv", "good", "doctor.opencv.good", {"version": cv2.__version__})

    return check


def _system(root: Path) -> str:
    for line in _text(root / "etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return platform.system()


def _there(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def _text(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip()
    return ""
