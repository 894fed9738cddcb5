"""How everything is: a list of small checks, each a function that tells what it found.

A finding says how something is. What it means for play and what to do lies in the sentences `doctor.<name>.means` and
`doctor.<name>.do`; docs/when-it-goes-wrong.md has a section for each.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from hardware.ports import Condition, Status
from pi_app.setup.daily_backup import last_backup
from pi_app.storage.store import StoreError, check_store
from web.people import Refused
from web.workshop import Said, Severity

Check = Callable[[], Iterable[Said]]

log = logging.getLogger(__name__)

FRESH_S = 2.0
OLD_DAYS, VERY_OLD_DAYS = 3, 30
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


@dataclass(frozen=True)
class Backups:
    """How the daily backups are. `trouble` says why the last one failed."""

    enabled: bool
    folder: Path
    trouble: str | None = None


def devices(statuses: Callable[[], Sequence[Status]]) -> Check:
    def check() -> Iterator[Said]:
        for status in statuses():
            severity: Severity = _SEVERITY.get(status.condition, "bad")
            yield Said(status.device, severity, status.message, status.facts)
            if status.ok and "firmware" in status.facts:
                yield Said("firmware", "good", "doctor.firmware.good", status.facts)

    return check


def picture(findings: Callable[[], Iterable[Said]]) -> Check:
    """What is good and what is not about the camera's picture. Without one, the camera itself says why."""

    def check() -> Iterator[Said]:
        try:
            yield from findings()
        except Refused as refused:
            yield Said("picture", "warn", "doctor.picture.none", {"why": refused.refusal.key})

    return check


def store(path: Path) -> Check:
    """Looks the whole file through, but only after it has changed."""
    looked: tuple[object, Said | None] = (None, None)

    def check() -> Iterator[Said]:
        nonlocal looked
        try:
            stat = path.stat()
        except OSError:
            yield Said("store", "good", "doctor.store.none", {"file": path.name})
            return
        stamp = stat.st_mtime_ns, stat.st_size
        if looked[0] != stamp or looked[1] is None:
            looked = stamp, _looked_through(path, stat.st_size)
        assert looked[1] is not None
        yield looked[1]

    return check


def _looked_through(path: Path, size: int) -> Said:
    try:
        check_store(path)
    except StoreError as error:
        return Said("store", "bad", f"store.{error.code}", {**error.facts, "file": path.name})
    return Said("store", "good", "doctor.store.good", {"file": path.name, "size": max(0.1, round(size / 1e6, 1))})


def recorder(ask: Callable[[], Recording]) -> Check:
    def check() -> Iterator[Said]:
        recording = ask()
        if not recording.enabled:
            yield Said("recorder", "good", "doctor.recorder.off")
        elif recording.trouble is not None:
            yield Said("recorder", "warn", *recording.trouble)
        else:
            used = sum(file.stat().st_size for file in recording.folder.rglob("*") if file.is_file())
            yield Said("recorder", "good", "doctor.recorder.good", {"size": round(used / 1e6)})

    return check


def backups(
    ask: Callable[[], Backups], store: Path, today: Callable[[], date] = lambda: datetime.now(UTC).date()
) -> Check:
    """How old the last daily backup is; a table without games needs none."""

    def check() -> Iterator[Said]:
        made = ask()
        last = last_backup(made.folder)
        if not store.exists():
            yield Said("backup", "good", "doctor.backup.nothing")
        elif made.trouble is not None:
            yield Said("backup", "bad", "doctor.backup.failed", {"why": made.trouble})
        elif not made.enabled:
            yield Said("backup", "warn", "doctor.backup.off")
        elif last is None:
            yield Said("backup", "good", "doctor.backup.soon")
        elif (days := (today() - last).days) > OLD_DAYS and _changed(store) > last:
            severity: Severity = "bad" if days > VERY_OLD_DAYS else "warn"
            yield Said("backup", severity, "doctor.backup.old", {"count": days})
        else:
            yield Said("backup", "good", "doctor.backup.good", {"day": str(last)})

    return check


def _changed(path: Path) -> date:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()


def addresses(known: Callable[[], Sequence[str]]) -> Check:
    def check() -> Iterator[Said]:
        if found := known():
            yield Said("network", "good", "doctor.network.good", {"addresses": list(found)})
        else:
            yield Said("network", "warn", "doctor.network.none")

    return check


def safe_mode() -> Iterator[Said]:
    """The devices are left alone this time."""
    yield Said("program", "warn", "doctor.program.safe")


def simulated() -> Iterator[Said]:
    """A simulated camera has neither lens nor clean boards to be shown."""
    yield Said("clean", "good", "setup.done_simulated")


def kept_pictures(lens: Path, clean: Path) -> Check:
    def check() -> Iterator[Said]:
        for name, path in (("lens", lens), ("clean", clean)):
            there = path.is_file()
            severity: Severity = "good" if there or name == "lens" else "warn"
            yield Said(name, severity, f"doctor.{name}.{'good' if there else 'none'}")

    return check


def _asked(check: Check) -> list[Said]:
    try:
        return list(check())
    except Exception:  # a doctor must not faint
        log.exception("a check failed")
        name = getattr(check, "__qualname__", "?").split(".")[0]
        return [Said("doctor", "bad", "doctor.doctor.failed", {"check": name})]
