"""Profiles of Tag City from files, and any profile with one thing changed."""

import copy
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pi_app.games import profile_files
from pi_app.games.tag_city.edition.profile import TagCityEdition

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
"""Whatever may stand in a file."""


def load_profile(path: Path) -> dict[str, Any]:
    return profile_files.load_profile(TagCityEdition(), path)


def read_profile(path: Path) -> dict[str, Any]:
    return profile_files.read_profile(TagCityEdition(), path)


def altered(data: dict[str, Any], *path_and_value: Any) -> dict[str, Any]:
    """A copy in which one thing is changed, or taken out (KeyError)."""
    *path, last, value = path_and_value
    data = copy.deepcopy(data)
    inside: Any = data
    for key in path:
        inside = inside[key]
    if value is KeyError:
        del inside[last]
    else:
        inside[last] = value
    return data
