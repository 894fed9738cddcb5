"""Evenings with thieves and playing cards, from hands over a rendered table through the camera to the record."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.kinds import EMPTY, OTHER
from tests.e2e.far import FarNight
from tests.e2e.night import CAMERA, QUICK, Night, faithful, night

FINE = replace(CAMERA, width_px=2304, height_px=1296)
GAME = "spree"
HONG_KONG = {"power_shots": True, "splash": True, "driving": True}


def begin(
    folder: Path, players: int, seed: int, begun: int = 0, options: dict[str, Any] | None = None, **habits: float
) -> Night:
    camera = FINE if players > 4 else CAMERA
    return night(folder, players, seed, replace(QUICK, **habits), camera, ("planner",), GAME, begun, options)


def may_be_asked(at: Night) -> int:
    """How many of the moves leave the same to be seen as others that mean something else."""
    game, state, count = at.table.game, at.table.game.start(at.setup), 0
    for record in at.table.records:
        if game.is_move(record.event) and record.event.type != "cards_drawn":
            trace = game.trace(state, record.event)
            seats = [seat for seat in game.to_act(state).seats if seat >= 0] if trace else []
            moves = [m for seat in seats for m in game.legal_moves(state, seat) if game.trace(state, m) == trace]
            count += bool(moves) and game.meant(state, moves) is None
        state = game.apply(state, record.event)
    return count


def told_by_hands(at: Night) -> None:
    """Every move as it was meant, none entered; asked only where nothing that is seen could tell."""
    tally = at.bots.tally
    assert (tally.mismatches, tally.by_hand) == (0, 0), tally.notes
    assert tally.asked <= may_be_asked(at) + tally.again
    faithful(at, at.table.records)
    lies_as_recorded(at)


def lies_as_recorded(at: Night) -> None:
    due = {(one["board"], one["region"]) for one in at.table.marks_due()}
    for surface in at.table.game.surfaces(at.setup):
        lying = at.bots._hands.lying(surface.id)
        for region, kind in at.table.game.expected_sight(at.table.state, surface.id).items():
            if kind != OTHER and region != "dice" and (surface.id, region) not in due:
                assert lying.get(region, EMPTY) == kind, (surface.id, region)


def test_an_evening_of_three_is_told_by_hands(tmp_path: Path) -> None:
    """From the first car that is parked: rolls, walks, goods, robberies, banking, turns that end by the next roll."""
    at = begin(tmp_path, 3, 2)
    at.play(24)
    told_by_hands(at)
    assert at.table.state.turns > 2


def test_five_players_by_the_rules_of_hong_kong(tmp_path: Path) -> None:
    at = begin(tmp_path, 5, 3, begun=90, options=HONG_KONG)
    at.play(14)
    told_by_hands(at)


def test_eight_players_find_room_in_the_picture(tmp_path: Path) -> None:
    at = begin(tmp_path, 8, 4, begun=60)
    at.play(12)
    told_by_hands(at)


def test_mistakes_with_thieves_and_cards_are_pointed_out_and_put_right(tmp_path: Path) -> None:
    """Thieves too far or through a wall, cards that no shop there sells, dice knocked over; forgotten carts."""
    at = begin(tmp_path, 3, 5, begun=40, slip=0.6, forget=0.3)
    at.play(14)
    assert at.bots.tally.slips > 2
    assert at.bots.tally.caught == at.bots.tally.slips, at.bots.tally.notes
    faithful(at, at.table.records)


@pytest.mark.parametrize("options", [{}, HONG_KONG])
def test_it_goes_on_over_pulled_plugs(options: dict[str, Any], tmp_path: Path) -> None:
    rng = random.Random(6)
    at = FarNight(tmp_path, 3, 6, QUICK, CAMERA, ("planner",), GAME, 40, options)
    while at.bots.busy or at.bots.tally.moves < 10:
        at.bots.step()
        if at.pictures % 12 == 11:
            at.far.pull_plug(rng)
        at.turn()
    assert at.far.kills >= 3
    faithful(at, at.stored())
