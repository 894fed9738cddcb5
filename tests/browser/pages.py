"""What people do on the pages, in the words of the tests."""

from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Page, expect

from tests.browser.chromium import AXE, needed

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SERIOUS = ("serious", "critical")
AXE_RUN = "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)"


def join(page: Page, seat: int, name: str, colour: str) -> None:
    """Takes a seat with the seat page's form."""
    page.locator(f"#seats input[value='{seat}']").check()
    page.locator("#name").fill(name)
    page.locator(f".colours input[value='{colour}']").check()
    page.locator("#join button[type=submit]").click()
    expect(page.locator("#mine")).to_be_visible()


def become_host(page: Page, pin: str) -> None:
    page.locator("#pin").fill(pin)
    page.locator("#login button[type=submit]").click()
    expect(page.locator("#host")).to_be_visible()


def token(page: Page, kind: str = "seat") -> str:
    found: str = page.evaluate("kind => localStorage.getItem(`allcity.${kind}`)", kind)
    return found


def obstacles(page: Page) -> dict[str, dict[str, list[str]]]:
    """What keeps people out of this page for axe-core, light and dark: rule by rule, where."""
    page.evaluate(needed(AXE).read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in page.evaluate(AXE_RUN):
            if violation["impact"] in SERIOUS:
                told = [node["html"][:160] for node in violation["nodes"][:4]]
                found.setdefault(scheme, {})[violation["id"]] = told
    return found


def answered(page: Page, yes: bool, ask: Callable[[], None]) -> str:
    """Does what leads to a dialog and answers it at once, since the page stands still meanwhile; tells what it said."""
    with page.expect_event("dialog") as shown:
        page.once("dialog", lambda dialog: dialog.accept() if yes else dialog.dismiss())
        ask()
    message: str = shown.value.message
    return message
