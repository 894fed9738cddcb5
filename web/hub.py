"""The newest state of the table for all screens: published by one thread, awaited by many.

There is one snapshot per audience, all with the same version: the public one, and one for each seat that may know more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Condition, Lock
from typing import Any

from web.patch import changes

Viewer = int | None
"""A seat, or everybody."""
MOST_PATCHES = 32


@dataclass(frozen=True, eq=False)
class Snapshot:
    version: int
    parts: Mapping[str, str]
    """Each as JSON."""
    body: str
    """All of it as JSON."""


class Hub:
    """Holds named parts of what is shown. Whatever changes one of them makes a new version."""

    def __init__(self, first_version: int = 1) -> None:
        """Versions go on from `first_version`; after a restart it must be higher than before."""
        self._changed, self._comparing = Condition(), Lock()
        self._values: dict[str, Mapping[Viewer, Any]] = {}
        self._encoded: dict[str, Mapping[Viewer, str]] = {}
        self._version = first_version
        self._snapshots: dict[Viewer, Snapshot] = {}
        """Those of this version that somebody has asked for."""
        self._compared = lru_cache(maxsize=MOST_PATCHES)(_patch)

    def publish(self, part: str, value: Any, seats: Mapping[int, Any] | None = None) -> None:
        """Shows `value` from now on, and to these seats what they alone may know instead.

        Any thread may; nothing happens if it was shown already.
        """
        values: dict[Viewer, Any] = {None: value} | dict((seats or {}).items())
        encoded = {viewer: json.dumps(told, separators=(",", ":")) for viewer, told in values.items()}
        with self._changed:
            if self._encoded.get(part) == encoded:
                return
            self._values[part], self._encoded[part] = values, encoded
            self._version += 1
            self._snapshots = {}
            self._changed.notify_all()

    def patch(self, old: Snapshot, new: Snapshot) -> str | None:
        """What leads from one to the other, as JSON; None if the whole is shorter.

        Whoever asks first works it out, never the thread that publishes; the others find it.
        """
        with self._comparing:
            return self._compared(old, new)

    def part(self, name: str, viewer: Viewer = None) -> Any:
        """What was published under this name for a viewer, or None. Must not be changed."""
        return _for(self._values.get(name, {None: None}), viewer)

    def players(self) -> list[str]:
        """Who plays the game on the table, seat by seat."""
        return list((self.part("table") or {}).get("players", ()))

    @property
    def version(self) -> int:
        return self._version

    def snapshot(self, viewer: Viewer = None) -> Snapshot:
        """The newest, as this viewer may know it."""
        with self._changed:
            if all(viewer not in told for told in self._encoded.values()):
                viewer = None
            if viewer not in self._snapshots:
                parts = {part: _for(told, viewer) for part, told in self._encoded.items()}
                self._snapshots[viewer] = Snapshot(self._version, parts, _whole(self._version, parts))
            return self._snapshots[viewer]

    def wait(self, seen: int, timeout_s: float) -> bool:
        """Returns as soon as there is another version than the one `seen`; False if none came in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._version != seen, timeout_s)


def _for(told: Mapping[Viewer, Any], viewer: Viewer) -> Any:
    return told[viewer] if viewer in told else told[None]


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
