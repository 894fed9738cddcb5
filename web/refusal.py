"""A no that people can understand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """Why something cannot be done: the key of a sentence, and its facts."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


_PATH = re.compile(r"(?<![\w:/.])(?:~|\.{1,2})?/(?:[^/'\":,;()]*/)*(?=[^/\s])")
"""Folders before a name, from the root or any other place where paths begin; not those of a web address."""


def without_paths(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same for people in the room: a file is told by its name, never where it lies on this machine."""
    return {name: _without_folders(value) for name, value in facts.items()}


def _without_folders(value: Any) -> Any:
    if isinstance(value, str):
        return _PATH.sub("", value)
    if isinstance(value, list | tuple):
        return [_without_folders(item) for item in value]
    return value
