"""An evening at a real table, as the command line starts it; its devices are simulated ones that were laid before."""

import json
import random
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console

import pi_app.run.session
from hardware.build import build
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import SocialChecked, State
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.recording.bundle import MANIFEST
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring, evenings
from pi_app.run.session import Clock, Left, Session
from pi_app.run.watch import Watch
from pi_app.simulation.evening import Evening
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.table import Table
from tests.e2e.night import CAMERA, stage
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
    """An evening at a table that is laid as the interrupted game left it, with its last move drawn since."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        store, self.whole = interrupted(folder)
        last = [record.event for record in self.whole.records if TAG_CITY.is_move(record.event)][-1]
        assert not isinstance(last, SocialChecked), "choose another seed: this one leaves little to see"
        passing = Passing()
        self.sim = SimTable(7, passing, players=2)
        self.hardware = build(HardwareSettings(camera=CAMERA), passing, self.sim, stage().draw)
        clean = self.hardware.camera.full()
        assert clean is not None
        self._clean = folder / "clean.png"
        save_picture(self._clean, clean.bgr)
        self.table = Table(TAG_CITY, store, self.whole.setup, ticking())
        self.table.step(Command("continue"))
        evening = Evening(self.sim, self.table, lambda: None, self.whole.setup, random.Random(1))
        evening.go_on()
        for board, marks in TAG_CITY.trace(evening.truth.state, last).items():
            self.draw(board, marks)
        monkeypatch.setattr(pi_app.run.session, "build", lambda *parts: self.hardware)
        monkeypatch.setattr(pi_app.run.session, "Clock", lambda leaps: Leaping(self))
        self.when_over: Callable[[], None] = lambda: None

    def draw(self, board: str, marks: Mapping[str, str], mark_s: float = 0.0) -> None:
        inks = [(region, "circle" if kind == "circled" else "fill") for region, kind in marks.items()]
        self.sim.draw(board, inks, mark_s)  # type: ignore[arg-type]

    def attend(self) -> str:
        """Until the end; gives what was printed."""
        console = Console(record=True, width=120)
        text = Text("en", self.table.setup.players, TAG_CITY.folder)
        Session(self.table, self.table.setup, HardwareSettings(), console, text).attend(self._clean)
        return " ".join(console.export_text().split())


class Leaping(Clock):
    """The session's clock, which goes on with every picture; tells the table when its game is over."""

    def __init__(self, at: Attended) -> None:
        super().__init__(leaps=True)
        self._at = at

    def picture(self) -> None:
        super().picture()
        if self._at.table.view()["game"]["result"] is not None:
            self._at.when_over()


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
    if drawn:
        pictures = count()

        def late() -> None:
            if next(pictures) == 8:
                for board in ("city-1", "city-2"):
                    at.draw(board, {region: kind for (on, region), kind in due.items() if on == board}, mark_s=0.05)

        at.when_over = late
    sentences = [
        Text("en", at.table.setup.players, TAG_CITY.folder)(
            "sight.mark_due", {"board": board, "region": region, "expected": kind, "seen": "empty"}
        )
        for (board, region), kind in due.items()
    ]
    printed = at.attend()
    assert sentences
    assert [sentence in printed for sentence in sentences] == [not drawn] * len(sentences)


@pytest.mark.parametrize("wiped", [True, False])
def test_ink_of_the_game_before_is_not_taken_for_print(
    wiped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next game waits until boards are wiped; for ever it does not."""
    at = Attended(tmp_path, monkeypatch)
    at.table.step(Command("new_game"))
    waiting: list[str] = []

    def between() -> None:
        told = at.table.preparing
        waiting.append("" if told is None else told.id)
        if wiped:
            for board in ("city-1", "city-2"):
                at.sim.wipe(board)
        if told is None:
            raise Left

    monkeypatch.setattr(pi_app.run.session, "WIPING_S", 10.0)
    text = Text("en", at.table.setup.players, TAG_CITY.folder)
    session = Session(at.table, at.table.setup, HardwareSettings(), Console(), text, between)
    with pytest.raises(Left):
        session.attend(tmp_path / "clean.png")
    asked = waiting.count("sight.not_wiped")
    assert asked == 1 if wiped else asked > 5
    assert waiting[-1] == ""


def test_a_real_camera_is_locked_before_the_clean_picture_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exposure, white balance and focus of the clean picture are those of all that are compared with it."""

    def stopped(watch: Watch) -> bool:
        sim.set_lamp(0.3)
        full = hardware.camera.full()
        assert full is not None
        dimmer.append(float(full.bgr.mean()))
        raise KeyboardInterrupt

    dimmer: list[float] = []
    sim, setup = SimTable(7, Passing(), players=2), house_setup(2)
    hardware = build(HardwareSettings(camera=CAMERA), Passing(), sim, stage().draw)
    monkeypatch.setattr(pi_app.run.session, "build", lambda *parts: hardware)
    monkeypatch.setattr(pi_app.run.session, "PICTURE_S", 0.0)
    monkeypatch.setattr(Watch, "once", stopped)
    with Store(tmp_path / "games.db") as store:
        table = Table(TAG_CITY, store, setup, ticking())
        session = Session(table, setup, HardwareSettings(), Console(), Text("en", (), TAG_CITY.folder))
        with pytest.raises(KeyboardInterrupt):
            session.attend(tmp_path / "clean.png")
    clean = load_picture(tmp_path / "clean.png")
    assert dimmer[0] < 0.9 * float(clean.mean())


def test_a_recorded_evening_tells_the_lens_that_it_is_seen_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(watch: Watch) -> bool:
        raise Left

    at = Attended(tmp_path, monkeypatch)
    monkeypatch.setattr(Watch, "once", stopped)
    lens = nominal_lens(CAMERA.width_px, CAMERA.height_px)
    session = Session(
        at.table, at.table.setup, HardwareSettings(), Console(), Text("en", (), TAG_CITY.folder), lens=lens
    )
    recorder = Recorder(Ring(tmp_path / "ring", 30_000_000, plenty))
    session.record(recorder, {})
    with pytest.raises(Left):
        session.attend(tmp_path / "clean.png")
    recorder.close()
    [evening] = evenings(tmp_path / "ring")
    assert parse_lens(json.loads((evening / MANIFEST).read_text())["lens"]) == lens


@pytest.mark.parametrize("damage", ["missing", "torn", "shows no board"])
def test_a_game_whose_clean_picture_is_no_good_waits_with_words_until_there_is_one(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Attended(tmp_path, monkeypatch)
    clean = tmp_path / "clean.png"
    good = clean.read_bytes()
    match damage:
        case "missing":
            clean.unlink()
        case "torn":
            clean.write_bytes(good[: len(good) // 2])
        case _:
            save_picture(clean, load_picture(clean)[:100, :100])
    told: list[str] = []

    def between() -> None:
        told.append("" if at.table.preparing is None else at.table.preparing.id)
        if len(told) == 3:
            clean.write_bytes(good)

    text = Text("en", at.table.setup.players, TAG_CITY.folder)
    Session(at.table, at.table.setup, HardwareSettings(), Console(), text, between).attend(clean)
    assert told[:3] == ["sight.clean_gone"] * 3
    assert told[-1] == ""
    assert at.table.is_over


def test_the_first_game_at_a_new_table_may_have_a_named_leader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn yet, so the clean picture is taken now, though the game has begun."""
    sim, setup = SimTable(7, Passing(), players=2), house_setup(2)
    monkeypatch.setattr(
        pi_app.run.session, "build", lambda *parts: build(HardwareSettings(camera=CAMERA), Passing(), sim, stage().draw)
    )
    monkeypatch.setattr(pi_app.run.session, "PICTURE_S", 0.0)
    clean = tmp_path / "clean.png"

    def between() -> None:
        if table.preparing is None:
            raise Left

    with Store(tmp_path / "games.db") as store:
        table = Table(TAG_CITY, store, setup, ticking(), begin=False)
        table.step(Command("new_game", {"leader": 1}))
        for _ in range(2):  # and again after a restart
            with pytest.raises(Left):
                Session(table, setup, HardwareSettings(), Console(), Text("en", (), TAG_CITY.folder), between).attend(
                    clean
                )
            load_picture(clean)
            clean.unlink()
    assert [record.event.type for record in table.records] == ["game_started"]
