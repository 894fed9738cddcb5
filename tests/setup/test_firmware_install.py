"""`allcity firmware install`: mpremote really copies to a Pico that really runs MicroPython; and every refusal."""

import subprocess
from typing import Any

import pytest

from hardware.ports import Condition, Status
from hardware.real.serial_ports import open_serial
from pi_app.__main__ import main
from pi_app.setup import firmware_install
from tests.firmware.boards import whole_pico

Output = pytest.CaptureFixture[str]
RUNS = f"firmware {firmware_install.VERSION} runs."


def refusal(capsys: Output, *arguments: str) -> str:
    """The one line of a refused installation."""
    assert main(["firmware", "install", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def plugged(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(firmware_install, "find_ports", lambda wanted: list(names))


def test_an_empty_pico_gets_the_firmware_and_a_running_one_gets_it_again(capsys: Output) -> None:
    with whole_pico(state="empty") as name:
        for _ in range(2):
            assert main(["firmware", "install", "--port", name]) == 0
            assert capsys.readouterr().out.splitlines()[-1] == f"{name}: {RUNS}"


def test_without_a_pico_it_says_what_to_plug_in(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch)
    assert "plug it in" in refusal(capsys)
    assert "number e66" in refusal(capsys, "--port", "e66")


def test_among_several_it_does_not_choose(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, "/dev/ttyACM0", "/dev/ttyACM1")
    assert "--port: /dev/ttyACM0, /dev/ttyACM1" in refusal(capsys)


def test_a_missing_mpremote_is_named(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "mpremote is missing" in refusal(capsys)


def test_a_port_that_is_not_there_or_in_use_is_told(capsys: Output) -> None:
    assert "no such port" in refusal(capsys, "--port", "/dev/not-there")
    with whole_pico(state="empty") as name:
        table = open_serial(name)
        assert "stop the table" in refusal(capsys, "--port", name)
        table.close()


def failing(error: str) -> Any:
    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", f"Traceback\n{error}\n")

    return run


def hanging(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    raise subprocess.TimeoutExpired(command, 1.0)


@pytest.mark.parametrize(
    ("run", "line"), [(failing("could not enter raw repl"), "could not enter raw repl"), (hanging, "MicroPython on it")]
)
def test_a_failed_copy_is_told_in_a_line(run: Any, line: str, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware_install, "make_room", lambda port: None)
    monkeypatch.setattr("subprocess.run", run)
    assert line in refusal(capsys, "--port", "/dev/ttyACM0")


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status("lights", Condition.ABSENT, {"why": "no Pico found"}), "does not answer (no Pico found)"),
        (Status("lights", Condition.WRONG_VERSION, {"found": "0.9.0"}), "runs firmware 0.9.0"),
    ],
)
def test_what_the_pico_says_afterwards_is_checked(
    status: Status, line: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("make_room", "copy"):
        monkeypatch.setattr(firmware_install, step, lambda port: None)
    monkeypatch.setattr(firmware_install, "greet", lambda wanted: status)
    assert line in refusal(capsys, "--port", "/dev/ttyACM0")


def test_a_pico_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch)
    times = iter(range(1000))
    monkeypatch.setattr("time.monotonic", lambda: next(times))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert firmware_install.greet("auto").condition is Condition.ABSENT
