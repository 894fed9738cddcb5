"""A board's pose from its markers, and the table that all boards lie on: robust fits and how sure they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import cast

import cv2
import numpy as np

from vision.layout import BoardLayout
from vision.markers import Floats, Image, Marker
from vision.rectify import BoardPose, Lens, board_corners_mm, cross, inverse, nominal_lens, project

LEAST_CONFIDENCE = 0.5  # a pose from two markers that is less sure is not told
ROUGH_SIDES, FINE_SIDES = 0.15, 0.03  # how far a corner may be off its place, in marker sides: lens unknown, known
LEAST_OFF_PX = 1.0  # and it may always be off this much
CORNER_NOISE_PX = 0.15  # how well a corner is measured at best; a lucky fit must not claim more
GOOD_ENOUGH_MM = 1.0  # what `confidence` promises
HELD_BELOW = 4  # boards with fewer markers are held flat on the table
TORN = 2.0  # markers this many times farther off than noise explains do not belong together
TABLE_FLATNESS_MM = 0.4  # boards bend and lie on crumbs: what the table alone says about a corner is no better
CLEAR_DEVIATIONS = 5.0  # an estimated lens term must be this far from nothing
GAUSS_NEWTON_STEPS = 3
K1_STEP = 1e-4  # for its derivative
MOST_COPIES = 4  # seen markers with one id that are considered


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
        return printed_corners_mm(self.board, self.markers)

    @cached_property
    def off_px(self) -> Floats:
        """How far each corner of each marker is off, (markers, 4)."""
        off = self.seen_px - project(self.homography, self.printed_mm)
        return cast(Floats, np.linalg.norm(off, axis=1).reshape(-1, 4))

    @cached_property
    def rms_px(self) -> float:
        return float(np.sqrt((self.off_px**2).mean()))


def consistent_groups(board: BoardLayout, markers: Sequence[Marker], lens: Lens | None) -> list[_Fit]:
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
        off = {marker: float(_of(start, [marker]).off_px.max()) for marker in by_id[marker_id][:MOST_COPIES]}
        nearest = min(off, key=lambda marker: off[marker])
        # Far from the pair its homography is vague: half a marker will do, the common fit is judged below.
        if off[nearest] < 0.5 * nearest.side_px:
            members.append(nearest)
    whole = _fit(board, members, lens)
    return whole if whole is not None and _agrees(whole, ROUGH_SIDES) else start


def _rank(fit: _Fit) -> tuple[int, float]:
    return len(fit.markers), -fit.rms_px


def _fit(board: BoardLayout, markers: Sequence[Marker], lens: Lens | None) -> _Fit | None:
    """The least squares homography, or None when it is no view of a board from above."""
    seen_px = seen_corners_px(markers, lens)
    homography = fit_homography(printed_corners_mm(board, markers), seen_px)
    if homography is None or not _plausible(board, homography):
        return None
    return _Fit(board, tuple(markers), lens, seen_px, homography)


def fit_homography(source: Floats, target: Floats) -> Floats | None:
    matrix, _ = cv2.findHomography(source, target, 0)
    return None if matrix is None or not np.isfinite(matrix).all() else matrix.astype(np.float64)


def seen_through(lens: Lens | None, fit: _Fit) -> _Fit:
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


def without_outliers(fit: _Fit) -> _Fit:
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


def common_table(frame: Image, fits: Sequence[_Fit], lens: Lens | None) -> _Table | None:
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
    start = nominal_lens(frame.shape[1], frame.shape[0])
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
    plane, seen = fits[0].homography, seen_corners_px(markers, lens)
    places = [np.eye(3)] + [_place(fit, plane) for fit in fits[1:]]
    follow = np.empty((0, 0))
    for _ in range(GAUSS_NEWTON_STEPS):
        table_mm = np.concatenate([project(place, fit.printed_mm) for place, fit in zip(places, fits, strict=True)])
        follow = _table_jacobian(plane, places, fits, table_mm)
        if bend:
            bent = seen_corners_px(markers, replace(lens, k1=lens.k1 + K1_STEP))
            follow = np.column_stack([follow, _rows(seen - bent) / K1_STEP])
        residual = _rows(seen - project(plane, table_mm))
        size = np.linalg.norm(follow, axis=0) + 1e-12
        step = np.linalg.lstsq(follow / size, residual, rcond=None)[0] / size
        plane = plane / plane[2, 2] + np.append(step[:8], 0).reshape(3, 3)
        places = [places[0], *(_nudged(place, step[8 + 3 * i : 11 + 3 * i]) for i, place in enumerate(places[1:]))]
        if bend:
            lens = replace(lens, k1=float(np.clip(lens.k1 + step[-1], -0.6, 0.6)))
            seen = seen_corners_px(markers, lens)
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


def held_on_table(fit: _Fit, table: _Table) -> _Fit:
    """A board of which a marker is missing, held flat on the table; one that does not lie on it stays as it is."""
    if len(fit.markers) >= HELD_BELOW:
        return fit
    held = _held(fit, table)
    if _agrees(held, FINE_SIDES):
        return held
    # Where markers agree neither with the table nor with each other, one is half under something and bends the board.
    if len(fit.markers) > 2 and fit.rms_px > TORN * max(CORNER_NOISE_PX, table.noise_px):
        rests = [_held(_of(fit, rest), table) for rest in combinations(fit.markers, len(fit.markers) - 1)]
        best = min(rests, key=lambda rest: rest.rms_px)
        if best.rms_px < fit.rms_px / TORN and _agrees(best, FINE_SIDES):
            return best
    return fit


def _held(fit: _Fit, table: _Table) -> _Fit:
    return replace(fit, homography=table.plane @ _place(fit, table.plane), held_px=table.noise_px)


def _of(fit: _Fit, markers: Sequence[Marker]) -> _Fit:
    """The same fit, judged by these markers alone."""
    return replace(fit, markers=tuple(markers), seen_px=seen_corners_px(markers, fit.lens))


def lone_boards(board: BoardLayout, markers: Sequence[Marker], table: _Table) -> list[_Fit]:
    """A board of which one marker is seen: too little to tell its pose, enough to look for the others."""
    bare = [
        _Fit(board, (marker,), table.lens, seen_corners_px([marker], table.lens), table.plane) for marker in markers
    ]
    return [fit for fit in (_held(fit, table) for fit in bare) if _agrees(fit, FINE_SIDES)][:1]


# Confidence


def pose_of(fit: _Fit) -> BoardPose:
    board = fit.board
    certainty = float(1 - np.exp(-0.5 * (GOOD_ENOUGH_MM / max(_expected_off_mm(fit), 1e-6)) ** 2))
    markers = tuple(sorted(fit.markers, key=lambda marker: marker.id))
    used = tuple(marker.id for marker in markers)
    shape = (board.id, board.width_mm, board.height_mm)
    return BoardPose(*shape, fit.homography, fit.lens, markers, used, fit.rms_px, certainty)


def is_a_board(fit: _Fit) -> bool:
    return len(fit.markers) >= 2 and _agrees(fit, FINE_SIDES)


def is_tellable(pose: BoardPose) -> bool:
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


def printed_corners_mm(board: BoardLayout, markers: Sequence[Marker]) -> Floats:
    return np.array([board.markers[marker.id] for marker in markers], np.float64).reshape(-1, 2)


def seen_corners_px(markers: Sequence[Marker], lens: Lens | None) -> Floats:
    """The markers' corners, as a lens without distortion would show them."""
    seen = np.concatenate([marker.quad_px for marker in markers])
    return seen if lens is None else lens.undistort(seen)
