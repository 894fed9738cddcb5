"""One file that tells an evening: a ZIP with manifest, inputs and pictures.

What is read may come from a stranger: nothing is unpacked to the disk, every size is bounded before it is believed, and
whatever is wrong is one line.
"""

import itertools
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from pi_app.engine.contract import Setup
from pi_app.games import GAMES
from pi_app.recording.lines import BadLine, Line, read_line, read_records
from vision.files import check_writable, regular
from vision.layout import BadLayout, parse_layout
from vision.rectify import parse_lens

T = TypeVar("T")

FORMAT, READABLE = 3, (3,)
MANIFEST, INPUTS, CLEAN, FRAMES = "manifest.json", "inputs.jsonl", "clean.png", "frames"
PACKED = f"{INPUTS}.gz"
"""The inputs of an evening that is being recorded."""
GZIP = 31
"""What zlib calls it."""
LOSSLESS, LOSSY = ".png", ".jpg"
"""Pictures that can be read again bit for bit, and pictures to look at."""
MOST_FILES, MOST_INPUTS = 20_000, 10_000_000
LARGEST = {MANIFEST: 20_000_000, INPUTS: 500_000_000}
LARGEST_DIRECTORY = 100 * MOST_FILES
LARGEST_PICTURE, LONGEST_LINE = 100_000_000, 5_000_000
_FRAME = re.compile(rf"{FRAMES}/(\d{{6}})(\.png|\.jpg)", re.ASCII)
_ENDS = {LOSSLESS: b"IEND\xaeB`\x82", LOSSY: b"\xff\xd9"}
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""What Python's zipfile raises for files that are no good."""


class BadBundle(ValueError):
    """A file that is no usable bundle; says why."""


def frame_name(number: int, kind: str = LOSSLESS) -> str:
    return f"{FRAMES}/{number:06}{kind}"


# --- writing ----------------------------------------------------------------------------------


def save_bundle(
    evening: Path, file: Path, frames: Collection[str] | None = None, more: Mapping[str, bytes] | None = None
) -> None:
    """Makes one file of a recorded evening, with these pictures of it or all, and with `more` files. Raises OSError.

    The evening may still be recorded, or may have been cut off: what is not whole is left out.
    """
    check_writable(file)
    part = file.with_name(f"{file.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as made:
            _add(made, MANIFEST, (evening / MANIFEST).read_bytes(), zipfile.ZIP_DEFLATED)
            _add(made, CLEAN, (evening / CLEAN).read_bytes())
            # Inputs first: pictures that come meanwhile have no line yet.
            with made.open(_entry(INPUTS, zipfile.ZIP_DEFLATED), "w") as inputs:
                for line, _ in recorded_lines(evening):
                    inputs.write(line + b"\n")
            for path in _frames(evening):
                if frames is None or path.name in frames:
                    _add_frame(made, path)
            for name, data in (more or {}).items():
                _add(made, name, data)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def recorded_lines(evening: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The whole lines of a recorded evening, and what they tell. Raises OSError.

    A pulled plug may leave any nonsense at the end: what is told ends there.
    """
    rest = b""
    for text in _unpacked(evening / PACKED):
        *whole, rest = (rest + text).split(b"\n")
        for line in whole:
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(told, dict):
                return
            yield line, told


def _unpacked(path: Path) -> Iterator[bytes]:
    """What was packed, as far as it can be unpacked. Raises OSError."""
    unpacker = zlib.decompressobj(GZIP)
    with path.open("rb") as file:
        while packed := file.read(10_000):
            before = unpacker.copy()
            try:
                yield unpacker.decompress(packed)
            except zlib.error:
                # Up to the very byte that is wrong.
                with suppress(zlib.error):
                    for at in range(len(packed)):
                        yield before.decompress(packed[at : at + 1])
                return


def newest_frames(evening: Path, most_bytes: int) -> set[str]:
    """The pictures of the last runs that fit into so many bytes together; each run can be read again by itself.

    Raises OSError.
    """
    sizes: dict[int, dict[str, int]] = {}
    for path in _frames(evening):
        sizes.setdefault(int(path.stem), {})[path.name] = path.stat().st_size
    runs: list[dict[str, int]] = [{}]
    for _, told in recorded_lines(evening):
        if "picture" in told:
            runs += [{}] if told.get("afresh") else []
            runs[-1] |= sizes.get(told["picture"], {})
    kept: dict[str, int] = {}
    for run in reversed(runs):
        if sum(kept.values()) + sum(run.values()) > most_bytes:
            break
        kept |= run
    return set(kept)


def _frames(evening: Path) -> list[Path]:
    return sorted(path for path in (evening / FRAMES).iterdir() if _FRAME.fullmatch(f"{FRAMES}/{path.name}"))


def _add_frame(made: zipfile.ZipFile, path: Path) -> None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return  # dropped from the ring meanwhile
    if data.endswith(_ENDS[path.suffix]):
        _add(made, f"{FRAMES}/{path.name}", data)


def _add(made: zipfile.ZipFile, name: str, data: bytes, packing: int = zipfile.ZIP_STORED) -> None:
    made.writestr(_entry(name, packing), data)


def _entry(name: str, packing: int) -> zipfile.ZipInfo:
    """Without a date: a ZIP knows none before 1980, but a Pi without a clock may."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = packing
    return entry


# --- reading ----------------------------------------------------------------------------------


def is_bundle(path: Path) -> bool:
    """Whether a file begins like one. Raises OSError."""
    with FileIO(path, opener=regular) as file:
        return file.read(4) == b"PK\x03\x04"


class _ZipFile(FileIO):
    """The file under a ZIP: a directory that does not fit into memory is refused before it is read."""

    opened = False

    def read(self, size: int | None = -1) -> bytes:
        if not self.opened and size is not None and size > LARGEST_DIRECTORY:
            raise zipfile.BadZipFile(f"its directory is larger than {LARGEST_DIRECTORY // 1_000_000} MB")
        return super().read(size)


class Bundle:
    """A bundle, open to be read. Every method raises BadBundle."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with ExitStack() as stack:
            try:
                file = stack.enter_context(_ZipFile(path, opener=regular))
                self._zip = stack.enter_context(zipfile.ZipFile(file))
            except _BROKEN as error:
                raise BadBundle(f"{path}: is no bundle ({_why(error)})") from error
            file.opened = True
            self._open()
            self._close = stack.pop_all().close

    def _open(self) -> None:
        self._check_names()
        told = self._json(MANIFEST)
        if told.get("format") not in READABLE:
            formats = f"{READABLE[0]} to {READABLE[-1]}"
            raise self._bad(f"has the format {str(told.get('format'))[:20]}; this program reads {formats}")
        try:
            self.game = GAMES[told["game"]]
            setup = told["setup"]
            self.setup = Setup(dict(setup["profile"]), dict(setup["options"]), tuple(map(str, setup["players"])))
            self.records = read_records(told["records"], self.game.events)
            self.layout = parse_layout(told["layout"], Path())
            self.lens = None if told.get("lens") is None else parse_lens(told["lens"])
            self.versions = {str(name): str(number)[:40] for name, number in told["versions"].items()}
        except (KeyError, TypeError, ValueError, AttributeError, BadLayout, BadLine) as error:
            raise self._bad(f"{MANIFEST} is wrong ({_why(error)})") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def clean_png(self) -> bytes:
        return self._read(CLEAN)

    @property
    def pictures(self) -> list[int]:
        """The numbers of the pictures in it, in order."""
        return sorted({*self.lossless, *self._numbers(LOSSY)})

    @property
    def lossless(self) -> list[int]:
        """The numbers of those that can be read again."""
        return self._numbers(LOSSLESS)

    def _numbers(self, kind: str) -> list[int]:
        frames = map(_FRAME.fullmatch, self._zip.namelist())
        return sorted(int(found[1]) for found in frames if found and found[2] == kind)

    def picture(self, number: int) -> bytes:
        """A picture as a file, lossless if it is there like that."""
        name = frame_name(number)
        return self._read(name if name in self._zip.namelist() else frame_name(number, LOSSY))

    def lines(self) -> Iterator[Line]:
        """Every step in order. They are never all in memory at once."""
        left, inputs = LARGEST[INPUTS], 0
        with self._opened(INPUTS) as file:
            for number in itertools.count(1):
                text = self._taken(INPUTS, lambda: file.readline(LONGEST_LINE + 1))
                if not text:
                    return
                left -= len(text)
                if left < 0 or len(text) > LONGEST_LINE:
                    raise self._bad(f"{INPUTS}, line {number}: is too long")
                try:
                    line = read_line(text.decode("utf-8", "replace"), self.game.events)
                except BadLine as error:
                    raise self._bad(f"{INPUTS}, line {number}: {error}") from error
                inputs += line.times
                if inputs > MOST_INPUTS:
                    raise self._bad(f"{INPUTS}, line {number}: these are more than {MOST_INPUTS} inputs")
                yield line

    def _check_names(self) -> None:
        """Nothing but what belongs there, each once."""
        names = self._zip.namelist()
        if len(names) > MOST_FILES:
            raise self._bad(f"holds more than {MOST_FILES} files")
        for name in names:
            if name not in (MANIFEST, INPUTS, CLEAN) and not _FRAME.fullmatch(name):
                raise self._bad(f"holds a file that does not belong there: {name[:60]!r}")
        if len(set(names)) != len(names):
            raise self._bad("holds a file twice")
        for name in (MANIFEST, INPUTS, CLEAN):
            if name not in names:
                raise self._bad(f"lacks {name}")

    def _json(self, name: str) -> dict[str, Any]:
        try:
            data = json.loads(self._read(name))
        except (ValueError, RecursionError) as error:
            if isinstance(error, BadBundle):
                raise
            raise self._bad(f"{name} is no JSON") from error
        if not isinstance(data, dict):
            raise self._bad(f"{name} is no object")
        return data

    def _read(self, name: str) -> bytes:
        """At most as many bytes as such a file may have, whatever the ZIP claims."""
        most = LARGEST.get(name, LARGEST_PICTURE)
        with self._opened(name) as file:
            data = self._taken(name, lambda: file.read(most + 1))
        if len(data) > most:
            raise self._bad(f"{name} is larger than {most // 1_000_000} MB")
        return data

    def _opened(self, name: str) -> IO[bytes]:
        return self._taken(name, lambda: self._zip.open(name))

    def _taken(self, name: str, take: Callable[[], T]) -> T:
        """What `take` gives, and one error for all that it may raise."""
        try:
            return take()
        except (*_BROKEN, KeyError) as error:
            raise self._bad(f"{name} is damaged ({_why(error)})") from error

    def _bad(self, why: str) -> BadBundle:
        return BadBundle(f"{self.path}: {why}")


def _why(error: BaseException) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__
