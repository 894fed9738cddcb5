"""An evening at a real table, as the command line starts it; its devices are simulated ones that were laid before."""

import json
import random
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import pi_app.run.preparation
import pi_app.run.session
from hardware.build import Hardware, build
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import SocialChecked, State
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.recording.bundle import MANIFEST
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring, evenings
from pi_app.run.session import Clock, Recording, Session, Simulation
from pi_app.simulation.hands import Hands
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from tests.e2e.night import CAMERA, laid, renderer
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from tests.recording.recorded import plenty
from vision.pictures import load_picture, save_picture
from vision.rectify import nominal_lens, parse_lens
from web.text import Text


class Passing:
    """A clock that goes on whenever somebody looks at it."""

    def __init__(self) -> None:
        self._ticks = count()

    def __call__(self) -> float:
        return next(self._ticks) / 20


def interrupted(folder: Path) -> tuple[Store, Play[State]]:
    """A stored game whose very last move is missing, and the whole of it."""
    setup = house_setup(2)
    whole = play_on(Play(TAG_CITY, setup, ticking()), random.Random(2))
    moves = [record.event for record in whole.records if TAG_CITY.is_move(record.event)]
    store = Store(folder / "games.db")
    game_id = store.new_game("tag_city", setup, "2001-01-01T00:00:00Z")
    play = Play(TAG_CITY, setup, ticking(), save=lambda new: store.append(game_id, new))
    for move in moves[:-1]:
        play.do(move)
    return store, whole


class Attended:
    """A real table that is laid as the interrupted game left it, with its last move drawn since."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        store, self.whole = interrupted(folder)
        last = [record.event for record in self.whole.records if TAG_CITY.is_move(record.event)][-1]
        assert not isinstance(last, SocialChecked), "choose another seed: this one leaves little to see"
        self._passing = Passing()
        self.sim = SimTable(7, self._passing, laid(2))
        clean = self.build().camera.full()
        assert clean is not None
        self.clean = folder / "clean.png"
        save_picture(self.clean, clean.bgr)
        self.table = Table(TAG_CITY, store, self.whole.setup, ticking())
        self.table.step(Command("continue"))
        surfaces = TAG_CITY.surfaces(self.whole.setup)
        Hands(self.sim, renderer().layout, surfaces).lay_out(TAG_CITY, self.whole.setup, self.table.records)
        for board, marks in TAG_CITY.trace(self.table.state, last).items():
            self.draw(board, marks)
        monkeypatch.setattr(pi_app.run.session, "build", self.build)
        monkeypatch.setattr(pi_app.run.session, "Clock", lambda leaps: Clock(leaps=True))

    def build(self, *instead_of: object) -> Hardware:
        self.hardware = build(HardwareSettings(camera=CAMERA), self._passing, self.sim, renderer().draw)
        return self.hardware

    def draw(self, board: str, marks: Mapping[str, str], mark_s: float = 0.0) -> None:
        inks = [(region, "circle" if kind == "circled" else "fill") for region, kind in marks.items()]
        self.sim.draw(board, inks, mark_s)  # type: ignore[arg-type]

    def session(self, **more: Any) -> Session:
        self.console = Console(record=True, width=120)
        text = Text("en", self.table.setup.players, TAG_CITY.folder)
        return Session(self.table, HardwareSettings(), self.console, text, self.clean, **more)

    def attend(self, between: Callable[[], object] = lambda: None) -> str:
        """Until the end; gives what was printed."""
        session = self.session()
        with session.open():
            while not session.finished:
                session.turn()
                between()
        return " ".join(self.console.export_text().split())

    def prepare(self, session: Session) -> None:
        """Until the game is watched."""
        with session.open():
            while session.preparing:
                session.turn()


def test_a_real_table_goes_on_with_what_was_drawn_while_nobody_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Attended(tmp_path, monkeypatch)
    assert "Score sheet" in at.attend()
    assert [record.event for record in at.table.records][-3:] == [record.event for record in at.whole.records][-3:]


@pytest.mark.parametrize("drawn", [True, False])
def test_the_closing_list_names_what_nobody_drew_although_there_was_time(
    drawn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Attended(tmp_path, monkeypatch)
    due = {
        (city_board(seat), region): kind
        for seat in range(2)
        for region, kind in TAG_CITY.expected_sight(at.whole.state, city_board(seat)).items()
        if kind == "circled" and region.endswith((".high", ".low"))
    }
    for board, region in due:
        at.sim.wipe(board, [region])
    pictures = count()

    def late() -> None:
        if drawn and at.table.is_over and next(pictures) == 8:
            for board in ("city-1", "city-2"):
                at.draw(board, {region: kind for (on, region), kind in due.items() if on == board}, mark_s=0.05)

    sentences = [
        Text("en", at.table.setup.players, TAG_CITY.folder)(
            "sight.mark_due", {"board": board, "region": region, "expected": kind, "seen": "empty"}
        )
        for (board, region), kind in due.items()
    ]
    printed = at.attend(late)
    assert sentences
    assert [sentence in printed for sentence in sentences] == [not drawn] * len(sentences)


def test_an_end_that_is_taken_back_is_watched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = Attended(tmp_path, monkeypatch)
    session = at.session()
    with session.open():
        while not session.finished:
            session.turn()
        at.table.step(Command("undo"))
        session.turn()
        assert not session.finished
        at.table.step(Command("redo"))
        while not session.finished:
            session.turn()


@pytest.mark.parametrize("wiped", [True, False])
def test_ink_of_the_game_before_is_not_taken_for_print(
    wiped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next game waits until boards are wiped; for ever it does not."""
    at = Attended(tmp_path, monkeypatch)
    at.table.step(Command("new_game"))
    monkeypatch.setattr(pi_app.run.preparation, "WIPING_S", 10.0)
    session, told = at.session(), []
    with session.open():
        while session.preparing:
            session.turn()
            told.append(at.table.preparing)
            if wiped:
                for board in ("city-1", "city-2"):
                    at.sim.wipe(board)
    missing = [one.id for one in told if one is not None]
    at_first = missing[: missing.index("sight.not_wiped") + 1]
    assert at_first == ["sight.not_wiped"]
    assert told[-1] is None
    assert len(told) > 30 if not wiped else len(told) < 30


def test_a_real_camera_is_locked_before_the_clean_picture_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exposure, white balance and focus of the clean picture are those of all that are compared with it."""
    at = Attended(tmp_path, monkeypatch)
    at.table.step(Command("new_game"))
    for board in ("city-1", "city-2"):
        at.sim.wipe(board)
    session = at.session()
    with session.open():
        while session.preparing:
            session.turn()
        at.sim.set_lamp(0.3)
        dimmer = at.hardware.camera.full()
    assert dimmer is not None
    assert float(dimmer.bgr.mean()) < 0.9 * float(load_picture(at.clean).mean())


def test_a_recorded_evening_tells_the_lens_that_it_is_seen_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Attended(tmp_path, monkeypatch)
    lens = nominal_lens(CAMERA.width_px, CAMERA.height_px)
    recorder = Recorder(Ring(tmp_path / "ring", 30_000_000, plenty))
    at.prepare(at.session(lens=lens, recording=Recording(recorder, {})))
    recorder.close()
    [evening] = evenings(tmp_path / "ring")
    assert parse_lens(json.loads((evening / MANIFEST).read_text())["lens"]) == lens


@pytest.mark.parametrize("damage", ["missing", "torn", "shows no board"])
def test_a_game_whose_clean_picture_is_no_good_waits_with_words_until_there_is_one(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Attended(tmp_path, monkeypatch)
    good = at.clean.read_bytes()
    match damage:
        case "missing":
            at.clean.unlink()
        case "torn":
            at.clean.write_bytes(good[: len(good) // 2])
        case _:
            save_picture(at.clean, load_picture(at.clean)[:100, :100])
    told: list[str] = []

    def between() -> None:
        told.append("" if at.table.preparing is None else at.table.preparing.id)
        if len(told) == 3:
            at.clean.write_bytes(good)

    at.attend(between)
    assert told[:3] == ["sight.clean_gone"] * 3
    assert told[-1] == ""
    assert at.table.is_over


def test_the_first_game_at_a_new_table_may_have_a_named_leader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn yet, so the clean picture is taken now, though the game has begun."""
    at = Attended(tmp_path, monkeypatch)
    for board in ("city-1", "city-2"):
        at.sim.wipe(board)
    at.table.step(Command("new_game", {"leader": 1}))
    for _ in range(2):  # and again after a restart
        at.clean.unlink()
        at.prepare(at.session())
        load_picture(at.clean)
    assert [record.event.type for record in at.table.records] == ["game_started"]


def test_bots_go_on_with_a_game_that_was_interrupted_and_end_it(tmp_path: Path) -> None:
    """The simulated table is laid as the record has it; what is missing is played with hands before the camera."""
    store, whole = interrupted(tmp_path)
    table = Table(TAG_CITY, store, whole.setup, ticking())
    table.step(Command("continue"))
    for seat, name in enumerate(whole.setup.players):
        table.step(Command("sit", {"seat": seat, "name": name, "bot": True}))
    text, settings = Text("en", whole.setup.players, TAG_CITY.folder), HardwareSettings(camera=CAMERA)
    session = Session(table, settings, Console(), text, tmp_path / "none.png", Simulation(3, "max"))
    with session.open():
        while not session.finished:
            session.turn()
    assert table.is_over
    assert not session.people_play
