"""A phone tells that it is its owner's turn; and that a bot plays for them only while one does."""

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.pages import join
from web.refusal import Refusal

ANY = re.compile(".*")
WITNESS = """
const told = (what) => {
  const { dataset } = document.documentElement;
  dataset[what] = Number(dataset[what] ?? 0) + 1;
};
navigator.vibrate = () => { told("felt"); return true; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { told("tones"); return start.apply(this, when); };
"""


def open_phone(table: OpenTable, device: Device) -> Page:
    phone = device("about:blank")
    phone.add_init_script(WITNESS)
    phone.goto(table.address + "/seat")
    join(phone, 0, "Ana", "lime")
    return phone


def expect_signals(phone: Page, count: int) -> None:
    """So many since the page was opened, each felt once and of two tones."""
    html = phone.locator("html")
    if count == 0:
        expect(html).not_to_have_attribute("data-felt", ANY)
        expect(html).not_to_have_attribute("data-tones", ANY)
    else:
        expect(html).to_have_attribute("data-felt", str(count))
        expect(html).to_have_attribute("data-tones", str(2 * count))


def wait_for_others(table: OpenTable, phone: Page) -> None:
    """Plays until it is somebody else's turn, and the phone knows."""
    table.play_until_turn_of(1)
    expect(phone.locator("#status")).not_to_contain_class("mine-now")


def test_without_being_asked_for_only_the_title_tells(table: OpenTable, device: Device) -> None:
    phone = open_phone(table, device)
    wait_for_others(table, phone)
    expect(phone).not_to_have_title("● Your turn · All City")
    table.play_until_turn_of(0)
    expect(phone).to_have_title("● Your turn · All City")
    expect_signals(phone, 0)


def test_a_turn_is_felt_and_heard_once_where_somebody_wants_it(table: OpenTable, device: Device) -> None:
    phone = open_phone(table, device)
    wait_for_others(table, phone)
    phone.locator("#signal").check()
    expect_signals(phone, 1)  # so that one knows it
    table.play_until_turn_of(0)
    expect_signals(phone, 2)
    table.at.dashboard.publish()
    expect(phone.locator("#status")).to_contain_class("mine-now")
    expect_signals(phone, 2)
    phone.reload()
    expect(phone.locator("#signal")).to_be_checked()
    phone.locator("#signal").uncheck()
    wait_for_others(table, phone)
    table.play_until_turn_of(0)
    expect(phone.locator("#status")).to_contain_class("mine-now")
    expect_signals(phone, 0)


def test_it_can_be_put_on_the_home_screen(table: OpenTable, device: Device) -> None:
    phone = open_phone(table, device)
    session = phone.context.new_cdp_session(phone)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == table.address + "/static/manifest.json"
    wrong = [error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [error for error in wrong if error != "in-incognito"] == []


class Bots:
    """A simulated table of which only the bots are known."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def state(self) -> dict[str, Any]:
        return {"bots": self.seats}

    def act(self, name: str, args: Mapping[str, Any]) -> Refusal | None:
        raise NotImplementedError

    def camera(self) -> bytes | None:
        return None

    def print_of(self, board: str) -> bytes | None:
        return None


def test_a_bot_is_named_as_long_as_it_plays_this_seat(lay: Lay, device: Device) -> None:
    bots = Bots()
    table = lay(2, sim=bots)
    bots.seats = [0, 1]
    phone = open_phone(table, device)
    expect(phone.locator("#simulated")).to_be_visible()
    bots.seats = [1]
    expect(phone.locator("#simulated")).to_be_hidden()
