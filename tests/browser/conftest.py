"""Shared by the browser tests: one browser, devices in it, and tables for them to look at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from tests.browser.chromium import SIZES
from tests.web.house import Table4Web, opened
from web.serve import serve

Device = Callable[..., Page]


@pytest.fixture
def device(browser: Browser) -> Iterator[Device]:
    """Opens a page on a device of its own. Whatever a page complains about fails the test in the end.

    That the network or the server said no is no complaint of the page.
    """
    complaints: list[str] = []
    contexts = []

    def heard(message: Any) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(message.text)

    def open_device(address: str, size: str = "phone", language: str = "en", **options: Any) -> Page:
        width, height = SIZES[size]
        viewport: Any = {"width": width, "height": height}
        context = browser.new_context(viewport=viewport, locale=language, has_touch=size == "phone", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield open_device
    for context in contexts:
        context.close()
    assert complaints == []


class Front:
    """Whichever dashboard the running test has opened, on one port for all of them."""

    def __init__(self) -> None:
        self.app: Flask | None = None

    @property
    def extensions(self) -> dict[str, Any]:
        assert self.app is not None
        return self.app.extensions

    def __call__(self, environ: Any, start_response: Any) -> Any:
        assert self.app is not None
        return self.app(environ, start_response)


@pytest.fixture(scope="session")
def front() -> tuple[Front, int]:
    open_front = Front()
    port = serve(lambda _: open_front, "127.0.0.1", 0)  # type: ignore[arg-type, return-value]
    return open_front, port


@dataclass
class OpenTable:
    """A table without a camera, open to browsers."""

    at: Table4Web
    address: str


@pytest.fixture
def table(tmp_path: Path, front: tuple[Front, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenTable]:
    monkeypatch.setattr("web.live.HEARTBEAT_S", 1.0)  # who is gone is noticed by it
    with opened(tmp_path, players=2) as at:
        front[0].app = at.client.application
        yield OpenTable(at, f"http://127.0.0.1:{front[1]}")
