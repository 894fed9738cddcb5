"""The file for who helps: one page that opens offline, no secrets, pictures only if somebody says so."""

import json
import random
import re
import zipfile
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.commands import checkup
from pi_app.config import _without_secrets
from pi_app.engine.log import Play
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring
from pi_app.storage.store import Store
from tests.games.graffiti.helpers import after_a_round, keep
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from tests.recording.recorded import TINY, plenty, recorded_evening
from tests.recording.recorded import told as recording_told

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(checkup, "FIRST_LOOK_S", 0.0)
    folder = tmp_path / "data" / "allcity"
    (folder / "logs").mkdir(parents=True)
    (folder / "logs" / "allcity.log.1").write_text("2026-01-01 INFO the older line\n")
    (folder / "logs" / "allcity.log").write_text("2026-01-02 INFO <script>alert('odd')</script> the newer line\n")
    (folder / "pin").write_text("739184")
    return folder


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening that ended with a mismatch."""
    return recorded_evening(tmp_path_factory.mktemp("evening"), 300_000_000, 2, "few")


def made(file: Path, *arguments: str) -> dict[str, bytes]:
    assert main(["support", str(file), *arguments]) == 0
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def with_recordings(home: Path, ring: Path) -> str:
    file = home / "my.toml"
    file.write_text(f'[recorder]\npath = "{ring}"\n')
    return f"--config={file}"


def test_one_page_tells_everything_and_needs_no_network(home: Path, tmp_path: Path) -> None:
    found = made(tmp_path / "help.zip")
    page = found["index.html"].decode()
    assert "No camera is attached" in page
    assert page.index("the older line") < page.index("the newer line")
    assert "<script" not in page
    assert not re.findall(
        r"(?:https?:)?//(?!127|192|[\w.]+:8080)", re.sub(r"<pre>.*?</pre>|<li.*?</li>", "", page, flags=re.S)
    )
    assert {finding["name"] for finding in json.loads(found["doctor.json"])} >= {"disk", "camera", "version"}
    for name in re.findall(r'(?:href|src)="([^"]+)"', page):
        assert name in found


def test_the_pin_and_where_things_lie_are_nobodys_business(home: Path, tmp_path: Path) -> None:
    everything = b"".join(made(tmp_path / "help.zip").values())
    assert b"739184" not in everything
    assert str(home).encode() not in everything
    assert (tmp_path / "help.zip").stat().st_mode & 0o777 == 0o600


def test_passwords_of_the_configuration_are_left_out() -> None:
    told = _without_secrets({"broker": {"host": "table", "password": "hush", "api_token": ""}, "port": 8080})
    assert told == {"broker": {"host": "table", "password": "…", "api_token": ""}, "port": 8080}


def test_pictures_come_only_if_somebody_says_so(home: Path, tmp_path: Path, ring: Path) -> None:
    config = with_recordings(home, ring)
    assert not any(name.startswith(("mismatch", "pictures")) for name in made(tmp_path / "help.zip", config))
    found = made(tmp_path / "help.zip", config, "--pictures")
    assert [name for name in found if name.startswith("mismatch")] == ["mismatch-000001.zip"]
    shown = [name for name in found if name.startswith("pictures/")]
    assert shown
    assert all(name in found["index.html"].decode() for name in shown)
    (tmp_path / "one.zip").write_bytes(found["mismatch-000001.zip"])
    assert main(["replay", str(tmp_path / "one.zip")]) == 0


@pytest.mark.parametrize(("answer", "pictures"), [("y", True), ("oui", True), ("", False), ("n", False)])
def test_somebody_at_a_terminal_is_asked(
    answer: str, pictures: bool, home: Path, tmp_path: Path, ring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: answer)
    found = made(tmp_path / "help.zip", with_recordings(home, ring))
    assert any(name.startswith("mismatch") for name in found) == pictures


def test_nothing_hidden_of_a_running_game_is_in_it(home: Path, tmp_path: Path, ring: Path) -> None:
    """Not even if somebody asks for pictures: they are made again after the game."""
    play = after_a_round(keep(0, "R"), keep(1, "R B"))
    with Store(home / "allcity.db") as store:
        store.new_game("graffiti", play.setup, "2001-01-01T00:00:00Z", play.records)
    found = made(tmp_path / "help.zip", with_recordings(home, ring), "--pictures")
    assert not any(name.startswith(("mismatch", "pictures")) for name in found)
    assert "is still being played and hides something" in found["index.html"].decode()


def test_games_that_cannot_be_read_may_hide_something(home: Path, tmp_path: Path, ring: Path) -> None:
    (home / "allcity.db").write_bytes(b"no database" * 100)
    found = made(tmp_path / "help.zip", with_recordings(home, ring), "--pictures")
    assert not any(name.startswith("mismatch") for name in found)
    assert b"not a file of games" in found["index.html"]


def test_a_game_without_secrets_is_no_obstacle_and_a_torn_recording_is_left_out(home: Path, tmp_path: Path) -> None:
    setup = house_setup(2)
    with Store(home / "allcity.db") as store:
        store.new_game("tag_city", setup, "2001-01-01T00:00:00Z")
        play_on(Play(TAG_CITY, setup, ticking(), save=lambda new: store.append(1, new)), random.Random(2), 5)
    recorder = Recorder(Ring(home / "recordings", 10**8, plenty), "few")
    recorder.begin(recording_told(setup), TINY)
    recorder.close()
    (home / "recordings" / "mismatch-000001.zip").write_bytes(b"PK\x03\x04 torn")
    found = made(tmp_path / "help.zip", "--pictures")
    assert not any(name.startswith("mismatch") for name in found)
    assert "There are none in this file." in found["index.html"].decode()


def test_a_place_that_cannot_be_written_is_told_in_one_line(capsys: Output, tmp_path: Path) -> None:
    assert main(["support", str(tmp_path / "not" / "there" / "help.zip")]) == 2
    assert "No such file" in capsys.readouterr().err.splitlines()[-1]
