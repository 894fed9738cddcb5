"""Property tests search afresh on every run at home, and repeat themselves in CI. One browser serves all tests."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium. Playwright's driver can be started only once at a time."""
    from playwright.sync_api import expect  # noqa: PLC0415 - most tests need no browser

    from tests.browser.chromium import CHROMIUM, chromium, needed  # noqa: PLC0415

    needed(CHROMIUM)
    expect.set_options(timeout=30_000)  # a busy machine is no failure
    with chromium() as opened:
        yield opened
