"""The picture to share: the right size, drawn for every game, whatever people are called."""

import io
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from pi_app.history.lettering import fitting
from pi_app.history.share import SIZES, Mosaic, Pictured, draw
from tests.playing import seeded_play

WORDS = {"headline": "Ana is ALL CITY!", "date": "1 May 2026", "details": "9 rounds", "former": "a former player"}
WORDS |= {"rows": "Rows", "drone": "Drone"}


MOSAIC = [["#ff0000", "#00ff00"], ["#0000ff", "#ffffff"], ["#000000", "#ff00ff"]]


def picture(told: dict[str, Any], mosaics: Sequence[Mosaic] | None = None) -> Image.Image:
    return Image.open(io.BytesIO(draw(told, "wide", WORDS, mosaics)))


def told(count: int, **changes: Any) -> dict[str, Any]:
    play = next(play for seed in range(20) if len((play := seeded_play(seed)).setup.players) == count)
    scores = play.game.scores(play.state)
    return {
        "id": 1,
        "players": [{"seat": seat, "name": f"P{seat}"} for seat in range(count)],
        "places": [1, *range(2, count + 1)],
        "scores": scores,
        "parts": [{"rows": score, "drone": 0} for score in scores],
        **changes,
    }


@pytest.mark.parametrize("form", SIZES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_picture_has_its_size(form: str, players: int) -> None:
    png = draw(told(players), form, WORDS, [MOSAIC] * players)
    picture = Image.open(io.BytesIO(png))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", SIZES[form])
    assert len(png) < 1_000_000


def test_what_was_made_and_scores_are_in_the_picture() -> None:
    game = told(2)
    first = picture(game, [MOSAIC, MOSAIC])
    assert ImageChops.difference(first, picture({**game, "scores": [-7, 1]}, [MOSAIC, MOSAIC])).getbbox() is not None
    assert ImageChops.difference(first, picture(game, [MOSAIC, MOSAIC[::-1]])).getbbox() is not None
    assert ImageChops.difference(first, picture(game, [MOSAIC, MOSAIC])).getbbox() is None


def test_without_a_mosaic_the_picture_says_where_points_came_from() -> None:
    game = told(2)
    other = {**game, "parts": [{"rows": 1, "drone": -1}] * 2}
    assert ImageChops.difference(picture(game), picture(other)).getbbox() is not None


def test_eight_players_have_room_in_the_picture() -> None:
    game = {**told(2), "places": range(1, 9), "scores": range(8), "parts": [{"rows": 1}] * 8}
    game["players"] = [{"seat": seat, "name": f"P{seat}"} for seat in range(8)]
    for form in SIZES:
        assert draw(game, form, WORDS)


def test_the_mosaic_of_a_city_has_the_colours_that_are_printed() -> None:
    play = seeded_play(1)
    city = play.game.view(play.state, None)["city"]
    assert isinstance(play.game, Pictured)
    for seat in range(len(play.setup.players)):
        mosaic = play.game.mosaic(play.state, seat)
        painted = play.game.view(play.state, None)["boards"][seat]["painted"]
        for row, letters in enumerate(city["cells"]):
            for col, letter in enumerate(letters):
                if look := city["drawing"]["looks"].get(letter):
                    assert mosaic[row][col] == look["strong" if painted[row][col] == "#" else "tint"]


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
