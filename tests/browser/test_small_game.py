"""A game that brings sentences and no drawing of its own: every page shows it in a plain way, and plays it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pi_app.games import GAMES
from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.pages import become_host, join, obstacles, token
from tests.games.tram import GAME as TRAM
from tests.web.house import PIN

Sit = Callable[[int, str, str], Page]


@pytest.fixture(autouse=True)
def _tram_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if its folder lay among the others."""
    monkeypatch.setitem(GAMES, TRAM.name, TRAM)


@pytest.fixture
def table(lay: Lay) -> OpenTable:
    laid = lay(3, game=TRAM)
    laid.at.play(4)  # who begins, and three tickets
    return laid


@pytest.fixture
def sit(table: OpenTable, device: Device) -> Sit:
    def take_seat(seat: int, name: str, colour: str) -> Page:
        page = device(table.address + "/seat")
        join(page, seat, name, colour)
        return page

    return take_seat


def ticket_of(table: OpenTable, page: Page) -> int:
    told = table.at.get("/api/state", Authorization=f"Bearer {token(page)}").json["table"]
    tickets = [ticket for ticket in told["game"]["tickets"] if ticket is not None]
    assert len(tickets) == 1
    return int(tickets[0])


def test_a_seat_sees_its_own_ticket_and_makes_its_moves_by_buttons(table: OpenTable, sit: Sit, device: Device) -> None:
    turn = table.at.table.state.turn
    names = ("Ana", "Bo", "Cleo")
    phones = [
        sit(seat, name, colour) for seat, (name, colour) in enumerate(zip(names, ("lime", "pink", "blue"), strict=True))
    ]
    screen = device(table.address + "/", "tv")
    expect(screen.locator(".of-seat .name")).to_have_text(list(names))
    expect(screen.locator("#turn .what")).to_have_text(f"Now: {names[turn]}")
    expect(screen.locator("#shared-card")).to_contain_text("the tram line")
    expect(screen.locator("#shared-card [data-region='stop.1']")).to_have_text("stop 1: the tram")
    for seat, phone in enumerate(phones):
        own = ticket_of(table, phone)
        expect(phone.locator("#board [data-region=ticket]")).to_have_text(f"ticket to stop: {own}")
        expect(phone.locator("#status .what")).to_have_text("Your turn" if seat == turn else f"Now: {names[turn]}")
    assert screen.locator("[data-region=ticket]").count() == 0
    phones[turn].get_by_role("button", name="To stop 3").click()
    expect(screen.locator("#feed li").first).to_contain_text(f"{names[turn]} takes the tram to stop 3")
    expect(screen.locator("#shared-card [data-region='stop.3']")).to_have_text("stop 3: the tram")
    other = (turn + 2) % 3
    phones[other].get_by_role("button", name="Brake: box 1").click()
    expect(phones[other].locator("#board [data-region='brake.1']")).to_have_text("brake 1: marked")
    expect(phones[(turn + 1) % 3].locator("#can button")).to_have_text(["To stop 4"])
    assert obstacles(screen) == {}
    assert obstacles(phones[turn]) == {}


def test_the_host_starts_another_game_and_every_page_follows(lay: Lay, device: Device) -> None:
    laid = lay(2)
    screen, host = device(laid.address + "/", "tv"), device(laid.address + "/host", "laptop")
    become_host(host, PIN)
    expect(screen.locator(".of-seat .board")).to_have_count(2)
    host.locator("#new summary").click()
    expect(host.locator("#new-game [name=brakes]")).to_be_hidden()
    host.locator("#which").select_option("tram")
    expect(host.locator("#new-game [name=hq_side]")).to_be_hidden()
    assert host.locator("#new-game [name=brakes] option").all_inner_texts() == ["2", "1", "3"]
    for _ in range(6):
        host.locator("#more").click()
    expect(host.locator("#more")).to_be_hidden()
    host.once("dialog", lambda dialog: dialog.accept())
    host.locator("#new-game button[type=submit]").click()
    expect(screen.locator("html")).to_have_attribute("data-game", "tram")
    expect(screen.locator(".of-seat")).to_have_count(8)
    expect(host.locator("html")).to_have_attribute("data-game", "tram")
    assert obstacles(screen) == {}


def test_an_ended_game_has_its_sheet_and_its_replay(table: OpenTable, device: Device) -> None:
    screen = device(table.address + "/", "tv")
    table.at.play(60)
    expect(screen.locator("#turn .what")).to_have_text(re.compile("has won!|share the win"))
    expect(screen.locator("#result-card th[scope=row]")).to_have_text(["Ticket", "Brakes", "Total"])
    game = table.at.state["table"]["game_id"]
    page = device(table.address + f"/games/{game}", "laptop")
    expect(page.locator("#replay #shared")).to_contain_text("the tram")
    expect(page.locator("#replay figure [data-region=ticket]")).to_have_count(3)
    page.locator("#slider").press("Home")
    expect(page.locator("#replay #shared [data-region='stop.1']")).to_have_text("stop 1: the tram")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#timeline button").first).to_contain_text("begins")
    assert obstacles(page) == {}
