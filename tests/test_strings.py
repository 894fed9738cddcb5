"""Three languages, the same sentences: none missing, none left over, every blank filled alike."""

import re
from pathlib import Path

import pytest

from pi_app.perception.sight import Sees
from pi_app.storage.store import _CODES
from tests.games.tag_city.test_profile import SLIPS, WARNINGS
from web.text import BLANK, LANGUAGES, Text, load

ROOT = Path(__file__).parent.parent


def blanks(sentence: str) -> set[str]:
    return {blank[1] for blank in BLANK.finditer(sentence)}


def source(*paths: str) -> str:
    return "\n".join((ROOT / path).read_text(encoding="utf-8") for path in paths)


def rule_ids() -> set[str]:
    text = source("pi_app/games/tag_city/rules/judging.py", "pi_app/engine/log.py")
    chosen = re.findall(r'rule = "([a-z_]+)" if .*? else "([a-z_]+)"', text)
    return set(re.findall(r'IllegalMove\(\s*"([a-z_]+)"', text)).union(*chosen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_blanks(language: str) -> None:
    english, other = load("en"), load(language)
    assert set(other) == set(english)
    assert {key for key in english if blanks(other[key]) != blanks(english[key])} == set()
    assert all(sentence.strip() == sentence and sentence for sentence in other.values())


def test_every_rule_has_its_sentence_and_every_sentence_its_rule() -> None:
    assert len(rule_ids()) > 35
    assert {key.removeprefix("rule.") for key in load("en") if key.startswith("rule.")} == rule_ids()


def test_every_problem_has_its_sentence() -> None:
    text = source(
        "pi_app/engine/setup.py",
        "pi_app/games/profile_files.py",
        "pi_app/games/tag_city/edition/profile.py",
        "pi_app/games/tag_city/rules/deciding.py",
        "pi_app/storage/gamefile.py",
    )
    codes = set(re.findall(r'Problem\((?:f?"[^"]*"|[a-z_()]+(?:\[:40\])?), "([a-z_]+)"', text))
    codes |= {code for _, _, code in (*SLIPS, *WARNINGS)} | {"blank"}
    known = {key.removeprefix("problem.") for key in load("en") if key.startswith("problem.")}
    assert codes == known


def test_every_failure_of_the_store_has_its_sentence() -> None:
    codes = set(re.findall(r'StoreError\("([a-z_]+)"', source("pi_app/storage/store.py"))) | set(_CODES.values())
    assert {key.removeprefix("store.") for key in load("en") if key.startswith("store.")} == codes


def test_seats_become_names_and_dice_count_from_one() -> None:
    text = Text("en", ("Ada", "Bob"))
    facts = {"player": 1, "die": 0, "value": 4, "owner": 0}
    assert text("rule.die_taken", facts) == "Bob, die 1 (a 4) belongs to Ada this round. Take another one."
    assert Text("fr")("rule.unknown_player", {"player": 6}) == "Personne n'est assis là\u00a0: Place 7."


def test_names_cannot_play_tricks_with_blanks() -> None:
    assert Text("en", ("{value.__class__}",))("rule.drone_used_up", {"player": 0}).startswith("{value.__class__},")


def test_every_end_reason_is_told() -> None:
    for language in LANGUAGES:
        assert {"end.high_values", "end.bubbles", "end.drone"} <= set(load(language))


def test_every_reason_of_the_table_has_its_sentence_and_every_sentence_its_reason() -> None:
    text = source(
        "pi_app/engine/propose.py",
        "pi_app/perception/sight.py",
        "pi_app/table/table.py",
        "pi_app/table/referee.py",
        "pi_app/run/session.py",
    )
    reasons = set(re.findall(r'"(sight\.[a-z_]+)"', text))
    assert len(reasons) > 15
    assert {key for key in load("en") if re.fullmatch(r"sight\.[a-z_]+", key)} == reasons
    names = {"table.seat", "table.board", "table.hq"}
    assert {key for key in load("en") if key.startswith("table.")} == set(
        re.findall(r'"(table\.[a-z_]+)"', text)
    ) | names
    assert {f"sight.state.{state}" for state in Sees} <= set(load("en"))


def test_everything_a_game_says_about_the_table_has_its_sentence_and_every_sentence_is_said() -> None:
    said = set(re.findall(r'Message\("([a-z_]+)"', source("pi_app/games/tag_city/rules/attempt.py")))
    told = {key.partition(".")[2] for key in load("en") if key.startswith(("doing.", "mismatch."))}
    assert told == said


def test_boards_are_called_by_who_sits_there() -> None:
    text = Text("en", ("Ada", "Bob"))
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
    sentence = Text(language, ("ECHO",))("sight.mark_due", facts)
    assert said in sentence
    assert ("circled" in sentence) == (language == "en")


def test_no_line_breaks_before_a_french_sign() -> None:
    assert [key for key, said in load("fr").items() if re.search(r" [:;!?»]|« ", said)] == []
