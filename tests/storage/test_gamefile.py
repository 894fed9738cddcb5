"""Game files: the contracted form, and a checker that names what is wrong."""

import contextlib
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import BadData
from pi_app.storage.gamefile import check_game_file, game_file, read_game_file
from tests.playing import TAG_CITY, seeded_play
from web.text import Text

PLAY = seeded_play(21)
FILE: dict[str, Any] = json.loads(json.dumps(game_file(PLAY)))


def first(kind: str) -> int:
    """The index of the first event of a type."""
    return next(i for i, event in enumerate(FILE["events"]) if event["type"] == kind)


def test_the_file_has_the_contracted_form() -> None:
    assert list(FILE) == ["format", "game", "profile", "options", "players", "events", "result"]
    assert (FILE["format"], FILE["game"]) == (1, "tag_city")
    assert FILE["events"][0] == {"seq": 1, "at": "2001-01-01T00:00:00Z", "type": "game_started", "leader": 0} | {
        "leader": FILE["events"][0]["leader"]
    }
    assert set(FILE["profile"]) == {"name", "source", "city", "hq", "shapes"}
    assert FILE["result"]["scores"] == FILE["events"][-1]["scores"]
    painted = FILE["events"][first("shape_painted")]
    assert set(painted) == {"seq", "at", "type", "player", "die", "shape", "cells", "drone"}
    assert all(len(cell) == 2 for cell in painted["cells"])


def test_a_right_file_is_right_and_gives_the_same_game() -> None:
    assert check_game_file(copy.deepcopy(FILE)).state == PLAY.state


def test_an_unfinished_game_has_scores_but_no_winners() -> None:
    play = seeded_play(21, moves=30)
    data = json.loads(json.dumps(game_file(play)))
    assert data["result"] == {"scores": [board.score for board in play.state.boards], "winners": []}
    assert check_game_file(data).state == play.state


def test_keys_in_another_order_are_the_same_file() -> None:
    assert check_game_file(json.loads(json.dumps(FILE, sort_keys=True))).records == PLAY.records


def drop(index: int) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        del data["events"][index]
        for seq, event in enumerate(data["events"], 1):
            event["seq"] = seq

    return change


def put(*path_and_value: Any) -> Callable[[dict[str, Any]], None]:
    *path, last, value = path_and_value

    def change(data: Any) -> None:
        for key in path:
            data = data[key]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        (put("format", 2), "format", "unknown_format"),
        (put("game", "chess"), "game", "not_allowed"),
        (put("surprise", 1), "surprise", "unknown_key"),
        (put("players", ["only one"]), "players", "players_count"),
        (put("players", 0, "bad\x07name"), "players 1", "player_name"),
        (put("options", "equal_dice", "yes"), "options.equal_dice", "not_allowed"),
        (put("options", "speed", 3), "options.speed", "unknown_key"),
        (put("profile", "city", "drone", 0, 3), "city.drone 1", "cost_not_negative"),
        (put("events", 5, "seq", 9), "event 6", "wrong_seq"),
        (put("events", 5, "at", "yesterday"), "event 6", "not_a_time"),
        (put("events", 5, "type", "jumped"), "event 6", "malformed_event"),
        (put("events", 5, "extra", 1), "event 6", "malformed_event"),
        (put("events", 5, None), "event 6", "not_a_table"),
        (put("events", 1, "values", [1, 2, 3, 4, 5, 6]), "event 2", "rule.dice_count"),
        (drop(first("feature_completed")), f"event {first('feature_completed') + 1}", "should_be"),
        (
            put("events", first("feature_completed"), "value", 99),
            f"event {first('feature_completed') + 1}",
            "should_be",
        ),
        (drop(len(FILE["events"]) - 1), f"event {len(FILE['events'])}", "should_be"),
        (put("result", "winners", [0, 1]), "result", "wrong_result"),
        (put("result", None), "result", "wrong_result"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change: Callable[[Any], None], where: str, code: str) -> None:
    data = copy.deepcopy(FILE)
    change(data)
    with pytest.raises(BadData) as wrong:
        check_game_file(data)
    assert (where, code) in [(problem.where, problem.code) for problem in wrong.value.problems]


def test_a_consequence_that_nothing_led_to_is_named() -> None:
    data = copy.deepcopy(FILE)
    data["events"][2] = {"seq": 3, "at": "2001-01-01T00:00:00Z", "type": "round_ended", "round": 1, "next_leader": 0}
    with pytest.raises(BadData) as wrong:
        check_game_file(data)
    assert [(p.where, p.code) for p in wrong.value.problems] == [("event 3", "not_earned")]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON document."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(deeper for key, value in inside for deeper in places(value, (*path, key)))]


PLACES = places(FILE)[1:]
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["R", "hook", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(PLACES), any_json | st.just("DELETE")), min_size=1, max_size=3))
def test_mutated_files_never_crash_the_checker(mutations: list[tuple[tuple[Any, ...], Any]]) -> None:
    data: Any = copy.deepcopy(FILE)
    for path, value in mutations:
        target = data
        try:
            for key in path[:-1]:
                target = target[key]
            if value == "DELETE":
                del target[path[-1]]
            else:
                target[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier mutation took this place away
    try:
        play = check_game_file(data)
    except BadData as wrong:
        for problem in wrong.problems:
            key = problem.code if problem.code.startswith("rule.") else f"problem.{problem.code}"
            for language in ("en", "fr", "es"):
                assert Text(language, (), TAG_CITY.folder)(key, problem.facts)
    else:
        # Some changes are harmless: a name, a time, a value that nobody reached. The game must be as told.
        assert game_file(play) == data


@settings(max_examples=100)
@given(st.binary(max_size=40), st.integers(0, 2000), st.integers(0, 400))
def test_damaged_bytes_never_crash_the_reader(tmp_path_factory: Any, junk: bytes, at: int, cut: int) -> None:
    raw = json.dumps(FILE).encode()
    path: Path = tmp_path_factory.mktemp("damaged") / "game.json"
    path.write_bytes(raw[:at] + junk + raw[at + cut :])
    with contextlib.suppress(BadData):
        read_game_file(path)


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "file_not_json"), (b"[" * 100_000, "file_not_json"), (b"\xff\xfe", "file_not_json"), (b"[]", "not_a_table")],
)
def test_files_that_are_no_game_files_are_refused_in_words(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(BadData) as wrong:
        read_game_file(path)
    assert [problem.code for problem in wrong.value.problems] == [code]


def test_a_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadData) as wrong:
        read_game_file(tmp_path / "nowhere.json")
    assert [problem.code for problem in wrong.value.problems] == ["file_unreadable"]
