"""Moves by hand on a phone: a shape is dragged, turned and flipped over the own board, or a bubble is tapped."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pi_app.perception.sight import AGREEING, Glance, Look
from pi_app.table.inputs import Glanced, Looked
from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.pages import join, obstacles, token
from tests.browser.person import open_dice
from tests.playing import TAG_CITY
from tests.sighting import evidence_of
from web.text import Text


class Finger:
    """One finger on the glass, as the browser gets it from the screen."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        self._touch("touchStart", start)
        for n in range(1, steps + 1):
            self._touch("touchMove", *((a + (b - a) * n / steps for a, b in zip(start, end, strict=True)),))
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: Any) -> None:
        touched = [{"x": x, "y": y} for x, y in map(tuple, points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def sit_down(table: OpenTable, device: Device, size: str = "phone", seat: int = 0) -> Page:
    page = device(table.address + "/seat", size)
    join(page, seat, "Ana", "lime")
    return page


def choose_die(page: Page, nth: int = 0) -> None:
    page.locator("#can .dice-row button").nth(nth).click()
    expect(page.locator("#where")).to_contain_text("fits")


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def square_px(page: Page) -> float:
    """How wide a square is on this screen."""
    width: float = page.locator("#city .cell").first.evaluate("cell => cell.getBoundingClientRect().width")
    return width


def covered(page: Page) -> set[str]:
    """The squares under the piece, as the page names the corners of its box."""
    return set(page.locator("#where").inner_text().split(":")[0].split(" to "))


def own_moves(table: OpenTable, seat: int = 0) -> list[Any]:
    moves = ("shape_painted", "social_checked")
    feed = table.at.state["table"]["feed"]
    return [r["event"] for r in feed if r["event"]["type"] in moves and r["event"]["player"] == seat]


def test_a_shape_is_dragged_with_a_finger_and_entered(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    expect(page.locator("#piece")).to_contain_class("fits")
    before, (x, y), step = covered(page), middle(page, "#piece"), square_px(page)
    scrolled = page.evaluate("scrollY")
    Finger(page).drag((x, y), (x + 2 * step, y + step))
    assert page.evaluate("scrollY") == scrolled, "the page stays under the finger"
    moved = {chr(ord(name[0]) + 2) + str(int(name[1:]) + 1) for name in before}
    assert covered(page) == moved
    expect(page.locator("#piece")).to_contain_class("fits")
    page.locator("#enter").click()
    expect(page.locator("#entered")).to_contain_text("draw it on your board")
    [*_, entered] = own_moves(table)
    squares = [chr(65 + col) + str(row + 1) for row, col in entered["cells"]]
    expect(page.locator("#entered")).to_contain_text(" ".join(squares))
    corners = {(min(r for r, _ in entered["cells"])), (max(r for r, _ in entered["cells"]))}
    assert {int(name[1:]) - 1 for name in moved} == corners
    page.get_by_role("button", name="It is drawn").click()
    expect(page.locator("#entered")).to_be_hidden()


def see(table: OpenTable, state: Any, changes: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """A hand goes over everything, and then the camera sees what it would see in this state, but for the changes."""
    boards = evidence_of(state, changes)
    everywhere = frozenset(boards)
    table.at.table.step(Glanced(Glance(everywhere, everywhere)))
    for _ in range(AGREEING):
        table.at.table.step(Glanced(Glance()))
        table.at.table.step(Looked(Look(boards)))
    table.at.dashboard.publish()


@pytest.mark.parametrize("way", ["shape", "drone", "bubble"])
def test_the_card_goes_when_the_camera_has_seen_it_drawn(way: str, table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    before = table.at.table.state
    see(table, before)
    page = sit_down(table, device)
    choose_die(page)
    if way == "drone":
        page.locator("#can summary").click()
        page.locator("#can details .ways button").last.click()
    if way == "bubble":
        page.get_by_role("button", name="bubble 2").tap()
    page.locator("#enter").click()
    expect(page.locator("#entered")).to_contain_text("draw it on your board")
    entered = table.at.table.state
    see(table, before)
    page.locator("#reread").click()  # whatever else is shown meanwhile
    expect(page.locator("#said")).to_be_visible()
    expect(page.locator("#entered")).to_be_visible()
    see(table, entered)
    expect(page.locator("#entered")).to_be_hidden()


def test_the_card_stays_while_a_part_is_missing(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    before = table.at.table.state
    see(table, before)
    page = sit_down(table, device)
    choose_die(page)
    page.locator("#enter").click()
    expect(page.locator("#entered")).to_be_visible()
    [*_, entered] = own_moves(table)
    after = table.at.table.state
    row, col = entered["cells"][-1]
    see(table, after, {"city-1": {f"r{row + 1}c{col + 1}": "empty"}})
    expect(page.locator("#status")).not_to_contain_text("hand")
    expect(page.locator("#entered")).to_be_visible()


def test_a_shape_is_dragged_with_a_mouse(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device, "laptop")
    choose_die(page)
    before, step = covered(page), square_px(page)
    page.locator("#piece").scroll_into_view_if_needed()
    x, y = middle(page, "#piece")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 2 * step, y, steps=5)
    page.mouse.up()
    assert covered(page) == {chr(ord(name[0]) - 2) + name[1:] for name in before}


def test_turning_and_flipping_reaches_every_orientation(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    shape = page.locator("#can .ways button[aria-pressed=true] .small").inner_text()
    seen = set()
    for _ in range(2):
        for _ in range(4):
            seen.add(page.locator("#piece").inner_html())
            page.locator("#turn-piece").tap()
        page.locator("#flip-piece").tap()
    die = open_dice(table.at.state["table"]["game"])[0]
    groups = table.at.get(f"/api/placements?piece={die}", Authorization=f"Bearer {token(page)}").json["shapes"]
    [placements] = [group["placements"] for group in groups if group["shape"] == shape and group["drone"] is None]
    assert len(seen) == len({_from_corner(cells) for cells in placements})


def _from_corner(cells: list[list[int]]) -> tuple[tuple[int, int], ...]:
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return tuple(sorted((row - top, col - left) for row, col in cells))


def test_a_tap_brings_the_shape_there_and_arrows_move_it_on(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    box = page.locator("#city .wall").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 4, box["y"] + 4)
    assert "A1" in covered(page), "however large it is, it stays in the city"
    before = covered(page)
    page.get_by_role("button", name="Move right").click()
    assert covered(page) == {chr(ord(name[0]) + 1) + name[1:] for name in before}


def test_where_it_cannot_lie_it_says_why_and_cannot_be_entered(table: OpenTable, device: Device) -> None:
    while not any("#" in line for line in table.at.state["table"]["game"]["boards"][0]["painted"]):
        table.at.play(1)
    painted = table.play_until_turn_of(0)["game"]["boards"][0]["painted"]
    row, col = next((r, c) for r, line in enumerate(painted) for c, mark in enumerate(line) if mark == "#")
    page = sit_down(table, device)
    choose_die(page)
    square = page.locator("#city .paint").first.bounding_box()
    assert square is not None
    page.mouse.click(square["x"] + 5, square["y"] + 5)
    for _ in range(8):
        if chr(65 + col) + str(row + 1) in page.locator("#where").inner_text():
            break
        page.locator("#turn-piece").click()
    expect(page.locator("#where")).to_contain_text("painted already")
    expect(page.locator("#piece")).not_to_contain_class("fits")
    expect(page.locator("#enter")).to_be_disabled()


def test_the_piece_keeps_nobody_out(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    assert obstacles(page) == {}
    page.get_by_role("button", name="bubble 2").tap()
    assert obstacles(page) == {}


def test_a_drone_paints_another_shape(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    page.locator("#can summary").click()
    other = page.locator("#can details .ways button").last
    name = other.locator(".small").inner_text()
    other.click()
    expect(page.locator("#piece")).to_have_attribute("aria-label", f"{name}: {page.locator('#where').inner_text()}")
    page.locator("#enter").click()
    expect(page.locator("#entered")).to_contain_text("square 1 of your remote")
    entered = own_moves(table)[-1]
    assert (entered["shape"], entered["drone"]) == (name, 1)


def test_a_bubble_is_tapped(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    page.get_by_role("button", name="bubble 2").tap()
    expect(page.locator("#piece")).to_be_hidden()
    expect(page.locator("#city .picked")).to_be_visible()
    assert "social_checked" not in [move["type"] for move in own_moves(table)], "a tap alone enters nothing"
    page.locator("#enter").tap()
    expect(page.locator("#entered")).to_contain_text("Circle bubble 2")
    assert own_moves(table)[-1]["bubble"] == 2


def test_a_die_that_is_gone_takes_its_shape_along(table: OpenTable, device: Device) -> None:
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    table.at.play(1)  # the camera has seen the move meanwhile
    expect(page.locator("#piece")).to_be_hidden()
    expect(page.locator("#moving")).to_be_hidden()
    table.play_until_turn_of(0)
    expect(page.locator("#can .dice-row button").first).to_be_visible()
    expect(page.locator("#can [aria-pressed=true]")).to_have_count(0)
    expect(page.locator("#piece")).to_be_hidden()


def test_others_using_the_last_die_do_not_take_the_shape_away(lay: Lay, device: Device) -> None:
    table = lay(3)
    while len(table.at.state["table"]["game"]["to_act"]) != 3:
        table.at.play(1)
    page = sit_down(table, device, seat=2)
    choose_die(page)
    expect(page.locator("#can h2")).to_have_text(Text("en", (), TAG_CITY.folder)("seat.last"))
    table.at.play(1)
    expect(page.locator("#others")).to_be_visible()
    expect(page.locator("#piece")).to_be_visible()
    table.at.play(1)  # now this seat alone is left, and it is still the last die, which nobody takes
    expect(page.locator("#can h2")).to_have_text(Text("en", (), TAG_CITY.folder)("seat.last"))
    expect(page.locator("#piece")).to_be_visible()


@pytest.mark.parametrize("order", ["printed", "free"])
def test_a_remote_in_any_order_offers_its_squares(order: str, table: OpenTable, device: Device) -> None:
    host = table.at.host()
    options = {"city_side": "A", "hq_side": "A", "drone_order": order, "equal_dice": True}
    begun = table.at.command("new_game", {"players": ["Ana", "Bo"], "options": options, "profile": "house"}, host)
    assert begun.status_code == 200, begun.json
    table.play_until_turn_of(0)
    page = sit_down(table, device)
    choose_die(page)
    page.locator("#can summary").click()
    slots = page.locator("#can .slot")
    expect(slots).to_have_count(5 if order == "free" else 0)
    if order == "free":
        slots.nth(2).click()
        page.locator("#enter").click()
        expect(page.locator("#entered")).to_be_visible()
        assert own_moves(table)[-1]["drone"] == 3
