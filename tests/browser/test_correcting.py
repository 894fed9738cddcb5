"""The host tells what an earlier move really was: dice, where one lies, a bubble, squares."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import answered, become_host
from tests.browser.person import open_dice
from tests.web.house import PIN


@pytest.fixture
def host(table: OpenTable, device: Device) -> Page:
    page = device(table.address + "/host", "laptop")
    become_host(page, PIN)
    return page


def events(table: OpenTable, kind: str) -> list[Any]:
    return [record["event"] for record in table.at.state["table"]["feed"] if record["event"]["type"] == kind]


def correct(host: Page, said: str) -> None:
    """Begins to correct the newest move whose sentence has these words."""
    host.locator("#record li", has_text=said).first.get_by_role("button", name="Correct").click()
    expect(host.locator("#correction")).to_be_visible()


def send(host: Page) -> None:
    host.locator("#correction button.main").click()


def test_dice_that_were_misread(table: OpenTable, host: Page) -> None:
    table.at.play(2)
    [rolled] = events(table, "dice_rolled")
    correct(host, "rolled")
    values = [value % 6 + 1 for value in rolled["values"]]
    choices = host.locator("#correction select")
    expect(choices).to_have_count(3)
    for n, value in enumerate(values):
        choices.nth(n).select_option(str(value))
    table.at.join(1, "Bo")  # meanwhile something else is shown
    expect(host.locator("#people")).to_contain_text("Bo")
    for n, value in enumerate(values):
        expect(choices.nth(n)).to_have_value(str(value))
    send(host)
    expect(host.locator("#correction")).to_be_hidden()
    expect(host.locator("#record")).to_contain_text(", ".join(map(str, values)))
    assert [event["values"] for event in events(table, "dice_rolled")] == [values]


def test_a_die_that_lies_on_another_section(table: OpenTable, host: Page) -> None:
    table.at.play(3)
    [placed] = events(table, "die_placed")
    offered = {placed["section"] % 6 + 1, (placed["section"] - 2) % 6 + 1}
    correct(host, "section")
    expect(host.locator("#correction h2")).to_have_text("Where did the die really lie?")
    choice = host.locator("#correction select")
    expect(choice).to_have_value(str(placed["section"]))
    refused = []
    for section in sorted(offered):
        choice.select_option(str(section))
        send(host)
        expect(host.locator("#correction[hidden], #correction [role=alert]")).to_have_count(1)
        if host.locator("#correction").is_hidden():
            break
        refused.append(section)
    [after] = events(table, "die_placed")
    assert after == {**placed, "section": section}
    assert len(refused) < 2, "a face lies between two sections"


def test_a_correction_that_was_given_up_begins_anew(table: OpenTable, host: Page) -> None:
    table.at.play(2)
    [rolled] = events(table, "dice_rolled")
    correct(host, "rolled")
    first = host.locator("#correction select").first
    first.select_option(str(rolled["values"][0] % 6 + 1))
    host.get_by_role("button", name="Cancel").click()
    correct(host, "rolled")
    expect(first).to_have_value(str(rolled["values"][0]))


@pytest.mark.parametrize("yes", [True, False])
def test_another_bubble_says_what_would_count_and_asks_first(yes: bool, table: OpenTable, host: Page) -> None:
    game = table.play_until_turn_of(0)["game"]
    bubbles = game["boards"][0]["bubbles"]
    value = {n: bubble["value"] for n, bubble in enumerate(bubbles, 1)}
    other = next(n for n in value if value[n] != value[1])
    ana = table.at.join(0, "Ana")
    die = open_dice(game)[0]
    move = {"type": "social_checked", "player": 0, "die": die, "bubble": 1}
    assert table.at.command("do", {"event": move}, ana).status_code == 200
    correct(host, "Ana checks")
    choice = host.locator("#correction select")
    expect(choice).to_have_value("1")
    choice.select_option(str(other))
    assert f"Ana {value[1]} → {value[other]}" in answered(host, yes, lambda: send(host))
    if yes:
        expect(host.locator("#correction")).to_be_hidden()
    else:
        expect(choice).to_have_value(str(other))  # nothing is lost by a no
        host.get_by_role("button", name="Cancel").click()
        expect(host.locator("#correction")).to_be_hidden()
    assert [event["bubble"] for event in events(table, "social_checked")] == [other if yes else 1]


def test_squares_that_were_misread_are_named(table: OpenTable, host: Page) -> None:
    table.play_until_turn_of(0)
    table.at.play(1)
    painted = events(table, "shape_painted")[-1]
    correct(host, painted["shape"])
    names = [chr(65 + col) + str(row + 1) for row, col in painted["cells"]]
    expect(host.locator("#correction")).to_contain_text(" ".join(names))
    row, col = painted["cells"][-1]
    host.locator(f"#correction [data-focus='sq-{row}-{col}']").click()
    expect(host.locator("#correction")).not_to_contain_text(f" {names[-1]}")
    send(host)
    expect(host.locator("#correction [role=alert]")).not_to_be_empty()
    assert events(table, "shape_painted")[-1] == painted
