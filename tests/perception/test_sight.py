"""What is seen, over time: hands, settling, light, lost cameras. Plain values, no pictures."""

from pi_app.engine.contract import Message, Surface
from pi_app.engine.evidence import Looks, best_kind
from pi_app.engine.kinds import BESIDE, OTHER
from pi_app.perception.sight import (
    ELSEWHERE,
    LOOKS_AT_MOST,
    MISSED,
    NEXT_TRY,
    PATIENCE,
    PIECES_PATIENCE,
    PUSHED,
    Glance,
    Look,
    Sees,
    Sight,
    Told,
)
from tests.sighting import seen_as

ONE, TWO = "city-1", "city-2"
QUIET = Glance()
EMPTY: Looks = {"r1c1": seen_as("r1c1", "empty")}
INK: Looks = {"r1c1": seen_as("r1c1", "marked")}
HQ = "hq"
SURFACES = (Surface(ONE, 0), Surface(TWO, 1), Surface(HQ, pieces=True))
NO_DICE: Looks = {"section.1": {"empty": 0.0, OTHER: -5.0}}


def over(*boards: str, moving: bool = True) -> Glance:
    return Glance(frozenset(boards) if moving else frozenset(), frozenset(boards))


def showing(one: Looks = EMPTY, two: Looks = EMPTY, beside: str = "empty") -> Look:
    return Look({ONE: one, TWO: two, HQ: {**NO_DICE, BESIDE: {beside: 0.0, OTHER: -5.0}}})


def settled() -> Sight:
    """A table that was read and lies still."""
    sight = Sight(SURFACES)
    for _ in range(2):
        sight.glance(QUIET)
        sight.look(showing())
    return sight


def test_two_agreeing_pictures_settle_a_table_and_then_nothing_more_is_read() -> None:
    sight = Sight(SURFACES)
    sight.glance(QUIET)
    assert sight.wants_look
    assert sight.look(showing()) == frozenset()
    assert sight.told[ONE].state is Sees.SETTLING
    assert sight.look(showing()) == {ONE, TWO, HQ}
    assert sight.evidence[ONE] == EMPTY
    sight.glance(QUIET)
    assert not sight.wants_look
    assert {told.state for told in sight.told.values()} == {Sees.WAIT}


def test_nothing_is_read_under_a_hand_and_the_other_boards_go_on() -> None:
    sight = settled()
    sight.glance(over(ONE))
    assert (sight.told[ONE].state, sight.told[TWO].state) == (Sees.HAND, Sees.WAIT)
    assert not sight.wants_look
    assert ONE not in sight.evidence
    sight.glance(Glance(moving=frozenset({TWO}), covered=frozenset({ONE})))
    sight.glance(over(ONE, moving=False))
    assert sight.wants_look, "city-2 was touched and lies open again"
    for _ in range(2):
        found = sight.look(showing(one=INK, two=INK))
    assert found == {TWO}
    assert ONE not in sight.evidence


def test_pictures_that_disagree_do_not_settle() -> None:
    sight = settled()
    sight.glance(over(ONE))
    sight.glance(QUIET)
    assert sight.look(showing(one=INK)) == frozenset()
    assert sight.look(showing(one=EMPTY)) == frozenset()
    assert sight.look(showing(one=EMPTY)) == {ONE}


def test_what_flickers_on_and_on_is_settled_as_its_average() -> None:
    sight = settled()
    sight.glance(over(ONE))
    sight.glance(QUIET)
    looks = 0
    while not sight.look(showing(one=INK if looks % 2 else EMPTY)):
        looks += 1
    assert looks <= LOOKS_AT_MOST
    assert set(sight.evidence[ONE]["r1c1"].values()) == {-4.5}


def test_doubtful_regions_do_not_keep_a_board_from_settling() -> None:
    sight = settled()
    sight.glance(over(ONE))
    sight.glance(QUIET)
    sight.look(showing(one={"r1c1": {"empty": 0.0, "marked": -0.3}}))
    assert sight.look(showing(one={"r1c1": {"empty": -0.3, "marked": 0.0}})) == {ONE}


def test_a_light_change_is_no_move_but_all_is_read_again() -> None:
    sight = settled()
    sight.glance(Glance(light_changed=True))
    assert sight.evidence == {}
    assert sight.wants_look
    sight.look(showing())
    assert sight.look(showing()) == {ONE, TWO, HQ}


def test_rolling_dice_are_waited_for_only_while_somebody_rolls() -> None:
    sight = settled()
    around = Glance(moving=frozenset({ELSEWHERE}))
    sight.glance(around)
    assert HQ in sight.evidence
    sight.around = frozenset({HQ})
    sight.glance(around)
    assert HQ not in sight.evidence
    sight.glance(QUIET)
    sight.look(showing(beside="3"))
    assert sight.look(showing(beside="4")) == frozenset(), "still rolling"
    assert sight.look(showing(beside="4")) == {HQ}
    assert best_kind(sight.evidence[HQ][BESIDE]) == "4"


def test_a_hand_that_rests_is_looked_at_closer_and_stays_a_hand() -> None:
    sight = settled()
    sight.glance(over(ONE))
    for _ in range(PATIENCE):
        assert sight.look(showing()) == frozenset(), "also where it is looked for, it is not read"
        sight.glance(over(ONE, moving=False))
    assert sight.wants_look
    hidden = Look({ONE: EMPTY, TWO: EMPTY, HQ: NO_DICE}, hidden=frozenset({ONE}))
    assert sight.look(hidden) == frozenset()
    assert sight.told[ONE].state is Sees.HAND
    assert not sight.wants_look


def test_a_hand_that_was_there_from_the_start_is_a_hand_too() -> None:
    """Nothing to compare with, but what cannot be seen cannot be read."""
    sight = Sight(SURFACES)
    hidden = Look({ONE: EMPTY, TWO: EMPTY, HQ: NO_DICE}, hidden=frozenset({ONE}))
    for _ in range(3):
        sight.glance(QUIET)
        sight.look(hidden)
    assert (sight.told[ONE].state, sight.told[TWO].state) == (Sees.HAND, Sees.WAIT)
    assert ONE not in sight.evidence
    for _ in range(NEXT_TRY):
        sight.glance(QUIET)
    sight.look(showing())
    assert sight.look(showing()) == {ONE}


def test_what_only_looks_covered_is_read_in_the_end() -> None:
    sight = settled()
    sight.glance(over(ONE))
    for _ in range(PATIENCE):
        sight.glance(over(ONE, moving=False))
    sight.look(showing(one=INK))
    assert sight.look(showing(one=INK)) == {ONE}


def test_a_lost_camera_is_said_and_everything_is_read_anew_when_it_is_back() -> None:
    sight = settled()
    sight.lose()
    assert {told.state for told in sight.told.values()} == {Sees.CAMERA_LOST}
    assert not sight.wants_look
    assert sight.evidence == {}
    sight.glance(QUIET)
    assert sight.wants_look
    assert sight.told[ONE].state is Sees.SETTLING


def test_a_board_that_cannot_be_found_is_named() -> None:
    sight = Sight(SURFACES)
    sight.glance(QUIET)
    without = Look({TWO: EMPTY, HQ: NO_DICE})
    for _ in range(MISSED):
        sight.look(without)
    assert sight.told[ONE] == Told(Sees.SETTLING, Message("sight.board_missing", {"board": ONE}))
    assert sight.last(ONE) == {}
    looks = 0
    for _ in range(3 * NEXT_TRY):
        sight.glance(QUIET)
        looks += sight.wants_look
        sight.look(without)
    assert looks == 3, "it is looked for now and then only"
    sight.glance(QUIET)
    for _ in range(NEXT_TRY):
        sight.glance(QUIET)
    sight.look(showing())
    assert sight.look(showing()) == {ONE}


def test_a_board_that_suddenly_looks_covered_is_looked_for_and_not_read() -> None:
    """It may have been pushed, which only a full picture tells; a hand that rests there hides what lies under it."""
    sight = settled()
    sight.glance(over(HQ))
    for _ in range(PUSHED):
        assert not sight.wants_look
        sight.glance(over(HQ, moving=False))
    assert sight.wanted == {HQ}
    assert sight.look(showing()) == frozenset()
    for _ in range(PATIENCE - 1):
        sight.glance(over(HQ, moving=False))
        assert not sight.wants_look, "once is enough for a while"
    assert sight.told[HQ].state is Sees.HAND
    sight.glance(QUIET)
    sight.look(showing())
    assert sight.look(showing()) == {HQ}, "it only lay elsewhere"


def test_a_hand_that_rests_over_the_dice_gets_more_time() -> None:
    sight = settled()
    sight.glance(over(HQ))
    for _ in range(PIECES_PATIENCE):
        assert sight.look(showing()) == frozenset(), "also where it is looked for, it is not read"
        sight.glance(over(HQ, moving=False))
    assert sight.wants_look


def test_looking_again_averages_over_more_pictures() -> None:
    sight = settled()
    sight.look_again(ONE, 2)
    assert sight.told[ONE].state is Sees.READING
    assert sight.look(showing()) == frozenset()
    assert sight.look(showing()) == {ONE}
    assert sight.times_tried(ONE) == 4
