"""Shared by the browser tests: one browser, devices in it, and tables for them to look at."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
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

    def play_until_turn_of(self, seat: int, phase: str = "draft") -> Any:
        """Plays on until this seat alone, or in the last phase this seat too, has to act; gives the table's state."""
        while True:
            self.at.play(1)
            table = self.at.state["table"]
            if table["game"]["phase"] == phase and seat in table["game"]["to_act"]:
                return table


Lay = Callable[..., OpenTable]


@pytest.fixture
def lay(tmp_path: Path, front: tuple[Front, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Lay]:
    """Lays a table for so many players."""
    monkeypatch.setattr("web.live.HEARTBEAT_S", 1.0)  # who is gone is noticed by it
    with ExitStack() as laid:

        def lay_table(players: int = 2, **parts: Any) -> OpenTable:
            at = laid.enter_context(opened(tmp_path, players, **parts))
            front[0].app = at.client.application
            return OpenTable(at, f"http://127.0.0.1:{front[1]}")

        yield lay_table


@pytest.fixture
def table(lay: Lay) -> OpenTable:
    return lay()
