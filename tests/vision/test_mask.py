"""Nothing but the printed boards is ever shown."""

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.loose import CAMERA, EMPTY, frame_of, kit, shot_of, told, with_pieces
from tests.vision.test_pieces import PIECES, TOLD
from vision.mask import Masker, masked
from vision.read import Reader
from vision.render import Piece, Thing

SCREEN = Thing("screen", (-150.0, 125.0), 2.0, (60.0, 50.0, 40.0))
SECRET = Piece("tile.3", (-150.0, 150.0), 10.0)
SCENE = replace(with_pieces(*PIECES, SECRET), things=(SCREEN,))


def test_before_a_board_is_found_all_is_black() -> None:
    masker = Masker(kit()[0])
    assert not masker.small(frame_of(SCENE)).any()
    assert not masker.full(np.full((648, 1152, 3), 120, np.uint8)).any()


def test_what_lies_behind_a_screen_is_not_shown_in_any_picture() -> None:
    masker = Masker(kit()[0])
    small = np.asarray(cv2.resize(frame_of(SCENE), (576, 324), interpolation=cv2.INTER_AREA), np.uint8)
    shown, shown_small = masker.full(frame_of(SCENE)), masker.small(small)
    without = replace(SCENE, pieces=SCENE.pieces[:-1])
    again = Masker(kit()[0])
    assert (shown == again.full(frame_of(without))).all()
    x, y = 576 + 1500 / 900 * SECRET.centre_mm[0], 324 + 1500 / 900 * SECRET.centre_mm[1]
    assert not shown[int(y) - 15 : int(y) + 15, int(x) - 15 : int(x) + 15].any()
    assert not shown_small[int(y / 2) - 8 : int(y / 2) + 8, int(x / 2) - 8 : int(x / 2) + 8].any()
    assert shown_small.any()


def test_a_masked_table_reads_as_before() -> None:
    reader, masker = Reader(kit()[0]), Masker(kit()[0])
    reader.take_reference(masker.full(frame_of(EMPTY)))
    assert told(reader.read(masker.full(frame_of(SCENE)))) == TOLD


def test_the_mask_follows_a_board_that_moves_and_a_bent_picture() -> None:
    camera = replace(CAMERA, k1=-0.05)
    masker = Masker(kit()[0])
    masker.full(frame_of(replace(EMPTY, camera=camera)))
    moved = replace(EMPTY.boards[0], centre_mm=(-160.0, -25.0), rotation_deg=9.0)
    scene = replace(EMPTY, boards=(moved, EMPTY.boards[1]), camera=camera)
    shown = masker.full(frame_of(scene))
    corners = np.array(shot_of(scene).truth.boards["sheet-1"].corners_px)
    inner = corners.mean(axis=0) + 0.97 * (corners - corners.mean(axis=0))
    outer = corners.mean(axis=0) + 1.04 * (corners - corners.mean(axis=0))
    assert all(shown[int(y), int(x)].any() for x, y in inner)
    assert not any(shown[int(y), int(x)].any() for x, y in outer)


def test_a_board_that_was_not_seen_for_long_is_forgotten() -> None:
    masker = Masker(kit()[0])
    frame = frame_of(EMPTY)
    masker.full(frame)
    found = masker._found
    assert found is not None
    old = replace(found, boards={name: replace(pose, age=31) for name, pose in found.boards.items()})
    assert masked(frame, found).any()
    assert not masked(frame, old).any()
