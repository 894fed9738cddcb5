"""`allcity backup` and `allcity restore`, as a person uses them."""

import random
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.config import config_of_another, load_config
from pi_app.engine.log import Play
from pi_app.files import held
from pi_app.setup.backup import Place, make_backup
from pi_app.storage.store import Store
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from web.text import LANGUAGES

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def store(home: Path) -> Path:
    return home / "data" / "allcity" / "allcity.db"


def a_game(home: Path, moves: int = 9) -> None:
    setup = house_setup(2)
    with Store(store(home)) as games:
        number = games.new_game("tag_city", setup, "2001-01-01T00:00:00Z")
        play_on(Play(TAG_CITY, setup, ticking(), save=lambda new: games.append(number, new)), random.Random(2), moves)


def config(home: Path, text: str) -> Path:
    path = home / "config" / "allcity" / "allcity.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def count(home: Path) -> int:
    with Store(store(home)) as games:
        return len(games.games())


def refused(capsys: Output, *arguments: str) -> str:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()[-1]


def test_a_card_is_lost_and_everything_comes_back(
    capsys: Output, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_game(home)
    config(home, '[table]\nlanguage = "es"\n')
    assert main(["backup", str(home / "my-table.zip")]) == 0
    assert "1 games" in capsys.readouterr().out
    fresh = tmp_path / "fresh"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(fresh / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(fresh / "data"))
    assert main(["restore", str(home / "my-table.zip")]) == 0
    assert "1 games" in capsys.readouterr().out
    assert count(fresh) == 1
    assert load_config(None, LANGUAGES).language == "es"


def test_what_a_restore_replaces_is_in_a_backup_of_its_own(capsys: Output, home: Path) -> None:
    a_game(home)
    assert main(["backup", str(home / "one.zip")]) == 0
    a_game(home)
    assert main(["restore", str(home / "one.zip")]) == 0
    assert count(home) == 1
    kept = capsys.readouterr().out.splitlines()[-1].partition(" is in ")[2]
    assert main(["restore", kept]) == 0
    assert count(home) == 2


def test_a_file_that_is_no_backup_is_refused_in_one_line(capsys: Output, home: Path) -> None:
    a_game(home)
    (home / "torn.zip").write_bytes(b"PK\x03\x04 torn")
    assert "no backup" in refused(capsys, "restore", str(home / "torn.zip"))
    assert "No such file" in refused(capsys, "restore", str(home / "nothing.zip"))
    assert count(home) == 1


def test_an_empty_table_has_nothing_to_back_up(capsys: Output, home: Path) -> None:
    assert "nothing to back up" in refused(capsys, "backup", str(home / "one.zip"))
    assert not (home / "one.zip").exists()


def test_nothing_is_restored_under_a_running_table(capsys: Output, home: Path) -> None:
    a_game(home)
    assert main(["backup", str(home / "one.zip")]) == 0
    capsys.readouterr()
    with held(store(home).with_name("allcity.db.lock"), "process 7"):
        assert "process 7" in refused(capsys, "restore", str(home / "one.zip"))


def test_a_configuration_that_this_program_does_not_know_is_left_out_and_told(capsys: Output, home: Path) -> None:
    a_game(home)
    future = home / "future.toml"
    future.write_text('[teleport]\nrange = 3\n[table]\nlanguage = "es"\n')
    make_backup(Place(store(home), future), home / "one.zip", "2026-01-02T20:00:00Z")
    config(home, '[table]\nlanguage = "fr"\n')
    assert main(["restore", str(home / "one.zip")]) == 0
    assert "teleport" in capsys.readouterr().err
    assert load_config(None, LANGUAGES).language == "fr"


def test_where_things_lie_on_the_disk_is_this_machines_own(home: Path) -> None:
    theirs = b'[store]\npath = "/srv/games.db"\n[recorder]\npath = "/srv/r"\nlimit_mb = 60\n[table]\nlanguage = "fr"\n'
    path = config(home, '[store]\npath = "/home/me/games.db"\n')
    path.write_bytes(config_of_another(path, theirs, LANGUAGES))
    merged = load_config(None, LANGUAGES)
    assert (merged.store, merged.recorder.limit_mb) == (Path("/home/me/games.db"), 60)
    assert (merged.recorder.path, merged.language) == (None, "fr")


def test_a_configuration_without_places_keeps_its_comments(home: Path) -> None:
    theirs = b'# ours since 2026\n[table]\nlanguage = "fr"\n'
    assert config_of_another(home / "none.toml", theirs, LANGUAGES) == theirs
