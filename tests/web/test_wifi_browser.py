"""The page of the table's Wi-Fi in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import SIZES
from tests.browser.pages import obstacles
from tests.web.test_setup_browser import browsing
from tests.web.workshop import HEARD, Opened, opened_workshop
from web.refusal import Refusal
from web.text import LANGUAGES
from web.workshop import Hotspot, WifiState


@pytest.fixture
def workshop(tmp_path: Path) -> Opened:
    return opened_workshop(tmp_path)


@pytest.fixture
def page(browser: Any, tmp_path: Path, workshop: Opened) -> Iterator[Any]:
    with browsing(browser, tmp_path, workshop) as at:
        at.goto("/setup")
        at.click("main a[href='/wifi']")
        at.wait_for_selector("#networks li")
        yield at


def test_somebody_chooses_a_network_and_the_password_leaves_the_page(page: Any, workshop: Opened) -> None:
    page.get_by_label("Home").check()
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.click("#go")
    expect(page.locator("#now")).to_contain_text("being changed")
    expect(page.locator("#password")).to_have_value("")
    assert workshop.wifi.asked == [("Home", "correct horse", False)]


def test_an_open_network_asks_for_no_password_and_a_hidden_one_for_its_name(page: Any, workshop: Opened) -> None:
    page.get_by_label("Café").check()
    expect(page.locator("#password")).to_be_hidden()
    page.get_by_label("does not show its name").check()
    page.fill("#name", "Attic")
    page.fill("#password", "correct horse")
    page.click("#go")
    expect(page.locator("#now")).to_contain_text("being changed")
    assert workshop.wifi.asked == [("Attic", "correct horse", True)]


def test_what_cannot_be_used_cannot_be_chosen(page: Any) -> None:
    expect(page.get_by_label("Office")).to_be_disabled()


def test_what_is_typed_stays_while_the_list_changes(page: Any, workshop: Opened) -> None:
    page.get_by_label("Home").check()
    page.fill("#password", "correct")
    workshop.wifi.now = WifiState("alone", networks=HEARD[:2])
    expect(page.locator("#networks li")).to_have_count(3)
    expect(page.get_by_label("Home")).to_be_checked()
    expect(page.locator("#password")).to_have_value("correct")


def test_a_wrong_password_is_told_when_the_tables_own_network_is_back(page: Any, workshop: Opened) -> None:
    trouble = Refusal("wifi.wrong_password", {"name": "Home"})
    workshop.wifi.now = WifiState("hotspot", "allcity-1a2b", HEARD, Hotspot("allcity-1a2b", "x"), trouble=trouble)
    expect(page.locator("#trouble")).to_contain_text("did not take the password")
    page.click("#own")
    expect(page.locator("#now")).to_contain_text("being changed")
    assert workshop.wifi.asked == [(False,)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_keeps_nobody_out_and_fits(language: str, page: Any) -> None:
    page.context.add_cookies([{"name": "lang", "value": language, "url": page.url}])
    page.reload()
    page.wait_for_selector("#networks li")
    page.locator("#networks input").first.check()
    assert obstacles(page) == {}
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
