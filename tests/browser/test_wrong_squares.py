"""Where a board is wrong is shown on every page: the square in the drawing, and as the camera sees it."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from pi_app.table.referee import UNFINISHED
from tests.browser.conftest import Device, Front
from tests.browser.pages import become_host, join
from tests.browser.test_picker import middle
from tests.e2e.overdrawn import overdrawn
from tests.e2e.test_overdrawn import DRAWN
from tests.web.house import PIN


def test_a_painted_square_that_was_drawn_over_is_pointed_out(
    tmp_path: Path, front: tuple[Front, int], device: Device
) -> None:
    at = overdrawn(tmp_path)
    front[0].app = at.app
    address = f"http://127.0.0.1:{front[1]}"
    screen, phone, host = (
        device(address + path, size) for path, size in (("/", "tv"), ("/seat", "phone"), ("/host", "laptop"))
    )
    join(phone, at.seat, at.at.table.setup.players[at.seat], "lime")
    become_host(host, PIN)
    at.turn(DRAWN)
    expect(phone.locator("#status")).to_contain_text("is drawing")
    expect(screen.locator(".alarm")).to_have_count(0)
    at.turn(UNFINISHED)
    for page in (screen, phone):
        expect(page.locator(".alarm")).to_have_count(1)
    for page in (phone, host):
        expect(page.locator("#asked")).to_contain_text("painted already")
        expect(page.locator("#asked .crop")).to_be_visible()
        assert page.locator("#asked .crop").evaluate("image => image.decode().then(() => image.naturalWidth)") > 50
    row, col = map(int, at.taken[1:].split("c"))
    cols = at.at.table.view()["game"]["city"]["cols"]
    x, y = middle(phone, f"#city .cell >> nth={(row - 1) * cols + col - 1}")
    assert middle(phone, "#city .alarm") == pytest.approx((x, y), abs=1.0)
