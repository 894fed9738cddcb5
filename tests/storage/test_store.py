"""The store: nothing accepted is lost, nothing recorded changes, and every failure has a name."""

import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import pi_app.storage.store
from pi_app.engine.contract import Setup
from pi_app.engine.events import Event, GameEnded, Record, to_json
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import DiceRolled, GameStarted
from pi_app.storage.schema import APPLICATION_ID, MIGRATIONS
from pi_app.storage.store import Person, Store, StoredGame, StoreError
from tests.store_writer import GAME, Step, house_setup, now, plan_step, random_move, random_step, saved_play

ROOT = Path(__file__).parents[2]
SMALL = Setup({"name": "small"}, {}, ("Ana", "Bo"))
STARTED = GameStarted(0)
BAK = f".format-{len(MIGRATIONS)}.bak"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "allcity.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that a process without rights can reach; pytest's own cannot be."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def raw(path: Path) -> closing[sqlite3.Connection]:
    """Somebody else's connection: none of our settings, every statement committed at once."""
    return closing(sqlite3.connect(path, isolation_level=None))


def record(seq: int, event: Event = STARTED) -> Record:
    return Record(seq, now(), event)


def small_game(store: Store, events: int = 3) -> int:
    game_id = store.new_game("tag_city", SMALL, now())
    store.append(game_id, [record(seq) for seq in range(1, events + 1)])
    return game_id


def started_play(store: Store, steps: int, seed: int = 1) -> tuple[Play[Any], random.Random]:
    rng = random.Random(seed)
    play = saved_play(store, store.new_game(GAME.name, house_setup(), now()))
    for _ in range(steps):
        random_step(play, rng)
    return play, rng


def folder_of(path: Path) -> dict[str, bytes]:
    """Everything in the folder of a file that nobody has open."""
    return {file.name: file.read_bytes() for file in sorted(path.parent.iterdir())}


def refusal(path: Path) -> StoreError:
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    json.dumps(caught.value.facts)
    return caught.value


def run_writer(*arguments: object) -> list[Any]:
    command = [sys.executable, "-m", "tests.store_writer", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# --- the file ---------------------------------------------------------------------------------


def test_a_new_store_makes_its_folders_and_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "var" / "all city" / "é.db"
    with Store(path) as store:
        assert store.games() == []
        assert store.unfinished() is None
    with raw(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        small_game(store)


def test_commits_reach_the_disk_before_they_are_acknowledged(store: Store) -> None:
    settings = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"]
    found = [store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in settings]
    assert found == ["wal", 2, 1, 5000]


def test_a_closed_store_says_so_and_can_be_closed_again(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError) as caught:
        store.games()
    assert caught.value.code == "closed"


def test_other_threads_may_use_the_store(store: Store) -> None:
    ids: list[int] = []
    threads = [threading.Thread(target=lambda: ids.append(small_game(store))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids) == list(range(1, 9))
    assert [game.events for game in store.games()] == [3] * 8


# --- append-only, whoever writes --------------------------------------------------------------


EVENT = "(1, {}, '', 'undone', '{{}}')"
FORBIDDEN = {
    "update": "UPDATE events SET data = '{}' WHERE seq = 2",
    "renumber": "UPDATE events SET seq = seq + 1",
    "update or replace": "UPDATE OR REPLACE events SET seq = 1 WHERE seq = 2",
    "delete": "DELETE FROM events WHERE seq = 3",
    "delete all": "DELETE FROM events",
    "duplicate": "INSERT INTO events VALUES " + EVENT.format(3),
    "replace the last": "INSERT OR REPLACE INTO events VALUES " + EVENT.format(3),
    "replace an earlier one": "REPLACE INTO events VALUES " + EVENT.format(1),
    "upsert": "INSERT INTO events VALUES " + EVENT.format(2) + " ON CONFLICT DO UPDATE SET data = '{}'",
    "ignored duplicate": "INSERT OR IGNORE INTO events VALUES " + EVENT.format(2),
    "gap": "INSERT INTO events VALUES " + EVENT.format(5),
    "out of order": f"INSERT INTO events VALUES {EVENT.format(5)}, {EVENT.format(4)}",
    "before the first": "INSERT INTO events VALUES " + EVENT.format(0),
    "no number": "INSERT INTO events VALUES " + EVENT.format("NULL"),
    "first of an empty game is not 1": "INSERT INTO events VALUES (2, 2, '', 'undone', '{}')",
    "change a game": "UPDATE games SET profile = '{}'",
    "delete a game": "DELETE FROM games WHERE id = 2",
    "replace a game": "INSERT OR REPLACE INTO games VALUES (1, 'x', '', '{}', '{}')",
    "skip a game": "INSERT INTO games VALUES (9, 'x', '', '{}', '{}')",
    "change a seat": "UPDATE seats SET player_id = 2",
    "delete a seat": "DELETE FROM seats WHERE seat = 1",
    "replace a seat": "INSERT OR REPLACE INTO seats VALUES (2, 0, 2)",
    "delete a player": "DELETE FROM players WHERE id = 1",
    "a latecomer": "INSERT INTO seats VALUES (1, 2, 1)",
}


@pytest.mark.parametrize("recursive_triggers", ["OFF", "ON"])
@pytest.mark.parametrize("statement", FORBIDDEN.values(), ids=FORBIDDEN)
def test_the_schema_itself_refuses_to_change_the_record(store: Store, statement: str, recursive_triggers: str) -> None:
    small_game(store)
    store.new_game("tag_city", SMALL, now())
    with raw(store.path) as db:
        db.execute(f"PRAGMA recursive_triggers = {recursive_triggers}")
        before = list(db.iterdump())
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(statement)
        assert list(db.iterdump()) == before


@pytest.mark.parametrize("table", ["events", "seats"])
def test_there_is_no_hidden_row_number_to_replace_a_row_by(store: Store, table: str) -> None:
    with raw(store.path) as db, pytest.raises(sqlite3.OperationalError, match="no such column: rowid"):
        db.execute(f"SELECT rowid FROM {table}")


def test_the_schema_lets_the_next_event_in(store: Store) -> None:
    small_game(store)
    with raw(store.path) as db:
        db.execute("INSERT INTO events VALUES " + EVENT.format(4))
    assert store.games()[0].events == 4


def test_records_that_do_not_follow_are_refused_together(store: Store) -> None:
    game_id = small_game(store, events=3)
    for bad in ([record(3)], [record(5)], [record(4), record(6)], [record(4), record(4)], [record(5), record(4)]):
        with pytest.raises(StoreError) as caught:
            store.append(game_id, bad)
        assert caught.value.code == "append_only"
    assert store.records(game_id, GAME.events) == [record(1), record(2), record(3)]


# --- games ------------------------------------------------------------------------------------


def test_a_whole_game_with_undo_comes_back_as_it_was(path: Path) -> None:
    with Store(path) as store:
        play, rng = started_play(store, 0)
        while GAME.outcome(play.state) is None:
            random_step(play, rng)
        play.undo()
        play.redo()
    assert "undone" in {record.event.type for record in play.records}
    with Store(path) as store:
        again = saved_play(store, 1)
        (stored,) = store.games()
    assert (again.setup, again.records, again.state) == (play.setup, play.records, play.state)
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    names, count = ("Ana", "Zoé", "李"), len(play.records)
    profile, people = play.setup.profile["name"], tuple(Person(n, name) for n, name in enumerate(names, 1))
    assert stored == StoredGame(
        1, "tag_city", now(), names, count, True, outcome.scores, outcome.winners, people, profile, now()
    )


def test_a_game_continued_in_parts_equals_one_played_at_once(tmp_path: Path) -> None:
    with Store(tmp_path / "whole.db") as store:
        whole, _ = started_play(store, 60, seed=5)
    with Store(tmp_path / "parts.db") as store:
        _, rng = started_play(store, 0, seed=5)
    for _ in range(6):
        with Store(tmp_path / "parts.db") as store:
            play = saved_play(store, 1)
            for _ in range(10):
                random_step(play, rng)
    assert (play.records, play.state) == (whole.records, whole.state)


def test_the_last_game_is_the_one_to_resume_if_it_was_interrupted(store: Store) -> None:
    ended = GameEnded(("drone",), (3, -2), (0,))
    resumed = []
    for events in ([STARTED], [STARTED, ended], [STARTED], [], [STARTED, ended]):
        game_id = store.new_game("tag_city", SMALL, now())
        store.append(game_id, [record(seq, event) for seq, event in enumerate(events, 1)])
        last = store.unfinished()
        resumed.append(last and last.id)
    assert resumed == [1, None, 3, 4, None]
    assert [(game.events, game.finished) for game in store.games()] == [
        (1, False),
        (2, True),
        (1, False),
        (0, False),
        (2, True),
    ]
    assert store.games()[1].scores == (3, -2)
    assert store.games()[1].winners == (0,)
    assert (store.games()[0].scores, store.games()[0].winners) == (None, None)


def test_a_game_whose_end_was_undone_is_unfinished_again(store: Store) -> None:
    play, rng = started_play(store, 0)
    while GAME.outcome(play.state) is None:
        random_step(play, rng)
    assert store.unfinished() is None
    play.undo()
    game = store.unfinished()
    assert game is not None
    assert (game.id, game.events, game.finished) == (1, len(play.records), False)
    assert (game.scores, game.winners) == (None, None)


def test_one_person_is_one_player_in_all_games_and_can_be_renamed(store: Store) -> None:
    for players in (("Ana", "Bo"), ("Bo", "Cy", "Bo")):
        store.new_game("tag_city", Setup({}, {}, players), now())
    with raw(store.path) as db:
        db.execute("UPDATE players SET name = 'Bob' WHERE name = 'Bo'")
        assert db.execute("SELECT count(*) FROM players").fetchone() == (3,)
    assert [game.players for game in store.games()] == [("Ana", "Bob"), ("Bob", "Cy", "Bob")]
    assert store.setup(2) == Setup({}, {}, ("Bob", "Cy", "Bob"))


@pytest.mark.parametrize("game_id", [0, -1, 2, 10**30])
def test_an_unknown_game_is_an_error_that_names_it(store: Store, game_id: int) -> None:
    small_game(store)
    for ask in (
        lambda: store.setup(game_id),
        lambda: store.records(game_id, GAME.events),
        lambda: store.append(game_id, [record(1)]),
        lambda: store.append(game_id, []),
    ):
        with pytest.raises(StoreError, match=f"unknown_game: .*game={game_id}") as caught:
            ask()
        assert caught.value.code == "unknown_game"
        assert caught.value.facts == {"file": str(store.path), "game": game_id}


def test_a_name_that_cannot_be_written_leaves_no_half_game(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        store.new_game("tag_city", Setup({}, {}, ("Ana", "\ud800")), now())
    assert caught.value.code == "bad_text"
    assert store.games() == []


def test_an_event_that_the_game_does_not_know_is_an_error(store: Store) -> None:
    game_id = store.new_game("tag_city", SMALL, now())
    store.append(game_id, [record(1, DiceRolled((1, 2, 3)))])
    with pytest.raises(StoreError) as caught:
        store.records(game_id, {STARTED.type: GameStarted})
    assert caught.value.code == "unreadable_record"
    assert caught.value.facts["game"] == game_id


# --- the plug is pulled -----------------------------------------------------------------------


def copy_as_if_cut_off(source: Path, target: Path, wal_bytes: int | None = None) -> None:
    """What a disk holds when the power goes; the last writes may not have reached it."""
    shutil.copy(source, target)
    wal = source.with_name(source.name + "-wal").read_bytes()
    target.with_name(target.name + "-wal").write_bytes(wal[:wal_bytes])


def test_an_interrupted_file_resumes_at_the_last_accepted_event(store: Store, tmp_path: Path) -> None:
    play, rng = started_play(store, 25)
    copy_as_if_cut_off(store.path, tmp_path / "cut.db")
    with Store(tmp_path / "cut.db") as cut:
        game = cut.unfinished()
        assert game is not None
        again = saved_play(cut, game.id)
        assert (again.records, again.state) == (play.records, play.state)
        random_step(again, rng)


def test_a_torn_write_never_leaves_half_a_move(store: Store, tmp_path: Path) -> None:
    play = saved_play(store, store.new_game(GAME.name, house_setup(), now()))
    rng, whole_moves = random.Random(8), {0}
    for _ in range(60):
        random_step(play, rng)
        whole_moves.add(len(play.records))
    wal_size = store.path.with_name(store.path.name + "-wal").stat().st_size
    lengths = set()
    for number in range(40):
        path = tmp_path / f"torn-{number}.db"
        copy_as_if_cut_off(store.path, path, rng.randrange(wal_size // 2, wal_size))
        with Store(path) as torn:
            records = torn.records(1, GAME.events)
        assert records == play.records[: len(records)]
        lengths.add(len(records))
    assert len(lengths) > 10
    assert lengths <= whole_moves


def kill_writer(path: Path, seed: int, after: int) -> list[Any]:
    """Starts the writer, kills it after some acknowledgements; all that it has acknowledged."""
    command = [sys.executable, "-m", "tests.store_writer", "play", str(path), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert json.loads(writer.stdout.readline()) == "opening"
        lines = [writer.stdout.readline() for _ in range(after)]
        assert writer.poll() is None, "the writer gave up by itself"
        writer.kill()
        lines += writer.stdout.readlines()
    return [json.loads(line) for line in lines if line.endswith("\n")]


def stored_events(path: Path) -> list[Any]:
    """What a fresh connection finds, in the form in which the writer acknowledges."""
    with raw(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = db.execute("SELECT game_id, seq, at, type, data FROM events ORDER BY game_id, seq").fetchall()
    return [[game_id, seq, at, {"type": kind, **json.loads(data)}] for game_id, seq, at, kind, data in rows]


def numbers_by_game(events: list[Any]) -> dict[int, list[int]]:
    numbers: dict[int, list[int]] = {}
    for game_id, seq, *_ in events:
        numbers.setdefault(game_id, []).append(seq)
    return numbers


def test_no_acknowledged_event_is_lost_when_the_process_is_killed(path: Path) -> None:
    rng = random.Random(2026)
    acknowledged: list[Any] = []
    before: list[Any] = []
    bystander: sqlite3.Connection | None = None
    for kill in range(32):
        new = kill_writer(path, seed=kill, after=rng.randint(1, 60))
        stored = stored_events(path)
        assert stored[: len(before)] == before
        assert all(event in stored[len(before) :] for event in new)
        acknowledged += new
        assert all(sorted(set(seqs)) == seqs for seqs in numbers_by_game(acknowledged).values())
        assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in numbers_by_game(stored).values())
        before = stored
        if kill == 16:  # from here on somebody else keeps the file open, so that the WAL outlives the kill
            bystander = sqlite3.connect(path)
            bystander.execute("SELECT count(*) FROM events").fetchall()
    assert bystander is not None
    bystander.close()
    assert len(numbers_by_game(before)) > 1
    with Store(path) as store:
        for game in store.games():
            assert [to_json(r.event) for r in saved_play(store, game.id).records] == [
                event for game_id, _, _, event in before if game_id == game.id
            ]


def test_a_store_killed_while_it_is_created_can_be_created_again(tmp_path: Path) -> None:
    for number in range(8):
        path = tmp_path / f"{number}.db"
        kill_writer(path, seed=number, after=0)
        with Store(path) as store:
            small_game(store)


# --- full, read-only, busy --------------------------------------------------------------------


def play_until_refused(play: Play[Any], store: Store, rng: random.Random) -> tuple[Step, StoreError]:
    """Plays until a step is not saved, checks that it was not made either, and gives it back."""
    for _ in range(200):
        step, state, records = plan_step(play, rng), play.state, list(play.records)
        try:
            step()
        except StoreError as error:
            assert play.state is state
            assert play.records == records == store.records(1, GAME.events)
            return step, error
    raise AssertionError("every step was saved")


def test_a_full_disk_refuses_the_move_and_takes_it_once_there_is_room(store: Store) -> None:
    play, rng = started_play(store, 5)
    store._db.execute("PRAGMA max_page_count = 1")  # SQLite takes as few as there are
    step, error = play_until_refused(play, store, rng)
    assert error.code == "disk_full"
    with pytest.raises(StoreError, match="disk_full"):
        store.new_game("tag_city", Setup({"name": "x" * 10_000}, {}, ("Ana",)), now())
    assert len(store.games()) == 1
    store._db.execute("PRAGMA max_page_count = 100000")
    step()
    assert store.records(1, GAME.events) == play.records


def test_a_disk_that_really_takes_no_more_refuses_the_move_and_recovers(path: Path) -> None:
    *refusals, unchanged, accepted, saved = run_writer("fill", path, 4)
    assert [code for code, _ in refusals] == ["disk_error"] * 3
    assert str(path) in refusals[0][1]
    assert unchanged is True
    assert accepted == []
    assert saved is True


def test_a_disk_too_full_to_open_the_file_says_so_and_recovers(path: Path) -> None:
    hardly_any, little, enough = run_writer("cramp", path)
    assert hardly_any[0] == "disk_error"
    assert little[0] == "disk_full"
    assert enough == []


def test_a_disk_that_turns_read_only_refuses_the_move_and_recovers(store: Store) -> None:
    play, rng = started_play(store, 5)
    store._db.execute("PRAGMA query_only = ON")
    step, error = play_until_refused(play, store, rng)
    assert error.code == "read_only"
    store._db.execute("PRAGMA query_only = OFF")
    step()
    assert store.records(1, GAME.events) == play.records


@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "code"),
    [
        (0o444, 0o777, "read_only"),
        (0o444, 0o555, "read_only"),
        (0o666, 0o555, "unwritable_place"),  # SQLite has to put its -wal beside the file
        (0o000, 0o777, "read_only"),
        (0o666, 0o777, None),
    ],
)
def test_a_file_without_write_permission_is_refused_at_once(
    public_folder: Path, file_mode: int, folder_mode: int, code: str | None
) -> None:
    path = public_folder / "allcity.db"
    with Store(path) as store:
        small_game(store)
    before = folder_of(path)
    path.chmod(file_mode)
    public_folder.chmod(folder_mode)
    (outcome,) = run_writer("open", path)
    assert outcome[:1] == ([code] if code else [])
    path.chmod(0o644)
    assert folder_of(path) == before


def test_a_file_in_use_by_its_owner_is_refused_to_others(public_folder: Path) -> None:
    path = public_folder / "allcity.db"
    with Store(path) as store:
        small_game(store)
        for file in public_folder.iterdir():
            file.chmod(0o444)
        public_folder.chmod(0o555)
        (outcome,) = run_writer("open", path)
        assert outcome[0] == "read_only"
        public_folder.chmod(0o755)


def test_a_place_without_write_permission_is_refused(public_folder: Path) -> None:
    public_folder.chmod(0o555)
    for path in (public_folder / "allcity.db", public_folder / "new" / "allcity.db"):
        (outcome,) = run_writer("open", path)
        assert outcome[0] == "unwritable_place"
        assert str(path) in outcome[1]


def test_a_path_that_is_a_folder_or_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "allcity.db", tmp_path / "file" / "below" / "allcity.db"):
        assert refusal(path).code == "unwritable_place"


def test_a_busy_file_is_an_error_and_not_a_loss(path: Path) -> None:
    with Store(path, busy_timeout_s=0.01) as store, raw(path) as other:
        game_id = small_game(store)
        other.execute("BEGIN IMMEDIATE")
        for attempt in (lambda: store.append(game_id, [record(4)]), lambda: store.new_game("tag_city", SMALL, now())):
            with pytest.raises(StoreError) as caught:
                attempt()
            assert caught.value.code == "busy"
        with pytest.raises(StoreError) as caught:
            Store(path, busy_timeout_s=0.01)
        assert caught.value.code == "busy"
        assert store.games()[0].events == 3  # reading needs no turn
        other.execute("ROLLBACK")
        store.append(game_id, [record(4)])
        assert store.games()[0].events == 4


def test_two_tables_with_the_same_game_cannot_both_write_the_next_event(store: Store) -> None:
    ours, rng = started_play(store, 10)
    with Store(store.path) as other:
        theirs = saved_play(other, 1)
        ours.do(random_move(ours, rng))
        state = theirs.state
        with pytest.raises(StoreError) as caught:
            theirs.do(random_move(theirs, rng))
    assert caught.value.code == "append_only"
    assert theirs.state is state
    assert store.records(1, GAME.events) == ours.records


# --- other formats ----------------------------------------------------------------------------


NEXT_FORMAT = """
CREATE TABLE places (name TEXT NOT NULL) STRICT; -- a comment
CREATE TRIGGER places_stay BEFORE UPDATE ON places
BEGIN
    SELECT RAISE(ABORT, 'places; stay');
END;
INSERT INTO places SELECT game FROM games;
"""


def with_next_script(monkeypatch: pytest.MonkeyPatch, script: str = NEXT_FORMAT) -> None:
    monkeypatch.setattr(pi_app.storage.store, "MIGRATIONS", [*MIGRATIONS, script])


@pytest.fixture
def old_file(path: Path) -> Path:
    """A file of the format before the newest, without free room in it; nobody has it open."""
    with Store(path) as store:
        started_play(store, 30)
    with raw(path) as db:
        db.execute("VACUUM")
    return path


def test_a_newer_format_is_refused_and_left_untouched(old_file: Path) -> None:
    with raw(old_file) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = folder_of(old_file)
    error = refusal(old_file)
    assert error.code == "newer_format"
    assert error.facts == {"file": str(old_file), "format": len(MIGRATIONS) + 1, "known": len(MIGRATIONS)}
    assert folder_of(old_file) == before


def test_an_older_format_is_migrated_after_a_backup(old_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(old_file) as store:
        records = store.records(1, GAME.events)
    with monkeypatch.context() as patched:
        with_next_script(patched)
        for _ in range(2):  # the second time there is nothing to do
            with Store(old_file) as store:
                assert store.records(1, GAME.events) == records
                assert store._db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
                assert store._db.execute("SELECT * FROM places").fetchall() == [("tag_city",)]
    assert sorted(folder_of(old_file)) == ["allcity.db", f"allcity.db{BAK}"]
    with Store(old_file.with_name(f"allcity.db{BAK}")) as backup:
        assert backup.records(1, GAME.events) == records
        assert backup._db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_a_backup_holds_what_was_still_in_the_write_ahead_log(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, _ = started_play(store, 30)
    copy_as_if_cut_off(store.path, tmp_path / "cut.db")
    with monkeypatch.context() as patched:
        with_next_script(patched)
        Store(tmp_path / "cut.db").close()
    with Store(tmp_path / f"cut.db{BAK}") as backup:
        assert backup.records(1, GAME.events) == play.records


def test_an_earlier_backup_is_never_overwritten(old_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (f"allcity.db{BAK}", f"allcity.db.format-{len(MIGRATIONS)}.2.bak"):
        old_file.with_name(name).write_bytes(b"dear")
    with_next_script(monkeypatch)
    Store(old_file).close()
    after = folder_of(old_file)
    assert after[f"allcity.db{BAK}"] == after[f"allcity.db.format-{len(MIGRATIONS)}.2.bak"] == b"dear"
    assert after[f"allcity.db.format-{len(MIGRATIONS)}.3.bak"].startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (NEXT_FORMAT + "INSERT INTO nowhere VALUES (1);", "migration_failed"),
        (NEXT_FORMAT + "UPDATE events SET at = '';", "migration_failed"),
        (NEXT_FORMAT + "SELECT 1; SELECT 2;", "migration_failed"),
        ("PRAGMA max_page_count = 1;\n" + NEXT_FORMAT, "disk_full"),
    ],
)
def test_a_failing_migration_leaves_the_file_as_it_was(
    old_file: Path, monkeypatch: pytest.MonkeyPatch, script: str, code: str
) -> None:
    before = folder_of(old_file)
    with monkeypatch.context() as patched:
        with_next_script(patched, script)
        for _ in range(2):
            assert refusal(old_file).code == code
            assert folder_of(old_file) == before
    with Store(old_file) as store:
        play = saved_play(store, 1)
        random_step(play, random.Random(0))


# --- files that are not ours ------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"hello", b"x" * 100, b"\0" * 5000, os.urandom(20_000)], ids=len)
def test_a_file_that_is_no_database_is_refused_and_left_untouched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refusal(path).code == "not_a_database"
    assert folder_of(path) == {path.name: content}


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE bookmarks (url)"],
        ["CREATE TABLE bookmarks (url)", "PRAGMA application_id = 252006673", "PRAGMA user_version = 1"],
        ["PRAGMA user_version = 1"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE events (game_id, seq, at, type, data)"],
    ],
)
def test_the_database_of_another_program_is_refused_and_left_untouched(path: Path, statements: list[str]) -> None:
    with raw(path) as db:
        for statement in statements:
            db.execute(statement)
    before = folder_of(path)
    assert refusal(path).code == "other_program"
    assert folder_of(path) == before


@pytest.mark.parametrize("size", [50, 600, 4096, 10_000, -4096, -5000])
def test_a_truncated_file_is_refused_and_left_untouched(old_file: Path, size: int) -> None:
    old_file.write_bytes(old_file.read_bytes()[:size])
    before = folder_of(old_file)
    error = refusal(old_file)
    assert error.code == "damaged"
    assert folder_of(old_file) == before


def test_a_file_with_garbage_in_it_is_refused_and_left_untouched(old_file: Path) -> None:
    content, rng = old_file.read_bytes(), random.Random(3)
    for page in range(1, len(content) // 4096):
        damaged = content[: page * 4096] + rng.randbytes(4096) + content[(page + 1) * 4096 :]
        old_file.write_bytes(damaged)
        assert refusal(old_file).code == "damaged"
        assert folder_of(old_file) == {old_file.name: damaged}


def test_a_file_without_its_tables_is_called_damaged(store: Store) -> None:
    with raw(store.path) as db:
        db.execute("DROP TABLE events")
    with pytest.raises(StoreError) as caught:
        store.games()
    assert caught.value.code == "damaged"


@pytest.mark.parametrize("data", ["{", "[]", "7", '{"leader": "me"}', "{}"])
def test_an_event_that_was_tampered_with_is_an_error(store: Store, data: str) -> None:
    small_game(store)
    with raw(store.path) as db:
        db.execute("DROP TRIGGER events_stay")
        db.execute("UPDATE events SET data = ? WHERE seq = 2", (data,))
    with pytest.raises(StoreError) as caught:
        store.records(1, GAME.events)
    assert caught.value.code == "unreadable_record"


# --- the file itself --------------------------------------------------------------------------


def test_the_file_and_what_lies_beside_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "allcity.db"
    with Store(path):
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert found == {"allcity.db": 0o600, "allcity.db-wal": 0o600, "allcity.db-shm": 0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_everybody_could_read_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "allcity.db"
    Store(path).close()
    path.chmod(0o644)
    Store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_other_permissions_or_a_checkpoint_by_somebody_else_do_not_alarm(tmp_path: Path) -> None:
    path = tmp_path / "allcity.db"
    with Store(path) as store, Store(path) as other:
        game_id = store.new_game("tag_city", SMALL, now())
        path.chmod(0o640)
        store.append(game_id, [record(1)])
        other.forget_player(1)  # brings all into the file itself
        store.append(game_id, [record(2)])
        store.checkpoint()
    with Store(path) as store:
        assert len(store.records(game_id, GAME.events)) == 2


def test_who_only_reads_follows_to_the_file_that_is_there_now(tmp_path: Path) -> None:
    path = tmp_path / "allcity.db"
    with Store(path) as store, Store(path, follows=True) as past:
        store.new_game("tag_city", SMALL, now())
        assert len(past.games()) == 1
        path.unlink()
        store.start_afresh()
        for _ in range(2):
            store.new_game("tag_city", SMALL, now())
        assert len(past.games()) == 2


def test_somebody_else_who_looks_in_leaves_the_file_of_a_running_table_alone(tmp_path: Path) -> None:
    """A table and whoever looks back hold the file together; closing any handle of it must not give up SQLite's locks.

    Another process would then take itself for the last one, and delete the log under the table's hands.
    """
    path = tmp_path / "allcity.db"
    looks_in = f"from pathlib import Path; from pi_app.storage.store import Store; Store(Path({str(path)!r})).close()"
    with Store(path) as store, Store(path, follows=True) as past:
        game_id = store.new_game("tag_city", SMALL, "2001-01-01T00:00:00Z")
        for seq in range(1, 4):
            store.append(game_id, [Record(seq, "2001-01-01T00:00:00Z", STARTED)])
            subprocess.run([sys.executable, "-c", looks_in], check=True)
        assert [record.seq for record in past.records(game_id, GAME.events)] == [1, 2, 3]


def test_an_event_costs_a_memory_card_little(path: Path, store: Store) -> None:
    """Each is written by itself, before it counts: whole pages of the database, however small the event is."""
    game_id = store.new_game("tag_city", SMALL, now())
    log = path.with_name(path.name + "-wal")
    store.append(game_id, [Record(1, now(), STARTED)])
    before = log.stat().st_size
    for seq in range(2, 102):
        store.append(game_id, [Record(seq, now(), DiceRolled((1, 2, 3)))])
    assert (log.stat().st_size - before) / 100 < 2_000
