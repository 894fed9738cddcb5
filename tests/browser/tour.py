"""Pictures of every page, at every size, light and dark, in every language.

.venv/bin/python -m tests.browser.tour DIR [--pages screen seat] [--sizes phone] [--schemes dark] [--languages fr]
    [--game graffiti] [--players 2]
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from itertools import product
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, expect
from rich.progress import track

from pi_app.games import DEFAULT, GAMES
from pi_app.storage.store import Store
from tests.browser.chromium import SIZES, chromium
from tests.browser.pages import SCHEMES
from tests.browser.program import Program, is_watched, waits_for_people
from tests.browser.site import Site
from tests.evenings import FIRST_EVENING, store_game
from web.text import LANGUAGES

Scheme = Literal["light", "dark"]
NAMES = ("Ana", "Bo", "Chloé", "Darío", "Émile", "Fatima", "Gus", "Hana")
USUAL = 4
READY_MS = 60_000
PATIENCE = 20
PICTURES_THERE = """() => Promise.all([...document.querySelectorAll("svg image")].map(({ href }) => {
  const picture = new Image();
  picture.src = href.baseVal;
  return picture.decode().catch(() => {});
})).then(() => true)"""


@dataclass(frozen=True)
class Stop:
    """A page: its address, whose device looks at it, and what is there once it is drawn."""

    path: str
    ready: str
    who: str = ""
    """seat, host or nobody."""


STEPS = ("profile", "kit", "camera", "lens", "clean", "lights", "done")
STOPS: Mapping[str, Stop] = {
    "screen": Stop("/", ".of-seat svg"),
    "seat-join": Stop("/seat", "#seats input"),
    "seat": Stop("/seat", "#board svg", "seat"),
    "host-login": Stop("/host", "#login"),
    "host": Stop("/host", "#record li", "host"),
    "games": Stop("/games", "main a[href='/games/1']"),
    "game": Stop("/games/1", "#boards svg"),
    "players": Stop("/players", "main a[href='/players/1']"),
    "player": Stop("/players/1", "main svg"),
    "setup-login": Stop("/setup", "main a[href='/host']"),
    **{f"setup-{step}": Stop(f"/setup#{step}", "#step-title", "host") for step in STEPS},
    "profiles": Stop("/setup/profiles", "main li h2", "host"),
    "editor": Stop("/setup/profiles/house", "#panel *", "host"),
    "sim": Stop("/sim", "#paper image", "host"),
    "sim-guest": Stop("/sim", "#no-token"),
    "rules": Stop("/rules", "article section"),
    "doctor": Stop("/doctor", "#findings li"),
    "missing": Stop("/nowhere", "main a[href='/']"),
}


@dataclass(frozen=True)
class Scene:
    """A dashboard with everything on it: a game in the middle, people, and games gone by."""

    browser: Browser
    address: str
    tokens: Mapping[str, str]

    @contextmanager
    def visit(self, stop: Stop, size: str, scheme: Scheme = "light", language: str = "en") -> Iterator[Page]:
        kept = [{"name": f"allcity.{stop.who}", "value": self.tokens[stop.who]}] if stop.who else []
        state: Any = {"cookies": [], "origins": [{"origin": self.address, "localStorage": kept}]}
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale=language, color_scheme=scheme, storage_state=state
        )
        try:
            page = context.new_page()
            yield page
        finally:
            context.close()

    def arrive(self, page: Page, stop: Stop) -> None:
        page.goto(self.address + stop.path)
        expect(page.locator(stop.ready).first).to_be_visible(timeout=READY_MS)
        page.evaluate("document.fonts.ready.then(() => true)")
        page.evaluate(PICTURES_THERE)


@contextmanager
def scene(browser: Browser, folder: Path, players: int = USUAL, game: str = DEFAULT) -> Iterator[Scene]:
    """People in the middle of a game that is paused, with two more games behind them."""
    played = GAMES[game]
    names, fewest = NAMES[:players], NAMES[: played.players[0]]
    with Store(folder / "allcity.db") as store:
        store_game(store, NAMES[:USUAL], game=played)
        store_game(store, fewest, FIRST_EVENING, seed=2, game=played)
        store_game(store, names, FIRST_EVENING, seed=3, most=16 * players, game=played)
    with Program(folder, "--sim", "--game", game, ready=waits_for_people) as program:
        site = program.site
        host = site.post("/api/host", {"pin": program.pin})["token"]
        insist(site, "continue", host)
        site.until(is_watched, "the table is watched")
        insist(site, "pause", host)
        seats = [
            site.post("/api/join", {"seat": seat, "name": NAMES[seat], "colour": colour, "language": "en"})["token"]
            for seat, colour in enumerate(("lime", "violet", "orange")[:players])
        ]
        site.post("/api/commands", {"command": "report", "args": {"what": "score"}}, seats[1])
        site.post("/api/commands", {"command": "ask_undo", "args": {}}, seats[1])
        yield Scene(browser, site.address, {"host": host, "seat": seats[0]})


def insist(site: Site, command: str, token: str) -> None:
    """Asks the table again while it is busy, as people would."""
    for _ in range(PATIENCE):
        status, told = site.send({"command": command, "args": {}}, token)
        if status == HTTPStatus.OK:
            return
        assert told["error"] == "web.busy", told
    raise AssertionError(f"the table has no time to {command}")


def take(at: Scene, name: str, size: str, scheme: Scheme, language: str, folder: Path) -> Path:
    """The whole page as a picture; gives its file."""
    stop, file = STOPS[name], folder / language / scheme / f"{name}-{size}.png"
    with at.visit(stop, size, scheme, language) as page:
        at.arrive(page, stop)
        page.screenshot(path=file, full_page=True, animations="disabled")
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures of every page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", nargs="+", choices=STOPS, default=list(STOPS), metavar="PAGE")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=SCHEMES)
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--game", choices=GAMES, default=DEFAULT)
    parser.add_argument("--players", type=int, choices=range(2, len(NAMES) + 1), default=USUAL)
    args = parser.parse_args()
    every = list(product(args.pages, args.sizes, args.schemes, args.languages))
    with (
        tempfile.TemporaryDirectory() as scratch,
        chromium() as browser,
        scene(browser, Path(scratch), args.players, args.game) as at,
    ):
        for name, size, scheme, language in track(every, "Pictures"):
            take(at, name, size, scheme, language, args.folder)


if __name__ == "__main__":
    main()
