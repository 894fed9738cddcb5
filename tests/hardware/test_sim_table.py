"""The simulated table: what one does to it is there, and only that."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Condition, Status
from hardware.sim.devices import SimButtons, SimLights, SimSound
from hardware.sim.state import SimBoard, SimTableState
from hardware.sim.table import BRUSHING_S, DIE_MM, LEAVING_S, SimTable
from tests.hardware.clock import Clock


def evening(seed: int) -> SimTableState:
    clock = Clock()
    table = SimTable(seed, clock)
    table.roll(5)
    for number, section in enumerate((1, 2, 2, 4, 6)):
        table.put(number, ("middle", f"place.{section}"))
    table.draw("sheet-1", [("r1c1", "cross"), ("r1c2", "cross")])
    clock.go(1.0)
    table.knock(3)
    table.take(0)
    table.bump_camera(3.0, turn_deg=1.0)
    return table.state


def test_the_same_seed_and_actions_give_the_same_table() -> None:
    assert evening(7) == evening(7)
    assert evening(7) != evening(8)


@given(st.integers(0, 10_000), st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_dice_never_lie_in_each_other(seed: int, sections: list[int]) -> None:
    table = SimTable(seed, Clock())
    table.roll(len(sections))
    apart(table.state)
    for number, section in enumerate(sections[:5]):
        table.put(number, ("middle", f"place.{section}"))
    apart(table.state)


def apart(state: SimTableState) -> None:
    for one, other in itertools.combinations(state.dice, 2):
        if one.at == other.at:
            assert math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) > 1.3 * DIE_MM


def test_a_roll_can_be_told_what_it_shows() -> None:
    table = SimTable(1, Clock())
    assert table.roll(3, (6, 6, 1)) == (6, 6, 1)
    assert [die.value for die in table.state.dice] == [6, 6, 1]


def test_a_die_that_was_taken_is_gone_and_cannot_be_taken_again() -> None:
    table = SimTable(1, Clock())
    table.roll(3)
    table.take(1)
    assert [die.number for die in table.state.dice] == [0, 2]
    with pytest.raises(ValueError, match="die 1 is not on the table"):
        table.take(1)


def test_a_die_that_is_knocked_over_shows_a_neighbouring_face() -> None:
    for seed in range(30):
        table = SimTable(seed, Clock())
        (value,) = table.roll(1)
        table.knock(0)
        assert table.state.dice[0].value not in (value, 7 - value)


def test_strokes_grow_under_a_hand_that_leaves_when_they_are_done() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    gone_s = table.draw("sheet-2", [("r1c1", "cross"), ("r1c2", "fill")], mark_s=1.0)
    assert gone_s == clock() + 2.0 + LEAVING_S
    seen = [[ink.drawn(clock() + at) for ink in table.state.inks] for at in (0.0, 0.5, 1.0, 1.75, 2.0, 9.0)]
    assert seen == [[0, 0], [0.5, 0], [1, 0], [1, 0.75], [1, 1], [1, 1]]
    (hand,) = table.state.hands
    assert [hand.there(clock() + at) for at in (0.0, 2.4, 2.6)] == [True, True, False]


def test_a_hand_that_does_something_quickly_is_gone_by_itself() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    table.brush("middle", "place.2")
    [hand] = table.state.hands
    assert (hand.board, hand.region, hand.there(clock())) == ("middle", "place.2", True)
    assert not hand.there(clock() + BRUSHING_S)


def test_who_draws_goes_on_after_what_is_being_drawn() -> None:
    table = SimTable(1, Clock())
    first = table.draw("sheet-2", [("r1c1", "cross")])
    second = table.draw("sheet-2", [("r1c2", "cross")])
    other = table.draw("sheet-1", [("r1c2", "cross")])
    assert first == other < second


def test_ink_can_be_there_at_once() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    table.draw("sheet-1", [("row.1.high", "circle")], mark_s=0)
    assert table.state.inks[0].drawn(clock()) == 1.0
    assert table.state.hands == ()


def test_wiping_takes_what_is_asked_for_and_may_leave_a_trace() -> None:
    table = SimTable(1, Clock())
    for board in ("sheet-1", "sheet-2"):
        table.draw(board, [("r1c1", "cross"), ("r1c2", "cross")], mark_s=0)
    table.wipe("sheet-1", ["r1c2"])
    table.wipe("sheet-2", trace=0.1)
    left = [(ink.board, ink.region, ink.left) for ink in table.state.inks]
    assert left == [("sheet-1", "r1c1", 1.0), ("sheet-2", "r1c1", 0.1), ("sheet-2", "r1c2", 0.1)]


def test_a_hand_stays_until_it_is_withdrawn() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    table.reach("sheet-3")
    clock.go(1000.0)
    assert [hand.there(clock()) for hand in table.state.hands] == [True]
    table.withdraw("sheet-3")
    assert table.state.hands == ()


# --- faults that can be provoked ------------------------------------------------------------------


def test_lights_that_were_pulled_out_are_dark_and_come_back_with_the_newest_frame() -> None:
    table = SimTable(1, Clock())
    lights = SimLights(table)
    lights.show({"seat.1": (0, 255, 0)})
    table.unplug("lights")
    lights.show({"seat.2": (0, 255, 0)})
    assert lights.status() == Status("lights", Condition.LOST, {"why": "unplugged"})
    assert lights.showing == {}
    table.plug("lights")
    assert lights.status().ok
    assert lights.showing == {"seat.2": (0, 255, 0)}


def test_lights_of_another_version_say_so_and_stop_nobody() -> None:
    table = SimTable(1, Clock())
    lights = SimLights(table)
    table.fail(Status("lights", Condition.WRONG_VERSION, {"found": "1.0.0", "wanted": "2.0.0"}))
    lights.show({"seat.1": (0, 255, 0)})
    assert not lights.hold()
    assert lights.status().message == "hardware.lights.wrong_version"


def test_buttons_that_were_pulled_out_press_nothing() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    buttons = SimButtons(table, clock)
    buttons.push("next")
    table.unplug("buttons")
    assert not buttons.status().ok
    buttons.press("undo")
    table.plug("buttons")
    assert (buttons.poll(), buttons.status()) == ((), Status("buttons"))
    buttons.press("confirm", long=True)
    assert [(press.button, press.long) for press in buttons.poll()] == [("confirm", True)]


def test_sound_remembers_what_was_played_while_it_could() -> None:
    table = SimTable(1, Clock())
    sound = SimSound(table)
    sound.play("accepted")
    table.unplug("sound")
    sound.play("refused")
    assert sound.played == ["accepted"]


def test_a_thing_lies_there_as_long_as_it_was_put_down_for() -> None:
    clock = Clock()
    table = SimTable(1, clock)
    table.lay("mug", 10.0, 20.0, for_s=2.0)
    [mug] = table.state.things
    assert (mug.there(clock()), mug.there(clock() + 1.9), mug.there(clock() + 2.1)) == (True, True, False)
    clock.go(3.0)
    table.lay("phone", 0.0, 0.0)
    assert [thing.kind for thing in table.state.things] == ["phone"]  # what is gone is forgotten


def test_a_die_is_brought_back_beside_those_that_lie_there() -> None:
    table = SimTable(1, Clock())
    table.roll(2, (5, 5))
    place = "middle", "place.3"
    table.put(0, place)
    table.put(1, place)
    table.take(0)
    number = table.bring(5, place)
    assert sorted((die.number, die.value, die.at) for die in table.state.dice) == [(1, 5, place), (number, 5, place)]
    apart(table.state)


# --- where things are put ---------------------------------------------------------------------------


def sheets(players: int, middle: float = 200.0) -> list[SimBoard]:
    own = [SimBoard(f"sheet-{seat + 1}", 260.0, 190.0, seat) for seat in range(players)]
    small = ((0.0, 0.0), (25.0, 0.0), (25.0, 25.0), (0.0, 25.0))
    return [*own, SimBoard("middle", middle, 200.0, regions={"small": small})]


@pytest.mark.parametrize("players", range(1, 9))
@pytest.mark.parametrize("middle", [200.0, 420.0])
def test_surfaces_of_up_to_eight_seats_lie_around_what_they_share(players: int, middle: float) -> None:
    boards = SimTable(1, Clock(), sheets(players, middle)).state.boards
    assert [board.id for board in boards] == [surface.id for surface in sheets(players)]
    for one, other in itertools.combinations(boards, 2):
        across = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
        down = abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2
        assert max(across, down) > 10.0, f"{one.id} lies on {other.id}"


def test_pens_are_those_of_the_seats() -> None:
    table = SimTable(1, Clock(), sheets(2))
    assert [table.pen(board.id) for board in table.state.boards] == ["blue", "red", "black"]


def test_on_a_small_region_a_die_lies_in_the_middle() -> None:
    table = SimTable(1, Clock(), sheets(2))
    table.roll(1)
    table.put(0, ("middle", "small"))
    assert math.dist((table.state.dice[0].x_mm, table.state.dice[0].y_mm), (0.0, 0.0)) < DIE_MM / 8


def test_dice_that_stay_where_they_lie_are_not_rolled() -> None:
    table = SimTable(1, Clock(), sheets(2))
    table.roll(2, (6, 6))
    table.put(0, ("middle", "small"))
    table.roll(2, (1, 2), keep=[0])
    assert [(die.number, die.value, die.at) for die in table.state.dice] == [
        (0, 6, ("middle", "small")),
        (1, 1, None),
        (2, 2, None),
    ]


def test_dice_are_thrown_onto_a_region_and_the_others_are_in_somebodys_hand() -> None:
    clock = Clock()
    tray = SimBoard("till", 200.0, 100.0, regions={"dice": ((10, 10), (150, 10), (150, 50), (10, 50))})
    table = SimTable(3, clock, [tray])
    for values in ((2, 5), (4,), (6, 6)):
        table.throw(values, ("till", "dice"))
        assert tuple(die.value for die in table.state.dice) == values
        assert len(table.state.dice) + len(table.state.taken) == 2
        assert all(abs(die.x_mm) < 70 and abs(die.y_mm) < 20 for die in table.state.dice)
        apart(table.state)
