"""Backups from the set-up pages: saved from the browser, and brought back onto a fresh card."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.setup.backup import BackupError, Place, Summary, make_backup, stage
from pi_app.storage.store import StoreError
from web.people import Refused
from web.workshop import Json


class Backups:
    """Any thread may use it."""

    def __init__(
        self, place: Place, folder: Path, now: Callable[[], str], begin_anew: Callable[[Summary], None]
    ) -> None:
        """`folder` keeps what a restore replaces. `begin_anew` has the program end and start with what was staged."""
        self._place, self._folder, self._now, self._begin_anew = place, folder, now, begin_anew

    def make(self) -> bytes:
        with _told(), tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "backup.zip"
            make_backup(self._place, file, self._now())
            return file.read_bytes()

    def take_back(self, data: bytes) -> Json:
        with _told(), tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "backup.zip"
            file.write_bytes(data)
            found = stage(self._place, file, self._folder, self._now())
        self._begin_anew(found)
        return {"games": found.games, "made_at": found.made_at}


@contextmanager
def _told() -> Iterator[None]:
    """Raises Refused for whatever may go wrong."""
    try:
        yield
    except BackupError as error:
        raise Refused(f"backup.{error.code}", **error.facts) from error
    except StoreError as error:
        raise Refused(f"store.{error.code}", **{**error.facts, "file": Path(error.facts["file"]).name}) from error
    except OSError as error:
        raise Refused("setup.cannot_write", why=error.strerror or "") from error
