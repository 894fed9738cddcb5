"""Sentences in the reader's language, from strings/*.toml."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr", "es")
_SQUARE = re.compile(r"^r(\d{1,2})c(\d{1,2})$", re.ASCII)
_CITY = re.compile(r"\d{1,2}", re.ASCII)
BLANK = re.compile(r"\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
"""A blank to fill in, such as {name}; or a word that depends on a number, such as {count|square|squares}."""
_STRINGS = Path(__file__).parent / "strings"


class Text:
    """One language. `players` are the names to say for seat numbers."""

    def __init__(self, language: str, players: Sequence[str] = ()) -> None:
        self._strings = load(language)
        self._language, self._players = language, players

    def __call__(self, key: str, facts: Mapping[str, Any] | None = None) -> str:
        """The sentence of `key` with its facts filled in. Raises KeyError for an unknown key."""
        known = facts or {}
        return BLANK.sub(lambda blank: self._filled(blank, known[blank[1]]), self._strings[key])

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this language writes it."""
        said = f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")
        return said if self._language == "en" else said.replace(".", ",")

    def _filled(self, blank: re.Match[str], value: Any) -> str:
        _, one, many = blank.groups()
        if one is None:
            return self._said(blank[1], value)
        # Nothing is one thing in French, and many things elsewhere.
        return one if value == 1 or (value == 0 and self._language == "fr") else many

    def _said(self, name: str, value: Any) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(self._said(name.removesuffix("s"), item) for item in value)
        if name == "region":
            return self._region(str(value))
        if name in ("expected", "seen"):
            return self._strings.get(f"kind.{value}", str(value))
        if name in ("player", "owner", "turn"):
            return self._name(value)
        if name == "die":
            return str(value + 1)
        if name == "board":
            return self._board(value)
        if name in ("corner", "edge"):
            return self._strings.get(f"place.{value}", str(value))
        if isinstance(value, float):
            return self.number(value, 1)
        return str(value)

    def _region(self, region: str) -> str:
        """A part of a city board in words: C3, the high value of row 3, drone square 2."""
        if square := _SQUARE.match(region):
            return chr(ord("A") + int(square[2]) - 1) + square[1]
        kind, _, rest = region.partition(".")
        name, _, rank = rest.partition(".")
        if f"feature.{kind}" in self._strings and rank in ("high", "low"):
            return self._strings[f"region.{rank}"].replace("{feature}", self.feature(f"{kind}.{name}"))
        return self._strings.get(f"region.{kind}", region).replace("{number}", name)

    def feature(self, feature: str) -> str:
        """A row, column or district in words."""
        kind, _, name = feature.partition(".")
        said = self._strings.get(f"district.{name}", name) if kind == "district" else name
        return self._strings[f"feature.{kind}"].replace("{name}", said)

    def _name(self, seat: Any) -> str:
        if isinstance(seat, int) and 0 <= seat < len(self._players):
            return self._players[seat]
        return self._strings["table.seat"].format(seat=seat + 1 if isinstance(seat, int) else seat)

    def _board(self, board: Any) -> str:
        """A board by who sits at it: city-2 is the second seat's."""
        kind, _, number = str(board).partition("-")
        if kind == "city" and _CITY.fullmatch(number):
            return self._strings["table.board"].format(name=self._name(int(number) - 1))
        return self._strings["table.hq"] if kind == "hq" else str(board)


@cache
def load(language: str) -> Mapping[str, str]:
    """Every sentence of a language by its dotted key."""
    with (_STRINGS / f"{language}.toml").open("rb") as file:
        sentences = dict(_flat("", tomllib.load(file)))
    return {key: bound(said) for key, said in sentences.items()} if language == "fr" else sentences


def bound(sentence: str) -> str:
    """French puts spaces before signs; no line may break there."""
    return re.sub(r"(?<=«) | (?=[:;!?»])", "\N{NO-BREAK SPACE}", sentence)


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    for key, value in table.items():
        if isinstance(value, str):
            found.append((prefix + key, value))
        else:
            found += _flat(f"{prefix}{key}.", value)
    return found
