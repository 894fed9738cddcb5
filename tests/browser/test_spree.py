"""Spree! on three phones and the big screen: every move by taps, stops and counter-stops, and nobody's hand is told."""

import random
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from pi_app.engine.contract import LUCK
from pi_app.engine.events import Event, to_json
from pi_app.games import GAMES
from pi_app.games.spree.rules.model import (
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DriveRolled,
    Drove,
    GameStarted,
    GoodsTaken,
    HouseDecided,
    Robbed,
    Settled,
    ShotFired,
    ShotRolled,
    State,
    StepCardPlayed,
    StopPlayed,
    TurnEnded,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.view import options
from pi_app.table.inputs import Command
from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.listening import LISTENING, UP_TO_DATE, tables_before_the_end
from tests.browser.pages import obstacles

NAMES = ("Ana", "Bo", "Cleo")
HANDS = (("3S", "3S", "AS", "2H", "KC"), ("AH", "5D", "6D", "7D", "8D"), ("KD", "QD", "9C", "8C", "4H"))
ANA, BO, CLEO = range(3)


def happen(table: OpenTable, *events: Event) -> None:
    """What the camera would see."""
    for event in events:
        table.at.table.step(Command("do", {"event": to_json(event)}))
        assert table.at.table.refusal is None
    table.at.dashboard.publish()


def sit(table: OpenTable, device: Device) -> list[Page]:
    pages = []
    for seat, name in enumerate(NAMES):
        page = device(table.address + "/seat")
        page.add_init_script(LISTENING)
        page.reload()
        page.locator(f"#seats input[value='{seat}']").check()
        page.locator("#name").fill(name)
        page.locator("#join button[type=submit]").click()
        expect(page.locator("#board .mall")).to_be_visible()
        pages.append(page)
    return pages


@pytest.fixture
def table(lay: Lay) -> OpenTable:
    """Ana's first turn; all stand at their cars but Bo, who is somewhere in the mall, and Cleo, who lies there."""
    laid = lay(3, game=GAMES["spree"], options={"target": 30})
    draws = [CardsDrawn(seat, 5, cards) for seat, cards in enumerate(HANDS)]
    parked = [CarParked(CLEO, "J1"), CarParked(BO, "F1"), CarParked(ANA, "C1")]
    elsewhere = [HouseDecided(BO, (("thief", "H3"),)), HouseDecided(CLEO, (("thief", "K5"), ("pose", "lying")))]
    happen(laid, GameStarted(CLEO), *draws, *parked, *elsewhere)
    return laid


def tap(page: Page, *targets: str) -> None:
    for target in targets:
        page.locator(f"[data-focus='{target}']").click()


def taps(state: State, move: Event) -> list[str]:
    """What is tapped for a move, one after the other."""
    match move:
        case WalkRolled(values) | DriveRolled(values):
            return [*(f"die-{n}-{value}" for n, value in enumerate(values)), "rolled"]
        case ShotRolled(value):
            return [f"die-0-{value}", "rolled"]
        case Walked(path=path) | Drove(path=path):
            return [f"square-{path[-1]}", "go"]
        case CarParked(place=place):
            return [f"square-{place}", "go"]
        case StopPlayed(card=card):
            return ["stop", f"stop-{card}"]
        case Settled():
            return ["settle"]
        case TurnEnded():
            return ["end", "end"]
        case GoodsTaken():
            return ["take", f"way-{len(move.cards) - 1}"]
        case Robbed():
            return [f"rob {move.victim} {move.rank}", way(state, move, "victim", "rank")]
        case StepCardPlayed():
            return [f"step {move.steps}", way(state, move, "steps")]
        case ShotFired(victim=victim):
            return [f"shoot {victim}", "way-0"]
        case Banked():
            return ["bank", "way-0"]
        case CarLeft():
            return ["leave", "way-0"]
    raise AssertionError(move)


def way(state: State, move: Event, *same: str) -> str:
    """Which of the ways to do it, of those that the page offers."""
    told = to_json(move)
    alike = [
        other
        for other in options(state, told["player"])
        if other["type"] == told["type"] and all(other[key] == told[key] for key in same)
    ]
    return f"way-{alike.index(told)}"


def told_of(page: Page, seat: int) -> bool:
    """Whether this browser was told a card of that seat's hand, before all was open after the game."""
    tables = list(tables_before_the_end(page))
    assert tables
    drawn = [record["event"] for table in tables for record in table["feed"] if "count" in record["event"]]
    return any(table["game"]["hands"][seat] is not None for table in tables) or any(
        event.get("cards") is not None for event in drawn if event.get("player") == seat
    )


def both_buttons(pages: Sequence[Page]) -> None:
    for page in pages:
        expect(page.locator("[data-focus=stop]")).to_have_text("Stop")
        expect(page.locator("[data-focus=let-be]")).to_have_text("Let it be")


def test_a_turn_with_a_stop_and_a_counter_stop_by_taps(table: OpenTable, device: Device) -> None:
    screen = device(table.address + "/", "tv")
    ana, bo, cleo = phones = sit(table, device)
    expect(ana.locator("#status .what")).to_have_text("Your turn: roll two dice")
    expect(ana.locator(".hand .playing-card")).to_have_text(["A♠", "2♥", "3♠", "3♠", "K♣"])
    tap(ana, "die-0-1", "die-1-3", "rolled")
    expect(screen.locator("#turn .what")).to_have_text("Ana: 4 steps left")
    expect(screen.locator("[data-reach=D2]")).to_be_visible()
    expect(bo.locator("[data-focus=go]")).to_have_count(0)
    tap(ana, "shop-D2", "go")
    expect(ana.locator("#entered")).to_contain_text("Then move your thief to D2.")
    expect(screen.locator("#feed li").first).to_contain_text("Ana walks to D2 (2 steps)")

    tap(ana, "take", "way-0")
    expect(screen.locator(".till")).to_contain_text("Ana takes 3♠ from the shop D2")
    both_buttons(phones)
    expect(screen.locator(".objector")).to_have_text(["Bo"])  # Cleo lies, Ana does it herself
    assert obstacles(screen) == {}
    assert obstacles(bo) == {}

    tap(cleo, "stop", "stop-AD")
    expect(cleo.locator("#said")).to_contain_text("Cleo, you lie on the ground")
    expect(bo.locator("#said")).to_be_hidden()
    tap(cleo, "let-be")
    expect(cleo.locator("[data-focus=let-be]")).to_have_attribute("aria-pressed", "true")
    tap(bo, "stop", "stop-AH")
    expect(screen.locator(".verdict")).to_have_text("As it lies, it is stopped.")
    expect(screen.locator(".objector")).to_have_text(["Ana", "Bo"])
    both_buttons(phones)
    tap(ana, "stop", "stop-AS")
    expect(screen.locator(".verdict")).to_have_text("As it lies, it counts.")
    expect(screen.locator(".laid .playing-card")).to_have_text(["3♠", "A♥", "A♠"])
    tap(ana, "settle")
    expect(screen.locator(".of-seat").nth(ANA).locator(".cart .playing-card")).to_have_text(["3♠"])
    expect(bo.locator("[data-focus=stop]")).to_have_count(0)
    assert obstacles(ana) == {}
    for seat, phone in enumerate(phones):
        for other in range(len(phones)):
            assert told_of(phone, other) == (other == seat)


def test_who_only_looks_learns_no_hand(table: OpenTable, device: Device) -> None:
    screen = device(table.address + "/", "tv")
    screen.add_init_script(LISTENING)
    screen.reload()
    expect(screen.locator(".mall")).to_be_visible()
    screen.wait_for_function(UP_TO_DATE, arg=table.at.house.hub.version)
    assert not any(told_of(screen, seat) for seat in range(len(NAMES)))
    assert obstacles(device(table.address + "/games/1", "laptop")) == {}


def test_squares_are_chosen_with_keys_alone(table: OpenTable, device: Device) -> None:
    ana = sit(table, device)[ANA]
    tap(ana, "die-0-1", "die-1-3", "rolled")
    ana.locator("[data-focus=square-D1]").focus()
    ana.keyboard.press("ArrowDown")
    assert ana.evaluate("document.activeElement.ariaLabel") == "D2, shop that sells 3♠; 2 steps"
    ana.keyboard.press("Enter")
    ana.locator("[data-focus=go]").press("Enter")
    expect(ana.locator("#status .what")).to_have_text("Your turn: 2 steps left")


def test_a_whole_game_by_taps(table: OpenTable, device: Device) -> None:
    """Bots choose, phones are tapped, also for dice; only drawing cards needs no tap."""
    screen, rng, phones = device(table.address + "/", "tv"), random.Random(6), sit(table, device)
    game = table.at.table.game
    stops = 0
    while (state := table.at.table.state).phase != "over":
        turn = game.to_act(state)
        move, seat = None, state.turn
        for other in turn.may:
            if state.pending is not None and move is None:
                move, seat = game.bots["planner"](state, other, rng), other
        if move is None and turn.must == (LUCK,):
            move, seat = game.chances(state).draw(rng), state.turn
        elif move is None:
            seat = turn.must[0]
            move = game.bots["planner"](state, seat, rng)
        assert move is not None
        if isinstance(move, CardsDrawn):
            happen(table, move)
            continue
        stops += isinstance(move, StopPlayed)
        phones[seat].wait_for_function(UP_TO_DATE, arg=table.at.house.hub.version)
        *first, last = taps(state, move)
        tap(phones[seat], *first)
        with phones[seat].expect_response("**/api/commands"):
            tap(phones[seat], last)
    assert stops > 0
    totals = [str(points) for points in game.scores(state)]
    expect(screen.locator("#result-card")).to_contain_text(max(totals, key=int))
    for seat, phone in enumerate(phones):
        expect(phone.locator("#end td.own").last).to_have_text(totals[seat])
        for other in range(len(phones)):
            assert told_of(phone, other) == (other == seat)


@pytest.mark.parametrize("moves", [0, 60, 4000])
@pytest.mark.parametrize("size", ["phone", "tablet", "laptop", "tv"])
@pytest.mark.parametrize("players", [3, 8])
def test_everything_fits_for_up_to_eight(players: int, size: str, moves: int, lay: Lay, device: Device) -> None:
    """Also before anybody has joined, with the code that leads there."""
    table = lay(players, game=GAMES["spree"], addresses=("http://192.0.2.20:8080", "http://allcity.local:8080"))
    table.at.play(moves)
    screen = device(table.address + "/", size)
    expect(screen.locator(".of-seat")).to_have_count(players)
    screen.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size in ("laptop", "tv"):
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for card in screen.locator("#shared-card, .of-seat, .side .card:visible").all():
            box = card.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= screen.evaluate("innerHeight") + 1, card.get_attribute("id")
            assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1"), card.get_attribute("id")


def test_eight_sit_down_each_in_the_colour_of_their_pieces(lay: Lay, device: Device) -> None:
    table = lay(8, game=GAMES["spree"])
    page = device(table.address + "/seat")
    expect(page.locator("#seats input")).to_have_count(8)
    expect(page.locator("#seats .swatch")).to_have_count(8)
    expect(page.locator(".colours")).to_be_hidden()
    page.locator("#seats input[value='7']").check()
    page.locator("#name").fill("Hal")
    page.locator("#join button[type=submit]").click()
    expect(page.locator("#status")).to_be_visible()
    assert "c-yellow" in (page.locator("#status").get_attribute("class") or "")
    assert obstacles(page) == {}
