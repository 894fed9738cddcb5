"""The newest picture of the table for all screens: published by one thread, awaited by many."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Condition, Lock
from typing import Any

from web.patch import changes


@dataclass(frozen=True, eq=False)
class Snapshot:
    version: int
    parts: Mapping[str, str]
    """Each as JSON."""
    body: str
    """All of it as JSON, the same for everybody who looks: nothing at this table is secret."""


class Hub:
    """Holds named parts of what is shown. Whatever changes one of them makes a new version."""

    def __init__(self, first_version: int = 1) -> None:
        """Versions go on from `first_version`; after a restart it must be higher than before."""
        self._changed, self._comparing = Condition(), Lock()
        self._parts: dict[str, Any] = {}
        self._snapshot = Snapshot(first_version, {}, _whole(first_version, {}))
        self._compared = lru_cache(maxsize=4)(_patch)

    def publish(self, part: str, value: Mapping[str, Any] | list[Any]) -> None:
        """Shows `value` from now on. Any thread may; nothing happens if it was shown already."""
        encoded = json.dumps(value, separators=(",", ":"))
        with self._changed:
            if self._snapshot.parts.get(part) == encoded:
                return
            self._parts[part] = value
            version, parts = self._snapshot.version + 1, {**self._snapshot.parts, part: encoded}
            self._snapshot = Snapshot(version, parts, _whole(version, parts))
            self._changed.notify_all()

    def patch(self, old: Snapshot, new: Snapshot) -> str | None:
        """What leads from one to the other, as JSON; None if the whole is shorter.

        Whoever asks first works it out, never the thread that publishes; the others find it.
        """
        with self._comparing:
            return self._compared(old, new)

    def part(self, name: str) -> Any:
        """What was published under this name, or None. Must not be changed."""
        return self._parts.get(name)

    def players(self) -> list[str]:
        """Who plays the game on the table, seat by seat."""
        game = (self.part("table") or {}).get("game") or {}
        return [board["player"] for board in game.get("boards", ())]

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait(self, seen: int, timeout_s: float) -> Snapshot | None:
        """The newest snapshot as soon as it is not the one `seen`; None if nothing came in time."""
        with self._changed:
            changed = self._changed.wait_for(lambda: self._snapshot.version != seen, timeout_s)
            return self._snapshot if changed else None


def _whole(version: int, parts: Mapping[str, str]) -> str:
    fields = [f'"version":{version}', *(f"{json.dumps(name)}:{encoded}" for name, encoded in parts.items())]
    return "{" + ",".join(fields) + "}"


def _patch(old: Snapshot, new: Snapshot) -> str | None:
    changed = [part for part, encoded in new.parts.items() if old.parts.get(part) != encoded]
    before = {part: json.loads(old.parts[part]) for part in changed if part in old.parts}
    operations = list(changes(before, {part: json.loads(new.parts[part]) for part in changed}))
    operations.append({"op": "replace", "path": "/version", "value": new.version})
    told = {"base": old.version, "version": new.version, "patch": operations}
    encoded = json.dumps(told, separators=(",", ":"))
    return encoded if len(encoded) < len(new.body) else None
