"""Debian's Chromium, driven by playwright, and axe-core to look for what keeps people out."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
AXE = Path(__file__).parents[2] / ".venv/axe/node_modules/axe-core/axe.min.js"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1280, 800), "tv": (1920, 1080)}


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def needed(file: Path) -> Path:
    """Skips what cannot be tested here."""
    if not file.is_file():
        pytest.skip(f"{file} is missing: ./setup.sh test installs it where there is apt-get")
    return file
