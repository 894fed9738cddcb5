"""What every game asks of its players and options before it starts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from unicodedata import category

from pi_app.engine.checks import check_number
from pi_app.engine.contract import Problem

LONGEST_NAME: Final = 80
MOST_LISTED: Final = 8
"""So many values of an option are told one by one."""

Options = Mapping[str, tuple[Any, ...]]
"""Every option with what it may be, the default first: None where that hangs on something else, such as who plays."""


def check_players(players: Sequence[str], allowed: range) -> list[Problem]:
    if len(players) not in allowed:
        return [Problem("players", "players_count", {"count": len(players), "least": allowed[0], "most": allowed[-1]})]
    bad = [seat for seat, name in enumerate(players, 1) if not is_name(name)]
    return [Problem(f"players {seat}", "player_name", {"most": LONGEST_NAME}) for seat in bad]


def is_name(name: Any) -> bool:
    """Any writing is welcome; control characters and halves of characters are not."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        return False
    return bool(name.strip()) and not any(category(letter) in ("Cc", "Cs") for letter in name)


def check_options(options: Mapping[str, Any], known: Options) -> list[Problem]:
    problems = []
    for name, value in options.items():
        if name not in known:
            problems.append(Problem(f"options.{name}", "unknown_key", {"allowed": list(known)}))
        elif value is None or not any(type(value) is type(a) and value == a for a in known[name]):
            problems += _not_allowed(f"options.{name}", value, known[name])
    return problems


def _not_allowed(where: str, value: Any, allowed: Sequence[Any]) -> Iterable[Problem]:
    numbers = span(allowed)
    if numbers is not None:
        return check_number(where, value, numbers[0], numbers[-1])
    return [Problem(where, "not_allowed", {"allowed": [one for one in allowed if one is not None]})]


def span(allowed: Sequence[Any]) -> range | None:
    """Numbers without gaps that are too many to be listed; None where values can be told one by one."""
    values = [one for one in allowed if one is not None]
    if len(values) <= MOST_LISTED or not all(type(one) is int for one in values):
        return None
    numbers = range(min(values), max(values) + 1)
    return numbers if len(numbers) == len(values) else None


def complete_options(options: Mapping[str, Any], known: Options) -> dict[str, Any]:
    """All that have a value: an option whose default is None is left out until somebody chooses one."""
    complete = {name: options.get(name, allowed[0]) for name, allowed in known.items()}
    return {name: value for name, value in complete.items() if value is not None}
