"""The line to the table: phones that slept, streams that do not get through."""

from playwright.sync_api import expect

from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import join

AWAKE_MS = 2_000


def test_a_phone_that_slept_shows_the_table_as_it_is_soon_after_waking(table: OpenTable, device: Device) -> None:
    phone = device(table.address + "/seat")
    join(phone, 0, "Ana", "lime")
    sleep = phone.context.new_cdp_session(phone)
    sleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    table.at.play(9)
    score = sum(board["score"]["total"] for board in table.at.state["table"]["game"]["boards"])
    painted = sum(line.count("#") for line in table.at.state["table"]["game"]["boards"][0]["painted"])
    assert painted or score, "something has happened meanwhile"
    sleep.send("Page.setWebLifecycleState", {"state": "active"})
    expect(phone.locator("#board .paint")).to_have_count(painted, timeout=AWAKE_MS)
    expect(phone.locator("#banner")).to_be_hidden()


def test_where_streams_do_not_get_through_the_page_asks_again_and_again(table: OpenTable, device: Device) -> None:
    screen = device("about:blank", "laptop")
    refused = []
    screen.route("**/api/stream", lambda route: refused.append(route.abort()))
    screen.goto(table.address + "/")
    expect(screen.locator(".of-seat")).to_have_count(2)
    table.at.play(2)
    expect(screen.locator("#feed li")).to_have_count(2)
    expect(screen.locator("#banner")).to_be_hidden()
    assert len(refused) >= 2
    screen.unroute_all()
    table.at.play(3)
    expect(screen.locator("#turn")).to_contain_text("takes a die")


def test_a_line_that_is_cut_is_said_and_found_again(table: OpenTable, device: Device) -> None:
    screen = device("about:blank", "laptop")
    screen.route("**/api/**", lambda route: route.abort())
    screen.goto(table.address + "/")
    expect(screen.locator("#banner")).to_be_visible()
    screen.unroute_all()
    expect(screen.locator("#banner")).to_be_hidden()
    expect(screen.locator(".of-seat")).to_have_count(2)


def test_what_changes_is_shown_as_it_is(table: OpenTable, device: Device) -> None:
    screen = device("about:blank", "laptop")
    asked = []
    screen.on("request", lambda request: asked.append(request.url))
    screen.goto(table.address + "/")
    expect(screen.locator(".of-seat")).to_have_count(2)
    for _ in range(12):
        table.at.play(3)
        game = table.at.state["table"]["game"]
        painted = sum(line.count("#") for board in game["boards"] for line in board["painted"])
        expect(screen.locator(".of-seat .paint")).to_have_count(painted)
    feed = table.at.state["table"]["feed"]
    assert len(feed) > 36
    assert sum(url.endswith("/api/stream") for url in asked) == 1, "all through one stream"
    assert not any(url.endswith("/api/state") for url in asked)


def test_a_page_that_missed_something_asks_for_the_whole(table: OpenTable, device: Device) -> None:
    screen = device("about:blank", "laptop")
    told = 'id: 9\nevent: changes\ndata: {"base": 8, "version": 9, "patch": []}\n\n'
    screen.route("**/api/stream", lambda route: route.fulfill(body=told, content_type="text/event-stream"), times=1)
    screen.goto(table.address + "/")
    expect(screen.locator(".of-seat")).to_have_count(2)
    table.at.play(3)
    expect(screen.locator("#turn")).to_contain_text("places the dice")
