"""Steps of an evening as lines of JSON, and back. What is read may come from a stranger and is checked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pi_app.engine.contract import Message
from pi_app.engine.events import Event, Record, from_json, to_json
from pi_app.engine.typed import Malformed
from pi_app.perception.sight import DieAt, Glance, Look
from pi_app.table.inputs import CameraLost, Command, Glanced, Input, Looked, Pressed, Step

LONGEST_TEXT = 1_000
MOST_TIMES = 36_000
"""An hour of pictures in which nothing happens."""


class BadLine(ValueError):
    """A line that tells no step; says why."""


@dataclass(frozen=True)
class Line:
    """A step, the number of the picture that it came from, and whether the reader started afresh with it."""

    step: Step
    picture: int | None = None
    afresh: bool = False
    times: int = 1
    """How often the same input came in a row, with the same outcome."""

    def joins(self, other: "Line") -> bool:
        """Whether this one only says again what the other said: another glance at a table where nothing happens."""
        step = self.step
        return isinstance(step.input, Glanced) and not step.records and step.failure is None and step == other.step


def written(line: Line) -> str:
    """One line of JSON, without its end. What is as usual is left out: most pictures show nothing new."""
    step = line.step
    data = {
        "input": _input(step.input),
        "picture": line.picture,
        "afresh": line.afresh,
        "times": None if line.times == 1 else line.times,
        "records": records_json(step.records),
        "failure": step.failure and [step.failure.id.removeprefix("store."), dict(step.failure.facts)],
        "wrong": list(step.wrong),
        "asked": step.asked,
    }
    told = {key: value for key, value in data.items() if value not in (None, False, [])}
    return json.dumps(told, default=str, separators=(",", ":"))


def read_line(text: str, kinds: Mapping[str, type[Event]]) -> Line:
    """The line that `written` has made; `kinds` are the events of the game. Raises BadLine."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLine("is no JSON") from error
    data = _object(data, "a line")
    picture, failure, times = data.get("picture"), data.get("failure"), data.get("times", 1)
    if picture is not None and (type(picture) is not int or picture < 0):
        raise BadLine("'picture' must be a number")
    if type(times) is not int or not 1 <= times <= MOST_TIMES:
        raise BadLine(f"'times' must be a number from 1 to {MOST_TIMES}")
    if failure is not None:
        code, facts = _list(failure, "failure", 2)
        failure = Message(f"store.{_text(code, 'failure')}", _object(facts, "failure"))
    step = Step(
        _read_input(_object(data.get("input"), "input")),
        tuple(read_records(data.get("records", []), kinds)),
        failure,
        _texts(data.get("wrong", []), "wrong"),
        None if data.get("asked") is None else _text(data["asked"], "asked"),
    )
    return Line(step, picture, _flag(data, "afresh"), times)


def records_json(records: tuple[Record, ...] | list[Record]) -> list[dict[str, Any]]:
    return [{"seq": record.seq, "at": record.at, **to_json(record.event)} for record in records]


def read_records(data: Any, kinds: Mapping[str, type[Event]]) -> list[Record]:
    """Raises BadLine."""
    return [_record(_object(each, "a record"), kinds) for each in _list(data, "records")]


def _record(data: Mapping[str, Any], kinds: Mapping[str, type[Event]]) -> Record:
    if type(data.get("seq")) is not int:
        raise BadLine("'seq' must be a number")
    try:
        event = from_json({key: value for key, value in data.items() if key not in ("seq", "at")}, kinds)
    except Malformed as error:
        raise BadLine(str(error)) from error
    return Record(data["seq"], _text(data.get("at"), "at"), event)


# --- inputs -----------------------------------------------------------------------------------


def _input(item: Input) -> dict[str, Any]:
    if isinstance(item, Glanced):
        seen = item.glance
        told = {"moving": sorted(seen.moving), "covered": sorted(seen.covered), "light_changed": seen.light_changed}
        return {"type": "glanced", **{key: value for key, value in told.items() if value}}
    if isinstance(item, Looked):
        told = {"type": "looked", "boards": item.look.boards, "hidden": sorted(item.look.hidden)}
        return {**told, "dice": item.look.dice} if item.look.dice else told
    if isinstance(item, CameraLost):
        return {"type": "camera_lost", "reason": item.why.id, "facts": dict(item.why.facts)}
    if isinstance(item, Pressed):
        return {"type": "pressed", "button": item.button, "long": item.long}
    return {"type": "command", "name": item.name, "args": dict(item.args)}


def _read_input(data: Mapping[str, Any]) -> Input:
    kind = data.get("type")
    if kind == "glanced":
        moving, covered = (_texts(data.get(key, []), key) for key in ("moving", "covered"))
        return Glanced(Glance(frozenset(moving), frozenset(covered), _flag(data, "light_changed")))
    if kind == "looked":
        boards = {board: _looks(looks) for board, looks in _object(data.get("boards"), "boards").items()}
        dice = {board: _dice(places) for board, places in _object(data.get("dice", {}), "dice").items()}
        return Looked(Look(boards, frozenset(_texts(data.get("hidden"), "hidden")), dice))
    if kind == "camera_lost":
        return CameraLost(Message(_text(data.get("reason"), "reason"), _object(data.get("facts"), "facts")))
    if kind == "pressed":
        return Pressed(_text(data.get("button"), "button"), _flag(data, "long"))
    if kind == "command":
        return Command(_text(data.get("name"), "name"), _object(data.get("args"), "args"))
    raise BadLine("is of no known kind")


def _looks(data: Any) -> dict[str, dict[str, float]]:
    return {
        region: {kind: _number(value, kind) for kind, value in _object(look, region).items()}
        for region, look in _object(data, "a board").items()
    }


def _dice(data: Any) -> dict[str, list[DieAt]]:
    return {
        region: [_die(_list(die, region, 3)) for die in _list(dice, region)]
        for region, dice in _object(data, "dice").items()
    }


def _die(data: list[Any]) -> DieAt:
    value, x, y = data
    if type(value) is not int:
        raise BadLine("a die must show a number")
    return value, _number(x, "a die"), _number(y, "a die")


# --- checking ---------------------------------------------------------------------------------


def _object(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadLine(f"'{what}' must be an object")
    return data


def _list(data: Any, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(data, list) or length not in (None, len(data)):
        raise BadLine(f"'{what}' must be a list" + ("" if length is None else f" of {length}"))
    return data


def _text(data: Any, what: str) -> str:
    if not isinstance(data, str) or len(data) > LONGEST_TEXT:
        raise BadLine(f"'{what}' must be a text")
    return data


def _texts(data: Any, what: str) -> tuple[str, ...]:
    return tuple(_text(each, what) for each in _list(data, what))


def _flag(data: Mapping[str, Any], key: str) -> bool:
    """False where it is left out."""
    if not isinstance(value := data.get(key, False), bool):
        raise BadLine(f"'{key}' must be true or false")
    return value


def _number(data: Any, what: str) -> float:
    if type(data) not in (int, float):
        raise BadLine(f"'{what}' must be a number")
    return float(data)
