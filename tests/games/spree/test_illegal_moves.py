"""Every refusal, each provoked by a move that is wrong for this one reason."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.engine.events import Event
from pi_app.games.spree.rules.model import (
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DriveRolled,
    Drove,
    Fell,
    GameStarted,
    HouseDecided,
    ShotFired,
    ShotRolled,
    State,
    TurnEnded,
    Walked,
    WalkRolled,
)
from tests.games.spree.helpers import (
    ADA,
    BOB,
    CLEO,
    GAME,
    SETTLED,
    a_setup,
    begun,
    done,
    facing,
    facts,
    having,
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
from tests.test_strings import python, rule_ids
from web.text import Text


def in_shop() -> State:
    """Ada stands in the shop of the seven of spades; Bob stands in the hall with a cart."""
    return having(having(begun(), ADA, at="B3"), BOB, at="H3", cart="5H")


def robbing() -> State:
    return having(in_shop(), BOB, at="B3")


def pending() -> State:
    return played(in_shop(), take(ADA, "B3", "7S"))


def driver() -> State:
    return having(begun(driving=True), ADA, in_car=True)


def driving() -> State:
    return played(driver(), DriveRolled((6,)))


def dealing() -> State:
    return played(GAME.start(a_setup()), GameStarted(0))


def parking() -> State:
    return played(dealing(), *(CardsDrawn(seat, 5, None) for seat in range(4)))


def over() -> State:
    return played(having(begun(target=2), ADA, cart="2S"), Banked(ADA))


Case = tuple[Callable[[], State], Event]
CASES: dict[str, list[Case]] = {
    "act_pending": [(pending, done(ADA)), (pending, roll(1, 1)), (pending, take(ADA, "B3", "7S"))],
    "already_rolled": [(lambda: played(begun(), roll(1, 1)), roll(1, 1))],
    "already_started": [(begun, GameStarted(0))],
    "at_car_no_cards": [(begun, step(ADA, "2S")), (pending, stop(CLEO, "AS"))],
    "bad_dice": [(begun, WalkRolled((1,))), (begun, WalkRolled((0, 7))), (driver, DriveRolled((1, 2)))],
    "cannot_be_stopped": [(lambda: played(facing("E5", "F5"), ShotFired(ADA, BOB)), stop(BOB, "AS"))],
    "car_cannot_go": [(driving, Drove(ADA, ("D1", "D2")))],
    "car_in_the_way": [(driving, Drove(ADA, ("D1", "E1", "F1")))],
    "car_is_driven": [(lambda: begun(driving=True), CarParked(ADA, "M10"))],
    "card_not_held": [(lambda: having(in_shop(), ADA, hand="2S"), take(ADA, "B3", "7S"))],
    "cart_empty": [(begun, Banked(ADA))],
    "draw_count": [(dealing, CardsDrawn(0, 4, None)), (dealing, CardsDrawn(0, 5, ("2S",)))],
    "fountain": [(lambda: stepping(having(begun(), ADA, at="H4")), walk(ADA, "H5"))],
    "game_over": [(over, done(BOB)), (over, roll(1, 1))],
    "hand_empty": [(lambda: having(in_shop(), ADA, hand=""), take(ADA, "B3", "7S"))],
    "house_impossible": [
        (begun, HouseDecided(ADA, ())),
        (begun, HouseDecided(ADA, (("points", "7"),))),
        (begun, HouseDecided(ADA, (("thief", "H5"),))),
        (begun, HouseDecided(ADA, (("car", "F1"),))),
        (begun, HouseDecided(ADA, (("pose", "asleep"),))),
        (begun, HouseDecided(ADA, (("cart", "1S"),))),
        (begun, HouseDecided(ADA, (("cart", "7S 7S 7S"),))),
        (begun, HouseDecided(ADA, (("pose", "lying"), ("pose", "standing")))),
        (parking, HouseDecided(ADA, (("pose", "lying"),))),
    ],
    "in_car": [(driver, walk(ADA, "D1")), (driver, Banked(ADA)), (driver, roll(1, 1))],
    "joker_not_for_shops": [(in_shop, take(ADA, "B3", "*"))],
    "luck_first": [(dealing, done(ADA)), (lambda: played(facing("E5", "F5"), ShotFired(ADA, BOB)), done(ADA))],
    "lying": [(lambda: having(pending(), BOB, lying=True), stop(BOB, "AS"))],
    "no_driving": [(begun, DriveRolled((1,))), (begun, Drove(ADA, ("D1",))), (begun, CarLeft(ADA))],
    "no_line": [(lambda: facing("E5", "F6"), ShotFired(ADA, BOB))],
    "no_path": [(lambda: stepping(begun()), Walked(ADA, ())), (driving, Drove(ADA, ()))],
    "nobody_here": [(in_shop, rob(ADA, BOB, "5S"))],
    "not_a_move": [(begun, Fell(ADA))],
    "not_a_place": [(parking, CarParked(0, "A1")), (begun, CarParked(ADA, "H3"))],
    "not_a_step_card": [(in_shop, step(ADA, "7S", 2))],
    "not_a_stop": [(pending, stop(BOB, "KS"))],
    "not_adjacent": [(lambda: stepping(begun()), walk(ADA, "E1")), (driving, Drove(ADA, ("E1",)))],
    "not_at_car": [(in_shop, Banked(ADA)), (in_shop, CarParked(ADA, "M10"))],
    "not_at_shop": [(in_shop, take(ADA, "B2", "KS")), (lambda: having(begun(), ADA, at="H3"), take(ADA, "H3", "2S"))],
    "not_due": [(begun, CardsDrawn(0, 1, None)), (begun, ShotRolled(3)), (dealing, roll(1, 1))],
    "not_identical": [(in_shop, take(ADA, "B3", "7S", "7H"))],
    "not_in_car": [
        (lambda: begun(driving=True), DriveRolled((1,))),
        (lambda: begun(driving=True), Drove(ADA, ("D1",))),
        (lambda: begun(driving=True), CarLeft(ADA)),
    ],
    "not_parked": [(lambda: played(driving(), Drove(ADA, ("D1",))), CarLeft(ADA))],
    "not_rolled": [(begun, walk(ADA, "D1")), (driver, Drove(ADA, ("D1",)))],
    "not_your_turn": [(begun, done(BOB)), (begun, walk(BOB, "G1"))],
    "nothing_pending": [(begun, SETTLED)],
    "nothing_to_stop": [(in_shop, stop(BOB, "AS"))],
    "own_act": [(pending, stop(ADA, "AS"))],
    "park_first": [(parking, done(0))],
    "place_taken": [(begun, CarParked(ADA, "F1"))],
    "rank_not_in_cart": [(robbing, rob(ADA, BOB, "6S"))],
    "same_square": [(lambda: facing("E5", "E5"), ShotFired(ADA, BOB))],
    "shooter_at_car": [(lambda: having(begun(), BOB, at="E1"), ShotFired(ADA, BOB))],
    "start_first": [(lambda: GAME.start(a_setup()), done(ADA))],
    "straight_back": [
        (lambda: stepping(begun()), walk(ADA, "D1", "C1")),
        (driving, Drove(ADA, ("D1", "C1"))),
    ],
    "target_at_car": [(lambda: having(begun(), ADA, at="E1"), ShotFired(ADA, BOB))],
    "target_lying": [(lambda: having(facing("E5", "F5"), BOB, lying=True), ShotFired(ADA, BOB))],
    "third_copy": [(lambda: having(in_shop(), CLEO, cart="7S 7S"), take(ADA, "B3", "7S"))],
    "too_far": [(lambda: stepping(begun(), 1), walk(ADA, "D1", "E1"))],
    "too_many_cards": [(in_shop, take(ADA, "B3")), (in_shop, take(ADA, "B3", "7S", "7S", "7S"))],
    "unknown_card": [(in_shop, take(ADA, "B3", "1S")), (dealing, CardsDrawn(0, 5, ("1S",) * 5))],
    "unknown_player": [
        (begun, TurnEnded(9)),
        (robbing, rob(ADA, ADA, "5S")),
        (begun, ShotFired(ADA, 7)),
        (lambda: GAME.start(a_setup()), GameStarted(4)),
    ],
    "unknown_square": [(lambda: stepping(begun()), walk(ADA, "Z9")), (parking, CarParked(0, ""))],
    "wall": [
        (lambda: stepping(begun()), walk(ADA, "C2")),
        (lambda: played(at_bench(), DriveRolled((1,))), Drove(ADA, ("C6",))),
    ],
    "whole_turn": [(lambda: played(begun(), roll(1, 1)), CarParked(ADA, "M10"))],
    "wrong_card": [(in_shop, take(ADA, "B3", "7H"))],
    "wrong_rank": [(robbing, rob(ADA, BOB, "5S", "6")), (robbing, rob(ADA, BOB, "*", "*"))],
    "wrong_steps": [(in_shop, step(ADA, "2S", 10)), (in_shop, step(ADA, "*", 5))],
}


def at_bench() -> State:
    return having(driver(), ADA, at="C5", car="C5")


@pytest.mark.parametrize("rule", CASES)
def test_every_rule_refuses_what_it_is_about(rule: str) -> None:
    for state, move in CASES[rule]:
        assert refused(state(), move) == rule


@pytest.mark.parametrize("rule", CASES)
@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_refusal_can_be_said(rule: str, language: str) -> None:
    for state, move in CASES[rule]:
        told = facts(state(), move)
        json.dumps(told)
        assert "{" not in Text(language, ("Ada", "Bob", "Cleo", "Dan"), GAME.folder)(f"rule.{rule}", told)


def test_every_rule_is_provoked() -> None:
    assert set(CASES) == rule_ids(python(Path(GAME.folder) / "rules"))


def test_a_refused_walk_tells_both_numbers() -> None:
    told = facts(stepping(begun(), 6), walk(ADA, "D1", "E1", "F1", "G1", "H1", "I1", "J1"))
    assert (told["needed"], told["steps"], told["at"], told["square"]) == (7, 6, "C1", "J1")


def test_a_shot_that_was_fired_has_to_be_rolled_first() -> None:
    state = played(facing("E5", "F5"), ShotFired(ADA, BOB))
    for move in (done(ADA), SETTLED, walk(ADA, "E6"), HouseDecided(ADA, (("pose", "lying"),))):
        assert refused(state, move) == "luck_first"
    assert refused(state, roll(1, 1)) == "not_due"


def test_while_a_hit_is_pending_only_stops_and_settling_are_possible() -> None:
    state = played(facing("E5", "F5"), *shot(ADA, BOB, 6))
    assert refused(state, done(ADA)) == "act_pending"
    assert refused(state, ShotRolled(6)) == "not_due"
