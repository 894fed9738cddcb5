"""Draws camera frames of a table from a kit, marks, dice and hands: the inverse of reading.

For tests, benchmarks and the simulated table. A `Scene` says what lies where and how it is lit and
seen; `render` gives the frame and the truth about it. The same scene always gives the same frame.

    shot = render(Scene(boards=(PlacedBoard("city-1", marks=(Mark("r1c1", "cross"),)),)), layout, pictures)
    shot.frame_bgr, shot.truth.boards["city-1"].regions["r1c1"].polygon_px

A `Renderer` does the same and remembers what stayed where it was, for many frames of one table.
"""

from vision.render.camera import Camera
from vision.render.picture import Renderer, Shot, load_pictures, render
from vision.render.scene import (
    Die,
    Glare,
    Hand,
    Lamp,
    Lights,
    Mark,
    Piece,
    PlacedBoard,
    Scene,
    Sensor,
    Shade,
    Stroke,
    TableTop,
    Thing,
    by_hand,
    in_section,
    put_on,
)
from vision.render.strokes import pen_point
from vision.render.truth import BoardTruth, DieTruth, RegionTruth, Truth

__all__ = [
    "BoardTruth",
    "Camera",
    "Die",
    "DieTruth",
    "Glare",
    "Hand",
    "Lamp",
    "Lights",
    "Mark",
    "Piece",
    "PlacedBoard",
    "RegionTruth",
    "Renderer",
    "Scene",
    "Sensor",
    "Shade",
    "Shot",
    "Stroke",
    "TableTop",
    "Thing",
    "Truth",
    "by_hand",
    "in_section",
    "load_pictures",
    "pen_point",
    "put_on",
    "render",
]
