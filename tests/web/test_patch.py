"""What changed, told so that whoever applies it has the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.patching import patched
from web.patch import changes

documents = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.floats(0, 2) | st.sampled_from(["", "a", "/", "~", "~1"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "/", "~", "~1", "0"]), inner)
    ),
    max_leaves=20,
)


@given(old=documents, new=documents)
def test_whatever_it_was_the_patch_makes_it_the_new_one(old: Any, new: Any) -> None:
    told = patched({"all": old}, changes({"all": old}, {"all": new}))
    assert json.dumps(told, sort_keys=True) == json.dumps({"all": new}, sort_keys=True)


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ([1, 2], [1, 2, 3], [{"op": "add", "path": "/-", "value": 3}]),
        ([1, 2, 3], [2, 3, 4], [{"op": "remove", "path": "/0"}, {"op": "add", "path": "/-", "value": 4}]),
        ([1, 2, 3], [1, 5, 3], [{"op": "replace", "path": "/1", "value": 5}]),
        ([1, 2], [3], [{"op": "replace", "path": "", "value": [3]}]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [{"op": "replace", "path": "/a/c", "value": 3}]),
        ({"a/b~": 1}, {}, [{"op": "remove", "path": "/a~1b~0"}]),
        (None, {"a": 1}, [{"op": "replace", "path": "", "value": {"a": 1}}]),
        ([], [1], [{"op": "replace", "path": "", "value": [1]}]),
        ([1], [True], [{"op": "replace", "path": "/0", "value": True}]),
        (1, True, [{"op": "replace", "path": "", "value": True}]),
    ],
)
def test_only_what_changed_is_told(old: Any, new: Any, patch: list[dict[str, Any]]) -> None:
    assert list(changes(old, new)) == patch
