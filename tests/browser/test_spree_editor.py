"""The mall of a profile: painted by dragging and with keys, its walls, goods and problems."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_app.games import GAMES
from tests.browser.pages import obstacles
from tests.web.test_setup_browser import browsing, drag, middle, open_editor, square
from tests.web.workshop import Opened, opened_workshop

SPREE = GAMES["spree"]


@pytest.fixture
def workshop(tmp_path: Path) -> Opened:
    return opened_workshop(tmp_path, game=SPREE)


@pytest.fixture
def page(browser: Any, tmp_path: Path, workshop: Opened) -> Iterator[Any]:
    with browsing(browser, tmp_path, workshop, SPREE) as at:
        yield at


def kept(workshop: Opened) -> list[str]:
    drawing: list[str] = workshop.shelf.read("my-copy")["map"]
    return drawing


def save(page: Any) -> None:
    page.click("#save")
    page.wait_for_selector("#save:disabled")


def tool(page: Any, kind: str) -> None:
    page.click(f"[data-focus='tool {kind}']")


def side_of(page: Any, row: int, col: int, across: float, down: float) -> tuple[float, float]:
    box = page.locator(square(row, col)).bounding_box()
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def test_a_mall_is_painted_and_walled_by_dragging(page: Any, workshop: Opened) -> None:
    open_editor(page, "map")
    tool(page, "parking")
    drag(page, middle(page, square(0, 2)), middle(page, square(0, 5)))
    tool(page, "shop")
    page.click("[data-focus='card 10H']")
    page.click(square(2, 2))
    tool(page, "wall")
    drag(page, side_of(page, 2, 2, 0.5, 0.05), side_of(page, 2, 4, 0.5, 0.05))
    assert obstacles(page) == {}
    save(page)
    drawing = kept(workshop)
    assert drawing[1] == "| .   . " + "  P " * 4 + "  . " * 9 + "|"
    assert drawing[4] == "+   +   +---+---+---+" + "   +" * 10
    assert drawing[5].startswith("| .      10H    ")  # and no wall across, at the corners that were passed
    page.click("#undo")  # a whole stroke of the wall
    save(page)
    assert "-" not in kept(workshop)[4]


def test_a_mall_is_drawn_with_keys_alone(page: Any, workshop: Opened) -> None:
    open_editor(page, "map")
    page.focus("[data-focus='tool fountain']")
    page.keyboard.press("Enter")
    page.focus(square(0, 0))
    for key in ("ArrowDown", "ArrowRight", "Space", "ArrowRight", "Space", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel") == "C2, fountain; walls: right, bottom"
    page.keyboard.press("Shift+ArrowDown")
    save(page)
    assert kept(workshop)[3].startswith("| .   F   F |   ")
    assert kept(workshop)[4] == "+" + "   +" * 15


def test_problems_are_told_while_one_draws_and_lead_to_the_map(page: Any) -> None:
    open_editor(page, "map")
    page.wait_for_selector("#problems-list button:has-text('the fountain must have 2 squares, not 0')")
    tool(page, "fountain")
    drag(page, middle(page, square(4, 7)), middle(page, square(5, 7)))
    page.wait_for_selector("#problems-list li:has-text('must have 2 squares')", state="detached")
    page.click("#tab-targets")
    page.fill("[data-where='targets.4']", "300")
    page.locator("#problems-list button", has_text="4 players").click()
    assert page.evaluate("document.activeElement.dataset.where") == "targets.4"
    page.locator("#problems-list button", has_text="parking places are too few").click()
    assert page.get_attribute("#tab-map", "aria-selected") == "true"
    assert obstacles(page) == {}


def test_the_house_mall_is_shown_as_it_is_and_a_smaller_one_keeps_what_fits(page: Any, workshop: Opened) -> None:
    page.goto("/setup/profiles/house#map")
    page.wait_for_selector(square(9, 14))
    assert page.get_attribute(square(1, 1), "aria-label") == "B2, shop that sells K♠; walls: top, right, left"
    page.click("#tab-packs")
    assert page.locator(".sold td").first.inner_text().split() == ["A♠", "D4"]
    assert obstacles(page) == {}
    page.click("#tab-map")
    page.fill("[data-focus='map columns']", "12")
    page.keyboard.press("Tab")
    assert page.locator(".squares .square").count() == 120
    page.click("#save")  # a copy of what comes with the program
    page.wait_for_url("**/setup/profiles/house-edition-copy**")
    page.wait_for_selector("#save:disabled")
    drawing = workshop.shelf.read("house-edition-copy")["map"]
    assert drawing[3] == "| . | KS| 9S| 3S| JS  6S| 2S      6H| KH|     9H|"
