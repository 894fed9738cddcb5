"""The loose pieces of a whole table, board by board, frame after frame."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from vision.catalogue import PieceKind
from vision.change import Change
from vision.eye import eye_mm
from vision.faces import FacePicture, Faces, load_faces
from vision.labels import CleanLook, Labels, seen_flat
from vision.layout import PIECES, TILE, Layout
from vision.markers import Floats, Image
from vision.palette import Palette
from vision.patterns import Patch, patch_of
from vision.pieces import BoardNow, PieceReader, RegionPieces
from vision.pyramid import Pyramid
from vision.rectify import BoardPose
from vision.regions import LOW_MM, THUMBNAIL_MM
from vision.samples import BoardSamples
from vision.standing import View

CODE_PX_PER_MM = (1.6, 2.6)  # how finely the codes of pieces are looked at


@dataclass(frozen=True)
class SeenPiece:
    """A piece that was read, and where in the frame."""

    piece: str
    face: str
    confidence: float
    centre_px: tuple[float, float]
    board: str
    region: str


@dataclass(frozen=True, eq=False)
class Sighted:
    """A board in a frame, compared with its clean look."""

    frame: Pyramid
    size_px: tuple[int, int]
    pose: BoardPose
    now: BoardSamples
    clean: BoardSamples
    change: Change
    trust: float


class LoosePieces:
    """Reads the pieces on the boards of one kit."""

    def __init__(self, layout: Layout, faces: FacePicture | None) -> None:
        """`faces` is the kit's picture of its pieces; without one it is looked for in the kit's folder."""
        self._palette = Palette(_told_by_colour(layout))
        known = Faces(layout.catalogue, load_faces(layout) if faces is None else faces)
        known.prepare()
        self._readers = {
            board.id: PieceReader(layout, board, self._palette, known)
            for board in layout.boards
            if board.read_by(PIECES, TILE)
        }
        self._clean: dict[str, tuple[BoardSamples, CleanLook]] = {}

    def __contains__(self, board_id: str) -> bool:
        return board_id in self._readers

    def __bool__(self) -> bool:
        return bool(self._readers)

    def learn(self, board_id: str, clean: BoardSamples) -> None:
        """Takes the clean look of a board, and works out all that is to be known of it."""
        look = CleanLook(clean.low)
        look.prepare()
        self._clean[board_id] = clean, look
        self._readers[board_id].learn(look.flat)

    def read(
        self, board: Sighted, changed: Image, before: Mapping[str, RegionPieces] | None
    ) -> dict[str, RegionPieces]:
        """What lies on a board; `changed` tells by pixel of its thumbnail where it differs from the reading before."""
        reader, kept = self._readers[board.pose.board_id], before or {}
        return reader.read(self._now(board), reader.touched(changed, THUMBNAIL_MM * LOW_MM), kept)

    def _now(self, board: Sighted) -> BoardNow:
        pose, clean = board.pose, self._clean_look(board)
        labels = Labels.of(board.now.low, clean, board.change.gain, self._palette)
        fine = min(max(pose.px_per_mm, CODE_PX_PER_MM[0]), CODE_PX_PER_MM[1])

        def near(low_mm: Floats, high_mm: Floats) -> Patch:
            return patch_of(board.frame, pose, low_mm, high_mm, fine)

        view = View(eye_mm(pose, board.size_px))
        return BoardNow(labels, seen_flat(board.now.low), clean.flat, near, view, board.trust)

    def _clean_look(self, board: Sighted) -> CleanLook:
        """Worked out once for a clean picture; where there is none, the print is another one each time."""
        kept = self._clean.get(board.pose.board_id)
        if kept is None or kept[0] is not board.clean:
            kept = self._clean[board.pose.board_id] = board.clean, CleanLook(board.clean.low)
        return kept[1]


def _told_by_colour(layout: Layout) -> list[PieceKind]:
    """The kinds that may stand or lie somewhere together with others."""
    places = [(board.id, region) for board in layout.boards for region in board.read_by(PIECES)]
    return list({kind.id: kind for place in places for kind in layout.catalogue.held(*place)}.values())


def seen_pieces(pose: BoardPose, size_px: tuple[int, int], regions: Mapping[str, RegionPieces]) -> Iterator[SeenPiece]:
    """The pieces on a board that were surely read."""
    view = View(eye_mm(pose, size_px))
    for region, pieces in regions.items():
        if pieces.reading.kind == "unsure":
            continue
        for piece in pieces.stood:
            x, y = pose.to_frame(view.lifted(np.array([piece.at_mm]), piece.kind.size_mm[2]))[0]
            at = float(x), float(y)
            yield SeenPiece(piece.kind.id, pieces.face, pieces.reading.confidence, at, pose.board_id, region)
