"""What goes wrong at game nights while people play: the game goes on, and nothing accepted is lost."""

import os
import random
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.ports import Condition, Picture
from pi_app.files import held
from pi_app.perception.sight import Look
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Input
from tests.e2e.night import FRAME_S, faithful, night
from tests.evenings import store_game
from tests.playing import TAG_CITY


def test_a_camera_that_is_pulled_out_is_said_and_found_again(tmp_path: Path) -> None:
    at = night(tmp_path, 2, 51)
    at.play(8)
    known = at.table.records
    at.sim.unplug("camera")
    at.turn(4)
    assert {told["state"] for told in at.table.view()["boards"].values()} == {"camera_lost"}
    at.sim.plug("camera")
    at.turn(int(2 / FRAME_S))
    assert at.table.records == known
    assert {told["state"] for told in at.table.view()["boards"].values()} == {"wait"}
    at.play(4)
    faithful(at, at.table.records)


def test_without_lights_buttons_and_sound_the_game_goes_on(tmp_path: Path) -> None:
    at = night(tmp_path, 2, 52)
    at.play(3)
    for device in ("lights", "buttons", "sound"):
        at.sim.unplug(device)
    at.play(6)
    assert [status.condition for status in at.hardware.statuses()[1:]] == [Condition.LOST] * 3
    faithful(at, at.table.records)
    assert at.bots.tally.asked == 0


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    """Sight counts pictures, never seconds."""
    at = night(tmp_path, 2, 53)
    at.play(6)
    at.clock.go(86_400.0)
    at.turn(2)
    at.play(3)
    faithful(at, at.table.records)


def test_a_pulled_plug_loses_nothing_and_what_is_drawn_meanwhile_is_recognised(tmp_path: Path) -> None:
    at = night(tmp_path, 2, 54)
    rng = random.Random(54)
    for _ in range(4):
        at.play(rng.randint(2, 4))
        known = at.table.records
        at.restart()
        assert at.table.records == known
    # The plug is pulled in the middle of a move: the hand is still drawing when the program is gone.
    for _ in range(5):
        at.bots.step()
        at.turn()
    assert at.bots.busy
    at.clock.go(5.0)
    at.restart()
    at.play(4)
    faithful(at, at.table.records)


def test_a_killed_program_has_stored_all_that_it_showed(tmp_path: Path) -> None:
    """A real process, a real SIGKILL: every event that it had printed is in the file, and the game goes on."""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    (tmp_path / "my.toml").write_text("[camera]\nwidth_px = 1920\nheight_px = 1080\nsmall_width_px = 320\n")
    command = [sys.executable, "-u", "-m", "pi_app", "run", "--sim", "--seed", "3", "--players", "2", "--port", "0"]
    started = subprocess.Popen(
        [*command, "--config", str(tmp_path / "my.toml")], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    shown = []
    for line in started.stdout:
        shown.append(line)
        if "paints" in line:
            break
    started.send_signal(signal.SIGKILL)
    assert started.wait() == -signal.SIGKILL
    started.stdout.close()
    with Store(tmp_path / "allcity" / "allcity.db") as store:
        kinds = [record.event.type for record in store.records(1, TAG_CITY.events)]
        assert kinds[:2] == ["game_started", "dice_rolled"]
        assert "shape_painted" in kinds
        unfinished = store.unfinished()
        assert unfinished is not None
        assert unfinished.id == 1


def test_a_terminal_that_takes_nothing_ends_no_game(tmp_path: Path) -> None:
    """A full device as standard output, as where a log file has filled the disk."""
    config = tmp_path / "my.toml"
    config.write_text(f'[store]\npath = "{tmp_path}/allcity.db"\n[web]\nenabled = false\n[recorder]\nenabled = false\n')
    command = [sys.executable, "-m", "pi_app", "run", "--sim", "--seed", "3", "--players", "2", "--speed", "max"]
    with Path("/dev/full").open("w") as full:
        started = subprocess.Popen([*command, "--config", str(config)], stdout=full, stderr=subprocess.PIPE)
    with Store(tmp_path / "allcity.db") as store:
        while not (store.games() and store.games()[-1].events > 3):
            assert started.poll() is None, started.communicate()[1].decode()
    started.kill()
    started.communicate()


def test_a_second_program_says_who_has_the_games_and_leaves(tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text(f'[store]\npath = "{tmp_path}/allcity.db"\n[web]\naddress = "127.0.0.1"\n')
    command = [sys.executable, "-m", "pi_app", "run", "--sim", "--port", "0", "--config", str(config)]
    with held(tmp_path / "allcity.db.lock", "process 77, since 20:15"):
        second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert second.stderr.count("\n") == 1
    assert "process 77, since 20:15" in second.stderr
    with Store(tmp_path / "allcity.db") as store:
        assert store.games() == []


@pytest.mark.parametrize("before", [[], [1]], ids=["a first game", "a game that was left"])
def test_a_port_that_is_taken_leaves_no_empty_game_behind(tmp_path: Path, before: list[int]) -> None:
    config = tmp_path / "my.toml"
    config.write_text(f'[store]\npath = "{tmp_path}/allcity.db"\n[web]\naddress = "127.0.0.1"\n')
    if before:
        with Store(tmp_path / "allcity.db") as store:
            store_game(store, most=20)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "pi_app", "run", "--sim", "--new", "--config", str(config)]
        refused = subprocess.run([*command, "--port", str(port)], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert f"port {port}" in refused.stderr
    assert "--port" in refused.stderr
    with Store(tmp_path / "allcity.db") as store:
        assert [game.id for game in store.games()] == before


def test_what_was_seen_of_one_game_is_not_told_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody starts another game while a full picture is being read."""
    at = night(tmp_path)
    look, inputs = at.eyes.look, list[Input]()

    def interrupted(bgr: Picture) -> Look:
        at.table.put(Command("new_game"))
        return look(bgr)

    monkeypatch.setattr(at.eyes, "look", interrupted)
    at.table.listen(lambda step: inputs.append(step.input))
    while not any(isinstance(item, Command) for item in inputs):
        at.turn()
    assert isinstance(inputs[-1], Command)
    assert at.table.games_opened == 2
