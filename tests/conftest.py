"""In CI property tests repeat themselves, and nothing is skipped. One browser serves all tests."""

import os
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

CI = bool(os.environ.get("CI"))

settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if CI else "home")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tests skip what a machine lacks. Where everything was installed, a skipped test is a failure."""
    report = yield
    if CI and report.skipped:
        report.outcome, report.longrepr = "failed", f"skipped, which CI does not allow: {report.longreprtext}"
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium. Playwright's driver can be started only once at a time."""
    from playwright.sync_api import expect  # noqa: PLC0415 - most tests need no browser

    from tests.browser.chromium import CHROMIUM, chromium, needed  # noqa: PLC0415

    needed(CHROMIUM)
    expect.set_options(timeout=30_000)  # a busy machine is no failure
    with chromium() as opened:
        yield opened
