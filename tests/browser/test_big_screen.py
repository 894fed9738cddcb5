"""The big screen uses its room: boards as large as they can be, nothing below the edge, no line cut through."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import SIZES
from tests.browser.conftest import Device, Lay, OpenTable

MIDDLE, END = 40, 4000
ADDRESSES = ("http://192.0.2.20:8080", "http://allcity.local:8080")
IN_ITS_OWN = {
    "addresses": ["http://10.42.0.1:8080", "http://allcity.local:8080"],
    "hotspot": {"name": "allcity-1a2b", "password": "w7xkq2mzpa"},
}
SMALLEST_CODE_PX = 80
BIG = ("tablet", "laptop", "tv")
USED = 0.4
"""Of its card's area, the least that a board takes; name, score and what the table says need the rest."""
SHARES = """() => [...document.querySelectorAll(".of-seat")].map((card) => {
  const { width, height } = card.querySelector(".board").viewBox.baseVal;
  const box = card.querySelector(".board").getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height);
  const around = card.getBoundingClientRect();
  return (scale * width * scale * height) / (around.width * around.height);
})"""
CUT = """() => [...document.querySelectorAll("#feed li:not([hidden])")].filter((line) =>
  line.getBoundingClientRect().bottom > document.getElementById("feed").getBoundingClientRect().bottom + 1).length"""


def look(lay: Lay, device: Device, players: int, moves: int, size: str) -> Page:
    table = lay(players, addresses=ADDRESSES)
    table.at.play(moves)
    screen = device(table.address + "/", size)
    expect(screen.locator(".of-seat")).to_have_count(players)
    screen.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    return screen


@pytest.mark.parametrize("size", BIG)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_boards_use_their_room(players: int, size: str, lay: Lay, device: Device) -> None:
    screen = look(lay, device, players, MIDDLE, size)
    assert min(screen.evaluate(SHARES)) > USED


@pytest.mark.parametrize("moves", [MIDDLE, END])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_fits(players: int, size: str, moves: int, lay: Lay, device: Device) -> None:
    screen = look(lay, device, players, moves, size)
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size in BIG:
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert screen.evaluate(CUT) == 0
        for card in screen.locator(".side .card:visible").all():
            assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1"), card.get_attribute("id")
            if card.get_attribute("id") != "marks-card":
                assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1"), card.get_attribute("id")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 4])
def test_the_codes_of_network_and_dashboard_stand_side_by_side_until_somebody_has_joined(
    players: int, size: str, lay: Lay, device: Device
) -> None:
    table = lay(players, addresses=ADDRESSES)
    table.at.play(MIDDLE)
    table.at.house.hub.publish("network", IN_ITS_OWN)
    screen = device(table.address + "/", size)
    expect(screen.locator("#wifi-card")).to_contain_text("w7xkq2mzpa")
    expect(screen.locator("#addresses")).to_contain_text("10.42.0.1")
    for code in ("#wifi-code", "#join-code"):
        expect(screen.locator(code)).to_have_js_property("complete", True)
        assert screen.locator(code).evaluate("code => code.naturalWidth > 0")
        assert screen.locator(code).evaluate("code => code.getBoundingClientRect().width") >= SMALLEST_CODE_PX
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size in BIG:
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for card in screen.locator(".side .card:visible").all():
            assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1"), card.get_attribute("id")
            assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1"), card.get_attribute("id")
    table.at.join(0)
    expect(screen.locator("#wifi-card")).to_be_hidden()


def test_the_big_screen_follows_the_table_into_another_network(lay: Lay, device: Device) -> None:
    table = lay(2, addresses=ADDRESSES)
    screen = device(table.address + "/", "tv")
    expect(screen.locator("#addresses")).to_contain_text("192.0.2.20")
    table.at.house.hub.publish("network", {"addresses": ["http://192.0.2.77"], "hotspot": None})
    expect(screen.locator("#addresses")).to_contain_text("192.0.2.77")
    assert "192.0.2.77" in str(screen.locator("#join-code").get_attribute("src"))


@pytest.mark.parametrize("size", BIG)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_happened_is_told_in_whole_lines(players: int, size: str, lay: Lay, device: Device) -> None:
    screen = look(lay, device, players, MIDDLE, size)
    lines = screen.locator("#feed li:visible")
    tall = screen.evaluate("document.getElementById('feed').getBoundingClientRect().height")
    letters = screen.evaluate("parseFloat(getComputedStyle(document.getElementById('feed')).lineHeight)")
    assert lines.count() > 0
    assert tall >= 3 * letters
    assert screen.evaluate(CUT) == 0


@pytest.mark.parametrize("size", BIG)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_to_be_drawn_comes_first_and_is_counted(players: int, size: str, lay: Lay, device: Device) -> None:
    table = lay(players, addresses=ADDRESSES)
    table.at.play(MIDDLE)
    state = table.at.state
    state["table"]["marks"] = [
        {"board": f"city-{n % players + 1}", "region": f"row.{n + 1}.high", "seen": "empty", "expected": "crossed"}
        for n in range(8)
    ]
    screen = device("about:blank", size)
    screen.route("**/api/stream", lambda route: route.abort())
    screen.route("**/api/state", lambda route: route.fulfill(json=state))
    screen.goto(table.address + "/")
    expect(screen.locator("#marks-card")).to_be_visible()
    shown = screen.locator("#marks li:visible").count()
    assert shown >= 2
    expect(screen.locator("#marks-card h2")).to_have_text("To draw" if shown == 8 else "To draw · 8")
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert screen.evaluate(CUT) == 0


def test_a_window_that_is_made_smaller_is_laid_out_anew(lay: Lay, device: Device) -> None:
    screen = look(lay, device, 3, MIDDLE, "tv")
    expect(screen.locator("#boards")).to_have_attribute("data-columns", "3")
    screen.set_viewport_size({"width": 820, "height": 1180})
    expect(screen.locator("#boards")).to_have_attribute("data-columns", "2")
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
    screen.set_viewport_size({"width": 390, "height": 844})
    expect(screen.locator("#feed li")).not_to_have_count(0)
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_code_to_join_goes_when_everybody_sits(lay: Lay, device: Device) -> None:
    table = lay(2)
    screen = device(table.address + "/", "laptop")
    expect(screen.locator("#join-card")).to_be_visible()
    table.at.join(0, "Ana", "lime")
    table.at.join(1, "Bo", "violet")
    expect(screen.locator("#join-card")).to_be_hidden()


def test_a_game_that_waits_for_its_lot_asks_who_begins(table: OpenTable, device: Device) -> None:
    assert table.at.state["table"]["game"]["phase"] == "leader"
    screen = device(table.address + "/", "tv")
    expect(screen.locator("#turn .what")).to_have_text("Who leads first?")
    table.at.play(1)
    leader = table.at.state["table"]["players"][table.at.state["table"]["game"]["leader"]]
    expect(screen.locator("#turn .what")).to_have_text(f"{leader} leads and rolls")
