"""A whole table read frame by frame, and from the command line."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from pi_app.__main__ import main
from tests.vision.one_board import BOARD, clean_frame, drawn, house, shot_of, with_ink
from vision.__main__ import main as show_stages
from vision.dice import SeenDie
from vision.eye import below
from vision.layout import Layout, layout_json
from vision.locate import find_boards
from vision.markers import Image
from vision.networks import network
from vision.overlay import overlay
from vision.pictures import save_picture
from vision.read import Reader, reading_json
from vision.render import Camera, Die, PlacedBoard, Scene, Sensor, TableTop, by_hand, in_section

HQ = PlacedBoard("hq", rotation_deg=15.0)


def hq_scene(tilt_deg: float = 0.0) -> Scene:
    """A die on every section, one beside the board."""
    layout, _, _ = house()
    board = layout.board("hq")
    dice = [Die(n, in_section(HQ, board, f"section.{n}"), 20.0 * n) for n in range(1, 7)]
    camera = Camera(size_px=(720, 640), distance_mm=800.0, focal_px=1900.0, tilt_deg=tilt_deg, turn_deg=40.0)
    return Scene((HQ,), (*dice, Die(4, (125.0, 0.0), 5.0)), camera=camera, sensor=Sensor(noise=2.0, blur_px=0.6))


def hq_reader(scene: Scene) -> Reader:
    """A reader that knows the HQ without dice."""
    reader = Reader(house()[0])
    reader.take_reference(frame_of(replace(scene, dice=(), moment=9)))
    return reader


def frame_of(scene: Scene) -> Image:
    return np.asarray(shot_of(scene).frame_bgr, np.uint8)


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_dice_are_told_with_the_section_they_lie_on(tilt_deg: float) -> None:
    scene = hq_scene(tilt_deg)
    reading = hq_reader(scene).read(frame_of(scene))
    sections = sorted((die.region or "beside", die.value) for die in reading.dice)
    assert sections == [("beside", 4), *((f"section.{n}", n) for n in range(1, 7))]


def test_dice_on_the_hq_are_found_although_the_cloth_was_pulled() -> None:
    scene = replace(hq_scene(0.0), table=TableTop("striped", (40.0, 40.0, 40.0), (220.0, 220.0, 220.0), 23.0))
    reader = hq_reader(scene)
    pulled = replace(scene, table=replace(scene.table, pattern_mm=31.0))
    sections = {die.region: die.value for die in reader.read(frame_of(pulled)).dice if die.region}
    assert sections == {f"section.{n}": n for n in range(1, 7)}


def test_the_foot_of_a_die_is_below_its_top_also_at_a_slant() -> None:
    scene = hq_scene(30.0)
    shot = shot_of(scene)
    layout = house()[0]
    pose = find_boards(np.asarray(shot.frame_bgr, np.uint8), layout).boards["hq"]
    for number, die in enumerate(shot.truth.dice[:6], 1):
        x, y = np.mean(layout.board("hq").regions[f"section.{number}"], axis=0)
        assert np.hypot(*np.subtract(below(pose, die.centre_px, 16.0, scene.camera.size_px), (x, y))) < 3


def test_a_die_that_moved_is_read_where_it_lies_now_and_the_others_stay() -> None:
    scene = hq_scene()
    first, *others = scene.dice
    moved = replace(first, centre_mm=(-125.0, 10.0), value=5)
    reader = hq_reader(scene)
    before = reader.read(frame_of(scene))
    after = reader.read(frame_of(replace(scene, dice=(moved, *others), moment=3)))
    assert sorted(die.value for die in before.dice) == [1, 2, 3, 4, 4, 5, 6]
    assert sorted(die.value for die in after.dice) == [2, 3, 4, 4, 5, 5, 6]
    stayed = {(die.value, die.region) for die in before.dice} & {(die.value, die.region) for die in after.dice}
    assert len(stayed) == 6


def test_a_die_at_the_edge_of_what_changed_is_one_die() -> None:
    """Remembered, and found again because another one was put down beside it."""
    scene = hq_scene()
    reader, one = hq_reader(scene), Die(2, (0.0, -33.0), 10.0)
    reader.read(frame_of(replace(scene, dice=(one,), moment=2)))
    beside = frame_of(replace(scene, dice=(one, Die(2, (35.0, -39.0), -20.0)), moment=3))
    assert [die.value for die in reader.read(beside).dice] == [2, 2]


def test_without_a_clean_picture_the_kit_s_own_is_used(tmp_path: Path) -> None:
    layout = kit_in(tmp_path)
    ink = [by_hand(region, "cross", care=0.9, seed=4) for region in ("r2c2", "r6c9")]
    marks = dict(Reader(layout).read(frame_of(with_ink(*ink))).marks[BOARD])
    sure = {region: kind for region, kind in drawn(marks).items() if kind != "unsure"}
    assert sure == {"r2c2": "marked", "r6c9": "marked"}
    assert sum(mark.kind == "unsure" for mark in marks.values()) < 15


@pytest.mark.parametrize(("confidence", "told"), [(0.85, ["beside"]), (0.95, ["on the city", "beside"])])
def test_a_doubtful_die_on_a_city_is_a_printed_box(
    monkeypatch: pytest.MonkeyPatch, confidence: float, told: list[str]
) -> None:
    frame, place = clean_frame(), {"on the city": (320.0, 240.0), "beside": (8.0, 8.0)}
    dice = [SeenDie(1, confidence, centre_px, 28.0) for centre_px in place.values()]
    monkeypatch.setattr("vision.read.find_dice", lambda *arguments: tuple(dice))
    reader = Reader(house()[0])
    reader.take_reference(frame)
    assert [die.centre_px for die in reader.read(frame).dice] == [place[where] for where in told]


def test_what_is_printed_is_no_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout, shot = kit_in(tmp_path), shot_of(hq_scene())
    frame = np.asarray(shot.frame_bgr, np.uint8)
    marker = find_boards(frame, layout).boards["hq"].to_frame(layout.board("hq").markers[16]).mean(axis=0)
    die, printed = shot.truth.dice[1].centre_px, (float(marker[0]), float(marker[1]))
    monkeypatch.setattr(
        "vision.read.find_dice", lambda *arguments: tuple(SeenDie(2, 0.97, place, 28.0) for place in (die, printed))
    )
    assert [told.centre_px for told in Reader(layout).read(frame).dice] == [die]


def test_dice_on_print_are_told(tmp_path: Path) -> None:
    dice = Reader(kit_in(tmp_path)).read(frame_of(hq_scene())).dice
    assert sorted(die.value for die in dice) == [1, 2, 3, 4, 4, 5, 6]


def test_what_did_not_change_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(house()[0])
    reader.take_reference(clean_frame())
    first = reader.read(frame_of(with_ink(by_hand("r1c1", "fill"))))
    monkeypatch.setattr("vision.read.read_marks", _must_not_be_called)
    monkeypatch.setattr("vision.read.find_dice", _must_not_be_called)
    again = reader.read(frame_of(replace(with_ink(by_hand("r1c1", "fill")), moment=5)))
    assert again.marks[BOARD] is first.marks[BOARD]


def _must_not_be_called(*arguments: object) -> None:
    raise AssertionError("read again")


@pytest.mark.parametrize("later", ["more ink", "a bumped board", "a shadow of the light"])
def test_what_changed_is_read_again(later: str) -> None:
    reader = Reader(house()[0])
    reader.take_reference(clean_frame())
    one, two = by_hand("r1c1", "fill", care=0.9), by_hand("r7c7", "cross", care=0.9)
    reader.read(frame_of(with_ink(one)))
    scene = with_ink(one, two)
    if later == "a bumped board":
        scene = replace(scene, boards=(replace(scene.boards[0], centre_mm=(6.0, -4.0), rotation_deg=3.0),))
    if later == "a shadow of the light":
        scene = replace(scene, lights=replace(scene.lights, level=0.6))
    assert drawn(dict(reader.read(frame_of(scene)).marks[BOARD])) == {"r1c1": "marked", "r7c7": "marked"}


def just_the_city() -> Reader:
    """A reader of a kit with one board, which knows it clean."""
    layout = house()[0]
    reader = Reader(replace(layout, boards=(layout.board(BOARD),)))
    reader.take_reference(clean_frame())
    return reader


def test_boards_that_stand_as_in_the_clean_picture_are_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = just_the_city()
    monkeypatch.setattr("vision.track.find_boards_in", _must_not_be_called)
    assert drawn(dict(reader.read(frame_of(with_ink(by_hand("r3c3", "fill", care=0.9)))).marks[BOARD])) == {
        "r3c3": "marked"
    }


def test_boards_that_lie_elsewhere_than_in_the_clean_picture_are_found_and_missing_ones_are_not_told() -> None:
    pushed = with_ink(by_hand("r3c3", "fill", care=0.9))
    pushed = replace(pushed, boards=(replace(pushed.boards[0], centre_mm=(3.0, -2.0), rotation_deg=1.5),))
    assert drawn(dict(just_the_city().read(frame_of(pushed)).marks[BOARD])) == {"r3c3": "marked"}
    assert BOARD not in just_the_city().read(np.full_like(clean_frame(), 120)).found.boards


def test_a_board_under_a_hand_is_remembered_but_not_read_for_sure() -> None:
    reader = Reader(house()[0])
    reader.take_reference(clean_frame())
    reader.read(clean_frame())
    covered = np.full_like(clean_frame(), 120)
    reading = reader.read(covered)
    assert reading.found.boards[BOARD].age == 1
    assert {mark.kind for mark in reading.marks[BOARD].values()} == {"unsure"}


def test_a_board_without_regions_has_no_marks() -> None:
    layout = house()[0]
    bare = replace(layout, boards=tuple(replace(board, regions={}) for board in layout.boards))
    reader = Reader(bare)
    reader.take_reference(clean_frame())
    reading = reader.read(clean_frame())
    assert BOARD in reading.found.boards
    assert not reading.marks


def read_as(**readers: str) -> Layout:
    """The house edition, with other readers on its first board."""
    layout = house()[0]
    board = layout.board(BOARD)
    return replace(layout, boards=(replace(board, readers={**board.readers, **readers}), *layout.boards[1:]))


def test_a_die_lies_on_a_place_for_dice_of_whatever_board() -> None:
    layout = read_as(r4c6="dice")
    place = in_section(PlacedBoard(BOARD), layout.board(BOARD), "r4c6")
    scene = replace(with_ink(by_hand("r2c5", "fill", care=0.9)), dice=(Die(3, place, 20.0), Die(5, (0.0, 60.0))))
    reader = Reader(layout)
    reader.take_reference(clean_frame())
    reading = reader.read(frame_of(scene))
    assert sorted((die.value, die.board, die.region) for die in reading.dice if die.region) == [(3, BOARD, "r4c6")]
    assert "r4c6" not in reading.marks[BOARD]
    assert reading.marks[BOARD]["r2c5"].kind == "marked"
    assert sorted(die["section"] or "" for die in reading_json(layout, reading)["dice"])[-1] == "r4c6"


def test_regions_of_readers_that_we_do_not_have_are_not_read() -> None:
    one, all_of_them = "r2c5", dict.fromkeys(house()[0].board(BOARD).regions, "smell")
    for readers in ({one: "smell"}, all_of_them):
        reader = Reader(read_as(**readers))
        reader.take_reference(clean_frame())
        marks = reader.read(frame_of(with_ink(by_hand("r2c5", "fill", care=0.9)))).marks.get(BOARD, {})
        assert set(marks) == house()[0].board(BOARD).regions.keys() - readers.keys()


def test_a_grey_camera_reads_too() -> None:
    grey = [
        cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        for frame in (clean_frame(), frame_of(with_ink(by_hand("r2c5", "fill"))))
    ]
    reader = Reader(house()[0])
    reader.take_reference(np.asarray(grey[0], np.uint8))
    assert drawn(dict(reader.read(np.asarray(grey[1], np.uint8)).marks[BOARD])) == {"r2c5": "marked"}


def test_the_json_names_every_board_found_or_not() -> None:
    layout = house()[0]
    reader = Reader(layout)
    reader.take_reference(clean_frame())
    told = reading_json(layout, reader.read(frame_of(with_ink(by_hand("r2c5", "fill", care=0.9)))))
    assert [(board["id"], board["found"]) for board in told["boards"]] == [
        ("city-1", True), ("city-2", False), ("city-3", False), ("city-4", False), ("hq", False),
    ]  # fmt: skip
    assert set(told["boards"][0]["marks"]) == set(layout.board(BOARD).regions)
    assert told["boards"][0]["marks"]["r2c5"]["kind"] == "marked"
    assert (told["dice"], told["pieces"], told["cards"]) == ([], [], [])
    assert json.loads(json.dumps(told)) == told


def test_the_overlay_draws_over_marks_and_leaves_the_rest() -> None:
    layout, frame = house()[0], frame_of(with_ink(by_hand("r2c5", "fill", care=0.9)))
    reader = Reader(layout)
    reader.take_reference(clean_frame())
    drawn_over = overlay(frame, layout, reader.read(frame))
    assert drawn_over.shape[0] % frame.shape[0] == 0
    larger = drawn_over.shape[0] // frame.shape[0]
    pose = find_boards(frame, layout).boards[BOARD]
    x, y = (pose.to_frame([layout.board(BOARD).regions["r2c5"][0]])[0] * larger).astype(int)
    corner = drawn_over[y : y + 12 * larger, x : x + 12 * larger].astype(int)
    greenish = (corner[..., 1] - corner[..., 2] > 80) & (corner[..., 1] - corner[..., 0] > 60)
    assert greenish.any()


# --- the command line -------------------------------------------------------------------------

Output = pytest.CaptureFixture[str]


def kit_in(folder: Path) -> Layout:
    """The kit as `allcity kit` leaves it, without the pages to print."""
    layout = replace(house()[0], folder=folder)
    (folder / "layout.json").write_text(json.dumps(layout_json(layout)), encoding="utf-8")
    for board_id, picture in house()[2].items():
        save_picture(folder / f"{board_id}.png", picture)
    return layout


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "kit"
    folder.mkdir()
    kit_in(folder)
    return folder


def written(path: Path, frame: Image) -> str:
    save_picture(path, frame)
    return str(path)


def test_read_prints_the_contracted_json_and_writes_the_overlay(kit: Path, tmp_path: Path, capsys: Output) -> None:
    picture = written(tmp_path / "now.png", frame_of(with_ink(by_hand("r2c5", "fill", care=0.9))))
    clean = written(tmp_path / "clean.png", clean_frame())
    seen = tmp_path / "seen.png"
    assert main(["read", picture, "--kit", str(kit), "--reference", clean, "--json", "--overlay", str(seen)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["boards"][0]["marks"]["r2c5"]["kind"] == "marked"
    assert cv2.imread(str(seen)) is not None


def test_read_tells_people_in_words(kit: Path, tmp_path: Path, capsys: Output) -> None:
    picture = written(tmp_path / "now.png", frame_of(with_ink(by_hand("r2c5", "fill", care=0.9))))
    clean = written(tmp_path / "clean.png", clean_frame())
    assert main(["read", picture, "--kit", str(kit), "--reference", clean]) == 0
    out = capsys.readouterr().out
    assert "city-1: marked r2c5" in out
    assert "city-2: not found" in out
    assert "no dice" in out


def test_a_reference_that_lacks_a_board_is_noted(kit: Path, tmp_path: Path, capsys: Output) -> None:
    picture = written(tmp_path / "now.png", frame_of(with_ink()))
    empty = written(tmp_path / "table.png", np.full((480, 640, 3), 90, np.uint8))
    assert main(["read", picture, "--kit", str(kit), "--reference", empty, "--json"]) == 0
    assert "does not show city-1" in capsys.readouterr().err


def test_dice_prints_a_list_for_any_photograph(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    picture = written(tmp_path / "dice.png", frame_of(hq_scene()))
    assert main(["dice", picture, "--json"]) == 0
    dice = json.loads(capsys.readouterr().out)["dice"]
    assert sorted(die["value"] for die in dice) == [1, 2, 3, 4, 4, 5, 6]
    assert {"value", "confidence", "centre_px", "section"} == set(dice[0])
    assert main(["dice", picture]) == 0
    assert "die 6 at" in capsys.readouterr().out


def _bad_files(folder: Path) -> dict[str, Path]:
    good = cv2.imencode(".jpg", clean_frame())[1].tobytes()
    contents = {"text.jpg": b"hello", "empty.jpg": b"", "cut.jpg": good[: len(good) // 2]}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {"folder": folder, "missing": folder / "none.jpg", **{name: folder / name for name in contents}}


@pytest.mark.parametrize("command", ["read", "dice"])
@pytest.mark.parametrize("name", ["text.jpg", "empty.jpg", "cut.jpg", "missing", "folder"])
def test_bad_pictures_are_refused_in_a_line(command: str, name: str, kit: Path, tmp_path: Path, capsys: Output) -> None:
    path = _bad_files(tmp_path)[name]
    arguments = [command, str(path), "--json", *(["--kit", str(kit)] if command == "read" else [])]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(path) in err


@pytest.mark.parametrize("command", ["read", "dice"])
@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((1, 1, 3), np.uint8),
        np.full((3, 2000, 3), 200, np.uint8),
        np.full((300, 400), 128, np.uint8),
        np.full((300, 400, 4), 128, np.uint8),
        np.full((300, 400, 3), 40_000, np.uint16),
        np.full((40, 20_000, 3), 90, np.uint8),
    ],
    ids=["1x1", "a strip", "grey", "alpha", "16 bits", "20,000 wide"],
)
def test_odd_pictures_are_read(command: str, picture: Any, kit: Path, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "odd.png"
    cv2.imwrite(str(path), picture)
    arguments = [command, str(path), "--json", *(["--kit", str(kit)] if command == "read" else [])]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dice"] == []


def _no_layout(kit: Path) -> None:
    (kit / "layout.json").unlink()


def _no_picture(kit: Path) -> None:
    (kit / f"{BOARD}.png").unlink()


def _broken_layout(kit: Path) -> None:
    (kit / "layout.json").write_text('{"profile": 3}')


@pytest.mark.parametrize("spoil", [_no_layout, _no_picture, _broken_layout])
def test_a_kit_that_is_not_whole_is_refused_in_a_line(
    spoil: Callable[[Path], None], kit: Path, tmp_path: Path, capsys: Output
) -> None:
    spoil(kit)
    picture = written(tmp_path / "now.png", frame_of(with_ink()))
    assert main(["read", picture, "--kit", str(kit)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_overlay_that_cannot_be_written_is_told(kit: Path, tmp_path: Path, capsys: Output) -> None:
    picture = written(tmp_path / "now.png", frame_of(with_ink()))
    assert main(["read", picture, "--kit", str(kit), "--overlay", str(tmp_path / "no" / "seen.png")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_every_stage_can_be_looked_at(kit: Path, tmp_path: Path, capsys: Output) -> None:
    picture = written(tmp_path / "now.png", frame_of(with_ink(by_hand("r2c5", "fill", care=0.9))))
    clean = written(tmp_path / "clean.png", clean_frame())
    out = tmp_path / "stages"
    assert show_stages([picture, str(kit), clean, "--out", str(out)]) == 0
    names = ["1-markers.png", "2-city-1.png", "3-city-1-change.png", "4-read.png"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert all(cv2.imread(str(out / name)) is not None for name in names)
    assert "markers (0, 1, 2, 3)" in capsys.readouterr().out
    assert show_stages([str(tmp_path / "none.png"), str(kit)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_every_thread_has_networks_of_its_own() -> None:
    # OpenCV's networks keep what they work on: two threads in one of them crash the program.
    with ThreadPoolExecutor(1) as other:
        assert other.submit(network, "marks.onnx").result() is not network("marks.onnx")
    assert network("marks.onnx") is network("marks.onnx")
