"""The pages and the API about games gone by: they tell what is kept, escape every name, and obey the host alone."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.history.history import _REFUSED, History
from pi_app.storage.gamefile import check_game_file
from pi_app.storage.store import Store
from pi_app.table.lights import PLAYERS
from tests.evenings import FIRST_EVENING, store_game
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate
from web.text import LANGUAGES, load

PIN = "123456"
DAY = timedelta(days=1)
ODD = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "\u202eמלך הרחוב", "W" * 80)


NO_TABLE: Any = SimpleNamespace(command=lambda name, args: None)
"""Nobody plays meanwhile."""


def client_of(store: Store) -> FlaskClient:
    house = House(
        Hub(),
        NO_TABLE,
        store.path.parent,
        PinGate(PIN),
        write_private,
        PLAYERS,
        GAMES,
        "tag_city",
        history=History(store),
    )
    return create_app(house).test_client()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Games that tests only look at."""
    with Store(tmp_path_factory.mktemp("pages") / "allcity.db") as opened:
        store_game(opened, ("Ana", "Bo"))
        store_game(opened, ODD, FIRST_EVENING + DAY, seed=2)
        store_game(opened, ("Ana", "Bo"), FIRST_EVENING + 2 * DAY, seed=3, most=40)
        yield opened


@pytest.fixture(scope="module")
def client(store: Store) -> FlaskClient:
    return client_of(store)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "allcity.db") as opened:
        yield opened


def page(client: FlaskClient, address: str, language: str = "en", status: int = 200) -> str:
    answer = client.get(address, headers={"Accept-Language": language})
    assert answer.status_code == status, address
    return answer.get_data(as_text=True)


def host(client: FlaskClient) -> dict[str, str]:
    answer = client.post("/api/host", json={"pin": PIN})
    return {"Authorization": f"Bearer {answer.get_json()['token']}"}


PAGES = ("/games", "/games?finished=yes", "/games?text=nobody", "/games/1", "/games/2", "/games/3", "/players")


# --- pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", [*PAGES, "/players/1", "/players/3"])
def test_every_page_is_there_in_every_language(client: FlaskClient, address: str, language: str) -> None:
    html = page(client, address, language)
    assert f'<html lang="{language}"' in html
    assert "history." not in html.replace("history.css", "")


@pytest.mark.parametrize("address", [*PAGES, "/players/3", "/players/4", "/players/5", "/players/6"])
def test_no_name_becomes_part_of_the_page(client: FlaskClient, address: str) -> None:
    html = page(client, address)
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert " style=" not in html
    assert " onclick=" not in html


def test_the_list_names_winners_and_what_is_unfinished(client: FlaskClient) -> None:
    html = page(client, "/games")
    assert html.count('href="/games/') == 3
    assert html.count("Unfinished</span>") == 1
    assert "3 games" in html
    assert "♛" in html


def test_a_list_without_games_says_what_to_do(fresh: Store) -> None:
    client = client_of(fresh)
    for address in ("/games", "/players"):
        assert 'href="/host">Start a game' in page(client, address)
    assert "No game fits" in page(client, "/games?text=Ana")


def test_a_filter_stays_in_the_form_and_in_the_next_page(fresh: Store) -> None:
    for number in range(21):
        store_game(fresh, ("Ana", "Bo"), FIRST_EVENING + number * DAY, most=1)
    html = page(client_of(fresh), "/games?text=Ana&since=2026-05-01&finished=no")
    assert 'name="text" maxlength="80" value="Ana"' in html
    assert 'name="since" value="2026-05-01"' in html
    assert "page=2&amp;since=2026-05-01&amp;finished=no&amp;text=Ana" in html.replace("?", "")
    assert "Page 1 of 2" in html


def test_a_game_page_tells_result_sheet_and_charts(client: FlaskClient) -> None:
    html, told = page(client, "/games/1"), client.get("/api/games/1").get_json()
    for score in told["scores"]:
        assert f">{score}</span>" in html
    assert html.count('class="line s') >= 2
    assert "is ALL CITY!" in html
    assert 'href="bgstats://app.bgstatsapp.com/createPlay.html?data=%7B' in html
    assert 'class="qr"' in html
    story = json.loads(html.split('id="story">')[1].split("</script>")[0])
    assert [step["seq"] for step in story["steps"]] == list(range(1, len(told["steps"]) + 1))
    assert len(story["places"]) == len(told["race"])


def test_an_unfinished_game_is_neither_shared_nor_handed_over(client: FlaskClient) -> None:
    html = page(client, "/games/3")
    assert "bgstats" not in html
    assert "wide.png" not in html
    assert client.get("/api/games/3/wide.png").status_code == 409


def test_a_name_too_long_for_a_code_still_has_a_link(fresh: Store) -> None:
    store_game(fresh, ("李" * 80, "明" * 80, "A", "B"))
    html = page(client_of(fresh), "/games/1")
    assert 'class="qr"' not in html
    assert "too long for a QR code" in html
    assert 'href="bgstats://' in html


def test_numbers_are_written_as_the_language_does(client: FlaskClient) -> None:
    average = client.get("/api/players/1").get_json()["average"]
    assert f"{average:.1f}" in page(client, "/players/1", "en")
    assert f"{average:.1f}".replace(".", ",") in page(client, "/players/1", "fr")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1 May 2026"), ("fr", "1er mai 2026"), ("es", "1 de mayo de 2026")]
)
def test_days_are_written_as_the_language_does(client: FlaskClient, language: str, said: str) -> None:
    assert said in page(client, "/games/1", language)


@pytest.mark.parametrize("number", ["0", "99", "2147483648", "9" * 400, "-1", "1.5", "x", "1%00"])
def test_there_is_no_such_game_or_player(client: FlaskClient, number: str) -> None:
    for address in (f"/games/{number}", f"/players/{number}"):
        assert "<h1>" in page(client, address, status=404)
    for address in (f"/api/games/{number}", f"/api/games/{number}/game.json", f"/api/players/{number}"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert set(answer.get_json()) == {"error", "message"}


def test_every_sentence_is_used_and_every_one_used_is_there() -> None:
    root = Path(__file__).parent.parent.parent
    sources = [
        *(root / "web" / "templates" / f"{name}.html" for name in ("games", "game", "players", "player", "charts")),
        *(root / "web" / "static" / "js" / f"{name}.js" for name in ("replay", "player")),
        *(root / "web" / "history_pages.py", root / "web" / "dates.py", root / "pi_app" / "history" / "history.py"),
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    used = set(re.findall(r"""["'](history\.[a-z_]+)["']""", text)) - {"history.games_csv", "history.sort_"}
    used |= {
        f"history.{key}"
        for key in ("all", "finished", "unfinished", "hidden", "sort_newest", "sort_oldest", "sort_score")
    }
    used |= {f"history.{code}" for code in _REFUSED} | {f"history.place.{number}" for number in range(1, 9)}
    assert {key for key in load("en") if key.startswith("history.")} == used


# --- filters ----------------------------------------------------------------------------------


BAD = [
    *("player=0", "player=-1", "player=x", "player=99999999999", "page=0", "page=1e3", "page=٣"),
    *("since=yesterday", "since=2026-13-01", "until=2026-W01-1", "until=20260501", "finished=maybe", "sort=id;drop"),
    *(f"text={'x' * 81}", f"profile={'x' * 10_000}"),
]


@pytest.mark.parametrize("query", BAD, ids=range(len(BAD)))
def test_a_filter_that_makes_no_sense_is_refused_in_words(client: FlaskClient, query: str) -> None:
    assert "cannot be understood" in page(client, f"/games?{query}", status=400)
    for address in (f"/api/games?{query}", f"/api/games.csv?{query}"):
        answer = client.get(address)
        assert (answer.status_code, answer.get_json()["error"]) == (400, "web.bad_input")


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["player", "since", "until", "finished", "profile", "text", "sort", "page", "else"]),
        st.text(max_size=100) | st.integers().map(str) | st.dates().map(str) | st.sampled_from(["yes", "no", "score"]),
    )
)
def test_whatever_is_asked_the_answer_is_a_list_or_a_refusal(client: FlaskClient, query: dict[str, str]) -> None:
    answer = client.get("/api/games", query_string=query)
    assert answer.status_code in (200, 400)
    assert client.get("/games", query_string=query).status_code == answer.status_code
    if answer.status_code == 200:
        told = answer.get_json()
        assert len(told["games"]) <= told["total"] <= 3


# --- files ------------------------------------------------------------------------------------


def test_a_game_file_can_be_taken_along_and_checked(client: FlaskClient) -> None:
    answer = client.get("/api/games/2/game.json")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="all-city-2.json"'
    assert check_game_file(answer.get_json()).setup.players == ODD


def test_points_and_games_can_be_taken_along_as_rows(client: FlaskClient) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/api/games/1/points.csv").get_data(as_text=True))))
    assert {row["player"] for row in rows} == {"Ana", "Bo"}
    games = list(csv.DictReader(io.StringIO(client.get("/api/games.csv?finished=yes").get_data(as_text=True))))
    assert [row["game"] for row in games] == ["2"] * 4 + ["1"] * 2


@pytest.mark.parametrize(("form", "size"), [("wide", (1200, 630)), ("square", (1080, 1080))])
def test_a_picture_can_be_shared(client: FlaskClient, form: str, size: tuple[int, int]) -> None:
    answer = client.get(f"/api/games/2/{form}.png", headers={"Accept-Language": "fr"})
    assert answer.content_type == "image/png"
    assert Image.open(io.BytesIO(answer.data)).size == size
    assert client.get("/api/games/2/huge.png").status_code == 404


def test_the_table_at_any_moment(client: FlaskClient) -> None:
    last = len(client.get("/api/games/1").get_json()["steps"])
    assert client.get("/api/games/1/table/0").get_json()["round"] == 1
    assert client.get(f"/api/games/1/table/{last}").get_json()["result"] is not None
    for seq in (str(last + 1), "9" * 50, "-1", "x"):
        assert client.get(f"/api/games/1/table/{seq}").status_code == 404


# --- the host's business ----------------------------------------------------------------------


def test_nobody_but_the_host_changes_a_name(store: Store, client: FlaskClient) -> None:
    seat = client.post("/api/join", json={"seat": 0, "name": "Eve", "colour": "cyan", "language": "en"}).get_json()
    foreign = {**host(client), "Origin": "http://elsewhere.example"}
    for address, sent in (("rename", {"name": "Anna", "join": False}), ("forget", {})):
        for headers in ({}, {"Authorization": "Bearer guess"}, {"Authorization": f"Bearer {seat['token']}"}):
            answer = client.post(f"/api/players/1/{address}", json=sent, headers=headers)
            assert answer.status_code in (401, 403)
            assert answer.get_json()["error"] == "people.host_only"
        assert client.post(f"/api/players/1/{address}", json=sent, headers=foreign).status_code == 403
        assert client.get(f"/api/players/1/{address}").status_code == 405
    assert store.players()[0].name == "Ana"


def test_the_host_renames_joins_and_forgets(fresh: Store) -> None:
    for players in (("Ana", "Bo"), ("Anna", "Bo")):
        store_game(fresh, players)
    client = client_of(fresh)
    headers = host(client)

    def send(address: str, sent: Any) -> tuple[int, Any]:
        answer = client.post(f"/api/players/{address}", json=sent, headers=headers)
        return answer.status_code, answer.get_json()

    assert send("2/rename", {"name": "  Beau ", "join": False}) == (200, {"id": 2})
    assert "Beau" in page(client, "/games/1")
    status, told = send("3/rename", {"name": "Ana", "join": False})
    assert (status, told["error"]) == (409, "history.name_taken")
    assert "Ana" in told["message"]
    assert send("3/rename", {"name": "Ana", "join": True}) == (200, {"id": 1})
    assert client.get("/api/players/1").get_json()["games"] == 2
    assert send("1/forget", {}) == (200, {})
    for address in ("/games", "/games/1", "/players", "/players/2"):
        assert "Ana" not in page(client, address)
    assert "a former player" in page(client, "/games/1")
    assert "un ancien joueur" in page(client, "/games/1", "fr")
    assert send("1/forget", {})[0] == 404
    page(client, "/players/1", status=404)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"name": "Zed"},
        {"name": 7, "join": False},
        {"name": "Zed", "join": "yes"},
        {"name": "Zed", "join": False, "more": 1},
        {"name": "x" * 10_000, "join": False},
        {"name": "\ud800", "join": False},
        {"name": "   ", "join": False},
        {"name": "\u202e\u202d", "join": False},
        [],
        "Zed",
    ],
)
def test_a_strange_wish_changes_nothing(client: FlaskClient, store: Store, sent: Any) -> None:
    answer = client.post("/api/players/1/rename", json=sent, headers=host(client))
    assert answer.status_code in (400, 409)
    assert store.players()[0].name == "Ana"


def test_whoever_plays_right_now_is_left_alone(client: FlaskClient) -> None:
    answer = client.post("/api/players/1/forget", json={}, headers=host(client))
    assert (answer.status_code, answer.get_json()["error"]) == (409, "history.playing")
    assert "game 3" in answer.get_json()["message"]


def test_a_failing_store_is_told_without_its_place_on_the_disk(fresh: Store) -> None:
    store_game(fresh, ("Ana", "Bo"))
    client = client_of(fresh)
    fresh.close()
    for address in ("/api/games", "/api/games/1", "/api/players"):
        answer = client.get(address)
        assert answer.status_code == 409
        assert str(fresh.path.parent) not in answer.get_data(as_text=True)
