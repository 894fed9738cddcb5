"""A game with loose pieces at the simulated table: somebody makes a move with mouse, finger or keys, and it is seen."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from pi_app.engine.contract import LUCK
from pi_app.engine.events import to_json
from pi_app.games import GAMES
from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.hands import Hands
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.table.inputs import Command
from tests.browser.conftest import Device, Front
from tests.browser.pages import obstacles
from tests.browser.test_keyboard import tab_to
from tests.e2e.night import Night, night, renderer
from tests.web.house import Table4Web, opened

GRAFFITI = "graffiti"
MOST_PICTURES = 40
Open = Callable[..., Page]


@dataclass
class At:
    """Somebody is to make the first move; the camera looks when it is told to."""

    web: Table4Web
    night: Night
    address: str

    @property
    def seat(self) -> int:
        seat: int = self.night.table.state.turn
        return seat

    def lying(self, board: str, region: str) -> list[tuple[str, str]]:
        return [(piece.kind, piece.face) for piece in self.night.sim.state.pieces if piece.at == (board, region)]

    def see(self) -> bool:
        """Whether the camera sees a move soon."""
        before = len(self.night.table.records)
        for _ in range(MOST_PICTURES):
            self.night.turn()
            if len(self.night.table.records) > before:
                return True
        return False

    def tap(self, page: Page, board: str, region: str, off_mm: float = 0.0) -> None:
        """On a board that is shown."""
        layout = renderer(GRAFFITI).layout.board(board)
        frame = page.locator("#paper image").first.bounding_box()
        assert frame is not None
        (left, top), _, (right, bottom), _ = layout.regions[region]
        scale = frame["width"] / layout.width_mm
        page.mouse.click(frame["x"] + scale * ((left + right) / 2 + off_mm), frame["y"] + scale * (top + bottom) / 2)


@pytest.fixture
def at(tmp_path: Path, front: tuple[Front, int]) -> Iterator[At]:
    """The dashboard shows a table of its own, without a camera; what lies there is that of a whole evening."""
    evening, room, look, rng = night(tmp_path, 2, 5, game=GRAFFITI), SimRoom(), renderer(GRAFFITI), random.Random(5)
    game = GAMES[GRAFFITI]
    (tmp_path / "web").mkdir()
    with opened(tmp_path / "web", players=2, game=game, sim=room) as web:
        while evening.table.state is None or game.to_act(evening.table.state).must == (LUCK,):
            command = Command("do", {"event": to_json(game.chances(evening.table.state).draw(rng))})
            evening.table.step(command)
            web.table.step(command)
        web.dashboard.publish()
        Hands(evening.sim, look.layout, game.surfaces(evening.setup)).lay_out(
            game, evening.setup, evening.table.records
        )
        room.open(SimGame(evening.sim, web.table, look, Pictures(look.layout)))
        front[0].app = web.client.application
        yield At(web, evening, f"http://127.0.0.1:{front[1]}")


@pytest.fixture
def host(at: At, device: Device) -> Open:
    def visit(size: str = "laptop") -> Page:
        kept = [{"name": "allcity.host", "value": at.web.host()}]
        remembered: Any = {"cookies": [], "origins": [{"origin": at.address, "localStorage": kept}]}
        page = device(at.address + "/sim", size, storage_state=remembered)
        expect(page.locator("#here")).to_be_enabled()
        expect(page.locator("#paper .laid").first).to_be_visible()
        return page

    return visit


def board_of(page: Page, name: str) -> Locator:
    return page.locator("#boards button", has_text=name)


def show(page: Page, name: str) -> None:
    board_of(page, name).click()
    expect(board_of(page, name)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#paper .spot").first).to_be_visible()  # by now it is known what is where


def test_a_can_goes_from_a_sheet_to_a_paint_space_and_is_accepted(at: At, host: Open) -> None:
    at.night.turn(4)  # the camera has seen the table without hands
    page, seat, sheet = host(), at.seat, f"seat-{at.seat + 1}"
    can = ("red", "blue")[seat]
    expect(page.locator("#how")).to_contain_text("tap one, then where it goes")
    expect(page.locator("#dice-card")).to_be_hidden()
    expect(page.locator("#pen")).to_be_hidden()
    expect(page.locator("#paper svg")).to_have_attribute("aria-label", f"{at.web.table.setup.players[seat]}'s sheet")
    at.tap(page, sheet, "stock.1")
    expect(page.locator("#here .note")).to_contain_text(f"In hand: a {can} can")
    expect(board_of(page, "the action boards")).to_have_class("c- fits")
    show(page, "the action boards")
    at.tap(page, "actions", "can.paint.green.1")
    expect(page.locator("#here h2")).to_have_text("the cans at green, space 1 (paint)")
    expect(page.locator("#here .there li")).to_have_count(1)
    assert (at.lying(sheet, "stock.1"), at.lying("actions", "can.paint.green.1")) == ([], [(can, "up")])
    assert at.see(), "it is a move"
    assert at.night.table.state.turn != seat


def test_pieces_are_added_turned_and_taken_away(at: At, host: Open) -> None:
    page = host()
    show(page, "the tunnel")
    at.tap(page, "tunnel", "part.B4")
    expect(page.locator("#here h2")).to_have_text("part B4")
    page.get_by_role("button", name="finished side").click()
    turn = page.get_by_role("button", name="Turn over")
    expect(turn).to_be_visible()
    assert at.lying("tunnel", "part.B4") == [("part.B4", "finished")]
    expect(page.locator("#here")).to_contain_text("No more than 1 piece lies here")
    turn.click()
    expect(page.locator("#here .piece")).to_have_text("unfinished side")
    assert at.lying("tunnel", "part.B4") == [("part.B4", "open")]
    page.get_by_role("button", name="Take away").click()
    expect(page.locator("#here")).to_contain_text("Nothing lies here")
    assert at.lying("tunnel", "part.B4") == []


def test_a_piece_is_moved_with_keys_alone(at: At, host: Open) -> None:
    page, sheet = host("phone"), f"seat-{at.seat + 1}"
    tab_to(page, "#paper svg")
    expect(page.locator("#place")).to_contain_text("cans left 1: a ")
    page.keyboard.press("Enter")
    expect(page.locator("#here .note")).to_contain_text("In hand")
    page.keyboard.press("Escape")
    expect(page.locator("#here .note")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_contain_text("cans left 2: a ")
    page.keyboard.press("Enter")
    expect(page.locator("#here h2")).to_have_text("cans left 2")
    tab_to(page, "[data-focus='away-0']")
    page.keyboard.press("Enter")
    expect(page.locator("#place")).to_have_text("cans left 2: nothing")
    page.locator("#paper svg").focus()
    for key in ("ArrowLeft", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#place")).to_contain_text("cans left 2: a ")
    assert (at.lying(sheet, "stock.1"), len(at.lying(sheet, "stock.2"))) == ([], 1)
    assert obstacles(page) == {}


def test_whoever_only_watches_sees_what_lies_there_and_changes_nothing(at: At, device: Device) -> None:
    page, before = device(at.address + "/sim", "phone"), at.night.sim.state.pieces
    expect(page.locator("#paper .laid").first).to_be_visible()
    show(page, "the action boards")
    at.tap(page, "actions", "bonus.1")
    expect(page.locator("#here .there li")).to_have_count(1)
    buttons = page.locator("#here button")
    assert all(buttons.nth(n).is_disabled() for n in range(buttons.count()))
    at.tap(page, "actions", "can.bonus.1")
    expect(page.locator("#here h2")).to_contain_text("the can at bonus")
    assert at.night.sim.state.pieces == before
