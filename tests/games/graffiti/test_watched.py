"""Graffiti as a table sees it, in plain words: whole evenings without a question, mistakes with their rule."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.engine.contract import LUCK, Message
from pi_app.engine.events import to_json
from pi_app.engine.explain import explain
from pi_app.engine.kinds import OTHER
from pi_app.engine.verdict import Is
from pi_app.games import GAMES
from pi_app.games.graffiti.rules.model import (
    BonusRevealed,
    BonusTaken,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitsTaken,
    RoundEnded,
)
from pi_app.games.graffiti.rules.paying import kinds_of
from pi_app.table.inputs import Pressed
from tests.games.graffiti.helpers import holding, use
from tests.watched import Watched

GAME = GAMES["graffiti"]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    table = started(tmp_path)
    yield table
    table.store.close()


def started(folder: Path, players: int = 2, seed: int = 1, **options: object) -> Watched:
    """The first round is about to begin, everything is laid out."""
    table = Watched("graffiti", folder, players, seed, **options)
    table.enter(GAME.opening(0)).tidy()
    while GAME.to_act(table.state).must == (LUCK,):
        table.make(table.next_move())
    return table.tidy()


def until(table: Watched, wanted: type) -> Watched:
    """Plays until somebody's next move would be of this type, and it is not the first in its round."""
    for _ in range(400):
        move = table.next_move()
        if isinstance(move, wanted) and GAME.to_act(table.state).must != (LUCK,):
            return table
        (table.enter(move) if table.state.phase == "keep" else table.make(move)).tidy()
    raise AssertionError(f"nobody ever made a {wanted}")


def painting(table: Watched) -> PartPainted:
    """A painting with a can on the space, and paint laid down."""
    moves = GAME.legal_moves(table.state, table.state.turn)
    return next(m for m in moves if isinstance(m, PartPainted) and m.cans and m.paints and m.permits)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_an_evening_is_told_by_hands_alone(tmp_path: Path, players: int, seed: int) -> None:
    """All but what leaves nothing to be seen: passing with the marker on a part, and what is taken without a can."""
    table, told = started(tmp_path, players, seed, block=seed == 2), 0
    for _ in range(1500):
        if GAME.outcome(table.state) is not None:
            break
        move, before = table.next_move(), len(table.table.records)
        if table.state.phase == "keep":
            table.enter(move)
        else:
            table.make(move)
        if len(table.table.records) == before:
            assert (
                GAME.meant(
                    table.state,
                    [
                        m
                        for m in GAME.legal_moves(table.state, table.state.turn)
                        if GAME.trace(table.state, m) == GAME.trace(table.state, move)
                    ],
                )
                is None
            )
            told += 1
            table.enter(move)
        made = table.table.records[before].event
        assert made == move or GAME.trace(table.state, made) == GAME.trace(table.state, move)
        table.tidy()
        assert table.told == {}
    assert GAME.outcome(table.state) is not None
    assert told <= 12
    table.store.close()


def test_a_permit_from_the_pile_stays_unknown(watched: Watched) -> None:
    """But for bots, who tell theirs."""
    watched.make(PermitsTaken(0, "draw", 1))
    drawn = [record.event for record in watched.table.records if isinstance(record.event, PermitDrawn)]
    assert drawn[-1] == PermitDrawn(0, None)
    assert watched.state.seats[0].unknown != (0, 0)


def test_a_tile_that_can_hardly_be_read_is_asked_about_and_anybody_may_answer(tmp_path: Path) -> None:
    """Luck hides nothing; nobody is asked as long as nothing lies there."""
    table = Watched("graffiti", tmp_path).enter(GAME.opening(0)).tidy()
    assert table.see(8).table.view()["question"] is None
    table.unsure = {("actions", "bonus.1"): {"bonus.paint": 0.0, "bonus.add": -0.5, "empty": -9.0, OTHER: -9.0}}
    table.put({"actions": {"bonus.1": "bonus.paint"}}).see(12)
    question = table.table.view()["question"]
    assert question["alone"] is None
    assert [move["bonus"] for move in question["moves"]] == ["paint", "add"]
    table.command("answer", number=1)
    assert table.table.records[-1].event == BonusRevealed(1, "add")
    table.store.close()


@pytest.mark.parametrize("runner_up", [-9.0, -1.0])
def test_what_was_taken_without_a_can_has_to_be_told_where_it_may_be_many_things(
    watched: Watched, runner_up: float
) -> None:
    """However surely the tile is read: a question with some of them only would leave out what was taken."""
    state = holding(watched.state, 0, bonuses="reduce")
    watched.unsure = {("seat-1", "used"): {"bonus.reduce": 0.0, "empty": runner_up, OTHER: -9.0}}
    verdict = explain(GAME, GAME.surfaces(watched.setup), state, watched.look().boards)["seat-1"]
    assert (verdict.what, verdict.message) == (Is.WAITING, Message("sight.tell_it", {"player": 0}))


def test_a_can_on_a_taken_space_names_the_rule(watched: Watched) -> None:
    watched.make(PaintTaken(0, "green.1", "G", 1)).tidy()
    watched.put({"actions": {"can.paint.green.1": "blue red"}}).see()
    assert watched.told == {"actions": "rule.space_taken"}


def test_a_part_of_another_section_names_the_rule(tmp_path: Path) -> None:
    table = until(started(tmp_path, 3, 5), PartPainted)
    move = painting(table)
    trace = {at: dict(part) for at, part in GAME.trace(table.state, move).items()}
    other = next(
        p
        for n, p in enumerate(table.state.printed.parts)
        if p.section != int(move.space[0]) and table.state.parts[n] == -2
    )
    for region in ("part", "tag"):
        trace["tunnel"][f"{region}.{other.id}"] = trace["tunnel"].pop(f"{region}.{move.part}")
    table.put(trace).see()
    assert "rule.part_not_here" in table.told.values()
    table.store.close()


def test_a_wrong_payment_names_the_rule(tmp_path: Path) -> None:
    table = until(started(tmp_path, 3, 5), PartPainted)
    move = painting(table)
    trace = {at: dict(part) for at, part in GAME.trace(table.state, move).items()}
    hand = kinds_of(table.state.seats[move.player].hands[0])
    cost = table.state.printed.parts[table.state.printed.part_number[move.part]].cost
    wrong = next(kind for kind in (*hand, "K", "G") if not set(kind) & set(cost))
    trace[f"seat-{move.player + 1}"]["spent"] = f"paint.{wrong}"
    table.put(trace).see(8)
    rules = {"rule.paint_missing", "rule.paint_not_held", "rule.paint_superfluous"}
    assert rules & set(table.told_to(move.player).values())
    assert not rules & set(table.told.values())
    table.store.close()


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [("tag.", "doing.put_tag"), ("part.", "doing.turn_part"), ("can.", "doing.put_can"), ("spent", "doing.lay_paint")],
)
def test_what_is_still_missing_of_a_painting_is_said(tmp_path: Path, forgotten: str, said: str) -> None:
    table = until(started(tmp_path, 3, 5), PartPainted)
    whole = GAME.trace(table.state, move := painting(table))
    parts = {at: {r: kind for r, kind in part.items() if not r.startswith(forgotten)} for at, part in whole.items()}
    before = len(table.table.records)
    table.put(parts).see()
    assert said in table.told.values()
    assert len(table.table.records) == before
    table.put(whole).see()
    assert table.table.records[before].event == move
    table.store.close()


def test_a_tile_taken_without_a_can_waits_for_the_can(watched: Watched) -> None:
    watched.put({"actions": {"bonus.2": "empty"}}).see()
    assert watched.told == {"actions": "doing.put_can"}
    watched.put({"actions": {"can.bonus.2": "red"}}).see()
    assert watched.table.records[-1].event == BonusTaken(0, 2, 1)


def test_cans_that_were_not_brought_back_are_listed_and_are_no_moves(watched: Watched) -> None:
    watched.make(PaintTaken(0, "green.1", "G", 1))
    watched.make(Passed(1)).make(Passed(0))
    while watched.state.phase != "play":
        move = watched.next_move()
        (watched.enter(move) if watched.state.phase == "keep" else watched.make(move))
    assert watched.state.round == 2
    watched.see()
    assert any(isinstance(record.event, RoundEnded) for record in watched.table.records)
    due = {(one["region"], one["seen"]) for one in watched.table.marks_due()}
    assert {("can.paint.green.1", "red"), ("pass", "marker.blue")} <= due
    assert watched.told == {}
    before = len(watched.table.records)
    watched.tidy()
    assert watched.table.marks_due() == []
    assert len(watched.table.records) == before
    watched.make(PaintTaken(0, "green.1", "G", 1))
    assert watched.table.records[-1].event == PaintTaken(0, "green.1", "G", 1)


def into_the_second_round(watched: Watched) -> Watched:
    """A can was used and brought back."""
    watched.make(PaintTaken(0, "green.1", "G", 1))
    watched.make(Passed(1)).make(Passed(0))
    while watched.state.phase != "play":
        move = watched.next_move()
        (watched.enter(move) if watched.state.phase == "keep" else watched.make(move)).tidy()
    assert (watched.state.round, watched.state.turn) == (2, 0)
    return watched


def test_a_move_before_the_first_look_after_a_restart_is_asked_about_where_a_piece_lay_before(watched: Watched) -> None:
    """The can may never have been brought back: only people know."""
    into_the_second_round(watched).restart().put({"actions": {"can.paint.green.1": "red"}}).see(12)
    question = watched.table.view(0)["question"]
    assert [move["type"] for move in question["moves"]] == ["paint_taken"]
    watched.command("answer", number=0).see()
    assert watched.table.records[-1].event == PaintTaken(0, "green.1", "G", 1)
    assert watched.told == {}
    assert "actions" not in {one["board"] for one in watched.table.marks_due()}


def test_a_piece_that_lay_there_before_a_restart_is_due_when_people_say_so(watched: Watched) -> None:
    into_the_second_round(watched).restart().put({"actions": {"can.paint.green.1": "red"}}).see(12)
    before = len(watched.table.records)
    watched.command("deny").see(12)
    assert watched.table.view()["question"] is None
    assert [one["region"] for one in watched.table.marks_due()] == ["can.paint.green.1"]
    watched.tidy().make(PaintTaken(0, "green.1", "G", 1))
    assert watched.table.records[-1].event == PaintTaken(0, "green.1", "G", 1)
    assert len(watched.table.records) == before + 1


def test_a_score_marker_on_a_wrong_field_is_due_and_stops_nobody(watched: Watched) -> None:
    watched.put({"tunnel": {"track.0": "score.blue", "track.7": "score.red"}}).see()
    assert {one["region"] for one in watched.table.marks_due()} == {"track.0", "track.7"}
    watched.make(PaintTaken(0, "green.1", "G", 1))
    assert watched.table.records[-1].event == PaintTaken(0, "green.1", "G", 1)


def test_two_moves_between_two_looks_are_both_told(watched: Watched) -> None:
    before = len(watched.table.records)
    watched.put({"actions": {"can.paint.green.1": "red", "can.paint.black.1": "blue"}}).see()
    made = [record.event for record in watched.table.records[before:]]
    assert made == [PaintTaken(0, "green.1", "G", 1), PaintTaken(1, "black.1", "K", 1)]


def test_when_the_next_one_acts_the_table_asks_whether_the_other_has_passed(watched: Watched) -> None:
    watched.put({"actions": {"can.paint.black.1": "blue"}}).see(12)
    question = watched.table.view()["question"]
    assert [move["type"] for move in question["moves"]] == ["passed"]
    watched.command("answer", number=0).see()
    types = [record.event.type for record in watched.table.records[-2:]]
    assert types == ["passed", "paint_taken"]


def test_the_button_passes(watched: Watched) -> None:
    watched.send(Pressed("confirm", long=False))
    assert watched.table.records[-1].event == Passed(0)


def test_a_move_told_on_a_phone_is_done_with_hands_later(watched: Watched) -> None:
    watched.enter(PaintTaken(0, "green.1", "G", 1)).see(6)
    assert watched.told == {}
    assert [one["region"] for one in watched.table.marks_due() if one["board"] == "actions"] == ["can.paint.green.1"]
    before = len(watched.table.records)
    watched.put({"actions": {"can.paint.green.1": "red"}}).see()
    assert len(watched.table.records) == before
    assert watched.told == {}


def test_nothing_is_told_wrong_while_a_shared_board_is_out_of_sight(watched: Watched) -> None:
    watched.hidden = {"actions"}
    watched.put({"actions": {"can.paint.green.1": "red"}, "tunnel": {"part.A1": "finished"}}).see()
    assert not [at for at, board in watched.table.view()["boards"].items() if board["state"] == "mismatch"]


def test_a_tag_that_no_rule_allows_can_stand_as_a_decision_of_the_house(watched: Watched) -> None:
    watched.put({"tunnel": {"part.A1": "finished", "tag.A1": "tag.blue"}}).see(80)
    wrong = next(at for at, board in watched.table.view()["boards"].items() if board["state"] == "mismatch")
    watched.command("adopt", board=wrong, sure=True)
    told = [to_json(record.event) for record in watched.table.records]
    assert {"type": "house_decided", "player": 0, "changes": [["part.A1", "seat.1"]]} in told
    assert GAME.scores(watched.state)[1] == 15


def test_points_after_the_last_turn_of_a_round_are_told(watched: Watched) -> None:
    """Hands clear the table then: a tile for points that lies there may be one that was used in the round."""
    watched.make(Passed(0)).make(Passed(1))
    state = holding(watched.state, 0, bonuses="points")
    assert state.phase == "keep"
    assert use(0, "points") in GAME.legal_moves(state, 0)
    assert GAME.trace(state, use(0, "points")) == {}


def test_what_the_last_move_of_a_round_put_down_goes_back_like_everything(watched: Watched) -> None:
    """It was seen a moment ago, and is no new move."""
    watched.make(Passed(0))
    watched.make(PaintTaken(1, "green.2", "G", 2)).make(PaintTaken(1, "black.2", "K", 2)).make(BonusTaken(1, 1, 1))
    for seat in GAME.to_act(watched.state).must:
        watched.enter(PaintKept(seat, ()))
    watched.see()
    due = {(one["region"], one["seen"]) for one in watched.table.marks_due()}
    assert {("can.bonus.1", "blue"), ("can.paint.green.2", "blue blue"), ("pass", "marker.red")} <= due
    assert watched.told == {}
