"""A game shown in the terminal: boards in colour, round by round, and the score sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.align import Align
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text as Line

from pi_app.engine.events import Event, GameEnded
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    HouseDecided,
    RoundEnded,
    ShapePainted,
    SocialChecked,
)
from pi_app.games.tag_city.rules.sheet import CATEGORIES
from web.text import Text

DIE, CIRCLED, PAID = "bold #000000 on #ffffff", "bold #ffffff on #1f7a1f", "bold #ffffff on #b3261e"
CROSSED = "strike #888888"
NO_DISTRICT = {"strong": "#b2b2b2"}
WALL_SHARE = 0.3
"""How strong the colour of a district is where it is not painted yet."""


class Terminal:
    """Prints what happens at a table to a console."""

    def __init__(self, console: Console, text: Text) -> None:
        self._console, self._text = console, text
        self._values: tuple[int, ...] = ()
        self._fresh: dict[int, set[tuple[int, int]]] = {}

    def event(self, event: Event, view: Mapping[str, Any]) -> None:
        """Shows an event; `view` is the table after the move that it belongs to."""
        if isinstance(event, DiceRolled):
            self._rolled(event, view)
        elif isinstance(event, DiePlaced) and view["phase"] == "draft":
            self._hq(view)
        elif isinstance(event, ShapePainted):
            self._fresh.setdefault(event.player, set()).update(event.cells)
            key = "show.paints" if event.drone is None else "show.flies"
            self._say(event.player, key, {"shape": event.shape}, self._die(event.die))
        elif isinstance(event, SocialChecked):
            key = "show.checks_free" if event.bubble is None else "show.checks"
            self._say(event.player, key, {}, self._die(event.die))
        elif isinstance(event, HouseDecided):
            self._fresh.setdefault(event.player, set()).update(event.cells)
            self._say(event.player, "show.house", {}, self._die(event.die))
        elif isinstance(event, FeatureCompleted):
            facts = {"feature": event.feature, "value": event.value}
            self._say(event.player, f"show.{event.rank}", facts, Line("     ★", "bold #ffd75f"))
        elif isinstance(event, RoundEnded):
            self.boards(view)
        elif isinstance(event, GameEnded):
            self._result(view, event)

    def _rolled(self, event: DiceRolled, view: Mapping[str, Any]) -> None:
        self._fresh, self._values = {}, event.values
        facts = {"round": view["round"], "player": view["leader"]}
        self._console.rule(escape(self._text("show.round", facts)), style="bright_black")
        self._say(view["leader"], "show.rolls", {}, _dice(event.values))

    def _say(self, seat: int, key: str, facts: Mapping[str, Any], sign: Line) -> None:
        """A sentence in the colour of that seat, with a sign before it."""
        sentence = self._text(key, {"player": seat, **facts})
        self._console.print(Line().append(sign).append(f" {sentence}", self._colour(seat)))

    def _colour(self, seat: int) -> Style:
        """The seat's own, where the console knows colours of seats."""
        return self._console.get_style(f"seat.{seat}", default="bold")

    def _die(self, die: int) -> Line:
        """The die as rolled; unknown in a round that was continued in the middle."""
        return _dice(self._values[die : die + 1])

    def _hq(self, view: Mapping[str, Any]) -> None:
        """The six sections with their shapes and dice."""
        table = Table.grid(padding=(0, 2))
        for _ in view["sections"]:
            table.add_column(justify="center")
        values = {die["die"]: die["value"] for die in view["dice"]}
        table.add_row(*[f"[bright_black]{s['section']}[/] {escape(s['shape'])}" for s in view["sections"]])
        table.add_row(*[Align.center(_drawing(view["shapes"][s["shape"]]["cells"])) for s in view["sections"]])
        table.add_row(*[Align.center(_dice([values[d] for d in s["dice"]])) for s in view["sections"]])
        self._console.print(Panel(table, title=self._text("screen.hq"), border_style="bright_black", expand=False))

    def boards(self, view: Mapping[str, Any]) -> None:
        """All cities side by side, as many as the window holds."""
        self._console.print(Columns([self._board(view, board) for board in view["boards"]], padding=0))

    def _board(self, view: Mapping[str, Any], board: Mapping[str, Any]) -> RenderableType:
        city, seat = view["city"], board["seat"]
        features = {feature["feature"]: feature for feature in board["features"]}
        columns = [chr(ord("A") + col) for col in range(city["cols"])]
        lines = [Line("   " + "".join(f"{letter} " for letter in columns), "bright_black")]
        for row, letters in enumerate(city["cells"]):
            line = Line(f"{row + 1:>2} ", "bright_black")
            for col, letter in enumerate(letters):
                painted, fresh = board["painted"][row][col] == "#", (row, col) in self._fresh.get(seat, ())
                line.append(*_square(letter, city["drawing"]["looks"].get(letter), painted, fresh))
            lines.append(line.append(" ").append(_value(features[f"row.{row + 1}"])))
        lines.append(Line("   ") + Line("").join(_short_value(features[f"col.{letter}"]) for letter in columns))
        lines.append(Line("   ") + self._districts(view, features))
        lines.append(_slots(board))
        title = f"[bold]{escape(board['player'])}[/]  {board['score']['total']}"
        return Panel(Line("\n").join(lines), title=title, border_style=self._colour(seat), expand=False)

    def _districts(self, view: Mapping[str, Any], features: Mapping[str, Any]) -> Line:
        line = Line()
        for letter, name in view["city"]["districts"].items():
            ink = view["city"]["drawing"]["looks"][letter]["strong"]
            line.append(letter, f"bold {ink}").append(_value(features[f"district.{name}"]))
        return line

    def _result(self, view: Mapping[str, Any], ended: GameEnded) -> None:
        """The score sheet and the winner."""
        table = Table(title=self._text("show.sheet"), title_style="bold", border_style="bright_black")
        table.add_column("")
        for board in view["boards"]:
            table.add_column(escape(board["player"]), justify="right", style=self._colour(board["seat"]))
        for part in CATEGORIES.values():
            table.add_row(self._text(f"category.{part}"), *[str(b["score"][part]) for b in view["boards"]])
        table.add_section()
        totals = [f"[bold]{b['score']['total']}[/]" for b in view["boards"]]
        table.add_row(f"[bold]{self._text('show.total')}[/]", *totals)
        self._console.print(table)
        reasons = "; ".join(self._text(f"end.{reason}") for reason in ended.reasons)
        self._console.print(self._text("show.ended", {"reasons": reasons}))
        names = [view["boards"][seat]["player"] for seat in ended.winners]
        key = "show.winner" if len(names) == 1 else "show.tie"
        self._console.print(Line(self._text(key, {"names": names}), "bold bright_yellow"))


def _dice(values: Sequence[int]) -> Line:
    return Line(" ").join(Line("▐", "#ffffff").append(str(value), DIE).append("▌") for value in values)


def _drawing(cells: Sequence[Sequence[int]]) -> Line:
    """A shape as blocks, lying down so that it stays low."""
    squares = {(row, col) for row, col in cells}
    if max(row for row, _ in squares) > max(col for _, col in squares):
        squares = {(col, row) for row, col in squares}
    height, width = max(row for row, _ in squares) + 1, max(col for _, col in squares) + 1
    rows = ["".join("██" if (r, c) in squares else "  " for c in range(width)) for r in range(height)]
    return Line("\n".join(rows), justify="left")


def _square(letter: str, look: Mapping[str, str] | None, painted: bool, fresh: bool) -> tuple[str, str]:
    """Text and style: painted squares are solid ink, fresh ones glitter, free ones show their letter."""
    ink = (look or NO_DISTRICT)["strong"]
    if fresh:
        return "▓▓", f"white on {ink}"
    if painted:
        return "██", ink
    wall = "".join(f"{round(WALL_SHARE * int(ink[n : n + 2], 16)):02x}" for n in (1, 3, 5))
    return (f"{letter.lower()} " if look else "· "), f"grey50 on #{wall}"


def _value(feature: Mapping[str, Any]) -> Line:
    """High and low as on the board: circled ones stand out, crossed ones are struck through."""
    marks = feature["marks"]
    line = Line().append(str(feature["high"]), _mark_style(marks["high"])).append("/", "bright_black")
    return line.append(str(feature["low"]), _mark_style(marks["low"])).append(" ")


def _short_value(feature: Mapping[str, Any]) -> Line:
    """A column has room for one number: the one scored, or the one that is still to be had."""
    marks = feature["marks"]
    rank = feature["scored"] or ("low" if marks["high"] == "crossed" else "high")
    return Line(f"{feature[rank]:<2}", _mark_style(marks[rank]))


def _mark_style(mark: str) -> str:
    return {"circled": CIRCLED, "crossed": CROSSED}.get(mark, "white")


def _slots(board: Mapping[str, Any]) -> Line:
    """The remote and the bubbles; what was paid for stands out in red."""
    line = Line()
    for sign, slots in (("✈", board["drone"]), (" ☁", board["bubbles"])):
        line.append(sign, "bright_black")
        for slot in slots:
            style = PAID if slot["mark"] == "circled" else _mark_style(slot["mark"])
            line.append(" ").append(f"{slot['value']}", style)
    return line
