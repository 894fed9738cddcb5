"""Turns pictures into the plain values that sight decides on. Remembers pictures, decides nothing."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from heapq import nlargest
from math import log
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.ports import Picture
from pi_app.engine.contract import Surface
from pi_app.engine.evidence import LEAST, Looks
from pi_app.engine.kinds import BESIDE, OTHER, dice_kind, kind_of, pieces_of
from pi_app.perception.board_pictures import Pictures
from pi_app.perception.sight import ELSEWHERE, DieAt, Glance, Look, patience
from vision.dice import SeenDie
from vision.faces import FacePicture
from vision.layout import CARDS, BoardLayout, Layout
from vision.locate import Found
from vision.marks import RegionReading
from vision.read import Reader
from vision.rectify import BoardPose, Lens

Grid = NDArray[np.float32]

GLANCE_WIDTH_PX = 320
MOVED, MOVED_PX = 0.14, 6  # change of log-brightness from one picture to the next, in so many pixels at least
OVER, OVER_PX = 0.3, 24  # the same, since the board was read last, for something that reaches in from its edge
LIGHT_CHANGED = 0.06  # of the whole picture
RIM_PX = 3
ARM_PX = 80  # what covers less of a board with pieces is a piece
SHIFTED_PX = 0.3
NOT_SEEN = 0.7  # a region whose kinds are all about as likely tells nothing: it cannot be seen
HIDDEN_SHARE = 0.06
FEW = 2  # regions that cannot be read may have reasons of their own
DECIMALS = 2  # of a log-likelihood; decisions turn on differences of 0.7 and more
FACES = range(1, 7)
SURE_DIE = 0.6  # below this confidence, a die may show any other value as well
MOST_STORIES = 24
MISSED_DIE = -5.0  # a die that lies there is overlooked about so rarely (logarithm), however often one looks


class Eyes:
    """Looks at the pictures of one table. Belongs to one thread."""

    def __init__(
        self,
        layout: Layout,
        surfaces: Iterable[Surface],
        lens: Lens | None = None,
        faces: FacePicture | None = None,
    ) -> None:
        """`surfaces` are those in play; `lens` is the camera's, if it was measured; `faces` show the kit's pieces."""
        surfaces = tuple(surfaces)
        self._patience = {surface.id: patience(surface) for surface in surfaces}
        self._pools = {surface.id: surface.pools for surface in surfaces}
        used = layout.only(self._patience)
        self._names = [board.id for board in used.boards]
        self._bear_pieces = {board.id for board in used.boards if board.piece_regions}
        self._bear_cards = {board.id for board in used.boards if board.read_by(CARDS)}
        self._reader = Reader(used, lens, faces)
        self._rested = deepcopy(self._reader)
        """The reader as it was before the first picture."""
        self._areas: NDArray[np.uint8] | None = None
        self._found: Found | None = None
        self._now: Grid | None = None
        self._read_as: Grid | None = None
        self._pushed: dict[str, Grid] = {}
        """How boards looked that lie elsewhere since; until it is sure that there is no hand that pushed them."""
        self._glance = Glance()
        self._covered_for: Counter[str] = Counter()
        self.pictures = Pictures(used)
        """What people are shown of it."""

    def learn(self, clean_bgr: Picture) -> list[str]:
        """Takes a full picture of the boards without ink, to compare with; tells which boards it does not show."""
        found = self._reader.take_reference(clean_bgr)
        self._rested = deepcopy(self._reader)
        return [board for board in self._names if board not in found.boards]

    def start_afresh(self) -> bool:
        """Reads the next picture as if it were the first one, unless a hand is over the table; tells whether.

        What is read from there on depends on the pictures from there on alone, so that it can be repeated.
        """
        if self._glance.moving or self._glance.covered:
            return False
        self._reader = deepcopy(self._rested)
        return True

    def glance(self, small_bgr: Picture) -> Glance:
        """What moves, and what is covered, board by board."""
        self.pictures.glanced(small_bgr)
        before, self._now = self._now, _brightness(small_bgr)
        if before is None or before.shape != self._now.shape:
            self._glance = Glance(frozenset(), frozenset(), light_changed=True)
            return self._glance
        # In dim light single pixels flicker; what moves is wider than that.
        change = cv2.blur(self._now - before, (3, 3))
        light = float(np.median(change))
        moved = np.abs(change - light) > MOVED
        light_changed = abs(light) > LIGHT_CHANGED
        moving = frozenset() if light_changed else frozenset(self._counted(moved))
        self._recognise_pushed(moving)
        self._glance = Glance(moving, frozenset(self._covered(self._now)), light_changed)
        lying = self._glance.covered - moving
        self._covered_for = Counter({board: self._covered_for[board] + 1 for board in lying})
        return self._glance

    def look(self, full_bgr: Picture) -> Look:
        """Reads a full picture."""
        reading = self._reader.read(full_bgr)
        self._remember(reading.found)
        seen = {board for board, pose in reading.found.boards.items() if pose.age == 0}
        boards = {board: _looks(marks) for board, marks in reading.marks.items() if board in seen}
        hidden = frozenset(board for board, looks in boards.items() if _hidden(looks))
        clear = seen - hidden - self._glance.moving - self._glance.covered
        self.pictures.looked(full_bgr, {board: reading.found.boards[board] for board in clear})
        for board in self._reader.layout.boards:
            if board.dice_regions and board.id in seen:
                boards[board.id] = {**boards.get(board.id, {}), **_dice_looks(board, reading.dice)}
        dice = {
            board.id: _dice_at(board, reading.dice, reading.found.boards[board.id])
            for board in self._reader.layout.boards
            if board.dice_regions and board.id in seen
        }
        return Look({board: pooled(looks, self._pools[board]) for board, looks in boards.items()}, hidden, dice)

    def _remember(self, found: Found) -> None:
        """From now on, boards that lie open look as they do now."""
        if self._now is None:
            return
        before, self._found = self._found, found
        if self._areas is None or before is None or _moved(before, found):
            self._areas = self._drawn_areas(found)
        if self._read_as is None or before is None or before.size_px != found.size_px:
            self._read_as = self._now.copy()
            return
        shifted = self._shifted(before, found)
        for board in shifted:
            self._pushed.setdefault(board, _straight(self._read_as, before, board))
        for board in self._names:
            if board not in shifted and (self._lies_open(board) or board not in before.boards):
                self._remember_board(board)

    def _remember_board(self, board: str) -> None:
        assert self._areas is not None
        assert self._read_as is not None
        assert self._now is not None
        here = self._areas == self._names.index(board) + 1
        self._read_as[here] = self._now[here]
        self._pushed.pop(board, None)

    def _recognise_pushed(self, moving: Collection[str]) -> None:
        """A board that lies elsewhere and looks as it did is not covered."""
        for board, looked in list(self._pushed.items()):
            if board not in moving and self._found is not None and board in self._found.boards:
                assert self._now is not None
                change = _straight(self._now, self._found, board, looked.shape) - looked
                over = np.abs(change - np.median(change)) > OVER
                if np.count_nonzero(over[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]) < self._large(board):
                    self._remember_board(board)

    def _lies_open(self, board: str) -> bool:
        """Also when it only seems covered: something that lay there when it was read last was taken away."""
        covered = board in self._glance.covered and self._covered_for[board] < self._patience[board]
        return not covered and board not in self._glance.moving

    def _shifted(self, before: Found, now: Found) -> list[str]:
        """The boards that lie elsewhere by enough to be seen in a glance."""
        least = SHIFTED_PX * now.size_px[0] / GLANCE_WIDTH_PX
        return [
            board
            for board in before.boards.keys() & now.boards.keys()
            if np.abs(before.boards[board].corners_px - now.boards[board].corners_px).max() > least
        ]

    def _large(self, board: str) -> int:
        """How much of a board a hand covers at least: pieces are smaller."""
        return ARM_PX if board in self._bear_pieces else OVER_PX

    def _drawn_areas(self, found: Found) -> NDArray[np.uint8]:
        """For every pixel of a glance, which board it shows: 0 for none, boards from 1."""
        assert self._now is not None
        areas = np.zeros(self._now.shape, np.uint8)
        scale = self._now.shape[1] / found.size_px[0]
        for number, board in enumerate(self._names, 1):
            if board in found.boards:
                outline = np.round(found.boards[board].corners_px * scale).astype(np.int32)
                cv2.fillConvexPoly(areas, outline, number)
        return areas

    def _counted(self, changed: NDArray[np.bool_]) -> list[str]:
        """The areas with enough pixels that changed."""
        if self._areas is None:
            return []
        counts = np.bincount(self._areas[changed], minlength=len(self._names) + 1)
        return [name for name, count in zip((ELSEWHERE, *self._names), counts, strict=True) if count >= MOVED_PX]

    def _covered(self, now: Grid) -> list[str]:
        if self._areas is None or self._read_as is None:
            return []
        change = now - self._read_as
        # Cards are as large as hands and reach over the rim, too: only a full picture tells them from each other.
        return [
            board
            for number, board in enumerate(self._names, 1)
            if board not in self._bear_cards and _reaches_in(change, self._areas == number, self._large(board))
        ]


def _brightness(small_bgr: Picture) -> Grid:
    """The logarithm of light, very small: there a dimmer lamp is a sum that can be taken away."""
    height, width = small_bgr.shape[:2]
    size = GLANCE_WIDTH_PX, max(1, round(height * GLANCE_WIDTH_PX / width))
    grey = cv2.cvtColor(cv2.resize(small_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return cast(Grid, np.log(grey.astype(np.float32) + 12.0))


def _reaches_in(change: Grid, area: NDArray[np.bool_], large: int) -> bool:
    """Whether something large lies over the board and over its rim: a hand comes from outside, ink does not.

    Pieces may stand at the rim, too, but they are smaller than a hand with its arm.
    """
    if not area.any():
        return False
    over = (area & (np.abs(change - np.median(change[area])) > OVER)).astype(np.uint8)
    if np.count_nonzero(over) < large:
        return False
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(over, connectivity=8)
    inner = cv2.erode(area.astype(np.uint8), np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8))
    at_rim = set(np.unique(pieces[(over > 0) & (inner == 0)]).tolist())
    return any(stats[piece, cv2.CC_STAT_AREA] >= large for piece in at_rim)


def _straight(grid: Grid, found: Found, board: str, shape: tuple[int, ...] | None = None) -> Grid:
    """A board in a glance, turned straight and blurred, so that it looks the same wherever it lies."""
    corners = (found.boards[board].corners_px * grid.shape[1] / found.size_px[0]).astype(np.float32)
    if shape is None:
        along, down = (np.linalg.norm(corners[n] - corners[0]) for n in (1, 3))
        shape = round(float(down)), round(float(along))
    height, width = shape
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turned = cv2.warpPerspective(grid, cv2.getPerspectiveTransform(corners, to), (width, height))
    return cast(Grid, cv2.blur(turned, (5, 5)))


def _moved(before: Found, now: Found) -> bool:
    """Whether a board lies elsewhere than before."""
    if before.boards.keys() != now.boards.keys() or before.size_px != now.size_px:
        return True
    return any(before.boards[board].homography is not now.boards[board].homography for board in now.boards)


def _looks(marks: Mapping[str, RegionReading]) -> Looks:
    """Rounded before anything is decided on them, so that what is recorded is what was decided on."""
    return {
        region: {kind: round(value, DECIMALS) for kind, value in mark.likelihoods.items()}
        for region, mark in marks.items()
    }


def pooled(looks: Looks, pools: Mapping[str, Sequence[str]]) -> Looks:
    """The same where some regions count as one: what they show together, in whatever order it lies there.

    If one of them cannot be seen, nothing is told of all of them.
    """
    if not pools:
        return looks
    members = {member for pool in pools.values() for member in pool}
    together = {
        name: _together([looks[member] for member in pool])
        for name, pool in pools.items()
        if all(member in looks and _seen(looks[member]) for member in pool)
    }
    return {region: look for region, look in looks.items() if region not in members} | together


def _together(looks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The likeliest stories about several regions, one piece or none on each; all others are much less likely."""
    stories: dict[tuple[str, ...], float] = {(): 0.0}
    for look in looks:
        likely = nlargest(2, ((value, kind) for kind, value in look.items()))
        told = ((pieces, value) for value, kind in likely for pieces in (_pieces_told(kind),))
        longer: dict[tuple[str, ...], float] = {}
        for pieces, value in told:
            for story, so_far in stories.items():
                key = tuple(sorted((*story, *pieces)))
                longer[key] = max(longer.get(key, LEAST * len(looks)), so_far + value)
        stories = dict(nlargest(MOST_STORIES, longer.items(), key=lambda story: story[1]))
    known = {kind_of(story): max(LEAST, value) for story, value in stories.items() if OTHER not in story}
    unknown = max((value for story, value in stories.items() if OTHER in story), default=LEAST)
    return {kind: round(value, DECIMALS) for kind, value in {**known, OTHER: max(LEAST, unknown)}.items()}


def _pieces_told(kind: str) -> tuple[str, ...]:
    return (OTHER,) if kind == OTHER else tuple(pieces_of(kind))


def _seen(look: Mapping[str, float]) -> bool:
    return max(look.values()) - min(look.values()) >= NOT_SEEN


def _hidden(looks: Looks) -> bool:
    unseen = sum(not _seen(look) for look in looks.values())
    return unseen > max(FEW, HIDDEN_SHARE * len(looks))


def _dice_looks(board: BoardLayout, dice: Collection[SeenDie]) -> Looks:
    """Which dice lie where, also beside the board, and how sure that is."""
    places = {region: (board.id, region) for region in board.dice_regions} | {BESIDE: (None, None)}
    return {
        region: _dice_look([die for die in dice if (die.board, die.region) == place])
        for region, place in places.items()
    }


def _dice_at(board: BoardLayout, dice: Collection[SeenDie], pose: BoardPose) -> dict[str, list[DieAt]]:
    """Where dice lie on their places."""
    return {
        region: sorted(
            (die.value, round(x, 1), round(y, 1))
            for die in dice
            if (die.board, die.region) == (board.id, region)
            for x, y in pose.to_board([die.centre_px]).tolist()
        )
        for region in board.dice_regions
    }


def _dice_look(dice: Collection[SeenDie]) -> dict[str, float]:
    """An unsure die may show any other value; how many there are is surer than what they show."""
    values = [die.value for die in dice]
    look = {OTHER: MISSED_DIE}
    for number, die in enumerate(dice):
        if die.confidence < SURE_DIE:
            doubt = round(log((1 - die.confidence) / max(die.confidence, 1e-6)), DECIMALS)
            for value in FACES:
                look[dice_kind([*values[:number], value, *values[number + 1 :]])] = min(0.0, doubt)
    return {**look, dice_kind(values): 0.0}
