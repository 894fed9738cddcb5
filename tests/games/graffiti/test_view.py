"""What pages are told of a table: everything that lies open, and of what lies behind a screen only one's own."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import NOT_YET, Message
from pi_app.engine.events import from_json
from pi_app.engine.shown import shown
from pi_app.engine.values import changed
from pi_app.games.graffiti.edition.page_art import SCREENS, files
from pi_app.games.graffiti.prospects import MOST_WAYS
from pi_app.games.graffiti.rules.model import (
    BonusTaken,
    BonusUsed,
    PaintKept,
    PaintTaken,
    PartPainted,
    PermitDrawn,
    PermitsTaken,
    PoliceTaken,
    State,
)
from tests.games.graffiti.helpers import GAME, any_play, at_keep, begun, holding, painted, played
from tests.games.graffiti.test_secrets import emptied_hands, shuffled_hands

SEEDS = st.integers(0, 10**9)


def own(state: State, seat: int = 0) -> dict[str, Any]:
    told: dict[str, Any] = GAME.view(state, seat)["own"]
    return told


def plan(state: State, part: str, seat: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in own(state, seat)["plans"] if one["part"] == part)
    return found


# --- whom it is for ---------------------------------------------------------------------------


@settings(max_examples=40)
@given(SEEDS, st.integers(15, 250))
def test_what_a_seat_is_shown_does_not_hang_on_what_others_hide(seed: int, moves: int) -> None:
    play = any_play(seed, moves)
    state, seats = play.state, range(len(play.state.seats))
    if state.phase == "over":
        return
    for viewer in seats:
        for other in (shuffled_hands(state, viewer, random.Random(seed)), emptied_hands(state, viewer)):
            assert shown(GAME, play.setup, other, viewer) == shown(GAME, play.setup, state, viewer)
    everybody = [GAME.view(one, None) for one in (state, emptied_hands(state, -1))]
    assert everybody[0] == everybody[1]


@settings(max_examples=20)
@given(SEEDS, st.integers(0, 400))
def test_all_of_it_is_json(seed: int, moves: int) -> None:
    state = any_play(seed, moves).state
    for viewer in (None, *range(len(state.seats))):
        told = GAME.view(state, viewer)
        assert json.loads(json.dumps(told)) == told


def test_a_hand_is_shown_to_its_owner_and_to_all_when_the_game_is_over() -> None:
    state = holding(begun(), 1, paint="R RY", permits=(2, 2), bonuses="add", unknown=1)
    hand = {"paint": ["R", "RY"], "sure": True, "permits": [2, 2], "unknown": 1, "bonuses": ["add"]}
    assert GAME.view(state, 1)["hands"] == [None, hand, None, None]
    assert GAME.view(state, None)["hands"] == [None] * 4
    assert GAME.view(changed(state, phase="over"), None)["hands"][1] == hand


def test_how_much_paint_is_left_is_told_to_nobody_but_that_a_kind_is_gone() -> None:
    state = begun()
    gone = changed(state, reserve=(0, *state.reserve[1:]))
    assert GAME.view(state, None)["paint"]["gone"] == []
    assert GAME.view(gone, None)["paint"]["gone"] == ["R"]
    assert GAME.view(changed(state, reserve=(1, *state.reserve[1:])), 0) == GAME.view(state, 0)


def test_that_somebody_could_come_in_between_is_theirs_to_know() -> None:
    state = changed(holding(begun(), 3, bonuses="extra"), late=3)
    setup = any_play(1, 0).setup
    assert GAME.to_act(state).may == (3,)
    assert (
        shown(GAME, setup, state, None)["to_act"] == shown(GAME, setup, state, 0)["to_act"] == {"must": [0], "may": []}
    )
    assert shown(GAME, setup, state, 3)["to_act"] == {"must": [0], "may": [3]}


# --- what happened and what was refused -------------------------------------------------------

EARLIER = [
    (PaintTaken(1, "green.1", "G", 1), PaintTaken(1, "", "", 1)),
    (PermitsTaken(1, "left", 0, ("reduce",)), PermitsTaken(1, "", 0)),
    (BonusTaken(1, 2, 1), BonusTaken(1, 0, 1)),
    (PartPainted(1, "1.1", 1, "B1", (1,), ("R", "K"), ("paint",), "can"), PartPainted(1, "1.1", 1, "B1", (), ())),
    (BonusUsed(1, "reserve", "A1"), BonusUsed(1, "")),
    (PaintKept(1, ("R",), ("save",)), PaintKept(1, None)),
    (PermitDrawn(1, 3), PermitDrawn(1, None)),
    (PoliceTaken(1, None, 1), PoliceTaken(1, None, 1)),
]


@pytest.mark.parametrize(("event", "left"), EARLIER, ids=[event.type for event, _ in EARLIER])
def test_what_somebody_took_and_paid_is_for_others_to_remember(event: Any, left: Any) -> None:
    assert GAME.recalled(event, None) == GAME.recalled(event, 0) == left
    assert GAME.recalled(event, 1) == event


def test_the_record_is_told_in_full_for_the_round_that_is_played() -> None:
    play = any_play(3, 120)
    ended = max(record.seq for record in play.in_force if GAME.ends_round(record.event))
    told = {record.seq: record.event for record in play.known_to(None, play.in_force)}
    taken = [record for record in play.in_force if isinstance(record.event, PaintTaken)]
    assert {told[r.seq].kind != "" for r in taken if r.seq < ended} == {False}  # type: ignore[attr-defined]
    assert [told[r.seq] for r in taken if r.seq > ended] == [r.event for r in taken if r.seq > ended]


def test_a_refusal_that_betrays_a_hand_is_its_owners() -> None:
    telling = Message("rule.paint_not_held", {"player": 2, "part": "B4", "kinds": ["K"]})
    assert GAME.message_for(telling, 2) == telling
    assert GAME.message_for(telling, 0) == GAME.message_for(telling, None) == Message(NOT_YET, {"player": 2})
    open_one = Message("rule.space_taken", {"player": 2, "space": "1.1"})
    assert GAME.message_for(open_one, None) == open_one


# --- what one may do and could paint ----------------------------------------------------------


@settings(max_examples=30)
@given(SEEDS, st.integers(15, 250))
def test_what_a_page_offers_is_legal_and_not_too_much(seed: int, moves: int) -> None:
    state = any_play(seed, moves).state
    for seat in range(len(state.seats)):
        legal = GAME.legal_moves(state, seat)
        offered = [from_json(told, GAME.events) for told in GAME.view(state, seat)["options"] or ()]
        assert [move for move in offered if move not in legal] == []
        ready = {one["part"] for one in (own(state, seat) or {"plans": ()})["plans"] if one["ready"]}
        paintings = [move.part for move in offered if isinstance(move, PartPainted)]
        if seat == state.turn and state.phase == "play":
            assert set(paintings) == ready == {move.part for move in legal if isinstance(move, PartPainted)}
        assert all(paintings.count(part) <= MOST_WAYS for part in ready)


def test_a_part_is_ready_with_permit_paint_and_cans() -> None:
    state = holding(begun(), 0, paint="R K", permits=(1,))
    ready = {"ready": True, "cans": 1, "permit": "one", "missing": [], "blocked": False, "reserved": None}
    assert plan(state, "B1") == {"part": "B1", **ready}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"paint": "R"}, {"missing": ["K"]}),
        ({"permits": (2, 3)}, {"permit": "none"}),
        ({"cans": 0}, {"cans": None}),
    ],
)
def test_what_is_missing_is_told(changes: dict[str, Any], told: dict[str, Any]) -> None:
    state = holding(begun(), 0, **{"paint": "R K", "permits": (1,), **changes})
    assert {key: plan(state, "B1")[key] for key in ("ready", *told)} == {"ready": False, **told}


@pytest.mark.parametrize(
    ("changes", "permit"),
    [
        ({"permits": (2, 2)}, "two"),
        ({"permits": (), "bonuses": "permit"}, "bonus"),
        ({"permits": (), "bonuses": ""}, "none"),
    ],
)
def test_how_a_section_is_opened_is_told(changes: dict[str, Any], permit: str) -> None:
    assert plan(holding(begun(), 0, paint="R K", **changes), "B1")["permit"] == permit


def test_the_policeman_is_worth_a_colour() -> None:
    state = changed(holding(begun(), 0, paint="R Y", permits=(1,)), police=0)
    assert (plan(state, "B1")["ready"], plan(state, "B3")["missing"]) == (True, ["G"])


def test_nobody_else_can_paint_what_is_reserved_or_blocked() -> None:
    state = holding(begun(block=True), 0, paint="R K", permits=(1,))
    number = state.printed.part_number["B1"]
    assert plan(holding(state, 2, reserved=number), "B1") | {"ready": False, "reserved": 2} == plan(
        holding(state, 2, reserved=number), "B1"
    )
    assert plan(changed(state, pawn=1), "B1")["blocked"]
    assert not plan(changed(state, pawn=1), "B1")["ready"]


def test_what_is_painted_is_no_plan_any_more() -> None:
    assert "B1" not in {one["part"] for one in own(painted(begun(), seat_1="B1"))["plans"]}


def test_odds_of_an_unknown_permit_are_those_of_all_that_this_seat_does_not_see() -> None:
    state = holding(begun(), 0, permits=(3, 3), unknown=1)
    unseen = [6 - 2, 6 - 1, 6 - 1 - 2, 6 - 1, 6 - 1]  # open: 1 2 3 4 5 1
    assert own(state)["odds"] == [round(100 * count / sum(unseen)) for count in unseen]
    assert own(begun())["odds"] is None


def test_whoever_has_more_than_two_tiles_is_asked_which_to_keep() -> None:
    state = holding(begun(), 0, paint="R R B", bonuses="save")
    assert own(state)["keep"] is None
    asked = at_keep(state)
    assert own(asked)["keep"] == {"tiles": ["R", "R", "B"], "most": 2, "with_save": 3}
    assert own(played(asked, PaintKept(0, ("R", "B"))))["keep"] is None


# --- what is drawn ----------------------------------------------------------------------------


def test_pages_have_the_drawings_of_the_kit() -> None:
    assert {name: (SCREENS / name).read_text(encoding="utf-8") for name in files()} == files()
    pictures = {
        wall["picture"] for section in GAME.view(begun(special=True), None)["sections"] for wall in section["walls"]
    }
    assert {f"murals/{picture}{face}.svg" for picture in pictures for face in ("", "-open")} <= files().keys()
    assert "C-special" in pictures
