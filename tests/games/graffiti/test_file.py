"""The game file of Graffiti, sentence by sentence: forms of fields, order of consequences, what may be null."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from pi_app.engine.contract import BadData, IllegalMove
from pi_app.engine.events import Event, GameEnded, Undone, from_json, to_json
from pi_app.engine.log import Play
from pi_app.engine.typed import Malformed
from pi_app.engine.values import changed
from pi_app.games.graffiti.rules.model import (
    BlockDrawn,
    BlockPlaced,
    GraffitiFinished,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintReturned,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PointsScored,
    RoundEnded,
    State,
    Unseen,
)
from pi_app.storage.gamefile import check_game_file, game_file
from tests.games.graffiti.helpers import (
    EDITION,
    GAME,
    a_setup,
    after_a_round,
    any_play,
    at_keep,
    begun,
    bonus,
    finished,
    follows,
    holding,
    house,
    keep,
    legal,
    opening,
    paint,
    paint_of,
    painted,
    part,
    permits,
    permits_of,
    played,
    police,
    refused,
    table,
    tag,
    use,
    without_pile,
)
from tests.playing import ticking

EXAMPLES: list[dict[str, Any]] = [
    {"type": "game_started", "first": 2},
    {"type": "bonus_revealed", "slot": 1, "bonus": "reduce"},
    {"type": "permit_revealed", "slot": 6, "face": 5},
    {"type": "permit_drawn", "player": 0, "face": 4},
    {"type": "permit_drawn", "player": 0, "face": None},
    {"type": "block_drawn", "face": 3},
    {"type": "neutral_drawn", "face": 1},
    {"type": "paint_taken", "player": 0, "space": "green.2", "kind": "G", "cans": 1, "bonuses": ["reduce"]},
    {"type": "permits_taken", "player": 1, "space": "draw", "cans": 1, "bonuses": []},
    {"type": "part_painted", "player": 0, "space": "1.2", "cans": 1, "part": "B4", "permits": [1],
     "paints": ["RY", "B"], "bonuses": [], "police": "can"},
    {"type": "bonus_taken", "player": 3, "slot": 2, "cans": 1, "bonuses": []},
    {"type": "police_taken", "player": 3, "slot": None, "cans": 1, "bonuses": []},
    {"type": "passed", "player": 2},
    {"type": "bonus_used", "player": 1, "bonus": "reserve", "part": "D3"},
    {"type": "bonus_used", "player": 1, "bonus": "points", "part": None},
    {"type": "paint_kept", "player": 3, "kinds": ["RY", "G"], "bonuses": []},
    {"type": "paint_kept", "player": 3, "kinds": None, "bonuses": ["save"]},
    {"type": "neutral_painted", "player": 1, "part": "A1"},
    {"type": "house_decided", "player": 0, "changes": [["part.B4", "seat.0"]]},
    {"type": "undone", "upto": 41},
    {"type": "points_scored", "player": 0, "points": 9, "reason": "part"},
    {"type": "graffiti_finished", "graffiti": "B"},
    {"type": "block_placed", "section": 5},
    {"type": "out_of_cans", "player": 2},
    {"type": "paint_returned", "player": 1},
    {"type": "round_ended", "round": 4, "first": 1, "finished": 3},
    {"type": "game_ended", "reasons": ["six_finished"], "scores": [97, 88], "winners": [0]},
    {"type": "permits_shuffled", "count": 9},
]  # fmt: skip


def kept(state: State) -> State:
    """Everybody passes and keeps nothing."""
    state = at_keep(state)
    while state.phase == "keep":
        state = played(state, keep(GAME.to_act(state).must[0], ""))
    return state


def new_play(players: int = 2, moves: Iterable[Event] = (), **options: Any) -> Play[State]:
    play = Play(GAME, a_setup(players, **options), now=ticking())
    for move in (*opening(play.state), *moves):
        play.do(move)
    return play


# --- header and fields ------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["type"]))
def test_events_have_the_keys_and_types_of_the_examples(example: dict[str, Any]) -> None:
    event = from_json(example, GAME.events)
    assert to_json(event) == example
    assert list(to_json(event)) == list(example)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["type"]))
def test_every_field_is_there_and_no_other(example: dict[str, Any]) -> None:
    for key in example.keys() - {"type"}:
        with pytest.raises(Malformed, match="needs the key"):
            from_json({name: value for name, value in example.items() if name != key}, GAME.events)
    with pytest.raises(Malformed, match="has no key"):
        from_json({**example, "cheer": 1}, GAME.events)


def test_there_is_an_example_of_every_event() -> None:
    assert {example["type"] for example in EXAMPLES} == set(GAME.events)


@pytest.mark.parametrize("field", ["player", "cans"])
def test_there_is_no_true_or_false_in_events(field: str) -> None:
    with pytest.raises(Malformed):
        from_json({**EXAMPLES[7], field: True}, GAME.events)


def test_an_option_that_is_missing_has_its_first_value() -> None:
    assert (
        table(2).printed
        == table(2, keep_spent=False, bonus_timing="own_turn", block=False, special=False, hands="watched").printed
    )
    with pytest.raises(BadData):
        table(2, bonus_timing="never")


def test_options_may_be_left_out_of_a_file() -> None:
    exported = json.loads(json.dumps(game_file(any_play(5, keep_spent=False, special=False))))
    del exported["options"]["keep_spent"], exported["options"]["special"]
    assert check_game_file(exported).state.phase == "over"


def test_the_profile_has_the_keys_of_the_house_edition_and_faces_as_text() -> None:
    exported = game_file(any_play(3))
    assert exported["profile"] == EDITION
    assert list(EDITION["permits"]["faces"]) == ["1", "2", "3", "4", "5"]
    assert EDITION["permits"]["spaces"][0] == {"id": "first", "slots": [1], "pile": 0, "first": True}


def test_hands_has_no_effect_on_the_file() -> None:
    watched, declared = (any_play(8, hands=hands) for hands in ("watched", "declared"))
    assert watched.records == declared.records


def test_the_result_repeats_the_end_or_tells_the_points_so_far() -> None:
    over = any_play(4)
    ended = over.records[-1].event
    assert isinstance(ended, GameEnded)
    assert game_file(over)["result"] == {"scores": list(ended.scores), "winners": list(ended.winners)}
    assert game_file(new_play())["result"] == {"scores": [0, 0], "winners": []}


def test_lists_are_read_in_any_order_and_written_in_one() -> None:
    state = holding(begun(), 0, paint="R K Y G", permits=(1,), bonuses="paint reduce")
    told = part(0, "A1", "K Y R", [1], cans=0, bonuses="reduce paint")
    (move, *_) = GAME.decide(state, told)
    assert move == part(0, "A1", "R Y K", [1], cans=0, bonuses="paint reduce")
    assert played(state, told) == played(state, move)


# --- null -------------------------------------------------------------------------------------


def unseen_draw() -> State:
    """Nobody has seen what seat 0 drew in the set-up."""
    state = table(2)
    state = played(state, *opening(state)[:-2], PermitDrawn(0, None), PermitDrawn(1, 2))
    return holding(state, 0, paint="R K Y G")


def test_a_permit_nobody_saw_is_one_of_unknown_face() -> None:
    state = unseen_draw()
    assert (state.seats[0].permit_count, permits_of(state, 0)) == (1, [])
    faces = {face for move in legal(state, 0, PartPainted) for face in move.permits}
    assert faces == {1, 2, 3, 4, 5}


def test_a_face_is_discarded_from_the_known_permits_first_then_from_the_unknown() -> None:
    state = holding(unseen_draw(), 0, permits=(1,))
    state = played(state, part(0, "B1", "R K", [1]))
    assert (permits_of(state, 0), state.seats[0].unknown) == ([], 1)
    state = played(state, Passed(1), part(0, "B2", "Y G", [1], space="1.2", cans=2))
    assert state.seats[0].permit_count == 0


def test_two_equal_faces_may_be_one_known_and_one_unknown() -> None:
    state = holding(unseen_draw(), 0, permits=(3,))
    assert played(state, part(0, "B1", "R K", [3, 3])).seats[0].permit_count == 0
    assert refused(state, part(0, "B1", "R K", [4, 4])) == "permit_not_held"


def test_kept_paint_that_was_not_seen_is_as_much_as_may_be_kept() -> None:
    state = at_keep(holding(holding(begun(2), 0, bonuses="save"), 1, paint="R"))
    assert played(state, keep(0, None)).seats[0].paint_count == 2
    assert played(state, keep(0, None, "save")).seats[0].paint_count == 3


def test_what_may_be_among_it_can_be_paid_and_what_may_have_gone_back_be_taken() -> None:
    state = at_keep(holding(begun(4), 0, paint="R K G", permits=(1,)))
    state = played(state, keep(0, None), *(keep(seat, "R") for seat in range(1, 4)))
    assert state.round == 2
    assert state.reserve[3:5] == (8, 8)
    assert played(state, part(0, "B1", "R K", [1])).turn == 1
    assert played(state, paint(0, "green.1", "G")).seats[0].paint_count == 3


def test_an_unfinished_game_is_told_but_for_what_is_hidden() -> None:
    """What was done openly is told also of earlier rounds: without it nobody could check the file."""
    play = after_a_round(keep(0, "R Y"), keep(1, "R B"))
    for move in (paint(0, "green.1", "G"), paint(1, "black.1", "K"), Passed(0), Passed(1)):
        play.do(move)
    exported = json.loads(json.dumps(game_file(play)))
    assert check_game_file(exported).state.phase == "keep"
    assert len(exported["events"]) == len(play.records)
    assert {event["kinds"] for event in exported["events"] if event["type"] == "paint_kept"} == {None}
    assert {event["face"] for event in exported["events"] if event["type"] == "permit_drawn"} == {None}
    assert [event["space"] for event in exported["events"] if event["type"] == "paint_taken"] == ["green.1", "black.1"]


def test_an_unfinished_game_is_told_up_to_what_only_a_secret_explains() -> None:
    """Null says that a seat kept as much as it may. One that kept less has nothing to choose a round later."""
    play = after_a_round(keep(0, "R"), keep(1, "R B"))
    for move in (paint(0, "green.1", "G"), Passed(1)):
        play.do(move)
    assert check_game_file(json.loads(json.dumps(game_file(play)))).records[-1].event == Passed(1)
    told = len(play.records)
    play.do(Passed(0))
    assert PaintReturned(0) in [record.event for record in play.records]
    exported = json.loads(json.dumps(game_file(play)))
    assert check_game_file(exported).state.phase == "play"
    assert len(exported["events"]) == told


def test_nothing_else_may_be_null() -> None:
    for example in EXAMPLES:
        for key, value in example.items():
            if value is not None and (example["type"], key) not in {
                *(("permit_drawn", "face"), ("paint_kept", "kinds"), ("police_taken", "slot"), ("bonus_used", "part")),
            }:
                with pytest.raises(Malformed):
                    from_json({**example, key: None}, GAME.events)


def test_simulated_games_have_no_null() -> None:
    for record in any_play(6).records:
        told = to_json(record.event)
        assert told.get("face", 0) is not None
        assert told.get("kinds", 0) is not None


def test_a_face_must_be_possible() -> None:
    state = changed(begun(), unseen=(Unseen(((0, 1, 0, 0, 0),), ((0,),) * 4),), pile=1)
    state = played(state, permits(0, "first"))
    assert refused(state, PermitRevealed(1, 1)) == "tile_not_in_pile"
    assert played(state, PermitRevealed(1, 2)).slots[0] == 2


# --- bonuses with an action, payment, policeman -----------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        paint(0, "green.1", "G", 0, "reduce"),
        permits(0, "left", 0, "reduce"),
        part(0, "B1", "R K", [1], cans=0, bonuses="reduce"),
        bonus(0, 1, 0, "reduce"),
        police(0, 0, "reduce"),
    ],
    ids=lambda move: str(move.type),
)
def test_reduce_serves_with_each_of_the_five_actions(move: Event) -> None:
    state = holding(begun(), 0, paint="R K", permits=(1,), bonuses="reduce")
    assert played(state, move).seats[0].cans == 5


def test_tiles_must_be_held_before_the_action() -> None:
    state = changed(begun(), bonus_slots=("reduce",) * 4)
    assert refused(state, bonus(0, 1, 0, "reduce")) == "bonus_not_held"


def test_the_policemans_slot_is_null_where_he_has_a_space_and_else_the_space_used() -> None:
    assert refused(begun(), police(0, slot=1)) == "space_unknown"
    state = begun(profile=house(bonus={"police_space": False}))
    assert refused(state, police(0)) == "space_unknown"
    assert played(state, police(0, slot=1)).bonus_slots[0] == "points"


# --- what the house decides -------------------------------------------------------------------


def test_the_house_decides_about_tags_and_the_turn_is_over() -> None:
    state = begun(3)
    move = HouseDecided(0, (("part.B4", "seat.0"), ("part.A1", "seat.2"), ("part.C1", "neutral")))
    assert follows(state, move) == [PointsScored(0, 9, "part"), PointsScored(2, 15, "part")]
    after = played(state, move)
    assert [tag(after, name) for name in ("B4", "A1", "C1")] == [0, 2, -1]
    assert (after.turn, after.seats[0].cans, paint_of(after, 0), permits_of(after, 0)) == (1, 5, "R Y B", [1])


def test_a_tag_that_changes_hands_or_goes_scores_nothing() -> None:
    state = painted(begun(3), seat_1="B4 B3")
    move = HouseDecided(0, (("part.B4", "seat.0"), ("part.B3", "open")))
    assert follows(state, move) == []


def test_the_house_may_finish_a_graffiti() -> None:
    state = painted(begun(3), seat_1="A1")
    assert follows(state, HouseDecided(0, (("part.A2", "neutral"),))) == [GraffitiFinished("A")]


# --- consequences -----------------------------------------------------------------------------


def test_points_come_before_a_finished_graffiti_and_that_before_out_of_cans() -> None:
    state = holding(painted(begun(3), seat_1="B2 B3 B4"), 0, paint="R K", permits=(1,))
    state = holding(state, 1, cans=0)
    assert follows(state, part(0, "B1", "R K", [1])) == [
        *(PointsScored(0, 7, "part"), GraffitiFinished("B"), OutOfCans(1)),
    ]


def test_out_of_cans_goes_in_turn_order_until_a_seat_can_act() -> None:
    state = begun(4, first=2)
    for seat in (3, 0):
        state = holding(state, seat, cans=0)
    assert follows(state, paint(2)) == [OutOfCans(3), OutOfCans(0)]


def test_paint_returns_by_seat_where_there_is_nothing_to_choose() -> None:
    state = begun(4, first=3)
    for seat in (0, 2, 3):
        state = holding(state, seat, paint="R")
    state = played(state, Passed(3), Passed(0), Passed(1))
    assert follows(state, Passed(2)) == [PaintReturned(0), PaintReturned(2), PaintReturned(3)]
    assert GAME.to_act(played(state, Passed(2))).must == (1,)


def test_the_round_ends_behind_the_last_of_its_steps() -> None:
    state = begun(4)
    for seat in range(4):
        state = holding(state, seat, paint="R")
    state = played(painted(state, neutral="A1 A2"), Passed(0), Passed(1), Passed(2))
    assert follows(state, Passed(3)) == [*map(PaintReturned, range(4)), RoundEnded(1, 0, 1)]


def test_the_end_tells_tiles_by_seat_then_tags_by_seat_never_nothing() -> None:
    state = painted(finished(begun(4), "ABCDEF"), seat_0="A1", seat_3="B1 B2")
    for seat, held in enumerate(("R Y", "", "R", "R Y")):
        state = holding(state, seat, paint=held, permits=(1,))
    state = played(state, Passed(0), Passed(1), Passed(2))
    assert follows(state, Passed(3))[4:] == [
        RoundEnded(1, 0, 6),
        *(PointsScored(0, 1, "tiles"), PointsScored(2, 1, "tiles"), PointsScored(3, 1, "tiles")),
        *(PointsScored(0, 2, "tags"), PointsScored(3, 8, "tags")),
        GameEnded(("six_finished",), (3, 0, 1, 9), (3,)),
    ]


def test_nothing_but_undoing_follows_the_end() -> None:
    play = any_play(9)
    with pytest.raises(IllegalMove, match="game_over"):
        play.do(Passed(0))
    assert play.undo()[0].event == Undone(play.in_force[-1].seq)


def test_the_discards_are_shuffled_last_and_only_when_luck_needs_a_permit_now() -> None:
    state = without_pile(begun(3), discards=(1, 4))
    assert follows(state, permits(0, "draw")) == [PermitsShuffled(2)]
    for seat in range(3):
        state = holding(state, seat, paint="R")
    state = played(state, Passed(0), Passed(1))
    assert follows(state, Passed(2)) == [*map(PaintReturned, range(3)), PermitsShuffled(2)]


def test_the_discards_are_not_shuffled_when_the_last_permit_needed_was_drawn() -> None:
    state = played(begun(3), permits(0, "first"))
    state = changed(state, pile=1, unseen=(Unseen(((1, 0, 0, 0, 0),), ((0,),) * 3),), discards=(0, 2, 0, 0, 0))
    assert follows(state, PermitRevealed(1, 1)) == []


def test_shuffling_for_the_block_pawn_stands_behind_the_end_of_the_round() -> None:
    state = begun(4, block=True)
    for seat in range(4):
        state = holding(state, seat, paint="R")
    state = played(without_pile(state, discards=(1, 2)), Passed(0), Passed(1), Passed(2))
    assert follows(state, Passed(3))[-2:] == [RoundEnded(1, 0, 0), PermitsShuffled(2)]


def test_the_pawn_that_stays_is_told_by_block_placed() -> None:
    state = begun(4, block=True)
    for seat in range(4):
        state = holding(state, seat, paint="R")
    state = played(without_pile(state, discards=(5,)), Passed(0), Passed(1), Passed(2))
    assert follows(state, Passed(3))[-2:] == [RoundEnded(1, 0, 0), BlockPlaced(5)]


def test_consequences_are_never_moves() -> None:
    consequences = "points_scored graffiti_finished block_placed out_of_cans paint_returned round_ended game_ended"
    for example in EXAMPLES:
        event = from_json(example, GAME.events)
        assert GAME.is_move(event) != (example["type"] in f"{consequences} permits_shuffled undone".split())


# --- how a game runs --------------------------------------------------------------------------


def test_the_set_up_is_told_in_one_order() -> None:
    state = table(2)
    for number, move in enumerate(moves := opening(state)):
        later = [other for other in moves[number + 1 :] if type(other) is not type(move)]
        assert all(refused(state, other) in ("start_first", "not_drawn_now") for other in later)
        state = played(state, move)
    assert state.phase == "play"


def test_start_paint_goes_to_the_seats_with_game_started() -> None:
    state = table(3)
    assert [seat.paint_count for seat in played(state, opening(state)[0]).seats] == [3, 3, 3]


def test_while_luck_has_to_act_nobody_else_may() -> None:
    state = holding(begun(3, bonus_timing="any"), 1, bonuses="points")
    state = played(state, permits(0, "left"))
    assert GAME.to_act(state).may == ()
    assert refused(state, use(1, "points")) == "luck_first"


def test_what_follows_permits_stands_behind_the_last_that_luck_brings() -> None:
    state = holding(begun(3), 1, cans=0)
    assert follows(state, permits(0, "left")) == []
    state = played(state, permits(0, "left"), PermitRevealed(2, 5))
    assert follows(state, PermitRevealed(3, 5)) == [OutOfCans(1)]


def test_a_discarded_or_revealed_permit_lies_on_the_discards_at_once() -> None:
    state = holding(begun(3), 0, paint="R K", permits=(1,))
    assert played(state, part(0, "B1", "R K", [1])).discards == (1, 0, 0, 0, 0)
    assert played(kept(begun(3)), NeutralDrawn(4)).discards == (0, 0, 0, 1, 0)


def test_the_late_seat_uses_bonus_tiles_until_another_seat_makes_a_move() -> None:
    state = played(holding(begun(3), 0, bonuses="points points"), paint(0))
    assert played(state, use(0, "points")).late == 0
    assert refused(played(state, Passed(1)), use(0, "points")) == "not_your_turn"


def test_in_the_keep_phase_points_are_used_by_every_seat_and_nowhere_after() -> None:
    state = at_keep(holding(begun(3), 1, bonuses="points extra"))
    assert refused(state, use(1, "extra")) == "bonus_too_late"
    assert played(state, use(1, "points")).phase == "keep"
    state = played(state, *(keep(seat, "R") for seat in range(3)))
    assert refused(state, use(1, "points")) == "luck_first"
    assert refused(played(state, NeutralDrawn(1)), use(1, "points")) == "neutral_first"


def test_the_tile_reserve_leaves_the_game_when_it_is_used() -> None:
    state = played(holding(begun(3), 0, bonuses="reserve"), use(0, "reserve", "A1"))
    assert sum(state.seats[0].bonuses) == 0


def test_markers_policeman_cans_and_spaces_are_cleared_when_all_have_passed() -> None:
    state = holding(begun(3), 0, bonuses="reserve add")
    state = played(state, use(0, "reserve", "A1"), police(0), paint(1, "green.1", "G"), Passed(2))
    state = at_keep(played(state, paint(0, "green.1", "G", 1, "add")))
    assert (state.police, state.closed, state.occupied, set(state.spaces)) == (None, 0, 0, {()})
    assert [(seat.cans, seat.reserved) for seat in state.seats] == [(5, None)] * 3


@pytest.mark.parametrize(
    ("held", "bonuses", "options", "asked"),
    [
        ("R Y", "", {}, False),
        ("R Y B", "", {}, True),
        ("R", "points", {}, True),
        ("R", "save add", {}, False),
        ("R", "", {"keep_spent": True}, True),
        ("", "", {"keep_spent": True}, False),
    ],
)
def test_who_has_to_choose_what_to_keep(held: str, bonuses: str, options: dict[str, Any], asked: bool) -> None:
    """In all cases red and black were spent in this round."""
    state = holding(begun(2, **options), 0, paint=f"R K {held}", permits=(1,), bonuses=bonuses)
    state = at_keep(played(state, part(0, "B1", "R K", [1])))
    assert (0 in GAME.to_act(state).must) == asked


def test_fewer_may_be_kept_and_who_has_nothing_to_choose_keeps_all() -> None:
    state = at_keep(holding(begun(3), 0, paint="R Y"))
    assert paint_of(state, 0) == "R Y"
    assert paint_of(played(state, keep(1, "")), 1) == ""


def test_neutral_draws_that_cannot_be_are_left_out_for_good() -> None:
    state = kept(without_pile(begun(2)))
    assert (state.round, state.phase, state.parts.count(-1)) == (2, "play", 0)


# --- undoing ----------------------------------------------------------------------------------


def test_undone_ends_at_the_end_of_a_move_that_is_in_force() -> None:
    play = new_play(2, [paint(0), paint(1, kind="Y")])
    with pytest.raises(IllegalMove, match="undo_unknown"):
        play.undo(0)
    before = play.in_force[-2].seq
    assert [record.event for record in play.undo()] == [Undone(before)]
    assert play.state.turn == 1


def test_a_correction_tells_all_later_moves_anew() -> None:
    play = new_play(2, [paint(0), paint(1, kind="Y")])
    wrong = play.in_force[-2].seq
    events = [record.event for record in play.correct({wrong: paint(0, kind="B")})]
    assert events == [Undone(wrong - 1), paint(0, kind="B"), paint(1, kind="Y")]


def test_an_unknown_permit_may_be_told_later_by_a_correction() -> None:
    play = Play(GAME, a_setup(2), now=ticking())
    for move in (*opening(play.state)[:-2], PermitDrawn(0, None), PermitDrawn(1, 2)):
        play.do(move)
    play.correct({play.in_force[-2].seq: PermitDrawn(0, 4)})
    assert (permits_of(play.state, 0), play.state.seats[0].unknown) == ([4], 0)


def test_a_file_with_undoing_nulls_and_block_is_checked() -> None:
    play = new_play(2, [BlockDrawn(5), paint(0), paint(1, kind="Y")], block=True)
    play.undo()
    for move in (Passed(1), Passed(0), keep(0, None), keep(1, None), NeutralDrawn(1), NeutralPainted(0, "A1")):
        play.do(move)
    again = check_game_file(json.loads(json.dumps(game_file(play))))
    assert len(again.records) == len(play.records)
    assert GAME.to_act(again.state) == GAME.to_act(play.state)
