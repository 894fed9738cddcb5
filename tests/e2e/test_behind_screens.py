"""What people keep behind their screens is in no picture that anybody reads, keeps or is shown."""

import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from hardware.ports import Picture
from hardware.settings import HardwareSettings
from pi_app.games import GAMES
from pi_app.perception.masked import MaskedCamera
from pi_app.recording.bundle import save_bundle
from pi_app.recording.recorder import Recorder, manifest
from pi_app.recording.ring import Ring
from pi_app.recording.ring import evenings as recorded
from pi_app.run.session import Session, Simulation
from pi_app.run.watch import Watch
from pi_app.storage.store import Store
from pi_app.table.inputs import Step
from pi_app.table.table import Table
from tests.e2e.night import CAMERA, QUICK, Night, renderer, setup
from tests.playing import ticking
from tests.recording.recorded import plenty
from web.text import Text

GAME = "graffiti"
BEHIND_MM = (470.0, -345.0)
"""Beyond the sheet of the first seat, as whoever sits there has it."""
SMALL = replace(CAMERA, width_px=1536, height_px=864)


class Kept(Night):
    """An evening of which everything is kept: a recording with few pictures, and one with all of them."""

    def keep(self) -> None:
        self.recorders = {
            pictures: Recorder(Ring(self._folder / pictures, 10**9, plenty), pictures, clock=self.clock)
            for pictures in ("few", "all")
        }
        layout = renderer(GAME).layout
        for recorder in self.recorders.values():
            recorder.begin(manifest(GAMES[GAME], self.setup, [], layout, None, {}), self._clean)
        self.table.listen(self.heard)
        self.watch = Watch(self.table, self.hardware, self.eyes, self)  # type: ignore[arg-type]

    # As a recorder does, for both of them.

    @property
    def wants_fresh_eyes(self) -> bool:
        return any(recorder.wants_fresh_eyes for recorder in self.recorders.values())

    def picture(self, bgr: Picture, afresh: bool) -> None:
        for recorder in self.recorders.values():
            recorder.picture(bgr, afresh)

    def heard(self, step: Step) -> None:
        for recorder in self.recorders.values():
            recorder.heard(step)
            recorder.work()

    def stored_files(self) -> dict[str, bytes]:
        """Everything on the disk by its name, bundles unpacked; of a database what it tells."""
        for pictures, recorder in self.recorders.items():
            recorder.close()
            save_bundle(recorded(self._folder / pictures)[-1], self._folder / f"saved-{pictures}.zip")
        self.store.close()
        found: dict[str, bytes] = {}
        for path in sorted(path for path in self._folder.rglob("*") if path.is_file()):
            name = str(path.relative_to(self._folder))
            if path.suffix == ".zip":
                with zipfile.ZipFile(path) as bundle:
                    found |= {f"{name}/{inside}": bundle.read(inside) for inside in bundle.namelist()}
            elif path.suffix == ".db":
                with closing(sqlite3.connect(path)) as database:
                    found[name] = "\n".join(database.iterdump()).encode()
            else:
                found[name] = path.read_bytes()
        return found


def evening(folder: Path, hidden: bool) -> Kept:
    """A few moves, a bump, and a mistake, of which the recorder saves a bundle by itself."""
    folder.mkdir()
    at = Kept(folder, 2, 3, QUICK, SMALL, ("random",), GAME)
    at.keep()
    if hidden:
        at.sim.lay("phone", *BEHIND_MM)
    at.play(3)
    at.sim.bump_camera(2.0, -1.0)
    at.turn(8)
    at.bots._hands.arrange("actions", {"can.paint.green.1": "blue red"})
    at.turn(12)
    assert "mismatch" in {one["state"] for one in at.table.view()["boards"].values()}
    return at


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kept, Kept]:
    """Two that are alike, but that something lies behind a screen in one of them."""
    folder = tmp_path_factory.mktemp("evenings")
    return evening(folder / "plain", hidden=False), evening(folder / "hidden", hidden=True)


def test_it_is_there_for_the_lens(evenings: tuple[Kept, Kept]) -> None:
    """Otherwise the others would prove nothing."""
    plain, hidden = (at.hardware.camera._camera.full() for at in evenings)  # type: ignore[attr-defined]
    assert (plain.bgr != hidden.bgr).any(axis=2).sum() > 200


def test_no_picture_after_the_camera_shows_it(evenings: tuple[Kept, Kept]) -> None:
    for size in ("full", "small"):
        plain, hidden = (getattr(at.hardware.camera, size)() for at in evenings)
        assert plain.bgr.any()
        assert (plain.bgr == hidden.bgr).all()


def test_no_page_is_served_it(evenings: tuple[Kept, Kept]) -> None:
    plain, hidden = (at.eyes.pictures.camera() for at in evenings)
    assert plain is not None
    assert plain == hidden
    picture = cv2.imdecode(np.frombuffer(plain, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.any()


def test_the_record_is_the_same(evenings: tuple[Kept, Kept]) -> None:
    plain, hidden = ([record.event for record in at.table.records] for at in evenings)
    assert plain == hidden


def test_no_file_that_is_stored_tells_of_it(evenings: tuple[Kept, Kept]) -> None:
    """Recordings with all that was read, bundles, pictures of every size, the file of games: all the same."""
    plain, hidden = (at.stored_files() for at in evenings)
    assert plain.keys() == hidden.keys()
    assert [name for name in plain if plain[name] != hidden[name]] == []
    pictures = [name for name in plain if name.endswith((".png", ".jpg"))]
    for kept in ("few/mismatch", "all/mismatch", "saved-few.zip/frames", "saved-all.zip/frames", "few/", "all/"):
        assert any(name.startswith(kept) for name in pictures), f"nothing of {kept} was compared"
    for name in pictures:
        picture = cv2.imdecode(np.frombuffer(plain[name], np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.any(), f"{name} shows nothing at all"


def test_a_table_of_such_a_game_has_no_other_camera(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        table = Table(GAMES[GAME], store, setup(2, GAME), ticking(), bots=(0, 1))
        settings = replace(HardwareSettings(), camera=CAMERA)
        text = Text("en", table.setup.players, table.game.folder)
        session = Session(
            table, settings, Console(quiet=True), text, tmp_path / "clean.png", simulation=Simulation(1, "max")
        )
        with session.open():
            assert isinstance(session._watch._hardware.camera, MaskedCamera)
