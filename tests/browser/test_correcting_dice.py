"""Dice that were read wrongly are told anew by the host, while the game goes on around the form."""

from playwright.sync_api import expect

from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import become_host, join
from tests.web.house import PIN


def test_what_is_chosen_holds_while_the_table_has_news(table: OpenTable, device: Device) -> None:
    table.at.play(2)  # somebody leads and has rolled
    host = device(table.address + "/host", "laptop")
    become_host(host, PIN)
    host.locator("#record li", has_text="Rolled").get_by_role("button", name="Correct").click()
    dice = host.locator("#correction select")
    for nth, value in enumerate("254"):
        dice.nth(nth).select_option(value)
    join(device(table.address + "/seat"), 0, "Ana", "lime")
    expect(host.locator("#people")).to_contain_text("Ana")  # the page has heard of it
    assert [die.input_value() for die in dice.all()] == ["2", "5", "4"]
    host.get_by_role("button", name="Save this correction").click()
    expect(host.locator("#correction")).to_be_hidden()
    expect(host.locator("#record")).to_contain_text("Rolled: 2, 5, 4")
    assert [die["value"] for die in table.at.state["table"]["game"]["dice"]] == [2, 5, 4]


def test_a_die_is_asked_for_its_section_not_for_its_value(table: OpenTable, device: Device) -> None:
    table.at.play(3)
    host = device(table.address + "/host", "laptop")
    become_host(host, PIN)
    host.locator("#record li", has_text="goes onto section").get_by_role("button", name="Correct").click()
    expect(host.locator("#correction h2")).to_have_text("Where did the die really lie?")
