"""Set-up and the profile editor in a real browser: painting, undo, problems, measuring, keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from pi_app.engine.contract import Game
from pi_app.games import GAMES
from tests.browser.pages import obstacles
from tests.games.tram import GAME as TRAM
from tests.playing import TAG_CITY
from tests.setup.test_workshop import CORNERS, a_photo
from tests.web.house import PIN, opened
from tests.web.workshop import Opened, opened_workshop
from vision.pictures import jpeg_of
from web.serve import serve
from web.workshop import PiecesState, Said


@pytest.fixture
def workshop(tmp_path: Path) -> Opened:
    return opened_workshop(tmp_path)


@contextmanager
def browsing(browser: Any, folder: Path, workshop: Opened, game: Game[Any] = TAG_CITY) -> Iterator[Any]:
    """A host's browser; whatever its console complains about fails the test, but not that the server said no."""
    workshop.camera.shown = jpeg_of(a_photo())
    with opened(folder, game=game, workshop=workshop.workshop) as table:
        port = serve(lambda _: table.client.application, "127.0.0.1", 0)
        token = table.post("/api/host", {"pin": PIN}).json["token"]
        context = browser.new_context(base_url=f"http://127.0.0.1:{port}", viewport={"width": 1280, "height": 1800})
        context.add_init_script(f"localStorage.setItem('allcity.host', '{token}')")
        at, complaints = context.new_page(), []

        def heard(said: Any) -> None:
            if said.type == "error" and "status of 409" not in said.text:
                complaints.append(said.text)

        at.on("console", heard)
        at.on("pageerror", lambda error: complaints.append(str(error)))
        yield at
        context.close()
        assert complaints == []


@pytest.fixture
def page(browser: Any, tmp_path: Path, workshop: Opened) -> Iterator[Any]:
    with browsing(browser, tmp_path, workshop) as at:
        yield at


def open_editor(page: Any, tab: str) -> None:
    page.goto("/setup/profiles")
    page.wait_for_selector("#profiles li")  # before that, nobody listens to the buttons yet
    page.click("#new")
    page.wait_for_url("**/setup/profiles/my-copy")
    page.wait_for_selector("#problems-list li")
    page.click(f"#tab-{tab}")


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, begin: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*end, steps=12)
    page.mouse.up()


def square(row: int, col: int) -> str:
    return f'.square[data-row="{row}"][data-col="{col}"]'


def painted(page: Any) -> str:
    return "".join(page.locator(".squares .square").all_inner_texts())


def test_districts_are_painted_by_dragging_and_taken_back_at_once(page: Any) -> None:
    open_editor(page, "city")
    assert page.inner_text("#panel h2") == "City board, side A"
    drag(page, middle(page, square(0, 0)), middle(page, square(0, 5)))
    assert painted(page)[:12] == "VVVVVV??????"
    page.click("#undo")
    assert set(painted(page)) == {"?"}
    page.click("#redo")
    assert painted(page)[:6] == "VVVVVV"
    page.click("#save")
    page.wait_for_selector("#save:disabled")
    page.reload()
    page.wait_for_selector(".square")
    assert painted(page)[:6] == "VVVVVV"


def test_the_map_is_painted_with_keys_alone(page: Any) -> None:
    open_editor(page, "city")
    page.focus(square(0, 0))
    page.keyboard.press("3")  # the third district
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "0", "Enter"):
        page.keyboard.press(key)
    assert painted(page)[:2] + painted(page)[13] == "XX·"
    assert page.evaluate("document.activeElement.ariaLabel") == "B2, none"


def test_problems_are_listed_at_once_and_lead_to_their_field(page: Any) -> None:
    open_editor(page, "basics")
    before = page.locator("#problems-list li").count()
    assert before > 50
    page.select_option("[data-where=source]", "measured")
    page.wait_for_selector("#tab-basics .count:empty", state="attached")
    assert page.locator("#problems-list li").count() < before
    page.locator("#problems-list button", has_text="Column C").first.click()
    assert page.evaluate("document.activeElement.dataset.where") == "city.col_values C high"
    assert page.get_attribute("#tab-city", "aria-selected") == "true"
    page.keyboard.type("7")
    page.wait_for_selector("[data-where='city.col_values C high'][aria-invalid=false]")


def test_shapes_are_drawn_and_named_and_the_hq_knows_them(page: Any) -> None:
    open_editor(page, "shapes")
    card = "[data-where='shapes.large-1']"
    drag(page, middle(page, f"{card} {square(0, 0)}"), middle(page, f"{card} {square(0, 2)}"))
    page.click(f"{card} {square(0, 1)}")  # off again
    page.fill(f"{card} input", "Big Hook")
    page.locator(f"{card} input").first.blur()
    page.click("#tab-hq")
    page.select_option("[data-where='hq.sections 1']", "big-hook")
    page.select_option("[data-focus='gap 2']", "5")
    assert page.locator(".ring-square").count() == 2
    assert "5" in page.locator(".ring-face-value").all_text_contents()


def test_a_board_is_measured_over_its_photo(page: Any, workshop: Opened, tmp_path: Path) -> None:
    (tmp_path / "board.jpg").write_bytes(jpeg_of(a_photo(), 95))
    open_editor(page, "geometry")
    page.click("#panel button.main")
    for field, length in (("width_mm", "280"), ("height_mm", "200")):
        page.fill(f"[data-where='geometry.city.{field}']", length)
        page.keyboard.press("Tab")
    page.set_input_files("#panel input[type=file]", tmp_path / "board.jpg")
    page.wait_for_selector(".stage-handle")
    frame = page.locator(".stage").bounding_box()
    scale = frame["width"] / 900
    for number, (x, y) in enumerate(CORNERS):
        handle = f".stage-handle[data-focus='corners {number}']"
        drag(page, middle(page, handle), (frame["x"] + x * scale, frame["y"] + y * scale))
    page.click("#panel button.main")
    page.wait_for_selector(".areas")
    assert "found" in page.inner_text("#told")
    page.click("[data-focus='area grid']")
    page.focus(".stage-handle[data-focus='grid 0']")
    before = page.evaluate("document.activeElement.ariaLabel")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLabel") != before
    page.click("#save")
    page.wait_for_selector("#save:disabled")
    kept = workshop.shelf.read("my-copy")["geometry"]["city"]
    assert [round(marker[0][0]) for marker in kept["markers"]] == [5, 250, 250, 5]
    assert len(kept["grid"]) == 4


def test_leaving_with_changes_is_warned_about(page: Any) -> None:
    open_editor(page, "basics")
    page.fill("[data-where=name]", "Another")
    warned = []

    def leave(dialog: Any) -> None:
        warned.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.goto("/doctor")
    assert warned == ["beforeunload"]


def test_the_wizard_goes_step_by_step_and_shows_the_camera(page: Any, workshop: Opened) -> None:
    workshop.camera.found = [Said("edge", "bad", "check.edge.bad", {"board": "hq", "edges": ["left"]})]
    page.goto("/setup")
    page.click("text=Side B")
    page.wait_for_selector("[aria-pressed=true]:has-text('Side B')")
    for _ in range(2):
        page.click("#next")
    page.wait_for_selector("img.live:not([hidden])")
    assert "leaves the picture (left)" in page.inner_text(".findings .bad")
    assert page.evaluate("document.activeElement.id") == "step-title"
    page.goto("/setup#lights")
    page.click("text=Seat 3")
    page.wait_for_selector(".note.good:has-text('Lit now')")
    assert list(workshop.lamps.over({})) == ["seat.3"]


def test_without_the_hosts_token_there_is_no_camera(browser: Any, page: Any) -> None:
    page.goto("/setup")
    context = browser.new_context()
    stranger = context.new_page()
    stranger.goto(page.url)
    stranger.wait_for_selector("#gate:not([hidden])")
    assert stranger.locator("#wizard").is_hidden()
    context.close()


def focused(page: Any) -> Any:
    return page.evaluate("document.activeElement.dataset.focus")


def test_who_tabs_through_the_districts_goes_on_typing_in_the_next_field(page: Any) -> None:
    open_editor(page, "city")
    page.focus("[data-focus='city.districts.V.name']")
    page.keyboard.press("Control+A")
    page.keyboard.type("Vieux Port")
    page.keyboard.press("Tab")
    assert focused(page) == "city.districts.V high"
    page.keyboard.type("12")
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    page.click("#save")
    page.wait_for_selector("#save:disabled")
    page.reload()
    page.wait_for_selector(".palette li")
    kept = [page.input_value(f"[data-focus='city.districts.V{field}']") for field in (".name", " high", " low")]
    assert kept == ["vieux-port", "12", "5"]


def test_the_name_of_a_district_is_shown_wherever_it_is_told(page: Any) -> None:
    open_editor(page, "city")
    page.fill("[data-focus='city.districts.V.name']", "red")
    page.keyboard.press("Tab")
    assert "g-red" in page.get_attribute("[data-focus='brush V']", "class")
    page.click(square(0, 0))
    assert "g-red" in page.get_attribute(square(0, 0), "class")
    assert page.get_attribute(square(0, 0), "aria-label") == "A1, red"
    assert page.get_attribute("[data-focus='city.districts.V high']", "aria-label") == "red, high value"


def test_a_click_right_after_typing_is_not_lost(page: Any) -> None:
    open_editor(page, "city")
    page.fill("[data-focus='city.districts.V.name']", "harbour")
    before = page.locator(".palette li").count()
    page.click("text=Add a district")
    assert page.locator(".palette li").count() == before + 1


@pytest.mark.parametrize(
    ("tab", "field", "typed", "following"),
    [("city", "city.rows", "9", "city.cols"), ("shapes", "shape large-1", "Hook", "drop hook")],
)
def test_the_focus_moves_on_from_fields_that_change_more_than_themselves(
    tab: str, field: str, typed: str, following: str, page: Any
) -> None:
    open_editor(page, tab)
    page.focus(f"[data-focus='{field}']")
    page.keyboard.press("Control+A")
    page.keyboard.type(typed)
    page.keyboard.press("Tab")
    assert focused(page) == following


def test_the_width_of_a_board_is_followed_by_its_height(page: Any) -> None:
    open_editor(page, "geometry")
    page.click("#panel button.main")
    page.focus("[data-where='geometry.city.width_mm']")
    page.keyboard.type("280")
    page.keyboard.press("Tab")
    page.keyboard.type("200")
    page.keyboard.press("Tab")
    assert page.input_value("[data-where='geometry.city.height_mm']") == "200"
    page.wait_for_selector(".measure")


def test_the_last_step_says_ready_only_when_a_game_can_begin(page: Any) -> None:
    page.goto("/setup#done")
    page.wait_for_selector("#step-title")
    assert page.inner_text("#step-title") == "Not ready yet"
    page.click("#step a.main")
    page.click("text=Take the clean picture")
    page.wait_for_selector("#step .note:has-text('Taken')")
    page.goto("/setup#done")
    assert page.inner_text("#step-title") == "Ready"
    assert "no clean picture" not in page.inner_text("#step")


def test_a_file_that_is_here_already_is_not_added_and_another_of_its_title_is_asked_about(
    page: Any, workshop: Opened, tmp_path: Path
) -> None:
    open_editor(page, "basics")
    page.goto("/setup/profiles")
    file = tmp_path / "again.toml"
    file.write_bytes(workshop.shelf.exported("my-copy"))
    page.set_input_files("#import", file)
    page.wait_for_selector("#told:has-text('already')")
    file.write_bytes(workshop.shelf.exported("my-copy").replace(b'source = ""', b'source = "measured"'))
    page.set_input_files("#import", file)
    page.click("#exists button[value=cancel]")
    assert page.locator("#profiles li").count() == 2
    page.set_input_files("#import", file)
    page.click("#exists button[value=replace]")
    page.wait_for_url("**/setup/profiles/my-copy")
    assert workshop.shelf.read("my-copy")["source"] == "measured"


# --- a game that brings no form of its own -----------------------------------------------------


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setitem(GAMES, TRAM.name, TRAM)
    return opened_workshop(tmp_path, game=TRAM)


@pytest.fixture
def small_page(browser: Any, tmp_path: Path, small: Opened) -> Iterator[Any]:
    with browsing(browser, tmp_path, small, TRAM) as at:
        yield at


def test_any_profile_is_entered_in_a_form_made_of_what_is_in_it(small_page: Any, small: Opened) -> None:
    page = small_page
    page.goto("/setup/profiles")
    page.wait_for_selector("#profiles li")
    page.click("#new")
    page.wait_for_url("**/setup/profiles/my-copy")
    page.wait_for_selector("[data-where=stops]")
    assert page.locator("#tabs [role=tab]").all_inner_texts() == ["Basics"]
    page.select_option("[data-where=source]", "measured")
    page.fill("[data-where=stops]", "9")
    page.focus("[data-focus='tickets.7 key']")
    page.keyboard.press("Control+A")
    page.keyboard.type("8")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("2")  # into the field beside the key, though that has changed
    page.click("[data-focus='tickets add']")
    page.fill("[data-where='tickets.9']", "1")
    page.click("[data-focus='tickets.3 drop']")
    page.click("#save")
    page.wait_for_selector("#save:disabled")
    assert small.shelf.read("my-copy") == {
        "name": "My copy",
        "source": "measured",
        "stops": 9,
        "tickets": {"5": 3, "8": 2, "9": 1},
    }
    page.click("#undo")
    assert page.locator("[data-focus='tickets.3 key']").count() == 1


def test_lists_and_tables_within_each_other_are_entered_too(small_page: Any, small: Opened) -> None:
    page = small_page
    small.shelf.save("odd", {"name": "odd", "source": "", "stops": [1, {"far": True}], "tickets": {"3": 4}})
    page.goto("/setup/profiles/odd")
    page.wait_for_selector("#problems-list li")
    assert obstacles(page) == {}
    assert page.is_checked("[data-where='stops 2.far']")
    page.click("[data-focus='stops add']")
    page.wait_for_selector("[data-where='stops 3.far']")
    page.click("[data-focus='stops 1 drop']")
    assert page.input_value("[data-where='tickets.3']") == "4"
    page.click("#save")
    page.wait_for_selector("#save:disabled")
    assert small.shelf.read("odd")["stops"] == [{"far": True}, {"far": False}]


def test_boards_of_a_game_without_sides_are_simply_used(small_page: Any) -> None:
    small_page.goto("/setup")
    small_page.wait_for_selector("#step .profiles li")
    assert small_page.locator("#step .profiles button").all_inner_texts() == ["Use these"]
    small_page.goto("/setup#kit")
    small_page.wait_for_selector("#step strong")
    assert small_page.inner_text("#step strong") == "night line"


def test_an_owners_own_pieces_are_learned_and_shown(page: Any, workshop: Opened) -> None:
    workshop.pieces.kept = PiecesState(["red", "ruby"])
    workshop.pieces.shown = jpeg_of(a_photo())
    page.goto("/setup#pieces")
    expect(page.locator("#step-title")).to_have_text("Pieces")
    expect(page.locator("#step")).to_contain_text("On the sheet: red, ruby.")
    assert page.locator("a[href='/setup/samples.pdf']").count() == 1
    page.get_by_role("button", name="Learn the pieces").click()
    expect(page.locator(".learned li")).to_have_count(2)
    expect(page.locator(".learned li").first).to_contain_text("#c02030, about 16 mm wide")
    expect(page.locator("#step .findings .warn")).to_contain_text("Hard to tell apart: red and ruby")
    expect(page.locator(".learned img[src^='blob:']")).to_have_count(2)
    assert obstacles(page) == {}
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".learned li")).to_have_count(0)


def test_a_game_whose_pieces_tell_themselves_has_no_such_step(page: Any) -> None:
    page.goto("/setup#clean")
    expect(page.locator("#steps li")).to_have_count(7)
    expect(page.locator("#steps a[href='#pieces']")).to_have_count(0)
