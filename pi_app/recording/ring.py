"""The recording on disk: all inputs of an evening and some pictures, within a limit of bytes.

One folder per evening: `manifest.json`, `clean.png`, `inputs.jsonl.gz` and `frames/`. Pictures come in runs; a run is
dropped as a whole when room is needed. Belongs to one thread; another process may read at any time. Everything here
may raise OSError.
"""

import errno
import json
import shutil
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from pi_app.recording.bundle import CLEAN, FRAMES, GZIP, LOSSLESS, MANIFEST, PACKED, frame_name, save_bundle

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
        self._packer = zlib.compressobj(wbits=GZIP)
        self._runs: list[_Run] = [_Run()]
        self._older: list[tuple[Path, int]] = []
        self._bytes = 0
        self.written = 0
        """All bytes that were ever written."""

    @property
    def run_is_full(self) -> bool:
        return self._runs[-1].bytes >= self._limit // RUNS

    def bundle_bytes(self, pictures: int = 0) -> int:
        """What a bundle takes with so many lossless pictures, about: each is as large as that of the clean boards."""
        assert self._evening is not None
        sizes = {name: _size(self._evening / name) + ZIP_HEADER for name in (CLEAN, MANIFEST, PACKED)}
        return sum(sizes.values()) + pictures * sizes[CLEAN]

    def begin(self, manifest: Mapping[str, Any], clean_png: bytes) -> None:
        """Starts an evening; earlier ones stay while there is room."""
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        for torn in self.folder.glob("*.part"):
            torn.unlink(missing_ok=True)
        earlier = evenings(self.folder)
        self._older = [(path, _size(path)) for path in earlier]
        self._evening = self.folder / f"evening-{_number(earlier) + 1:06}"
        (self._evening / FRAMES).mkdir(parents=True)
        (self._evening / CLEAN).write_bytes(clean_png)
        (self._evening / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        self._inputs, self._packer = (self._evening / PACKED).open("ab"), zlib.compressobj(wbits=GZIP)
        self._runs, self._bytes = [_Run()], _size(self._evening)
        self.written += self._bytes
        self._make_room(0)

    def add(self, line: str) -> None:
        """One input. Nothing is lost when the program is killed from here on."""
        data = self._packer.compress(line.encode() + b"\n") + self._packer.flush(zlib.Z_SYNC_FLUSH)
        self._make_room(len(data))
        self._append(data)

    def _append(self, data: bytes) -> None:
        assert self._inputs is not None
        self._inputs.write(data)
        self._inputs.flush()
        self._bytes += len(data)
        self.written += len(data)

    def add_picture(self, number: int, data: bytes, starts_run: bool = True, kind: str = LOSSLESS) -> None:
        """A picture as the bytes of a file of that kind, in place of one that is there."""
        assert self._evening is not None
        if starts_run:
            self._runs.append(_Run())
        if len(data) > self._limit // LEAST_PICTURES:
            raise OSError(errno.EFBIG, "a picture is too large for the limit")
        path = self._evening / frame_name(number, kind)
        self._forget(path)
        self._make_room(len(data))
        path.write_bytes(data)
        run = self._runs[-1]
        run.files.append(path)
        run.bytes += len(data)
        self._bytes += len(data)
        self.written += len(data)

    def last_runs(self) -> set[str]:
        """The names of the pictures in the last two runs."""
        return {file.name for run in self._runs[-2:] for file in run.files}

    def save_mismatch(self, frames: Collection[str], more: Mapping[str, bytes]) -> Path:
        """A bundle of what led to this moment: all inputs, these pictures of the evening, and more files."""
        assert self._evening is not None
        kept = mismatches(self.folder)
        for path in kept[: 1 - MISMATCHES_KEPT]:
            path.unlink(missing_ok=True)
        path = self.folder / f"mismatch-{_number(kept) + 1:06}.zip"
        pictures = [_size(self._evening / FRAMES / name) for name in frames] + [len(data) for data in more.values()]
        self._make_room(self.bundle_bytes() + sum(pictures) + ZIP_HEADER * len(pictures))
        save_bundle(self._evening, path, frames, more)
        self.written += _size(path)
        return path

    def close(self) -> None:
        if self._inputs is not None:
            self._append(self._packer.flush())
            self._inputs.close()
            self._inputs = None

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

    def _forget(self, path: Path) -> None:
        """Drops one picture, if it is there."""
        for run in self._runs:
            if path in run.files:
                run.files.remove(path)
                run.bytes -= _size(path)
                self._bytes -= _size(path)
                path.unlink(missing_ok=True)

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
