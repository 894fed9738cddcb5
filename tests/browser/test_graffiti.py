"""Graffiti on two phones and the big screen: every move by taps, and nobody learns what others hide."""

import json
import random
import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from pi_app.engine.contract import LUCK
from pi_app.engine.events import Event, to_json
from pi_app.games import GAMES
from pi_app.games.graffiti.edition.geometry import _family, region_ids
from pi_app.games.graffiti.prospects import options
from pi_app.games.graffiti.rules.judging import keepable
from pi_app.games.graffiti.rules.model import NeutralDrawn, PaintKept, Passed, PermitDrawn, PermitRevealed, State
from pi_app.games.graffiti.rules.paying import kinds_of
from pi_app.table.inputs import Command
from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.listening import LISTENING, UP_TO_DATE, before_the_end
from tests.browser.pages import obstacles
from tests.games.graffiti.helpers import opening

NAMES = ("Ana", "Bo")


@pytest.fixture
def table(lay: Lay) -> OpenTable:
    """Two players; what luck brings before the first turn has come. Seat 0 holds a permit 1, seat 1 a permit 2."""
    laid = lay(2, game=GAMES["graffiti"])
    happen(laid, opening(laid.at.table.state))
    return laid


def happen(table: OpenTable, events: Sequence[Event]) -> None:
    """What the camera would see."""
    for event in events:
        table.at.table.step(Command("do", {"event": to_json(event)}))
        assert table.at.table.refusal is None
    table.at.dashboard.publish()


@pytest.fixture
def phones(table: OpenTable, device: Device) -> list[Page]:
    pages = []
    for seat, name in enumerate(NAMES):
        page = device(table.address + "/seat")
        page.add_init_script(LISTENING)
        page.reload()
        page.locator(f"#seats input[value='{seat}']").check()
        page.locator("#name").fill(name)
        page.locator("#join button[type=submit]").click()
        expect(page.locator(".hand")).to_be_visible()
        pages.append(page)
    return pages


def choose(page: Page, thing: str, way: int = 0) -> None:
    """Taps what is wanted, then one of the ways to do it."""
    page.locator(f"[data-focus='{thing}']").click()
    page.locator(f"[data-focus='way-{way}']").click()


def enters(page: Page, state: State, seat: int, move: Event) -> None:
    """A move by taps; of several ways to pay, one that is offered."""
    if isinstance(move, Passed):
        passes(page)
    elif isinstance(move, PaintKept):
        keeps(page, state, move)
    else:
        ways = [other for other in options(state, seat) if thing(other) == thing(move)]
        choose(page, thing(move), ways.index(move) if move in ways else 0)


def keeps(page: Page, state: State, move: PaintKept) -> None:
    """Taps tile by tile what is kept."""
    tiles: list[str | None] = list(kinds_of(keepable(state, move.player)[0]))
    for kind in move.kinds or ():
        place = tiles.index(kind)
        tiles[place] = None
        page.locator(f"[data-focus='keep-{place}']").click()
    page.locator("[data-focus='keep']").click()


def thing(move: Event) -> str:
    """What is tapped for a move."""
    told = to_json(move)
    by_type = {
        "part_painted": ("paint_part", "part"),
        "neutral_painted": ("turn_part", "part"),
        "paint_taken": ("take_paint", "kind"),
        "permits_taken": ("take_permits", "space"),
        "bonus_used": ("use_bonus", "bonus"),
    }
    if told["type"] in by_type:
        title, key = by_type[told["type"]]
        return f"seat.{title} {told[key]}"
    return f"seat.take_bonus {told['type']} {json.dumps(told.get('slot'))}"


def passes(page: Page) -> None:
    page.get_by_role("button", name="Pass", exact=True).click()
    page.get_by_role("button", name="Yes, pass").click()


def told_of(page: Page, seat: int) -> list[str]:
    """Whatever this browser received that only that seat may know, until all is open after the game."""
    received = before_the_end(page)
    assert '"hands"' in received
    hidden = (
        rf"/hands/{seat}\b",
        r'"hands": ?\[' + r"[^]{]*," * seat + r" ?\{",
        rf'"player": ?{seat}, ?"face": ?[1-5]',
        rf'"player": ?{seat}, ?"kinds": ?\[',
    )
    return [found for pattern in hidden for found in re.findall(pattern, received)]


def test_a_round_by_taps(table: OpenTable, phones: list[Page], device: Device) -> None:
    ana, bo = phones
    screen = device(table.address + "/", "tv")
    expect(screen.locator("#turn .what")).to_have_text("Ana: one action, or pass")
    expect(ana.locator("#status .what")).to_have_text("Your turn: one action, or pass")
    expect(ana.locator(".hand .tile")).to_have_count(4)
    expect(bo.locator(".things")).to_have_count(0)
    expect(bo.locator(".plans .ready")).to_have_count(2)  # D1 and D4

    choose(ana, "seat.take_paint R")
    expect(ana.locator("#entered")).to_contain_text("Then take red paint behind your screen.")
    expect(ana.locator(".hand .tile")).to_have_count(5)
    expect(screen.locator("#feed li").first).to_contain_text("Ana takes red paint")
    expect(screen.locator(".well .can")).to_have_count(1)

    choose(bo, "seat.paint_part D1")
    expect(screen.locator("[data-part=D1] .tag")).to_have_count(1)
    expect(screen.locator(".of-seat .score")).to_have_text(["0", "6"])
    expect(screen.locator("#feed li").first).to_contain_text("Bo paints D1: permit 2, red + yellow")
    assert obstacles(screen) == {}
    assert obstacles(ana) == {}

    choose(ana, "seat.take_permits left")
    expect(screen.locator("#turn .what")).to_have_text("Ana takes permits; fill the empty places")
    happen(table, [PermitRevealed(2, 5), PermitRevealed(3, 5)])
    expect(ana.locator(".hand .tile.permit")).to_have_count(3)
    passes(bo)
    passes(ana)
    expect(screen.locator("#turn .what")).to_have_text("The round is over. Still choosing paint to keep: Ana")
    expect(ana.locator(".keeping .thing")).to_have_count(4)
    assert obstacles(ana) == {}
    ana.locator("[data-focus='keep-0']").click()
    ana.locator("[data-focus='keep-3']").click()
    expect(ana.locator(".keeping .thing:disabled")).to_have_count(2)
    ana.get_by_role("button", name="Keep red, blue").click()
    expect(ana.locator(".hand .tile:not(.permit)")).to_have_count(2)

    happen(table, [NeutralDrawn(3)])
    expect(ana.locator("#status .what")).to_have_text("Turn a part of section 3 for nobody")
    choose(ana, "seat.turn_part E1")
    expect(screen.locator("[data-part=E1] .tag")).to_have_count(1)

    for seat, phone in enumerate(phones):
        assert told_of(phone, 1 - seat) == []
        assert told_of(phone, seat) != []


def test_a_permit_that_only_its_owner_has_seen_is_told_to_the_own_phone_alone(
    table: OpenTable, phones: list[Page]
) -> None:
    """The hints of that phone become exact; nothing is sent, and others learn nothing."""
    ana, bo = phones
    choose(ana, "seat.take_paint R")
    with bo.expect_response("**/api/commands"):
        choose(bo, "seat.take_permits draw")
    happen(table, [PermitDrawn(1, None)])
    expect(bo.locator(".hand > .tiles .permit")).to_have_count(3)
    expect(bo.locator(".plans .ready", has_text="if your unknown permit")).not_to_have_count(0)
    sent: list[str] = []
    bo.on("request", lambda request: sent.append(request.url) if request.method != "GET" else None)
    bo.locator("[data-focus=tell-3]").click()
    expect(bo.locator(".plans", has_text="unknown permit")).to_have_count(0)
    expect(bo.locator(".plans .ready", has_text="permit 3,")).not_to_have_count(0)
    assert obstacles(bo) == {}
    bo.reload()
    expect(bo.locator("[data-focus=untell]")).to_be_visible()
    assert sent == []
    assert told_of(ana, 1) == []
    assert table.at.table.state.seats[1].unknown == 1
    bo.locator("[data-focus=untell]").click()
    expect(bo.locator("[data-focus=tell-3]")).to_be_visible()


def test_a_whole_game_by_taps(table: OpenTable, phones: list[Page], device: Device) -> None:
    """Bots choose, phones are tapped, and the camera sees what luck brings."""
    screen, rng = device(table.address + "/", "tv"), random.Random(4)
    game = table.at.table.game
    while (state := table.at.table.state).phase != "over":
        turn = game.to_act(state)
        if turn.must == (LUCK,):
            happen(table, [game.chances(state).draw(rng)])
            continue
        seat = turn.must[0]
        phones[seat].wait_for_function(UP_TO_DATE, arg=table.at.house.hub.version)
        move = game.bots["planner"](state, seat, rng)
        assert move is not None
        with phones[seat].expect_response("**/api/commands"):
            enters(phones[seat], state, seat, move)
    totals = [str(points) for points in game.scores(state)]
    expect(screen.locator("#result-card")).to_contain_text(max(totals, key=int))
    for seat, phone in enumerate(phones):
        expect(phone.locator("#end td.own").last).to_have_text(totals[seat])
        assert told_of(phone, 1 - seat) == []
        assert told_of(phone, seat) != []


def test_pieces_have_colours_so_nobody_chooses_one(table: OpenTable, device: Device) -> None:
    page = device(table.address + "/seat")
    expect(page.locator("#seats .swatch")).to_have_count(2)
    expect(page.locator(".colours")).to_be_hidden()
    assert obstacles(page) == {}


def test_who_only_looks_sees_no_hand_and_every_page_can_be_used(table: OpenTable, device: Device) -> None:
    game = device(table.address + "/games/1", "laptop")
    expect(game.locator("#shared .section")).to_have_count(5)
    game.locator("#back").click()
    expect(game.locator("#now")).to_contain_text("takes a permit from the pile")
    assert obstacles(game) == {}
    phone = device(table.address + "/")
    expect(phone.locator(".section")).to_have_count(5)
    expect(phone.locator(".hand")).to_have_count(0)
    assert obstacles(phone) == {}


@pytest.mark.parametrize("board", ["tunnel", "actions", "seat"])
def test_everything_on_a_board_can_be_measured(table: OpenTable, device: Device, board: str) -> None:
    profile = table.at.table.setup.profile
    page = device(table.address + "/seat", "laptop")
    ids = page.evaluate(
        """([board, profile]) => import("/game/graffiti/editor/areas.js").then(({ areas }) =>
            areas(board, { width_mm: 594, height_mm: 420 }, profile).map(({ id }) => id))""",
        [board, profile],
    )
    rows = {name.removesuffix(" 0") for name in ids if name.endswith(" 0")}
    assert rows == {name.removesuffix(" 1") for name in ids if name.endswith(" 1")}
    regions = region_ids(board, profile)
    told = [name for name in ids if " " not in name] + [name for name in regions if _family(name) in rows]
    assert sorted(told) == sorted(regions)
