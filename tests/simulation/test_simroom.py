"""The simulated table by hand: whoever moves dice or pieces there is seen by its camera, and the table follows."""

import random
from pathlib import Path

import pytest

from pi_app.engine.contract import LUCK
from pi_app.engine.events import to_json
from pi_app.engine.log import Play
from pi_app.perception.board_pictures import Pictures
from pi_app.perception.sight import PIECES_PATIENCE
from pi_app.simulation.hands import Hands
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.simulation.turn import turn_now
from pi_app.table.inputs import Command
from tests.e2e.night import Night, night, renderer
from tests.playing import ticking

GRAFFITI = "graffiti"
CAN = ("red", "up")


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


@pytest.fixture
def pieces(tmp_path: Path) -> tuple[Night, SimRoom]:
    """A game with loose pieces as it lies there when somebody is to make the first move."""
    at, room, look, rng = night(tmp_path, 2, 5, game=GRAFFITI), SimRoom(), renderer(GRAFFITI), random.Random(5)
    game = at.table.game
    while at.table.state is None or game.to_act(at.table.state).must == (LUCK,):
        at.table.step(Command("do", {"event": to_json(game.chances(at.table.state).draw(rng))}))
    Hands(at.sim, look.layout, game.surfaces(at.setup)).lay_out(game, at.setup, at.table.records)
    room.open(SimGame(at.sim, at.table, look, Pictures(look.layout)))
    at.turn(PIECES_PATIENCE + 5)  # so much at once might be a hand
    return at, room


def test_a_piece_that_is_moved_by_hand_is_noticed(pieces: tuple[Night, SimRoom]) -> None:
    at, room = pieces
    at.turn(4)  # the camera has seen the table without hands
    seat, before = at.table.state.turn, len(at.table.records)
    can, sheet = ("red", "blue")[seat], f"seat-{seat + 1}"
    told = room.state()
    assert told is not None
    assert told["turn"]["seats"] == (seat,)
    assert set(told["turn"]["acts"]) == {"put", "take"}
    target = ("actions", "can.paint.green.1")
    assert target in told["turn"]["fits"][can]
    move = {"piece": (can, "up"), "board": sheet, "region": "stock.1"}
    assert room.act("move", {**move, "to_board": target[0], "to_region": target[1]}) is None
    assert {hand.board for hand in at.sim.state.hands} >= {sheet, "actions"}
    at.turn(20)
    assert len(at.table.records) > before
    assert at.table.state.turn != seat


def test_what_lies_on_a_board_is_told_and_what_may(pieces: tuple[Night, SimRoom]) -> None:
    _, room = pieces
    told, regions, kinds = room.state(), room.regions("seat-1"), room.pieces()
    assert told is not None
    assert regions is not None
    assert kinds is not None
    sheet = next(board for board in told["boards"] if board["board"] == "seat-1")
    lying = next(piece for piece in sheet["pieces"] if piece["region"] == "stock.2")
    (left, top), _, (right, bottom), _ = regions["stock.2"]["outline"]
    assert left < lying["x_mm"] < right
    assert top < lying["y_mm"] < bottom
    assert (sheet["lays"], lying["piece"], lying["face"]) == (True, "red", "up")
    assert (regions["stock.2"]["most"], regions["stock.2"]["pool"]) == (1, "stock")
    assert "red" in regions["stock.2"]["holds"]
    assert kinds["part.B4"]["faces"] == [
        {"face": "finished", "told": "finished"},
        {"face": "open", "told": "open"},
    ], "what lies open is printed: somebody lays the finished side"
    for face in ("finished", "open"):
        assert (room.face_of("part.B4", face) or b"").startswith(b"\x89PNG")
    assert room.face_of("part.B4", "up") is None


@pytest.mark.parametrize(
    ("region", "pieces_there"),
    [
        ("stock.1", [CAN, CAN]),
        ("stock.1", [("police", "up")]),
        ("stock.1", [("red", "back")]),
        ("stock.9", [CAN]),
        ("stock.9", []),
    ],
)
def test_nothing_lies_where_it_cannot(
    region: str, pieces_there: list[tuple[str, str]], pieces: tuple[Night, SimRoom]
) -> None:
    at, room = pieces
    before = at.sim.state.pieces
    refused = room.act("arrange", {"board": "seat-1", "region": region, "pieces": pieces_there})
    assert refused is not None
    assert refused.key == "sim.cannot"
    assert at.sim.state.pieces == before


def test_a_piece_goes_only_from_where_it_lies_to_where_there_is_room(pieces: tuple[Night, SimRoom]) -> None:
    at, room = pieces
    room.act("arrange", {"board": "seat-1", "region": "stock.1", "pieces": []})
    before = at.sim.state.pieces
    gone, full = ("seat-1", "stock.1"), ("seat-1", "stock.2")
    for (board, region), (to_board, to_region) in ((gone, full), (full, ("seat-1", "stock.3")), (full, full)):
        args = {"piece": CAN, "board": board, "region": region, "to_board": to_board, "to_region": to_region}
        assert room.act("move", args) is not None
        assert at.sim.state.pieces == before
    assert room.act("move", {"piece": CAN, **_from(full), "to_board": "nowhere", "to_region": "stock.1"}) is not None
    assert room.act("move", {"piece": CAN, **_from(full), "to_board": "seat-1", "to_region": "stock.1"}) is None


def _from(at: tuple[str, str]) -> dict[str, str]:
    return {"board": at[0], "region": at[1]}


def test_what_has_to_be_done_is_told_through_a_whole_game(pieces: tuple[Night, SimRoom]) -> None:
    at, _ = pieces
    game, rng, told = at.table.game, random.Random(3), []
    play = Play(game, at.setup, now=ticking())
    while turn := game.to_act(play.state).must:
        told.append(turn_now(game, at.setup, play.state))
        chosen = None if turn == (LUCK,) else game.bots["random"](play.state, turn[0], rng)
        play.do(chosen or game.chances(play.state).draw(rng))
    assert {turn.acts for turn in told} >= {(), ("put",), ("take", "put")}
    assert all(turn.seats for turn in told)
