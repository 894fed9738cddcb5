"""Follows boards from frame to frame: what stands still costs little, what moved is found again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.fit import GOOD_ENOUGH_MM, fit_homography
from vision.layout import Layout
from vision.locate import Found, find_boards_in, frame_size_px, lens_for_frame, search_boards
from vision.markers import Floats, Image, Marker, refine_markers
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, Lens, project

STILL_LIKE_A_MARKER = 0.7  # the same, where it was a moment ago
STILL_PX, STILL_SIDES = 0.6, 0.015  # corners that move less (in px, in marker sides) have not moved
THOROUGH_EVERY = 8  # while a board is missing, every so many frames the search leaves nothing untried


def find_boards_again(frame: Pyramid, layout: Layout, before: Found | None, lens: Lens | None = None) -> Found:
    """The boards of a picture, when another one may show the same table: cheap where all of them stand as they stood.

    Nothing else is taken from that one. Raises ValueError like `find_boards`.
    """
    lens = lens_for_frame(frame.bgr, lens)
    if before is not None and _same_view(frame.bgr, before, lens):
        still = _still_boards(frame.bgr, before)
        if len(still) == len(layout.boards):
            return replace(before, boards=still)
    return find_boards_in(frame, layout, lens)


def track_boards(frame: Pyramid, layout: Layout, previous: Found, lens: Lens | None = None) -> Found:
    """The boards of the next frame of a table. Cheap while nothing moves.

    A board whose markers stand where they stood keeps its pose to the last digit. Others are searched
    again; one that cannot be seen (a hand) keeps its last pose with its age, carried along when the
    camera was bumped, until another board lies there. A second copy of a board that stands still is not
    noticed: `find_boards` looks for those. Raises ValueError like `find_boards`.
    """
    lens = lens_for_frame(frame.bgr, lens)
    if not _same_view(frame.bgr, previous, lens):
        return find_boards_in(frame, layout, lens)
    still = _still_boards(frame.bgr, previous)
    lost = {board.id for board in layout.boards} - set(still)
    if not lost:
        return replace(previous, boards=still, frame=previous.frame + 1)
    just_lost = not still and any(pose.age == 0 for pose in previous.boards.values())
    thorough = just_lost or (previous.frame + 1) % THOROUGH_EVERY == 0
    # A bumped camera still has the same lens, but an estimated one deserves a fresh look at all boards.
    known_lens = lens or (previous.lens if still else None)
    fresh = search_boards(frame, [board for board in layout.boards if board.id in lost], known_lens, thorough)
    return _joined(previous, still, fresh)


def _same_view(frame: Image, previous: Found, lens: Lens | None) -> bool:
    """Whether earlier poses can be tried: the picture has their size and the lens is the one they used."""
    return previous.size_px == frame_size_px(frame) and lens in {None, previous.lens}


def _still_boards(frame: Image, previous: Found) -> dict[str, BoardPose]:
    """The boards whose markers still stand exactly where they stood, as far as one sees them."""
    known = [marker for pose in previous.boards.values() for marker in pose.markers]
    now = {marker.id: marker for marker in refine_markers(frame, known) if marker.likeness >= STILL_LIKE_A_MARKER}
    still = {}
    for pose in previous.boards.values():
        seen = [marker for marker in pose.markers if marker.id in now]
        unmoved = [marker.id for marker in seen if _unmoved(marker, now[marker.id])]
        if len(unmoved) >= 2 or (unmoved and len(unmoved) == len(seen)):
            still[pose.board_id] = replace(pose, used=tuple(unmoved), age=0)
    return still


def _unmoved(before: Marker, now: Marker) -> bool:
    off = np.linalg.norm(now.quad_px - before.quad_px, axis=1)
    return bool(off.max() <= max(STILL_PX, STILL_SIDES * before.side_px))


def _joined(previous: Found, still: Mapping[str, BoardPose], fresh: Found) -> Found:
    """What stood still, what was found again, and what is only remembered."""
    again = [
        (previous.boards[board_id], pose) for board_id, pose in fresh.boards.items() if board_id in previous.boards
    ]
    moved = [(before, now) for before, now in again if _has_moved(before, now)]
    shift = None if still else _camera_shift(moved)
    seen = {**still, **fresh.boards}
    unseen = [pose for board_id, pose in previous.boards.items() if board_id not in {*seen, *fresh.duplicates}]
    remembered = [_remembered(pose, shift) for pose in unseen]
    kept = {pose.board_id: pose for pose in remembered if _free(pose, seen.values())}
    return replace(
        fresh,
        boards={**seen, **kept},
        lens=fresh.lens or previous.lens,
        frame=previous.frame + 1,
    )


def _has_moved(before: BoardPose, now: BoardPose) -> bool:
    off = np.linalg.norm(now.corners_px - before.corners_px, axis=1)
    return bool(off.max() > GOOD_ENOUGH_MM * now.px_per_mm)


def _remembered(pose: BoardPose, shift: Floats | None) -> BoardPose:
    homography = pose.homography if shift is None else shift @ pose.homography
    return replace(pose, homography=homography, used=(), age=pose.age + 1)


def _free(pose: BoardPose, seen: Iterable[BoardPose]) -> bool:
    """Whether no other board lies where this one is remembered."""
    outline = pose.corners_px.astype(np.float32)
    area = cv2.contourArea(outline)
    covered = (cv2.intersectConvexConvex(outline, other.corners_px.astype(np.float32))[0] for other in seen)
    return all(part < 0.25 * area for part in covered)


def _camera_shift(pairs: Sequence[tuple[BoardPose, BoardPose]]) -> Floats | None:
    """The homography that took all boards along at once, when several moved as one."""
    if len(pairs) < 2:
        return None
    before = np.concatenate([project(old.homography, old.corners_mm) for old, _ in pairs])
    after = np.concatenate([project(new.homography, new.corners_mm) for _, new in pairs])
    shift = fit_homography(before, after)
    if shift is None:
        return None
    off = np.linalg.norm(project(shift, before) - after, axis=1).max()
    allowed = 0.02 * np.linalg.norm(after[2] - after[0])
    return shift if off <= allowed else None
