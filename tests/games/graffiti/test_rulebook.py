"""The rulebook, clause by clause, and its eight examples."""

from typing import Any

import pytest

from pi_app.engine.contract import LUCK
from pi_app.engine.events import GameEnded
from pi_app.engine.values import changed
from pi_app.games.graffiti.rules.model import (
    BONUSES,
    NEUTRAL,
    OPEN,
    BlockDrawn,
    BlockPlaced,
    BonusRevealed,
    GraffitiFinished,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PointsScored,
    RoundEnded,
    State,
)
from pi_app.games.graffiti.rules.paying import KINDS
from tests.games.graffiti.helpers import (
    GAME,
    OPEN_BONUSES,
    OPEN_PERMITS,
    at_keep,
    begun,
    bonus,
    bonuses_of,
    cans,
    finished,
    follows,
    holding,
    keep,
    left,
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


def paint_spaces(state: State, seat: int) -> set[str]:
    return {move.space for move in legal(state, seat, PaintTaken)}


# --- set-up -----------------------------------------------------------------------------------


def test_ten_graffiti_of_31_parts_lie_two_to_a_section() -> None:
    printed = table().printed
    assert sorted(len(graffito.parts) for graffito in printed.graffiti) == [2, 2, 2, 3, 3, 3, 4, 4, 4, 4]
    assert [sorted({printed.parts[n].id[0] for n in section}) for section in printed.sections] == [
        *(["A", "B"], ["C", "D"], ["E", "F"], ["G", "H"], ["I", "J"]),
    ]
    assert sum(map(len, printed.sections)) == 31


def test_all_parts_lie_with_their_unfinished_side_up() -> None:
    assert set(begun().parts) == {OPEN}


def test_one_bonus_tile_lies_open_on_every_slot() -> None:
    state = begun()
    assert state.bonus_slots == OPEN_BONUSES
    assert sum(state.bonus_pool) == 36


def test_the_policeman_stands_on_the_board() -> None:
    assert begun().police is None


def test_one_permit_lies_open_on_every_place() -> None:
    assert begun().slots == OPEN_PERMITS


def test_everybody_has_red_yellow_blue_and_a_permit_behind_the_screen_and_five_cans() -> None:
    state = begun(4)
    for seat in range(4):
        assert paint_of(state, seat) == "R Y B"
        assert permits_of(state, seat) == [seat + 1]
        assert bonuses_of(state, seat) == []
    assert cans(state) == [5, 5, 5, 5]
    assert GAME.scores(state) == (0, 0, 0, 0)


@pytest.mark.parametrize(("players", "primaries", "pile"), [(4, 3, 20), (3, 4, 21), (2, 5, 22)])
def test_what_is_left_after_the_set_up(players: int, primaries: int, pile: int) -> None:
    state = begun(players)
    assert [left(state, kind) for kind in KINDS] == [primaries] * 3 + [8, 8, 7, 7, 7]
    assert state.pile == pile


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_player_takes_the_token_and_begins(first: int) -> None:
    state = begun(3, first)
    assert state.first == first
    assert GAME.to_act(state).must == (first,)


# --- turns ------------------------------------------------------------------------------------


def test_turns_go_clockwise_from_the_holder_of_the_token_again_and_again() -> None:
    state, turns = begun(3, first=1), []
    for _ in range(5):
        turns.append(state.turn)
        state = played(state, paint(state.turn, kind="RYB"[state.turn]))
    assert turns == [1, 2, 0, 1, 2]


def test_a_turn_is_one_action_or_a_pass() -> None:
    assert played(begun(), paint(0)).turn == 1
    assert played(begun(), Passed(0)).turn == 1


def test_an_action_costs_the_cans_of_its_space_which_stay_there() -> None:
    state = played(begun(), paint(0, "green.2", "G", cans=2))
    assert cans(state) == [3, 5, 5, 5]
    assert state.spaces[state.printed.space_at["paint", "green.2"].number] == (0, 0)
    assert refused(begun(), paint(0, "green.2", "G", cans=1)) == "cans_placed_wrong"


def test_only_a_free_space_may_be_chosen() -> None:
    state = played(begun(), paint(0, "green.1", "G"))
    assert refused(state, paint(1, "green.1", "G")) == "space_taken"
    assert "green.1" not in paint_spaces(state, 1)


def test_only_a_space_that_one_has_cans_enough_for_may_be_chosen() -> None:
    state = holding(begun(), 0, cans=1)
    assert refused(state, paint(0, "green.2", "G", cans=2)) == "cans_needed"
    assert "green.2" not in paint_spaces(state, 0)


def test_without_cans_one_must_pass() -> None:
    state = holding(begun(3), 1, cans=0)
    assert follows(state, paint(0)) == [OutOfCans(1)]


def test_with_cans_one_may_pass() -> None:
    assert Passed(0) in GAME.legal_moves(begun(), 0)


def test_who_has_passed_is_skipped_till_the_round_ends() -> None:
    state = played(begun(3), Passed(0), paint(1, kind="R"), paint(2, kind="Y"))
    assert state.turn == 1
    assert refused(state, paint(0)) == "already_passed"


def test_the_round_ends_when_all_have_passed() -> None:
    state = played(begun(4), Passed(0), Passed(1), Passed(2))
    assert GAME.round(state) == 1
    assert GAME.to_act(played(state, Passed(3))).must != (0,)
    assert played(state, Passed(3)).phase == "keep"


# --- A. taking paint --------------------------------------------------------------------------


def test_a_can_on_a_paint_space_takes_a_tile_of_its_kind_behind_the_screen() -> None:
    state = played(begun(), paint(0, "red-yellow.1", "RY"))
    assert paint_of(state, 0) == "R Y B RY"
    assert left(state, "RY") == 6
    assert refused(begun(), paint(0, "red-yellow.1", "G")) == "kind_not_here"


def test_where_several_kinds_belong_to_a_space_one_chooses() -> None:
    kinds = {move.kind for move in legal(begun(), 0, PaintTaken) if move.space == "primary"}
    assert kinds == {"R", "Y", "B"}


def test_the_large_space_never_fills() -> None:
    state = begun(2)
    for seat in (0, 1, 0, 1):
        state = played(state, paint(seat, kind="R"))
    assert left(state, "R") == 1
    assert played(state, paint(0, kind="R")).seats[0].paint_count == 6


def test_a_kind_that_is_empty_cannot_be_taken() -> None:
    state = changed(begun(), reserve=(0, 3, 3, 8, 8, 7, 7, 7))
    assert refused(state, paint(0, kind="R")) == "kind_empty"


# --- B. taking permits ------------------------------------------------------------------------


def test_one_can_takes_the_two_open_permits_of_a_space() -> None:
    state = played(begun(), permits(0, "right"))
    assert permits_of(state, 0) == [1, 4, 5]
    assert cans(state)[0] == 4


def test_the_pile_counts_as_the_place_at_the_right() -> None:
    state = played(begun(), permits(0, "draw"))
    assert permits_of(state, 0) == [1, 1]
    assert GAME.to_act(state).must == (LUCK,)
    assert permits_of(played(state, PermitDrawn(0, 5)), 0) == [1, 1, 5]


def test_the_leftmost_space_gives_one_permit_and_the_start_of_the_next_round() -> None:
    state = played(begun(), Passed(0), permits(1, "first"), PermitRevealed(1, 4), Passed(2), Passed(3), Passed(1))
    assert permits_of(state, 1) == [1, 2]
    assert state.first == 1
    state = played(state, *(keep(seat, "R Y") for seat in range(4)))
    assert (GAME.round(state), state.turn) == (2, 1)


def test_the_token_stays_if_nobody_uses_that_space() -> None:
    state = played(at_keep(begun(4, first=2)), *(keep(seat, "R") for seat in range(4)))
    assert (state.first, state.turn) == (2, 2)


def test_empty_places_are_refilled_from_the_pile() -> None:
    state = played(begun(), permits(0, "left"), PermitRevealed(2, 5), PermitRevealed(3, 5))
    assert state.slots == (1, 5, 5, 4, 5, 1)
    assert state.turn == 1


def test_an_empty_pile_is_made_anew_from_the_discards() -> None:
    state = without_pile(begun(), discards=(2, 2, 5))
    assert follows(state, permits(0, "first")) == [PermitsShuffled(3)]
    state = played(state, permits(0, "first"), PermitRevealed(1, 5))
    assert (state.pile, sum(state.discards)) == (2, 0)


# --- C. painting ------------------------------------------------------------------------------


def test_painting_takes_a_can_a_permit_of_the_section_and_the_paint_asked() -> None:
    state = holding(begun(), 0, paint="R K G", permits=(1, 3))
    after = played(state, part(0, "B1", "R K", [1]))
    assert cans(after)[0] == 4
    assert permits_of(after, 0) == [3]
    assert paint_of(after, 0) == "G"
    assert (after.discards, after.discard_top) == ((1, 0, 0, 0, 0), 1)


def test_the_second_space_of_a_section_costs_two_cans() -> None:
    state = played(holding(begun(2), 0, paint="R K Y G", permits=(1, 1)), part(0, "B1", "R K", [1]), Passed(1))
    assert refused(state, part(0, "B2", "Y G", [1])) == "space_taken"
    assert cans(played(state, part(0, "B2", "Y G", [1], space="1.2", cans=2)))[0] == 2


def test_a_permit_of_another_section_does_not_do() -> None:
    state = holding(begun(), 0, paint="R K", permits=(2,))
    assert refused(state, part(0, "B1", "R K", [2])) == "permit_wrong"
    assert refused(state, part(0, "B1", "R K", [1])) == "permit_not_held"
    assert refused(state, part(0, "B1", "R K")) == "permit_needed"


def test_two_equal_permits_do_for_any_section() -> None:
    state = holding(begun(), 0, paint="R K", permits=(4, 4, 5))
    assert permits_of(played(state, part(0, "B1", "R K", [4, 4])), 0) == [5]
    assert refused(state, part(0, "B1", "R K", [4, 5])) == "permits_unequal"


def test_either_graffiti_of_the_section_in_any_order_of_parts() -> None:
    state = holding(begun(), 0, paint="R Y B G K", permits=(1,))
    names = {move.part for move in legal(state, 0, PartPainted)}
    assert names == {"A1", "A2", "B1", "B2", "B3", "B4"}


def test_the_paint_lies_in_front_of_the_screen() -> None:
    state = played(holding(begun(), 0, paint="R K G", permits=(1,)), part(0, "B1", "R K", [1]))
    assert state.seats[0].spent == (1, 0, 0, 0, 1, 0, 0, 0)


def test_points_come_at_once_and_the_part_bears_an_own_tag() -> None:
    state = holding(begun(), 0, paint="R K", permits=(1,))
    move = part(0, "B1", "R K", [1])
    assert follows(state, move)[0] == PointsScored(0, 7, "part")
    assert (tag(state, "B1"), tag(played(state, move), "B1")) == (OPEN, 0)
    assert GAME.scores(played(state, move)) == (7, 0, 0, 0)


def test_a_part_is_painted_once() -> None:
    state = painted(holding(begun(), 0, paint="R K", permits=(1,)), seat_1="B1")
    assert refused(state, part(0, "B1", "R K", [1])) == "part_done"


def test_the_part_must_belong_to_the_section() -> None:
    state = holding(begun(), 0, paint="R K", permits=(1, 2))
    assert refused(state, part(0, "B1", "R K", [2], space="2.1")) == "part_not_here"


def test_every_colour_asked_must_be_paid_and_nothing_else() -> None:
    state = holding(begun(), 0, paint="R K G", permits=(1,))
    assert refused(state, part(0, "B1", "R", [1])) == "paint_missing"
    assert refused(state, part(0, "B1", "R K G", [1])) == "paint_superfluous"
    assert refused(state, part(0, "B1", "R K K", [1])) == "paint_not_held"


def test_a_tile_of_two_colours_pays_for_both_or_for_one() -> None:
    state = holding(begun(), 0, paint="RY RY B R", permits=(1, 2))
    assert played(state, part(0, "B4", "RY B", [1])).turn == 1
    assert played(state, part(0, "B4", "RY RY B", [1])).turn == 1
    assert played(state, part(0, "D1", "RY R", [2])).turn == 1


# --- D. bonus tiles ---------------------------------------------------------------------------


def test_one_can_takes_a_bonus_tile_behind_the_screen() -> None:
    state = played(begun(), bonus(0, slot=3))
    assert bonuses_of(state, 0) == ["permit"]
    assert cans(state)[0] == 4
    assert refused(state, bonus(1, slot=3)) == "nothing_to_take"


def test_or_the_policeman() -> None:
    state = played(begun(), police(0))
    assert (state.police, cans(state)[0]) == (0, 4)
    assert refused(state, police(1)) == "nothing_to_take"


def test_bonus_tiles_may_be_hoarded_and_several_used_in_one_round() -> None:
    state = holding(begun(), 0, bonuses="points points points")
    state = played(state, use(0, "points"), use(0, "points"))
    assert bonuses_of(state, 0) == ["points"]
    assert GAME.scores(state)[0] == 4


def test_a_used_tile_leaves_the_game() -> None:
    state = begun()
    tiles = sum(state.bonus_pool) + len(state.bonus_slots)
    state = played(state, bonus(0, slot=1), use(0, "points"))
    assert sum(state.bonus_pool) + sum(tile != "" for tile in state.bonus_slots) == tiles - 1
    assert bonuses_of(state, 0) == []


def test_slots_are_refilled_only_at_the_end_of_the_round() -> None:
    state = played(begun(4), bonus(0, slot=2), Passed(1), Passed(2), Passed(3), Passed(0))
    assert state.bonus_slots[1] == ""
    state = played(state, *(keep(seat, "R Y") for seat in range(4)))
    assert GAME.to_act(state).must == (LUCK,)
    assert played(state, BonusRevealed(2, "save")).bonus_slots[1] == "save"


# --- what each bonus tile does ----------------------------------------------------------------


def test_points_brings_two_points_at_once() -> None:
    state = holding(begun(), 0, bonuses="points")
    assert follows(state, use(0, "points")) == [PointsScored(0, 2, "bonus")]


def test_paint_stands_for_any_one_tile() -> None:
    state = holding(begun(), 0, paint="R", permits=(1,), bonuses="paint")
    after = played(state, part(0, "B1", "R", [1], bonuses="paint"))
    assert bonuses_of(after, 0) == []
    assert GAME.scores(after)[0] == 7


def test_permit_paints_in_any_section_without_discarding_one() -> None:
    state = holding(begun(), 0, paint="R K", permits=(), bonuses="permit")
    after = played(state, part(0, "B1", "R K", bonuses="permit"))
    assert (bonuses_of(after, 0), sum(after.discards), cans(after)[0]) == ([], 0, 4)


def test_extra_gives_another_whole_turn_before_the_next_player() -> None:
    state = played(holding(begun(), 0, bonuses="extra"), use(0, "extra"), paint(0))
    assert state.turn == 0
    assert played(state, paint(0)).turn == 1


def test_reserve_keeps_others_from_a_part_in_this_round() -> None:
    state = holding(holding(begun(2), 0, bonuses="reserve"), 1, paint="R K", permits=(1,))
    state = played(state, use(0, "reserve", "B1"), Passed(0))
    assert bonuses_of(state, 0) == []
    assert refused(state, part(1, "B1", "R K", [1])) == "part_reserved"


def test_the_marker_leaves_when_its_part_is_painted() -> None:
    state = holding(begun(2), 0, paint="R K", permits=(1,), bonuses="reserve")
    state = played(state, use(0, "reserve", "B1"), part(0, "B1", "R K", [1]))
    assert state.seats[0].reserved is None


def test_the_marker_leaves_at_the_end_of_the_round() -> None:
    state = played(holding(begun(), 0, bonuses="reserve"), use(0, "reserve", "B1"))
    assert at_keep(state).seats[0].reserved is None


def test_add_uses_an_occupied_one_can_space_and_closes_it() -> None:
    state = played(holding(begun(3), 1, bonuses="add"), paint(0, "green.1", "G"))
    state = played(state, paint(1, "green.1", "G", bonuses="add"))
    assert paint_of(state, 1) == "R Y B G"
    state = holding(state, 2, bonuses="add")
    assert refused(state, paint(2, "green.1", "G")) == "space_taken"
    assert refused(state, paint(2, "green.1", "G", bonuses="add")) == "add_twice"


def test_add_does_not_serve_on_a_two_can_space() -> None:
    state = played(holding(begun(), 1, bonuses="add"), paint(0, "green.2", "G", cans=2))
    assert refused(state, paint(1, "green.2", "G", cans=2, bonuses="add")) == "add_two_cans"


@pytest.mark.parametrize(("space", "placed"), [("green.2", 1), ("green.1", 0)])
def test_reduce_saves_one_can(space: str, placed: int) -> None:
    state = holding(begun(), 0, bonuses="reduce")
    after = played(state, paint(0, space, "G", cans=placed, bonuses="reduce"))
    assert cans(after)[0] == 5 - placed
    assert bonuses_of(after, 0) == []


def test_save_keeps_three_tiles_at_the_end_of_this_round() -> None:
    state = at_keep(holding(begun(), 0, bonuses="save"))
    assert refused(state, keep(0, "R Y B")) == "keep_too_many"
    after = played(state, keep(0, "R Y B", "save"))
    assert (paint_of(after, 0), bonuses_of(after, 0)) == ("R Y B", [])


def test_the_policeman_makes_one_can_enough_on_a_two_can_space_of_the_tunnel() -> None:
    state = changed(holding(begun(), 0, paint="R K", permits=(1,)), police=0)
    assert cans(played(state, part(0, "B1", "R K", [1], space="1.2", cans=1, police="can")))[0] == 4
    assert refused(state, part(0, "B1", "R K", [1], space="1.2", cans=1)) == "cans_placed_wrong"


def test_the_policeman_lets_one_paint_be_paid_with_any_other_tile() -> None:
    state = changed(holding(begun(), 0, paint="R Y", permits=(1,)), police=0)
    assert GAME.scores(played(state, part(0, "B1", "R Y", [1], police="paint")))[0] == 7


def test_the_policeman_helps_any_number_of_times_till_the_end_of_the_round() -> None:
    state = changed(holding(begun(2), 0, paint="R Y R Y", permits=(1, 1)), police=0)
    state = played(state, part(0, "B1", "R Y", [1], police="paint"), Passed(1))
    state = played(state, part(0, "B2", "R Y", [1], space="1.2", police="both"))
    assert state.police == 0
    assert at_keep(state).police is None


def test_the_policeman_does_not_help_others() -> None:
    state = changed(holding(begun(), 0, paint="R Y", permits=(1,)), police=1)
    assert refused(state, part(0, "B1", "R Y", [1], police="paint")) == "police_not_held"


# --- the end of a round -----------------------------------------------------------------------


def test_step_1_all_cans_go_back() -> None:
    state = at_keep(played(begun(3), paint(0), paint(1, "green.1", "G"), paint(2, "green.2", "G", cans=2)))
    assert cans(state) == [5, 5, 5]
    assert set(state.spaces) == {()}
    assert state.occupied == 0


def test_step_2_everybody_keeps_at_most_two_paint_tiles() -> None:
    state = at_keep(holding(begun(3), 0, paint="R Y B"))
    assert refused(state, keep(0, "R Y B")) == "keep_too_many"
    state = played(state, keep(0, "R B"))
    assert paint_of(state, 0) == "R B"
    assert left(state, "Y") == 5


def test_step_2_a_tile_of_two_colours_is_one_tile() -> None:
    state = played(at_keep(holding(begun(3), 0, paint="RY YB R")), keep(0, "RY YB"))
    assert paint_of(state, 0) == "RY YB"


def test_step_2_spent_paint_goes_back_to_the_board() -> None:
    state = played(holding(begun(3), 0, paint="R K", permits=(1,)), part(0, "B1", "R K", [1]))
    before = left(state, "K")
    assert left(at_keep(state), "K") == before + 1


def test_step_3_slots_are_refilled_left_to_right() -> None:
    state = changed(begun(4), bonus_slots=("", "extra", "", "save"))
    state = played(at_keep(state), *(keep(seat, "R") for seat in range(4)))
    assert GAME.legal_moves(state, LUCK)[0] == BonusRevealed(1, "points")
    state = played(state, BonusRevealed(1, "add"))
    assert played(state, BonusRevealed(3, "add")).turn == 0


def kept(players: int, **options: Any) -> State:
    """Step 4 is due, or the next round."""
    state = at_keep(begun(players, **options))
    return played(state, *(keep(seat, "R") for seat in range(players)))


@pytest.mark.parametrize(("players", "parts"), [(2, 2), (3, 1), (4, 0)])
def test_step_4_with_two_or_three_players_parts_are_turned_for_nobody(players: int, parts: int) -> None:
    state = kept(players)
    for number in range(1, parts + 1):
        state = played(state, NeutralDrawn(2), NeutralPainted(0, f"D{number}"))
    assert GAME.round(state) == 2
    assert state.parts.count(NEUTRAL) == parts
    assert sum(GAME.scores(state)) == 0


def test_step_4_the_holder_of_the_token_chooses_graffiti_and_part_of_the_section() -> None:
    state = played(kept(3, first=2), NeutralDrawn(3))
    assert GAME.to_act(state).must == (2,)
    assert {m.part for m in legal(state, 2, NeutralPainted)} == {"E1", "E2", "F1", "F2", "F3"}
    assert refused(state, NeutralPainted(0, "E1")) == "not_token_holder"
    assert refused(state, NeutralPainted(2, "A1")) == "neutral_not_here"


def test_step_4_a_section_with_nothing_unfinished_has_no_effect() -> None:
    state = finished(kept(3), "AB")
    assert follows(state, NeutralDrawn(1)) == [RoundEnded(1, 0, 2)]


def test_step_4_revealed_permits_are_discarded() -> None:
    state = played(kept(2), NeutralDrawn(2))
    assert (state.discards, state.discard_top) == ((0, 1, 0, 0, 0), 2)


# --- the end of the game ----------------------------------------------------------------------


def test_the_game_ends_with_the_round_in_which_six_graffiti_are_finished() -> None:
    state = finished(begun(4), "ABCDE")
    state = holding(painted(state, seat_1="F1 F2"), 0, paint="R R G", permits=(3,))
    state = played(state, part(0, "F3", "R R G", [3]))
    assert GAME.outcome(state) is None
    assert state.turn == 1
    state = at_keep(state)
    state = played(state, *(keep(seat, "R") for seat in range(1, 3)))
    events = follows(state, keep(3, "R"))
    assert (events[0], type(events[-1])) == (RoundEnded(1, 0, 6), GameEnded)


def test_five_finished_graffiti_do_not_end_it() -> None:
    state = played(at_keep(finished(begun(4), "ABCDE")), *(keep(seat, "R") for seat in range(4)))
    assert (GAME.outcome(state), GAME.round(state)) == (None, 2)


def test_a_part_turned_for_nobody_may_end_it() -> None:
    state = painted(finished(kept(3), "ABCDE"), neutral="F1 F2")
    events = follows(played(state, NeutralDrawn(3)), NeutralPainted(0, "F3"))
    assert events[:2] == [GraffitiFinished("F"), RoundEnded(1, 0, 6)]
    assert isinstance(events[-1], GameEnded)


def test_step_4_is_done_after_the_last_round_too() -> None:
    state = at_keep(finished(begun(2), "ABCDEF"))
    state = played(state, keep(0, "R"), keep(1, "R"))
    assert GAME.to_act(state).must == (LUCK,)
    assert played(state, NeutralDrawn(4)).phase == "neutral_paint"


def last(state: State) -> GameEnded:
    """How a game of four ends in this round: everybody passes, and whoever has to choose keeps no paint."""
    state = at_keep(state)
    while GAME.to_act(state).must:
        state = played(state, keep(GAME.to_act(state).must[0], ""))
    assert state.result is not None
    return state.result


def test_half_a_point_for_each_tile_still_owned_rounded_down() -> None:
    state = holding(finished(begun(4), "ABCDEF"), 0, paint="R Y", permits=(1, 2), bonuses="add")
    assert last(state).scores == (2, 0, 0, 0)


def test_each_own_tag_on_a_finished_graffiti_counts_its_parts() -> None:
    state = finished(begun(4), "ABCDEF")
    state = painted(state, seat_1="A1 A2 B1 C1", seat_2="J1")
    assert last(state).scores == (0, 2 + 2 + 4 + 3, 0, 0)


def test_most_points_win() -> None:
    state = painted(finished(begun(4), "ABCDEF"), seat_1="A1", seat_2="B1")
    assert last(state).winners == (2,)


def test_level_scores_are_settled_by_own_tags_in_the_tunnel_then_shared() -> None:
    state = painted(finished(begun(4), "ABCDEF"), seat_1="A1 A2", seat_2="B1")
    assert last(state).winners == (1,)
    state = painted(finished(begun(4), "ABCDEF"), seat_1="B1", seat_2="B2")
    assert last(state).winners == (1, 2)


# --- variants ---------------------------------------------------------------------------------


def test_variant_1_nobody_paints_where_the_block_pawn_stands() -> None:
    state = table(4, block=True)
    state = played(state, *opening(state))
    assert GAME.to_act(state).must == (LUCK,)
    assert follows(state, BlockDrawn(1)) == [BlockPlaced(1)]
    state = holding(played(state, BlockDrawn(1)), 0, paint="R K", permits=(1, 2))
    assert state.discards == (1, 0, 0, 0, 0)
    assert refused(state, part(0, "B1", "R K", [1])) == "section_blocked"
    state = holding(state, 0, paint="R Y")
    assert {move.part for move in legal(state, 0, PartPainted)} == {"D1"}


def test_variant_1_from_the_second_round_on_the_pawn_must_move() -> None:
    state = played(at_keep(begun(4, block=True)), *(keep(seat, "R") for seat in range(4)))
    assert (GAME.round(state), state.pawn) == (2, 5)
    assert follows(state, BlockDrawn(5)) == []
    state = played(state, BlockDrawn(5))
    assert GAME.to_act(state).must == (LUCK,)
    assert follows(state, BlockDrawn(2)) == [BlockPlaced(2)]


def test_variant_2_special_graffiti_replace_those_of_their_letter() -> None:
    costs = {part.id: part.cost for part in table(special=True).printed.parts}
    assert (costs["C1"], costs["C2"], costs["C3"], costs["B1"]) == ("GG", "RRB", "YKK", "RK")
    state = holding(begun(4, special=True), 0, paint="G G", permits=(2,))
    assert GAME.scores(played(state, part(0, "C1", "G G", [2])))[0] == 8


# --- the examples -----------------------------------------------------------------------------


def test_e1_the_top_of_the_pile_and_the_open_2_for_one_can() -> None:
    state = changed(begun(), slots=(1, 1, 1, 1, 1, 2))
    state = played(state, permits(0, "draw"), PermitDrawn(0, 3))
    assert permits_of(state, 0) == [1, 2, 3]
    assert cans(state)[0] == 4


def test_e2_an_open_4_and_the_token_for_one_can() -> None:
    state = changed(begun(first=1), slots=(4, 1, 1, 1, 1, 2))
    state = played(state, permits(1, "first"))
    assert permits_of(state, 1) == [2, 4]
    assert (state.first, cans(state)[1]) == (1, 4)


def test_e3_the_second_painter_in_a_section_needs_two_cans_and_one_permit() -> None:
    state = holding(holding(begun(), 0, paint="Y G", permits=(1,)), 1, paint="R K", permits=(1,))
    state = played(state, part(0, "B2", "Y G", [1]))
    after = played(state, part(1, "B1", "R K", [1], space="1.2", cans=2))
    assert cans(after)[1] == 3
    assert permits_of(after, 1) == []


def test_e4_b4_is_paid_with_only_two_tiles_for_nine_points() -> None:
    state = holding(begun(), 0, paint="RY B", permits=(1,))
    after = played(state, part(0, "B4", "RY B", [1]))
    assert (GAME.scores(after)[0], tag(after, "B4")) == (9, 0)


def test_e5_extra_is_taken_with_one_can() -> None:
    state = played(begun(first=3), bonus(3, slot=4))
    assert (bonuses_of(state, 3), cans(state)[3]) == (["extra"], 4)


def test_e6_of_five_paint_tiles_two_are_kept_and_three_given_back() -> None:
    state = at_keep(holding(begun(3), 2, paint="R Y B G RY"))
    after = played(state, keep(2, "G RY"))
    assert paint_of(after, 2) == "G RY"
    assert sum(after.reserve) == sum(state.reserve) + 3


def test_e7_a1_is_turned_and_finishes_the_upper_graffiti_for_nobody() -> None:
    state = painted(kept(3, first=1), seat_0="A2")
    state = played(state, NeutralDrawn(1))
    assert state.printed.parts[state.printed.part_number["A1"]].points == 15
    assert follows(state, NeutralPainted(1, "A1"))[0] == GraffitiFinished("A")
    assert sum(GAME.scores(played(state, NeutralPainted(1, "A1")))) == 0


def test_e8_the_final_scoring_of_yellow() -> None:
    """Three tags on one of four parts, one on each of a four, a four and a three; nine tiles."""
    state = finished(begun(4), "BDGFCI")
    state = painted(state, seat_3="B1 B2 B3 D1 G1 F1")
    state = holding(state, 3, paint="R Y", permits=(1, 2, 3, 4), bonuses="add add save")
    state = at_keep(state)
    ended = [PointsScored(3, 23, "tags"), PointsScored(3, 4, "tiles")]
    events: list[Any] = []
    for seat in range(3):
        events += GAME.decide(state, keep(seat, ""))
        state = played(state, keep(seat, ""))
    assert all(event in events for event in ended)
    assert GAME.scores(state)[3] == 27


def test_all_eight_kinds_of_bonus_tiles_are_there_five_times() -> None:
    assert begun().printed.bonuses == (5,) * len(BONUSES)
