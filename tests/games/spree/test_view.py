"""What pages are told, and what a camera should see: everything but what hands hold."""

import json
import re
from math import comb

from pi_app.engine.contract import NOT_YET, Message
from pi_app.engine.kinds import EMPTY, OTHER
from pi_app.games.spree.edition.page_art import SCREENS, files
from pi_app.games.spree.rules.model import Banked, CardsDrawn, HouseDecided, ShotFired, ShotRolled
from tests.games.spree.helpers import (
    ADA,
    BOB,
    CLEO,
    DAN,
    GAME,
    SETTLED,
    a_setup,
    begun,
    done,
    facing,
    having,
    played,
    rob,
    roll,
    step,
    stepping,
    stop,
    take,
    walk,
)


def test_a_hand_is_shown_to_its_owner_alone() -> None:
    state = having(begun(), ADA, hand="2S QH")
    assert GAME.view(state, ADA)["hands"] == [["2S", "QH"], None, None, None]
    assert GAME.view(state, BOB)["hands"] == [None, [], None, None]
    assert GAME.view(state, None)["hands"] == [None] * 4
    assert [seat["cards"] for seat in GAME.view(state, None)["seats"]] == [2, 5, 5, 5]


def test_nothing_that_others_are_told_hangs_on_a_hand() -> None:
    holds, lacks = (having(having(begun(), ADA, at="B3"), BOB, at="H3", hand=hand) for hand in ("AS 3H", "2S 3H"))
    seen = [json.dumps(GAME.view(played(state, take(ADA, "B3", "7S")), None)) for state in (holds, lacks)]
    assert seen[0] == seen[1]


def test_drawn_cards_are_told_to_who_drew_them() -> None:
    drawn = CardsDrawn(ADA, 2, ("QH", "*"))
    assert GAME.event_for(drawn, ADA) == GAME.recalled(drawn, ADA) == drawn
    assert GAME.event_for(drawn, BOB) == GAME.recalled(drawn, None) == CardsDrawn(ADA, 2, None)


def test_others_are_not_told_that_somebody_lacks_a_card() -> None:
    refusal = Message("rule.card_not_held", {"player": ADA, "card": "QH"})
    assert GAME.message_for(refusal, ADA) == refusal
    assert GAME.message_for(refusal, BOB) == Message(NOT_YET, {"player": ADA})


def test_what_lies_on_the_till_is_told() -> None:
    state = played(having(having(begun(), ADA, at="B3"), BOB, at="H3"), take(ADA, "B3", "7S"), stop(BOB, "AS"))
    pending = GAME.view(state, None)["pending"]
    assert (pending["cards"], pending["stops"], pending["act"]["type"]) == (["7S"], ["AS"], "goods_taken")
    shot = GAME.view(played(facing("E5", "F5"), ShotFired(ADA, BOB)), None)["pending"]
    assert shot["value"] is None


def test_options_offer_one_walk_to_every_square() -> None:
    options = GAME.view(stepping(having(begun(), ADA, at="H3"), 4), ADA)["options"]
    ends = [option["path"][-1] for option in options if option["type"] == "walked"]
    assert len(ends) == len(set(ends)) > 10
    assert GAME.view(begun(), None)["options"] is None


# --- what a camera should see -----------------------------------------------------------------


def test_surfaces_are_mall_till_and_a_cart_for_every_seat() -> None:
    surfaces = {surface.id: surface.owner for surface in GAME.surfaces(a_setup(3))}
    assert surfaces == {"mall": None, "till": None, "cart-1": 0, "cart-2": 1, "cart-3": 2}


def test_pieces_are_seen_where_they_stand_or_lie() -> None:
    state = having(having(begun(), ADA, at="H3"), BOB, at="H3", lying=True)
    mall = GAME.expected_sight(state, "mall")
    assert (mall["H3"], mall["C1"], mall["J1"]) == ("lying.pink thief.cyan", "car.cyan", "car.orange thief.orange")
    assert "H5" not in mall
    assert mall["A1"] == EMPTY


def test_cards_and_dice_are_seen_on_the_till() -> None:
    state = played(having(having(begun(), ADA, at="B3"), BOB, at="H3"), roll(4, 3))
    assert GAME.expected_sight(state, "till")["dice"] == "3 4"
    state = played(state, step(ADA, "*", 2), stop(BOB, "AS"))
    till = GAME.expected_sight(state, "till")
    assert (till["played"], till["stop.1"], till["stop.2"], till["discards"]) == ("joker", "AS", EMPTY, EMPTY)
    assert GAME.expected_sight(played(state, SETTLED), "till")["discards"] == OTHER


def test_what_is_settled_is_seen_on_the_till_and_the_carts_are_a_check() -> None:
    state = having(having(begun(), ADA, at="H3"), BOB, at="H3", cart="5S QH")
    robbed = played(state, rob(ADA, BOB, "5H"))
    assert GAME.trace(robbed, SETTLED) == {"till": {"played": EMPTY}}
    after = played(robbed, SETTLED)
    assert [GAME.expected_sight(after, f"cart-{n}")["cart"] for n in (1, 2)] == ["5S", "QH"]
    assert GAME.expected_sight(after, "till")["discards"] == "5H"
    assert GAME.act("cart", "5S") == GAME.act("cart", "QH 5S") != GAME.act("cart", EMPTY)


def test_the_fall_is_what_is_seen_of_a_shot_that_hits() -> None:
    state = played(facing("E5", "F5"), ShotFired(ADA, BOB), ShotRolled(3))
    assert GAME.trace(state, SETTLED) == {"mall": {"F5": EMPTY, "G5": "lying.pink"}}


def test_unloading_is_seen_by_the_empty_cart() -> None:
    trace = GAME.trace(having(begun(), ADA, cart="QH"), Banked(ADA))
    assert trace == {"cart-1": {"cart": EMPTY}}


def test_a_walk_moves_the_thief() -> None:
    state = played(begun(), roll(2, 2))
    assert GAME.trace(state, walk(ADA, "D1", "E1")) == {"mall": {"C1": "car.cyan", "E1": "thief.cyan"}}


def test_a_shot_is_told_by_one_die() -> None:
    state = played(facing("E5", "F5"), ShotFired(ADA, BOB))
    assert GAME.trace(state, ShotRolled(4)) == {"till": {"dice": "4"}}


def test_who_walks_too_far_is_told_so() -> None:
    state = played(begun(), roll(1, 1))
    seen = {"mall": {**GAME.expected_sight(state, "mall"), "C1": "car.cyan", "H1": "thief.cyan"}}
    assert GAME.attempt(state, seen) == walk(ADA, "D1", "E1", "F1", "G1", "H1")


def test_what_a_card_on_the_till_is_for_is_guessed() -> None:
    state = having(having(begun(), ADA, at="B3"), BOB, at="B3", cart="9S")
    for kind, move in (
        ("7S", take(ADA, "B3", "7S")),
        ("9H", rob(ADA, BOB, "9H")),
        ("2H", step(ADA, "2H")),
        ("KH", take(ADA, "J2", "KH")),  # which sells it
    ):
        assert GAME.attempt(state, {"till": {"played": kind}}) == move


def test_of_several_meanings_of_a_card_none_is_taken_for_granted() -> None:
    joker = [step(ADA, "*", 2), step(ADA, "*", 10)]
    assert GAME.meant(begun(), joker) is None
    assert GAME.meant(begun(), [roll(1, 2), roll(2, 1)]) == roll(1, 2)


def test_what_lies_elsewhere_can_stand_by_a_decision_of_the_house() -> None:
    state = begun()
    seen = {"mall": {**GAME.expected_sight(state, "mall"), "F1": "car.pink", "K5": "lying.pink"}}
    repair = GAME.adopt(state, [], "mall", seen)
    assert repair is not None
    assert repair.move == HouseDecided(BOB, (("thief", "K5"), ("pose", "lying")))
    carts = GAME.adopt(state, [], "cart-2", {"cart-2": {"cart": "QH joker"}})
    assert carts is not None
    assert carts.move == HouseDecided(BOB, (("cart", "QH *"),))


def test_the_lamp_of_a_seat_says_whose_turn_it_is_also_while_dice_decide() -> None:
    lights = GAME.lights(played(begun(), done(ADA)))
    assert (lights["seat.0"], lights["seat.1"], lights["status"]) == ("calm", "turn", "play")


# --- what is drawn ----------------------------------------------------------------------------


def test_pages_have_the_drawings_of_the_kit() -> None:
    assert {name: (SCREENS / name).read_text(encoding="utf-8") for name in files()} == files()
    names = set(re.findall(r'<symbol id="([^"]+)"', files()["kit.svg"]))
    looks = [look["name"] for look in GAME.view(begun(8), None)["looks"]]
    assert {f"{piece}-{name}" for piece in ("thief", "lying", "car") for name in looks} <= names
    assert {f"goods-{card[:-1]}" for card in GAME.view(begun(), None)["mall"]["goods"].values()} <= names


# --- what may come of a turn ------------------------------------------------------------------


def test_squares_in_reach_are_told_to_all_with_the_steps_they_take() -> None:
    state = stepping(having(begun(), ADA, at="H3"), 2)
    reach = GAME.view(state, None)["reach"]
    assert (reach["H1"], reach["H4"], reach["G3"]) == (2, 1, 1)
    assert "H5" not in reach  # the fountain
    assert max(reach.values()) == 2
    assert {option["path"][-1] for option in GAME.view(state, ADA)["options"] if option["type"] == "walked"} >= set(
        reach
    )


def test_a_line_of_fire_tells_what_the_die_has_to_show_and_where_the_victim_would_lie() -> None:
    line = GAME.view(facing("E5", "F5"), None)["fire"]
    assert line == [
        {
            "victim": BOB,
            "squares": ["F5"],
            "needed": 2,
            "pushed": {"2": "F5", "3": "G5", "4": "G5", "5": "G5", "6": "G5"},
        }
    ]
    powered = facing("E5", "F5", power_shots=True)
    assert GAME.view(powered, None)["fire"][0]["needed"] == 1


def test_a_shot_that_was_fired_leaves_its_own_line_and_no_reach() -> None:
    state = played(stepping(facing("E5", "F5"), 5), ShotFired(ADA, BOB))
    view = GAME.view(state, None)
    assert ([line["victim"] for line in view["fire"]], view["reach"]) == ([BOB], {})


def test_who_may_still_object_is_told_by_what_all_can_see() -> None:
    """Not by what hands hold: Bob is known to have no ace, and is named all the same."""
    state = having(having(begun(), ADA, at="B3"), BOB, at="H3", hand="2S 3H")
    state = having(having(state, CLEO, at="K5", lying=True), DAN, at="M1")
    state = played(state, take(ADA, "B3", "7S"))
    assert GAME.view(state, None)["pending"]["may_stop"] == [BOB]
    assert GAME.view(state, DAN)["pending"]["may_stop"] == [BOB]


def test_odds_of_a_stop_count_what_lies_openly_and_the_own_hand_alone() -> None:
    state = having(having(begun(jokers=0), ADA, hand="AS AH 2S 3S 4S"), BOB, cart="AS")
    odds = GAME.view(state, ADA)["odds"]
    assert (odds["aces"], odds["of_aces"], odds["jokers"]) == (5, 8, 0)
    assert odds["stop"][ADA] is None
    unseen = 104 - 5 - 1
    assert odds["stop"][BOB] == round(100 * (1 - comb(unseen - 5, 5) / comb(unseen, 5)))
    holds, lacks = (GAME.view(having(begun(), BOB, hand=hand), ADA)["odds"] for hand in ("AS", "2S"))
    assert holds == lacks
