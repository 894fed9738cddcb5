"""What clients send, checked before anybody uses it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import request

from web.people import Refused

DEEPEST = 20
"""How deep what is sent may be nested: more than a profile needs, less than anything stumbles over."""

Check = Callable[[Any], Any]
"""Gives the value as it will be used. Raises ValueError with what was expected."""


class BadInput(Refused):
    """Not even well-formed: nothing a person would send with the pages."""

    def __init__(self, where: str, wanted: str) -> None:
        super().__init__("web.bad_input", where=where, wanted=wanted)


def whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():  # JSON has one kind of number
            value = int(value)
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{least}…{most}")
        return value

    return check


def number(least: float, most: float) -> Check:
    def check(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise ValueError(f"{least:g}…{most:g}")
        return float(value)

    return check


def text(longest: int) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or not _encodable(value):
            raise ValueError(f'"…" ≤ {longest}')
        return value

    return check


def one_of(*choices: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(" | ".join(choices))
        return value

    return check


def flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("true | false")
    return value


def table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("{…}")
    return value


def body(**checks: Check) -> dict[str, Any]:
    """The JSON object of this request: just these keys, each as checked. Raises BadInput."""
    sent = read_json()
    for key in sent:
        if key not in checks:
            raise BadInput(str(key)[:40], "—")
    return {key: _checked(key, check, sent.get(key)) for key, check in checks.items()}


def read_json() -> dict[str, Any]:
    """Raises BadInput unless this request carries a JSON object."""
    if not request.is_json:
        raise BadInput("Content-Type", "application/json")
    try:
        sent = request.get_json()
    except RecursionError:
        raise BadInput("JSON", "{…}") from None
    if not isinstance(sent, dict):
        raise BadInput("JSON", "{…}")
    return shallow(sent)


def shallow(sent: dict[str, Any]) -> dict[str, Any]:
    """The same, if it is not nested too deep for whoever walks through it. Raises BadInput."""
    level: list[Any] = [sent]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
        level = [inner for inner in level if isinstance(inner, dict | list)]
        if not level:
            return sent
    raise BadInput("JSON", f"{{…}} ≤ {DEEPEST}")


def query(name: str, least: int, most: int) -> int:
    """A whole number from the address. Raises BadInput."""
    sent = request.args.get(name, "")
    value = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= 12 else None
    checked: int = _checked(name, whole(least, most), value)
    return checked


def query_choice(name: str, choices: Sequence[str], otherwise: str) -> str:
    """One of these words from the address. Raises BadInput."""
    chosen: str = _checked(name, one_of(*choices), request.args.get(name, otherwise))
    return chosen


def _checked(where: str, check: Check, value: Any) -> Any:
    try:
        return check(value)
    except ValueError as error:
        raise BadInput(where, str(error)) from None


def _encodable(value: str) -> bool:
    """Half a surrogate pair is no text: nothing could store or send it."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
