"""The single writer, fed with plain values: what it accepts, asks, refuses, stores and shows."""

import json
import random
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.contract import Message, Setup
from pi_app.engine.events import Event, to_json
from pi_app.engine.kinds import BESIDE, OTHER, dice_kind
from pi_app.engine.log import Play
from pi_app.games.tag_city import TagCity
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    GameStarted,
    HouseDecided,
    RoundEnded,
    ShapePainted,
    SocialChecked,
)
from pi_app.games.tag_city.rules.sight import HQ
from pi_app.perception.sight import Glance, Look
from pi_app.storage.gamefile import check_game_file, game_file
from pi_app.storage.store import Store, StoreError
from pi_app.table.inputs import CameraLost, Command, Glanced, Input, Looked, Pressed
from pi_app.table.lights import ACCEPTED, ASKING, LOST, REFUSED, SEAT_COLOURS, TURN
from pi_app.table.referee import MOST_LOOKS, UNFINISHED, WAIT_FOR_MORE
from pi_app.table.table import FAILURE_SHOWN, QUIET, Table
from tests.games.tag_city.helpers import GAME, RED, ROW_1, ROW_3, ink, paint, social, squares, tiny
from tests.playing import play_on, ticking
from tests.sighting import evidence_of

SETUP = Setup(tiny(), {}, ("Ada", "Bob"))


class Rig:
    """A table and what lies on it, in plain words; `see` lets the camera see it."""

    def __init__(self, store: Store, setup: Setup = SETUP) -> None:
        self.store, self.setup = store, setup
        self.table = Table(GAME, store, setup, ticking())
        self.marks: dict[str, dict[str, str]] = {}
        self.sections: dict[str, str] = {}
        self.loose: tuple[int, ...] = ()
        self.doubts: dict[tuple[str, str], dict[str, float]] = {}

    def send(self, *items: Input) -> "Rig":
        for item in items:
            self.table.step(item)
        return self

    def command(self, name: str, **args: Any) -> "Rig":
        return self.send(Command(name, args))

    def hand(self, *boards: str) -> "Rig":
        return self.send(Glanced(Glance(frozenset(boards), frozenset(boards))))

    def see(self, pictures: int = 3) -> "Rig":
        """So many pictures without a hand."""
        for _ in range(pictures):
            self.send(Glanced(Glance()))
            if self.table.wants_look:
                self.send(Looked(self.look()))
        return self

    def look(self) -> Look:
        state = GAME.start(self.setup)
        dice = {**self.sections, BESIDE: dice_kind(self.loose)}
        boards: dict[str, Any] = evidence_of(state, {**self.marks, HQ: dice})
        for (board, region), look in self.doubts.items():
            boards[board][region] = look
        return Look(boards)

    def draw(self, board: str, marks: Mapping[str, str]) -> "Rig":
        self.hand(board)
        self.marks.setdefault(board, {}).update(marks)
        return self.see()

    def wipe(self, board: str, *regions: str) -> "Rig":
        self.hand(board)
        for region in regions:
            del self.marks[board][region]
        return self.see()

    def dice(self, loose: tuple[int, ...] = (), **sections: str) -> "Rig":
        """Dice beside the HQ, and on sections: s1="2 3"."""
        self.hand(HQ)
        self.loose = loose
        self.sections = {f"section.{name[1:]}": kind for name, kind in sections.items()}
        return self.see()

    def drafting(self) -> "Rig":
        """Ada leads; bar, block and ell lie on offer; Bob chooses first."""
        self.command("do", event=to_json(GameStarted(0)))
        return self.dice((1, 2, 3)).dice(s1="1", s2="2", s3="3")

    @property
    def events(self) -> list[Event]:
        return [record.event for record in self.table.records]

    @property
    def told(self) -> dict[str, tuple[str, str]]:
        return {board: (at["state"], at["reason"]) for board, at in self.table.view()["boards"].items()}

    @property
    def refusal(self) -> str | None:
        return None if self.table.refusal is None else self.table.refusal.id


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as store:
        yield store


@pytest.fixture
def rig(store: Store) -> Rig:
    return Rig(store)


# --- a round, as it is seen -------------------------------------------------------------------


def test_a_round_is_accepted_from_sight_alone(rig: Rig) -> None:
    rig.drafting()
    assert rig.events == [GameStarted(0), DiceRolled((1, 2, 3)), *(DiePlaced(i, i + 1) for i in range(3))]
    rig.dice(s1="1", s3="3").draw("city-2", ink(RED))
    assert rig.events[5] == paint(1, 1, "block", RED)
    rig.dice(s3="3").draw("city-1", ink(ROW_1))
    assert rig.events[7] == paint(0, 0, "bar", ROW_1)
    # The last die, all at once: each board is resolved on its own, in any order.
    rig.hand("city-1", "city-2")
    rig.marks["city-2"] |= ink("C1 C2 C3 D3")
    rig.marks["city-1"] |= {"bubble.1": "circled"}
    rig.see()
    assert {type(event) for event in rig.events[-3:]} == {ShapePainted, SocialChecked, RoundEnded}
    stored = rig.store.records(1, GAME.events)
    assert [record.event for record in stored] == rig.events


def test_the_dice_of_the_last_round_are_no_new_roll(rig: Rig) -> None:
    """Somebody takes the last die away, and all dice lie beside the HQ: nobody has rolled them yet."""
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(RED)).dice(s3="3").draw("city-1", ink(ROW_1))
    rig.loose = (1, 2, 3)
    rig.sections = {}
    rig.draw("city-1", {"bubble.1": "circled"}).draw("city-2", {"bubble.1": "circled"})
    assert isinstance(rig.events[-1], RoundEnded)
    ended = len(rig.events)
    rig.see(5)
    assert len(rig.events) == ended
    rig.dice((4, 5, 6))
    assert rig.events[ended:] == [DiceRolled((4, 5, 6))]


def test_a_die_on_a_wrong_section_is_refused_as_it_happens(rig: Rig) -> None:
    rig.command("do", event=to_json(GameStarted(0))).dice((1, 2, 3)).dice((2, 3), s5="1")
    assert rig.told[HQ] == ("mismatch", "rule.wrong_section")
    assert rig.table.lights()["section.5"] == REFUSED
    assert "refused" in rig.table.take_cues()
    rig.dice((2, 3), s2="1")
    assert rig.events[-1] == DiePlaced(0, 2)
    assert rig.told[HQ][0] == "wait"


def test_dice_that_are_knocked_over_while_they_are_placed_are_noticed(rig: Rig) -> None:
    rig.command("do", event=to_json(GameStarted(0))).dice((1, 2, 3)).dice((2, 3), s1="1")
    rig.dice((2, 3), s1="4")
    assert rig.told[HQ] == ("mismatch", "mismatch.die_turned")
    rig.dice((3,), s1="1", s4="5")
    assert rig.told[HQ] == ("mismatch", "mismatch.die_unknown")
    rig.dice((3,), s2="2")
    assert rig.events[-1] == DiePlaced(1, 2), "a die that is lifted again is no mistake"
    rig.dice(s1="1", s2="2", s3="3")
    assert rig.told[HQ][0] == "wait"
    assert rig.table.view()["game"]["phase"] == "draft"


def test_unfinished_drawing_is_no_mistake(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink("A1 B1 A2"))
    assert rig.told["city-2"] == ("drawing", "doing.drawing")
    rig.draw("city-2", ink("B2"))
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_a_drone_shape_that_could_still_grow_is_given_time(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", {**ink("A1 B1"), "drone.1": "circled"})
    assert rig.told["city-2"] == ("drawing", "sight.maybe_more")
    rig.draw("city-2", ink("B2"))
    rig.see(WAIT_FOR_MORE + 1)
    assert rig.events[-1] == paint(1, 1, "elbow", "A1 B1 B2", drone=1)


def test_nothing_is_accepted_under_a_hand(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3")
    before = rig.events
    rig.marks["city-2"] = ink(RED)
    for _ in range(5):
        rig.hand("city-2").send(Looked(rig.look()))
    assert rig.events == before
    assert rig.told["city-2"] == ("hand", "sight.hand")


# --- asking -----------------------------------------------------------------------------------


def doubtful(rig: Rig) -> Rig:
    """Bob drew two squares clearly; which two make a block of them is not clear on his stained board."""
    rig.doubts = {("city-2", region): {"empty": -0.5, "marked": 0.0} for region in ("r1c1", "r2c1", "r1c3", "r2c3")}
    rig.drafting().dice(s1="1", s3="3")
    return rig.draw("city-2", ink("B1 B2")).see(2 * MOST_LOOKS)


def test_what_is_not_clear_is_asked_with_the_candidates_and_answered_by_a_tap(rig: Rig) -> None:
    doubtful(rig)
    asked = rig.table.view()["question"]
    assert (asked["board"], len(asked["moves"]), rig.told["city-2"][0]) == ("city-2", 2, "asking")
    assert rig.table.lights()["seat.2"] == ASKING
    number = asked["moves"].index(to_json(paint(1, 1, "block", RED)))
    rig.command("answer", number=7)
    assert rig.refusal == "table.nothing_asked"
    rig.command("answer", number=number)
    assert rig.events[5] == paint(1, 1, "block", RED)
    assert rig.table.view()["question"] is None


def test_buttons_do_what_taps_do(rig: Rig) -> None:
    doubtful(rig)
    asked = rig.table.view()["question"]["moves"]
    rig.send(Pressed("next"))
    assert rig.table.view()["question"]["chosen"] == 1
    rig.send(Pressed("confirm"))
    assert to_json(rig.events[5]) == asked[1]
    rig.send(Pressed("undo"))
    assert isinstance(rig.events[-1], DiePlaced)
    rig.send(Pressed("undo", long=True))
    assert to_json(rig.events[5]) == asked[1]


def test_a_question_is_dropped_when_the_board_changes(rig: Rig) -> None:
    doubtful(rig).hand("city-2")
    assert rig.table.view()["question"] is None
    rig.send(Pressed("confirm"))
    assert rig.refusal == "table.nothing_asked"


# --- mistakes and repairs ---------------------------------------------------------------------


def wrong(rig: Rig) -> Rig:
    """Bob took the block's die and drew the bar."""
    return rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(ROW_3))


def test_a_wrong_shape_names_the_rule_and_lights_red(rig: Rig) -> None:
    wrong(rig)
    assert rig.told["city-2"] == ("mismatch", "rule.wrong_shape")
    assert rig.table.lights()["seat.2"] == REFUSED


def test_restoring_the_record_tells_square_by_square_what_to_wipe(rig: Rig) -> None:
    wrong(rig).command("restore", board="city-2")
    shown = rig.table.view()["restore"]
    assert {(off["region"], off["seen"], off["expected"]) for off in shown} == {
        (region, "marked", "empty") for region in ink(ROW_3)
    }
    rig.wipe("city-2", *ink(ROW_3)).draw("city-2", ink(RED))
    assert rig.events[-1] != rig.events[-2]
    assert any(isinstance(event, ShapePainted) for event in rig.events)
    assert rig.table.view()["restore"] is None


def test_adopting_the_table_is_a_logged_decision_of_the_house(rig: Rig) -> None:
    before = wrong(rig).events
    rig.command("adopt", board="city-2")
    assert (rig.refusal, rig.events) == ("table.sure_turn", before)
    facts = rig.table.refusal.facts if rig.table.refusal else {}
    assert (facts["player"], facts["before"], len(facts["regions"])) == (1, 0, len(squares(ROW_3)))
    rig.command("adopt", board="city-2", sure=True)
    assert rig.events[5] == HouseDecided(1, 1, squares(ROW_3), None, None)
    assert facts["after"] == rig.table.view()["game"]["boards"][1]["score"]["total"]
    assert rig.told["city-2"][0] == "wait"
    rig.command("adopt", board="city-1")
    assert rig.refusal == "table.cannot_adopt"


@pytest.mark.parametrize(
    ("lying", "reason", "rolled", "placed", "left"),
    [
        ({"s1": "6", "s2": "2", "s3": "3"}, "die_turned", (6, 2, 3), (1, 2, 3), {"s2": "2", "s3": "3"}),
        ({"s1": "1", "s3": "2 3"}, "die_moved", (1, 2, 3), (1, 3, 3), {"s3": "2 3"}),
        ({"s2": "1 2", "s4": "3"}, "die_moved", (1, 2, 3), (2, 2, 4), {"s2": "2", "s4": "3"}),
    ],
)
def test_dice_can_be_adopted_as_they_lie(
    rig: Rig,
    lying: dict[str, str],
    reason: str,
    rolled: tuple[int, ...],
    placed: tuple[int, ...],
    left: dict[str, str],
) -> None:
    """The record is corrected as if they had been rolled and put there, and the game goes on with these dice."""
    rig.drafting().dice((), **lying)
    assert rig.told[HQ] == ("mismatch", f"mismatch.{reason}")
    rig.command("adopt", board=HQ).see()
    assert rig.events[1:] == [DiceRolled(rolled), *(DiePlaced(i, section) for i, section in enumerate(placed))]
    assert rig.told[HQ][0] == "wait"
    rig.dice((), **left).draw("city-2", {"bubble.1": "circled"})
    assert rig.events[-1] == SocialChecked(1, 0, 1)


def test_dice_that_no_rule_allows_or_of_which_one_is_missing_cannot_be_adopted(rig: Rig) -> None:
    rig.drafting().dice(s1="4", s2="2", s3="3").command("adopt", board=HQ)
    assert rig.refusal == "rule.wrong_section"
    rig.dice(s1="6", s3="3").command("adopt", board=HQ)
    assert rig.refusal == "table.cannot_adopt_pieces"
    assert len(rig.table.history) == len(rig.table.records) == 5


def test_the_next_button_shows_what_to_wipe_and_confirm_reads_again(rig: Rig) -> None:
    wrong(rig).send(Pressed("next"))
    assert len(rig.table.view()["restore"]) == 4
    rig.marks["city-2"] = ink(RED)
    rig.send(Pressed("confirm")).see()
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_ink_out_of_turn_waits_and_does_not_stop_who_is_on_turn(rig: Rig) -> None:
    rig.drafting().draw("city-1", ink(RED))
    assert rig.told["city-1"] == ("mismatch", "sight.not_your_turn")
    rig.dice(s1="1", s3="3").draw("city-2", ink(RED))
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_a_wiped_mark_is_an_alarm_until_it_is_back(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(RED)).wipe("city-2", "r1c1")
    assert rig.told["city-2"] == ("mismatch", "sight.mark_wiped")
    rig.draw("city-2", ink("A1"))
    assert rig.told["city-2"][0] == "wait"


def test_an_undone_move_does_not_come_back_by_itself(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(RED)).command("undo")
    assert isinstance(rig.events[-1], DiePlaced)
    assert rig.told["city-2"] == ("mismatch", "sight.undone")
    rig.hand("city-2").see(5)
    assert isinstance(rig.events[-1], DiePlaced), "a hand over the board is no reason"
    rig.wipe("city-2", *ink(RED)).draw("city-2", ink("C1 D1 C2 D2"))
    assert rig.events[5] == paint(1, 1, "block", "C1 D1 C2 D2")


def test_a_late_correction_decides_anew_what_followed(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(ROW_3)).command("adopt", board="city-2", sure=True)
    before = rig.events
    rig.command("correct", corrections={"6": to_json(paint(1, 1, "block", RED))})
    assert (rig.refusal, rig.events) == ("table.sure_scores", before)
    rig.command("correct", corrections={"6": to_json(paint(1, 1, "block", RED))}, sure=True)
    assert rig.events[5] == paint(1, 1, "block", RED)
    assert rig.told["city-2"] == ("mismatch", "sight.mark_wiped"), "the board still shows the other squares"
    rig.wipe("city-2", *ink(ROW_3)).draw("city-2", ink(RED))
    assert rig.told["city-2"][0] == "wait"


def test_a_corrected_roll_counts_for_the_die_that_lies_there_already(rig: Rig) -> None:
    rig.command("do", event=to_json(GameStarted(0))).dice((1, 2, 3)).dice((1, 3), s5="5")
    assert rig.told[HQ] == ("mismatch", "mismatch.die_unknown")
    rig.command("correct", corrections={"2": to_json(DiceRolled((1, 5, 3)))})
    assert rig.events[-1] == DiePlaced(1, 5), "a correction takes no move back"
    assert rig.told[HQ][0] == "wait"


def test_a_die_left_lying_after_moves_by_hand_gives_nobody_a_die_and_stops_nobody(rig: Rig) -> None:
    rig.drafting().command("do", event=to_json(paint(1, 1, "block", RED)))
    rig.command("do", event=to_json(paint(0, 0, "bar", ROW_1))).see()
    assert rig.table.view()["game"]["phase"] == "last"
    assert rig.told["city-1"] == rig.told["city-2"] == ("wait", "")
    rig.draw("city-2", {**ink(RED), "bubble.1": "circled"})
    assert rig.events[-1] == social(1, 2, 1)


def test_a_free_check_leaves_nothing_to_see_and_is_confirmed(store: Store) -> None:
    rig = Rig(store, Setup(tiny(bubbles=[-2]), {}, ("Ada", "Bob"))).drafting()
    rig.send(Pressed("confirm"))
    assert rig.refusal == "table.nothing_asked"
    rig.dice(s1="1", s3="3").draw("city-2", {"bubble.1": "circled"})
    rig.dice(s3="3")
    assert rig.events[-1] == social(1, 1, 1), "Ada has a die, and may still draw"
    rig.send(Pressed("confirm"))
    assert rig.events[-1] == social(0, 0, None)


def test_one_square_that_the_eye_misses_does_not_spoil_the_game(rig: Rig) -> None:
    """Somebody enters the move; where the reader errs, it is not asked again, and the next move is read as usual."""
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink("A1 B1 A2"))
    rig.command("do", event=to_json(paint(1, 1, "block", RED)))
    assert rig.told["city-2"][0] == "wait"
    rig.dice(s3="3").draw("city-1", ink(ROW_1)).draw("city-2", {**ink("C1 C2 C3 D3")})
    assert ShapePainted(1, 2, "ell", squares("C1 C2 C3 D3")) in rig.events
    rig.draw("city-2", ink("B2")).wipe("city-2", "r2c2")
    assert rig.told["city-2"] == ("mismatch", "sight.mark_wiped"), "once it was seen, it counts"


def test_after_the_end_boards_may_be_wiped(store: Store) -> None:
    rig = Rig(store, Setup(tiny(bubbles=[-2]), {}, ("Ada", "Bob"))).drafting()
    rig.dice(s1="1", s3="3").draw("city-2", ink(ROW_3[:8])).draw("city-2", {"bubble.1": "circled"})
    rig.wipe("city-2", *ink(ROW_3[:8])).dice(s3="3").draw("city-1", ink(ROW_1))
    rig.draw("city-1", ink("A2 A3 A4 B4")).draw("city-2", ink("A2 A3 A4 B4"))
    assert rig.table.view()["game"]["result"] is not None
    rig.wipe("city-1", *ink(ROW_1)).wipe("city-2", "bubble.1")
    assert {state for state, _ in rig.told.values()} == {"wait"}


# --- pending marks ----------------------------------------------------------------------------


def test_marks_that_follow_from_moves_are_ticked_off_as_they_are_seen(rig: Rig) -> None:
    rig.drafting().dice(s2="2", s3="3").draw("city-2", ink(ROW_1))
    due = {(mark["board"], mark["region"], mark["expected"]) for mark in rig.table.view()["marks"]}
    assert due == {("city-2", "row.1.high", "circled"), ("city-1", "row.1.high", "crossed")}
    rig.draw("city-2", {"row.1.high": "circled"}).draw("city-1", {"row.1.high": "circled"})
    [left] = rig.table.view()["marks"]
    assert (left["board"], left["seen"], left["expected"]) == ("city-1", "circled", "crossed"), "a wrong circle"
    rig.dice(s3="3").draw("city-1", ink(RED))
    assert isinstance(rig.events[-1], ShapePainted) or rig.events[-1].type == "feature_completed", "never blocks play"


# --- storing ----------------------------------------------------------------------------------


def test_nothing_is_shown_as_accepted_before_it_is_stored(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: the move waits, people are told, and it is accepted once there is room."""
    rig.drafting().dice(s1="1", s3="3")
    before, append = rig.events, rig.store.append
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def no_room(game_id: int, records: Any) -> None:
        with rig.store._transaction("IMMEDIATE"):
            raise full

    monkeypatch.setattr(rig.store, "append", no_room)
    rig.draw("city-2", ink(RED))
    assert rig.events == before
    assert rig.table.view()["trouble"]["reason"] == "store.disk_full"
    monkeypatch.setattr(rig.store, "append", append)
    rig.see(2)
    assert rig.events[5] == paint(1, 1, "block", RED)
    assert rig.table.view()["trouble"] is None


def test_an_interrupted_game_is_offered_with_its_time_and_goes_on(rig: Rig, store: Store) -> None:
    rig.drafting()
    again = Rig(store)
    offer = again.table.view()["continue"]
    assert (offer["game"], offer["players"], offer["events"]) == (1, ["Ada", "Bob"], 5)
    assert offer["last_at"] == rig.table.records[-1].at
    again.send(Glanced(Glance()), Looked(again.look()))
    assert again.table.records == []
    again.send(Pressed("confirm"))
    assert again.events == rig.events
    # What was drawn meanwhile is recognised.
    again.marks, again.sections = {"city-2": ink(RED)}, {"section.1": "1", "section.3": "3"}
    again.see()
    assert again.events[5] == paint(1, 1, "block", RED)


def test_the_next_button_starts_a_new_game_instead(rig: Rig, store: Store) -> None:
    rig.drafting()
    again = Rig(store).send(Pressed("next"))
    assert (again.table.game_id, again.events) == (2, [])


# --- robustness -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("dance", {}, "table.unknown_command"),
        ("answer", {}, "table.bad_command"),
        ("answer", {"number": "x"}, "table.bad_command"),
        ("answer", {"number": 0}, "table.nothing_asked"),
        ("adopt", {"board": []}, "table.bad_command"),
        ("adopt", {"board": "hq"}, "table.cannot_adopt_pieces"),
        ("restore", {"board": {}}, "table.bad_command"),
        ("do", {"event": 5}, "table.bad_command"),
        ("do", {"event": {"type": "nonsense"}}, "table.bad_command"),
        ("do", {"event": to_json(social(0, 0, 1))}, "rule.leader_first"),
        ("undo", {"upto": []}, "table.bad_command"),
        ("undo", {}, "rule.undo_nothing"),
        ("redo", {}, "rule.redo_nothing"),
        ("correct", {"corrections": {"x": {}}}, "table.bad_command"),
        ("correct", {"corrections": []}, "table.bad_command"),
        ("correct", {"corrections": {"9" * 5000: {}}}, "table.bad_command"),
        ("correct", {"corrections": {"²": {}}}, "table.bad_command"),
        ("correct", {"corrections": {}}, "rule.correct_unknown"),
        ("pause", {"long": True}, "table.bad_command"),
        ("new_game", {"leader": "Ada"}, "table.bad_command"),
        ("new_game", {"profile": []}, "table.bad_command"),
        ("new_game", {"players": "Ada"}, "table.bad_command"),
        ("new_game", {"players": ["Ada"]}, "problem.players_count"),
        ("restore", {"board": "city-9"}, "table.unknown_board"),
        ("continue", {}, "table.nothing_to_continue"),
        ("confirm", {}, "table.nothing_asked"),
        ("next", {}, "table.nothing_asked"),
    ],
)
def test_bad_commands_are_refused_in_words_and_change_nothing(rig: Rig, name: str, args: Any, reason: str) -> None:
    rig.command(name, **args)
    assert (rig.refusal, rig.events) == (reason, [])


def test_the_view_is_plain_json_at_any_time(rig: Rig) -> None:
    for rigged in (rig, wrong(rig), rig.send(CameraLost(Message("hardware.camera.lost", {"why": "unplugged"})))):
        json.dumps(rigged.table.view(0))
    assert set(rig.told.values()) == {("camera_lost", "sight.camera_lost")}
    assert rig.table.lights()["status"] == LOST


def test_a_camera_that_comes_back_goes_on_where_it_was(rig: Rig) -> None:
    rig.drafting().send(CameraLost(Message("hardware.camera.lost")))
    rig.marks, rig.sections = {"city-2": ink(RED)}, {"section.1": "1", "section.3": "3"}
    rig.see()
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_inputs_wait_in_a_queue_for_the_one_who_works(rig: Rig) -> None:
    rig.table.put(Command("do", {"event": to_json(GameStarted(1))}))
    assert rig.events == []
    version = rig.table.version
    rig.table.work()
    assert rig.events == [GameStarted(1)]
    assert rig.table.version == version + 1


# --- light and sound --------------------------------------------------------------------------


def test_lights_and_sounds_tell_turn_acceptance_completion_and_the_end(rig: Rig) -> None:
    rig.drafting()
    assert rig.table.lights()["seat.2"] == TURN
    rig.table.take_cues()
    rig.dice(s1="1", s3="3").draw("city-2", ink("A1 B1 A2"))
    assert rig.table.take_cues() == []
    rig.draw("city-2", ink("B2"))
    assert rig.table.take_cues() == ["completed"]
    assert rig.table.lights()["seat.2"] == SEAT_COLOURS[1]
    rig.see(10)
    assert rig.table.lights()["seat.1"] == TURN
    rig.dice(s3="3").draw("city-1", {"bubble.1": "circled"})
    assert rig.table.take_cues() == ["accepted"]
    assert rig.table.lights()["seat.1"] == ACCEPTED


def test_an_overlooked_die_is_asked_about(rig: Rig) -> None:
    rig.drafting().dice(s1="1")
    rig.doubts[HQ, "section.3"] = {"empty": 0.0, OTHER: -5.0}
    rig.draw("city-2", ink(RED)).see(2 * MOST_LOOKS)
    assert rig.told[HQ][1] == "mismatch.two_dice_taken"
    assert rig.table.view()["question"]["moves"][0] == to_json(paint(1, 1, "block", RED))


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_at_the_table_nothing_breaks_and_the_record_is_a_legal_game(store: Store, seed: int) -> None:
    """Hands, scribbles, wiping, dice anywhere, buttons in any order: the store can always be played on."""
    rng, rig = random.Random(seed), Rig(store)
    rig.drafting()
    cells = [f"r{row}c{col}" for row in range(1, 5) for col in range(1, 5)]
    for _ in range(60):
        board = rng.choice(["city-1", "city-2"])
        act = rng.randrange(6)
        if act == 0:
            rig.draw(board, dict.fromkeys(rng.sample(cells, rng.randint(1, 4)), "marked"))
        elif act == 1 and rig.marks.get(board):
            rig.wipe(board, rng.choice(list(rig.marks[board])))
        elif act == 2:
            rig.draw(board, {rng.choice(["bubble.1", "drone.1", "row.1.high"]): "circled"})
        elif act == 3:
            sections = {f"s{n}": str(rng.randint(1, 6)) for n in rng.sample(range(1, 7), rng.randint(0, 3))}
            rig.dice(tuple(rng.choices(range(1, 7), k=rng.randint(0, 3))), **sections)
        elif act == 4:
            rig.send(Pressed(rng.choice(["confirm", "undo", "next"]), long=rng.random() < 0.3))
        else:
            rig.command("restore", board=board).command("adopt", board=board, sure=rng.random() < 0.7).see()
        json.dumps(rig.table.view())
        rig.table.lights()
    records = store.records(1, GAME.events)
    replayed = Play(GAME, SETUP, ticking(), records)
    assert [record.event for record in replayed.in_force] == rig.events
    check_game_file(game_file(replayed))


# --- whatever goes wrong, play goes on ---------------------------------------------------------


def test_an_error_of_the_program_itself_is_told_and_play_goes_on(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rig.drafting()
    with monkeypatch.context() as broken:
        broken.setattr(rig.table.game, "decide", lambda *parts: 1 / 0, raising=False)
        rig.command("do", event=to_json(paint(1, 1, "block", RED)))
    assert rig.table.view()["trouble"]["reason"] == "table.failed"
    assert rig.table.refusal is not None
    assert "shape_painted" in caplog.text
    rig.command("do", event=to_json(paint(1, 1, "block", RED)))
    assert rig.events[5] == paint(1, 1, "block", RED)
    rig.see(FAILURE_SHOWN)
    assert rig.table.view()["trouble"] is None


class OtherGame(TagCity):
    """The same rules under another name."""

    name = "other_game"


def test_a_game_is_continued_as_the_game_that_it_is_and_one_nobody_knows_is_set_aside(store: Store) -> None:
    other = OtherGame()
    begun = Table(other, store, Setup(tiny(bubbles=[-1]), {}, ("Cleo", "Dan")), ticking())
    begun.step(Command("do", {"event": to_json(GameStarted(1))}))
    table = Table(GAME, store, SETUP, ticking(), begin=False, games=[other])
    table.step(Command("continue"))
    assert (table.game, table.setup.players) == (other, ("Cleo", "Dan"))
    table.step(Command("new_game"))
    assert [game.game for game in store.games()] == ["other_game", "other_game"], "another one of the same"
    without = Table(GAME, store, SETUP, ticking(), begin=False)
    assert without.view()["notice"]["reason"] == "table.set_aside"
    without.step(Command("continue"))
    assert without.refusal == Message("table.nothing_to_continue")


@pytest.mark.parametrize("broken", ["record", "result", "setup"])
def test_an_unreadable_game_is_set_aside_with_words_and_everything_else_works(
    broken: str, rig: Rig, store: Store
) -> None:
    rig.drafting()
    with store._transaction("IMMEDIATE") as db:
        db.execute("DROP TRIGGER events_stay")
        db.execute("DROP TRIGGER games_stay")
        match broken:
            case "record":
                db.execute("UPDATE events SET data = '{' WHERE seq = 3")
            case "result":
                db.execute("UPDATE events SET type = 'game_ended', data = '[]' WHERE seq = 5")
            case _:
                db.execute("UPDATE games SET profile = '{\"rows\": 3}'")
    again = Rig(store)
    assert again.table.view()["continue"] is None
    assert again.table.view()["notice"] == {"reason": "table.set_aside", "facts": {"game": 1}}
    assert again.table.game_id == 2
    assert [game.id for game in store.games()] == [1, 2]
    assert again.drafting().events == rig.events


def test_a_full_disk_is_told_until_there_is_room_whatever_else_happens(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.drafting()
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def no_room(*parts: Any) -> None:
        with rig.store._transaction("IMMEDIATE"):
            raise full

    with monkeypatch.context() as disk:
        for write in ("append", "check_writable"):
            disk.setattr(rig.store, write, no_room)
        rig.command("do", event=to_json(paint(1, 1, "block", RED)))
        for _ in range(40):
            rig.see(1).command("pause").command("resume").hand("city-1")
            assert rig.table.view()["trouble"]["reason"] == "store.disk_full"
    rig.see(1)
    assert rig.table.view()["trouble"] is None


def test_trouble_names_no_paths(rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unwritable(*parts: Any) -> None:
        raise StoreError("unwritable_place", file=str(rig.store.path), why="gone")

    monkeypatch.setattr(rig.store, "append", unwritable)
    rig.command("do", event=to_json(GameStarted(0)))
    assert str(tmp_path) not in json.dumps(rig.table.view())
    assert rig.table.view()["trouble"]["facts"]["file"] == "games.db"


@pytest.mark.parametrize("accident", ["deleted", "overwritten", "another in its place", "emptied", "log deleted"])
def test_an_accepted_move_is_in_the_file_that_is_opened_next(accident: str, rig: Rig, tmp_path: Path) -> None:
    """Somebody deletes or replaces the file of games while the table is running."""
    file, other = rig.store.path, tmp_path / "other.db"
    with Store(other) as foreign:
        foreign.new_game("tag_city", SETUP, "2000-01-01T00:00:00Z")
    rig.drafting()
    rig.store.checkpoint()
    match accident:
        case "deleted":
            file.unlink()
        case "overwritten":
            file.write_bytes(other.read_bytes())
        case "another in its place":
            other.rename(file)
        case "emptied":
            file.write_bytes(b"")
        case _:
            file.with_name("games.db-wal").unlink()
    moves = [paint(1, 1, "block", RED), social(0, 0, 1)]
    for move in moves:
        rig.command("do", event=to_json(move))
    with Store(file) as opened:
        stored = opened.records(opened.games()[-1].id, GAME.events)
    assert stored == list(rig.table.history)
    assert [record.event for record in stored if record.event in moves] == moves
    rig.store.close()
    with Store(file) as opened:
        assert opened.records(opened.games()[-1].id, GAME.events) == stored


def test_a_file_that_was_replaced_is_told_and_what_lay_there_is_kept(rig: Rig, tmp_path: Path) -> None:
    rig.drafting()
    rig.store.path.write_bytes(b"something else")
    rig.command("do", event=to_json(paint(1, 1, "block", RED)))
    assert rig.table.view()["notice"]["reason"] == "table.new_file"
    assert (tmp_path / "games.db.replaced").read_bytes() == b"something else"
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_in_a_quiet_moment_the_game_comes_into_the_file_itself(rig: Rig, tmp_path: Path) -> None:
    rig.drafting()
    rig.see(QUIET)
    copy = tmp_path / "copy.db"
    copy.write_bytes(rig.store.path.read_bytes())
    with Store(copy) as copied:
        assert copied.records(1, GAME.events) == rig.table.records


# --- undo and repairs around dice ---------------------------------------------------------------


def test_after_an_undo_only_boards_that_show_what_was_taken_back_are_to_be_put_right(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3").draw("city-2", ink(RED))
    rig.command("undo")
    assert rig.told["city-2"] == ("mismatch", "sight.undone")
    assert rig.told["city-1"] == ("wait", "")
    rig.wipe("city-2", *ink(RED)).dice(s1="1", s2="2", s3="3")
    rig.command("undo")  # the last placement
    assert rig.told[HQ] == ("mismatch", "sight.undone_pieces")
    assert rig.told["city-2"] == ("wait", "")
    rig.command("restore", board=HQ)
    assert rig.table.view()["restore"] == [
        {"board": HQ, "region": "section.3", "seen": "3", "expected": "empty"},
    ]
    rig.dice((3,), s1="1", s2="2")
    assert rig.told[HQ] == ("wait", "")
    assert rig.table.view()["restoring"] is None


def test_a_roll_that_was_taken_back_is_rolled_again_even_if_it_shows_the_same(rig: Rig) -> None:
    rig.command("do", event=to_json(GameStarted(0))).dice((1, 2, 3))
    rig.command("undo").see(5)
    assert (rig.events, rig.told[HQ]) == ([GameStarted(0)], ("wait", ""))
    rig.send(Glanced(Glance(light_changed=True))).see(5)
    assert (rig.events, rig.told[HQ]) == ([GameStarted(0)], ("mismatch", "sight.undone_roll"))
    rig.dice((1, 2, 3))
    assert rig.events == [GameStarted(0), DiceRolled((1, 2, 3))]


def test_two_dice_gone_are_one_story_on_every_board(rig: Rig) -> None:
    rig.drafting().dice(s1="1")
    assert rig.told[HQ] == ("mismatch", "mismatch.two_dice_taken")
    assert rig.told["city-2"] == ("wait", "")
    rig.command("restore", board=HQ)
    assert [one["region"] for one in rig.table.view()["restore"]] == ["section.2", "section.3"]
    rig.dice(s1="1", s3="3")
    assert rig.told["city-2"] == ("wait", "doing.draw_now")


def test_an_unfinished_drawing_that_nobody_goes_on_with_is_told_to_be_wrong(rig: Rig) -> None:
    rig.drafting().dice(s1="1", s3="3")
    squares_of = dict(list(ink(RED).items())[:3])
    rig.draw("city-2", squares_of)
    assert rig.told["city-2"] == ("drawing", "doing.drawing")
    rig.see(UNFINISHED)
    assert rig.told["city-2"] == ("mismatch", "rule.small_needs_drone")
    rig.draw("city-2", ink(RED))
    assert rig.events[5] == paint(1, 1, "block", RED)


# --- who sits where, and games that were left ----------------------------------------------------


def test_who_sits_down_in_a_running_game_is_whose_result_it_is(rig: Rig, store: Store) -> None:
    rig.drafting().send(Command("sit", {"seat": 1, "name": "Cy"}))
    assert [board["player"] for board in rig.table.view()["game"]["boards"]] == ["Ada", "Cy"]
    assert store.game(1).players == ("Ada", "Cy")
    rig.send(Command("sit", {"seat": 0, "name": "Cy"}))  # moved over: they change places
    assert store.game(1).players == ("Cy", "Ada")
    rig.dice(s1="1", s3="3").draw("city-2", ink(RED))
    assert rig.events[5] == paint(1, 1, "block", RED)


def test_bots_are_known_again_after_a_restart_and_their_games_are_practice(store: Store) -> None:
    table = Table(GAME, store, SETUP, ticking(), bots=(0, 1))
    table.step(Command("sit", {"seat": 0, "name": "Ann"}))
    assert table.bots == {1}
    again = Table(GAME, store, SETUP, ticking())
    assert again.view()["continue"]["bots"] == [1]
    again.step(Command("continue"))
    assert again.bots == {1}
    assert again.setup.players == ("Ann", "Bob")
    assert store.game(1).practice


def test_nobody_changes_the_winner_by_sitting_down_after_the_end(store: Store) -> None:
    table = Table(GAME, store, SETUP, ticking(), begin=False)
    table.step(Command("new_game", {"leader": 0}))
    play_on(table._playing().play, random.Random(1))
    assert table.is_over
    table.step(Command("sit", {"seat": 0, "name": "Zoe"}))
    assert table.refusal is not None
    assert store.game(1).players == ("Ada", "Bob")
    with pytest.raises(StoreError):
        store.sit(1, 0, "Zoe", False, "2001-01-01T00:00:00Z")


def test_any_game_that_was_left_can_be_taken_up_again(rig: Rig, store: Store) -> None:
    left = rig.drafting().events
    rig.command("put_away").command("new_game", leader=1).command("put_away").command("new_game", leader=0)
    assert [game.finished for game in store.games()] == [False] * 3
    rig.command("continue", game=1)
    assert (rig.table.game_id, rig.events) == (1, left)
    rig.command("continue", game=2)
    assert (rig.table.game_id, rig.events) == (2, [GameStarted(1)])
    rig.command("continue", game=9)
    assert (rig.refusal, rig.table.game_id) == ("table.nothing_to_continue", 2)


def test_two_players_of_one_name_are_refused(rig: Rig, store: Store) -> None:
    rig.command("new_game", players=["Ada", "ada"])
    assert rig.refusal == "table.same_name"
    assert len(store.games()) == 1


def test_a_question_may_be_answered_with_none_of_these(rig: Rig) -> None:
    rig.drafting().dice(s1="1")
    rig.doubts[HQ, "section.3"] = {"empty": 0.0, OTHER: -5.0}
    rig.draw("city-2", ink(RED)).see(2 * MOST_LOOKS)
    board = rig.table.view()["question"]["board"]
    before = rig.events
    rig.command("deny").see(2)
    assert rig.table.view()["question"] is None
    assert rig.told[board] == ("mismatch", "sight.denied")
    assert rig.events == before
