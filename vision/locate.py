"""Finds the boards in a frame by their markers.

`find_boards` looks at a frame for the first time, `track_boards` at the next one of the same table,
`calibrate_lens` measures the lens from a handful of frames. To look at one picture by hand:

    python -m vision.locate PICTURE KIT_FOLDER
"""

import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.layout import BadLayout, BoardLayout, Layout, load_layout
from vision.markers import GAMMA, Floats, Image, Marker, detect_markers, refine_markers
from vision.rectify import BoardPose, Lens, board_corners_mm, cross, inverse, project

SEARCH_SIDE_PX = 1100  # the first search looks at a picture whose longer side is at least this and less than twice
LARGEST_ENLARGED_PX = 1700  # smaller frames are also searched enlarged
LIKE_A_MARKER = 0.8  # a marker looked for at its place must correlate this well with its print
STILL_LIKE_A_MARKER = 0.7  # the same, where it was a moment ago
STILL_PX, STILL_SIDES = 0.6, 0.015  # corners that move less (in px, in marker sides) have not moved
LEAST_CONFIDENCE = 0.5  # a pose from two markers that is less sure is not told
ROUGH_SIDES, FINE_SIDES = 0.15, 0.03  # how far a corner may be off its place, in marker sides: lens unknown, known
LEAST_OFF_PX = 1.0  # and it may always be off this much
CORNER_NOISE_PX = 0.15  # how well a corner is measured at best; a lucky fit must not claim more
GOOD_ENOUGH_MM = 1.0  # what `confidence` promises
NOMINAL_FOCAL = 0.8  # focal length of an unknown camera, in longer sides; only scales the lens estimate
HELD_BELOW = 4  # boards with fewer markers are held flat on the table
TABLE_FLATNESS_MM = 0.4  # boards bend and lie on crumbs: what the table alone says about a corner is no better
CLEAR_DEVIATIONS = 5.0  # an estimated lens term must be this far from nothing
GAUSS_NEWTON_STEPS = 3
K1_STEP = 1e-4  # for its derivative
THOROUGH_EVERY = 8  # while a board is missing, every so many frames the search leaves nothing untried
MOST_COPIES = 4  # seen markers with one id that are considered


@dataclass(frozen=True)
class Found:
    """What boards a frame shows.

    `duplicates` are boards that lie on the table twice, with the poses seen; they are not in `boards`.
    `strays` are ids of markers seen away from their board. `moved` are the boards that changed their place
    since the frame before, `camera_moved` tells that all did so together. `frame` counts tracked frames.
    """

    boards: Mapping[str, BoardPose]
    duplicates: Mapping[str, tuple[BoardPose, ...]]
    strays: tuple[int, ...]
    lens: Lens | None
    size_px: tuple[int, int]
    moved: tuple[str, ...] = ()
    camera_moved: bool = False
    frame: int = 0


class CannotCalibrate(ValueError):
    """The pictures do not tell the lens; says what is missing."""


@dataclass(frozen=True, eq=False)
class _Fit:
    """A board's markers and the homography from millimetres to undistorted pixels they agree on."""

    board: BoardLayout
    markers: tuple[Marker, ...]
    lens: Lens | None
    seen_px: Floats  # the markers' corners without distortion, (4 * markers, 2)
    homography: Floats
    held_px: float | None = None  # held flat on a table that is known to so many pixels

    @cached_property
    def printed_mm(self) -> Floats:
        return _printed_mm(self.board, self.markers)

    @cached_property
    def off_px(self) -> Floats:
        """How far each corner of each marker is off, (markers, 4)."""
        off = self.seen_px - project(self.homography, self.printed_mm)
        return cast(Floats, np.linalg.norm(off, axis=1).reshape(-1, 4))

    @cached_property
    def rms_px(self) -> float:
        return float(np.sqrt((self.off_px**2).mean()))


def find_boards(frame: Image, layout: Layout, lens: Lens | None = None, expect: Collection[str] | None = None) -> Found:
    """Every board of a kit in a frame (BGR or grey, 8 bit), or only those named in `expect`.

    Looks harder (more contrast, finer) while an expected board is missing. Without a lens the strongest
    term of the distortion is estimated when the boards tell it. Raises ValueError for anything but an
    8-bit picture, or when the lens was measured on pictures of another shape.
    """
    frame = _checked(frame)
    boards = [board for board in layout.boards if expect is None or board.id in expect]
    return _search(frame, boards, _lens_for(frame, lens), thorough=True)


def track_boards(
    frame: Image, layout: Layout, previous: Found, lens: Lens | None = None, expect: Collection[str] | None = None
) -> Found:
    """The boards of the next frame of a table. Cheap while nothing moves.

    A board whose markers stand where they stood keeps its pose to the last digit. Others are searched
    again; one that cannot be seen (a hand) keeps its last pose with its age, carried along when the
    camera was bumped, until another board lies there. A second copy of a board that stands still is not
    noticed: `find_boards` looks for those. Raises ValueError like `find_boards`.
    """
    frame = _checked(frame)
    expected = {board.id for board in layout.boards if expect is None or board.id in expect}
    lens = _lens_for(frame, lens)
    if not _same_view(frame, previous, lens):
        return find_boards(frame, layout, lens, expect)
    still = _still_boards(frame, previous)
    lost = expected - set(still)
    if not lost:
        return replace(previous, boards=still, moved=(), camera_moved=False, frame=previous.frame + 1)
    just_lost = not still and any(pose.age == 0 for pose in previous.boards.values())
    thorough = just_lost or (previous.frame + 1) % THOROUGH_EVERY == 0
    # A bumped camera still has the same lens, but an estimated one deserves a fresh look at all boards.
    known_lens = lens or (previous.lens if still else None)
    fresh = _search(frame, [board for board in layout.boards if board.id in lost], known_lens, thorough)
    return _joined(previous, still, fresh)


def calibrate_lens(frames: Iterable[Image], layout: Layout) -> Lens:
    """Measures the lens from about ten pictures of printed boards, tilted differently, out to the corners.

    Raises CannotCalibrate when the pictures do not suffice, ValueError when they differ in size.
    """
    views: list[tuple[Floats, Floats]] = []
    sizes: set[tuple[int, int]] = set()
    for frame in map(_checked, frames):
        sizes.add(_size_px(frame))
        if len(sizes) > 1:
            raise ValueError("the pictures differ in size")
        poses = find_boards(frame, layout).boards.values()
        seen = [pose for pose in poses if len(pose.markers) >= 3]
        views += [
            (_printed_mm(layout.board(pose.board_id), pose.markers), _seen_px(pose.markers, None)) for pose in seen
        ]
    if len(views) < 6:
        raise CannotCalibrate(f"only {len(views)} boards were seen whole: show at least six, in all corners")
    return _calibrated(views, sizes.pop())


# Searching


def _search(frame: Image, boards: Sequence[BoardLayout], lens: Lens | None, thorough: bool) -> Found:
    """Looks with more and more effort until every board is found, or just once."""
    grey = _grey(frame)
    markers: list[Marker] = []
    found = Found({}, {}, (), lens, _size_px(frame))
    for view in _views(grey):
        markers = _merge(markers, _detect(grey, view, boards))
        markers, found = _complete(grey, boards, markers, lens)
        if not thorough or all(_complete_enough(found, board) for board in boards):
            break
    return found


@dataclass(frozen=True, eq=False)
class _View:
    """A picture to search for markers: smaller or larger than the frame by `scale`."""

    grey: Image
    scale: float
    quick: bool = False


def _views(grey: Image) -> Iterator[_View]:
    """What to search in turn, cheapest first."""
    small, scale = grey, 1.0
    while max(small.shape) >= 2 * SEARCH_SIDE_PX:
        small, scale = _halved(small), scale / 2
    yield _View(_as_light(small), scale, quick=True)
    yield from _harder(small, scale)
    if scale < 1:
        fine = grey
        while max(fine.shape) >= 4 * SEARCH_SIDE_PX:
            fine = _halved(fine)
    elif max(grey.shape) <= LARGEST_ENLARGED_PX:
        fine = cast(Image, cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    else:
        return
    yield _View(_as_light(fine), 2 * scale)
    yield from _harder(fine, 2 * scale)


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


def _detect(grey: Image, view: _View, boards: Sequence[BoardLayout]) -> list[Marker]:
    wanted = {marker for board in boards for marker in board.markers}
    if not wanted:
        return []
    seen = [marker for marker in detect_markers(view.grey, max(wanted), view.quick) if marker.id in wanted]
    # A shrunk pixel's centre is not the first of the pixels it was made of, but between them.
    return refine_markers(grey, [Marker(m.id, (m.quad_px + 0.5) / view.scale - 0.5) for m in seen])


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
    groups = {board.id: _groups(board, own[board.id], lens) for board in boards}
    table = _table(frame, [_without_outliers(fit) for group in groups.values() for fit in group], lens)
    if table is not None:
        lens = table.lens
    fits = {
        board_id: [_without_outliers(_seen_through(lens, fit)) for fit in group] for board_id, group in groups.items()
    }
    if table is not None:
        for board in boards:
            lone = () if fits[board.id] else own[board.id]
            fits[board.id] = [_on_table(fit, table) for fit in fits[board.id]] + _lone(board, lone, table)
    # Two markers that agree are too few to tell a pose, but enough to tell that the board is there twice.
    several = {board_id for board_id, group in fits.items() if sum(map(_is_a_board, group)) > 1}
    poses = {board_id: tuple(map(_pose, group)) for board_id, group in fits.items()}
    duplicates = {board_id: group for board_id, group in poses.items() if board_id in several}
    sure = {b: group[0] for b, group in poses.items() if b not in several and group and _tellable(group[0])}
    return Found(sure, duplicates, _strays(boards, markers, poses), lens, _size_px(frame)), poses


def _groups(board: BoardLayout, markers: Sequence[Marker], lens: Lens | None) -> list[_Fit]:
    """Sets of at least two markers that stand as on one board, the largest first."""
    groups: list[_Fit] = []
    left = list(markers)
    while len({marker.id for marker in left}) >= 2:
        best = _largest_group(board, left, lens)
        if best is None:
            break
        groups.append(best)
        left = [marker for marker in left if marker not in best.markers]
    return groups


def _largest_group(board: BoardLayout, markers: Sequence[Marker], lens: Lens | None) -> _Fit | None:
    by_id: dict[int, list[Marker]] = {}
    for marker in sorted(markers, key=lambda m: -m.likeness):
        by_id.setdefault(marker.id, []).append(marker)
    if all(len(copies) == 1 for copies in by_id.values()):
        whole = _fit(board, markers, lens)
        if whole is not None and _agrees(whole, ROUGH_SIDES):
            return whole
    best: _Fit | None = None
    for one, other in combinations(by_id, 2):
        for pair in product(by_id[one][:MOST_COPIES], by_id[other][:MOST_COPIES]):
            fit = _grown(board, pair, by_id, lens)
            if fit is not None and (best is None or _rank(fit) > _rank(best)):
                best = fit
    return best


def _grown(
    board: BoardLayout, pair: tuple[Marker, Marker], by_id: Mapping[int, list[Marker]], lens: Lens | None
) -> _Fit | None:
    """A pair of markers with all others that stand where the pair expects them."""
    start = _fit(board, pair, lens)
    if start is None or not _agrees(start, ROUGH_SIDES):
        return None
    members = list(pair)
    for marker_id in by_id.keys() - {marker.id for marker in pair}:
        off = {marker: float(_alone(start, marker).off_px.max()) for marker in by_id[marker_id][:MOST_COPIES]}
        nearest = min(off, key=lambda marker: off[marker])
        # Far from the pair its homography is vague: half a marker will do, the common fit is judged below.
        if off[nearest] < 0.5 * nearest.side_px:
            members.append(nearest)
    whole = _fit(board, members, lens)
    return whole if whole is not None and _agrees(whole, ROUGH_SIDES) else start


def _alone(fit: _Fit, marker: Marker) -> _Fit:
    """Another marker judged by a fit it had no part in."""
    return replace(fit, markers=(marker,), seen_px=_seen_px([marker], fit.lens))


def _rank(fit: _Fit) -> tuple[int, float]:
    return len(fit.markers), -fit.rms_px


def _fit(board: BoardLayout, markers: Sequence[Marker], lens: Lens | None) -> _Fit | None:
    """The least squares homography, or None when it is no view of a board from above."""
    seen_px = _seen_px(markers, lens)
    homography = _homography(_printed_mm(board, markers), seen_px)
    if homography is None or not _plausible(board, homography):
        return None
    return _Fit(board, tuple(markers), lens, seen_px, homography)


def _homography(source: Floats, target: Floats) -> Floats | None:
    matrix, _ = cv2.findHomography(source, target, 0)
    return None if matrix is None or not np.isfinite(matrix).all() else matrix.astype(np.float64)


def _seen_through(lens: Lens | None, fit: _Fit) -> _Fit:
    return _fit(fit.board, fit.markers, lens) or fit if lens != fit.lens else fit


def _plausible(board: BoardLayout, homography: Floats) -> bool:
    """Whether a homography shows the board's face, whole and not from the table's edge."""
    corners_mm = board_corners_mm(board.width_mm, board.height_mm)
    depth = corners_mm @ homography[2, :2] + homography[2, 2]
    if depth.min() <= 0.3 * depth.max() or depth.max() <= 0:
        return False
    corners = project(homography, corners_mm)
    turns = [cross(corners[i] - corners[i - 1], corners[(i + 1) % 4] - corners[i]) for i in range(4)]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    stretch = sides / np.array([board.height_mm, board.width_mm, board.height_mm, board.width_mm])
    return bool(min(turns) > 0 and stretch.max() < 4 * stretch.min())


def _agrees(fit: _Fit, tolerance_sides: float) -> bool:
    """Whether all corners of all markers are where the board expects them."""
    allowed = [max(LEAST_OFF_PX, tolerance_sides * marker.side_px) for marker in fit.markers]
    return bool((fit.off_px.max(axis=1) <= np.array(allowed)).all())


def _without_outliers(fit: _Fit) -> _Fit:
    """The fit after dropping, one by one, markers that bend it (a covered corner, a false marker)."""
    while len(fit.markers) > 2 and not _agrees(fit, FINE_SIDES):
        # The bad one pulls the fit towards itself: which to drop shows only in how well the others agree.
        rests = combinations(fit.markers, len(fit.markers) - 1)
        fits = [_fit(fit.board, rest, fit.lens) for rest in rests]
        best = min((other for other in fits if other is not None), key=lambda other: other.rms_px, default=None)
        if best is None or best.rms_px > 0.6 * fit.rms_px:
            break
        fit = best
    return fit


# All boards lie on one table


@dataclass(frozen=True, eq=False)
class _Table:
    """The plane all boards lie on, in millimetres of its first board, and the lens that shows it flat."""

    lens: Lens | None
    plane: Floats
    noise_px: float


def _table(frame: Image, fits: Sequence[_Fit], lens: Lens | None) -> _Table | None:
    """The table under all well seen boards. Without a lens, its strongest term is estimated when clearly there.

    A lens bends the table as a whole much more than one board, so this tells it well from a single frame.
    """
    good = sorted((fit for fit in fits if len(fit.markers) >= 3), key=lambda fit: (-len(fit.markers), fit.rms_px))
    while good:
        table, off_px = _settled(frame, good, lens)
        limit = max(LEAST_OFF_PX, FINE_SIDES * good[0].markers[0].side_px)
        worst = int(np.argmax(off_px))
        if len(good) < 3 or off_px[worst] <= limit:
            return table
        del good[worst]  # it leans on something
    return None


def _settled(frame: Image, fits: Sequence[_Fit], lens: Lens | None) -> tuple[_Table, Floats]:
    """The table and, per board, by how much its worst corner is off it."""
    if lens is not None:
        return _solve(fits, lens, bend=False)[:2]
    height, width = frame.shape[:2]
    focal = NOMINAL_FOCAL * max(height, width)
    start = Lens(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2)
    table, off_px, bend_in_deviations = _solve(fits, start, bend=True)
    if bend_in_deviations >= CLEAR_DEVIATIONS:
        return table, off_px
    table, off_px, _ = _solve(fits, start, bend=False)
    return replace(table, lens=None), off_px


def _solve(fits: Sequence[_Fit], lens: Lens, bend: bool) -> tuple[_Table, Floats, float]:
    """Gauss-Newton over the plane, each board's place on it and, if asked, k1.

    Gives the table, per board its worst corner's distance, and k1 in its own standard deviations.
    """
    markers = [marker for fit in fits for marker in fit.markers]
    ends = np.cumsum([len(fit.printed_mm) for fit in fits])[:-1]
    plane, seen = fits[0].homography, _seen_px(markers, lens)
    places = [np.eye(3)] + [_place(fit, plane) for fit in fits[1:]]
    follow = np.empty((0, 0))
    for _ in range(GAUSS_NEWTON_STEPS):
        table_mm = np.concatenate([project(place, fit.printed_mm) for place, fit in zip(places, fits, strict=True)])
        follow = _table_jacobian(plane, places, fits, table_mm)
        if bend:
            bent = _seen_px(markers, replace(lens, k1=lens.k1 + K1_STEP))
            follow = np.column_stack([follow, _rows(seen - bent) / K1_STEP])
        residual = _rows(seen - project(plane, table_mm))
        size = np.linalg.norm(follow, axis=0) + 1e-12
        step = np.linalg.lstsq(follow / size, residual, rcond=None)[0] / size
        plane = plane / plane[2, 2] + np.append(step[:8], 0).reshape(3, 3)
        places = [places[0], *(_nudged(place, step[8 + 3 * i : 11 + 3 * i]) for i, place in enumerate(places[1:]))]
        if bend:
            lens = replace(lens, k1=float(np.clip(lens.k1 + step[-1], -0.6, 0.6)))
            seen = _seen_px(markers, lens)
    table_mm = np.concatenate([project(place, fit.printed_mm) for place, fit in zip(places, fits, strict=True)])
    off = np.linalg.norm(seen - project(plane, table_mm), axis=1)
    noise_px = float(np.sqrt((off**2).sum() / max(1, follow.shape[0] - follow.shape[1])))
    deviations = 0.0
    if bend:
        # What of k1's effect no other number can imitate decides how well it is known.
        others, _ = np.linalg.qr(follow[:, :-1])
        own = follow[:, -1] - others @ (others.T @ follow[:, -1])
        deviations = abs(lens.k1) * float(np.linalg.norm(own)) / max(noise_px, CORNER_NOISE_PX)
    off_px = np.array([part.max() for part in np.split(off, ends)])
    return _Table(lens, plane, noise_px), off_px, deviations


def _table_jacobian(plane: Floats, places: Sequence[Floats], fits: Sequence[_Fit], table_mm: Floats) -> Floats:
    """How pixels follow the plane's eight numbers and the turns and shifts of all boards but the first."""
    blocks = np.zeros((2 * len(table_mm), 8 + 3 * (len(fits) - 1)))
    blocks[:, :8] = _homography_jacobian(plane, table_mm)
    row, count = len(fits[0].printed_mm), len(table_mm)
    for i, (place, fit) in enumerate(zip(places[1:], fits[1:], strict=True)):
        points = len(fit.printed_mm)
        part = _rigid_jacobian(plane @ place, fit.printed_mm)
        column = slice(8 + 3 * i, 11 + 3 * i)
        blocks[row : row + points, column] = part[:points]
        blocks[count + row : count + row + points, column] = part[points:]
        row += points
    return blocks


def _nudged(place: Floats, step: Floats) -> Floats:
    """A place after a small shift and turn in the board's own frame."""
    x, y, turn = step
    c, s = np.cos(turn), np.sin(turn)
    return cast(Floats, place @ np.array([[c, -s, x], [s, c, y], [0, 0, 1]]))


def _rows(points: Floats) -> Floats:
    """All x, then all y: the order of the Jacobians' rows."""
    return cast(Floats, points.T.ravel())


def _place(fit: _Fit, plane: Floats) -> Floats:
    """The turn and shift (3, 3) that put a board on the table where its markers are seen."""
    printed, seen = fit.printed_mm, project(inverse(plane), fit.seen_px)
    a, b = printed - printed.mean(axis=0), seen - seen.mean(axis=0)
    angle = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = seen.mean(axis=0) - turn @ printed.mean(axis=0)
    return np.vstack([np.column_stack([turn, shift]), [0, 0, 1]])


def _on_table(fit: _Fit, table: _Table) -> _Fit:
    """A board of which a marker is missing, held flat on the table; one that does not lie on it stays as it is."""
    if len(fit.markers) >= HELD_BELOW:
        return fit
    held = replace(fit, homography=table.plane @ _place(fit, table.plane), held_px=table.noise_px)
    return held if _agrees(held, FINE_SIDES) else fit


def _lone(board: BoardLayout, markers: Sequence[Marker], table: _Table) -> list[_Fit]:
    """A board of which one marker is seen: too little to tell its pose, enough to look for the others."""
    bare = [_Fit(board, (marker,), table.lens, _seen_px([marker], table.lens), table.plane) for marker in markers]
    fits = [replace(fit, homography=table.plane @ _place(fit, table.plane), held_px=table.noise_px) for fit in bare]
    return [fit for fit in fits if _agrees(fit, FINE_SIDES)][:1]


# Confidence


def _pose(fit: _Fit) -> BoardPose:
    board = fit.board
    certainty = float(1 - np.exp(-0.5 * (GOOD_ENOUGH_MM / max(_expected_off_mm(fit), 1e-6)) ** 2))
    markers = tuple(sorted(fit.markers, key=lambda marker: marker.id))
    used = tuple(marker.id for marker in markers)
    shape = (board.id, board.width_mm, board.height_mm)
    return BoardPose(*shape, fit.homography, fit.lens, markers, used, fit.rms_px, certainty)


def _is_a_board(fit: _Fit) -> bool:
    return len(fit.markers) >= 2 and _agrees(fit, FINE_SIDES)


def _tellable(pose: BoardPose) -> bool:
    return len(pose.used) >= 3 or (len(pose.used) == 2 and pose.confidence >= LEAST_CONFIDENCE)


def _expected_off_mm(fit: _Fit) -> float:
    """By how much (one standard deviation) the worst corner of the board may be off, from error propagation."""
    corners = board_corners_mm(fit.board.width_mm, fit.board.height_mm)
    held = fit.held_px is not None
    follow = _rigid_jacobian if held else _homography_jacobian
    jacobian, at_corners = follow(fit.homography, fit.printed_mm), follow(fit.homography, corners)
    spare = max(1, jacobian.shape[0] - jacobian.shape[1])
    noise_px = max(CORNER_NOISE_PX, fit.held_px or 0.0, float(np.sqrt((fit.off_px**2).sum() / spare)))
    # Columns of very different size would spoil the inverse.
    size = np.linalg.norm(jacobian, axis=0) + 1e-12
    spread = np.linalg.pinv(jacobian / size) * noise_px
    off_px = np.linalg.norm((at_corners / size) @ spread, axis=1)
    projected = project(fit.homography, corners)
    px_per_mm = np.linalg.norm(projected[2] - projected[0]) / np.linalg.norm(corners[2] - corners[0])
    return float(np.hypot(off_px.max() / px_per_mm, TABLE_FLATNESS_MM if held else 0.0))


def _homography_jacobian(homography: Floats, points_mm: Floats) -> Floats:
    """How pixels (x, y of each point) follow the first eight numbers of a homography."""
    scaled = homography / homography[2, 2]
    x, y = points_mm.T
    w = points_mm @ scaled[2, :2] + 1
    u, v = project(scaled, points_mm).T
    zero = np.zeros_like(x)
    rows_u = np.stack([x / w, y / w, 1 / w, zero, zero, zero, -u * x / w, -u * y / w], axis=1)
    rows_v = np.stack([zero, zero, zero, x / w, y / w, 1 / w, -v * x / w, -v * y / w], axis=1)
    return np.concatenate([rows_u, rows_v])


def _rigid_jacobian(homography: Floats, points_mm: Floats) -> Floats:
    """How pixels follow a turn and a shift of the board on the table."""
    x, y = points_mm.T
    here = project(homography, points_mm)
    step_mm = 1e-3
    right = (project(homography, points_mm + np.array([step_mm, 0])) - here) / step_mm
    down = (project(homography, points_mm + np.array([0, step_mm])) - here) / step_mm
    turn = -right * y[:, None] + down * x[:, None]
    return np.stack([right.T.ravel(), down.T.ravel(), turn.T.ravel()], axis=1)


# The lens


def _calibrated(views: Sequence[tuple[Floats, Floats]], size: tuple[int, int]) -> Lens:
    width, height = size
    focal = NOMINAL_FOCAL * max(size)
    guess = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    # Boards lying on a table tell the centre and the tangential terms badly: freed, they only soak up noise.
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
    )
    solid = [np.column_stack([mm, np.zeros(len(mm))]).astype(np.float32) for mm, _ in views]
    flat = [px.astype(np.float32).reshape(-1, 1, 2) for _, px in views]
    try:
        rms, matrix, terms, _, _ = cv2.calibrateCamera(solid, flat, size, guess, np.zeros(5), flags=flags)
    except cv2.error as error:
        raise CannotCalibrate("the boards were seen too much alike: tilt and move them") from error
    k1, k2, p1, p2, k3 = (float(term) for term in np.ravel(terms)[:5])
    fx, fy = float(matrix[0, 0]), float(matrix[1, 1])
    if not np.isfinite([rms, fx, k1, k2]).all() or rms > 0.001 * max(size) or not 0.2 < fx / max(size) < 5:
        raise CannotCalibrate(f"the boards do not agree on one lens (off by {rms:.1f} px): lay them flat and try again")
    return Lens(width, height, fx, fy, float(matrix[0, 2]), float(matrix[1, 2]), k1, k2, p1, p2, k3)


# Following


def _same_view(frame: Image, previous: Found, lens: Lens | None) -> bool:
    """Whether earlier poses can be tried: the picture has their size and the lens is the one they used."""
    return previous.size_px == _size_px(frame) and lens in {None, previous.lens}


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
        moved=tuple(now.board_id for _, now in moved),
        camera_moved=shift is not None,
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
    shift = _homography(before, after)
    if shift is None:
        return None
    off = np.linalg.norm(project(shift, before) - after, axis=1).max()
    allowed = 0.02 * np.linalg.norm(after[2] - after[0])
    return shift if off <= allowed else None


# Small helpers


def _checked(frame: Image) -> Image:
    if frame.dtype != np.uint8 or frame.ndim not in {2, 3} or not frame.size:
        raise ValueError("a frame must be an 8-bit picture")
    if frame.ndim == 2 or frame.shape[2] == 3:
        return frame
    if frame.shape[2] == 1:
        return frame[..., 0]
    if frame.shape[2] == 4:
        return np.ascontiguousarray(frame[..., :3])
    raise ValueError("a frame must be grey, BGR or BGRA")


def _size_px(frame: Image) -> tuple[int, int]:
    return frame.shape[1], frame.shape[0]


def _lens_for(frame: Image, lens: Lens | None) -> Lens | None:
    return None if lens is None else lens.for_size(frame.shape[1], frame.shape[0])


def _grey(frame: Image) -> Image:
    return frame if frame.ndim == 2 else cast(Image, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))


def _halved(grey: Image) -> Image:
    height, width = max(1, grey.shape[0] // 2), max(1, grey.shape[1] // 2)
    # Exactly two to one, the linear rule is the mean of four pixels, and by far the fastest way to it.
    return cast(Image, cv2.resize(grey[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_LINEAR))


def _within(frame: Image, markers: Sequence[Marker]) -> list[Marker]:
    height, width = frame.shape[:2]
    return [m for m in markers if (m.quad_px > 0).all() and (m.quad_px < [width - 1, height - 1]).all()]


def _apart_px(one: Marker, other: Marker) -> float:
    return float(np.linalg.norm(one.quad_px.mean(axis=0) - other.quad_px.mean(axis=0)))


def _printed_mm(board: BoardLayout, markers: Sequence[Marker]) -> Floats:
    return np.array([board.markers[marker.id] for marker in markers], np.float64).reshape(-1, 2)


def _seen_px(markers: Sequence[Marker], lens: Lens | None) -> Floats:
    """The markers' corners, as a lens without distortion would show them."""
    seen = np.concatenate([marker.quad_px for marker in markers])
    return seen if lens is None else lens.undistort(seen)


def _strays(
    boards: Sequence[BoardLayout], markers: Sequence[Marker], poses: Mapping[str, tuple[BoardPose, ...]]
) -> tuple[int, ...]:
    """Ids of markers seen away from every pose of their board, of boards that have one."""
    strays = set()
    for board in boards:
        for marker in (marker for marker in markers if marker.id in board.markers):
            places = [Marker(marker.id, pose.to_frame(board.markers[marker.id])) for pose in poses[board.id]]
            if places and all(_apart_px(marker, place) > marker.side_px / 2 for place in places):
                strays.add(marker.id)
    return tuple(sorted(strays))


def _main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m vision.locate PICTURE KIT_FOLDER", file=sys.stderr)
        return 2
    frame = cv2.imread(arguments[0], cv2.IMREAD_COLOR)
    if frame is None:
        print(f"{arguments[0]}: is not a picture", file=sys.stderr)
        return 2
    try:
        picture, layout = cast(Image, frame), load_layout(Path(arguments[1]))
    except BadLayout as error:
        print(error, file=sys.stderr)
        return 2
    found = find_boards(picture, layout)
    for pose in found.boards.values():
        corners = " ".join(f"({x:.1f}, {y:.1f})" for x, y in pose.corners_px)
        quality = f"off {pose.error_px:.2f} px, confidence {pose.confidence:.3f}"
        print(f"{pose.board_id:8} markers {pose.used} {quality}: {corners}")
    print(f"duplicates {sorted(found.duplicates)}, strays {found.strays}, lens {found.lens}")
    plain = _seconds(lambda: detect_markers(_grey(picture), 49))
    cold = _seconds(lambda: find_boards(picture, layout))
    warm = _seconds(lambda: track_boards(picture, layout, found))
    for name, seconds in (("plain ArUco", plain), ("find_boards", cold), ("track_boards", warm)):
        print(f"{name:12} {seconds * 1000:7.1f} ms  {seconds / plain:5.2f}")
    return 0


def _seconds(work: Callable[[], object]) -> float:
    """The shortest of five runs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
