"""The small game on the command line: kept, exported, checked again; and nothing that is hidden gets out."""

import json
import random
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.games import DEFAULT, GAMES
from pi_app.setup.profiles import Shelf
from pi_app.simulation.simulate import Plan, play_one
from pi_app.storage.store import Store
from tests.games.any_game import any_play
from tests.games.tram import GAME
from tests.games.tram.test_rules import SETUP

RUNNING = 4
"""Moves after which tickets are drawn and nothing is over."""
Output = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "allcity" / "allcity.db"


def keep(file: Path, moves: int) -> None:
    file.parent.mkdir(parents=True)
    play = any_play(GAME, 4, moves)
    with Store(file) as store:
        store.new_game(GAME.name, play.setup, play.records[0].at, play.records)


def test_an_export_of_a_running_game_leaves_secrets_out(store: Path, capsys: Output) -> None:
    keep(store, RUNNING)
    assert main(["export", "1", "--format", "json"]) == 0
    written = capsys.readouterr()
    told = json.loads(written.out)
    assert not any(event["type"] == "ticket_drawn" and event["ticket"] for event in told["events"])
    assert "left out" in written.err  # nobody could check a ride without knowing the ticket


def test_an_export_of_a_game_that_has_ended_tells_all_and_is_checked_again(
    store: Path, tmp_path: Path, capsys: Output
) -> None:
    keep(store, 1000)
    assert main(["export", "1", "--format", "json", "--output", str(tmp_path / "game.json")]) == 0
    told = json.loads((tmp_path / "game.json").read_text())
    assert all(event["ticket"] for event in told["events"] if event["type"] == "ticket_drawn")
    assert main(["replay", str(tmp_path / "game.json")]) == 0


def test_no_recording_is_saved_while_something_is_hidden(store: Path, tmp_path: Path, capsys: Output) -> None:
    keep(store, RUNNING)
    assert main(["record", "save", str(tmp_path / "evening.zip")]) == 2
    assert "has secrets" in capsys.readouterr().err
    assert not (tmp_path / "evening.zip").exists()


def test_bots_play_it_through_and_the_same_seed_gives_the_same_game() -> None:
    plan = Plan(GAME.name, SETUP.profile, ("wanderer",) * 5, 7, {})
    one, again = (play_one(plan, 3) for _ in range(2))
    assert one.records == again.records
    assert GAME.outcome(one.state) is not None
    assert any(record.event.type == "braked" for record in play_one(plan, random.Random(1).randrange(9)).records)


def test_its_own_profiles_lie_apart_from_those_of_other_games(tmp_path: Path) -> None:
    ours, default = Shelf(tmp_path, GAME), Shelf(tmp_path, GAMES[DEFAULT])
    ours.add("Long line", {**SETUP.profile, "name": "Long line", "stops": 12})
    assert [entry.title for entry in ours.entries() if entry.own] == ["Long line"]
    assert [entry.title for entry in default.entries() if entry.own] == []
