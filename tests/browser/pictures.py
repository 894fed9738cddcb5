"""Every picture of the running program and of the kits that the README and the docs show, made anew.

.venv/bin/python -m tests.browser.pictures DIR [--games spree]
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from pi_app.__main__ import main as allcity
from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.storage.store import Store
from tests.browser.chromium import SIZES, chromium
from tests.browser.program import Program, is_watched, waits_for_people
from tests.browser.test_picker import choose_die
from tests.browser.tour import PICTURES_THERE, insist
from tests.evenings import FIRST_EVENING, store_game

ANA = 0
NAMES = ("Ana", "Bo", "Chloé", "Darío")
COLOURS = ("lime", "violet", "orange", "cyan")
PALETTE = 256
SEEN_PX, KIT_PX, DESK = 1280, 1240, "#dddddd"
CONFIG = '[store]\npath = "allcity.db"\n[web]\naddress = "127.0.0.1"\n[recorder]\npictures = "all"\n'
"""As it comes, but for its place, and that every picture is kept."""
PATIENCE_MS = 120_000


@dataclass(frozen=True)
class Middle:
    """The middle of a game that is worth a picture: Ana's turn, after so many events."""

    least: int
    phase: str
    seed: int
    kit: tuple[str, ...]
    """The sheets of its kit that are shown beside each other."""
    players: int = len(NAMES)


MIDDLES = {
    "tag_city": Middle(least=80, phase="draft", seed=3, kit=("city-1", "hq")),
    "graffiti": Middle(least=110, phase="", seed=3, kit=("tunnel", "actions")),
    "spree": Middle(least=420, phase="", seed=3, kit=("mall",)),
}


# --- pictures as files --------------------------------------------------------------------------


class Album:
    """A folder of pictures that are kept small: pages have few colours, what a camera sees has many."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def drawn(self, name: str, picture: Image.Image) -> None:
        few = picture.convert("RGB").quantize(PALETTE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(self._folder / f"{name}.png", optimize=True)

    def seen(self, name: str, picture: Image.Image) -> None:
        picture.thumbnail((SEEN_PX, SEEN_PX))
        picture.convert("RGB").save(self._folder / f"{name}.jpg", quality=78, optimize=True)

    def page(self, name: str, page: Page, first: str | None = None) -> None:
        """What is seen of a page, from its top or with something of it scrolled into sight."""
        if first is not None:
            page.locator(first).first.evaluate("part => part.scrollIntoView({ block: 'start' })")
            page.evaluate("scrollBy(0, -12)")
        self.drawn(name, Image.open(BytesIO(page.screenshot(animations="disabled"))))


# --- a table in the middle of a game ------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    browser: Browser
    program: Program
    recordings: Path
    host: str
    seat: str

    @contextmanager
    def visit(self, path: str, ready: str, size: str, who: str = "") -> Iterator[Page]:
        """A page on a device of Ana, of the host or of nobody."""
        token = {"seat": self.seat, "host": self.host}.get(who)
        kept = [] if token is None else [{"name": f"allcity.{who}", "value": token}]
        address, (width, height) = self.program.site.address, SIZES[size]
        state: Any = {"cookies": [], "origins": [{"origin": address, "localStorage": kept}]}
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", storage_state=state, has_touch=size == "phone"
        )
        try:
            page = context.new_page()
            page.goto(address + path)
            expect(page.locator(ready).first).to_be_visible()
            page.evaluate("document.fonts.ready.then(() => true)")
            page.evaluate(PICTURES_THERE)
            yield page
        finally:
            context.close()


@contextmanager
def table(browser: Browser, folder: Path, name: str) -> Iterator[Table]:
    """Four people in the middle of a game at the simulated table; it is Ana's turn, and no bot goes on."""
    game, middle = GAMES[name], MIDDLES[name]

    def enough(play: Play[Any]) -> bool:
        return (
            len(play.records) >= middle.least
            and ANA in game.to_act(play.state).must
            and middle.phase in ("", getattr(play.state, "phase", ""))
        )

    with Store(folder / "allcity.db") as store:
        store_game(store, NAMES, game=game)
        store_game(store, NAMES, FIRST_EVENING, middle.seed, game=game, until=enough)
    with Program(folder, "--sim", "--game", name, config=CONFIG, ready=waits_for_people) as program:
        site = program.site
        host = site.post("/api/host", {"pin": program.pin})["token"]
        seat = site.post("/api/join", {"seat": ANA, "name": NAMES[ANA], "colour": COLOURS[ANA], "language": "en"})
        insist(site, "continue", host)
        site.until(is_watched, "the table is watched")
        site.post("/api/sim", {"action": "bots", "seats": []}, host)
        yield Table(browser, program, folder / "recordings", host, seat["token"])


# --- what is photographed -----------------------------------------------------------------------


def photograph_game(at: Table, album: Album, name: str) -> None:
    """The big screen and Ana's phone."""
    with at.visit("/seat", "#board svg", "phone", "seat") as phone:
        with at.visit("/", ".of-seat svg", "laptop") as screen:
            album.page(f"{name}-screen", screen)
        if name == "tag_city":
            choose_die(phone)
        album.page(f"{name}-seat", phone)


def photograph_reading(at: Table, album: Album, name: str, kit: Path) -> None:
    """What the reader makes of the last picture that the table was read from, as the recorder keeps it."""
    *_, seen = sorted(at.recordings.glob("*/frames/*.png"))
    clean, overlay = seen.parents[1] / "clean.png", kit / "overlay.png"
    words = ["read", str(seen), "--kit", str(kit), "--reference", str(clean), "--overlay", str(overlay)]
    assert allcity(words) == 0
    album.seen(f"{name}-read", Image.open(overlay))


def photograph_pages(at: Table, album: Album) -> None:
    """The pages that look alike in every game."""
    with at.visit("/setup#camera", "#step-title", "laptop", "host") as setup:
        expect(setup.locator("img.live")).to_be_visible()
        album.page("setup", setup)
    with at.visit("/setup/profiles/house", "#panel *", "laptop", "host") as editor:
        editor.get_by_role("tab", name="City A").click()
        album.page("editor", editor)
    for name, path, ready, size in (
        ("doctor", "/doctor", "#findings li", "phone"),
        ("history", "/games/1", "#boards svg", "laptop"),
    ):
        with at.visit(path, ready, size) as page:
            album.page(name, page)


def photograph_kit(album: Album, kit: Path, name: str) -> None:
    """Sheets of a kit beside each other, on something darker than paper."""
    sheets = [Image.open(kit / f"{sheet}.png") for sheet in MIDDLES[name].kit]
    album.drawn(f"{name}-kit", beside(sheets))
    if name == "tag_city":
        with pypdfium2.PdfDocument(kit / "kit.pdf") as printed:
            cover, board, *_, hq, _, stickers = [page.render(scale=1).to_pil() for page in printed]
        album.drawn("kit-pages", beside((cover, board, hq, stickers)))


def beside(sheets: Sequence[Image.Image], gap: int = 10) -> Image.Image:
    """Pictures in a row, all of one height."""
    ratio = sum(sheet.width / sheet.height for sheet in sheets)
    height = round((KIT_PX - gap * (len(sheets) + 1)) / ratio)
    row = Image.new("RGB", (KIT_PX, height + 2 * gap), DESK)
    left = gap
    for sheet in sheets:
        small = sheet.convert("RGB").resize(
            (round(height * sheet.width / sheet.height), height), Image.Resampling.LANCZOS
        )
        row.paste(small, (left, gap))
        left += small.width + gap
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description="The pictures of README and docs, from the running program.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", choices=MIDDLES, default=list(MIDDLES))
    args = parser.parse_args()
    album = Album(args.folder)
    expect.set_options(timeout=PATIENCE_MS)
    for name in args.games:
        print(name)
        with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
            kit = Path(scratch) / "kit"
            assert allcity(["kit", str(kit), "--game", name]) == 0
            photograph_kit(album, kit, name)
            with table(browser, Path(scratch), name) as at:
                photograph_game(at, album, name)
                photograph_reading(at, album, name, kit)
                if name == "tag_city":
                    photograph_pages(at, album)


if __name__ == "__main__":
    main()
