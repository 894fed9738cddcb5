"""Bots at some seats, through rendered pictures: alone, beside nobody, and when seats change hands."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.table.inputs import Command
from tests.e2e.night import QUICK, Night, night

ANY_GAME = 700
"""Pictures: more than any short game needs."""


@pytest.fixture
def at(tmp_path: Path) -> Night:
    return night(tmp_path, 2, 71)


def go_on(at: Night, until: Callable[[], bool], most: int) -> int:
    """Pictures until then."""
    for pictures in range(most):
        if until():
            return pictures
        at.bots.step()
        at.turn()
    return most


def give(at: Night, seat: int, to_bot: bool) -> None:
    """Somebody takes a seat from a bot, or gives it back."""
    name = at.table.setup.players[seat]
    at.table.step(Command("sit", {"seat": seat, "name": name, "bot": to_bot}))


def over(at: Night) -> bool:
    return at.table.view()["game"]["result"] is not None


def moves(at: Night, seat: int) -> int:
    return sum(getattr(record.event, "player", None) == seat for record in at.table.records)


def test_bots_play_a_whole_game_and_draw_what_is_due(tmp_path: Path) -> None:
    at = night(tmp_path, 2, 71, bots=("drone",))
    assert go_on(at, lambda: over(at), ANY_GAME) < ANY_GAME
    go_on(at, lambda: not at.table.view()["marks"], 40)
    view = at.table.view()
    assert (view["marks"], view["question"]) == ([], None)
    assert at.table.history == at.table.records  # nobody had to take anything back


def test_a_seat_that_is_nobodys_is_waited_for_and_goes_on_when_it_is_given(at: Night) -> None:
    go_on(at, lambda: moves(at, 1) >= 1, 100)
    give(at, 1, to_bot=False)
    go_on(at, lambda: False, 60)
    known = moves(at, 1)
    assert at.table.view()["game"]["to_act"] in ([1], [-1])
    give(at, 1, to_bot=True)
    assert go_on(at, lambda: moves(at, 1) > known, 100) < 100


def test_an_undone_move_is_wiped_and_another_one_made(at: Night) -> None:
    go_on(at, lambda: moves(at, 0) >= 1, 100)
    at.table.put(Command("undo"))
    at.turn()
    known = len(at.table.records)
    assert go_on(at, lambda: len(at.table.records) > known + 2, 200) < 200
    assert {told["state"] for told in at.table.view()["boards"].values()}.isdisjoint({"mismatch", "asking"})


def test_what_somebody_scribbles_on_a_bots_board_is_wiped(at: Night) -> None:
    go_on(at, lambda: moves(at, 0) >= 1, 100)
    known = len(at.table.records)
    at.sim.draw("city-1", [("r1c1", "fill"), ("r8c9", "fill"), ("r5c5", "fill")], QUICK.mark_s)
    assert go_on(at, lambda: len(at.table.records) > known + 4, 250) < 250


def test_a_die_that_somebody_knocked_over_is_put_back(at: Night) -> None:
    go_on(at, lambda: at.table.view()["game"]["phase"] == "draft", 100)
    at.sim.reach("hq")
    at.turn(2)
    at.sim.knock(at.sim.state.dice[-1].number)
    at.sim.withdraw("hq")
    known = len(at.table.records)
    assert go_on(at, lambda: len(at.table.records) > known + 2, 250) < 250


def test_a_seat_is_taken_over_in_the_middle_of_a_move(at: Night) -> None:
    """Somebody has taken a die and drawn half a shape, and leaves."""
    go_on(at, lambda: at.table.view()["game"]["phase"] == "draft", 100)
    [seat] = at.table.view()["game"]["to_act"]
    give(at, seat, to_bot=False)
    go_on(at, lambda: False, 3)
    at.sim.take(at.sim.state.dice[0].number)
    at.sim.draw(f"city-{seat + 1}", [("r4c4", "fill"), ("r4c5", "fill")], QUICK.mark_s)
    go_on(at, lambda: False, 6)
    known = moves(at, seat)
    give(at, seat, to_bot=True)
    assert go_on(at, lambda: moves(at, seat) > known, 150) < 150
    assert at.table.history == at.table.records


def test_a_placement_that_is_undone_while_a_bot_leads_loses_no_die(at: Night) -> None:
    """The bot puts the die back beside the HQ, and places it again; twice in a row."""

    def placed() -> int:
        return sum(record.event.type == "die_placed" for record in at.table.records)

    go_on(at, lambda: placed() == 2, 120)
    for _ in range(2):
        at.table.step(Command("undo"))
        assert go_on(at, lambda: placed() == 3, 120) < 120
        assert len(at.sim.state.dice) == 3
    go_on(at, lambda: moves(at, 1) >= 1, 150)
    assert moves(at, 1) >= 1
