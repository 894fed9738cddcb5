"""The server on a real port: who is slow, who does not read, who comes in hundreds. Others must not notice.

Every address within 127/8 is this machine's, so that a test can be many people; 127.0.0.1 is the table's own screen.
"""

import http.client
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as all_threads
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.house import Table4Web, opened
from tests.web.patching import states
from tests.web.workshop import opened_workshop
from web.app import create_app
from web.hub import Hub
from web.limits import Limits
from web.serve import PortTaken, Server, serve

PATIENCE_S = 60.0
"""For what must come. Nothing here waits that long unless it is broken."""
NEVER_S = 3600.0
HTTP = "GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n"


@dataclass
class Port:
    """A dashboard on a port, and people who connect to it from addresses of their own."""

    at: Table4Web
    number: int
    lines: ExitStack = field(default_factory=ExitStack)

    def line(self, address: str = "127.0.0.2", receive_bytes: int | None = None) -> socket.socket:
        line = socket.socket()
        if receive_bytes is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        line.settimeout(PATIENCE_S)
        line.bind((address, 0))
        line.connect(("127.0.0.1", self.number))
        return self.lines.enter_context(line)

    def ask(self, path: str, address: str = "127.0.0.2", sent: bytes | None = None, **headers: str) -> tuple[int, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.number, PATIENCE_S, (address, 0))
        self.lines.callback(line.close)
        line.request("GET" if sent is None else "POST", path, sent, headers)
        answer = line.getresponse()
        return answer.status, answer.read()

    def stream(self, address: str = "127.0.0.2", **headers: str) -> Iterator[Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.number, PATIENCE_S, (address, 0))
        self.lines.callback(line.close)
        line.request("GET", "/api/stream", headers=headers)
        answer = line.getresponse()
        assert answer.status == 200
        return states(answer)


Open = Callable[[Limits], Port]


@pytest.fixture
def open_port(tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as stack:

        def opened_with(limits: Limits) -> Port:
            workshop = opened_workshop(tmp_path, makes_kits=False).workshop
            at = stack.enter_context(opened(tmp_path, workshop=workshop))
            app = create_app(at.house, limits)
            at.client = app.test_client()
            return Port(at, serve(lambda _: app, "127.0.0.1", 0, limits), stack)

        yield opened_with


def small(**changed: Any) -> Limits:
    """Few threads, and nothing that ends by itself unless a test says so."""
    usual = {"streams": 4, "streams_of_strangers": 3, "answers_of_strangers": 2, "answers_each": 2, "spare_threads": 2}
    patient = dict.fromkeys(("arriving_s", "upload_s", "idle_s", "answer_s", "update_s", "leaving_s"), NEVER_S)
    return Limits(**{**usual, **patient, **changed})


def is_hung_up(line: socket.socket, within_ms: int = int(1000 * PATIENCE_S)) -> bool:
    """Without reading anything."""
    poll = select.poll()
    poll.register(line, select.POLLRDHUP)
    return bool(poll.poll(within_ms))


def trickle(line: socket.socket) -> None:
    """A byte now and then, until nobody takes them any more."""
    while not is_hung_up(line, within_ms=20):
        with suppress(ConnectionError):
            line.send(b"x")


@contextmanager
def busy(hub: Hub) -> Iterator[None]:
    """Something large changes all the time."""
    stop = Event()

    def publish() -> None:
        number = 0
        while not stop.wait(0.005):
            number += 1
            hub.publish("noise", {"said": f"{number} " * 5000})

    thread = Thread(target=publish)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_a_port_that_is_taken_is_told_in_the_systems_words() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken = other.getsockname()[1]
        with pytest.raises(PortTaken) as caught:
            serve(lambda _: pytest.fail("there is no port"), "127.0.0.1", taken)
    assert (caught.value.port, caught.value.why) == (taken, "Address already in use")


@pytest.mark.parametrize("port", [0, 1])
def test_a_port_can_be_had_again_right_after_a_restart(port: int) -> None:
    """Connections of the one before may linger there; the system asks how both were opened."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = port and free.getsockname()[1]
    server = Server("127.0.0.1", number, small())
    server.open()
    assert server.socket.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    server.stop()


def test_the_program_can_end_while_pages_are_open(open_port: Open) -> None:
    port = open_port(small())
    next(port.stream())
    assert all(thread.daemon for thread in all_threads() if thread.name.startswith(("web", "CP Server")))


def test_one_connection_asks_again_and_again(open_port: Open) -> None:
    port = open_port(small())
    line = http.client.HTTPConnection("127.0.0.1", port.number, PATIENCE_S)
    port.lines.callback(line.close)
    used = set()
    for path in ("/healthz", "/api/state", "/static/js/dom.js", "/nowhere", "/healthz"):
        line.request("GET", path)
        used.add(line.sock)
        assert line.getresponse().read()
    assert len(used) == 1


def test_two_requests_may_come_at_once(open_port: Open) -> None:
    line = open_port(small()).line()
    line.sendall(HTTP.format("/healthz", "").encode() + HTTP.format("/healthz", "Connection: close\r\n").encode())
    with line.makefile("rb") as answers:
        assert answers.read().count(b"HTTP/1.1 200") == 2


# --- who does not read ------------------------------------------------------------------------


def test_who_does_not_read_is_cut_off_and_right_again_on_return(
    open_port: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.live.PAUSE_S", 0.0)
    port = open_port(small(update_s=0.2, streams_of_strangers=1))
    deaf = port.line(receive_bytes=2048)
    deaf.sendall(HTTP.format("/api/stream", "").encode())
    assert deaf.recv(100).startswith(b"HTTP/1.1 200")
    assert port.ask("/api/stream")[0] == 503, "its place is taken"
    with busy(port.at.house.hub):
        assert is_hung_up(deaf)
    assert next(port.stream()) == port.at.state


def test_who_does_not_take_an_answer_keeps_nobody_else_waiting(open_port: Open) -> None:
    port = open_port(small(answers_each=1))
    port.at.house.hub.publish("noise", {"said": "x" * 2_000_000})
    token = port.at.join(0)
    deaf = [port.line(f"127.0.0.{number}", receive_bytes=2048) for number in (2, 3)]
    for line in deaf:
        line.sendall(HTTP.format("/api/state", "").encode())
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    third = port.line("127.0.0.4")
    third.sendall(HTTP.format("/healthz", "Connection: close\r\n").encode())
    assert port.ask("/healthz", "127.0.0.1")[0] == 200, "the table's own screen"
    assert port.ask("/api/me", "127.0.0.5", Authorization=f"Bearer {token}")[0] == 200, "a player"
    assert next(port.stream("127.0.0.6")), "who watches"
    deaf[0].close()
    assert third.recv(100).startswith(b"HTTP/1.1 200"), "now it is their turn"


def test_an_answer_that_is_not_taken_in_time_is_given_up(open_port: Open) -> None:
    port = open_port(small(answer_s=0.2))
    port.at.house.hub.publish("noise", {"said": "x" * 2_000_000})
    deaf = port.line(receive_bytes=2048)
    deaf.sendall(HTTP.format("/api/state", "").encode())
    assert is_hung_up(deaf)


# --- who is slow ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ",
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{",
        HTTP.format("/healthz", "").encode() + b"GET ",
    ],
)
def test_a_request_has_to_come_in_time_however_steadily_it_trickles(begun: bytes, open_port: Open) -> None:
    port = open_port(small(arriving_s=0.2, idle_s=0.2))
    line = port.line()
    line.sendall(begun)
    trickle(line)
    assert port.ask("/healthz")[0] == 200


def test_an_upload_has_to_come_in_time(open_port: Open) -> None:
    port = open_port(small(upload_s=0.2))
    line = port.line()
    line.sendall(_upload(f"Authorization: Bearer {port.at.host()}\r\n") + b"\xff\xd8")
    assert line.recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("addresses", [["127.0.1.1"], [f"127.0.1.{n}" for n in range(11)], ["127.0.0.1"]])
def test_hundreds_that_trickle_keep_nobody_out(addresses: list[str], open_port: Open) -> None:
    port = open_port(small())
    watching = port.stream("127.0.0.2")
    first = next(watching)
    for number in range(410):
        port.line(addresses[number % len(addresses)]).sendall(b"GET / HTTP/1.1\r\nHost: ")
    assert port.ask("/healthz", "127.0.0.3")[0] == 200
    assert port.ask("/healthz", "127.0.0.1")[0] == 200
    assert next(port.stream("127.0.0.1")) == first
    port.at.play(1)
    assert next(watching) == port.at.state, "who was there before stays"


def test_connections_that_ask_for_nothing_go_first(open_port: Open) -> None:
    port = open_port(small(connections_each=2))
    stream = port.stream()
    next(stream)
    idle = port.line()
    assert port.ask("/healthz")[0] == 200
    assert is_hung_up(idle)
    port.at.play(1)
    assert next(stream) == port.at.state


# --- what may be sent -------------------------------------------------------------------------


def _upload(header: str = "", path: str = "/api/photos") -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}Content-Length: 20000000\r\n\r\n".encode()


@pytest.mark.parametrize("path", ["/api/photos", "/api/profile-import", "/api/profiles", "/api/commands", "/nowhere"])
def test_an_upload_by_a_stranger_is_refused_unread(path: str, open_port: Open) -> None:
    port = open_port(small())
    line = port.line()
    line.sendall(_upload(path=path))
    with line.makefile("rb") as answer:
        status = int(answer.readline().split()[1])
        assert 400 <= status < 500
        assert b"connection: close\r\n" in (headers := b"".join(iter(answer.readline, b"\r\n"))).lower(), headers


def test_who_still_sends_gets_the_answer_all_the_same(open_port: Open) -> None:
    line = open_port(small()).line()
    line.sendall(_upload() + b"x" * 200_000)
    with line.makefile("rb") as answer:
        assert b"people.host_only" in answer.read()


def test_who_does_not_stop_sending_is_cut_off(open_port: Open) -> None:
    line = open_port(small()).line()
    line.sendall(_upload())
    with pytest.raises(ConnectionError):
        line.sendall(b"x" * 20_000_000)


def test_the_host_may_upload(open_port: Open) -> None:
    port = open_port(small())
    headers = {"Authorization": f"Bearer {port.at.host()}"}
    status, answer = port.ask("/api/photos", sent=b"\xff\xd8" + b"x" * 5_000_000, **headers)
    assert status == 409, "no photograph, but it was read"
    status, answer = port.ask("/api/commands", sent=b"x" * 100_000, **headers, **{"Content-Type": "application/json"})
    assert (status, b"web.too_large" in answer) == (413, True)


def test_bodies_of_no_known_length_are_refused(open_port: Open) -> None:
    line = open_port(small()).line()
    line.sendall(b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert line.recv(100).startswith(b"HTTP/1.1 411")


def test_whoever_waits_to_be_told_to_go_on_is_told(open_port: Open) -> None:
    line = open_port(small()).line()
    body = b'{"seat": 0, "name": "Ana", "colour": "cyan", "language": "en"}'
    kind = b"Content-Type: application/json\r\nExpect: 100-continue"
    line.sendall(b"POST /api/join HTTP/1.1\r\nHost: localhost\r\n%b\r\nContent-Length: %d\r\n\r\n" % (kind, len(body)))
    assert line.recv(100).startswith(b"HTTP/1.1 100")
    line.sendall(body)
    assert line.recv(100).startswith(b"HTTP/1.1 200")


# --- streams ----------------------------------------------------------------------------------


def test_who_leaves_a_quiet_table_gives_the_place_back(open_port: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without waiting for a heartbeat that nobody takes."""
    monkeypatch.setattr("web.live.HEARTBEAT_S", NEVER_S)
    monkeypatch.setattr("web.live.LOOK_S", 0.01)
    port = open_port(small())
    token = port.at.join(0)
    with port.line() as line:
        line.sendall(HTTP.format("/api/stream", f"Authorization: Bearer {token}\r\n").encode())
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    seen = (state["people"]["seats"][0]["here"] for state in port.stream())
    assert next(here for here in seen if not here) is False


def test_one_address_has_so_many_streams_and_no_more(open_port: Open) -> None:
    port = open_port(small(streams_each=1))
    next(port.stream("127.0.0.2"))
    assert port.ask("/api/stream", "127.0.0.2")[0] == 503
    assert next(port.stream("127.0.0.3"))
    assert [bool(next(port.stream("127.0.0.1"))) for _ in range(2)] == [True, True], "the table's own screens"


def test_places_are_kept_for_players_and_the_tables_own_screens(open_port: Open) -> None:
    port = open_port(small(streams_of_strangers=1, streams=3))
    token = port.at.join(0)
    next(port.stream())
    assert port.ask("/api/stream")[0] == 503
    assert next(port.stream(Authorization=f"Bearer {token}"))
    assert next(port.stream("127.0.0.1"))
    assert port.ask("/api/stream", "127.0.0.1")[0] == 503, "all have an end"


# --- what is no request -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def raw_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Port]:
    with opened(tmp_path_factory.mktemp("raw")) as at:
        yield Port(at, serve(lambda _: create_app(at.house), "127.0.0.1", 0, small(arriving_s=5.0, leaving_s=1.0)))


def _status(port: Port, sent: bytes) -> int | None:
    """None if it was hung up without a word."""
    with socket.create_connection(("127.0.0.1", port.number), PATIENCE_S) as line:
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        with line.makefile("rb") as answer:
            first = answer.readline().split(b" ")
    return int(first[1]) if len(first) > 1 else None


@pytest.mark.parametrize(
    "sent",
    [
        b"GET http://[ HTTP/1.1\r\n\r\n",
        b"GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000,
        b"GET /" + b"x" * 20_000,
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\nhello",
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1_0\r\n\r\nhellohello",
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(sent: bytes, raw_port: Port) -> None:
    status = _status(raw_port, sent)
    assert status is not None
    assert 400 <= status <= 505
    assert status != 500


lines = st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b""))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from([b"GET", b"POST", b"HEAD", b"OPTIONS"]),
    target=st.sampled_from([b"/", b"/api/state", b"/api/join", b"/healthz"]) | lines.map(lambda line: b"/" + line),
    names=st.lists(
        st.sampled_from([b"Host", b"Origin", b"Range", b"Expect", b"Connection", b"Cookie"]) | lines, max_size=4
    ),
    value=lines,
)
def test_no_bytes_in_headers_break_the_server(
    method: bytes, target: bytes, names: list[bytes], value: bytes, raw_port: Port
) -> None:
    head = b"".join(b"%b: %b\r\n" % (name, value) for name in names)
    assert _status(raw_port, b"%b %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (method, target, head)) != 500
