"""Three languages, the same sentences: none missing, none left over, every blank filled alike."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.contract import Game
from pi_app.games import GAMES
from pi_app.perception.sight import Sees
from pi_app.storage.store import _CODES
from tests.games.any_game import EVERY_GAME, any_play
from tests.games.graffiti import test_profile as graffiti_profiles
from tests.games.spree import test_profile as spree_profiles
from tests.games.tag_city import test_profile as tag_city_profiles
from tests.playing import TAG_CITY
from web.text import BLANK, LANGUAGES, STRINGS, Text, load, read

ROOT = Path(__file__).parent.parent


def blanks(sentence: str) -> set[str]:
    return {blank[1] for blank in BLANK.finditer(sentence)}


def source(*paths: str) -> str:
    return "\n".join((ROOT / path).read_text(encoding="utf-8") for path in paths)


def python(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))


def rule_ids(text: str) -> set[str]:
    chosen = re.findall(r'rule = "([a-z_]+)" if .*? else "([a-z_]+)"', text)
    return set(re.findall(r'IllegalMove\(\s*"([a-z_]+)"', text)).union(*chosen)


def message_ids(text: str) -> set[str]:
    told = re.findall(r'Message\("([a-z_]+)"(?: if [^\n]*? else "([a-z_]+)")?', text)
    return {name for pair in told for name in pair if name}


def under(table: str, keys: Iterable[str]) -> set[str]:
    return {key.removeprefix(f"{table}.") for key in keys if key.startswith(f"{table}.")}


@pytest.mark.parametrize("folder", [STRINGS, *(game.folder / "screens" for game in EVERY_GAME)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_blanks(folder: Path, language: str) -> None:
    english, other = read(folder, "en"), read(folder, language)
    assert english
    assert set(other) == set(english)
    assert {key for key in english if blanks(other[key]) != blanks(english[key])} == set()
    assert all(sentence.strip() == sentence and sentence for sentence in other.values())


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_what_a_game_says_instead_of_us_is_about_the_same_facts(game: Game[Any]) -> None:
    ours, own = read(STRINGS, "en"), read(game.folder / "screens", "en")
    assert {key for key in ours.keys() & own.keys() if not blanks(own[key]) <= blanks(ours[key])} == set()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_everything_a_game_may_say_has_its_sentence_and_every_sentence_is_said(game: Game[Any]) -> None:
    own, known = read(game.folder / "screens", "en"), load("en", game.folder)
    rules = rule_ids(python(game.folder / "rules"))
    messages = message_ids(python(game.folder))
    assert rules
    assert rules <= under("rule", known)
    assert under("rule", own) <= rules
    assert under("doing", own) | under("mismatch", own) == messages
    assert under("category", own) == set(game.categories.values())
    assert {key.partition(".")[0] for key in under("option", own)} == set(game.options)
    assert under("event", own) <= set(game.events)


def test_every_rule_of_the_record_has_its_sentence_and_every_sentence_its_rule() -> None:
    assert under("rule", load("en")) == rule_ids(source("pi_app/engine/log.py"))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_game_ends_and_what_brings_points_is_told(game: Game[Any], language: str) -> None:
    known = load(language, game.folder)
    play = any_play(game, seed=1)
    outcome = game.outcome(play.state)
    assert outcome is not None
    assert {f"end.{reason}" for reason in outcome.reasons} <= set(known)
    text = Text(language, play.setup.players, game.folder)
    scored = {row.item for row in game.sheet(play.setup, play.in_force) if row.value > 0}
    assert {item for item in scored if text.name("item", item) == item} == set()


PROFILES = {"tag_city": tag_city_profiles, "graffiti": graffiti_profiles, "spree": spree_profiles}
"""By game, the tests that try every problem."""
PROBLEM = re.compile(r'Problem\((?:f?"[^"]*"|[a-z_()]+(?:\[:40\])?), "([a-z_]+)"')


def test_every_problem_has_its_sentence() -> None:
    ours = source(
        "pi_app/engine/checks.py",
        "pi_app/engine/setup.py",
        "pi_app/games/profile_files.py",
        "pi_app/storage/gamefile.py",
    )
    areas = re.findall(r'"(geometry_[a-z]+)"', source("vision/kit/measured.py"))
    assert under("problem", load("en")) == {*PROBLEM.findall(ours), *areas, "not_a_list"}


@pytest.mark.parametrize("name", PROFILES)
def test_every_problem_of_a_profile_has_its_sentence(name: str) -> None:
    folder, tried = GAMES[name].folder, PROFILES[name]
    own = python(folder / "edition") + (folder / "rules" / "deciding.py").read_text(encoding="utf-8")
    codes = {*PROBLEM.findall(own), *(code for _, _, code in (*tried.SLIPS, *tried.WARNINGS)), "blank"}
    assert under("problem", load("en", folder)) == codes | under("problem", load("en"))


def test_every_failure_of_the_store_has_its_sentence() -> None:
    codes = set(re.findall(r'StoreError\("([a-z_]+)"', source("pi_app/storage/store.py"))) | set(_CODES.values())
    assert {key.removeprefix("store.") for key in load("en") if key.startswith("store.")} == codes


def test_seats_become_names_and_dice_count_from_one() -> None:
    text = Text("en", ("Ada", "Bob"), TAG_CITY.folder)
    facts = {"player": 1, "die": 0, "value": 4, "owner": 0}
    assert text("rule.die_taken", facts) == "Bob, die 1 (a 4) belongs to Ada this round. Take another one."
    assert (
        Text("fr", (), TAG_CITY.folder)("rule.unknown_player", {"player": 6})
        == "Personne n'est assis là\u00a0: Place 7."
    )


def test_names_cannot_play_tricks_with_blanks() -> None:
    assert Text("en", ("{value.__class__}",), TAG_CITY.folder)("rule.drone_used_up", {"player": 0}).startswith(
        "{value.__class__},"
    )


def test_every_end_reason_is_told() -> None:
    for language in LANGUAGES:
        assert {"end.high_values", "end.bubbles", "end.drone"} <= set(load(language, TAG_CITY.folder))


def test_every_reason_of_the_table_has_its_sentence_and_every_sentence_its_reason() -> None:
    text = source(
        "pi_app/engine/contract.py",
        "pi_app/engine/explain.py",
        "pi_app/engine/propose.py",
        "pi_app/perception/sight.py",
        "pi_app/table/table.py",
        "pi_app/table/referee.py",
        "pi_app/run/preparation.py",
        "pi_app/run/session.py",
    )
    reasons = set(re.findall(r'"(sight\.[a-z_]+)"', text))
    assert len(reasons) > 15
    assert {key for key in load("en") if re.fullmatch(r"sight\.[a-z_]+", key)} == reasons
    assert {key for key in load("en") if key.startswith("table.")} == set(re.findall(r'"(table\.[a-z_]+)"', text)) | {
        "table.seat"
    }
    assert {f"sight.state.{state}" for state in Sees} <= set(load("en"))


def test_boards_are_called_by_who_sits_there() -> None:
    text = Text("en", ("Ada", "Bob"), TAG_CITY.folder)
    assert text("sight.hand", {"board": "city-2"}) == "Waiting: something covers Bob's board."
    wiped = text("sight.mark_wiped", {"board": "city-1", "regions": ["r3c2", "bubble.1"]})
    assert wiped.startswith("On Ada's board marks are gone that counted: B3, bubble 1.")
    assert text("sight.hand", {"board": "hq"}) == "Waiting: something covers the HQ."


@pytest.mark.parametrize(
    ("language", "region", "said"),
    [
        ("en", "r3c2", "B3"),
        ("en", "row.5.low", "the low value of row 5"),
        ("fr", "col.C.high", "la valeur haute\u00a0: la colonne C"),
        ("es", "district.red.high", "el valor alto: el distrito rojo"),
        ("en", "drone.2", "drone square 2"),
        ("fr", "bubble.4", "la bulle 4"),
    ],
)
def test_parts_of_a_board_are_told_in_words(language: str, region: str, said: str) -> None:
    facts = {"board": "city-1", "region": region, "expected": "circled", "seen": "empty"}
    sentence = Text(language, ("ECHO",), TAG_CITY.folder)("sight.mark_due", facts)
    assert said in sentence
    assert ("circled" in sentence) == (language == "en")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_line_breaks_before_a_french_sign(game: Game[Any]) -> None:
    assert [key for key, said in load("fr", game.folder).items() if re.search(r" [:;!?»]|« ", said)] == []
