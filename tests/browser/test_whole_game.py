"""A whole simulated game by pixels in the real program, on four screens: a move by hand, a question, a mistake and its
repair, a pulled plug, a decision of the house, and what history keeps of it."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect
from playwright.sync_api import TimeoutError as NotThere

from tests.browser.conftest import Device
from tests.browser.pages import become_host, join, token
from tests.browser.person import Cell, Person, open_dice
from tests.browser.program import Program, is_watched, waits_for_people
from tests.browser.test_picker import covered
from tests.playing import TAG_CITY
from web.text import Text

GAME_MS = 400_000
"""Bots play a whole game in much less, also where they share two cores with four pages."""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    with Program(tmp_path, "--sim", "--players", "2", "--seed", "5", "--speed", "max") as running:
        yield running


class Evening:
    """Who looks at the game: the big screen, two phones, the host."""

    def __init__(self, program: Program, device: Device) -> None:
        self.program, self.address = program, program.site.address
        self.host = device(self.address + "/host", "laptop")
        become_host(self.host, program.pin)
        self.host.locator("#pause").click()  # until all have come
        self.screen = device(self.address + "/", "tv")
        self.ana, self.bo = (device(self.address + "/seat", language=language) for language in ("en", "fr"))
        join(self.ana, 0, "Ana", "lime")
        join(self.bo, 1, "Bo", "violet")
        self.person = Person(program.site, token(self.ana), 0)
        self.person.act("bots", seats=[1])
        self.host.locator("#resume").click()
        self.person.read()  # what the bot that had her seat was drawing

    @property
    def pages(self) -> list[Page]:
        return [self.host, self.screen, self.ana, self.bo]

    @property
    def records(self) -> list[Any]:
        feed: list[Any] = self.person.table["feed"]
        return feed


def test_a_whole_game_by_pixels(program: Program, device: Device) -> None:
    at = Evening(program, device)
    expect(at.screen.locator(".of-seat .name")).to_have_text(["Ana", "Bo"])
    doubtful = enter_a_move_by_hand(at)
    answer_a_question(at, doubtful)
    at.ana.reload()
    repair_the_board(at)
    pull_the_plug(at)
    let_the_house_decide(at)
    play_to_the_end(at)
    look_back(at)
    begin_another(at)


def enter_a_move_by_hand(at: Evening) -> Cell:
    """Ana's pen slips, and she enters her move on the phone; what to draw is shown until the camera has seen it drawn.

    Gives the square where it slipped: from then on the table knows that it is not to be judged by that ink.
    """
    person, phone = at.person, at.ana
    table = person.until_my_draw()
    expect(phone.locator("#status")).to_contain_class("mine-now")
    die = open_dice(table["game"])[0]
    phone.locator(f"[data-focus=die-{die}]").click()
    expect(phone.locator("#piece")).to_contain_class("fits")
    person.take(table, die)
    slip = _open_square(table, [_cell(name) for name in covered(phone)])
    person.cross([slip])
    person.read()
    phone.locator("#enter").click()
    expect(phone.locator("#entered")).to_contain_text("draw it on your board")
    entered = next(event for event in _newest_first(at) if event["type"] == "shape_painted" and event["player"] == 0)
    person.cross(entered["cells"])
    expect(phone.locator("#entered")).to_be_hidden()
    return slip


def answer_a_question(at: Evening, doubtful: Cell) -> None:
    """Ana draws a shape over the square that the table was told not to judge; her phone asks with a picture."""
    person = at.person
    table = person.until_my_draw()
    die, cells = _placement(at, table, doubtful)
    person.take(table, die)
    person.cross(cell for cell in cells if tuple(cell) != tuple(doubtful))
    crops = at.ana.locator("#asked img")
    expect(crops.first).to_be_visible()
    assert crops.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50
    meant = person.table["question"]["moves"][0]
    assert meant["cells"] == cells
    at.ana.locator("#asked button").first.click()
    expect(at.ana.locator("#asked")).to_be_hidden()
    assert meant in [record["event"] for record in at.records]


def repair_the_board(at: Evening) -> None:
    """Ana draws what no rule explains. The record is right: her phone tells what to wipe, and she goes on."""
    person = at.person
    table = person.until_my_draw()
    die, cells = _placement(at, table)
    person.take(table, die)
    stray = _far_from(cells, table)
    person.cross([*cells[1:], stray])
    asked = at.ana.locator("#asked")
    expect(asked.get_by_role("button", name="The record is right")).to_be_visible()
    _do_as_the_list_says(at)
    if asked.is_visible():  # something of the bot's that had been read by then was wiped, too
        _do_as_the_list_says(at)
    expect(asked).to_be_hidden()
    known = person.table["last_seq"]
    person.cross(cells)
    person.until(lambda now: now["last_seq"] > known, "what was meant is accepted")


def _do_as_the_list_says(at: Evening) -> None:
    person, asked = at.person, at.ana.locator("#asked")
    asked.get_by_role("button", name="The record is right").click()
    expect(asked.locator(".fixes li")).not_to_have_count(0)
    fixes = person.table["restore"]
    expect(asked.locator(".fixes li")).to_have_count(len(fixes))
    person.wipe([fix["region"] for fix in fixes if fix["expected"] == "empty"])
    missing = [fix["region"][1:].split("c") for fix in fixes if fix["expected"] != "empty"]
    person.cross([(int(row) - 1, int(column) - 1) for row, column in missing])
    with suppress(NotThere):  # the table may have seen it by itself
        asked.get_by_role("button", name="Read again").click(timeout=3_000)
    person.read()


def _newest_first(at: Evening) -> list[Any]:
    return [record["event"] for record in reversed(at.records)]


def _placement(at: Evening, table: Any, over: Cell | None = None) -> tuple[int, list[Cell]]:
    """A die with a place for the shape of its section, over this square if it is told."""
    for die in open_dice(table["game"]):
        for group in at.person.placements(die)["shapes"]:
            for cells in group["placements"] if group["drone"] is None else ():
                if over is None or list(over) in cells:
                    return die, cells
    raise AssertionError(f"no shape fits over {over}")


def _free(table: Any) -> list[tuple[int, int]]:
    painted = table["game"]["boards"][0]["painted"]
    return [(row, col) for row, line in enumerate(painted) for col, mark in enumerate(line) if mark != "#"]


def _far_from(cells: Iterable[Cell], table: Any) -> Cell:
    """The free square that is farthest from these."""
    return max(_free(table), key=lambda spot: _distance(spot, cells))


def _open_square(table: Any, cells: Iterable[Cell]) -> Cell:
    """The square with most room around it, so that shapes fit over it, as far as possible from these."""
    free = set(_free(table))

    def room(spot: Cell) -> int:
        around = product(range(-2, 3), repeat=2)
        taken = [(row, col) for row, col in around if (spot[0] + row, spot[1] + col) not in free]
        return min((max(abs(row), abs(col)) for row, col in taken), default=3)

    return max(free, key=lambda spot: (room(spot), _distance(spot, cells)))


def _distance(spot: Cell, cells: Iterable[Cell]) -> int:
    return min(abs(spot[0] - row) + abs(spot[1] - col) for row, col in cells)


def _cell(name: str) -> Cell:
    """The square that people call so: B3."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def pull_the_plug(at: Evening) -> None:
    """The program is killed and comes back: the pages say so, find it again by themselves, and nothing is lost.

    Nobody plays on before somebody says so, and then the bot has its seat and Ana has hers.
    """
    known = at.records
    at.program.kill()
    for page in at.pages:
        expect(page.locator("#banner")).to_be_visible()
    at.program.start(ready=waits_for_people)
    for page in at.pages:
        expect(page.locator("#banner")).to_be_hidden()
    at.ana.get_by_role("button", name="Continue the game").click()  # her token still holds
    at.program.site.until(is_watched, "the table is watched")
    assert at.program.site.get("/api/sim")["bots"] == [1]
    assert at.records[: len(known)] == known
    at.ana.reload()
    expect(at.ana.locator("#mine")).to_be_visible()
    at.host.locator("#pause").click()
    at.host.locator("#resume").click()


def let_the_house_decide(at: Evening) -> None:
    """What Ana drew is against the rules, and stands: the table is right, says the host."""
    person = at.person
    table = person.until_my_draw()
    die, cells = _placement(at, table)
    person.take(table, die)
    person.cross([*cells[1:], _far_from(cells, table)])
    said: list[str] = []

    def say_yes(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.accept()

    at.host.once("dialog", say_yes)
    at.host.locator("[data-focus=adopt]").click()
    expect(at.host.locator("#asked")).to_be_hidden()
    assert "Ana's whole turn" in said[0]
    person.until(lambda now: any(r["event"]["type"] == "house_decided" for r in now["feed"]), "the house has decided")


def play_to_the_end(at: Evening) -> None:
    at.person.act("bots", seats=[0, 1])
    expect(at.screen.locator("#shared-card")).to_be_hidden(timeout=GAME_MS)
    result = at.person.table["game"]["result"]
    names = [("Ana", "Bo")[seat] for seat in result["winners"]]
    key = "show.winner" if len(names) == 1 else "show.tie"
    expect(at.screen.locator("#turn .what")).to_have_text(Text("en", (), TAG_CITY.folder)(key, {"names": names}))
    expect(at.bo.locator("#status .what")).to_have_text(Text("fr", (), TAG_CITY.folder)(key, {"names": names}))


def look_back(at: Evening) -> None:
    page = at.ana
    page.goto(at.address + "/games")
    page.locator("main a[href='/games/1']").first.click()
    expect(page.locator(".podium li")).to_have_count(2)
    with page.expect_download() as download:
        page.locator("a[href$='points.csv']").click()
    assert len(list(csv.reader(io.StringIO(download.value.path().read_text())))) > 2
    with page.expect_download() as download:
        page.locator("a[href$='game.json']").click()
    kept = json.loads(download.value.path().read_text())
    assert kept["events"][-1]["type"] == "game_ended"
    assert "house_decided" in [event["type"] for event in kept["events"]]
    picture = page.locator("img[src$='.png']").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500


def begin_another(at: Evening) -> None:
    """The host wants one more: it comes onto the table and is watched like the first."""
    at.host.locator("#new summary").click()
    at.host.locator("#new-game button[type=submit]").click()
    at.person.until(lambda table: table["game_id"] == 2 and table["last_seq"] == 1, "people begin")
    at.person.act("bots", seats=[0, 1])
    at.person.until(lambda table: table["game_id"] == 2 and table["last_seq"] > 2, "the next game is played")
    expect(at.screen.locator("#shared-card")).to_be_visible()
