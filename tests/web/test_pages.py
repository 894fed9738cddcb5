"""Every page in every language, and every sentence that pages and scripts name."""

import re
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.contract import Game
from pi_app.games import GAMES
from tests.web.house import Table4Web
from web.text import LANGUAGES, load

WEB = Path(__file__).parents[2] / "web"
PAGES = ("/", "/seat", "/host", "/games", "/players")
NAMED = re.compile(r"""\b(?:t|say|button)\(\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']\s*[,)]""")
TAG_CITY_SAID = re.compile(r"\b(?:HQ|QG|quartiers?|distritos?|drones?|bulles?|burbujas?|tagueurs?|grafiteros?)\b")
CHOSEN = re.compile(r"""\?\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']\s*:\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']""")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_speaks_every_language(page: str, language: str, web: Table4Web) -> None:
    web.client.set_cookie("lang", language)
    answer = web.client.get(page)
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert load(language)["web.nav_seat"] in answer.text
    assert load(language)["web.skip"] in answer.text


def test_a_browser_without_a_choice_gets_what_it_prefers(web: Table4Web) -> None:
    for wanted, language in (("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("es-419,es;q=0.9", "es"), ("de", "en")):
        assert f'lang="{language}"' in web.client.get("/", headers={"Accept-Language": wanted}).text
    web.client.set_cookie("lang", "klingon")
    assert 'lang="en"' in web.client.get("/").text


def sources() -> list[tuple[Path, Path | None]]:
    """Pages know our own sentences, and a game's drawing those of its game, too."""
    ours = [*WEB.rglob("*.html"), *WEB.rglob("*.js"), *WEB.glob("*.py")]
    theirs = [(path, game.folder) for game in GAMES.values() for path in (game.folder / "screens").rglob("*.js")]
    # The simulated table's page still plays one game only.
    knowing = {path: GAMES["tag_city"].folder for path in ours if path.stem == "sim"}
    return [*((path, knowing.get(path)) for path in ours), *theirs]


@pytest.mark.parametrize(("source", "game"), sources(), ids=lambda path: "/".join(path.parts[-3:]) if path else "")
def test_every_sentence_that_is_named_exists(source: Path, game: Path | None) -> None:
    text = source.read_text(encoding="utf-8")
    named = set(NAMED.findall(text)).union(*CHOSEN.findall(text))
    files = {name for name in named if name.endswith((".js", ".css", ".jpg", ".json"))}
    assert named - files - load("en", game).keys() == set()


@pytest.mark.parametrize("source", [*WEB.rglob("*.html")], ids=lambda path: path.name)
def test_no_template_has_inline_script_or_style(source: Path) -> None:
    """The content security policy would keep it from working."""
    text = source.read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))", text) == []
    assert re.findall(r"\s(?:style|on[a-z]+)=", text) == []


def test_nothing_comes_from_outside() -> None:
    """Game nights have no internet."""
    folders = (WEB, *(game.folder for game in GAMES.values()))
    for source in [file for folder in folders for kind in ("html", "js", "css") for file in folder.rglob(f"*.{kind}")]:
        found = re.findall(r"""(?:src|href|from|import|url)\s*[=(]?\s*["'(]https?:[^"')]*""", source.read_text("utf-8"))
        assert found == [], source.name


@pytest.mark.parametrize("path", ["/nowhere", "/static/js/nowhere.js", "/games/999999", "/strings/xx.json"])
def test_what_is_not_there_is_said_kindly(path: str, web: Table4Web) -> None:
    answer = web.client.get(path, headers={"Accept-Language": "es"})
    assert answer.status_code == 404
    assert "mesa" in answer.text


def test_the_big_screen_shows_address_and_code(tmp_path: Path) -> None:
    from tests.web.house import opened  # noqa: PLC0415

    with opened(tmp_path, addresses=["http://192.0.2.7:8080", "http://table.local:8080"]) as at:
        page = at.client.get("/").text
    assert "192.0.2.7<wbr>:8080" in page  # may be broken there, nowhere else
    assert "table.local<wbr>:8080" in page
    assert 'class="qr"' in page


def test_odd_names_are_shown_as_text(web: Table4Web) -> None:
    token = web.join(0, "<script>x</script>")
    assert web.state["people"]["seats"][0]["name"] == "<script>x</script>"
    args = {"players": ["<img src=x onerror=1>", "مرحبا"], "profile": "house"}
    assert web.command("new_game", args, web.host()).status_code == 200
    web.play(5)
    for page in PAGES:
        assert "<img src=x" not in web.client.get(page).text
    assert token


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_ours_is_about_one_game(language: str) -> None:
    """tests/test_architecture.py knows its English words; in other languages it has others."""
    assert [key for key, said in load(language).items() if TAG_CITY_SAID.search(said)] == []


# --- what a game brings -----------------------------------------------------------------------


def test_pages_load_what_the_game_on_the_table_draws(web: Table4Web) -> None:
    page = web.client.get("/").text
    assert 'data-game="tag_city"' in page
    assert "data-script" in page
    assert 'href="/game/tag_city/game.css"' in page
    for file, kind in (("game.js", "text/javascript"), ("game.css", "text/css")):
        answer = web.client.get(f"/game/tag_city/{file}")
        assert (answer.status_code, answer.mimetype) == (200, kind)
        assert answer.headers.get("Cache-Control") == web.client.get("/static/js/dom.js").headers.get("Cache-Control")


@pytest.mark.parametrize(
    "path",
    [
        "/game/nothing/game.js",
        "/game/tag_city/nowhere.js",
        "/game/tag_city/en.toml",
        "/game/tag_city/rules/en.md",
        "/game/tag_city/../view.py",
        "/game/tag_city/..%2f..%2f..%2f..%2fweb%2fstatic%2fjs%2fdom.js",
        "/game/../game/x.js",
        "/strings/en.json?game=nothing",
    ],
)
def test_nothing_else_of_a_game_is_given_away(path: str, web: Table4Web) -> None:
    assert web.client.get(path).status_code == 404


def test_sentences_of_a_game_come_before_ours(web: Table4Web) -> None:
    ours, theirs = (web.get(f"/strings/en.json{game}").json for game in ("", "?game=tag_city"))
    assert ours["show.winner"] != theirs["show.winner"]
    assert "rule.not_your_turn" in theirs.keys() - ours.keys()
    assert ours.keys() <= theirs.keys()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_exports_only_what_pages_ask_for(game: Game[Any]) -> None:
    """A name that is written otherwise would be drawn in a plain way, and nobody would know why."""
    asked = set(re.findall(r"^  (\w+): ", (WEB / "static/js/game.js").read_text(encoding="utf-8"), re.MULTILINE))
    script = (game.folder / "screens" / "game.js").read_text(encoding="utf-8")
    exported = set(re.findall(r"^export (?:function|const) (\w+)", script, re.MULTILINE))
    passed_on = [name for names in re.findall(r"^export \{(.+?)\}", script, re.MULTILINE) for name in names.split(",")]
    assert exported | {name.strip() for name in passed_on} <= asked


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_imports_no_page(game: Game[Any]) -> None:
    """Pages wait for the game's module: one that waits for them would never come."""
    for script in (game.folder / "screens").rglob("*.js"):
        asked = set(re.findall(r'from "/static/js/(\w+)\.js"', script.read_text(encoding="utf-8")))
        assert asked <= {"acting", "api", "dice", "dom", "text"}, script.name
