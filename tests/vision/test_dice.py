"""Dice in pictures of our own renderer: what is read, where, and what is not taken for a die."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.profiles import load_profile
from vision.dice import SeenDie, read_dice
from vision.layout import Layout
from vision.markers import Image, draw_marker
from vision.networks import outputs_of
from vision.render import Camera, Die, Lights, PlacedBoard, Renderer, Scene, Sensor, Shot, TableTop, Thing

CAMERA = Camera(size_px=(480, 360), distance_mm=700.0, focal_px=1600.0)
DIE_PX = (28.0, 48.0)
"""Dice of 16 mm are 37 px wide in this camera."""
SLANTED = replace(CAMERA, tilt_deg=40.0)
WHITE = (240.0, 240.0, 240.0)
COLOURS = {"black": (30.0, 30.0, 30.0), "red": (40.0, 40.0, 190.0), "blue": (150.0, 70.0, 30.0)}


@cache
def bare_table() -> Renderer:
    return Renderer(Layout("none", (), Path()), {})


def shot_of(*dice: Die, camera: Camera = CAMERA, table: str = "plain") -> Shot:
    return bare_table().render(Scene(dice=dice, camera=camera, table=TableTop(table)))


def values(seen: tuple[SeenDie, ...]) -> list[int]:
    return sorted(die.value for die in seen)


def six_dice(**looks: object) -> tuple[Die, ...]:
    return tuple(
        Die(value, (-60.0 + 60 * (place % 3), -30.0 + 60 * (place // 3)), 25.0 * value, **looks)  # type: ignore[arg-type]
        for place, value in enumerate(range(1, 7))
    )


def assert_placed(seen: tuple[SeenDie, ...], shot: Shot) -> None:
    """Every die of the truth is read once, at its place."""
    assert values(seen) == sorted(die.value for die in shot.truth.dice)
    for true in shot.truth.dice:
        near = [die for die in seen if np.hypot(*np.subtract(die.centre_px, true.centre_px)) < 0.35 * true.radius_px]
        assert [die.value for die in near] == [true.value]
        assert near[0].radius_px == pytest.approx(true.radius_px, rel=0.25)


@pytest.mark.parametrize("hint", [None, DIE_PX])
def test_every_value_is_read_where_it_lies(hint: tuple[float, float] | None) -> None:
    shot = shot_of(*six_dice())
    assert_placed(read_dice(shot.frame_bgr, hint), shot)


@pytest.mark.parametrize("colour", sorted(COLOURS))
def test_white_pips_on_dark_and_coloured_dice(colour: str) -> None:
    shot = shot_of(*six_dice(body_bgr=COLOURS[colour], pip_bgr=WHITE))
    assert_placed(read_dice(shot.frame_bgr, DIE_PX), shot)


@pytest.mark.parametrize("table", ["checked", "striped", "wood"])
def test_patterned_tables(table: str) -> None:
    shot = shot_of(*six_dice(), table=table)
    assert values(read_dice(shot.frame_bgr, DIE_PX)) == [1, 2, 3, 4, 5, 6]


def test_side_faces_seen_at_a_slant_do_not_count() -> None:
    shot = shot_of(*six_dice(), camera=SLANTED)
    seen = read_dice(shot.frame_bgr, DIE_PX)
    assert values(seen) == [1, 2, 3, 4, 5, 6]
    for true in shot.truth.dice:
        assert min(np.hypot(*np.subtract(die.centre_px, true.centre_px)) for die in seen) < 0.5 * true.radius_px


def test_touching_dice_are_separate() -> None:
    dice = tuple(
        Die(value, (16.2 * (place % 3), 16.2 * (place // 3))) for place, value in enumerate((4, 1, 6, 2, 5, 3))
    )
    shot = shot_of(*dice)
    assert_placed(read_dice(shot.frame_bgr, DIE_PX), shot)


@pytest.mark.parametrize("scale", [0.7, 2.0, 4.0])
def test_any_scale_without_being_told(scale: float) -> None:
    frame = cv2.resize(shot_of(*six_dice()).frame_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert values(read_dice(np.asarray(frame, np.uint8))) == [1, 2, 3, 4, 5, 6]


def test_small_dice_in_a_large_picture() -> None:
    """They are found coarsely first, then looked at closely."""
    frame = np.full((3000, 4000, 3), bare_table().render(Scene(camera=CAMERA)).frame_bgr[5, 5], np.uint8)
    shot = shot_of(*six_dice())
    height, width = shot.frame_bgr.shape[:2]
    for x, y in ((300, 400), (3100, 2300)):
        frame[y : y + height, x : x + width] = shot.frame_bgr
    assert values(read_dice(frame)) == sorted([1, 2, 3, 4, 5, 6] * 2)


def test_what_a_large_picture_costs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy it is: the finder sees a small part of its pixels, the reader not too many places."""
    seen = Counter[str]()

    def counted(file: str, pictures: Image) -> NDArray[np.floating[Any]]:
        seen[file] += pictures.shape[0] * pictures.shape[1] * pictures.shape[2]
        return outputs_of(file, pictures)

    monkeypatch.setattr("vision.dice.outputs_of", counted)
    busy = np.random.default_rng(1).integers(0, 256, (375, 500, 3), np.uint8)
    read_dice(np.asarray(cv2.resize(busy, (4000, 3000), interpolation=cv2.INTER_NEAREST), np.uint8))
    assert 0 < seen["dice_finder.onnx"] < 3_000_000
    assert seen["dice_reader.onnx"] < 5 * 100 * 64**2


@pytest.mark.parametrize("looks", ["white", *COLOURS])
def test_dice_in_little_light_are_found_and_none_is_misread(looks: str) -> None:
    """The sensor's noise is nearly as strong as what is left of the light."""
    colours = {"body_bgr": COLOURS[looks], "pip_bgr": WHITE} if looks in COLOURS else {}
    scene = Scene(
        dice=six_dice(**colours),
        camera=CAMERA,
        lights=Lights(level=0.12),
        sensor=Sensor(noise=7.0, motion_px=2.0, motion_deg=30.0, jpeg_quality=85),
    )
    shot = bare_table().render(scene)
    found = 0
    for die in read_dice(shot.frame_bgr, DIE_PX):
        near = [
            true.value
            for true in shot.truth.dice
            if np.hypot(*np.subtract(die.centre_px, true.centre_px)) < true.radius_px
        ]
        assert near == [die.value]
        found += 1
    assert found >= 5


def test_a_die_that_fills_the_picture() -> None:
    close = replace(CAMERA, size_px=(300, 300), focal_px=8000.0)
    assert values(read_dice(shot_of(Die(5, (0.0, 0.0), 20.0), camera=close).frame_bgr)) == [5]


def test_boards_tokens_and_markers_are_no_dice() -> None:
    kit = kit_of(resolve(load_profile(HOUSE)))
    drawn = {board: kit.draw(kit.layout.board(board)) for board in ("hq", "city-1")}
    renderer = Renderer(
        kit.layout, {name: np.asarray(picture.convert("RGB"))[..., ::-1] for name, picture in drawn.items()}
    )
    things = tuple(
        Thing(kind, (-90.0 + 45 * place, 60.0)) for place, kind in enumerate(("token", "disc", "cube", "pen"))
    )
    scene = Scene(
        (PlacedBoard("hq"), PlacedBoard("city-1", (230.0, 0.0))),
        things=things,
        camera=replace(CAMERA, size_px=(900, 500)),
    )
    assert read_dice(renderer.render(scene).frame_bgr, DIE_PX) == ()


def test_bare_markers_are_no_dice() -> None:
    frame = np.full((300, 400, 3), 230, np.uint8)
    for number in range(12):
        x, y = 20 + 95 * (number % 4), 20 + 95 * (number // 4)
        frame[y : y + 42, x : x + 42] = draw_marker(number, 42)[..., None]
    assert read_dice(frame, (20.0, 60.0)) == ()


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (7, 7), (64, 48)])
def test_flat_and_tiny_pictures_hold_no_dice(size: tuple[int, int]) -> None:
    assert read_dice(np.full((*size, 3), 128, np.uint8)) == ()


def test_an_empty_table_holds_no_dice() -> None:
    assert read_dice(shot_of(table="wood").frame_bgr) == ()


def left_half(shot: Shot) -> list[int]:
    return sorted(die.value for die in shot.truth.dice if die.centre_px[0] < 200)


@pytest.mark.parametrize("coarseness", [1, 20])
def test_search_within_a_mask_of_any_resolution(coarseness: int) -> None:
    shot = shot_of(*six_dice())
    mask = np.zeros((360 // coarseness, 480 // coarseness), np.uint8)
    mask[:, : 200 // coarseness] = 1
    assert values(read_dice(shot.frame_bgr, DIE_PX, mask)) == left_half(shot) != []
    assert read_dice(shot.frame_bgr, DIE_PX, np.zeros_like(mask)) == ()


def test_confidence_is_a_probability_and_the_surest_come_first() -> None:
    seen = read_dice(shot_of(*six_dice()).frame_bgr, DIE_PX)
    confidences = [die.confidence for die in seen]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0 < confidence <= 1 for confidence in confidences)
    assert min(confidences) > 0.5


def test_a_blurred_die_is_less_sure() -> None:
    clear = shot_of(Die(5, (0.0, 0.0), 20.0)).frame_bgr
    sure = read_dice(clear, DIE_PX)[0].confidence
    for die in read_dice(np.asarray(cv2.GaussianBlur(clear, (0, 0), 5.0), np.uint8), DIE_PX):
        assert die.confidence < sure


def test_the_frame_stays_as_it_was() -> None:
    frame = shot_of(*six_dice()).frame_bgr
    before = frame.copy()
    read_dice(frame)
    assert (frame == before).all()
