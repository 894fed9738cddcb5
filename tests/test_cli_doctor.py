"""`allcity doctor`, as a person and a script use it."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from pi_app.__main__ import main
from pi_app.commands import checkup
from pi_app.files import held
from tests.browser.program import Program
from tests.setup.test_doctor import a_damaged_store

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(checkup, "FIRST_LOOK_S", 0.0)
    return tmp_path


def found(capsys: Output, *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main(["doctor", "--json", *arguments]) == code
    return {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}


def config(home: Path, text: str) -> str:
    (home / "my.toml").write_text(text)
    return str(home / "my.toml")


def test_a_machine_without_a_camera_is_told_so_and_is_no_failure(capsys: Output) -> None:
    told = found(capsys)
    assert told["camera"]["severity"] == "warn"
    assert told["camera"]["means"]
    assert told["program"]["text"] == "No table is running."
    assert {"power", "heat", "disk", "card", "store", "backup", "clock", "network", "version"} <= told.keys()


def test_the_worst_comes_first_in_the_language_of_the_configuration(capsys: Output, home: Path) -> None:
    folder = home / "games"
    folder.mkdir()
    a_damaged_store(folder)
    file = config(home, '[store]\npath = "games/allcity.db"\n[table]\nlanguage = "fr"\n')
    assert main(["doctor", "--config", file]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✕ ")
    assert lines[1].strip().startswith("Des parties jouées")
    assert "Aucune caméra n'est branchée" in "\n".join(lines)


def test_a_camera_is_opened_and_what_it_sees_is_told(capsys: Output, home: Path) -> None:
    (home / "pictures").mkdir()
    cv2.imwrite(str(home / "pictures" / "one.png"), np.full((720, 1280, 3), 200, np.uint8))
    file = config(home, '[camera]\nkind = "folder"\npath = "pictures"\n')
    assert main(["doctor", "--json", "--config", file]) == 1
    told = [finding["text"] for finding in json.loads(capsys.readouterr().out)]
    assert "The camera works." in told
    assert any(text.startswith("The HQ is not in the picture") for text in told)


def test_a_camera_that_cannot_be_opened_says_why(capsys: Output, home: Path) -> None:
    file = config(home, '[camera]\nkind = "folder"\npath = "nowhere"\n')
    told = found(capsys, "--config", file, code=1)
    assert told["camera"]["severity"] == "bad"
    assert told["picture"]["severity"] == "warn"


def test_a_running_table_is_asked(capsys: Output, tmp_path: Path) -> None:
    with Program(tmp_path, "--sim") as program:
        told = found(capsys, "--config", str(tmp_path / "config.toml"), "--port", str(program.site.port))
        assert "running" in told["program"]["text"]
        assert told["camera"]["text"] == "The camera works."
        assert "pixels" in told


def test_a_table_that_says_nothing_is_told(capsys: Output, home: Path) -> None:
    (home / "data" / "allcity").mkdir(parents=True)
    with held(home / "data" / "allcity" / "allcity.db.lock", "process 7"):
        told = found(capsys, "--port", "9", code=1)
    assert "process 7" in told["program"]["text"]
    assert told["program"]["do"]
    assert "disk" in told
