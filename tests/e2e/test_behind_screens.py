"""What people keep behind their screens is in no picture that anybody reads, keeps or is shown."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from hardware.settings import HardwareSettings
from pi_app.games import GAMES
from pi_app.perception.masked import MaskedCamera
from pi_app.run.session import Session, Simulation
from pi_app.storage.store import Store
from pi_app.table.table import Table
from tests.e2e.night import CAMERA, QUICK, Night, night, setup
from tests.playing import ticking
from web.text import Text

GAME = "graffiti"
BEHIND_MM = (470.0, -345.0)
"""Beyond the sheet of the first seat, as whoever sits there has it."""


def evening(folder: Path, hidden: bool) -> Night:
    folder.mkdir()
    at = night(folder, 2, 3, QUICK, CAMERA, ("random",), GAME)
    if hidden:
        at.sim.lay("phone", *BEHIND_MM)
    at.play(3)
    at.turn(2)
    return at


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> tuple[Night, Night]:
    """Two that are alike, but that something lies behind a screen in one of them."""
    folder = tmp_path_factory.mktemp("evenings")
    return evening(folder / "plain", hidden=False), evening(folder / "hidden", hidden=True)


def test_it_is_there_for_the_lens(evenings: tuple[Night, Night]) -> None:
    """Otherwise the others would prove nothing."""
    plain, hidden = (at.hardware.camera._camera.full() for at in evenings)  # type: ignore[attr-defined]
    assert (plain.bgr != hidden.bgr).any(axis=2).sum() > 200


def test_no_picture_after_the_camera_shows_it(evenings: tuple[Night, Night]) -> None:
    for size in ("full", "small"):
        plain, hidden = (getattr(at.hardware.camera, size)() for at in evenings)
        assert plain.bgr.any()
        assert (plain.bgr == hidden.bgr).all()


def test_no_page_is_served_it(evenings: tuple[Night, Night]) -> None:
    plain, hidden = (at.eyes.pictures.camera() for at in evenings)
    assert plain is not None
    assert plain == hidden
    picture = cv2.imdecode(np.frombuffer(plain, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.any()


def test_the_record_is_the_same(evenings: tuple[Night, Night]) -> None:
    plain, hidden = ([record.event for record in at.table.records] for at in evenings)
    assert plain == hidden


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
