"""Every page in every language, and every sentence that pages and scripts name."""

import re
from pathlib import Path

import pytest

from tests.web.house import Table4Web
from web.text import LANGUAGES, load

WEB = Path(__file__).parents[2] / "web"
PAGES = ("/", "/seat", "/host", "/games", "/players")
NAMED = re.compile(r"""\b(?:t|say|button)\(\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']\s*[,)]""")
CHOSEN = re.compile(r"""\?\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']\s*:\s*["']([a-z0-9_]+\.[a-z0-9_.]+)["']""")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_speaks_every_language(page: str, language: str, web: Table4Web) -> None:
    web.client.set_cookie("lang", language)
    answer = web.client.get(page)
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    assert load(language)["web.nav_seat"] in answer.text
    assert load(language)["web.skip"] in answer.text


def test_a_browser_without_a_choice_gets_what_it_prefers(web: Table4Web) -> None:
    for wanted, language in (("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("es-419,es;q=0.9", "es"), ("de", "en")):
        assert f'lang="{language}"' in web.client.get("/", headers={"Accept-Language": wanted}).text
    web.client.set_cookie("lang", "klingon")
    assert 'lang="en"' in web.client.get("/").text


def sources() -> list[Path]:
    return [*WEB.rglob("*.html"), *WEB.rglob("*.js"), *WEB.glob("*.py")]


@pytest.mark.parametrize("source", sources(), ids=lambda path: str(path.relative_to(WEB)))
def test_every_sentence_that_is_named_exists(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    named = set(NAMED.findall(text)).union(*CHOSEN.findall(text))
    files = {name for name in named if name.endswith((".js", ".css", ".jpg", ".json"))}
    assert named - files - load("en").keys() == set()


@pytest.mark.parametrize("source", [*WEB.rglob("*.html")], ids=lambda path: path.name)
def test_no_template_has_inline_script_or_style(source: Path) -> None:
    """The content security policy would keep it from working."""
    text = source.read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))", text) == []
    assert re.findall(r"\s(?:style|on[a-z]+)=", text) == []


def test_nothing_comes_from_outside() -> None:
    """Game nights have no internet."""
    for source in (*WEB.rglob("*.html"), *WEB.rglob("*.js"), *WEB.rglob("*.css")):
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
