"""Phones take seats, keep them, and the others see who is there."""

from playwright.sync_api import expect

from tests.browser.conftest import Device, Lay, OpenTable
from tests.browser.pages import become_host, join
from tests.web.house import PIN


def test_two_phones_take_seats_and_the_big_screen_sees_who_is_there(table: OpenTable, device: Device) -> None:
    screen = device(table.address + "/", "tv")
    ana, bo = (device(table.address + "/seat") for _ in range(2))
    join(ana, 0, "Ana", "lime")
    join(bo, 1, "Bø <b>", "violet")
    names = screen.locator(".of-seat .name")
    expect(names).to_have_text(["Ana", "Bø <b>"])
    expect(screen.locator(".of-seat .away")).to_have_count(0)
    expect(screen.locator(".of-seat").nth(0)).to_contain_class("c-lime")
    bo.context.close()
    expect(screen.locator(".of-seat").nth(1).locator(".away")).to_be_visible()
    expect(screen.locator(".of-seat .away")).to_have_count(1)
    expect(ana.locator("#others")).to_contain_text("away")


def test_a_seat_survives_reloading_and_a_new_visit(table: OpenTable, device: Device) -> None:
    phone = device(table.address + "/seat")
    join(phone, 1, "Ana", "pink")
    phone.reload()
    expect(phone.locator("#mine")).to_be_visible()
    again = phone.context.new_page()
    again.goto(table.address + "/seat")
    expect(again.locator("#mine")).to_be_visible()
    expect(again.locator("#others")).to_contain_text("Ana")


def test_a_taken_seat_and_a_taken_colour_are_refused_in_words(table: OpenTable, device: Device) -> None:
    ana, bo = (device(table.address + "/seat") for _ in range(2))
    before = table.at.state
    bo.route("**/api/stream", lambda route: route.abort())
    bo.route("**/api/state", lambda route: route.fulfill(json=before))  # it has not heard of her yet
    bo.reload()
    join(ana, 0, "Ana", "lime")
    bo.locator("#name").fill("Bo")
    bo.locator("#seats input[value='0']").check()
    bo.locator(".colours input[value='cyan']").check()
    bo.locator("#join button[type=submit]").click()
    expect(bo.locator("#join-problem")).to_contain_text("Ana")
    bo.locator("#seats input[value='1']").check()
    bo.locator(".colours input[value='lime']").check()
    bo.locator("#join button[type=submit]").click()
    expect(bo.locator("#join-problem")).to_contain_text("colour")
    bo.unroute_all()
    expect(bo.locator("#seats label").nth(0)).to_contain_text("Ana")
    expect(bo.locator("#seats input[value='0']")).to_be_disabled()
    expect(bo.locator(".colours input[value='lime']")).to_be_disabled()


def test_a_seat_that_somebody_is_choosing_stays_chosen_while_others_sit_down(lay: Lay, device: Device) -> None:
    table = lay(3)
    ana, bo = (device(table.address + "/seat") for _ in range(2))
    bo.locator("#seats input[value='1']").check()
    bo.locator(".colours input[value='cyan']").check()
    bo.locator("#name").fill("Bo")
    join(ana, 0, "Ana", "lime")
    expect(bo.locator("#seats label").nth(0)).to_contain_text("Ana")
    expect(bo.locator("#seats input[value='1']")).to_be_checked()
    expect(bo.locator(".colours input[value='cyan']")).to_be_checked()
    expect(bo.locator("#name")).to_have_value("Bo")
    bo.locator("#join button[type=submit]").click()
    expect(bo.locator("#mine")).to_be_visible()
    assert [seat["name"] for seat in table.at.state["people"]["seats"]] == ["Ana", "Bo"]


def test_a_seat_that_somebody_else_takes_is_no_longer_chosen(lay: Lay, device: Device) -> None:
    table = lay(3)
    ana, bo = (device(table.address + "/seat") for _ in range(2))
    bo.locator("#seats input[value='0']").check()
    join(ana, 0, "Ana", "lime")
    expect(bo.locator("#seats input[value='0']")).to_be_disabled()
    expect(bo.locator("#seats input:checked")).to_have_count(0)


def test_whoever_sits_down_is_named_in_the_hosts_form_until_the_host_writes(table: OpenTable, device: Device) -> None:
    host = device(table.address + "/host", "laptop")
    become_host(host, PIN)
    host.locator("#new summary").click()
    names = host.locator("#players input")
    phone = device(table.address + "/seat")
    join(phone, 1, "Zoë", "lime")
    expect(names.nth(1)).to_have_value("Zoë")
    expect(host.locator("#leader")).to_contain_text("Zoë")
    names.nth(0).press_sequentially("!")
    join(device(table.address + "/seat"), 0, "Bo", "violet")
    expect(host.locator("#people")).to_contain_text("Bo")
    assert names.nth(0).input_value().startswith("!"), "what the host has written stays"
    host.get_by_role("button", name="One more").click()
    expect(names).to_have_count(3)
    assert names.nth(0).input_value().startswith("!")
    expect(names.nth(1)).to_have_value("Zoë")


def test_who_asks_to_undo_is_told_to_wait_until_somebody_answers(table: OpenTable, device: Device) -> None:
    table.at.play(4)
    ana, bo = (device(table.address + "/seat") for _ in range(2))
    join(ana, 0, "Ana", "lime")
    join(bo, 1, "Bo", "violet")
    ana.get_by_role("button", name="Ask to undo").click()
    expect(ana.locator("#asked")).to_contain_text("Somebody else has to agree")
    bo.get_by_role("button", name="No, leave it").click()
    expect(ana.locator("main")).not_to_contain_text("Somebody else has to agree")
