"""Game files: a whole game as one JSON document that anybody can check."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pi_app.engine.contract import BadData, Game, IllegalMove, Problem, Setup
from pi_app.engine.events import Event, Record, Undone, from_json, to_json
from pi_app.engine.log import Play
from pi_app.engine.typed import Malformed
from pi_app.games import GAMES
from vision.files import TooLarge, read_bounded

FORMAT = 1
LARGEST_FILE = 50_000_000
KEYS = ("format", "game", "profile", "options", "players", "events", "result")


def game_file(play: Play[Any]) -> dict[str, Any]:
    """The contracted JSON form of a game; an unfinished one has its scores so far and no winners."""
    told = play if play.game.outcome(play.state) is not None else _as_all_may_know(play)
    return {
        "format": FORMAT,
        "game": play.game.name,
        "profile": dict(play.setup.profile),
        "options": dict(play.setup.options),
        "players": list(play.setup.players),
        "events": [{"seq": r.seq, "at": r.at, **to_json(r.event)} for r in told.records],
        "result": _result(told),
    }


def _as_all_may_know(play: Play[Any]) -> Play[Any]:
    """A running game without its secrets, as far as it can be checked without them."""
    game, setup = play.game, play.setup
    records = [replace(record, event=game.event_for(record.event, None)) for record in play.records]
    checked = 0
    # What was hidden may have led to what nobody could tell from what is left.
    with suppress(BadData):
        for count in _whole_moves(Play(game, setup, now=lambda: ""), records):
            checked = count
    return Play(game, setup, now=lambda: "", records=records[:checked])


def _result(play: Play[Any]) -> dict[str, list[int]]:
    outcome = play.game.outcome(play.state)
    if outcome is not None:
        return {"scores": list(outcome.scores), "winners": list(outcome.winners)}
    return {"scores": list(play.game.scores(play.state)), "winners": []}


def read_game_file(path: Path) -> Play[Any]:
    """Reads and checks a game file. Raises BadData with every problem found."""
    try:
        data = json.loads(read_bounded(path, LARGEST_FILE))
    except TooLarge as error:
        raise BadData([Problem(str(path), "file_too_large", {"most": LARGEST_FILE})]) from error
    except OSError as error:
        raise BadData([Problem(str(path), "file_unreadable", {"why": error.strerror})]) from error
    except (ValueError, RecursionError) as error:
        raise BadData([Problem(str(path), "file_not_json", {"why": str(error)[:120]})]) from error
    return check_game_file(data)


def check_game_file(data: Any) -> Play[Any]:
    """Plays a game file through. Raises BadData; an impossible event is named by its number."""
    problems = _header_problems(data)
    if problems:
        raise BadData(problems)
    game = GAMES[data["game"]]
    setup = Setup(data["profile"], data["options"], tuple(data["players"]))
    records = [_record(number, raw, game) for number, raw in enumerate(data["events"], 1)]
    play = _replayed(game, setup, records)
    if data["result"] != _result(play):
        raise BadData([Problem("result", "wrong_result", {"expected": json.dumps(_result(play))})])
    return play


def _header_problems(data: Any) -> list[Problem]:
    if not isinstance(data, dict):
        return [Problem("file", "not_a_table")]
    if data.get("format") != FORMAT or type(data["format"]) is not int:
        return [Problem("format", "unknown_format", {"expected": FORMAT})]
    problems = [Problem(key, "missing") for key in KEYS if key not in data]
    problems += [Problem(str(key)[:40], "unknown_key", {"allowed": list(KEYS)}) for key in data if key not in KEYS]
    if not isinstance(data.get("game"), str) or data["game"] not in GAMES:
        problems.append(Problem("game", "not_allowed", {"allowed": list(GAMES)}))
    problems += [
        Problem(key, "not_a_table") for key in ("profile", "options") if not isinstance(data.get(key, {}), dict)
    ]
    problems += [Problem(key, "not_a_list") for key in ("players", "events") if not isinstance(data.get(key, []), list)]
    return problems


def _record(number: int, raw: Any, game: Game[Any]) -> Record:
    where = f"event {number}"
    if not isinstance(raw, Mapping):
        raise BadData([Problem(where, "not_a_table")])
    if type(raw.get("seq")) is not int or raw["seq"] != number:
        raise BadData([Problem(where, "wrong_seq", {"expected": number})])
    if not _is_time(raw.get("at")):
        raise BadData([Problem(where, "not_a_time")])
    try:
        event = from_json({key: value for key, value in raw.items() if key not in ("seq", "at")}, game.events)
    except Malformed as error:
        raise BadData([Problem(where, "malformed_event", {"why": str(error)})]) from error
    return Record(number, raw["at"], event)


def _is_time(at: Any) -> bool:
    try:
        datetime.fromisoformat(at)
    except (TypeError, ValueError):
        return False
    return True


def _replayed(game: Game[Any], setup: Setup, records: list[Record]) -> Play[Any]:
    """The game that a file tells. Raises BadData."""
    for _ in _whole_moves(Play(game, setup, now=lambda: ""), records):
        pass
    return Play(game, setup, now=lambda: "", records=records)


def _whole_moves(play: Play[Any], records: Sequence[Record]) -> Iterator[int]:
    """Decides every move anew and compares the consequences; gives how many records there are after each move.

    Raises BadData where the records tell otherwise.
    """
    due: list[Event] = []
    for record in records:
        if due:
            if record.event != due[0]:
                raise BadData([_unlike(record.seq, due[0])])
            del due[0]
        else:
            due = _redone(play, record)
        if not due:
            yield record.seq
    if due:
        raise BadData([_unlike(len(records) + 1, due[0])])


def _redone(play: Play[Any], record: Record) -> list[Event]:
    """Does what the record says; the consequences that must follow it in the file."""
    where = f"event {record.seq}"
    try:
        if isinstance(record.event, Undone):
            return [r.event for r in play.undo(record.event.upto)[1:]]
        if not play.game.is_move(record.event):
            raise BadData([Problem(where, "not_earned", {"type": record.event.type})])
        return [r.event for r in play.do(record.event)[1:]]
    except IllegalMove as error:
        raise BadData([Problem(where, f"rule.{error.rule}", error.facts)]) from error


def _unlike(seq: int, expected: Event) -> Problem:
    return Problem(f"event {seq}", "should_be", {"expected": json.dumps(to_json(expected))})
