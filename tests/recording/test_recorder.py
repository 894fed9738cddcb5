"""The recorder: what it keeps, within which limits, and that nothing that happens to it reaches play."""

import errno
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pi_app.engine.events import Record, to_json
from pi_app.games.tag_city.rules.model import GameStarted
from pi_app.perception.sight import Glance, Look
from pi_app.recording.bundle import Bundle, save_bundle
from pi_app.recording.lines import MOST_TIMES, Line, written
from pi_app.recording.moments import AROUND
from pi_app.recording.recorder import LINES_WAITING, MISMATCH_EVERY_S, PICTURES_WAITING, SMALL_EVERY_S, Recorder
from pi_app.recording.ring import MISMATCHES_KEPT, SPARE, Ring, evenings, mismatches
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Glanced, Looked, Pressed, Step
from pi_app.table.table import Table
from tests.hardware.clock import Clock
from tests.playing import TAG_CITY, house_setup, ticking
from tests.recording.recorded import PLENTY, TINY, plenty, some_step, told
from vision.pictures import decode_picture

SETUP = house_setup(2)
LOOKED = Step(Looked(Look({})))
NOISE = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
LIMIT = 400_000


def recorder(folder: Path, limit: int = LIMIT, free: int = PLENTY, clock: Clock | None = None) -> Recorder:
    """One that keeps all pictures."""
    made = Recorder(Ring(folder, limit, lambda path: free), "all", clock=clock or Clock())
    made.begin(told(SETUP), TINY)
    made.work()
    return made


def look(made: Recorder, afresh: bool = False) -> None:
    made.picture(NOISE, afresh)
    made.heard(LOOKED)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def saved(folder: Path, file: Path) -> Bundle:
    save_bundle(evenings(folder)[-1], file)
    return Bundle(file)


def test_inputs_and_pictures_are_kept_in_order(tmp_path: Path) -> None:
    made = recorder(tmp_path / "ring")
    made.heard(some_step())
    look(made, afresh=True)
    look(made)
    made.close()
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert list(bundle.lines()) == [Line(some_step()), Line(LOOKED, 1, afresh=True), Line(LOOKED, 2)]
        assert bundle.pictures == [1, 2]


def test_the_limit_is_kept_and_no_input_is_lost(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    runs = 0
    for _ in range(120):
        afresh = made.wants_fresh_eyes
        runs += afresh
        look(made, afresh)
        made.work()
        assert size(tmp_path) <= LIMIT
    made.close()
    assert made.trouble is None
    with saved(tmp_path, tmp_path.with_suffix(".zip")) as bundle:
        assert [line.picture for line in bundle.lines()] == list(range(1, 121))
        first = next(line for line in bundle.lines() if line.picture == bundle.pictures[0])
        assert first.afresh, "pictures are dropped by whole runs"
        assert bundle.pictures[-1] == 120
    assert runs > 6


def test_earlier_evenings_go_first(tmp_path: Path) -> None:
    for _ in range(3):
        made = recorder(tmp_path)
        for number in range(10):
            look(made, afresh=number == 0)
            made.work()
        made.close()
    assert [path.name for path in evenings(tmp_path)] == ["evening-000002", "evening-000003"]
    assert size(tmp_path) <= LIMIT


WRONG = Step(Glanced(Glance()), wrong=("city-1",))


def test_a_mismatch_saves_a_bundle_and_few_are_kept(tmp_path: Path) -> None:
    clock = Clock()
    made = recorder(tmp_path, limit=10_000_000, clock=clock)
    for _ in range(MISMATCHES_KEPT + 3):
        clock.go(MISMATCH_EVERY_S)
        look(made, made.wants_fresh_eyes)
        made.heard(WRONG)
        made.heard(WRONG)
        made.heard(some_step())
        made.work()
    numbers = [path.name for path in mismatches(tmp_path)]
    assert numbers == [f"mismatch-{n:06}.zip" for n in range(4, MISMATCHES_KEPT + 4)]
    with Bundle(mismatches(tmp_path)[0]) as bundle:
        assert [line.step for line in bundle.lines()][-1] == WRONG
        assert bundle.pictures


def test_mismatches_in_a_row_save_one_bundle(tmp_path: Path) -> None:
    made = recorder(tmp_path, limit=10_000_000)
    for _ in range(4):
        made.heard(WRONG)
        made.heard(some_step())
    made.work()
    assert len(mismatches(tmp_path)) == 1


def test_bundles_of_mismatches_count_within_the_limit(tmp_path: Path) -> None:
    clock = Clock()
    made = recorder(tmp_path, clock=clock)
    for number in range(60):
        clock.go(MISMATCH_EVERY_S)
        look(made, made.wants_fresh_eyes)
        made.heard(Step(some_step().input, wrong=("city-1",) if number % 4 == 0 else ()))
        made.work()
        assert size(tmp_path) <= LIMIT
    assert mismatches(tmp_path)
    assert made.trouble is None


@pytest.mark.parametrize(("cut", "lines"), [(9, 3), (20, 2), (35, 1)])
@pytest.mark.parametrize("after", [b"", bytes(500), b"nonsense"])
def test_a_torn_end_is_dropped(tmp_path: Path, cut: int, lines: int, after: bytes) -> None:
    made = recorder(tmp_path / "ring")
    for _ in range(3):
        look(made)
    made.close()
    evening = evenings(tmp_path / "ring")[0]
    for torn in (evening / "inputs.jsonl.gz", evening / "frames" / "000003.png"):
        torn.write_bytes(torn.read_bytes()[:-cut] + after)
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert [line.picture for line in bundle.lines()] == [1, 2, 3][:lines]
        assert bundle.pictures == [1, 2]


KILLED = """
import sys
from pathlib import Path
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring
from tests.recording.recorded import TINY, plenty, told
from tests.recording.test_recorder import LIMIT, SETUP, look

made = Recorder(Ring(Path(sys.argv[1]), LIMIT, plenty), "all")
made.begin(told(SETUP), TINY)
while True:
    look(made, made.wants_fresh_eyes)
    made.work()
    print("one more", flush=True)
"""


def test_killed_in_the_middle_leaves_a_recording(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(60):
            assert process.stdout.readline() == b"one more\n"
        process.kill()
    with saved(tmp_path, tmp_path / "a.zip") as bundle:
        assert len(list(bundle.lines())) >= 60
        assert bundle.pictures
    again = recorder(tmp_path)
    again.close()
    assert again.trouble is None


def playing(folder: Path, made: Recorder) -> Table:
    """A table that is recorded, and that has accepted something."""
    table = Table(TAG_CITY, Store(folder / "games.db"), SETUP, ticking())
    table.listen(made.heard)
    for _ in range(LINES_WAITING + 10):
        table.step(Command("restore", {"board": "city-1"}))
    table.step(Command("do", {"event": to_json(GameStarted(0))}))
    assert [record.event for record in table.records] == [GameStarted(0)]
    return table


def test_a_full_disk_stops_the_recording_and_not_the_game(tmp_path: Path) -> None:
    made = recorder(tmp_path / "ring", free=SPARE - 1)
    assert made.trouble == ("recorder.full", {})
    playing(tmp_path, made)
    assert not made.wants_fresh_eyes


def test_a_disk_that_fills_up_meanwhile_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorder(tmp_path / "ring")
    look(made, afresh=True)
    made.work()
    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", no_space)
        look(made)
        made.work()
    assert made.trouble == ("recorder.full", {})
    playing(tmp_path, made)
    made.close()
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert [line.picture for line in bundle.lines()] == bundle.pictures == [1]


def no_space(path: Path, data: bytes) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_place_that_cannot_be_written_stops_the_recording_and_not_the_game(tmp_path: Path) -> None:
    (tmp_path / "ring").write_text("no folder")
    made = recorder(tmp_path / "ring")
    assert made.trouble is not None
    assert made.trouble[0] == "recorder.failed"
    playing(tmp_path, made)


def test_pictures_larger_than_the_limit_stop_the_recording(tmp_path: Path) -> None:
    made = recorder(tmp_path, limit=70_000)
    look(made)
    made.work()
    assert made.trouble == ("recorder.large", {})


def test_a_disk_that_never_answers_does_not_hold_up_play(tmp_path: Path) -> None:
    made = Recorder(Ring(tmp_path / "ring", LIMIT, plenty))
    playing(tmp_path, made)
    assert made.trouble == ("recorder.slow", {})
    made.close()


def test_a_slow_disk_loses_pictures_and_starts_again_when_it_keeps_up(tmp_path: Path) -> None:
    made = recorder(tmp_path / "ring")
    assert made.wants_fresh_eyes
    for number in range(PICTURES_WAITING + 2):
        look(made, afresh=number == 0)
        assert not made.wants_fresh_eyes
    made.work()
    assert made.wants_fresh_eyes
    look(made, afresh=True)
    made.work()
    assert not made.wants_fresh_eyes
    made.close()
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert [line.picture for line in bundle.lines()] == [1, 2, 3, 4, 5, 6, 7]
        assert bundle.pictures == [1, 2, 3, 4, 7]


def test_a_thread_of_its_own_writes_all_before_it_ends(tmp_path: Path) -> None:
    made = Recorder(Ring(tmp_path / "ring", LIMIT, plenty))
    made.start()
    made.begin(told(SETUP), TINY)
    for _ in range(100):
        made.heard(LOOKED)
    made.close()
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert list(bundle.lines()) == [Line(LOOKED)] * 100


def test_most_lines_are_short() -> None:
    assert written(Line(Step(some_step().input))) == '{"input":{"type":"glanced","moving":["hq"]}}'


# --- few pictures -----------------------------------------------------------------------------

ACCEPTED = Step(Looked(Look({})), (Record(1, "", GameStarted(0)),))
HOURLY = 30_000_000
PICTURE = np.random.default_rng(1).integers(0, 256, (540, 960, 3), dtype=np.uint8)


def thrifty(folder: Path, clock: Clock, per_hour: int = HOURLY) -> Recorder:
    """One that keeps few pictures."""
    made = Recorder(Ring(folder, 100_000_000, plenty), "few", per_hour, clock)
    made.begin(told(SETUP), PICTURE)
    made.work()
    return made


def seen(made: Recorder, step: Step = LOOKED) -> None:
    made.picture(PICTURE, made.wants_fresh_eyes)
    made.heard(step)
    made.work()


def kinds(folder: Path) -> list[str]:
    return sorted(path.name for path in (evenings(folder)[-1] / "frames").iterdir())


def test_readings_alone_leave_no_pictures(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock())
    for _ in range(20):
        seen(made)
    assert kinds(tmp_path) == []


def test_accepted_moves_leave_small_pictures_now_and_then(tmp_path: Path) -> None:
    clock = Clock()
    made = thrifty(tmp_path, clock)
    for _ in range(3):
        seen(made, ACCEPTED)
    clock.go(SMALL_EVERY_S)
    seen(made, ACCEPTED)
    made.close()
    assert kinds(tmp_path) == ["000001.jpg", "000004.jpg"]
    with saved(tmp_path, tmp_path / "a.zip") as bundle:
        assert (bundle.pictures, bundle.lossless) == ([1, 4], [])


@pytest.mark.parametrize(
    "step",
    [
        Step(Looked(Look({})), asked="city-2"),
        Step(Looked(Look({})), wrong=("city-1",)),
        Step(Command("undo")),
        Step(Command("correct", {"corrections": {}})),
        Step(Pressed("undo")),
    ],
)
def test_what_people_will_want_to_see_leaves_the_pictures_around_it(tmp_path: Path, step: Step) -> None:
    made = thrifty(tmp_path, Clock(), per_hour=100_000_000)
    for _ in range(4):
        seen(made)
    made.heard(step)
    made.work()
    for _ in range(3):
        seen(made, replace(LOOKED, asked=step.asked, wrong=step.wrong))
    assert kinds(tmp_path) == [f"{number:06}.jpg" for number in range(5 - AROUND, 6)]


def test_an_accepted_move_that_is_undone_is_seen_whole(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock(), per_hour=100_000_000)
    large = np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), dtype=np.uint8)
    for step in (ACCEPTED, Step(Command("undo"))):
        made.picture(large, made.wants_fresh_eyes)
        made.heard(step)
        made.work()
    made.close()
    with saved(tmp_path, tmp_path / "a.zip") as bundle:
        assert decode_picture(bundle.picture(1)).shape == large.shape
    assert made._ring._bytes == size(evenings(tmp_path)[0])


def test_a_mismatch_bundle_holds_lossless_pictures_from_where_the_reader_started_afresh(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock(), per_hour=100_000_000)
    for _ in range(7):
        seen(made)
    made.heard(WRONG)
    made.work()
    with Bundle(mismatches(tmp_path)[0]) as bundle:
        first = next(line for line in bundle.lines() if line.picture == bundle.lossless[0])
        assert first.afresh
        assert bundle.lossless[-1] == 7
        assert AROUND <= len(bundle.lossless) < 7
        assert list(bundle.lines())[-1].step == WRONG


def test_no_more_is_written_in_an_hour_than_was_asked_for_and_no_input_is_lost(tmp_path: Path) -> None:
    clock = Clock()
    made = thrifty(tmp_path, clock)
    for number in range(600):
        clock.go(6.0)
        seen(made, Step(Looked(Look({})), wrong=("city-1",) if number % 4 == 0 else ()))
    assert made.trouble is None
    assert HOURLY // 2 < made._ring.written <= HOURLY
    made.close()
    with saved(tmp_path, tmp_path / "a.zip") as bundle:
        assert [line.picture for line in bundle.lines()] == list(range(1, 601))


def test_too_many_inputs_end_the_recording(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock(), per_hour=2_000_000)
    noise = random.Random(1)
    for _ in range(500):
        made.heard(Step(Command("restore", {"board": noise.randbytes(10_000).hex()})))
        made.work()
    assert made.trouble == ("recorder.flooded", {})
    assert size(tmp_path) < 4_000_000


def test_glances_that_say_the_same_are_one_line(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock())
    quiet, moving = Step(Glanced(Glance())), some_step()
    for step in (*[quiet] * 5, moving, *[quiet] * (MOST_TIMES + 2), LOOKED, quiet):
        made.heard(step)
        made.work()
    before = made._ring.written
    for _ in range(1_000):
        made.heard(quiet)
        made.work()
    assert made._ring.written == before, "at rest nothing is written"
    made.close()
    with saved(tmp_path, tmp_path / "a.zip") as bundle:
        assert list(bundle.lines()) == [
            Line(quiet, times=5),
            Line(moving),
            Line(quiet, times=MOST_TIMES),
            Line(quiet, times=2),
            Line(LOOKED),
            Line(quiet, times=1_001),
        ]


def test_few_pictures_wait_in_memory(tmp_path: Path) -> None:
    made = thrifty(tmp_path, Clock())
    for _ in range(40):
        made.picture(PICTURE, afresh=False)  # a hand lies over the table: the reader cannot start afresh
        made.heard(LOOKED)
        made.work()
    assert len(made._moments.run()) <= 8


# --- whatever happens -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [ValueError("ZIP does not support timestamps before 1980"), MemoryError(), KeyError(3)]
)
def test_nothing_ends_the_thread_that_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken(*arguments: object) -> None:
        raise error

    made = Recorder(Ring(tmp_path / "ring", LIMIT, plenty))
    made.start()
    made.begin(told(SETUP), TINY)
    monkeypatch.setattr(Ring, "add", broken)
    made.heard(LOOKED)
    made.heard(LOOKED)
    made.close()
    assert made._thread is not None
    assert not made._thread.is_alive()
    assert made.trouble is not None
    assert made.trouble[0] == "recorder.failed"
    assert made.trouble[1]["why"]


def test_a_disk_that_fails_at_the_very_end_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorder(tmp_path / "ring")
    monkeypatch.setattr(Ring, "_append", lambda ring, data: no_space(tmp_path, data))
    made.close()
    assert made.trouble == ("recorder.full", {})
