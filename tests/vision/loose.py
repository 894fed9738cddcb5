"""A small kit of two sheets with loose pieces, drawn here: what readers of pieces are tested on."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.kit.corners import corner_markers
from vision.layout import Layout, parse_layout
from vision.markers import Image, code_cells, draw_marker
from vision.read import Reader, TableReading
from vision.render import Camera, Lamp, Lights, Piece, PlacedBoard, Renderer, Scene, Sensor, Shot, put_on

PX_PER_MM = 6.0
COLOURS = {"red": "#d7263d", "blue": "#1b6ca8", "green": "#2e933c", "yellow": "#f4c20d"}
SIZE_MM = (280.0, 190.0)
TILES = tuple(f"tile.{number}" for number in range(1, 6))
SHEETS = ("sheet-1", "sheet-2")
_FOLDER = tempfile.TemporaryDirectory()


def _box(x: float, y: float, width: float, height: float) -> list[list[float]]:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


REGIONS: dict[str, tuple[list[list[float]], str, list[str], int]] = {
    **{f"ring.{n}": (_box(40 + 50 * (n - 1), 12, 40, 22), "pieces", ["post"], 2) for n in range(1, 5)},
    **{f"stock.{n}": (_box(40 + 22 * (n - 1), 38, 20, 20), "pieces", ["post"], 1) for n in range(1, 6)},
    "well": (_box(165, 38, 60, 42), "pieces", ["post"], 6),
    **{f"slot.{n}": (_box(40 + 30 * (n - 1), 64, 26, 26), "tile", ["card"], 1) for n in range(1, 5)},
    **{f"face.{n}": (_box(12 + 32 * (n - 1), 100, 26, 24), "tile", [f"part.{n}"], 1) for n in range(1, 8)},
    **{f"disc.{n}": (_box(15 + 32 * (n - 1), 124, 20, 20), "pieces", ["disc", "flag"], 1) for n in range(1, 8)},
    **{f"track.{n}": (_box(40 + 20 * (n - 1), 160, 18, 18), "pieces", ["score"], 4) for n in range(1, 10)},
}


@cache
def kit() -> tuple[Layout, dict[str, Image]]:
    """The layout, and the pictures of its sheets and pieces."""
    atlas, kinds = _atlas()
    data = {
        "profile": "loose",
        "boards": [_board(sheet, number) for number, sheet in enumerate(SHEETS)],
        "pieces": {
            "image": "pieces.png",
            "kinds": kinds,
            "places": {
                sheet: {name: {"holds": holds, "most": most} for name, (_, _, holds, most) in REGIONS.items()}
                for sheet in SHEETS
            },
        },
    }
    pictures = {**{sheet: _print(number) for number, sheet in enumerate(SHEETS)}, "pieces.png": atlas}
    folder = Path(_FOLDER.name)
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name.removesuffix('.png')}.png"), picture)
    return parse_layout(data, folder), pictures


@cache
def renderer() -> Renderer:
    return Renderer(*kit())


CAMERA = Camera(size_px=(1152, 648), distance_mm=900.0, focal_px=1500.0)
"""Shows the sheets at 1.67 px per mm: a little coarser than a camera of 2304x1296 shows a whole table."""
LAMP = Lamp((250.0, -300.0, 1800.0), uneven=0.3)
EMPTY = Scene(
    (PlacedBoard("sheet-1", (-150.0, 0.0), 2.0), PlacedBoard("sheet-2", (150.0, 4.0), -1.0)),
    camera=CAMERA,
    lights=Lights(lamps=(LAMP,)),
    sensor=Sensor(noise=2.0, blur_px=0.6, vignette=0.2, sharpening=0.6, jpeg_quality=92),
)


def on(region: str, kind: str, sheet: str = "sheet-1", scene: Scene = EMPTY, **more: Any) -> Piece:
    """A piece on a region of a sheet."""
    placed = next(placed for placed in scene.boards if placed.board_id == sheet)
    return put_on(placed, kit()[0].board(sheet), region, kind, **more)


def turned(number: int, sheet: str = "sheet-1", scene: Scene = EMPTY, **more: Any) -> Piece:
    """The finished face of a part, where the sheet shows the other one."""
    return on(f"face.{number}", f"part.{number}", sheet, scene, face="finished", **{"off_mm": (0.0, 10.0), **more})


def with_pieces(*pieces: Piece, scene: Scene = EMPTY) -> Scene:
    return replace(scene, pieces=pieces, moment=1)


def shot_of(scene: Scene) -> Shot:
    return renderer().render(scene)


def frame_of(scene: Scene) -> Image:
    return np.asarray(shot_of(scene).frame_bgr, np.uint8)


def read(scene: Scene, clean: Scene | None = None) -> TableReading:
    """What is read, against a picture of the same table without pieces."""
    reader = Reader(kit()[0])
    reader.take_reference(
        frame_of(replace(scene, pieces=(), hands=(), things=(), moment=0) if clean is None else clean)
    )
    return reader.read(frame_of(scene))


def told(reading: TableReading, sheet: str = "sheet-1") -> dict[str, str]:
    """What is not as on the clean sheet, by region."""
    return {region: mark.kind for region, mark in reading.marks[sheet].items() if mark.kind not in {"empty", "open"}}


def _board(sheet: str, number: int) -> dict[str, Any]:
    return {
        "id": sheet,
        "kind": "sheet",
        "width_mm": SIZE_MM[0],
        "height_mm": SIZE_MM[1],
        "image": f"{sheet}.png",
        "regions": {name: box for name, (box, *_) in REGIONS.items()},
        "markers": {str(n): [list(p) for p in polygon] for n, polygon in corner_markers(number, SIZE_MM).items()},
        "readers": {name: reader for name, (_, reader, *_) in REGIONS.items()},
    }


def _px(*lengths_mm: float) -> list[int]:
    return [round(length * PX_PER_MM) for length in lengths_mm]


def _print(number: int) -> Image:
    """A sheet's print: pale ground, white places with rings, open parts."""
    width, height = _px(*SIZE_MM)
    picture = np.full((height, width, 3), (214, 226, 232), np.uint8)
    cv2.rectangle(picture, _px(6, 96), _px(274, 150), (150, 160, 150), -1)
    for name, (box, reader, *_) in REGIONS.items():
        (left, top), (right, bottom) = _px(*box[0]), _px(*box[2])
        if name.startswith("face"):
            _draw_part(picture[top : top + _px(44)[0], left : left + _px(26)[0]], int(name[-1]), finished=False)
            continue
        cv2.rectangle(picture, (left, top), (right, bottom), (255, 255, 255), -1)
        if reader == "tile":
            cv2.rectangle(picture, (left, top), (right, bottom), (90, 90, 90), 2)
        else:
            middle = (left + right) // 2, (top + bottom) // 2
            cv2.circle(picture, middle, (bottom - top) // 2 - 4, (90, 90, 90), 2, cv2.LINE_AA)
    for marker, polygon in corner_markers(number, SIZE_MM).items():
        left, top = _px(*polygon[0])
        side = _px(25)[0]
        cv2.rectangle(picture, (left - 24, top - 24), (left + side + 24, top + side + 24), (255, 255, 255), -1)
        picture[top : top + side, left : left + side] = draw_marker(marker, side)[..., None]
    return picture


def _draw_part(picture: Image, number: int, finished: bool) -> None:
    """One of two faces; below is a white circle for a disc."""
    height, width = picture.shape[:2]
    picture[:] = (235, 240, 240)
    if finished:
        random = np.random.default_rng(number)
        for _ in range(9):
            colour = tuple(int(c) for c in random.integers(30, 230, 3))
            place = tuple(int(c) for c in random.integers(0, (width, height)))
            cv2.circle(picture, place, int(random.integers(20, 60)), colour, -1, cv2.LINE_AA)
    else:
        cv2.putText(picture, f"A{number}", (24, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (40, 40, 40), 5, cv2.LINE_AA)
        for spot in range(3):
            cv2.circle(picture, (30 + 48 * spot, 110), 16, (60, 140, 60 * spot), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (1, 1), (width - 2, height - 2), (70, 70, 70), 3)
    cv2.circle(picture, (width // 2, height - 60), 57, (250, 250, 250), -1, cv2.LINE_AA)


def _atlas() -> tuple[Image, dict[str, Any]]:
    """Every face below the other, and what the layout says of them."""
    kinds: dict[str, Any] = {}
    faces: list[Image] = []
    top = 0.0

    def add(picture: Image) -> list[float]:
        nonlocal top
        height, width = picture.shape[:2]
        box = [0.0, top, width / PX_PER_MM, height / PX_PER_MM]
        top += height / PX_PER_MM
        faces.append(picture)
        return box

    for number, (colour, written) in enumerate(COLOURS.items()):
        bgr = [int(written[at : at + 2], 16) for at in (5, 3, 1)]
        plain = np.full((96, 96, 3), bgr, np.uint8)
        post = {"set": "post", "shape": "cylinder", "size_mm": [16, 16, 28], "colour": written, "code": None}
        kinds[colour] = {**post, "faces": {"up": add(plain)}}
        disc = {"set": "disc", "shape": "disc", "size_mm": [18, 18, 2], "colour": written, "code": 20 + number}
        kinds[f"disc.{colour}"] = {**disc, "faces": {"up": add(_coded(18, 10, 20 + number, bgr))}}
        flag = {"set": "flag", "shape": "tile", "size_mm": [18, 18, 2], "colour": written, "code": 30 + number}
        kinds[f"flag.{colour}"] = {**flag, "faces": {"up": add(_coded(18, 10, 30 + number, bgr))}}
        score = {"set": "score", "shape": "disc", "size_mm": [9, 9, 2], "colour": written, "code": None}
        kinds[f"score.{colour}"] = {**score, "faces": {"up": add(np.full((54, 54, 3), bgr, np.uint8))}}
    grey = {"set": "disc", "shape": "disc", "size_mm": [18, 18, 2], "colour": "#8c8c96", "code": 24}
    kinds["disc.neutral"] = {**grey, "faces": {"up": add(_coded(18, 10, 24, [150, 140, 140]))}}
    for number, tile in enumerate(TILES):
        card = {"set": "card", "shape": "tile", "size_mm": [22, 22, 2], "colour": "#e8e0d0", "code": number}
        faces_of = {
            "up": add(_coded(22, 14, number, [208, 224, 232])),
            "back": add(np.full((132, 132, 3), 90, np.uint8)),
        }
        kinds[tile] = {**card, "faces": faces_of}
    for number in range(1, 8):
        both = {}
        for face in ("open", "finished"):
            picture = np.zeros((264, 156, 3), np.uint8)
            _draw_part(picture, number, face == "finished")
            both[face] = add(picture)
        part = {"set": f"part.{number}", "shape": "tile", "size_mm": [26, 44, 2], "colour": "#c8c8c8", "code": None}
        kinds[f"part.{number}"] = {**part, "faces": both}
    return _stacked(faces), kinds


def _coded(side_mm: float, code_mm: float, code: int, bgr: Sequence[int]) -> Image:
    """A square face of that colour with a code in the middle, on white."""
    face = np.full((round(side_mm * PX_PER_MM),) * 2 + (3,), bgr, np.uint8)
    cells = np.asarray(code_cells(code) * 255, np.uint8)
    quiet, side = round((code_mm + 1.6) * PX_PER_MM), round(code_mm * PX_PER_MM)
    for size, paint in (
        (quiet, 255),
        (side, cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)[..., None]),
    ):
        begin = (len(face) - size) // 2
        face[begin : begin + size, begin : begin + size] = paint
    return face


def _stacked(faces: Sequence[Image]) -> Image:
    width = max(face.shape[1] for face in faces)
    return np.concatenate([np.pad(face, ((0, 0), (0, width - face.shape[1]), (0, 0))) for face in faces])
