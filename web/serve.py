"""The dashboard on a port: cheroot, in threads of its own."""

import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

from cheroot import wsgi
from flask import Flask

from web.arrivals import Arrivals
from web.connection import Connection, Gateway
from web.limits import Limits
from web.live import STREAM
from web.people import Who

LOG = logging.getLogger(__name__)


class PortTaken(Exception):
    """The port cannot be had."""

    def __init__(self, port: int, why: str) -> None:
        super().__init__(why)
        self.port, self.why = port, why


class Server(wsgi.Server):
    """Answers whole requests in threads; until then they wait in `arrivals`, and between two of them again."""

    ConnectionClass = Connection
    expiration_interval = 60.0  # there is nothing to expire: whoever waits, waits elsewhere
    endless = STREAM.encode()

    def __init__(self, address: str, port: int, limits: Limits) -> None:
        super().__init__((address, port), None, limits.threads, "allcity", request_queue_size=128)
        self.gateway, self.limits = Gateway, limits
        self.max_request_header_size, self.max_request_body_size = limits.header_bytes, limits.upload_bytes
        self._unbound: OSError | None = None
        self.arrivals = Arrivals(limits, self.requests.put)

    def open(self) -> None:
        """Raises PortTaken."""
        try:
            self.prepare()
        except OSError as error:
            why = self._unbound or error
            raise PortTaken(self.bind_addr[1], why.strerror or str(why)) from error
        self.arrivals.start()

    def bind(self, *args: int) -> Any:
        """Keeps what the system says: cheroot packs it into a sentence of its own."""
        try:
            return super().bind(*args)
        except OSError as error:
            self._unbound = error
            raise

    @staticmethod
    def bind_socket(listening: socket.socket, address: tuple[str, int]) -> socket.socket:
        """Also a port that was any free one can be had again at once after a restart; cheroot sees to others."""
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        return listening

    def knows(self, token: str) -> bool:
        return bool(self.wsgi_app.extensions["people"].who(token) != Who())

    def process_conn(self, line: Connection) -> None:
        self.arrivals.admit(line)

    def put_conn(self, line: Connection) -> None:
        self.arrivals.keep(line)

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        LOG.log(level, msg, exc_info=traceback)


def serve(make_app: Callable[[int], Flask], address: str, port: int, limits: Limits | None = None) -> int:
    """Starts serving and gives the port: the one asked for, or any free one for 0. Raises PortTaken."""
    server = Server(address, port, limits or Limits())
    failed: list[Exception] = []

    def open_port() -> None:
        try:
            server.open()
        except Exception as error:  # for whoever asked
            failed.append(error)

    # Threads are daemons if the one that starts them is: the program must be able to end while pages are open.
    opening = Thread(target=open_port, name="web", daemon=True)
    opening.start()
    opening.join()
    if failed:
        raise failed[0]
    taken: int = server.bind_addr[1]
    server.wsgi_app = make_app(taken)
    Thread(target=server.serve, name="web", daemon=True).start()
    return taken


def own_names() -> list[str]:
    """What this machine is called in its network. May wait for an answer from it."""
    name = _own_name()
    return [name, f"{name}.local", socket.getfqdn().lower()]


def _own_name() -> str:
    return socket.gethostname().split(".")[0].lower()


def own_addresses(port: int, inside: Sequence[str] = ()) -> Sequence[str]:
    """Where others reach this machine, best first: its address in the network, then its name.

    `inside` are addresses in networks of its own, which lead no further.
    """
    shown = "" if port == 80 else f":{port}"
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which way packets would leave
        found.append(probe.getsockname()[0])
    hosts = [*found, *(address for address in inside if address not in found), f"{_own_name()}.local"]
    return [f"http://{host}{shown}" for host in hosts]
