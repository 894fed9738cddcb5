"""Simulations: the same seed gives the same games, and the players are worth comparing."""

from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.setup import complete_options
from pi_app.games.tag_city.bots import BOTS
from pi_app.games.tag_city.edition.profile import OPTIONS
from pi_app.simulation.simulate import Plan, play_one, simulate, summary
from pi_app.storage.gamefile import read_game_file
from tests.playing import EDITION


def plan(*bots: str, seed: int = 7, export: Path | None = None, **options: Any) -> Plan:
    return Plan("tag_city", EDITION, bots, seed, complete_options(options, OPTIONS), export)


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    one, again, other = (play_one(plan("greedy", "random", seed=seed), 3) for seed in (7, 7, 8))
    assert one.records == again.records
    assert one.records != other.records


def test_all_processes_together_play_the_same_games_as_one(tmp_path: Path) -> None:
    few = simulate(plan("greedy", "greedy"), 3)
    many = simulate(plan("greedy", "greedy", export=tmp_path), 6)
    assert many[:3] == few
    assert read_game_file(tmp_path / "game-00002.json").records == play_one(plan("greedy", "greedy"), 1).records


def test_exported_games_are_right(tmp_path: Path) -> None:
    simulate(plan("greedy", "random", "social", "drone", export=tmp_path, city_side="B", hq_side="B"), 4)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"game-0000{n}.json" for n in (1, 2, 3, 4)]
    for file in files:
        assert read_game_file(file).state.result is not None


def test_bots_change_seats_from_game_to_game() -> None:
    assert {plan("greedy", "random", "social").seats(n)[0] for n in range(3)} == {"greedy", "random", "social"}


@pytest.mark.parametrize("weak", [name for name in BOTS if name != "greedy"])
def test_the_greedy_player_is_clearly_better(weak: str) -> None:
    played = simulate(plan("greedy", weak), 40)
    wins = summary(plan("greedy", weak), played)["wins_by_bot"]
    assert wins["greedy"] > 0.6
    assert wins["greedy"] + wins[weak] == pytest.approx(1, abs=0.001)


def test_the_summary_adds_up() -> None:
    the_plan = plan("greedy", "greedy", "greedy")
    played = simulate(the_plan, 12)
    result = summary(the_plan, played)
    assert result["games"] == sum(result["rounds"]["histogram"].values()) == 12
    assert sum(result["wins_by_seat"]) == pytest.approx(1, abs=0.001)
    assert sum(result["wins_by_order"]) == pytest.approx(1, abs=0.001)
    scores = [score for game in played for score in game.scores]
    assert (result["scores"]["min"], result["scores"]["max"]) == (min(scores), max(scores))
