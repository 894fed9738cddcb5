"""A recorded evening is played again: nothing differs, and what does is told."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import pytest

import pi_app.table.referee
from pi_app.__main__ import main
from pi_app.engine.events import to_json
from pi_app.games.tag_city.rules.model import GameStarted
from pi_app.recording.bundle import FRAMES, INPUTS, Bundle, frame_name, newest_frames, save_bundle
from pi_app.recording.recorder import Recorder
from pi_app.recording.replay import VideoError, decide_again, look_again, write_video
from pi_app.recording.ring import Ring, evenings, mismatches
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Looked
from pi_app.table.table import Table
from tests.playing import TAG_CITY, house_setup, ticking
from tests.recording.recorded import CAMERA, TINY, Change, changed_zip, plenty, recorded_evening, told
from vision.rectify import nominal_lens

LIMIT = 30_000_000
MOVES = 6


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded_evening(tmp_path_factory.mktemp("evening"), LIMIT, MOVES)


@pytest.fixture(scope="module")
def evening(ring: Path) -> Path:
    save_bundle(evenings(ring)[0], ring / "evening.zip")
    return ring / "evening.zip"


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same evening, recorded with few pictures."""
    return recorded_evening(tmp_path_factory.mktemp("few"), LIMIT, MOVES, "few")


def lines_changed(change: Callable[[list[Any]], None]) -> Callable[[bytes], bytes]:
    def changed(data: bytes) -> bytes:
        lines = [json.loads(line) for line in data.splitlines()]
        change(lines)
        return "\n".join(map(json.dumps, lines)).encode()

    return changed


def test_an_evening_is_seen_and_decided_again_bit_for_bit(evening: Path) -> None:
    with Bundle(evening) as bundle:
        decided, looked = decide_again(bundle), look_again(bundle)
        looks = [line for line in bundle.lines() if isinstance(line.step.input, Looked)]
        runs = sum(line.afresh for line in looks)
    assert decided.differences == looked.differences == []
    assert decided.accepted == looked.accepted >= MOVES
    assert looked.compared + looked.beyond == len(looks)
    assert looked.compared >= 5
    assert looked.beyond > 0, "this ring is too small for the evening: the oldest pictures are gone"
    assert runs > 3


def test_the_bundle_of_a_mismatch_repeats_it(ring: Path) -> None:
    with Bundle(mismatches(ring)[-1]) as bundle:
        assert list(bundle.lines())[-1].step.wrong == ("city-1",)
        decided, looked = decide_again(bundle), look_again(bundle)
    assert decided.differences == looked.differences == []
    assert looked.compared > 0


def test_few_pictures_are_enough_to_decide_an_evening_again_and_to_look_at_it(few: Path, tmp_path: Path) -> None:
    save_bundle(evenings(few)[0], tmp_path / "few.zip")
    with Bundle(tmp_path / "few.zip") as bundle:
        decided, looked = decide_again(bundle), look_again(bundle)
        write_video(bundle, tmp_path / "few.avi")
        assert 3 <= len(bundle.pictures) < looked.beyond
    assert decided.same
    assert decided.accepted >= MOVES
    assert (looked.compared, looked.same) == (0, True)
    assert (tmp_path / "few.avi").stat().st_size > 0


def test_a_mismatch_is_seen_again_bit_for_bit_from_few_pictures(few: Path) -> None:
    [saved] = mismatches(few)
    with Bundle(saved) as bundle:
        decided, looked = decide_again(bundle), look_again(bundle)
        assert looked.compared == len(bundle.lossless) >= 2
    assert decided.same
    assert looked.same


def test_the_last_runs_alone_are_seen_again_bit_for_bit(ring: Path, tmp_path: Path) -> None:
    """What is small enough to be sent away repeats what it shows, and all decisions."""
    [evening] = evenings(ring)
    sizes = [path.stat().st_size for path in sorted((evening / FRAMES).glob("*.png"))]
    frames = newest_frames(evening, sum(sizes) // 2)
    assert 0 < len(frames) < len(sizes)
    save_bundle(evening, tmp_path / "last.zip", frames)
    with Bundle(tmp_path / "last.zip") as bundle:
        assert set(bundle.pictures) == {int(Path(name).stem) for name in frames}
        assert decide_again(bundle).same
        looked = look_again(bundle)
    assert looked.same
    assert looked.compared == len(frames)
    assert newest_frames(evening, 1) == set()


def test_an_evening_seen_through_a_measured_lens_is_seen_again_bit_for_bit(tmp_path: Path) -> None:
    lens = replace(nominal_lens(CAMERA.width_px, CAMERA.height_px), k1=0.01)
    save_bundle(evenings(recorded_evening(tmp_path, LIMIT, 1, lens=lens))[0], tmp_path / "lens.zip")
    with Bundle(tmp_path / "lens.zip") as bundle:
        assert bundle.lens == lens
        looked = look_again(bundle)
    assert looked.compared > 0
    assert looked.same


def test_a_reading_that_was_other_is_told(evening: Path, tmp_path: Path) -> None:
    def tamper(lines: list[Any]) -> None:
        look = next(line["input"] for line in reversed(lines) if line["input"]["type"] == "looked")
        region = look["boards"]["city-1"]["r7c7"]
        region.update(dict.fromkeys(region, -9.0), marked=0.0)

    path = changed_zip(evening, tmp_path / "other.zip", {INPUTS: lines_changed(tamper)})
    with Bundle(path) as bundle:
        looked = look_again(bundle)
    assert [told.partition(": ")[2] for told in looked.differences][:1] == ["city-1 r7c7 reads empty, read marked then"]


def test_a_digit_that_differs_is_told(evening: Path, tmp_path: Path) -> None:
    def tamper(lines: list[Any]) -> None:
        look = next(line["input"] for line in reversed(lines) if line["input"]["type"] == "looked")
        look["boards"]["city-1"]["r7c7"]["marked"] -= 1e-9

    path = changed_zip(evening, tmp_path / "other.zip", {INPUTS: lines_changed(tamper)})
    with Bundle(path) as bundle:
        looked = look_again(bundle)
    assert (looked.differences, looked.digits, looked.same) == ([], 1, False)
    assert "say the same with other digits: 1 (" in list(looked.lines())[1]


def test_a_program_that_decides_otherwise_is_told(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_app.table.referee.Referee, "_accept_one", lambda referee, verdicts: False)
    with Bundle(evening) as bundle:
        decided = decide_again(bundle)
    first = decided.differences[0]
    assert "would accept nothing; accepted 2 DiceRolled(" in first
    assert f"{len(decided.differences)} differences" in next(decided.lines())
    said = [each.partition(": ")[2] for each in decided.differences]
    assert all(one != other for one, other in pairwise(said)), "what goes on differing is told once"


def test_an_event_that_was_other_is_told(evening: Path, tmp_path: Path) -> None:
    def tamper(lines: list[Any]) -> None:
        rolled = [r for line in lines for r in line.get("records", []) if r["type"] == "dice_rolled"]
        rolled[0]["values"][0] = rolled[0]["values"][0] % 6 + 1

    path = changed_zip(evening, tmp_path / "other.zip", {INPUTS: lines_changed(tamper)})
    with Bundle(path) as bundle:
        assert len(decide_again(bundle).differences) == 1


def test_what_a_stranger_says_was_seen_may_be_nonsense(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def tamper(lines: list[Any]) -> None:
        for line in lines:
            if line["input"]["type"] == "looked":
                line["input"]["boards"] = {"city-1": {"r1c1": {}}, "hq": {"r1c1": {"x": 1.0}}}

    path = changed_zip(evening, tmp_path / "other.zip", {INPUTS: lines_changed(tamper)})
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr().err
    assert "makes no sense at this table" in said
    assert said.count("\n") == 1


def test_a_store_that_failed_then_fails_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, setup = Recorder(Ring(tmp_path / "ring", LIMIT, plenty)), house_setup(2)
    made.begin(told(setup), TINY)
    start = Command("do", {"event": to_json(GameStarted(0))})
    with Store(tmp_path / "games.db") as store:
        table = Table(TAG_CITY, store, setup, ticking())
        table.listen(made.heard)
        with monkeypatch.context() as broken:
            broken.setattr(Store, "_require", failing)
            table.step(start)
        assert table.records == []
        table.step(start)
        table.step(Command("undo"))
        assert len(table.records) == 1
    made.close()
    save_bundle(evenings(tmp_path / "ring")[0], tmp_path / "a.zip")
    with Bundle(tmp_path / "a.zip") as bundle:
        assert [line.step.failure is None for line in bundle.lines()] == [False, True, True]
        assert decide_again(bundle).differences == []


def failing(*parts: object) -> tuple[str, str]:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    raise error


def test_an_evening_that_went_on_with_an_interrupted_game(tmp_path: Path) -> None:
    setup = house_setup(2)
    with Store(tmp_path / "games.db") as store:
        Table(TAG_CITY, store, setup, ticking()).step(Command("do", {"event": to_json(GameStarted(1))}))
        table = Table(TAG_CITY, store, setup, ticking())
        table.step(Command("continue"))
        made = Recorder(Ring(tmp_path / "ring", LIMIT, plenty))
        made.begin(told(setup, table.history), TINY)
        table.listen(made.heard)
        table.step(Command("do", {"event": {"type": "dice_rolled", "values": [1, 2, 3]}}))
        table.step(Command("new_game"))
        table.step(Command("do", {"event": to_json(GameStarted(0))}))
        made.close()
    save_bundle(evenings(tmp_path / "ring")[0], tmp_path / "a.zip")
    with Bundle(tmp_path / "a.zip") as bundle:
        decided = decide_again(bundle)
    assert (decided.differences, decided.accepted) == ([], 2)


@pytest.mark.parametrize("name", ["evening.avi", "evening.mp4"])
def test_the_evening_as_a_video(evening: Path, tmp_path: Path, name: str) -> None:
    with Bundle(evening) as bundle:
        write_video(bundle, tmp_path / name)
        wanted = len(bundle.pictures)
    video = cv2.VideoCapture(str(tmp_path / name))
    shown = []
    while (read := video.read())[0]:
        shown.append(read[1].shape)
    assert shown == [(540, 960, 3)] * wanted


def test_a_video_that_cannot_be_written(evening: Path, tmp_path: Path) -> None:
    with Bundle(evening) as bundle, pytest.raises(VideoError, match="cannot be written"):
        write_video(bundle, tmp_path / "nowhere" / "evening.avi")


def test_on_the_command_line(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with Bundle(evening) as bundle:
        dropped: dict[str, Change] = {frame_name(number): lambda data: None for number in bundle.pictures[1:]}
    small = changed_zip(evening, tmp_path / "small.zip", dropped)
    assert main(["replay", str(small), "--video", str(tmp_path / "a.avi")]) == 0
    said = capsys.readouterr().out
    assert "events accepted; all as recorded" in said
    assert "a.avi: 1 pictures" in said
    for arguments in ([str(small), str(small)], [str(small), "--video", "a.txt"], ["nowhere.json", "--video", "a.avi"]):
        try:
            code = main(["replay", *arguments])
        except SystemExit as error:
            code = int(error.code or 0)
        assert code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_saving_the_last_evening_from_the_command_line(
    ring: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "my.toml"
    store = f"[store]\npath = '{tmp_path / 'games.db'}'\n"
    config.write_text(f"{store}[recorder]\npath = '{ring}'\n")
    assert main(["record", "save", str(tmp_path / "a.zip"), "--config", str(config)]) == 0
    assert "a.zip: " in capsys.readouterr().out
    with Bundle(tmp_path / "a.zip") as bundle:
        assert bundle.pictures
    config.write_text(f"{store}[recorder]\npath = 'nothing'\n")
    assert main(["record", "save", str(tmp_path / "b.zip"), "--config", str(config)]) == 2
    assert "there is no recording" in capsys.readouterr().err
    assert main(["record", "save", str(tmp_path / "no" / "b.zip"), "--config", str(config)]) == 2
    assert not (tmp_path / "b.zip").exists()
