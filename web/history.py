"""What the history pages ask for: declared here, supplied by whoever keeps the games."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, Protocol

SORTS: Final = ("newest", "oldest", "score")


@dataclass(frozen=True)
class GameFilter:
    """Which games, in which order, and which page of them. Empty fields do not restrict."""

    player: int | None = None
    since: date | None = None
    until: date | None = None
    finished: bool | None = None
    hidden: bool = False
    """Those that somebody put out of sight, instead of the others."""
    profile: str = ""
    text: str = ""
    sort: str = "newest"
    page: int = 1

    def query(self) -> dict[str, str]:
        """The filter as it stands in an address, without the page."""
        finished = "hidden" if self.hidden else {None: "", True: "yes", False: "no"}[self.finished]
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
        """The table as it was after event `seq`, 0 being the start."""
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

    def mark(self, game_id: int, mark: Literal["hidden", "shown", "practice", "counted"]) -> None:
        """Puts a game out of sight or out of statistics, or back."""
        ...

    def players(self) -> list[dict[str, Any]]: ...

    def player(self, player_id: int) -> dict[str, Any]: ...

    def rename(self, player_id: int, name: str, join: bool) -> int:
        """The number by which the player is known from now on. Raises Refused."""
        ...

    def forget(self, player_id: int) -> None:
        """Raises Refused."""
        ...
