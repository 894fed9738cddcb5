"""A game plugs in by its folder alone: laid among the others, every command knows it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROOMS = ("pi_app", "vision", "hardware", "firmware", "web")
FOLDER = "pi_app/games/tram"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, with this game's folder among the others and nothing else changed."""
    tree = tmp_path_factory.mktemp("tree")
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    unwanted = shutil.ignore_patterns("__pycache__", "test_*", "conftest.py")
    shutil.copytree(Path(__file__).parent, tree / FOLDER, ignore=unwanted)
    for module in (tree / FOLDER).rglob("*.py"):
        module.write_text(module.read_text().replace("tests.games.tram", "pi_app.games.tram"))
    return tree


def allcity(tree: Path, *arguments: str) -> str:
    home = {"XDG_CONFIG_HOME": str(tree / "config"), "XDG_DATA_HOME": str(tree / "data"), "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", "pi_app", *arguments],
        cwd=tree,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_bots_simulate_it_and_its_files_are_checked(tree: Path) -> None:
    options = ("--game", "tram", "--players", "5", "--games", "3", "--seed", "2")
    told = json.loads(allcity(tree, "simulate", *options, "--json", "--export", "games"))
    assert (told["games"], told["players"]) == (3, 5)
    files = sorted(map(str, (tree / "games").glob("*.json")))
    assert len(files) == 3
    assert "3 game files are right" in allcity(tree, "replay", *files)


def test_its_kit_is_printed(tree: Path) -> None:
    allcity(tree, "kit", "my-kit", "--game", "tram")
    layout = json.loads((tree / "my-kit" / "layout.json").read_text())
    assert layout["game"] == "tram"
    assert [board["id"] for board in layout["boards"]] == [*(f"sheet-{n}" for n in range(1, 9)), "line"]
    assert (tree / "my-kit" / "kit.pdf").read_bytes().startswith(b"%PDF")


def test_bots_play_it_at_the_simulated_table_through_its_pictures(tree: Path) -> None:
    small = "[camera]\nwidth_px = 1920\nheight_px = 1080\nsmall_width_px = 320\n[web]\nenabled = false\n"
    (tree / "my.toml").write_text(small)
    options = ("--game", "tram", "--players", "3", "--seed", "4", "--speed", "max", "--config", "my.toml")
    told = allcity(tree, "run", "--sim", *options)
    assert "takes the tram to stop 8" in told
    assert "shows a ticket to stop" in told
    exported = json.loads(allcity(tree, "export", "1", "--format", "json"))
    assert (exported["game"], exported["events"][-1]["type"]) == ("tram", "game_ended")
    assert "unfinished" not in allcity(tree, "games")
