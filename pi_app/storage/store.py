"""Where games are kept: one SQLite file to which events are only ever added.

State is not stored. A game is its set-up and its events; whoever wants to go on folds them again:

    game = GAMES[stored.game]
    play = Play(game, store.setup(stored.id), now, store.records(stored.id, game.events),
                save=lambda records: store.append(stored.id, records))
"""

import errno
import itertools
import json
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from pi_app.engine.contract import Setup
from pi_app.engine.events import Event, GameEnded, Record, from_json, to_json
from pi_app.storage.schema import APPLICATION_ID, MIGRATIONS

FORMER: Final = "—"
"""Stands for the name of somebody who wished to be forgotten, in whatever language."""

GameMark = Literal["hidden", "shown", "practice", "counted"]
"""Out of sight, or not; out of statistics, or not. The last of each pair holds."""

_GAMES: Final = """
SELECT games.id, game, started_at, coalesce(json_extract(profile, '$.name'), ''),
    (SELECT mark FROM marks WHERE game_id = games.id AND mark IN ('hidden', 'shown') ORDER BY number DESC LIMIT 1),
    (SELECT mark FROM marks WHERE game_id = games.id AND mark IN ('practice', 'counted') ORDER BY number DESC LIMIT 1),
    coalesce(seq, 0), at, type, data
FROM games LEFT JOIN events ON game_id = games.id AND seq = (SELECT max(seq) FROM events WHERE game_id = games.id)
"""

_SEATED: Final = """
SELECT seats.game_id, coalesce(sat.bot, 0), person.id, person.name
FROM seats LEFT JOIN sittings AS sat ON sat.game_id = seats.game_id AND sat.number = (
    SELECT max(number) FROM sittings WHERE game_id = seats.game_id AND seat = seats.seat
)
JOIN players AS seated ON seated.id = coalesce(sat.player_id, seats.player_id)
JOIN players AS person ON person.id = coalesce(seated.same_as, seated.id)
"""

_CODES: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_AUTH: "unwritable_place",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_CANTOPEN: "unwritable_place",
    sqlite3.SQLITE_CONSTRAINT: "append_only",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_IOERR: "disk_error",
    # Making room in the -shm file is the first thing to fail when a full disk is opened.
    sqlite3.SQLITE_IOERR_SHMSIZE: "disk_full",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_NOTADB: "not_a_database",
    sqlite3.SQLITE_PERM: "unwritable_place",
    sqlite3.SQLITE_PROTOCOL: "busy",
    sqlite3.SQLITE_READONLY: "read_only",
}

_PAGE_BYTES: Final = 1024

_PRIMARY: Final = 0xFF
"""The part of an SQLite error code that tells the kind of failure; the rest tells details."""


class StoreError(Exception):
    """The store could not do what was asked, and nothing has changed.

    `code` is a stable id with a sentence in every language; `facts` fill that sentence and are
    plain JSON values.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{code}: {', '.join(f'{name}={value}' for name, value in facts.items())}")
        self.code = code
        self.facts = facts


@dataclass(frozen=True)
class Person:
    """Somebody who sat at the table; without a name since they wished to be forgotten."""

    id: int
    name: str | None


@dataclass(frozen=True)
class StoredGame:
    """A game in the store; `scores` and `winners` are known once its last event has ended it.

    `players` are the names to say, `people` who they are.
    """

    id: int
    game: str
    started_at: str
    players: tuple[str, ...]
    events: int
    finished: bool
    scores: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    people: tuple[Person, ...]
    profile: str
    last_at: str
    bots: tuple[int, ...] = ()
    """The seats that bots play, or played in the end."""
    hidden: bool = False
    """Somebody does not want to see it any more."""
    practice: bool = False
    """It says nothing about people: bots took part, or somebody said so."""


class Store:
    """One file of games. Every method may be called from any thread and raises StoreError only."""

    def __init__(self, path: Path, busy_timeout_s: float = 5.0, follows: bool = False) -> None:
        """Opens the file, or creates it with the folders above it, for its owner alone.

        An older file is migrated after a copy of it was put beside it. A newer or damaged one, one of
        another program and one that cannot be written are refused and left as they are. A store that
        `follows` reads from whatever file is put in place of this one later.
        """
        self.path = path
        self._busy_timeout_s, self._follows = busy_timeout_s, follows
        self._lock = threading.RLock()
        self._closed = False
        self._files = _Files(None, None)
        self._last_event: tuple[int, int]
        """The newest game and its last event in the file itself, as of the last checkpoint."""
        self._open()

    def _open(self) -> None:
        self._files = _Files(None, None)
        with _explained(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _require_writable(self.path)
            # Never one that is there: closing any handle of it would give up the locks of all our connections to it.
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(
                self.path, timeout=self._busy_timeout_s, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise
            with suppress(PermissionError):  # somebody else's file, which we may write all the same
                self.path.chmod(0o600)
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._note_files()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; closing twice does no harm."""
        with self._lock:
            self._closed = True
            self._db.close()

    # --- writing ------------------------------------------------------------------------------

    def new_game(
        self, game_name: str, setup: Setup, at: str, records: Sequence[Record] = (), bots: Collection[int] = ()
    ) -> int:
        """Records a game, usually before its first event, and gives its number. `bots` are the seats that they play."""
        profile, options = json.dumps(dict(setup.profile)), json.dumps(dict(setup.options))
        with self._transaction("IMMEDIATE") as db:
            game_id: int = db.execute("SELECT coalesce(max(id), 0) + 1 FROM games").fetchone()[0]
            db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (game_id, game_name, at, profile, options))
            for seat, name in enumerate(setup.players):
                db.execute("INSERT INTO players (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
                db.execute("INSERT INTO seats SELECT ?, ?, id FROM players WHERE name = ?", (game_id, seat, name))
            for seat in sorted(bots):
                _seat(db, game_id, seat, setup.players[seat], True, at)
            _insert(db, game_id, records)
        self._require_kept()
        return game_id

    def append(self, game_id: int, records: Sequence[Record]) -> None:
        """Adds records, all or none. When it returns they are on the disk, even if the power fails."""
        with self._transaction("IMMEDIATE") as db:
            self._require(db, game_id)
            _insert(db, game_id, records)
        self._require_kept()

    def checkpoint(self) -> None:
        """Brings all into the file itself, so that a copy of it holds every game."""
        with self._using() as db:
            self._require_same_file()
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._note_files()

    def copy_to(self, path: Path) -> None:
        """Writes all games into a new file that needs no log beside it, also while others write."""
        with self._using():
            self._copy_to(path)
            with closing(sqlite3.connect(path)) as copy:
                copy.execute("PRAGMA journal_mode = DELETE")

    def check_writable(self) -> None:
        """Raises StoreError while nothing can be written."""
        with self._transaction("IMMEDIATE") as db:
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")  # as it was, but written and synced

    def start_afresh(self) -> None:
        """Goes on in a new file. Whatever lies in its place by now is kept beside it under another name."""
        with self._lock, _explained(self.path):
            # Moved away first: SQLite would write the rest of its log into whatever lies there when it closes.
            kept = _free_name(self.path, "replaced")
            with suppress(FileNotFoundError):
                self.path.rename(kept)
            with suppress(FileNotFoundError):
                _beside(self.path, "-wal").rename(_beside(kept, ".wal"))
            _beside(self.path, "-shm").unlink(missing_ok=True)
            self._db.close()
            self._open()

    def sit(self, game_id: int, seat: int, name: str, bot: bool, at: str) -> None:
        """From now on, somebody else plays this seat, or a bot does. Refused once the game has ended."""
        with self._transaction("IMMEDIATE") as db:
            self._require(db, game_id)
            db.execute("INSERT INTO players (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            _seat(db, game_id, seat, name, bot, at)

    def mark(self, game_id: int, mark: GameMark, at: str) -> None:
        """Puts a game out of sight or out of statistics, or back."""
        with self._transaction("IMMEDIATE") as db:
            self._require(db, game_id)
            db.execute(
                "INSERT INTO marks SELECT ?, coalesce(max(number), 0) + 1, ?, ? FROM marks WHERE game_id = ?",
                (game_id, mark, at, game_id),
            )

    def rename_player(self, player_id: int, name: str, join: bool = False) -> int:
        """Gives a player another name, in all games; the number by which they are known from now on.

        A name that somebody else has is refused, or with `join` tells that both are the same person.
        """
        with self._transaction("IMMEDIATE") as db:
            self._require_player(db, player_id)
            other = db.execute("SELECT id FROM players WHERE name = ? AND id != ?", (name, player_id)).fetchone()
            if other is None:
                db.execute("UPDATE players SET name = ? WHERE id = ?", (name, player_id))
                return player_id
            if not join:
                raise StoreError("name_taken", file=str(self.path), name=name)
            db.execute("UPDATE players SET same_as = ? WHERE same_as = ?", (other[0], player_id))
            db.execute("UPDATE players SET name = NULL, same_as = ? WHERE id = ?", (other[0], player_id))
            kept: int = other[0]
        return kept

    def forget_player(self, player_id: int) -> None:
        """Takes a player's name out of all games; what they played stays, and nothing brings the name back."""
        with self._using() as db:
            with self._transaction("IMMEDIATE"):
                self._require_player(db, player_id)
                db.execute("UPDATE players SET name = NULL WHERE id = ?", (player_id,))
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # or the name could still be read in the log

    # --- reading ------------------------------------------------------------------------------

    def games(self) -> list[StoredGame]:
        """All games, the oldest first."""
        with self._transaction("DEFERRED") as db:
            return self._stored_games(db, "")

    def game(self, game_id: int) -> StoredGame:
        """Raises StoreError if there is no such game."""
        with self._transaction("DEFERRED") as db:
            self._require(db, game_id)
            return self._stored_games(db, "WHERE games.id = ?", game_id)[0]

    def players(self) -> list[Person]:
        """Everybody who has a seat in any game, in the order in which they first came."""
        with self._using() as db:
            rows = db.execute("SELECT id, name FROM players WHERE same_as IS NULL ORDER BY id")
            return [Person(*row) for row in rows]

    def unfinished(self) -> StoredGame | None:
        """The last game, if it was interrupted; one that was left for a newer game stays left."""
        games = self.games()
        return games[-1] if games and not games[-1].finished else None

    def setup(self, game_id: int) -> Setup:
        """What was fixed before the first event; players by the names that they have today."""
        with self._using() as db:
            profile, options = self._require(db, game_id)
            seated = db.execute(f"{_SEATED} WHERE seats.game_id = ? ORDER BY seats.seat", (game_id,))
            players = tuple(_name(Person(*person)) for _, _, *person in seated)
            with self._understood(game_id):
                return Setup(json.loads(profile), json.loads(options), players)

    def records(self, game_id: int, kinds: Mapping[str, type[Event]]) -> list[Record]:
        """All events in order; `kinds` are the events of that game by type."""
        with self._using() as db:
            self._require(db, game_id)
            rows = db.execute("SELECT seq, at, type, data FROM events WHERE game_id = ? ORDER BY seq", (game_id,))
            with self._understood(game_id):
                return [
                    Record(seq, at, from_json({**json.loads(data), "type": kind}, kinds))
                    for seq, at, kind, data in rows
                ]

    def _require(self, db: sqlite3.Connection, game_id: int) -> tuple[str, str]:
        """Profile and options of a game as JSON. Raises StoreError if there is no such game."""
        row: tuple[str, str] | None = None
        with suppress(OverflowError):  # no number that SQLite cannot even hold is a game's
            row = db.execute("SELECT profile, options FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            raise StoreError("unknown_game", file=str(self.path), game=game_id)
        return row

    def _require_player(self, db: sqlite3.Connection, player_id: int) -> None:
        """Raises StoreError unless somebody with a name has this number."""
        row = None
        with suppress(OverflowError):
            row = db.execute("SELECT 1 FROM players WHERE id = ? AND name IS NOT NULL", (player_id,)).fetchone()
        if row is None:
            raise StoreError("unknown_player", file=str(self.path), player=player_id)

    def _stored_games(self, db: sqlite3.Connection, which: str, *values: int) -> list[StoredGame]:
        seated: dict[int, list[tuple[Person, bool]]] = {}
        sql = f"{_SEATED} JOIN games ON games.id = seats.game_id {which} ORDER BY seats.seat"
        for game_id, bot, *person in db.execute(sql, values):
            seated.setdefault(game_id, []).append((Person(*person), bool(bot)))
        rows = db.execute(f"{_GAMES} {which} ORDER BY games.id", values)
        return [self._stored_game(seated.get(row[0], []), *row) for row in rows]

    def _stored_game(
        self,
        seated: list[tuple[Person, bool]],
        game_id: int,
        game: str,
        at: str,
        profile: str,
        seen: str | None,
        counted: str | None,
        count: int,
        last_at: str | None,
        kind: str | None,
        data: str,
    ) -> StoredGame:
        """A row of `_GAMES` with its players; `kind` and `data` are those of the last event."""
        people = tuple(person for person, _ in seated)
        bots = tuple(seat for seat, (_, bot) in enumerate(seated) if bot)
        scores = winners = None
        if kind == GameEnded.type:
            with suppress(ValueError, KeyError, TypeError):  # one damaged record must not hide all other games
                result = json.loads(data)
                scores, winners = tuple(result["scores"]), tuple(result["winners"])
        return StoredGame(
            id=game_id,
            game=game,
            started_at=at,
            players=tuple(map(_name, people)),
            events=count,
            finished=winners is not None,
            scores=scores,
            winners=winners,
            people=people,
            profile=profile,
            last_at=last_at or at,
            bots=bots,
            hidden=seen == "hidden",
            practice=counted == "practice" or (bool(bots) and counted != "counted"),
        )

    @contextmanager
    def _understood(self, game_id: int) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError("unreadable_record", file=str(self.path), game=game_id, why=str(error)) from error

    # --- the connection -----------------------------------------------------------------------

    def _require_kept(self) -> None:
        """What was just written must be in the file that people will open next. Raises StoreError."""
        with self._using():
            self._require_same_file()
            if not _has_log(self.path):
                raise StoreError("replaced", file=str(self.path))

    def _require_same_file(self) -> None:
        """Raises StoreError when somebody has deleted, replaced or overwritten the file."""
        now = _Files.of(self.path)
        if now.written != self._files.written and now.is_same(self._files):
            # Only a checkpoint of ours changes the database itself, and that takes no event away.
            last = _last_event(self.path)
            if last is not None and last >= self._last_event:
                self._files, self._last_event = now, last
        if not now.is_same(self._files) or now.written != self._files.written:
            raise StoreError("replaced", file=str(self.path))

    def _note_files(self) -> None:
        self._files, self._last_event = _Files.of(self.path), _last_event(self.path) or (0, 0)

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time."""
        with self._lock, _explained(self.path):
            if self._closed:
                raise StoreError("closed", file=str(self.path))
            if self._follows and self._files.database and not _Files.of(self.path).is_same(self._files):
                self._db.close()
                self._open()
            yield self._db

    @contextmanager
    def _transaction(self, kind: Literal["DEFERRED", "IMMEDIATE"]) -> Iterator[sqlite3.Connection]:
        """All or nothing: DEFERRED reads one moment of the file, IMMEDIATE writes and is durable when left."""
        with self._using() as db:
            db.execute(f"BEGIN {kind}")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk makes SQLite roll back by itself
                    db.execute("ROLLBACK")
                raise

    # --- opening ------------------------------------------------------------------------------

    def _prepare(self) -> None:
        # Nothing may be written before the file is known to be ours and sound.
        with self._transaction("DEFERRED"):
            self._recognised_format()
            self._require_sound()
        # Every event is written by itself, one page at least: small ones spare the card. An older file keeps its own.
        self._db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        # Or names that were taken out could still be read in free parts of the file.
        self._db.execute("PRAGMA secure_delete = ON")
        self._migrate()
        # Only now, because scripts that rebuild a table need it off, and it cannot be changed in a transaction.
        self._db.execute("PRAGMA foreign_keys = ON")

    def _recognised_format(self) -> int:
        """The format of the file, 0 if it is empty. Raises StoreError for files that are not ours to use."""
        application = self._pragma("application_id")
        found: int = self._pragma("user_version")
        tables = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if (application, found, tables) == (0, 0, 0):
            return 0
        if application != APPLICATION_ID:
            raise StoreError("other_program", file=str(self.path))
        if found > len(MIGRATIONS):
            raise StoreError("newer_format", file=str(self.path), format=found, known=len(MIGRATIONS))
        return found

    def _require_sound(self) -> None:
        """Better before the game than in the middle of it. Raises StoreError."""
        found = self._pragma("quick_check(1)")
        if found != "ok":
            raise StoreError("damaged", file=str(self.path), why=" ".join(found.split()))

    def _pragma(self, name: str) -> Any:
        return self._db.execute(f"PRAGMA {name}").fetchone()[0]

    def _migrate(self) -> None:
        """Runs the scripts that the file lacks, all or none. Raises StoreError."""
        backup: Path | None = None
        try:
            with self._transaction("IMMEDIATE"):
                found = self._recognised_format()  # again: another process may have migrated meanwhile
                if found < len(MIGRATIONS):
                    if found:
                        backup = self._backup_name(found)
                        self._copy_to(backup)
                    self._run_scripts(found)
        except BaseException:
            if backup:
                backup.unlink(missing_ok=True)  # or a program that is started again and again fills the disk
            raise

    def _run_scripts(self, found: int) -> None:
        try:
            for statement in itertools.chain.from_iterable(map(_statements, MIGRATIONS[found:])):
                self._db.execute(statement)
        except sqlite3.Error as error:
            if _code(error) not in ("damaged", "append_only"):
                raise  # full, read-only and the like are nothing that the script did
            facts = {"format": found, "known": len(MIGRATIONS), "why": str(error)}
            raise StoreError("migration_failed", file=str(self.path), **facts) from error
        self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _backup_name(self, found: int) -> Path:
        """A name beside the file that tells its format and is still free: earlier backups stay."""
        return _free_name(self.path, f"format-{found}", ".bak")

    def _copy_to(self, backup: Path) -> None:
        # A second connection, because one that is writing cannot be copied from.
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(backup)) as target:
            source.backup(target)


def check_store(path: Path) -> None:
    """Looks a file of games through, without changing it, also while a table uses it. Raises StoreError."""
    with _explained(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError("other_program", file=str(path))
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreError("damaged", file=str(path), why=" ".join(found.split()))


@dataclass(frozen=True)
class _Files:
    """The database and its log (SQLite's WAL) on the disk, to notice when somebody else puts others in their place."""

    database: os.stat_result | None
    log: os.stat_result | None

    @classmethod
    def of(cls, path: Path) -> Self:
        return cls(_stat(path), _stat(_beside(path, "-wal")))

    def is_same(self, open_ones: Self) -> bool:
        """Whether the names still lead to the files that were opened."""
        return _same(self.database, open_ones.database) and _same(self.log, open_ones.log)

    @property
    def written(self) -> tuple[int, int] | None:
        """When the database itself was last written, and its size."""
        return None if self.database is None else (self.database.st_ctime_ns, self.database.st_size)


def _last_event(path: Path) -> tuple[int, int] | None:
    """The newest game and its last event in the database itself, whatever its log holds; None if it is no good."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as alone:
            if alone.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return None
            game_id = alone.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()[0]
            last = alone.execute("SELECT coalesce(max(seq), 0) FROM events WHERE game_id = ?", (game_id,)).fetchone()[0]
            return game_id, last
    except sqlite3.Error:
        return None


def _has_log(path: Path) -> bool:
    """Whether what was just written to the log would be found again: its first bytes say that it is one."""
    with _beside(path, "-wal").open("rb") as log:
        return log.read(3) == b"\x37\x7f\x06"


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _same(before: os.stat_result | None, after: os.stat_result | None) -> bool:
    return before is not None and after is not None and os.path.samestat(before, after)


def _free_name(path: Path, word: str, ending: str = "") -> Path:
    """A name beside the file that is still free: what was put there earlier stays."""
    numbers = itertools.chain([""], (f".{number}" for number in itertools.count(2)))
    names = (f"{path.name}.{word}{number}{ending}" for number in numbers)
    return next(free for free in map(path.with_name, names) if not free.exists())


def _insert(db: sqlite3.Connection, game_id: int, records: Sequence[Record]) -> None:
    rows = [(game_id, record.seq, record.at, *_stored(record.event)) for record in records]
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)


def _seat(db: sqlite3.Connection, game_id: int, seat: int, name: str, bot: bool, at: str) -> None:
    db.execute(
        "INSERT INTO sittings SELECT ?, (SELECT coalesce(max(number), 0) + 1 FROM sittings WHERE game_id = ?),"
        " ?, id, ?, ? FROM players WHERE name = ?",
        (game_id, game_id, seat, bot, at, name),
    )


def _require_writable(path: Path) -> None:
    """Raises StoreError. SQLite alone would leave traces beside the file and fail at the first move only."""
    if path.exists() and not os.access(path, os.W_OK):
        raise StoreError("read_only", file=str(path))
    if not os.access(path.parent, os.W_OK):
        raise StoreError("unwritable_place", file=str(path), why="its folder is read-only")


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Whatever fails inside becomes a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_code(error), file=str(file), why=str(error)) from error
    except UnicodeEncodeError as error:
        raise StoreError("bad_text", file=str(file), why=str(error)) from error
    except OSError as error:
        code = {errno.ENOSPC: "disk_full", errno.EROFS: "read_only"}.get(error.errno or 0, "unwritable_place")
        raise StoreError(code, file=str(file), why=error.strerror or str(error)) from error


def _code(error: sqlite3.Error) -> str:
    """Our word for what SQLite reports; SQL that fails on a file of ours means that the file is damaged."""
    number: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return _CODES.get(number) or _CODES.get(number & _PRIMARY, "damaged")


def _name(person: Person) -> str:
    return FORMER if person.name is None else person.name


def _stored(event: Event) -> tuple[str, str]:
    data = to_json(event)
    return data.pop("type"), json.dumps(data)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, each ending with its line; `executescript` would commit what was begun."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    yield statement
