"""An owner's own pieces, of other shapes, colours and materials than ours: shown once, known from then on."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.ports import Frame, Picture
from pi_app.setup.pieces import PiecesSetup, load_looks, looks_file
from vision.kit.kit import Kit
from vision.kit.samples import SAMPLES, sample_sheet, told_by_make
from vision.layout import Layout
from vision.learn import with_looks
from vision.render import Camera, Lamp, Lights, PlacedBoard, Renderer, Scene, Sensor, put_on
from web.people import Refused
from web.refusal import Refusal

POST, PAWN, COIN = ("cylinder", [14, 14, 20]), ("figure", [18, 18, 30]), ("disc", [22, 22, 3])
KINDS: Mapping[str, tuple[str, tuple[str, list[int]], str, str]] = {
    "red": ("post", POST, "#b3402e", "wood"),
    "ruby": ("post", POST, "#ad3d30", "wood"),
    "blue": ("post", PAWN, "#2458b8", "glossy"),
    "black": ("post", POST, "#26262a", "glossy"),
    "coin": ("coin", COIN, "#b3402e", "matte"),
}
"""By piece: its set, its shape and size, its colour, and what it is made of."""
PRINTED = {"set": "card", "shape": "tile", "size_mm": [22, 22, 2], "code": 7, "faces": {"up": [0, 0, 22, 22]}}
CAMERA = Camera(size_px=(1152, 648), distance_mm=900.0, focal_px=1500.0)
LIT = Lights(lamps=(Lamp((250.0, -300.0, 1800.0), uneven=0.3),))


@cache
def layout() -> Layout:
    """A kit whose catalogue calls for other colours than its owner has."""
    kinds: dict[str, Any] = {
        piece: {"set": of, "shape": shape, "size_mm": size, "colour": "#d7263d"}
        for piece, (of, (shape, size), _, _) in KINDS.items()
    }
    places = {"sheet": {"spot": {"holds": ["post"]}, "purse": {"holds": ["coin"]}}}
    return Layout("any", (), pieces={"image": "pieces.png", "kinds": {**kinds, "card": PRINTED}, "places": places})


@cache
def sheet_kit() -> Kit:
    return sample_sheet(told_by_make(layout().catalogue))


@cache
def renderer() -> Renderer:
    """Draws the sheet and the pieces as their owner has them."""
    kit = sheet_kit()
    owned = {piece: {**layout().pieces["kinds"][piece], "colour": colour} for piece, (_, _, colour, _) in KINDS.items()}
    shown = replace(kit.layout, pieces={**layout().pieces, "kinds": owned})
    board = kit.layout.boards[0]
    size = round(6 * board.width_mm), round(6 * board.height_mm)
    printed = cv2.cvtColor(np.array(kit.draw(board).resize(size).convert("RGB")), cv2.COLOR_RGB2BGR)
    return Renderer(shown, {SAMPLES: np.asarray(printed, np.uint8)})


def picture(*pieces: str, sheet: bool = True) -> Picture:
    """The table with the sheet and these pieces, each in its place."""
    placed, board = PlacedBoard(SAMPLES, (10.0, -5.0), 4.0), sheet_kit().layout.board(SAMPLES)
    lying = tuple(put_on(placed, board, piece, piece, material=KINDS[piece][3]) for piece in pieces)
    sensor = Sensor(noise=2.0, blur_px=0.6, vignette=0.2)
    scene = Scene((placed,) if sheet else (), pieces=lying, camera=CAMERA, lights=LIT, sensor=sensor)
    return np.asarray(renderer().render(scene).frame_bgr, np.uint8)


def pieces_setup(folder: Path, bgr: Picture) -> PiecesSetup:
    return PiecesSetup(lambda: Frame(bgr, 0.0, 1), layout, folder, "any")


def test_what_is_printed_need_not_be_shown() -> None:
    assert [kind.id for kind in told_by_make(layout().catalogue)] == list(KINDS)


def test_each_piece_is_learned_with_its_picture_colour_and_size(tmp_path: Path) -> None:
    setup = pieces_setup(tmp_path, picture(*KINDS))
    assert setup.state().taken_at is None
    state = setup.learn()
    learned = {one.piece: one for one in state.learned}
    assert learned.keys() == KINDS.keys()
    assert state.taken_at is not None
    red, blue, black = (_rgb(learned[piece].colour) for piece in ("red", "blue", "black"))
    assert red[0] > 1.5 * max(red[1:])
    assert blue[2] > 1.3 * max(blue[:2])
    assert max(black) - min(black) < 10, "a lamp shines in its gloss, but it has no colour"
    assert 12 < learned["red"].width_mm < learned["coin"].width_mm < 26
    assert setup.picture("red").startswith(b"\xff\xd8")
    assert pieces_setup(tmp_path, picture()).state() == state, "it is kept"


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def test_two_reds_that_meet_are_said_to_look_alike_and_one_that_lies_elsewhere_is_not(tmp_path: Path) -> None:
    assert pieces_setup(tmp_path, picture(*KINDS)).learn().alike == [("red", "ruby")]


def test_readers_know_pieces_as_they_were_learned(tmp_path: Path) -> None:
    pieces_setup(tmp_path, picture(*KINDS)).learn()
    looks = load_looks(tmp_path, "any")
    known = with_looks(layout(), looks).catalogue.kinds
    assert all(known[piece].look is not None for piece in KINDS)
    assert known["card"].look is None
    assert with_looks(layout(), {}) is layout()


def test_without_the_sheet_or_with_a_piece_missing_nothing_is_kept(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        pieces_setup(tmp_path, picture(sheet=False)).learn()
    assert refused.value.refusal == Refusal("setup.pieces_no_sheet")
    with pytest.raises(Refused) as refused:
        pieces_setup(tmp_path, picture("red", "blue", "black", "coin")).learn()
    assert refused.value.refusal == Refusal("setup.pieces_missing", {"expected": ["ruby"]})
    assert load_looks(tmp_path, "any") == {}


def test_what_was_learned_is_forgotten(tmp_path: Path) -> None:
    setup = pieces_setup(tmp_path, picture(*KINDS))
    setup.learn()
    assert setup.forget().learned == ()
    assert load_looks(tmp_path, "any") == {}
    for piece in ("red", "card", "../x"):
        with pytest.raises(Refused):
            setup.picture(piece)


@pytest.mark.parametrize("kept", ["", "[]", '{"red": 1}', '{"red": {"look": {"mean": [0]}, "width_mm": 1}}', "\x00"])
def test_a_damaged_file_is_none(kept: str, tmp_path: Path) -> None:
    looks_file(tmp_path, "any").write_text(kept)
    assert load_looks(tmp_path, "any") == {}
    assert pieces_setup(tmp_path, picture()).state().learned == ()


def test_the_sheet_can_be_printed(tmp_path: Path) -> None:
    assert pieces_setup(tmp_path, picture()).sheet().startswith(b"%PDF")
