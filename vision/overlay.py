"""Draws what was read over the picture it was read from, so that a person sees why."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import SeenCard
from vision.catalogue import OPEN
from vision.dice import SeenDie
from vision.indices import SeenIndex
from vision.layout import Layout
from vision.markers import Floats, Image
from vision.marks import SURE, RegionReading
from vision.read import TableReading
from vision.rectify import BoardPose

Colour = tuple[int, int, int]

_GREEN, _YELLOW, _RED = np.array([80, 200, 40.0]), np.array([0, 210, 255.0]), np.array([40, 40, 235.0])
_BOARD: Colour = (255, 160, 0)
_DIE: Colour = (255, 60, 220)
_DARK: Colour = (20, 20, 20)
_LEGEND = (
    (1.0, "sure"),
    (SURE, "read, nearly sure"),
    (0.5, "unsure: ? could not be read"),
)


def overlay(frame_bgr: Image, layout: Layout, reading: TableReading, words: bool = True) -> Image:
    """The frame with board outlines, every mark in the colour of its confidence, and the dice with their values.

    Without `words` only names and numbers are written, for those who explain it in another language.
    """
    canvas, larger = _canvas(frame_bgr)
    for board_id, pose in reading.found.boards.items():
        outline = _scaled(pose.corners_px, larger)
        cv2.polylines(canvas, [outline], True, _BOARD, 2, cv2.LINE_AA)
        _label(canvas, _title(board_id, pose, reading) if words else board_id, *_top(outline))
        board = layout.board(board_id)
        for region, mark in reading.marks.get(board_id, {}).items():
            _draw_mark(canvas, _scaled(pose.to_frame(board.regions[region]), larger), mark)
    for poses in reading.found.duplicates.values():
        for pose in poses:
            outline = _scaled(pose.corners_px, larger)
            cv2.polylines(canvas, [outline], True, _colour(0.0), 4, cv2.LINE_AA)
            _label(canvas, f"{pose.board_id} lies here twice" if words else f"{pose.board_id} x 2", *_top(outline))
    for die in reading.dice:
        _draw_die(canvas, die, larger, words)
    if words:
        _draw_legend(canvas)
    return canvas


def cards_overlay(frame_bgr: Image, cards: tuple[SeenCard, ...]) -> Image:
    """The picture with every index that was read in the colour of its card's confidence, and what the card is."""
    canvas, larger = _canvas(frame_bgr)
    for card in cards:
        colour = _colour(card.confidence)
        middle = _scaled(np.array(card.centre_px), larger)
        for index in card.indices:
            cv2.line(
                canvas, _scaled(np.array(index.centre_px), larger).tolist(), middle.tolist(), colour, 1, cv2.LINE_AA
            )
            cv2.polylines(canvas, [_scaled(_outline(index), larger)], True, colour, 2, cv2.LINE_AA)
        _label(canvas, f"{card.card} ({card.confidence:.2f})", int(middle[0]), int(middle[1]), True)
    return canvas


def _outline(index: SeenIndex) -> Floats:
    """The box around an index."""
    up = np.array(index.up) * index.height_px / 2
    right = 0.6 * np.array([-up[1], up[0]])
    return np.array([up - right, up + right, -up + right, -up - right]) + index.centre_px


def _canvas(frame_bgr: Image) -> tuple[Image, int]:
    """The picture to draw on, and how many times as large: a symbol needs some pixels to be recognised."""
    larger = max(1, round(2200 / max(frame_bgr.shape[1], 1)))
    picture = cv2.resize(frame_bgr, None, fx=larger, fy=larger, interpolation=cv2.INTER_LINEAR)
    return _veiled(np.asarray(picture, np.uint8)), larger


def _veiled(canvas: Image) -> Image:
    """Slightly paler, so that drawn lines stand out from print and ink."""
    return np.asarray(cv2.addWeighted(canvas, 0.8, np.full_like(canvas, 255), 0.2, 0))


def _title(board_id: str, pose: BoardPose, reading: TableReading) -> str:
    marks = reading.marks.get(board_id)
    if marks is None:
        return board_id
    kinds = [mark.kind for mark in marks.values()]
    seen = sum(kind not in {"empty", OPEN, "unsure"} for kind in kinds)
    remembered = ", remembered" if pose.age else ""
    pieces = any(piece.board == board_id for piece in reading.pieces)
    return f"{board_id}{remembered}: {seen} {'places' if pieces else 'marks'}, {kinds.count('unsure')} unsure"


def _draw_mark(canvas: Image, polygon: NDArray[np.int32], mark: RegionReading) -> None:
    colour, middle = _colour(mark.confidence), polygon.mean(axis=0)
    inner = np.round(middle + 0.72 * (polygon - middle)).astype(np.int32)
    centre = int(middle[0]), int(middle[1])
    side = float(np.sqrt(max(cv2.contourArea(polygon.astype(np.float32)), 1.0)))
    if mark.kind in {"empty", OPEN}:
        cv2.circle(canvas, centre, max(1, int(side / 16)), colour, -1, cv2.LINE_AA)
    elif mark.kind == "marked":
        cv2.polylines(canvas, [inner], True, colour, 3, cv2.LINE_AA)
    elif mark.kind == "circled":
        cv2.circle(canvas, centre, int(0.45 * side), colour, 3, cv2.LINE_AA)
    elif mark.kind == "crossed":
        for begin, end in ((0, 2), (1, 3)):
            cv2.line(canvas, inner[begin].tolist(), inner[end].tolist(), colour, 3, cv2.LINE_AA)
    elif mark.kind != "unsure":
        cv2.polylines(canvas, [polygon], True, colour, 2, cv2.LINE_AA)
        _label(canvas, mark.kind, int(polygon[:, 0].min()), centre[1])
    else:
        size = max(side / 40, 0.3)
        (width, height), _ = cv2.getTextSize("?", cv2.FONT_HERSHEY_SIMPLEX, size, 2)
        at = centre[0] - width // 2, centre[1] + height // 2
        cv2.putText(canvas, "?", at, cv2.FONT_HERSHEY_SIMPLEX, size, _DARK, 4, cv2.LINE_AA)
        cv2.putText(canvas, "?", at, cv2.FONT_HERSHEY_SIMPLEX, size, _colour(0.3), 2, cv2.LINE_AA)


def _draw_die(canvas: Image, die: SeenDie, larger: int, words: bool = True) -> None:
    centre = round(die.centre_px[0] * larger), round(die.centre_px[1] * larger)
    radius = max(8, round(die.radius_px * larger))
    cv2.circle(canvas, centre, radius, _DIE, max(2, radius // 12), cv2.LINE_AA)
    where = f" {die.region}" if die.region else ""
    told = f"{die.value} ({die.confidence:.2f}){where}" if words else str(die.value)
    _label(canvas, told, centre[0] + radius, centre[1] - radius)


def _draw_legend(canvas: Image) -> None:
    for row, (confidence, meaning) in enumerate(_LEGEND):
        y = canvas.shape[0] - 20 - 34 * (len(_LEGEND) - 1 - row)
        cv2.rectangle(canvas, (16, y - 20), (40, y + 2), _colour(confidence), -1)
        _label(canvas, meaning, 48, y)


def _top(outline: NDArray[np.int32]) -> tuple[int, int, bool]:
    """Where a board's label goes: over its upper edge, whichever way it lies; at a corner it might be a neighbour's."""
    return int(outline[:, 0].mean()), int(outline[:, 1].min()), True


def _label(canvas: Image, text: str, left: int, bottom: int, centred: bool = False) -> None:
    size = 0.75
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    x = int(np.clip(left - width // 2 * centred, 0, max(canvas.shape[1] - width - 6, 0)))
    y = int(np.clip(bottom, height + 6, max(canvas.shape[0] - 6, height + 6)))
    cv2.rectangle(canvas, (x - 4, y - height - 5), (x + width + 4, y + 6), _DARK, -1)
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 2, cv2.LINE_AA)


def _scaled(points_px: Floats, larger: int) -> NDArray[np.int32]:
    return np.round(points_px * larger).astype(np.int32)


def _colour(confidence: float) -> Colour:
    """Green where it is sure, yellow where nearly, red where not."""
    if confidence >= SURE:
        mixed = _YELLOW + (_GREEN - _YELLOW) * (confidence - SURE) / (1 - SURE)
    else:
        mixed = _RED + (_YELLOW - _RED) * max((confidence - 0.5) / (SURE - 0.5), 0)
    b, g, r = mixed
    return int(b), int(g), int(r)
