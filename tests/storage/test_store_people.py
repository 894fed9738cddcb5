"""People in the store: renamed, joined and forgotten, while every recorded result stays."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import pi_app.storage.store
from pi_app.engine.contract import Setup
from pi_app.engine.events import GameEnded, Record
from pi_app.games.tag_city.rules.model import GameStarted
from pi_app.storage.schema import MIGRATIONS
from pi_app.storage.store import FORMER, Person, Store, StoredGame, StoreError
from tests.store_writer import GAME, now

ENDED = GameEnded(("drone",), (3, -2), (0,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "allcity.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        fill(opened)
        yield opened


def fill(store: Store) -> None:
    """Ana against Bo, Bo against Cy, Cy against Bob."""
    for players in (("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Bob")):
        game_id = store.new_game("tag_city", Setup({"name": "small"}, {}, players), now())
        store.append(game_id, [Record(1, now(), GameStarted(0)), Record(2, now(), ENDED)])


def names(store: Store) -> list[tuple[str, ...]]:
    return [game.players for game in store.games()]


def ids(game: StoredGame) -> tuple[int, ...]:
    return tuple(person.id for person in game.people)


def refused(store: Store, player_id: int, name: str | None = None) -> str:
    """The code of the refusal to rename somebody, or without a name to forget them."""
    with pytest.raises(StoreError) as caught:
        store.forget_player(player_id) if name is None else store.rename_player(player_id, name)
    return caught.value.code


# --- renaming and joining ---------------------------------------------------------------------


def test_a_new_name_is_told_in_all_games(store: Store) -> None:
    assert store.rename_player(2, "Beau") == 2
    assert names(store) == [("Ana", "Beau"), ("Beau", "Cy"), ("Cy", "Bob")]
    assert store.setup(1).players == ("Ana", "Beau")
    assert store.rename_player(2, "Beau") == 2


def test_the_old_name_is_free_for_somebody_else(store: Store) -> None:
    store.rename_player(2, "Beau")
    store.new_game("tag_city", Setup({}, {}, ("Bo", "Beau")), now())
    assert ids(store.games()[-1]) == (5, 2)


def test_a_name_that_somebody_has_is_refused_unless_both_are_one(store: Store) -> None:
    assert refused(store, 2, "Bob") == "name_taken"
    assert names(store)[0] == ("Ana", "Bo")
    assert store.rename_player(2, "Bob", join=True) == 4
    assert names(store) == [("Ana", "Bob"), ("Bob", "Cy"), ("Cy", "Bob")]
    assert [ids(game) for game in store.games()] == [(1, 4), (4, 3), (3, 4)]
    assert store.players() == [Person(1, "Ana"), Person(3, "Cy"), Person(4, "Bob")]


def test_who_was_joined_goes_along_when_joined_again_or_forgotten(store: Store) -> None:
    store.rename_player(2, "Bob", join=True)
    store.rename_player(4, "Cy", join=True)
    assert names(store) == [("Ana", "Cy"), ("Cy", "Cy"), ("Cy", "Cy")]
    store.forget_player(3)
    assert names(store) == [("Ana", FORMER), (FORMER, FORMER), (FORMER, FORMER)]


# --- forgetting -------------------------------------------------------------------------------


def test_who_is_forgotten_leaves_the_results_and_no_name(store: Store) -> None:
    before = [(game.events, game.scores, game.winners) for game in store.games()]
    store.forget_player(2)
    assert names(store) == [("Ana", FORMER), (FORMER, "Cy"), ("Cy", "Bob")]
    assert store.setup(1).players == ("Ana", FORMER)
    assert [(game.events, game.scores, game.winners) for game in store.games()] == before
    assert store.players()[1] == store.game(1).people[1] == Person(2, None)


def test_a_forgotten_name_is_nowhere_in_the_file_any_more(path: Path) -> None:
    name = "Wilhelmina-Theodora"
    with Store(path) as store, Store(path) as table:
        fill(store)
        store.rename_player(2, "Was-Called-So-Before")
        store.rename_player(2, name)
        table.append(store.new_game("tag_city", Setup({}, {}, (name, "Ana")), now()), [Record(1, now(), ENDED)])
        store.forget_player(2)
        for file in path.parent.iterdir():
            assert name.encode() not in file.read_bytes(), file.name
            assert b"Was-Called-So-Before" not in file.read_bytes(), file.name


def test_somebody_with_a_forgotten_name_is_somebody_new(store: Store) -> None:
    store.forget_player(2)
    store.new_game("tag_city", Setup({}, {}, ("Bo", FORMER)), now())
    assert store.games()[-1].players == ("Bo", FORMER)
    assert ids(store.games()[-1]) == (5, 6)


@pytest.mark.parametrize("player_id", [0, -1, 99, 10**30, 2])
def test_nobody_is_renamed_or_forgotten_twice_or_out_of_nowhere(store: Store, player_id: int) -> None:
    store.forget_player(2)
    assert refused(store, player_id) == "unknown_player"
    assert refused(store, player_id, "Zed") == "unknown_player"


def test_a_name_that_cannot_be_written_changes_nothing(store: Store) -> None:
    assert refused(store, 2, "\ud800") == "bad_text"
    assert names(store)[0] == ("Ana", "Bo")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players SET name = 'Bo' WHERE id = 2",
        "UPDATE players SET same_as = 1 WHERE id = 2",
        "UPDATE players SET same_as = 1 WHERE id = 3",
        "DELETE FROM players WHERE id = 2",
        "DELETE FROM players",
    ],
)
def test_the_schema_itself_brings_no_name_back(store: Store, statement: str) -> None:
    store.forget_player(2)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as db:
        before = list(db.iterdump())
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(statement)
        assert list(db.iterdump()) == before


# --- files from before people could be forgotten ----------------------------------------------


@pytest.fixture
def format_1(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with monkeypatch.context() as patched:
        patched.setattr(pi_app.storage.store, "MIGRATIONS", MIGRATIONS[:1])
        with Store(path) as store:
            fill(store)
    return path


def test_an_old_file_keeps_its_people_and_games(format_1: Path) -> None:
    with Store(format_1) as store:
        assert names(store) == [("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Bob")]
        assert store.players() == [Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cy"), Person(4, "Bob")]
        assert [record.event for record in store.records(3, GAME.events)] == [GameStarted(0), ENDED]
        store.forget_player(2)
        store.new_game("tag_city", Setup({}, {}, ("Dee", "Ana")), now())
        assert ids(store.games()[-1]) == (5, 1)
    assert format_1.with_name("allcity.db.format-1.bak").is_file()


def test_a_migration_that_the_power_cut_short_is_whole_or_not_begun(format_1: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(format_1)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    before = format_1.read_bytes()
    with Store(format_1):
        log = format_1.with_name("allcity.db-wal").read_bytes()
        formats = set()
        for number, length in enumerate([*range(0, len(log), 1024), len(log)]):
            cut = tmp_path / f"cut-{number}" / "allcity.db"
            cut.parent.mkdir()
            cut.write_bytes(before)
            cut.with_name("allcity.db-wal").write_bytes(log[:length])
            with closing(sqlite3.connect(cut)) as db:
                formats.add(db.execute("PRAGMA user_version").fetchone()[0])
            with Store(cut) as store:
                assert names(store) == [("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Bob")]
    assert formats == {1, len(MIGRATIONS)}


# --- the table writes, the dashboard reads ----------------------------------------------------


def test_reading_with_a_connection_of_ones_own_never_stops_the_table(path: Path) -> None:
    """The table's appends go through although readers never rest, and readers see whole moves only."""
    with Store(path) as table, Store(path) as dashboard:
        game_id = table.new_game("tag_city", Setup({"name": "small"}, {}, ("Ana", "Bo")), now())
        done, counts, failures = threading.Event(), set[int](), list[Exception]()

        def look() -> None:
            try:
                while not done.is_set():
                    counts.update(game.events for game in dashboard.games())
                    counts.add(len(dashboard.records(game_id, GAME.events)))
            except Exception as error:
                failures.append(error)

        readers = [threading.Thread(target=look) for _ in range(4)]
        for reader in readers:
            reader.start()
        for seq in range(1, 401, 2):
            table.append(game_id, [Record(seq, now(), GameStarted(0)), Record(seq + 1, now(), GameStarted(1))])
        done.set()
        for reader in readers:
            reader.join()
        assert failures == []
        assert all(count % 2 == 0 for count in counts)
        assert len(counts) > 2
        assert dashboard.games()[0].events == 400


def test_renaming_while_the_table_writes_loses_nothing(path: Path) -> None:
    with Store(path) as table, Store(path) as dashboard:
        game_id = table.new_game("tag_city", Setup({"name": "small"}, {}, ("Ana", "Bo")), now())

        def write() -> None:
            for seq in range(1, 101):
                table.append(game_id, [Record(seq, now(), GameStarted(0))])

        writer = threading.Thread(target=write)
        writer.start()
        for number in range(50):
            dashboard.rename_player(1, f"Ana {number}")
        writer.join()
        (game,) = table.games()
        assert (game.events, game.players) == (100, ("Ana 49", "Bo"))
