"""Counts starts that came to nothing, so that after some in a row the program starts without what may be to blame."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pi_app.files import write_whole

MOST = 3
HEALTHY_S = 60.0
"""Who has run for so long has started."""


class Starts:
    """A file beside the database, written before anything is tried and removed when it went well."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "starts.json"
        self.failed = self._read()
        """How many starts in a row came to nothing."""

    @property
    def is_safe_mode(self) -> bool:
        return self.failed >= MOST

    @contextmanager
    def counted(self, *orderly: type[Exception]) -> Iterator[None]:
        """What is done inside counts as failed unless it ends, is stopped, raises what is `orderly`, or `went_well`."""
        with suppress(OSError):  # whoever cannot write here will be told by others
            write_whole(self._file, json.dumps(self.failed + 1).encode())
        try:
            yield
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, *orderly)):
                self.went_well()
            raise
        self.went_well()

    def went_well(self) -> None:
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _read(self) -> int:
        with suppress(OSError, ValueError):
            told = json.loads(self._file.read_bytes())
            return told if type(told) is int else 0
        return 0
