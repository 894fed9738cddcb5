"""One city board of the house edition under a camera, for tests of what is read on it."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.profiles import load_profile
from vision.layout import Layout
from vision.markers import Image
from vision.marks import RegionReading
from vision.read import Reader
from vision.render import Camera, Mark, PlacedBoard, Renderer, Scene, Sensor, Shot

BOARD = "city-1"
CAMERA = Camera(size_px=(640, 480), distance_mm=800.0, focal_px=1480.0)
"""Shows a board at 1.85 px per mm: as a camera of 2304x1296 shows a whole table, or a little finer."""
CLEAN = Scene((PlacedBoard(BOARD),), camera=CAMERA, sensor=Sensor(noise=2.0, blur_px=0.6, jpeg_quality=92))


@cache
def house() -> tuple[Layout, Renderer, dict[str, Image]]:
    kit = kit_of(resolve(load_profile(HOUSE)))
    pictures = {}
    for board in kit.layout.boards:
        # The camera sees two pixels for each millimetre: six are plenty, and much quicker than the printer's twelve.
        small = kit.draw(board).resize((round(board.width_mm * 6), round(board.height_mm * 6)))
        pictures[board.id] = np.asarray(cv2.cvtColor(np.array(small.convert("RGB")), cv2.COLOR_RGB2BGR), np.uint8)
    return kit.layout, Renderer(kit.layout, pictures), pictures


def shot_of(scene: Scene) -> Shot:
    return house()[1].render(scene)


@cache
def clean_frame() -> Image:
    return np.asarray(shot_of(CLEAN).frame_bgr, np.uint8)


def with_ink(*marks: Mark, scene: Scene = CLEAN) -> Scene:
    return replace(scene, boards=(replace(scene.boards[0], marks=marks),), moment=1)


def read(scene: Scene, clean: Image | None = None) -> dict[str, RegionReading]:
    """What is read on the board, against the clean picture of the same table."""
    reader = Reader(house()[0])
    reader.take_reference(clean_frame() if clean is None else clean)
    return dict(reader.read(np.asarray(shot_of(scene).frame_bgr, np.uint8)).marks[BOARD])


def drawn(marks: dict[str, RegionReading]) -> dict[str, str]:
    """What is not empty, by region."""
    return {region: mark.kind for region, mark in marks.items() if mark.kind != "empty"}
