"""Which games somebody wants to see, as it stands in an address."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

from web.history import SORTS, GameFilter
from web.intake import BadInput

LONGEST_TEXT: Final = 80
LARGEST_NUMBER: Final = 2**31 - 1
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def wanted_games(query: Mapping[str, str]) -> GameFilter:
    """Raises BadInput."""
    state = _choice(query, "finished", ("", "yes", "no", "hidden"))
    return GameFilter(
        player=_number(query, "player"),
        since=_date(query, "since"),
        until=_date(query, "until"),
        finished={"yes": True, "no": False}.get(state),
        hidden=state == "hidden",
        profile=_text(query, "profile"),
        text=_text(query, "text"),
        sort=_choice(query, "sort", SORTS),
        page=_number(query, "page") or 1,
    )


def _text(query: Mapping[str, str], field: str) -> str:
    value = query.get(field, "").strip()
    if len(value) > LONGEST_TEXT:
        raise BadInput(field, f'"…" ≤ {LONGEST_TEXT}')
    return value


def _choice(query: Mapping[str, str], field: str, allowed: tuple[str, ...]) -> str:
    value = query.get(field) or allowed[0]
    if value not in allowed:
        raise BadInput(field, " | ".join(allowed))
    return value


def _number(query: Mapping[str, str], field: str) -> int | None:
    """A number from 1 on, written in plain digits."""
    value = query.get(field, "")
    if not value:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= 10 and 0 < int(value) <= LARGEST_NUMBER):
        raise BadInput(field, f"1…{LARGEST_NUMBER}")
    return int(value)


def _date(query: Mapping[str, str], field: str) -> date | None:
    value = query.get(field, "")
    if not value:
        return None
    try:
        if DATE.fullmatch(value):  # other forms of ISO 8601 are none that a browser sends
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise BadInput(field, "2026-05-01")
