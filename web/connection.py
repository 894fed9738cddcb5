"""One connection to the server: what it sends is collected first, and everything it does has a time limit."""

import re
import select
import socket
import struct
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Gateway_10

from web.tokens import HAS_LEFT, OWN

if TYPE_CHECKING:
    from web.serve import Server

SEND_BUFFER_BYTES = 64 * 1024
"""The system doubles it. It would let megabytes wait for somebody who does not read."""
CHUNK_BYTES = 64 * 1024
END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_EXPECT = re.compile(rb"^expect:", re.IGNORECASE | re.MULTILINE)
_TOKEN = re.compile(rb"^authorization:[ \t]*Bearer ([!-~]{1,200})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


class Inlet:
    """What was sent: from what is collected, then from the socket, until it is too late."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._collected = line, bytearray()
        self.until_s = 0.0

    def feed(self, data: bytes) -> None:
        self._collected += data

    def head(self) -> bytes | None:
        """The request line and headers, if they are all there."""
        end = self._collected.find(END)
        return None if end < 0 else bytes(self._collected[: end + len(END)])

    def has_data(self) -> bool:
        return bool(self._collected)

    def __len__(self) -> int:
        return len(self._collected)

    def read(self, size: int) -> bytes:
        while len(self._collected) < size and self._receive():
            pass
        return self._taken(size)

    def readline(self, size: int) -> bytes:
        searched = 0
        while (end := self._collected.find(b"\n", searched, size)) < 0 and len(self._collected) < size:
            searched = len(self._collected)
            if not self._receive():
                break
        return self._taken(size if end < 0 else end + 1)

    def close(self) -> None:
        self._collected.clear()

    def _taken(self, size: int) -> bytes:
        taken = bytes(self._collected[:size])
        del self._collected[:size]
        return taken

    def _receive(self) -> bool:
        """Raises TimeoutError, under the name that cheroot knows."""
        left_s = self.until_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        self._line.settimeout(left_s)
        data = self._line.recv(CHUNK_BYTES)
        self._collected += data
        return bool(data)


class Outlet:
    """Sends at once and keeps nothing. Raises TimeoutError where that takes too long."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self.until_s: float | None = 0.0
        """For the whole answer; None for one without end."""
        self.update_s = 0.0
        self.failed = False

    def write(self, data: bytes) -> None:
        left_s = self.update_s if self.until_s is None else self.until_s - time.monotonic()
        try:
            if left_s <= 0:
                raise TimeoutError("timed out")
            self._line.settimeout(left_s)
            self._line.sendall(data)  # within that time altogether, not each time somebody takes a byte
        except OSError:
            self.failed = True
            raise


class Request(HTTPRequest):
    def read_request_line(self) -> bool:
        try:
            return bool(super().read_request_line())  # type: ignore[no-untyped-call]
        except ValueError:  # no address at all, such as "http://["
            self.simple_response("400 Bad Request", "Malformed Request-URI")
            return False

    def read_request_headers(self) -> bool:
        if not super().read_request_headers():  # type: ignore[no-untyped-call]
            return False
        if b"Transfer-Encoding" in self.inheaders:
            self.simple_response("411 Length Required")
            return False
        return True

    def send_headers(self) -> None:
        """A body that nobody wanted is not read now either."""
        if getattr(self.rfile, "remaining", 0):
            self.close_connection = True
        super().send_headers()


class Connection(HTTPConnection):
    RequestHandlerClass = Request
    server: "Server"
    rfile: Inlet
    wfile: Outlet

    def __init__(self, server: "Server", line: socket.socket, makefile: object) -> None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        # Who vanished without a word is not waited for by the system either. We go first: it would tell nobody.
        patience_ms = int(2 * 1000 * server.limits.update_s)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience_ms)
        super().__init__(server, line, lambda line, mode, _: Inlet(line) if "r" in mode else Outlet(line))
        self.own = False
        """From this machine: the table's own screen."""
        self.place = ""
        """Where it counts: its address, or nothing for this machine's own."""
        self.endless = self.is_favoured = self.is_counted = False
        """Of its present request: a stream; with a token or from this machine; among those that are counted."""
        self.until_s = 0.0
        """How long it may wait where it is now."""
        self.ignored_bytes = 0

    def learn_address(self) -> None:
        with suppress(OSError):
            self.own = self.socket.getsockname()[0] == self.remote_addr
        self.place = "" if self.own else self.remote_addr

    def has_arrived(self) -> bool:
        """Whether somebody may answer: all of a small request is here, or as much of it as will be waited for."""
        limits, head = self.server.limits, self.rfile.head()
        if head is None:
            return len(self.rfile) > limits.header_bytes
        length = _LENGTH.search(head)
        wanted = int(length[1]) if length else 0
        return bool(_EXPECT.search(head)) or wanted > limits.body_bytes or len(self.rfile) >= len(head) + wanted

    def look_at_request(self) -> None:
        head = self.rfile.head() or b""
        token = _TOKEN.search(head)
        self.is_favoured = self.own or (token is not None and self.server.knows(token[1].decode("ascii")))
        self.endless = b"".join(head.split(b" ", 2)[1:2]).partition(b"?")[0] == self.server.endless

    def begin(self) -> None:
        """Somebody answers from now on."""
        now_s, limits = time.monotonic(), self.server.limits
        self.rfile.until_s = now_s + limits.upload_s
        self.wfile.update_s = limits.update_s
        self.wfile.until_s = None if self.endless else now_s + limits.answer_s

    def has_left(self) -> bool:
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return bool(poll.poll(0))

    def close(self) -> None:
        """The last request was answered; hanging up may take a while, and nobody shall wait for it."""
        self.server.arrivals.leave(self)

    def hang_up(self, at_once: bool = False) -> None:
        """`at_once`: also with what is still unsent."""
        with suppress(OSError):
            if at_once:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", True, 0))
            self.socket.close()


class Gateway(Gateway_10):
    def get_environ(self) -> Any:
        told = super().get_environ()  # type: ignore[no-untyped-call]
        return {**told, OWN: self.req.conn.own, HAS_LEFT: self.req.conn.has_left}
