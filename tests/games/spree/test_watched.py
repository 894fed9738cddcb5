"""Spree! as a table sees it, in plain words: every act with as few touches as it should take, and mistakes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.events import Event
from pi_app.engine.kinds import EMPTY, OTHER
from pi_app.games.spree.rules.model import (
    Banked,
    CarLeft,
    CarParked,
    Drove,
    GameStarted,
    GoodsTaken,
    HouseDecided,
    Robbed,
    Settled,
    ShotFired,
    ShotRolled,
    StepCardPlayed,
    StopPlayed,
    TurnEnded,
    Walked,
    WalkRolled,
)
from tests.games.spree.helpers import ADA, BOB, CLEO, PLACES
from tests.watched import Watched


def started(folder: Path, players: int = 3, **options: Any) -> Watched:
    """Everybody has parked with hands alone; it is the first seat's turn."""
    table = Watched("spree", folder, players, **options).enter(GameStarted(players - 1)).see()
    for seat in reversed(range(players)):
        table.make(CarParked(seat, PLACES[seat]))
    assert table.state.turn == ADA
    return table


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    table = started(tmp_path)
    yield table
    table.store.close()


def having(table: Watched, seat: int, **changes: str) -> Watched:
    """Somebody is elsewhere, or has other cards: people have let that stand, and it lies so."""
    return table.enter(HouseDecided(seat, tuple(changes.items()))).tidy()


def since(table: Watched, begun: int) -> list[Event]:
    """The moves after so many records; what nobody sees drawn left out."""
    moves = [record.event for record in table.table.records[begun:] if table.game.is_move(record.event)]
    return [move for move in moves if move.type != "cards_drawn"]


def roll(table: Watched, *values: int) -> Watched:
    return table.throw("till", "dice", *values).see()


def lay(table: Watched, **cards: str) -> Watched:
    """Cards on the till: `played`, or `stop_1` and so on."""
    return table.put({"till": {region.replace("_", "."): kind for region, kind in cards.items()}}).see()


def clear_till(table: Watched) -> Watched:
    return lay(table, played=EMPTY, stop_1=EMPTY, stop_2=EMPTY)


def go(table: Watched, start: str, end: str, piece: str = "thief.cyan", left: str = EMPTY, there: str = "") -> Watched:
    """A piece from one square to another; what stays behind, and what lies there already."""
    return table.put({"mall": {start: left, end: " ".join(sorted([piece, *there.split()]))}}).see()


def asked(table: Watched) -> list[str]:
    question = table.table.view(table.state.turn)["question"]
    return [] if question is None else [move["type"] for move in question["moves"]]


# --- section 4.5, row by row ------------------------------------------------------------------


def test_a_roll_and_a_walk_need_no_touch(watched: Watched) -> None:
    begun = len(watched.table.records)
    roll(watched, 2, 3)
    go(watched, "C1", "D2", left="car.cyan")
    assert since(watched, begun) == [WalkRolled((2, 3)), Walked(ADA, ("D1", "D2"))]
    assert watched.told == {}


def test_goods_are_taken_by_a_card_on_the_till_and_then_in_the_cart(watched: Watched) -> None:
    go(roll(watched, 2, 3), "C1", "D2", left="car.cyan")
    begun = len(watched.table.records)
    lay(watched, played="3S")
    assert since(watched, begun) == [GoodsTaken(ADA, "D2", ("3S",))]
    watched.put({"till": {"played": EMPTY}, "cart-1": {"cart": "3S"}}).see()
    assert since(watched, begun) == [GoodsTaken(ADA, "D2", ("3S",)), Settled()]
    assert watched.told == {}
    assert watched.table.marks_due() == []


def test_two_equal_cards_are_taken_at_once(watched: Watched) -> None:
    go(roll(watched, 2, 3), "C1", "D2", left="car.cyan")
    lay(watched, played="3S 3S")
    assert watched.table.records[-1].event == GoodsTaken(ADA, "D2", ("3S", "3S"))


def test_a_card_of_a_shop_that_the_thief_came_past_is_taken_there(watched: Watched) -> None:
    """Token and card are seen together; the rest of the walk counts when the card is settled."""
    roll(watched, 2, 3)
    begun = len(watched.table.records)
    watched.put({"mall": {"C1": "car.cyan", "D3": "thief.cyan"}, "till": {"played": "3S"}}).see()
    assert since(watched, begun) == [Walked(ADA, ("D1", "D2")), GoodsTaken(ADA, "D2", ("3S",))]
    assert watched.told == {}
    clear_till(watched)
    assert since(watched, begun)[2:] == [Settled(), Walked(ADA, ("D3",))]
    assert watched.told == {}


def test_a_walk_that_was_accepted_is_told_anew_when_a_card_of_a_shop_on_the_way_is_laid(watched: Watched) -> None:
    go(roll(watched, 2, 3), "C1", "D3", left="car.cyan")
    assert watched.table.records[-1].event == Walked(ADA, ("D1", "D2", "D3"))
    lay(watched, played="3S")
    assert [record.event for record in watched.table.records[-2:]] == [
        Walked(ADA, ("D1", "D2")),
        GoodsTaken(ADA, "D2", ("3S",)),
    ]
    assert watched.told == {}
    clear_till(watched)
    assert watched.table.records[-1].event == Walked(ADA, ("D3",))
    assert watched.state.steps == 2


def test_a_walk_is_told_anew_when_its_next_leg_needs_another_way(watched: Watched) -> None:
    """Who takes something on C4 and goes on upwards has come from below."""
    go(roll(watched, 4, 6), "C1", "C4", left="car.cyan")
    lay(watched, played="5S")
    clear_till(watched)
    go(watched, "C4", "C3")
    walks = [record.event for record in watched.table.records if isinstance(record.event, Walked)]
    assert [walk.path[-1] for walk in walks] == ["C4", "C3"]
    assert walks[0].path[-2] != "C3"
    assert watched.told == {}


def test_a_robbery_needs_no_touch(watched: Watched) -> None:
    having(watched, BOB, thief="E5", cart="QH QD 4S")
    having(watched, ADA, thief="E5")
    begun = len(watched.table.records)
    lay(watched, played="QS")
    assert since(watched, begun) == [Robbed(ADA, BOB, "QS", "Q")]
    watched.put({"till": {"played": EMPTY}, "cart-1": {"cart": "QD QH"}, "cart-2": {"cart": "4S"}}).see()
    assert since(watched, begun)[1:] == [Settled()]
    assert watched.told == {}
    assert [one["region"] for one in watched.table.marks_due()] == ["discards"]


def test_it_is_asked_which_of_two_victims_is_robbed(watched: Watched) -> None:
    for seat, cart in ((BOB, "QH"), (CLEO, "QD")):
        having(watched, seat, thief="E5", cart=cart)
    having(watched, ADA, thief="E5")
    lay(watched, played="QS").see(12)
    assert asked(watched) == ["robbed", "robbed"]
    watched.command("answer", number=1)
    assert watched.table.records[-1].event == Robbed(ADA, CLEO, "QS", "Q")


def test_a_card_that_can_hardly_be_read_is_settled_like_others_once_people_have_told_it(watched: Watched) -> None:
    """It lay there when they were asked: that it is gone is no move that hands have still to make."""
    having(watched, BOB, thief="E5", cart="QH QD 4S")
    having(watched, ADA, thief="E5")
    watched.unsure = {("till", "played"): {"QS": 0.0, "QC": -0.5, EMPTY: -4.0, OTHER: -9.0}}
    lay(watched, played="QS").see(12)
    assert asked(watched) == ["robbed", "robbed"]
    watched.command("answer", number=0)
    watched.unsure = {}
    watched.put({"till": {"played": EMPTY}, "cart-1": {"cart": "QD QH"}, "cart-2": {"cart": "4S"}}).see()
    assert watched.table.records[-2].event == Settled()
    assert [one["region"] for one in watched.table.marks_due()] == ["discards"]


def test_a_step_card_needs_no_touch_and_the_walk_goes_on(watched: Watched) -> None:
    having(watched, ADA, thief="E5")
    begun = len(watched.table.records)
    lay(watched, played="10H")
    clear_till(watched)
    go(watched, "E5", "E9")
    assert [event.type for event in since(watched, begun)] == ["step_card_played", "settled", "walked"]
    assert watched.told == {}


def test_of_a_joker_it_is_asked_what_it_is_for(watched: Watched) -> None:
    having(watched, ADA, thief="E5")
    lay(watched, played="joker").see(12)
    assert asked(watched) == ["step_card_played", "step_card_played"]
    watched.command("answer", number=0)
    assert watched.table.records[-1].event == StepCardPlayed(ADA, "*", 2)


def test_a_stop_needs_no_touch_where_one_may_play_it(watched: Watched) -> None:
    having(having(watched, BOB, thief="E5"), ADA, thief="D2")
    lay(watched, played="3S")
    lay(watched, stop_1="AS")
    assert watched.table.records[-1].event == StopPlayed(BOB, "AS")  # Cleo stands at her car
    clear_till(watched)
    assert [record.event.type for record in watched.table.records[-2:]] == ["settled", "act_stopped"]
    assert watched.state.seats[ADA].cart == ()
    assert watched.told == {}


def test_it_is_asked_who_has_stopped_where_several_may_and_anybody_may_answer(watched: Watched) -> None:
    having(having(having(watched, BOB, thief="E5"), CLEO, thief="E6"), ADA, thief="D2")
    lay(watched, played="3S")
    lay(watched, stop_1="AS").see(12)
    question = watched.table.view()["question"]
    assert [(move["type"], move["player"]) for move in question["moves"]] == [("stop_played", 1), ("stop_played", 2)]
    assert question["alone"] is None
    watched.command("answer", number=1)
    assert watched.table.records[-1].event == StopPlayed(CLEO, "AS")


def test_a_stop_on_a_stop_lets_the_act_stand(watched: Watched) -> None:
    having(having(watched, BOB, thief="E5"), ADA, thief="E9")
    having(watched, ADA, thief="D2")
    lay(watched, played="3S")
    lay(watched, stop_1="AS")
    lay(watched, stop_2="AD").see(12)
    assert asked(watched) == ["stop_played", "stop_played"]  # Ada, or Bob again
    watched.command("answer", number=[m["player"] for m in watched.table.view()["question"]["moves"]].index(ADA))
    clear_till(watched)
    assert [record.event.type for record in watched.table.records[-2:]] == ["settled", "act_stood"]


def in_line(table: Watched) -> Watched:
    """Ada may shoot Bob, and has rolled for her walk."""
    return roll(having(having(table, BOB, thief="E5"), ADA, thief="E7"), 1, 1)


def test_one_die_is_a_shot_at_the_one_who_is_in_line(watched: Watched) -> None:
    in_line(watched)
    begun = len(watched.table.records)
    roll(watched, 4)
    assert since(watched, begun) == [ShotFired(ADA, BOB), ShotRolled(4)]
    assert watched.state.pending is not None


def test_before_the_walk_is_rolled_it_is_asked_whether_one_die_is_a_shot(watched: Watched) -> None:
    """The other one may have fallen off the tray."""
    having(having(watched, BOB, thief="E5"), ADA, thief="E7")
    roll(watched, 4).see(12)
    assert asked(watched) == ["shot_fired"]
    watched.command("deny")
    roll(watched, 4, 5)
    assert watched.state.dice == (4, 5)


def test_the_fall_settles_a_shot_that_hits(watched: Watched) -> None:
    roll(in_line(watched), 4)
    go(watched, "E5", "E4", "lying.pink")
    types = [record.event.type for record in watched.table.records]
    assert types[types.index("settled") :][:4] == ["settled", "act_stood", "fell", "pushed"]
    assert watched.told == {}


def test_it_is_asked_who_of_two_in_line_is_shot_at(watched: Watched) -> None:
    having(having(having(watched, BOB, thief="E5"), CLEO, thief="E9"), ADA, thief="E7")
    roll(watched, 4).see(12)
    assert asked(watched) == ["shot_fired", "shot_fired"]
    watched.command("answer", number=1).see()
    fired = [record.event for record in watched.table.records if isinstance(record.event, ShotFired | ShotRolled)]
    assert fired == [ShotFired(ADA, CLEO), ShotRolled(4)]


def test_who_missed_has_to_lie_down_and_is_listed_until_then(watched: Watched) -> None:
    roll(in_line(watched), 1).see()
    assert watched.state.seats[ADA].lying
    assert watched.told == {}
    assert [one["expected"] for one in watched.table.marks_due()] == ["lying.cyan"]
    watched.put({"mall": {"E7": "lying.cyan"}}).see()
    assert watched.table.marks_due() == []


def test_a_wrong_push_is_pointed_out_with_where_it_should_be(watched: Watched) -> None:
    roll(in_line(watched), 4)
    watched.enter(Settled())
    go(watched, "E5", "E3", "lying.pink")
    assert watched.told == {"mall": "mismatch.piece_wrong"}
    go(watched, "E3", "E4", "lying.pink")
    assert watched.told == {}


def test_a_cart_is_banked_when_it_is_emptied_at_the_car(watched: Watched) -> None:
    having(watched, ADA, cart="QH 4S")
    begun = len(watched.table.records)
    watched.put({"cart-1": {"cart": EMPTY}}).see()
    assert since(watched, begun) == [Banked(ADA)]
    assert watched.state.seats[ADA].banked == 16
    assert watched.told == {}


def test_a_car_is_parked_elsewhere_by_moving_it(watched: Watched) -> None:
    watched.put({"mall": {"C1": EMPTY, "M1": "car.cyan thief.cyan"}}).see()
    assert [record.event for record in watched.table.records if isinstance(record.event, CarParked)][-1] == CarParked(
        ADA, "M1"
    )
    assert watched.state.turn == BOB


def test_a_turn_ends_when_the_next_one_rolls(watched: Watched) -> None:
    go(roll(watched, 2, 3), "C1", "D2", left="car.cyan")
    begun = len(watched.table.records)
    roll(watched, 6, 1)
    assert since(watched, begun) == [TurnEnded(ADA), WalkRolled((1, 6))]
    assert watched.state.turn == BOB
    assert watched.told == {}


# --- dice -------------------------------------------------------------------------------------


def test_dice_that_stay_where_they_are_are_no_new_roll(watched: Watched) -> None:
    roll(watched, 2, 3)
    watched.enter(TurnEnded(ADA)).see(12)
    assert watched.state.turn == BOB
    assert not watched.state.dice
    watched.put({"till": {"dice": "3"}}).dice["till"]["dice"].pop(0)
    assert not watched.see(12).state.dice
    assert watched.told == {}


def test_the_same_values_thrown_again_are_a_new_roll(watched: Watched) -> None:
    roll(watched, 2, 3)
    watched.enter(TurnEnded(ADA)).see()
    roll(watched, 2, 3)
    assert watched.state.dice == (2, 3)
    assert watched.state.turn == BOB


def test_a_die_that_is_taken_away_is_no_shot(watched: Watched) -> None:
    having(having(watched, BOB, thief="E5"), ADA, thief="E7")
    roll(watched, 2, 3)
    begun = len(watched.table.records)
    watched.put({"till": {"dice": "3"}}).dice["till"]["dice"].pop(0)
    watched.see(12)
    assert since(watched, begun) == []


def test_dice_from_before_the_first_turn_are_no_roll(tmp_path: Path) -> None:
    """They decided who parks first."""
    table = Watched("spree", tmp_path, 3)
    table.throw("till", "dice", 6, 2).enter(GameStarted(2)).see()
    for seat in (CLEO, BOB, ADA):
        table.make(CarParked(seat, PLACES[seat]))
    assert not table.see(12).state.dice
    assert table.told == {}
    table.store.close()


# --- Hong Kong --------------------------------------------------------------------------------


def test_who_is_in_the_car_has_no_thief_on_the_mall_and_drives_by_one_die(tmp_path: Path) -> None:
    table = started(tmp_path, driving=True, power_shots=True, splash=True)
    having(table, BOB, thief="E1")
    table.enter(Banked(ADA)).tidy()  # gets in
    assert table.game.expected_sight(table.state, "mall")["C1"] == "car.cyan"
    for seat in (BOB, CLEO):
        table.enter(TurnEnded(seat))
    table.see()
    roll(table, 3).see(12)
    assert asked(table) == ["drive_rolled", "shot_fired", "shot_fired"]  # the others are in line
    table.command("answer", number=0).see()
    assert table.state.dice == (3,)
    table.put({"mall": {"C1": EMPTY, "F1": "car.cyan car.pink", "E1": "lying.pink"}}).see()
    assert table.told != {}  # two cars on a square
    begun = len(table.table.records)
    table.put({"mall": {"F1": "car.pink", "E1": "car.cyan lying.pink"}}).see()
    assert since(table, begun) == [Drove(ADA, ("D1", "E1"))]
    assert table.state.seats[BOB].lying
    assert table.told == {}
    table.store.close()


def test_getting_out_is_seen(tmp_path: Path) -> None:
    table = started(tmp_path, driving=True)
    table.enter(Banked(ADA)).tidy()
    for seat in (BOB, CLEO):
        table.enter(TurnEnded(seat))
    table.see().put({"mall": {"C1": "car.cyan thief.cyan"}}).see()
    assert CarLeft(ADA) in [record.event for record in table.table.records]
    assert table.told == {}
    table.store.close()


# --- mistakes ---------------------------------------------------------------------------------


def test_a_thief_who_goes_too_far_is_told_how_far_it_is(watched: Watched) -> None:
    go(roll(watched, 1, 2), "C1", "E5", left="car.cyan")
    assert watched.told == {"mall": "rule.too_far"}
    facts = watched.table.view()["boards"]["mall"]["facts"]
    assert facts["needed"] > facts["steps"] == 3


def test_a_card_that_no_shop_on_the_way_sells_names_the_rule(watched: Watched) -> None:
    go(roll(watched, 2, 3), "C1", "D2", left="car.cyan")
    lay(watched, played="KH")
    assert "rule.not_at_shop" in watched.told.values()


def test_a_third_copy_names_the_rule(watched: Watched) -> None:
    having(watched, BOB, cart="3S 3S")
    go(roll(watched, 2, 3), "C1", "D2", left="car.cyan")
    lay(watched, played="3S")
    assert "rule.third_copy" in watched.told_to(ADA).values()


def test_a_card_over_the_till_that_stops_nothing_names_the_rule(watched: Watched) -> None:
    having(having(watched, BOB, thief="E5"), ADA, thief="D2")
    lay(watched, played="3S")
    lay(watched, stop_1="7H")
    assert "rule.not_a_stop" in watched.told.values()


def test_somebody_elses_thief_does_not_walk(watched: Watched) -> None:
    roll(watched, 2, 3)
    go(watched, "F1", "G1", "thief.pink", left="car.pink")
    assert "rule.not_your_turn" in watched.told.values()


def test_a_cart_that_was_not_emptied_is_listed_and_stops_nobody(watched: Watched) -> None:
    having(watched, ADA, cart="QH 4S")
    watched.enter(Banked(ADA)).see()
    assert [(one["board"], one["expected"]) for one in watched.table.marks_due()] == [("cart-1", EMPTY)]
    roll(watched, 1, 2)
    assert watched.state.dice == (1, 2)
    assert watched.told == {}


def test_a_thief_who_stands_where_no_rule_allows_can_stay_there(watched: Watched) -> None:
    go(roll(watched, 1, 2), "C1", "E5", left="car.cyan")
    watched.command("adopt", board="mall", sure=True).see()
    assert watched.state.printed.mall.names[watched.state.seats[ADA].square] == "E5"
    assert watched.told == {}


def test_goods_that_are_told_far_from_their_shop_are_refused_and_nobody_walks(watched: Watched) -> None:
    roll(watched, 2, 3)
    begun = len(watched.table.records)
    watched.enter(GoodsTaken(ADA, "D2", ("3S",)))
    assert since(watched, begun) == []
    assert watched.table.refusal is not None
    assert watched.table.refusal.id == "rule.not_at_shop"
