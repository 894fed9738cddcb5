"""The rules in three languages: the same chapters, links that lead somewhere, and a place for every phase."""

import re
from pathlib import Path
from typing import get_args

import pytest

from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import Phase
from tests.web.house import Table4Web
from web.rulebook import _inline, rules
from web.text import LANGUAGES, load

TAG_CITY = GAMES["tag_city"].folder
ANCHOR = re.compile(r'href="#([a-z]+)"')


@pytest.mark.parametrize("game", [game.folder for game in GAMES.values()], ids=GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_chapters_and_every_link_leads_to_one(game: Path, language: str) -> None:
    told, english = rules(game, language), rules(game, "en")
    assert [(chapter.level, chapter.anchor) for chapter in told.chapters] == [
        (chapter.level, chapter.anchor) for chapter in english.chapters
    ]
    anchors = [chapter.anchor for chapter in told.chapters]
    assert len(set(anchors)) == len(anchors)
    assert {link for chapter in told.chapters for link in ANCHOR.findall(chapter.body)} <= set(anchors)
    for chapter, other in zip(told.chapters, english.chapters, strict=True):
        assert chapter.body, chapter.anchor
        for mark in ("<li>", "<p>", "<a "):
            assert chapter.body.count(mark) == other.body.count(mark), (chapter.anchor, mark)
        assert not re.search(r"\*\*|\]\(|^#", chapter.title + chapter.body), chapter.anchor


def test_no_line_breaks_before_a_french_sign() -> None:
    for chapter in rules(TAG_CITY, "fr").chapters:
        assert not re.search(r" [:;!?»]|« ", chapter.title + chapter.body), chapter.anchor


def test_every_phase_has_its_place() -> None:
    [written] = re.findall(r"CHAPTERS = \{(.+?)\}", (TAG_CITY / "screens" / "game.js").read_text(encoding="utf-8"))
    chapters = dict(re.findall(r'(\w+): "(\w+)"', written))
    assert chapters.keys() == set(get_args(Phase))
    assert set(chapters.values()) <= {chapter.anchor for chapter in rules(TAG_CITY, "en").chapters}


def test_what_the_files_say_is_text_and_a_few_marks() -> None:
    assert _inline("a < b\n & **c** [d](#e)") == 'a &lt; b &amp; <strong>c</strong> <a href="#e">d</a>'


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_found_from_every_other(language: str, web: Table4Web) -> None:
    web.client.set_cookie("lang", language)
    for page in ("/", "/seat", "/host", "/games", "/players"):
        assert 'href="/rules"' in web.client.get(page).text
    shown = web.client.get("/rules")
    assert shown.status_code == 200
    assert load(language)["rules.contents"] in shown.text
    assert 'id="draft"' in shown.text
