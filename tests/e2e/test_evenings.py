"""Whole evenings, from hands over a rendered table through the camera to the final score."""

from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.simulation.manners import Manners
from tests.e2e.night import QUICK, Night, night, story


def faithful(at: Night) -> None:
    """The record is exactly what happened, event by event, to the last score."""
    told, truth = story(at.table.records), story(list(at.evening.truth.in_force))
    differs = next((pair for pair in zip(told, truth, strict=False) if pair[0] != pair[1]), None)
    assert differs is None
    assert told == truth


@pytest.mark.parametrize(
    ("players", "seed", "bots"),
    [(2, 11, ("greedy", "drone")), (3, 12, ("greedy", "social", "drone")), (4, 13, ("drone", "greedy"))],
)
def test_a_whole_game_in_good_light_is_read_without_a_question(
    players: int, seed: int, bots: tuple[str, ...], tmp_path: Path
) -> None:
    """Bots with one idea end games early; the campaign plays the long ones."""
    at = night(tmp_path, players, seed, bots=bots)
    at.evening.play()
    tally = at.evening.tally
    assert at.evening.game.outcome(at.evening.truth.state) is not None
    assert (tally.asked, tally.mismatches, tally.again, tally.notes) == (0, 0, 0, [])
    faithful(at)
    outcome = at.evening.game.outcome(at.evening.truth.state)
    [stored] = at.store.games()
    assert outcome is not None
    assert (stored.scores, stored.winners) == (outcome.scores, outcome.winners)


def test_mistakes_are_pointed_out_and_put_right(tmp_path: Path) -> None:
    """Wrong squares, wrong sections, dice knocked over, forgotten crosses, lamps, hands over other boards."""
    clumsy = replace(QUICK, slip=0.3, forget=0.3, lamp=0.15, lean=0.2)
    at = night(tmp_path, 2, 21, clumsy)
    at.evening.play(most_moves=24)
    assert at.evening.tally.slips > 3
    assert at.evening.tally.caught == at.evening.tally.slips
    assert at.evening.tally.notes == []
    faithful(at)


def test_things_that_lie_about_are_no_moves(tmp_path: Path) -> None:
    """Pens, tokens, phones and mugs, beside the boards and for a moment across their corners."""
    at = night(tmp_path, 2, 22, replace(QUICK, clutter=0.8))
    at.evening.play(most_moves=12)
    assert at.sim.state.things
    assert at.evening.tally.asked == 0
    faithful(at)


def test_hard_light_may_need_questions_but_accepts_nothing_wrong(tmp_path: Path) -> None:
    """Dim, from one side, with pens in a hurry."""
    at = night(tmp_path, 2, 31, Manners(mark_s=0.05, care=0.35), bots=("drone", "greedy"))
    at.sim.set_lamp(0.35)
    at.sim.set_daylight(0.3)
    at.evening.play()
    faithful(at)
    assert at.evening.tally.asked + at.evening.tally.again <= 6


def test_with_the_lens_covered_nothing_is_accepted(tmp_path: Path) -> None:
    """No shortcut: the table knows what its camera shows, and nothing else."""
    at = night(tmp_path, 2, 41)
    at.evening.play(most_moves=6)
    known = at.table.records
    at.turn(3)
    at.sim.cover_lens()
    at.turn(3)
    for seat, region in enumerate(("r1c1", "r2c2")):
        at.sim.draw(f"city-{seat + 1}", [(region, "fill")], mark_s=0.05)
    at.sim.roll(3)
    at.turn(12)
    assert at.table.records == known
