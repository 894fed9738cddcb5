"""What systemd is told, and when a start counts as failed."""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.ports import Condition, Status
from pi_app.run.logs import FILE_BYTES, FILES, TableLog, log_files, open_log
from pi_app.run.service import Service
from pi_app.run.starts import Starts
from tests.setup.test_workshop import Clock
from web.text import Text


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """Its end of the line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.setblocking(False)
        yield line


def told(line: socket.socket) -> list[str]:
    messages = []
    try:
        while True:
            messages.append(line.recv(100).decode())
    except BlockingIOError:
        return messages


def watched(line: socket.socket, clock: Clock, **more: str) -> Service:
    return Service({"NOTIFY_SOCKET": line.getsockname(), "WATCHDOG_USEC": "60000000", **more}, clock)


def test_a_loop_that_turns_says_so_four_times_as_often_as_it_must(systemd: socket.socket) -> None:
    clock = Clock()
    service = watched(systemd, clock)
    service.ready()
    for _ in range(61 * 100):
        clock.s += 0.01
        service.turning()
    service.ending()
    assert told(systemd) == ["READY=1", *["WATCHDOG=1"] * 4, "STOPPING=1"]


def test_a_loop_that_hangs_says_nothing(systemd: socket.socket) -> None:
    clock = Clock()
    service = watched(systemd, clock)
    clock.s += 1000
    assert told(systemd) == []
    service.turning()
    assert told(systemd) == ["WATCHDOG=1"]


def test_without_systemd_or_for_another_process_nothing_is_told(systemd: socket.socket) -> None:
    clock = Clock()
    elsewhere = watched(systemd, clock, WATCHDOG_PID=str(os.getpid() + 1))
    clock.s += 1000
    for service in (elsewhere, Service({}, clock), Service({"NOTIFY_SOCKET": "/not/there"}, clock)):
        service.turning()
    Service({}, clock).ready()
    Service({"NOTIFY_SOCKET": "/not/there"}, clock).ready()
    assert told(systemd) == []


# --- starts -----------------------------------------------------------------------------------


class Killed(BaseException):
    """As if the process were gone: nothing that comes after it is done."""


def failing(folder: Path, error: BaseException, *orderly: type[Exception]) -> Starts:
    starts = Starts(folder)
    with pytest.raises(type(error)), starts.counted(*orderly):
        raise error
    return Starts(folder)


def killed_after(starts: Starts, action: Callable[[], object]) -> None:
    with pytest.raises(Killed), starts.counted():  # noqa: PT012 - a start in which something happens
        action()
        raise Killed


def test_three_failed_starts_in_a_row_lead_to_safe_mode_once(tmp_path: Path) -> None:
    assert [failing(tmp_path, Killed()).is_safe_mode for _ in range(3)] == [False, False, True]
    starts = Starts(tmp_path)
    with starts.counted():
        assert starts.is_safe_mode
    assert Starts(tmp_path).failed == 0


def test_who_has_run_for_a_while_has_started(tmp_path: Path) -> None:
    for _ in range(5):
        starts = Starts(tmp_path)
        killed_after(starts, starts.went_well)
    assert Starts(tmp_path).failed == 0


@pytest.mark.parametrize(("error", "failed"), [(KeyboardInterrupt(), 0), (ValueError(), 0), (OSError(), 1)])
def test_being_stopped_and_saying_no_are_no_failures(error: BaseException, failed: int, tmp_path: Path) -> None:
    assert failing(tmp_path, error, ValueError).failed == failed


@pytest.mark.parametrize("nonsense", ["", "many", "[]", "1e999", '{"a": 1}'])
def test_a_torn_count_is_none(nonsense: str, tmp_path: Path) -> None:
    (tmp_path / "starts.json").write_text(nonsense)
    assert Starts(tmp_path).failed == 0


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Starts(tmp_path / "file").counted():
        pass


# --- the log ----------------------------------------------------------------------------------


def test_the_log_is_bounded_on_disk(tmp_path: Path) -> None:
    store = tmp_path / "allcity.db"
    with open_log(store):
        for number in range(60_000):
            logging.getLogger("pi_app.test").info("number %d and some words that make the line a usual one", number)
    files = log_files(store)
    assert len(files) == FILES
    assert sum(file.stat().st_size for file in files) <= FILES * FILE_BYTES
    assert "number 59999 " in files[-1].read_text(encoding="utf-8")


def test_only_warnings_are_said_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_log(tmp_path / "allcity.db"):
        logging.getLogger("pi_app.test").info("all is well")
        logging.getLogger("pi_app.test").warning("the card is full")
    assert capsys.readouterr().err == "WARNING: the card is full\n"


def test_a_log_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("no folder")
    with open_log(tmp_path / "allcity.db"):
        logging.getLogger("pi_app.test").info("all is well")


def test_what_changes_at_the_table_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    log = TableLog(Text("en"))
    lost = [Status("camera", Condition.LOST, {"why": "no picture"})]
    wrong = {"state": "mismatch", "reason": "store.busy", "facts": {"file": "x"}}
    for view, statuses in (
        ({"game_id": None}, [Status("camera")]),
        ({"game_id": 7, "boards": {"hq": {"state": "wait", "reason": "", "facts": {}}}}, [Status("camera")]),
        ({"game_id": 7, "boards": {"hq": wrong}}, lost),
        ({"game_id": 7, "boards": {"hq": wrong}}, lost),
        ({"game_id": 7, "result": {"winners": [0]}}, [Status("camera")]),
    ):
        log.look(view, statuses)
    assert [record.getMessage() for record in caplog.records] == [
        "no game is on the table",
        "The camera works.",
        "game 7 is on the table",
        "CAMERA LOST (no picture). Check its cable; the game waits, and goes on by itself when the camera is back.",
        "hq: x is in use by another program. Close that one and try again.",
        "game 7 has ended",
        "The camera works.",
    ]
