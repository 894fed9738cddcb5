"""All games that were played, for whoever wants to look back: what `web.history.History` asks for."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import Any, Final

from pi_app.engine.contract import BadData
from pi_app.engine.events import Record
from pi_app.engine.setup import is_name
from pi_app.games import GAMES
from pi_app.history.bgstats import handover
from pi_app.history.exports import write_games, write_points
from pi_app.history.share import Pictured, draw
from pi_app.history.statistics import profile, results, summary
from pi_app.history.story import Digest, Story, digest, listed
from pi_app.storage.gamefile import game_file
from pi_app.storage.store import GameMark, Store, StoredGame, StoreError
from web.history import GameFilter
from web.people import Refused

PAGE: Final = 20
"""Games on a page."""

_REFUSED: Final = {"unknown_game", "unknown_player", "name_taken", "busy", "disk_full", "read_only"}
"""What people can do something about; whatever else fails is told without details."""


class History:
    """Looks back through a store of its own, so that the table never waits for a reader.

    Days begin at midnight in `zone`; None is where this computer stands.
    """

    def __init__(self, store: Store, zone: tzinfo | None = None) -> None:
        self._store, self._zone = store, zone
        # A stored game changes with every event and every new name, so nothing here grows stale.
        self._story = lru_cache(maxsize=8)(self._read)
        self._digest = lru_cache(maxsize=2000)(self._read_digest)
        self._picture = lru_cache(maxsize=8)(self._draw)

    # --- games --------------------------------------------------------------------------------

    def games(self, wanted: GameFilter) -> dict[str, Any]:
        begun = self._begun()
        found = self._wanted(begun, wanted)
        pages = max(1, -(-len(found) // PAGE))
        page = min(wanted.page, pages)
        return {
            "games": [listed(game) for game in found[(page - 1) * PAGE : page * PAGE]],
            "total": len(found),
            "page": page,
            "pages": pages,
            "people": _people(begun),
            "profiles": sorted({game.profile for game in begun}),
        }

    def game(self, game_id: int) -> dict[str, Any]:
        return self._of(game_id).told()

    def table_after(self, game_id: int, seq: int) -> dict[str, Any]:
        story = self._of(game_id)
        if not 0 <= seq < len(story.states):
            raise Refused("history.unknown_event")
        return story.table(seq)

    def game_file(self, game_id: int) -> dict[str, Any]:
        return game_file(self._of(game_id).play)

    def game_csv(self, game_id: int) -> str:
        file = io.StringIO()
        write_points(file, self._of(game_id).play)
        return file.getvalue()

    def games_csv(self, wanted: GameFilter) -> str:
        file = io.StringIO()
        games = self._wanted(self._begun(), wanted)
        write_games(file, ((game, self._digest(game)) for game in games))
        return file.getvalue()

    def picture(self, game_id: int, form: str, words: Mapping[str, str]) -> bytes:
        return self._picture(self._finished(game_id).stored, form, tuple(words.items()))

    def handover(self, game_id: int) -> dict[str, str]:
        return handover(self._finished(game_id))

    # --- players ------------------------------------------------------------------------------

    def players(self) -> list[dict[str, Any]]:
        with _told():
            people, found = self._store.players(), results(self._begun())
        bots = self._bots()
        known = [
            summary(person, found.get(person.id, ()))
            for person in people
            if person.name is not None and person.id not in bots
        ]
        return sorted(known, key=lambda one: (-one["wins"], -(one["average"] or 0), one["name"].casefold()))

    def _bots(self) -> set[int]:
        """Names under which only bots have played."""
        seated = [(person.id, seat in game.bots) for game in self._begun() for seat, person in enumerate(game.people)]
        return {number for number, bot in seated if bot} - {number for number, bot in seated if not bot}

    def mark(self, game_id: int, mark: GameMark) -> None:
        with _told():
            self._store.mark(game_id, mark, datetime.now(UTC).isoformat(timespec="seconds"))

    def player(self, player_id: int) -> dict[str, Any]:
        with _told():
            people = {person.id: person for person in self._store.players() if person.name is not None}
        if player_id not in people:
            raise Refused("history.unknown_player")
        own = results(self._begun()).get(player_id, [])
        return profile(people[player_id], own, {r.game.id: self._digest(r.game) for r in own})

    def rename(self, player_id: int, name: str, join: bool) -> int:
        name = name.strip()
        if not is_name(name):
            raise Refused("history.bad_name")
        with _told(name=name):
            self._require_away(player_id)
            return self._store.rename_player(player_id, name, join)

    def forget(self, player_id: int) -> None:
        with _told():
            self._require_away(player_id)
            self._store.forget_player(player_id)

    def _require_away(self, player_id: int) -> None:
        """The table goes on saying the names with which a game began. Raises Refused."""
        running = self._store.unfinished()
        if running and any(person.id == player_id for person in running.people):
            raise Refused("history.playing", game=running.id)

    # --- reading ------------------------------------------------------------------------------

    def _begun(self) -> list[StoredGame]:
        """Games in which anything happened at all."""
        with _told():
            return [game for game in self._store.games() if game.events]

    def _wanted(self, games: list[StoredGame], wanted: GameFilter) -> list[StoredGame]:
        found = [game for game in games if self._fits(game, wanted)]
        if wanted.sort == "score":
            return sorted(found, key=lambda game: max(game.scores or (-1000,)), reverse=True)
        return found if wanted.sort == "oldest" else found[::-1]

    def _fits(self, game: StoredGame, wanted: GameFilter) -> bool:
        day, text = self._day(game.started_at), wanted.text.casefold()
        return (
            wanted.hidden == game.hidden
            and (wanted.player is None or any(person.id == wanted.player for person in game.people))
            and (wanted.since is None or wanted.since <= day)
            and (wanted.until is None or day <= wanted.until)
            and (wanted.finished is None or wanted.finished == game.finished)
            and (not wanted.profile or wanted.profile == game.profile)
            and (not text or any(text in said.casefold() for said in (*game.players, game.profile, str(game.id))))
        )

    def _day(self, at: str) -> date:
        return datetime.fromisoformat(at).astimezone(self._zone).date()

    def _of(self, game_id: int) -> Story:
        with _told():
            return self._story(self._store.game(game_id))

    def _finished(self, game_id: int) -> Story:
        story = self._of(game_id)
        if not story.stored.finished:
            raise Refused("history.unfinished")
        return story

    def _read(self, stored: StoredGame) -> Story:
        try:
            return Story(stored, self._store.setup(stored.id), self._records(stored))
        except (StoreError, BadData, Refused):
            raise
        except Exception as error:  # records that are no game: whatever they lead to
            raise Refused("history.unreadable") from error

    def _records(self, stored: StoredGame) -> list[Record]:
        if stored.game not in GAMES:
            raise Refused("history.unreadable")
        return self._store.records(stored.id, GAMES[stored.game].events)[: stored.events]

    def _draw(self, stored: StoredGame, form: str, words: tuple[tuple[str, str], ...]) -> bytes:
        story, game = self._story(stored), GAMES[stored.game]
        seats = range(len(stored.players))
        mosaics = [game.mosaic(story.play.state, seat) for seat in seats] if isinstance(game, Pictured) else None
        return draw(story.told(), form, dict(words), mosaics)

    def _read_digest(self, stored: StoredGame) -> Digest:
        """One unreadable game must not hide all the others."""
        try:
            return digest(stored, self._store.setup(stored.id), self._records(stored))
        except Exception:
            return Digest(0, 0, (), {})


def _people(games: list[StoredGame]) -> list[dict[str, Any]]:
    """Everybody with a name in these games, by name."""
    seen = {person.id: person.name for game in games for person in game.people if person.name is not None}
    named = sorted(seen.items(), key=lambda one: one[1].casefold())
    return [{"id": player_id, "name": name} for player_id, name in named]


@contextmanager
def _told(**facts: Any) -> Iterator[None]:
    """Failures as people are told them: where the file lies is nothing for them."""
    try:
        yield
    except StoreError as error:
        code = error.code if error.code in _REFUSED else "unreadable"
        raise Refused(f"history.{code}", **facts) from error
    except BadData as error:
        raise Refused("history.unreadable") from error
