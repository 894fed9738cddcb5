"""Sentences in the reader's language: those of the game that is played, then our own, from strings/*.toml.

`static/js/text.js` says the same on pages. Which facts are said how is data: README.md tells.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr", "es")
BLANK = re.compile(r"\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
"""A blank to fill in, such as {name}; or a word that depends on a number, such as {count|square|squares}."""
_PART = re.compile(r"\{([a-z]*)(\d)\}")
"""A part of an id in its name: {1} as it is, {letter2} as a letter, {seat1} as who sits there, {region1} by a table."""
STRINGS = Path(__file__).parent / "strings"


class Text:
    """One language. `players` are the names to say for seat numbers, `game` is the folder of the game played."""

    def __init__(self, language: str, players: Sequence[str] = (), game: Path | None = None) -> None:
        self._strings, self._players = load(language, game), players

    def __call__(self, key: str, facts: Mapping[str, Any] | None = None) -> str:
        """The sentence of `key` with its facts filled in. Raises KeyError for an unknown key."""
        known = facts or {}
        return BLANK.sub(lambda blank: self._filled(blank, known[blank[1]]), self._strings[key])

    def __contains__(self, key: str) -> bool:
        return key in self._strings

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this language writes it."""
        said = f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")
        return said.replace(".", self._strings["number.decimal"])

    def name(self, table: str, thing: Any) -> str:
        """What a thing is called: a seat by who sits there, anything else by the table of names, or by itself."""
        if table == "seat":
            return self._seat(thing)
        if table == "ordinal":
            return str(thing + 1)
        words = self._strings.get(f"{table}.{thing}")
        if words is not None:
            return words
        for key in self._strings:
            if key.startswith(f"{table}.") and (found := _pattern(key[len(table) + 1 :]).fullmatch(str(thing))):
                return _PART.sub(lambda part: self._part(part[1], found[int(part[2])]), self._strings[key])
        return str(thing)

    def _part(self, table: str, text: str) -> str:
        match table:
            case "":
                return text
            case "letter":
                return chr(ord("A") + int(text) - 1)
            case "seat":
                return self._seat(int(text) - 1)
            case _:
                return self.name(table, text)

    def _filled(self, blank: re.Match[str], value: Any) -> str:
        _, one, many = blank.groups()
        if one is None:
            return self._said(blank[1], value)
        return one if value == 1 or (value == 0 and self._strings["plural.zero"] == "one") else many

    def _said(self, name: str, value: Any) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(self._said(name.removesuffix("s"), item) for item in value)
        if (table := self._strings.get(f"fact.{name}")) is not None:
            return self.name(table, value)
        if isinstance(value, float):
            return self.number(value, 1)
        return str(value)

    def _seat(self, seat: Any) -> str:
        if isinstance(seat, int) and 0 <= seat < len(self._players):
            return self._players[seat]
        return self._strings["table.seat"].format(seat=seat + 1 if isinstance(seat, int) else seat)


@cache
def load(language: str, game: Path | None = None) -> Mapping[str, str]:
    """Every sentence of a language by its dotted key; a game's own come before ours."""
    own = {} if game is None else read(game / "screens", language)
    return {**own, **{key: said for key, said in read(STRINGS, language).items() if key not in own}}


@cache
def read(folder: Path, language: str) -> Mapping[str, str]:
    """The sentences that lie in a folder; none where it has no such file."""
    sentences: dict[str, str] = {}
    for name in ("facts", language):
        file = folder / f"{name}.toml"
        if file.is_file():
            sentences |= _flat("", tomllib.loads(file.read_text(encoding="utf-8")))
    return {key: bound(said) for key, said in sentences.items()} if language == "fr" else sentences


@cache
def _pattern(written: str) -> re.Pattern[str]:
    """# stands for a number, * for anything."""
    return re.compile(re.escape(written).replace(r"\#", r"(\d{1,3})").replace(r"\*", "(.+)"), re.ASCII)


def bound(sentence: str) -> str:
    """French puts spaces before signs; no line may break there."""
    return re.sub(r"(?<=«) | (?=[:;!?»])", "\N{NO-BREAK SPACE}", sentence)


def _flat(prefix: str, table: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        found |= {prefix + key: value} if isinstance(value, str) else _flat(f"{prefix}{key}.", value)
    return found
