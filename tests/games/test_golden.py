"""Whole games, compared line by line with transcripts that people have read."""

import pytest

from pi_app.games import GAMES as REGISTERED
from tests.games.golden import FOLDER, GAMES, transcript


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_its_transcript_says(name: str) -> None:
    assert transcript(GAMES[name]()).splitlines() == (FOLDER / f"{name}.txt").read_text().splitlines()


def test_every_game_has_a_transcript_and_every_transcript_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
    assert {name.partition("-")[0] for name in GAMES} == set(REGISTERED)
