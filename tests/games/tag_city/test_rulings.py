"""What the rulebooks leave open, as we read it: one test or more per ruling."""

import random
from dataclasses import replace
from itertools import product

import pytest

from pi_app.engine.contract import LUCK, BadData, IllegalMove
from pi_app.engine.events import Event, GameEnded
from pi_app.games.tag_city.edition.profile import draw_sections, resolve
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    GameStarted,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
)
from tests.games.tag_city.helpers import (
    BLUE,
    COL_A,
    EVERYWHERE,
    GAME,
    RED,
    ROW_1,
    ROW_3,
    all_features,
    at_last_die,
    claims,
    drafting,
    drone_moves,
    follows,
    ink,
    observe,
    paint,
    played,
    rolled,
    scores,
    social,
    table,
    tiny,
    two_sided,
    with_board,
    with_closed,
    with_painted,
)


def refused(state: State, move: Event) -> str:
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.rule


def sections_for(state: State, die: int) -> set[int]:
    moves = GAME.legal_moves(state, state.leader)
    return {move.section for move in moves if isinstance(move, DiePlaced) and move.die == die}


def bubbles_for(state: State, seat: int) -> set[int | None]:
    return {move.bubble for move in GAME.legal_moves(state, seat) if isinstance(move, SocialChecked)}


def sights(state: State) -> list[dict[str, str]]:
    """What each board should show."""
    return [dict(GAME.expected_sight(state, f"city-{seat + 1}")) for seat in range(len(state.players))]


def slots_for(state: State, seat: int) -> set[int | None]:
    return {move.drone for move in drone_moves(GAME.legal_moves(state, seat))}


# --- dice -------------------------------------------------------------------------------------


def test_t01_equal_dice_may_share_a_section() -> None:
    state = played(rolled(1, 1, 1), DiePlaced(0, 2), DiePlaced(1, 2), DiePlaced(2, 2))
    assert GAME.expected_sight(state, "hq")["section.2"] == "1 1 1"


def test_t01_the_option_keeps_equal_dice_apart() -> None:
    state = played(rolled(1, 1, 2, equal_dice=False), DiePlaced(0, 2))
    assert sections_for(state, 1) == {1}
    assert refused(state, DiePlaced(1, 2)) == "equal_dice"


def test_t01_the_option_lets_different_dice_share_a_section() -> None:
    assert sections_for(played(rolled(1, 1, 2, equal_dice=False), DiePlaced(0, 2)), 2) == {2, 3}


def test_t01_the_ban_yields_where_it_cannot_be_kept() -> None:
    state = played(rolled(1, 1, 1, equal_dice=False), DiePlaced(0, 1), DiePlaced(2, 2))
    assert sections_for(state, 1) == {1, 2}


def test_t01_with_the_ban_every_roll_can_be_placed() -> None:
    start = played(table(equal_dice=False), GameStarted(0))
    for values in product(range(1, 7), repeat=3):
        state = played(start, DiceRolled(values))
        while state.phase == "place":
            state = played(state, GAME.legal_moves(state, 0)[0])
        assert state.phase == "draft"


def test_t02_drone_squares_are_circled_in_printed_order() -> None:
    state = drafting(1, 2, 3)
    assert slots_for(state, 1) == {1}
    assert slots_for(with_board(state, 1, drone=0b001), 1) == {2}
    assert refused(state, paint(1, 0, "dot", "A1", drone=2)) == "drone_order"


def test_t02_the_option_lets_the_tagger_choose_the_drone_square() -> None:
    state = drafting(1, 2, 3, drone_order="free")
    assert slots_for(state, 1) == {1, 2, 3}
    assert slots_for(with_board(state, 1, drone=0b010), 1) == {1, 3}
    assert scores(played(state, paint(1, 0, "dot", "A1", drone=3))) == [0, -4]


def test_t03_a_tagger_with_no_room_must_check_social_networks() -> None:
    state = with_painted(drafting(1, 2, 3), 1, EVERYWHERE)
    assert set(GAME.legal_moves(state, 1)) == {social(1, die, bubble) for die in range(3) for bubble in (1, 2, 3)}


def test_t03_a_tagger_whose_dice_do_not_fit_may_use_the_drone() -> None:
    state = with_painted(drafting(1, 2, 3), 1, EVERYWHERE.replace("C2", ""))
    painting = [move for move in GAME.legal_moves(state, 1) if isinstance(move, ShapePainted)]
    assert painting == [paint(1, die, "dot", "C2", drone=1) for die in range(3)]


def test_t03_there_is_no_free_pass_while_bubbles_remain() -> None:
    state = with_painted(replace(drafting(1, 2, 3), bubbles_gone=0b011), 1, EVERYWHERE)
    assert refused(state, social(1, 0, None)) == "bubble_needed"


@pytest.mark.parametrize("move", [paint(1, 2, "dot", "A1", drone=1), social(1, 2, 1)], ids=["drone", "social"])
def test_t04_drone_and_social_networks_use_up_a_die(move: Event) -> None:
    state = played(drafting(1, 2, 3), move)
    assert [die.taken_by for die in state.dice] == [None, None, 1]
    assert refused(state, paint(0, 2, "ell", "A1 A2 A3 B3")) == "die_taken"


def test_t05_the_drone_needs_no_die_on_the_section_of_its_shape() -> None:
    state = drafting(1, 1, 1)
    shapes = {move.shape for move in drone_moves(GAME.legal_moves(state, 1))}
    assert shapes == {*state.printed.sections, *state.printed.small}
    assert len(shapes) == 9


def test_t05_shapes_left_in_the_box_are_out_of_reach() -> None:
    assert refused(drafting(1, 2, 3), paint(1, 0, "cup", "A1 C1 A2 B2 C2", drone=1)) == "shape_not_on_hq"


# --- the last die -----------------------------------------------------------------------------


def test_t06_all_who_finish_an_open_feature_with_the_last_die_score_high() -> None:
    state = played(at_last_die(1, 3), *(paint(seat, 0, "bar", ROW_1) for seat in (2, 0, 1)))
    assert scores(state) == [10, 10, 10]
    assert state.closed == 1 << state.printed.feature_index["row.1"]


def test_t06_with_the_last_die_crosses_wait_until_all_have_played() -> None:
    state = played(at_last_die(1, 3), paint(0, 0, "bar", ROW_1))
    assert [sight["row.1.high"] for sight in sights(state)] == ["circled", "empty", "empty"]
    state = played(state, paint(1, 0, "bar", ROW_1), social(2, 0, 1))
    assert [sight["row.1.high"] for sight in sights(state)] == ["circled", "circled", "crossed"]
    assert [sight["bubble.1"] for sight in sights(state)] == ["crossed", "crossed", "circled"]


def test_t06_a_feature_finished_in_the_draft_is_closed_for_the_last_die() -> None:
    state = played(drafting(1, 1, 1), paint(1, 0, "bar", ROW_3), paint(0, 1, "bar", ROW_1))
    assert claims(state, paint(1, 2, "bar", ROW_1)) == [(1, "row.1", "low", 4)]
    assert claims(state, paint(0, 2, "bar", ROW_3)) == [(0, "row.3", "low", 6)]


def test_t07_all_who_check_with_the_last_die_circle_one_bubble() -> None:
    state = at_last_die(1, 3)
    assert bubbles_for(state, 0) == {1, 2, 3}
    state = played(state, social(2, 0, 3))
    assert bubbles_for(state, 0) == bubbles_for(state, 1) == {3}
    state = played(state, social(0, 0, 3), social(1, 0, 3))
    assert scores(state) == [-5, -5, -5]
    assert state.bubbles_gone == 0b100


def test_t07_the_last_free_bubble_serves_all_who_check() -> None:
    state = played(replace(at_last_die(1), bubbles_gone=0b011), social(0, 0, 3))
    assert bubbles_for(state, 1) == {3}
    assert refused(state, social(1, 0, None)) == "bubble_needed"


def test_t07_with_no_bubble_left_checking_leaves_no_mark_and_costs_nothing() -> None:
    state = replace(at_last_die(1), bubbles_gone=0b111)
    assert bubbles_for(state, 0) == {None}
    after = played(state, social(0, 0, None))
    assert (scores(after), sights(after)) == ([0, 0], sights(state))


def test_t07_the_next_round_chooses_anew() -> None:
    state = played(at_last_die(1), social(0, 0, 3), social(1, 0, 3), DiceRolled((1, 2, 3)))
    state = played(state, DiePlaced(0, 1), DiePlaced(1, 2), DiePlaced(2, 3))
    assert bubbles_for(state, 0) == {1, 2}


def test_t08_in_the_draft_any_free_bubble_may_be_chosen() -> None:
    assert bubbles_for(replace(drafting(1, 2, 3), bubbles_gone=0b010), 1) == {1, 3}


# --- the end ----------------------------------------------------------------------------------


def test_t09_the_end_comes_only_after_the_last_die() -> None:
    state = replace(drafting(1, 2, 3), bubbles_gone=0b110)
    state = played(state, social(1, 0, 1))
    assert (state.phase, GAME.view(state, None)["end_reasons"]) == ("draft", ["bubbles"])
    state = played(state, paint(0, 1, "block", RED), paint(0, 2, "ell", "A3 B3 C3 C4"))
    assert (state.phase, state.result) == ("last", None)
    events = follows(state, paint(1, 2, "ell", "A1 A2 A3 B3"))
    assert events[-2:] == [RoundEnded(1, 1), GameEnded(("bubbles",), (15, -2), (0,))]


def test_t10_after_the_trigger_a_closed_feature_still_gives_its_low_value() -> None:
    state = drafting(1, 2, 3)
    state = with_closed(state, *all_features(state))
    assert claims(state, paint(1, 0, "bar", ROW_1)) == [(1, "row.1", "low", 4)]


def test_t10_after_the_trigger_checking_is_free() -> None:
    state = played(replace(drafting(1, 2, 3), bubbles_gone=0b101), social(1, 0, 2), social(0, 1, None))
    assert scores(state) == [0, -3]


def test_t10_only_the_tagger_with_a_full_remote_loses_the_drone() -> None:
    state = with_board(at_last_die(1), 0, drone=0b111)
    assert slots_for(state, 0) == set()
    assert slots_for(state, 1) == {1}


def test_t11_high_values_are_gone_when_somebody_completed_each_feature() -> None:
    state = at_last_die(1)
    others = [feature for feature in all_features(state) if feature != "row.3"]
    halves = [state.printed.feature_index[feature] for feature in others]
    state = with_board(state, 0, high=sum(1 << i for i in halves[::2]))
    state = with_board(state, 1, high=sum(1 << i for i in halves[1::2]))
    state = played(with_closed(state, *others), paint(0, 0, "bar", ROW_3))
    [_, ended] = follows(state, paint(1, 0, "bar", ROW_3))[-2:]
    assert isinstance(ended, GameEnded)
    assert ended.reasons == ("high_values",)


def test_t11_one_open_district_keeps_the_game_going() -> None:
    state = at_last_die(1)
    state = with_closed(state, *(feature for feature in all_features(state) if feature != "district.green"))
    state = played(state, paint(0, 0, "bar", ROW_1), paint(1, 0, "bar", ROW_1))
    assert (state.phase, state.result) == ("roll", None)


# --- scoring ----------------------------------------------------------------------------------


def test_t12_one_shape_scores_every_feature_that_it_completes() -> None:
    state = with_painted(drafting(1, 2, 3), 1, "C1 D1 C2 D2 A3 B3 A4 B4")
    found = claims(state, paint(1, 1, "block", RED))
    assert found == [
        (1, "row.1", "high", 10),
        (1, "row.2", "high", 11),
        (1, "col.A", "high", 6),
        (1, "col.B", "high", 7),
        (1, "district.red", "high", 15),
    ]


def test_t12_each_of_them_is_judged_on_its_own() -> None:
    state = with_closed(with_painted(drafting(1, 2, 3), 1, "B1 A2 B2 A3 A4"), "col.A")
    found = claims(state, paint(1, 0, "dot", "A1", drone=1))
    assert found == [(1, "col.A", "low", 2), (1, "district.red", "high", 15)]


def test_t13_in_the_draft_the_earlier_has_high_and_the_later_low() -> None:
    state = played(drafting(2, 2, 1), paint(1, 1, "block", BLUE), paint(0, 0, "block", BLUE))
    assert scores(state) == [6, 14]


def test_t13_the_leader_is_first_with_what_nobody_had_before() -> None:
    state = played(drafting(1, 1, 1), paint(1, 0, "bar", ROW_1))
    assert claims(state, paint(0, 1, "bar", ROW_3)) == [(0, "row.3", "high", 12)]
    state = played(state, paint(0, 1, "bar", ROW_3))
    assert GAME.expected_sight(state, "city-2")["row.3.high"] == "crossed"


def _winners(*boards: tuple[int, int]) -> tuple[int, ...]:
    """Boards with (points, circled bubbles) end a game by checking for free."""
    state = replace(at_last_die(1, len(boards)), bubbles_gone=0b111)
    for seat, (score, bubbles) in enumerate(boards):
        state = with_board(state, seat, score=score, bubbles=bubbles)
    state = played(state, *(social(seat, 0, None) for seat in range(len(boards))))
    assert state.result is not None
    return state.result.winners


def test_t14_a_tie_goes_to_most_circled_bubbles() -> None:
    assert _winners((5, 0b001), (5, 0b110)) == (1,)


def test_t14_bubbles_are_counted_not_valued() -> None:
    assert _winners((5, 0b011), (5, 0b100)) == (0,)


def test_t14_free_checks_do_not_count() -> None:
    # Ada checks twice for free; Bob paints twice, scores nothing, and has circled one bubble before.
    state = replace(drafting(6, 2, 3), bubbles_gone=0b111)
    state = with_board(with_board(state, 0, score=4), 1, score=4, bubbles=0b001)
    state = played(state, paint(1, 0, "stick", "A1 B1 C1"), social(0, 1, None))
    state = played(state, social(0, 2, None), paint(1, 2, "ell", "A3 B3 C3 C4"))
    assert state.result is not None
    assert (state.result.scores, state.result.winners) == ((4, 4), (1,))


def test_t14_still_level_means_shared() -> None:
    assert _winners((5, 0b001), (2, 0b111), (5, 0b010)) == (0, 2)


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t15_any_seat_may_be_the_first_leader_and_lots_are_equal(players: int) -> None:
    state = table(players)
    assert GAME.to_act(state).must == (LUCK,)
    assert list(GAME.legal_moves(state, LUCK)) == [GameStarted(seat) for seat in range(players)]
    assert [played(state, GameStarted(seat)).leader for seat in range(players)] == list(range(players))


def test_t16_a_shape_may_lie_anywhere_free_without_touching_another() -> None:
    state = with_painted(drafting(2, 3, 4), 1, "A1")
    blocks = [m for m in GAME.legal_moves(state, 1) if isinstance(m, ShapePainted) and m.die == 0 and m.drone is None]
    # Nine ways in an empty city of four by four; only the one on A1 is barred.
    assert len(blocks) == 8
    assert paint(1, 0, "block", "C3 D3 C4 D4") in blocks


def test_t16_squares_of_no_district_belong_to_the_city() -> None:
    park_and_green = "C3 D3 C4 D4"
    assert GAME.decide(drafting(2, 3, 4), paint(1, 0, "block", park_and_green))


def test_t16_all_turns_and_reflections_are_one_shape() -> None:
    state = drafting(5, 2, 3)
    for names in ("A1 B1 B2 C2", "B1 C1 A2 B2", "A2 A3 B1 B2", "A1 A2 B2 B3"):
        assert GAME.decide(state, paint(1, 0, "zig", names))


def test_t17_six_different_large_shapes_are_drawn_for_side_b() -> None:
    edition = tiny()
    large = {"bar", "block", "ell", "tee", "zig", "stick", "cup"}
    draws = [draw_sections(edition, random.Random(seed)) for seed in range(30)]
    assert all(len(set(draw)) == 6 and set(draw) <= large for draw in draws)
    assert {shape for draw in draws for shape in draw} == large
    assert draw_sections(edition, random.Random(7)) == draws[7]


def test_t17_chosen_sections_replace_the_printed_ones() -> None:
    chosen = ["cup", "stick", "zig", "tee", "ell", "block"]
    state = drafting(1, 2, 3, profile=resolve(tiny(), sections=chosen))
    assert state.printed.sections == tuple(chosen)
    assert GAME.decide(state, paint(1, 0, "cup", "A1 C1 A2 B2 C2"))
    assert refused(state, paint(1, 0, "bar", ROW_1, drone=1)) == "shape_not_on_hq"


@pytest.mark.parametrize(
    "sections",
    [["cup", "cup", "zig", "tee", "ell", "block"], ["dot", "stick", "zig", "tee", "ell", "block"], ["cup"]],
    ids=["twice", "small", "too few"],
)
def test_t17_other_choices_are_refused(sections: list[str]) -> None:
    with pytest.raises(BadData):
        table(profile=resolve(tiny(), sections=sections))


def test_t17_the_city_side_is_chosen_apart_from_the_hq_side() -> None:
    profile = resolve(two_sided(), city_side="B")
    assert profile["hq"] == two_sided()["hq"]
    assert claims(drafting(1, 2, 3, profile=profile), paint(1, 0, "bar", ROW_1)) == [(1, "row.1", "high", 21)]


def test_t18_one_player_is_refused() -> None:
    with pytest.raises(BadData) as error:
        table(players=1)
    assert [(problem.where, problem.code) for problem in error.value.problems] == [("players", "players_count")]


def test_t19_a_mark_that_disappears_is_still_expected() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "bar", ROW_1))
    wiped = observe(state, {1: ink("B1", "empty")})
    assert GAME.attempt(state, wiped) is None
    assert GAME.expected_sight(state, "city-2")["r1c2"] == "marked"


def test_t19_a_wiped_square_is_no_move_even_when_a_die_is_gone() -> None:
    state = played(drafting(1, 2, 3), paint(1, 0, "bar", ROW_1))
    assert GAME.attempt(state, observe(state, {1: ink("B1", "empty")}, taken=[1])) is None


@pytest.mark.parametrize("region", ["row.1.high", "bubble.1", "drone.1"])
def test_t19_wiped_circles_are_no_move_either(region: str) -> None:
    state = played(at_last_die(1, 3), paint(0, 0, "bar", ROW_1), social(1, 0, 1), paint(2, 0, "dot", "A1", drone=1))
    seat = {"row.1.high": 0, "bubble.1": 1, "drone.1": 2}[region]
    state = played(state, DiceRolled((1, 2, 3, 4)), *(DiePlaced(die, die + 1) for die in range(4)))
    assert GAME.expected_sight(state, f"city-{seat + 1}")[region] == "circled"
    assert GAME.attempt(state, observe(state, {seat: {region: "empty"}}, taken=[0])) is None


def test_t20_the_draft_goes_clockwise_and_ends_with_the_leader() -> None:
    state, order = drafting(1, 1, 1, 1, 1, players=4, leader=2), []
    for die in range(4):
        [seat] = GAME.to_act(state).must
        order.append(seat)
        state = played(state, paint(seat, die, "bar", COL_A))
    assert order == [3, 0, 1, 2]


def test_t20_the_leader_token_goes_clockwise_after_the_last_die() -> None:
    state = at_last_die(1, players=4, leader=3)
    state = played(state, *(paint(seat, 0, "bar", COL_A) for seat in range(4)))
    assert (state.leader, state.round) == (0, 2)


def test_t21_a_closed_feature_gives_low_to_all_who_finish_it_with_the_last_die() -> None:
    state = with_closed(at_last_die(1, 3), "row.1")
    state = played(state, *(paint(seat, 0, "bar", ROW_1) for seat in range(3)))
    assert scores(state) == [4, 4, 4]


def test_every_ruling_has_a_test() -> None:
    tested = {name[5:8] for name in globals() if name.startswith("test_t")}
    assert tested >= {f"t{number:02}" for number in range(1, 22)}
