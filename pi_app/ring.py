"""The recording on disk: the last pictures of an evening, and all inputs of it, within a limit of bytes.

One folder per evening: `manifest.json`, `clean.png`, `inputs.jsonl` and `frames/`. Pictures come in runs; a run can be
read again without the pictures before it, and is dropped as a whole when room is needed. Belongs to one thread; another
process may read at any time. Everything here may raise OSError.
"""

import errno
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from pi_app.bundle import CLEAN, FRAMES, INPUTS, MANIFEST, frame_name, save_bundle

RUNS = 12
"""The limit holds about so many runs."""
LEAST_PICTURES = 6
"""And no picture that would not fit in so many times."""
MISMATCHES_KEPT = 5
ZIP_HEADER = 200
"""Bytes that a ZIP needs for every file in it, at most."""
SPARE = 200_000_000
"""Bytes of the disk that are left for the games."""


@dataclass
class _Run:
    files: list[Path] = field(default_factory=list)
    bytes: int = 0


class Ring:
    """Writes one evening into the folder, and forgets the oldest of what lies there."""

    def __init__(self, folder: Path, limit: int, free: Callable[[Path], int] | None = None) -> None:
        """`free` tells how many bytes the disk of a folder has left."""
        self.folder, self._limit = folder, limit
        self._free = free or (lambda path: shutil.disk_usage(path).free)
        self._evening: Path | None = None
        self._inputs: BinaryIO | None = None
        self._runs: list[_Run] = [_Run()]
        self._older: list[tuple[Path, int]] = []
        self._bytes = 0

    @property
    def run_is_full(self) -> bool:
        return self._runs[-1].bytes >= self._limit // RUNS

    def begin(self, manifest: Mapping[str, Any], clean_png: bytes) -> None:
        """Starts an evening; earlier ones stay while there is room."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for torn in self.folder.glob("*.part"):
            torn.unlink(missing_ok=True)
        earlier = evenings(self.folder)
        self._older = [(path, _size(path)) for path in earlier]
        self._evening = self.folder / f"evening-{_number(earlier) + 1:06}"
        (self._evening / FRAMES).mkdir(parents=True)
        (self._evening / CLEAN).write_bytes(clean_png)
        (self._evening / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        self._inputs = (self._evening / INPUTS).open("ab")
        self._runs, self._bytes = [_Run()], _size(self._evening)
        self._make_room(0)

    def add(self, line: str) -> None:
        """One input. Nothing is lost when the program is killed from here on."""
        assert self._inputs is not None
        data = line.encode() + b"\n"
        self._make_room(len(data))
        self._inputs.write(data)
        self._inputs.flush()
        self._bytes += len(data)

    def add_picture(self, number: int, png: bytes, starts_run: bool) -> None:
        """A picture, to be added before the input that came from it."""
        assert self._evening is not None
        if starts_run:
            self._runs.append(_Run())
        if len(png) > self._limit // LEAST_PICTURES:
            raise OSError(errno.EFBIG, "a picture is too large for the limit")
        self._make_room(len(png))
        path = self._evening / frame_name(number)
        path.write_bytes(png)
        run = self._runs[-1]
        run.files.append(path)
        run.bytes += len(png)
        self._bytes += len(png)

    def save_mismatch(self) -> Path:
        """A bundle of what led to this moment: all inputs, and the pictures of the last two runs."""
        assert self._evening is not None
        kept = mismatches(self.folder)
        for path in kept[: 1 - MISMATCHES_KEPT]:
            path.unlink(missing_ok=True)
        path = self.folder / f"mismatch-{_number(kept) + 1:06}.zip"
        recent = self._runs[-2:]
        besides = sum(_size(self._evening / name) for name in (INPUTS, CLEAN, MANIFEST))
        headers = ZIP_HEADER * (3 + sum(len(run.files) for run in recent))
        self._make_room(sum(run.bytes for run in recent) + besides + headers)
        save_bundle(self._evening, path, {file.name for run in recent for file in run.files})
        return path

    def close(self) -> None:
        if self._inputs is not None:
            self._inputs.close()

    def _make_room(self, more: int) -> None:
        """Drops bundles, evenings and runs, the oldest first, until there is room for so many bytes."""
        while not self._fits(more):
            saved = mismatches(self.folder)
            if saved and sum(map(_size, saved)) > self._limit // 2:
                saved[0].unlink(missing_ok=True)
            elif self._older:
                shutil.rmtree(self._older.pop(0)[0], ignore_errors=True)
            elif len(self._runs) > 1:
                self._drop(self._runs.pop(0))
            elif saved:
                saved[0].unlink(missing_ok=True)
            else:
                raise OSError(errno.ENOSPC, "there is no room for it")

    def _fits(self, more: int) -> bool:
        older = sum(size for _, size in self._older) + sum(map(_size, mismatches(self.folder)))
        return self._bytes + older + more <= self._limit and self._free(self.folder) - more >= SPARE

    def _drop(self, run: _Run) -> None:
        for path in run.files:
            path.unlink(missing_ok=True)
        self._bytes -= run.bytes


def evenings(folder: Path) -> list[Path]:
    """The recorded evenings, the oldest first."""
    return sorted(folder.glob("evening-[0-9][0-9][0-9][0-9][0-9][0-9]"))


def mismatches(folder: Path) -> list[Path]:
    """The bundles that were saved by themselves, the oldest first."""
    return sorted(folder.glob("mismatch-[0-9][0-9][0-9][0-9][0-9][0-9].zip"))


def _number(paths: list[Path]) -> int:
    """Of the last of them."""
    return int(paths[-1].stem.rpartition("-")[2]) if paths else 0


def _size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())
