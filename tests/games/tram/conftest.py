"""The small game, as if its folder lay among the others."""

import pytest

from pi_app.games import GAMES
from tests.games.tram import GAME


@pytest.fixture(autouse=True)
def _tram_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME.name, GAME)
