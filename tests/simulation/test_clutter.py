"""What bots leave lying about: beside the boards of whatever game, or for a moment across a corner."""

import random

import pytest

from hardware.sim.state import SimThing
from hardware.sim.table import SimTable
from pi_app.simulation.clutter import MOMENT_S, footprint, lay_something
from tests.e2e.night import laid
from tests.hardware.clock import Clock


@pytest.mark.parametrize("game", ["tag_city", "graffiti"])
@pytest.mark.parametrize("players", [2, 4])
def test_what_stays_for_a_while_lies_on_no_board(game: str, players: int) -> None:
    """What covers a board for long is for people to take away: no move could be read under it."""
    table, rng = SimTable(1, Clock(), laid(players, game)), random.Random(3)
    for _ in range(60):
        lay_something(table, rng)
    staying = [thing for thing in table.state.things if thing.end_s - thing.begin_s > MOMENT_S[1]]
    assert len(staying) > 15
    assert not [thing for thing in staying if on_a_board(table, thing)]


def on_a_board(table: SimTable, thing: SimThing) -> bool:
    return any(
        abs(x - board.x_mm) < board.width_mm / 2 and abs(y - board.y_mm) < board.height_mm / 2
        for x, y in footprint(thing.kind, (thing.x_mm, thing.y_mm), thing.turn_deg)
        for board in table.state.boards
    )
