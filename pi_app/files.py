"""Files that are never half written, and one that only one program may hold."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InUse(Exception):
    """Another program holds the file; `holder` is what it has written there about itself."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Puts `data` in place of what is there, all at once: a pulled plug leaves the old or the new. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)  # it might have another mode
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
    keep_owner(draft)
    sync(draft)
    draft.replace(path)
    sync(path.parent)  # or the name could still lead to the old file after the power failed


def keep_owner(path: Path) -> None:
    """What root makes in somebody's folder belongs to them: a service could not open it. Raises OSError."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def write_private(path: Path, data: bytes) -> None:
    """The same, for the owner's eyes alone."""
    write_whole(path, data, mode=0o600)


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextmanager
def held(path: Path, holder: str) -> Iterator[None]:
    """Keeps other programs that ask for it away from something; `holder` tells them who has it.

    Raises InUse, and OSError. The lock ends with the program, however that ends; the file stays.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8", errors="replace") as file:
        keep_owner(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(file.read(200)) from None
        file.truncate()
        file.write(holder)
        file.flush()
        yield
