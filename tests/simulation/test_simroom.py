"""The simulated table by hand: whoever moves dice there is seen by its camera, and the table follows."""

from pathlib import Path

from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.table.inputs import Command
from tests.e2e.night import night, renderer


def test_dice_that_are_put_by_hand_are_noticed_whenever_it_happens(tmp_path: Path) -> None:
    at, room = night(tmp_path, 2, 71), SimRoom()
    room.open(SimGame(at.sim, at.table, renderer(), Pictures(renderer().layout)))
    at.table.put(Command("do", {"event": {"type": "game_started", "leader": 0}}))
    at.turn()
    assert room.act("roll", {}) is None
    at.turn(8)
    for lying in at.sim.state.dice:
        before = len(at.table.records)
        section = at.table.state.printed.values[lying.value][0]
        assert room.act("put", {"die": lying.number, "board": "hq", "region": f"section.{section}"}) is None
        assert any(hand.board == "hq" for hand in at.sim.state.hands)
        at.turn(10)
        assert len(at.table.records) > before
    assert room.touched
