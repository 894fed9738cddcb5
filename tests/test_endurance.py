"""The bench that plays for hours tells what grows, and does not take a game for a leak."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.bench.endurance import LIMIT_MB, Usage, findings

GAMES = {"tag_city": 480.0, "graffiti": 610.0, "spree": 550.0}


def evening(change: Callable[[Usage, int], Usage] = lambda one, n: one) -> list[Usage]:
    """Four turns of every kind of game, three looks at each."""
    noted = []
    for n in range(36):
        game = list(GAMES)[n // 3 % 3]
        one = Usage(n / 4, game, 1 + n // 3, 60 * n, GAMES[game] + n % 3, 18, 123, 40_000 + 200 * 60 * n, 400_000, 20.0)
        noted.append(change(one, n))
    return noted


def test_games_that_take_more_than_others_are_no_growth() -> None:
    assert findings(evening()) == []


def test_what_grew_before_every_kind_of_game_was_played_does_not_count() -> None:
    assert findings(evening(lambda one, n: replace(one, memory_mb=200.0, files=9) if n < 6 else one)) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one, n: replace(one, memory_mb=one.memory_mb + 8 * n), "memory during graffiti"),
        (lambda one, n: replace(one, files=one.files + n // 3), "files"),
        (lambda one, n: replace(one, threads=one.threads + n // 4), "threads"),
        (lambda one, n: replace(one, database_bytes=one.database_bytes + 400 * n * n), "database"),
        (lambda one, n: replace(one, recordings_mb=LIMIT_MB + 1.0 if n == 20 else 1.0), "recordings"),
    ],
)
def test_each_kind_of_growth_is_told(change: Callable[[Usage, int], Usage], told: str) -> None:
    found = findings(evening(change))
    assert found is not None
    assert any(line.startswith(told) for line in found)


def test_a_short_look_tells_nothing() -> None:
    assert findings(evening()[:8]) is None
