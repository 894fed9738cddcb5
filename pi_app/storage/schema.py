"""The tables of the store, format by format. What is recorded cannot be changed, whoever writes."""

from typing import Final

APPLICATION_ID: Final = int.from_bytes(b"AllC")
"""Marks our files among all SQLite files; never to be changed."""

# The BEFORE INSERT triggers number the rows without gaps, and they are also what stops INSERT OR REPLACE:
# the row that it would silently delete fires no DELETE trigger unless a connection asks for that, but a
# number that exists already is never the next one. Without rowids there is no second key to replace by.
_FORMAT_1: Final = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    started_at TEXT NOT NULL,
    profile TEXT NOT NULL,
    options TEXT NOT NULL
) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE seats (
    game_id INTEGER NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    game_id INTEGER NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER games_are_numbered BEFORE INSERT ON games
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM games)
BEGIN SELECT RAISE(ABORT, 'games are numbered from 1 without gaps'); END;

CREATE TRIGGER games_stay BEFORE UPDATE ON games
BEGIN SELECT RAISE(ABORT, 'games are never changed'); END;

CREATE TRIGGER games_remain BEFORE DELETE ON games
BEGIN SELECT RAISE(ABORT, 'games are never deleted'); END;

CREATE TRIGGER seats_are_numbered BEFORE INSERT ON seats
WHEN NEW.seat IS NOT (SELECT coalesce(max(seat), -1) + 1 FROM seats WHERE game_id = NEW.game_id)
    OR EXISTS (SELECT 1 FROM events WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'seats are numbered from 0 without gaps, before the first event'); END;

CREATE TRIGGER seats_stay BEFORE UPDATE ON seats
BEGIN SELECT RAISE(ABORT, 'seats are never changed'); END;

CREATE TRIGGER seats_remain BEFORE DELETE ON seats
BEGIN SELECT RAISE(ABORT, 'seats are never deleted'); END;

CREATE TRIGGER events_are_numbered BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'events are numbered from 1 without gaps'); END;

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
"""

# Seats never change, so people do: one without a name wished to be forgotten, or turned out to be `same_as` another.
_FORMAT_2: Final = """
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT UNIQUE,
    same_as INTEGER REFERENCES players (id),
    CHECK (name IS NULL OR same_as IS NULL)
) STRICT;

INSERT INTO people SELECT id, name, NULL FROM players;

DROP TABLE players;

ALTER TABLE people RENAME TO players;

CREATE TRIGGER players_remain BEFORE DELETE ON players
BEGIN SELECT RAISE(ABORT, 'players are never deleted, they lose their names'); END;

CREATE TRIGGER players_stay_forgotten BEFORE UPDATE ON players
WHEN OLD.name IS NULL AND (NEW.name IS NOT NULL OR OLD.same_as IS NULL)
BEGIN SELECT RAISE(ABORT, 'who was forgotten stays so'); END;
"""

# Who plays a seat may change while a game goes on: the last one to sit there is whose result it is. Once the game has
# ended nobody sits down in it any more. Games are never deleted, but may be put out of sight, and out of statistics.
_FORMAT_3: Final = """
CREATE TABLE sittings (
    game_id INTEGER NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    bot INTEGER NOT NULL CHECK (bot IN (0, 1)),
    at TEXT NOT NULL,
    PRIMARY KEY (game_id, number),
    FOREIGN KEY (game_id, seat) REFERENCES seats (game_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE marks (
    game_id INTEGER NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    mark TEXT NOT NULL CHECK (mark IN ('hidden', 'shown', 'practice', 'counted')),
    at TEXT NOT NULL,
    PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER sittings_are_numbered BEFORE INSERT ON sittings
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM sittings WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'sittings are numbered from 1 without gaps'); END;

CREATE TRIGGER sittings_end_with_the_game BEFORE INSERT ON sittings
WHEN 'game_ended' = (SELECT type FROM events WHERE game_id = NEW.game_id ORDER BY seq DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'nobody sits down in a game that has ended'); END;

CREATE TRIGGER sittings_stay BEFORE UPDATE ON sittings
BEGIN SELECT RAISE(ABORT, 'sittings are never changed'); END;

CREATE TRIGGER sittings_remain BEFORE DELETE ON sittings
BEGIN SELECT RAISE(ABORT, 'sittings are never deleted'); END;

CREATE TRIGGER marks_are_numbered BEFORE INSERT ON marks
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM marks WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'marks are numbered from 1 without gaps'); END;

CREATE TRIGGER marks_stay BEFORE UPDATE ON marks
BEGIN SELECT RAISE(ABORT, 'marks are never changed'); END;

CREATE TRIGGER marks_remain BEFORE DELETE ON marks
BEGIN SELECT RAISE(ABORT, 'marks are never deleted'); END;
"""

MIGRATIONS: Final = [_FORMAT_1, _FORMAT_2, _FORMAT_3]
"""Script i brings a file of format i to format i + 1; format 0 is an empty file."""
