"""One file of everything: it comes back whole on any machine, or nothing changes at all."""

import hashlib
import json
import os
import random
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from pi_app.engine.log import Play
from pi_app.setup import backup as backup_module
from pi_app.setup.backup import GAMES, MANIFEST, BackupError, Place, finish, is_staged, make_backup, stage
from pi_app.setup.daily_backup import DAYS, WEEKS, DailyBackup, backups, last_backup
from pi_app.storage.schema import MIGRATIONS
from pi_app.storage.store import Store, StoreError
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from web.text import LANGUAGES, load

AT = "2026-01-02T20:00:00.000Z"

KEPT = {
    "pin": b"123456",
    "people.json": b"{}",
    "lens.json": b"{}",
    "clean.png": b"a picture",
    "pieces-tag_city.json": b"{}",
    "setup.json": b"{}",
    "profiles/my-copy.toml": b"name = 'mine'",
    "profiles/my-copy.city.jpg": b"a photo",
    "other_game/setup.json": b"{}",
    "other_game/profiles/mine.toml": b"name = 'other'",
}
LEFT_OUT = ("recordings/evening-000001/manifest.json", "kits/abc/kit.pdf", "simulated/lens.json", "notes.txt")


def table(folder: Path, moves: int = 20) -> Place:
    """A table with everything that one has."""
    folder.mkdir(parents=True)
    for name, data in KEPT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for name in LEFT_OUT:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"made again")
    played(folder / "allcity.db", moves)
    config = folder / "my.toml"
    config.write_text('[table]\nlanguage = "fr"\n')
    return Place(folder / "allcity.db", config)


def played(path: Path, moves: int) -> None:
    setup = house_setup(2)
    with Store(path) as store:
        game_id = store.new_game("tag_city", setup, AT)
        play_on(Play(TAG_CITY, setup, ticking(), save=lambda new: store.append(game_id, new)), random.Random(3), moves)


def contents(place: Place) -> dict[str, bytes]:
    """Every file of the table but for SQLite's, and every event."""
    files = {path.relative_to(place.folder).as_posix(): path for path in place.folder.rglob("*") if path.is_file()}
    found = {name: path.read_bytes() for name, path in files.items() if not name.startswith(place.store.name)}
    if place.store.is_file():
        with closing(sqlite3.connect(f"{place.store.as_uri()}?mode=ro", uri=True)) as db:
            found["events"] = repr(db.execute("SELECT * FROM events").fetchall()).encode()
    return found


def restored(place: Place, file: Path) -> None:
    stage(place, file, place.folder / "backups", AT)
    finish(place)


def made(place: Place, file: Path) -> Path:
    make_backup(place, file, AT)
    return file


def test_a_table_comes_back_whole_on_another_machine(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    file = made(old, tmp_path / "my-table.zip")
    new = Place(tmp_path / "new" / "elsewhere" / "games.sqlite")
    found = stage(new, file, new.folder / "backups", AT)
    finish(new)
    was, now = contents(old), contents(new)
    assert {name: now.get(name) for name in (*KEPT, "events")} == {name: was[name] for name in (*KEPT, "events")}
    assert (found.games, found.config, found.kept) == (1, b'[table]\nlanguage = "fr"\n', None)
    assert not now.keys() & set(LEFT_OUT)


def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    """It holds names and the host's PIN."""
    file = made(table(tmp_path / "old"), tmp_path / "my-table.zip")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_game_that_is_being_played_is_in_the_backup_up_to_its_last_event(tmp_path: Path) -> None:
    place = table(tmp_path / "old")
    with Store(place.store) as store:
        play = Play(TAG_CITY, house_setup(2), ticking(), save=lambda new: store.append(2, new))
        store.new_game("tag_city", play.setup, AT)
        play_on(play, random.Random(1), 5)
        file = made(place, tmp_path / "my-table.zip")
    new = Place(tmp_path / "new" / "allcity.db")
    restored(new, file)
    with Store(new.store) as store:
        assert store.records(2, TAG_CITY.events) == play.records


def test_what_was_there_before_is_kept_and_what_the_backup_does_not_know_is_gone(tmp_path: Path) -> None:
    file = made(table(tmp_path / "old"), tmp_path / "my-table.zip")
    new = table(tmp_path / "new", moves=3)
    (new.folder / "profiles" / "younger.toml").write_text("")
    before = contents(new)
    kept = stage(new, file, new.folder / "backups", AT).kept
    finish(new)
    assert not (new.folder / "profiles" / "younger.toml").exists()
    assert kept is not None
    restored(new, kept)
    assert {name: contents(new)[name] for name in before} == before


def test_a_backup_of_older_games_is_brought_to_todays_format(tmp_path: Path) -> None:
    place = table(tmp_path / "old")
    file = tmp_path / "my-table.zip"
    place.store.unlink()
    with closing(sqlite3.connect(place.store)) as db:
        db.executescript(MIGRATIONS[0])
        db.execute(f"PRAGMA application_id = {int.from_bytes(b'AllC')}")
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO games VALUES (1, 'tag_city', ?, '{}', '{}')", (AT,))
        db.commit()
    old_games = place.store.read_bytes()
    made(place, file)
    _replace(file, GAMES, old_games)
    new = Place(tmp_path / "new" / "allcity.db")
    restored(new, file)
    with Store(new.store) as store:
        assert [game.started_at for game in store.games()] == [AT]


def test_games_of_a_newer_program_are_refused(tmp_path: Path) -> None:
    place = table(tmp_path / "old")
    file = made(place, tmp_path / "my-table.zip")
    games = tmp_path / "newer.db"
    games.write_bytes(zipfile.ZipFile(file).read(GAMES))
    with closing(sqlite3.connect(games)) as db:
        db.execute("PRAGMA user_version = 99")
        db.commit()
    _replace(file, GAMES, games.read_bytes())
    before = contents(place)
    with pytest.raises(StoreError) as refused:
        stage(place, file, place.folder / "backups", AT)
    assert refused.value.code == "newer_format"
    assert contents(place) == before


def _replace(file: Path, part: str, data: bytes, honest: bool = True) -> None:
    """Another file in the backup, and in its manifest if that is `honest`."""
    with zipfile.ZipFile(file) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    parts[part] = data
    if honest:
        told = json.loads(parts[MANIFEST])
        told["files"][part] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        parts[MANIFEST] = json.dumps(told).encode()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in parts.items():
            packed.writestr(name, content)


def _manifest(change: Callable[[Any], object]) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        with zipfile.ZipFile(file) as packed:
            told = json.loads(packed.read(MANIFEST))
        change(told)
        _replace(file, MANIFEST, json.dumps(told).encode(), honest=False)

    return spoil


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])


def _flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))


SPOILED: dict[str, Callable[[Path], object]] = {
    "cut": _cut,
    "a byte is wrong": _flipped,
    "no zip": lambda file: file.write_bytes(b"hello"),
    "empty": lambda file: file.write_bytes(b""),
    "a file that was not backed up": lambda file: _replace(file, "table/notes.txt", b"x"),
    "a file outside": lambda file: _replace(file, "table/profiles/../../evil.toml", b"x"),
    "a file at the root": lambda file: _replace(file, "/etc/passwd", b"x"),
    "other contents": lambda file: _replace(file, "table/pin", b"654321", honest=False),
    "no games": lambda file: _replace(file, GAMES, b"no database at all"),
    "manifest without files": _manifest(lambda told: told.pop("files")),
    "manifest with one too many": _manifest(lambda told: told["files"].update({"table/pin2": {}})),
    "sizes that are none": _manifest(lambda told: told["files"]["table/pin"].update(bytes="6")),
    "a newer format": _manifest(lambda told: told.update(format=99)),
    "a list": lambda file: _replace(file, MANIFEST, b"[]", honest=False),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_file_is_refused_in_words_and_nothing_changes(how: str, tmp_path: Path) -> None:
    place = table(tmp_path / "here")
    file = made(place, tmp_path / "my-table.zip")
    SPOILED[how](file)
    before = contents(place)
    with pytest.raises(BackupError) as refused:
        stage(place, file, place.folder / "backups", AT)
    for language in LANGUAGES:
        assert f"backup.{refused.value.code}" in load(language)
    assert contents(place) == before
    assert not is_staged(place)


def test_a_restore_that_was_interrupted_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug is pulled after every single step of it."""
    old = table(tmp_path / "old")
    file = made(old, tmp_path / "my-table.zip")
    pulls = 0
    for after in range(40):
        new = table(tmp_path / f"new-{after}", moves=3)
        stage(new, file, new.folder / "backups", AT)
        with monkeypatch.context() as plug:
            plug.setattr(backup_module, "sync", Mock(side_effect=[None] * after + [KeyboardInterrupt]))
            try:
                finish(new)
            except KeyboardInterrupt:
                pulls += 1
        finish(new)
        assert {name: contents(new)[name] for name in (*KEPT, "events")} == {
            name: contents(old)[name] for name in (*KEPT, "events")
        }
        assert not is_staged(new)
        if after > pulls:
            break
    assert pulls > len(KEPT)


def test_damaged_games_are_no_obstacle_and_stay_beside_the_new_ones(tmp_path: Path) -> None:
    file = made(table(tmp_path / "old"), tmp_path / "my-table.zip")
    new = table(tmp_path / "new")
    new.store.write_bytes(b"this is no database any more" * 100)
    restored(new, file)
    with Store(new.store) as store:
        assert len(store.games()) == 1
    assert new.store.with_name("allcity.db.before-restore").read_bytes().startswith(b"this is no database")


def test_a_backup_that_cannot_be_written_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = table(tmp_path / "old")
    file = made(place, tmp_path / "my-table.zip")
    before = file.read_bytes()

    def spoiled(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup_module, "_write", spoiled)
    with pytest.raises(OSError, match="No space"):
        make_backup(place, file, AT)
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"old", "my-table.zip"}


def test_a_backup_is_read_again_after_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that keeps something else than it was given."""
    place, file = table(tmp_path / "old"), tmp_path / "my-table.zip"
    write = backup_module._write

    def on_a_dying_card(draft: Path, *told: Any) -> None:
        write(draft, *told)
        _flipped(draft)

    monkeypatch.setattr(backup_module, "_write", on_a_dying_card)
    with pytest.raises(BackupError) as refused:
        make_backup(place, file, AT)
    assert refused.value.code in ("damaged", "no_backup")
    assert not file.exists()


# --- every day --------------------------------------------------------------------------------


class Calendar:
    def __init__(self) -> None:
        self.day = datetime(2026, 1, 1, 21, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


def changed(place: Place) -> None:
    """Younger than any backup there is."""
    later = max(path.stat().st_mtime for path in place.folder.parent.rglob("*")) + 60
    os.utime(place.store, (later, later))


def test_one_a_day_is_made_and_it_can_be_restored(tmp_path: Path, calendar: Calendar) -> None:
    place, folder = table(tmp_path / "here"), tmp_path / "stick"
    daily = DailyBackup(place, folder, calendar)
    assert [daily.once(), daily.once()] == [True, False]
    restored(Place(tmp_path / "new" / "allcity.db"), folder / "allcity-2026-01-01.zip")
    assert last_backup(folder) == date(2026, 1, 1)


def test_a_table_at_which_nothing_happened_writes_nothing(tmp_path: Path, calendar: Calendar) -> None:
    place, folder = table(tmp_path / "here"), tmp_path / "stick"
    daily = DailyBackup(place, folder, calendar)
    daily.once()
    calendar.day += timedelta(days=1)
    assert not daily.once()
    changed(place)
    assert daily.once()


def test_a_week_and_some_weeks_before_are_kept(tmp_path: Path, calendar: Calendar) -> None:
    place, folder = table(tmp_path / "here"), tmp_path / "stick"
    daily = DailyBackup(place, folder, calendar)
    (folder / "mine.zip").parent.mkdir()
    (folder / "mine.zip").write_bytes(b"not ours to delete")
    for _ in range(60):
        changed(place)
        assert daily.once()
        calendar.day += timedelta(days=1)
    kept = sorted(backups(folder), reverse=True)
    assert len(kept) == DAYS + WEEKS
    assert kept[:DAYS] == [date(2026, 3, 1) - timedelta(days=n) for n in range(DAYS)]
    assert len({day.isocalendar()[:2] for day in kept[DAYS:]}) == WEEKS
    assert (folder / "mine.zip").exists()


def test_a_clock_that_runs_behind_replaces_no_backup(tmp_path: Path, calendar: Calendar) -> None:
    place, folder = table(tmp_path / "here"), tmp_path / "stick"
    daily = DailyBackup(place, folder, calendar)
    daily.once()
    changed(place)
    calendar.day = datetime(1970, 1, 1, tzinfo=UTC)
    assert not daily.once()
    assert list(backups(folder)) == [date(2026, 1, 1)]


def test_a_stick_that_is_gone_is_told_until_it_is_back(tmp_path: Path, calendar: Calendar) -> None:
    place, folder = table(tmp_path / "here"), tmp_path / "stick"
    folder.write_text("a file where the folder should be")
    daily = DailyBackup(place, folder, calendar)
    assert not daily.once()
    assert daily.trouble is not None
    folder.unlink()
    assert daily.once()
    assert daily.trouble is None
