"""A shape over a square that is painted already: it is told what is wrong, and where."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_app.perception.board_pictures import OUTLINE_BGR
from pi_app.table.referee import UNFINISHED
from tests.e2e.overdrawn import Overdrawn, overdrawn
from tests.playing import TAG_CITY
from web.text import Text

DRAWN = 20
"""Pictures until the hand has gone and the board was read."""


def name(region: str) -> str:
    row, col = map(int, region[1:].split("c"))
    return chr(64 + col) + str(row)


def said(at: Overdrawn) -> str:
    told = at.at.table.view()["boards"][at.board]
    return Text("en", at.at.table.setup.players, TAG_CITY.folder)(told["reason"], told["facts"])


def test_a_shape_over_a_painted_square_is_told_after_some_time(tmp_path: Path) -> None:
    at = overdrawn(tmp_path)
    player = at.at.table.setup.players[at.seat]
    client = at.app.test_client()
    known = len(at.at.table.records)
    at.turn(DRAWN)
    assert said(at) == f"{player} is drawing ({len(at.free)} so far)."
    assert client.get(f"/api/boards/{at.board}/wrong.jpg").status_code == 404
    at.turn(UNFINISHED)
    assert f"painted already: {name(at.taken)}." in said(at)
    assert "1 square is missing" in said(at)
    state: Any = client.get("/api/state").json
    shown = state["table"]["boards"][at.board]
    assert (shown["state"], shown["facts"]["squares"]) == ("mismatch", [name(at.taken)])
    assert len(at.at.table.records) == known, "nothing was accepted"
    picture = client.get(f"/api/boards/{at.board}/wrong.jpg")
    assert picture.status_code == 200
    crop = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    outlined = np.abs(crop.astype(int) - OUTLINE_BGR).max(axis=2) < 60
    assert outlined.sum() > 100, "the square is outlined in it"


def test_wiped_it_is_no_longer_told(tmp_path: Path) -> None:
    at = overdrawn(tmp_path)
    at.turn(DRAWN + UNFINISHED)
    assert at.at.table.view()["boards"][at.board]["state"] == "mismatch"
    at.at.sim.reach(at.board)
    at.turn(4)
    at.at.sim.wipe(at.board, at.free)
    at.at.sim.withdraw(at.board)
    at.turn(DRAWN)
    assert at.at.table.view()["boards"][at.board]["state"] != "mismatch"
