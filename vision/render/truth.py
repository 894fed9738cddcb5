"""What a rendered frame really shows, to compare a reader's answer with."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.catalogue import OPEN, Catalogue
from vision.layout import BoardLayout, Layout
from vision.render.camera import Camera, project, project_flat
from vision.render.dice import die_corners
from vision.render.noise import Array
from vision.render.scene import Die, Mark, Piece, PlacedBoard, Scene, on_table

PointPx = tuple[float, float]

# A region that is seen less than this is not expected to be read.
VISIBLE_ENOUGH = 0.8
BLOWN_LEVEL = 250


@dataclass(frozen=True)
class RegionTruth:
    """A region in the picture: `visible` is the share of it under nothing, `blown` the share bleached out."""

    polygon_px: tuple[PointPx, ...]
    marks: tuple[Mark, ...]
    visible: float
    blown: float
    held: str = ""
    """Which pieces lie there, as a reader would tell it; nothing where no pieces belong."""

    @property
    def occluded(self) -> bool:
        return self.visible < VISIBLE_ENOUGH

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the marks that are there: wiped ones and those not begun do not count."""
        return tuple(mark.kind for mark in self.marks if not mark.ghost and mark.progress > 0)


@dataclass(frozen=True)
class BoardTruth:
    """A board in the picture: corners from its own top left, clockwise."""

    corners_px: tuple[PointPx, ...]
    regions: Mapping[str, RegionTruth]


@dataclass(frozen=True)
class DieTruth:
    """A die in the picture: the middle, half diagonal and corners of its top face, and how much hands leave of it."""

    value: int
    centre_px: PointPx
    radius_px: float
    top_face_px: tuple[PointPx, ...]
    visible: float


@dataclass(frozen=True)
class Truth:
    """Everything that can be read in a frame; of two boards with the same id, the last one."""

    boards: Mapping[str, BoardTruth]
    dice: tuple[DieTruth, ...]


def truth_of(scene: Scene, layout: Layout, frame_bgr: Array, lying: Array, hands: Array) -> Truth:
    """The truth about a frame; `lying` and `hands` tell (0..255) where things and dice, and hands, are seen."""
    covered = np.maximum(lying, hands)
    blown = np.asarray(cv2.inRange(frame_bgr, np.full(3, BLOWN_LEVEL), np.full(3, 255)))
    boards = {}
    for placed in scene.boards:
        board = layout.board(placed.board_id)
        held = {region: _held(layout.catalogue, board.id, region, scene.pieces) for region in board.piece_regions}
        boards[board.id] = _board(placed, board, scene.camera, covered, blown, held)
    return Truth(boards, tuple(_die(die, scene.camera, hands, blown) for die in scene.dice))


def _held(catalogue: Catalogue, board: str, region: str, pieces: tuple[Piece, ...]) -> str:
    """What a reader should say of a region for pieces."""
    there = [catalogue.kinds[piece.kind].told(piece.face) for piece in pieces if piece.at == (board, region)]
    printed = any(kind.told_by_face for kind in catalogue.held(board, region))
    return " ".join(sorted(there)) or (OPEN if printed else "empty")


def _board(
    placed: PlacedBoard, board: BoardLayout, camera: Camera, covered: Array, blown: Array, held: Mapping[str, str]
) -> BoardTruth:
    width, height = board.width_mm, board.height_mm
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    outlines = np.array([corners, *board.regions.values()]).reshape(-1, 2)
    outlines_px = project_flat(camera, on_table(placed, board, outlines)).reshape(-1, 4, 2)
    marks: dict[str, tuple[Mark, ...]] = {}
    for mark in placed.marks:
        marks[mark.region] = (*marks.get(mark.region, ()), mark)
    regions = {
        region: RegionTruth(
            _points(polygon_px), marks.get(region, ()), *_seen(polygon_px, covered, blown), held.get(region, "")
        )
        for region, polygon_px in zip(board.regions, outlines_px[1:], strict=True)
    }
    return BoardTruth(_points(outlines_px[0]), regions)


def _seen(polygon_px: Array, covered: Array, blown: Array) -> tuple[float, float]:
    """The shares of a polygon that are visible and that are bleached out."""
    height, width = covered.shape
    (x0, y0), (x1, y1) = polygon_px.min(axis=0).tolist(), polygon_px.max(axis=0).tolist()
    inside = x0 >= 0 and y0 >= 0 and x1 <= width - 1 and y1 <= height - 1
    left, top, right, bottom = max(int(x0), 0), max(int(y0), 0), min(int(x1) + 2, width), min(int(y1) + 2, height)
    if right <= left or bottom <= top:
        return 0.0, 0.0
    hidden, bright = covered[top:bottom, left:right], blown[top:bottom, left:right]
    if inside and not hidden.any() and not bright.any():
        return 1.0, 0.0
    mask = np.zeros(hidden.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(polygon_px - (left, top)).astype(np.int32).reshape(-1, 1, 2)], (1,))
    count = max(int(mask.sum()), 1)
    in_frame = 1.0 if inside else min(count / max(float(cv2.contourArea(polygon_px.astype(np.float32))), 1.0), 1.0)
    shares = [float((layer * (mask > 0)).sum()) / 255 / count for layer in (hidden, bright)]
    return in_frame * (1 - shares[0]), shares[1]


def _die(die: Die, camera: Camera, hands: Array, blown: Array) -> DieTruth:
    top = project(camera, die_corners(die)[4:])
    centre = project(camera, np.array([[*die.centre_mm, die.size_mm]]))
    radius = float(np.linalg.norm(top - centre, axis=1).mean())
    return DieTruth(die.value, _points(centre)[0], radius, _points(top), _seen(top, hands, blown)[0])


def _points(points_px: Array) -> tuple[PointPx, ...]:
    return tuple((float(x), float(y)) for x, y in points_px)
