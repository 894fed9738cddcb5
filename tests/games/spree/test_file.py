"""The game file of Spree!, sentence by sentence: forms of fields, order of consequences, what may be null."""

import json
from typing import Any

import pytest

from pi_app.engine.contract import BadData
from pi_app.engine.events import Undone, from_json, to_json
from pi_app.engine.log import Play
from pi_app.engine.typed import Malformed
from pi_app.engine.values import changed
from pi_app.games.spree.rules.cards import heap_of, size
from pi_app.games.spree.rules.model import (
    EVENTS,
    ActStood,
    Banked,
    CardsDrawn,
    CarParked,
    DeckShuffled,
    Fell,
    GameStarted,
    GotUp,
    State,
    TurnBegan,
)
from pi_app.storage.gamefile import check_game_file, game_file
from tests.games.spree.golden import a_game
from tests.games.spree.helpers import (
    ADA,
    BOB,
    EDITION,
    GAME,
    SETTLED,
    a_setup,
    begun,
    cards,
    done,
    follows,
    having,
    played,
    playing,
    roll,
    take,
    walk,
)

WRITTEN = """
{"type": "game_started", "first_to_park": 2}
{"type": "cards_drawn", "player": 0, "count": 2, "cards": ["QH", "*"]}
{"type": "cards_drawn", "player": 1, "count": 5, "cards": null}
{"type": "car_parked", "player": 2, "place": "F1"}
{"type": "walk_rolled", "values": [3, 2]}
{"type": "walked", "player": 3, "path": ["E1", "D1", "D2"]}
{"type": "step_card_played", "player": 3, "card": "*", "steps": 10}
{"type": "goods_taken", "player": 3, "square": "D2", "cards": ["3S"]}
{"type": "robbed", "player": 0, "victim": 1, "card": "*", "rank": "J"}
{"type": "shot_fired", "player": 0, "victim": 1}
{"type": "shot_rolled", "value": 4}
{"type": "stop_played", "player": 2, "card": "AD"}
{"type": "settled"}
{"type": "banked", "player": 0}
{"type": "turn_ended", "player": 0}
{"type": "drive_rolled", "values": [4]}
{"type": "drove", "player": 0, "path": ["D1", "E1"]}
{"type": "car_left", "player": 0}
{"type": "house_decided", "player": 1, "changes": [["thief", "K5"], ["pose", "lying"]]}
{"type": "turn_began", "player": 3, "extra": false}
{"type": "got_up", "player": 3}
{"type": "act_stood", "act": "goods_taken"}
{"type": "act_stopped", "act": "shot_fired"}
{"type": "fell", "player": 1}
{"type": "pushed", "player": 1, "square": "J5"}
{"type": "points_banked", "player": 0, "points": 40}
{"type": "run_over", "player": 0, "victim": 2, "cards": ["4D", "JS"]}
{"type": "entered_car", "player": 0}
{"type": "deck_shuffled", "count": 40}
{"type": "game_ended", "reasons": ["target"], "scores": [151, 40, 0, 88], "winners": [0]}
{"type": "undone", "upto": 41}
""".strip().splitlines()


@pytest.mark.parametrize("written", WRITTEN)
def test_events_are_written_to_the_letter(written: str) -> None:
    data = json.loads(written)
    assert to_json(from_json(data, EVENTS)) == data


def test_every_event_is_among_them() -> None:
    assert {json.loads(written)["type"] for written in WRITTEN} == set(EVENTS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "turn_began", "player": 3, "extra": 0},
        {"type": "settled", "player": 3},
        {"type": "walked", "player": 3, "path": None},
        {"type": "goods_taken", "player": 3, "square": "D2", "cards": None},
        {"type": "house_decided", "player": 1, "changes": [["thief"]]},
        {"type": "shot_rolled", "value": "4"},
    ],
)
def test_other_forms_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        from_json(wrong, EVENTS)


def file_of(play: Play[State]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(game_file(play)))
    return data


@pytest.mark.parametrize("players", [3, 8])
def test_a_whole_game_is_read_back(players: int) -> None:
    play = a_game(players, seed=players, target=40)
    again = check_game_file(file_of(play))
    assert (again.state, again.records) == (play.state, play.records)


def test_a_game_with_hong_kong_rules_and_unknown_hands_is_read_back() -> None:
    play = a_game(4, seed=5, untold=True, target=30, power_shots=True, splash=True, driving=True)
    assert check_game_file(file_of(play)).state == play.state


def test_the_profile_is_as_people_draw_it() -> None:
    assert set(EDITION) == {"name", "source", "packs", "targets", "map"}
    assert file_of(playing())["profile"]["map"][0] == "+---" * 15 + "+"


def test_the_deal_is_five_cards_for_every_seat_in_order_and_parking_follows() -> None:
    types = [event["type"] for event in file_of(playing())["events"]]
    assert types == ["game_started", *["cards_drawn"] * 4, *["car_parked"] * 4, "turn_began"]


def test_cards_may_be_told_in_some_draws_and_null_in_others() -> None:
    play = Play(GAME, a_setup(3), now=lambda: "2026-05-01T20:15:00Z")
    for move in (GameStarted(0), CardsDrawn(0, 5, ("2S", "3S", "4S", "5S", "6S")), CardsDrawn(1, 5, None)):
        play.do(move)
    play.do(CardsDrawn(2, 5, ("2S", "*", "*", "*", "*")))
    assert play.state.seats[0].hand == cards("2S 3S 4S 5S 6S")
    assert (play.state.seats[1].unknown, play.state.seats[2].unknown) == (5, 0)


def test_an_unfinished_game_keeps_hands_to_itself() -> None:
    play = Play(GAME, a_setup(3), now=lambda: "2026-05-01T20:15:00Z")
    play.do(GameStarted(0))
    play.do(CardsDrawn(0, 5, ("2S", "3S", "4S", "5S", "6S")))
    data = file_of(play)
    assert data["events"][1]["cards"] is None
    assert data["result"] == {"scores": [0, 0, 0], "winners": []}
    assert check_game_file(data).state.seats[0].unknown == 5


def test_settled_is_always_written() -> None:
    play = playing()
    for move in (roll(6, 6), walk(ADA, "D1", "D2"), take(ADA, "D2", "3S"), SETTLED, walk(ADA, "D3")):
        play.do(move)
    data = file_of(play)
    assert check_game_file(data).state == play.state
    events = [event for event in data["events"] if event["type"] not in ("settled", "act_stood")]
    wrong = {**data, "events": [{**event, "seq": number} for number, event in enumerate(events, 1)]}
    with pytest.raises(BadData, match="act_pending"):
        check_game_file(wrong)


def test_consequences_stand_right_behind_their_move() -> None:
    play = playing()
    for move in (roll(6, 6), walk(ADA, "D1", "D2"), take(ADA, "D2", "3S"), SETTLED):
        play.do(move)
    data = file_of(play)
    data["events"][-1]["type"] = "act_stopped"
    with pytest.raises(BadData, match="should_be"):
        check_game_file(data)


def test_the_example_of_a_pile_that_runs_out() -> None:
    """Seat 0 ends with 3 cards, the pile has 1, the discards 40; seat 1 has five and lies."""
    state = having(having(begun(), ADA, at="H3", hand="2S 3S 4S"), BOB, hand="5S 6S 7S 8S 9S", lying=True)
    heap, one = state.unseen, heap_of(cards("KC"))
    state = changed(state, unseen=one, pile=1, discards=heap - one)
    assert follows(state, done(ADA)) == []
    state = played(state, done(ADA))
    assert follows(state, CardsDrawn(ADA, 1, ("KC",))) == [DeckShuffled(size(heap) - 1)]
    state = played(state, CardsDrawn(ADA, 1, ("KC",)))
    assert follows(state, CardsDrawn(ADA, 1, None)) == [TurnBegan(BOB, False), GotUp(BOB)]


def test_points_that_reach_the_target_end_the_game_and_nothing_more_follows() -> None:
    state = having(begun(target=5), ADA, cart="5S")
    assert [event.type for event in follows(state, Banked(ADA))] == ["points_banked", "game_ended"]


@pytest.mark.parametrize(
    ("option", "value"),
    [("target", 0), ("target", 1001), ("target", None), ("court", "11"), ("jokers", 13), ("driving", 1), ("more", 1)],
)
def test_options_have_the_values_that_are_told(option: str, value: Any) -> None:
    with pytest.raises(BadData):
        GAME.start(a_setup(4, None, **{option: value}))


@pytest.mark.parametrize(
    "options",
    [{"target": 1}, {"target": 1000}, {"court": "10"}, {"jokers": 0}, {"splash_end": "before"}, {"driving_dice": 2}],
)
def test_what_is_left_out_has_its_default(options: dict[str, Any]) -> None:
    state = GAME.start(a_setup(4, None, **options))
    assert state.printed.target == options.get("target", 150)
    assert state.printed.jokers == options.get("jokers", 4)


def test_undone_is_as_in_every_game_file() -> None:
    play = playing()
    play.do(roll(6, 6))
    play.do(walk(ADA, "D1"))
    play.undo()
    play.do(walk(ADA, "B1"))
    assert isinstance(play.records[-2].event, Undone)
    assert check_game_file(file_of(play)).state == play.state


def test_an_example_turn_told_from_start_to_end() -> None:
    play = playing(3)
    told = [roll(3, 2), walk(ADA, "D1", "D2"), take(ADA, "D2", "3S"), SETTLED, walk(ADA, "D3"), done(ADA)]
    events = [record.event for move in told for record in play.do(move)]
    assert events[-2:] == [walk(ADA, "D3"), done(ADA)]
    assert ActStood("goods_taken") in events
    assert [record.event for record in play.do(CardsDrawn(ADA, 1, None))][1:] == [TurnBegan(BOB, False)]
    assert Fell(ADA) not in events
    assert not isinstance(events[0], CarParked)
