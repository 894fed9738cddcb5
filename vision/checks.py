"""Whether a camera's picture is good enough to read, check by check, in ids and facts.

What is measured is physical: how much of a pen line's contrast the blur leaves, how much of a board a lamp
bleaches, how many pixels a die has. Sentences for people are in web/strings, under `check`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import Literal

import cv2
import numpy as np

from vision.die import DIE_MM
from vision.layout import INK, BoardLayout, Layout
from vision.locate import Found, grey_picture
from vision.markers import GAMMA, PROFILE_STEP, Floats, Image, Marker, detect_markers, edge_profiles
from vision.rectify import BoardPose, rectify

Severity = Literal["good", "warn", "bad"]
Fact = str | int | float | list[str]

PEN_MM = 1.0  # the line of a fine dry-erase pen
LINE_LEFT = (0.6, 0.4)  # how much of such a line's contrast blur should leave, and must
PIXEL_BLUR_PX = 0.6  # what any sensor's grid and colour filter blur
DIE_PX = (24.0, 16.0)  # across a die: pips stay apart, and the least that is searched for
CELL_PX = (16.0, 10.0)  # across a square to draw in
PAPER = (0.12, 0.03)  # light from white paper, of what the sensor can take: 97 and 52 of 255
CONTRAST = (0.75, 0.5)  # how much darker than paper black print should be
GRAIN = (0.1, 0.2)  # noise of a pixel, of the range from black to white
EVENNESS = (0.3, 0.12)  # light at the darkest marker, of that at the brightest
BLOWN = 252  # a channel at its end
BLOWN_REGION = 0.4  # a region with so much of it bleached cannot be read
MANY_BLEACHED = 0.03  # of a board's regions
OVEREXPOSED = 0.3  # of all boards: that is no lamp's mirror image
_GLARE_PX_PER_MM = 1.0
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


@dataclass(frozen=True)
class Finding:
    """One thing that was checked; the sentence for people is `message` in web/strings."""

    check: str
    severity: Severity
    facts: Mapping[str, Fact]

    @property
    def message(self) -> str:
        """The id of the sentence, for example `check.focus.warn`."""
        return f"check.{self.check}.{self.severity}"


def check_picture(frame_bgr: Image, layout: Layout, found: Found) -> tuple[Finding, ...]:
    """Everything about one full picture; `found` are the boards seen in it."""
    findings = [*_boards(frame_bgr, layout, found)]
    poses = [pose for pose in found.boards.values() if pose.age == 0 and pose.markers]
    if poses:
        grey = grey_picture(frame_bgr)
        qualities = {pose.board_id: _quality(grey, pose) for pose in poses}
        findings += [_focus(qualities), _fineness(layout, poses), _light(qualities), _evenness(qualities)]
        findings += _glare(layout, _bleached(frame_bgr, poses))
    return tuple(findings)


# Boards


def _boards(frame_bgr: Image, layout: Layout, found: Found) -> Iterator[Finding]:
    lost = [board for board in layout.boards if board.id not in found.boards and board.id not in found.duplicates]
    seen = _seen_markers(frame_bgr, layout) if lost else set()
    for board in layout.boards:
        if board.id in found.duplicates:
            yield Finding("twice", "bad", {"board": board.id})
        elif board in lost:
            alike = sum(other.kind == board.kind for other in layout.boards)
            yield _lost_board(board, len(seen & board.markers.keys()), alike)
        else:
            yield _board(board, found.boards[board.id], found.size_px)


def _lost_board(board: BoardLayout, markers_seen: int, alike: int) -> Finding:
    """One of several alike that is nowhere may belong to nobody tonight; the only one of its kind is missed."""
    if markers_seen:
        return Finding("board", "bad", {"board": board.id, "count": markers_seen, "expected": len(board.markers)})
    return Finding("absent", "warn" if alike > 1 else "bad", {"board": board.id})


def _board(board: BoardLayout, pose: BoardPose, size_px: tuple[int, int]) -> Finding:
    outside = sides_outside(pose.corners_px, size_px)
    if outside:
        return Finding("edge", "bad", {"board": board.id, "edges": outside})
    names = CORNERS if len(board.markers) == len(CORNERS) else tuple(map(str, board.markers))
    hidden = [name for name, marker in zip(names, board.markers, strict=True) if marker not in pose.used]
    if hidden:
        return Finding("board", "warn", {"board": board.id, "corners": hidden})
    return Finding("board", "good", {"board": board.id})


def sides_outside(outline_px: Floats, size_px: tuple[int, int]) -> list[str]:
    """Beyond which sides of the picture an outline reaches."""
    left, top = outline_px.min(axis=0)
    right, bottom = outline_px.max(axis=0)
    beyond = {"left": left < 0, "top": top < 0, "right": right > size_px[0] - 1, "bottom": bottom > size_px[1] - 1}
    return [side for side, out in beyond.items() if out]


def _seen_markers(frame_bgr: Image, layout: Layout) -> set[int]:
    largest = max(marker for board in layout.boards for marker in board.markers)
    return {marker.id for marker in detect_markers(grey_picture(frame_bgr), largest)}


# What the markers tell: print and paper of known black, white and sharpness


@dataclass(frozen=True)
class _Quality:
    """How good a picture of a board is, told by its markers. Light is 0 to 1, not gamma-encoded."""

    blur_px: float
    px_per_mm: float
    paper: float
    black: float
    grain: float


def _quality(grey: Image, pose: BoardPose) -> _Quality:
    profiles = edge_profiles(grey, pose.markers)
    papers, blacks = profiles[..., :4].mean(axis=-1), profiles[..., -4:].mean(axis=-1)
    return _Quality(
        blur_px=_blur_px(profiles, pose.markers),
        px_per_mm=pose.px_per_mm,
        paper=float(np.median(papers)),
        black=float(np.median(blacks)),
        grain=float(np.median([_grain(grey, marker) for marker in pose.markers])),
    )


def _blur_px(profiles: Floats, markers: Sequence[Marker]) -> float:
    """The standard deviation of the blur: an edge that falls by one has the slope 1 / (sigma * sqrt(2 pi)).

    A hand that shakes blurs across one direction only, so the worse pair of sides counts.
    """
    fall = profiles[..., :4].mean(axis=-1) - profiles[..., -4:].mean(axis=-1)
    slope = np.maximum((profiles[..., :-2] - profiles[..., 2:]).max(axis=-1), 1e-6) / (2 * PROFILE_STEP)
    sides = np.maximum(fall, 1e-6) / (slope * sqrt(2 * np.pi)) * np.array([[marker.side_px] for marker in markers])
    across, along = np.median(sides[:, ::2]), np.median(sides[:, 1::2])
    return float(max(across, along))


def _grain(grey: Image, marker: Marker) -> float:
    """Noise of a pixel in the white or black of a marker, in grey levels: neighbours there should be alike."""
    left, top = np.floor(marker.quad_px.min(axis=0)).astype(int)
    right, bottom = np.ceil(marker.quad_px.max(axis=0)).astype(int)
    patch = grey[max(top, 0) : bottom, max(left, 0) : right].astype(np.float32)
    if min(patch.shape) < 3:
        return 0.0
    # What a plane cannot explain; the median leaves the few pixels on edges out.
    bent = cv2.filter2D(patch, -1, np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32))
    return float(np.median(np.abs(bent)) / 0.6745 / 6.0)


def _focus(qualities: Mapping[str, _Quality]) -> Finding:
    """Blur beyond what pixels alone do, in millimetres of the board, as the contrast that it leaves of a pen line."""
    left = {board: _line_left(quality) for board, quality in qualities.items()}
    worst = min(left, key=lambda board: left[board])
    facts: dict[str, Fact] = {"board": worst, "percent": round(100 * left[worst])}
    return Finding("focus", _grade(left[worst], LINE_LEFT), facts)


def _line_left(quality: _Quality) -> float:
    beyond_px = sqrt(max(quality.blur_px**2 - PIXEL_BLUR_PX**2, 1e-6))
    return erf(PEN_MM / 2 / (sqrt(2) * beyond_px / quality.px_per_mm))


def _fineness(layout: Layout, poses: Sequence[BoardPose]) -> Finding:
    worst = min(poses, key=lambda pose: pose.px_per_mm)
    die_px = worst.px_per_mm * DIE_MM
    cells_mm = [_width_mm(area) for area in _squares(layout.board(worst.board_id))]
    cell_px = worst.px_per_mm * min(cells_mm) if cells_mm else CELL_PX[0]
    severity = _worse(_grade(die_px, DIE_PX), _grade(cell_px, CELL_PX))
    return Finding("fineness", severity, {"board": worst.board_id, "pixels": round(die_px), "wanted": round(DIE_PX[0])})


def _squares(board: BoardLayout) -> list[Floats]:
    return [np.asarray(board.regions[region]) for region in board.read_by(INK)]


def _width_mm(area: Floats) -> float:
    return float(np.linalg.norm(area - np.roll(area, 1, axis=0), axis=1).min())


def _light(qualities: Mapping[str, _Quality]) -> Finding:
    darkest = min(qualities, key=lambda board: qualities[board].paper)
    quality = qualities[darkest]
    span = 255 * (quality.paper ** (1 / GAMMA) - quality.black ** (1 / GAMMA))
    severity = _worse(
        _grade(quality.paper, PAPER),
        _grade(1 - quality.black / max(quality.paper, 1e-6), CONTRAST),
        _grade(-quality.grain / max(span, 1.0), (-GRAIN[0], -GRAIN[1])),
    )
    return Finding("light", severity, {"board": darkest, "percent": round(100 * quality.paper ** (1 / GAMMA))})


def _evenness(qualities: Mapping[str, _Quality]) -> Finding:
    papers = {board: quality.paper for board, quality in qualities.items()}
    darkest = min(papers, key=lambda board: papers[board])
    share = papers[darkest] / max(papers.values())
    return Finding("evenness", _grade(share, EVENNESS), {"board": darkest, "percent": round(100 * share)})


# Glare


def _bleached(frame_bgr: Image, poses: Sequence[BoardPose]) -> dict[str, Image]:
    """Board by board, seen flat: 255 where every colour is at its end."""
    blue, green, red = cv2.split(frame_bgr) if frame_bgr.ndim == 3 else (frame_bgr,) * 3
    blown = (np.asarray(cv2.min(cv2.min(blue, green), red)) >= BLOWN) * np.uint8(255)
    return {pose.board_id: rectify(blown, pose, _GLARE_PX_PER_MM).bgr for pose in poses}


def _glare(layout: Layout, masks: Mapping[str, Image]) -> list[Finding]:
    """The regions that a lamp's mirror image bleaches, or that the whole picture is too bright."""
    if sum(int(mask.sum()) for mask in masks.values()) > 255 * OVEREXPOSED * sum(mask.size for mask in masks.values()):
        return [Finding("bright", "bad", {})]
    findings = []
    for board_id, mask in masks.items():
        regions = layout.board(board_id).regions
        bleached = [region for region, area in regions.items() if _share_of(mask, np.asarray(area)) > BLOWN_REGION]
        if bleached:
            severity: Severity = "bad" if len(bleached) > MANY_BLEACHED * len(regions) else "warn"
            facts: dict[str, Fact] = {"board": board_id, "regions": bleached[:6], "count": len(bleached)}
            findings.append(Finding("glare", severity, facts))
    return findings or [Finding("glare", "good", {})]


def _share_of(mask: Image, area_mm: Floats) -> float:
    left, top = (area_mm.min(axis=0) * _GLARE_PX_PER_MM).astype(int).clip(0)
    right, bottom = (area_mm.max(axis=0) * _GLARE_PX_PER_MM).astype(int)
    part = mask[top : bottom + 1, left : right + 1]
    return float(part.mean() / 255) if part.size else 0.0


# Grades


def _grade(value: float, limits: tuple[float, float]) -> Severity:
    """More is better: good from the first limit up, bad below the second."""
    return "good" if value >= limits[0] else "warn" if value >= limits[1] else "bad"


def _worse(*grades: Severity) -> Severity:
    return max(grades, key=("good", "warn", "bad").index)
