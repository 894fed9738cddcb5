"""An owner's own pieces while they are being learned: one of each on a printed sheet, one picture."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from hardware.ports import Frame, Picture
from pi_app.files import write_whole
from pi_app.setup.camera import fitting_lens, lens_file
from vision.catalogue import Catalogue, Look, look_json, parse_look
from vision.kit.kit import Kit
from vision.kit.samples import SAMPLES, sample_sheet, told_by_make, write_samples
from vision.layout import BadLayout, Layout
from vision.learn import LearnedPiece, are_alike, colour_of, learn_pieces
from vision.locate import find_boards
from vision.pictures import BadPicture, jpeg_of, load_picture
from vision.rectify import rectify
from web.people import Refused
from web.workshop import LearnedLook, PiecesState

PICTURE_PX_PER_MM = 3.0
AS_WIDE = 0.8
"""Of two pieces, one that is narrower than this share of the other is told by its size."""


class PiecesSetup:
    """Any thread may use it. What was learned of a game's pieces is used from its next game on."""

    def __init__(self, frame: Callable[[], Frame], layout: Callable[[], Layout], folder: Path, game: str) -> None:
        """`frame` is a new picture, or raises Refused; `layout` tells which pieces there are."""
        self._frame, self._layout, self._lens_file = frame, layout, lens_file(folder)
        self._file = looks_file(folder, game)
        self._picture_file = self._file.with_suffix(".jpg")

    def state(self) -> PiecesState:
        catalogue = self._layout().catalogue
        wanted = [kind.id for kind in told_by_make(catalogue)]
        kept = {piece: one for piece, one in load_pieces(self._file).items() if piece in wanted}
        if not kept:
            return PiecesState(wanted)
        taken_at = datetime.fromtimestamp(self._file.stat().st_mtime, UTC).isoformat(timespec="seconds")
        learned = [LearnedLook(piece, colour_of(one.look), round(one.width_mm, 1)) for piece, one in kept.items()]
        return PiecesState(wanted, taken_at, learned, list(_alike(catalogue, kept)))

    def sheet(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "samples.pdf"
            write_samples(self._sheet(), path)
            return path.read_bytes()

    def learn(self) -> PiecesState:
        """Keeps nothing unless every piece is there."""
        layout, bgr = self._sheet().layout, self._frame().bgr
        lens = fitting_lens(self._lens_file, bgr)
        pose = find_boards(bgr, layout, lens).boards.get(SAMPLES)
        if pose is None:
            raise Refused("setup.pieces_no_sheet")
        learned = learn_pieces(bgr, layout, lens)
        missing = [piece for piece in layout.boards[0].regions if piece not in learned]
        if missing:
            raise Refused("setup.pieces_missing", expected=missing)
        told = {piece: {"look": look_json(one.look), "width_mm": one.width_mm} for piece, one in learned.items()}
        try:
            write_whole(self._picture_file, jpeg_of(rectify(bgr, pose, PICTURE_PX_PER_MM).bgr))
            write_whole(self._file, json.dumps(told).encode())
        except OSError as error:
            raise Refused("setup.cannot_write", why=error.strerror or "") from error
        return self.state()

    def forget(self) -> PiecesState:
        for path in (self._file, self._picture_file):
            path.unlink(missing_ok=True)
        return self.state()

    def picture(self, piece: str) -> bytes:
        board = self._sheet().layout.boards[0]
        if piece not in board.regions:
            raise Refused("web.not_found")
        try:
            whole: Picture = load_picture(self._picture_file)
        except BadPicture as error:
            raise Refused("web.not_found") from error
        (left, top), _, (right, bottom), _ = (
            [round(side * PICTURE_PX_PER_MM) for side in corner] for corner in board.regions[piece]
        )
        return jpeg_of(whole[top:bottom, left:right])

    def _sheet(self) -> Kit:
        return sample_sheet(told_by_make(self._layout().catalogue))


def looks_file(folder: Path, game: str) -> Path:
    return folder / f"pieces-{game}.json"


def load_pieces(path: Path) -> dict[str, LearnedPiece]:
    """What was learned; nothing if nobody did, or if the file cannot be used."""
    try:
        return {piece: _parsed(raw) for piece, raw in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, BadLayout):
        return {}


def load_looks(folder: Path, game: str) -> dict[str, Look]:
    return {piece: one.look for piece, one in load_pieces(looks_file(folder, game)).items()}


def _parsed(raw: Any) -> LearnedPiece:
    return LearnedPiece(parse_look(raw["look"], "look"), float(raw["width_mm"]))


def _alike(catalogue: Catalogue, learned: Mapping[str, LearnedPiece]) -> Iterator[tuple[str, str]]:
    """Pieces of about the same colour and size that may lie in the same place."""
    together = {frozenset(place.holds) for places in catalogue.places.values() for place in places.values()}
    for one, other in combinations(learned, 2):
        narrow, wide = sorted(learned[piece].width_mm for piece in (one, other))
        sets = {catalogue.kinds[one].set, catalogue.kinds[other].set}
        meet, as_wide = any(sets <= holds for holds in together), narrow > AS_WIDE * wide
        if meet and as_wide and are_alike(learned[one].look, learned[other].look):
            yield one, other
