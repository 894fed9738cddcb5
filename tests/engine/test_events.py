"""Events and their JSON form."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from pi_app.engine.events import Event, Undone, from_json, to_json
from pi_app.engine.typed import Malformed


@dataclass(frozen=True, slots=True)
class Moved(Event):
    type: ClassVar[str] = "moved"
    piece: str
    path: tuple[tuple[int, int], ...]
    prize: int | None


KINDS: dict[str, type[Event]] = {"moved": Moved, "undone": Undone}
MOVED = Moved("knight", ((0, 1), (2, 3)), None)
JSON: dict[str, Any] = {"type": "moved", "piece": "knight", "path": [[0, 1], [2, 3]], "prize": None}


def test_an_event_becomes_plain_json() -> None:
    assert to_json(MOVED) == JSON


def test_json_becomes_the_same_event() -> None:
    assert from_json(JSON, KINDS) == MOVED
    assert from_json({**JSON, "prize": 7}, KINDS) == Moved("knight", ((0, 1), (2, 3)), 7)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"type": "jumped"}, "jumped"),
        ({"type": ["moved"]}, "type"),
        ({"piece": 3}, "piece"),
        ({"piece": "x" * 1000}, "piece"),
        ({"path": "a1"}, "path"),
        ({"path": [[0, 1, 2]]}, "path"),
        ({"path": [[0, True]]}, "path"),
        ({"path": [[0, 1.0]]}, "path"),
        ({"path": [[0, 10**9]]}, "path"),
        ({"path": [[0, 1]] * 5000}, "path"),
        ({"prize": "7"}, "prize"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_not_an_event_is_told_by_its_key(change: dict[str, Any], told: str) -> None:
    with pytest.raises(Malformed, match=told):
        from_json({**JSON, **change}, KINDS)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(Malformed, match="prize"):
        from_json({key: value for key, value in JSON.items() if key != "prize"}, KINDS)
