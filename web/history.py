"""What the history pages ask for: declared here, supplied by whoever keeps the games."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Protocol

from web.intake import BadInput

SORTS: Final = ("newest", "oldest", "score")
LONGEST_TEXT: Final = 80
LARGEST_NUMBER: Final = 2**31 - 1
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


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
        """Reads what stands in an address. Raises BadInput."""
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
        raise BadInput(field, f'"…" ≤ {LONGEST_TEXT}')
    return value


def _choice(query: Mapping[str, str], field: str, allowed: tuple[str, ...]) -> str:
    value = query.get(field) or allowed[0]
    if value not in allowed:
        raise BadInput(field, " | ".join(allowed))
    return value


def _number(query: Mapping[str, str], field: str) -> int | None:
    """A number from 1 on, written in plain digits."""
    value = query.get(field, "")
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= 10 and 0 < int(value) <= LARGEST_NUMBER):
        raise BadInput(field, f"1…{LARGEST_NUMBER}")
    return int(value)


def _date(query: Mapping[str, str], field: str) -> date | None:
    value = query.get(field, "")
    if not value:
        return None
    try:
        if DATE.fullmatch(value):  # other forms of ISO 8601 are none that a browser sends
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise BadInput(field, "2026-05-01")


class History(Protocol):
    """All games that were played. What is returned are plain JSON values; a name is null once it was forgotten.

    What is unknown or cannot be done raises Refused with a key under `history`.
    """

    def games(self, wanted: GameFilter) -> dict[str, Any]:
        """One page: `games`, `total`, `page`, `pages`, and what can be chosen: `people`, `profiles`."""
        ...

    def game(self, game_id: int) -> dict[str, Any]:
        """The whole story of a game."""
        ...

    def table_after(self, game_id: int, seq: int) -> dict[str, Any]:
        """The table as it was after event `seq`, 0 being the start, as a view."""
        ...

    def game_file(self, game_id: int) -> dict[str, Any]: ...

    def game_csv(self, game_id: int) -> str: ...

    def games_csv(self, wanted: GameFilter) -> str:
        """A row for every seat of the games wanted, whatever the page."""
        ...

    def picture(self, game_id: int, form: str, words: Mapping[str, str]) -> bytes:
        """A PNG to share of a finished game."""
        ...

    def handover(self, game_id: int) -> dict[str, str]:
        """Addresses that hand a finished game to BG Stats: `app` opens it, `web` a page that does so."""
        ...

    def players(self) -> list[dict[str, Any]]: ...

    def player(self, player_id: int) -> dict[str, Any]: ...

    def rename(self, player_id: int, name: str, join: bool) -> int:
        """The number by which the player is known from now on. Raises Refused."""
        ...

    def forget(self, player_id: int) -> None:
        """Raises Refused."""
        ...
