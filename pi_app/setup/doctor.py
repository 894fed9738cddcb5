"""How everything is: a list of small checks, each a function that tells what it found."""

import logging
import platform
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Lock

import cv2

from hardware.ports import Condition, Status
from web.workshop import Said, Severity

Check = Callable[[], Iterable[Said]]

log = logging.getLogger(__name__)

FRESH_S = 2.0
LITTLE_MB, HARDLY_ANY_MB = 1_000, 200
_SEVERITY: dict[Condition, Severity] = {Condition.OK: "good", Condition.OFF: "good"}


class Doctor:
    """Asks every check in turn; one that fails is itself told. However many ask, it looks but every few seconds."""

    def __init__(self, checks: Sequence[Check], now: Callable[[], float] = time.monotonic) -> None:
        self._checks, self._now, self._lock = checks, now, Lock()
        self._found: list[Said] = []
        self._looked_s = float("-inf")

    def findings(self) -> list[Said]:
        with self._lock:
            if self._now() - self._looked_s >= FRESH_S:
                self._found = [said for check in self._checks for said in _asked(check)]
                self._looked_s = self._now()
            return self._found


@dataclass(frozen=True)
class Recording:
    """How the recorder is. `trouble` is the key and facts of a sentence."""

    enabled: bool
    folder: Path
    trouble: tuple[str, Mapping[str, object]] | None = None


def devices(statuses: Callable[[], Sequence[Status]]) -> Check:
    def check() -> Iterator[Said]:
        for status in statuses():
            yield Said(status.device, _SEVERITY.get(status.condition, "bad"), status.message, status.facts)

    return check


def store(path: Path) -> Check:
    def check() -> Iterator[Said]:
        try:
            megabytes = max(0.1, round(path.stat().st_size / 1e6, 1))
        except OSError:
            yield Said("store", "warn", "doctor.store_none", {"file": path.name})
            return
        yield Said("store", "good", "doctor.store", {"file": path.name, "size": megabytes})

    return check


def disk(folder: Path) -> Check:
    def check() -> Iterator[Said]:
        there = next(place for place in (folder, *folder.parents) if place.exists())
        free_mb = shutil.disk_usage(there).free // 1_000_000
        severity: Severity = "good" if free_mb > LITTLE_MB else "warn" if free_mb > HARDLY_ANY_MB else "bad"
        yield Said("disk", severity, f"doctor.disk_{severity}", {"free": round(free_mb / 1000, 1)})

    return check


def recorder(ask: Callable[[], Recording]) -> Check:
    def check() -> Iterator[Said]:
        recording = ask()
        if not recording.enabled:
            yield Said("recorder", "good", "doctor.recorder_off")
        elif recording.trouble is not None:
            yield Said("recorder", "bad", *recording.trouble)
        else:
            used = sum(file.stat().st_size for file in recording.folder.rglob("*") if file.is_file())
            yield Said("recorder", "good", "doctor.recorder", {"size": round(used / 1e6)})

    return check


def addresses(known: Sequence[str]) -> Check:
    def check() -> Iterator[Said]:
        if known:
            yield Said("network", "good", "doctor.addresses", {"addresses": list(known)})
        else:
            yield Said("network", "warn", "doctor.addresses_none")

    return check


def simulated() -> Iterator[Said]:
    """A simulated camera has neither lens nor clean boards to be shown."""
    yield Said("clean", "good", "setup.done_simulated")


def kept_pictures(lens: Path, clean: Path) -> Check:
    def check() -> Iterator[Said]:
        for name, path in (("lens", lens), ("clean", clean)):
            there = path.is_file()
            yield Said(name, "good" if there or name == "lens" else "warn", f"doctor.{name}{'' if there else '_none'}")

    return check


def programs() -> Iterator[Said]:
    yield Said("version", "good", "doctor.version", {"version": version("allcity")})
    yield Said("python", "good", "doctor.python", {"version": platform.python_version(), "system": platform.system()})
    yield Said("opencv", "good", "doctor.opencv", {"version": cv2.__version__})


def _asked(check: Check) -> list[Said]:
    try:
        return list(check())
    except Exception:  # a doctor must not faint
        log.exception("a check failed")
        return [Said("doctor", "bad", "doctor.failed", {"check": getattr(check, "__qualname__", "?").split(".")[0]})]
