"""One file of everything that a table cannot make again: games, profiles, calibration, learned pieces, configuration.

It is a ZIP with `backup.json`, which tells size and SHA-256 of every other file in it. Recordings and printed kits are
left out. What is read may come from a stranger: nothing of it touches what is here until all of it was checked.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from pi_app.files import keep_owner, sync
from pi_app.storage.store import Store, StoreError
from vision.files import check_writable, regular

FORMAT = 1
MANIFEST, GAMES, CONFIG, TABLE = "backup.json", "games.db", "allcity.toml", "table/"
KEPT = re.compile(
    r"(?:[a-z_]{1,40}/)?(?:setup\.json|profiles/\w[\w.-]{0,120})"
    r"|pin|people\.json|lens\.json|clean\.png|pieces-\w{1,40}\.json",
    re.ASCII,
)
"""What lies beside the database and is kept, `graffiti/profiles/mine.toml` for example."""
STAGED = "restoring"
"""The folder beside the database in which everything waits to be put in place."""
MOST_FILES, LARGEST_MANIFEST, LARGEST = 5_000, 5_000_000, 4_000_000_000
CHUNK = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError, KeyError, TypeError)
"""What Python's zipfile and what is made of a manifest raise for files that are no good."""

Step = Callable[[], object]


class BackupError(Exception):
    """A backup could not be made or used, and nothing has changed. `code` is a sentence: `backup.<code>`."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True)
class Summary:
    """What a backup holds."""

    made_at: str
    version: str
    """Of the program that made it."""
    games: int
    files: int
    config: bytes | None = None
    """The configuration file, if there was one."""
    kept: Path | None = None
    """What was there before, if there was anything, as a backup."""


@dataclass(frozen=True)
class Place:
    """Where everything lies that belongs to a table."""

    store: Path
    config: Path | None = None
    """The configuration file, if there is one."""

    @property
    def folder(self) -> Path:
        return self.store.parent

    def files(self) -> dict[str, Path]:
        """What is kept besides the games, by its name in a backup."""
        found = {path for pattern in ("*", "*/*", "*/profiles/*") for path in self.folder.glob(pattern)}
        names = {path.relative_to(self.folder).as_posix(): path for path in sorted(found) if path.is_file()}
        return {f"{TABLE}{name}": path for name, path in names.items() if KEPT.fullmatch(name)}


# --- making -----------------------------------------------------------------------------------


def make_backup(place: Place, file: Path, at: str, done: Step = lambda: None, with_games: bool = True) -> Summary:
    """Writes everything into one file and reads that again; calls `done` when it is collected and when it is written.

    Also while games are played. Raises BackupError, StoreError and OSError; whatever `file` was before then stays.
    """
    check_writable(file)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.absolute().parent) as draft_folder:
        parts, games = place.files(), 0
        if place.config is not None and place.config.is_file():
            parts[CONFIG] = place.config
        if with_games and place.store.is_file():
            parts[GAMES] = Path(draft_folder) / GAMES
            with Store(place.store) as store:
                store.copy_to(parts[GAMES])
                games = len(store.games())
        if not parts:
            raise BackupError("nothing", folder=str(place.folder))
        done()
        draft = Path(draft_folder) / "backup.zip"
        _write(draft, parts, {"format": FORMAT, "version": version("allcity"), "made_at": at, "games": games})
        done()
        with _opened(draft) as (packed, told):
            for name in told["files"]:
                _take(packed, told, name, None)
        draft.replace(file)
    keep_owner(file.absolute())
    sync(file.absolute().parent)
    return _summary(told)


def _write(draft: Path, parts: Mapping[str, Path], told: dict[str, Any]) -> None:
    files = {}
    with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as raw:
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as made:
            for name, path in parts.items():
                with path.open("rb") as source, made.open(_entry(name), "w", force_zip64=True) as target:
                    files[name] = _copy(source, target.write, LARGEST)
            made.writestr(_entry(MANIFEST), json.dumps({**told, "files": files}, indent=1))
        raw.flush()
        os.fsync(raw.fileno())
        # What is read again shall come from the card, not from memory.
        os.posix_fadvise(raw.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _entry(name: str) -> zipfile.ZipInfo:
    """Without a date: a ZIP knows none before 1980, but a Pi without a clock may."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _copy(source: Any, write: Callable[[bytes], object], most: int) -> dict[str, Any]:
    """Size and SHA-256 of what was copied; no more than one byte beyond `most`."""
    size, digest = 0, hashlib.sha256()
    while size <= most and (data := source.read(min(CHUNK, most + 1 - size))):
        size += len(data)
        digest.update(data)
        write(data)
    return {"bytes": size, "sha256": digest.hexdigest()}


# --- reading ----------------------------------------------------------------------------------


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """A backup and its manifest, as far as that can be believed without reading the files. Raises BackupError."""
    with FileIO(file, opener=regular) as raw:
        try:
            packed = zipfile.ZipFile(raw)
            told = json.loads(packed.read(MANIFEST)) if packed.getinfo(MANIFEST).file_size <= LARGEST_MANIFEST else {}
            found, newest = told["files"], told["format"]
            names = set(packed.namelist()) - {MANIFEST}
            sizes = [found[name]["bytes"] for name in names]
        except (*_BROKEN, OSError) as error:
            raise BackupError("no_backup", file=file.name) from error
        if type(newest) is not int or newest > FORMAT:
            raise BackupError("newer", file=file.name, version=str(told.get("version"))[:40])
        whole = len(names) == len(packed.namelist()) - 1 == len(found) <= MOST_FILES
        bounded = all(type(size) is int and size >= 0 for size in sizes) and sum(sizes) <= LARGEST
        if not (whole and bounded and all(map(_belongs, names))):
            raise BackupError("no_backup", file=file.name)
        with packed:
            yield packed, told


def _belongs(name: str) -> bool:
    return name in (GAMES, CONFIG) or (name.startswith(TABLE) and KEPT.fullmatch(name.removeprefix(TABLE)) is not None)


def _take(packed: zipfile.ZipFile, told: Mapping[str, Any], name: str, target: BinaryIO | None) -> None:
    """Reads one file of a backup, and puts it into `target`. Raises BackupError unless it is what the manifest says."""
    expected = told["files"][name]
    try:
        with packed.open(name) as source:
            found = _copy(source, (lambda data: None) if target is None else target.write, expected["bytes"])
    except _BROKEN as error:
        raise BackupError("damaged", file=str(packed.filename), part=name) from error
    if found != expected:
        raise BackupError("damaged", file=str(packed.filename), part=name)


def _summary(told: Mapping[str, Any], config: bytes | None = None, kept: Path | None = None) -> Summary:
    games = told.get("games")
    count = games if type(games) is int else 0
    return Summary(
        str(told.get("made_at"))[:40], str(told.get("version"))[:40], count, len(told["files"]), config, kept
    )


# --- taking back ------------------------------------------------------------------------------


def stage(place: Place, file: Path, backups: Path, at: str, done: Step = lambda: None) -> Summary:
    """Unpacks a backup beside the database and checks all of it; `finish` then puts it in place.

    What is here now is backed up into the folder `backups` meanwhile. Games of an older program are brought to today's
    format. Calls `done` when the backup is checked and when the other is written. Raises BackupError, StoreError and
    OSError; nothing that is in use was touched then.
    """
    place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _opened(file) as (packed, told):
        needed = sum(one["bytes"] for one in told["files"].values())
        if needed > shutil.disk_usage(place.folder).free:
            raise BackupError("no_room", size=round(needed / 1e6, 1))
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=place.folder) as folder:
            for name in told["files"]:
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as target:
                    _take(packed, told, name, target)
                path.chmod(0o600)
            done()
            told["games"] = _checked_games(Path(folder) / GAMES, file)
            config = Path(folder) / CONFIG
            kept = _keep(place, backups / f"before-restore-{at.replace(':', '')}.zip", at)
            done()
            summary = _summary(told, config.read_bytes() if config.is_file() else None, kept)
            _put_ready(Path(folder), place.folder / STAGED, sorted(told["files"]))
    return summary


def _checked_games(games: Path, file: Path) -> int:
    """How many there are. Raises BackupError, and StoreError for a format that this program does not know."""
    if not games.is_file():
        return 0
    try:
        with Store(games) as store:
            count = len(store.games())
    except StoreError as error:
        if error.code == "newer_format":
            raise
        raise BackupError("damaged", file=file.name, part=GAMES) from error
    return count


def _keep(place: Place, file: Path, at: str) -> Path | None:
    """Backs up what is here; None where there is nothing. Games that are damaged stay beside the new ones: `finish`."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_owner(file.parent)
    try:
        try:
            make_backup(place, file, at)
        except StoreError:
            make_backup(place, file, at, with_games=False)
    except BackupError:
        return None
    return file


def _put_ready(folder: Path, staged: Path, names: list[str]) -> None:
    """Everything is on the disk before the folder has the name by which it counts."""
    (folder / MANIFEST).write_text(json.dumps(names), encoding="utf-8")
    keep_owner(folder)
    for path in sorted(folder.rglob("*")):
        keep_owner(path)
        sync(path)
    shutil.rmtree(staged, ignore_errors=True)
    folder.rename(staged)
    sync(staged.parent)


def is_staged(place: Place) -> bool:
    """Whether a backup waits to be put in place."""
    return (place.folder / STAGED / MANIFEST).is_file()


def finish(place: Place) -> None:
    """Puts what was staged in place of what is there. No store may be open. Raises OSError.

    Whatever is interrupted is completed by the next call: nothing leaves the staging folder but by taking its place.
    """
    staged = place.folder / STAGED
    if not is_staged(place):
        return
    names = json.loads((staged / MANIFEST).read_text(encoding="utf-8"))
    for name, path in place.files().items():
        if name not in names:
            path.unlink()
    for name in names:
        path = staged / name
        if name == CONFIG or not path.is_file():
            continue
        target = place.store if name == GAMES else place.folder / name.removeprefix(TABLE)
        target.parent.mkdir(parents=True, exist_ok=True)
        keep_owner(target.parent)
        if name == GAMES:
            _move_aside(place.store)
        path.replace(target)
        sync(target.parent)
    (staged / MANIFEST).unlink()
    shutil.rmtree(staged)


def _move_aside(store: Path) -> None:
    """The games that were here, and their log: it would be written into the new ones."""
    for ending in ("-shm", "-wal", ""):
        path = store.with_name(store.name + ending)
        if path.is_file():
            path.replace(store.with_name(f"{store.name}.before-restore{ending}"))
