"""An evening at a real table, as the command line starts it; its devices are simulated ones that were laid before."""

import random
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console

import pi_app.session
from hardware.build import build
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from pi_app.engine.log import Play
from pi_app.evening import Evening
from pi_app.games.tag_city.model import SocialChecked, State
from pi_app.inputs import Command
from pi_app.session import Session
from pi_app.store import Store
from pi_app.table import Table
from tests.e2e.night import CAMERA, stage
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from vision.pictures import BadPicture, save_picture
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


def test_a_real_table_goes_on_with_what_was_drawn_while_nobody_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, whole = interrupted(tmp_path)
    last = [record.event for record in whole.records if TAG_CITY.is_move(record.event)][-1]
    assert not isinstance(last, SocialChecked), "choose another seed: this one leaves little to see"
    sim = SimTable(7, Passing(), players=2)
    hardware = build(HardwareSettings(camera=CAMERA), Passing(), sim, stage().draw)
    clean = hardware.camera.full()
    assert clean is not None
    save_picture(tmp_path / "clean.png", clean.bgr)
    table = Table(TAG_CITY, store, whole.setup, ticking())
    table.step(Command("continue"))
    evening = Evening(sim, table, lambda: None, whole.setup, random.Random(1))
    evening.go_on()
    for board, marks in TAG_CITY.trace(evening.truth.state, last).items():
        sim.draw(board, [(region, "circle" if kind == "circled" else "fill") for region, kind in marks.items()], 0.0)

    monkeypatch.setattr(pi_app.session, "build", lambda *parts: hardware)
    monkeypatch.setattr(pi_app.session, "PICTURE_S", 0.0)
    console = Console(record=True, width=120)
    session = Session(table, table.setup, HardwareSettings(), console, Text("en", table.setup.players))
    session.attend(tmp_path / "clean.png")
    assert [record.event for record in table.records][-3:] == [record.event for record in whole.records][-3:]
    assert "Score sheet" in console.export_text()


def test_without_the_picture_of_the_clean_boards_an_interrupted_game_cannot_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, whole = interrupted(tmp_path)
    table = Table(TAG_CITY, store, whole.setup, ticking())
    table.step(Command("continue"))
    session = Session(table, table.setup, HardwareSettings(camera=CAMERA), Console(), Text("en"))
    with pytest.raises(BadPicture):
        session.attend(tmp_path / "clean.png")
