"""How much one connection, one address and all of them together may take of the server."""

from collections import Counter
from dataclasses import dataclass
from threading import Lock


@dataclass(frozen=True)
class Limits:
    connections: int = 400
    """From other machines, and of each of them. Beyond that, those go that have sent no whole request yet."""
    connections_each: int = 40
    own_connections: int = 200
    """From this machine: the table's own screens."""
    streams: int = 90
    """Each holds a thread of the server; whoever comes later asks again and again instead."""
    streams_of_strangers: int = 70
    """Without a token; the others are kept for players, hosts and the table's own screens."""
    streams_each: int = 20
    answers_of_strangers: int = 16
    """Requests without a token that are answered at the same time, besides streams; others wait for their turn."""
    answers_each: int = 8
    """Of one address, with a token or without."""
    spare_threads: int = 8
    """For requests with a token and the table's own screens, whatever strangers do."""
    header_bytes: int = 16 * 1024
    body_bytes: int = 64 * 1024
    """Collected before a thread is asked to answer. Larger ones are uploads, refused or read by who answers."""
    upload_bytes: int = 25_000_000
    arriving_s: float = 10.0
    """For a whole request, upload aside, from its first byte or the connection; also for its turn to come."""
    upload_s: float = 60.0
    idle_s: float = 30.0
    """Between two requests on one connection."""
    answer_s: float = 60.0
    """For taking a whole answer that is no stream."""
    update_s: float = 10.0
    """For taking one update of a stream. Whoever does not read is cut off."""
    leaving_s: float = 2.0
    leaving_bytes: int = 1_000_000
    """After the last answer, for hanging up, and what may still come until then: nobody keeps it."""

    @property
    def threads(self) -> int:
        return self.streams + self.answers_of_strangers + self.spare_threads


class Streams:
    """Counts the streams that are open. Any thread may ask."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._lock = limits, Lock()
        self._open: Counter[str] = Counter()

    def take(self, address: str, own: bool, known: bool) -> bool:
        """A place for one more, if there is one. `own`: of the table's own screen; `known`: with a token."""
        limits = self._limits
        with self._lock:
            most = limits.streams if own or known else limits.streams_of_strangers
            if self._open.total() >= most or (not own and self._open[address] >= limits.streams_each):
                return False
            self._open[address] += 1
            return True

    def give_back(self, address: str) -> None:
        with self._lock:
            self._open[address] -= 1
            self._open += Counter()  # forgets those at 0
