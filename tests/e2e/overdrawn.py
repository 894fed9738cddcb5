"""Somebody draws a shape over a square that is painted already, and leaves it at that."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import State
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.history.history import History
from pi_app.run.dashboard import Dashboard
from pi_app.simulation.hands import Hands
from pi_app.table.lights import PLAYERS
from tests.e2e.night import Night, night, renderer
from tests.web.house import PIN
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate

GAME = GAMES["tag_city"]


@dataclass
class Overdrawn:
    """The table afterwards, with a dashboard over it that is shown whatever `turn` has seen."""

    at: Night
    seat: int
    free: list[str]
    """The squares that were free and are drawn now."""
    taken: str
    """The one square that was painted before."""
    dashboard: Dashboard
    app: Flask

    @property
    def board(self) -> str:
        return city_board(self.seat)

    def turn(self, pictures: int) -> None:
        self.at.turn(pictures)
        self.dashboard.publish()


def overdrawn(folder: Path) -> Overdrawn:
    """Plays until somebody has paint on the board and a die to take, and draws over one painted square."""
    at = night(folder, 2, seed=31)
    while not (found := list(_ways(at.table.state))):
        at.play(1)
    seat, die, free, taken = found[0]
    hub = Hub()
    dashboard = Dashboard(at.table, hub, at.clock, lambda *_: None)
    dashboard.show_pictures(at.eyes.pictures)
    dashboard.publish()
    app = create_app(
        House(
            hub,
            dashboard,
            folder,
            PinGate(PIN),
            write_private,
            PLAYERS,
            GAMES,
            "tag_city",
            history=History(at.store),
        )
    )
    lying = at.table.state.dice[die]
    at.sim.take(
        next(
            d.number for d in at.sim.state.dice if (d.value, d.at) == (lying.value, ("hq", f"section.{lying.section}"))
        )
    )
    at.sim.brush("hq")
    hands = Hands(at.sim, renderer().layout, ())
    hands.draw(city_board(seat), dict.fromkeys(free, "marked"), seat, mark_s=0.05, care=0.9)
    return Overdrawn(at, seat, free, taken, dashboard, app)


def _ways(state: State) -> Iterator[tuple[int, int, list[str], str]]:
    """Who may draw with which die where one square is painted, and the others could become a legal shape."""
    if state.phase != "draft":
        return
    [seat] = GAME.to_act(state).must
    painted = state.boards[seat].painted
    for die, lying in enumerate(state.dice):
        if lying.taken_by is not None:
            continue
        shape = state.printed.shapes[state.printed.sections[lying.section - 1]]
        legal = [mask for mask in shape.placements if not mask & painted]
        for mask in shape.placements:
            new, old = mask & ~painted, mask & painted
            if old.bit_count() == 1 and any(new & ~other == 0 for other in legal):
                [taken] = _regions(state, old)
                yield seat, die, _regions(state, new), taken


def _regions(state: State, mask: int) -> list[str]:
    return [f"r{row + 1}c{col + 1}" for row, col in state.printed.cells(mask)]
