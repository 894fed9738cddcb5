"""Plain JSON values, checked and converted to what a type annotation asks for.

Events and the arguments of commands are declared by their annotations; whatever comes from a file or from the network
passes here before anybody uses it.
"""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

# Far beyond any game, so that no number from a file can make a mask of gigabytes.
LARGEST_NUMBER = 1_000_000
LONGEST_TEXT = 200
LONGEST_LIST = 1_000


class Malformed(ValueError):
    """JSON that is not what was asked for; says which key is wrong."""


def typed(value: Any, hint: Any, name: str) -> Any:
    """`value` as the type that `hint` asks for; tuples arrive as JSON lists. Raises Malformed.

    A mapping with keys of type int arrives as a JSON object, whose keys are texts.
    """
    if hint is Any:
        return value
    if get_origin(hint) is UnionType:
        kinds = get_args(hint)
        if value is None and NoneType in kinds:
            return None
        return typed(value, next(kind for kind in kinds if kind is not NoneType), name)
    if get_origin(hint) is tuple:
        return _tuple(value, get_args(hint), name)
    if get_origin(hint) is Mapping:
        return _mapping(value, get_args(hint), name)
    if hint is bool and type(value) is bool:
        return value
    if hint is int and type(value) is int and abs(value) <= LARGEST_NUMBER:
        return value
    if hint is str and isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return value
    raise Malformed(f"'{name}' cannot be {short(value)}")


def _tuple(value: Any, items: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or len(value) > LONGEST_LIST:
        raise Malformed(f"'{name}' cannot be {short(value)}")
    if items[-1] is ...:
        return tuple(typed(item, items[0], name) for item in value)
    if len(value) != len(items):
        raise Malformed(f"'{name}' cannot be {short(value)}")
    return tuple(typed(item, hint, name) for item, hint in zip(value, items, strict=True))


def _mapping(value: Any, hints: tuple[Any, ...], name: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping) or len(value) > LONGEST_LIST:
        raise Malformed(f"'{name}' cannot be {short(value)}")
    return {_key(key, hints[0], name): typed(item, hints[1], name) for key, item in value.items()}


def _key(key: Any, hint: Any, name: str) -> Any:
    if hint is int and isinstance(key, str) and key.isascii() and key.isdecimal() and len(key) <= 7:
        key = int(key)
    return typed(key, hint, name)


def short(value: Any) -> str:
    """The value as a message may show it, however large it is."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 38 else repr(value[:35]) + "..."
    if isinstance(value, list | tuple | Mapping):
        return f"a {'table' if isinstance(value, Mapping) else 'list'} of {len(value)}"
    text = repr(value) if not isinstance(value, int) or abs(value) <= 10**30 else "a number that large"
    return text if len(text) <= 40 else text[:37] + "..."
