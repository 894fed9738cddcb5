"""The history in a real browser: replay, timeline, sharing files, and the host's changes of names."""

import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.history.history import History
from pi_app.storage.store import Store
from pi_app.table.lights import PLAYERS
from tests.evenings import FIRST_EVENING, store_game
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate

PIN = "123456"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A dashboard with three finished games."""
    with Store(tmp_path / "allcity.db") as store:
        for number, players in enumerate([("Ana", "Bo"), ("Ana", "Cy", "Dee"), ("Anna", "Bo")]):
            store_game(store, players, FIRST_EVENING + timedelta(days=number), seed=number)
        table: Any = SimpleNamespace(command=lambda name, args: None)
        app = create_app(
            House(
                Hub(),
                table,
                tmp_path,
                PinGate(PIN),
                write_private,
                PLAYERS,
                GAMES,
                "tag_city",
                history=History(store),
            )
        )
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A phone; whatever goes wrong in its scripts fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=address, locale="en")
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    context.close()
    assert failures == []


def test_the_slider_shows_the_table_at_any_moment(page: Any) -> None:
    page.goto("/games/1", wait_until="networkidle")
    expect(page.locator("#boards figure")).to_have_count(2)
    last = int(page.locator("#slider").get_attribute("max"))
    painted = page.locator("#boards .paint")
    assert painted.count() > 50
    page.locator("#slider").press("Home")
    expect(page.locator("#now")).to_have_text("Before the first event: all boards are clean.")
    expect(painted).to_have_count(0)
    page.locator("#forward").click()
    expect(page.locator("#slider")).to_have_value("1")
    page.locator("#slider").press("End")
    expect(page.locator("#slider")).to_have_value(str(last))
    expect(page.locator("#now")).to_contain_text("The battle ends")
    page.locator("#back").click()
    expect(page.locator("#slider")).to_have_value(str(last - 1))


def test_the_dice_are_shown_where_they_lay(page: Any) -> None:
    """A game of two: the leader is named, three dice are rolled, placed one by one, taken one by one."""
    page.goto("/games/1", wait_until="networkidle")
    expect(page.locator("#boards figure")).to_have_count(2)  # its scripts listen
    page.locator("#slider").press("Home")
    loose, placed, taken = (page.locator(f"#replay {place} .die") for place in ("#shared .row", ".hq", ".in-hand"))
    expect(page.locator("#replay .hq > li")).to_have_count(6)
    for lying in [(0, 0, 0), (3, 0, 0), (2, 1, 0), (1, 2, 0), (0, 3, 0), (0, 2, 1)]:
        page.locator("#forward").click()
        for dice, count in zip((loose, placed, taken), lying, strict=True):
            expect(dice).to_have_count(count)


def test_a_film_goes_on_by_itself_and_stops_when_told(page: Any) -> None:
    page.goto("/games/1", wait_until="networkidle")
    expect(page.locator("#boards figure")).to_have_count(2)  # its scripts listen
    page.locator("#slider").press("Home")
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator("#slider")).to_have_value(re.compile(r"^([3-9]|\d\d+)$"))
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Play")


def test_a_line_of_the_timeline_leads_to_its_moment(page: Any) -> None:
    page.goto("/games/1", wait_until="networkidle")
    rounds = page.locator("#timeline details")
    expect(rounds.last).to_have_attribute("open", "")
    rounds.first.locator("summary").click()
    line = rounds.first.locator("button").first
    line.click()
    expect(page.locator("#slider")).to_have_value("1")
    expect(line).to_have_attribute("aria-current", "step")
    expect(page.locator("#timeline .e-undone")).to_have_text(re.compile("1 event is taken back"))


def test_files_are_saved_with_names_of_their_own(page: Any) -> None:
    page.goto("/games/2", wait_until="networkidle")
    for link, name in (("Points (CSV)", "all-city-2.csv"), ("Game file (JSON)", "all-city-2.json")):
        with page.expect_download() as saving:
            page.get_by_role("link", name=link).click()
        assert saving.value.suggested_filename == name
        saved = Path(saving.value.path()).read_text(encoding="utf-8")
        assert json.loads(saved)["players"] == ["Ana", "Cy", "Dee"] if name.endswith("json") else "Dee" in saved


def test_the_host_joins_two_names_and_deletes_one(page: Any) -> None:
    page.goto("/players", wait_until="networkidle")
    page.get_by_role("link", name="Anna").click()
    expect(page.locator("#host-only")).to_be_visible()
    page.locator("#rename [name=name]").fill("Ana")
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator("#answer")).to_contain_text("Only the host")
    answer = page.request.post("/api/host", data={"pin": PIN})
    page.evaluate("token => localStorage.setItem('allcity.host', token)", answer.json()["token"])
    page.reload()
    page.locator("#rename [name=name]").fill("Ana")
    page.get_by_role("button", name="Save the name").click()
    expect(page.locator("#answer")).to_contain_text("Somebody else is called Ana")
    page.locator("#join input").check()
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana")
    expect(page.locator(".figures dd").first).to_have_text("3")
    page.locator("#forget input").check()
    page.get_by_role("button", name="Delete the name for good").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    expect(page.get_by_role("link", name="Ana")).to_have_count(0)
    page.goto("/games/1", wait_until="networkidle")
    expect(page.locator(".podium")).to_contain_text("a former player")


def test_the_host_puts_a_game_out_of_sight_and_out_of_statistics(page: Any) -> None:
    page.goto("/games/1", wait_until="networkidle")  # scripts listen once their sentences have come
    page.get_by_role("button", name="Put it out of sight").click()
    expect(page.locator("#said")).to_contain_text("Only the host")
    answer = page.request.post("/api/host", data={"pin": PIN})
    page.evaluate("token => localStorage.setItem('allcity.host', token)", answer.json()["token"])
    with page.expect_navigation(wait_until="networkidle"):  # so that the next tap finds its script
        page.get_by_role("button", name="Do not count it").click()
    expect(page.get_by_role("button", name="Let it count")).to_be_visible()
    with page.expect_navigation(wait_until="networkidle"):
        page.get_by_role("button", name="Put it out of sight").click()
    expect(page.get_by_role("button", name="Bring it back into sight")).to_be_visible()
    page.goto("/games")
    expect(page.locator("main a[href='/games/2']").first).to_be_visible()
    expect(page.locator("main a[href='/games/1']")).to_have_count(0)
    page.goto("/players", wait_until="networkidle")
    page.get_by_role("link", name="Ana", exact=True).click()
    expect(page.locator(".figures dd").first).to_have_text("1")
