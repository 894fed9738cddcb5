"""The simulated table on one page: dice, pens and seats with mouse, finger and keys alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from hardware.sim.table import SimTable
from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.renderer import SimRenderer
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.table.inputs import Command
from tests.browser.chromium import SIZES
from tests.browser.conftest import Device, Front
from tests.browser.test_keyboard import tab_to
from tests.playing import TAG_CITY, house_setup
from tests.web.house import Table4Web, opened

Open = Callable[..., Page]
ASKED_AT_MOST = 500


@dataclass
class At:
    """A simulated table between two seats; nobody moves there by themselves."""

    web: Table4Web
    sim: SimTable
    address: str
    renderer: SimRenderer

    def strokes_in(self, region: str, board: str = "city-1") -> int:
        """How many lines lie wholly in this region."""
        outline = self.renderer.layout.board(board).regions[region]
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        inside = [
            all(min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys) for x, y in stroke.points_mm)
            for stroke in self.sim.state.strokes
            if stroke.board == board
        ]
        return sum(inside)


@pytest.fixture(scope="module")
def renderer() -> SimRenderer:
    return SimRenderer.of(TAG_CITY.edition.kit(house_setup(2).profile))


@pytest.fixture
def at(tmp_path: Path, renderer: SimRenderer, front: tuple[Front, int]) -> Iterator[At]:
    room = SimRoom()
    with opened(tmp_path, players=2, sim=room) as web:
        sim = SimTable(1, lambda: 0.0, renderer.boards(TAG_CITY.surfaces(house_setup(2))))
        for seat, name in enumerate(web.table.setup.players):
            web.table.step(Command("sit", {"seat": seat, "name": name, "bot": True}))
        web.play(1)  # somebody leads and is to roll
        room.open(SimGame(sim, web.table, renderer, Pictures(renderer.layout)))
        front[0].app = web.client.application
        yield At(web, sim, f"http://127.0.0.1:{front[1]}", renderer)


@pytest.fixture
def host(at: At, device: Device) -> Open:
    """Opens the page as a host."""

    def visit(size: str = "laptop") -> Page:
        kept = [{"name": "allcity.host", "value": at.web.host()}]
        page = device(at.address + "/sim", size, storage_state=_remembers(at, kept))
        expect(page.locator("#roll")).to_be_enabled()
        return page

    return visit


def test_without_a_token_everything_looks_as_it_is_and_leads_to_a_seat(at: At, device: Device) -> None:
    page = device(at.address + "/sim", "laptop")
    expect(page.locator("#no-token")).to_be_visible()
    controls = page.locator(".sim fieldset button, .sim fieldset input")
    assert controls.count() > 15
    assert all(controls.nth(n).is_disabled() for n in range(controls.count()))
    assert page.locator("#paper svg").get_attribute("tabindex") is None
    page.locator("#paper svg").click()
    assert at.sim.state.strokes == ()
    assert [link.get_attribute("href") for link in page.locator("#no-token a").all()] == ["/seat", "/host"]
    page.locator("#boards button", has_text="HQ").click()  # looking is free
    expect(page.locator("#paper svg")).to_have_attribute("aria-label", "the HQ")


def _remembers(at: At, kept: list[dict[str, str]]) -> Any:
    """What a browser knows that was here before."""
    return {"cookies": [], "origins": [{"origin": at.address, "localStorage": kept}]}


def test_a_token_that_is_no_longer_good_is_none(at: At, device: Device) -> None:
    kept = [{"name": "allcity.host", "value": "0" * 43}]
    page = device(at.address + "/sim", "laptop", storage_state=_remembers(at, kept))
    expect(page.locator("#no-token")).to_be_visible()
    expect(page.locator("#roll")).to_be_disabled()


def test_who_this_device_is_is_asked_again_until_the_table_answers(at: At, device: Device) -> None:
    kept = [{"name": "allcity.host", "value": at.web.host()}]
    page = device("about:blank", "laptop", storage_state=_remembers(at, kept))
    page.route("**/api/me", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/me")):
        page.goto(at.address + "/sim")
    expect(page.locator("#paper svg")).to_be_visible()
    expect(page.locator("#roll")).to_be_disabled()
    expect(page.locator("#no-token")).to_be_hidden()  # nobody knows that yet
    page.unroute_all()
    expect(page.locator("#roll")).to_be_enabled()


def test_the_page_says_what_to_do_and_links_to_its_rule(at: At, host: Open) -> None:
    page = host()
    expect(page.locator("#turn")).to_contain_text("leads and rolls")
    expect(page.locator("#how .rule-link")).to_have_attribute("href", "/rules#roll")
    expect(page.locator("#how")).to_contain_text("Bots play by themselves")
    for seat in (0, 1):
        page.locator("#seats li").nth(seat).get_by_text("By hand").click()
    expect(page.locator("#how")).to_contain_text("Roll the dice.")
    expect(page.locator("#roll.main")).to_be_visible()
    wait_for_bots(at, page, set())
    page.locator("#seats li").nth(1).get_by_text("Bot").click()
    expect(page.locator("#who")).to_contain_text("Bots play the others")
    wait_for_bots(at, page, {1})


def wait_for_bots(at: At, page: Page, seats: set[int]) -> None:
    """The page shows a choice before the table has taken it in; whatever is asked meanwhile gives it time."""
    for _ in range(ASKED_AT_MOST):
        if at.web.table.bots == seats:
            return
        page.request.get(at.address + "/api/sim")
    raise AssertionError(f"bots play {at.web.table.bots}, not {seats}")


def test_a_choice_of_seats_is_not_undone_by_an_answer_from_before_it(at: At, host: Open) -> None:
    page = host()
    before = page.request.get(at.address + "/api/sim").json()
    assert before["bots"] == [0, 1]

    def late(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(json=before)
        else:
            route.continue_()

    page.route("**/api/sim", late)
    for seat in (0, 1):
        with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/api/sim")):
            page.locator("#seats li").nth(seat).get_by_text("By hand").click()
    wait_for_bots(at, page, set())
    page.unroute_all()
    expect(page.locator("#seats [aria-pressed=true]", has_text="By hand")).to_have_count(2)


def test_a_choice_that_the_table_does_not_take_is_not_shown_for_ever(at: At, host: Open) -> None:
    page = host()
    page.route("**/api/sim", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#seats li").nth(0).get_by_text("By hand").click()
    expect(page.locator("#seats [aria-pressed=true]", has_text="Bot")).to_have_count(2)


def test_a_die_is_put_taken_and_put_back(at: At, host: Open) -> None:
    page = host()
    page.locator("#roll").click()
    dice = page.locator(".dice-row button")
    expect(dice).to_have_count(3)
    values = [die.value for die in at.sim.state.dice]
    page.locator("[data-focus='hq section.4']").click()
    expect(dice.first).to_contain_text("section 4")
    dice.first.click()
    page.get_by_role("button", name="Take", exact=True).click()
    expect(page.locator(".dice-row .taken")).to_have_text("in hand")
    assert [die.value for die in at.sim.state.dice] == values[1:]
    page.locator(".dice-row .taken").click()
    page.locator("[data-focus='hq section.2']").click()
    expect(page.locator(".dice-row .taken")).to_have_count(0)
    put = ("hq", "section.2")
    assert sorted((die.value, die.at or ()) for die in at.sim.state.dice) == sorted(
        [(values[0], put), (values[1], ()), (values[2], ())]
    )


def test_a_turn_is_played_with_keys_alone(at: At, host: Open) -> None:
    page = host()
    tab_to(page, "#roll")
    page.keyboard.press("Enter")
    expect(page.locator(".dice-row button")).to_have_count(3)
    tab_to(page, "[data-focus='hq section.5']")
    page.keyboard.press("Space")
    expect(page.locator(".dice-row button").first).to_contain_text("section 5")
    tab_to(page, "#paper svg")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#place")).to_have_text("B2")
    expect(page.locator("#paper .line")).to_have_count(2)
    assert at.strokes_in("r2c2") == 2
    assert page.evaluate("document.activeElement.matches('#paper svg')"), "the focus stays on the board"
    page.keyboard.press("Delete")
    expect(page.locator("#paper .line")).to_have_count(0)
    for _ in "CDEFGHIJKL":
        page.keyboard.press("ArrowRight")
    for beyond in ("the high value of row 2", "the low value of row 2", "bubble 1"):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#place")).to_have_text(beyond)
    page.keyboard.press("Enter")
    expect(page.locator("#paper .line")).to_have_count(1)
    assert at.strokes_in("bubble.1") == 1


def test_a_tap_crosses_a_square_and_a_line_is_a_line(at: At, host: Open) -> None:
    page = host("phone")
    expect(page.locator("#paper image")).to_be_visible()
    frame = page.locator("#paper svg").bounding_box()
    layout = at.renderer.layout.board("city-1")
    assert frame is not None
    scale = frame["width"] / layout.width_mm
    [(left, top), _, (right, bottom), _] = layout.regions["r3c4"]
    x, y = frame["x"] + scale * (left + right) / 2, frame["y"] + scale * (top + bottom) / 2
    page.touchscreen.tap(x, y)
    expect(page.locator("#paper g .line")).to_have_count(2)
    assert at.strokes_in("r3c4") == 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60 * scale, y, steps=6)
    page.mouse.up()
    expect(page.locator("#paper g .line")).to_have_count(3)


def test_a_tap_counts_while_the_one_before_is_being_answered(at: At, host: Open) -> None:
    page = host()
    page.locator("#paper image").hover()  # nothing moves on the page any more
    frame, layout = page.locator("#paper image").bounding_box(), at.renderer.layout.board("city-1")
    assert frame is not None
    scale = frame["width"] / layout.width_mm

    def point_at(region: str) -> None:
        [(left, top), _, (right, bottom), _] = layout.regions[region]
        page.mouse.move(frame["x"] + scale * (left + right) / 2, frame["y"] + scale * (top + bottom) / 2)

    point_at("r1c1")
    page.mouse.down()
    page.mouse.up()
    point_at("r1c2")
    page.mouse.down()
    for _ in range(2):
        with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/api/sim")):
            pass  # by now both lines of the first cross are answered
    page.mouse.up()
    expect(page.locator("#paper g .line")).to_have_count(4)
    assert [at.strokes_in(region) for region in ("r1c1", "r1c2")] == [2, 2]


def test_on_a_phone_a_turn_needs_no_long_scrolling(at: At, host: Open) -> None:
    page = host("phone")
    page.locator("#roll").click()
    expect(page.locator(".dice-row button")).to_have_count(3)
    frame = page.locator("#paper").bounding_box()
    assert frame is not None
    assert frame["y"] + frame["height"] < 1.2 * SIZES["phone"][1], "dice and board are nearly on one screen"
    assert not page.locator(".faults input").first.is_visible(), "faults are folded away"


def test_without_a_game_it_says_so_and_offers_nothing(at: At, host: Open) -> None:
    page = host()
    room = at.web.house.sim
    assert isinstance(room, SimRoom)
    room.close()
    expect(page.locator("#said")).to_contain_text("Start one on the host's page")
    expect(page.locator("#roll")).to_be_hidden()
    expect(page.locator("#paper")).to_be_hidden()
    expect(page.locator("#camera")).to_be_hidden()
