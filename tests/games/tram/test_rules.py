"""The small game itself, and what the engine makes of its secrets, its pawn, its draw and its interrupt."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from pi_app.engine.contract import LUCK, IllegalMove, Message, Setup
from pi_app.engine.events import to_json
from pi_app.engine.evidence import Evidence
from pi_app.engine.log import Play
from pi_app.engine.propose import Is, propose
from pi_app.games.profile_files import load_profile
from tests.games.tram import GAME
from tests.games.tram.rules import Braked, GameStarted, State, TicketDrawn, TramMoved
from tests.playing import ticking

NAMES = ("Ash", "Birch", "Cedar")
SETUP = Setup(load_profile(GAME.edition, GAME.edition.supplied["house"]), {}, NAMES)


def dealt(*tickets: int) -> Play[State]:
    """A game in which the first seat begins, and these tickets were drawn."""
    play = Play(GAME, SETUP, now=ticking())
    play.do(GameStarted(0))
    for seat, ticket in enumerate(tickets):
        play.do(TicketDrawn(seat, ticket))
    return play


def seen(play: Play[State], **changed: str) -> Evidence:
    """What a camera would tell if the table showed the record, but for these regions of the line and the sheets."""
    looks: dict[str, dict[str, dict[str, float]]] = {}
    for surface in GAME.surfaces(SETUP):
        kinds = GAME.expected_sight(play.state, surface.id)
        looks[surface.id] = {
            region: {changed.get(f"{surface.id}/{region}", kind): 0.0, "*": -12.0} for region, kind in kinds.items()
        }
    return looks


def verdicts(play: Play[State], **changed: str) -> dict[str, Any]:
    return propose(GAME, GAME.surfaces(SETUP), play.state, seen(play, **changed), seen(play))


# --- rules ------------------------------------------------------------------------------------


def test_tickets_are_drawn_as_often_as_there_are_copies() -> None:
    play, rng = Play(GAME, SETUP, now=ticking()), random.Random(1)
    play.do(GameStarted(0))
    drawn = Counter(GAME.chances(play.state).draw(rng).ticket for _ in range(3000))  # type: ignore[attr-defined]
    assert [round(drawn[stop] / 300) for stop in (3, 5, 7)] == [4, 3, 3]


def test_others_may_brake_before_a_move_and_then_the_tram_goes_on_by_one() -> None:
    play = dealt(3, 5, 7)
    assert GAME.to_act(play.state) == ((0,), (1, 2))
    play.do(Braked(2, 1))
    assert GAME.to_act(play.state) == ((0,), ())
    with pytest.raises(IllegalMove):
        play.do(TramMoved(0, 3))
    play.do(TramMoved(0, 2))
    assert GAME.to_act(play.state).must == (1,)
    assert GAME.scores(play.state) == (0, 0, -1)


def test_at_the_last_stop_tickets_are_shown_and_count() -> None:
    play = dealt(3, 5, 7)
    for seat, stop in ((0, 3), (1, 5), (2, 8)):
        play.do(TramMoved(seat, stop))
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((5, 5, 0), (0, 1))


# --- seen by a camera ---------------------------------------------------------------------------


def test_the_tram_moved_by_hand_is_a_move_of_whoever_is_to_act() -> None:
    play = dealt(3, 5, 7)
    found = verdicts(play, **{"line/stop.1": "empty", "line/stop.4": "6"})
    assert found["line"].what is Is.MOVE
    assert found["line"].moves == (TramMoved(0, 4),)


def test_a_marked_box_is_an_interrupt_of_its_owner() -> None:
    found = verdicts(dealt(3, 5, 7), **{"sheet-3/brake.2": "marked"})
    assert (found["sheet-3"].what, found["sheet-3"].moves) == (Is.MOVE, (Braked(2, 2),))


def test_an_interrupt_and_the_move_that_it_came_too_late_for_are_both_seen() -> None:
    play = dealt(3, 5, 7)
    found = verdicts(play, **{"sheet-2/brake.1": "marked", "line/stop.1": "empty", "line/stop.2": "6"})
    assert {at: verdict.what for at, verdict in found.items()} == {"line": Is.MOVE, "sheet-2": Is.MOVE}


def test_whoever_is_to_act_cannot_brake() -> None:
    found = verdicts(dealt(3, 5, 7), **{"sheet-1/brake.1": "marked"})
    assert (found["sheet-1"].what, found["sheet-1"].message) == (Is.WRONG, Message("rule.not_braked", {"player": 0}))


def test_a_tram_that_went_too_far_names_the_rule() -> None:
    found = verdicts(dealt(3, 5, 7), **{"line/stop.1": "empty", "line/stop.7": "6"})
    assert (found["line"].what, found["line"].message) == (Is.WRONG, Message("rule.not_tram_moved", {"player": 0}))


# --- secrets ----------------------------------------------------------------------------------


def test_a_ticket_is_in_no_byte_of_what_others_see() -> None:
    one, other = dealt(3, 5, 7), dealt(3, 7, 7)
    for viewer in (None, 0, 2):
        told = [
            json.dumps([GAME.view(play.state, viewer), [to_json(r.event) for r in play.known_to(viewer, play.records)]])
            for play in (one, other)
        ]
        assert told[0] == told[1]
    assert GAME.view(one.state, 1)["tickets"] == [None, 5, None]


def test_after_the_end_all_is_open() -> None:
    play = dealt(3, 5, 7)
    for seat, stop in ((0, 3), (1, 5), (2, 8)):
        play.do(TramMoved(seat, stop))
    assert GAME.view(play.state, None)["tickets"] == [3, 5, 7]
    assert play.known_to(None, play.records) == play.records


def test_luck_alone_acts_while_tickets_are_drawn() -> None:
    play = Play(GAME, SETUP, now=ticking())
    play.do(GameStarted(1))
    assert GAME.to_act(play.state) == ((LUCK,), ())
