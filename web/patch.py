"""What changed between two states, as JSON Patch (RFC 6902)."""

import json
from collections.abc import Iterator
from typing import Any

Operation = dict[str, Any]


def changes(old: Any, new: Any, path: str = "") -> Iterator[Operation]:
    """What makes `new` of `old`, both as JSON has them."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _of_object(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_list(old, new, path)
    elif old != new or type(old) is not type(new):  # True is 1 to Python, but not to JSON
        yield {"op": "replace", "path": path, "value": new}


def _of_object(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Operation]:
    for key in old.keys() - new.keys():
        yield {"op": "remove", "path": f"{path}/{_escaped(key)}"}
    for key, value in new.items():
        inner = f"{path}/{_escaped(key)}"
        if key in old:
            yield from changes(old[key], value, inner)
        else:
            yield {"op": "add", "path": inner, "value": value}


def _of_list(old: list[Any], new: list[Any], path: str) -> Iterator[Operation]:
    """A feed loses what is first and gains what is last; else lists of one length are compared place by place."""
    was, now = [json.dumps(value) for value in old], [json.dumps(value) for value in new]
    lost = next(lost for lost in range(len(was) + 1) if was[lost:] == now[: len(was) - lost])
    if lost < len(old):
        yield from ({"op": "remove", "path": f"{path}/0"} for _ in range(lost))
        yield from ({"op": "add", "path": f"{path}/-", "value": value} for value in new[len(old) - lost :])
    elif len(old) == len(new):
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            if was[place] != now[place]:
                yield from changes(before, after, f"{path}/{place}")
    else:
        yield {"op": "replace", "path": path, "value": new}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
