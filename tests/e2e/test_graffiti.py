"""Evenings with pieces, from hands over a rendered table through the camera to the record."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pi_app.engine.kinds import EMPTY, OTHER
from pi_app.perception.sight import PATIENCE
from tests.e2e.far import FarNight
from tests.e2e.night import CAMERA, QUICK, Night, faithful, night

SMALL = replace(CAMERA, width_px=1536, height_px=864)
"""In good light codes on pieces can be read in such pictures, too; the campaign has finer ones and worse light."""
GAME = "graffiti"


def begin(folder: Path, players: int, seed: int, bots: tuple[str, ...] = ("planner",), **habits: float) -> Night:
    return night(folder, players, seed, replace(QUICK, **habits), SMALL, bots, GAME)


def lies_as_recorded(at: Night) -> None:
    """What lies on the table is what the record says, as far as that matters now and hands have seen to it."""
    act, due = at.table.game.act, {(one["board"], one["region"]) for one in at.table.marks_due()}
    for surface in at.table.game.surfaces(at.setup):
        lying = at.bots._hands.lying(surface.id)
        for region, kind in at.table.game.expected_sight(at.table.state, surface.id).items():
            if kind not in (OTHER, "open") and (surface.id, region) not in due:
                there = lying.get(region, EMPTY)
                # What follows from moves may come late.
                assert there == kind or act(region, there) == act(region, kind) == EMPTY, (surface.id, region)


def read_without_a_question(at: Night) -> None:
    """Every move as it was meant, told by hands alone.

    What somebody takes without a can leaves nothing to be seen: only that is asked about.
    """
    at.turn(6)  # the table sees what was done last
    tally = at.bots.tally
    assert (tally.mismatches, tally.by_hand) == (0, 0)
    assert all("cans=0" in note for note in tally.notes), tally.notes
    without_cans = [record.event for record in at.table.records if getattr(record.event, "cans", 1) == 0]
    assert tally.asked <= len(without_cans), without_cans
    faithful(at, at.table.records)
    lies_as_recorded(at)


def test_a_whole_game_is_read_without_a_question(tmp_path: Path) -> None:
    """From the first tile to the last point; the campaign plays whole evenings in bad light."""
    at = begin(tmp_path, 2, 2)
    at.play()
    assert at.over
    read_without_a_question(at)


@pytest.mark.parametrize(("players", "seed"), [(3, 2), (4, 3)])
def test_a_round_and_more_of_more_players_is_read_without_a_question(players: int, seed: int, tmp_path: Path) -> None:
    at = begin(tmp_path, players, seed)
    at.play(28)
    read_without_a_question(at)


def test_mistakes_with_pieces_are_pointed_out_and_put_right(tmp_path: Path) -> None:
    """Cans on wrong spaces, parts of other sections, tiles without a can; cans and markers that are forgotten, and
    markers on wrong fields."""
    at = begin(tmp_path, 2, 4, slip=0.5, forget=0.3)
    at.play(32)
    assert at.bots.tally.slips > 3
    assert at.bots.tally.caught == at.bots.tally.slips
    faithful(at, at.table.records)


def test_boards_and_a_camera_that_were_bumped_are_read_at_once_where_they_lie_now(tmp_path: Path) -> None:
    """What is masked by where boards lay looks covered, as if by a hand, until they are found again."""
    at = begin(tmp_path, 2, 1)
    at.turn(5)
    bumps = (
        partial(at.sim.bump_camera, 4.0, -3.0, 0.3),
        partial(at.sim.move_board, "tunnel", 4.0, -6.0, 2.0),
        partial(at.sim.move_board, "seat-1", 6.0, -6.0, 2.0),
        partial(at.sim.bump_camera, -6.0, 6.0, -0.5),
    )
    for bump in bumps:
        bump()
        at.turn(PATIENCE + 4)
        assert {one["state"] for one in at.table.view()["boards"].values()} == {"wait"}


def test_a_game_with_pieces_goes_on_over_pulled_plugs(tmp_path: Path) -> None:
    rng, at = random.Random(6), FarNight(tmp_path, 2, 6, QUICK, SMALL, ("planner",), GAME)
    while at.bots.tally.moves < 22:
        at.bots.step()
        if at.pictures % 12 == 11:
            at.far.pull_plug(rng)
        at.turn()
    assert at.far.kills >= 3
    faithful(at, at.stored())
