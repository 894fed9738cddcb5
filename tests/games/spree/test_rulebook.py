"""One test per clause of the rulebook, in its order, told in our own words."""

from typing import Any

import pytest

from pi_app.engine.contract import LUCK, ToAct
from pi_app.engine.events import GameEnded
from pi_app.engine.values import changed
from pi_app.games.spree.rules.cards import counts, size
from pi_app.games.spree.rules.model import (
    ActStood,
    ActStopped,
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DeckShuffled,
    DriveRolled,
    Drove,
    EnteredCar,
    Fell,
    GameStarted,
    GotUp,
    PointsBanked,
    Pushed,
    RunOver,
    ShotFired,
    ShotRolled,
    State,
    TurnBegan,
)
from tests.games.spree.helpers import (
    ADA,
    BOB,
    CLEO,
    DAN,
    EDITION,
    GAME,
    SETTLED,
    a_setup,
    at,
    begun,
    cart,
    discarded,
    done,
    facing,
    follows,
    having,
    legal,
    played,
    refused,
    rob,
    roll,
    shot,
    step,
    stepping,
    stop,
    take,
    walk,
)

# --- material ---------------------------------------------------------------------------------


def test_two_packs_with_jokers_are_played_with() -> None:
    deck = counts(GAME.start(a_setup()).printed.deck)
    assert deck == [2] * 52 + [4]


def test_shops_are_no_halls_and_the_rim_is_the_lot() -> None:
    mall = begun().printed.mall
    kinds = {name: mall.kinds[square] for name, square in mall.number.items()}
    assert (kinds["B2"], kinds["H2"], kinds["A1"], kinds["C1"], kinds["H5"]) == (
        *("shop", "hall", "lot", "parking", "fountain"),
    )


def test_nobody_can_enter_the_fountain() -> None:
    state = stepping(having(begun(), ADA, at="G5"))
    assert refused(state, walk(ADA, "H5")) == "fountain"


def test_one_can_shoot_across_the_fountain() -> None:
    state = played(facing("G5", "I5"), *shot(ADA, BOB, 3))
    assert state.pending is not None


# --- set-up -----------------------------------------------------------------------------------


def test_everybody_is_dealt_five_cards_in_the_order_of_seats() -> None:
    state = played(GAME.start(a_setup(3)), GameStarted(1))
    for seat in range(3):
        assert GAME.to_act(state) == ToAct((LUCK,))
        state = played(state, CardsDrawn(seat, 5, None))
    assert [seat.cards for seat in state.seats] == [5, 5, 5]
    assert state.pile == 108 - 15


def test_an_empty_pile_is_made_anew_from_the_discards() -> None:
    state = changed(having(begun(), ADA, at="B3", hand="7S"), pile=0, discards=begun().unseen, unseen=0)
    taken = played(stepping(state), take(ADA, "B3", "7S"), SETTLED)
    assert follows(taken, done(ADA))[0] == DeckShuffled(size(state.discards))


def test_the_highest_roll_parks_first_then_anti_clockwise_and_who_parked_last_begins() -> None:
    state = played(GAME.start(a_setup(4)), GameStarted(2), *(CardsDrawn(seat, 5, None) for seat in range(4)))
    order = []
    for place in ("C1", "F1", "J1"):
        order.append(state.turn)
        state = played(state, CarParked(state.turn, place))
    assert [*order, state.turn] == [2, 1, 0, 3]
    assert follows(state, CarParked(3, "M1")) == [TurnBegan(3, False)]


def test_car_and_thief_begin_on_the_same_free_parking_place() -> None:
    state = played(GAME.start(a_setup(3)), GameStarted(2), *(CardsDrawn(seat, 5, None) for seat in range(3)))
    assert refused(state, CarParked(2, "A1")) == "not_a_place"
    state = played(state, CarParked(2, "C1"))
    assert (at(state, 2), state.seats[2].at_car) == ("C1", True)
    assert refused(state, CarParked(1, "C1")) == "place_taken"


def test_who_parks_has_seen_the_own_hand() -> None:
    state = played(GAME.start(a_setup(3)), GameStarted(0))
    assert refused(state, CarParked(0, "C1")) == "luck_first"


def test_turns_go_clockwise() -> None:
    assert follows(begun(), done(ADA)) == [TurnBegan(BOB, False)]
    assert follows(played(begun(), done(ADA), done(BOB), done(CLEO)), done(DAN)) == [TurnBegan(ADA, False)]


# --- moving -----------------------------------------------------------------------------------


def test_the_hand_is_filled_to_five_at_the_end_of_a_turn() -> None:
    state = played(stepping(having(begun(), ADA, at="B3")), take(ADA, "B3", "7S"), SETTLED, done(ADA))
    assert GAME.to_act(state) == ToAct((LUCK,))
    assert follows(state, CardsDrawn(ADA, 1, None)) == [TurnBegan(BOB, False)]


def test_the_hand_is_filled_to_five_at_the_start_of_a_turn() -> None:
    state = having(having(begun(), ADA, at="B3"), BOB, at="H3")
    state = played(stepping(state), take(ADA, "B3", "7S"), stop(BOB, "AS"), SETTLED, done(ADA))
    state = played(state, CardsDrawn(ADA, 1, None))
    assert follows(state, CardsDrawn(BOB, 1, None)) == [TurnBegan(BOB, False)]


def test_one_goes_at_most_as_far_as_both_dice_say() -> None:
    state = played(begun(), roll(1, 2))
    assert state.steps == 3
    assert refused(state, walk(ADA, "D1", "E1", "F1", "G1")) == "too_far"
    assert at(played(state, walk(ADA, "D1", "E1", "F1")), ADA) == "F1"


def test_one_may_stop_early() -> None:
    state = played(begun(), roll(6, 6), walk(ADA, "D1"), done(ADA))
    assert (at(state, ADA), state.turn) == ("D1", BOB)


def test_one_goes_orthogonally_square_by_square() -> None:
    state = played(begun(), roll(6, 6))
    assert refused(state, walk(ADA, "D2")) == "not_adjacent"
    assert refused(state, walk(ADA, "E1")) == "not_adjacent"


def test_walls_stop_walkers() -> None:
    assert refused(played(begun(), roll(6, 6)), walk(ADA, "C2")) == "wall"


def test_thieves_and_cars_are_no_obstacles_and_one_may_stop_on_them() -> None:
    state = played(begun(), roll(6, 6), walk(ADA, "D1", "E1", "F1", "G1"))
    assert at(played(begun(), roll(1, 2), walk(ADA, "D1", "E1", "F1")), ADA) == at(begun(), BOB) == "F1"
    assert at(state, ADA) == "G1"


def test_one_must_not_step_straight_back() -> None:
    state = played(begun(), roll(6, 6))
    assert refused(state, walk(ADA, "D1", "C1")) == "straight_back"
    assert refused(played(state, walk(ADA, "D1")), walk(ADA, "C1")) == "straight_back"


def test_loops_are_fine() -> None:
    state = stepping(having(begun(), ADA, at="E5"))
    assert at(played(state, walk(ADA, "F5", "F6", "E6", "E5", "F5")), ADA) == "F5"


def test_a_dead_end_stops_you() -> None:
    """The ace of spades has one door."""
    state = played(stepping(having(begun(), ADA, at="D3")), walk(ADA, "D4"))
    assert refused(state, walk(ADA, "D3")) == "straight_back"
    assert legal(state, ADA, type(walk(ADA, "D3"))) == []


# --- taking -----------------------------------------------------------------------------------


def test_one_lays_the_card_that_the_shop_sells_into_the_own_cart() -> None:
    state = played(stepping(having(begun(), ADA, at="B3", hand="7S QH")), take(ADA, "B3", "7S"), SETTLED)
    assert (cart(state, ADA), state.seats[ADA].cards) == ("7S", 1)


def test_one_takes_while_passing_starting_or_stopping_on_a_shop() -> None:
    state = having(begun(), ADA, at="I3", hand="4H 8H 3H")
    state = played(state, take(ADA, "I3", "4H"), SETTLED, roll(1, 2), walk(ADA, "J3"), take(ADA, "J3", "8H"), SETTLED)
    assert cart(played(state, walk(ADA, "K3", "L3")), ADA) == "4H 8H"


def test_only_what_the_shop_sells_can_be_taken_there() -> None:
    assert refused(having(begun(), ADA, at="B3"), take(ADA, "B3", "7H")) == "wrong_card"


def test_two_identical_cards_may_be_laid_together() -> None:
    state = having(begun(), ADA, at="B3", hand="7S 7S 2H")
    assert cart(played(state, take(ADA, "B3", "7S", "7S"), SETTLED), ADA) == "7S 7S"
    assert refused(state, take(ADA, "B3", "7S", "2H")) == "not_identical"


# --- robbing ----------------------------------------------------------------------------------


def robbable(hand: str = "JH 5C", loot: str = "JS JD 5H") -> State:
    """Ada stands where Bob stands."""
    return having(having(begun(), ADA, at="H3", hand=hand), BOB, at="H3", cart=loot)


def test_a_card_of_the_same_rank_robs_whatever_its_suit() -> None:
    assert cart(played(robbable(), rob(ADA, BOB, "5C"), SETTLED), ADA) == "5H"


def test_all_cards_of_that_rank_come_into_the_own_cart() -> None:
    state = played(robbable(), rob(ADA, BOB, "JH"), SETTLED)
    assert (cart(state, ADA), cart(state, BOB)) == ("JS JD", "5H")


def test_the_card_that_robs_is_discarded() -> None:
    assert discarded(played(robbable(), rob(ADA, BOB, "JH"), SETTLED)) == ["JH"]


def test_one_robs_on_the_square_of_the_victim_alone() -> None:
    assert refused(having(robbable(), BOB, at="H4"), rob(ADA, BOB, "JH")) == "nobody_here"


def test_one_robs_as_often_as_one_likes_one_after_the_other() -> None:
    state = played(robbable(), rob(ADA, BOB, "JH"))
    assert refused(state, rob(ADA, BOB, "5C")) == "act_pending"
    assert cart(played(state, SETTLED, rob(ADA, BOB, "5C"), SETTLED), ADA) == "JS JD 5H"


# --- shooting ---------------------------------------------------------------------------------


def test_the_target_is_in_a_straight_line() -> None:
    assert refused(facing("E5", "G6"), ShotFired(ADA, BOB)) == "no_line"


def test_the_target_is_not_on_the_own_square() -> None:
    assert refused(facing("E5", "E5"), ShotFired(ADA, BOB)) == "same_square"


def test_walls_are_in_the_way() -> None:
    assert refused(facing("D4", "D6"), ShotFired(ADA, BOB)) == "no_line"


def test_thieves_and_cars_are_not_in_the_way_of_a_shot() -> None:
    state = having(having(facing("E5", "G5"), CLEO, at="F5"), DAN, car="F5")
    assert played(state, *shot(ADA, BOB, 3)).pending is not None


@pytest.mark.parametrize(("value", "hits"), [(1, False), (2, False), (3, True), (6, True)])
def test_squares_are_counted_with_the_own_as_the_first(value: int, hits: bool) -> None:
    """Bob is two squares away, on the third."""
    state = played(facing("E5", "G5"), *shot(ADA, BOB, value))
    assert (state.pending is not None) == hits


def test_a_one_always_misses() -> None:
    assert follows(played(facing("E5", "F5"), ShotFired(ADA, BOB)), ShotRolled(1))[0] == Fell(ADA)


def test_exactly_is_a_hit_without_a_push() -> None:
    state = played(facing("I5", "K5"), *shot(ADA, BOB, 3))
    assert follows(state, SETTLED) == [ActStood("shot_fired"), Fell(BOB), TurnBegan(ADA, True)]


def test_beyond_pushes_the_target_on_to_the_square_counted() -> None:
    state = played(facing("I5", "K5"), *shot(ADA, BOB, 5))
    assert follows(state, SETTLED)[1:3] == [Fell(BOB), Pushed(BOB, "M5")]


def test_a_wall_stops_who_is_pushed() -> None:
    state = played(facing("D2", "D3"), *shot(ADA, BOB, 6))
    assert follows(state, SETTLED)[2] == Pushed(BOB, "D4")


def test_the_fountain_stops_who_is_pushed() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 6))
    assert follows(state, SETTLED)[2] == Pushed(BOB, "G5")


def test_the_rim_stops_who_is_pushed() -> None:
    state = played(facing("L5", "N5"), *shot(ADA, BOB, 6))
    assert follows(state, SETTLED)[2] == Pushed(BOB, "O5")


def test_who_is_hit_falls_and_who_misses_falls() -> None:
    hit = played(facing("E5", "F5"), *shot(ADA, BOB, 2), SETTLED)
    missed = played(facing("E5", "F5"), *shot(ADA, BOB, 1))
    assert [seat.lying for seat in hit.seats[:2]] == [False, True]
    assert [seat.lying for seat in missed.seats[:2]] == [True, False]


def test_a_shot_ends_the_turn_and_a_hit_gives_another() -> None:
    state = played(facing("E5", "F5"), ShotFired(ADA, BOB))
    assert follows(state, ShotRolled(1)) == [Fell(ADA), TurnBegan(BOB, False)]
    assert follows(played(state, ShotRolled(2)), SETTLED)[-1] == TurnBegan(ADA, True)


def test_the_hand_is_filled_after_a_shot() -> None:
    state = having(facing("B3", "D3"), ADA, hand="7S 2H 3H 4H 5H")
    state = played(stepping(state), take(ADA, "B3", "7S"), SETTLED, *shot(ADA, BOB, 6), SETTLED)
    assert GAME.unseen_luck(state) == CardsDrawn(ADA, 1, None)


# --- lying ------------------------------------------------------------------------------------


def test_who_lies_cannot_be_shot() -> None:
    assert refused(having(facing("E5", "F5"), BOB, lying=True), ShotFired(ADA, BOB)) == "target_lying"


def test_who_lies_cannot_play_any_card() -> None:
    state = having(having(begun(), BOB, at="H3", lying=True), ADA, at="B3")
    assert refused(played(state, take(ADA, "B3", "7S")), stop(BOB, "AS")) == "lying"


def test_who_lies_can_be_robbed() -> None:
    state = having(robbable(), BOB, lying=True)
    assert cart(played(state, rob(ADA, BOB, "JH"), SETTLED), ADA) == "JS JD"


def test_who_lies_gets_up_at_the_start_of_the_next_turn() -> None:
    state = having(begun(), BOB, at="H3", lying=True)
    assert follows(state, done(ADA)) == [TurnBegan(BOB, False), GotUp(BOB)]


# --- unloading --------------------------------------------------------------------------------


def test_at_the_own_car_the_whole_cart_is_discarded_and_its_points_are_noted() -> None:
    state = having(begun(), ADA, cart="QH 3D")
    assert follows(state, Banked(ADA)) == [PointsBanked(ADA, 15), TurnBegan(BOB, False)]
    after = played(state, Banked(ADA))
    assert (cart(after, ADA), after.seats[ADA].banked, discarded(after)) == ("", 15, ["3D", "QH"])


def test_points_in_the_car_are_safe() -> None:
    state = having(having(begun(), BOB, at="H3", banked=40), ADA, at="H3")
    assert legal(state, ADA, type(rob(ADA, BOB, "2S"))) == []


@pytest.mark.parametrize(("card", "points"), [("AS", 15), ("2H", 2), ("9D", 9), ("10C", 10), ("*", 0)])
def test_cards_are_worth_their_face_an_ace_fifteen_a_joker_nothing(card: str, points: int) -> None:
    assert follows(having(begun(), ADA, cart=card), Banked(ADA))[0] == PointsBanked(ADA, points)


# --- at the own car ---------------------------------------------------------------------------


def test_at_the_own_car_nobody_shoots_or_is_shot() -> None:
    at_car = having(begun(), BOB, at="E1")
    assert refused(at_car, ShotFired(ADA, BOB)) == "shooter_at_car"
    assert refused(having(begun(), ADA, at="E1"), ShotFired(ADA, BOB)) == "target_at_car"


def test_at_the_own_car_nobody_plays_cards() -> None:
    assert refused(begun(), step(ADA, "2S")) == "at_car_no_cards"


def test_who_begins_a_turn_at_the_own_car_may_use_all_of_it_to_park_elsewhere() -> None:
    state = begun()
    assert follows(state, CarParked(ADA, "M10")) == [TurnBegan(BOB, False)]
    after = played(state, CarParked(ADA, "M10"))
    assert (at(after, ADA), after.seats[ADA].at_car) == ("M10", True)
    assert refused(played(state, roll(1, 1)), CarParked(ADA, "M10")) == "whole_turn"
    assert refused(having(state, ADA, at="D1"), CarParked(ADA, "M10")) == "not_at_car"


# --- special cards ----------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "steps"), [("10D", 10), ("2C", 2)])
def test_tens_and_twos_give_as_many_further_steps(card: str, steps: int) -> None:
    state = played(having(begun(), ADA, at="H3"), roll(1, 2), step(ADA, card), SETTLED)
    assert state.steps == 3 + steps
    assert discarded(state) == [card]


def test_step_cards_come_before_during_or_after_the_rolled_move() -> None:
    state = having(begun(), ADA, at="H3", hand="2S 2H 2D")
    before = played(state, step(ADA, "2S"), SETTLED, walk(ADA, "G3", "F3"))
    during = played(before, roll(1, 2), walk(ADA, "E3"), step(ADA, "2H"), SETTLED, walk(ADA, "D3", "C3", "B3", "B2"))
    assert (at(during, ADA), during.steps) == ("B2", 0)
    assert played(during, step(ADA, "2D"), SETTLED).steps == 2


def test_not_straight_back_holds_with_step_cards_too() -> None:
    state = played(having(begun(), ADA, at="H3"), roll(1, 1), walk(ADA, "G3"), step(ADA, "2S"), SETTLED)
    assert refused(state, walk(ADA, "H3")) == "straight_back"


def test_steps_may_be_left_unused() -> None:
    state = played(having(begun(), ADA, at="H3", hand="2S"), step(ADA, "2S"), SETTLED, done(ADA))
    assert state.seats[ADA].cards == 0


def test_an_ace_stops_taking_and_the_card_is_lost() -> None:
    state = having(having(begun(), BOB, at="H3"), ADA, at="B3")
    state = played(state, take(ADA, "B3", "7S"), stop(BOB, "AS"))
    assert follows(state, SETTLED) == [ActStopped("goods_taken")]
    after = played(state, SETTLED)
    assert (cart(after, ADA), discarded(after)) == ("", ["AS", "7S"])


def test_an_ace_stops_a_robbery_and_the_played_card_is_lost() -> None:
    state = played(robbable(), rob(ADA, BOB, "JH"), stop(BOB, "AS"), SETTLED)
    assert (cart(state, ADA), cart(state, BOB), discarded(state)) == ("", "JS JD 5H", ["AS", "JH"])


def test_an_ace_stops_a_step_card() -> None:
    state = having(having(begun(), BOB, at="H3"), ADA, at="B3")
    state = played(state, step(ADA, "10S"), stop(BOB, "AS"), SETTLED)
    assert (state.steps, discarded(state)) == (0, ["AS", "10S"])


def test_an_ace_makes_a_shot_fail() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 6), stop(BOB, "AS"))
    assert follows(state, SETTLED)[:2] == [ActStopped("shot_fired"), Fell(ADA)]


def test_an_ace_stops_another_ace() -> None:
    state = played(robbable(hand="JH AD"), rob(ADA, BOB, "JH"), stop(BOB, "AS"), stop(ADA, "AD"), SETTLED)
    assert (cart(state, ADA), discarded(state)) == ("JS JD", ["AS", "AD", "JH"])


def test_an_ace_cannot_turn_a_miss_into_a_hit() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 1))
    assert refused(state, stop(ADA, "AS")) == "nothing_to_stop"


def test_an_ace_cannot_stop_unloading() -> None:
    state = having(having(begun(), BOB, at="H3"), ADA, cart="QH")
    assert refused(played(state, Banked(ADA)), stop(CLEO, "AS")) == "nothing_to_stop"


def test_a_joker_is_any_card_but_not_for_shops() -> None:
    state = robbable(hand="* * *")
    assert cart(played(state, rob(ADA, BOB, "*", "J"), SETTLED), ADA) == "JS JD"
    assert played(state, step(ADA, "*", 10), SETTLED).steps == 10
    stopped = having(played(having(state, ADA, at="B3", hand="7S"), take(ADA, "B3", "7S")), BOB, hand="*")
    assert follows(played(stopped, stop(BOB, "*")), SETTLED) == [ActStopped("goods_taken")]
    assert refused(having(state, ADA, at="B3"), take(ADA, "B3", "*")) == "joker_not_for_shops"


# --- winning ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "target"), [(3, 200), (4, 150), (5, 120), (6, 100), (7, 85), (8, 75)])
def test_who_first_reaches_the_target_at_the_car_wins(players: int, target: int) -> None:
    state = having(begun(players), ADA, cart="QH", banked=target - 12)
    scores = (target, *[0] * (players - 1))
    assert follows(state, Banked(ADA)) == [PointsBanked(ADA, 12), GameEnded(("target",), scores, (ADA,))]
    assert GAME.start(a_setup(players)).printed.target == EDITION["targets"][str(players)] == target


# --- Hong Kong --------------------------------------------------------------------------------


def test_power_shots_go_one_square_further() -> None:
    state = played(facing("E5", "G5", power_shots=True), *shot(ADA, BOB, 2))
    assert state.pending is not None
    pushed = played(facing("I5", "J5", power_shots=True), *shot(ADA, BOB, 3))
    assert follows(pushed, SETTLED)[2] == Pushed(BOB, "L5")


def test_with_splash_the_fountain_stops_nobody() -> None:
    state = played(facing("E5", "F5", splash=True), *shot(ADA, BOB, 5))
    assert follows(state, SETTLED)[2] == Pushed(BOB, "I5")


def driver(**changes: Any) -> State:
    """Ada sits in her car on C1."""
    return having(begun(driving=True), ADA, in_car=True, **changes)


def test_going_to_the_car_ends_the_turn() -> None:
    state = stepping(having(begun(driving=True), ADA, at="D1", cart="QH"))
    events = [EnteredCar(ADA), PointsBanked(ADA, 12), TurnBegan(BOB, False)]
    assert follows(state, walk(ADA, "C1")) == events


def test_getting_out_ends_the_turn() -> None:
    assert follows(driver(), CarLeft(ADA)) == [TurnBegan(BOB, False)]
    assert not played(driver(), CarLeft(ADA)).seats[ADA].in_car


def test_a_die_is_rolled_to_drive() -> None:
    state = played(driver(), DriveRolled((2,)), Drove(ADA, ("D1", "E1")))
    assert (at(state, ADA), state.seats[ADA].at_car, state.steps) == ("E1", True, 0)
    assert refused(driver(), Drove(ADA, ("D1",))) == "not_rolled"


def test_one_may_shoot_from_the_car_and_be_shot_in_it() -> None:
    state = having(having(begun(driving=True), ADA, in_car=True), BOB, in_car=True)
    assert played(state, *shot(ADA, BOB, 6)).pending is not None


def test_one_gets_out_only_when_the_car_is_parked() -> None:
    state = played(driver(), DriveRolled((2,)), Drove(ADA, ("D1",)))
    assert refused(state, CarLeft(ADA)) == "not_parked"


def test_cars_go_on_the_lot_and_in_the_halls() -> None:
    state = played(having(driver(at="H1"), ADA, car="H1"), DriveRolled((3,)))
    assert at(played(state, Drove(ADA, ("H2", "H3"))), ADA) == "H3"
    assert refused(state, Drove(ADA, ("H2", "I2"))) == "car_cannot_go"


def test_who_is_driven_over_falls_and_all_of_the_cart_is_spilt() -> None:
    state = played(having(driver(), CLEO, at="D1", cart="QH 3D"), DriveRolled((2,)))
    assert follows(state, Drove(ADA, ("D1",))) == [RunOver(ADA, CLEO, ("QH", "3D"))]
    after = played(state, Drove(ADA, ("D1",)))
    assert (after.seats[CLEO].lying, cart(after, CLEO), discarded(after)) == (True, "", ["3D", "QH"])


def test_no_ace_helps_who_is_driven_over() -> None:
    state = played(having(driver(), CLEO, at="D1"), DriveRolled((2,)), Drove(ADA, ("D1",)))
    assert refused(state, stop(CLEO, "AS")) == "nothing_to_stop"


def test_nobody_robs_from_a_car() -> None:
    state = having(driver(hand="QS"), CLEO, at="C1", cart="QH")
    assert refused(state, rob(ADA, CLEO, "QS")) == "at_car_no_cards"
