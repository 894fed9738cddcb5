"""Everything a player does works without a mouse, in the order of the page."""

from playwright.sync_api import Page, expect

from pi_app.referee import Question
from tests.browser.conftest import Device, OpenTable
from tests.playing import TAG_CITY

FAR = 60


def tab_to(page: Page, selector: str) -> None:
    """Moves the focus on until it is there."""
    for _ in range(FAR):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with the keyboard")


def join_by_keyboard(page: Page, name: str) -> None:
    expect(page.locator("#seats input").first).to_be_visible()
    tab_to(page, "#seats input")
    page.keyboard.press("Space")
    tab_to(page, "#name")
    page.keyboard.type(name)
    tab_to(page, "[name=colour]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#mine")).to_be_visible()


def test_join_choose_a_die_step_through_placements_and_enter_one(table: OpenTable, device: Device) -> None:
    table.at.play(5)
    while table.at.state["table"]["game"]["to_act"] != [0]:
        table.at.play(1)
    known = table.at.state["table"]["last_seq"]
    page = device(table.address + "/seat", "laptop")
    join_by_keyboard(page, "Ana")
    tab_to(page, "#can .dice-row button")
    page.keyboard.press("Enter")
    expect(page.locator("#board .ghost").first).to_be_visible()
    tab_to(page, "[data-focus=next]")
    page.keyboard.press("Enter")
    expect(page.locator("#board .picked").first).to_be_visible()
    first = page.locator("#can .step .number").inner_text()
    page.keyboard.press("Enter")  # the focus stays where it is
    expect(page.locator("#can .step .number")).not_to_have_text(first)
    tab_to(page, "[data-focus='seat.enter']")
    page.keyboard.press("Space")
    expect(page.locator("#board .fresh").first).to_be_visible()
    assert table.at.state["table"]["last_seq"] > known


def test_a_question_is_answered(table: OpenTable, device: Device) -> None:
    table.at.play(5)
    while table.at.state["table"]["game"]["to_act"] != [0]:
        table.at.play(1)
    page = device(table.address + "/seat", "laptop")
    join_by_keyboard(page, "Ana")
    moves = [move for move in TAG_CITY.legal_moves(table.at.table.state, 0) if move.type == "shape_painted"]
    assert table.at.table._referee is not None
    table.at.table._referee.question = Question("city-1", (moves[0], moves[-1]), "sight.which")
    table.at.dashboard.publish()
    expect(page.locator("#asked button")).to_have_count(2)
    page.locator("h1").focus()
    tab_to(page, "#asked button")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#asked")).to_be_hidden()
    assert table.at.table.records[-1].event.type != "die_placed"
    assert moves[-1] in [record.event for record in table.at.table.records]
