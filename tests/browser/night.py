"""One evening played by hand at the simulated table, as a series of pictures: those of docs/game-night.md.

.venv/bin/python -m tests.browser.night DIR
"""

import argparse
import re
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.chromium import SIZES, chromium
from tests.browser.pages import become_host, join, token
from tests.browser.person import Cell, first_place, layout, open_dice, region
from tests.browser.program import Program, is_watched, waits_for_people
from tests.browser.test_picker import Finger, choose_die, middle, square_px
from tests.playing import TAG_CITY
from web.text import Text

NAMES = ("Ana", "Bo")
COLOURS = ("lime", "violet")
ANA, BO = range(2)
PALETTE = 256
"""Colours of a picture: pages have few, and the camera's small picture may lose some."""
PATIENCE_MS, GAME_MS = 60_000, 1_200_000
say = Text("en", (), TAG_CITY.folder)


class Hands:
    """Everybody's hands at the simulated table: its page, used with a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def play_by(self, way: str, *seats: int) -> None:
        """Says whether these seats are played "By hand" or by a "Bot"."""
        for seat in seats:
            self.page.locator("#seats li").nth(seat).get_by_text(way, exact=True).click()

    def roll(self) -> None:
        self.page.locator("#roll").click()

    def put(self, value: int, section: int, where: str = "beside the boards") -> None:
        """Puts a die that shows this value, rolled or in hand, onto a section."""
        self._die(value, where).click()
        self.page.locator(f"[data-focus='hq section.{section}']").click()

    def take(self, value: int, section: int) -> None:
        self._die(value, f"section {section}").click()
        self.page.get_by_role("button", name="Take", exact=True).click()

    def _die(self, value: int, where: str) -> Any:
        shown = self.page.locator(".dice-row button", has=self.page.get_by_label(say("a11y.die", {"value": value})))
        return shown.filter(has_text=where).first

    def mark(self, seat: int, regions: Sequence[str]) -> None:
        """A tap with the pen onto each of these regions."""
        self._tap(seat, regions, "pen")

    def wipe(self, seat: int, regions: Sequence[str]) -> None:
        self._tap(seat, regions, "cloth")

    def _tap(self, seat: int, regions: Sequence[str], tool: str) -> None:
        board = f"city-{seat + 1}"
        # With a new turn the page chooses a board by itself, once: not after one was chosen here.
        self.page.reload()
        expect(self.page.locator("#how")).not_to_be_empty()
        self.page.locator(f"#boards [data-focus={board}]").click()
        self.page.locator(f"#{tool}").click()
        sheet, printed = self.page.locator("#paper image"), layout().board(board)
        expect(sheet).to_have_attribute("href", re.compile(f"/{board}[.]png"))
        sheet.scroll_into_view_if_needed()
        for name in regions:
            box = sheet.bounding_box()
            assert box is not None
            xs, ys = zip(*printed.regions[name], strict=True)
            scale = box["width"] / printed.width_mm
            x, y = scale * (min(xs) + max(xs)) / 2, scale * (min(ys) + max(ys)) / 2
            self.page.mouse.click(box["x"] + x, box["y"] + y)


class Night:
    """The real program, two phones, the host's laptop, the big screen, and hands."""

    def __init__(self, browser: Browser, program: Program, folder: Path) -> None:
        self._browser, self.program, self._folder = browser, program, folder
        self._taken = 0
        self.ana: Page
        self.bo: Page
        self.hands: Hands
        self.screen = self.device("/", "laptop")
        self.host = self.device("/host", "laptop")
        become_host(self.host, program.pin)

    def device(self, path: str, size: str, **kept: str) -> Page:
        width, height = SIZES[size]
        origin = {
            "origin": self.program.site.address,
            "localStorage": [{"name": n, "value": v} for n, v in kept.items()],
        }
        state: Any = {"cookies": [], "origins": [origin]}
        viewport: Any = {"width": width, "height": height}
        context = self._browser.new_context(
            viewport=viewport, locale="en-GB", has_touch=size == "phone", storage_state=state
        )
        page = context.new_page()
        page.goto(self.program.site.address + path)
        return page

    def picture(self, name: str, page: Page, first: str | None = None) -> None:
        """What is seen of this page, from its top or with something of it scrolled into sight."""
        if first is None:
            page.evaluate("scrollTo(0, 0)")
        else:
            page.locator(first).first.evaluate("part => part.scrollIntoView({ block: 'start' })")
            page.evaluate("scrollBy(0, -12)")
        self._taken += 1
        with Image.open(BytesIO(page.screenshot(animations="disabled"))) as shot:
            few = shot.convert("RGB").quantize(PALETTE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            few.save(self._folder / f"{self._taken:02}-{name}.png", optimize=True)

    # --- what is known ------------------------------------------------------------------------

    @property
    def table(self) -> Any:
        return self.program.site.get("/api/state")["table"]

    def until(self, wanted: Callable[[Any], bool], what: str) -> Any:
        """The table, as soon as it is like that."""
        return self.program.site.until(lambda state: wanted(state["table"]), what)["table"]

    def until_read(self, board: str, reason: str = "") -> None:
        """Until the table has read this board, and has only this to say about it."""
        told = {"state": "wait", "reason": reason}
        self.until(lambda table: told.items() <= table["boards"][board].items(), f"{board} is read")

    def until_newer(self, table: Any, what: str) -> Any:
        return self.until(lambda now: now["last_seq"] > table["last_seq"], what)

    def until_turn_of(self, seat: int, phase: str) -> Any:
        return self.until(
            lambda table: table["game"]["phase"] == phase and seat in table["game"]["to_act"],
            f"{NAMES[seat]} is to {phase}",
        )

    def placements(self, seat: int, die: int) -> list[list[Cell]]:
        phone = (self.ana, self.bo)[seat]
        groups = self.program.site.get(f"/api/placements?piece={die}", token(phone))["shapes"]
        found: list[list[Cell]] = next(group["placements"] for group in groups if group["drone"] is None)
        return found

    # --- turns --------------------------------------------------------------------------------

    def place(self) -> None:
        """Puts every die of the roll where the rules let it lie."""
        while (table := self.table)["game"]["phase"] == "place":
            self.hands.put(*first_place(table["game"]))
            self.until_newer(table, "the die is read on its section")

    def take_die(self, table: Any, seat: int) -> int:
        """Takes a die off the HQ, unless it is the last one; gives its number in the record."""
        die = open_dice(table["game"])[0]
        lying = table["game"]["dice"][die]
        if table["game"]["phase"] == "draft":
            self.hands.take(lying["value"], lying["section"])
        return die

    def draw(self, seat: int, cells: Sequence[Cell]) -> None:
        table = self.table
        self.hands.mark(seat, [region(cell) for cell in cells])
        self.until_newer(table, f"what {NAMES[seat]} drew is accepted")

    def turn(self, seat: int, phase: str = "draft") -> None:
        """Takes a die and draws its shape where it fits."""
        table = self.until_turn_of(seat, phase)
        die = self.take_die(table, seat)
        self.draw(seat, self.placements(seat, die)[0])

    def overlapping(self, seat: int, die: int) -> list[Cell]:
        """Where the shape of this die would lie on exactly one square that is painted already."""
        painted = self.table["game"]["boards"][seat]["painted"]
        for cells in self.placements(seat, die):
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                moved = [(row + down, col + right) for row, col in cells]
                if all(0 <= row < len(painted) and 0 <= col < len(painted[0]) for row, col in moved):
                    taken = [painted[row][col] == "#" for row, col in moved]
                    if sum(taken) == 1:
                        return [*moved]
        raise AssertionError("the board is too empty for such a mistake")


# --- the evening ------------------------------------------------------------------------------


def join_in(at: Night) -> None:
    """The bots' game is put away, two people take their seats, and the host starts their game."""
    at.host.once("dialog", Dialog.accept)
    at.host.get_by_role("button", name="End: put the game away").click()
    expect(at.screen.locator(".welcome")).to_be_visible()
    at.picture("welcome", at.screen)
    at.ana, at.bo = (at.device("/seat", "phone") for _ in range(2))
    at.ana.locator("#seats input[value='0']").check()
    at.ana.locator("#name").fill(NAMES[ANA])
    at.ana.locator(f".colours input[value={COLOURS[ANA]}]").check()
    at.picture("seat", at.ana)
    for seat, phone in enumerate((at.ana, at.bo)):
        join(phone, seat, NAMES[seat], COLOURS[seat])
    at.host.locator("#new summary").click()
    expect(at.host.locator("#players input").nth(BO)).to_have_value(NAMES[BO])
    at.host.locator("#leader").select_option(label=NAMES[ANA])
    at.picture("new-game", at.host)
    at.host.locator("#new-game button[type=submit]").click()
    at.program.site.until(is_theirs, "the new game is watched")
    at.hands = Hands(at.device("/sim", "laptop", **{"allcity.host": token(at.host, "host")}))


def is_theirs(state: Any) -> bool:
    game = state["table"].get("game")
    return game is not None and game["boards"][ANA]["player"] == NAMES[ANA] and is_watched(state)


def play_the_first_dice(at: Night) -> None:
    """Ana rolls and places; Bo takes the first die and draws."""
    at.hands.roll()
    at.until(lambda table: table["game"]["phase"] == "place", "the dice are read")
    expect(at.hands.page.locator("#how")).to_contain_text("one of the marked places")
    at.picture("roll", at.hands.page)
    at.place()
    at.turn(BO)
    expect(at.screen.locator("#feed")).to_contain_text(f"{NAMES[BO]} paints")
    at.picture("first-shape", at.screen)


def move_by_hand(at: Night) -> None:
    """Ana enters her move on the phone, and draws it afterwards."""
    table = at.until_turn_of(ANA, "draft")
    expect(at.ana.locator("#status")).to_contain_class("mine-now")
    choose_die(at.ana)
    (x, y), step = middle(at.ana, "#piece"), square_px(at.ana)
    Finger(at.ana).drag((x, y), (x + 2 * step, y))
    at.ana.locator("#turn-piece").tap()
    expect(at.ana.locator("#piece")).to_contain_class("fits")
    at.picture("piece", at.ana, "#can")
    at.ana.locator("#enter").tap()
    expect(at.ana.locator("#entered")).to_be_visible()
    at.picture("draw-it", at.ana)
    move = next(one["event"] for one in reversed(at.table["feed"]) if one["event"].get("cells"))
    lying = table["game"]["dice"][move["die"]]
    at.hands.take(lying["value"], lying["section"])
    at.hands.mark(ANA, [region(cell) for cell in move["cells"]])
    at.until_turn_of(ANA, "last")
    if (drawn := at.ana.get_by_role("button", name="It is drawn")).is_visible():
        drawn.tap()


def draw_over_a_taken_square(at: Night) -> None:
    """With the last die, Ana draws over what is painted; she wipes it and draws again."""
    at.turn(BO, "last")
    table = at.until_turn_of(ANA, "last")
    die = at.take_die(table, ANA)
    wrong = at.overlapping(ANA, die)
    at.hands.mark(ANA, [region(cell) for cell in wrong])
    asked = at.ana.locator("#asked")
    expect(asked).to_contain_text("painted already")
    at.picture("overlap", at.ana)
    asked.get_by_role("button", name="The record is right").tap()
    expect(asked.locator(".fixes li")).to_have_count(len(wrong) - 1)
    at.picture("repair", at.ana)
    at.hands.wipe(ANA, [fix["region"] for fix in at.table["restore"]])
    at.until_read("city-1")
    at.draw(ANA, at.placements(ANA, die)[0])


def undo_around_dice(at: Night) -> None:
    """Ana has taken a die and drawn, and wants it back; Bo agrees, and the table tells what to put right."""
    at.until(lambda table: table["game"]["phase"] == "roll" and table["game"]["round"] == 2, "the next round")
    at.hands.roll()
    at.until(lambda table: table["game"]["phase"] == "place", "the dice are read")
    at.place()
    at.turn(ANA)
    taken = next(die for die in at.table["game"]["dice"] if die["taken_by"] == ANA)
    at.ana.get_by_role("button", name="Ask to undo").tap()
    expect(at.bo.locator("#asked")).to_contain_text("asks to undo")
    at.picture("undo", at.bo)
    at.bo.get_by_role("button", name="Yes, undo").tap()
    expect(at.ana.locator("#asked")).to_contain_text("taken back")
    at.ana.get_by_role("button", name="The record is right").tap()
    expect(at.ana.locator(".fixes li").first).to_be_visible()
    at.picture("undone", at.ana)
    at.hands.wipe(ANA, [fix["region"] for fix in at.table["restore"]])
    at.until_read("city-1", "doing.draw_now")
    at.hands.page.locator(".dice-row .taken").click()
    at.picture("die-back", at.hands.page)
    at.hands.put(taken["value"], taken["section"], "in hand")
    at.until_read("city-1")
    at.turn(ANA)


def put_away_and_take_up_again(at: Night) -> None:
    """It is late: the host puts the game away, and takes it up again from the history."""
    at.host.once("dialog", Dialog.accept)
    at.host.get_by_role("button", name="End: put the game away").click()
    expect(at.screen.locator(".welcome")).to_contain_text(", ".join(NAMES))
    at.picture("put-away", at.screen)
    at.host.goto(f"{at.program.site.address}/games")
    at.host.locator("main a[href='/games/2']").first.click()
    again = at.host.get_by_role("button", name="Take it up again")
    expect(again).to_be_visible()
    at.picture("history", at.host)
    again.click()
    at.program.site.until(is_theirs, "the game is back on the table")
    at.host.goto(f"{at.program.site.address}/host")


def pull_the_plug(at: Night) -> None:
    """The program is killed; when it is back, it asks before anybody plays on."""
    known = at.table["last_seq"]
    at.program.kill()
    expect(at.ana.locator("#banner")).to_be_visible()
    at.picture("no-line", at.ana)
    at.program.start(ready=waits_for_people)
    expect(at.ana.locator("#banner")).to_be_hidden()
    at.picture("continue", at.ana)
    at.ana.get_by_role("button", name="Continue the game").tap()
    at.program.site.until(is_theirs, "the game goes on")
    assert at.table["last_seq"] >= known
    at.turn(BO)


def finish(at: Night) -> None:
    """Bots play the rest, as nobody needs to see every round."""
    at.hands.play_by("Bot", ANA, BO)
    expect(at.screen.locator("#shared-card")).to_be_hidden(timeout=GAME_MS)
    expect(at.ana.locator("#end")).to_be_visible()
    expect(at.screen.locator(".announcement")).to_be_hidden()
    expect(at.ana.locator("#simulated")).to_be_hidden()
    at.picture("end", at.screen)
    at.picture("score-sheet", at.ana)
    at.host.goto(f"{at.program.site.address}/games/2")
    expect(at.host.locator(".podium li")).to_have_count(len(NAMES))
    at.picture("looking-back", at.host)


EVENING = (
    join_in,
    play_the_first_dice,
    move_by_hand,
    draw_over_a_taken_square,
    undo_around_dice,
    put_away_and_take_up_again,
    pull_the_plug,
    finish,
)


def main() -> None:
    parser = argparse.ArgumentParser(description="One evening at the simulated table, in pictures.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, default=len(EVENING), help="only so many parts of it, from the first")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as scratch,
        chromium() as browser,
        Program(Path(scratch), "--sim", "--players", "2", "--seed", "5") as program,
    ):
        at = Night(browser, program, args.folder)
        for part in EVENING[: args.parts]:
            print(part.__name__.replace("_", " "))
            part(at)


if __name__ == "__main__":
    main()
