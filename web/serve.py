"""The dashboard on a port: waitress, in threads of its own."""

import io
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread

import segno
import waitress
from flask import Flask

THREADS = 96
"""Every open page holds one for its stream; they sleep nearly always."""
LARGEST_UPLOAD = 24 * 1024 * 1024


class PortTaken(Exception):
    """The port cannot be had."""

    def __init__(self, port: int, why: str) -> None:
        super().__init__(why)
        self.port, self.why = port, why


def serve(make_app: Callable[[int], Flask], address: str, port: int) -> int:
    """Starts serving and gives the port: the one asked for, or any free one for 0. Raises PortTaken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        taken: int = listening.getsockname()[1]
        server = waitress.create_server(
            make_app(taken),
            sockets=[listening],
            threads=THREADS,
            channel_timeout=60,
            connection_limit=400,
            max_request_body_size=LARGEST_UPLOAD,
            max_request_header_size=16 * 1024,
            ident=None,
        )
    except OSError as error:
        listening.close()
        raise PortTaken(port, error.strerror or str(error)) from error
    Thread(target=server.run, name="web", daemon=True).start()
    return taken


def own_names() -> list[str]:
    """What this machine is called in its network."""
    name = socket.gethostname().split(".")[0].lower()
    return [name, f"{name}.local", socket.getfqdn().lower()]


def own_addresses(port: int) -> Sequence[str]:
    """Where others reach this machine, best first: its address in the network, then its name."""
    shown = "" if port == 80 else f":{port}"
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which way packets would leave
        found.append(f"http://{probe.getsockname()[0]}{shown}")
    return [*found, f"http://{own_names()[1]}{shown}"]


def join_code(address: str) -> str:
    """A QR code for a terminal: leads a phone to the page where it takes a seat."""
    drawn = io.StringIO()
    segno.make(f"{address}/seat", micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()
