"""Who is who: seats and hosts by token, who is here, and what people ask of each other."""

import hashlib
import json
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from web.hub import Hub
from web.refusal import Refusal
from web.text import LANGUAGES

MOST_SEATS, LONGEST_NAME, MOST_HOSTS = 8, 24, 8
REPORTS = ("board", "dice", "score", "other")
_HIDDEN = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # would turn the text around them


class Refused(Exception):
    """Something that people may not or cannot do now."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.refusal = Refusal(key, facts)


@dataclass(frozen=True)
class Seat:
    """Somebody's place at the table."""

    seat: int
    name: str
    colour: str
    language: str
    token: str
    """Its hash."""


@dataclass(frozen=True)
class Who:
    """What a token stands for. Without one, somebody who only looks."""

    seat: int | None = None
    host: bool = False


class People:
    """Everybody with a token. Survives restarts; any thread may use it."""

    def __init__(self, folder: Path, hub: Hub, write: Callable[[Path, bytes], None]) -> None:
        """`write` puts a file there whole or not at all."""
        self._file, self._hub, self._write, self._lock = folder / "people.json", hub, write, RLock()
        self._seats: dict[int, Seat] = {}
        self._hosts: list[str] = []
        self._open = True
        self._streams: dict[int, int] = {}
        self._undo: dict[str, Any] | None = None
        self._reports: list[dict[str, Any]] = []
        with suppress(OSError, ValueError, TypeError, KeyError):  # a lost file costs people a tap, no game
            self._load(json.loads(self._file.read_text(encoding="utf-8")))
        self._publish()

    # --- tokens -------------------------------------------------------------------------------

    def who(self, token: str | None) -> Who:
        if not token:
            return Who()
        hashed = _hashed(token)
        seat = next((taken.seat for taken in self._seats.values() if taken.token == hashed), None)
        return Who(seat, hashed in self._hosts)

    def join(self, seat: int, name: str, colour: str, language: str, token: str | None) -> tuple[str, Seat]:
        """Takes a seat and gives its token, or changes what the holder of `token` is called. Raises Refused."""
        name = clean_name(name)
        with self._changing():
            held = self.who(token).seat
            others = [other for other in self._seats.values() if other.seat != held]
            if sitting := next((other.name for other in others if other.seat == seat), None):
                raise Refused("people.seat_taken", name=sitting)
            if held is None and not self._open:
                raise Refused("people.closed")
            if any(other.name.casefold() == name.casefold() for other in others):
                raise Refused("people.name_taken", name=name)
            if any(other.colour == colour for other in others):
                raise Refused("people.colour_taken")
            if token is None or self.who(token) == Who():
                token = secrets.token_urlsafe(24)
            if held is not None:
                del self._seats[held]
            self._seats[seat] = Seat(seat, name, colour, language, _hashed(token))
            return token, self._seats[seat]

    def leave(self, seat: int) -> None:
        """The seat is free again."""
        with self._changing():
            self._seats.pop(seat, None)

    def make_host(self) -> str:
        token = secrets.token_urlsafe(24)
        with self._changing():
            self._hosts = [*self._hosts, _hashed(token)][-MOST_HOSTS:]
        return token

    def leave_host(self, token: str) -> None:
        with self._changing():
            self._hosts = [host for host in self._hosts if host != _hashed(token)]

    def open_joining(self, is_open: bool) -> None:
        with self._changing():
            self._open = is_open

    # --- who is here --------------------------------------------------------------------------

    @contextmanager
    def watching(self, seat: int | None) -> Iterator[None]:
        """Whoever sits there looks at the table meanwhile."""
        self._count(seat, 1)
        try:
            yield
        finally:
            self._count(seat, -1)

    def _count(self, seat: int | None, change: int) -> None:
        if seat is None:
            return
        with self._lock:
            self._streams[seat] = self._streams.get(seat, 0) + change
            self._publish()

    # --- asking each other --------------------------------------------------------------------

    def ask_undo(self, seat: int, seq: int) -> None:
        """Somebody wants what was recorded up to `seq` taken back by one move; somebody else has to agree."""
        with self._lock:
            self._undo = {"seat": seat, "seq": seq}
            self._publish()

    def take_undo(self, who: Who, seq: int) -> None:
        """Agrees to the undo that was asked for. Raises Refused."""
        with self._lock:
            asked = self._undo
            if asked is None or asked["seq"] != seq:
                self.drop_undo()
                raise Refused("people.undo_gone")
            if not who.host and asked["seat"] == who.seat:
                raise Refused("people.undo_other")
            self.drop_undo()

    def drop_undo(self) -> None:
        with self._lock:
            self._undo = None
            self._publish()

    def report(self, seat: int, what: str, seq: int) -> None:
        """Somebody thinks that something is wrong; one report a seat."""
        with self._lock:
            others = [report for report in self._reports if report["seat"] != seat]
            self._reports = [*others, {"seat": seat, "what": what, "seq": seq}]
            self._publish()

    def clear_reports(self) -> None:
        with self._lock:
            self._reports = []
            self._publish()

    # --- keeping and showing ------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._lock:
            yield
            self._save()
            self._publish()

    def _publish(self) -> None:
        seats = [
            {key: value for key, value in asdict(seat).items() if key != "token"}
            | {"here": self._streams.get(seat.seat, 0) > 0}
            for seat in sorted(self._seats.values(), key=lambda seat: seat.seat)
        ]
        self._hub.publish(
            "people", {"seats": seats, "open": self._open, "undo_asked": self._undo, "reports": self._reports}
        )

    def _save(self) -> None:
        data = {"seats": [asdict(seat) for seat in self._seats.values()], "hosts": self._hosts, "open": self._open}
        with suppress(OSError):  # a full disk must not keep people from playing on
            self._write(self._file, json.dumps(data).encode())

    def _load(self, data: Mapping[str, Any]) -> None:
        seats = [Seat(**seat) for seat in data["seats"]]
        self._seats = {seat.seat: seat for seat in seats if 0 <= seat.seat < MOST_SEATS and seat.language in LANGUAGES}
        self._hosts, self._open = [str(host) for host in data["hosts"]], bool(data["open"])


class Allowance:
    """So many tries at once, and another one every so often."""

    def __init__(self, most: int, every_s: float, now_s: Callable[[], float]) -> None:
        self._most, self._every_s, self._now_s = most, every_s, now_s
        self._full_s = now_s()
        """When all of them are there again."""

    def wait_s(self) -> float:
        """How long until there is one."""
        return self._full_s - self._now_s() - (self._most - 1) * self._every_s

    def take(self) -> None:
        self._full_s = max(self._full_s, self._now_s()) + self._every_s

    def refill(self) -> None:
        self._full_s = self._now_s()


class PinGate:
    """Lets a right PIN in. Wrong ones make their own address wait, longer and longer.

    Many addresses must not be many tries, so strangers share an allowance; but nobody can use it up for those who have
    not tried yet, as they have one of their own. The table's own screen and addresses where a host was share none.
    """

    FREE_TRIES, FIRST_WAIT_S, LONGEST_WAIT_S = 5, 30.0, 3600.0
    MOST_ADDRESSES = 1000
    SHARED_TRIES, SHARED_EVERY_S = 30, 60.0

    def __init__(self, pin: str, now_s: Callable[[], float] = time.monotonic) -> None:
        self.pin, self._now_s, self._lock = pin, now_s, RLock()
        self._wrong: dict[str, tuple[int, float]] = {}
        self._trusted: dict[str, None] = {}
        self._first, self._again = (Allowance(self.SHARED_TRIES, self.SHARED_EVERY_S, now_s) for _ in range(2))

    def check(self, pin: str, address: str, own: bool = False) -> None:
        """`own`: at the table itself. Raises Refused for a wrong one, and for any while its address has to wait."""
        with self._lock:
            shared = self._again if address in self._wrong else self._first
            alone = own or address in self._trusted
            wait_s = max(self._wait_s(address), 0.0 if alone else shared.wait_s())
            if wait_s > 0:
                raise Refused("people.pin_wait", seconds=int(wait_s) + 1)
            if not secrets.compare_digest(pin.encode(), self.pin.encode()):
                self._count(address)
                if not alone:
                    shared.take()
                raise Refused("people.pin_wrong")
            self._wrong.pop(address, None)
            self.trust(address)

    def trust(self, address: str) -> None:
        """A host was there, so what strangers try concerns it no more."""
        with self._lock:
            self._trusted[address] = self._trusted.pop(address, None)
            _drop_oldest(self._trusted, self.MOST_ADDRESSES)

    def lift(self) -> None:
        """Nobody has to wait any longer: for whoever stands at the table or its terminal."""
        with self._lock:
            self._wrong.clear()
            self._first.refill()
            self._again.refill()

    def _wait_s(self, address: str) -> float:
        tries, last = self._wrong.get(address, (0, 0.0))
        if tries < self.FREE_TRIES:
            return 0.0
        wait_s = min(self.FIRST_WAIT_S * 2.0 ** min(tries - self.FREE_TRIES, 20), self.LONGEST_WAIT_S)
        return float(last + wait_s - self._now_s())

    def _count(self, address: str) -> None:
        tries, _ = self._wrong.pop(address, (0, 0.0))
        self._wrong[address] = tries + 1, self._now_s()
        _drop_oldest(self._wrong, self.MOST_ADDRESSES)


def _drop_oldest(kept: dict[str, Any], most: int) -> None:
    if len(kept) > most:
        del kept[next(iter(kept))]


def clean_name(name: str) -> str:
    """A name that can be shown anywhere. Raises Refused for one that is empty or too long."""
    text = _HIDDEN.sub("", unicodedata.normalize("NFC", name))
    text = " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text).split())
    if not text or len(text) > LONGEST_NAME:
        raise Refused("people.bad_name", most=LONGEST_NAME)
    return text


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
