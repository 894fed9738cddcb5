"""One test per ruling of RULINGS.md, named after it."""

import random
from typing import Any

import pytest

from pi_app.engine.contract import LUCK, BadData, ToAct
from pi_app.engine.events import GameEnded
from pi_app.engine.values import changed
from pi_app.games.spree.rules.cards import ACES, counts, size
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
    HouseDecided,
    PointsBanked,
    Pushed,
    Robbed,
    RunOver,
    ShotFired,
    ShotRolled,
    State,
    StepCardPlayed,
    TurnBegan,
    WalkRolled,
)
from tests.games.spree.helpers import (
    ADA,
    BOB,
    CLEO,
    DAN,
    GAME,
    SETTLED,
    a_setup,
    at,
    begun,
    cart,
    conserved,
    discarded,
    done,
    facing,
    follows,
    having,
    house,
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


def robbable(hand: str = "JH 5C", loot: str = "JS JD 5H") -> State:
    """Ada stands where Bob stands, beside a hall full of nothing."""
    return having(having(begun(), ADA, at="H3", hand=hand), BOB, at="H3", cart=loot)


def driver(car: str = "C1", **options: Any) -> State:
    """Ada sits in her car."""
    return having(begun(driving=True, **options), ADA, at=car, car=car, in_car=True)


def test_s01_hands_are_filled_up_and_never_discarded_down() -> None:
    state = having(begun(), ADA, at="H3", hand="2S 2H 2D 2C 3S 3H")
    assert follows(state, done(ADA)) == [TurnBegan(BOB, False)]
    assert played(state, done(ADA)).seats[ADA].cards == 6


@pytest.mark.parametrize(("court", "points"), [("11-12-13", 36), ("10", 30)])
def test_s02_court_cards_are_11_12_13_or_10(court: str, points: int) -> None:
    assert follows(having(begun(court=court), ADA, cart="JS QS KS"), Banked(ADA))[0] == PointsBanked(ADA, points)


def test_s03_a_square_sells_one_face_and_a_map_may_leave_some_out_or_have_one_twice() -> None:
    drawing = "\n".join(house()["map"]).replace("KS", "7S").split("\n")
    state = having(begun(profile=house(map=drawing)), ADA, at="B2", hand="7S KS")
    assert refused(state, take(ADA, "B2", "KS")) == "wrong_card"
    assert cart(played(state, take(ADA, "B2", "7S"), SETTLED), ADA) == "7S"


def test_s04_the_sum_of_both_dice_counts_once_a_turn_and_rolling_is_optional() -> None:
    assert GAME.to_act(begun()) == ToAct((LUCK,), (ADA,))
    state = played(begun(), roll(3, 4))
    assert state.steps == 7
    assert refused(state, roll(1, 1)) == "already_rolled"
    assert follows(begun(), done(ADA)) == [TurnBegan(BOB, False)]


def test_s05_straight_back_is_barred_for_the_whole_turn_and_forgotten_in_the_next_also_an_extra_one() -> None:
    state = having(stepping(having(begun(), ADA, at="B5", hand="7C")), BOB, at="D5")
    taken = played(state, walk(ADA, "C5"))
    assert refused(taken, walk(ADA, "B5")) == "straight_back"
    again = played(taken, *shot(ADA, BOB, 2), SETTLED, CardsDrawn(ADA, 4, None), roll(1, 1))
    assert at(played(again, walk(ADA, "B5")), ADA) == "B5"


def test_s05_a_stop_to_take_or_rob_does_not_lift_it() -> None:
    state = played(stepping(having(begun(), ADA, at="C3")), walk(ADA, "B3"), take(ADA, "B3", "7S"), SETTLED)
    assert refused(state, walk(ADA, "C3")) == "straight_back"


def test_s06_step_cards_may_be_played_without_rolling() -> None:
    state = played(having(begun(), ADA, at="H3"), step(ADA, "2S"), SETTLED, walk(ADA, "G3", "F3"))
    assert (at(state, ADA), GAME.to_act(state)) == ("F3", ToAct((LUCK,), (ADA,)))


def test_s07_steps_left_over_are_kept_until_the_turn_ends() -> None:
    state = played(having(begun(), ADA, at="H3"), roll(3, 3), walk(ADA, "G3"))
    assert state.steps == 5
    assert played(state, done(ADA)).steps == 0


def test_s08_two_identical_cards_are_one_act_and_one_stop_hits_both() -> None:
    state = having(having(begun(), ADA, at="B3", hand="7S 7S"), BOB, at="H3")
    stopped = played(state, take(ADA, "B3", "7S", "7S"), stop(BOB, "AS"), SETTLED)
    assert discarded(stopped) == ["AS", "7S", "7S"]
    one_by_one = played(state, take(ADA, "B3", "7S"), SETTLED, take(ADA, "B3", "7S"), SETTLED)
    assert cart(one_by_one, ADA) == "7S 7S"


def test_s09_at_most_two_copies_are_laid_in_one_act() -> None:
    state = having(begun(profile=house(packs=3)), ADA, at="B3", hand="7S 7S 7S")
    assert refused(state, take(ADA, "B3", "7S", "7S", "7S")) == "too_many_cards"
    assert cart(played(state, take(ADA, "B3", "7S", "7S"), SETTLED, take(ADA, "B3", "7S"), SETTLED), ADA) == "7S 7S 7S"


def test_s10_to_rob_it_is_enough_to_be_there_at_the_start_of_the_turn() -> None:
    assert legal(robbable(), ADA, Robbed) == [rob(ADA, BOB, "JH"), rob(ADA, BOB, "5C")]


def test_s11_one_victim_is_robbed_and_another_needs_another_card() -> None:
    state = played(having(robbable(hand="JH JC"), CLEO, at="H3", cart="JC"), rob(ADA, BOB, "JH"), SETTLED)
    assert (cart(state, ADA), cart(state, CLEO)) == ("JS JD", "JC")
    assert cart(played(state, rob(ADA, CLEO, "JC"), SETTLED), ADA) == "JS JD JC"


def test_s12_who_lies_or_stands_at_the_own_car_can_be_robbed_and_plays_no_stop() -> None:
    for state in (having(robbable(), BOB, lying=True), having(robbable(), BOB, car="H3")):
        pending = played(state, rob(ADA, BOB, "JH"))
        assert refused(pending, stop(BOB, "AS")) in ("lying", "at_car_no_cards")
        assert cart(played(pending, SETTLED), ADA) == "JS JD"


def test_s13_a_joker_is_a_step_card_a_stop_or_any_rank_for_robbing_and_never_goods() -> None:
    state = robbable(hand="*")
    assert {(move.card, move.steps) for move in legal(state, ADA, StepCardPlayed)} == {("*", 2), ("*", 10)}
    assert {move.rank for move in legal(state, ADA, Robbed)} == {"J", "5"}
    assert refused(having(state, ADA, at="I3"), take(ADA, "I3", "*")) == "joker_not_for_shops"


def test_s13_a_joker_in_a_cart_scores_nothing() -> None:
    state = played(having(begun(), ADA, hand="* 2S"), HouseDecided(ADA, (("cart", "* 2S"),)))
    assert follows(state, Banked(ADA))[0] == PointsBanked(ADA, 2)


def test_s14_every_seat_that_stands_away_from_its_car_and_has_a_card_may_stop() -> None:
    state = having(having(having(begun(6), ADA, at="B3"), BOB, at="H3"), CLEO, at="G3")
    state = having(having(having(state, CLEO, lying=True), 4, at="K3", hand=""), 5, at="L3")
    pending = played(state, take(ADA, "B3", "7S"))
    assert GAME.to_act(pending) == ToAct((ADA,), (BOB, 5))
    assert refused(pending, stop(CLEO, "AS")) == "lying"
    assert refused(pending, stop(DAN, "AS")) == "at_car_no_cards"
    assert refused(pending, stop(4, "AS")) == "hand_empty"


def test_s14_the_acting_player_stops_stops_and_never_the_own_act() -> None:
    pending = played(robbable(hand="JH AD"), rob(ADA, BOB, "JH"))
    assert refused(pending, stop(ADA, "AD")) == "own_act"
    assert played(pending, stop(BOB, "AS"), stop(ADA, "AD")).pending is not None


def test_s15_stops_are_possible_from_the_announcement_to_the_settling() -> None:
    state = having(having(begun(), BOB, at="H3"), ADA, at="B3")
    assert refused(state, stop(BOB, "AS")) == "nothing_to_stop"
    pending = played(state, take(ADA, "B3", "7S"))
    assert BOB in GAME.to_act(pending).may
    assert refused(played(pending, SETTLED), stop(BOB, "AS")) == "nothing_to_stop"


def test_s15_a_shot_is_stopped_once_the_roll_is_a_hit() -> None:
    state = played(facing("E5", "F5"), ShotFired(ADA, BOB))
    assert refused(state, stop(BOB, "AS")) == "cannot_be_stopped"
    assert played(state, ShotRolled(2), stop(BOB, "AS")).pending is not None


@pytest.mark.parametrize("stops", range(5))
def test_s16_an_act_stands_if_an_even_number_of_stops_lies_on_it(stops: int) -> None:
    state = having(having(having(begun(), ADA, at="B3"), BOB, at="H3"), CLEO, at="G3")
    stack = [stop(BOB, "AS"), stop(CLEO, "AH"), stop(BOB, "AD"), stop(ADA, "*")][:stops]
    state = played(state, take(ADA, "B3", "7S"), *stack)
    assert follows(state, SETTLED) == [(ActStopped if stops % 2 else ActStood)("goods_taken")]
    assert cart(played(state, SETTLED), ADA) == ("" if stops % 2 else "7S")


def test_s17_walks_unloading_parking_getting_up_drawing_and_misses_cannot_be_stopped() -> None:
    away = having(begun(), CLEO, at="H3")
    for state in (
        played(away, roll(2, 2), walk(ADA, "D1")),
        played(having(away, ADA, cart="QH"), Banked(ADA)),
        played(away, CarParked(ADA, "M10")),
        played(having(away, BOB, lying=True), done(ADA)),
        played(having(facing("E5", "F5"), CLEO, at="H3"), *shot(ADA, BOB, 1)),
    ):
        assert refused(state, stop(CLEO, "AS")) == "nothing_to_stop"


def test_s17_running_over_cannot_be_stopped() -> None:
    state = played(having(driver(), CLEO, at="D1"), DriveRolled((1,)), Drove(ADA, ("D1",)))
    assert refused(having(state, BOB, at="H3"), stop(BOB, "AS")) == "nothing_to_stop"


def test_s18_a_stopped_shot_is_a_miss_the_shooter_falls_and_the_target_stays() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 6), stop(BOB, "AS"))
    events = [ActStopped("shot_fired"), Fell(ADA)]
    assert follows(state, SETTLED) == events
    after = played(state, SETTLED)
    assert (after.seats[ADA].lying, after.seats[BOB].lying, at(after, BOB)) == (True, False, "F5")
    assert follows(after, CardsDrawn(BOB, 1, None)) == [TurnBegan(BOB, False)]


def test_s19_stopped_goods_are_discarded() -> None:
    state = having(having(begun(), BOB, at="H3"), ADA, at="B3", hand="7S")
    state = played(state, take(ADA, "B3", "7S"), stop(BOB, "AS"), SETTLED)
    assert (discarded(state), state.seats[ADA].cards, cart(state, ADA)) == (["AS", "7S"], 0, "")


@pytest.mark.parametrize(("away", "power"), [(1, False), (2, False), (5, False), (3, True), (6, True)])
def test_s20_a_target_k_squares_away_is_square_k_plus_one(away: int, power: bool) -> None:
    victim = "IJKLMNO"[away]
    state = facing("I5", f"{victim}5", power_shots=power)
    needed = away + 1 - power
    assert played(state, *shot(ADA, BOB, needed)).pending is not None
    if needed > 1:
        assert played(state, *shot(ADA, BOB, needed - 1)).pending is None


def test_s21_a_push_ends_roll_less_one_squares_from_the_shooter() -> None:
    state = played(facing("I5", "J5"), *shot(ADA, BOB, 4))
    assert follows(state, SETTLED)[2] == Pushed(BOB, "L5")


def test_s21_a_push_goes_through_doors_and_over_people_and_cars() -> None:
    state = having(having(facing("H2", "H3"), CLEO, at="H4"), DAN, car="H4")
    through_door = played(facing("C5", "C4"), *shot(ADA, BOB, 4))
    assert follows(through_door, SETTLED)[2] == Pushed(BOB, "C2")
    assert follows(played(state, *shot(ADA, BOB, 6)), SETTLED)[2] == Pushed(BOB, "H4")


def test_s22_of_several_on_a_square_only_the_named_one_is_hit() -> None:
    state = played(having(facing("E5", "F5"), CLEO, at="F5"), *shot(ADA, CLEO, 3), SETTLED)
    assert [seat.lying for seat in state.seats] == [False, False, True, False]
    assert (at(state, BOB), at(state, CLEO)) == ("F5", "G5")


def test_s23_the_fountain_counts_as_two_squares() -> None:
    state = facing("H4", "H7")
    assert played(state, *shot(ADA, BOB, 3)).pending is None
    assert played(state, *shot(ADA, BOB, 4)).pending is not None


def test_s24_who_is_pushed_to_the_own_car_is_safe_there_and_may_unload_next_turn() -> None:
    state = having(facing("L5", "N5"), BOB, car="O5", cart="QH")
    state = played(state, *shot(ADA, BOB, 6), SETTLED)
    assert at(state, BOB) == "O5"
    assert refused(state, ShotFired(ADA, BOB)) == "target_lying"
    assert follows(played(state, done(ADA)), Banked(BOB))[0] == PointsBanked(BOB, 12)


def test_s25_who_misses_lies_till_the_next_turn_and_has_no_extra_one() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 1))
    assert (state.turn, state.seats[ADA].lying) == (BOB, True)
    assert follows(played(state, done(BOB), done(CLEO)), done(DAN)) == [TurnBegan(ADA, False), GotUp(ADA)]


def test_s26_at_the_own_car_is_on_its_square() -> None:
    assert refused(having(begun(), ADA, at="D1", cart="QH"), Banked(ADA)) == "not_at_car"
    assert refused(having(begun(), ADA, at="F1", cart="QH"), Banked(ADA)) == "not_at_car"


def test_s27_one_may_unload_without_having_moved_and_not_an_empty_cart() -> None:
    assert refused(begun(), Banked(ADA)) == "cart_empty"
    assert follows(having(begun(), ADA, cart="QH 2S"), Banked(ADA))[0] == PointsBanked(ADA, 14)


def test_s28_one_may_pass_over_the_own_car_and_plays_no_card_there() -> None:
    state = stepping(having(begun(), ADA, at="B1", cart="QH"))
    assert at(played(state, walk(ADA, "C1", "D1")), ADA) == "D1"
    assert refused(played(state, walk(ADA, "C1")), step(ADA, "2S")) == "at_car_no_cards"
    assert (
        refused(played(having(state, BOB, at="C1", cart="2H"), walk(ADA, "C1")), rob(ADA, BOB, "2S"))
        == "at_car_no_cards"
    )


def test_s29_parking_is_instead_of_everything_else_and_the_thief_goes_along() -> None:
    state = played(begun(), CarParked(ADA, "C10"))
    assert (at(state, ADA), state.turn) == ("C10", BOB)
    assert refused(begun(), CarParked(ADA, "F1")) == "place_taken"
    assert refused(begun(driving=True), CarParked(ADA, "C10")) == "car_is_driven"


def test_s29_who_comes_to_the_car_in_the_turn_cannot_park_elsewhere() -> None:
    state = played(having(begun(), ADA, at="D1", hand="2S"), step(ADA, "2S"), SETTLED, walk(ADA, "C1"))
    assert refused(state, CarParked(ADA, "C10")) == "whole_turn"


def test_s30_an_extra_turn_is_a_whole_new_one_and_any_number_may_follow() -> None:
    state = facing("E5", "F5")
    state = having(state, CLEO, at="E3")
    state = played(state, roll(1, 1), *shot(ADA, BOB, 2), SETTLED)
    assert (state.turn, state.dice, state.steps) == (ADA, (), 0)
    again = played(state, roll(2, 2), *shot(ADA, CLEO, 3))
    assert follows(again, SETTLED)[-1] == TurnBegan(ADA, True)


def test_s31_the_game_is_over_at_once_when_the_target_is_reached() -> None:
    state = having(having(begun(), ADA, cart="QH", banked=140), BOB, banked=149)
    assert follows(state, Banked(ADA)) == [PointsBanked(ADA, 12), GameEnded(("target",), (152, 149, 0, 0), (ADA,))]
    assert refused(played(state, Banked(ADA)), done(BOB)) == "game_over"


def test_s31_exactly_the_target_is_enough() -> None:
    state = having(begun(target=12), ADA, cart="QH")
    assert GAME.outcome(played(state, Banked(ADA))) is not None


def test_s32_the_target_is_an_option_and_two_players_are_refused() -> None:
    assert begun(target=33).printed.target == 33
    with pytest.raises(BadData, match="players_count"):
        GAME.start(a_setup(2))


def test_s33_anybody_may_be_named_to_park_first() -> None:
    for first in range(4):
        assert played(GAME.start(a_setup(4)), GameStarted(first)).first == first


def test_s34_without_any_cards_play_goes_on_with_smaller_hands() -> None:
    state = having(begun(), ADA, at="H3", hand="2S 3S")
    state = changed(state, pile=0, unseen=0)
    assert follows(state, done(ADA)) == [TurnBegan(BOB, False)]


@pytest.mark.parametrize(("options", "jokers"), [({}, 4), ({"jokers": 0}, 0), ({"jokers": 12}, 12)])
def test_s35_jokers_are_an_option(options: dict[str, int], jokers: int) -> None:
    assert counts(GAME.start(a_setup(4, None, **options)).printed.deck)[-1] == jokers
    with pytest.raises(BadData, match="out_of_range"):
        GAME.start(a_setup(4, None, jokers=13))


def test_s36_hong_kong_is_three_options_each_off_by_default() -> None:
    printed = begun().printed
    assert (printed.power, printed.splash, printed.driving) == (0, False, False)
    assert refused(begun(), DriveRolled((1,))) == "no_driving"


@pytest.mark.parametrize(("end", "square"), [("beyond", "I5"), ("before", "G5")])
def test_s37_who_would_end_in_the_fountain_lies_beyond_it_or_before_it(end: str, square: str) -> None:
    state = played(facing("E5", "F5", splash=True, splash_end=end), *shot(ADA, BOB, 4))
    assert follows(state, SETTLED)[2] == Pushed(BOB, square)


@pytest.mark.parametrize("value", [3, 4])
def test_s37_both_squares_of_the_fountain_are_left_behind(value: int) -> None:
    state = facing("H3", "H4", splash=True)
    assert follows(played(state, *shot(ADA, BOB, value)), SETTLED)[2] == Pushed(BOB, "H7")
    before = facing("H3", "H4", splash=True, splash_end="before")
    assert follows(played(before, *shot(ADA, BOB, value)), SETTLED)[1:] == [Fell(BOB), TurnBegan(ADA, True)]


def test_s38_who_stops_at_the_car_gets_in_and_passing_over_it_does_nothing() -> None:
    state = stepping(having(begun(driving=True), ADA, at="B1", cart="QH"))
    assert follows(state, walk(ADA, "C1")) == [EnteredCar(ADA), PointsBanked(ADA, 12), TurnBegan(BOB, False)]
    assert follows(state, walk(ADA, "C1", "D1")) == []
    inside = played(state, walk(ADA, "C1"))
    out = played(inside, done(BOB), done(CLEO), done(DAN), CarLeft(ADA))
    assert (out.turn, out.seats[ADA].in_car, at(out, ADA)) == (BOB, False, "C1")
    assert at(played(out, done(BOB), done(CLEO), done(DAN), roll(1, 1), walk(ADA, "D1")), ADA) == "D1"


def test_s39_with_driving_thieves_begin_beside_their_cars() -> None:
    state = begun(driving=True)
    assert not any(seat.in_car for seat in state.seats)
    assert at(played(state, roll(1, 1), walk(ADA, "D1")), ADA) == "D1"


@pytest.mark.parametrize("dice", [1, 2])
def test_s40_one_die_or_two_are_rolled_to_drive(dice: int) -> None:
    state = driver(driving_dice=dice)
    assert len(GAME.chances(state).moves) == 6**dice
    assert played(state, DriveRolled((3,) * dice)).steps == 3 * dice
    assert refused(state, DriveRolled((3,) * (3 - dice))) == "bad_dice"


def test_s41_cars_keep_to_lot_and_halls_never_go_straight_back_and_never_end_on_another() -> None:
    state = played(driver("E1"), DriveRolled((4,)))
    assert refused(state, Drove(ADA, ("D1", "D2"))) == "car_cannot_go"
    assert refused(state, Drove(ADA, ("D1", "E1"))) == "straight_back"
    assert refused(state, Drove(ADA, ("E2",))) == "car_cannot_go"
    assert refused(state, Drove(ADA, ("F1",))) == "car_in_the_way"
    assert at(played(state, Drove(ADA, ("F1", "G1"))), ADA) == "G1"
    assert refused(played(driver("G5"), DriveRolled((4,))), Drove(ADA, ("H5",))) == "car_cannot_go"
    assert refused(played(driver("C5"), DriveRolled((4,))), Drove(ADA, ("C6",))) == "wall"


def test_s42_one_gets_out_on_a_parking_place_at_any_time_of_the_turn() -> None:
    state = played(driver("E1"), DriveRolled((6,)))
    assert refused(state, CarLeft(ADA)) == "not_parked"
    driven = played(driver("D1"), DriveRolled((1,)), Drove(ADA, ("C1",)))
    assert follows(driven, CarLeft(ADA)) == [TurnBegan(BOB, False)]


def test_s43_everybody_on_foot_on_every_square_entered_is_run_over_and_the_drive_goes_on() -> None:
    state = having(having(having(driver(), BOB, at="D1", cart="QH"), CLEO, at="E1", lying=True), DAN, at="E1", car="E1")
    state = played(having(state, DAN, car="G1"), DriveRolled((3,)))
    events = [RunOver(ADA, BOB, ("QH",)), RunOver(ADA, CLEO, ()), RunOver(ADA, DAN, ())]
    assert follows(state, Drove(ADA, ("D1", "E1"))) == events
    after = played(state, Drove(ADA, ("D1", "E1")))
    assert (after.turn, after.steps, after.extra) == (ADA, 1, False)


def test_s43_beside_the_own_car_one_is_run_over_and_in_a_car_not() -> None:
    state = played(having(driver(), BOB, at="D1", car="D1"), DriveRolled((2,)))
    assert follows(state, Drove(ADA, ("D1", "E1"))) == [RunOver(ADA, BOB, ())]
    assert follows(having(state, BOB, in_car=True), Drove(ADA, ("D1", "E1"))) == []


def test_s44_no_cards_in_the_car_or_on_its_square_but_shots() -> None:
    on_square = having(having(begun(driving=True), BOB, at="E1"), CLEO, at="H3")
    for state in (on_square, having(on_square, ADA, in_car=True)):
        assert refused(state, step(ADA, "2S")) == "at_car_no_cards"
        pending = played(state, *shot(ADA, BOB, 6))
        assert pending.pending is not None
        assert refused(played(pending, stop(CLEO, "AS")), stop(ADA, "AD")) == "at_car_no_cards"


def test_s45_who_is_shot_in_the_car_falls_there_and_gets_up_before_driving() -> None:
    state = having(facing("L5", "M5", driving=True), BOB, car="M5", in_car=True)
    pending = played(state, *shot(ADA, BOB, 6))
    assert follows(pending, SETTLED) == [ActStood("shot_fired"), Fell(BOB), TurnBegan(ADA, True)]
    after = played(pending, SETTLED)
    assert (at(after, BOB), after.seats[BOB].in_car) == ("M5", True)
    assert follows(after, done(ADA)) == [TurnBegan(BOB, False), GotUp(BOB)]


def test_s46_one_shoots_from_the_car_after_driving_or_instead() -> None:
    state = having(driver(), BOB, at="H1")
    assert follows(played(state, *shot(ADA, BOB, 6)), SETTLED)[-1] == TurnBegan(ADA, True)
    driven = played(state, DriveRolled((1,)), Drove(ADA, ("D1",)), ShotFired(ADA, BOB))
    assert follows(driven, ShotRolled(2)) == [Fell(ADA), TurnBegan(BOB, False)]


def test_s47_banked_cards_go_to_the_discards_at_once() -> None:
    state = played(having(begun(), ADA, cart="QH 3D"), Banked(ADA))
    assert discarded(state) == ["3D", "QH"]


def test_s48_a_third_copy_is_refused_wherever_the_others_lie() -> None:
    state = having(having(having(begun(), CLEO, cart="7S"), DAN, cart="7S"), ADA, at="B3")
    assert refused(state, take(ADA, "B3", "7S")) == "third_copy"
    on_till = having(having(having(begun(), ADA, at="B3"), BOB, at="H3"), CLEO, at="G3", cart="AS")
    stopped = played(on_till, take(ADA, "B3", "7S"), stop(BOB, "AS"))
    assert refused(stopped, stop(CLEO, "AS")) == "third_copy"
    short = played(having(having(begun(), CLEO, cart="7S 7S"), ADA, at="H3", hand="2H 3H 4H 5H"), done(ADA))
    assert refused(short, CardsDrawn(ADA, 1, ("7S",))) == "third_copy"


def test_s48_other_packs_have_other_numbers_of_copies() -> None:
    state = having(having(begun(profile=house(packs=3)), CLEO, cart="7S 7S"), ADA, at="B3")
    assert cart(played(state, take(ADA, "B3", "7S"), SETTLED), ADA) == "7S"
    single = having(having(begun(profile=house(packs=1)), CLEO, cart="7S"), ADA, at="B3")
    assert refused(single, take(ADA, "B3", "7S")) == "third_copy"


def test_s49_who_stands_on_the_cars_square_gets_in_by_unloading_also_with_an_empty_cart() -> None:
    state = begun(driving=True)
    assert follows(state, Banked(ADA)) == [EnteredCar(ADA), TurnBegan(BOB, False)]
    assert follows(having(state, ADA, cart="2S"), Banked(ADA))[:2] == [EnteredCar(ADA), PointsBanked(ADA, 2)]
    assert refused(driver(), Banked(ADA)) == "in_car"


def test_s50_hands_are_filled_between_turns_first_of_who_has_played_then_of_who_begins() -> None:
    state = having(having(begun(), ADA, at="H3", hand="2S 3S 4S"), BOB, hand="5S 6S 7S 8S")
    state = played(state, done(ADA))
    assert GAME.unseen_luck(state) == CardsDrawn(ADA, 2, None)
    state = played(state, CardsDrawn(ADA, 2, None))
    assert GAME.unseen_luck(state) == CardsDrawn(BOB, 1, None)


def test_s50_the_pile_is_made_anew_only_when_a_card_is_needed() -> None:
    state = having(having(begun(), ADA, at="H3", hand="2S 3S 4S"), BOB, hand="5S 6S 7S 8S 9S", lying=True)
    heap = state.unseen
    state = changed(state, pile=1, discards=heap - (1 << 100), unseen=1 << 100)
    assert follows(state, done(ADA)) == []
    last = played(state, done(ADA))
    assert follows(last, CardsDrawn(ADA, 1, None)) == [DeckShuffled(size(state.discards))]
    after = played(last, CardsDrawn(ADA, 1, None))
    assert follows(after, CardsDrawn(ADA, 1, None)) == [TurnBegan(BOB, False), GotUp(BOB)]


def test_s51_who_is_entered_twice_is_run_over_twice_and_nothing_more_happens() -> None:
    state = having(driver("E5", driving_dice=2), BOB, at="F5", cart="QH")
    state = played(state, DriveRolled((4, 4)))
    loop = Drove(ADA, ("F5", "F6", "E6", "E5", "F5"))
    assert follows(state, loop) == [RunOver(ADA, BOB, ("QH",)), RunOver(ADA, BOB, ())]


def test_hands_that_were_told_play_only_what_they_hold() -> None:
    state = having(begun(), ADA, at="B3", hand="2S 3S")
    assert refused(state, take(ADA, "B3", "7S")) == "card_not_held"
    assert {move.card for move in legal(state, ADA, StepCardPlayed)} == {"2S"}


def test_a_card_in_a_told_hand_cannot_come_from_another_one() -> None:
    state = having(having(begun(), BOB, hand="7S 7S"), ADA, at="B3")
    assert refused(state, take(ADA, "B3", "7S")) == "card_not_held"


def test_hands_that_nobody_told_may_hold_anything_that_does_not_lie_openly() -> None:
    state = played(having(having(begun(), BOB, at="H3"), ADA, at="B3"), take(ADA, "B3", "7S"))
    stops = {move.card for move in GAME.legal_moves(state, BOB)}  # type: ignore[attr-defined]
    assert len(stops) == len(ACES) + 1


def test_chances_draw_each_card_as_often_as_it_may_lie_in_the_pile() -> None:
    state = played(having(begun(), ADA, at="H3", hand="2S 3S 4S 5S"), done(ADA))
    rng = random.Random(1)
    drawn = [GAME.chances(state).draw(rng).cards[0] for _ in range(4000)]  # type: ignore[attr-defined]
    assert 0 < drawn.count("2S") < drawn.count("7S") * 0.75
    assert 1.4 < drawn.count("*") / drawn.count("7S") < 2.8


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ((("thief", "K5"), ("pose", "lying")), "K5 True C1 "),
        ((("car", "O5"),), "C1 False O5 "),
        ((("cart", "QH 10S"),), "C1 False C1 QH 10S"),
        ((("cart", ""),), "C1 False C1 "),
    ],
)
def test_the_house_decides_about_thief_pose_car_and_cart(changes: tuple[tuple[str, str], ...], told: str) -> None:
    state = played(having(begun(), BOB, at="C1", car="C1"), HouseDecided(BOB, changes))
    own, names = state.seats[BOB], state.printed.mall.names
    assert f"{names[own.square]} {own.lying} {names[own.car]} {cart(state, BOB)}" == told
    assert conserved(state)


def test_cards_that_the_house_puts_into_a_cart_come_from_the_discards_or_else_from_the_hand() -> None:
    state = played(having(begun(), ADA, cart="QH"), Banked(ADA))
    state = played(having(state, BOB, hand="2S 3S"), HouseDecided(BOB, (("cart", "QH 2S"),)))
    assert (discarded(state), state.seats[BOB].cards) == ([], 1)
    back = played(state, HouseDecided(BOB, (("cart", "2S"),)))
    assert (discarded(back), back.seats[BOB].cards) == (["QH"], 1)
    assert refused(back, HouseDecided(BOB, (("cart", "9S"),))) == "house_impossible"


def test_what_the_house_moves_forgets_where_it_came_from_and_takes_a_driver_along() -> None:
    state = played(having(begun(), ADA, at="H3"), roll(3, 3), walk(ADA, "G3"), HouseDecided(ADA, (("thief", "G3"),)))
    assert at(played(state, walk(ADA, "H3")), ADA) == "H3"
    driven = played(driver(), HouseDecided(ADA, (("car", "O5"),)))
    assert (at(driven, ADA), driven.seats[ADA].in_car) == ("O5", True)


def test_the_house_decides_only_in_a_turn_with_nothing_pending() -> None:
    state = having(begun(), ADA, at="B3")
    change = HouseDecided(BOB, (("pose", "lying"),))
    assert refused(played(state, take(ADA, "B3", "7S")), change) == "act_pending"
    assert refused(played(GAME.start(a_setup()), GameStarted(0)), change) == "luck_first"


def test_who_acts_while_lying_by_a_decision_of_the_house_can_only_end_the_turn() -> None:
    state = played(begun(), HouseDecided(ADA, (("pose", "lying"),)))
    assert list(GAME.legal_moves(state, ADA)) == [done(ADA)]
    assert refused(state, WalkRolled((1, 1))) == "not_due"
