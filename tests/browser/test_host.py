"""The host's page beside everybody else's: games put away and begun, wishes, undo and repairs around dice."""

from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from pi_app.games.tag_city.rules.sight import HQ, city_board
from pi_app.table.referee import Question
from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import answered, become_host, join
from tests.browser.test_picker import see
from tests.playing import TAG_CITY
from tests.web.house import PIN

TOLD = "count => fetch('/api/state').then(answer => answer.json()).then(state => state.table.feed.length === count)"


@pytest.fixture
def host(table: OpenTable, device: Device) -> Page:
    page = device(table.address + "/host", "laptop")
    become_host(page, PIN)
    return page


@pytest.fixture
def ana(table: OpenTable, device: Device) -> Page:
    page = device(table.address + "/seat")
    join(page, 0, "Ana", "lime")
    return page


def say_yes(page: Page) -> None:
    page.once("dialog", Dialog.accept)


def drafting(table: OpenTable) -> Any:
    """Plays until all dice lie on their sections and nobody has taken one yet; gives the state."""
    while True:
        state = table.at.table.state
        if state.phase == "draft" and all(die.taken_by is None for die in state.dice):
            see(table, state)
            return state
        table.at.play(1)


def events(table: OpenTable) -> list[str]:
    return [record["event"]["type"] for record in table.at.state["table"]["feed"]]


# --- games --------------------------------------------------------------------------------------


def test_a_game_is_put_away_and_taken_up_again_although_another_has_begun(table: OpenTable, host: Page) -> None:
    table.at.play(12)
    left = events(table)
    say_yes(host)
    host.locator("#away").click()
    expect(host.locator("#now")).to_contain_text("continue")
    host.locator("#new summary").click()
    host.locator("#new-game button[type=submit]").click()
    expect(host.locator("#now")).to_contain_text("Who leads first?")
    assert table.at.state["table"]["game_id"] == 2
    host.goto(table.address + "/games")
    host.locator("main a[href='/games/1']").first.click()
    host.get_by_role("button", name="Take it up again").click()
    expect(host.locator(".of-seat")).to_have_count(2)
    assert (table.at.state["table"]["game_id"], events(table)) == (1, left)


def test_a_tap_before_the_scripts_have_come_is_not_taken_for_one(table: OpenTable, device: Device) -> None:
    """On a slow network; it would be lost without a word."""
    table.at.play(12)
    page = device(table.address + "/games")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/js/manage.js", hold)
    page.goto(table.address + "/games/1", wait_until="commit")
    button = page.get_by_role("button", name="Take it up again")
    expect(button).to_be_visible()
    reacts = """button => {
      const { x, y } = button.getBoundingClientRect();
      return document.elementFromPoint(x + 9, y + 9) === button;
    }"""
    assert not button.evaluate(reacts)
    held[0].continue_()
    expect(page.locator("html")).to_have_class("ready")
    assert button.evaluate(reacts)


def test_before_the_first_roll_nobody_is_told_to_take_a_die(table: OpenTable, host: Page, device: Device) -> None:
    table.at.play(12)
    expect(host.locator("#record li")).not_to_have_count(0)
    say_yes(host)  # the other game is kept
    host.locator("#new summary").click()
    host.locator("#new-game button[type=submit]").click()
    expect(host.locator("#record li")).to_have_count(0)
    screen = device(table.address + "/", "tv")
    for line in (screen.locator("#turn"), host.locator("#now")):
        expect(line).to_contain_text("Who leads first?")
        expect(line).not_to_contain_text("die")


def test_known_players_are_offered_and_two_of_one_name_are_refused(table: OpenTable, host: Page) -> None:
    expect(host.locator("#known option")).not_to_have_count(0)
    known = [option.get_attribute("value") for option in host.locator("#known option").all()]
    assert set(known) == set(table.at.table.setup.players)
    host.locator("#new summary").click()
    names = host.locator("#players input")
    for nth in range(2):
        expect(names.nth(nth)).to_have_attribute("list", "known")
    names.nth(0).fill("Ana")
    names.nth(1).fill("ana")
    say_yes(host)
    host.locator("#new-game button[type=submit]").click()
    expect(host.locator("#new-problem")).to_contain_text("cannot both be called Ana")
    assert table.at.state["table"]["game_id"] == 1


def test_options_explain_themselves(table: OpenTable, host: Page) -> None:
    host.locator("#new summary").click()
    assert host.locator("[name=hq_side] option").all_inner_texts() == ["A: the printed shapes", "B: six shapes by lot"]
    expect(host.get_by_label("Squares of the remote are circled")).to_be_visible()


# --- wishes and questions -----------------------------------------------------------------------


@pytest.mark.parametrize("agrees", [True, False])
def test_who_asks_to_undo_and_who_is_asked_read_which_move_it_is(
    agrees: bool, table: OpenTable, ana: Page, device: Device
) -> None:
    table.play_until_turn_of(0)
    table.at.play(1)
    move: Any = table.at.table.records[-1].event
    bo = device(table.address + "/seat")
    join(bo, 1, "Bo", "violet")
    known = events(table)
    ana.locator("#undo").click()
    expect(ana.locator("#asked")).to_contain_text(f"Ana paints '{move.shape}'")
    expect(bo.locator("#asked")).to_contain_text(f"Ana paints '{move.shape}'")
    bo.get_by_role("button", name="Yes" if agrees else "No").click()
    expect(bo.locator("#asked")).to_be_hidden()
    left = known[:-1] if agrees else known
    bo.wait_for_function(TOLD, arg=len(left))
    assert events(table) == left


def test_a_question_with_one_answer_has_a_no(table: OpenTable, ana: Page) -> None:
    table.play_until_turn_of(0)
    move = next(m for m in TAG_CITY.legal_moves(table.at.table.state, 0) if m.type == "shape_painted")
    assert table.at.table._referee is not None
    table.at.table._referee.question = Question("city-1", (move,), "sight.which")
    table.at.dashboard.publish()
    known = events(table)
    expect(ana.locator("#asked button")).to_have_count(2)
    ana.get_by_role("button", name="None of these").click()
    expect(ana.locator("#asked")).to_be_hidden()
    assert events(table) == known


# --- dice ---------------------------------------------------------------------------------------


def test_a_die_on_a_wrong_section_is_put_back_as_the_list_says(table: OpenTable, host: Page) -> None:
    state = drafting(table)
    section, other, value = moved_die(state)
    see(table, state, {HQ: moved(state)})
    asked = host.locator("#asked")
    expect(asked).to_contain_text(f"The {value} was on section {section} and lies on section {other} now.")
    asked.get_by_role("button", name="The record is right").click()
    expect(asked).to_contain_text("change this on the HQ")
    expect(asked.locator(".fixes li")).to_have_count(2)
    expect(host.locator("#said")).to_be_hidden()
    see(table, state)
    expect(asked).to_be_hidden()


def test_dice_may_stand_as_they_lie(table: OpenTable, host: Page) -> None:
    state = drafting(table)
    see(table, state, {HQ: moved(state)})
    _, other, _ = moved_die(state)
    host.locator("[data-focus=adopt]").click()
    expect(host.locator("#asked")).to_be_hidden()
    expect(host.locator("#said")).to_be_hidden()
    assert other in [die.section for die in table.at.table.state.dice]


def test_two_dice_gone_are_one_story_on_every_screen(table: OpenTable, host: Page, ana: Page, device: Device) -> None:
    state = drafting(table)
    screen = device(table.address + "/", "tv")
    gone = list(dict.fromkeys(f"section.{die.section}" for die in state.dice))
    see(table, state, {HQ: dict.fromkeys(gone, "empty")})
    told = f"{len(state.dice)} dice are gone from the HQ"
    for page, place in ((host, "#asked"), (ana, "#status"), (screen, "body")):
        expect(page.locator(place)).to_contain_text(told)
        expect(page.locator("body")).not_to_contain_text("draw now")
    host.locator("[data-focus=adopt]").click()
    expect(host.locator("#said")).to_contain_text("dice")
    expect(host.locator("#said")).not_to_contain_text("drawn")
    see(table, state)
    expect(host.locator("#asked")).to_be_hidden()
    expect(ana.locator("#status")).not_to_contain_text("gone")


def test_undoing_placements_says_what_to_put_where_and_nothing_else(table: OpenTable, host: Page, ana: Page) -> None:
    state = drafting(table)
    asked = host.locator("#asked")
    for taken_back in (1, 2):
        host.locator("#undo").click()
        expect(asked).to_contain_text("Put the dice as they were")
        expect(asked).not_to_contain_text("Wipe")
        asked.get_by_role("button", name="The record is right").click()
        expect(asked.locator(".fixes li")).not_to_have_count(0)
        expect(ana.locator("#asked")).to_be_hidden()
        state = table.at.table.state
        see(table, state)
        expect(asked).to_be_hidden()
        assert events(table).count("die_placed") == len(state.dice) - taken_back


# --- ink ----------------------------------------------------------------------------------------


def test_letting_stray_squares_stand_says_what_would_count_before_it_does(table: OpenTable, host: Page) -> None:
    while table.at.table.state.phase != "last" or len(TAG_CITY.to_act(table.at.table.state).must) != 1:
        table.at.play(1)
    state = table.at.table.state
    [seat] = TAG_CITY.to_act(state).must
    board, name = city_board(seat), table.at.table.setup.players[seat]
    free = [region for region, kind in TAG_CITY.expected_sight(state, board).items() if kind == "empty"]
    strays = [region for region in free if region.startswith("r") and region[1].isdigit()]
    see(table, state)
    see(table, state, {board: {strays[0]: "marked", strays[-1]: "marked"}})
    known = events(table)
    for yes in (False, True):
        said = answered(host, yes, host.locator("[data-focus=adopt]").click)
        if yes:
            expect(host.locator("#asked")).to_be_hidden()
        assert f"{name}'s whole turn" in said
        assert "The round ends with it" in said
        assert events(table)[len(known) :] == (["house_decided", "round_ended"] if yes else [])


def moved_die(state: Any) -> tuple[int, int, int]:
    """A die that lies alone, a free section that its face allows too, and its value."""
    taken = [die.section for die in state.dice]
    for die in state.dice:
        for other in state.printed.values[die.value]:
            if taken.count(die.section) == 1 and other not in taken:
                return die.section, other, die.value
    raise AssertionError("no die can be moved")


def moved(state: Any) -> dict[str, str]:
    """What the HQ shows when it was moved there."""
    section, other, value = moved_die(state)
    return {f"section.{section}": "empty", f"section.{other}": str(value)}
