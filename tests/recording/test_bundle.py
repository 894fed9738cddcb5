"""Bundles: what is written is read back, and what a stranger made is refused in one line."""

import json
import os
import struct
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_app.__main__ import main
from pi_app.engine.contract import Message
from pi_app.engine.events import Record
from pi_app.games.tag_city.rules.model import DiceRolled
from pi_app.perception.sight import Glance, Look
from pi_app.recording.bundle import CLEAN, INPUTS, LARGEST, MANIFEST, PACKED, BadBundle, Bundle, is_bundle, save_bundle
from pi_app.recording.lines import MOST_TIMES, BadLine, Line, read_line, written
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring, evenings
from pi_app.table.inputs import CameraLost, Command, Glanced, Input, Looked, Pressed, Step
from tests.e2e.night import renderer
from tests.playing import TAG_CITY, house_setup
from tests.recording.recorded import TINY, Change, changed_zip, plenty, some_step, told

SETUP = house_setup(3)
BEGAN = [Record(1, "2001-01-01T00:00:00Z", DiceRolled((1, 2, 3)))]

texts = st.text(max_size=20)
boards = st.sampled_from(["city-1", "city-2", "hq", "table"])
numbers = st.floats(allow_nan=False)
looks = st.dictionaries(texts, st.dictionaries(texts, numbers, max_size=3), max_size=3)
facts = st.dictionaries(texts, st.integers() | texts | st.none(), max_size=2)
inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(Glanced, st.builds(Glance, st.frozensets(boards), st.frozensets(boards), st.booleans())),
    st.builds(
        Looked,
        st.builds(Look, st.dictionaries(boards, looks), st.frozensets(boards)),
    ),
    st.builds(CameraLost, st.builds(Message, texts, facts)),
    st.builds(Pressed, texts, st.booleans()),
    st.builds(Command, texts, facts),
)
steps = st.builds(
    Step,
    inputs,
    st.sampled_from([(), tuple(BEGAN)]),
    st.none() | st.builds(Message, texts.map("store.{}".format), facts),
    st.lists(boards).map(tuple),
    st.none() | boards,
)


@given(st.builds(Line, steps, st.none() | st.integers(1, 10**6), st.booleans(), st.integers(1, MOST_TIMES)))
def test_every_line_is_read_as_it_was_written(line: Line) -> None:
    assert read_line(written(line), TAG_CITY.events) == line


INPUTS_IN_FULL = [
    Glanced(Glance(frozenset({"hq"}), frozenset({"city-1"}), light_changed=True)),
    Looked(Look({"city-1": {"r1c1": {"marked": -0.5}}}, frozenset({"hq"}), {"hq": {"tray": [(3, 20.5, 7.0)]}})),
    CameraLost(Message("hardware.camera.lost")),
    Pressed("undo", long=True),
    Command("undo", {}),
]
JUNK = [{}, {"a": 1}, [[]], [1, 2, 3, 4], "", 1.5, True]


def places(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value inside a JSON value, with the keys that lead there."""
    for key, value in told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ():
        yield (*path, key), value
        yield from places(value, (*path, key))


def with_value(text: str, path: tuple[Any, ...], value: object) -> str:
    told = at = json.loads(text)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(told)


@pytest.mark.parametrize("item", INPUTS_IN_FULL, ids=lambda item: type(item).__name__)
def test_a_line_with_a_value_of_another_type_is_refused(item: Input) -> None:
    step = Step(item, tuple(BEGAN), Message("store.full"), ("city-1",), "city-2")
    text = written(Line(step, 3, afresh=True, times=2))
    read_line(text, TAG_CITY.events)
    for path, value in places(json.loads(text)):
        for junk in JUNK:
            if type(junk) is not type(value):
                with pytest.raises(BadLine):
                    read_line(with_value(text, path, junk), TAG_CITY.events)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", "[" * 100_000, '{"input": {"type": "sneezed"}}'])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(BadLine):
        read_line(text, TAG_CITY.events)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    made = Recorder(Ring(tmp_path / "ring", 10_000_000, plenty), "all")
    made.begin(told(SETUP, BEGAN), TINY)
    made.picture(TINY, afresh=True)
    made.heard(Step(Looked(Look({}))))
    made.heard(some_step())
    made.close()
    save_bundle(evenings(tmp_path / "ring")[0], tmp_path / "good.zip")
    return tmp_path / "good.zip"


def test_a_bundle_tells_how_the_evening_began_and_what_recorded_it(good: Path) -> None:
    assert is_bundle(good)
    with Bundle(good) as bundle:
        assert (bundle.game.name, bundle.setup, bundle.records) == ("tag_city", SETUP, BEGAN)
        assert bundle.layout.boards == renderer().layout.boards, "to the last digit: reading depends on it"
        assert bundle.lens is None
        assert {"allcity", "Python", "OpenCV"} <= bundle.versions.keys()
        assert bundle.pictures == [1]
        assert bundle.picture(1).startswith(b"\x89PNG")
        assert [line.picture for line in bundle.lines()] == [1, None]


def test_a_failed_save_leaves_nothing(good: Path, tmp_path: Path) -> None:
    evening = evenings(tmp_path / "ring")[0]
    (evening / PACKED).unlink()
    with pytest.raises(OSError, match="inputs"):
        save_bundle(evening, tmp_path / "other.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.zip", "ring"]


def manifest_with(**changes: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **changes}).encode()


CHANGES: dict[str, tuple[str, Change]] = {
    "lacks manifest.json": (MANIFEST, lambda data: None),
    "lacks inputs.jsonl": (INPUTS, lambda data: None),
    "lacks clean.png": (CLEAN, lambda data: None),
    "manifest.json is no JSON": (MANIFEST, lambda data: b"\xff{"),
    "manifest.json is no object": (MANIFEST, lambda data: b"[]"),
    "has the format 9": (MANIFEST, manifest_with(format=9)),
    "has the format 2": (MANIFEST, manifest_with(format=2)),
    "manifest.json is wrong ('chess')": (MANIFEST, manifest_with(game="chess")),
    "manifest.json is wrong ('profile')": (MANIFEST, manifest_with(setup={})),
    "manifest.json is wrong (type": (MANIFEST, manifest_with(records=[{"seq": 1, "at": "", "type": "x"}])),
    "manifest.json is wrong (file:": (MANIFEST, manifest_with(layout={"boards": 3})),
    "manifest.json is wrong (a lens": (MANIFEST, manifest_with(lens={"fx": 1})),
    "manifest.json is larger than 20 MB": (MANIFEST, lambda data: b" " * (LARGEST[MANIFEST] + 1)),
    "inputs.jsonl, line 1: is no JSON": (INPUTS, lambda data: b"nonsense"),
    "inputs.jsonl, line 2: ": (INPUTS, lambda data: data.replace(b"glanced", b"sneezed")),
    "clean.png is cut off": (CLEAN, lambda data: data[:-30] + bytes(30)),
    "clean.png is neither": (CLEAN, lambda data: b"GIF89a"),
    "inputs.jsonl, line 1: 'times'": (INPUTS, lambda data: data.replace(b'"input"', b'"times":10000000,"input"')),
    "clean.png does not show city-1, city-2": (MANIFEST, lambda data: data),
}


def refused(capsys: pytest.CaptureFixture[str], path: Path, *more: str) -> str:
    """The one line that a person reads."""
    assert main(["replay", str(path), *more]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "Traceback" not in line
    return line


@pytest.mark.parametrize("why", CHANGES)
def test_a_bundle_that_is_wrong_is_refused(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], why: str
) -> None:
    name, change = CHANGES[why]
    assert why in refused(capsys, changed_zip(good, tmp_path / "bad.zip", {name: change}))


def test_a_damaged_picture_is_refused(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad: dict[str, Change] = {"frames/000001.png": lambda data: data[:-30] + bytes(18) + data[-12:]}
    path = changed_zip(good, tmp_path / "bad.zip", bad)
    assert "picture 1 is damaged" in refused(capsys, path, "--video", str(tmp_path / "a.avi"))


def test_more_inputs_than_anybody_waits_for_are_refused(good: Path, tmp_path: Path) -> None:
    glance = b'{"input":{"type":"glanced"},"times":36000}\n'
    path = changed_zip(good, tmp_path / "bad.zip", {INPUTS: lambda data: glance * 1_000})
    with Bundle(path) as bundle, pytest.raises(BadBundle, match="more than 10000000 inputs"):
        list(bundle.lines())


@pytest.mark.parametrize("year", [1970, 1979])
def test_a_clock_that_was_never_set_is_no_trouble(good: Path, tmp_path: Path, year: int) -> None:
    """ZIP files know no date before 1980; a Pi without a network starts in 1970."""
    at = datetime(year, 6, 1, tzinfo=UTC).timestamp()
    evening = evenings(tmp_path / "ring")[0]
    for path in evening.rglob("*"):
        os.utime(path, (at, at))
    save_bundle(evening, tmp_path / "old.zip")
    with Bundle(tmp_path / "old.zip") as bundle:
        assert bundle.pictures == [1]


@pytest.mark.parametrize(
    "name", ["../evil.png", "/etc/evil", "frames/../../evil.png", "frames/1.png", "C:\\evil", "frames/", "\u0661.png"]
)
def test_a_file_that_does_not_belong_there_is_refused(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with zipfile.ZipFile(good, "a") as bundle:
        bundle.writestr(name, b"evil")
    assert "does not belong there" in refused(capsys, good)
    assert not list(tmp_path.rglob("*evil*"))


def test_a_bomb_is_not_unpacked(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LARGEST, INPUTS, 1_000_000)
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for name in (MANIFEST, CLEAN):
            new.writestr(name, old.read(name))
        new.writestr(INPUTS, b" " * 50_000_000)
    # The directory of the ZIP may lie about sizes; what counts is what comes out.
    data = bytearray(bomb.read_bytes())
    entry = data.rindex(INPUTS.encode()) - 46
    data[entry + 24 : entry + 28] = struct.pack("<I", 100)
    bomb.write_bytes(data)
    with Bundle(bomb) as bundle, pytest.raises(BadBundle):
        list(bundle.lines())


def test_a_directory_of_countless_files_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as bundle:
        for number in range(40_000):
            bundle.writestr(f"frames/{number:06}.png", b"")
    assert "its directory is larger than 2 MB" in refused(capsys, tmp_path / "many.zip")


def test_a_file_that_is_there_twice_is_refused(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(good, "a") as bundle, pytest.warns(UserWarning, match="Duplicate"):
        bundle.writestr(MANIFEST, b"{}")
    assert "holds a file twice" in refused(capsys, good)


def test_a_locked_or_cut_bundle_is_refused(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = good.read_bytes()
    cut = tmp_path / "cut.zip"
    cut.write_bytes(data[: len(data) // 2])
    assert "is no bundle" in refused(capsys, cut)
    locked = bytearray(data)
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    cut.write_bytes(locked)
    assert "is damaged" in refused(capsys, cut)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_in_the_file_only_one_thing_is_raised(good: Path, data: st.DataObject) -> None:
    content = bytearray(good.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    changed = good.with_name("changed.zip")
    changed.write_bytes(content)
    try:
        with Bundle(changed) as bundle:
            list(bundle.lines())
            for number in bundle.pictures:
                bundle.picture(number)
    except BadBundle:
        return
