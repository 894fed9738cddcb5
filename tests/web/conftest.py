"""Shared by the tests of the dashboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.house import Table4Web, opened


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Table4Web]:
    with opened(tmp_path) as at:
        yield at
