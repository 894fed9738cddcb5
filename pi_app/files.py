"""Files that are never half written."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Puts `data` in place of what is there, all at once: a pulled plug leaves the old or the new. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
