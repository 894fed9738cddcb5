"""What the history pages ask for: declared here, supplied by whoever keeps the games."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Protocol

SORTS: Final = ("newest", "oldest", "score")
PICTURES: Final = ("wide", "square")
LONGEST_TEXT: Final = 80
LARGEST_NUMBER: Final = 2**31 - 1


class Refusal(Exception):
    """What was asked for cannot be done; `code` is the id of a sentence under `history.refused`."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class BadQuery(ValueError):
    """A filter that makes no sense; `field` names it."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True)
class GameFilter:
    """Which games, in which order, and which page of them. Empty fields do not restrict."""

    player: int | None = None
    since: date | None = None
    until: date | None = None
    finished: bool | None = None
    profile: str = ""
    text: str = ""
    sort: str = "newest"
    page: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "GameFilter":
        """Reads what stands in an address. Raises BadQuery."""
        return cls(
            player=_number(query, "player"),
            since=_date(query, "since"),
            until=_date(query, "until"),
            finished={"": None, "yes": True, "no": False}[_choice(query, "finished", ("", "yes", "no"))],
            profile=_text(query, "profile"),
            text=_text(query, "text"),
            sort=_choice(query, "sort", SORTS),
            page=_number(query, "page") or 1,
        )

    def query(self) -> dict[str, str]:
        """The filter as it stands in an address, without the page."""
        finished = {None: "", True: "yes", False: "no"}[self.finished]
        told = {
            "player": str(self.player or ""),
            "since": self.since.isoformat() if self.since else "",
            "until": self.until.isoformat() if self.until else "",
            "finished": finished,
            "profile": self.profile,
            "text": self.text,
            "sort": "" if self.sort == SORTS[0] else self.sort,
        }
        return {field: value for field, value in told.items() if value}

    @property
    def restricts(self) -> bool:
        return bool(self.query().keys() - {"sort"})


def _text(query: Mapping[str, str], field: str) -> str:
    value = query.get(field, "").strip()
    if len(value) > LONGEST_TEXT:
        raise BadQuery(field)
    return value


def _choice(query: Mapping[str, str], field: str, allowed: tuple[str, ...]) -> str:
    value = query.get(field) or allowed[0]
    if value not in allowed:
        raise BadQuery(field)
    return value


def _number(query: Mapping[str, str], field: str) -> int | None:
    """A number from 1 on, written in plain digits."""
    value = query.get(field, "")
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= 10 and 0 < int(value) <= LARGEST_NUMBER):
        raise BadQuery(field)
    return int(value)


def _date(query: Mapping[str, str], field: str) -> date | None:
    value = query.get(field, "")
    if not value:
        return None
    try:
        return date.fromisoformat(value) if len(value) == len("2026-05-01") else _refuse(field)
    except ValueError as error:
        raise BadQuery(field) from error


def _refuse(field: str) -> date:
    raise BadQuery(field)


class History(Protocol):
    """All games that were played. What is returned are plain JSON values; a name is null once it was forgotten.

    Unknown games and players are `Refusal("unknown_game")` and `Refusal("unknown_player")`.
    """

    def games(self, wanted: GameFilter) -> dict[str, Any]:
        """One page: `games`, `total`, `page`, `pages`, and what can be chosen: `people`, `profiles`."""
        ...

    def game(self, game_id: int) -> dict[str, Any]:
        """The whole story of a game."""
        ...

    def table_after(self, game_id: int, seq: int) -> dict[str, Any]:
        """The table as it was after event `seq`, 0 being the start, as a view. Raises Refusal("unknown_event")."""
        ...

    def game_file(self, game_id: int) -> dict[str, Any]: ...

    def game_csv(self, game_id: int) -> str: ...

    def games_csv(self, wanted: GameFilter) -> str:
        """A row for every seat of the games wanted, whatever the page."""
        ...

    def picture(self, game_id: int, form: str, words: Mapping[str, str]) -> bytes:
        """A PNG to share of a finished game. Raises Refusal("unfinished")."""
        ...

    def handover(self, game_id: int) -> str:
        """The address that hands a finished game to BG Stats. Raises Refusal("unfinished")."""
        ...

    def players(self) -> list[dict[str, Any]]: ...

    def player(self, player_id: int) -> dict[str, Any]: ...

    def rename(self, player_id: int, name: str, join: bool) -> int:
        """The number by which the player is known from now on. Raises Refusal."""
        ...

    def forget(self, player_id: int) -> None:
        """Raises Refusal."""
        ...
