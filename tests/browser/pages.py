"""What people do on the pages, in the words of the tests."""

from playwright.sync_api import Page, expect


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
