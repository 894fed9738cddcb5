"""No game is on the table: every page says what waits, and offers nothing that cannot be done."""

from playwright.sync_api import expect

from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import become_host, join
from tests.web.house import PIN


def test_a_game_that_was_put_away_is_named_on_every_page(table: OpenTable, device: Device) -> None:
    table.at.play(4)
    screen, host, phone = (
        device(table.address + path, size) for path, size in (("/", "laptop"), ("/host", "laptop"), ("/seat", "phone"))
    )
    join(phone, 0, "Ana", "lime")
    become_host(host, PIN)
    host.once("dialog", lambda dialog: dialog.accept())
    host.get_by_role("button", name="End: put the game away").click()
    for told in (screen.locator(".welcome"), host.locator("#now"), phone.locator("#asked")):
        expect(told).to_contain_text("The game of Ana, ")
        expect(told).not_to_contain_text("interrupted")
    for page in (screen, host, phone):
        expect(page.locator("main")).not_to_contain_text("Watching")
        expect(page.locator(".rule-link")).to_have_text("Rules")
    expect(phone.get_by_role("button", name="Ask to undo")).to_be_hidden()
    expect(host.locator("#recorded")).to_be_hidden()
    phone.get_by_role("button", name="Continue the game").click()
    expect(phone.get_by_role("button", name="Ask to undo")).to_be_visible()
    expect(host.locator("#recorded")).to_be_visible()


def test_what_the_host_cannot_do_is_said_without_a_game_too(table: OpenTable, device: Device) -> None:
    host = device(table.address + "/host", "laptop")
    become_host(host, PIN)
    host.locator("#undo").click()
    expect(host.locator("#said")).to_contain_text("no move to take back")
