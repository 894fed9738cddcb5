"""Whole evenings, from hands over a rendered table through the camera to the final score."""

from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.simulation.habits import Habits
from tests.e2e.night import QUICK, faithful, night


@pytest.mark.parametrize(
    ("players", "seed", "bots"),
    [(2, 11, ("greedy", "drone")), (3, 12, ("greedy", "social", "drone")), (4, 13, ("drone", "greedy"))],
)
def test_a_whole_game_in_good_light_is_read_without_a_question(
    players: int, seed: int, bots: tuple[str, ...], tmp_path: Path
) -> None:
    """Bots with one idea end games early; the campaign plays the long ones."""
    at = night(tmp_path, players, seed, bots=bots)
    at.play()
    tally = at.bots.tally
    assert at.table.game.outcome(at.table.state) is not None
    assert (tally.asked, tally.mismatches, tally.again, tally.notes) == (0, 0, 0, [])
    faithful(at, at.table.records)
    outcome = at.table.game.outcome(at.table.state)
    [stored] = at.store.games()
    assert outcome is not None
    assert (stored.scores, stored.winners) == (outcome.scores, outcome.winners)


def test_mistakes_are_pointed_out_and_put_right(tmp_path: Path) -> None:
    """Wrong squares, wrong sections, dice knocked over, forgotten crosses, lamps, hands over other boards."""
    clumsy = replace(QUICK, slip=0.3, forget=0.3, lamp=0.15, lean=0.2)
    at = night(tmp_path, 2, 21, clumsy)
    at.play(40)
    assert at.bots.tally.slips > 3
    assert at.bots.tally.caught == at.bots.tally.slips
    assert at.bots.tally.notes == []
    faithful(at, at.table.records)


def test_things_that_lie_about_are_no_moves(tmp_path: Path) -> None:
    """Pens, tokens, phones and mugs, beside the boards and for a moment across their corners."""
    at = night(tmp_path, 2, 22, replace(QUICK, clutter=0.8))
    at.play(24)
    assert at.sim.state.things
    assert at.bots.tally.asked == 0
    faithful(at, at.table.records)


def test_hard_light_may_need_questions_but_accepts_nothing_wrong(tmp_path: Path) -> None:
    """Dim, from one side, with pens in a hurry."""
    at = night(tmp_path, 2, 31, Habits(mark_s=0.05, care=0.35), bots=("drone", "greedy"))
    at.sim.set_lamp(0.35)
    at.sim.set_daylight(0.3)
    at.play()
    faithful(at, at.table.records)
    assert at.bots.tally.asked + at.bots.tally.again <= 6


def test_with_the_lens_covered_nothing_is_accepted(tmp_path: Path) -> None:
    """No shortcut: the table knows what its camera shows, and nothing else."""
    at = night(tmp_path, 2, 41)
    at.play(8)
    known = at.table.records
    at.turn(3)
    at.sim.cover_lens()
    at.turn(3)
    for seat, region in enumerate(("r1c1", "r2c2")):
        at.sim.draw(f"city-{seat + 1}", [(region, "fill")], mark_s=0.05)
    at.sim.roll(3)
    at.turn(12)
    assert at.table.records == known
