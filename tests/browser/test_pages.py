"""Every page as people meet it: nothing serious for axe-core, no complaint in the console, nothing wider than the
screen, no sentence missing; and the tour that takes pictures of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.chromium import SIZES
from tests.browser.pages import obstacles
from tests.browser.tour import STOPS, Scene, scene, take
from web.text import load


@pytest.fixture(scope="module")
def at(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with scene(browser, tmp_path_factory.mktemp("scene")) as laid:
        yield laid


@pytest.mark.parametrize("name", STOPS)
def test_a_page_keeps_nobody_out(name: str, at: Scene) -> None:
    with at.visit(STOPS[name], "laptop") as page:
        at.arrive(page, STOPS[name])
        assert obstacles(page) == {}


@pytest.mark.parametrize("name", STOPS)
def test_a_page_fits_every_screen_and_complains_of_nothing(name: str, at: Scene) -> None:
    complaints: list[str] = []
    with at.visit(STOPS[name], "phone", language="fr") as page:
        page.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        at.arrive(page, STOPS[name])
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert _keys_shown(page) == []
    expected = ["the server responded with a status of 404"] if name == "missing" else []
    assert len(complaints) == len(expected), complaints


def _keys_shown(page: Page) -> list[str]:
    """Sentences that the page lacks: it shows their keys."""
    shown = set(page.locator("body").inner_text().split())
    return sorted(shown & set(load("en")))


@pytest.mark.parametrize(
    ("name", "size", "scheme", "language"), [("screen", "tv", "dark", "es"), ("seat", "phone", "light", "fr")]
)
def test_the_tour_takes_pictures(name: str, size: str, scheme: Any, language: str, at: Scene, tmp_path: Path) -> None:
    with Image.open(take(at, name, size, scheme, language, tmp_path)) as picture:
        assert picture.width == SIZES[size][0]
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 100  # somebody has painted something
