"""The newest picture of the table for all screens: published by one thread, awaited by many."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Any

from web.patch import changes

KEPT_PATCHES = 16
"""Whoever is more versions behind is sent the whole state."""


@dataclass(frozen=True)
class Snapshot:
    version: int
    body: str
    """JSON, the same for everybody who looks: nothing at this table is secret."""
    patches: Sequence[str] = ()
    """What the latest versions changed, oldest first: operations of JSON Patch, with commas between them."""

    def since(self, version: int) -> str | None:
        """What leads here from an earlier version, as JSON; None if the whole is shorter, or that is too long ago."""
        behind = self.version - version
        if not 0 < behind <= len(self.patches):
            return None
        operations = [patch for patch in self.patches[-behind:] if patch]
        operations.append(f'{{"op":"replace","path":"/version","value":{self.version}}}')
        told = f'{{"base":{version},"version":{self.version},"patch":[{",".join(operations)}]}}'
        return told if len(told) < len(self.body) else None


class Hub:
    """Holds named parts of what is shown. Whatever changes one of them makes a new version."""

    def __init__(self, first_version: int = 1) -> None:
        """Versions go on from `first_version`; after a restart it must be higher than before."""
        self._changed = Condition()
        self._parts: dict[str, Any] = {}
        self._encoded: dict[str, str] = {}
        self._snapshot = Snapshot(first_version, _whole(first_version, {}))

    def publish(self, part: str, value: Mapping[str, Any] | list[Any]) -> None:
        """Shows `value` from now on. Any thread may; nothing happens if it was shown already."""
        encoded = json.dumps(value, separators=(",", ":"))
        with self._changed:
            before = self._encoded.get(part)
            if before == encoded:
                return
            patch = _patch(part, before, encoded)
            self._parts[part], self._encoded[part] = value, encoded
            version = self._snapshot.version + 1
            patches = (*self._snapshot.patches, patch)[-KEPT_PATCHES:]
            self._snapshot = Snapshot(version, _whole(version, self._encoded), patches)
            self._changed.notify_all()

    def part(self, name: str) -> Any:
        """What was published under this name, or None. Must not be changed."""
        return self._parts.get(name)

    def players(self) -> list[str]:
        """How seats are called now: by who sits there, else as the game was started with."""
        game = (self.part("table") or {}).get("game") or {}
        names = [board["player"] for board in game.get("boards", ())]
        for seat in (self.part("people") or {}).get("seats", ()):
            names[seat["seat"] : seat["seat"] + 1] = [seat["name"]] if seat["seat"] < len(names) else []
        return names

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


def _patch(part: str, before: str | None, after: str) -> str:
    """What a part's new JSON changes about the old one. Read back: what was published may have changed since."""
    old = {} if before is None else {part: json.loads(before)}
    operations = changes(old, {part: json.loads(after)})
    return ",".join(json.dumps(operation, separators=(",", ":")) for operation in operations)
