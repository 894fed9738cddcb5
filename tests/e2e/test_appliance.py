"""The program as a service: what it tells systemd, what it does after failed starts, how it ends."""

import socket
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.program import CONFIG, Program


def is_shown(state: Any) -> bool:
    return state["table"] is not None


@pytest.fixture
def real(tmp_path: Path) -> str:
    """The configuration of a real table with a camera that sees an empty desk."""
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "desk.png"), np.full((720, 1280, 3), 180, np.uint8))
    return CONFIG.replace("[camera]", f'[camera]\nkind = "folder"\npath = "{tmp_path / "pictures"}"')


def page(program: Program) -> str:
    with urllib.request.urlopen(f"{program.site.address}/seat", timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def test_after_three_failed_starts_camera_and_lights_are_left_alone_and_every_page_says_why(
    tmp_path: Path, real: str
) -> None:
    with Program(tmp_path, config=real, ready=is_shown) as program:
        for _ in range(2):
            assert "Safe mode" not in page(program)
            program.kill()
            program.start()
        program.kill()
        program.start()
        assert "Safe mode" in page(program)
        found = {finding["name"]: finding for finding in program.site.get("/api/doctor")}
        assert found["program"]["severity"] == "warn"
        assert found["program"]["do"]
        assert program.stop() == 0
        program.start()
        assert "Safe mode" not in page(program)


def test_systemd_is_told_while_the_loop_turns_whatever_the_camera_does(
    tmp_path: Path, real: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "400000")
        gone = real.replace(str(tmp_path / "pictures"), str(tmp_path / "unplugged"))
        with Program(tmp_path, config=gone, ready=is_shown) as program:
            assert [line.recv(100) for _ in range(5)] == [b"READY=1", *[b"WATCHDOG=1"] * 4]
            program.stop()
            assert b"STOPPING=1" in iter(lambda: line.recv(100), b"")


def test_what_happens_is_in_the_log(tmp_path: Path, real: str) -> None:
    with Program(tmp_path, config=real, ready=is_shown) as program:
        program.site.until(lambda state: state["table"] is not None, "a second look")
        assert program.stop() == 0
    said = (tmp_path / "logs" / "allcity.log").read_text(encoding="utf-8")
    assert "starts at a real table" in said
    assert said.rstrip().endswith("All City ends")
