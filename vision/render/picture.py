"""Puts a frame together, layer by layer, and keeps the layers that did not change."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from vision.layout import BoardLayout, Layout
from vision.render.camera import Camera, position_mm, project_flat, px_per_mm, table_points
from vision.render.dice import die_blocker, paint_die
from vision.render.ground import table_picture
from vision.render.light import GAMMA, LIGHT_STEP, Blocker, glare_map, light_map, shade_map
from vision.render.noise import Array, chance, sampled
from vision.render.pieces import Faces, lay_pieces, paint_piece
from vision.render.scene import Die, Piece, PlacedBoard, Scene, Thing, on_table
from vision.render.sensor import delivered, developed
from vision.render.solids import Canvas, Prism, paint_capsules, paint_prism
from vision.render.strokes import lay_ink, lay_stroke
from vision.render.things import hand_bodies, thing_bodies
from vision.render.truth import Truth, truth_of

# Boards are inked finer than the camera sees them, so that thin lines fade as they do in a lens.
INK_FINENESS = 3.0
FINEST_INK_PX_PER_MM = 8.0
# Print never is wholly white or black.
PAPER_WHITE, PRINT_BLACK = 0.82, 0.02
# The dark rim that a board of a millimetre leaves on the table.
EDGE_SHADOW, EDGE_SHADOW_MM = 0.45, 2.0
TABLE_GLOSS = 0.06

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Shot:
    """A frame (BGR uint8) and what it shows, which is worked out when somebody asks for it."""

    frame_bgr: Array
    _tell: Callable[[], Truth]

    @cached_property
    def truth(self) -> Truth:
        return self._tell()


@dataclass(frozen=True)
class _Patch:
    """A board in the frame: its window, its light and how much of each pixel is board."""

    window: tuple[slice, slice]
    linear_bgr: Array
    share: Array


@dataclass(frozen=True)
class _Still:
    """A table that nobody moves, as the sensor measures it but for its noise; where things and hands are seen."""

    developed_bgr: Array
    lying: Array
    hands: Array


class _Kept:
    """The last value made under each name, as long as it is asked for with the same key."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[Hashable, Any]] = {}

    def get(self, name: str, key: Hashable, make: Callable[[], T]) -> T:
        if name not in self._values or self._values[name][0] != key:
            self._values[name] = key, make()
        value: T = self._values[name][1]
        return value


class Renderer:
    """Draws frames of one kit, by the boards' pictures; fast when little changed since the last frame.

    What it keeps changes nothing but the speed; it belongs to one thread.
    """

    def __init__(self, layout: Layout, pictures_bgr: Mapping[str, Array]) -> None:
        self._layout, self._pictures = layout, dict(pictures_bgr)
        self._faces = _faces(layout, pictures_bgr)
        self._kept = _Kept()

    def render(self, scene: Scene) -> Shot:
        """The frame of a scene, and its truth."""
        still = replace(scene, moment=0)
        seen = self._kept.get("still", still, lambda: self._developed(still))
        frame = delivered(seen.developed_bgr, scene)
        return Shot(frame, lambda: truth_of(scene, self._layout, frame, seen.lying, seen.hands))

    def _developed(self, scene: Scene) -> _Still:
        printed, gloss = self._printed(scene)
        lying = [piece for piece in scene.pieces if self._faces.lies(piece)]
        if lying:
            printed = printed.copy()
            lay_pieces(printed, scene.camera, lying, self._faces)
        points = self._points(scene.camera)[::LIGHT_STEP, ::LIGHT_STEP]
        canvas = _blank(printed * self._light(scene, points))
        if scene.lights.glares or scene.lights.sheen:
            key = scene.camera, scene.lights, scene.seed
            glare = self._kept.get("glare", key, lambda: glare_map(scene.lights, points, scene.seed))
            canvas.linear_bgr[:] += _enlarged(glare, gloss.shape) * gloss[..., None]
        _paint_standing(canvas, scene, self._faces)
        above = _blank(canvas.linear_bgr)
        _paint_hands(above, scene)
        if scene.lights.shades:
            left = shade_map(scene.lights.shades, scene.camera, points.shape[:2])
            canvas.linear_bgr[:] *= _enlarged(left, gloss.shape)[..., None]
        return _Still(developed(canvas.linear_bgr, scene), canvas.covered, above.covered)

    def _points(self, camera: Camera) -> Array:
        return self._kept.get("points", camera, lambda: table_points(camera))

    def _light(self, scene: Scene, points_mm: Array) -> Array:
        standing = tuple(piece for piece in scene.pieces if not self._faces.lies(piece))
        key = scene.camera, scene.lights, scene.dice, scene.things, scene.hands, standing
        blockers = [*_blockers(scene), *map(self._faces.blocker, standing)]
        light = self._kept.get("light", key, lambda: light_map(scene.lights, scene.camera, points_mm, blockers))
        width, height = scene.camera.size_px
        return _enlarged(light, (height, width))

    def _printed(self, scene: Scene) -> tuple[Array, Array]:
        """The table with the inked boards in even light, and how glossy each pixel is."""
        key = scene.camera, scene.table, scene.boards, scene.seed
        return self._kept.get("printed", key, lambda: self._lay_boards(scene))

    def _lay_boards(self, scene: Scene) -> tuple[Array, Array]:
        camera, table, seed = scene.camera, scene.table, scene.seed
        ground = self._kept.get(
            "ground", (camera, table, seed), lambda: table_picture(table, self._points(camera), seed)
        )
        frame, gloss = ground.copy(), np.full(ground.shape[:2], TABLE_GLOSS, np.float32)
        for placed in scene.boards:
            patch = self._patch(scene, placed)
            _drop_edge_shadow(frame, scene.camera, placed, self._layout.board(placed.board_id))
            window = frame[patch.window]
            window += (patch.linear_bgr - window) * patch.share[..., None]
            gloss[patch.window] = np.maximum(gloss[patch.window], patch.share)
        return frame, gloss

    def _patch(self, scene: Scene, placed: PlacedBoard) -> _Patch:
        key = scene.camera, placed, scene.seed
        return self._kept.get(f"board {placed.board_id}", key, lambda: self._new_patch(scene, placed))

    def _new_patch(self, scene: Scene, placed: PlacedBoard) -> _Patch:
        """Prints, inks and warps one board."""
        camera, board = scene.camera, self._layout.board(placed.board_id)
        nearest = max(px_per_mm(camera, np.array([*corner, 0.0])) for corner in _corners(placed, board))
        scale = min(max(INK_FINENESS * nearest, 2.0), FINEST_INK_PX_PER_MM)
        paper = self._kept.get(f"paper {board.id}", scale, lambda: _paper(self._pictures[board.id], board, scale))
        inked = _inked(paper, placed, board, scale, scene.seed) if placed.marks or placed.strokes else paper
        return _warped(inked, scale, nearest, placed, board, self._points(camera), camera)


def render(scene: Scene, layout: Layout, pictures_bgr: Mapping[str, Array]) -> Shot:
    """The frame of a scene, and its truth."""
    return Renderer(layout, pictures_bgr).render(scene)


def load_pictures(layout: Layout) -> dict[str, Array]:
    """The kit's board pictures by board id, and that of its pieces by its file name. Raises OSError for one that
    cannot be read."""
    names = {board.id: board.image for board in layout.boards}
    if layout.catalogue.image:
        names[layout.catalogue.image] = layout.catalogue.image
    return {name: _loaded(layout.folder / image) for name, image in names.items()}


def _loaded(path: Path) -> Array:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{path}: cannot be read as a picture")
    return np.asarray(picture)


def _faces(layout: Layout, pictures_bgr: Mapping[str, Array]) -> Faces:
    """The pieces' picture, which is as fine as those of the boards."""
    scales = [pictures_bgr[board.id].shape[1] / board.width_mm for board in layout.boards if board.id in pictures_bgr]
    return Faces(layout.catalogue, pictures_bgr.get(layout.catalogue.image), scales[0] if scales else 1.0)


def _paper(picture_bgr: Array, board: BoardLayout, scale: float) -> Array:
    """A board's print in linear light, at `scale` pixels per mm."""
    size = round(board.width_mm * scale), round(board.height_mm * scale)
    curve = (PRINT_BLACK + (PAPER_WHITE - PRINT_BLACK) * (np.arange(256) / 255) ** GAMMA).astype(np.float32)
    return np.asarray(cv2.resize(cv2.LUT(picture_bgr, curve), size, interpolation=cv2.INTER_AREA))


def _inked(paper: Array, placed: PlacedBoard, board: BoardLayout, scale: float, seed: int) -> Array:
    """A board's print with what was drawn on it."""
    picture = paper.copy()
    for mark in placed.marks:
        lay_ink(picture, mark, board, scale, seed)
    for stroke in placed.strokes:
        lay_stroke(picture, stroke, scale)
    return picture


def _warped(
    picture: Array,
    scale: float,
    nearest: float,
    placed: PlacedBoard,
    board: BoardLayout,
    points_mm: Array,
    camera: Camera,
) -> _Patch:
    """A board's picture as the camera sees it where the board lies."""
    # Reduced to about the camera's own scale first: the warp itself looks at four pixels only.
    reduced = min(1.0, 1.3 * nearest / scale)
    size = round(picture.shape[1] * reduced), round(picture.shape[0] * reduced)
    picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    height, width = points_mm.shape[:2]
    outline = project_flat(camera, _corners(placed, board))
    left, top = np.floor(outline.min(axis=0) - 2).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0) + 3).clip(0, (width, height)).astype(int)
    window = slice(top, bottom), slice(left, right)
    turn = np.radians(placed.rotation_deg)
    back = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32)
    on_board = (points_mm[window] - np.array(placed.centre_mm, np.float32)) @ back.T
    half = np.array([board.width_mm, board.height_mm], np.float32) / 2
    inside_mm = (half - np.abs(on_board)).min(axis=2)
    where = (on_board + half) * (np.array(picture.shape[1::-1], np.float32) / (2 * half)) - np.float32(0.5)
    if not where.size:
        return _Patch(window, np.zeros((*where.shape[:2], 3), np.float32), np.zeros(where.shape[:2], np.float32))
    seen = sampled(picture, where)
    return _Patch(window, seen, np.clip(inside_mm * np.float32(nearest) + 0.5, 0, 1))


def _drop_edge_shadow(frame: Array, camera: Camera, placed: PlacedBoard, board: BoardLayout) -> None:
    outline = project_flat(camera, _corners(placed, board))
    height, width = frame.shape[:2]
    sigma = EDGE_SHADOW_MM * px_per_mm(camera, np.array([*placed.centre_mm, 0.0]))
    left, top = np.floor(outline.min(axis=0) - 3 * sigma).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0) + 3 * sigma).clip(0, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillPoly(mask, [np.round(outline - (left, top)).astype(np.int32).reshape(-1, 1, 2)], (1.0,))
    frame[top:bottom, left:right] *= 1 - EDGE_SHADOW * np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma))[..., None]


def _corners(placed: PlacedBoard, board: BoardLayout) -> Array:
    width, height = board.width_mm, board.height_mm
    return on_table(placed, board, np.array([(0, 0), (width, 0), (width, height), (0, height)]))


def _blockers(scene: Scene) -> list[Blocker]:
    bodies = [body for thing in scene.things for body in thing_bodies(thing)]
    arms = [body for hand in scene.hands for body in hand_bodies(hand)]
    return [die_blocker(die) for die in scene.dice] + [body.blocker() for body in (*bodies, *arms)]


def _blank(linear_bgr: Array) -> Canvas:
    return Canvas(linear_bgr, np.zeros(linear_bgr.shape[:2], np.uint8))


def _paint_standing(canvas: Canvas, scene: Scene, faces: Faces) -> None:
    """Things, dice and standing pieces, from far to near."""
    camera, lights, eye = scene.camera, scene.lights, position_mm(scene.camera)[:2]
    standing = [piece for piece in scene.pieces if not faces.lies(piece)]
    items: list[Thing | Die | Piece] = sorted(
        (*scene.things, *scene.dice, *standing), key=lambda item: -float(np.hypot(*(np.array(item.centre_mm) - eye)))
    )
    for item in items:
        if isinstance(item, Die):
            paint_die(canvas, camera, lights, item)
            continue
        if isinstance(item, Piece):
            # A piece covers nothing: it is what there is to be read.
            paint_piece(_blank(canvas.linear_bgr), camera, lights, item, faces)
            continue
        for body in thing_bodies(item):
            if isinstance(body, Prism):
                paint_prism(canvas, camera, lights, body)
            else:
                paint_capsules(canvas, camera, lights, [body])


def _paint_hands(canvas: Canvas, scene: Scene) -> None:
    for number, hand in enumerate(scene.hands):
        paint_capsules(canvas, scene.camera, scene.lights, hand_bodies(hand), chance("skin", scene.seed, number))


def _enlarged(small: Array, shape: tuple[int, ...]) -> Array:
    """A map of every second pixel, for every pixel."""
    rows, columns = small.shape[:2]
    whole = cv2.resize(small, (columns * LIGHT_STEP, rows * LIGHT_STEP), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole[: shape[0], : shape[1]])
