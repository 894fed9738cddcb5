"""What people let stand against the rules: it counts like a move, and is told apart from one."""

from pi_app.engine.contract import Repair, Setup
from pi_app.engine.events import Record
from pi_app.games.tag_city.rules.model import FeatureCompleted, HouseDecided
from pi_app.games.tag_city.rules.sheet import sheet
from tests.games.tag_city.helpers import GAME, drafting, ink, observe, painted, played, scores, squares, table, tiny

WRONG = "A1 B1 C1 D1 A2"


def decided(names: str = WRONG, drone: int | None = None, bubble: int | None = None) -> HouseDecided:
    return HouseDecided(1, 0, squares(names), drone, bubble)


def test_what_is_drawn_becomes_the_decision() -> None:
    state = drafting(1, 2, 3)
    seen = observe(state, {1: {**ink(WRONG), "bubble.2": "circled"}}, taken=[0])
    assert GAME.adopt(state, [], "city-2", seen) == Repair(decided(bubble=2))


def test_without_one_die_gone_or_with_two_circles_nothing_can_be_adopted() -> None:
    state = drafting(1, 2, 3)
    assert GAME.adopt(state, [], "city-2", observe(state, {1: ink(WRONG)})) is None
    circles = {"drone.1": "circled", "drone.2": "circled"}
    assert GAME.adopt(state, [], "city-2", observe(state, {1: {**ink(WRONG), **circles}}, taken=[0])) is None
    assert GAME.adopt(table(), [], "city-2", observe(state)) is None


def test_it_paints_pays_completes_and_passes_the_turn() -> None:
    state = drafting(1, 2, 3)
    move = decided(drone=2, bubble=1)
    events = GAME.decide(state, move)
    assert events == (move, FeatureCompleted(1, "row.1", "high", 10))
    after = played(state, move)
    assert painted(after, 1) == squares(WRONG)
    assert scores(after) == [0, 10 - 2 - 2]
    assert GAME.to_act(after).must == (0,)
    assert GAME.expected_sight(after, "city-1")["bubble.1"] == "crossed"


def test_it_is_no_legal_move_that_anybody_is_offered() -> None:
    state = drafting(1, 2, 3)
    assert decided() not in GAME.legal_moves(state, 1)
    assert decided() not in list(GAME.legal_moves(state, 1))


def test_its_costs_are_on_the_sheet() -> None:
    rows = list(sheet(Setup(tiny(), {}, ()), [Record(1, "now", decided(drone=2, bubble=1))]))
    assert [(row.kind, row.value) for row in rows] == [("drone", -2), ("bubble", -2)]
