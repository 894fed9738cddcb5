"""Real processes, really killed at any moment, or without room on the disk: the game goes on, and nothing is lost."""

import random
from pathlib import Path

import pytest

from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from tests.e2e.far import FarNight
from tests.e2e.night import CAMERA, QUICK, faithful
from tests.playing import TAG_CITY

GAME_STARTED = Command("do", {"event": {"type": "game_started", "leader": 0}})


@pytest.fixture
def at(tmp_path: Path) -> FarNight:
    return FarNight(tmp_path, 2, 61, QUICK, CAMERA, ("greedy",))


def test_a_game_goes_on_over_many_pulled_plugs(at: FarNight) -> None:
    rng = random.Random(61)
    while at.bots.tally.moves < 12:
        at.bots.step()
        if at.pictures % 5 == 4:
            at.far.pull_plug(rng)
        at.turn()
    assert at.far.kills >= 5
    faithful(at, at.stored())


@pytest.mark.parametrize(("moment", "kept"), [("INSERT", 0), ("COMMIT", 0), ("done", 1)])
def test_what_is_being_written_is_there_wholly_or_not_at_all(
    at: FarNight, moment: str, kept: int, tmp_path: Path
) -> None:
    at.far._pipe.send(("die in write", moment))
    at.far.put(GAME_STARTED)
    at.turn()
    assert at.far.kills == 1
    with Store(tmp_path / "games.db") as store:
        assert len(store.records(1, TAG_CITY.events)) == kept
    assert len(at.far.records) == kept
    at.far.put(GAME_STARTED)
    at.turn()
    assert [record.event.type for record in at.stored()] == ["game_started"]


def test_a_disk_without_room_is_told_and_what_was_seen_meanwhile_counts_when_there_is_room(at: FarNight) -> None:
    at.far.put(GAME_STARTED)
    at.turn(2)
    at.far.fill_disk()
    at.sim.roll(3)
    at.turn()
    at.sim.roll(3, (1, 2, 5))
    at.turn(6)
    assert at.far.view()["trouble"]["reason"] == "store.disk_error"  # a limit, not the disk
    assert len(at.far.records) == 1
    at.far.fill_disk(False)
    at.turn(2)
    assert at.far.view()["trouble"] is None
    assert [record.event.type for record in at.stored()] == ["game_started", "dice_rolled"]
