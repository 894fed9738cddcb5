"""Connections until somebody answers them: one thread waits for all, so that who is slow costs no thread."""

import logging
import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from web.connection import CHUNK_BYTES, Connection
from web.limits import Limits

LOG = logging.getLogger(__name__)


class Arrivals(Thread):
    """Collects requests and hands over whole ones. `admit`, `keep` and `leave` are for other threads.

    Where there are too many connections, those go that have sent no whole request yet, oldest first: a request that
    comes at once always gets in.
    """

    def __init__(self, limits: Limits, answer: Callable[[Connection], None]) -> None:
        super().__init__(name="web arrivals", daemon=True)
        self._limits, self._answer = limits, answer
        self._told: SimpleQueue[tuple[Callable[[Connection], None], Connection]] = SimpleQueue()
        self._bell, self._ring = socket.socketpair()
        self._bell.setblocking(False)
        self._ring.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._all: Counter[str] = Counter()
        self._waiting: dict[Connection, Callable[[Connection], None]] = {}
        """Whoever is waited for, oldest first, and what to do when something comes."""
        self._queue: deque[Connection] = deque()
        """Whole requests whose turn has not come."""
        self._answered: Counter[str] = Counter()
        self._strangers = 0

    def admit(self, line: Connection) -> None:
        self._tell(self._admit, line)

    def keep(self, line: Connection) -> None:
        """It was answered and may ask again."""
        self._tell(self._keep, line)

    def leave(self, line: Connection) -> None:
        """It was answered for the last time."""
        self._tell(self._leave, line)

    def _tell(self, what: Callable[[Connection], None], line: Connection) -> None:
        self._told.put((what, line))
        with suppress(BlockingIOError):  # it rings already
            self._ring.send(b"\0")

    # --- everything below happens in this thread -------------------------------------------------

    def run(self) -> None:
        while True:
            for key, _ in self._selector.select(self._next_s()):
                if key.data is None:
                    self._bell.recv(CHUNK_BYTES)
                elif key.data in self._waiting:  # not sent away just now
                    self._do(self._waiting[key.data], key.data)
            with suppress(Empty):
                while True:
                    self._do(*self._told.get_nowait())
            self._send_away_who_is_late()

    def _do(self, what: Callable[[Connection], None], line: Connection) -> None:
        try:
            what(line)
        except BlockingIOError:
            pass  # there was nothing after all
        except OSError:
            self._drop(line)
        except Exception:  # whatever is wrong with one of them, the others go on
            LOG.exception("a connection failed")
            self._drop(line)

    def _next_s(self) -> float | None:
        soonest_s = min((line.until_s for line in (*self._waiting, *self._queue)), default=None)
        return None if soonest_s is None else max(0.0, soonest_s - time.monotonic())

    def _send_away_who_is_late(self) -> None:
        now_s = time.monotonic()
        for line in [line for line in (*self._waiting, *self._queue) if line.until_s <= now_s]:
            self._drop(line)

    def _admit(self, line: Connection) -> None:
        line.learn_address()
        self._all[line.place] += 1
        if self._has_room(line):
            self._wait(line, self._collect, self._limits.arriving_s)
        else:
            self._drop(line)

    def _has_room(self, line: Connection) -> bool:
        """Whether one more may stay, if need be in place of one that has not asked for anything yet."""
        if self._all[line.place] > (self._limits.own_connections if line.own else self._limits.connections_each):
            return self._make_room(lambda other: other.place == line.place)
        others = self._all.total() - self._all[""]
        return line.own or others <= self._limits.connections or self._make_room(lambda other: not other.own)

    def _make_room(self, may_go: Callable[[Connection], bool]) -> bool:
        oldest = next((other for other in self._waiting if may_go(other)), None)
        if oldest is not None:
            self._drop(oldest)
        return oldest is not None

    def _wait(self, line: Connection, for_what: Callable[[Connection], None], most_s: float) -> None:
        line.until_s = time.monotonic() + most_s
        line.socket.setblocking(False)
        self._waiting[line] = for_what
        self._selector.register(line.socket, selectors.EVENT_READ, line)

    def _collect(self, line: Connection) -> None:
        data = line.socket.recv(CHUNK_BYTES)
        if not data:
            self._drop(line)
            return
        line.rfile.feed(data)
        if line.has_arrived():
            self._stop_waiting(line)
            self._arrived(line)

    def _ask_again(self, line: Connection) -> None:
        """The first bytes of another request on the same connection: time for this one starts now."""
        self._waiting[line] = self._collect
        line.until_s = time.monotonic() + self._limits.arriving_s
        self._collect(line)

    def _arrived(self, line: Connection) -> None:
        line.look_at_request()
        line.until_s = time.monotonic() + self._limits.arriving_s
        self._queue.append(line)
        self._answer_whose_turn_it_is()

    def _answer_whose_turn_it_is(self) -> None:
        for line in [*self._queue]:
            if self._may_be_answered(line):
                self._queue.remove(line)
                line.is_counted = not line.endless
                self._count(line, 1)
                line.begin()
                self._answer(line)

    def _may_be_answered(self, line: Connection) -> bool:
        if line.endless:  # the application counts streams
            return True
        if self._answered[line.place] >= self._limits.answers_each:
            return False
        return line.is_favoured or self._strangers < self._limits.answers_of_strangers

    def _count(self, line: Connection, change: int) -> None:
        if line.is_counted:
            self._answered[line.place] += change
            self._strangers += 0 if line.is_favoured else change
            self._answered += Counter()  # forgets those at 0

    def _is_answered(self, line: Connection) -> None:
        self._count(line, -1)
        line.is_counted = False
        self._answer_whose_turn_it_is()

    def _keep(self, line: Connection) -> None:
        self._is_answered(line)
        if line.rfile.has_data() and line.has_arrived():
            self._arrived(line)
        else:
            self._wait(line, self._ask_again, self._limits.idle_s)

    def _leave(self, line: Connection) -> None:
        self._is_answered(line)
        line.rfile.close()
        if line.wfile.failed:
            self._drop(line)
            return
        # Hanging up on somebody who still sends would take the answer from them.
        line.socket.shutdown(socket.SHUT_WR)
        self._wait(line, self._let_go, self._limits.leaving_s)

    def _let_go(self, line: Connection) -> None:
        ignored = len(line.socket.recv(CHUNK_BYTES))
        line.ignored_bytes += ignored
        if not ignored or line.ignored_bytes > self._limits.leaving_bytes:
            self._drop(line)

    def _drop(self, line: Connection) -> None:
        self._stop_waiting(line)
        with suppress(ValueError):
            self._queue.remove(line)
        self._all[line.place] -= 1
        self._all += Counter()
        line.hang_up(at_once=line.wfile.failed)

    def _stop_waiting(self, line: Connection) -> None:
        if self._waiting.pop(line, None) is not None:
            self._selector.unregister(line.socket)
