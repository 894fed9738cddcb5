"""What the rulebook leaves open, as we read it: one test or more per ruling of RULINGS.md."""

import copy

import pytest

from pi_app.engine.contract import LUCK, BadData, Setup
from pi_app.engine.values import changed
from pi_app.games.graffiti.rules.model import (
    BlockDrawn,
    BlockPlaced,
    GraffitiFinished,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintKept,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PointsScored,
    PoliceTaken,
    RoundEnded,
    State,
    Unseen,
)
from tests.games.graffiti.helpers import (
    EDITION,
    GAME,
    at_keep,
    begun,
    bonus,
    bonuses_of,
    cans,
    finished,
    follows,
    holding,
    house,
    keep,
    left,
    legal,
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
    use,
    without_pile,
)

NO_POLICE_SPACE = house(bonus={"police_space": False})
"""An edition in which the policeman has no space of his own."""


def paintings(state: State, seat: int) -> list[PartPainted]:
    return [move for move in GAME.legal_moves(state, seat) if isinstance(move, PartPainted)]


def kept(state: State) -> State:
    """Everybody passes and keeps nothing: what comes after step 2."""
    state = at_keep(state)
    while state.phase == "keep":
        state = played(state, keep(GAME.to_act(state).must[0], ""))
    return state


def points_at_the_end(state: State) -> tuple[int, ...]:
    state = kept(state)
    assert state.result is not None
    return state.result.scores


# --- board, spaces, cans ----------------------------------------------------------------------


def test_g01_an_extra_turn_is_a_turn_and_all_else_lasts_a_round() -> None:
    state = played(holding(begun(2), 0, bonuses="extra"), use(0, "extra"), paint(0))
    assert (state.turn, GAME.round(state)) == (0, 1)


def test_g02_the_number_of_sections_is_the_profiles() -> None:
    profile = copy.deepcopy(EDITION)
    profile["tunnel"]["sections"] = [["A", "B"], ["C", "D"], ["E", "F"], ["G", "H"]]
    profile["graffiti"] = {letter: parts for letter, parts in profile["graffiti"].items() if letter < "I"}
    profile["permits"]["faces"] = {"1": 8, "2": 8, "3": 7, "4": 7}
    assert len(table(profile=profile).printed.tunnel) == 4
    assert len(table().printed.tunnel) == 5


def test_g03_the_two_can_space_may_be_used_while_the_other_is_free() -> None:
    state = holding(begun(), 0, paint="R K", permits=(1,))
    assert {move.space for move in paintings(state, 0)} == {"1.1", "1.2"}


def test_g04_no_can_is_placed_for_nothing() -> None:
    state = holding(begun(), 0, paint="R", permits=(1,))
    assert paintings(state, 0) == []
    assert refused(state, part(0, "B1", "R", [1])) == "paint_missing"
    state = changed(state, slots=(0, 0, 0, 4, 5, 1), reserve=(0,) * 8, bonus_slots=("", "", "add", ""))
    assert refused(state, permits(0, "left")) == "nothing_to_take"
    assert refused(state, paint(0)) == "kind_empty"
    assert refused(state, bonus(0, 1)) == "nothing_to_take"


def test_g05_a_player_may_be_twice_at_one_place() -> None:
    state = played(holding(begun(2), 0, paint="R K Y G", permits=(1, 1)), part(0, "B1", "R K", [1]), Passed(1))
    state = played(state, part(0, "B2", "Y G", [1], space="1.2", cans=2))
    assert cans(state)[0] == 2


def test_g06_what_the_large_space_costs_is_the_profiles() -> None:
    spaces = copy.deepcopy(EDITION["paint"]["spaces"])
    assert spaces[0]["unlimited"]
    spaces[0]["cans"] = 2
    dear = begun(profile=house(paint={"spaces": spaces}))
    assert cans(played(begun(), paint(0)))[0] == 4
    assert cans(played(dear, paint(0, cans=2)))[0] == 3


# --- paint ------------------------------------------------------------------------------------


def test_g07_spent_paint_is_out_of_reach_till_the_round_ends() -> None:
    state = played(holding(begun(2), 0, paint="R K", permits=(1,)), part(0, "B1", "R K", [1]))
    assert (paint_of(state, 0), left(state, "K")) == ("", 7)
    state = at_keep(state)
    assert left(state, "K") == 8
    assert state.told & 1  # there is nothing to choose


def test_g07_with_keep_spent_it_may_be_kept() -> None:
    state = holding(begun(2, keep_spent=True), 0, paint="R K G", permits=(1,))
    state = at_keep(played(state, part(0, "B1", "R K", [1])))
    assert 0 in GAME.to_act(state).must
    assert paint_of(played(state, keep(0, "K G")), 0) == "G K"


@pytest.mark.parametrize("paints", ["R Y B", "RY B", "RY RB B", "RY RB YB", "R YB"])
def test_g08_every_tile_that_covers_a_colour_may_pay(paints: str) -> None:
    state = holding(begun(), 0, paint="R Y B RY RY RB YB K", permits=(1,))
    assert GAME.scores(played(state, part(0, "B4", paints, [1])))[0] == 9


@pytest.mark.parametrize(
    ("paints", "rule"),
    [("RY RB YB K", "paint_superfluous"), ("RY RY", "paint_missing"), ("RY R Y B", "paint_superfluous")],
)
def test_g08_every_colour_is_covered_once_and_every_tile_covers_one(paints: str, rule: str) -> None:
    state = holding(begun(), 0, paint="R Y B RY RY RB YB K", permits=(1,))
    assert refused(state, part(0, "B4", paints, [1])) == rule


def test_g08_a_two_colour_tile_does_not_pay_the_same_colour_twice() -> None:
    state = holding(begun(), 0, paint="RY G", permits=(3,))
    assert refused(state, part(0, "F3", "RY G", [3])) == "paint_missing"


def test_g09_a_joker_covers_one_colour_and_several_may_be_used() -> None:
    state = holding(begun(), 0, paint="R Y", permits=(1,), bonuses="paint paint")
    assert refused(state, part(0, "A1", "R Y", [1], bonuses="paint")) == "paint_missing"
    assert bonuses_of(played(state, part(0, "A1", "R Y", [1], bonuses="paint paint")), 0) == []


def test_g10_the_policeman_substitutes_one_colour_of_a_painting_with_a_whole_tile() -> None:
    state = changed(holding(begun(2), 0, paint="RY Y Y", permits=(1, 1)), police=0)
    assert refused(state, part(0, "B1", "RY", [1], police="paint")) == "police_one_colour"
    assert refused(state, part(0, "B1", "Y Y", [1], police="paint")) == "police_one_colour"
    assert played(state, part(0, "B1", "RY Y", [1], police="paint")).turn == 1


def test_g11_joker_and_policeman_help_together() -> None:
    state = changed(holding(begun(), 0, paint="R Y B", permits=(1,), bonuses="paint"), police=0)
    assert GAME.scores(played(state, part(0, "A1", "R Y B", [1], bonuses="paint", police="paint")))[0] == 15


# --- reduce and add ---------------------------------------------------------------------------


def test_g12_reductions_add_up_also_with_the_policeman() -> None:
    state = changed(holding(begun(), 0, paint="R K", permits=(1,), bonuses="reduce reduce"), police=0)
    two = part(0, "B1", "R K", [1], space="1.2", cans=0, bonuses="reduce reduce")
    assert cans(played(state, two))[0] == 5
    assert cans(played(state, part(0, "B1", "R K", [1], space="1.2", cans=0, bonuses="reduce", police="can")))[0] == 5


def test_g12_no_tile_is_used_up_for_nothing() -> None:
    state = changed(holding(begun(), 0, paint="R K", permits=(1,), bonuses="reduce reduce"), police=0)
    wasted = part(0, "B1", "R K", [1], space="1.2", cans=0, bonuses="reduce reduce", police="can")
    assert refused(state, wasted) == "reduce_nothing"
    assert refused(state, paint(0, cans=0, bonuses="reduce reduce")) == "reduce_nothing"


def test_g13_a_space_used_with_no_can_stays_free() -> None:
    state = played(holding(begun(), 0, bonuses="reduce"), paint(0, "green.1", "G", cans=0, bonuses="reduce"))
    assert paint_of(played(state, paint(1, "green.1", "G")), 1) == "R Y B G"


def test_g14_without_a_can_one_passes_in_spite_of_a_reduce_tile() -> None:
    state = holding(begun(3), 1, cans=0, bonuses="reduce")
    assert follows(state, paint(0)) == [OutOfCans(1)]


def test_g15_add_serves_only_on_occupied_one_can_spaces_with_something_to_take() -> None:
    state = holding(begun(3), 0, paint="Y G", permits=(1,))
    state = played(holding(state, 1, bonuses="add add", paint="R K", permits=(1,)), part(0, "B2", "Y G", [1]))
    assert refused(state, paint(1, bonuses="add")) == "add_free_space"
    assert refused(state, paint(1, "green.1", "G", bonuses="add")) == "add_free_space"
    assert played(state, part(1, "B1", "R K", [1], bonuses="add")).turn == 2
    state = played(begun(2), bonus(0, 1))
    assert refused(holding(state, 1, bonuses="add"), bonus(1, 1, bonuses="add")) == "nothing_to_take"


def test_g15_add_never_serves_on_the_unlimited_space_even_with_cans_on_it() -> None:
    state = played(holding(begun(2), 1, bonuses="add"), paint(0))
    assert refused(state, paint(1, bonuses="add")) == "add_free_space"


def test_g16_the_token_goes_on_to_who_adds_on_its_space() -> None:
    state = played(holding(begun(3), 1, bonuses="add"), permits(0, "first"), PermitRevealed(1, 3))
    assert state.first == 0
    state = played(state, permits(1, "first", bonuses="add"))
    assert (state.first, permits_of(state, 1)) == (1, [2, 3])


def test_g17_add_with_reduce_closes_the_space_without_a_can() -> None:
    state = holding(holding(begun(3), 1, bonuses="add reduce"), 2, bonuses="add")
    state = played(state, paint(0, "green.1", "G"), paint(1, "green.1", "G", cans=0, bonuses="add reduce"))
    assert cans(state) == [4, 5, 5]
    assert refused(state, paint(2, "green.1", "G", bonuses="add")) == "add_twice"


# --- token, bonus tiles, passing --------------------------------------------------------------


def test_g18_the_token_changes_hands_at_once_and_works_from_the_next_round() -> None:
    state = played(begun(3), Passed(0), permits(1, "first"), PermitRevealed(1, 3))
    assert (state.first, state.turn) == (1, 2)
    state = played(kept(state), NeutralDrawn(2))
    assert GAME.to_act(state).must == (1,)


def test_g19_bonus_tiles_are_used_on_ones_own_turn_and_right_after_it() -> None:
    state = begun(3)
    for seat in range(3):
        state = holding(state, seat, bonuses="points points")
    assert refused(state, use(1, "points")) == "not_your_turn"
    state = played(state, use(0, "points"), paint(0))
    assert GAME.to_act(state) == ((1,), (0,))
    state = played(state, use(0, "points"))
    assert refused(played(state, use(1, "points")), use(0, "extra")) == "bonus_not_held"
    state = played(holding(state, 0, bonuses="points"), use(1, "points"))
    assert refused(state, use(0, "points")) == "not_your_turn"


def test_g19_a_tile_may_be_used_in_the_turn_it_was_taken() -> None:
    state = played(begun(3), bonus(0, slot=1), use(0, "points"))
    assert GAME.scores(state) == (2, 0, 0)


def test_g19_who_has_said_pass_uses_nothing_more_but_points_when_paint_is_kept() -> None:
    state = played(holding(begun(3), 0, bonuses="points reserve"), Passed(0))
    assert refused(state, use(0, "points")) == "already_passed"
    state = at_keep(state)
    assert refused(state, use(0, "reserve", "A1")) == "bonus_too_late"
    assert GAME.scores(played(state, use(0, "points"))) == (2, 0, 0)


def test_g19_points_are_used_by_anybody_when_paint_is_kept_also_after_telling() -> None:
    state = played(at_keep(holding(begun(3), 0, bonuses="points")), keep(0, "R Y"))
    assert GAME.to_act(state) == ((1, 2), (0,))
    assert GAME.scores(played(state, use(0, "points"))) == (2, 0, 0)


def test_g19_a_forced_pass_does_not_close_the_time_after_ones_action() -> None:
    state = holding(begun(3), 0, cans=1, bonuses="extra points reserve")
    state = played(state, paint(0), use(0, "extra"))
    assert state.seats[0].passed
    assert state.turn == 1
    assert GAME.to_act(state).may == (0,)
    state = played(state, use(0, "reserve", "A1"), use(0, "points"))
    assert GAME.scores(state)[0] == 2


def test_g19_with_any_bonus_tiles_are_used_whenever_their_owner_likes() -> None:
    state = holding(holding(begun(3, bonus_timing="any"), 2, bonuses="reserve"), 1, bonuses="points")
    assert GAME.to_act(state) == ((0,), (1, 2))
    state = played(state, use(2, "reserve", "A1"), use(1, "points"))
    assert (state.turn, state.seats[2].reserved) == (0, 0)


def test_g20_each_extra_adds_a_turn() -> None:
    state = played(holding(begun(), 0, bonuses="extra extra"), use(0, "extra"), use(0, "extra"))
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = played(state, paint(state.turn, kind="RYBR"[len(turns) - 1]))
    assert turns == [0, 0, 0, 1]


def test_g20_right_after_the_action_the_turn_comes_back_at_once() -> None:
    state = played(holding(begun(), 0, bonuses="extra"), paint(0))
    assert state.turn == 1
    state = played(state, use(0, "extra"))
    assert state.turn == 0
    assert played(state, paint(0)).turn == 1


def test_g20_an_extra_turn_without_cans_is_a_pass() -> None:
    state = played(holding(begun(3), 0, cans=1, bonuses="extra"), use(0, "extra"))
    assert follows(state, paint(0)) == [OutOfCans(0)]


def test_g20_out_of_turn_it_counts_for_the_own_next_turn() -> None:
    state = played(holding(begun(2, bonus_timing="any"), 1, bonuses="extra"), use(1, "extra"))
    assert state.turn == 0
    state = played(state, paint(0), paint(1, kind="Y"))
    assert state.turn == 1
    assert played(state, paint(1, kind="B")).turn == 0


def test_g20_extra_is_refused_to_who_has_passed_and_forfeited_by_passing() -> None:
    state = holding(begun(3, bonus_timing="any"), 0, bonuses="extra extra")
    state = played(state, use(0, "extra"), Passed(0))
    assert (state.turn, state.seats[0].extra) == (1, 0)
    assert refused(state, use(0, "extra")) == "already_passed"


def test_g21_one_marker_one_reservation() -> None:
    state = played(holding(begun(2), 0, bonuses="reserve reserve"), use(0, "reserve", "A1"))
    assert refused(state, use(0, "reserve", "A2")) == "reserve_taken"


def test_g21_not_where_somebody_else_has_a_marker() -> None:
    state = holding(holding(begun(2), 0, bonuses="reserve"), 1, bonuses="reserve")
    state = played(state, use(0, "reserve", "A1"), paint(0))
    assert refused(state, use(1, "reserve", "A1")) == "reserve_taken"


def test_g21_neither_permit_tile_nor_policeman_open_a_reserved_part() -> None:
    state = holding(begun(2), 1, paint="R K", permits=(), bonuses="permit")
    state = changed(holding(state, 0, reserved=state.printed.part_number["B1"]), turn=1, police=1)
    move = part(1, "B1", "R K", space="1.2", bonuses="permit", police="can")
    assert refused(state, move) == "part_reserved"
    assert "B1" not in {move.part for move in paintings(state, 1)}


def test_g21_markers_are_gone_before_parts_are_turned_for_nobody() -> None:
    state = played(holding(begun(2), 0, bonuses="reserve"), use(0, "reserve", "A1"))
    state = played(kept(state), NeutralDrawn(1))
    assert NeutralPainted(0, "A1") in GAME.legal_moves(state, 0)


def test_g22_passing_is_final_and_comes_by_itself_without_cans() -> None:
    state = played(begun(3), Passed(0))
    assert refused(state, Passed(0)) == "already_passed"
    state = holding(begun(3), 1, cans=0)
    assert follows(state, paint(0)) == [OutOfCans(1)]
    assert played(state, paint(0)).turn == 2


# --- the end ----------------------------------------------------------------------------------


def test_g23_in_the_last_round_slots_are_not_refilled() -> None:
    state = changed(finished(begun(2), "ABCDEF"), bonus_slots=("", "", "", ""))
    state = kept(state)
    assert state.phase == "neutral"
    assert state.bonus_slots == ("", "", "", "")


def test_g23_if_only_the_neutral_part_finishes_the_sixth_they_were_refilled() -> None:
    state = changed(painted(finished(begun(3), "ABCDE"), neutral="F1 F2"), bonus_slots=("add", "", "add", "add"))
    state = kept(state)
    assert state.phase == "refill"


def test_g23_a_graffiti_finished_by_the_last_neutral_part_counts() -> None:
    state = painted(finished(begun(3), "ABCDEF"), seat_1="G1 G2 G3", neutral="H1")
    state = played(kept(state), NeutralDrawn(4))
    events = follows(state, NeutralPainted(0, "G4"))
    assert events[0] == GraffitiFinished("G")
    assert PointsScored(1, 3 * 4, "tags") in events


def test_g24_two_save_tiles_still_keep_three() -> None:
    state = at_keep(holding(begun(), 0, paint="R Y B G", bonuses="save save"))
    assert refused(state, keep(0, "R Y B G", "save save")) == "bonus_not_needed"
    assert refused(state, keep(0, "R Y B G", "save")) == "keep_too_many"
    assert bonuses_of(played(state, keep(0, "R Y B", "save")), 0) == ["save"]


def test_g25_two_neutral_permits_are_settled_one_after_the_other_without_replacement() -> None:
    state = finished(kept(begun(2)), "AB")
    state = played(state, NeutralDrawn(1))
    assert GAME.to_act(state).must == (LUCK,)
    state = played(state, NeutralDrawn(2), NeutralPainted(0, "C1"))
    assert GAME.round(state) == 2


def test_g26_neutral_parts_finish_a_graffiti_and_score_for_nobody() -> None:
    state = painted(kept(begun(3)), seat_0="A1")
    state = played(state, NeutralDrawn(1))
    assert follows(state, NeutralPainted(0, "A2")) == [GraffitiFinished("A"), RoundEnded(1, 0, 1)]


def test_g27_half_points_are_rounded_once_and_count_no_policeman_tag_or_marker() -> None:
    state = holding(finished(begun(4), "ABCDEF"), 0, paint="R", permits=(1,), bonuses="add reserve")
    assert points_at_the_end(state)[0] == 2
    state = changed(played(state, use(0, "reserve", "J1")), police=0)
    assert points_at_the_end(painted(state, seat_0="I1"))[0] == 1


def test_g28_the_tie_break_counts_all_own_tags_finished_or_not() -> None:
    state = painted(finished(begun(4), "ABCDEF"), seat_1="B1", seat_2="B2 J1")
    state = kept(state)
    assert state.result is not None
    assert (state.result.scores[1], state.result.winners) == (state.result.scores[2], (2,))


def test_g29_a_seventeenth_tag_is_placed_like_any_other() -> None:
    state = finished(begun(2), "BCDEF", "seat_0")
    assert state.parts.count(0) == 16
    state = holding(state, 0, paint="Y K", permits=(4,))
    assert played(state, part(0, "G1", "Y K", [4])).parts.count(0) == 17


def test_g29_a_thirteenth_neutral_tag_too() -> None:
    state = played(painted(kept(begun(3)), neutral="B1 B2 B3 B4 C1 C2 C3 D1 D2 D3 E1 F1"), NeutralDrawn(1))
    assert played(state, NeutralPainted(0, "A1")).parts.count(-1) == 13


# --- piles ------------------------------------------------------------------------------------


def test_g30_with_pile_and_discards_empty_places_stay_empty_till_somebody_takes_permits() -> None:
    state = played(without_pile(begun(3)), permits(0, "left"))
    assert (state.slots, state.turn) == ((1, 0, 0, 4, 5, 1), 1)
    assert refused(state, permits(1, "left", bonuses="add")) == "nothing_to_take"
    state = holding(state, 1, paint="R Y", permits=(2,))
    state = played(state, part(1, "D1", "R Y", [2]))
    assert state.slots == (1, 0, 0, 4, 5, 1)
    assert follows(state, permits(2, "first")) == [PermitsShuffled(1)]


def test_g30_a_space_gives_what_is_there() -> None:
    state = changed(without_pile(begun(3)), slots=(1, 0, 3, 4, 5, 1))
    assert permits_of(played(state, permits(0, "left")), 0) == [1, 3]
    assert permits_of(played(state, permits(0, "draw")), 0) == [1, 1]
    assert played(state, permits(0, "draw")).turn == 1


def test_g30_with_nothing_there_a_space_cannot_be_used() -> None:
    state = changed(without_pile(begun(3)), slots=(1, 2, 3, 4, 5, 0))
    assert refused(state, permits(0, "draw")) == "nothing_to_take"
    assert played(changed(state, discards=(0, 1, 0, 0, 0)), permits(0, "draw")).pile == 1


def test_g30_neutral_parts_are_left_out_without_permits() -> None:
    state = kept(without_pile(begun(3)))
    assert (GAME.round(state), state.phase) == (2, "play")


def test_g30_the_discards_are_shuffled_only_when_a_permit_is_needed() -> None:
    state = holding(without_pile(begun(2), discards=(1,)), 0, paint="R K", permits=(1,))
    assert PermitsShuffled not in map(type, follows(state, part(0, "B1", "R K", [1])))


def test_g31_with_the_bonus_pile_empty_slots_stay_empty() -> None:
    state = changed(begun(4), bonus_pool=(0,) * 8, bonus_slots=("", "add", "", ""))
    state = kept(state)
    assert (GAME.round(state), state.bonus_slots) == (2, ("", "add", "", ""))


def test_g31_what_the_bonus_pile_still_has_is_revealed() -> None:
    state = changed(begun(4), bonus_pool=(1, 0, 0, 0, 0, 0, 0, 0), bonus_slots=("", "add", "", ""))
    state = kept(state)
    assert len(GAME.legal_moves(state, LUCK)) == 1
    state = played(state, *GAME.legal_moves(state, LUCK))
    assert (GAME.round(state), state.bonus_slots) == (2, ("points", "add", "", ""))


def test_g32_two_equal_permits_may_be_wasted_on_their_own_section() -> None:
    state = holding(begun(), 0, paint="R K", permits=(1, 1))
    assert permits_of(played(state, part(0, "B1", "R K", [1, 1])), 0) == []


def test_g33_the_taker_has_the_top_of_the_pile_then_places_are_refilled_left_to_right() -> None:
    state = played(changed(begun(), slots=(0, 2, 3, 4, 5, 1)), permits(0, "draw"))
    assert refused(state, PermitRevealed(1, 3)) == "not_drawn_now"
    state = played(state, PermitDrawn(0, 4))
    assert refused(state, PermitRevealed(6, 3)) == "slot_not_next"
    state = played(state, PermitRevealed(1, 3), PermitRevealed(6, 2))
    assert (state.slots, state.turn) == ((3, 2, 3, 4, 5, 2), 1)


def test_g34_the_policeman_has_a_space_of_his_own() -> None:
    state = played(begun(3), bonus(0, 1), bonus(1, 2))
    assert [m.slot for m in legal(state, 2, PoliceTaken)] == [None]
    assert refused(state, police(2, slot=3)) == "space_unknown"


def test_g34_without_it_any_free_slots_space_serves_and_the_tile_stays() -> None:
    state = played(begun(3, profile=NO_POLICE_SPACE), bonus(0, 1))
    assert [m.slot for m in legal(state, 1, PoliceTaken)] == [2, 3, 4]
    assert refused(state, police(1)) == "space_unknown"
    state = played(state, police(1, slot=2))
    assert (state.police, state.bonus_slots[1]) == (1, "paint")
    assert refused(state, bonus(2, 2)) == "space_taken"
    assert bonuses_of(played(holding(state, 2, bonuses="add"), bonus(2, 2, bonuses="add")), 2) == ["paint"]


# --- variants, secrecy, players ---------------------------------------------------------------


def test_g35_neutral_parts_are_turned_also_where_the_pawn_stands() -> None:
    state = kept(begun(3, block=True))
    assert state.pawn == 5
    state = played(state, NeutralDrawn(5))
    assert NeutralPainted(0, "I1") in GAME.legal_moves(state, 0)


def test_g36_nothing_opens_a_blocked_section() -> None:
    state = holding(begun(3, block=True), 0, paint="R G", permits=(2, 2), bonuses="permit")
    state = changed(state, police=0)
    assert refused(state, part(0, "I1", "R G", bonuses="permit")) == "section_blocked"
    assert refused(state, part(0, "I1", "R G", [2, 2])) == "section_blocked"
    assert refused(state, part(0, "I1", "R G", [2, 2], space="5.2", police="can")) == "section_blocked"
    assert "I1" not in {move.part for move in paintings(state, 0)}


def test_g37_special_graffiti_are_three_letters_of_as_many_parts() -> None:
    printed = begun(special=True).printed
    assert [len(graffito.parts) for graffito in printed.graffiti] == [2, 4, 3, 4, 2, 3, 4, 2, 3, 4]
    assert len(EDITION["special"]) == 3


def test_g38_what_lies_behind_a_screen_is_its_owners() -> None:
    assert GAME.event_for(PermitDrawn(1, 4), 0) == GAME.event_for(PermitDrawn(1, 4), None) == PermitDrawn(1, None)
    assert GAME.event_for(PermitDrawn(1, 4), 1) == PermitDrawn(1, 4)
    assert GAME.event_for(PaintKept(1, ("R",), ("save",)), 0) == PaintKept(1, None, ("save",))


def test_g38_what_is_done_openly_is_told_when_it_happens() -> None:
    for event in (paint(1), permits(1), part(1, "B1", "R K", [1]), bonus(1), use(1, "points"), Passed(1)):
        assert GAME.event_for(event, None) == event


@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Bob", "Cleo", "Dan", "Eve")])
def test_g39_two_to_four_play(players: tuple[str, ...]) -> None:
    with pytest.raises(BadData):
        GAME.start(Setup(EDITION, {}, players))


def blocked_again(discards: tuple[int, ...], pool: tuple[int, ...]) -> State:
    """The pawn on section 5, a new round, and only these permits to reveal."""
    state = kept(begun(4, block=True))
    return changed(state, pile=sum(pool), unseen=(Unseen((pool,), ((0,),) * 4),), discards=discards)


def test_g40_the_discards_are_shuffled_while_the_pawn_is_drawn() -> None:
    state = blocked_again(discards=(1, 0, 0, 0, 1), pool=(0, 0, 0, 0, 1))
    assert follows(state, BlockDrawn(5)) == [PermitsShuffled(3)]
    assert follows(played(state, BlockDrawn(5)), BlockDrawn(1)) == [BlockPlaced(1)]


def test_g40_if_no_other_number_is_left_the_pawn_stays() -> None:
    state = blocked_again(discards=(0, 0, 0, 0, 1), pool=(0, 0, 0, 0, 1))
    assert follows(state, BlockDrawn(5)) == [BlockPlaced(5)]
    assert played(state, BlockDrawn(5)).turn == 0
