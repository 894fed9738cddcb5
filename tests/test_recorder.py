"""The recorder: what it keeps, within which limits, and that nothing that happens to it reaches play."""

import errno
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pi_app.bundle import Bundle, save_bundle
from pi_app.engine.events import to_json
from pi_app.games.tag_city.model import GameStarted
from pi_app.inputs import Command, Looked, Step
from pi_app.lines import Line, written
from pi_app.recorder import LINES_WAITING, PICTURES_WAITING, Recorder
from pi_app.ring import MISMATCHES_KEPT, SPARE, Ring, evenings, mismatches
from pi_app.sight import Look
from pi_app.store import Store
from pi_app.table import Table
from tests.playing import TAG_CITY, house_setup, ticking
from tests.recording import PLENTY, TINY, plenty, some_step, told

SETUP = house_setup(2)
LOOKED = Step(Looked(Look({})))
NOISE = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
LIMIT = 400_000


def recorder(folder: Path, limit: int = LIMIT, free: int = PLENTY) -> Recorder:
    made = Recorder(Ring(folder, limit, lambda path: free))
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


def test_a_mismatch_saves_a_bundle_and_few_are_kept(tmp_path: Path) -> None:
    made = recorder(tmp_path, limit=10_000_000)
    wrong = Step(some_step().input, wrong=("city-1",))
    for _ in range(MISMATCHES_KEPT + 3):
        look(made, made.wants_fresh_eyes)
        made.heard(wrong)
        made.heard(wrong)
        made.heard(some_step())
        made.work()
    numbers = [path.name for path in mismatches(tmp_path)]
    assert numbers == [f"mismatch-{n:06}.zip" for n in range(4, MISMATCHES_KEPT + 4)]
    with Bundle(mismatches(tmp_path)[0]) as bundle:
        assert [line.step for line in bundle.lines()][-1] == wrong
        assert bundle.pictures


def test_bundles_of_mismatches_count_within_the_limit(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    for number in range(60):
        look(made, made.wants_fresh_eyes)
        made.heard(Step(some_step().input, wrong=("city-1",) if number % 4 == 0 else ()))
        made.work()
        assert size(tmp_path) <= LIMIT
    assert mismatches(tmp_path)
    assert made.trouble is None


@pytest.mark.parametrize("cut", [1, 30])
def test_a_torn_end_is_dropped(tmp_path: Path, cut: int) -> None:
    made = recorder(tmp_path / "ring")
    for _ in range(3):
        look(made)
    made.close()
    evening = evenings(tmp_path / "ring")[0]
    for torn in (evening / "inputs.jsonl", evening / "frames" / "000003.png"):
        torn.write_bytes(torn.read_bytes()[:-cut])
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert [line.picture for line in bundle.lines()] == [1, 2]
        assert bundle.pictures == [1, 2]


KILLED = """
import sys
from pathlib import Path
from pi_app.recorder import Recorder
from pi_app.ring import Ring
from tests.recording import TINY, plenty, told
from tests.test_recorder import LIMIT, SETUP, look

made = Recorder(Ring(Path(sys.argv[1]), LIMIT, plenty))
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
    table.on_step = made.heard
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
        made.heard(some_step())
    made.close()
    with saved(tmp_path / "ring", tmp_path / "a.zip") as bundle:
        assert list(bundle.lines()) == [Line(some_step())] * 100


def test_most_lines_are_short() -> None:
    assert written(Line(Step(some_step().input))) == '{"input": {"type": "glanced", "moving": ["hq"]}}'
