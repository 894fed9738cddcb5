"""Everything a player does works without a mouse, in the order of the page."""

from playwright.sync_api import Page, expect

from pi_app.table.referee import Question
from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import become_host
from tests.playing import TAG_CITY
from tests.web.house import PIN

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


def test_join_choose_a_die_move_turn_and_flip_its_shape_and_enter_it(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    known = table.at.state["table"]["last_seq"]
    page = device(table.address + "/seat", "laptop")
    join_by_keyboard(page, "Ana")
    tab_to(page, "#can .dice-row button")
    page.keyboard.press("Enter")
    where = page.locator("#where")
    expect(where).to_contain_text("fits")
    tab_to(page, "#piece")
    for key in ("ArrowLeft", "r", "ArrowUp", "f"):
        before = page.locator("#piece").get_attribute("aria-label"), page.locator("#piece").inner_html()
        page.keyboard.press(key)
        after = page.locator("#piece").get_attribute("aria-label"), page.locator("#piece").inner_html()
        assert after != before, f"{key} does something"
    expect(page.locator("#piece")).to_be_focused()
    page.keyboard.press("Home")  # no key of the piece
    while "fits" not in where.inner_text():
        page.keyboard.press("ArrowRight")
    tab_to(page, "#enter")
    page.keyboard.press("Space")
    expect(page.locator("#entered")).to_be_focused()
    assert table.at.state["table"]["last_seq"] > known


def test_escape_puts_the_shape_back(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = device(table.address + "/seat", "laptop")
    join_by_keyboard(page, "Ana")
    tab_to(page, "#can .dice-row button")
    page.keyboard.press("Enter")
    tab_to(page, "#piece")
    page.keyboard.press("Escape")
    expect(page.locator("#piece")).to_be_hidden()
    expect(page.locator("#can .dice-row button").first).to_be_focused()


def test_a_board_is_one_tab_stop_and_arrow_keys_lead_to_its_squares(table: OpenTable, device: Device) -> None:
    """The host corrects a move square by square."""
    table.at.play(6)
    host = device(table.address + "/host", "laptop")
    become_host(host, PIN)
    host.locator("#record button", has_text="Correct").first.click()
    expect(host.locator("#correction [role=button]")).to_have_count(8 * 12)
    assert host.locator("#correction [role=button][tabindex='0']").count() == 1
    host.locator("#correction select").focus()
    host.keyboard.press("Tab")
    focus = "document.activeElement.dataset.focus"
    start = host.evaluate(focus)
    assert start.startswith("sq-"), "the first square of the move"
    for key, square in (
        ("Home", "sq-{}-0"),
        ("End", "sq-{}-11"),
        ("ArrowRight", "sq-{}-11"),
        ("ArrowLeft", "sq-{}-10"),
    ):
        host.keyboard.press(key)
        assert host.evaluate(focus) == square.format(start.split("-")[1])
    pressed = host.locator("#correction [aria-pressed=true]").count()
    host.keyboard.press("Space")
    expect(host.locator("#correction [aria-pressed=true]")).to_have_count(pressed + 1)
    assert host.evaluate(focus).endswith("-10"), "the focus stays where it is"
    host.keyboard.press("Tab")
    assert host.evaluate("document.activeElement.tagName") == "BUTTON", "and the next stop is beyond the board"


def test_a_question_is_answered(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = device(table.address + "/seat", "laptop")
    join_by_keyboard(page, "Ana")
    moves = [move for move in TAG_CITY.legal_moves(table.at.table.state, 0) if move.type == "shape_painted"]
    assert table.at.table._referee is not None
    table.at.table._referee.question = Question("city-1", (moves[0], moves[-1]), "sight.which")
    table.at.dashboard.publish()
    expect(page.locator("#asked button")).to_have_count(3)  # both, and none of them
    page.locator("h1").focus()
    tab_to(page, "#asked button")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#asked")).to_be_hidden()
    assert table.at.table.records[-1].event.type != "die_placed"
    assert moves[-1] in [record.event for record in table.at.table.records]
