"""One file that tells an evening: a ZIP with manifest, inputs and pictures.

What is read may come from a stranger: nothing is unpacked to the disk, every size is bounded before it is believed, and
whatever is wrong is one line.
"""

import itertools
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from pi_app.engine.contract import Setup
from pi_app.games import GAMES
from pi_app.lines import BadLine, Line, read_line, read_records
from vision.layout import BadLayout, parse_layout

T = TypeVar("T")

FORMAT = 1
MANIFEST, INPUTS, CLEAN, FRAMES = "manifest.json", "inputs.jsonl", "clean.png", "frames"
MOST_FILES = 20_000
LARGEST = {MANIFEST: 20_000_000, INPUTS: 500_000_000}
LARGEST_PICTURE, LONGEST_LINE = 100_000_000, 5_000_000
_FRAME = re.compile(rf"{FRAMES}/(\d{{6}})\.png", re.ASCII)
_PNG_END = b"IEND\xaeB`\x82"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""What Python's zipfile raises for files that are no good."""


class BadBundle(ValueError):
    """A file that is no usable bundle; says why."""


def frame_name(number: int) -> str:
    return f"{FRAMES}/{number:06}.png"


# --- writing ----------------------------------------------------------------------------------


def save_bundle(evening: Path, file: Path, frames: Collection[str] | None = None) -> None:
    """Makes one file of a recorded evening, with these pictures or all of them. Raises OSError.

    The evening may still be recorded, or may have been cut off: what is not whole is left out.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as made:
            made.write(evening / MANIFEST, MANIFEST, zipfile.ZIP_DEFLATED)
            made.write(evening / CLEAN, CLEAN)
            # Inputs first: pictures that come meanwhile have no line yet.
            whole = (evening / INPUTS).read_bytes().rpartition(b"\n")
            made.writestr(INPUTS, whole[0] + whole[1], zipfile.ZIP_DEFLATED)
            for path in sorted((evening / FRAMES).glob("*.png")):
                if frames is None or path.name in frames:
                    _add_frame(made, path)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def newest_frames(evening: Path, most_bytes: int) -> set[str]:
    """The pictures of the last runs that fit into so many bytes together; each run can be read again by itself.

    Raises OSError.
    """
    runs: list[list[Path]] = [[]]
    for line in (evening / INPUTS).read_bytes().splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            break  # cut off
        if "picture" in told:
            runs += [[]] if told.get("afresh") else []
            runs[-1].append(evening / frame_name(told["picture"]))
    kept: list[Path] = []
    for run in reversed(runs):
        there = [path for path in run if path.is_file()]
        if sum(path.stat().st_size for path in (*kept, *there)) > most_bytes:
            break
        kept += there
    return {path.name for path in kept}


def _add_frame(made: zipfile.ZipFile, path: Path) -> None:
    try:
        png = path.read_bytes()
    except FileNotFoundError:
        return  # dropped from the ring meanwhile
    if png.endswith(_PNG_END):
        made.writestr(f"{FRAMES}/{path.name}", png)


# --- reading ----------------------------------------------------------------------------------


def is_bundle(path: Path) -> bool:
    """Whether a file begins like one. Raises OSError."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


class Bundle:
    """A bundle, open to be read. Every method raises BadBundle."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise BadBundle(f"{path}: is no bundle ({_why(error)})") from error
        try:
            self._open()
        except BaseException:
            self._zip.close()
            raise

    def _open(self) -> None:
        self._check_names()
        told = self._json(MANIFEST)
        if told.get("format") != FORMAT:
            raise self._bad(f"has the format {str(told.get('format'))[:20]}; this program reads format {FORMAT}")
        try:
            self.game = GAMES[told["game"]]
            setup = told["setup"]
            self.setup = Setup(dict(setup["profile"]), dict(setup["options"]), tuple(map(str, setup["players"])))
            self.records = read_records(told["records"], self.game.events)
            self.layout = parse_layout(told["layout"], Path())
            self.versions = {str(name): str(number)[:40] for name, number in told["versions"].items()}
        except (KeyError, TypeError, ValueError, AttributeError, BadLayout, BadLine) as error:
            raise self._bad(f"{MANIFEST} is wrong ({_why(error)})") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @property
    def clean_png(self) -> bytes:
        return self._read(CLEAN)

    @property
    def pictures(self) -> list[int]:
        """The numbers of the pictures in it, in order."""
        return sorted(int(found[1]) for found in map(_FRAME.fullmatch, self._zip.namelist()) if found)

    def picture_png(self, number: int) -> bytes:
        return self._read(frame_name(number))

    def lines(self) -> Iterator[Line]:
        """Every step in order. They are never all in memory at once."""
        left = LARGEST[INPUTS]
        with self._opened(INPUTS) as file:
            for number in itertools.count(1):
                text = self._taken(INPUTS, lambda: file.readline(LONGEST_LINE + 1))
                if not text:
                    return
                left -= len(text)
                if left < 0 or len(text) > LONGEST_LINE:
                    raise self._bad(f"{INPUTS}, line {number}: is too long")
                try:
                    yield read_line(text.decode("utf-8", "replace"), self.game.events)
                except BadLine as error:
                    raise self._bad(f"{INPUTS}, line {number}: {error}") from error

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
