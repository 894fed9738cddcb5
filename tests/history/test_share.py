"""The picture to share: the right size, drawn for every game, whatever people are called."""

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from pi_app.history.lettering import fitting
from pi_app.history.share import SIZES, draw
from tests.playing import seeded_play

WORDS = {"headline": "Ana is ALL CITY!", "date": "1 May 2026", "details": "9 rounds", "former": "a former player"}


def told(count: int, **changes: Any) -> dict[str, Any]:
    play = next(play for seed in range(20) if len((play := seeded_play(seed)).setup.players) == count)
    view = play.game.view(play.state, None)
    scores = [board["score"]["total"] for board in view["boards"]]
    return {
        "id": 1,
        "players": [{"seat": seat, "name": f"P{seat}"} for seat in range(count)],
        "places": [1, *range(2, count + 1)],
        "scores": scores,
        "view": view,
        **changes,
    }


@pytest.mark.parametrize("form", SIZES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_picture_has_its_size(form: str, players: int) -> None:
    png = draw(told(players), form, WORDS)
    picture = Image.open(io.BytesIO(png))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", SIZES[form])
    assert len(png) < 1_000_000


def test_boards_and_scores_are_in_the_picture() -> None:
    game = told(2)
    other = {**game, "scores": [-7, 1]}
    empty = {**game, "view": {**game["view"], "boards": [{"painted": ["." * 40] * 40} for _ in range(2)]}}
    first = Image.open(io.BytesIO(draw(game, "wide", WORDS)))
    for changed in (other, empty):
        assert ImageChops.difference(first, Image.open(io.BytesIO(draw(changed, "wide", WORDS)))).getbbox() is not None
    assert draw(game, "wide", WORDS) == draw(game, "wide", WORDS)


NAMES = [
    "<script>alert(1)</script>",
    "نور الدين",
    "李明",
    "Zoé & Ñandú ŁÓDŹ",
    "👩‍👩‍👧‍👦🎲",
    "\u202eevil",
    "x" * 80,
    "W" * 10_000,
    "e\u0301" * 40,
    "\U000f0000",
    "\u2028",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_no_name_breaks_the_picture(name: str) -> None:
    game = told(2, players=[{"seat": 0, "name": name}, {"seat": 1, "name": None}])
    assert draw(game, "wide", {**WORDS, "headline": f"{name} is ALL CITY!"})


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=80), st.integers(60, 600))
def test_words_never_grow_wider_than_their_place(words: str, width: int) -> None:
    shown, font = fitting(words, 60, width, 20)
    assert len(shown) == 1 or font.getlength(shown) <= width
