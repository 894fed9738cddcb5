"""Set-up behind the pages: profiles, kits, photographs, the camera's bench, lights and the doctor."""

import json
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.ports import SEATS, Condition, Frame, Picture, Status
from hardware.settings import ZONE_PIXELS
from pi_app.games import GAMES
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from pi_app.setup.backup import Place
from pi_app.setup.backup_page import Backups
from pi_app.setup.camera import CameraSetup, clean_file, lens_file, load_lens
from pi_app.setup.kits import KitMaker
from pi_app.setup.light_test import LampTest
from pi_app.setup.lights import LightsSetup
from pi_app.setup.opening import open_workshop
from pi_app.setup.photos import Photos
from pi_app.setup.profiles import MOST_PROFILES, Shelf
from pi_app.setup.window import Window
from pi_app.setup.workbench import Workbench
from tests.games.tag_city.measured import measured_house
from tests.profiles import load_profile, read_profile
from tests.vision import test_locate
from tests.vision.one_board import house
from vision.kit.corners import MOST_BOARDS, markers_of
from vision.markers import draw_marker
from vision.pictures import jpeg_of, load_picture
from vision.rectify import Lens
from vision.render import Camera, PlacedBoard, Scene, Sensor, by_hand
from web.people import Refused
from web.text import load


class Clock:
    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        action()
    assert caught.value.refusal.key in load("en")
    return caught.value.refusal.key


def told_of(action: Callable[[], Any]) -> Any:
    """What comes back, or why not."""
    try:
        return action()
    except Refused as refused:
        return refused.refusal.key


# --- profiles ---------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, GAMES["tag_city"])


def own_profile() -> dict[str, Any]:
    return {**load_profile(HOUSE), "name": "My copy", "source": "measured"}


def test_the_shelf_begins_with_what_comes_with_the_program(shelf: Shelf) -> None:
    assert [(entry.name, entry.own, entry.problems == 0) for entry in shelf.entries()] == [
        ("house", False, True),
        ("retail-template", False, False),
    ]
    assert shelf.chosen() == ("house", "A")


def test_what_is_saved_comes_back_the_same(shelf: Shelf, tmp_path: Path) -> None:
    shelf.save("my-copy", own_profile())
    assert shelf.read("my-copy") == own_profile()
    text = (tmp_path / "profiles" / "my-copy.toml").read_text(encoding="utf-8")
    assert '"##.",' in text  # shapes are drawn, so that people can read and change them
    assert shelf.imported(shelf.exported("my-copy")) == own_profile()
    assert [entry.title for entry in shelf.entries() if entry.own] == ["My copy"]


def test_a_profile_that_was_changed_is_looked_through_again(shelf: Shelf) -> None:
    shelf.save("mine", own_profile())
    assert shelf.entries()[-1].problems == 0
    shelf.save("mine", {**own_profile(), "source": "guessed"})
    assert shelf.entries()[-1].problems == 1


def test_unfinished_profiles_are_kept_and_cannot_be_chosen(shelf: Shelf) -> None:
    shelf.save("draft", read_profile(HOUSE.with_name("retail-template.toml")))
    assert refusal(lambda: shelf.choose("draft", "A")) == "setup.profile_unfinished"
    assert shelf.chosen() == ("house", "A")


def test_a_choice_outlives_a_restart_and_ends_with_its_profile(shelf: Shelf, tmp_path: Path) -> None:
    shelf.save("mine", own_profile())
    shelf.choose("mine", "B")
    assert Shelf(tmp_path, GAMES["tag_city"]).chosen() == ("mine", "B")
    shelf.delete("mine")
    assert Shelf(tmp_path, GAMES["tag_city"]).chosen() == ("house", "A")


def test_a_measured_copy_is_played_on_its_measured_sides(shelf: Shelf) -> None:
    profile = measured_house()
    shelf.save("mine", profile)
    assert "city_b" in profile
    assert [entry.sides for entry in shelf.entries() if entry.own] == [("A",)]
    assert refusal(lambda: shelf.choose("mine", "B")) == "setup.no_such_side"


def test_a_game_finds_the_measurements_of_its_boards_again(shelf: Shelf) -> None:
    profile = measured_house()
    profile["city"]["drone"] = [-1, -2, -3, -4, -9]
    shelf.save("mine", profile)
    edition = shelf.find("mine")
    assert edition is not None
    found = shelf.measured_for(json.loads(json.dumps(resolve(edition))))
    assert found is not None
    assert found["city"]["width_mm"] == 280
    assert shelf.measured_for(resolve(load_profile(HOUSE))) is None
    assert shelf.find("nobody") is None


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "", "A", "x" * 41, "-a", "a.b", "a\0", "house/../x"])
def test_no_name_leads_out_of_the_folder(shelf: Shelf, tmp_path: Path, name: str) -> None:
    for action in (lambda: shelf.save(name, own_profile()), lambda: shelf.read(name), lambda: shelf.delete(name)):
        assert refusal(action) in ("setup.bad_name", "web.not_found")
    assert not list(tmp_path.rglob("*.toml"))


def test_what_comes_with_the_program_stays_as_it_is(shelf: Shelf) -> None:
    assert refusal(lambda: shelf.save("house", own_profile())) == "setup.profile_supplied"
    assert refusal(lambda: shelf.delete("retail-template")) == "setup.profile_supplied"


def test_the_shelf_is_not_endless(shelf: Shelf) -> None:
    for number in range(MOST_PROFILES):
        shelf.save(f"p{number}", {"name": "x"})
    assert refusal(lambda: shelf.save("one-more", {"name": "x"})) == "setup.too_many_profiles"
    shelf.save("p0", {"name": "y"})


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ma ville à moi", "ma-ville-a-moi"),
        ("House", "house-2"),
        ("東京", "profile"),
        ("../etc", "etc"),
        ("", "profile"),
    ],
)
def test_titles_become_names(shelf: Shelf, title: str, name: str) -> None:
    assert shelf.free_name(title) == name


BOMBS = [
    b"[" * 100_000,
    b"{" * 100_000,
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b"a = " + b"[" * 400 + b"]" * 400,
    b".".join([b"a"] * 100_000) + b" = 1",
    b"\n".join(b".".join([b"a"] * 200) + b".x%d = 1" % n for n in range(600)),
    b"a = " + b"9" * 10_000,
    b"a = 2020-01-01",
    b"\xff\xfe\x00",
    b"",
    b"[]",
    b"x" * 400_000,
]


@pytest.mark.parametrize("data", BOMBS)
def test_files_that_are_no_profile_are_refused(shelf: Shelf, data: bytes) -> None:
    assert refusal(lambda: shelf.imported(data)) == "setup.profile_unusable"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(""),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
KEYS = ("name", "source", "city", "city_b", "hq", "shapes", "geometry")
INNER = (
    "rows",
    "cols",
    "cells",
    "districts",
    "row_values",
    "drone",
    "sections",
    "values",
    "city",
    "hq",
    "markers",
    "grid",
)


@st.composite
def mangled_profiles(draw: st.DrawFn) -> dict[str, Any]:
    """Our own edition with anything anywhere."""
    profile = json.loads(json.dumps(measured_house()))
    for _ in range(draw(st.integers(1, 3))):
        table = profile
        for key in draw(st.lists(st.sampled_from((*KEYS, *INNER)), max_size=3)):
            table = table[key] if isinstance(table.get(key), dict) else table
        table[draw(st.sampled_from((*KEYS, *INNER)) | st.text(max_size=4))] = draw(JSON)
    return dict(profile)


@given(profile=mangled_profiles() | JSON)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_checking_never_fails_and_what_passes_can_be_kept(profile: Any, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, GAMES["tag_city"])
    problems = shelf.check(profile)
    assert all(problem.key in load("en", GAMES["tag_city"].folder) for problem in problems)
    if isinstance(profile, dict):
        try:
            shelf.save("any", profile)
        except Refused:
            assert any(not problem.warning for problem in problems)
        else:
            assert len(shelf.check(shelf.read("any"))) == len(problems)


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode(errors="ignore")))
def test_importing_anything_gives_a_profile_or_a_refusal(data: bytes) -> None:
    told = told_of(lambda: Shelf(Path("nowhere"), GAMES["tag_city"]).imported(data))
    assert told == "setup.profile_unusable" or isinstance(told, dict)


# --- kits -------------------------------------------------------------------------------------


def test_a_kit_is_made_once_and_again_when_its_profile_changes(shelf: Shelf, tmp_path: Path) -> None:
    made: list[Callable[[], None]] = []
    kits = KitMaker(shelf, tmp_path, made.append)
    shelf.save("mine", own_profile())
    assert kits.state("mine", "A") == "missing"
    kits.make("mine", "A")
    kits.make("mine", "A")
    assert kits.state("mine", "A") == "making"
    assert len(made) == 1
    made.pop()()
    assert kits.state("mine", "A") == "ready"
    kits.make("mine", "A")
    assert not made
    assert kits.file("mine", "A", "kit.pdf").read_bytes().startswith(b"%PDF")
    with zipfile.ZipFile(kits.file("mine", "A", "kit.zip")) as archive:
        assert {"city-1.png", "hq.png", "layout.json"} <= set(archive.namelist())
    assert (kits.layout("mine", "A").folder / "hq.png").is_file()
    shelf.save("mine", {**own_profile(), "name": "Another"})
    assert kits.state("mine", "A") == "missing"


def test_only_the_files_of_a_kit_are_handed_out(shelf: Shelf, tmp_path: Path) -> None:
    kits = KitMaker(shelf, tmp_path)
    for which in ("../profiles/mine.toml", "layout.json", "kit.pdf"):
        assert told_of(partial(kits.file, "house", "A", which)) == "web.not_found"


def test_a_kit_that_cannot_be_made_says_so(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "kits").write_text("a file where a folder should be")
    kits = KitMaker(shelf, tmp_path, lambda work: work())
    kits.make("house", "A")
    assert kits.state("house", "A") == "failed"


# --- photographs ------------------------------------------------------------------------------


def photos_in(folder: Path) -> Photos:
    return Photos(folder, GAMES["tag_city"].edition.measurable)


def a_photo(width: int = 900, height: int = 700, board: int = 0) -> Picture:
    """A board of 280 by 200 mm with four stickers, seen at a slant."""
    flat = np.full((800, 1120, 3), 220, np.uint8)
    for marker, (x, y) in zip(markers_of(board), [(5, 5), (250, 5), (250, 170), (5, 170)], strict=True):
        flat[4 * y : 4 * y + 100, 4 * x : 4 * x + 100] = draw_marker(marker, 100)[..., None]
    slant = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1120, 0], [1120, 800], [0, 800]], np.float32), np.array(CORNERS, np.float32)
    )
    return np.asarray(cv2.warpPerspective(flat, slant, (width, height), borderValue=(60, 80, 90)), np.uint8)


CORNERS = [[120.0, 90.0], [800.0, 60.0], [860.0, 640.0], [60.0, 600.0]]


@pytest.mark.parametrize("board", [0, MOST_BOARDS - 1])
def test_a_photo_is_flattened_and_its_stickers_are_found(tmp_path: Path, board: int) -> None:
    photos = photos_in(tmp_path)
    taken = photos.add(jpeg_of(a_photo(board=board), 95))
    assert (taken["width"], taken["height"]) == (900, 700)
    told = photos.flatten("mine", "city", taken["photo"], CORNERS, [280.0, 200.0])
    assert np.allclose([quad[0] for quad in told["markers"]], [[5, 5], [250, 5], [250, 170], [5, 170]], atol=0.8)
    flat = cv2.imdecode(np.frombuffer(photos.flat("mine", "city"), np.uint8), cv2.IMREAD_COLOR)
    assert flat is not None
    assert flat.shape[1] / flat.shape[0] == pytest.approx(1.4, abs=0.01)


def test_what_a_photo_tells_besides_its_picture_is_dropped(tmp_path: Path) -> None:
    exif = b"\xff\xe1\x00\x16Exif\0\0 somewhere at home"[:24]
    jpeg = jpeg_of(a_photo())
    photos = photos_in(tmp_path)
    taken = photos.add(jpeg[:2] + b"\xff\xe1" + (18).to_bytes(2) + exif[4:20] + jpeg[2:])
    assert b"somewhere" not in photos.photo(taken["photo"])


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [0, 0], [0, 0], [0, 0]],
        [[10, 10], [10, 600], [800, 600], [800, 10]],
        [[10, 10], [800, 600], [800, 10], [10, 600]],
        [[10, 10], [20, 10], [20, 20], [10, 20]],
    ],
)
def test_corners_that_enclose_no_board(tmp_path: Path, corners: list[list[float]]) -> None:
    photos = photos_in(tmp_path)
    taken = photos.add(jpeg_of(a_photo()))
    assert refusal(lambda: photos.flatten("mine", "hq", taken["photo"], corners, [200.0, 200.0])) == "setup.bad_corners"


def test_photos_of_a_giant_size_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4) + (60_000).to_bytes(4)
    assert refusal(lambda: photos_in(tmp_path).add(header + b"\x08\x02\0\0\0" + b"IEND")) == "setup.bad_photo"


@given(data=st.binary(max_size=300) | st.binary(max_size=100).map(lambda tail: jpeg_of(a_photo())[:-40] + tail))
@settings(max_examples=50)
def test_any_bytes_are_a_photo_or_refused(data: bytes) -> None:
    photos = photos_in(Path("nowhere"))
    told = told_of(lambda: photos.add(data))
    assert told == "setup.bad_photo" or photos.photo(told["photo"]).startswith(b"\xff\xd8")


def test_old_photos_go(tmp_path: Path) -> None:
    photos = photos_in(tmp_path)
    first = photos.add(jpeg_of(a_photo()))["photo"]
    for _ in range(6):
        photos.add(jpeg_of(a_photo()))
    assert refusal(lambda: photos.photo(first)) == "setup.photo_gone"


# --- the window -------------------------------------------------------------------------------


def test_the_loop_is_only_asked_for_pictures_while_somebody_waits() -> None:
    clock = Clock()
    window = Window(clock)
    seen: list[Frame | None] = []
    assert window.waiting == 0
    viewers = [threading.Thread(target=lambda: seen.append(window.look())) for _ in range(3)]
    for viewer in viewers:
        viewer.start()
    while window.waiting < 3:
        pass
    window.show(Frame(np.zeros((2, 2, 3), np.uint8), 100.0, 1))
    for viewer in viewers:
        viewer.join()
    assert len(seen) == 3
    assert len({id(frame) for frame in seen}) == 1
    assert window.waiting == 0
    assert window.look() is seen[0]  # fresh enough
    clock.s += 10
    assert window.look(wait_s=0.0) is None


# --- the camera's bench -----------------------------------------------------------------------

TABLE = Scene(
    (PlacedBoard("city-1", (-150.0, 0.0)), PlacedBoard("hq", (120.0, 0.0))),
    camera=Camera(size_px=(1280, 720), distance_mm=800.0, focal_px=1500.0),
    sensor=Sensor(noise=1.0, blur_px=0.6),
)


def drawn(scene: Scene) -> Picture:
    return np.asarray(house()[1].render(scene).frame_bgr, np.uint8)


class Scenery:
    """A bench whose camera shows what it is told."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.status = Clock(), Status("camera")
        self.window = Window(self.clock)
        self.layout = replace(house()[0], folder=folder / "print")
        (folder / "print").mkdir()
        for board in self.layout.boards:
            cv2.imwrite(str(folder / "print" / board.image), house()[2][board.id])
        self.bench = CameraSetup(self.window, lambda: self.layout, folder, lambda: self.status, self.clock)
        self.seq = 0

    def show(self, bgr: Picture | None) -> None:
        self.seq += 1
        self.clock.s += 60
        self.window.show(None if bgr is None else Frame(bgr, self.clock.s, self.seq))


@pytest.fixture
def scenery(tmp_path: Path) -> Scenery:
    return Scenery(tmp_path)


def test_all_viewers_share_one_picture_and_it_is_not_made_too_often(scenery: Scenery) -> None:
    scenery.show(drawn(TABLE))
    first = scenery.bench.picture()
    assert first.startswith(b"\xff\xd8")
    assert scenery.bench.picture() is first
    checks = {said.name: said.severity for said in scenery.bench.findings()}
    assert checks["focus"] == checks["light"] == "good"
    assert all(said.key in load("en") for said in scenery.bench.findings())
    scenery.window.show(Frame(drawn(replace(TABLE, moment=3)), scenery.clock.s, 9))
    assert scenery.bench.picture() is first  # it rests
    scenery.show(drawn(replace(TABLE, moment=3)))
    assert scenery.bench.picture() is not first


def test_the_first_picture_comes_at_once_and_the_next_ones_are_read(scenery: Scenery) -> None:
    marks = (by_hand("r3c3", "fill", care=1.0),)
    picture = drawn(replace(TABLE, boards=(replace(TABLE.boards[0], marks=marks), TABLE.boards[1])))
    shown = []
    for _ in range(2):
        scenery.show(picture)
        shown.append(scenery.bench.picture())
    plain, read = (np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)) for jpeg in shown)
    green = [((view[..., 1] > 170) & (view[..., 0] < 130) & (view[..., 2] < 110)).sum() for view in (plain, read)]
    assert green[1] > green[0] + 50  # the square is outlined as surely read


def test_without_a_picture_the_cameras_own_words_are_told(scenery: Scenery) -> None:
    scenery.status = Status("camera", Condition.LOST, {"why": "cable"})
    scenery.show(None)
    assert refusal(scenery.bench.picture) == "hardware.camera.lost"
    scenery.status = Status("camera")
    assert refusal(scenery.bench.findings) == "setup.no_picture"


def test_a_clean_picture_is_kept(scenery: Scenery, tmp_path: Path) -> None:
    scenery.show(drawn(TABLE))
    assert scenery.bench.clean().taken_at is None
    taken = scenery.bench.take_clean(anyway=False)
    assert taken.taken_at is not None
    assert set(taken.boards) == {"city-1", "hq"}
    assert set(taken.missing) == {"city-2", "city-3", "city-4"}
    assert np.array_equal(load_picture(clean_file(tmp_path)), drawn(TABLE))


def test_boards_with_ink_are_not_clean_unless_people_insist(scenery: Scenery, tmp_path: Path) -> None:
    marks = tuple(by_hand(f"r{n}c{n}", "fill", care=1.0, seed=n) for n in range(1, 7))
    scenery.show(drawn(replace(TABLE, boards=(replace(TABLE.boards[0], marks=marks), TABLE.boards[1]))))
    assert refusal(lambda: scenery.bench.take_clean(anyway=False)) == "setup.clean_ink"
    assert not clean_file(tmp_path).exists()
    scenery.bench.take_clean(anyway=True)
    assert clean_file(tmp_path).exists()


def test_a_clean_picture_needs_the_hq_and_a_city(scenery: Scenery) -> None:
    scenery.show(drawn(replace(TABLE, boards=TABLE.boards[:1])))
    assert refusal(lambda: scenery.bench.take_clean(anyway=True)) == "setup.clean_missing"
    assert scenery.bench.clean().taken_at is None


def test_the_lens_is_measured_from_a_handful_of_pictures(scenery: Scenery, tmp_path: Path) -> None:
    scenery.layout = test_locate.LAYOUT
    camera = replace(test_locate.CAMERA, k1=-0.2, k2=0.04)
    assert refusal(scenery.bench.measure_lens) == "setup.lens_few"
    for tilt, turn in [(0, 0), (25, 0), (25, 90), (30, 180), (25, 270)]:
        scenery.show(replace(test_locate.TABLE, camera=replace(camera, tilt_deg=tilt, turn_deg=turn)).frame_bgr())
        state = scenery.bench.take_lens_picture()
    assert (state.pictures, state.boards >= state.wanted, state.known) == (5, True, False)
    assert state.covered[4]
    assert scenery.bench.measure_lens().known
    lens = load_lens(lens_file(tmp_path))
    assert lens is not None
    assert lens.fx == pytest.approx(camera.lens.fx, rel=0.03)
    assert not scenery.bench.forget_lens().known


def test_pictures_that_all_show_the_same_do_not_make_a_lens(scenery: Scenery) -> None:
    scenery.layout = test_locate.LAYOUT
    scenery.show(test_locate._table_frame())
    for _ in range(3):
        scenery.bench.take_lens_picture()
    assert refusal(scenery.bench.measure_lens) == "setup.lens_alike"
    scenery.show(np.full((720, 1280, 3), 90, np.uint8))
    assert refusal(scenery.bench.take_lens_picture) == "setup.lens_no_board"


def test_a_lens_of_another_camera_or_a_broken_file_is_not_used(scenery: Scenery, tmp_path: Path) -> None:
    lens_file(tmp_path).write_text("{not json")
    assert load_lens(lens_file(tmp_path)) is None
    other = Lens(640, 640, 500, 500, 320, 320, k1=-0.3)
    lens_file(tmp_path).write_text(json.dumps(other.__dict__))
    scenery.show(drawn(TABLE))
    assert {said.name: said.severity for said in scenery.bench.findings()}["focus"] == "good"


# --- lights and doctor ------------------------------------------------------------------------


def test_lights_are_tried_in_turn_and_always_end() -> None:
    clock = Clock()
    test, normal = LampTest(clock), {"status": (1, 2, 3)}
    assert test.over(normal) == normal
    takes_s = test.start(None)
    shown = []
    while test.over(normal) != normal:
        shown += list(test.over(normal))
        clock.s += takes_s / len(ZONE_PIXELS) + 1e-6
    assert shown == list(ZONE_PIXELS)
    test.start(SEATS[1])
    assert list(test.over(normal)) == [SEATS[1]]
    clock.s += 1000  # nobody looked meanwhile
    assert test.over(normal) == normal


def test_absent_lights_say_so_instead_of_being_tried() -> None:
    clock = Clock()
    bench = LightsSetup(LampTest(clock), lambda: Status("lights", Condition.ABSENT, {"why": "no Pico"}))
    assert refusal(lambda: bench.test(None)) == "hardware.lights.absent"
    assert bench.status().severity == "bad"
    assert refusal(lambda: LightsSetup(LampTest(clock), lambda: Status("lights")).test("ceiling")) == "web.not_found"


def test_the_doctor_asks_for_no_clean_picture_of_a_simulated_table(tmp_path: Path) -> None:
    for simulated, told in ((True, "setup.done_simulated"), (False, "doctor.clean.none")):
        shop = open_workshop(
            Workbench(Clock()),
            tmp_path / "allcity.db",
            GAMES["tag_city"],
            (),
            backups(tmp_path),
            no_support,
            simulated,
        )
        assert [said.key for said in shop.doctor.findings() if said.name == "clean"] == [told]


def backups(folder: Path) -> Backups:
    return Backups(Place(folder / "allcity.db"), folder / "backups", lambda: "2026-01-02", lambda restored: None)


def no_support(with_pictures: bool, findings: object) -> bytes:
    return b""


def test_a_workshop_opens_and_keeps_what_is_simulated_apart(tmp_path: Path) -> None:
    for simulated, folder in ((False, tmp_path), (True, tmp_path / "simulated")):
        bench = Workbench(Clock())
        games = tmp_path / "allcity.db"
        shop = open_workshop(bench, games, GAMES["tag_city"], (), backups(tmp_path), no_support, simulated)
        bench.window.show(Frame(drawn(TABLE), 100.0, 1))
        assert shop.camera.take_clean(anyway=True).taken_at is not None
        assert clean_file(folder).is_file()
        clean_file(folder).unlink()
        assert all(said.key in load("en") for said in shop.doctor.findings())
