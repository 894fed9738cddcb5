"""A backup a day, by itself, with a few older ones kept."""

import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Thread

from pi_app.setup.backup import BackupError, Place, make_backup
from pi_app.storage.store import StoreError

DAYS, WEEKS = 7, 4
"""So many of the last ones are kept, and of those before them the newest of each of so many weeks."""
LOOK_S = 600.0
FIRST_S = 60.0
"""Not in the middle of starting."""
_NAME = re.compile(r"allcity-(\d{4}-\d\d-\d\d)\.zip", re.ASCII)

log = logging.getLogger(__name__)


def backups(folder: Path) -> dict[date, Path]:
    """The daily backups that are there, the oldest first."""
    found = {}
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(ValueError):
                if named := _NAME.fullmatch(path.name):
                    found[date.fromisoformat(named[1])] = path
    return dict(sorted(found.items()))


def last_backup(folder: Path) -> date | None:
    return next(reversed(backups(folder)), None)


class DailyBackup:
    """Belongs to one thread; `trouble` may be asked by any."""

    def __init__(self, place: Place, folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._place, self._folder, self._now = place, folder, now
        self.trouble: str | None = None
        """Why the last attempt failed."""

    def start(self) -> None:
        Thread(target=self._run, name="backup", daemon=True).start()

    def _run(self) -> None:
        time.sleep(FIRST_S)
        while True:
            self.once()
            time.sleep(LOOK_S)

    def once(self) -> bool:
        """Makes today's, if there is none and anything has changed since the last; tells whether it did."""
        now = self._now()
        kept = backups(self._folder)
        # Without a clock of its own a Pi may wake up in the past: then it waits until it knows the day.
        if kept and (max(kept) >= now.date() or not self._changed_since(kept[max(kept)])):
            return False
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            make_backup(self._place, self._folder / f"allcity-{now.date()}.zip", now.isoformat(timespec="seconds"))
            self._rotate()
        except (BackupError, StoreError, OSError) as error:
            if isinstance(error, BackupError) and error.code == "nothing":
                return False
            self.trouble = str(error)
            log.warning("the daily backup failed: %s", error)
            return False
        self.trouble = None
        log.info("everything was backed up into %s", self._folder)
        return True

    def _changed_since(self, backup: Path) -> bool:
        log_file = self._place.store.with_name(self._place.store.name + "-wal")
        files = [self._place.store, log_file, *self._place.files().values(), *filter(None, [self._place.config])]
        with suppress(OSError):
            made = backup.stat().st_mtime
            return any(path.is_file() and path.stat().st_mtime > made for path in files)
        return True

    def _rotate(self) -> None:
        kept = backups(self._folder)
        newest_first = sorted(kept, reverse=True)
        weeks: dict[tuple[int, int], date] = {}
        for day in newest_first[DAYS:]:
            weeks.setdefault(day.isocalendar()[:2], day)
        stay = {*newest_first[:DAYS], *list(weeks.values())[:WEEKS]}
        for day, path in kept.items():
            if day not in stay:
                path.unlink(missing_ok=True)
