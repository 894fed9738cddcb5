"""Reads a whole table: where the boards lie, what is drawn on them, and the dice.

A `Reader` remembers what stayed as it was, so that reading one frame after the other costs only what changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil, dist
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import SeenCard, cards_json
from vision.change import Change
from vision.dice import SeenDie, find_dice
from vision.die import DIE_MM
from vision.eye import below
from vision.faces import FacePicture
from vision.laid_cards import CardReader, RegionCards
from vision.layout import CARDS, BoardLayout, Layout
from vision.locate import Found, checked_frame, find_boards_in
from vision.loose import LoosePieces, SeenPiece, Sighted, seen_pieces
from vision.markers import Floats, Image
from vision.marks import NOTHING_DRAWN, BoardMarks, RegionReading, Seen, read_marks
from vision.paper import is_printed, sample_print
from vision.pictures import load_picture
from vision.pieces import RegionPieces
from vision.pyramid import Pyramid
from vision.rectify import BoardPose, Lens
from vision.regions import Regions
from vision.samples import BoardSamples, Maps, maps_to, sample_board
from vision.track import find_boards_again, track_boards

SMALLEST_DIE, LARGEST_DIE = 0.72, 1.35  # of that: dice differ, and so do the near and the far edge of a table
SURE_ELSEWHERE = 0.9  # on a board that has no place for dice, a box with a number is likelier than a doubtful die
AROUND_A_DIE = 1.5  # in its widths: what is compared with the print
NEAR_MM = 4.0  # a die this little outside of a place for dice was meant to lie on it
SAME_SHADE = 7.0  # what changed by fewer grey levels, over some millimetres of a board, is as it was
SAME_GREY = 6.0  # and so is a part of the frame
TRUSTED = 2.0  # a board seen now that lies within a millimetre of its pose with at least half a chance can be read
SAME_TABLE = 0.06  # and a part of the table, in logarithm of grey levels against its surroundings
NO_BOARD = 2
# How far around a region that was read no die lies, in its widths: strokes overshoot and change what is around them.
_FREE_AROUND = {"unsure": 0.0, "empty": 1.0, "marked": 1.7, "circled": 1.7, "crossed": 1.7}
_PART_PX = 8
_LIGHT_PARTS = 41  # light changes slowly over so many parts
_LOG_GREY = np.log(np.arange(256) + 4).astype(np.float32)  # a few grey levels more or less in the dark mean nothing


@dataclass(frozen=True, eq=False)
class TableReading:
    """What one frame shows. Boards that were not found have no marks; `marks` tell of places for pieces too."""

    found: Found
    marks: Mapping[str, Mapping[str, RegionReading]]
    dice: tuple[SeenDie, ...]
    pieces: tuple[SeenPiece, ...] = ()
    cards: tuple[SeenCard, ...] = ()
    """Those on places for cards."""


@dataclass(frozen=True, eq=False)
class _Read:
    """A board as it was last read."""

    pose: BoardPose
    thumbnail: Image
    read: BoardMarks
    bare: Image | None
    pieces: Mapping[str, RegionPieces]
    cards: Mapping[str, RegionCards]
    told: Mapping[str, RegionReading]


@dataclass(frozen=True, eq=False)
class _Fresh:
    """A board that changed: what is to be read on it, and the pieces and cards that were."""

    thumbnail: Image
    seen: Seen
    pieces: Mapping[str, RegionPieces]
    cards: Mapping[str, RegionCards]


class Reader:
    """Reads the frames of one table in turn. Belongs to one thread."""

    def __init__(self, layout: Layout, lens: Lens | None = None, faces: FacePicture | None = None) -> None:
        """`faces` is the kit's picture of its pieces; by default it is looked for in the kit's folder."""
        self.layout = layout
        self._lens = lens
        self._loose = LoosePieces(layout, faces)
        self._cards = {board.id: CardReader(board, layout.catalogue) for board in layout.boards if board.read_by(CARDS)}
        # A game with pieces and no place for dice is played without.
        self._has_dice = not (self._loose or self._cards) or any(board.dice_regions for board in layout.boards)
        self._regions = {board.id: Regions(board) for board in layout.boards if board.regions}
        self._clean: dict[str, BoardSamples] = {}
        self._maps: dict[str, tuple[BoardPose, Maps]] = {}
        self._read: dict[str, _Read] = {}
        self._room: dict[int, Image] = {}
        self._found: Found | None = None
        self._found_clean: Found | None = None
        self._dice: tuple[SeenDie, ...] = ()
        self._parts: Image | None = None
        self._clean_parts: Image | None = None

    def take_reference(self, frame_bgr: Image) -> Found:
        """Remembers how the boards look when clean: all that this frame shows. Others keep what they had."""
        frame = Pyramid(_in_colour(frame_bgr), self._room)
        found = find_boards_in(frame, self.layout, self._lens_for(frame.bgr))
        for board_id, pose in found.boards.items():
            if board_id in self._regions:
                regions = self._regions[board_id]
                self._clean[board_id] = sample_board(frame, maps_to(pose, regions, found.size_px)).kept(regions)
                if board_id in self._loose:
                    self._loose.learn(board_id, self._clean[board_id])
        self._clean_parts = _parts(frame)
        self._read.clear()
        self._found_clean = found
        return found

    def read(self, frame_bgr: Image) -> TableReading:
        """Everything that a frame shows. Raises BadPicture when a board needs the kit's picture and that is missing."""
        frame = Pyramid(_in_colour(frame_bgr), self._room)
        lens = self._lens_for(frame.bgr)
        if self._found is None:
            self._found = find_boards_again(frame, self.layout, self._found_clean, lens)
        else:
            self._found = track_boards(frame, self.layout, self._found, lens)
        self._read_boards(frame, self._found)
        marks = {
            board.id: self._read[board.id].told
            for board in self.layout.boards
            if (board.drawn_regions or board.piece_regions)
            and board.id in self._found.boards
            and board.id in self._read
        }
        pieces = tuple(
            piece
            for board_id in marks
            for piece in seen_pieces(self._found.boards[board_id], self._found.size_px, self._read[board_id].pieces)
        )
        cards = (card for board_id in marks for told in self._read[board_id].cards.values() for card in told.cards)
        return TableReading(self._found, marks, self._dice_on(frame, self._found), pieces, tuple(cards))

    def _lens_for(self, frame: Image) -> Lens | None:
        """A lens that was measured on pictures of another shape tells nothing about these."""
        return self._lens if self._lens is not None and self._lens.fits(frame.shape[1], frame.shape[0]) else None

    def _read_boards(self, frame: Pyramid, found: Found) -> None:
        """Reads the regions that changed and remembers the others."""
        fresh: dict[str, _Fresh] = {}
        for board_id, pose in found.boards.items():
            changed = self._changed_on(frame, pose, found.size_px) if board_id in self._regions else None
            if changed is not None:
                fresh[board_id] = changed
        if not fresh:
            return
        drawn_on = [board_id for board_id in fresh if self.layout.board(board_id).drawn_regions]
        read = dict(zip(drawn_on, read_marks([fresh[board_id].seen for board_id in drawn_on]), strict=True))
        for board_id, board in fresh.items():
            pose, marks = found.boards[board_id], read.get(board_id, NOTHING_DRAWN)
            pieces = {name: piece.reading for name, piece in board.pieces.items()}
            told = {**marks.marks, **pieces, **{name: card.reading for name, card in board.cards.items()}}
            bare = None
            if self._has_dice:
                bare = board.seen.change.bare(_free_of_dice(self._regions[board_id], pose, marks))
            self._read[board_id] = _Read(pose, board.thumbnail, marks, bare, board.pieces, board.cards, told)

    def _changed_on(self, frame: Pyramid, pose: BoardPose, size_px: tuple[int, int]) -> _Fresh | None:
        """What is to be read on a board, or None when it looks as it did."""
        regions, look = self._regions[pose.board_id], sample_board(frame, self._maps_to(pose, size_px))
        now, before = look.thumbnail(), self._read.get(pose.board_id)
        if before is not None and not _same_place(before.pose, pose):
            before = None
        changed = np.ones(now.shape[:2], np.uint8)
        if before is not None:
            changed = (_most(cv2.absdiff(before.thumbnail, now)) >= SAME_SHADE).astype(np.uint8)
            # What changed too little to be read again must not creep away step by step.
            now = np.where(changed[..., None] > 0, now, before.thumbnail)
        if not changed.any():
            return None
        clean = self._clean_look(pose, look)
        change = Change(look, clean, regions)
        seen = Seen(change, regions.touched(changed), None if before is None else before.read.rows, _trust(pose))
        pieces: Mapping[str, RegionPieces] = {}
        if pose.board_id in self._loose:
            board = Sighted(frame, size_px, pose, look, clean, change, _trust(pose))
            pieces = self._loose.read(board, changed, None if before is None else before.pieces)
        cards: Mapping[str, RegionCards] = {}
        if pose.board_id in self._cards:
            touched = {name for name, met in zip(regions.names, regions.touched(changed), strict=True) if met}
            known = {} if before is None else before.cards
            cards = self._cards[pose.board_id].read(frame, pose, look.low, clean.low, touched, known)
        return _Fresh(now, seen, pieces, cards)

    def _clean_look(self, pose: BoardPose, look: BoardSamples) -> BoardSamples:
        """The board's clean picture or, in its place, the kit's own."""
        if pose.board_id in self._clean:
            return self._clean[pose.board_id]
        return sample_print(self._kit_picture(pose.board_id), self._regions[pose.board_id], pose.px_per_mm, look)

    def _kit_picture(self, board_id: str) -> Image:
        return load_picture(self.layout.folder / self.layout.board(board_id).image)

    def _maps_to(self, pose: BoardPose, size_px: tuple[int, int]) -> Maps:
        kept = self._maps.get(pose.board_id)
        if kept is None or not _same_place(kept[0], pose):
            kept = self._maps[pose.board_id] = pose, maps_to(pose, self._regions[pose.board_id], size_px)
        return kept[1]

    def _dice_on(self, frame: Pyramid, found: Found) -> tuple[SeenDie, ...]:
        if not self._has_dice:
            return ()
        scales = [pose.px_per_mm * DIE_MM for pose in found.boards.values()]
        parts = _parts(frame)
        if not scales:
            self._dice = find_dice(frame)
        else:
            die_px = min(scales) * SMALLEST_DIE, max(scales) * LARGEST_DIE
            changed = _changed(self._parts, parts, die_px[1])
            if changed.any():
                room = changed & self._room_for_dice(parts, found, die_px)
                new = [die for die in find_dice(frame, die_px, room) if self._believed(die, frame.bgr, found)]
                kept = [die for die in self._dice if not _at(changed, die.centre_px, found.size_px)]
                self._dice = (*(die for die in kept if not any(_same_die(die, other) for other in new)), *new)
        if self._parts is None or not scales or changed.any():
            self._parts = parts
        return tuple(self._placed(die, found) for die in self._dice)

    def _placed(self, die: SeenDie, found: Found) -> SeenDie:
        """The die with the place for dice that it lies on, on whatever board."""
        near = {
            (board.id, region): depth_mm
            for board in self.layout.boards
            if board.dice_regions and board.id in found.boards
            for region, depth_mm in _depths_mm(die, board, found.boards[board.id], found.size_px).items()
        }
        best = max(near, key=lambda place: near[place], default=None)
        if best is None or near[best] < -NEAR_MM:
            return die
        return replace(die, board=best[0], region=best[1])

    def _believed(self, die: SeenDie, frame: Image, found: Found) -> bool:
        """Whether something like a die is none of the boxes, numbers and faces that boards have printed on them."""
        pose = next((pose for pose in found.boards.values() if _lies_on(die, pose)), None)
        if pose is None:
            return True
        if not self.layout.board(pose.board_id).dice_regions and die.confidence < SURE_ELSEWHERE:
            return False
        # Where the clean board was seen, dice were only looked for where it changed.
        if pose.board_id not in self._regions or pose.board_id in self._clean:
            return True
        around_px = AROUND_A_DIE * die.edge_px
        return not is_printed(frame, pose, self._kit_picture(pose.board_id), die.centre_px, around_px)

    def _room_for_dice(self, parts: Image, found: Found, die_px: tuple[float, float]) -> Image:
        """Where a die may lie, part by part: not on the bare table, nor where a board shows bare print or clear ink."""
        rows, columns = parts.shape[:2]
        to_parts = np.diag([columns / found.size_px[0], rows / found.size_px[1], 1.0])
        room = _table_changed(self._clean_parts, parts, die_px[1])
        for board_id, pose in found.boards.items():
            bare = self._read[board_id].bare if board_id in self._read else None
            if bare is not None:
                to_frame = pose.homography @ self._regions[board_id].low_to_mm
                shown = cv2.warpPerspective(
                    bare, to_parts @ to_frame, (columns, rows), flags=cv2.INTER_NEAREST, borderValue=(NO_BOARD,)
                )
                np.copyto(room, 1 - np.asarray(shown, np.uint8), where=np.asarray(shown) != NO_BOARD)
        # What is thinner than any die is none: slivers beside ink.
        return _without_slivers(room, die_px[0] / 2)


def reading_json(layout: Layout, reading: TableReading) -> dict[str, Any]:
    """The contracted form: every board of the kit, found or not, and what lies on the table."""
    boards = [
        {
            "id": board.id,
            "found": board.id in reading.found.boards,
            "marks": {
                region: {"kind": mark.kind, "confidence": round(mark.confidence, 4)}
                for region, mark in reading.marks.get(board.id, {}).items()
            },
        }
        for board in layout.boards
    ]
    pieces = [
        {
            **asdict(piece),
            "confidence": round(piece.confidence, 4),
            "centre_px": [round(n, 1) for n in piece.centre_px],
        }
        for piece in reading.pieces
    ]
    return {"boards": boards, "dice": dice_json(reading.dice), "pieces": pieces, "cards": cards_json(reading.cards)}


def dice_json(dice: Iterable[SeenDie]) -> list[dict[str, Any]]:
    """The contracted form of dice, from left to right."""
    return [
        {
            "value": die.value,
            "confidence": round(die.confidence, 4),
            "centre_px": [round(die.centre_px[0], 1), round(die.centre_px[1], 1)],
            "section": die.region,
        }
        for die in sorted(dice, key=lambda die: die.centre_px)
    ]


def _lies_on(die: SeenDie, pose: BoardPose) -> bool:
    x, y = pose.to_board([die.centre_px])[0]
    return bool(0 <= x <= pose.width_mm and 0 <= y <= pose.height_mm)


def _depths_mm(die: SeenDie, board: BoardLayout, pose: BoardPose, size_px: tuple[int, int]) -> dict[str, float]:
    """How far within each place for dice of a board a die lies; below 0 it lies outside.

    What is seen is its top, which a slanted view shifts away from its foot.
    """
    foot = below(pose, die.centre_px, DIE_MM, size_px)
    return {
        region: cv2.pointPolygonTest(np.array(board.regions[region], np.float32), foot, measureDist=True)
        for region in board.dice_regions
    }


def _in_colour(frame: Image) -> Image:
    frame = checked_frame(frame)
    return cast(Image, cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR)) if frame.ndim == 2 else frame


def _same_place(before: BoardPose, now: BoardPose) -> bool:
    """A board that stands still keeps its pose to the last digit."""
    return before.homography is now.homography and before.age == now.age


def _free_of_dice(regions: Regions, pose: BoardPose, read: BoardMarks) -> Floats:
    """Outlines on a board (mm) where something is seen that a die would cover."""
    grown = np.array([_FREE_AROUND[mark.kind] for mark in read.marks.values()])
    outlines = regions.outlines_mm(grown)[grown > 0] if len(grown) else np.empty((0, 4, 2))
    return np.concatenate([outlines, *([regions.board.markers[marker]] for marker in pose.used)])


def _trust(pose: BoardPose) -> float:
    """The chance that the regions are where they are looked for; half a millimetre off does no harm."""
    return min(1.0, TRUSTED * pose.certainty) if pose.age == 0 else pose.confidence


def _changed(before: Image | None, now: Image, die_px: float) -> Image:
    """The parts of the frame that changed, with room for a die around."""
    if before is None or before.shape != now.shape:
        return np.ones(now.shape[:2], np.uint8)
    return _grown((_most(cv2.absdiff(now, before)) > SAME_GREY).astype(np.uint8), die_px)


def _table_changed(clean: Image | None, now: Image, die_px: float) -> Image:
    """The parts of the frame that are not as they were on the clean table, whatever the light does.

    A camera that was moved sees another pattern everywhere, and nothing is ruled out.
    """
    if clean is None or clean.shape != now.shape:
        return np.ones(now.shape[:2], np.uint8)
    off = cv2.subtract(cv2.LUT(now, _LOG_GREY), cv2.LUT(clean, _LOG_GREY))
    off = cv2.absdiff(off, cv2.blur(off, (_LIGHT_PARTS, _LIGHT_PARTS)))
    if np.median(off[::4, ::4]) > SAME_TABLE / 2:
        return np.ones(now.shape[:2], np.uint8)
    changed = (_most(off) > SAME_TABLE).astype(np.uint8)
    # The edge of a board that was nudged, a speck of noise.
    return _grown(_without_slivers(changed, 2 * _PART_PX), die_px / 2)


def _most(channels: Any) -> NDArray[Any]:
    """The largest of three channels, pixel by pixel."""
    first, second, third = cv2.split(channels)
    return np.asarray(cv2.max(cv2.max(first, second), third))


def _grown(parts: Image, by_px: float) -> Image:
    reach = 2 * ceil(by_px / _PART_PX) + 1
    return cast(Image, cv2.dilate(parts, np.ones((reach, reach), np.uint8)))


def _without_slivers(parts: Image, width_px: float) -> Image:
    """What is left when all that is thinner is taken away, at least of lines of single parts."""
    side = max(2, int(width_px / _PART_PX))
    square = np.ones((side, side), np.uint8)
    # Opposite anchors: otherwise a square of even width would shift everything.
    return cast(Image, cv2.dilate(cv2.erode(parts, square, anchor=(0, 0)), square, anchor=(side - 1, side - 1)))


def _same_die(one: SeenDie, other: SeenDie) -> bool:
    """No two dice lie so near to each other."""
    return dist(one.centre_px, other.centre_px) < max(one.edge_px, other.edge_px) / 2


def _at(parts: Image, point_px: tuple[float, float], size_px: tuple[int, int]) -> bool:
    row, column = (int(point_px[axis] * parts.shape[1 - axis] / size_px[axis]) for axis in (1, 0))
    return bool(parts[min(max(row, 0), parts.shape[0] - 1), min(max(column, 0), parts.shape[1] - 1)])


def _parts(frame: Pyramid) -> Image:
    """A very small picture of the frame, to tell whether anything changed."""
    height, width = frame.bgr.shape[:2]
    size = max(1, width // _PART_PX), max(1, height // _PART_PX)
    shrunk = frame.shrunk(4) if min(size) > 1 else frame.bgr
    return cast(Image, cv2.resize(shrunk, size, interpolation=cv2.INTER_AREA))
