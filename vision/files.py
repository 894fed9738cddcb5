"""Files that somebody names: read only if they are files, and only up to a stated size."""

import errno
import os
import stat
from pathlib import Path


class TooLarge(OSError):
    """A file beyond the stated size."""


def regular(name: str, flags: int) -> int:
    """An `opener` for files alone: a device or a pipe is refused, and nobody waits for it. Raises OSError."""
    # Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
    number = os.open(name, flags | os.O_NONBLOCK)
    try:
        _refuse_special(name, os.fstat(number).st_mode)
    except OSError:
        os.close(number)
        raise
    return number


def read_bounded(path: Path, most: int) -> bytes:
    """All of a file of at most so many bytes. Raises TooLarge and other OSErrors."""
    try:
        file = open(path, "rb", opener=regular)  # noqa: SIM115 - Path.open knows no openers
    except ValueError as error:
        raise OSError(errno.EINVAL, "this is no name of a file", str(path)) from error
    with file:
        large = os.fstat(file.fileno()).st_size > most
        # A file may grow meanwhile, and some tell no size.
        data = b"" if large else file.read(most + 1)
    if large or len(data) > most:
        raise TooLarge(errno.EFBIG, f"it is larger than {most / 1_000_000:g} MB", str(path))
    return data


def check_writable(path: Path) -> None:
    """Refuses to put a file in place of a device, a pipe or a folder. Raises OSError."""
    if path.exists():
        _refuse_special(str(path), path.stat().st_mode)


def _refuse_special(name: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", name)
