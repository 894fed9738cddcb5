"""Every way to break a rule: the rule that answers, what it tells, and that nothing changes."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pi_app.games.graffiti.rules.judging
from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.engine.values import changed
from pi_app.games.graffiti.rules.model import (
    BlockDrawn,
    BonusRevealed,
    GameStarted,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PointsScored,
    State,
)
from tests.games.graffiti.helpers import (
    GAME,
    at_keep,
    begun,
    bonus,
    finished,
    holding,
    keep,
    paint,
    painted,
    part,
    permits,
    played,
    police,
    table,
    use,
)


@dataclass(frozen=True)
class Case:
    """A move that is refused in a state, by a rule that tells these facts."""

    rule: str
    facts: dict[str, Any]
    state: State
    move: Event
    why: str = ""


START = table(3)
PLAY = begun(3)
RICH = holding(PLAY, 0, paint="R K G Y RY", permits=(1, 2, 2), bonuses="paint permit add reduce points extra reserve")
POLICE = changed(RICH, police=0)
DRAWING = played(PLAY, permits(0, "draw"))
KEEP = at_keep(holding(PLAY, 0, bonuses="save save extra"))
NEUTRAL_DRAW = played(KEEP, *(keep(seat, "R") for seat in range(3)))
NEUTRAL_PAINT = played(NEUTRAL_DRAW, NeutralDrawn(1))
OVER = changed(PLAY, phase="over", result=GameEnded((), (), ()))
TAKEN = played(holding(PLAY, 1, bonuses="add reduce"), paint(0, "green.1", "G"))
RESERVED = holding(RICH, 1, reserved=PLAY.printed.part_number["B1"])


CASES = [
    Case("game_over", {}, OVER, Passed(0)),
    Case("game_over", {}, OVER, NeutralDrawn(1), "luck"),
    Case("not_a_move", {"event": "out_of_cans"}, PLAY, OutOfCans(0)),
    Case("not_a_move", {"event": "points_scored"}, PLAY, PointsScored(0, 50, "part"), "points"),
    Case("not_a_move", {"event": "undone"}, PLAY, Undone(1), "undoing is the record's"),
    Case("unknown_player", {"player": 3}, PLAY, Passed(3)),
    Case("unknown_player", {"player": -1}, PLAY, Passed(-1), "below"),
    Case("unknown_player", {"player": 3}, START, GameStarted(3), "first"),
    Case("already_started", {}, PLAY, GameStarted(0)),
    Case("start_first", {}, START, Passed(0)),
    Case("start_first", {}, START, BonusRevealed(1, "add"), "luck"),
    Case("luck_first", {}, DRAWING, Passed(1)),
    Case("luck_first", {}, NEUTRAL_DRAW, NeutralPainted(0, "A1"), "neutral"),
    Case("luck_first", {}, holding(DRAWING, 0, bonuses="points"), use(0, "points"), "not even a bonus tile"),
    Case("not_drawn_now", {"event": "permit_revealed"}, DRAWING, PermitRevealed(6, 1)),
    Case("not_drawn_now", {"event": "block_drawn"}, PLAY, BlockDrawn(1), "no block"),
    Case("slot_not_next", {"slot": 2, "expected": 1}, played(START, GameStarted(0)), BonusRevealed(2, "add")),
    Case(
        "slot_not_next",
        {"slot": 6, "expected": 2},
        played(PLAY, permits(0, "left")),
        PermitRevealed(6, 1),
        "permits",
    ),
    Case("tile_not_in_pile", {"tile": "gold"}, played(START, GameStarted(0)), BonusRevealed(1, "gold")),
    Case(
        "tile_not_in_pile",
        {"tile": "add"},
        changed(played(START, GameStarted(0)), bonus_pool=(1, 1, 1, 1, 1, 0, 1, 1)),
        BonusRevealed(1, "add"),
        "all are out",
    ),
    Case("tile_not_in_pile", {"tile": "6"}, DRAWING, PermitDrawn(0, 6), "no such face"),
    Case("tile_not_in_pile", {"tile": "0"}, NEUTRAL_DRAW, NeutralDrawn(0), "no face"),
    Case("not_your_permit", {"player": 1, "expected": 0}, DRAWING, PermitDrawn(1, 1)),
    Case("keep_first", {}, KEEP, Passed(0)),
    Case("neutral_first", {"player": 0, "section": 1}, NEUTRAL_PAINT, Passed(0)),
    Case(
        "neutral_first",
        {"player": 0, "section": 1},
        holding(NEUTRAL_PAINT, 0, bonuses="points"),
        use(0, "points"),
        "bonus tile",
    ),
    Case("already_passed", {"player": 0, "turn": 1}, played(PLAY, Passed(0)), paint(0)),
    Case("already_passed", {"player": 0, "turn": 1}, played(RICH, Passed(0)), use(0, "points"), "bonus tile"),
    Case(
        "already_passed",
        {"player": 0, "turn": 1},
        played(holding(begun(3, bonus_timing="any"), 0, bonuses="extra"), Passed(0)),
        use(0, "extra"),
        "extra",
    ),
    Case("not_your_turn", {"player": 1, "turn": 0}, PLAY, paint(1)),
    Case("not_your_turn", {"player": 1, "turn": 0}, holding(PLAY, 1, bonuses="points"), use(1, "points"), "bonus"),
    Case("not_your_turn", {"player": 1, "turn": 0}, PLAY, HouseDecided(1, (("part.A1", "seat.1"),)), "house"),
    Case("space_unknown", {"player": 0, "space": "purple.1"}, PLAY, paint(0, "purple.1")),
    Case("space_unknown", {"player": 0, "space": "6.1"}, RICH, part(0, "B1", "R K", [1], space="6.1"), "tunnel"),
    Case("space_unknown", {"player": 0, "space": "5"}, PLAY, bonus(0, 5), "slot"),
    Case("space_unknown", {"player": 0, "space": "2"}, PLAY, police(0, slot=2), "policeman"),
    Case("section_blocked", {"player": 0, "section": 1}, changed(RICH, pawn=1), part(0, "B1", "R K", [1])),
    Case("kind_not_here", {"player": 0, "kind": "K", "expected": ["G"]}, PLAY, paint(0, "green.1", "K")),
    Case("kind_empty", {"player": 0, "kind": "R"}, changed(PLAY, reserve=(0,) * 8), paint(0)),
    Case("nothing_to_take", {"player": 0}, changed(PLAY, bonus_slots=("",) * 4), bonus(0, 1)),
    Case("nothing_to_take", {"player": 0}, changed(PLAY, police=1), police(0), "policeman"),
    Case("nothing_to_take", {"player": 0}, changed(PLAY, slots=(0,) * 6), permits(0, "left"), "permits"),
    Case("joker_not_held", {"player": 0, "bonus": "paint"}, PLAY, part(0, "B1", "R", [1], bonuses="paint")),
    Case("bonus_not_held", {"player": 0, "bonus": "reduce"}, PLAY, paint(0, cans=0, bonuses="reduce")),
    Case("bonus_not_held", {"player": 0, "bonus": "save"}, PLAY, use(0, "save"), "used alone"),
    Case("bonus_not_held", {"player": 0, "bonus": "gold"}, RICH, paint(0, bonuses="gold"), "no such tile"),
    Case("bonus_not_needed", {"player": 0, "bonus": "points"}, RICH, paint(0, bonuses="points")),
    Case("bonus_not_needed", {"player": 0, "bonus": "permit"}, RICH, part(0, "B1", "R K", [1], bonuses="permit")),
    Case("bonus_not_needed", {"player": 0, "bonus": "save"}, KEEP, keep(0, "R Y", "save"), "two tiles"),
    Case("bonus_not_needed", {"player": 0, "bonus": "save"}, KEEP, keep(0, "R Y B", "save save"), "two saves"),
    Case("bonus_not_needed", {"player": 0, "bonus": "paint"}, RICH, paint(0, bonuses="paint"), "a joker"),
    Case("bonus_with_action", {"player": 0, "bonus": "add"}, RICH, use(0, "add")),
    Case("bonus_too_late", {"player": 0, "bonus": "extra"}, KEEP, use(0, "extra")),
    Case("bonus_without_part", {"player": 0, "bonus": "points"}, RICH, use(0, "points", "A1")),
    Case("police_tunnel_only", {"player": 0}, POLICE, part(0, "B1", "R K", [1], police="tile")),
    Case("police_not_held", {"player": 0}, RICH, part(0, "B1", "R G", [1], police="paint")),
    Case("police_not_needed", {"player": 0}, POLICE, part(0, "B1", "R K", [1], cans=0, police="can")),
    Case("police_not_needed", {"player": 0}, POLICE, part(0, "B1", "R K", [1], police="paint"), "paint"),
    Case("police_one_colour", {"player": 0, "part": "B1"}, POLICE, part(0, "B1", "G Y", [1], police="paint")),
    Case("add_twice", {"player": 1, "space": "green.1"},
         changed(TAKEN, closed=1 << PLAY.printed.space_at["paint", "green.1"].number),
         paint(1, "green.1", "G", bonuses="add")),
    Case("add_two_cans", {"player": 0, "space": "green.2"}, RICH, paint(0, "green.2", "G", 2, "add")),
    Case("add_free_space", {"player": 0, "space": "green.1"}, RICH, paint(0, "green.1", "G", 1, "add")),
    Case("space_taken", {"player": 1, "space": "green.1"}, TAKEN, paint(1, "green.1", "G")),
    Case("reduce_nothing", {"player": 0, "space": "primary"}, holding(PLAY, 0, bonuses="reduce reduce"),
         paint(0, cans=0, bonuses="reduce reduce")),
    Case("cans_needed", {"player": 0, "space": "green.2", "expected": 2, "count": 1}, holding(PLAY, 0, cans=1),
         paint(0, "green.2", "G", 2)),
    Case("cans_placed_wrong", {"player": 0, "space": "primary", "expected": 1, "count": 2}, PLAY, paint(0, cans=2)),
    Case("part_not_here", {"player": 0, "part": "Z9", "section": 1}, RICH,
         PartPainted(0, "1.1", 1, "Z9", (1,), ("R", "K"))),
    Case("part_done", {"player": 0, "part": "B1"}, painted(RICH, seat_1="B1"), part(0, "B1", "R K", [1])),
    Case("part_done", {"player": 0, "part": "B1"}, painted(RICH, seat_1="B1"), use(0, "reserve", "B1"), "reserve"),
    Case("part_done", {"player": 0, "part": "B1"}, finished(NEUTRAL_PAINT, "B"), NeutralPainted(0, "B1"), "neutral"),
    Case("part_reserved", {"player": 0, "part": "B1", "owner": 1}, RESERVED, part(0, "B1", "R K", [1])),
    Case("permit_needed", {"player": 0, "section": 1}, RICH, part(0, "B1", "R K")),
    Case("permits_unequal", {"player": 0, "section": 1}, RICH, part(0, "B1", "R K", [1, 2])),
    Case("permits_unequal", {"player": 0, "section": 2}, RICH, part(0, "D1", "R Y", [2, 2, 2]), "three"),
    Case("permit_wrong", {"player": 0, "section": 1, "face": 2}, RICH, part(0, "B1", "R K", [2])),
    Case("permit_not_held", {"player": 0, "section": 1, "face": 5}, RICH, part(0, "B1", "R K", [5, 5])),
    Case("paint_not_held", {"player": 0, "part": "B1", "kinds": ["R", "K", "K"]}, RICH, part(0, "B1", "R K K", [1])),
    Case("paint_not_held", {"player": 0, "part": "B1", "kinds": ["X"]}, RICH, part(0, "B1", "R X", [1]), "no kind"),
    Case("paint_missing", {"player": 0, "part": "B1", "colours": ["K"]}, RICH, part(0, "B1", "R", [1])),
    Case("paint_superfluous", {"player": 0, "part": "B1", "expected": ["R", "K"]}, RICH, part(0, "B1", "R K G", [1])),
    Case("part_unknown", {"player": 0, "part": ""}, RICH, use(0, "reserve")),
    Case("reserve_taken", {"player": 0, "part": "B1"}, RESERVED, use(0, "reserve", "B1")),
    Case("keep_later", {"player": 0}, PLAY, keep(0, "R")),
    Case("keep_told", {"player": 0}, played(KEEP, keep(0, "R")), keep(0, "R")),
    Case("keep_too_many", {"player": 0, "count": 3, "most": 2}, KEEP, keep(0, "R Y B")),
    Case("keep_not_held", {"player": 0, "kinds": ["R", "R"]}, KEEP, keep(0, "R R")),
    Case("keep_not_held", {"player": 0, "kinds": ["X"]}, KEEP, keep(0, "X"), "no such kind"),
    Case("neutral_later", {"player": 0}, PLAY, NeutralPainted(0, "A1")),
    Case("not_token_holder", {"player": 1, "holder": 0}, NEUTRAL_PAINT, NeutralPainted(1, "A1")),
    Case("neutral_not_here", {"player": 0, "part": "C1", "section": 1}, NEUTRAL_PAINT, NeutralPainted(0, "C1")),
    *(
        Case("house_impossible", {"player": 0}, PLAY, HouseDecided(0, changes), why)
        for why, changes in {
            "nothing": (),
            "no change": (("part.A1", "open"),),
            "twice": (("part.A1", "seat.0"), ("part.A1", "seat.1")),
            "no such part": (("part.Z1", "seat.0"),),
            "no part": (("A1", "seat.0"),),
            "no such seat": (("part.A1", "seat.3"),),
            "something else": (("can.1.1", "seat.0"),),
        }.items()
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.why}".strip())
def test_a_refusal_names_its_rule_and_facts_and_changes_nothing(case: Case) -> None:
    before = repr(case.state)
    with pytest.raises(IllegalMove) as error:
        GAME.decide(case.state, case.move)
    assert (error.value.rule, error.value.facts) == (case.rule, case.facts)
    assert json.loads(json.dumps(error.value.facts)) == error.value.facts
    assert repr(case.state) == before
    for seat in range(3):
        assert case.move not in GAME.legal_moves(case.state, seat)


def test_every_rule_in_the_source_is_tried_here() -> None:
    source = Path(str(pi_app.games.graffiti.rules.judging.__file__)).read_text(encoding="utf-8")
    written = set(re.findall(r'IllegalMove\("(\w+)"', source))
    for first, second in re.findall(r'(?:rule = |IllegalMove\()"(\w+)" if .* else "(\w+)"', source):
        written |= {first, second}
    assert {case.rule for case in CASES} == written
