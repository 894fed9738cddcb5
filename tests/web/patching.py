"""JSON Patch as a program would apply it, for tests that follow the stream."""

import json
from collections.abc import Iterable, Iterator
from typing import Any


def patched(document: Any, patch: Iterable[dict[str, Any]]) -> Any:
    """The document after these operations; the one given stays as it is."""
    document = json.loads(json.dumps(document))
    for operation in patch:
        *outer, last = [part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]]
        place = document
        for part in outer:
            place = place[int(part)] if isinstance(place, list) else place[part]
        if isinstance(place, list):
            if operation["op"] == "add":
                assert last == "-"
                place.append(operation["value"])
            elif operation["op"] == "remove":
                del place[int(last)]
            else:
                place[int(last)] = operation["value"]
        elif operation["op"] == "remove":
            del place[last]
        else:
            assert (last in place) == (operation["op"] == "replace")
            place[last] = operation["value"]
    return document


def states(lines: Iterable[bytes]) -> Iterator[Any]:
    """Every state that the lines of a stream tell of: the whole one, then each as it was changed."""
    state: Any = None
    event = b""
    for line in lines:
        if line.startswith(b"event: "):
            event = line[7:].strip()
        elif line.startswith(b"data: ") and event == b"state":
            yield (state := json.loads(line[6:]))
        elif line.startswith(b"data: ") and event == b"changes":
            told = json.loads(line[6:])
            assert state["version"] == told["base"]
            yield (state := patched(state, told["patch"]))
