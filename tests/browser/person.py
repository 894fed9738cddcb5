"""Somebody with hands at the simulated table, and what they need to know for it."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from pi_app.games.tag_city.edition.places import kit_layout
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.browser.site import Site
from tests.profiles import load_profile
from vision.layout import Layout

Cell = Sequence[int]
"""Row and column, from 0."""
SETTLED = ("wait", "asking", "mismatch", "drawing")
"""States of a board that was read and is not being looked at more closely."""


@cache
def layout() -> Layout:
    return kit_layout(resolve(load_profile(HOUSE)))


def region(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def open_dice(game: Any) -> list[int]:
    """The numbers of the dice that can still be taken."""
    return [die["die"] for die in game["dice"] if die["section"] and die["taken_by"] is None]


def first_place(game: Any) -> tuple[int, int]:
    """What the first die shows that has no section yet, and one where it may lie."""
    value = next(die["value"] for die in game["dice"] if not die["section"])
    return value, next(section["section"] for section in game["sections"] if value in section["faces"])


class Person:
    """Plays a seat through the simulated table alone: dice and ink, no commands."""

    def __init__(self, site: Site, token: str, seat: int) -> None:
        self.site, self._token, self.seat = site, token, seat
        self.board = f"city-{seat + 1}"

    def act(self, action: str, **args: Any) -> None:
        self.site.post("/api/sim", {"action": action, **args}, self._token)

    @property
    def table(self) -> Any:
        return self.site.get("/api/state")["table"]

    def until(self, wanted: Callable[[Any], bool], what: str) -> Any:
        """The table, as soon as it is like that."""
        return self.site.until(lambda state: wanted(state["table"]), what)["table"]

    def placements(self, die: int) -> Any:
        """Every move of this seat with that die."""
        return self.site.get(f"/api/placements?piece={die}", self._token)

    # --- turns --------------------------------------------------------------------------------

    def until_my_draw(self) -> Any:
        """Rolls and places where this seat leads, and waits until it has a die to draw with."""
        while True:
            table = self.until(self._wanted_of_me, f"seat {self.seat} has something to do")
            game = table["game"]
            if game["phase"] == "roll":
                self._roll(len(table["feed"]))
            elif game["phase"] == "place":
                self._place(table)
            else:
                return table

    def _wanted_of_me(self, table: Any) -> bool:
        game = table["game"]
        leading = game["leader"] == self.seat and game["phase"] in ("roll", "place")
        return leading or self.seat in game["to_act"]

    def _roll(self, known: int) -> None:
        self.act("roll")
        self.until(lambda table: table["game"]["phase"] == "place", "the dice are read")

    def _place(self, table: Any) -> None:
        value, section = first_place(table["game"])
        before, loose = table["last_seq"], self._lying(value, None)
        if loose is not None:  # else a bot has put it there a moment ago, and it is not read yet
            self.act("put", die=loose, board="hq", region=f"section.{section}")
        self.until(lambda now: now["last_seq"] > before, "the die is read on its section")

    def take(self, table: Any, die: int) -> None:
        """Takes a die of the record off the HQ; the last one is everybody's, and stays."""
        if table["game"]["phase"] == "draft":
            recorded = table["game"]["dice"][die]
            self.act("take", die=self._lying(recorded["value"], recorded["section"]))

    def _lying(self, value: int, section: int | None) -> int | None:
        dice = self.site.get("/api/sim")["dice"]
        region = None if section is None else f"section.{section}"
        return next((die["die"] for die in dice if (die["value"], die["region"]) == (value, region)), None)

    # --- ink ----------------------------------------------------------------------------------

    def cross(self, cells: Iterable[Cell], reach: float = 0.8) -> None:
        """A cross in each of these squares, as wide as that share of it."""
        for cell in cells:
            (x, y), size = self._square(cell)
            half = reach * size / 2
            for slope in (1, -1):
                self._stroke([(x - half, y - slope * half), (x, y), (x + half, y + slope * half)])

    def wipe(self, regions: Iterable[str]) -> None:
        for name in regions:
            self.act("erase", board=self.board, points=[list(self._middle(name)[0])])

    def read(self) -> Any:
        """Has the table look again, and waits until it has made up its mind about this board and the dice."""
        self._command("reread")
        return self.until(self._is_read, "the board is read")

    def _is_read(self, table: Any) -> bool:
        return all(table["boards"][board]["state"] in SETTLED for board in (self.board, "hq"))

    def _command(self, name: str, **args: Any) -> None:
        self.site.post("/api/commands", {"command": name, "args": args}, self._token)

    def _stroke(self, points: Sequence[tuple[float, float]]) -> None:
        self.act("stroke", board=self.board, points=[list(point) for point in points])

    def _square(self, cell: Cell) -> tuple[tuple[float, float], float]:
        return self._middle(region(cell))

    def _middle(self, name: str) -> tuple[tuple[float, float], float]:
        """The middle of a region, and its width."""
        outline = layout().board(self.board).regions[name]
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), max(xs) - min(xs)
