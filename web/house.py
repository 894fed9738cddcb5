"""What the dashboard asks of the program behind it. `pi_app` supplies it; here are only its outlines."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from web.history import History
from web.hub import Hub
from web.people import PinGate
from web.refusal import Refusal
from web.sim import SimDoor
from web.workshop import Workshop


class TableDoor(Protocol):
    """The table, from the threads of the web server."""

    def command(self, name: str, args: Mapping[str, Any], seat: int | None = None) -> Refusal | None:
        """Has it done by the thread that owns the table, and waits for that. `seat` is who asks."""

    def mover(self, event: Mapping[str, Any]) -> int | None:
        """The seat whose own choice this move is; None for what is nobody's own, and for what is no move."""

    def placements(self, seat: int, piece: int) -> dict[str, Any] | None:
        """Every move this seat could make with that piece now; None where it can make none."""

    def picture(self, board: str) -> bytes | None:
        """A JPEG of a board as it was last read."""

    def wrong(self, board: str) -> bytes | None:
        """A JPEG of what the table complains about on a board, outlined."""

    def candidate(self, number: int) -> bytes | None:
        """A JPEG of what is asked about, with the squares of one answer outlined."""


class EditionOutline(Protocol):
    """What the pages ask of a game's editions."""

    @property
    def side_option(self) -> str:
        """The option that chooses the side of the boards."""


class GameOutline(Protocol):
    """A game as the pages know it. What they draw and say of it lies in `screens/` of its folder: README.md tells."""

    @property
    def title(self) -> str: ...

    @property
    def folder(self) -> Path: ...

    @property
    def players(self) -> range: ...

    @property
    def options(self) -> Mapping[str, Sequence[Any]]:
        """Every option with what it may be, the default first."""

    @property
    def colours(self) -> Sequence[str]:
        """By seat, where the pieces have colours; else people choose."""

    @property
    def edition(self) -> EditionOutline: ...


@dataclass(frozen=True)
class House:
    """Everything behind the dashboard."""

    hub: Hub
    table: TableDoor
    folder: Path
    """Where tokens are kept."""
    gate: PinGate
    """Lets those in who know the PIN, which makes a device the host's."""
    write: Callable[[Path, bytes], None]
    """Writes a file whole or not at all, for its owner alone. Raises OSError."""
    colours: Collection[str]
    """What people may choose for themselves, seat by seat what those have who have not chosen."""
    games: Mapping[str, GameOutline] = field(default_factory=dict)
    """Every game that is known, by its name."""
    game: str = ""
    """The one that is played here next, while none is on the table."""
    names: Sequence[str] = ()
    """Host names this server answers to, besides localhost and plain addresses."""
    addresses: Sequence[str] = ()
    """Where phones find it at the start, best first; the hub's part `network` tells where it is later."""
    sim: SimDoor | None = None
    """The simulated table, if this is one."""
    workshop: Workshop | None = None
    """Behind the set-up pages; without it there are none."""
    history: History | None = None
    """All games that were played; without it there are no pages about them."""
    notice: Refusal | None = None
    """What everybody should know for as long as the program runs, above every page."""
