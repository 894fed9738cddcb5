"""Every device has its own language; rules and plurals are told in it."""

import pytest
from playwright.sync_api import Page, Route, expect

from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import to_json
from pi_app.games.tag_city.rules.model import ShapePainted
from tests.browser.conftest import Device, OpenTable
from tests.browser.pages import become_host, join
from tests.playing import TAG_CITY
from tests.web.house import PIN
from web.text import LANGUAGES, Text


def choose(page: Page, language: str) -> None:
    page.locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_a_device_changes_its_language_and_no_other(table: OpenTable, device: Device) -> None:
    table.at.play(6)
    screen, phone = device(table.address + "/", "laptop"), device(table.address + "/seat", language="es-MX")
    expect(phone.locator("html")).to_have_attribute("lang", "es")
    for language in LANGUAGES:
        choose(phone, language)
        expect(phone.locator("#join h2")).to_have_text(Text(language)("seat.take"))
        expect(screen.locator("#feed-card h2")).to_have_text(Text("en")("screen.feed"))
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", LANGUAGES[-1])


def test_a_choice_made_before_the_script_has_come_counts(table: OpenTable, device: Device) -> None:
    phone = device(table.address + "/seat")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    phone.route("**/js/base.js", hold_the_first)
    with phone.expect_request("**/js/base.js"):
        phone.reload(wait_until="commit")
    phone.locator("#language").select_option("fr")
    held[0].continue_()
    expect(phone.locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_rule_is_told_in_the_readers_language(language: str, table: OpenTable, device: Device) -> None:
    table.at.play(5)  # rolled and placed: somebody drafts
    seat = table.at.state["table"]["game"]["to_act"][0]
    phone = device(table.address + "/seat", language=language)
    join(phone, seat, "Ana", "lime")
    square = ShapePainted(seat, 0, "bar", ((0, 0),), None)
    with pytest.raises(IllegalMove) as broken:
        TAG_CITY.decide(table.at.table.state, square)
    sending = "({ command }) => command('do', { event }).catch((no) => no.message)"
    say = f"event => import('/static/js/api.js').then({sending})"
    told = phone.evaluate(say, to_json(square))
    names = table.at.house.hub.players()
    assert names[seat] == "Ana"
    assert told == Text(language, names, TAG_CITY.folder)(f"rule.{broken.value.rule}", broken.value.facts)


def test_plurals_are_right_in_every_language(table: OpenTable, device: Device) -> None:
    page = device(table.address + "/")
    say = "([language, key, count]) => import('/static/js/text.js').then((text) => text.say(key, { count }))"
    for language in LANGUAGES:
        choose(page, language)
        for count in (0, 1, 2, 5):
            said = page.evaluate(say, [language, "history.found", count])
            assert said == Text(language)("history.found", {"count": count})
    one, many = (Text("fr")("history.found", {"count": count}) for count in (0, 2))
    assert one.replace("0", "2") != many  # nothing is singular in French


def test_the_host_reads_french_while_the_screen_speaks_spanish(table: OpenTable, device: Device) -> None:
    host = device(table.address + "/host", "laptop", "fr-CA")
    screen = device(table.address + "/", "tv", "es")
    become_host(host, PIN)
    table.at.play(5)
    host.locator("#pause").click()
    expect(host.locator("#now")).to_contain_text(Text("fr")("turn.paused"))
    expect(screen.locator("#turn")).to_contain_text(Text("es")("turn.paused"))


NAMED = [
    *(("region", region) for region in ("r3c2", "row.5.low", "col.C.high", "district.red.high", "section.6", "moon")),
    *(("surface", surface) for surface in ("hq", "city-2", "city-9", "sheet-1")),
    *(("item", item) for item in ("row.3", "district.docks")),
    *(("kind", kind) for kind in ("circled", "empty", "3 3 5")),
    ("ordinal", 4),
    ("seat", 0),
]
"""Tables of names, and what is looked up in them."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_and_the_program_call_things_alike(language: str, table: OpenTable, device: Device) -> None:
    text = Text(language, ("Ana", "Bo"), TAG_CITY.folder)
    page = device(table.address + "/rules", language=language)
    said = page.evaluate(
        """async (named) => {
          const { callPlayers, nameOf } = await import("/static/js/text.js");
          callPlayers(["Ana", "Bo"]);
          return named.map(([table, thing]) => nameOf(table, thing));
        }""",
        NAMED,
    )
    assert said == [text.name(*named) for named in NAMED]
