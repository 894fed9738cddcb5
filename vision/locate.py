"""Finds the boards in a frame by their markers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from typing import cast

import cv2
import numpy as np

from vision.fit import (
    common_table,
    consistent_groups,
    held_on_table,
    is_a_board,
    is_tellable,
    lone_boards,
    pose_of,
    seen_through,
    without_outliers,
)
from vision.layout import BoardLayout, Layout
from vision.markers import GAMMA, Image, Marker, detect_markers, refine_markers
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, Lens

SEARCH_SIDE_PX = 1100  # the first search looks at a picture whose longer side is at least this and less than twice
LARGEST_ENLARGED_PX = 1700  # smaller frames are also searched enlarged
LIKE_A_MARKER = 0.8  # a marker looked for at its place must correlate this well with its print


@dataclass(frozen=True)
class Found:
    """What boards a frame shows.

    `duplicates` are boards that lie on the table twice, with the poses seen; they are not in `boards`.
    `strays` are ids of markers seen away from their board. `frame` counts tracked frames.
    """

    boards: Mapping[str, BoardPose]
    duplicates: Mapping[str, tuple[BoardPose, ...]]
    strays: tuple[int, ...]
    lens: Lens | None
    size_px: tuple[int, int]
    frame: int = 0


def find_boards(picture: Image, layout: Layout, lens: Lens | None = None) -> Found:
    """Every board of a kit in a picture (BGR or grey, 8 bit).

    Looks harder (more contrast, finer) while a board is missing. Without a lens the strongest
    term of the distortion is estimated when the boards tell it. Raises ValueError for anything but an
    8-bit picture, or when the lens was measured on pictures of another shape.
    """
    return find_boards_in(Pyramid(checked_frame(picture)), layout, lens)


def find_boards_in(frame: Pyramid, layout: Layout, lens: Lens | None = None) -> Found:
    """The same for a frame whose smaller pictures others need as well."""
    return search_boards(frame, layout.boards, lens_for_frame(frame.bgr, lens), thorough=True)


# Searching


def search_boards(frame: Pyramid, boards: Sequence[BoardLayout], lens: Lens | None, thorough: bool) -> Found:
    """Looks with more and more effort until every board is found, or just once."""
    markers: list[Marker] = []
    found = Found({}, {}, (), lens, frame_size_px(frame.bgr))
    for view in _views(frame):
        markers = _merge(markers, _detect(frame.bgr, view, boards))
        markers, found = _complete(frame.bgr, boards, markers, lens)
        if not thorough or all(_complete_enough(found, board) for board in boards):
            break
    return found


@dataclass(frozen=True, eq=False)
class _View:
    """A picture to search for markers: smaller or larger than the frame by `scale`."""

    grey: Image
    scale: float
    quick: bool = False


def _views(frame: Pyramid) -> Iterator[_View]:
    """What to search in turn, cheapest first."""
    longest, times = max(frame.bgr.shape[:2]), 1
    while longest // times >= 2 * SEARCH_SIDE_PX:
        times *= 2
    small = grey_picture(frame.shrunk(times))
    yield _View(_as_light(small), 1 / times, quick=True)
    yield from _harder(small, 1 / times)
    if times > 1:
        fine = grey_picture(frame.shrunk(times // 2))
    elif longest <= LARGEST_ENLARGED_PX:
        fine = cast(Image, cv2.resize(small, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    else:
        return
    yield _View(_as_light(fine), 2 / times)
    yield from _harder(fine, 2 / times)


def _harder(grey: Image, scale: float) -> Iterator[_View]:
    """The same picture against blur, and against dark or uneven light."""
    yield _View(_sharpened(_as_light(grey)), scale)
    yield _View(cast(Image, cv2.createCLAHE(4.0, (8, 8)).apply(grey)), scale)


def _as_light(grey: Image) -> Image:
    """The light that came in, white as the brightest things in view, instead of its gamma-encoding.

    Blur mixes light: in encoded numbers white eats black, and soft or small markers lose their cells.
    """
    white = max(1.0, float(np.percentile(grey[::4, ::4], 99.5)))
    table = np.clip(255 * (np.arange(256) / white) ** GAMMA, 0, 255).astype(np.uint8)
    return cast(Image, cv2.LUT(grey, table))


def _sharpened(grey: Image) -> Image:
    return cast(Image, cv2.addWeighted(grey, 2.5, cv2.GaussianBlur(grey, (0, 0), 3), -1.5, 0))


def _detect(frame: Image, view: _View, boards: Sequence[BoardLayout]) -> list[Marker]:
    wanted = {marker for board in boards for marker in board.markers}
    if not wanted:
        return []
    seen = [marker for marker in detect_markers(view.grey, max(wanted), view.quick) if marker.id in wanted]
    # A shrunk pixel's centre is not the first of the pixels it was made of, but between them.
    return refine_markers(frame, [Marker(m.id, (m.quad_px + 0.5) / view.scale - 0.5) for m in seen])


def _merge(known: Sequence[Marker], new: Sequence[Marker]) -> list[Marker]:
    """Both lists, with one entry per marker that stands in both."""
    merged = list(known)
    for marker in new:
        twin = next((m for m in merged if m.id == marker.id and _apart_px(m, marker) < marker.side_px / 2), None)
        if twin is None:
            merged.append(marker)
        elif marker.likeness > twin.likeness:
            merged[merged.index(twin)] = marker
    return merged


def _complete(
    frame: Image, boards: Sequence[BoardLayout], markers: list[Marker], lens: Lens | None
) -> tuple[list[Marker], Found]:
    """Boards from the markers seen, then again with those that only show when one knows where to look."""
    found, placed = _boards_from(frame, boards, markers, lens)
    missing = [
        Marker(marker, pose.to_frame(board.markers[marker]))
        for board in boards
        for pose in placed.get(board.id, ())
        for marker in board.markers
        if marker not in pose.used
    ]
    seen = [m for m in refine_markers(frame, _within(frame, missing)) if m.likeness >= LIKE_A_MARKER]
    if not seen:
        return markers, found
    markers = _merge(markers, seen)
    return markers, _boards_from(frame, boards, markers, lens)[0]


def _complete_enough(found: Found, board: BoardLayout) -> bool:
    if board.id in found.duplicates:
        return True
    return board.id in found.boards and len(found.boards[board.id].used) >= 3


# From markers to boards


def _boards_from(
    frame: Image, boards: Sequence[BoardLayout], markers: Sequence[Marker], lens: Lens | None
) -> tuple[Found, dict[str, tuple[BoardPose, ...]]]:
    """The boards that the markers tell, and every pose worth looking for more markers with."""
    own = {board.id: [marker for marker in markers if marker.id in board.markers] for board in boards}
    groups = {board.id: consistent_groups(board, own[board.id], lens) for board in boards}
    table = common_table(frame, [without_outliers(fit) for group in groups.values() for fit in group], lens)
    if table is not None:
        lens = table.lens
    fits = {
        board_id: [without_outliers(seen_through(lens, fit)) for fit in group] for board_id, group in groups.items()
    }
    if table is not None:
        for board in boards:
            lone = () if fits[board.id] else own[board.id]
            fits[board.id] = [held_on_table(fit, table) for fit in fits[board.id]] + lone_boards(board, lone, table)
    # Two markers that agree are too few to tell a pose, but enough to tell that the board is there twice.
    several = {board_id for board_id, group in fits.items() if sum(map(is_a_board, group)) > 1}
    poses = {board_id: tuple(map(pose_of, group)) for board_id, group in fits.items()}
    duplicates = {board_id: group for board_id, group in poses.items() if board_id in several}
    sure = {b: group[0] for b, group in poses.items() if b not in several and group and is_tellable(group[0])}
    return Found(sure, duplicates, _strays(boards, markers, poses), lens, frame_size_px(frame)), poses


# Small helpers


def checked_frame(frame: Image) -> Image:
    if frame.dtype != np.uint8 or frame.ndim not in {2, 3} or not frame.size:
        raise ValueError("a frame must be an 8-bit picture")
    if frame.ndim == 2 or frame.shape[2] == 3:
        return frame
    if frame.shape[2] == 1:
        return frame[..., 0]
    if frame.shape[2] == 4:
        return np.ascontiguousarray(frame[..., :3])
    raise ValueError("a frame must be grey, BGR or BGRA")


def frame_size_px(frame: Image) -> tuple[int, int]:
    return frame.shape[1], frame.shape[0]


def lens_for_frame(frame: Image, lens: Lens | None) -> Lens | None:
    return None if lens is None else lens.for_size(frame.shape[1], frame.shape[0])


def grey_picture(frame: Image) -> Image:
    return frame if frame.ndim == 2 else cast(Image, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))


def _within(frame: Image, markers: Sequence[Marker]) -> list[Marker]:
    height, width = frame.shape[:2]
    return [m for m in markers if (m.quad_px > 0).all() and (m.quad_px < [width - 1, height - 1]).all()]


def _apart_px(one: Marker, other: Marker) -> float:
    return float(np.linalg.norm(one.quad_px.mean(axis=0) - other.quad_px.mean(axis=0)))


def _strays(
    boards: Sequence[BoardLayout], markers: Sequence[Marker], poses: Mapping[str, tuple[BoardPose, ...]]
) -> tuple[int, ...]:
    """Ids of markers seen away from every pose of their board, of boards that have one."""
    strays = set()
    for board in boards:
        ids = list(board.markers)
        quads = [pose.to_frame(np.concatenate([board.markers[i] for i in ids])) for pose in poses[board.id] if ids]
        places = [dict(zip(ids, quad.reshape(-1, 4, 2).mean(axis=1), strict=True)) for quad in quads]
        for marker in (marker for marker in markers if marker.id in board.markers):
            middle = marker.quad_px.mean(axis=0)
            if places and all(dist(middle, place[marker.id]) > marker.side_px / 2 for place in places):
                strays.add(marker.id)
    return tuple(sorted(strays))
