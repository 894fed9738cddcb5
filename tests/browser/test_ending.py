"""The end of a game on a phone: the score sheet, the picture to share, another game."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.pages import become_host, join, obstacles
from tests.web.house import PIN
from web.text import LANGUAGES, Text

ALL_MOVES = 4000
NAMES = ("Ana", "Maximilian", "NEON", "Wolfeschlegelsteinhausen")
COLOURS = ("lime", "violet", "orange", "cyan")
BROKEN = """() => [...document.querySelectorAll(".score-sheet th.name")].filter((cell) => {
  const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  range.selectNodeContents(words.nextNode());
  return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1;
}).map((cell) => cell.textContent)"""
"""Names without a space that take more than one line."""


def play_to_the_end(table: OpenTable, device: Device, seat: int = 0, language: str = "en") -> Page:
    phone = device(table.address + "/seat", language=language)
    join(phone, seat, "Ana", "lime")
    table.at.play(ALL_MOVES)
    expect(phone.locator("#end")).to_be_visible()
    return phone


def test_everybody_sees_the_score_sheet_and_the_own_place(lay: Lay, device: Device) -> None:
    table = lay(3)
    phones = [play_to_the_end(table, device)]
    for seat in (1, 2):
        phone = device(table.address + "/seat")
        join(phone, seat, NAMES[seat], COLOURS[seat])
        phones.append(phone)
    boards = table.at.state["table"]["game"]["boards"]
    result = table.at.state["table"]["game"]["result"]
    totals = [board["score"]["total"] for board in boards]
    for seat, phone in enumerate(phones):
        expect(phone.locator("#end h2")).to_have_text(
            "You are ALL CITY!" if seat in result["winners"] else f"You came {_place(totals, seat)}"
        )
        own = phone.locator("#end td.own")
        expect(own.last).to_have_text(str(totals[seat]))
        assert own.count() == 6
        expect(phone.locator("#can")).to_be_hidden()


def _place(totals: list[int], seat: int) -> str:
    return ("1st", "2nd", "3rd")[sum(total > totals[seat] for total in totals)]


def test_the_end_keeps_nobody_out(lay: Lay, device: Device) -> None:
    assert obstacles(play_to_the_end(lay(4), device)) == {}


def test_the_picture_can_be_kept_where_sharing_is_not_possible(table: OpenTable, device: Device) -> None:
    phone = play_to_the_end(table, device)
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Picture to share").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_picture_is_shared_where_a_device_can(table: OpenTable, device: Device) -> None:
    phone = device("about:blank")
    phone.add_init_script(
        """navigator.canShare = () => true;
        navigator.share = async ({ files: [file] }) => {
          document.title = `${file.name} ${file.type} ${file.size}`;
        };"""
    )
    phone.goto(table.address + "/seat")
    join(phone, 0, "Ana", "lime")
    table.at.play(ALL_MOVES)
    phone.get_by_role("button", name="Share").click()
    expect(phone).to_have_title(re.compile(r"all-city-1\.png image/png \d{5,}"))


def test_another_game_is_the_hosts_to_start(table: OpenTable, device: Device) -> None:
    phone = play_to_the_end(table, device)
    phone.get_by_role("link", name="To the host's page").click()
    become_host(phone, PIN)
    phone.goto(table.address + "/seat")
    phone.get_by_role("link", name="Another game").click()
    expect(phone.locator("#new-game")).to_be_visible()
    phone.locator("#new-game button[type=submit]").click()
    phone.goto(table.address + "/seat")
    expect(phone.locator("#status")).not_to_contain_text("ALL CITY")
    expect(phone.locator("#end")).to_be_hidden()


@pytest.mark.parametrize("size", ["phone", "tablet", "laptop", "tv"])
def test_names_are_never_broken_in_the_score_sheet(size: str, lay: Lay, device: Device) -> None:
    table = lay(4)
    for seat, name in enumerate(NAMES):
        token = table.at.join(seat, name, COLOURS[seat])
    table.at.play(ALL_MOVES)
    for path, language in (("/", "en"), ("/seat", "fr")):
        page = device(table.address + path, size, language)
        page.evaluate("token => localStorage.setItem('allcity.seat', token)", token)
        page.reload()
        expect(page.locator(".score-sheet th.name")).to_have_count(4)
        assert page.evaluate(BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_is_told_in_every_language(language: str, table: OpenTable, device: Device) -> None:
    phone = play_to_the_end(table, device, language=language)
    expect(phone.locator("#end")).to_contain_text(Text(language)("history.picture"))
    expect(phone.locator("#end")).to_contain_text(Text(language)("seat.another_hint"))
